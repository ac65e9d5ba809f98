"""`teller setup`: from a token to a bot with an owner, in a minute.

The token and the owner are written as soon as they are known; what is asked after that may be left out.
"""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass
from functools import partial

from bot.adapters.telegram.onboarding import Me, NotReached, Onboarding, TokenUnknown
from bot.cli import socket as control
from bot.config.sections import LANGUAGES
from bot.setup.draft import Draft
from bot.setup.model import choose_model
from bot.setup.owner import LOOK_SECONDS, OWNED, Link, congratulate
from bot.setup.prompts import Talk
from core.kernel.errors import ConfigError, StorageBusy
from core.kernel.ports import Clock
from core.language.zone_search import zone_of

TOKEN = "telegram.token"
SLACK = "slack"
FIRST = "The token that @BotFather gave you (/newbot makes a bot), or the word slack for Slack"
ASK_SECONDS = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What the command line said in advance; None is asked for. An empty `model` is none."""

    platform: str | None = None
    token: str | None = None
    owner: str | None = None
    timezone: str | None = None
    language: str | None = None
    model: str | None = None
    base_url: str | None = None
    api_key: str | None = None


class Setup:
    """One run of set-up."""

    def __init__(
        self,
        draft: Draft,
        given: Given,
        talk: Talk,
        clock: Clock,
        *,
        look_seconds: int = LOOK_SECONDS,
    ) -> None:
        self._draft, self._given, self._talk, self._clock = draft, given, talk, clock
        self._look_seconds = look_seconds
        self._typed = ""

    async def run(self) -> None:
        """Go through all steps. Raises `ConfigError` or another `TellerError` with what to do."""
        if self._platform() == SLACK:
            from bot.setup.slack import SlackSetup  # noqa: PLC0415 - heavy, and only with Slack

            typed = self._typed if self._typed.strip().lower() != SLACK else ""
            language = self._given.language or self._draft.config.language
            zone = await SlackSetup(
                self._draft, self._talk, owner=self._given.owner, token=typed, language=language
            ).run()
        else:
            api, me = await self._connect()
            try:
                await self._owner(api, me)
            finally:
                await api.close()
            # Nobody's zone is known there.
            zone = ""
        self._timezone(zone)
        self._language()
        await choose_model(self._draft, self._talk, self._given.model, self._given.base_url, self._given.api_key)
        # Secret addresses and tokens are encrypted with it.
        if not self._draft.config.secret_keys and self._draft.put("secret_key", secrets.token_urlsafe(32)):
            self._talk.say("Made secret_key, which secrets are encrypted with. Keep a copy of the configuration.")
        self._draft.save()
        self._talk.say("Done. Start the bot with: teller run")

    def _platform(self) -> str:
        """Which platform is set up: as said in advance, as configured already, or as the first answer tells."""
        there = self._draft.config.platforms
        if self._given.platform or self._given.token is not None or len(there) == 1:
            return self._given.platform or ("telegram" if self._given.token is not None else there[0])
        if there:
            wants = self._talk.confirm(
                "Telegram and Slack are configured. Go through Telegram's settings?", default=True
            )
            return "telegram" if wants else "slack"
        self._typed = self._draft.ask(TOKEN, FIRST, None, also=_slackish)
        return SLACK if _slackish(self._typed) else "telegram"

    async def _connect(self) -> tuple[Onboarding, Me]:
        """Get a token that Telegram knows."""
        token = self._token()
        while True:
            api = Onboarding(token, self._draft.config.telegram.base_url)
            try:
                me = await api.me()
            except (TokenUnknown, NotReached) as error:
                await api.close()
                token = self._other(token, error)
            else:
                self._talk.say(f"This is @{me.username}.")
                if token != self._configured() and not self._draft.put(TOKEN, token):
                    raise ConfigError("The token stays as it is, so nothing was written.")
                return api, me

    def _configured(self) -> str | None:
        token = self._draft.config.telegram.token
        return None if token is None else token.get_secret_value()

    def _token(self) -> str:
        there, name = self._configured(), self._draft.variable(TOKEN)
        given = self._given.token
        if given is not None:
            given = self._draft.ask(TOKEN, "", None, given.strip())
        if name and given not in (None, there):
            raise ConfigError(f"{name} holds another token and wins over --token. Change it there.")
        if there is None or given is not None:
            return given or self._typed or self._ask_token()
        bot = there.partition(":")[0]
        if name or self._talk.confirm(f"A token of bot {bot} is configured already. Use it?", default=True):
            return there
        return self._ask_token()

    def _ask_token(self) -> str:
        return self._draft.ask(TOKEN, "The token that @BotFather gave you (/newbot makes a bot)", None)

    def _other(self, token: str, error: TokenUnknown | NotReached) -> str:
        """After a failure: the same token again, or another one."""
        self._talk.say(f"! {error}")
        if isinstance(error, NotReached):
            if self._talk.confirm("Try again?", default=True, alone=False):
                return token
            raise error
        if self._given.token is not None or self._draft.variable(TOKEN):
            raise ConfigError("This token does not work; nothing was written.")
        return self._ask_token()

    async def _webhook(self, api: Onboarding) -> None:
        """Set-up has to ask for updates itself, which Telegram refuses while it sends them somewhere."""
        host = (await api.webhook()).host
        if not host:
            return
        self._talk.say(f"A webhook sends the bot's messages to {host}.")
        if not self._talk.confirm("Remove it? What waits is kept; a bot in webhook mode sets it again.", default=True):
            raise ConfigError("With the webhook the link cannot be seen. Give your id with --owner instead.")
        await api.drop_webhook()

    async def _owner(self, api: Onboarding, me: Me) -> None:
        owners = self._draft.config.owners
        if self._given.owner is not None:
            address = self._given.owner if ":" in self._given.owner else f"tg:{self._given.owner}"
            self._draft.add_owner(address)
            self._draft.save()
            return
        if owners:
            self._talk.say(f"The bot belongs to {', '.join(owners)}.")
            if not self._talk.confirm("Add another owner?", default=False):
                return
        folder = self._draft.config.data_dir
        try:
            await asyncio.to_thread(control.ask, folder, "status", {}, ASK_SECONDS)
            runs = True
        except control.NotRunning:
            runs = False
        if runs:
            raise StorageBusy(f"The bot is running on {folder} and would take the press of Start. Stop it first.")
        await self._webhook(api)
        found = await Link(api, me, self._talk, self._clock, self._look_seconds).owner()
        if self._draft.add_owner(f"tg:{found.id}"):
            self._draft.save()
            configured = self._given.language or self._draft.config.language
            language = found.language if configured == "auto" else configured
            await congratulate(partial(api.tell, found.id), OWNED, language, self._talk)

    def _timezone(self, theirs: str) -> None:
        """`theirs` is the owner's, if the platform has told it: it is proposed."""
        if self._given.timezone is None and self._draft.settled("timezone"):
            return
        default = zone_of(theirs) or self._draft.config.timezone
        question = "Time zone, or a town"
        zone = self._draft.ask(
            "timezone", question, default, self._given.timezone, meant=lambda said: zone_of(said) or said
        )
        self._draft.put("timezone", zone)

    def _language(self) -> None:
        if self._given.language is None and self._draft.settled("language"):
            return
        question = f"Language of the bot's own texts: {', '.join(LANGUAGES[:-1])} or {LANGUAGES[-1]}"
        default = self._draft.config.language
        self._draft.put("language", self._draft.ask("language", question, default, self._given.language))


def _slackish(answer: str) -> bool:
    return answer.strip().lower() == SLACK or answer.strip().startswith("xoxb-")

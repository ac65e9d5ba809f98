"""Setting Slack up: an app from its manifest, two tokens, and a member who owns the bot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlsplit

from bot.adapters.slack.manifest import BACK, CONNECT_SCOPE, NEW_APP, Wishes, manifest, missing
from bot.adapters.slack.onboarding import Bot, Member, NotReached, Onboarding, Refused, TokenUnknown
from bot.config.config import Config
from bot.setup.draft import Draft
from bot.setup.owner import congratulate
from bot.setup.prompts import Talk
from core.kernel.errors import ConfigError, TellerError

BOT_TOKEN, APP_TOKEN, SIGNING_SECRET = "slack.bot_token", "slack.app_token", "slack.signing_secret"
HOW = f"""A Slack app takes two minutes:
  1. Open {NEW_APP} and choose "From a manifest" and your workspace.
     Paste what this prints: teller slack manifest
  2. Install App: press the button to install it. That page shows the Bot User OAuth Token."""
SECOND = f"""  3. Basic Information, App-Level Tokens: make one with the scope {CONNECT_SCOPE}."""
SECOND_HTTP = "  3. Basic Information, App Credentials: the Signing Secret."
BOT_QUESTION, APP_QUESTION = "The Bot User OAuth Token (xoxb-…)", "The app-level token (xapp-…)"
MEMBER = "Your member id (in Slack: your picture, Profile, ⋮, Copy member ID)"
OWNED: Mapping[str, str] = {
    "en": "You own this bot now. It answers as soon as it is started. Then write: help",
    "de": "Dieser Bot gehört jetzt dir. Er antwortet, sobald er läuft. Schreib dann: hilfe",
    "zh": "你现在是这个机器人的主人了。启动之后它就会回答你。那时写：帮助",
}


def manifest_of(config: Config, profile: str, url: str = "") -> str:
    """Return the manifest for a configuration. With `url` Slack posts there; without a path it is `slack.path`.

    Raises `ConfigError` for a `url` that Slack could not post to.
    """
    section, posted = config.slack, _posted(url, config)
    root = section.public_url or (f"https://{urlsplit(posted).netloc}" if posted else "")
    wishes = Wishes(
        profile=profile,
        command=section.command,
        todo_command=section.todo_command,
        url=posted,
        back=f"{root}{BACK}" if root and section.oauth else "",
    )
    return manifest(wishes)


def _posted(url: str, config: Config) -> str:
    if not url:
        return ""
    try:
        parts = urlsplit(url)
        fine = parts.scheme == "https" and parts.hostname and not (parts.query or parts.fragment or parts.username)
    except ValueError:
        fine = False
    if not fine:
        raise ConfigError(
            "--http: write the https address of this bot as Slack sees it, such as https://bot.example.org"
        )
    path = parts.path.rstrip("/")
    if path and path != config.slack.path:
        raise ConfigError(f"--http: the path is {path}, but the bot takes posts at slack.path, {config.slack.path}.")
    return f"https://{parts.netloc}{config.slack.path}"


@dataclass(frozen=True, slots=True)
class Found:
    """What set-up has found out: the bot in its workspace, and the tokens."""

    bot: Bot
    token: str


class SlackSetup:
    """One set-up of Slack. Raises `ConfigError` or another `TellerError` with what to do."""

    def __init__(self, draft: Draft, talk: Talk, *, owner: str | None, token: str = "", language: str) -> None:
        self._draft, self._talk, self._language = draft, talk, language
        self._owner_given, self._typed = owner, token

    async def run(self) -> str:
        """Get the tokens and an owner, and write them; returns the owner's time zone, empty when nobody knows it."""
        section = self._draft.config.slack
        if section.bot_token is None:
            self._talk.say(f"{HOW}\n{SECOND if section.mode == 'socket' else SECOND_HTTP}")
        found = await self._connect()
        await self._hear(found)
        async with self._api(found.token) as api:
            return await self._owner(api, found.bot)

    def _api(self, token: str) -> Onboarding:
        return Onboarding(token, self._draft.config.slack.base_url)

    async def _connect(self) -> Found:
        """Get a bot token that Slack knows."""
        token = (
            self._draft.ask(BOT_TOKEN, "", None, self._typed.strip())
            if self._typed
            else self._kept(BOT_TOKEN) or self._ask(BOT_TOKEN, BOT_QUESTION)
        )
        while True:
            try:
                async with self._api(token) as api:
                    me = await api.me()
            except (TokenUnknown, Refused, NotReached) as error:
                token = self._other(BOT_TOKEN, BOT_QUESTION, token, error)
                continue
            self._talk.say(f"This is @{me.name} in {me.team_name or me.team}.")
            for scope in missing(me.scopes) if me.scopes else ():
                self._talk.say(f"! Without the scope {scope.name}: {scope.off}.")
            self._note(BOT_TOKEN, token)
            return Found(me, token)

    async def _hear(self, found: Found) -> None:
        """Get what the bot hears by: an app-level token, or the secret that Slack signs with."""
        if self._draft.config.slack.mode == "http":
            secret = self._kept(SIGNING_SECRET) or self._ask(SIGNING_SECRET, "The Signing Secret")
            self._note(SIGNING_SECRET, secret)
            return
        token = self._kept(APP_TOKEN) or self._ask(APP_TOKEN, APP_QUESTION)
        while True:
            try:
                async with self._api(token) as api:
                    await api.opens_socket(token)
            except (TokenUnknown, Refused, NotReached) as error:
                token = self._other(APP_TOKEN, APP_QUESTION, token, error)
                continue
            self._note(APP_TOKEN, token)
            return

    def _kept(self, key: str) -> str:
        """The value that is configured already, if it is to stay."""
        secret = getattr(self._draft.config.slack, key.partition(".")[2])
        if secret is None:
            return ""
        keep = bool(self._draft.variable(key)) or self._talk.confirm(
            f"{key} is configured already. Use it?", default=True
        )
        return str(secret.get_secret_value()) if keep else ""

    def _ask(self, key: str, question: str) -> str:
        return self._draft.ask(key, question, None)

    def _other(self, key: str, question: str, token: str, error: TellerError) -> str:
        """After a failure: the same token again, or another one."""
        self._talk.say(f"! {error}")
        if isinstance(error, NotReached):
            if self._talk.confirm("Try again?", default=True, alone=False):
                return token
            raise error
        if name := self._draft.variable(key):
            raise ConfigError(f"The token of {name} does not work; nothing was written.")
        return self._ask(key, question)

    def _note(self, key: str, value: str) -> None:
        there = getattr(self._draft.config.slack, key.partition(".")[2])
        changed = there is None or there.get_secret_value() != value
        if changed and not self._draft.put(key, value):
            raise ConfigError(f"{key} stays as it is, so nothing was written.")

    async def _owner(self, api: Onboarding, me: Bot) -> str:
        ours = [owner for owner in self._draft.config.owners if owner.startswith(f"slack:{me.team}:")]
        if self._owner_given is None and ours:
            self._talk.say(f"In this workspace the bot belongs to {', '.join(ours)}.")
            if not self._talk.confirm("Add another owner?", default=False):
                self._draft.save()
                return ""
        who = await self._member(api, me)
        added = self._draft.add_owner(who.address)
        self._draft.save()
        if added:
            language = who.language if self._language == "auto" else self._language
            await congratulate(partial(api.tell, who.address.rpartition(":")[2]), OWNED, language, self._talk)
        return who.timezone

    async def _member(self, api: Onboarding, me: Bot) -> Member:
        """Ask for a member until it is one who may own the bot."""
        given = self._owner_given
        while True:
            said = given if given is not None else self._talk.ask(MEMBER)
            user = said.strip().rpartition(":")[2].upper()
            found = await self._looked_up(api, user, me)
            if isinstance(found, Member) and ":" in said and said.strip() != found.address:
                found = f"{said.strip()} is no address of this workspace; {found.name} is {found.address}."
            if isinstance(found, Member):
                self._talk.say(f"{found.name} ({found.address}) is the owner.")
                return found
            if given is not None:
                raise ConfigError(found)
            self._talk.say(f"! {found}")

    async def _looked_up(self, api: Onboarding, user: str, me: Bot) -> Member | str:
        """Return who it is, or why it is nobody who may own the bot."""
        try:
            who = await api.member(user, me)
        except Refused as error:
            return f"{user} is nobody in this workspace ({error.code})."
        if who.robot or who.gone or who.kin == "outsider":
            what = "a bot" if who.robot else "switched off" if who.gone else "of another workspace"
            return f"{who.name} ({user}) is {what} and cannot own this one."
        return who

"""Finding the owner: a link that works once, and whoever opens it."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Mapping

from bot.adapters.telegram.onboarding import (
    Me,
    Newcomer,
    NotReached,
    Onboarding,
    TokenInUse,
    TokenUnknown,
    TooManyUpdates,
    link,
)
from bot.setup.prompts import Talk
from core.kernel.errors import TellerError
from core.kernel.ports import Clock

LINK_SECONDS = 600.0
LOOK_SECONDS = 5
PAUSE_SECONDS = 1.0
CODE_BYTES = 24  # 32 characters of A-Z a-z 0-9 _ -; a deep link takes 64
CROWDED = (
    "100 or more messages wait at Telegram for this bot, and yours would stand behind them. Forget the oldest 100? "
    "Without an owner the bot would not have answered them."
)
OWNED: Mapping[str, str] = {
    "en": (
        "You own this bot now. It answers as soon as it is started. "
        "Then /invite lets somebody else in, and /people shows who may talk to it."
    ),
    "de": (
        "Dieser Bot gehört jetzt dir. Er antwortet, sobald er läuft. Dann lässt /invite jemanden herein, und /people "
        "zeigt, wer mit ihm reden darf."
    ),
    "zh": "你现在是这个机器人的主人了。启动之后它就会回答你。那时 /invite 可以请别人进来，/people 看谁可以和它说话。",
}


class Link:
    """One-time links for one bot."""

    def __init__(self, api: Onboarding, me: Me, talk: Talk, clock: Clock, look_seconds: int = LOOK_SECONDS) -> None:
        self._api, self._me, self._talk, self._clock = api, me, talk, clock
        self._look_seconds = look_seconds
        self._complained = ""

    async def owner(self) -> Newcomer:
        """Show links until somebody opens one within its ten minutes, and return who was first."""
        while True:
            code = secrets.token_urlsafe(CODE_BYTES)
            self._talk.say("Open this link in Telegram and press Start. It works once, within 10 minutes:")
            self._talk.say(f"  {link(self._me.username, code)}")
            found = await self._wait(code)
            if found is not None:
                self._talk.say(f"{found.name or 'Somebody'} (tg:{found.id}) opened the link.")
                return found
            self._talk.say("The link has run out: nobody pressed Start within 10 minutes.")
            if not self._talk.confirm("Make a new link?", default=True, alone=False):
                raise TellerError("No owner yet; run teller setup again when you are ready.")

    async def _wait(self, code: str) -> Newcomer | None:
        end = self._clock.monotonic() + LINK_SECONDS
        while (left := end - self._clock.monotonic()) > 0:
            pause = PAUSE_SECONDS
            try:
                found = await self._api.opened(code, wait=min(self._look_seconds, int(left)))
                if found is not None:
                    return found
            except TooManyUpdates as error:
                if not self._talk.confirm(CROWDED, default=False):
                    raise TellerError(
                        f"{error} Give your id with --owner instead; @userinfobot tells you yours."
                    ) from None
                self._talk.say(f"Forgotten: {await self._api.forget_oldest()} messages.")
            # The token was known a moment ago: a 404 in between is some proxy's.
            except (NotReached, TokenInUse, TokenUnknown) as error:
                if str(error) != self._complained:
                    self._complained = str(error)
                    self._talk.say(f"! {error} Still trying …")
                pause = max(pause, getattr(error, "pause", 0.0))
            # What waits at Telegram is answered at once, again and again: not a hot loop.
            await self._clock.sleep(min(pause, left))
        return None


async def congratulate(
    tell: Callable[[str], Awaitable[None]], texts: Mapping[str, str], language: str, talk: Talk
) -> None:
    """Tell the owner on the platform that the bot is theirs, in their language; a failure is only said."""
    try:
        await tell(texts.get(language[:2], texts["en"]))
    except TellerError as error:
        talk.say(f"! The owner could not be told: {error}")

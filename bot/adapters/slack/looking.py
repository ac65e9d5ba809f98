"""Looking for what was missed, for each workspace by itself: one in trouble keeps nothing from the others."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping

from bot.adapters.slack.catchup import CatchUp
from bot.adapters.slack.client import code, described
from bot.adapters.slack.people import Served
from bot.adapters.slack.socket import Timing
from bot.adapters.slack.watch import Watch
from core.errors import StorageError
from core.ports import Clock, Intake

log = logging.getLogger(__name__)

# What a bot token lacks, where only a person can help.
NAMED = {
    "invalid_auth": "Slack does not know the bot token",
    "not_authed": "the bot token is empty",
    "token_revoked": "the bot token was revoked",
    "token_expired": "the bot token has expired",
    "account_inactive": "the app is not installed any more",
}

# Whether the workspace is served no more because of an error.
Gone = Callable[[Served, Exception], Awaitable[bool]]


class Looking:
    """Looks after each connection, and whenever something was kept from us. `troubles` says by team why a look failed;
    `caught_up` is set once each workspace was looked into, or could not be.

    Where Slack posts to us (`posted`) nobody says that it could not, so there we look now and then.
    """

    def __init__(
        self,
        served: Mapping[str, Served],
        catching_up: CatchUp,
        watch: Watch,
        clock: Clock,
        timing: Timing,
        *,
        posted: bool,
        gone: Gone,
    ) -> None:
        self.caught_up = asyncio.Event()
        self.troubles: dict[str, str] = {}
        self._served, self._catching_up, self._watch = served, catching_up, watch
        self._clock, self._timing, self._posted, self._gone = clock, timing, posted, gone
        self._looked, self._pause = -timing.most, timing.first

    def hears(self, team: str) -> bool:
        """Whether what was said in a workspace up to now is here, and can be looked for."""
        return team in self._served and team not in self.troubles and self._watch.hears(team)

    def enter(self, team: str) -> None:
        """Look into a workspace that is served from now on, with the token that it has now."""
        self.troubles.pop(team, None)
        self._catching_up.leave(team)
        self._watch.add(team)

    def leave(self, team: str) -> None:
        """Look no more into a workspace."""
        self.troubles.pop(team, None)
        self._watch.leave(team)
        self._catching_up.leave(team)

    def renewed(self, team: str) -> None:
        """There is another token for a workspace: if the last one was the trouble, it is over."""
        if team in self.troubles:
            self._watch.ask((team,))

    async def run(self, intake: Intake) -> None:
        """Look whenever that is wanted, until cancelled."""
        while True:
            await self._wanted()
            self._watch.wanted.clear()
            for at in [at for team, at in self._served.items() if team in self._watch.missing]:
                await self._look(at, intake)
            self._looked = self._clock.monotonic()
            if not self.caught_up.is_set() and all(
                self._watch.hears(one) or one in self.troubles for one in self._served
            ):
                log.info("receiving from Slack as %s", ", ".join(self._served) or "nobody yet")
                self.caught_up.set()

    async def _wanted(self) -> None:
        """Wait until a look is asked for: at once after a quiet time, else with growing pauses."""
        try:
            async with asyncio.timeout(self._timing.look if self._posted or self.troubles else None):
                await self._watch.wanted.wait()
        except TimeoutError:
            self._watch.ask(self._served if self._posted else self.troubles)
        if self._clock.monotonic() - self._looked >= self._timing.most:
            self._pause = self._timing.first
            return
        await self._clock.sleep(self._pause)
        self._pause = min(2 * self._pause, self._timing.most)

    async def _look(self, at: Served, intake: Intake) -> None:
        team = at.me.team
        self._watch.missing.discard(team)
        try:
            whole = await self._catching_up.run(at, intake)
        except Exception as error:
            await self._failed(at, error)
        else:
            if self._served.get(team) is at:
                self.troubles.pop(team, None)
                self._watch.again(() if whole else (team,))

    async def _failed(self, at: Served, error: Exception) -> None:
        """Look again later: soon, but for what a person has to put right."""
        team = at.me.team
        # Who left meanwhile, or came back with another token, is not who was refused.
        if self._served.get(team) is not at:
            return
        try:
            if await self._gone(at, error):
                return
        except StorageError as trouble:
            error = trouble
        named = NAMED.get(code(error), "")
        text = named or (str(error) if isinstance(error, StorageError) else described(error))
        if text != self.troubles.get(team):
            level = logging.ERROR if named else logging.WARNING
            log.log(level, "what was missed in workspace %s cannot be read: %s", team, text)
        self.troubles[team] = text
        if not named:
            self._watch.again((team,))

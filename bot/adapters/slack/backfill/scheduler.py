"""Looking for what was missed, for each workspace by itself: one in trouble keeps nothing from the others."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from bot.adapters.slack.backfill.backfill import CatchUp
from bot.adapters.slack.backfill.gaps import Watch
from bot.adapters.slack.backfill.semaphore import Room
from bot.adapters.slack.directory.people import Served
from bot.adapters.slack.receive.socket_mode import Timing
from bot.adapters.slack.send.client import code, described
from core.kernel.errors import StorageError
from core.kernel.ports import Clock, Intake

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


@dataclass(slots=True)
class Pace:
    """When a workspace was looked into, and the pause before it is again."""

    looked: float
    pause: float


class Looking:
    """Looks after each connection, and whenever something was kept from us. `troubles` says by team why a look failed;
    `caught_up` is set once each workspace was looked into, or could not be.

    Each workspace is looked into at once after a quiet time, else with growing pauses of its own. There is `room` for
    so many at a time; a look that Slack lets wait gives up its place meanwhile. Where Slack posts to us (`posted`)
    nobody says that it could not, so there we look now and then.
    """

    def __init__(
        self,
        served: Mapping[str, Served],
        catching_up: CatchUp,
        watch: Watch,
        clock: Clock,
        timing: Timing,
        *,
        room: Room,
        posted: bool,
        gone: Gone,
    ) -> None:
        self.caught_up = asyncio.Event()
        self.troubles: dict[str, str] = {}
        self._served, self._catching_up, self._watch = served, catching_up, watch
        self._clock, self._timing, self._posted, self._gone = clock, timing, posted, gone
        self._paces: dict[str, Pace] = {}
        self._room, self._under_way = room, set[str]()

    def hears(self, team: str) -> bool:
        """Whether what was said in a workspace up to now is here, and can be looked for."""
        return team in self._served and team not in self.troubles and self._watch.hears(team)

    def enter(self, team: str) -> None:
        """Look into a workspace that is served from now on, with the token that it has now."""
        self.troubles.pop(team, None)
        self._catching_up.leave(team)
        self._paces.pop(team, None)
        self._watch.add(team)

    def leave(self, team: str) -> None:
        """Look no more into a workspace."""
        self.troubles.pop(team, None)
        self._watch.leave(team)
        self._catching_up.leave(team)
        self._paces.pop(team, None)

    def renewed(self, team: str) -> None:
        """There is another token for a workspace: if the last one was the trouble, it is over."""
        if team in self.troubles:
            self._watch.ask((team,))

    async def run(self, intake: Intake) -> None:
        """Look whenever that is wanted, until cancelled."""
        async with asyncio.TaskGroup() as looks:
            looks.create_task(self._now_and_then())
            while True:
                await self._watch.wanted.wait()
                self._watch.wanted.clear()
                begun = self._watch.missing.intersection(self._served) - self._under_way
                self._under_way |= begun
                for team in begun:
                    looks.create_task(self._beside(team, intake))
                self._tell()

    async def _beside(self, team: str, intake: Intake) -> None:
        """Look into a workspace as it is when its turn comes: it may have left, or come back with another token."""
        pace = self._paces.setdefault(team, Pace(-self._timing.most, self._timing.first))
        try:
            await self._paused(pace)
            async with self._room:
                at = self._served.get(team)
                if at is not None:
                    await self._look(at, intake)
        finally:
            self._under_way.discard(team)
            pace.looked = self._clock.monotonic()
        if team in self._watch.missing:
            self._watch.wanted.set()
        self._tell()

    def _tell(self) -> None:
        """Say once that all are received from."""
        if not self.caught_up.is_set() and all(self._watch.hears(one) or one in self.troubles for one in self._served):
            log.info("receiving from Slack as %s", ", ".join(self._served) or "nobody yet")
            self.caught_up.set()

    async def _now_and_then(self) -> None:
        """Ask for looks where nobody else does, until cancelled."""
        while True:
            await asyncio.sleep(self._timing.look)
            self._watch.ask(self._served if self._posted else self.troubles)

    async def _paused(self, pace: Pace) -> None:
        """Wait before a look that follows another one: others in trouble make nobody wait."""
        if self._clock.monotonic() - pace.looked >= self._timing.most:
            pace.pause = self._timing.first
            return
        wait, pace.pause = pace.pause, min(2 * pace.pause, self._timing.most)
        await self._clock.sleep(wait)

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

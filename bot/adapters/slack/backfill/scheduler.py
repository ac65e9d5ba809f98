"""Looking for what was missed, for each workspace by itself: one in trouble keeps nothing from the others."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping

from bot.adapters.slack.backfill.backfill import CatchUp
from bot.adapters.slack.backfill.gaps import Watch
from bot.adapters.slack.backfill.turns import Turns
from bot.adapters.slack.directory.people import Served
from bot.adapters.slack.send.client import code, described
from core.kernel.errors import StorageError
from core.kernel.ports import Intake

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


class BackfillScheduler:
    """Looks after each connection, and whenever something was kept from us. `troubles` says by team why a look failed;
    `caught_up` is set once each workspace was looked into, or could not be.

    Where Slack posts to us (`posted`) nobody says that it could not, so there it looks `every` so many seconds.
    """

    def __init__(
        self,
        served: Mapping[str, Served],
        catching_up: CatchUp,
        watch: Watch,
        turns: Turns,
        *,
        every: float,
        posted: bool,
        gone: Gone,
    ) -> None:
        self.caught_up = asyncio.Event()
        self.troubles: dict[str, str] = {}
        self._served, self._catching_up, self._watch = served, catching_up, watch
        self._turns, self._every, self._posted, self._gone = turns, every, posted, gone
        self._under_way = set[str]()

    def hears(self, team: str) -> bool:
        """Whether what was said in a workspace up to now is here, and can be looked for."""
        return team in self._served and team not in self.troubles and self._watch.hears(team)

    def enter(self, team: str) -> None:
        """Look into a workspace that is served from now on, with the token that it has now."""
        self.troubles.pop(team, None)
        self._catching_up.forget(team)
        self._turns.forget(team)
        self._watch.add(team)

    def leave(self, team: str) -> None:
        """Look no more into a workspace."""
        self.troubles.pop(team, None)
        self._watch.leave(team)
        self._catching_up.forget(team)
        self._turns.forget(team)

    def renewed(self, team: str) -> None:
        """Look again into a workspace that has another token, if there was trouble with the last one."""
        if team in self.troubles:
            self._watch.ask((team,))

    async def run(self, intake: Intake) -> None:
        """Look whenever that is wanted, until cancelled."""
        async with asyncio.TaskGroup() as looks:
            looks.create_task(self._now_and_then())
            while True:
                await self._watch.wanted.wait()
                self._watch.wanted.clear()
                begun = self._watch.pending.intersection(self._served) - self._under_way
                self._under_way |= begun
                for team in begun:
                    looks.create_task(self._beside(team, intake))
                self._tell()

    async def _beside(self, team: str, intake: Intake) -> None:
        """Look into a workspace as it is when its turn comes: it may have left, or come back with another token."""
        try:
            async with self._turns.turn(team):
                at = self._served.get(team)
                if at is not None:
                    await self._look(at, intake)
        finally:
            self._under_way.discard(team)
        if team in self._watch.pending:
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
            await asyncio.sleep(self._every)
            self._watch.ask(self._served if self._posted else self.troubles)

    async def _look(self, at: Served, intake: Intake) -> None:
        team = at.me.team
        self._watch.pending.discard(team)
        try:
            whole = await self._catching_up.run(at, intake)
        except Exception as error:
            await self._failed(at, error)
        else:
            if self._served.get(team) is at:
                self.troubles.pop(team, None)
                if not whole:
                    self._watch.again(team)

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
        text = named or described(error)
        if text != self.troubles.get(team):
            level = logging.ERROR if named else logging.WARNING
            log.log(level, "what was missed in workspace %s cannot be read: %s", team, text)
        self.troubles[team] = text
        if not named:
            self._watch.again(team)

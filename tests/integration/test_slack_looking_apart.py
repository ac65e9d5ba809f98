"""Several workspaces are looked into, each by itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from bot.adapters.slack.looking import Looking
from bot.adapters.slack.people import Served
from bot.adapters.slack.socket import Timing
from bot.adapters.slack.texts import Me
from bot.adapters.slack.watch import Watch
from tests.memory_intake import DEADLINE, MemoryIntake, RealClock

NOBODY: Any = None


def at(team: str, bot: str = "UBOT") -> Served:
    return Served(workspace=NOBODY, me=Me(team=team, user=bot), people=NOBODY, tenant=1)


class Looked:
    """Stands for reading what was missed: of those who are `slow` nothing comes before `go`, `lost` have no token."""

    def __init__(self, watch: Watch) -> None:
        self.slow, self.lost = list[Served](), list[Served]()
        self.begun, self.go = asyncio.Event(), asyncio.Event()
        self._watch = watch

    def leave(self, team: str) -> None:
        """Forget a workspace."""

    async def run(self, one: Served, intake: object) -> bool:
        """Look into a workspace."""
        number = self._watch.asked(one.me.team)
        if one in self.slow:
            self.begun.set()
            await self.go.wait()
        if one in self.lost:
            raise OSError
        return self._watch.looked(one.me.team, number)


class Look:
    """Two workspaces that are looked into."""

    def __init__(self) -> None:
        self.first, self.second = at("T1"), at("T2")
        self.served = {"T1": self.first, "T2": self.second}
        self.watch = Watch()
        self.looked, timing = Looked(self.watch), Timing(first=0.01, most=0.05)
        catching_up: Any = self.looked
        self.looking = Looking(
            self.served,
            catching_up,
            self.watch,
            RealClock(),
            timing,
            posted=False,
            gone=never,
        )

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Look into both, until the context ends."""
        for team in self.served:
            self.looking.enter(team)
        self.watch.ask(self.served)
        task = asyncio.create_task(self.looking.run(MemoryIntake()))
        try:
            await asyncio.wait_for(self.looked.begun.wait(), DEADLINE)
            yield
        finally:
            task.cancel()
            await asyncio.wait([task])

    def again(self, team: str) -> None:
        """Let a workspace install the app again."""
        self.served[team] = at(team, "UANOTHER")
        self.looking.enter(team)
        self.watch.wanted.set()


async def never(at: Served, error: Exception) -> bool:
    """No error ends an installation."""
    return False


async def test_one_that_is_installed_again_while_another_is_looked_into_is_looked_into() -> None:
    look = Look()
    look.looked.slow, look.looked.lost = [look.first], [look.second]
    async with look.running():
        look.again("T2")
        look.looked.go.set()
        await asyncio.wait_for(look.looking.caught_up.wait(), DEADLINE)
        assert look.looking.hears("T2")


async def test_one_that_is_installed_again_while_it_is_looked_into_is_looked_into_again() -> None:
    look = Look()
    look.looked.slow, look.looked.lost = [look.second], [look.second]
    async with look.running():
        look.again("T2")
        look.looked.go.set()
        await asyncio.wait_for(look.looking.caught_up.wait(), DEADLINE)
        assert look.looking.hears("T2")


async def test_one_that_slack_lets_wait_keeps_the_others_from_nothing() -> None:
    look = Look()
    look.looked.slow = [look.first]
    async with look.running(), asyncio.timeout(DEADLINE):
        while not look.looking.hears("T2"):
            await look.looking._clock.sleep(0.01)
        assert not look.looking.hears("T1")

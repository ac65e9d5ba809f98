"""Several workspaces are looked into, each by itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from bot.adapters.slack.backfill.gaps import Watch
from bot.adapters.slack.backfill.scheduler import BackfillScheduler
from bot.adapters.slack.backfill.semaphore import MOST_AT_ONCE, Room
from bot.adapters.slack.backfill.turns import Turns
from bot.adapters.slack.directory.people import Served
from bot.adapters.slack.parse.text import Me
from bot.adapters.slack.receive.socket_mode import Timing
from core.kernel.clock import SystemClock
from tests.memory_intake import DEADLINE, MemoryIntake, RealClock

NOBODY: Any = None
SOON = Timing(first=0.01, most=0.05)


def at(team: str, bot: str = "UBOT") -> Served:
    return Served(workspace=NOBODY, me=Me(team=team, user=bot), people=NOBODY, tenant=1)


class Looked:
    """Stands for reading what was missed: of those who are `slow` nothing comes before `go`, `lost` have no token,
    and those who are `flooded` wait for an hour.
    """

    def __init__(self, watch: Watch, room: Room) -> None:
        self.slow, self.lost, self.flooded = list[Served](), list[Served](), list[Served]()
        self.begun, self.go = asyncio.Event(), asyncio.Event()
        self._watch, self._room = watch, room

    def forget(self, team: str) -> None:
        """Forget a workspace."""

    async def run(self, one: Served, intake: object) -> bool:
        """Look into a workspace."""
        number = self._watch.asked[one.me.team]
        if one in self.slow:
            self.begun.set()
            await self.go.wait()
        if one in self.flooded:
            self.begun.set()
            await self._room.wait(3600)
        if one in self.lost:
            raise OSError
        return self._watch.looked(one.me.team, number)


class Look:
    """Two workspaces that are looked into."""

    def __init__(self, timing: Timing = SOON) -> None:
        self.first, self.second = at("T1"), at("T2")
        self.served = {"T1": self.first, "T2": self.second}
        self.watch = Watch()
        self.room = Room(SystemClock())
        self.looked = Looked(self.watch, self.room)
        catching_up: Any = self.looked
        self.clock = RealClock()
        self.turns = Turns(self.clock, timing, self.room)
        self.looking = BackfillScheduler(
            self.served,
            catching_up,
            self.watch,
            self.turns,
            every=timing.look,
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
            await look.clock.sleep(0.01)
        assert not look.looking.hears("T1")


async def test_one_that_cannot_be_looked_into_makes_no_other_wait() -> None:
    look = Look(Timing(first=1.0, most=30.0))
    look.looked.lost = [look.second]
    look.looked.begun.set()
    clock = look.clock
    async with look.running(), asyncio.timeout(DEADLINE):
        # It was refused so often that it is tried but every half a minute.
        await clock.wait_sleeps(8)
        last, wait = clock.slept[-1], look.turns._paces["T1"].pause
        look.looked.slow = [look.first]
        look.looked.begun.clear()
        look.watch.doubt(("T1",))
        await look.looked.begun.wait()
        assert (last, wait) == (30.0, 1.0)
        assert [one for one in clock.slept if one != 30.0] == [1.0, 2.0, 4.0, 8.0, 16.0, 1.0]


async def test_as_many_as_there_is_room_for_may_wait_and_the_next_one_is_looked_into() -> None:
    look = Look()
    look.looked.flooded = [at(f"TFLOODED{n}") for n in range(MOST_AT_ONCE)]
    first = {one.me.team: one for one in look.looked.flooded}
    # The others begin once these wait.
    look.served.clear()
    look.served.update(first)
    async with look.running(), asyncio.timeout(DEADLINE):
        look.again("T2")
        while not look.looking.hears("T2"):
            await look.clock.sleep(0.01)
        assert not any(map(look.looking.hears, first))


async def test_there_is_room_for_no_more_than_that_at_a_time() -> None:
    room, go, most, inside = Room(SystemClock()), asyncio.Event(), 0, 0

    async def stay() -> None:
        nonlocal most, inside
        async with room:
            await room.wait(0.001)
            inside += 1
            most = max(most, inside)
            try:
                await go.wait()
            finally:
                inside -= 1

    tasks = [asyncio.create_task(stay()) for _ in range(3 * MOST_AT_ONCE)]
    while inside < MOST_AT_ONCE:
        await RealClock().sleep(0.01)
    # Whoever is called off while waiting, or inside, has no second place to give back.
    tasks[0].cancel()
    tasks[-1].cancel()
    await asyncio.wait({tasks[0]})
    go.set()
    await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), DEADLINE)
    assert most == MOST_AT_ONCE

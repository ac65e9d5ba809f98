"""What came and cannot be read before Slack says who the people in it are: kept as it came, then read in its order."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable, Collection, Coroutine
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from bot.adapters.slack.parsing_messages import Fields, Known, text_of
from bot.adapters.slack.people import Served
from core.ports import Clock, Intake
from core.types import Millis
from core.updates import Arrival

T = TypeVar("T")

# Asking for people must not keep what else comes waiting.
AT_ONCE = 8

# By then it is known who somebody is, or never.
LONGEST: Millis = 86_400_000


class Reader(Protocol):
    """Whoever reads events."""

    async def find_out(self, at: Served, event: Fields) -> Known:
        """What must be known to read an event; raises when that cannot be found out now."""

    async def take_in(self, at: Served, event: Fields, known: Known, *, arrival_id: int) -> None:
        """Read an event; raises when it could not be stored."""

    async def give_up(self, at: Served, event: Fields, error: Exception, *, arrival_id: int) -> None:
        """Keep an event as one that cannot be read; raises when it could not be stored."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    at: Served
    arrival: Arrival
    event: Fields
    asking: asyncio.Task[Known]


class Arrivals:
    """Has them read, one after the other within a channel. Of whom nothing can be found out now is asked again after
    pauses that grow; what others said goes on meanwhile.
    """

    def __init__(self, reader: Reader, clock: Clock, complain: Callable[[Exception], None]) -> None:
        # Set when there may be some of which nothing is known here.
        self.wanted = asyncio.Event()
        self._reader, self._clock, self._complain = reader, clock, complain
        self._queues: dict[tuple[str, str], deque[_Waiting]] = {}
        self._held: set[int] = set()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._turn = asyncio.Semaphore(AT_ONCE)
        self._failed = False

    def waits(self, at: Served, event: Fields) -> bool:
        """Whether something of the same channel waits, behind which this has to come."""
        return (at.me.team, text_of(event, "channel")) in self._queues

    def add(self, at: Served, arrival: Arrival) -> None:
        """Have something read."""
        if arrival.id in self._held:
            return
        self._held.add(arrival.id)
        event = json.loads(arrival.body)
        one = _Waiting(at, arrival, event, self._begin(self._ask(at, event)))
        # What belongs to no channel waits for nothing.
        place = (at.me.team, text_of(event, "channel") or f"#{arrival.id}")
        if (queue := self._queues.get(place)) is not None:
            queue.append(one)
            return
        self._queues[place] = deque([one])
        self._begin(self._work(place))

    def _begin(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _ask(self, at: Served, event: Fields) -> Known:
        async with self._turn:
            return await self._reader.find_out(at, event)

    async def run(self, intake: Intake, served: Callable[[], Collection[Served]], first: float, most: float) -> None:
        """Find what is still to be read, at the start, for who is new here and after failures, until cancelled. Pauses
        between failures double from `first` to `most` seconds.
        """
        self.wanted.set()
        pause = first
        while True:
            await self.wanted.wait()
            self.wanted.clear()
            if self._failed:
                await self._clock.sleep(pause)
            pause, self._failed = min(2 * pause, most) if self._failed else first, False
            try:
                for at in list(served()):
                    for arrival in await intake.kept(at.tenant):
                        self.add(at, arrival)
            except Exception as error:
                # Nothing is lost: they are looked for again.
                self._fail(error)

    async def close(self) -> None:
        """Read nothing more; it stays where it is kept."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _work(self, place: tuple[str, str]) -> None:
        queue = self._queues[place]
        while queue:
            try:
                await self._read(queue[0])
            except Exception as error:
                # It is looked for again, and read then.
                self._fail(error)
            self._held.discard(queue.popleft().arrival.id)
        del self._queues[place]

    async def _read(self, one: _Waiting) -> None:
        at, event, number = one.at, one.event, one.arrival.id
        try:
            known = await one.asking
        except Exception as error:
            if self._clock.now() - one.arrival.arrived_at < LONGEST:
                raise
            await self._reader.give_up(at, event, error, arrival_id=number)
        else:
            await self._reader.take_in(at, event, known, arrival_id=number)

    def _fail(self, error: Exception) -> None:
        self._complain(error)
        self._failed = True
        self.wanted.set()

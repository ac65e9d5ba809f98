"""When each workspace is looked into: at once after a quiet time, else with growing pauses of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from bot.adapters.slack.backfill.semaphore import Room
from bot.adapters.slack.receive.socket_mode import Timing
from core.kernel.ports import Clock


@dataclass(slots=True)
class _Pace:
    """When a workspace was looked into, and the pause before it is again."""

    looked: float
    pause: float


class Turns:
    """Gives workspaces their turn: there is `room` for so many at a time, and those in trouble make nobody wait."""

    def __init__(self, clock: Clock, timing: Timing, room: Room) -> None:
        self._clock, self._timing, self._room = clock, timing, room
        self._paces: dict[str, _Pace] = {}

    @asynccontextmanager
    async def turn(self, team: str) -> AsyncIterator[None]:
        """Wait for the pause of a workspace that was looked into a moment ago, then for a place in the room."""
        pace = self._paces.setdefault(team, _Pace(-self._timing.most, self._timing.first))
        try:
            if self._clock.monotonic() - pace.looked >= self._timing.most:
                pace.pause = self._timing.first
            else:
                wait, pace.pause = pace.pause, min(2 * pace.pause, self._timing.most)
                await self._clock.sleep(wait)
            async with self._room:
                yield
        finally:
            pace.looked = self._clock.monotonic()

    def forget(self, team: str) -> None:
        """Forget when a workspace was looked into: its next turn comes at once."""
        self._paces.pop(team, None)

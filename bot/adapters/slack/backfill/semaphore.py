"""Room for so many at a time who do something that takes a while; who only waits takes none."""

from __future__ import annotations

import asyncio
from typing import Self

from core.kernel.ports import Clock

MOST_AT_ONCE = 20


class Room:
    """Entered with `async with`, by one task at a time for itself."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._places = asyncio.Semaphore(MOST_AT_ONCE)
        self._inside: set[asyncio.Task[object]] = set()

    async def __aenter__(self) -> Self:
        """Come in, once there is room."""
        await self._places.acquire()
        self._inside.add(_me())
        return self

    async def __aexit__(self, *_: object) -> None:
        """Go out, unless that is done."""
        self._leave()

    async def wait(self, seconds: float) -> None:
        """Wait, outside meanwhile; whoever is called off then does not come in again."""
        inside = self._leave()
        await self._clock.sleep(seconds)
        if inside:
            await self.__aenter__()

    def _leave(self) -> bool:
        """Return whether there was somebody to go out."""
        if _me() not in self._inside:
            return False
        self._inside.discard(_me())
        self._places.release()
        return True


def _me() -> asyncio.Task[object]:
    task = asyncio.current_task()
    assert task is not None
    return task

"""Pauses between tries that fail, the same for everything that is tried again for ever."""

from __future__ import annotations

import random

from core.kernel.ports import Clock

JITTER = 0.3


class Backoff:
    """Waits longer after each failure: the pauses double from `first` to `most` seconds."""

    def __init__(self, clock: Clock, first: float, most: float) -> None:
        self._clock, self._first, self._most = clock, first, most
        self._pause = first

    def reset(self) -> None:
        """Begin with the shortest pause again, since something succeeded."""
        self._pause = self._first

    async def wait(self, *, at_least: float = 0.0, fixed: float | None = None) -> None:
        """Wait before the next try: `at_least` so long as the other side asks for, or a `fixed` time."""
        seconds = max(self._pause, at_least) if fixed is None else fixed
        self._pause = min(2 * self._pause, self._most)
        # Upwards only: never sooner than asked for.
        await self._clock.sleep(seconds * (1 + JITTER * random.random()))

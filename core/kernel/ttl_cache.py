"""What is true for a while only: refusals that pass, answers that grow old."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

from core.kernel.ports import Clock

MOST = 1000

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Fading(Generic[Key, Value]):
    """Values that are forgotten after some seconds; of too many the oldest go first."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._kept: dict[Key, tuple[float, Value]] = {}

    def __len__(self) -> int:
        """The values that are kept, those of the past too."""
        return len(self._kept)

    def keep(self, key: Key, value: Value, seconds: float) -> None:
        """Keep a value for some seconds."""
        self._kept.pop(key, None)
        if len(self._kept) >= MOST:
            del self._kept[next(iter(self._kept))]
        self._kept[key] = (self._clock.monotonic() + seconds, value)

    def get(self, key: Key) -> Value | None:
        """Return the value, None when there is none any more."""
        until, value = self._kept.get(key, (0.0, None))
        return value if self._clock.monotonic() < until else None

    def drop(self, key: Key) -> Value | None:
        """Forget a value, and return it if it was still kept."""
        found = self.get(key)
        self._kept.pop(key, None)
        return found

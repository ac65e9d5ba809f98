"""How fast may be sent and tried again: token buckets, the pause that a platform asks for, pauses between tries that
fail. Times are monotonic seconds."""

from __future__ import annotations

import random
from typing import NamedTuple

from core.kernel.ports import Clock

MOST_BUCKETS = 10_000
FLOOD_WINDOW_SECONDS = 1.0
# What is shorter comes of counting in binary fractions.
NO_TIME = 1e-6
JITTER = 0.3


class Limit(NamedTuple):
    """So many messages at once, and then one in so many seconds."""

    burst: int
    seconds: float


class TokenBuckets:
    """A token bucket for each key, of which only those that are not full are remembered."""

    def __init__(self) -> None:
        # The instant at which each bucket is full again.
        self._full_at: dict[str, float] = {}

    def __len__(self) -> int:
        """Return how many buckets are remembered."""
        return len(self._full_at)

    def debt(self, key: str, now: float) -> float:
        """Return the seconds until a bucket is full."""
        return max(0.0, self._full_at.get(key, now) - now)

    def wait(self, key: str, limit: Limit, now: float) -> float:
        """Return the seconds until there is a token, 0 when there is one."""
        wait = self._full_at.get(key, now) - now - (limit.burst - 1) * limit.seconds
        return wait if wait > NO_TIME else 0.0

    def spend(self, key: str, limit: Limit, now: float) -> None:
        """Take a token, whether or not there is one."""
        self._remember(key, max(self._full_at.get(key, now), now) + limit.seconds, now)

    def empty(self, key: str, limit: Limit, seconds: float, now: float) -> None:
        """Leave no token for so many seconds, or for longer where that was so before."""
        full_at = now + seconds + (limit.burst - 1) * limit.seconds
        self._remember(key, max(self._full_at.get(key, now), full_at), now)

    def _remember(self, key: str, full_at: float, now: float) -> None:
        if key not in self._full_at and len(self._full_at) >= MOST_BUCKETS:
            # Full buckets go, and if that is not enough the fullest half.
            busy = sorted((item for item in self._full_at.items() if item[1] > now), key=lambda item: item[1])
            self._full_at = dict(busy[-MOST_BUCKETS // 2 :])
        self._full_at[key] = full_at


class FloodPause:
    """The pause for all chats: one 429 is about its chat, two within a second in different ones are about the bot."""

    def __init__(self) -> None:
        self.until = 0.0
        self._last: tuple[float, float, str] | None = None

    def note(self, key: str, seconds: float, now: float) -> None:
        """Note that the platform asked for a pause of so many seconds when a message went to `key`."""
        last, self._last = self._last, (now, seconds, key)
        if last is not None and last[2] != key and now - last[0] <= FLOOD_WINDOW_SECONDS:
            self.until = max(self.until, now + max(seconds, last[1]))


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

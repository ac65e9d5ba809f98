"""Turns for what nobody waits for, such as ten thousand reminders at nine o'clock: they leave the others their way.

https://core.telegram.org/bots/faq#broadcasting-to-users: about 30 messages a second in all.
Here they wait, unlike those that are waited for: to tell each of ten thousand to come again costs them a transaction.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from telegram.constants import FloodLimit

from core.kernel.errors import SendPaced
from core.kernel.ports import Clock

STEP = 1 / FloodLimit.MESSAGES_PER_SECOND
# So many are under way at once; connections enough are left to the others.
AT_ONCE = 16
# Who comes when so many wait is sent away until about their turn.
MOST_WAITING = 256
# How far the others may push the next turn away, in seconds: a crowd moves on, however slowly.
MOST_PUSHED = 1.0


class Crowd:
    """One turn after the other, at the rate the bot has. Times are monotonic seconds."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._places = asyncio.Semaphore(AT_ONCE)
        self._waiting = 0
        # When the next turn is, and the last one that somebody who was sent away was told of.
        self._next = self._told = 0.0

    def passed(self) -> None:
        """Count a message that took no turn: the crowd gets what the others leave."""
        now = self._clock.monotonic()
        self._next = max(self._next, min(max(self._next, now) + STEP, now + MOST_PUSHED))

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a turn and hold a place; raise `SendPaced` where too many wait, with the seconds until theirs."""
        if self._waiting >= MOST_WAITING:
            raise SendPaced("too many at once for Telegram's limits", self._far())
        self._waiting += 1
        try:
            await self._places.acquire()
        finally:
            self._waiting -= 1
        try:
            await self._clock.sleep(self._wait())
            yield
        finally:
            self._places.release()

    def _wait(self) -> float:
        """Take the next turn and return the seconds until it."""
        now = self._clock.monotonic()
        turn = max(self._next, now)
        self._next = turn + STEP
        return turn - now

    def _far(self) -> float:
        """Return the seconds after which somebody may come again: each their own, or all would come at once."""
        now = self._clock.monotonic()
        self._told = max(self._told, max(self._next, now) + MOST_WAITING * STEP) + STEP
        return self._told - now

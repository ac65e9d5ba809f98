"""When a chat may be sent to, so that Telegram need not say 429 (https://core.telegram.org/bots/faq#broadcasting-to-users).

Who comes too early is told how long, and the outbox comes again; only a crowd waits for its turns. Times are monotonic
seconds.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from telegram.constants import FloodLimit

from bot.adapters._shared.rate_limit import FloodPause, Limit, TokenBuckets
from core.kernel.errors import SendPaced
from core.kernel.ports import Clock

CHAT = Limit(burst=5, seconds=1.0)
MOST_GROUPS = 10_000
GROUP_MESSAGES = 20
GROUP_SECONDS = 60.0
# Edits leave so many of a group's messages to answers.
KEPT_FROM_EDITS = 5
# Behind the id of a chat: its edits, as they rest by themselves.
EDITS = " edits"
# The bot has about 30 messages a second in all, one turn for each.
STEP = 1 / FloodLimit.MESSAGES_PER_SECOND
# So many are under way at once; connections enough are left to the others.
AT_ONCE = 16
# Who comes when so many wait is sent away until about their turn.
MOST_WAITING = 256
# How far the others may push the next turn away, in seconds: a crowd moves on, however slowly.
MOST_PUSHED = 1.0


class RateLimit:
    """A token bucket for each chat, a full minute for each group, and a pause for all."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._chats, self._pause = TokenBuckets(), FloodPause()
        # For each group the instants of its last messages, the group that got one last at the end.
        self._minutes: dict[str, deque[float]] = {}

    def __len__(self) -> int:
        """Return how many chats are remembered."""
        return max(len(self._chats), len(self._minutes))

    @property
    def paused_until(self) -> float:
        """The instant until which Telegram wants no message at all; 0 when it never said so."""
        return self._pause.until

    def take(self, chat: str, *, group: bool = False, edit: bool = False) -> float:
        """Take a token of the chat and return 0, or return the seconds until there is one."""
        now = self._clock.monotonic()
        if now < self._pause.until:
            return self._pause.until - now
        wait = self._chats.wait(chat, CHAT, now)
        if edit:
            wait = max(wait, self._chats.wait(f"{chat}{EDITS}", CHAT, now))
        if group:
            # A group takes 20 messages in any minute.
            most = GROUP_MESSAGES - KEPT_FROM_EDITS if edit else GROUP_MESSAGES
            sent = self._minutes.get(chat, ())
            wait = max(wait, 0.0 if len(sent) < most else sent[-most] + GROUP_SECONDS - now)
        if wait > 0:
            return wait
        self._chats.spend(chat, CHAT, now)
        if group:
            # The group that got one last stands at the end; one whose minute is over goes.
            minute = self._minutes.pop(chat, deque(maxlen=GROUP_MESSAGES))
            minute.append(now)
            self._minutes[chat] = minute
            oldest = next(iter(self._minutes))
            if len(self._minutes) > MOST_GROUPS or self._minutes[oldest][-1] < now - GROUP_SECONDS:
                del self._minutes[oldest]
        return 0.0

    def resting(self, chat: str) -> bool:
        """Return whether a message to the chat would come too early."""
        now = self._clock.monotonic()
        return now < self._pause.until or self._chats.wait(chat, CHAT, now) > 0

    def flooded(self, chat: str, seconds: float, *, edit: bool = False) -> None:
        """Note a 429: the chat rests. With a second one elsewhere within a second the whole bot is too fast.

        Where it was an edit, those of the chat rest alone. Telegram may count each method by itself, and asks to wait
        for minutes: an answer is tried first, and says by its own 429 whether it must wait, too.
        """
        now = self._clock.monotonic()
        if edit:
            self._chats.empty(f"{chat}{EDITS}", CHAT, seconds, now)
            return
        self._chats.empty(chat, CHAT, seconds, now)
        self._pause.note(chat, seconds, now)


class Crowd:
    """Turns for what nobody waits for, such as ten thousand reminders at nine o'clock, at the rate the bot has.

    They leave the others their way, and wait here: to tell each of ten thousand to come again costs them a transaction.
    """

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
            # Each may come again after seconds of their own, or all would come at once.
            now = self._clock.monotonic()
            self._told = max(self._told, max(self._next, now) + MOST_WAITING * STEP) + STEP
            raise SendPaced("too many at once for Telegram's limits", self._told - now)
        self._waiting += 1
        try:
            await self._places.acquire()
        finally:
            self._waiting -= 1
        try:
            now = self._clock.monotonic()
            turn = max(self._next, now)
            self._next = turn + STEP
            await self._clock.sleep(turn - now)
            yield
        finally:
            self._places.release()

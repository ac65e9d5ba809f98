"""When a chat may be sent to, so that Telegram need not say 429 (https://core.telegram.org/bots/faq#broadcasting-to-users).

Nobody waits here: who comes too early is told how long, and the outbox comes again.
"""

from __future__ import annotations

from collections import deque

from bot.adapters._shared.rate_limit import FloodPause, Limit, TokenBuckets
from core.kernel.ports import Clock

CHAT = Limit(burst=5, seconds=1.0)
MOST_GROUPS = 10_000
GROUP_MESSAGES = 20
GROUP_SECONDS = 60.0
# Edits leave so many of a group's messages to answers.
KEPT_FROM_EDITS = 5


class RateLimit:
    """A token bucket for each chat, a full minute for each group, and a pause for all. Times are monotonic seconds."""

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
        if group:
            wait = max(wait, self._minute(chat, now, edit=edit))
        if wait > 0:
            return wait
        self._chats.spend(chat, CHAT, now)
        if group:
            self._count(chat, now)
        return 0.0

    def resting(self, chat: str) -> bool:
        """Return whether a message to the chat would come too early."""
        now = self._clock.monotonic()
        return now < self._pause.until or self._chats.wait(chat, CHAT, now) > 0

    def flooded(self, chat: str, seconds: float) -> None:
        """Note a 429: the chat rests. With a second one elsewhere within a second the whole bot is too fast."""
        now = self._clock.monotonic()
        self._chats.empty(chat, CHAT, seconds, now)
        self._pause.note(chat, seconds, now)

    def _minute(self, chat: str, now: float, *, edit: bool) -> float:
        """Return the seconds until a group takes another message: it gets 20 in any minute."""
        most = GROUP_MESSAGES - KEPT_FROM_EDITS if edit else GROUP_MESSAGES
        sent = self._minutes.get(chat, ())
        return 0.0 if len(sent) < most else sent[-most] + GROUP_SECONDS - now

    def _count(self, chat: str, now: float) -> None:
        sent = self._minutes.pop(chat, deque(maxlen=GROUP_MESSAGES))
        sent.append(now)
        self._minutes[chat] = sent
        oldest = next(iter(self._minutes))
        if len(self._minutes) > MOST_GROUPS or self._minutes[oldest][-1] < now - GROUP_SECONDS:
            del self._minutes[oldest]

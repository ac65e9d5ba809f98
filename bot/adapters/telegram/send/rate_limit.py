"""When a chat may be sent to, so that Telegram need not say 429 (https://core.telegram.org/bots/faq#broadcasting-to-users).

Nobody waits here: who comes too early is told how long, and the outbox comes again.
"""

from __future__ import annotations

from collections import deque

from core.kernel.ports import Clock

BURST = 5
SECONDS_A_MESSAGE = 1.0
MOST_CHATS = 10_000
FLOOD_WINDOW_SECONDS = 1.0
GROUP_MESSAGES = 20
GROUP_SECONDS = 60.0
# Edits leave so many of a group's messages to answers.
KEPT_FROM_EDITS = 5


class Pace:
    """A token bucket for each chat, a full minute for each group, and a pause for all. Times are monotonic seconds."""

    def __init__(self, clock: Clock) -> None:
        self.paused_until = 0.0
        self._clock = clock
        # For each chat the instant at which its bucket is full again; no entry means full.
        self._full_at: dict[str, float] = {}
        # For each group the instants of its last messages, the group that got one last at the end.
        self._minutes: dict[str, deque[float]] = {}
        self._last_flood: tuple[float, float] | None = None

    def __len__(self) -> int:
        """The chats that are remembered."""
        return max(len(self._full_at), len(self._minutes))

    def take(self, chat: str, *, group: bool = False, edit: bool = False) -> float:
        """Take a token of the chat and return 0, or return the seconds until there is one."""
        now = self._clock.monotonic()
        if now < self.paused_until:
            return self.paused_until - now
        full_at = max(self._full_at.get(chat, now), now)
        wait = full_at - now - (BURST - 1) * SECONDS_A_MESSAGE
        if group:
            wait = max(wait, self._minute(chat, now, edit=edit))
        if wait > 0:
            return wait
        self._set(chat, full_at + SECONDS_A_MESSAGE, now)
        if group:
            self._count(chat, now)
        return 0.0

    def resting(self, chat: str) -> bool:
        """Whether a message to the chat would come too early."""
        now = self._clock.monotonic()
        return now < self.paused_until or self._full_at.get(chat, now) - now > (BURST - 1) * SECONDS_A_MESSAGE

    def flooded(self, chat: str, seconds: float) -> None:
        """Note a 429: the chat rests. With a second one within a second the whole bot is too fast: all rest."""
        now = self._clock.monotonic()
        self._set(chat, now + seconds + (BURST - 1) * SECONDS_A_MESSAGE, now)
        if self._last_flood is not None and now - self._last_flood[0] <= FLOOD_WINDOW_SECONDS:
            self.paused_until = max(self.paused_until, now + max(seconds, self._last_flood[1]))
        self._last_flood = (now, seconds)

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
        if len(self._minutes) > MOST_CHATS or self._minutes[oldest][-1] < now - GROUP_SECONDS:
            del self._minutes[oldest]

    def _set(self, chat: str, full_at: float, now: float) -> None:
        if chat not in self._full_at and len(self._full_at) >= MOST_CHATS:
            self._forget(now)
        self._full_at[chat] = full_at

    def _forget(self, now: float) -> None:
        """Drop the full buckets, and if that is not enough the fullest half."""
        busy = sorted((item for item in self._full_at.items() if item[1] > now), key=lambda item: item[1])
        self._full_at = dict(busy[-MOST_CHATS // 2 :])

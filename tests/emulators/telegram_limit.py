"""The flood limit of one chat."""

from __future__ import annotations

import math
import time
from collections import defaultdict, deque

from telegram.constants import FloodLimit

from tests.emulators.telegram_http import too_many


class ChatLimit:
    """At most *messages* sends per *seconds* in each chat; off while *messages* is 0.

    *usual* is the documented number, for which None stands.
    """

    def __init__(self, usual: int = FloodLimit.MESSAGES_PER_SECOND_PER_CHAT) -> None:
        self._usual = usual
        self._messages = 0
        self._seconds = 1.0
        self._times: defaultdict[int, deque[float]] = defaultdict(deque)

    def set(self, messages: int | None, seconds: float) -> None:
        """Switch the limit on; None takes the documented one, 0 switches it off."""
        limit = self._usual if messages is None else messages
        self._messages, self._seconds = int(limit), seconds
        self._times.clear()

    def check(self, chat: int | None) -> None:
        """Count a send; raise ``ApiError`` 429 with the whole seconds to wait when it is one too many."""
        if not self._messages or chat is None:
            return
        now = time.monotonic()
        times = self._times[chat]
        while times and times[0] <= now - self._seconds:
            times.popleft()
        if len(times) >= self._messages:
            raise too_many(max(1, math.ceil(times[0] + self._seconds - now)))
        times.append(now)

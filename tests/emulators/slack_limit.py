"""How often a method may be called: the documented tiers, and one message a second in a channel."""

from __future__ import annotations

import math
import time
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass

from tests.emulators.slack_http import too_many

# Calls and seconds, by method: docs.slack.dev, "Rate limits" and the page of each method.
TIER_2, TIER_3, TIER_4 = (20, 60.0), (50, 60.0), (100, 60.0)
DOCUMENTED: dict[str, tuple[int, float]] = {
    "chat.postMessage": (1, 1.0),
    "chat.update": TIER_3,
    "chat.delete": TIER_3,
    "chat.postEphemeral": TIER_4,
    "conversations.history": TIER_3,
    "conversations.replies": TIER_3,
    "conversations.open": TIER_3,
    "conversations.list": TIER_2,
    "conversations.info": TIER_3,
    "conversations.members": TIER_4,
    "reactions.add": TIER_3,
    "reactions.remove": TIER_2,
    "users.info": TIER_4,
    "users.list": TIER_2,
    "views.open": TIER_4,
    "views.push": TIER_4,
    "views.update": TIER_4,
    "views.publish": TIER_4,
}
# These are counted for each channel; the others for each workspace.
BY_CHANNEL = frozenset({"chat.postMessage"})


@dataclass(slots=True)
class _Rule:
    calls: int
    seconds: float
    burst: int


class Limits:
    """Nothing is limited until ``set``; a limit allows *calls* per *seconds* and *burst* more at once."""

    def __init__(self) -> None:
        self.monotonic: Callable[[], float] = time.monotonic
        self._rules: dict[str, _Rule] = {}
        self._times: defaultdict[tuple[str, str, str], deque[float]] = defaultdict(deque)

    def set(self, method: str | None, calls: int | None, seconds: float | None, burst: int) -> None:
        """Limit *method*, or with None all that have a documented limit; 0 calls lift it, None is the documented."""
        self._times.clear()
        for name in DOCUMENTED if method is None else (method,):
            usual = DOCUMENTED.get(name, TIER_3)
            number = usual[0] if calls is None else calls
            self._rules[name] = _Rule(number, usual[1] if seconds is None else seconds, burst)

    def check(self, method: str, team: str, channel: str) -> None:
        """Count a call; raise ``ApiError`` 429 with the whole seconds to wait when it is one too many."""
        rule = self._rules.get(method)
        if rule is None or not rule.calls:
            return
        now = self.monotonic()
        times = self._times[method, team, channel if method in BY_CHANNEL else ""]
        while times and times[0] <= now - rule.seconds:
            times.popleft()
        if len(times) >= rule.calls + rule.burst:
            raise too_many(max(1, math.ceil(times[0] + rule.seconds - now)))
        times.append(now)

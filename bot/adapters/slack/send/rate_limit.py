"""When a channel may be sent to, so that Slack need not say 429 (https://docs.slack.dev/apis/web-api/rate-limits).

Nobody waits here: who comes too early is told how long, and the outbox comes again.
"""

from __future__ import annotations

from core.kernel.ports import Clock

# chat.postMessage: about one message a second and channel, short bursts beyond that are let through.
BURST = 3
SECONDS_A_MESSAGE = 1.0
# chat.update: Tier 3, 50 a minute in a workspace.
EDIT_BURST, SECONDS_AN_EDIT = 10, 60 / 50
# "Several hundred messages a minute" in a workspace: nobody is told how many.
WORKSPACE_BURST, SECONDS_IN_WORKSPACE = 8, 60 / 240
MOST_CHANNELS = 10_000
FLOOD_WINDOW_SECONDS = 1.0
# What is shorter comes of counting in binary fractions.
NO_TIME = 1e-6
EDITS = "edits"
ALL = "all"


class Pace:
    """A token bucket for each channel, one for edits and one for all, and a pause. Times are monotonic seconds."""

    def __init__(self, clock: Clock) -> None:
        self.paused_until = 0.0
        self._clock = clock
        # For each bucket the instant at which it is full again; no entry means full.
        self._full_at: dict[str, float] = {}
        self._last_flood: tuple[float, float, str] | None = None
        # The last turn that a message nobody waits for was told of.
        self._told = 0.0

    def __len__(self) -> int:
        """The buckets that are remembered."""
        return len(self._full_at)

    def take(self, channel: str, *, edit: bool = False, bulk: bool = False) -> float:
        """Take a token and return 0, or return the seconds until there is one.

        `bulk` takes what the others leave of the workspace's share; each one too many is told a turn of its own.
        """
        now = self._clock.monotonic()
        key, burst, seconds = (EDITS, EDIT_BURST, SECONDS_AN_EDIT) if edit else (channel, BURST, SECONDS_A_MESSAGE)
        wait = max(self.paused_until - now, self._wait(key, burst, seconds, now))
        if wait > 0:
            return wait
        if bulk and self._wait(ALL, WORKSPACE_BURST, SECONDS_IN_WORKSPACE, now) > 0:
            return self._turn(now)
        self._spend(key, seconds, now)
        # The others may go beyond the share, but not push the crowd away for ever.
        if self._full_at.get(ALL, now) - now < 2 * WORKSPACE_BURST * SECONDS_IN_WORKSPACE:
            self._spend(ALL, SECONDS_IN_WORKSPACE, now)
        return 0.0

    def resting(self) -> bool:
        """Whether Slack wants no message at all now."""
        return self._clock.monotonic() < self.paused_until

    def flooded(self, channel: str, seconds: float, *, edit: bool = False) -> None:
        """Note a 429: the channel rests. With a second one elsewhere within a second the whole workspace does."""
        now = self._clock.monotonic()
        key, burst, each = (EDITS, EDIT_BURST, SECONDS_AN_EDIT) if edit else (channel, BURST, SECONDS_A_MESSAGE)
        self._full_at[key] = max(self._full_at.get(key, now), now + seconds + (burst - 1) * each)
        last, self._last_flood = self._last_flood, (now, seconds, key)
        if last is not None and last[2] != key and now - last[0] <= FLOOD_WINDOW_SECONDS:
            self.paused_until = max(self.paused_until, now + max(seconds, last[1]))

    def _wait(self, key: str, burst: int, seconds: float, now: float) -> float:
        wait = self._full_at.get(key, now) - now - (burst - 1) * seconds
        return wait if wait > NO_TIME else 0.0

    def _spend(self, key: str, seconds: float, now: float) -> None:
        if key not in self._full_at and len(self._full_at) >= MOST_CHANNELS:
            self._forget(now)
        self._full_at[key] = max(self._full_at.get(key, now), now) + seconds

    def _turn(self, now: float) -> float:
        """Return the seconds until a turn that nobody else is told of, or all would come at once."""
        free = now + self._wait(ALL, WORKSPACE_BURST, SECONDS_IN_WORKSPACE, now)
        self._told = max(self._told + SECONDS_IN_WORKSPACE, free)
        return self._told - now

    def _forget(self, now: float) -> None:
        """Drop the full buckets, and if that is not enough the fullest half."""
        busy = sorted((item for item in self._full_at.items() if item[1] > now), key=lambda item: item[1])
        self._full_at = dict(busy[-MOST_CHANNELS // 2 :])

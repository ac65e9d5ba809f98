"""When a channel may be sent to, so that Slack need not say 429 (https://docs.slack.dev/apis/web-api/rate-limits).

Nobody waits here: who comes too early is told how long, and the outbox comes again.
"""

from __future__ import annotations

from bot.adapters._shared.rate_limit import FloodPause, Limit, TokenBuckets
from core.kernel.ports import Clock

# chat.postMessage: about one message a second and channel, short bursts beyond that are let through.
CHANNEL = Limit(burst=3, seconds=1.0)
# chat.update: Tier 3, 50 a minute in a workspace.
EDIT = Limit(burst=10, seconds=60 / 50)
# "Several hundred messages a minute" in a workspace: nobody is told how many.
WORKSPACE = Limit(burst=8, seconds=60 / 240)
EDITS = "edits"
ALL = "all"
# What apps that are distributed outside Slack's Marketplace may read: one page a minute, by each of these methods. A
# second more, since Slack's minute begins when the call arrives there.
HISTORY, REPLIES = "conversations.history", "conversations.replies"
MINUTE = Limit(burst=1, seconds=61.0)
MOST_MESSAGES = 15


class RateLimit:
    """A token bucket for each channel, one for edits and one for all, and a pause. Times are monotonic seconds."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._buckets, self._pause = TokenBuckets(), FloodPause()
        # The last turn that a message nobody waits for was told of.
        self._last_turn = 0.0

    def __len__(self) -> int:
        """Return how many buckets are remembered."""
        return len(self._buckets)

    def take(self, channel: str, *, edit: bool = False, bulk: bool = False) -> float:
        """Take a token and return 0, or return the seconds until there is one.

        `bulk` takes what the others leave of the workspace's share; each one too many is told a turn of its own.
        """
        now, (key, limit) = self._clock.monotonic(), _bucket(channel, edit=edit)
        wait = max(self._pause.until - now, self._buckets.wait(key, limit, now))
        if wait > 0:
            return wait
        free = self._buckets.wait(ALL, WORKSPACE, now) if bulk else 0.0
        if free > 0:
            # A turn that nobody else is told of, or all would come at once.
            self._last_turn = max(self._last_turn + WORKSPACE.seconds, now + free)
            return self._last_turn - now
        self._buckets.spend(key, limit, now)
        # The others may go beyond the share, but not push the crowd away for ever.
        if self._buckets.debt(ALL, now) < 2 * WORKSPACE.burst * WORKSPACE.seconds:
            self._buckets.spend(ALL, WORKSPACE, now)
        return 0.0

    def resting(self) -> bool:
        """Return whether Slack wants no message at all now."""
        return self._clock.monotonic() < self._pause.until

    def flooded(self, channel: str, seconds: float, *, edit: bool = False) -> None:
        """Note a 429: the channel rests. With a second one elsewhere within a second the whole workspace does."""
        now, (key, limit) = self._clock.monotonic(), _bucket(channel, edit=edit)
        self._buckets.empty(key, limit, seconds, now)
        self._pause.note(key, seconds, now)


class HistoryLimit:
    """How often the conversations of a workspace may be read, by the name of the method, and how much at once.

    Where reading is `scarce` that is a page of 15 messages a minute; else Slack says when it is too much (429).
    """

    def __init__(self, clock: Clock, *, scarce: bool) -> None:
        self.scarce = scarce
        self._clock, self._buckets = clock, TokenBuckets()

    def wait(self, method: str) -> float:
        """Return the seconds until a method may be called, 0 when it may now."""
        return self._buckets.wait(method, MINUTE, self._clock.monotonic()) if self.scarce else 0.0

    def take(self, method: str) -> float:
        """Note a call that is about to be made and return 0, or return the seconds until it may be."""
        wait = self.wait(method)
        if self.scarce and not wait:
            self._buckets.spend(method, MINUTE, self._clock.monotonic())
        return wait

    def refused(self, method: str, seconds: float) -> None:
        """Note a 429, such as the one that a call before the start of this program causes."""
        self._buckets.empty(method, MINUTE, seconds, self._clock.monotonic())

    def most(self, wanted: int) -> int:
        """Return how many messages of those `wanted` may be asked for at once."""
        return min(wanted, MOST_MESSAGES) if self.scarce else wanted


def _bucket(channel: str, *, edit: bool) -> tuple[str, Limit]:
    return (EDITS, EDIT) if edit else (channel, CHANNEL)

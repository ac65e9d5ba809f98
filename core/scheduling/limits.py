"""How often something that recurs may come: less often for other people, and from guests (TOOLS: Schedule)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from core.kernel.access import may
from core.kernel.errors import ToolError
from core.kernel.timing.schedule import Once, Schedule, next_after
from core.kernel.types import Millis, Standing
from core.toolkit.tool import ToolContext

MINUTE: Millis = 60_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR
# What comes to somebody because of other people.
MOST_TO_RECIPIENT_A_DAY = 3
SHORTEST_OF_GUESTS, SHORTEST_FOR_EVERYBODY = HOUR, 5 * MINUTE
# How many of the next times are looked at.
LOOKED_AT = 8


def check(context: ToolContext, tool: str, schedule: Schedule, *, others: bool, everybody: bool) -> None:
    """Raise `ToolError` for what would come too often: for `others`, for `everybody` of a group, or from a guest."""
    times = _times(schedule, context.clock.now())
    shortest = min((later - one for one, later in pairwise(times)), default=DAY)
    if others and _crowded(times):
        _refuse(tool, f"at most {MOST_TO_RECIPIENT_A_DAY} times a day for other people", "others_too_often")
    if context.participant.group and everybody and shortest < SHORTEST_FOR_EVERYBODY:
        _refuse(tool, "at most every 5 minutes for everybody", "everybody_too_often")
    if context.participant.group and not may(context.standing, Standing.MEMBER) and shortest < SHORTEST_OF_GUESTS:
        _refuse(tool, "at most once an hour from a guest of a group", "guest_too_often")


def _refuse(tool: str, limit: str, reason: str) -> None:
    raise ToolError(tool, f"that is too often: {limit} (reason={reason})")


def _times(schedule: Schedule, now: Millis) -> Sequence[Millis]:
    """The next times of what recurs."""
    found: list[Millis] = []
    at: Millis | None = None if isinstance(schedule, Once) else now
    while at is not None and len(found) < LOOKED_AT:
        at = next_after(schedule, at)
        found += [] if at is None else [at]
    return found


def _crowded(times: Sequence[Millis]) -> bool:
    """Whether more of them are within a day than may be. A day has an hour less where a clock is set forward."""
    later = times[MOST_TO_RECIPIENT_A_DAY:]
    return any(last - first < DAY - HOUR for first, last in zip(times, later, strict=False))

"""How often something that recurs may come: less often for other people, and from guests (TOOLS: Schedule)."""

from __future__ import annotations

from itertools import pairwise

from core.kernel.access import may
from core.kernel.errors import Refused
from core.kernel.timing.schedule import Once, Schedule, next_after
from core.kernel.types import Millis, Standing
from core.toolkit.tool import ToolContext

MINUTE: Millis = 60_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR
# What comes to somebody because of other people.
MOST_TO_RECIPIENT_A_DAY = 3
SHORTEST_OF_GUESTS, SHORTEST_FOR_EVERYBODY = HOUR, 5 * MINUTE
# How many of the next times of what recurs are looked at.
LOOKED_AT = 8


def check(context: ToolContext, schedule: Schedule, *, others: bool, everybody: bool) -> None:
    """Raise `Refused` for what would come too often: for `others`, for `everybody` of a group, or from a guest."""
    times: list[Millis] = []
    at: Millis | None = None if isinstance(schedule, Once) else context.clock.now()
    while at is not None and len(times) < LOOKED_AT:
        at = next_after(schedule, at)
        times += [] if at is None else [at]
    shortest = min((later - one for one, later in pairwise(times)), default=DAY)
    # More within a day than may be; a day has an hour less where a clock is set forward.
    later = times[MOST_TO_RECIPIENT_A_DAY:]
    if others and any(last - first < DAY - HOUR for first, last in zip(times, later, strict=False)):
        raise Refused("others_too_often")
    if context.participant.group and everybody and shortest < SHORTEST_FOR_EVERYBODY:
        raise Refused("everybody_too_often")
    if context.participant.group and not may(context.standing, Standing.MEMBER) and shortest < SHORTEST_OF_GUESTS:
        raise Refused("guest_too_often")

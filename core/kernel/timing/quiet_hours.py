"""Quiet hours: when the bot starts nothing by itself. A time that a person set is never held back."""

from __future__ import annotations

import re
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from core.kernel.timing.zones import to_instant, to_local, to_second
from core.kernel.types import DAY, Millis

ALWAYS = "always"
HOURS = re.compile(r"([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)")


def until(quiet: str, zone: ZoneInfo, now: Millis) -> Millis | None:
    """Return when it may speak by itself again, if it may not now: always later than `now`.

    `quiet` is "22:00-07:00", "always" or empty. With "always" it is in a day: then it is asked again. Where clocks
    show the end twice, it is the first time that is still to come.
    """
    if quiet == ALWAYS:
        return now + DAY
    hours = HOURS.fullmatch(quiet)
    if hours is None:
        return None
    begins, ends = time(int(hours[1]), int(hours[2])), time(int(hours[3]), int(hours[4]))
    at = to_local(now, zone)
    over_night = begins >= ends
    inside = (at.time() >= begins or at.time() < ends) if over_night else begins <= at.time() < ends
    if not inside:
        return None
    day = at.date() + timedelta(days=1) if over_night and at.time() >= begins else at.date()
    wall = datetime.combine(day, ends)
    first = to_instant(wall, zone)
    return first if first > now else to_second(wall, zone)

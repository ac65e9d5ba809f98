"""Quiet hours: when the bot starts nothing by itself. A time that a person set is never held back."""

from __future__ import annotations

import re
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from core.types import Millis

ALWAYS = "always"
HOURS = re.compile(r"([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)")
DAY: Millis = 86_400_000


def until(quiet: str, zone: ZoneInfo, now: Millis) -> Millis | None:
    """When it may speak by itself again, if it may not now. `quiet` is "22:00-07:00", "always" or empty.

    With "always" that is in a day: then it is asked again.
    """
    if quiet == ALWAYS:
        return now + DAY
    hours = HOURS.fullmatch(quiet)
    if hours is None:
        return None
    begins, ends = time(int(hours[1]), int(hours[2])), time(int(hours[3]), int(hours[4]))
    at = datetime.fromtimestamp(now / 1000, UTC).astimezone(zone)
    over_night = begins >= ends
    inside = (at.time() >= begins or at.time() < ends) if over_night else begins <= at.time() < ends
    if not inside:
        return None
    day = at.date() + timedelta(days=1) if over_night and at.time() >= begins else at.date()
    return round(datetime.combine(day, ends, zone).timestamp() * 1000)

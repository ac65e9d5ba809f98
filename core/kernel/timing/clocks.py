"""Times of day as people say them: what "at 9" most likely means, and what else it may."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from core.kernel.timing.expressions import Clock
from core.kernel.timing.resolution import Impossible, Reading
from core.kernel.timing.schedule import Once
from core.kernel.timing.zones import to_instant, to_local, to_second
from core.kernel.types import HOUR, Millis

MORNING = Clock(hour=9)
NOON = 12
HALF_DAY = 12
WAKING = range(7, 23)
AFTERNOON = range(1, 7)
SOON: Millis = 3 * HOUR
# As long as people sleep by day.
NAP: Millis = 2 * HOUR
# Hours from a former time of day within which a clock of either half is meant.
NEAR = 3
DAY_MINUTES = 1_440


def times(clock: Clock) -> tuple[time, ...]:
    """Return the times of day that may be meant, on a day of its own the likely one first.

    Hours 0 and 13 to 23 are always certain. Of the others 7 to 12 are meant as said (12 is noon), 1 to 6 in the
    afternoon, if not `early`. Impossible if no clock shows it.
    """
    try:
        said = time(clock.hour, clock.minute)
    except (OverflowError, ValueError) as error:
        raise Impossible("no clock shows this hour and minute") from error
    if clock.certain or not 1 <= said.hour <= NOON:
        return (said,)
    later = said.replace(hour=(said.hour + HALF_DAY) % 24)
    return (later, said) if said.hour in AFTERNOON and not clock.early else (said, later)


def near(clock: Clock, former: time) -> tuple[Clock, int]:
    """Return a clock in the half of the day where it is near the former one, and how many days later that is: "at 10"
    of 21:00, "at 6:30" of 7:00, "at 12" of 23:00 on the next day (1), "at 11" of 00:30 on the one before (-1)."""
    if not clock.certain:
        minutes = former.hour * 60 + former.minute
        for days in (0, 1, -1):
            for one in times(clock):
                if abs(days * DAY_MINUTES + one.hour * 60 + one.minute - minutes) <= NEAR * 60:
                    return Clock(hour=one.hour, minute=one.minute), days
    return clock, 0


def once(day: date, shown: time, zone: ZoneInfo) -> Once:
    """Return a schedule for a day at a time of it."""
    wall = datetime.combine(day, shown)
    return Once(at=to_instant(wall, zone), wall=wall.isoformat(timespec="minutes"))


def next_shown(clock: Clock, said_at: Millis, zone: ZoneInfo) -> Reading:
    """Return when a clock shows this next after it was said.

    Of two times the next one between 7:00 and 22:59 is likely, at night also one that comes within three hours: who
    says "at 11" at 21:30 is up then. Midnight is never likely, people call it that. Of an early clock the
    afternoon is likely only within two hours: nobody sleeps for longer by day.
    """
    coming = sorted((_next(shown, said_at, zone) for shown in times(clock)), key=lambda found: found.at)
    if len(coming) == 1:
        return Reading(schedule=coming[0])
    likely = next(found for found in coming if _is_likely(found, said_at))
    if clock.early:
        morning = next(found for found in coming if datetime.fromisoformat(found.wall).hour < NOON)
        likely = coming[0] if coming[0].at - said_at <= NAP else morning
    return Reading(schedule=likely, other=next(found for found in coming if found is not likely))


def today(clock: Clock, said_at: Millis, zone: ZoneInfo) -> Reading:
    """Return when a clock shows this today: what is still to come of it, else its likely time, which is past."""
    day = to_local(said_at, zone).date()
    found = sorted((once(day, shown, zone) for shown in times(clock)), key=lambda found: found.at)
    coming = [one for one in found if one.at > said_at]
    if not coming:
        return Reading(schedule=once(day, times(clock)[0], zone))
    likely = next((one for one in coming if _is_likely(one, said_at)), coming[0])
    return Reading(schedule=likely, other=next((one for one in coming if one is not likely), None))


def _is_likely(found: Once, said_at: Millis) -> bool:
    hour = datetime.fromisoformat(found.wall).hour
    return hour in WAKING or (hour != 0 and found.at - said_at <= SOON)


def _next(shown: time, said_at: Millis, zone: ZoneInfo) -> Once:
    """Between the two passes of a time that exists twice, the second is still to come."""
    day = to_local(said_at, zone).date()
    found = once(day, shown, zone)
    if found.at > said_at:
        return found
    again = to_second(datetime.combine(day, shown), zone)
    return Once(at=again, wall=found.wall) if again > said_at else once(day + timedelta(days=1), shown, zone)

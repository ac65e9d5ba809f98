"""From what a phrase says about time to instants and rules: counted from when it was said, in a zone."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import replace
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from core.kernel.timing.clocks import MORNING, once, times
from core.kernel.timing.days import resolve_at
from core.kernel.timing.expressions import At, Clock, Delay, Every, Expression, InDays
from core.kernel.timing.repeats import resolve_every
from core.kernel.timing.resolution import Impossible, Reading
from core.kernel.timing.schedule import Interval, Once, Rule, Schedule, Timed, next_after
from core.kernel.timing.zones import to_instant, to_local
from core.kernel.types import MINUTE, SECOND, Millis

__all__ = ["Impossible", "Reading", "put_off", "resolve"]

MONTHS = 12
_DAY = timedelta(days=1)
# What ends on a day may come until then.
_NIGHT = Clock(hour=23, minute=59)


def resolve(expression: Expression, said_at: Millis, zone: ZoneInfo, day: date | None = None) -> Reading:
    """Return what was most likely meant and, where that is doubtful, the other thing it may mean.

    A day in the past is returned as such when a year, "yesterday", "today" or a calendar week was said: the caller says
    that it is past. Impossible if there is no such time. Days count from `day`, where that is not the one of the zone.
    """
    try:
        match expression:
            case Delay():
                return Reading(schedule=Once(at=_later(expression, said_at, zone)))
            case At(zone=str() as named):
                shown = _elsewhere(expression, ZoneInfo(named), said_at, zone, day)
                first, *others = [_before(_once(at, zone), expression.ahead or Delay(), zone) for at in shown]
                return Reading(schedule=first, other=next(iter(others), None))
            case At(ahead=Delay() as ahead):
                # What comes two days after Christmas may be to come when Christmas is over.
                over = timedelta(days=max(0, -ahead.days))
                found = resolve_at(expression, said_at - over // timedelta(milliseconds=1), zone, day and day - over)
                other = found.other and _before(found.other, ahead, zone)
                return Reading(schedule=_before(found.schedule, ahead, zone), other=other)
            case At():
                return resolve_at(expression, said_at, zone, day)
            case Every():
                schedule = _series(expression, said_at, zone)
                return Reading(schedule=schedule, other=_instead(expression, schedule, said_at, zone))
    except (OverflowError, ValueError) as error:
        raise error if isinstance(error, Impossible) else Impossible("no calendar reaches that far") from error


def _series(every: Every, said_at: Millis, zone: ZoneInfo) -> Interval | Rule:
    """Return the interval or the rule, with its end where one was said. Impossible where it would not come at all."""
    schedule = resolve_every(replace(every, until=None), said_at, zone)
    if every.until is None:
        return schedule
    first = next_after(schedule, said_at) or said_at
    if isinstance(schedule, Rule):
        if isinstance(every.until, Delay) and every.until.seconds:
            raise Impossible("what comes on days goes on for days")
        last = to_local(_end(every.until, said_at, first, zone), zone).date()
        last -= _DAY if isinstance(every.until, Delay) else timedelta()
        ended: Interval | Rule = replace(schedule, until=last.isoformat())
    else:
        begins = said_at if isinstance(every.until, Delay) else first
        ended = replace(schedule, until=-(-_end(every.until, said_at, begins, zone) // MINUTE) * MINUTE)
    if next_after(ended, said_at) is None:
        raise Impossible("it would end before it begins")
    return ended


def _end(until: At | Delay, said_at: Millis, first: Millis, zone: ZoneInfo) -> Millis:
    """Return when something ends: so long after its first time, or when a time comes that was said."""
    if isinstance(until, Delay):
        return _later(until, first, zone)
    # The midnight of a day ends it.
    clock = until.clock if until.clock and (until.day is None or until.clock.hour or until.clock.minute) else _NIGHT
    found = resolve(replace(until, clock=clock), said_at, zone)
    ends = [one.at for one in (found.schedule, found.other) if isinstance(one, Once)]
    # "Every 2 hours until 11", said at 10, ends at 23.
    return min((at for at in ends if until.day is None and at > first), default=ends[0])


def put_off(former: Schedule, length: Expression | None, zone: ZoneInfo, *, earlier: bool) -> Schedule | None:
    """Return a time that is so much later, or earlier, than the former one: days count on the calendar, hours as they
    pass. None for what comes again."""
    if not (isinstance(former, Once) and isinstance(length, Delay)) or (earlier and length.months):
        return None
    if not earlier:
        later = _later(length, former.at, zone)
        return _once(later, zone) if former.wall else Once(at=later)
    there = to_local(former.at, zone) - timedelta(days=length.days)
    day = once(there.date(), there.time(), zone) if length.days else former
    sooner = day.at - length.seconds * 1000
    return _once(sooner, zone) if former.wall else Once(at=sooner)


def _instead(expression: Every, schedule: Timed, said_at: Millis, zone: ZoneInfo) -> Timed | None:
    """Return what else a repetition may mean: its next time alone where that is doubtful, or the same early in the day,
    since "at 2:30" is taken for the afternoon."""
    if expression.doubtful and (at := next_after(schedule, said_at)) is not None:
        return _once(at, zone)
    shown = times(expression.clocks[0]) if len(expression.clocks) == 1 else ()
    for one in shown[1:]:
        if one < shown[0] and one.hour:
            return _series(replace(expression, clocks=(Clock(hour=one.hour, minute=one.minute),)), said_at, zone)
    return None


def _once(at: Millis, zone: ZoneInfo) -> Once:
    return Once(at=at, wall=to_local(at, zone).replace(tzinfo=None).isoformat(timespec="minutes"))


def _elsewhere(when: At, there: ZoneInfo, said_at: Millis, zone: ZoneInfo, day: date | None) -> list[Millis]:
    """Return when the clock of another zone shows a time, the likeliest first: on the day that its calendar has then.
    Tomorrow is counted from the day of who asks, who may be a day ahead there."""
    if not isinstance(when.day, InDays):
        shown = resolve_at(At(day=when.day, clock=when.clock), said_at, there)
        return [one.at for one in (shown.schedule, shown.other) if isinstance(one, Once)]
    today = (day or to_local(said_at, zone).date()) if when.day.days else to_local(said_at, there).date()
    on = today + timedelta(days=when.day.days)
    found = [to_instant(datetime.combine(on, one), there) for one in times(when.clock or MORNING)]
    return [at for at in found if at > said_at] or found


def _before(event: Schedule, ahead: Delay, zone: ZoneInfo) -> Once:
    """Days are counted on the calendar, at the same time of day; seconds just pass."""
    assert isinstance(event, Once)
    wall = to_local(event.at, zone).replace(tzinfo=None) - timedelta(days=ahead.days)
    early = to_instant(wall, zone) - ahead.seconds * SECOND
    return _once(early, zone)


def _later(delay: Delay, said_at: Millis, zone: ZoneInfo) -> Millis:
    """Days and months keep the time of day, and a day that the month lacks is its last one; seconds just pass."""
    at = said_at
    if delay.days or delay.months:
        wall = to_local(said_at, zone).replace(tzinfo=None)
        year, month = divmod(wall.year * MONTHS + wall.month - 1 + delay.months, MONTHS)
        last = monthrange(year, month + 1)[1]
        wall = wall.replace(year=year, month=month + 1, day=min(wall.day, last))
        at = to_instant(wall + timedelta(days=delay.days), zone)
    at += delay.seconds * SECOND
    to_local(at, zone)  # there is such a time
    if at < said_at + SECOND:
        raise Impossible("a delay is a second at least")
    return at

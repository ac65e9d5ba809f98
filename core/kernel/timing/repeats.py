"""What comes again and again: an interval, or a cron line in a zone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from zoneinfo import ZoneInfo

from core.kernel.timing.clocks import MORNING, times
from core.kernel.timing.expressions import Clock, Every
from core.kernel.timing.moving_holidays import country_of
from core.kernel.timing.resolution import Impossible
from core.kernel.timing.schedule import Interval, Rule, check_cron, next_after
from core.kernel.timing.zones import to_local
from core.kernel.types import DAY, Millis

LONGEST_WAIT: Millis = 10 * 366 * DAY
SECONDS = {"minute": 60, "hour": 3600}
WORKDAYS = [1, 2, 3, 4, 5]
WEEK = range(7)
LAST = -1
# A month day that some month lacks.
LONG = 29


def resolve_every(every: Every, said_at: Millis, zone: ZoneInfo) -> Interval | Rule:
    """Return the interval from `said_at`, or the rule of the calendar. What is missing is taken from when it was said.

    Every n-th day, week, month or year is counted from the first one that comes: "every other Monday" said on a
    Wednesday is the coming Monday, then each second. Where no day of a week, month or year is said, it is counted from
    this day: "every 6 months" comes today if its hour is still to come, and in six months. The 29th, 30th and 31st are
    the last day of a month without them.
    """
    if every.n < 1:
        raise Impossible("it comes again after one unit at least")
    if every.unit == "minute" or every.unit == "hour":  # noqa: PLR1714 - this tells the types apart
        if every != Every(unit=every.unit, n=every.n):
            raise Impossible("minutes and hours pass without clock and calendar")
        interval = Interval(seconds=every.n * SECONDS[every.unit], start=said_at)
        to_local(said_at + interval.seconds * 1000, zone)  # there is such a time
        return interval
    without = country_of(zone) if every.but_holidays else ""
    if every.but_holidays and not without:
        raise Impossible(f"no holidays are known of {zone.key}")
    clocks, times = _clocks(every.clocks)
    line = f"{clocks} {_days(every, to_local(said_at, zone).date())}"
    try:
        rule = Rule(cron=check_cron(line), zone=zone.key, times=times, without=without)
    except ValueError as error:
        raise Impossible(f"no calendar has this day: {line}") from error
    # The rule that counts units, for each n-th and for days that some months lack; else the plain one.
    counts = replace(rule, unit=every.unit)
    coming = next_after(counts, said_at) if without else said_at
    # The holidays of far years are not known.
    if coming is None or coming - said_at > LONGEST_WAIT:
        raise Impossible("all its days are holidays")
    if every.n == 1:
        monthdays = rule.cron.split()[2].split(",")
        return counts if any(day.isdigit() and int(day) >= LONG for day in monthdays) else rule
    first = next_after(counts, said_at)
    if first is None:
        raise Impossible("it never comes")
    unnamed = every.unit != "day" and not every.weekdays and every.day is every.nth is every.month is None
    begin = to_local(said_at if unnamed else first, zone).date()
    return replace(counts, every=every.n, anchor=begin.isoformat())


def _clocks(clocks: tuple[Clock, ...]) -> tuple[str, str]:
    """Return minutes and hours of a cron line; and all clocks, where one line cannot say them together."""
    shown = sorted({times(clock)[0] for clock in clocks or (MORNING,)})
    minutes, hours = sorted({one.minute for one in shown}), sorted({one.hour for one in shown})
    if len(shown) != len(minutes) * len(hours):
        first = shown[0]
        return f"{first.minute} {first.hour}", ",".join(f"{one:%H:%M}" for one in shown)
    return f"{_list(minutes)} {_list(hours)}", ""


def _days(every: Every, said: date) -> str:
    """Return day, month and weekday of a cron line."""
    in_week = every.unit in {"day", "week"}
    strange = (every.day, every.nth, every.month) if in_week else (every.month,) if every.unit == "month" else ()
    if any(part is not None for part in strange) or (every.also and (every.unit != "month" or every.day is None)):
        raise Impossible("these days don't go together")
    if in_week:
        return f"* * {_weekdays(every, said)}"
    month = "*" if every.unit == "month" else said.month if every.month is None else every.month
    if every.nth is not None:
        return f"* {month} {_nth(every)}"
    days = {said.day if every.day is None else every.day, *every.also}
    monthdays = [*map(str, sorted(days - {LAST})), *(["L"] if LAST in days else [])]
    return f"{','.join(monthdays)} {month} {_nth(every)}"


def _weekdays(every: Every, said: date) -> str:
    if every.unit == "day" and not every.weekdays:
        return "*"
    if every.unit == "day" and every.n > 1:
        raise Impossible("these days don't go together")
    days = sorted({_cron_weekday(day) for day in every.weekdays or {said.weekday()}})
    return "1-5" if days == WORKDAYS else "*" if len(days) == len(WEEK) else _list(days)


def _nth(every: Every) -> str:
    """Return the weekday field for days of a month: "5#2" is the second Friday, "5L" the last."""
    if every.nth is None and not every.weekdays:
        return "*"
    if every.nth is None or every.day is not None or len(every.weekdays) != 1:
        raise Impossible("these days don't go together")
    (day,) = every.weekdays
    return f"{_cron_weekday(day)}L" if every.nth == LAST else f"{_cron_weekday(day)}#{every.nth}"


def _cron_weekday(day: int) -> int:
    """Return a weekday as cron counts: 0 is Sunday, for us it is Monday."""
    if day not in WEEK:
        raise Impossible("a week has seven days")
    return (day + 1) % len(WEEK)


def _list(numbers: Iterable[int]) -> str:
    return ",".join(map(str, numbers))

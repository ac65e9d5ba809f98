"""When something is due: once, on a grid of seconds, by the rule of a calendar in a zone, or when it comes true."""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from itertools import pairwise
from typing import Literal
from zoneinfo import ZoneInfo

from core.kernel.timing.cron import Cron, check_cron, read
from core.kernel.timing.moving_holidays import public_holidays
from core.kernel.timing.zones import to_instant, to_local
from core.kernel.types import HOUR, MINUTE, Millis

__all__ = [
    "Interval",
    "Once",
    "Rule",
    "Schedule",
    "Timed",
    "Watch",
    "check_cron",
    "dump",
    "last_before",
    "last_instant",
    "load",
    "next_after",
]

RuleUnit = Literal["day", "week", "month", "year"]
DAY = timedelta(days=1)
# How many days or months a look-up tries at most, far beyond the 96 months from one 29 February to the next.
TRIES = 2_000
# How far back a look-up goes at most.
FARTHEST: Millis = 100 * 366 * 24 * HOUR


@dataclass(frozen=True, slots=True, kw_only=True)
class Once:
    """One instant. `wall` is the local time it was said as ("2026-11-27T17:00"), empty when it was a delay."""

    at: Millis
    wall: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """Every `seconds` (60 or more) on a grid from `start`, whatever clocks and calendars do; not after `until`, where
    that is not 0."""

    seconds: int
    start: Millis
    until: Millis = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """By the calendar of `zone` (an IANA name): what `cron` says, 5 fields with the standard meaning.

    With `every` > 1 only each `every`-th `unit`, counted from the one that `anchor` (a local date, ISO) lies in.
    When people count in months or years (`unit`), a day that a month lacks is its last one: the 31st comes on 30 April.
    Clocks that one cron line cannot say together stand in `times` ("08:15,17:45"), and count instead of its own. On the
    public holidays of the country `without` (ISO 3166, "DE") it does not come, nor after the day `until` (a local date,
    ISO).
    """

    cron: str
    zone: str
    every: int = 1
    unit: RuleUnit = "day"
    anchor: str = ""
    times: str = ""
    without: str = ""
    until: str = ""

    @property
    def clocks(self) -> list[str]:
        """Return the clocks of a day, such as "08:15", the first one first; none where its cron line has more than
        numbers."""
        if self.times:
            return self.times.split(",")
        minutes, hours = (field.split(",") for field in self.cron.split()[:2])
        plain = all(one.isdecimal() for one in (*minutes, *hours))
        return sorted(f"{int(hour):02}:{int(minute):02}" for hour in hours for minute in minutes) if plain else []

    @property
    def spacing(self) -> int:
        """Return the seconds that lie between one clock of a day and the next; it is 0 where they differ, or where
        there is only one clock."""
        seconds = [3_600 * int(clock[:2]) + 60 * int(clock[3:]) for clock in self.clocks]
        steps = {later - sooner for sooner, later in pairwise(seconds)}
        return steps.pop() if len(steps) == 1 else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """Whenever `condition` (a line of core.kernel.conditions) comes true, until an instant: then it ends."""

    condition: str
    until: Millis


Timed = Once | Interval | Rule
Schedule = Timed | Watch
_KINDS: dict[str, type[Schedule]] = {"once": Once, "interval": Interval, "rule": Rule, "watch": Watch}


def dump(schedule: Schedule) -> str:
    """Return a schedule as a line of JSON that `load` reads back."""
    kind, fields = type(schedule).__name__.lower(), asdict(schedule)
    # As rules were written before they had such.
    fields = {name: value for name, value in fields.items() if value or name not in {"times", "without", "until"}}
    return json.dumps({"kind": kind, **fields}, ensure_ascii=False, separators=(",", ":"))


@lru_cache(maxsize=1024)  # what many have set for nine o'clock is read once
def load(text: str) -> Schedule:
    """Return the schedule that `dump` wrote. ValueError if it did not write the text."""
    found = json.loads(text)
    try:
        return _KINDS[found.pop("kind")](**found)
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError("not a schedule") from error


def next_after(schedule: Schedule, after: Millis) -> Millis | None:
    """Return the first instant strictly after `after` at which `schedule` is due, None if there is none any more.

    Of what waits to come true that is its end.

    The rules at a change of the clock: what a gap skips is due right after it, what comes twice
    is due the first time. A rule for every hour of the day ("*/30 * * * *") goes by the minutes that really pass. The
    cron line of a rule is one that `check_cron` lets through, its zone one that exists.
    """
    match schedule:
        case Once(at=at):
            return at if at > after else None
        case Watch(until=until):
            return until if until > after else None
        case Interval(seconds=seconds, start=start, until=until):
            found = start + max(0, (after - start) // (seconds * 1000) + 1) * seconds * 1000
            return None if until and found > until else found
        case Rule():
            cron, zone = read(schedule.cron), _zone(schedule.zone)
            try:
                even = cron.even and not schedule.times
                return next((_even if even else _at_times)(cron, schedule, zone, after), None)
            except (OverflowError, ValueError):  # beyond the year 9999
                return None


def last_before(schedule: Schedule, before: Millis) -> Millis | None:
    """Return the last instant strictly before `before` at which `schedule` is due, None if there is none.

    The counterpart of `next_after`. A rule has always been; what it left longer than a hundred years ago is not found.
    """
    match schedule:
        case Once(at=at):
            return at if at < before else None
        case Watch():
            return None
        case Interval(seconds=seconds, start=start, until=until):
            before = min(before, until + 1) if until else before
            return None if before <= start else before - 1 - (before - 1 - start) % (seconds * 1000)
        case Rule():
            return _last(schedule, before)


def last_instant(schedule: Interval | Rule, zone: ZoneInfo) -> datetime | None:
    """Return until when it may come, as a clock of the zone shows it (23:59 where it ends with a day), or None."""
    if isinstance(schedule, Rule):
        return datetime.fromisoformat(f"{schedule.until}T23:59") if schedule.until else None
    return to_local(schedule.until, zone) if schedule.until else None


def _last(rule: Rule, before: Millis) -> Millis | None:
    """Look back ever farther until a time of the rule is found, then halve what lies between it and `before`."""
    length = HOUR
    while (found := _within(rule, before - length, before)) is None:
        if length > FARTHEST:
            return None
        length *= 4
    end = before
    while (later := _within(rule, found, before)) is not None:
        middle = (later + end) // 2
        closer = _within(rule, middle, before)
        found, end = (later, middle) if closer is None else (closer, end)
    return found


def _within(rule: Rule, after: Millis, before: Millis) -> Millis | None:
    found = next_after(rule, after)
    return found if found is not None and found < before else None


_zone = lru_cache(maxsize=1024)(ZoneInfo)


def _at_times(cron: Cron, rule: Rule, zone: ZoneInfo, after: Millis) -> Iterator[Millis]:
    """Yield when `zone` shows the times of the rule, each on its day and once."""
    shown = to_local(after, zone)
    times = [int(one[:2]) * 60 + int(one[3:]) for one in rule.clocks] if rule.times else cron.times
    past = bisect_right(times, shown.hour * 60 + shown.minute)
    for day in _dates(cron, rule, shown.date()):
        for minutes in times[past if day == shown.date() else 0 :]:
            at = to_instant(datetime.combine(day, time(*divmod(minutes, 60))), zone)
            if at > after:
                yield at


def _even(cron: Cron, rule: Rule, zone: ZoneInfo, after: Millis) -> Iterator[Millis]:
    """Yield when `zone` shows the minutes of the rule, however often."""
    begin = (after // MINUTE + 1) * MINUTE
    for day in _dates(cron, rule, to_local(begin, zone).date()):
        start = to_instant(datetime.combine(day, time()), zone)
        end = to_instant(datetime.combine(day + DAY, time()), zone)
        yield from _minutes(cron, zone, max(begin, start), end)


def _minutes(cron: Cron, zone: ZoneInfo, at: Millis, end: Millis) -> Iterator[Millis]:
    """Yield the minutes of the rule from `at` until `end`, around a change of the clock one by one."""
    while at < end:
        minute = to_local(at, zone).minute
        if to_local(at - MINUTE, zone).utcoffset() == to_local(at + HOUR, zone).utcoffset():
            due = (at + (wanted - minute) * MINUTE for wanted in cron.minutes if wanted >= minute)
            yield from (moment for moment in due if moment < end)
            at += (60 - minute) * MINUTE
        else:
            if minute in cron.minutes or _skipped(cron, zone, at):
                yield at
            at += MINUTE


def _skipped(cron: Cron, zone: ZoneInfo, at: Millis) -> bool:
    """Return whether a gap ends at `at` that skipped a minute of the rule.

    A gap of whole hours skips none: the minutes go on after it as if nothing had been. Half an hour (Lord Howe) does.
    """
    shown = to_local(at, zone).replace(tzinfo=None)
    expected = to_local(at - MINUTE, zone).replace(tzinfo=None) + timedelta(minutes=1)
    gap = (shown - expected) // timedelta(minutes=1)
    return gap % 60 != 0 and any((expected.minute + n) % 60 in cron.minutes for n in range(gap))


def _dates(cron: Cron, rule: Rule, day: date) -> Iterator[date]:
    """Yield the days of a rule from `day` on, in order, until none is near."""
    clip = rule.unit in {"month", "year"}
    anchor = _number(date.fromisoformat(rule.anchor), rule.unit) if rule.every > 1 else 0
    for _ in range(TRIES):
        number = _number(day, rule.unit)
        if left := (anchor - number) % rule.every:
            day = _begin(number + left, rule.unit)
        days = cron.days(day.year, day.month, clip=clip)
        nearest = days[bisect_left(days, day.day) :][:1]
        if rule.until and day.isoformat() > rule.until:
            return
        if nearest == (day.day,):
            if not (rule.without and day in public_holidays(rule.without, day.year)):
                yield day
            day += DAY
        else:
            day = day.replace(day=nearest[0]) if nearest else _begin(_number(day, "month") + 1, "month")


def _number(day: date, unit: RuleUnit) -> int:
    """Return which day, week (they begin on Monday), month or year it is, counted without a break."""
    match unit:
        case "day":
            return day.toordinal()
        case "week":
            return (day.toordinal() - 1) // 7
        case "month":
            return day.year * 12 + day.month - 1
        case "year":
            return day.year


def _begin(number: int, unit: RuleUnit) -> date:
    """Return the first day of the unit with that number."""
    match unit:
        case "day":
            return date.fromordinal(number)
        case "week":
            return date.fromordinal(number * 7 + 1)
        case "month":
            return date(number // 12, number % 12 + 1, 1)
        case "year":
            return date(number, 1, 1)

"""What a phrase says about time, before anybody asks from when and where: "in 20 minutes", "next Friday 15:00".

Languages make these (core.language); `core.kernel.timing.resolve` turns them into instants and rules.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

Unit = Literal["minute", "hour", "day", "week", "month", "year"]
_SHORTEST_MONTH = 28


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """A time of day. When not `certain`, the same hands twelve hours later may be meant: "at 9"; of midnight (0:00) the
    one that ends the day. `early` when it is rather the morning, as of who wants to be woken at 6.
    """

    hour: int
    minute: int = 0
    certain: bool = True
    early: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Delay:
    """From when it was said: `seconds` as time passes, `days` and `months` on the calendar at the same time of day."""

    seconds: int = 0
    days: int = 0
    months: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class InDays:
    """Today (0), tomorrow (1), yesterday (-1).

    In the `night` that begins today ("tonight at 2") it is early tomorrow. Said after midnight it is early today, since
    the night before is still on.
    """

    days: int
    night: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Weekday:
    """A day of the week, 0 is Monday. `weeks` counts calendar weeks from this one (1: "下周五"), None is the nearest to
    come ("Friday", "this Friday"). `doubtful` when the nearest to come may be meant instead: "next Friday". `later`
    counts weeks from the nearest one ("a week from Friday"). A Saturday that was said as the `weekend` is Sunday where
    only that is to come of this weekend.
    """

    weekday: int
    weeks: int | None = None
    doubtful: bool = False
    later: int = 0
    weekend: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Date:
    """A date; without a year or a month the next one to come. `doubtful` when day and month may be swapped: "3/5".

    Day -1 is the last of its month ("月底"). Instead of a `month`, `months` counts calendar months from this one (1:
    "下个月1号"); instead of a `year`, `years` counts calendar years (1: "明年5月3日"). A date that is not on its
    `weekday`, where one was said ("Friday 13th"), is none.
    """

    day: int
    month: int | None = None
    year: int | None = None
    doubtful: bool = False
    months: int | None = None
    years: int | None = None
    weekday: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NthWeekday:
    """The `nth` day of the week of a month, -1 is the last: "the first Tuesday of October", of the next such month to
    come, or of the year that is `years` after this one; without a month of the one that is `months` after this one.
    """

    weekday: int
    nth: int
    month: int | None = None
    months: int = 0
    years: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Holiday:
    """A holiday that moves from year to year, by its name in `moving_holidays`: the next one to come, or that of the
    year that is `years` after this one."""

    holiday: str
    years: int | None = None


Day = InDays | Weekday | Date | NthWeekday | Holiday


@dataclass(frozen=True, slots=True, kw_only=True)
class At:
    """Once, on a day at a time. Without a day: when the clock next shows it. Without a clock: at 9:00. With `ahead` so
    long before that, of days or seconds ("two days before Christmas"); `of_event` when that is the time of what it is
    about ("an hour before the dentist tomorrow at 3"). The clock is that of the `zone` (an IANA name) that was said, or
    of who asks.
    """

    day: Day | None = None
    clock: Clock | None = None
    ahead: Delay | None = None
    of_event: bool = False
    zone: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Every:
    """Again and again: every `n` units at `clocks` (9:00 when there is none, for days and longer).

    For weeks on `weekdays`; for months on `day` (-1 is the last one) and on those in `also` ("the 1st and 15th"), or on
    the `nth` of the one weekday (-1 the last: "last Friday of the month"); for years on `day` of `month`. What is not
    given is taken from when it was said. When `but_holidays`, not on the public ones of the country of the zone;
    `doubtful` when it may be meant but once ("the last Friday of the month"). `until` is when it comes last, or how
    long it goes on from its first time ("for 7 days").
    """

    unit: Unit
    n: int = 1
    clocks: tuple[Clock, ...] = ()
    weekdays: frozenset[int] = frozenset()
    day: int | None = None
    also: frozenset[int] = frozenset()
    nth: int | None = None
    month: int | None = None
    but_holidays: bool = False
    doubtful: bool = False
    until: At | Delay | None = None


Expression = Delay | At | Every


def day_after(day: Day) -> Day | None:
    """Return the day after a day; None where that cannot be said without a calendar, as at the end of a month."""
    match day:
        case InDays():
            return InDays(days=day.days + 1, night=day.days == 0)
        case Date(weekday=None, doubtful=False) if 0 < day.day < _SHORTEST_MONTH:
            return replace(day, day=day.day + 1)
        case Weekday():
            weeks = day.weeks if day.weeks is None else day.weeks + (day.weekday + 1) // 7
            return replace(day, weekday=(day.weekday + 1) % 7, weeks=weeks, weekend=False)
    return None


def a_day_later(when: At | Every) -> At | Every | None:
    """Return what comes on the day after each day that a time says, by the same clock; None where that cannot be said
    without a calendar."""
    match when:
        case At(day=None) | Every(unit="day", until=None, but_holidays=False):
            return when
        case At(day=day) if day is not None and (after := day_after(day)) is not None:
            return replace(when, day=after)
        case Every(unit="week", n=1, until=None) if when.weekdays:
            return replace(when, weekdays=frozenset((one + 1) % 7 for one in when.weekdays))
    return None

"""Says what the groups of a template mean: a length, a clock, a day, or what comes again.

A language gives a template with the name of its kind: `("length", "in <n:number> <unit:unit>")`. A function here reads
its match, `m`, and returns what was said: `Said(delay=Delay(seconds=1200))` of "in 20 minutes", and None of what is no
such time after all ("in 0 minutes"). The groups have the same names in every language (docs/languages.md), so a
language never has code for what a date is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping
from dataclasses import fields, replace
from typing import Any, TypeVar

from core.kernel.timing.expressions import Clock, Date, Day, Delay, Every, Holiday, InDays, NthWeekday, Weekday
from core.language.engine.said import BEHIND, FOLLOWING, WEAK, Part, Said, within
from core.language.engine.templates import Match, Template

_NOON, _HALVES, _HOURS, _MINUTES, _MONTHS = 12, range(1, 13), range(24), range(60), range(1, 13)
# The months, days and seconds of a unit, the largest first.
_SIZES: Mapping[str, tuple[int, int, int]] = {
    "year": (12, 0, 0), "month": (1, 0, 0), "week": (0, 7, 0), "day": (0, 1, 0), "hour": (0, 0, 3_600),
    "minute": (0, 0, 60), "second": (0, 0, 1),
}  # fmt: skip
_RANK = {unit: rank for rank, unit in enumerate(_SIZES)}
# What stands behind "n" and "unit" in the names of groups: so many pairs of them may stand side by side.
_PAIRS = ("", "1", "2", "3", "4", "5", "6")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
_LEADING_ZERO = re.compile("[0零]")
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz")
# "At 2026" is no clock, but "at 1830" is; a year of two figures is one of this century, from 70 on of the last.
_YEARS_NEAR, _CENTURY, _LAST_CENTURY, _HUNDRED, _LONG_YEAR = range(2020, 2100), 2_000, 70, 100, 3
# A span has two ends, and none of them is in the night unless it is said so.
_NIGHT, _ENDS = range(1, 6), 2
# What there is of these on a clock or in a calendar.
_KNOWN: Mapping[str, Container[int]] = {
    "hour": _HOURS, "minute": _MINUTES, "day": (-1, *range(1, 32)), "month": _MONTHS, "year": range(1900, 10_000),
    "nth": (-1, *range(1, 6)),
}  # fmt: skip
# All names that groups have. Nobody looks at `y`.
GROUPS = frozenset[str]().union(*({f"n{pair}", f"unit{pair}", f"half{pair}"} for pair in _PAIRS)) | {
    "after", "apart", "before", "but", "by", "clock", "cycle", "dates", "day", "days", "each", "first", "fraction",
    "free", "h", "half", "hands", "holiday", "hour", "last", "length", "list", "minute", "minutes", "month", "months",
    "more", "near", "next", "nth", "one", "padded", "part", "side", "single", "sure", "two", "weekday", "weekend",
    "weeks", "which", "whole", "word", "y", "year", "years", "zone",
}  # fmt: skip
_Value = TypeVar("_Value", Clock, Date, Every, NthWeekday)


def _built(kind: type[_Value], m: Match, **given: Any) -> _Value | None:
    """Return a value with what is `given`, and else with what the groups say that are named as its fields; None where
    no clock or calendar has it."""
    values = {field.name: m.worth(field.name) for field in fields(kind) if m.has(field.name)} | given
    known = all(values.get(name) is None or values[name] in possible for name, possible in _KNOWN.items())
    return kind(**values) if known else None


def _amount(m: Match, pair: str = "") -> float:
    """Return how many of a unit are said: one where no number stands before it; figures may have a part behind a point.

    Zero when that is no number, or when the unit may as well be a letter: "a m".
    """
    text, unit, half = m.text(f"n{pair}"), m.text(f"unit{pair}"), 0.5 * m.has(f"half{pair}")
    if _NUMBER.fullmatch(text):
        return float(text.replace(",", ".")) + half
    n = m.worth(f"n{pair}") if text else 1
    return 0 if n is None or (unit in _LETTERS and not text[-1:].isdigit()) else n + half


def _length(m: Match) -> Delay | None:
    """Return the length of "in 20 minutes", "2h 30m", "half an hour", "1 day 2 hours", and of "in 1h30", which is no
    clock with "in"."""
    last, sizes = -1, [m.worth("length") or (0, 0, 0)]
    for pair in _PAIRS:
        if m.has(f"unit{pair}"):
            n, unit = _amount(m, pair), m.worth(f"unit{pair}")
            # The largest stands first, and each but once.
            if not n or _RANK[unit] <= last:
                return None
            last = _RANK[unit]
            sizes.append([n * size for size in _SIZES[unit]])
    if m.has("hour"):
        sizes.append((0, 0, m.worth("hour") * 3_600 + m.worth("minute") * 60))
    months, days, seconds = map(sum, zip(*sizes, strict=True))
    if months != int(months) or days != int(days) or not (months or days or round(seconds)):
        return None
    return Delay(months=int(months), days=int(days), seconds=round(seconds))


def _hands(m: Match) -> Clock | None:
    """Return the hands of a clock; None where no clock shows them.

    Without am or pm they are certain only where nobody can mean the other half of the day.
    """
    if m.has("clock") and not m.has("hour"):
        noon: Clock = m.worth("clock")
        return noon
    hour, minute, written = m.worth("hour"), m.worth("minute") or 0, m.text("hour")
    if m.has("hands"):
        if m.worth("hands") in _YEARS_NEAR and not m.has("half"):
            return None
        hour, minute = divmod(m.worth("hands"), _HUNDRED)
        written = m.text("hands") if len(m.text("hands")) > _LONG_YEAR else ""
    minute += m.worth("fraction") or 0
    if hour not in _HOURS or minute not in _MINUTES or (m.has("half") and hour not in _HALVES):
        return None
    # A zero in front says nothing beside a part of the day: 下午03:15.
    zero = _LEADING_ZERO.match(written) is not None and not m.has("padded")
    certain = hour not in _HALVES or zero or m.has("half") or m.has("whole")
    if m.has("half"):
        hour = hour % _NOON + _NOON * (m.worth("half") == "pm")
    clock = Clock(hour=hour, minute=minute, certain=certain)
    return _beside(m, clock) if m.has("n") or m.has("by") else clock


def _beside(m: Match, hour_shown: Clock) -> Clock | None:
    """Return the clock of minutes beside an hour: quarter past nine, ten to one, and half nine as German has it.

    "Five to six pm" may be from five to six, and "nine to ten" is: then it is None.
    """
    minutes = m.worth("by" if m.has("by") else "n")
    after, figures = m.has("side") and m.worth("side") > 0, m.text("n").isdigit()
    if not minutes or int(minutes) not in _MINUTES or (m.has("by") and m.has("n")):
        return None
    if (minutes % 5 or (m.has("half") and figures and not after)) and not m.has("minutes"):
        return None
    hour, minute = divmod(hour_shown.hour * 60 + int(minutes if after else -minutes), 60)
    return replace(hour_shown, hour=hour % len(_HOURS) or (0 if hour_shown.certain else _NOON), minute=minute)


def clock(m: Match) -> Said | None:
    """Read "at 9", "9:30 pm", "9 o'clock", "9点", "quarter past 9", "noon". How sure it is depends on what stands with
    it."""
    if m.has("clock"):
        named = m.worth("clock")
        if m.has("hour") and m.worth("hour") != _NOON:
            return None  # "12 noon"
        return named if isinstance(named, Said) else Said(clocks=(named,))
    shown, clear = _hands(m), m.has("sure") or m.has("by") or (m.has("half") and not m.has("n"))
    # "15h30" is a clock and "1h30" a length.
    if shown is None or (m.has("h") and not (clear or shown.certain)):
        return None
    # Chapter and verse: "read John 3:16 tomorrow" is no time, "call Oma 9:30 tomorrow" is.
    round_minute = m.has("minute") and shown.minute % 5 == 0
    if clear or (shown.certain and (m.has("minute") or m.has("word"))) or (round_minute and not m.has("word")):
        return Said(clocks=(shown,))
    if m.has("word"):
        return Said(clocks=(shown,), strength=WEAK)
    return Said(clocks=(shown,), strength=FOLLOWING) if m.has("minute") or m.has("n") or m.has("before") else None


def clocks(each: Template, m: Match) -> Said | None:
    """Read several clocks ("at 9, 12 and 18:00"), each a match of a template, and each in the part of the day that was
    last said."""
    placed: list[Clock] = []
    part: Part | None = None
    for match in m.each("list", each):
        part = match.worth("part") or part
        shown = within(_hands(match), part)
        if shown is None or shown.hour not in _HOURS:
            return None
        placed.append(shown)
    return Said(clocks=tuple(placed)) if placed else None


def span(each: Template, m: Match) -> Said | None:
    """Read from one clock to another on a day ("9am to 5pm"), each a match of a template.

    "9 to 5" ends in the afternoon, "1 to 3 pm" begins there, too; when "8 to 10 pm" begins nobody knows.
    """
    ends = [*m.each("list", each)]
    if len(ends) != _ENDS:
        return None
    first, last = ends
    half_said = last.has("half")
    begins, stops = _minutes(first, either=half_said), _minutes(last, either=True)
    pairs = [(begin, stop) for begin in begins for stop in stops if begin < stop]
    return Said(span=pairs[0]) if len(pairs) == 1 or (pairs and not half_said) else None


def _minutes(m: Match, *, either: bool) -> list[int]:
    """Return the minute of a day that a clock shows; that of either half of it where both may be meant, but not in the
    night ("2 to 6")."""
    clock = within(_hands(m), m.worth("part"))
    if clock is None:
        return []
    hours = (clock.hour, clock.hour + _NOON) if either and not clock.certain else (clock.hour,)
    return [60 * hour + clock.minute for hour in hours if clock.certain or hour not in _NIGHT]


def day(m: Match) -> Said | None:
    """Read "tomorrow evening", "Friday of next week", "a week from Friday", "3 May", "the first Tuesday of October",
    "on Easter", "two days before Christmas", "the day after Easter"."""
    named, ahead = _day(m), _length(m) if m.has("unit") else None
    clock = _built(Clock, m) if m.has("hour") else None
    # Of what comes at no hour only days can be counted.
    uncounted = m.has("unit") and (ahead is None or ahead.months or ahead.seconds)
    if named is None or uncounted or (m.has("hour") and not clock):
        return None
    if ahead and m.has("after"):
        ahead = Delay(days=-ahead.days)
    whole = isinstance(named, Date | Weekday) and not any(map(m.has, ("weekday", "day", "last", "one")))
    return Said(day=named, clocks=(clock,) if clock else (), part=m.worth("part"), whole=whole, ahead=ahead)


def _day(m: Match) -> Day | None:
    """Return the day that is named; None where no calendar has it."""
    if m.has("holiday"):
        feast: Date | Holiday | NthWeekday = m.worth("holiday")
        return replace(feast, years=m.worth("years")) if m.has("years") else feast
    if m.has("nth"):
        return _built(NthWeekday, m)
    if any(map(m.has, ("day", "last", "month", "months", "one"))):
        return _date(m)
    which, later, following = m.worth("which"), int(m.worth("weeks") or 0), m.has("next")
    if not m.has("weekday") and which is None:
        return InDays(days=(m.worth("near") or 0) + 7 * later)
    doubtful = following and which is None
    weeks, weekday = 1 if doubtful else which, m.worth("weekday") or 0
    return Weekday(weekday=weekday, weeks=weeks, doubtful=doubtful, later=later, weekend=m.has("weekend"))


def _date(m: Match) -> Date | None:
    """Return a date: 27 November, Friday the 13th, 2026-11-27, the last day of next month; 3/5, which is March 5, or
    else 3 May."""
    given = {"day": -1 if m.has("last") else m.worth("day") if m.has("day") else 1}
    if m.has("one"):
        first, second = m.worth("one"), m.worth("two")
        swapped, either = first not in _MONTHS, first in _MONTHS and second in _MONTHS and first != second
        given = {"day": first if swapped else second, "month": second if swapped else first, "doubtful": either}
    if m.has("year") and len(m.text("year")) < _LONG_YEAR:
        given["year"] = m.worth("year") + (_CENTURY if m.worth("year") < _LAST_CENTURY else _CENTURY - _HUNDRED)
    return None if m.has("year") and m.has("years") else _built(Date, m, **given)


def every(m: Match) -> Said | None:
    """Read "hourly", "every 3 days", "every other Monday", "the last Friday of the month", "every 3 May"."""
    n, dates, days = _amount(m) + m.has("apart"), m.all("dates", "monthday"), frozenset(m.all("days", "weekday"))
    if m.has("cycle"):
        cycle: Every | None = m.worth("cycle")
        if cycle and days:
            cycle = replace(cycle, weekdays=days) if cycle.unit == "week" else None
        return Said(every=cycle, part=m.worth("part")) if cycle else None
    unit, also = m.worth("unit"), frozenset(dates[1:]) - frozenset(dates[:1])
    if unit == "hour" and n != int(n):
        unit, n = "minute", round(n * 60)
    if m.has("nth"):
        days = frozenset({m.worth("weekday")})
    elif m.has("first"):
        days = frozenset(range(m.worth("first"), m.worth("last") + 1))
    usual_unit = "month" if dates or m.has("nth") else "year" if m.has("month") else "week" if days else "day"
    # "The last Friday of the month" may be that of this month, "Tuesday and Thursday" the next ones.
    single = m.has("single") and not m.has("each") and not also
    known = n == int(n) >= 1 + m.has("more") and all(day in _KNOWN["day"] for day in also)
    if not known or (m.has("first") and len(days) < _ENDS) or (days and unit not in {None, "week"}):
        return None
    day = dates[0] if dates else m.worth("day")
    repeated = _built(Every, m, unit=unit or usual_unit, n=int(n), weekdays=days, day=day, also=also, doubtful=single)
    return Said(every=repeated, part=m.worth("part")) if repeated else None


def without(m: Match) -> Said:
    """Read "but on Sundays", "but on weekends"; "but on holidays" where no day is said."""
    days = frozenset(m.all("but", "weekday")) | (m.worth("free") or frozenset())
    return Said(but=days or None, but_holidays=not days)


def lasting(m: Match) -> Said | None:
    """Read "for 7 days" and "for the next hour". "For an hour" is how long one does a thing, and ends no series."""
    delay = _length(m)
    if delay is None or (delay.seconds and not m.has("sure")):
        return None
    return Said(until=Said(delay=delay), strength=WEAK)


Kind = Callable[[Match], Said | None]
# What reads each kind. Of the kinds `clocks` and `span` the reader knows what one clock is (`times.py`).
KINDS: Mapping[str, Kind] = {
    "length": lambda m: Said(delay=delay, strength=WEAK) if (delay := _length(m)) else None,
    "clock": clock,
    "part": lambda m: Said(part=m.worth("part")),
    "day": day,
    "every": every,
    "without": without,
    "lasting": lasting,
    "until": lambda m: Said(until=Said()),
    "closing": lambda m: Said(strength=BEHIND),
    "zone": lambda m: Said(zone=m.worth("zone"), strength=FOLLOWING) if m.worth("zone") else None,
}

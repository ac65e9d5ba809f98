"""What the groups of a template say of a time: a length, a clock, a day, or what comes again.

The groups have the same names in every language, and what is not named is not said. So a language never has code for
what a date is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from core.kernel.timing.expressions import Clock, Date, Delay, Every, Holiday, InDays, NthWeekday, Weekday
from core.language.engine.said import BEHIND, CLOSED, FOLLOWING, OPEN, STRONG, WEAK, Day, Said, on_weekday, within
from core.language.engine.templates import Match

NOON, HALVES, HOURS, MINUTES = 12, range(1, 13), range(24), range(60)
MONTHS, MONTH_DAYS, YEARS = range(1, 13), range(1, 32), range(1900, 10_000)
# Months, days and seconds of a unit; as many pairs of a number and a unit may stand side by side.
SIZES: Mapping[str, tuple[int, int, int]] = {
    "year": (12, 0, 0), "month": (1, 0, 0), "week": (0, 7, 0), "day": (0, 1, 0), "hour": (0, 0, 3_600),
    "minute": (0, 0, 60), "second": (0, 0, 1),
}  # fmt: skip
_RANK = {name: n for n, name in enumerate(SIZES)}
_PAIRS = ("", "1", "2", "3", "4", "5", "6")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
_LEADING_ZERO = re.compile("[0零]")
# A number and a unit that is a letter alone, where no figure stands before it: "a m".
_LETTER = re.compile(r"(?:.*\D)?\|[a-z]")
# What is no clock: "at 2026"; and what is a century in short.
_YEARS_NEAR, _CENTURY, _HUNDRED, _LONG_YEAR = range(2020, 2100), 2_000, 100, 3
# The classes of words that are a Saturday or a Sunday ("weekend"; Chinese says it as one of the days of a week).
_WEEKENDS = frozenset({"weekend", "end"})
_NTHS, _HALF, _NIGHT = (-1, 1, 2, 3, 4, 5), 30, range(1, 6)


def number(m: Match, name: str) -> float | None:
    """A number in figures, also with a part behind a point, or in a word."""
    text = m.text(name)
    if _NUMBER.fullmatch(text):
        return float(text.replace(",", "."))
    worth = m.worth(name)
    return None if worth is None else float(worth)


def _is_letter(m: Match, pair: str = "") -> bool:
    return _LETTER.fullmatch(f"{m.text(f'n{pair}')}|{m.text(f'unit{pair}')}") is not None


def length(m: Match) -> Said | None:
    """In 20 minutes, 2h 30m, half an hour, 1 day 2 hours; in 1h30, which is no clock with "in"."""
    months = days = seconds = 0.0
    last = -1
    for pair in _PAIRS:
        if not m.has(f"unit{pair}"):
            continue
        unit, n = m.worth(f"unit{pair}"), number(m, f"n{pair}") if m.has(f"n{pair}") else 1
        if n is None or _RANK[unit] <= last or _is_letter(m, pair):
            return None
        n, last = n + 0.5 * m.has(f"half{pair}"), _RANK[unit]
        months, days, seconds = (sum + n * one for sum, one in zip((months, days, seconds), SIZES[unit], strict=True))
    if m.has("length"):
        months, days, seconds = (sum + n for sum, n in zip((months, days, seconds), m.worth("length"), strict=True))
    if m.has("hour"):
        seconds = m.worth("hour") * 3_600 + m.worth("minute") * 60
    if months != int(months) or days != int(days) or not (months or days or round(seconds)):
        return None
    delay = Delay(months=int(months), days=int(days), seconds=round(seconds))
    return Said(delay=delay, strength=STRONG if m.has("sure") else WEAK)


def hands(m: Match) -> Clock | None:
    """The hands of a clock; without am or pm they are certain only where nobody can mean the other half of the day."""
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
    if hour not in HOURS or minute not in MINUTES or (m.has("half") and hour not in HALVES):
        return None
    if m.has("half"):
        found = Clock(hour=hour % NOON + NOON * (m.worth("half") == "pm"), minute=minute)
    else:
        # A zero in front says nothing beside a part of the day: 下午03:15.
        zero = _LEADING_ZERO.match(written) and not m.has("padded")
        certain = hour not in HALVES or m.has("whole") or bool(zero)
        found = Clock(hour=hour, minute=minute, certain=certain)
    return _beside(m, found) if m.has("n") or m.has("by") else found


def _beside(m: Match, found: Clock) -> Clock | None:
    """Quarter past nine, ten to one, and half nine as German has it: minutes beside an hour. "Five to six pm" may be
    from five to six, and "nine to ten" is."""
    minutes = m.worth("by") if m.has("by") else number(m, "n")
    after, figures = m.has("side") and m.worth("side") > 0, m.text("n").isdigit()
    if not minutes or int(minutes) not in MINUTES or (m.has("by") and m.has("side") and not after and minutes == _HALF):
        return None
    if (minutes % 5 or (m.has("half") and figures and not after)) and not m.has("minutes"):
        return None
    if after:
        return replace(found, minute=int(minutes))
    hour = (found.hour - 1) % 24
    return replace(found, hour=hour or (0 if found.certain else NOON), minute=60 - int(minutes))


def clock(m: Match) -> Said | None:
    """At 9, 9:30 pm, 9 o'clock, 9点, quarter past 9, noon: how sure it is depends on what stands with it."""
    if m.has("clock"):
        named = m.worth("clock")
        if m.has("hour") and m.worth("hour") != NOON:
            return None  # "12 noon"
        return named if isinstance(named, Said) else Said(clocks=(named,))
    found, clear = hands(m), m.has("sure") or m.has("by") or (m.has("half") and not m.has("n"))
    # "3.05" is a number, "15h30" a clock and "1h30" a length.
    if found is None or (m.has("dot") and not clear) or (m.has("h") and not (clear or found.certain)):
        return None
    # Chapter and verse: "read John 3:16 tomorrow" is no time, "call Oma 9:30 tomorrow" is.
    shown = m.has("minute") and found.minute % 5 == 0
    if clear or (found.certain and (m.has("minute") or m.has("word"))) or (shown and not m.has("word")):
        return Said(clocks=(found,))
    if m.has("word"):
        return Said(clocks=(found,), strength=WEAK)
    return Said(clocks=(found,), strength=FOLLOWING) if m.has("minute") or m.has("n") or m.has("before") else None


def part(m: Match) -> Said:
    """In the morning."""
    return Said(part=m.worth("part"))


def day(m: Match) -> Said | None:
    """Tomorrow evening, Friday of next week, a week from Friday, 3 May, the first Tuesday of October, on Easter, two
    days before Christmas, the day after Easter."""
    found, said = _day(m), length(m) if m.has("unit") else None
    ahead = said.delay if said else Delay(days=1) if m.has("dayahead") else None
    # Of what comes at no hour only days can be counted.
    if (m.has("unit") and not ahead) or (ahead and (ahead.months or ahead.seconds)):
        return None
    if ahead and m.has("after"):
        ahead = Delay(days=-ahead.days)
    if found is None or not m.has("hour"):
        whole = m.has("week") or (isinstance(found, Date) and not any(map(m.has, ("day", "last", "one"))))
        return Said(day=found, part=m.worth("part"), whole=whole, ahead=ahead) if found else None
    at = Clock(hour=m.worth("hour"), minute=m.worth("minute"))
    return Said(day=found, clocks=(at,)) if at.hour in HOURS else None


def _day(m: Match) -> Day | None:
    weekday, later = m.worth("weekday"), int(m.worth("weeks") or 0)
    if m.has("holiday"):
        return _in_year(m.worth("holiday"), m.worth("years"))
    if m.has("nth"):
        nth, month, months = m.worth("nth"), m.worth("month"), m.worth("months") or 0
        return NthWeekday(weekday=weekday, nth=nth, month=month, months=months) if nth in _NTHS else None
    if any(m.has(name) for name in ("day", "last", "month", "months", "one")):
        return _date(m)
    if m.has("week"):
        return Weekday(weekday=0, weeks=m.worth("week"))
    if weekday is None:
        return InDays(days=(m.worth("near") or 0) + 7 * later)
    which, following = m.worth("which"), m.has("next")
    doubtful = following and which is None
    weeks, weekend = 1 if doubtful else which, m.cls("weekday") in _WEEKENDS
    return Weekday(weekday=weekday, weeks=weeks, doubtful=doubtful, later=later, weekend=weekend)


def _in_year(feast: Date | Holiday | NthWeekday, years: int | None) -> Day:
    """A feast of the next year that has one to come, or so many years after this one."""
    if years is None:
        return feast
    return replace(feast, months=12 * years) if isinstance(feast, NthWeekday) else replace(feast, years=years)


def _date(m: Match) -> Date | None:
    """27 November, Friday the 13th, 2026-11-27, the last day of next month; 3/5, which is March 5, or else 3 May. None
    when no calendar can have it."""
    number = -1 if m.has("last") else m.worth("day") if m.has("day") else 1
    month, year, either = m.worth("month"), m.worth("year"), False
    if m.has("one"):
        month, number = m.worth("one"), m.worth("two")
        either = month in MONTHS and number in MONTHS and month != number
        month, number = (month, number) if month in MONTHS else (number, month)
    if number not in (-1, *MONTH_DAYS) or (month is not None and month not in MONTHS):
        return None
    if year is not None:
        year = year + _CENTURY if len(m.text("year")) < _LONG_YEAR else year
        if year not in YEARS or m.has("years"):
            return None
    date = Date(day=number, month=month, year=year, years=m.worth("years"), months=m.worth("months"), doubtful=either)
    return on_weekday(date, m.worth("weekday"))


def every(m: Match) -> Said | None:
    """Hourly, every 3 days, every other Monday, the last Friday of the month, every 3 May."""
    found = _every(m)
    return Said(every=found, part=m.worth("part")) if found else None


def _every(m: Match) -> Every | None:
    n, unit = number(m, "n") if m.has("n") else 1, m.worth("unit")
    days, dates = frozenset(m.all("days", "weekday")), m.all("dates", "monthday")
    # "The last Friday of the month" may be that of this month, "Tuesday and Thursday" the next ones.
    single = m.has("single") and not m.has("each")
    if n is None or _is_letter(m):
        return None
    n += 0.5 * m.has("half") + m.has("apart")
    if unit == "hour" and n != int(n):
        return Every(unit="minute", n=round(n * 60))
    count, known = int(n), n >= 1 + m.has("more") and n == int(n)
    if m.has("cycle"):
        found: Every | None = m.worth("cycle")
        return found if not days else replace(found, weekdays=days) if found and found.unit == "week" else None
    if m.has("nth"):
        known, found = (
            known and m.worth("nth") in _NTHS,
            Every(unit="month", n=count, nth=m.worth("nth"), weekdays=frozenset({m.worth("weekday")}), doubtful=single),
        )
    elif dates:
        known = known and all(one == -1 or one in MONTH_DAYS for one in dates)
        also = frozenset(dates[1:]) - {dates[0]}
        found = Every(unit="month", n=count, day=dates[0], also=also, doubtful=single and not also)
    elif m.has("month"):
        known = known and m.worth("day") in MONTH_DAYS and m.worth("month") in MONTHS
        found = Every(unit="year", n=count, day=m.worth("day"), month=m.worth("month"))
    elif m.has("first"):
        days = frozenset(range(m.worth("first"), m.worth("last") + 1))
        known, found = len(days) > 1, Every(unit="week", weekdays=days)
    elif unit:
        known, found = known and (not days or unit == "week"), Every(unit=unit, n=count, weekdays=days)
    else:
        found = Every(unit="week", n=count, weekdays=days, doubtful=single) if days else Every(unit="day")
    return found if known else None


def minutes(m: Match, *, either: bool) -> list[int]:
    """The minute of a day that a clock shows; that of either half of it where both may be meant, but not in the night
    ("2 to 6")."""
    clock, part = hands(m), m.worth("part")
    placed, later = (clock and part and within(clock, part)) or (clock, 0)
    if placed is None:
        return []
    hours = (placed.hour, placed.hour + NOON) if either and not placed.certain else (placed.hour + later * len(HOURS),)
    return [60 * hour + placed.minute for hour in hours if placed.certain or hour not in _NIGHT]


def without(m: Match) -> Said:
    """But on Sundays, but on weekends; but on holidays, where no day is said."""
    days = frozenset(m.all("but", "weekday")) | (m.worth("free") or frozenset())
    return Said(but=days or None, but_holidays=not days)


def lasting(m: Match) -> Said | None:
    """For 7 days; for the next hour. "For an hour" alone is how long one does a thing, and ends no series."""
    found = length(m)
    if found is None or found.delay is None or (found.delay.seconds and not m.has("sure")):
        return None
    return Said(until=found.delay, strength=STRONG if m.has("sure") else WEAK)


Kind = Callable[[Match], Said | None]
KINDS: Mapping[str, Kind] = {
    "length": length,
    "clock": clock,
    "part": part,
    "day": day,
    "every": every,
    "without": without,
    "lasting": lasting,
    "until": lambda m: Said(until=OPEN),
    "closing": lambda m: Said(until=CLOSED, strength=BEHIND),
    "zone": lambda m: Said(zone=m.worth("zone"), strength=FOLLOWING) if m.worth("zone") else None,
}

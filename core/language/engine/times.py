"""Reads times in a language: what each kind of template says, and the longest certain time from a place on.

A language names a kind and gives the template; the groups have the same names in every language, and what is not named
is not said. A piece is read where it stands or not at all, and pieces are put together by what they say; so the cost
grows with the length of the text and nothing else.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from core.kernel.timing.expressions import Clock, Date, Delay, Every, Expression, InDays, NthWeekday, Unit, Weekday
from core.language.engine.said import (
    BEHIND,
    FOLLOWING,
    STRONG,
    WEAK,
    Part,
    Said,
    Scan,
    expression,
    join,
    on_weekday,
    unsigned,
    within,
)
from core.language.engine.templates import Match, compiled, expanded
from core.language.engine.tokens import FOLD, Alphabet, Tokens

Kind = Callable[[Match], Said | None]
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
_YEARS_NEAR = range(2020, 2100)
_CENTURY, _HUNDRED, _FULL_YEAR = 2_000, 100, 4
_MOST_CLOCKS, _HALF = 12, 30
_NIGHT = range(1, 6)
# So long is a text at most that is a time and nothing else; so many pieces one has, and so long is what stands behind.
_LONGEST, _PIECES, _POLITE = 200, 6, 24
_NEVER = re.compile("(?!)")
Row = tuple[str, str] | tuple[str, str, int]


def number(m: Match, name: str) -> float | None:
    """A number in figures, also with a part behind a point, or in a word."""
    text = m.text(name)
    if _NUMBER.fullmatch(text):
        return float(text.replace(",", "."))
    worth = m.worth(name)
    return None if worth is None else float(worth)


def count(m: Match, name: str = "n") -> int | None:
    """The n of "every n days", which is 1 when none is said; None when that is no whole number."""
    if not m.has(name):
        return 1
    n = number(m, name)
    apart = 1 if m.has("apart") else 0
    return int(n) + apart if n is not None and n >= 1 and n == int(n) else None


# Lengths.


def delay(m: Match) -> Said | None:
    """In 20 minutes, 2h 30m, half an hour, 1 day 2 hours."""
    months = days = seconds = 0.0
    last = ""
    for pair in _PAIRS:
        if not m.has(f"unit{pair}"):
            continue
        unit = m.worth(f"unit{pair}")
        n = number(m, f"n{pair}")
        if (
            n is None
            or (last and _RANK[unit] <= _RANK[last])
            or _LETTER.fullmatch(f"{m.text(f'n{pair}')}|{m.text(f'unit{pair}')}")
        ):
            return None
        more = 0.5 if m.has(f"half{pair}") else 0
        size = SIZES[unit]
        months, days, seconds = (
            total + (n + more) * one for total, one in zip((months, days, seconds), size, strict=True)
        )
        last = unit
    if m.has("length"):
        length = m.worth("length")
        months, days, seconds = months + length[0], days + length[1], seconds + length[2]
    if months != int(months) or days != int(days) or not (months or days or round(seconds)):
        return None
    return Said(
        delay=Delay(months=int(months), days=int(days), seconds=round(seconds)),
        strength=STRONG if m.has("sure") else WEAK,
    )


def hours(m: Match) -> Said | None:
    """In 1h30: with "in" it is no clock."""
    return Said(delay=Delay(seconds=m.worth("hour") * 3_600 + m.worth("minute") * 60))


# Clocks.


def hands(m: Match) -> Clock | None:
    """The hands of a clock; without am or pm they are certain only where nobody can mean the other half of the day."""
    hour, minute = m.worth("hour"), m.worth("minute") or 0
    written = m.text("hour")
    if m.has("hands"):
        if m.worth("hands") in _YEARS_NEAR and not m.has("half"):
            return None  # "at 2026" is no clock
        hour, minute = divmod(m.worth("hands"), _HUNDRED)
        written = m.text("hands") if len(m.text("hands")) > _FULL_YEAR - 1 else ""
    minute += m.worth("fraction") or 0
    if hour is None or minute not in MINUTES:
        return None
    if m.has("half"):
        return Clock(hour=hour % NOON + NOON * (m.worth("half") == "pm"), minute=minute) if hour in HALVES else None
    if hour not in HOURS:
        return None
    certain = hour not in HALVES or m.has("whole") or bool(_LEADING_ZERO.match(written))
    return Clock(hour=hour, minute=minute, certain=certain)


def clock(m: Match) -> Said | None:
    """At 9, 9:30 pm, 9 o'clock. Without such a word it is one with minutes, or before a part of the day."""
    found, clear = hands(m), m.has("sure") or m.has("half")
    if found is None or (m.has("dot") and not clear):
        return None
    if m.has("things") and found.minute % 5:
        return None  # "um 18 Uhr 24 Bier kaufen" may be at 18:00, and 24 of them
    if clear:
        return Said(clocks=(found,))
    if not m.has("minute"):
        return Said(clocks=(found,), strength=FOLLOWING) if m.has("before") else None
    # Chapter and verse: "read John 3:16 tomorrow" is no time, "call Oma 9:30 tomorrow" is.
    return Said(clocks=(found,), strength=STRONG if found.certain or found.minute % 5 == 0 else FOLLOWING)


def spelled(m: Match) -> Said | None:
    """Nine thirty."""
    found = hands(m)
    return Said(clocks=(found,), strength=STRONG if m.has("sure") or m.has("half") else FOLLOWING) if found else None


def spoken(m: Match) -> Said | None:
    """9点, 9点半: an hour alone may also be a number of points."""
    found = hands(m)
    return Said(clocks=(found,), strength=STRONG if found.certain or m.has("sure") else WEAK) if found else None


def padded(m: Match) -> Said | None:
    """The same beside a part of the day, where a zero in front says nothing: 下午03:15."""
    found = hands(m)
    return Said(clocks=(replace(found, certain=False),)) if found and found.hour in HALVES else None


def bare(m: Match) -> Said | None:
    """A number that is an hour only behind a day: "tomorrow 9"."""
    found = hands(m)
    return Said(clocks=(found,), strength=BEHIND) if found else None


def evening_clock(m: Match) -> Said | None:
    """15h30: from 13 on it is a clock, and with a word such as "at"; else as likely a length."""
    found = hands(m)
    return Said(clocks=(found,)) if found and (m.has("sure") or found.certain) else None


def beside(m: Match) -> Said | None:
    """Quarter past nine, ten to one, and half nine as German has it: minutes beside an hour. "Five to six pm" may be
    from five to six, and "nine to ten" is."""
    minutes = m.worth("by") if m.has("by") else number(m, "n")
    after = m.has("side") and m.worth("side") > 0
    figures = m.text("n").isdigit()
    if (
        minutes is None
        or (m.has("by") and m.has("side") and not after and minutes == _HALF)
        or ((minutes % 5 or (m.has("half") and figures and not after)) and not m.has("minutes"))
    ):
        return None
    found = hands(m)
    if found is None or int(minutes) not in MINUTES or not minutes:
        return None
    if after:
        found = replace(found, minute=int(minutes))
    else:
        hour = (found.hour - 1) % 24
        found = replace(found, hour=hour or (0 if found.certain else NOON), minute=60 - int(minutes))
    return Said(clocks=(found,), strength=STRONG if m.has("sure") or m.has("by") else FOLLOWING)


def named(m: Match) -> Said:
    """Noon, midnight. "Friday at midnight" may be the one that begins the day, or the one that ends it."""
    found = m.worth("clock")
    if isinstance(found, Said):
        return found
    return Said(clocks=(found,), strength=STRONG if m.has("sure") else WEAK)


def part(m: Match) -> Said:
    """In the morning."""
    return Said(part=m.worth("part"))


# Days.


def today(m: Match) -> Said:
    """Today, tomorrow evening, a week from tomorrow."""
    later = 7 * int(m.worth("weeks") or 0)
    return Said(day=InDays(days=(m.worth("day") or 0) + later), part=m.worth("part"))


def weekday(m: Match) -> Said:
    """On Friday, next Friday, Friday of this week, a week from Friday."""
    following, which = m.has("next"), m.worth("which")
    day = Weekday(
        weekday=m.worth("day"),
        weeks=1 if which is None and following else which,
        doubtful=following and which is None,
        later=int(m.worth("weeks") or 0),
    )
    sure = following or which is not None or m.has("part") or m.has("sure")
    return Said(day=day, part=m.worth("part"), strength=STRONG if sure else WEAK)


def week(m: Match) -> Said:
    """Next week: its first day."""
    return Said(day=Weekday(weekday=0, weeks=m.worth("which")))


def date(m: Match) -> Said | None:
    """27 November, Friday the 13th, 27.11.2026, 2026-11-27T17:00; None when no calendar can have it."""
    day, month, year = m.worth("day"), m.worth("month"), m.worth("year")
    if day not in MONTH_DAYS or (month is not None and month not in MONTHS):
        return None
    if year is not None:
        year = year + _CENTURY if len(m.text("year")) < _FULL_YEAR - 1 else year
        if year not in YEARS or m.has("years"):
            return None
    found = on_weekday(Date(day=day, month=month, year=year, years=m.worth("years")), m.worth("weekday"))
    if found is None:
        return None
    if not m.has("hour"):
        return Said(day=found)
    at = Clock(hour=m.worth("hour"), minute=m.worth("minute"))
    return Said(day=found, clocks=(at,)) if at.hour in HOURS else None


def slashed(m: Match) -> Said | None:
    """3/5 is March 5, or else 3 May; 27/11 can be but one of them."""
    first, second, year = m.worth("one"), m.worth("two"), m.worth("year")
    month, day = (second, first) if first not in MONTHS else (first, second)
    if day not in MONTH_DAYS or month not in MONTHS:
        return None
    if year is not None and len(m.text("year")) < _FULL_YEAR:
        year += _CENTURY
    either = first in MONTHS and second in MONTHS and first != second
    return Said(day=Date(day=day, month=month, year=year, doubtful=either))


def month_day(m: Match) -> Said | None:
    """On the 15th, the last day of next month, the end of the month, next month."""
    day = -1 if m.has("last") else m.worth("day") if m.has("day") else 1
    if day != -1 and day not in MONTH_DAYS:
        return None
    return Said(day=Date(day=day, months=m.worth("months")))


def nth_day(m: Match) -> Said | None:
    """The first Tuesday of October, the last Friday of next month."""
    nth = m.worth("nth")
    if not -1 <= nth <= _PAIRS.index("5") or not nth:
        return None
    day = NthWeekday(weekday=m.worth("weekday"), nth=nth, month=m.worth("month"), months=m.worth("months") or 0)
    return Said(day=day, part=m.worth("part"))


def holiday(m: Match) -> Said | None:
    """On Christmas Eve, on Easter Monday; of a year that was said."""
    day = m.worth("holiday")
    return Said(day=replace(day, years=m.worth("years")) if m.has("years") else day, part=m.worth("part"))


# What comes again.


def cycle(m: Match) -> Said | None:
    """Hourly, every fortnight, every half hour, weekly on Friday."""
    every: Every = m.worth("cycle")
    days = frozenset(m.all("days", "weekday"))
    if days and every.unit != "week":
        return None
    return Said(every=replace(every, weekdays=days or every.weekdays), part=m.worth("part"))


def unit(m: Match) -> Said | None:
    """Every 3 days, every other week on Monday, every 1.5 hours."""
    name: Unit = m.worth("unit")
    if name == "hour" and m.has("n") and (many := number(m, "n")) is not None:
        many += 0.5 if m.has("half") else 0
        if many != int(many):
            return Said(every=Every(unit="minute", n=round(many * 60)))
    if _LETTER.fullmatch(f"{m.text('n')}|{m.text('unit')}"):
        return None
    n, days = count(m), frozenset(m.all("days", "weekday"))
    if n is None or (days and name != "week"):
        return None
    return Said(every=Every(unit=name, n=n, weekdays=days))


def each_part(m: Match) -> Said:
    """Every morning."""
    return Said(every=Every(unit="day"), part=m.worth("part"))


def weekdays(m: Match) -> Said | None:
    """Every Monday and Thursday; Mondays; every other Monday."""
    days, n = frozenset(m.all("days", "weekday")), count(m)
    return Said(every=Every(unit="week", n=n, weekdays=days), part=m.worth("part")) if days and n else None


def span(m: Match) -> Said | None:
    """Monday to Friday."""
    first, last = m.worth("first"), m.worth("last")
    return Said(every=Every(unit="week", weekdays=frozenset(range(first, last + 1)))) if first < last else None


def nth_weekday(m: Match) -> Said | None:
    """The last Friday of the month, every 2 months on the first Monday."""
    n, nth = count(m), m.worth("nth")
    if n is None or not -1 <= nth <= _PAIRS.index("5") or not nth:
        return None
    every = Every(unit="month", n=n, nth=nth, weekdays=frozenset({m.worth("weekday")}))
    return Said(every=every, part=m.worth("part"))


def month_days(m: Match) -> Said | None:
    """On the 1st and 15th of each month, monthly on the last day."""
    n, days = count(m), m.all("days", "monthday")
    if n is None or not days or not all(day == -1 or day in MONTH_DAYS for day in days):
        return None
    return Said(every=Every(unit="month", n=n, day=days[0], also=frozenset(days[1:]) - {days[0]}))


def yearly(m: Match) -> Said | None:
    """Every 3 May."""
    day, month, n = m.worth("day"), m.worth("month"), count(m)
    if day not in MONTH_DAYS or month not in MONTHS or n is None:
        return None
    return Said(every=Every(unit="year", n=n, day=day, month=month))


def window(m: Match) -> Said | None:
    """Every 4 hours between 8 and 20: at 8, 12, 16 and 20; on some days only, where they are said. An end that is
    before the begin is one in the afternoon. "Every hour from 2 to 6" may be in the night."""
    n, begin, end = count(m), m.worth("from"), m.worth("to")
    if n is None or begin not in HOURS or end not in HOURS:
        return None
    first, last = m.worth("frompart"), m.worth("topart")
    if first and (placed := within(Clock(hour=begin, certain=begin not in HALVES), first)):
        begin = placed[0].hour
    if last and (placed := within(Clock(hour=end, certain=end not in HALVES), last)):
        end = placed[0].hour
    end = end + NOON if not last and end <= begin and end in HALVES else end
    every = range(begin, min(end, max(HOURS)) + 1, n)
    if end <= begin or not 1 < len(every) <= _MOST_CLOCKS or (begin in _NIGHT and not first):
        return None
    clocks, working = tuple(Clock(hour=hour) for hour in every), m.worth("cycle")
    return Said(every=replace(working, clocks=clocks) if working else Every(unit="day", clocks=clocks))


KINDS: Mapping[str, Kind] = {
    one.__name__: one
    for one in (
        delay, hours, clock, spelled, spoken, padded, bare, evening_clock, beside, named, part, today, weekday, week,
        date, slashed,
        month_day, nth_day, holiday, cycle, unit, each_part, weekdays, span, nth_weekday, month_days, yearly, window,
    )
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Manners:
    """What may stand around a time that is a whole text: what it begins with, and politeness at its end.

    `behind` are words that only a time has behind it. With `ordinals` the point behind a number is a part of it. A
    `greeting` is no time.
    """

    lead: re.Pattern[str]
    polite: re.Pattern[str]
    behind: re.Pattern[str] = _NEVER
    ordinals: bool = False
    greeting: str = ""


_NO_MANNERS = Manners(lead=re.compile(""), polite=_NEVER)


def expanded_rows(rows: Iterable[Row], macros: Mapping[str, str]) -> tuple[Row, ...]:
    """Rows with what the words in capitals of their templates stand for."""
    return tuple((row[0], expanded(row[1], macros), *row[2:]) for row in rows)


class Reader:
    """Reads times with the templates of a language.

    Each row of `times` is a kind and a template, with its strength where no group of it is `sure`; the first that reads
    anything counts. `clock` is one clock in a list of several. `between` may stand between two pieces, and what
    `against` matches behind a time shows that it was none: "at 9 to 10".
    """

    def __init__(
        self,
        alphabet: Alphabet,
        times: Iterable[Row],
        *,
        clock: str,
        between: str,
        against: Sequence[str],
        manners: Manners = _NO_MANNERS,
    ) -> None:
        self.alphabet, self._manners = alphabet, manners
        self._clock = compiled(clock, alphabet)
        kinds = {**KINDS, "clocks": self._clocks}
        rows = [
            (compiled(text, alphabet, end=alphabet.end), kinds[kind], next(iter(strength), None))
            for kind, text, *strength in times
        ]
        codes = frozenset[str]().union(*(template.first for template, *_ in rows))
        # The templates that can begin with a code, in their order.
        self._rows = {code: tuple(row for row in rows if code in row[0].first) for code in codes}
        self._between = compiled(between, alphabet).pattern
        self._against = compiled("|".join(against), alphabet).pattern
        self.steps = 0  # how many templates have been tried

    def _clocks(self, match: Match) -> Said | None:
        """Several clocks, each in the part of the day that was last said."""
        found: list[Clock] = []
        day: Part | None = None
        for one in match.each("list", self._clock):
            day = one.worth("part") or day
            shown = hands(one)
            placed, later = (shown and day and within(shown, day)) or (shown, 0)
            if placed is None or later:
                return None
            found.append(placed)
        return Said(clocks=tuple(found)) if found else None

    def scan_tokens(self, tokens: Tokens, start: int, end: int, *, alone: bool = False) -> Scan | None:
        """The longest time from a token on, `end` the one behind it. When not `alone`, something in it must be sure to
        be time."""
        found: Scan | None = None
        at = start
        for _ in range(_PIECES):
            step: Scan | None = None
            for template, read, strength in self._rows.get(tokens.codes[at] if at < end else "", ()):
                self.steps += 1
                match = template.pattern.match(tokens.codes, at, end)
                if match is None or match.end() == at or match.end() in tokens.joined:
                    continue
                groups = Match(match, tokens, template)
                said = read(groups)
                if said and strength is not None:
                    said = replace(said, strength=STRONG if groups.has("sure") else strength)
                both = join(found.said, said) if said and found else said
                when = expression(both) if both else None
                if both and when:
                    step = Scan(when, both, match.end())
                    break
            if step is None:
                break
            if found is None and step.said.strength <= (BEHIND if alone else FOLLOWING):
                return None
            found = step
            gap = self._between.match(tokens.codes, step.end, end)
            at = gap.end() if gap else step.end
        return None if found is None or self._against.match(tokens.codes, found.end, end) else found

    def trimmed(self, text: str) -> int:
        """Where a folded text ends without politeness and the marks at its end."""
        end = len(text.rstrip(" .!?,;:…"))
        if polite := self._manners.polite.search(text, max(0, end - _POLITE), end):
            end = polite.start()
        return end + (self._manners.ordinals and text[end - 1 : end].isdigit() and text[end : end + 1] == ".")

    def when(self, text: str) -> Expression | None:
        """The time that a text is; None when anything else is in it."""
        if len(text) > _LONGEST:
            return None
        folded = unsigned(text).translate(FOLD)
        lead, end = self._manners.lead.match(folded), self.trimmed(folded)
        start = lead.end() if lead else 0
        if behind := self._manners.behind.search(folded, max(start, end - _POLITE), end):
            end = self.trimmed(folded[: behind.start()])
        if folded[start:end] == self._manners.greeting != "":
            return None
        tokens = self.alphabet.read(folded)
        first, last = bisect_left(tokens.starts, start), bisect_left(tokens.ends, end + 1)
        for one in (tokens, self.alphabet.forgiven(tokens)):
            found = self.scan_tokens(one, first, last, alone=True) if one else None
            if found and found.end == last:
                return found.when
        return None

    def clock(self, text: str) -> Clock | None:
        """The one clock that a folded text is, in its part of the day; None when it is none."""
        tokens = self.alphabet.read(text)
        match = self._clock.match(tokens, 0, len(tokens.codes))
        found = hands(match) if match and match.end == len(tokens.codes) else None
        if match is None or found is None or not match.has("part"):
            return found
        placed = within(found, match.worth("part"))
        return placed[0] if placed else None

"""What pieces of a phrase say about time, and what they come to together: "tomorrow" and "at 9", "every week" and
"Friday"."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date

from core.kernel.timing.expressions import (
    At,
    Clock,
    Date,
    Delay,
    Every,
    Expression,
    Holiday,
    InDays,
    NthWeekday,
    Weekday,
)
from core.language.engine.tokens import FOLD

Day = InDays | Weekday | Date | NthWeekday | Holiday
# How sure a piece is about time: one that is time only behind another ("9" in "tomorrow 9"), one that must follow
# another in a longer text ("morning"), one that is time only in good company ("3/5"), one that is by itself ("at 9").
BEHIND, FOLLOWING, WEAK, STRONG = -1, 0, 1, 2
# The word "until" before the time that it means, and what says so again behind that: "到周五为止".
OPEN, CLOSED = At(), Delay()
_PIECES = ("delay", "day", "clocks", "part", "every", "pace", "span", "but", "until", "ahead", "zone")
_SHORTEST_MONTH = 28
# Of a unit, in days; of a month as many as the longest has where it comes again, and the shortest where it lasts.
_DAYS = {"minute": 1 / 1440, "hour": 1 / 24, "day": 1, "week": 7, "month": 31, "year": 366}
# What comes several times a day, in minutes, and how often at most.
WITHIN_A_DAY = {"minute": 1, "hour": 60}
_MOST_CLOCKS, _LAST_MINUTE = 48, 1439
# From here on characters that are no letters are arrows, pictures and the like.
SIGNS = "\u2190"
_FIVE = (5, 17)
_WAKING = range(4, 12)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the day: when it is when no clock is given, and its first and last hour (24 is the midnight after)."""

    hour: int
    first: int
    last: int


MORNING, AFTERNOON, EVENING, NIGHT = Part(9, 0, 12), Part(15, 12, 18), Part(19, 16, 24), Part(20, 18, 28)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """Holds what has been said about a time so far. `ahead` is how long before its day the time is; `zone` is the IANA
    name of the zone whose clock is meant. A time is `whole` when a week or a month was named: its day is the first of
    that. A `span` is from which minute of a day to which it comes, a `pace` how often then where `every` says the days;
    on the days of a week in `but` it does not come, and after `until` no more.
    """

    delay: Delay | None = None
    day: Day | None = None
    clocks: tuple[Clock, ...] = ()
    part: Part | None = None
    every: Every | None = None
    pace: Every | None = None
    span: tuple[int, int] | None = None
    but: frozenset[int] | None = None
    until: At | Delay | None = None
    ahead: Delay | None = None
    zone: str | None = None
    but_holidays: bool = False
    whole: bool = False
    strength: int = STRONG


@dataclass(frozen=True, slots=True)
class Scan:
    """A time that was read: what it says, and where the reading ended."""

    when: Expression
    said: Said
    end: int


def join(one: Said, other: Said) -> Said | None:
    """Both together; None when they say the same thing twice."""
    if one.every and other.every and not (one.pace or other.pace):
        # "Every weekday" and "every hour".
        if other.every.unit in WITHIN_A_DAY:
            other = replace(other, every=None, pace=other.every)
        elif one.every.unit in WITHIN_A_DAY:
            one = replace(one, every=None, pace=one.every)
    if one.until == OPEN or other.until == CLOSED:
        return _ended(one, other)
    if isinstance(one.until, At) and _is_part(other) and (one.clocks or not one.every):
        return one if one.clocks else None  # "every day at 9 until Friday" "evening"
    if isinstance(one.until, At) and one.until.clock and other.clocks:
        return None  # "until tomorrow evening" "at 8"
    ends = other.until or (isinstance(one.until, Delay) and one.strength == STRONG)
    if ends and (one.clocks or other.clocks) and not (one.every or one.day or one.delay or other.every or other.day):
        one = replace(one, every=Every(unit="day", doubtful=True))  # "at 8 for 7 days"
    both = {name: (getattr(one, name), getattr(other, name)) for name in _PIECES}
    if any(first and second for first, second in both.values()):
        return None
    if other.strength == BEHIND and one.day and not isinstance(one.day, InDays):
        return None  # "Friday 9" may be the 9th
    said = {name: first or second for name, (first, second) in both.items()}
    whole, strength = one.whole or other.whole, max(one.strength, other.strength)
    return Said(**said, but_holidays=one.but_holidays or other.but_holidays, whole=whole, strength=strength)


def _is_part(said: Said) -> bool:
    return said.part is not None and not (said.day or said.clocks or said.every)


def _ended(one: Said, other: Said) -> Said | None:
    """Return what was said with the end that follows "until", which may be a part of the day and its clock."""
    if one.until != OPEN:
        return one if isinstance(one.until, At) else None
    if _is_part(other):
        return replace(one, part=other.part)
    end = expression(other if other.day else replace(other, part=one.part))
    part = None if one.every and one.every.unit in WITHIN_A_DAY else one.part
    return replace(one, until=end, part=part) if isinstance(end, At) else None


def expression(said: Said) -> Expression | None:
    """Return what the pieces come to; None when they don't go together, or when one of them is missing."""
    said = (_spread(said) or Said()) if said.span or said.pace else said
    if delay := said.delay:
        # "In 3 days at 9" is a day; "in 20 minutes at 9" is nothing.
        if said.day or said.every or said.until or said.but or said.but_holidays:
            return None
        if not said.clocks and not said.part:
            return delay
        if delay.seconds or delay.months:
            return None
        return expression(replace(said, delay=None, day=InDays(days=delay.days)))
    times = _times(said, said.part) if said.part else (said.clocks, 0)
    # A zone says nothing without a clock, and a rule has only one zone; of what comes once nothing is left out.
    once = not said.every and (said.but or said.but_holidays or said.until or (said.zone and not said.clocks))
    if times is None or once or said.until == OPEN or (said.every and (said.ahead or said.zone)):
        return None
    clocks, later = times
    found = _every(said.every, said, clocks, later) if said.every else _at(said.day, clocks, later)
    return replace(found, ahead=said.ahead, zone=said.zone) if isinstance(found, At) else found


def _spread(said: Said) -> Said | None:
    """Every 4 hours between 8 and 20 is every day at 8, 12, 16 and 20. None where it does not come within that."""
    pace, days = (said.pace, said.every) if said.pace else (said.every, Every(unit="day"))
    if not (said.span and pace and days) or said.clocks or days.clocks:
        return None
    step = pace.n * WITHIN_A_DAY.get(pace.unit, 0)
    first, last = said.span
    times = range(first, min(last, _LAST_MINUTE) + 1, step) if step else ()
    if not 1 < len(times) <= _MOST_CLOCKS:
        return None
    clocks = tuple(Clock(hour=at // 60, minute=at % 60) for at in times)
    return replace(said, every=days, pace=None, span=None, clocks=clocks)


def _times(said: Said, part: Part) -> tuple[tuple[Clock, ...], int] | None:
    """The clocks within their part of the day, and 1 when that is past the midnight after it."""
    if not said.clocks:
        return (Clock(hour=part.hour),), 0
    clock = said.clocks[0]
    if part == NIGHT and said.day == InDays(days=0) and len(said.clocks) == 1 and clock.hour in _FIVE:
        # A night has not begun at five, nor does it last: "tonight at 5" is what is to come of 17:00 today, or of 5:00.
        return said.clocks, int(clock.certain and clock.hour == _FIVE[0])
    found = [within(clock, part) for clock in said.clocks]
    days = {one[1] for one in found if one}
    if not all(found) or len(days) != 1:
        return None
    return tuple(one[0] for one in found if one), days.pop()


def unsigned(text: str) -> str:
    """A text without the pictures at its end: "tomorrow at 5 🙏". A wide "？" is none."""
    end = len(text)
    while end and (
        (sign := text[end - 1]).isspace() or (sign > SIGNS and not sign.isalnum() and ord(sign) not in FOLD)
    ):
        end -= 1
    return text[:end]


def to_wake(when: Expression) -> Expression:
    """The same for somebody who wants to be woken: at 4 to 11 that is rather in the morning."""
    match when:
        case At(clock=Clock(certain=False) as clock):
            return replace(when, clock=_woken(clock))
        case Every(clocks=clocks):
            return replace(when, clocks=tuple(_woken(clock) for clock in clocks))
    return when


def _woken(clock: Clock) -> Clock:
    return replace(clock, early=True) if not clock.certain and clock.hour in _WAKING else clock


def within(clock: Clock, part: Part) -> tuple[Clock, int] | None:
    """The hands of a clock in a part of the day, and 1 when that is past midnight ("tonight at 1"); None: never."""
    hours = [clock.hour] if clock.certain else [clock.hour % 12, clock.hour % 12 + 12]
    for hour in (*hours, *(hour + 24 for hour in hours)):
        if part.first <= hour <= part.last:
            return Clock(hour=hour % 24, minute=clock.minute), hour // 24
    return None


def _at(day: Day | None, clocks: tuple[Clock, ...], later: int) -> At | None:
    if len(clocks) > 1 or not (day or clocks):
        return None
    clock = clocks[0] if clocks else None
    if clock and clock.hour == clock.minute == 0 and (day is None or day == InDays(days=0)):
        clock = Clock(hour=0)
        later = 1  # the midnight that today ended with, not the one it began with
    if later and day:
        day = _next(day)
        return At(day=day, clock=clock) if day else None
    return At(day=day, clock=clock)


def _next(day: Day) -> Day | None:
    if isinstance(day, InDays):
        return InDays(days=day.days + 1, night=day.days == 0)
    if isinstance(day, Date):
        # The end of a month is none of a language's business.
        if not 0 < day.day < _SHORTEST_MONTH or day.doubtful:
            return None
        return replace(day, day=day.day + 1, weekday=None if day.weekday is None else (day.weekday + 1) % 7)
    if isinstance(day, NthWeekday | Holiday):
        return None
    weeks = day.weeks if day.weeks is None else day.weeks + (day.weekday + 1) // 7
    return replace(day, weekday=(day.weekday + 1) % 7, weeks=weeks, weekend=False)


def times_until(every: Every, until: Delay) -> float:
    """Return how often something comes within a length, at least; it may be a part of once."""
    lasts = 28 * until.months + until.days + until.seconds * _DAYS["hour"] / 3_600
    return lasts / (every.n * _DAYS[every.unit]) * max(1, len(every.weekdays))


def on_weekday(day: Date, weekday: int | None) -> Date | None:
    """A date and the day of the week that was said with it; None when it is on another one."""
    if weekday is None:
        return day
    if day.year is None or day.month is None:
        return replace(day, weekday=weekday)
    try:
        return day if date(day.year, day.month, day.day).weekday() == weekday else None
    except ValueError:
        return day  # that there is no such day is told later


def _every(every: Every, said: Said, clocks: tuple[Clock, ...], later: int) -> Every | None:
    often = every.unit in WITHIN_A_DAY
    match said.until:
        case At(clock=None) as end if often and len(clocks) == 1:
            said, clocks = replace(said, until=replace(end, clock=clocks[0])), ()  # "every 2 hours until Friday at 5"
        case At(day=None) if not often:
            return None
        case At(day=Weekday()) if every.unit not in {*WITHIN_A_DAY, "day"} and len(every.weekdays) <= 1:
            return None
        # "Every week for three days" comes but once: it is what one does then that takes three days.
        case Delay() if not often and times_until(every, said.until) <= 1:
            return None
    if clocks and (every.clocks or often):
        return None
    on = _on(every, said.day) if said.day else every
    if on and said.but:
        # Every day but Sunday is on six days of a week.
        daily = on.n == 1 and (on.unit == "day" or (on.unit == "week" and on.weekdays))
        days = on.weekdays or frozenset(range(7))
        on = replace(on, unit="week", weekdays=days - said.but) if daily and said.but < days else None
    if on is None or (later and on.unit not in {"day", "week"}):
        return None
    weekdays = frozenset((one + later) % 7 for one in on.weekdays)
    certain = tuple(Clock(hour=0, minute=clock.minute) if clock.hour == 0 else clock for clock in clocks)
    single = on.doubtful and not said.until
    found = replace(on, clocks=certain or every.clocks, weekdays=weekdays, doubtful=single, until=said.until)
    return replace(found, but_holidays=said.but_holidays)


def _on(every: Every, day: Day) -> Every | None:
    """A repetition with its day: "every week" and "Friday", "monthly" and "the 15th", "every year" and "3 May"."""
    if every.weekdays or every.day is not None:
        return None
    if isinstance(day, Weekday) and every.unit == "week" and day.weeks is None and not (day.doubtful or day.later):
        return replace(every, weekdays=frozenset({day.weekday}))
    if isinstance(day, Date) and day.year is None and day.weekday is None and not day.doubtful:
        if every.unit == "month" and day.month is None:
            return replace(every, day=day.day)
        if every.unit == "year" and day.month is not None:
            return replace(every, day=day.day, month=day.month)
    return None

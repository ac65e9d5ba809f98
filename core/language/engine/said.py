"""Puts together what pieces of a phrase say about time: "tomorrow" and "at 9", "every week" and "Friday".

Each template of a time makes a `Said` of its words (`kinds.py`). `join` puts two of them together: "tomorrow" and "at
9" are `Said(day=InDays(days=1), clocks=(Clock(hour=9, …),))`. Its `when` is what the rest of the program understands,
`At(day=…, clock=…)`, or None where the pieces don't go together.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from operator import attrgetter, itemgetter
from typing import Any

from core.kernel.timing.expressions import (
    At,
    Clock,
    Date,
    Day,
    Delay,
    Every,
    Expression,
    InDays,
    Weekday,
    day_after,
)

# How surely a piece says a time. BEHIND: only behind another piece ("9" in "tomorrow 9"). FOLLOWING: in a longer text
# it must follow another ("morning"). WEAK: only in good company ("3/5"). STRONG: by itself ("at 9").
BEHIND, FOLLOWING, WEAK, STRONG = -1, 0, 1, 2
# The fields of a piece that may say when a series ends, behind "until".
_OF_AN_END = {"day", "clocks", "part", "ahead", "whole"}
# The days of a unit. A month and a year have as many as the longest where they come again; what lasts a month lasts as
# long as the shortest (`times_until`).
_DAYS = {"minute": 1 / 1440, "hour": 1 / 24, "day": 1, "week": 7, "month": 31, "year": 366}
# The units of what comes several times a day, in minutes; and how often that is at most.
WITHIN_A_DAY = {"minute": 1, "hour": 60}
_MOST_CLOCKS, _LAST_MINUTE, _HOURS = 48, 1439, 24
_FIVE = (5, 17)
_THIS_WEEK, _THIS_MONTH = Weekday(weekday=0, weeks=0), Date(day=1, months=0)
_WAKING = range(4, 12)


@dataclass(frozen=True, slots=True)
class Part:
    """Describes a part of the day by the hour that it means without a clock, and its first and last hour.

    24 is the midnight after the day, and 25 one o'clock in that night.
    """

    hour: int
    first: int
    last: int


MORNING, AFTERNOON, EVENING, NIGHT = Part(9, 0, 12), Part(15, 12, 18), Part(19, 16, 24), Part(20, 18, 28)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """Holds what has been said about a time so far. A field that is empty has not been said."""

    delay: Delay | None = None  # how long from now: "in 20 minutes"
    day: Day | None = None
    clocks: tuple[Clock, ...] = ()
    part: Part | None = None  # "in the evening"
    every: Every | None = None  # how often, or on which days it comes again
    pace: Every | None = None  # how often it comes within a day, where `every` says on which days
    span: tuple[int, int] | None = None  # from which minute of a day to which it comes: "from 9 to 5"
    but: frozenset[int] | None = None  # the days of the week on which it does not come
    but_holidays: bool = False
    until: Said | None = None  # when it ends; where that is a delay, how long it lasts
    ahead: Delay | None = None  # how long before its day the time is: "two days before Christmas"
    zone: str | None = None  # the IANA name of the zone whose clock is meant
    whole: bool = False  # a week or a month was named, and `day` is its first
    strength: int = STRONG

    def pieces(self) -> dict[str, Any]:
        """Return the fields that say something, by their names, without the strength."""
        return dict(filter(itemgetter(1), zip(_PIECES, _values(self), strict=True)))

    @property
    def when(self) -> Expression | None:
        """Return what the pieces come to; None when they don't go together, or when one of them is missing."""
        if self.span or self.pace:
            spread = _spread(self)
            return spread.when if spread else None
        if self.delay and not (self.clocks or self.part):
            return self.delay if self.pieces().keys() == {"delay"} else None
        if delay := self.delay:
            # "In 3 days at 9" is a day; "in 20 minutes at 9" is nothing.
            days = None if self.day or delay.seconds or delay.months else InDays(days=delay.days)
            return replace(self, delay=None, day=days).when if days else None
        clocks = _placed(self)
        # A zone says nothing without a clock, and a rule has only one zone; of what comes once nothing is left out.
        once = not self.every and (self.but or self.but_holidays or self.until or (self.zone and not self.clocks))
        # "At five this week" is on days that nobody names.
        unnamed = self.whole and self.clocks and self.day in {_THIS_WEEK, _THIS_MONTH}
        if clocks is None or once or unnamed or (self.every and (self.ahead or self.zone)):
            return None
        when = _every(self.every, self, clocks) if self.every else _at(self.day, clocks)
        return replace(when, ahead=self.ahead, zone=self.zone) if isinstance(when, At) else when


_PIECES = tuple(field.name for field in fields(Said) if field.name != "strength")
_values = attrgetter(*_PIECES)


@dataclass(frozen=True, slots=True)
class Scan:
    """Holds a time that was read: what its pieces said, its first token, and the one behind it."""

    said: Said
    start: int
    end: int


def join(former: Said, latter: Said) -> Said | None:
    """Return what two pieces say together; None when they say the same thing twice."""
    first, second = former.pieces(), latter.pieces()
    if former.until and not former.until.delay and second.keys() <= _OF_AN_END:
        end = join(former.until, latter) if second else former.until
        return replace(former, until=end) if end else None
    if former.every and latter.every:  # "every weekday" and "every hour"
        first, second = _paced(first), _paced(second)
    # "Friday 9" may be the 9th.
    unclear = latter.strength == BEHIND and former.day and not isinstance(former.day, InDays)
    if unclear or not second or first.keys() & second.keys():
        return None
    joined = Said(**first, **second, strength=max(former.strength, latter.strength))
    if joined.until and joined.clocks and not (joined.every or joined.day or joined.delay):
        return replace(joined, every=Every(unit="day", doubtful=True))  # "at 8 for 7 days"
    return joined


def _paced(pieces: dict[str, Any]) -> dict[str, Any]:
    """Return the same pieces, of which what comes several times a day is a pace."""
    if pieces["every"].unit not in WITHIN_A_DAY:
        return pieces
    return {"pace" if name == "every" else name: piece for name, piece in pieces.items()}


def _spread(said: Said) -> Said | None:
    """Return what comes within a span of the day by its clocks: every 4 hours between 8 and 20 is every day at 8, 12,
    16 and 20. None where it does not come within that more than once."""
    pace, days = (said.pace, said.every) if said.pace else (said.every, Every(unit="day"))
    if not (said.span and pace and days) or said.clocks or days.clocks:
        return None
    step = pace.n * WITHIN_A_DAY.get(pace.unit, 0)
    first, last = said.span
    minutes = range(first, min(last, _LAST_MINUTE) + 1, step) if step else ()
    if not 1 < len(minutes) <= _MOST_CLOCKS:
        return None
    clocks = tuple(Clock(hour=minute // 60, minute=minute % 60) for minute in minutes)
    return replace(said, every=days, pace=None, span=None, clocks=clocks)


def _placed(said: Said) -> tuple[Clock, ...] | None:
    """Return the clocks in their part of the day; None where they are not all before the midnight after it, or all
    behind."""
    if not said.clocks:
        return (Clock(hour=said.part.hour),) if said.part else ()
    if said.part == NIGHT and said.day == InDays(days=0) and len(said.clocks) == 1 and said.clocks[0].hour in _FIVE:
        # A night has not begun at five, nor does it last: "tonight at 5" is what is to come of 17:00 today, or of 5:00.
        five = said.clocks[0]
        return (replace(five, hour=five.hour + _HOURS),) if five.certain and five.hour == _FIVE[0] else said.clocks
    placed = [clock for hands in said.clocks if (clock := within(hands, said.part))]
    one_day = len({clock.hour // _HOURS for clock in placed}) == 1
    return tuple(placed) if one_day and len(placed) == len(said.clocks) else None


def to_wake(said: Said) -> Said:
    """Return the same for somebody who wants to be woken: at 4 to 11 that is rather in the morning."""
    clocks = (replace(clock, early=not clock.certain and clock.hour in _WAKING) for clock in said.clocks)
    return replace(said, clocks=tuple(clocks))


def within(clock: Clock | None, part: Part | None) -> Clock | None:
    """Return the hands of a clock in a part of the day; None when they never show that in it.

    Where that is 1:00 on the day after ("tonight at 1") the hour is 25.
    """
    if clock is None or part is None:
        return clock
    hours = [clock.hour] if clock.certain else [clock.hour % 12, clock.hour % 12 + 12]
    for hour in (*hours, *(hour + _HOURS for hour in hours)):
        if part.first <= hour <= part.last:
            return Clock(hour=hour, minute=clock.minute)
    return None


def _at(day: Day | None, clocks: tuple[Clock, ...]) -> At | None:
    """Return what comes once, on a day, at a clock, or both."""
    if len(clocks) > 1 or not (day or clocks):
        return None
    clock = clocks[0] if clocks else None
    if clock and clock.hour == clock.minute == 0 and day in {None, InDays(days=0)}:
        clock = Clock(hour=_HOURS)  # the midnight that today ends with, not the one it began with
    if clock and clock.hour >= _HOURS:
        after = day and day_after(day)
        return At(day=after, clock=replace(clock, hour=clock.hour - _HOURS)) if after or not day else None
    return At(day=day, clock=clock)


def times_until(every: Every, until: Delay) -> float:
    """Return how often something comes within a length, at least; it may be a part of once."""
    days = 28 * until.months + until.days + until.seconds * _DAYS["hour"] / 3_600
    return days / (every.n * _DAYS[every.unit]) * max(1, len(every.weekdays))


def _every(every: Every, said: Said, clocks: tuple[Clock, ...]) -> Every | None:
    """Return what comes again, with its days, its clocks and its end."""
    often, end = every.unit in WITHIN_A_DAY, said.until.when if said.until else None
    match end:
        case At(clock=None) if often and len(clocks) == 1:
            end, clocks = replace(end, clock=clocks[0]), ()  # "at 5 every 2 hours until Friday"
        case At(day=day, clock=Clock() as clock) if day and not often:
            if said.until and said.until.clocks and (clocks or said.until.part):
                return None  # "every day at 6 until Friday at 5", "every day until Friday night at 10"
            # What comes on days ends on a day, so the clock is not that of the end: "every day until Friday at 5".
            end, clocks = replace(end, clock=None), clocks or (clock,)
    if (said.until and not _may_end(every, end)) or (clocks and (every.clocks or often)):
        return None
    on = _on(every, said.day) if said.day else every
    if on and said.but:
        # Every day but Sunday is on six days of a week.
        daily = on.n == 1 and (on.unit == "day" or (on.unit == "week" and on.weekdays))
        days = on.weekdays or frozenset(range(7))
        on = replace(on, unit="week", weekdays=days - said.but) if daily and said.but < days else None
    later = clocks[0].hour // _HOURS if clocks else 0
    if on is None or (later and on.unit not in {"day", "week"}):
        return None
    return replace(
        on,
        clocks=tuple(map(_certain, clocks)) or every.clocks,
        weekdays=frozenset((weekday + later) % 7 for weekday in on.weekdays),
        doubtful=on.doubtful and not said.until,
        until=end if isinstance(end, At | Delay) else None,
        but_holidays=said.but_holidays,
    )


def _certain(clock: Clock) -> Clock:
    """Return a clock of what comes again: its midnight is surely the one that begins a day."""
    return replace(clock, hour=clock.hour % _HOURS, certain=clock.certain or clock.hour == 0)


def _may_end(every: Every, end: Expression | None) -> bool:
    """Return whether a series may end so.

    What comes by days or more seldom ends on a day, or after a length in which it comes more than once; a day of the
    week ends only what comes several times a week.
    """
    often = every.unit in WITHIN_A_DAY
    match end:
        case At(day=Weekday()):
            return often or every.unit == "day" or len(every.weekdays) > 1
        case At(day=day):
            return often or day is not None
        case Delay():
            # "Every week for three days" comes but once: it is what one does then that takes three days.
            return often or times_until(every, end) > 1
    return False


def _on(every: Every, day: Day) -> Every | None:
    """Return a repetition on its day: "every week" and "Friday", "monthly" and "the 15th", "every year" and "3 May";
    None where they don't go together."""
    if every.weekdays or every.day is not None:
        return None
    match day:
        case Weekday(weekday=weekday, weeks=None, doubtful=False, later=0) if every.unit == "week":
            return replace(every, weekdays=frozenset({weekday}))
        case Date(year=None, month=month, weekday=None, doubtful=False):
            return replace(every, day=day.day, month=month) if every.unit == ("year" if month else "month") else None
    return None

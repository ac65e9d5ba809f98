"""English: in 20 minutes, 2h 30m, an hour and a half from now; at 9, 9:30 pm, half past 8, noon."""

from __future__ import annotations

import re

from core.kernel.timing.expressions import Clock, Delay, Unit
from core.language.en.words import (
    DEED,
    GAP,
    HALF,
    HOUR,
    HOURS,
    MINUTES,
    NEAR,
    NUMBER,
    PART,
    UNIT,
    compiled,
    number,
    part_of,
    sure,
    unit_of,
)
from core.language.scanner import BEHIND, FOLLOWING, STRONG, Piece, Said

_IN = rf"(?P<in>in{GAP}(?:about{GAP})?)?"
_NOW = rf"(?P<now>{GAP}from{GAP}now|'?{GAP}time)?"
_AT = rf"(?P<at>at{GAP}|@{NEAR})?"
_SECONDS: dict[Unit, int] = {"minute": 60, "hour": 3_600}
_DAYS: dict[Unit, int] = {"day": 1, "week": 7}
_MONTHS: dict[Unit, int] = {"month": 1, "year": 12}
_NOON = 12
_LEADING_ZERO = re.compile(r"[0\uff10]")
_HALVES = range(1, _NOON + 1)
_PARTS_OF_HOUR = range(1, 60)
_TIME = rf"{HOUR}(?::[0-5]\d)?(?:{HALF})?"
# What follows a clock, and no number of things: "tomorrow 9 call Oma", but "tomorrow 20 push-ups", "every day 2 pills".
_DEED = rf"(?!(?:and|or|not|pills|push|pull|homework|laundry|medicine|today|tomorrow|tonight)\b)(?:{DEED})\b"
_ONE = re.compile(rf"(?P<h>{HOUR})(?::(?P<m>[0-5]\d))?(?P<half>{HALF})?", re.IGNORECASE)


def _delay(match: re.Match[str]) -> Said | None:
    if len(match["unit"]) == 1 and not match["n"][-1].isdigit():
        return None
    n = number(match["n"]) + (0.5 if match["half"] or match["halves"] else 0)
    delay = _length(n, unit_of(match["unit"]), number(match["minutes"] or "0"))
    return Said(delay=delay, strength=sure(match["in"], match["now"])) if delay else None


def _length(n: float, unit: Unit, minutes: float) -> Delay | None:
    if unit in _SECONDS:
        seconds = round(n * _SECONDS[unit] + minutes * 60)
        return Delay(seconds=seconds) if seconds and (unit == "hour" or not minutes) else None
    count = int(n)
    if minutes or count < 1 or count != n:
        return None
    if unit in _MONTHS:
        return Delay(months=count * _MONTHS[unit])
    return Delay(days=count * _DAYS[unit])


def _hours(match: re.Match[str]) -> Said:
    """In 1h30; without "in" it may be a clock."""
    return Said(delay=Delay(seconds=int(match["h"]) * 3_600 + int(match["m"]) * 60))


def _short(match: re.Match[str]) -> Said:
    minutes = 15 if "quarter" in match["short"].lower() else 30
    return Said(delay=Delay(seconds=minutes * 60), strength=sure(match["in"], match["now"]))


def _seconds(match: re.Match[str]) -> Said | None:
    seconds = round(number(match["n"]))
    return Said(delay=Delay(seconds=seconds), strength=sure(match["in"], match["now"])) if seconds else None


def read_clock(hour: str, minute: str | None, half: str | None) -> Clock | None:
    """The hands of a clock; without am or pm they are certain only where nobody can mean the other half of the day."""
    at = int(hour) if hour.isdigit() else HOURS.index(hour.lower())
    shown = int(minute or 0)
    if half:
        later = half.strip().lower().startswith("p")
        return Clock(hour=at % _NOON + _NOON * later, minute=shown) if at in _HALVES else None
    return Clock(hour=at, minute=shown, certain=at not in _HALVES or _LEADING_ZERO.match(hour) is not None)


def _clock(match: re.Match[str]) -> Said | None:
    minute, clear = match["m"], match["at"] or match["half"] or match["oclock"]
    clock = read_clock(match["h"], minute, match["half"])
    if clock is None or (match["dot"] == "." and not clear):
        return None
    if clear:
        return Said(clocks=(clock,))
    if minute is None:
        return Said(clocks=(clock,), strength=FOLLOWING) if match["part"] is not None else None
    # Chapter and verse: "read John 3:16 tomorrow" is no time, "call Oma 9:30 tomorrow" is.
    return Said(clocks=(clock,), strength=STRONG if clock.certain or clock.minute % 5 == 0 else FOLLOWING)


def _bare(match: re.Match[str]) -> Said | None:
    """Only behind a day: "tomorrow 9", "every day 9 to drink"."""
    clock = read_clock(match["h"], None, None)
    return Said(clocks=(clock,), strength=BEHIND) if clock else None


def _words(match: re.Match[str]) -> Said | None:
    """Nine thirty, eight forty-five."""
    minute = MINUTES[" ".join(match["m"].lower().replace("-", " ").split())]
    clock = read_clock(match["h"], str(minute), match["half"])
    return Said(clocks=(clock,), strength=STRONG if match["at"] or match["half"] else FOLLOWING) if clock else None


def _clocks(match: re.Match[str]) -> Said | None:
    found = [read_clock(one["h"], one["m"], one["half"]) for one in _ONE.finditer(match["list"])]
    return Said(clocks=tuple(clock for clock in found if clock)) if all(found) else None


def _hands(match: re.Match[str]) -> Said | None:
    word = match["by"].lower()
    minutes = 30 if word == "half" else 15 if word.endswith("quarter") else round(number(match["n"]))
    # "At 9 to 10" is from 9 to 10, and so may "5 to 6pm" be.
    span = minutes % 5 or (match["half"] and word.isdigit() and match["side"].lower() == "to")
    if span and "min" not in word:
        return None
    clock, before = read_clock(match["h"], None, match["half"]), match["side"].lower() == "to"
    if clock is None or minutes not in _PARTS_OF_HOUR or (before and word == "half"):
        return None
    strength = STRONG if match["at"] or match["n"] is None else FOLLOWING
    return Said(
        clocks=(_before(clock, minutes) if before else Clock(hour=clock.hour, minute=minutes, certain=clock.certain),),
        strength=strength,
    )


def _before(clock: Clock, minutes: int) -> Clock:
    hour = (clock.hour - 1) % 24
    return Clock(hour=hour or (0 if clock.certain else _NOON), minute=60 - minutes, certain=clock.certain)


def _named(match: re.Match[str]) -> Said:
    # "Friday at midnight" may be the one that begins the day, or the one that ends it.
    midnight = match["name"].lower() == "midnight"
    return Said(clocks=(Clock(hour=0 if midnight else 12, certain=not midnight),), strength=sure(match["at"]))


def _part(match: re.Match[str]) -> Said:
    return Said(part=part_of(match["part"]))


PIECES: tuple[Piece, ...] = (
    (
        compiled(
            rf"{_IN}(?P<n>{NUMBER})(?P<half>{GAP}and{GAP}a{GAP}half)?(?:{GAP}more)?(?:{NEAR}|-)(?P<unit>{UNIT})"
            rf"(?P<halves>{GAP}and{GAP}a{GAP}half)?"
            rf"(?:{NEAR}(?:and{GAP}|,{NEAR})?(?P<minutes>{NUMBER}){NEAR}(?:m|mins?|minutes?))?{_NOW}"
        ),
        _delay,
    ),
    (compiled(rf"in{GAP}(?P<h>[1-9]|1\d)h(?P<m>[0-5]\d)"), _hours),
    (compiled(rf"{_IN}(?P<short>(?:a{GAP})?(?:half{GAP}an?|half|quarter{GAP}of{GAP}an){GAP}hour){_NOW}"), _short),
    (compiled(rf"{_IN}(?P<n>{NUMBER}){NEAR}(?:s|secs?|seconds?){_NOW}"), _seconds),
    (
        compiled(rf"at{GAP}(?P<list>{_TIME}(?:(?:,{NEAR}|{GAP}and{GAP}|{NEAR}&{NEAR})(?:at{GAP})?{_TIME}){{1,5}})"),
        _clocks,
    ),
    (
        compiled(
            rf"{_AT}(?P<by>half|(?:a{GAP})?quarter|(?P<n>{NUMBER})(?:{GAP}min(?:ute)?s?)?){GAP}(?P<side>past|to){GAP}"
            rf"(?P<h>{HOUR})(?P<half>{HALF})?"
        ),
        _hands,
    ),
    (
        compiled(
            rf"{_AT}(?P<h>{'|'.join(HOURS[1:])}){GAP}"
            rf"(?P<m>{'|'.join(MINUTES).replace(' ', f'(?:-|{GAP})')})(?P<half>{HALF})?"
        ),
        _words,
    ),
    (
        compiled(
            rf"{_AT}(?P<h>{HOUR})(?:(?P<dot>[:.])(?P<m>[0-5]\d))?(?P<half>{HALF})?(?P<oclock>{NEAR}o'?{NEAR}clock)?"
            rf"(?P<part>(?={GAP}(?:in{GAP}the{GAP}{PART}|at{GAP}night)))?(?:{GAP}sharp)?"
        ),
        _clock,
    ),
    (compiled(rf"{_AT}(?P<name>noon|midday|midnight)"), _named),
    (compiled(rf"(?:in{GAP}the|at){GAP}(?P<part>{PART})"), _part),
    (compiled(rf"(?P<h>\d{{1,2}})(?=$|:|,{GAP}\D|{GAP}(?:(?:to|that|about){GAP}\D|{_DEED}))"), _bare),
)

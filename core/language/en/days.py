"""English: tomorrow, on Friday, next week, 27 November, 27.11., 2026-11-27."""

from __future__ import annotations

import re
from dataclasses import replace

from core.kernel.timing.expressions import Clock, Date, InDays, Weekday
from core.language.en.words import (
    DAY,
    GAP,
    MONTH,
    MONTH_DAYS,
    NEAR,
    NTH,
    NTH_WORD,
    PART,
    YEAR,
    compiled,
    month_of,
    monthday_of,
    part_of,
    sure,
    weekday_of,
)
from core.language.scanner import STRONG, Piece, Said, on_weekday

_MONTHS = range(1, 13)
_HOURS = range(24)
_CENTURY = 100
_IN_PART = rf"(?:{GAP}(?P<part>{PART}))?"
_ON = rf"(?P<on>on{GAP})?"


def _today(match: re.Match[str]) -> Said:
    word = match["day"].lower()
    days = 0 if word.startswith("tod") else 2 if "after" in word else 1
    return Said(day=InDays(days=days), part=part_of(match["part"]))


def _tonight(match: re.Match[str]) -> Said:
    return Said(day=InDays(days=0), part=part_of(match["part"] or "night"))


def _weekday(match: re.Match[str]) -> Said:
    before, name = (match["before"] or "").split()[-1:], match["day"]
    following = [word.lower() for word in before] == ["next"]
    week = (match["week"] or match["first"] or "").lower()
    weeks = 0 if "this" in week.split() else 1 if week or following else None
    day = Weekday(weekday=weekday_of(name), weeks=weeks, doubtful=following and not week)
    part = match["part"]
    strength = STRONG if before or week or part or name.lower().endswith("day") else sure()
    return Said(day=day, part=part_of(part), strength=strength)


def _date(match: re.Match[str]) -> Said | None:
    day = monthday_of(match["d"])
    said = dated(str(day), month_of(match["month"]), match["year"], STRONG) if day else None
    if said is None or not isinstance(said.day, Date) or (match["later"] and match["year"]):
        return None
    return _named(replace(said.day, years=1 if match["later"] else None), match["name"])


def _named(date: Date, name: str | None) -> Said | None:
    day = on_weekday(date, weekday_of(name) if name else None)
    return Said(day=day) if day else None


def _friday_13th(match: re.Match[str]) -> Said | None:
    day = monthday_of(match["d"])
    return _named(Date(day=day), match["name"]) if day else None


def dated(day: str, month: int | None, year: str | None, strength: int) -> Said | None:
    """A date, None when no calendar can have it. A year of two figures is one of this century."""
    if int(day) not in MONTH_DAYS or (month is not None and month not in _MONTHS):
        return None
    full = None if not year else int(year) if int(year) >= _CENTURY else int(year) + 2_000
    return Said(day=Date(day=int(day), month=month, year=full), strength=strength)


def _iso(match: re.Match[str]) -> Said | None:
    said = dated(match["d"], int(match["month"]), match["year"], STRONG)
    if said is None or not match["h"]:
        return said
    clock = Clock(hour=int(match["h"]), minute=int(match["m"]))
    return Said(day=said.day, clocks=(clock,)) if clock.hour in _HOURS else None


def _dotted(match: re.Match[str]) -> Said | None:
    plain = match["on"] or match["dot"] or match["clock"]
    if not plain and len(match["month"]) == 1:
        return None  # "9.5" is a number
    # "1.1.30" may be a version.
    dot = "" if len(match["year"] or "") == len("30") else match["dot"]
    return dated(match["d"], int(match["month"]), match["year"], sure(match["on"], dot))


def _slashed(match: re.Match[str]) -> Said | None:
    """3/5 is March 5, or else 3 May; 27/11 can be but one of them."""
    first, second = int(match["one"]), int(match["two"])
    month, day = (second, first) if first not in _MONTHS else (first, second)
    said = dated(str(day), month, match["year"], sure(match["on"], match["year"]))
    if said is None or not isinstance(said.day, Date) or max(first, second) not in _MONTHS or first == second:
        return said
    doubtful = Date(day=day, month=month, year=said.day.year, doubtful=True)
    return Said(day=doubtful, strength=said.strength)


def _monthday(match: re.Match[str]) -> Said | None:
    day = monthday_of(match["d"])
    if day is None:
        return None
    month = (match["month"] or "").lower()
    months = 1 if "next" in month else 0 if "this" in month else None
    return Said(day=Date(day=day, months=months), strength=sure(match["on"], month))


def _end(match: re.Match[str]) -> Said:
    return Said(day=Date(day=-1, months=1 if match["next"].lower() == "next" else None))


def _next(match: re.Match[str]) -> Said:
    if match["unit"].lower() == "month":
        return Said(day=Date(day=1, months=1))
    return Said(day=Weekday(weekday=0, weeks=1))


def _weekend(match: re.Match[str]) -> Said:
    following = match["before"].lower() == "next"
    # On a Saturday "this weekend" has begun.
    weeks = 1 if following else 0 if match["before"].lower() == "this" else None
    return Said(day=Weekday(weekday=5, weeks=weeks, doubtful=following))


_YEARS = rf"(?:,?{GAP}(?P<year>{YEAR})(?!:))?(?P<later>{GAP}next{GAP}year)?"
_DAY_IN_WORDS = rf"{GAP}(?:the{GAP})?(?P<d>{NTH_WORD})"
_WITH_DAY = rf"(?:on{GAP})?(?:(?P<name>{DAY})\.?,?{GAP})?(?:the{GAP})?"

PIECES: tuple[Piece, ...] = (
    (compiled(rf"(?P<day>(?:the{GAP})?day{GAP}after{GAP}tomorrow|today|tomorrow|tmrw|tmr){_IN_PART}"), _today),
    (compiled(rf"tonight|this{GAP}(?P<part>{PART})"), _tonight),
    (compiled(rf"{_WITH_DAY}(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?:{GAP}of)?{GAP}(?P<month>{MONTH}){_YEARS}"), _date),
    (compiled(rf"{_WITH_DAY}(?P<month>{MONTH}){GAP}(?:the{GAP})?(?P<d>\d{{1,2}})(?:st|nd|rd|th)?{_YEARS}"), _date),
    (compiled(rf"{_WITH_DAY}(?P<d>{NTH_WORD}){GAP}of{GAP}(?P<month>{MONTH}){_YEARS}"), _date),
    # "Bob may first call" is no date.
    (compiled(rf"{_WITH_DAY}(?P<month>(?!ma){MONTH}|{MONTH}(?={GAP}the)){_DAY_IN_WORDS}{_YEARS}"), _date),
    (compiled(rf"(?:on{GAP})?(?P<name>{DAY})\.?,?{GAP}(?:the{GAP})?(?P<d>{NTH})(?!{GAP}of)"), _friday_13th),
    (
        compiled(
            rf"(?P<first>(?:next|this){GAP}week,?{GAP}(?:on{GAP})?)?"
            rf"(?P<before>on{GAP}|this{GAP}(?:coming{GAP})?|(?:on{GAP})?next{GAP}|(?:the{GAP})?coming{GAP})?"
            rf"(?P<day>{DAY})\.?{_IN_PART}(?:{GAP}(?P<week>(?:of{GAP})?(?:next|this){GAP}week))?"
        ),
        _weekday,
    ),
    (
        compiled(
            rf"{_ON}(?P<year>\d{{4}})[-/.](?P<month>\d{{1,2}})[-/.](?P<d>\d{{1,2}})"
            r"(?:[Tt](?P<h>\d\d):(?P<m>[0-5]\d)(?::[0-5]\d)?)?"
        ),
        _iso,
    ),
    (
        compiled(
            rf"{_ON}(?P<d>\d{{1,2}})\.(?P<month>\d{{1,2}})(?:(?P<dot>\.)(?P<year>\d{{4}}|\d\d)?)?(?P<clock>(?={GAP}\d\d?:))?"
        ),
        _dotted,
    ),
    (compiled(rf"{_ON}(?P<one>\d{{1,2}})/(?P<two>\d{{1,2}})(?:/(?P<year>\d{{4}}|\d\d))?"), _slashed),
    (
        compiled(
            rf"{_ON}the{GAP}(?P<d>{NTH}|(?:last|first){GAP}day)(?P<month>{GAP}of{GAP}(?:next|this){GAP}month)?(?!{GAP}of)"
        ),
        _monthday,
    ),
    (compiled(rf"(?:at{GAP})?(?:the{GAP})?end{GAP}of{GAP}(?:the{GAP}|this{GAP})?(?P<next>next|){NEAR}month"), _end),
    (compiled(rf"next{GAP}(?P<unit>week|month)"), _next),
    (compiled(rf"(?P<before>this|next|(?:on|at){GAP}the|over{GAP}the){GAP}weekend"), _weekend),
)

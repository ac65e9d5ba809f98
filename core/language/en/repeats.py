"""English: every hour, every other Monday at 10, on weekdays, the last Friday of the month, every 3 May."""

from __future__ import annotations

import re

from core.kernel.timing.expressions import Date, Every, Unit
from core.language.en.days import dated
from core.language.en.words import (
    DAY,
    DAYS,
    EVERY,
    GAP,
    MONTH,
    NEAR,
    NTH,
    NTH_WORD,
    NUMBER,
    ORDINALS,
    PART,
    UNIT,
    compiled,
    month_of,
    monthday_of,
    number,
    part_of,
    unit_of,
    weekday_of,
    weekdays_of,
)
from core.language.scanner import STRONG, Piece, Said

_NTH_WORD = r"(?:first|second|third|fourth|last|1st|2nd|3rd|4th)"
_OF_MONTH = rf"{GAP}(?:(?:of|in){GAP}(?:the|each|every)|each|every){GAP}month"
_MONTHLY = rf"(?:{EVERY}(?:{GAP}(?P<n>other|second|2nd|{NUMBER}))?{GAP}months?|monthly){GAP}on{GAP}(?:the{GAP})?"
_IN_PART = rf"(?:{GAP}(?P<part>{PART}))?"
_ADVERBS: dict[str, Unit] = {
    "hourly": "hour", "daily": "day", "everyday": "day", "weekly": "week", "monthly": "month", "yearly": "year",
    "annually": "year",
}  # fmt: skip


def _count(text: str | None) -> int | None:
    """The n of "every n days": other, second, 2nd, 3, two."""
    word = (text or "1").lower()
    if word in ORDINALS:
        return ORDINALS[word]
    n = number(re.sub(r"(?<=\d)(?:st|nd|rd|th)$", "", word))
    return int(n) if n >= 1 and n == int(n) else None


def _unit(match: re.Match[str]) -> Said | None:
    unit, text = unit_of(match["unit"]), match["n"]
    if text and unit == "hour" and re.fullmatch(r"\d+[.,]\d+", text):
        unit, text = "minute", str(round(number(text) * 60))
    n = _count(text)
    if n is None or (match["days"] and unit != "week"):
        return None
    return Said(every=Every(unit=unit, n=n, weekdays=weekdays_of(match["days"])))


def _short(match: re.Match[str]) -> Said:
    return Said(every=Every(unit="minute", n=15 if "quarter" in match[0].lower() else 30))


def _fortnight(_: re.Match[str]) -> Said:
    return Said(every=Every(unit="week", n=2))


def _adverb(match: re.Match[str]) -> Said | None:
    unit = _ADVERBS[match["word"].lower()]
    if match["days"] and unit != "week":
        return None
    return Said(every=Every(unit=unit, weekdays=weekdays_of(match["days"])))


def _once_a(match: re.Match[str]) -> Said:
    return Said(every=Every(unit=unit_of(match["unit"])))


def _each_part(match: re.Match[str]) -> Said:
    return Said(every=Every(unit="day"), part=part_of(match["part"]))


def _working(match: re.Match[str]) -> Said:
    days = frozenset({5, 6}) if "end" in (match["days"] or match["plural"]).lower() else frozenset(range(5))
    return Said(every=Every(unit="week", weekdays=days), part=part_of(match["part"]))


def _weekdays(match: re.Match[str]) -> Said | None:
    """Every Monday and Thursday; Mondays; every other Monday. "On Monday" is one day, and not read here."""
    if not match["every"] and not match["days"].lower().endswith("days"):
        return None
    every = Every(unit="week", n=2 if match["n"] else 1, weekdays=weekdays_of(match["days"]))
    return Said(every=every, part=part_of(match["part"]))


def _range(match: re.Match[str]) -> Said | None:
    first, last = weekday_of(match["one"]), weekday_of(match["two"])
    return Said(every=Every(unit="week", weekdays=frozenset(range(first, last + 1)))) if first < last else None


def _nth_weekday(match: re.Match[str]) -> Said | None:
    n, word = _count(match.groupdict().get("n")), match["nth"].lower()
    nth = ORDINALS[word] if word in ORDINALS else int(word[0])
    every = Every(unit="month", n=n or 1, nth=nth, weekdays=frozenset({weekday_of(match["day"])}))
    return Said(every=every, part=part_of(match["part"])) if n else None


def _day_of_month(match: re.Match[str]) -> Said | None:
    n = _count(match.groupdict().get("n"))
    days = [monthday_of(one) for one in re.findall(_ONE_DAY, match["d"], re.IGNORECASE)]
    if n is None or not all(days):
        return None
    first, *others = [day for day in days if day]
    return Said(every=Every(unit="month", n=n, day=first, also=frozenset(others) - {first}))


def _each_date(match: re.Match[str]) -> Said | None:
    said = dated(match["d"], month_of(match["month"]), None, STRONG)
    if said is None or not isinstance(said.day, Date):
        return None
    return Said(every=Every(unit="year", day=said.day.day, month=said.day.month))


_WORK = rf"(?:week|work|(?:work|business|working){GAP})"
_ONE_DAY = rf"(?:{NTH}|{NTH_WORD}(?!{GAP}day)|(?:last|first){GAP}day)"
_MORE_DAYS = rf"(?:(?:,{NEAR}|,?{GAP}and{GAP}|{NEAR}&{NEAR})(?:(?:on{GAP})?the{GAP})?{_ONE_DAY}){{0,5}}"
_DAY_OF = rf"(?P<d>{_ONE_DAY}{_MORE_DAYS})"
_WEEKDAY_OF = rf"(?P<nth>{_NTH_WORD}){GAP}(?P<day>{DAY})"

PIECES: tuple[Piece, ...] = (
    (compiled(_MONTHLY + _WEEKDAY_OF + _IN_PART), _nth_weekday),
    (compiled(_MONTHLY + _DAY_OF), _day_of_month),
    (compiled(rf"(?:on{GAP})?(?:(?:the|{EVERY}){GAP})?{_WEEKDAY_OF}{_OF_MONTH}{_IN_PART}"), _nth_weekday),
    (
        compiled(rf"(?:on{GAP})?{EVERY}{GAP}(?P<nth>first|last|1st|fourth|4th){GAP}(?P<day>{DAY}){_IN_PART}"),
        _nth_weekday,
    ),
    (compiled(rf"(?:on{GAP})?(?:(?:the|{EVERY}){GAP})?{_DAY_OF}{_OF_MONTH}"), _day_of_month),
    (
        compiled(rf"(?:on{GAP})?{EVERY}{GAP}(?P<d>\d{{1,2}})(?:st|nd|rd|th)?{GAP}(?:of{GAP})?(?P<month>{MONTH})"),
        _each_date,
    ),
    (compiled(rf"(?:on{GAP})?{EVERY}{GAP}(?P<month>{MONTH}){GAP}(?P<d>\d{{1,2}})(?:st|nd|rd|th)?"), _each_date),
    (
        compiled(
            rf"(?:{EVERY}|on|from)?{NEAR}(?P<one>{DAY})(?:{NEAR}[-–—]{NEAR}|{GAP}to{GAP}|{GAP}through{GAP})(?P<two>{DAY})"
        ),
        _range,
    ),
    (
        compiled(rf"(?P<every>{EVERY}{GAP}(?P<n>(?:other|second|2nd){GAP})?)?(?:on{GAP})?(?P<days>{DAYS}){_IN_PART}"),
        _weekdays,
    ),
    (
        compiled(
            rf"(?:{EVERY}{GAP}(?P<days>{_WORK}days?|weekend)|(?:on{GAP})?(?P<plural>{_WORK}days|weekends)){_IN_PART}"
        ),
        _working,
    ),
    (compiled(rf"{EVERY}{GAP}(?P<part>{PART})"), _each_part),
    (compiled(rf"{EVERY}{GAP}(?:half|quarter)(?:{GAP}(?:of{GAP})?an)?{GAP}hour"), _short),
    (compiled(rf"{EVERY}{GAP}fortnight"), _fortnight),
    # "Every 15th" is one of the month; "every 2nd person" is none.
    (compiled(rf"(?:on{GAP})?{EVERY}{GAP}(?P<d>{NTH}{_MORE_DAYS})(?=$|,|{GAP}(?:at|to|that|about)\b)"), _day_of_month),
    (
        compiled(
            rf"{EVERY}{GAP}(?:(?P<n>other|second|third|fourth|{NTH}|{NUMBER}){NEAR})?(?P<unit>{UNIT})"
            rf"(?:{GAP}on{GAP}(?P<days>{DAYS}))?"
        ),
        _unit,
    ),
    (compiled(rf"(?P<word>{'|'.join(_ADVERBS)})(?:{GAP}on{GAP}(?P<days>{DAYS}))?"), _adverb),
    (compiled(rf"once{GAP}(?:an?|per|every){GAP}(?P<unit>hour|day|week|month|year)"), _once_a),
)

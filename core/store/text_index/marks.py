"""What a text tells beside its words, as tokens of their own: when it was said, which day it names, times and numbers.

"What did she do in May?" has no word in common with what was said in May; and an answer to "when" names a time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

from core.kernel.types import Millis

# No word of a text has this sign, so no word is one of these.
TIME, NUMBER = "_time", "_number"
_MONTHS = (
    "january februar march april may june july august september october november december",
    "januar februar märz april mai juni juli august september oktober november dezember",
    "jan feb mar apr may jun jul aug sep oct nov dec",
)
_MONTH = {name: n for line in _MONTHS for n, name in enumerate(line.split(), 1)} | {"february": 2}
_CHINESE = dict(zip("一二三四五六七八九", range(1, 10), strict=True)) | {"十": 10, "十一": 11, "十二": 12}
_NAMES = "|".join(sorted(_MONTH, key=len, reverse=True))
_LATEST = 253_370_764_800  # the last year but one that there is a calendar for, in seconds
_DAYS = range(1, 32)
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th|\.)?(?!\d)"
# A month that follows one of these is one: "may" is a verb as well.
_IN = r"(?:in|im|of|during|since|until|by|from|early|mid|late|last|next|this|seit|bis|ab|ende|anfang|mitte)"
_DATES = (
    re.compile(rf"\b{_DAY} (?:of )?(?P<month>{_NAMES})\b"),
    re.compile(rf"\b(?P<month>{_NAMES})\.? {_DAY}"),
    re.compile(r"\b\d{4}-(?P<month>\d\d)-(?P<day>\d\d)\b"),
    re.compile(r"(?P<month>1[0-2]|(?<!\d)[1-9]|十[一二]?|(?<!十)[一二三四五六七八九])月(?:(?P<day>\d{1,2})[日号])?"),
)
_MONTHS_ALONE = (
    re.compile(rf"\b{_IN} (?P<month>{_NAMES})\b(?P<day>)"),
    re.compile(rf"\b(?P<month>{_NAMES}),? (?=20\d\d)(?P<day>)"),
)
_YEAR = re.compile(r"(?<!\d)(20\d\d)(?!\d)")
_RELATIVE = {"yesterday": -1, "gestern": -1, "昨天": -1, "today": 0, "heute": 0, "今天": 0, "tomorrow": 1, "明天": 1}
_RELATIVES = re.compile(r"\b(yesterday|gestern|today|heute|tomorrow)\b|(昨天|今天|明天)")
_TIMES = re.compile(
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|weekend|ago"
    r"|(?:last|next|this) (?:week|month|year|night|summer|winter)|tonight|o'clock"
    r"|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|wochenende|uhr|woche)s?\b"
    r"|\d[:.]\d\d\b|[周点号]|星期|月底|年底"
)
_NUMBERS = re.compile(
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|thirteen|fourteen|fifteen|twenty|thirty"
    r"|forty|fifty|hundred|thousand|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|hundert|tausend)"
    r"|[一二三四五六七八九十百千万两]"
)
_ASKS_TIME = re.compile(
    r"\b(?:when|what (?:day|date|month|year|time)|which (?:days?|date|month|year)|how long|wann)\b"
    r"|\bwelche[rmn]? (?:tag|monat)\b"
    r"|什么时候|哪天|哪一天|几号|几月|几点|何时|日期|星期几"
)
_ASKS_NUMBER = re.compile(
    r"\bhow (?:many|much|old|long|fast|far|often)\b|\bwie ?(?:viele?|alt|lange|oft)\b|多少|几|多[久长大]"
)


def of(text: str, at: Millis) -> list[str]:
    """Return the marks of a text that was said at an instant."""
    said, lower = datetime.fromtimestamp(min(max(at / 1000, 0), _LATEST), UTC), text.lower()
    dates = list(_dates(lower))
    meant = [said + timedelta(days=_RELATIVE[found[0]]) for found in _RELATIVES.finditer(lower)]
    dates += [mark for day in meant for mark in _date(day.month, day.day)]
    marks = [f"_{said:%Y}", f"_{said:%m}", f"_{said:%m%d}", *dates]
    if dates or _TIMES.search(lower):
        marks.append(TIME)
    if _NUMBERS.search(lower):
        marks.append(NUMBER)
    return list(dict.fromkeys(marks))


def asked(query: str) -> list[str]:
    """Return the marks that an answer to a question has."""
    lower = query.lower()
    marks = [*_dates(lower), *(f"_{year}" for year in _YEAR.findall(lower))]
    if _ASKS_TIME.search(lower):
        marks.append(TIME)
    if _ASKS_NUMBER.search(lower):
        marks.append(NUMBER)
    return list(dict.fromkeys(marks))


def _dates(text: str) -> Iterator[str]:
    """Yield the months and the days of months that a text names."""
    for pattern in (*_DATES, *_MONTHS_ALONE):
        for found in pattern.finditer(text):
            name = found["month"]
            yield from _date(_MONTH.get(name) or _CHINESE.get(name) or int(name), int(found["day"] or 0))


def _date(month: int, day: int) -> Sequence[str]:
    """Return the marks of a month and, where the number is one's, of a day in it."""
    return (f"_{month:02}", f"_{month:02}{day:02}") if day in _DAYS else (f"_{month:02}",)

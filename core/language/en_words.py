"""English: the words of time, and how numbers and names of days are read."""

from __future__ import annotations

import re

from core.language.reading import AFTERNOON, EVENING, MORNING, NIGHT, STRONG, WEAK, Part
from core.when.expressions import Unit

# One character for one, so that a match tells where the words stand in what was written.
FOLD = str.maketrans("：，；。？！’‘`´“”„«»＠\u3000\u00a0\u202f\n\t", ":,;.?!''''" + '"""""' + "@     ")
PARTS = {"morning": MORNING, "afternoon": AFTERNOON, "evening": EVENING, "night": NIGHT}
HOURS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
_NUMBERS = {word: n for n, word in enumerate(HOURS) if n} | {
    "a": 1, "an": 1, "couple of": 2, "a couple of": 2, "fifteen": 15, "twenty": 20, "twenty-five": 25, "thirty": 30,
    "forty": 40, "forty-five": 45, "fifty": 50, "sixty": 60, "ninety": 90,
}  # fmt: skip
ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": -1, "other": 2}
_UNITS: dict[str, Unit] = {"m": "minute", "h": "hour", "d": "day", "w": "week", "y": "year"}
MONTH_DAYS = range(1, 32)
_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")

# Gaps are bounded, so that a run of spaces is not gone through again and again.
GAP = r"\s{1,3}"
NEAR = r"\s{0,3}"
# What may not follow a time: half a word, a fraction, a range, a sum of money, somebody's ("Friday's").
END = r"(?![\w%€$£°/+]|'\w|[.:,]\d|[-–—]\w)"
DAY = (
    r"(?:mon(?:day)?|tue(?:s(?:day)?)?|wed(?:s|nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)"
)
DAYS = rf"{DAY}s?(?:{NEAR}(?:,|&|/|,?{GAP}and){NEAR}{DAY}s?){{0,6}}"
MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
UNIT = r"(?:m|mins?|minutes?|h|hrs?|hours?|d|days?|w|wks?|weeks?|months?|y|yrs?|years?)"
NUMBER = rf"(?:\d{{1,4}}(?:[.,]\d{{1,2}})?|{'|'.join(sorted(_NUMBERS, key=len, reverse=True))})"
HOUR = rf"(?:2[0-3]|[01]?\d|{'|'.join(sorted(HOURS[1:], key=len, reverse=True))})"
HALF = rf"{NEAR}(?:am|pm|a\.m\.?|p\.m\.?)"
PART = r"(?:morning|afternoon|evening|night)"
NTH = r"\d{1,2}(?:st|nd|rd|th)"
YEAR = r"(?:19|[2-9]\d)\d\d"
EVERY = rf"(?:every|each)(?:{GAP}single)?"


def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern for what is not half a word, in lower or upper case."""
    return re.compile(rf"(?<!\w)(?:{pattern}){END}", re.IGNORECASE)


def number(text: str) -> float:
    """What a number in figures or in a word is."""
    word = " ".join(text.lower().split())
    return float(_NUMBERS[word]) if word in _NUMBERS else float(word.replace(",", "."))


def unit_of(text: str) -> Unit:
    """The unit of a word such as "hrs"."""
    word = text.lower()
    return "month" if word.startswith("mo") else _UNITS[word[0]]


def weekday_of(text: str) -> int:
    """Monday is 0."""
    return _DAYS.index(text.lower()[:3])


def weekdays_of(text: str | None) -> frozenset[int]:
    """The days of a list such as "Mon, Wed and Friday"."""
    return frozenset(weekday_of(one) for one in re.findall(DAY, text or "", re.IGNORECASE))


def month_of(text: str) -> int:
    """January is 1."""
    return _MONTHS.index(text.lower()[:3]) + 1


def monthday_of(text: str) -> int | None:
    """The day of the month of "15th", "first day" or "last day" (-1); None of "32nd"."""
    word = text.lower()
    day = -1 if word.startswith("last") else 1 if word.startswith("first") else int(word[:-2])
    return day if day in MONTH_DAYS or day < 0 else None


def part_of(name: str | None) -> Part | None:
    """The part of the day of a word such as "Morning"; None when there is none."""
    return PARTS[name.lower()] if name else None


def sure(*signs: str | None) -> int:
    """How sure a piece is that is time by itself only when one of the signs is there."""
    return STRONG if any(signs) else WEAK

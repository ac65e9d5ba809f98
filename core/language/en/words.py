"""English: the words of time, and how numbers and names of days are read."""

from __future__ import annotations

import re

from core.kernel.timing.expressions import Unit
from core.language.scanner import AFTERNOON, EVENING, MORNING, NIGHT, STRONG, WEAK, Part

# One character for one, so that a match tells where the words stand in what was written.
FOLD = str.maketrans("：，；。？！’‘`´“”„«»＠\u3000\u00a0\u202f\n\t", ":,;.?!''''" + '"""""' + "@     ")
PARTS = {"morning": MORNING, "afternoon": AFTERNOON, "evening": EVENING, "night": NIGHT}
HOURS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
_NUMBERS = {word: n for n, word in enumerate(HOURS) if n} | {
    "a": 1, "an": 1, "couple of": 2, "a couple of": 2, "thirteen": 13, "fourteen": 14, "fifteen": 15,
    "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "twenty-five": 25, "thirty": 30,
    "forty": 40, "forty-five": 45, "fifty": 50, "sixty": 60, "ninety": 90,
}  # fmt: skip
MINUTES = {
    "fifteen": 15, "twenty five": 25, "twenty": 20, "thirty five": 35, "thirty": 30, "forty five": 45, "forty": 40,
    "fifty five": 55, "fifty": 50,
}  # fmt: skip
_DAY_WORDS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth",
    "twentieth", "twenty-first", "twenty-second", "twenty-third", "twenty-fourth", "twenty-fifth", "twenty-sixth",
    "twenty-seventh", "twenty-eighth", "twenty-ninth", "thirtieth", "thirty-first",
)  # fmt: skip
ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": -1, "other": 2}
_UNITS: dict[str, Unit] = {"m": "minute", "h": "hour", "d": "day", "w": "week", "y": "year"}
MONTH_DAYS = range(1, 32)
_SPELT = (
    "tomorrow", "yesterday", "tonight", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    "january", "february", "august", "september", "october", "november", "december", "evening", "afternoon", "weekend",
    "weekday",
)  # fmt: skip
_SHORT_FORMS = frozenset({
    "2day", "2moro", "2morro", "2morrow", "2nite", "2night", "eod", "eom", "eow", "evry", "evrey", "evey", "nite",
    "nxt", "tmro", "tmrow", "tmorow", "tomoz", "tonite", "tomo", "morow", "morrow",
})  # fmt: skip
_LONG, _LONGER, _TYPOS = 5, 7, 2
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
NTH_WORD = rf"(?:{'|'.join(sorted(_DAY_WORDS, key=len, reverse=True)).replace('-', '[- ]')})"
# Not names at the beginning of a text: "Call Oma …", "Talk to …", "Dentist on Monday …".
DEED = (
    r"add|and|answer|apply|appointment|arrange|ask|attend|back|be|begin|birthday|book|breakfast"
    r"|bring|buy|call|cancel|check|clean|collect|come|complete|cook|dentist|dinner|do|doctor|donate"
    r"|drink|drive|eat|email|feed|fill|find|finish|fix|flight|fly|get|give|go|gym|hand|have|he"
    r"|head|help|homework|i|invite|it|join|keep|laundry|learn|leave|listen|look|lunch|make|me"
    r"|medicine|meet|meeting|message|move|myself|need|not|or|order|pack|party|pay|phone|pick|pills"
    r"|plan|play|please|prepare|print|pull|push|put|read|remember|reply|report|respond|return|review"
    r"|ride|ring|run|say|schedule|sell|send|set|share|she|show|sign|speak|standup|start|stop|study"
    r"|submit|subscribe|take|talk|tell|text|thank|they|throw|today|tomorrow|tonight|train|travel|try"
    r"|turn|update|upload|us|use|visit|wait|wake|walk|want|wash|watch|water|we|welcome|wish|work"
    r"|write|yoga|you"
)
# What nobody needs to be reminded of: who wants to hear of it wants to know how it is then.
NEWS = (
    r"(?:weather|forecast|news|headlines|prices?|stocks?|scores?|traffic|temperature|changes|updates|bitcoin"
    r"|exchange{GAP}rates?|new{GAP}(?:\S{1,30}{GAP})?(?:e?-?mails?|messages?|posts?|articles?|episodes?|releases?|versions?))"
).replace("{GAP}", GAP)
ZONES = r"(?:utc|gmt|[ecmp][sd]?t|cest|cet|eest|eet|west|wet|msk|bst|ist|jst|kst|sgt|hkt|a[ec][sd]t|awst|nz[sd]t|z)"
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


def nearly(word: str) -> bool:
    """Whether a word in small letters is a day or a part of one misspelt, or in short: "tommorow", "wensday", "nxt"."""
    if word in _SHORT_FORMS:
        return True
    some = [one for one in _SPELT if one[0] == word[0] and abs(len(one) - len(word)) <= _TYPOS]
    return (
        len(word) >= _LONG and word not in some and any(_apart(word, one) <= 1 + (len(one) > _LONGER) for one in some)
    )


def _apart(one: str, other: str) -> int:
    """How many letters are wrong, missing, too many, or swapped with the next."""
    before, row = [0] * (len(other) + 1), list(range(len(other) + 1))
    for i, outgoing in enumerate(one, 1):
        last, row, above = before, [i], row
        for j, sign in enumerate(other, 1):
            best = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (outgoing != sign))
            if i > 1 and j > 1 and outgoing == other[j - 2] and one[i - 2] == sign:
                best = min(best, last[j - 2] + 1)
            row.append(best)
        before = above
    return row[-1]


def month_of(text: str) -> int:
    """January is 1."""
    return _MONTHS.index(text.lower()[:3]) + 1


def monthday_of(text: str) -> int | None:
    """The day of the month of "15", "15th", "fifteenth", "first day" or "last day" (-1); None of "32nd"."""
    word = re.sub(r"(?<=\d)(?:st|nd|rd|th)$", "", text.lower())
    if word.replace(" ", "-") in _DAY_WORDS:
        return _DAY_WORDS.index(word.replace(" ", "-")) + 1
    day = -1 if word.startswith("last") else 1 if word.startswith("first") else int(word)
    return day if day in MONTH_DAYS or day < 0 else None


def part_of(name: str | None) -> Part | None:
    """The part of the day of a word such as "Morning"; None when there is none."""
    return PARTS[name.lower()] if name else None


def sure(*signs: str | None) -> int:
    """How sure a piece is that is time by itself only when one of the signs is there."""
    return STRONG if any(signs) else WEAK

"""English: what is left over of time beside a time that was read, and what of it is surely part of a text.

"At 9 to call Oma, and at 10 to eat" is not understood when it is read as at 9. So a text may name times only where it
is plain that they belong to what it is about: "buy tickets for Friday", "the meeting starts at 5".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.language.dateparser_fallback import names_day
from core.language.en.time import READER
from core.language.en.words import GAP, HOURS, MONTH, NEAR, NUMBER, UNIT, nearly
from core.language.scanner import STRONG, Said, Scan

_QUOTED = re.compile(r'"[^"]{0,2000}"')
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_START = re.compile(r"(?<![\w'@])[\w@]")
_EDGE = 2
_NOTHING = Said()
_OURS = frozenset({"today", "tomorrow", "tonight"})
_LENGTH = rf"(?:the{GAP}(?:next|rest)|(?:{NUMBER}|a{GAP}few|several|some){GAP}(?:more{GAP})?(?:full{GAP})?{UNIT}\b)"
_DAYS = rf"(?:{NUMBER}|a{GAP}few|several|some){GAP}(?:more{GAP})?(?:days?|weeks?|months?|years?)\b"
_HOLIDAY = (
    r"(?:christmas|xmas|easter|thanksgiving|halloween|new year(?:'?s)?(?: (?:eve|day))?|midsummer|ramadan|diwali"
    r"|hanukkah)"
)
_HOUR_NAMES = rf"(?:{'|'.join(HOURS[1:])}|noon|midday|midnight)"
# Directly behind a time these say more of it.
_GOES_ON = re.compile(
    rf"(?:until|till|'?til|except|excluding|besides|but|apart{GAP}from|other{GAP}than|unless|if|when|whenever|while|from|since|or"
    rf"|starting|beginning|ending|during|between|before|after|by|through|within|and|sharp|only|once|twice|thrice|ish)\b"
    rf"|not{GAP}(?:on|at|in|before|after|until|[a-z]+days?\b)|as{GAP}(?:soon|long){GAP}as\b|(?:a{GAP})?\w{{1,12}}{GAP}times\b"
    rf"|for{GAP}{_LENGTH}|yesterday\b(?!')|(?:on|in|at|over){GAP}(?:{_HOLIDAY}|{MONTH})\b|(?:on{GAP})?(?:the{GAP})?\d{{1,2}}(?:st|nd|rd|th)\b"
    rf"|(?:around|roughly|approximately|circa|early|late|later|first{GAP}thing)\b|about{GAP}(?:\d|half\b|{_HOUR_NAMES}\b)"
    rf"|at{GAP}(?:\d|(?:lunch|dinner|breakfast|supper|sunrise|sunset|dawn|dusk|bed)(?:{NEAR}time)?\b)|(?:midnight|noon)\b"
    rf"|tomorrow's\b|(?:weeks?|fortnight)\b(?!')|(?:the{GAP})?(?:this|next){GAP}(?:week|month|year)\b(?!')|for{GAP}(?:a{GAP}while|now)\b"
    rf"|(?:[\w'-]{{1,20}}{GAP}){{1,3}}time{GAP}(?:to|that|about)\b|(?-i:(?:[A-Z][\w'-]{{0,20}}{GAP}){{1,3}})time\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(rf"(?!an?\b){NUMBER}\b", re.IGNORECASE)
# Counted from something else: two hours before, the day after. "The day after tomorrow" is a day.
_AHEAD = re.compile(
    rf"(?:days?|nights?|evenings?|mornings?|weeks?|months?|h|hrs?|hours?|min|mins?|minutes?|m){GAP}"
    rf"(?:before|after(?!{GAP}tomorrow\b)|prior|earlier|later|ahead|in{GAP}advance)\b",
    re.IGNORECASE,
)
_LIMIT = re.compile(
    rf"\bat{GAP}\d[\d:.]{{0,4}}(?:{NEAR}[ap]m)?,?{GAP}(?:and|or){GAP}(?:\w{{1,12}}{GAP}at{GAP})?\d|\b(?:from|between){GAP}\d[\w:.]{{0,6}}{GAP}(?:to|and|till|until){GAP}\d"
    rf"|\b(?:until|till|before|after){GAP}\d{{1,2}}(?:[:.]\d\d)?(?:{NEAR}[ap]m)?(?!\w|{GAP}\w)"
    r"|(?:^|[,;.]\s?)(?:if|unless|when|whenever|in case|as soon as|provided|except|excluding|but not"
    r"|not on|starting|until|till)\b",
    re.IGNORECASE,
)
# Of what comes again these tell when it does not.
_SOMETIMES = re.compile(
    rf"\b(?:until|till|'?til|except|excluding|unless|if|but{GAP}(?:not|only|never)|not{GAP}on|only{GAP}(?:on|if|when)|apart{GAP}from"
    rf"|other{GAP}than|starting|beginning|ending|through|for{GAP}(?:the{GAP}(?:next|rest)|{_DAYS})|\w{{1,12}}{GAP}times)\b",
    re.IGNORECASE,
)
# Before a time that belongs to the text: the Friday meeting, it starts at 5, for Friday, by Friday.
_OWNS = re.compile(
    r"(?:^|\W)(?:(the|an?|my|your|our|his|her|their|this|that|[^\W\d_]+'s|for|of|about)|is|are|was|were|due|starts?|begins?|ends?|opens?|closes?"
    r"|leaves|arrives|departs|happens|by)\s+$",
    re.IGNORECASE,
)
_MORE = re.compile(r"(?:\b(?:and|or|then|not)|,)\s*$", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<!\bDr)(?<!\bMr)(?<!\bSt)(?<!\bNo)(?<!\bMrs)[.!?;]\s+(?=\S)")
_BE = r"(?:is|are|was|were|do|does|did|can|will|should)"
_ASK = (
    r"(?:(?:what|who|whom|whose|where|when|why|how|which)\b(?:'s)?|(?:is|are|was|were|do|does|did|can|could|would|will|should)"
    r"\s(?:i|you|we|he|she|it|they|there|the|this|that|my)\b)"
)
_QUESTION = re.compile(_ASK, re.IGNORECASE)
_PLAIN_QUESTION = re.compile(rf"(?:what|who|where|when|why|how|which)(?:'s|\s{_BE})\b", re.IGNORECASE)
_WISH = re.compile(
    rf"(?:(?:and|so|but|btw|oh|ok|then|please|pls|ps|by the way)\b[\s,:]*){{0,4}}(?:also\b|{_ASK}"
    r"|(?:remind|notify|alert|nudge|wake"
    r"|set|add|put|cancel|delete|remove|search|find|translate|look up)\b|(?:tell|show|give|send)\s(?:me|us)\b)",
    re.IGNORECASE,
)
_SECOND = re.compile(
    r"(?:\b(?:and|then)|[,;])\s+(?:(?:also|and|then|please)\s+){0,3}(?:(?:remind|notify|alert|nudge|wake|ping)\s+@?\w"
    r"|(?:tell|show|give|send)\s+(?:me|us)\b)"
    rf"|,\s+(?:what|who|where|when|why|how|which)(?:'s|\s{_BE})\b",
    re.IGNORECASE,
)
_CLOCK_ALONE = re.compile(
    rf"\b(?:yesterday|{_HOLIDAY})$"
    r"|\b(?:january|february|april|june|july|august|september|october|november|december)$|\bin (?:march|may)$"
    r"|\b(?:every|each)(?: [\w'-]{1,20}){1,2}$|\b(?:next|last|this|coming) (?:week|month|year)$|\d(?:st|nd|rd|th)$"
    r"|\d[-./]\d{1,2}[-./]\d{1,4}$|\d\.\d{1,2}\.$|(?<!\w)\d{1,2}\. ?[^\W\d_]{3,20}$",
    re.IGNORECASE,
)


def goes_on(folded: str, at: int, end: int, said: Said) -> bool:
    """Whether a time that ends here, without a word such as "to" behind it, goes on in a way that is not understood."""
    start = at + len(folded[at:end]) - len(folded[at:end].lstrip(" ,"))
    if _GOES_ON.match(folded, start, end):
        return True
    found = READER.scan(folded, start, end)
    more = said.clocks and start > at and folded[at : at + 1] != "," and _NUMBER.match(folded, start, end)
    return bool(more) or (found is not None and found.said.strength == STRONG)


def content(text: str, said: Said) -> bool:
    """Whether a folded text beside a time is one wish and names no other time but what it is about."""
    plain = _QUOTED.sub('""', text)
    if not one_wish(plain) or _AHEAD.search(plain) or _LIMIT.search(plain) or (said.every and _SOMETIMES.search(plain)):
        return False
    return not _misread(plain, said) and all(_owned(plain, start, found, said) for start, found in _times(plain))


def one_wish(text: str) -> bool:
    """Whether no question and no other wish stands behind the first sentence of a text."""
    later = [match.end() for match in _SENTENCE.finditer(text)]
    return not any(_WISH.match(text, at) for at in later) and _SECOND.search(text) is None


def is_question(text: str, *, marked: bool) -> bool:
    """Whether a text is one: "what is 2+2", also without a mark at its end; "what to buy" is only with it."""
    return (_QUESTION if marked else _PLAIN_QUESTION).match(text) is not None


def _misread(text: str, said: Said) -> bool:
    """Whether a word at an edge of a text is rather a day: "call mum tommorow" at 5, "Oma anrufen morgen" at 17:00."""
    words = _WORD.findall(text.lower())
    if any(nearly(word) for word in (*words[:_EDGE], *words[-_EDGE:]) if "'" not in word):
        return True
    if said.day or said.delay or said.every:
        return False
    return _CLOCK_ALONE.search(text.rstrip(" ,")) is not None or names_day(text, ours=_OURS)


def _times(text: str) -> Iterator[tuple[int, Scan]]:
    """The times in a text that are surely some, each with where it begins."""
    at = 0
    while start := _START.search(text, at):
        found = READER.scan(text, start.start(), len(text))
        sure = found is not None and found.said.strength == STRONG
        if found is not None and sure:
            yield start.start(), found
        at = found.end if found is not None and sure else start.end()


def _owned(text: str, start: int, found: Scan, said: Said) -> bool:
    """Whether a time in a text belongs to what it is about."""
    before = text[max(0, start - 24) : start]
    if own := _OWNS.search(before):
        # Without a time for the reminder, "by Friday" says something of it.
        return said != _NOTHING or own[1] is not None
    # "Tomorrow prepare for the meeting on Friday": the day of the reminder is said.
    on = text[start : start + 3].lower() == "on " and found.said.day is not None and found.said.every is None
    return bool(on and (said.day or said.delay) and not _MORE.search(before))

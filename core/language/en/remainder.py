"""English: what is left over of time beside a time that was read, and what of it is surely part of a text.

"At 9 to call Oma, and at 10 to eat" is not understood when it is read as at 9. So a text may name times only where it
is plain that they belong to what it is about: "buy tickets for Friday", "the meeting starts at 5".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.kernel.timing.expressions import Date, Weekday
from core.language.dateparser_fallback import names_day
from core.language.en.lexicon import CLASSES
from core.language.en.times import READER
from core.language.en.words import DEED, GAP, HALF, HOURS, MONTH, NEAR, NUMBER, UNIT, ZONES
from core.language.engine.said import STRONG, Said, Scan
from core.language.engine.tokens import apart

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
# The words that the border rule goes by. These say more of a time, on whichever side of it they stand; "early" and
# "late" unless they say how something is done: "the shop closes early".
_NEAR_IT = (
    rf"(?:around|roughly|approximately|circa|(?:some|any){NEAR}time|early|earlier|late|later|(?:first|last){GAP}thing)"
)
_HALVES = r"(?:[ap]\.?m\b\.?|o'?\s?clock)"
_DEED_ADVERB = re.compile(
    r"\b(?:clos|open|leav|finish|com|go|get up|start|arriv|wak|work|stay|sleep|be|is|are|end)(?:e?s|e|ing|)(?: up)?"
    r" (?:early|earlier|late|later)$",
    re.IGNORECASE,
)
# These tie something to a time, or part a time from another.
_BOUNDS = (
    r"(?:until|till|'?til|from|since|between|before|after|by|through|within|during|starting|beginning|ending|except)"
)
_SIDES = r"(?:and|or|but|not)"
# A number that says more of a time: "1d 2h", "19h00", "3p", "the 23rd", and any that a clock shows.
_FIGURES = (
    rf"\d{{1,4}}(?:[:.,h]\d{{0,2}}(?:[:.,]\d+)?)?(?:{NEAR}(?:{UNIT}|{HALF}|[ap]|ish|st|nd|rd|th))?(?![\w:.]*\d|\w)"
)
_NUMBERED = (
    r"(?:chapters?|ch|pages?|p|lessons?|units?|rooms?|part|phase|step|version|v|no|nr|number|numbers|bus|line|gate|platform|track|episode"
    r"|season|volume|vol|book|act|scene|task|ticket|issue|exercise|question|item|option|plan|level|grade|apartment|flat|flight|train|week|day"
    r"|year|round|section|verse|slide|batch|sprint|milestone|invoice|order|case|route|highway|size|psalms?|form|pr|floor|channel|team|group|area|zone|terminal)"
)
_CLOCKLIKE = re.compile(
    rf"(?P<thing>\b{_NUMBERED}\.?\s|#|\d\s)?(?<![\w.,:/#-])"
    rf"(?:(?:[01]?\d|2[0-4])(?:[:.h][0-5][05])?|(?:[01]?\d|2[0-3])[0-5][05]|(?:[01]?\d|2[0-4])(?:{HALF}|[hap])|{'|'.join(HOURS[2:])})(?:-?ish)?$",
    re.IGNORECASE,
)
# Directly behind a time, where no "to" says that the text begins.
_BEGINS_ODDLY = re.compile(
    rf"(?:(?:{_BOUNDS}|{_SIDES}|{_NEAR_IT}|excluding|besides|apart{GAP}from|other{GAP}than|unless|if|when|whenever|while|only|once|twice|thrice"
    rf"|sharp|ish|midnight|noon|{ZONES}|(?:a{GAP})?(?:minutes?|mins?|hours?|hrs?|days?|weeks?|fortnight|months?))\b(?!')"
    rf"|{_HALVES}|(?:(?:at|@|from|between|until|till|by|before|after|about){GAP})?{_FIGURES}|about{GAP}(?:half\b|{_HOUR_NAMES}\b)"
    rf"|as{GAP}(?:soon|long){GAP}as\b|(?:a{GAP})?\w{{1,12}}{GAP}times\b|for{GAP}(?:{_LENGTH}|(?:a{GAP}while|now)\b)|yesterday\b(?!')"
    rf"|(?:on|in|at|over){GAP}(?:{_HOLIDAY}|{MONTH})\b|(?:on{GAP})?(?:the{GAP})?\d{{1,2}}(?:st|nd|rd|th)\b"
    rf"|at{GAP}(?:lunch|dinner|breakfast|supper|sunrise|sunset|dawn|dusk|bed)(?:{NEAR}time)?\b"
    rf"|tomorrow's\b|(?:the{GAP})?(?:this|next){GAP}(?:week|month|year)\b(?!')|(?-i:(?:[A-Z][\w'-]{{0,20}}{GAP}){{1,3}})time\b)",
    re.IGNORECASE,
)
# Neither begins a text, but ends what was said of the time: "4pm CET to call", "at 9 Berlin time to call".
_TO_COMES = re.compile(
    rf"(?!(?:{DEED}|trip|introduction)\b|\w+ing\b)(?:[\w'.-]{{1,20}}{GAP}){{1,3}}?to\b", re.IGNORECASE
)
_CLAUSE = re.compile(r"\b(?:has|have|had|needs?|wants?|is|are|goes|comes|got|going|ought|due|able) to$", re.IGNORECASE)
# Directly before a time: "finish it by Friday", "the meeting is tomorrow", "call Bob 5 to 6pm", "black Friday".
_ENDS_ODDLY = re.compile(
    rf"(?:^|\W)(?:{_BOUNDS}|{_SIDES}|{_NEAR_IT}|is|are|was|were|be|been|'s|to|than|of|for|about|with|the|a|an|at|due|starts?|begins?|ends?"
    rf"|opens?|closes?|leaves|arrives|departs|happens|last|past|half|quarter|coming|following|every|each|next|expiring|dated|opening|closing"
    rf"|leaving|arriving|my|your|our|his|their|noon|midday|midnight|morning|afternoon|the{GAP}(?:latest|earliest)|(?:some|any){GAP}(?:point|time)"
    rf"|sometime|\d{{1,2}}(?:st|nd|rd|th)|{ZONES}|{_HALVES})$",
    re.IGNORECASE,
)
# Before a day of the week they make it another one, or one that comes once a year.
_OTHER_DAY = re.compile(
    rf"(?:^|\W)(?:on|black|cyber|good|easter|whit|ash|palm|holy|maundy|shrove|pancake|fat|super|giving|{_HOLIDAY}"
    r"|first|second|third|fourth|fifth|previous|version|v|release|build|chapter|section)$",
    re.IGNORECASE,
)
_NUMBER = re.compile(rf"(?!an?\b){NUMBER}\b", re.IGNORECASE)
_LAST_WORDS = re.compile(rf"(?:^|\W)(?:around|some{NEAR}time|any{NEAR}time|(?:first|last){GAP}thing)$", re.IGNORECASE)
_OWN_NUMBER = re.compile(rf"(?:^|\W)(?:{_BOUNDS}|at|for|of|is|are|to|than|about)\s\S+$", re.IGNORECASE)
_FIRST_WORDS = re.compile(rf"(?:{_BOUNDS}|around|roughly|approximately)\b", re.IGNORECASE)
_PAUSE = " ,;:–—-"
_TAIL = 40
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

_SPELT = (*CLASSES["keys"], "yesterday")
_SHORT_FORMS = frozenset({
    "2day", "2moro", "2morro", "2morrow", "2nite", "2night", "eod", "eom", "eow", "evry", "evrey", "evey", "nite",
    "nxt", "tmro", "tmrow", "tmorow", "tomoz", "tonite", "tomo", "morow", "morrow",
})  # fmt: skip
_LONG, _LONGER, _TYPOS = 5, 7, 2


def may_follow(folded: str, at: int, end: int, said: Said) -> bool:
    """The border rule behind a time: whether what stands from `at` on, without a word such as "to" between them, may
    be a text by itself, rather than more of the time in a way that is not understood."""
    start = at + len(folded[at:end]) - len(folded[at:end].lstrip(" ,"))
    if _BEGINS_ODDLY.match(folded, start, end):
        return False
    stray = _TO_COMES.match(folded, start, end)
    if stray and not _CLAUSE.search(stray[0]):
        return False
    found = READER.scan(folded, start, end)
    more = said.clocks and start > at and folded[at : at + 1] != "," and _NUMBER.match(folded, start, end)
    return not more and (found is None or found.said.strength != STRONG)


def may_precede(text: str, said: Said, *, first: bool = False) -> bool:
    """The border rule before a time: whether a text that stands there is one by itself; `first` when nothing stands
    before it."""
    bare = text.rstrip(_PAUSE)
    if first and _FIRST_WORDS.match(text):
        return False
    if isinstance(said.day, Weekday | Date) and _OTHER_DAY.search(bare[-_TAIL:]):
        return False
    odd = _ENDS_ODDLY.search(bare[-_TAIL:]) is not None
    return (not odd or _DEED_ADVERB.search(bare[-_TAIL:]) is not None) and not _unread_clock(bare, said)


def may_end(text: str, said: Said) -> bool:
    """The same where the text ends what was said, and the time stands in front."""
    bare = text.rstrip(_PAUSE)
    owned = _OWN_NUMBER.search(bare[-_TAIL:]) is not None
    return not _LAST_WORDS.search(bare[-_TAIL:]) and (owned or not _unread_clock(bare, said))


def _unread_clock(text: str, said: Said) -> bool:
    """Whether a text ends with a number that may be the hour of a day: "call Bob 9" tonight, but "read chapter 5"."""
    if said.clocks or said.delay:
        return False
    found = _CLOCKLIKE.search(text[-_TAIL:])
    return found is not None and found["thing"] is None


def content(text: str, said: Said) -> bool:
    """Whether a folded text beside a time is one wish and names no other time but what it is about."""
    plain = _QUOTED.sub('""', text)
    if not one_wish(plain) or _AHEAD.search(plain) or _LIMIT.search(plain) or (said.every and _SOMETIMES.search(plain)):
        return False
    return not _misread(plain, said) and all(_owned(plain, start, found, said) for start, found in times(plain))


def one_wish(text: str) -> bool:
    """Whether no question and no other wish stands behind the first sentence of a text."""
    later = [match.end() for match in _SENTENCE.finditer(text)]
    return not any(_WISH.match(text, at) for at in later) and _SECOND.search(text) is None


def is_question(text: str, *, marked: bool) -> bool:
    """Whether a text is one: "what is 2+2", also without a mark at its end; "what to buy" is only with it."""
    return (_QUESTION if marked else _PLAIN_QUESTION).match(text) is not None


def nearly(word: str) -> bool:
    """Whether a word in small letters is a day or a part of one misspelt, or in short: "tommorow", "wensday", "nxt"."""
    if word in _SHORT_FORMS:
        return True
    some = [one for one in _SPELT if one[0] == word[0] and abs(len(one) - len(word)) <= _TYPOS]
    return len(word) >= _LONG and word not in some and any(apart(word, one) <= 1 + (len(one) > _LONGER) for one in some)


def _misread(text: str, said: Said) -> bool:
    """Whether a word at an edge of a text is rather a day: "call mum tommorow" at 5, "Oma anrufen morgen" at 17:00."""
    words = _WORD.findall(text.lower())
    if any(nearly(word) for word in (*words[:_EDGE], *words[-_EDGE:]) if "'" not in word):
        return True
    if said.day or said.delay or said.every:
        return False
    return _CLOCK_ALONE.search(text.rstrip(" ,")) is not None or names_day(text, ours=_OURS)


def times(text: str) -> Iterator[tuple[int, Scan]]:
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

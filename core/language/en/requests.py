"""English: what stands behind a command that sets a reminder: for whom, when, and the text, in either order."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from core.kernel.timing.expressions import Expression
from core.language.en.addressees import Who, who
from core.language.en.remainder import content, may_end, may_follow, may_precede, one_wish
from core.language.en.times import READER, trimmed
from core.language.en.words import GAP
from core.language.engine.said import STRONG, Said, Scan, expression, join, to_wake, unsigned
from core.language.engine.tokens import FOLD, MAX_LENGTH
from core.language.grammar import Request

_TAIL_WORDS = 18
_UNTIL_LENGTH = 80
_LEAD = re.compile(r"(?:please\b|pls\b|[\s,:])*", re.IGNORECASE)
_KEEP = rf"(?:and{GAP})?keep{GAP}(?:on{GAP})?reminding(?:{GAP}(?:me|us|him|her|them|everyone|everybody))?"
_REPEAT = rf"(?:and{GAP})?(?:keep{GAP}repeating|repeat(?:{GAP}(?:it|this|that))?)"
_SUBJECT = rf"(?:(?:it|i|we|he|she|they|that|this)(?:'s|'m|'re|'ve|{GAP}(?:is|am|are|has|have))?{GAP})?"
_DONE = rf"(?:until|till|'til|til){GAP}{_SUBJECT}(?:done|finished|do|did|does)(?:{GAP}(?:it|that|this))?"
_UNTIL = re.compile(
    rf"(?:^|[\s,]{{1,3}})(?:{_KEEP}(?:[\s,]{{1,3}}{_DONE})?|(?:{_REPEAT}{GAP})?(?:and{GAP})?{_DONE})$", re.IGNORECASE
)
# The same in the midst: behind the time, before what is to be done, or before a time at the end.
_UNTIL_WITHIN = re.compile(
    rf"(?:^|[\s,]{{1,3}})(?:{_REPEAT}{GAP})?(?:and{GAP})?{_DONE}"
    rf"(?:(?P<text>[\s,]{{1,3}}(?:to|that|about)\b|:)|[\s,]{{1,3}})",
    re.IGNORECASE,
)
# Behind the time that the wish begins with.
UNTIL_NEXT = re.compile(rf"[\s,]{{1,3}}(?:{_REPEAT}{GAP})?(?:and{GAP})?{_DONE}(?=[\s,])", re.IGNORECASE)
_CONNECT = re.compile(r"[\s,:;.–—-]{0,3}(?:(?:to|that|about|of|for)\b[\s:]{0,3}|(?=:))?", re.IGNORECASE)
_SIGN = re.compile(r"[\s,]{0,3}(?:(?:to|that|about|of)\b|:)", re.IGNORECASE)
_COMPACT = re.compile(r"[\d.,]{0,6}\d[a-z]{1,5}(?:\d{1,2}[a-z]{1,3})?", re.IGNORECASE)
# "Tomorrow's meeting at 9" may be nine o'clock of either day.
_OF_TOMORROW = re.compile(r"\btomorrow's\b", re.IGNORECASE)
# One time in two places, unless what stands between may have a time of its own: "at 9 tell Bo to come on Friday".
_PARTS = re.compile(
    r"\bthat\b|\b(?:tell|ask|inform|message|text|write|email|invite)\b.{0,60}\b(?:to|if|whether)\b", re.IGNORECASE
)
_OWN_DAY = re.compile(
    r"\b(?:about|for|if|whether|tell|ask|book|reserve|order|plan|prepare|arrange|schedule|discuss|confirm|cancel|check)\b",
    re.IGNORECASE,
)
_AGAIN = re.compile(r"(?:once )?(?:again|more)|instead|too|also|as well", re.IGNORECASE)
_WAKE = re.compile(r"(?:wake|get) up", re.IGNORECASE)
_MARKS = re.compile(r"[!?…]{0,5}")


@dataclass(frozen=True, slots=True)
class _Found:
    """The time of a request, and where its text stands; `apart` when a colon says that all the rest is text."""

    when: Expression
    said: Said
    start: int
    end: int
    apart: bool = False


def request(text: str) -> Request | None:
    """Read a request whole; None without a time or a text, or when it is not clear which is which."""
    if len(text) > MAX_LENGTH:
        return None
    bare = unsigned(text)
    return _within(text) or _request(text) or (_request(bare) if bare != text else None)


def _within(text: str) -> Request | None:
    """With "until done" in its midst: "every day at 9 until done to take the pills"."""
    folded = text.translate(FOLD)
    match = _UNTIL_WITHIN.search(folded)
    if match is None:
        return None
    behind = match.start("text") if match["text"] else match.end()
    if not (match["text"] or _timed(folded, match.start(), behind)):
        return None
    gap = "" if match["text"] else " "
    found = _request(f"{text[: match.start()]}{gap}{text[behind:]}")
    end = trimmed(folded)
    parted = match["text"] or READER.whole(folded, behind, end)
    return replace(found, until_done=True) if found and found.text in (text if parted else text[behind:]) else None


def _timed(folded: str, before: int, behind: int) -> bool:
    """Whether a time is all that stands before "until done", or the first that stands behind it."""
    end = trimmed(folded)
    first = READER.scan(folded, behind, end)
    if first is not None and (first.end == end or _SIGN.match(folded, first.end, end)):
        return True
    start = _skip(_LEAD, folded, 0, before)
    whom = _whom(folded, folded, start, before)
    return READER.whole(folded, _skip(_CONNECT, folded, whom.end, before), before) is not None


def _request(text: str) -> Request | None:
    folded = text.translate(FOLD)
    start, end = _skip(_LEAD, folded, 0, len(folded)), trimmed(folded)
    until_done = False
    while match := _UNTIL.search(folded, max(start, end - _UNTIL_LENGTH), end):
        end, until_done = len(folded[: match.start()].rstrip(" ,;")), True
    whom = _whom(text, folded, start, end)
    begin = _skip(_CONNECT, folded, whom.end, end) if whom.end > start else start
    found = _front(folded, begin, end) or _back(folded, begin, end) or _weak(folded, begin, end)
    said = _text(text, folded, found, end) if found else ""
    if found is None or not said:
        return None
    # Nothing of time, and no other wish, is left over in the text.
    rest = folded[_skip(_CONNECT, folded, found.start, found.end) : found.end]
    if not (one_wish(rest) if found.apart else content(rest, found.said)):
        return None
    when = to_wake(found.when) if _WAKE.fullmatch(said) else found.when
    return Request(text=said, when=when, who=whom.names, everybody=whom.everybody, until_done=until_done)


def _whom(text: str, folded: str, start: int, end: int) -> Who:
    first = READER.scan(folded, start, end)
    return Who(end=start) if first and first.said.strength == STRONG else who(text, folded, start, end)


def _skip(pattern: re.Pattern[str], folded: str, start: int, end: int) -> int:
    match = pattern.match(folded, start, end)
    return match.end() if match else start


def _front(folded: str, start: int, end: int) -> _Found | None:
    """A time, then the text; a clock or a repetition may come behind the text."""
    first = READER.scan(folded, start, end)
    if first is None or first.said.strength != STRONG:
        return None
    begin = _skip(_CONNECT, folded, first.end, end)
    sign = _SIGN.match(folded, first.end, end)
    word = sign[0].strip(" ,").lower() if sign else ""
    # "Tomorrow about 5" is a time, "tomorrow about the party" is none.
    if word in {"", "about"} and not may_follow(folded, first.end, end, first.said):
        return None
    # "At 9 that Bob comes tomorrow": the other time is Bob's.
    theirs = word == "that" and first.said.day is None and first.said.every is None
    around = None if theirs else _around(folded, first, begin, end)
    if around or word == ":" or may_end(folded[begin:end], first.said):
        return around or _Found(first.when, first.said, begin, end, apart=word == ":")
    return None


def _around(folded: str, first: Scan, start: int, end: int) -> _Found | None:
    back = READER.tail(folded, _starts(folded, start, end), end)
    between = folded[start : back[0]] if back else ""
    if back is None or not may_precede(between, back[1].said):
        return None
    both = None if _PARTS.search(between) else _both(first.said, back[1].said, between)
    when = expression(both) if both else None
    return _Found(when, both, start, back[0]) if both and when else None


def _both(front: Said, back: Said, between: str) -> Said | None:
    """Tomorrow … at 9; at 9 … tomorrow; at 9 … every day."""
    clock = front.clocks and not (front.day or front.every or front.delay)
    if back.delay or (back.day and (not clock or _OWN_DAY.search(between))) or (back.every and not clock):
        return None
    return join(front, back) if front.day or front.every or clock else None


def _back(folded: str, start: int, end: int) -> _Found | None:
    """The text, then a time."""
    found = READER.tail(folded, _starts(folded, start, end), end)
    text = folded[start : found[0]] if found else ""
    if found is None or not may_precede(text, found[1].said, first=True):
        return None
    said = found[1].said
    if said.clocks and not (said.day or said.every) and _OF_TOMORROW.search(folded, start, found[0]):
        return None
    return _Found(found[1].when, said, start, found[0])


def _weak(folded: str, start: int, end: int) -> _Found | None:
    """What may be a time and is one here: "20m tea", "11/27 to call Oma"."""
    found = READER.scan(folded, start, end, alone=True)
    # What is sure to be a time, and is not read as one, goes on oddly.
    if found is None or found.said.strength == STRONG:
        return None
    if not _SIGN.match(folded, found.end, end) and not _COMPACT.fullmatch(folded, start, found.end):
        return None
    return _Found(found.when, found.said, _skip(_CONNECT, folded, found.end, end), end)


def _starts(folded: str, start: int, end: int) -> list[int]:
    """Where the last words begin, the first of them in front; never where the text itself begins."""
    found: list[int] = []
    at = end
    for _ in range(_TAIL_WORDS):
        at = folded.rfind(" ", start, at)
        if at < 0:
            break
        found.append(at + 1)
    return found[::-1]


def _text(text: str, folded: str, found: _Found, last: int) -> str:
    """The text as it was written, without what connected it to its time, and without quotes around all of it."""
    start = _skip(_CONNECT, folded, found.start, found.end)
    part = folded[start : found.end]
    begin = start + len(part) - len(part.lstrip(" ,;:–—"))
    part = folded[begin : found.end].rstrip(" ,;:–—-")
    for word in (" to", " about"):
        part = part.removesuffix(word).rstrip(" ,;:–—-") if part.lower().endswith(word) else part
    end = begin + len(part)
    if end == last:
        end = _skip(_MARKS, folded, end, len(folded))
    if end - begin > 1 and folded[begin] == '"' == folded[end - 1] and '"' not in folded[begin + 1 : end - 1]:
        begin, end = begin + 1, end - 1
    said = text[begin:end].strip()
    return "" if _AGAIN.fullmatch(said) or not said.strip(" .,!?;:'\"-–—()…") else said

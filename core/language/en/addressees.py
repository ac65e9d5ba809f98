"""English: for whom a request is, when it begins with that: me, us, everybody, @bob, Bob and Anna."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.language.en.times import READER
from core.language.en.words import DEED, GAP, NEAR
from core.language.engine.said import STRONG
from core.language.grammar import ME

_ME = re.compile(rf"(?:for{GAP})?(?:me|myself)\b(?!{GAP}(?:and|or|&)\b|,?{NEAR}@(?!{NEAR}\d))", re.IGNORECASE)
_ALL = re.compile(
    rf"(?:for{GAP})?(?:us(?:{GAP}all)?|all{GAP}of{GAP}us|@(?:all|everyone|everybody|channel|here))(?![\w'])",
    re.IGNORECASE,
)
MANY = (
    rf"(?:(?:everyone|everybody|all)(?:{GAP}(?:here|in{GAP}(?:this|the|our){GAP}(?:group|team|chat|channel|thread)))?"
    rf"|(?:the|our){GAP}(?:(?:whole|entire){GAP})?(?:group|team|family|chat|channel))"
)
_MANY = re.compile(rf"(?:for{GAP})?{MANY}(?![\w'])", re.IGNORECASE)
_MORE = re.compile(rf"{NEAR}[,&]{NEAR}@|{NEAR}&|{GAP}and\b", re.IGNORECASE)
_TO = re.compile(rf"[,:]?{GAP}(?P<word>to|that|about)\b(?P<next>{GAP}\S{{1,20}})?", re.IGNORECASE)
_AFTER = re.compile(r"[\s,]{0,3}(?:(?:to|that|about|for)\b|:)", re.IGNORECASE)
_TEXT = re.compile(r"[\s,]{1,3}(?!(?:with|at|in|for|from|by|near|on|and|or|until|till|before|after)\b)[a-z]")
_AND = re.compile(rf"{NEAR},{NEAR}(?:and{GAP})?|{NEAR}&{NEAR}|{GAP}and{GAP}", re.IGNORECASE)
_HANDLE = re.compile(r"@\w[\w.]{0,63}")
_WORD = re.compile(r"[^\W\d_][\w'.-]{0,39}")
_SELF = frozenset({"me", "myself"})
_OTHERS = frozenset({"em", "her", "him", "people", "somebody", "someone", "them", "yourself", "yourselves"})
_STEP = re.compile(rf"{NEAR}(?P<word>\S{{1,64}})")
_WORDS, _NAME_WORDS = 16, 3
_DEED = re.compile(DEED, re.IGNORECASE)
_NO_DEED = re.compile(r"the|an?|my|your|our|his|her|their|this|that|these|those|me|him|us|them|it", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Who:
    """Whom a request is for, and where it goes on."""

    names: tuple[str, ...] = ()
    everybody: bool = False
    end: int = 0


def who(text: str, folded: str, start: int, end: int) -> Who:
    """Read for whom a request is. A name counts only when a time or "to", "that", "about" follows it."""
    if match := _ME.match(folded, start, end):
        return Who(end=match.end())
    if match := _ALL.match(folded, start, end):
        return Who(everybody=True, end=match.end())
    if (match := _MANY.match(folded, start, end)) and _goes_on(folded, match.end(), end):
        return Who(everybody=True, end=match.end())
    return _named(text, folded, start, end)


def _named(text: str, folded: str, start: int, end: int) -> Who:
    at, before = start, "and"
    for _ in range(_WORDS):
        step = _STEP.match(folded, at, end)
        if step is None or not _goes_with(step["word"], before):
            break
        stop = step.start("word") + len(step["word"].rstrip(",:"))
        names = _names(text[start:stop], folded[start:stop])
        if names and _counts(folded, stop, end, names):
            return Who(names=names, end=stop)
        at, before = step.end(), step["word"]
    return Who(end=start)


def _goes_with(word: str, before: str) -> bool:
    """Whether a word can go on in a list of names: small letters only where one begins."""
    begins = before.lower() in {"and", "&"} or before.endswith(",")
    return begins or word[0].isupper() or word[0] in "@&" or word.lower() == "and"


def _names(text: str, folded: str) -> tuple[str, ...]:
    """The names of a list that is nothing else."""
    cuts = [0, *(at for match in _AND.finditer(folded) for at in match.span()), len(folded)]
    found = [text[begin:stop].strip() for begin, stop in zip(cuts[::2], cuts[1::2], strict=True)]
    names = [ME if one.lower() in _SELF else one for one in found]
    others = [one for one in names if one != ME]
    return tuple(names) if others and all(_is_name(one) for one in others) else ()


def _is_name(text: str) -> bool:
    words = text.split()
    if not words or _HANDLE.fullmatch(text):
        return bool(words)
    if text.lower() in _OTHERS:
        return False
    if len(words) > _NAME_WORDS or not all(_WORD.fullmatch(word) for word in words) or _DEED.fullmatch(words[0]):
        return False
    return len(words) == 1 or all(word[0].isupper() for word in words)


def _counts(folded: str, at: int, end: int, names: tuple[str, ...]) -> bool:
    """Whether what follows shows that these were names."""
    others = [name for name in names if name != ME]
    if all(name.startswith("@") for name in others):
        return _MORE.match(folded, at, end) is None
    if match := _TO.match(folded, at, end):
        return others[0][0].isupper() and (match["word"].lower() != "to" or _is_deed(match["next"] or ""))
    gap = at + len(folded[at:end]) - len(folded[at:end].lstrip(" ,"))
    found = READER.scan(folded, gap, end) if gap > at else None
    if found is None or found.said.strength != STRONG:
        return False
    # "Lunch tomorrow at 12 with Anna" is not for somebody called Lunch.
    return bool(
        _AFTER.match(folded, found.end, end) or (others[0][0].isupper() and _TEXT.match(folded, found.end, end))
    )


def _is_deed(text: str) -> bool:
    """Whether a word behind "to" is something to do: "Bob to send …", but not "Hike to the …", "Letter to Anna"."""
    word = text.strip()
    return word[:1].islower() and not _NO_DEED.fullmatch(word)


def _goes_on(folded: str, at: int, end: int) -> bool:
    if _TO.match(folded, at, end):
        return True
    gap = len(folded[at:end]) - len(folded[at:end].lstrip(" ,:"))
    found = READER.scan(folded, at + gap, end) if gap else None
    return found is not None and found.said.strength == STRONG

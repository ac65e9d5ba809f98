"""Several items in one text: listed by lines, or by commas where each part is short. In doubt it is one item; where a
list is of goods, "milk and eggs" are two."""

from __future__ import annotations

import re
from functools import cache

from core.language import languages

MOST_PARTS, LONGEST_LINE, LONGEST_PLAIN = 50, 200, 48
LONGEST_PART, MOST_WORDS = 32, 4
LONGEST_DENSE = 8
# A number is a bullet only where the lines count from one: "3. Mai" is a day.
_SIGN = r"[-*•·–☐]|\[ ?\]"
_BULLET = re.compile(rf"\A\s*(?:{_SIGN})\s+")
_NUMBER = re.compile(r"\A\s*(\d{1,2})[.)]\s+")
_COUNTED = re.compile(rf"\A\s*(?:{_SIGN}|\d{{1,2}}[.)])\s+")
# Not that of a number: "1,000 nails".
_COMMA = re.compile(r"(?<!\d)[,;、；，]|[,;、；，](?!\d)")
_DENSE = re.compile(r"[\u2e80-\u9fff]")
_COUPLE = 2
# A word, and how many of it; without spaces two signs or more, since 调和油 is one thing.
_GOOD = re.compile(r"(?:\d+\s+)?[^\W\d\u2e80-\u9fff][\w'-]*|[\d一二两三四五六七八九十]*[\u2e80-\u9fff]{2,8}")
# What is more than a list: an explanation, a name, an address, a question, a second sentence.
_MORE = re.compile(r"[:：()（）\[\]\"“”„!?！？。/@#]|\.\s")


def items_of(text: str, *, goods: bool = False) -> list[str]:
    """Return the items that a text lists; only the text itself where it may be one. An "and" alone parts `goods`."""
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) == 1:
        return _parts(_BULLET.sub("", text), goods) or [text]
    numbers = [int(number[1]) for line in lines if (number := _NUMBER.match(line))]
    bullet = _COUNTED if numbers[1:] and numbers == list(range(1, len(numbers) + 1)) else _BULLET
    # What stands before bullets is their title.
    bulleted = [line for line in lines if bullet.match(line)]
    titled = len(bulleted) == len(lines) - 1 and lines[0].rstrip().endswith((":", "："))
    found = [bullet.sub("", line).strip() for line in (bulleted if titled else lines)]
    most = LONGEST_LINE if bulleted else LONGEST_PLAIN
    fits = bool(found) and all(0 < len(line) <= most for line in found)
    return found if fits and (not bulleted or titled or len(bulleted) == len(lines)) else [text]


def _parts(text: str, goods: bool) -> list[str]:
    """Return what stands between commas, and on both sides of an "and" behind the last one; nothing when in doubt."""
    *first, last = (part.strip() for part in _COMMA.split(text))
    if _MORE.search(text):
        return []
    patterns = _patterns()
    if not first:
        return _two_goods(patterns.joint.split(text)) if goods else []
    last = patterns.leading.sub("", last, count=1) if patterns.leading.match(last) else last
    found = [part.strip() for part in (*first, *patterns.joint.split(last, maxsplit=1)) if part.strip()]
    if not found[1:]:
        return []
    short = all(
        len(part) <= LONGEST_DENSE
        if _DENSE.search(part)
        else len(part) <= LONGEST_PART and len(part.split()) <= MOST_WORDS and not patterns.goes_on.match(part)
        for part in found
    )
    # Parts belong together in "call Anna, Ben and Chris", and in "dinner with Anna, Ben".
    whole = bool(patterns.together.search(found[0])) and all(len(part.split()) == 1 for part in found[1:])
    return found if short and not whole else []


def _two_goods(parts: list[str]) -> list[str]:
    """Return two goods with nothing but an "and" between them, each a word that may be counted ("2 milk"); nothing of
    what is one ("half and half", "red and white wine", "Vor- und Nachspeise"), or more."""
    found = [part.strip() for part in parts]
    apart = len(found) == len(set(found)) == _COUPLE and not found[0].endswith("-")
    return found if apart and all(map(_GOOD.fullmatch, found)) else []


def _words(key: str) -> str:
    return "|".join(language[key] for language in languages().values())


class _Patterns:
    """What joins items, in all languages. The texts are there when the first list is read."""

    def __init__(self) -> None:
        either = _words("todo_and_words")
        dense = rf"(?<=[\u2e80-\u9fff])(?:{either})(?=[\u2e80-\u9fff])"
        self.joint = re.compile(rf"\s+(?:{either})\s+|{dense}", re.IGNORECASE)
        self.leading = re.compile(rf"(?:{either})\s+", re.IGNORECASE)
        self.goes_on = re.compile(rf"(?:{_words('todo_goes_on_words')})\b", re.IGNORECASE)
        self.together = re.compile(rf"(?:\A|\s)(?:{_words('todo_together_words')})\s", re.IGNORECASE)


@cache
def _patterns() -> _Patterns:
    return _Patterns()

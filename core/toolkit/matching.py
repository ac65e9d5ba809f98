"""Which to-do, or what else, somebody means by its words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from core.language import languages
from core.store.todos import Todo, key

_NO_WORD = re.compile(r"[\W_]+")
# Scripts that put no spaces between words: Chinese, Japanese, Korean.
_DENSE = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_ARTICLES = frozenset({"the", "my", "our", "a", "an", "your"})
# Of other scripts, fewer letters are a part of nearly everything.
SHORTEST_PART = 3


def matching(query: str, items: Sequence[Todo]) -> list[Todo]:
    """The items that `query` may mean, in this order; the first kind that there is decides:

    1. it is the whole text, whatever the capitals and the signs between words;
    2. it is that without any signs;
    3. all its words stand in the item, anywhere;
    4. it is a part of the text. Where words have no spaces between them, those of the query don't count.

    Where there is none so, "the milk" is "milk".
    """
    first, _, rest = query.strip().partition(" ")
    found = _matching(query, items)
    return _matching(rest, items) if not found and rest.strip() and first.casefold() in _ARTICLES else found


def means(said: str, text: str, *, exact: bool) -> bool:
    """Whether words that somebody says beside others ("milk done", "cancel dentist") mean what has this text.

    They are all of it, but for an article; or, unless that must be so (`exact`), whole words of it, one of which says
    something.
    """
    wanted, there = _named(said), _named(text)
    if wanted == there or exact:
        return wanted == there
    if is_dense(wanted):
        return len(_dense(wanted)) > 1 and wanted not in _fillers() and _dense(wanted) in _dense(there)
    words = set(wanted.split())
    return words <= set(there.split()) and any(len(one) >= SHORTEST_PART for one in words - _fillers())


def _named(text: str) -> str:
    first, _, rest = _unsigned(text).partition(" ")
    return rest if rest and first in _ARTICLES else f"{first} {rest}".strip()


@cache
def _fillers() -> frozenset[str]:
    """Words that say nothing of an item, in any language."""
    return frozenset(word for one in languages().values() for word in one["filler_words"].split("|"))


def _matching(query: str, items: Sequence[Todo]) -> list[Todo]:
    exact = [item for item in items if key(item.content) == key(query)]
    if exact:
        return exact
    wanted, words = _unsigned(query), [(item, _unsigned(item.content)) for item in items]
    for test in (str.__eq__, _words, _part):
        if found := [item for item, text in words if test(wanted, text)]:
            return found
    return []


def _unsigned(content: str) -> str:
    """The words of a text; the text, where it is nothing but signs."""
    text = key(content)
    return " ".join(_NO_WORD.sub(" ", text).split()) or text


def _words(wanted: str, text: str) -> bool:
    return set(wanted.split()) <= set(text.split())


def is_dense(text: str) -> bool:
    """Whether a text is of a script without spaces between words."""
    return _DENSE.search(text) is not None


def _part(wanted: str, text: str) -> bool:
    if is_dense(wanted):
        return _dense(wanted) in _dense(text)
    return len(wanted) >= SHORTEST_PART and wanted in text


def _dense(text: str) -> str:
    return text.replace(" ", "")

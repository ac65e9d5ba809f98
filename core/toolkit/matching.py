"""Which to-do somebody means by its words."""

from __future__ import annotations

import re
from collections.abc import Sequence

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


def _part(wanted: str, text: str) -> bool:
    if _DENSE.search(wanted):
        return _dense(wanted) in _dense(text)
    return len(wanted) >= SHORTEST_PART and wanted in text


def _dense(text: str) -> str:
    return text.replace(" ", "")

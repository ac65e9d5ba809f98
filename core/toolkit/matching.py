"""Which to-do somebody means by its words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.store.todos import Todo, key

# Scripts that put no spaces between words: Chinese, Japanese, Korean.
_DENSE = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")
# Of other scripts, fewer letters are a part of nearly everything.
SHORTEST_PART = 3


def matching(query: str, items: Sequence[Todo]) -> list[Todo]:
    """The items that `query` may mean, in this order; the first kind that there is decides:

    1. it is the whole text, whatever the capitals and signs;
    2. all its words stand in the item, anywhere;
    3. it is a part of the text. Where words have no spaces between them, those of the query don't count.
    """
    wanted, keys = key(query), [(item, key(item.content)) for item in items]
    for test in (_whole, _words, _part):
        if found := [item for item, text in keys if test(wanted, text)]:
            return found
    return []


def _whole(wanted: str, text: str) -> bool:
    return wanted == text


def _words(wanted: str, text: str) -> bool:
    return set(wanted.split()) <= set(text.split())


def _part(wanted: str, text: str) -> bool:
    if _DENSE.search(wanted):
        return _dense(wanted) in _dense(text)
    return len(wanted) >= SHORTEST_PART and wanted in text


def _dense(text: str) -> str:
    return text.replace(" ", "")

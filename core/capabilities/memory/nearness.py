"""Which texts say the same: by their words, never by a model."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from core.language import languages
from core.store.text_index import tokeniser


def says(whole: str, part: str) -> bool:
    """Return whether a text says all that another one does."""
    return _tokens(part) <= _tokens(whole) and negations(whole) == negations(part)


def overlap(one: str, other: str) -> float:
    """Return how much of the shorter of two texts is in the other one, from 0 to 1."""
    first, second = _tokens(one), _tokens(other)
    return len(first & second) / (min(len(first), len(second)) or 1)


def negations(text: str) -> int:
    """Return how many words of a text say no."""
    known, signs = _negating()
    return sum(word in known for word in tokeniser.words(text)) + sum(text.count(sign) for sign in signs)


@cache
def _negating() -> tuple[frozenset[str], Sequence[str]]:
    """Return the words that say no in any language, and those of them that are signs in words of other scripts."""
    known = frozenset(word for language in languages().values() for word in language["memory_negations"].split("|"))
    return known, [word for word in known if not word.isascii() and len(word) == 1]


def _tokens(text: str) -> frozenset[str]:
    return frozenset(tokeniser.tokens(text))

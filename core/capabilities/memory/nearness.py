"""Which texts say the same, and whether somebody's words say what is to be noted: by tokens, never by a model."""

from __future__ import annotations

from collections.abc import Collection

from core.language import languages
from core.store.text_index import tokeniser

# So much of what is to be noted must be among somebody's own words.
_SAID = 0.5
# What a note says of somebody that they never say themselves.
_ABOUT = "user person they prefers likes dislikes wants says der die person nutzer benutzer mag 用户 他 她"


def same(one: str, other: str) -> bool:
    """Return whether two texts have the same words but for those that say nothing; "allergic" is not "not allergic"."""
    return _tokens(one) == _tokens(other) and negations(one) == negations(other)


def says(whole: str, part: str) -> bool:
    """Return whether a text says all that another one does."""
    return _tokens(part) <= _tokens(whole) and negations(whole) == negations(part)


def overlap(one: str, other: str) -> float:
    """Return how much of the shorter of two texts is in the other one, from 0 to 1."""
    first, second = _tokens(one), _tokens(other)
    return len(first & second) / (min(len(first), len(second)) or 1)


def is_said(content: str, words: str, name: str) -> bool:
    """Return whether somebody's own words say what is to be noted of them, who is called `name`; about half of it may
    be worded otherwise."""
    wanted = _tokens(content) - _tokens(f"{_ABOUT} {name}")
    own = {*tokeniser.query_tokens(words), *tokeniser.tokens(words)}
    return bool(wanted) and len(wanted & own) >= _SAID * len(wanted)


def has_words(text: str, key: str) -> bool:
    """Return whether one of the words of `key` stands in a text, in any language."""
    said = f" {' '.join(tokeniser.words(text))} "
    words = (word for language in languages().values() for word in language[key].split("|"))
    return any((f" {' '.join(tokeniser.words(word))} " if word[:1] < "\u2e80" else word) in said for word in words)


def negations(text: str) -> int:
    """Return how many words of a text say no."""
    known = {word for language in languages().values() for word in language["memory_negations"].split("|")}
    signs = [word for word in known if len(word) == 1 and not word.isascii()]
    return sum(word in known for word in tokeniser.words(text)) + sum(text.count(sign) for sign in signs)


def names(text: str, people: Collection[str]) -> bool:
    """Return whether a text names one of these people, by the whole or the first word of a name."""
    said = f" {' '.join(tokeniser.words(text))} "
    called = {" ".join(tokeniser.words(name)) for name in people} | {name.split()[0] for name in people if name.split()}
    return any(f" {' '.join(tokeniser.words(one))} " in said for one in called if len(one) > 1)


def _tokens(text: str) -> frozenset[str]:
    return frozenset(tokeniser.tokens(text))

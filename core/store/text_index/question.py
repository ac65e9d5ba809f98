"""A question as the terms by which it is answered, and what each of them weighs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from core.store.text_index import marks, synonyms, tokeniser

# Of a longer question only the beginning counts; so many terms that it does not have itself are sought with it.
MOST_TERMS, MOST_RELATED, MOST_MARKS = 32, 32, 8
# What words that mean about the same weigh, beside the question's own; and a time or a number where it asks for one.
RELATED, MARK = 0.5, 0.5


def terms(query: str, language: str = "") -> dict[str, float]:
    """Return the tokens that an answer may have, with what each weighs; none for a question without words."""
    own = tokeniser.query_tokens(query, language)[:MOST_TERMS]
    if not own:
        return {}
    related = [token for token in dict.fromkeys(_related(query)) if token not in own][:MOST_RELATED]
    return {
        **dict.fromkeys(own, 1.0),
        **dict.fromkeys(related, RELATED),
        **dict.fromkeys(marks.asked(query)[:MOST_MARKS], MARK),
    }


def _related(query: str) -> list[str]:
    """Return the tokens of everyday words that mean about what words of a question mean."""
    found = []
    for word in tokeniser.words(query):
        if word.isascii():
            found += [token for key in tokeniser.tokens(word, "en") for token in _english().get(key, ())]
            continue
        # One character is part of many words; and what is sought are pairs, which say more than characters.
        for key, others in synonyms.CHINESE.items():
            if len(key) > 1 and key in word:
                for other in others:
                    found += [token for token in tokeniser.tokens(other) if len(token) > 1 or len(other) == 1]
    return found


@cache
def _english() -> Mapping[str, Sequence[str]]:
    """Return the groups by the tokens of their words."""
    found: dict[str, list[str]] = {}
    for word, others in synonyms.ENGLISH.items():
        for key in tokeniser.tokens(word, "en"):
            found.setdefault(key, []).extend(token for other in others for token in tokeniser.tokens(other, "en"))
    return found

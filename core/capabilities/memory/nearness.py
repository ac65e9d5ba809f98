"""Tells which texts say the same: by their words, never by a model."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from core.capabilities.memory.models import Memory
from core.language import all_words
from core.store.text_index import tokeniser
from core.store.text_index.stop_words import ENGLISH, GERMAN

# The share of words that two texts must have in common where one may correct the other.
_SHARED = 0.5
# With more topic words than that a text is known again in what somebody else says.
_COMMONPLACE = 2

# What people say in nearly every sentence: alone it makes no memory matter.
WEAK = frozenset(
    tokeniser.query_tokens(
        "like want need know tell think say make give take good great time day today tomorrow week remember thing"
        " please help look find use work put try ask new name people way lot bit ok hello hi thanks thank question"
        " answer mögen mag möchte brauche weiß sagen machen geben gut zeit tag heute morgen woche merken ding bitte"
        " hilfe danke finden arbeit neu name leute frage antwort hallo"
    )
)
# Words that tell when something is, and so nothing of what it is about.
_TIMES = frozenset(
    tokeniser.query_tokens(
        "monday tuesday wednesday thursday friday saturday sunday yesterday evening morning afternoon night noon"
        " montag dienstag mittwoch donnerstag freitag samstag sonntag gestern abend früh nachmittag nacht mittag uhr"
        " 今天 明天 昨天 后天 早上 上午 中午 下午 晚上 星期 周一 周二 周三 周四 周五 周六 周日"
    )
)


def holds(whole: str, part: str) -> bool:
    """Return whether a text has all words of another one that say something."""
    return _tokens(part) <= _tokens(whole)


def says(whole: str, part: str) -> bool:
    """Return whether a text says all that another one does."""
    return holds(whole, part) and negations(whole) == negations(part)


def overlap(one: str, other: str) -> float:
    """Return how much of the shorter of two texts is in the other one, from 0 to 1."""
    first, second = _tokens(one), _tokens(other)
    return len(first & second) / (min(len(first), len(second)) or 1)


def may_correct(new: str, old: str) -> bool:
    """Return whether a text may be a correction of an older one: each has the first topic word of the other ("my
    dentist is …"), and they share half of their topic words."""
    first, second = _topic_words(new), _topic_words(old)
    if not first or not second or first[0] not in second or second[0] not in first:
        return False
    shared = len(set(first) & set(second))
    return shared >= _SHARED * min(len(set(first)), len(set(second)))


def recognisable(text: str) -> bool:
    """Return whether who says the words of a text is likely to mean the same: it has three topic words, or a number or
    code beside one. Of a script without spaces a pair of signs is half a word, since each sign is in two of them."""
    telling = " ".join(word for word in tokeniser.words(text) if word not in ENGLISH | GERMAN)
    tokens = set(tokeniser.tokens(telling))
    numbers = {one for one in tokens if any(map(str.isdigit, one)) or (len(one) > 1 and one.isnumeric())}
    topics = set(_topic_words(telling)) - numbers
    weight = sum(1 / len(tokeniser.spaced(one).split()) for one in topics)
    return bool(topics and numbers) or weight > _COMMONPLACE


def _topic_words(text: str) -> list[str]:
    """Return the words of a text that say what it is about: of a script without spaces pairs of signs."""
    tokens = tokeniser.tokens(text)
    return [token for token in tokens if len(token) > 1 and not token.isdecimal() and token not in WEAK | _TIMES]


def negations(text: str) -> int:
    """Return how many words of a text say no."""
    return _count(text, "memory_negations")


def in_first_person(text: str) -> bool:
    """Return whether a text speaks of whoever says it: by somebody else it means something else. What is "ours" is the
    group's, whoever says so."""
    for word in all_words("memory_we_words"):
        # The sign for "I" stands in the one for "we".
        text = text if word.isascii() else text.replace(word, " ")
    return _count(text, "memory_first_person") > 0


def is_anothers(memory: Memory, person_id: int) -> bool:
    """Return whether a memory speaks of somebody else, who said it of themself."""
    return memory.person_id not in {None, person_id} and in_first_person(memory.content)


def _count(text: str, key: str) -> int:
    listed, signs = _listed(key)
    return sum(word in listed for word in tokeniser.words(text)) + sum(text.count(sign) for sign in signs)


@cache
def _listed(key: str) -> tuple[frozenset[str], Sequence[str]]:
    """Return the words that a text lists in any language, and those of them that are single signs of a script without
    spaces, where they stand inside of words."""
    listed = frozenset(all_words(key))
    return listed, [word for word in listed if not word.isascii() and len(word) == 1]


def _tokens(text: str) -> frozenset[str]:
    return frozenset(tokeniser.tokens(text))

"""Finds which to-do, or what of all that is scheduled, is meant by some words.

"The milk" means "buy milk", "socks and shirts" two to-dos. Free text, commands and tools have one set of rules. Texts
are compared without references, capitals, articles and plurals.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Protocol, TypeVar

from core.kernel.markdown import folded
from core.language import all_words

# A reference to somebody, as it stands in the text of a to-do: "Anna (tg:1001)".
REFERENCE = re.compile(r"\s*\((?:tg|slack|maep|discord):[^\s()]+\)")
# Signs that end sentences, quote or enclose: they may stand beside a word and are no part of it.
_MARKS = frozenset({"Ps", "Pe", "Pi", "Pf", "Po"})
# Signs of these kinds that are a part of a word: "#1", "5%", "C*", "5/", "@anna", "a&".
_OF_WORDS = frozenset("#%&*/@\\")

_NO_WORD = re.compile(r"[\W_]+")
# Scripts that put no spaces between words: Chinese, Japanese, Korean.
_DENSE = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_EDGE = re.compile(rf"(?<={_DENSE.pattern})(?=[a-z0-9])|(?<=[a-z0-9])(?={_DENSE.pattern})")
# So many texts are remembered as they are compared: each part of an enumeration is held against the whole list.
_KNOWN = 4_096
# "Bo's", however the phone writes it; and "e-mail".
_APOSTROPHE = re.compile(r"['\u2018\u2019\u02bc\u00b4`](?:s\b)?")
_HYPHEN = re.compile(r"\b([a-z])[-\u2010\u2011](?=[a-z])")
# What stands between the parts of an enumeration.
_BETWEEN = re.compile(
    r"(?<!\d)[,，]|[,，](?!\d)|[、;；&]|\s+(?:and|und|\+)\s+|\s+和\s+|(?<=[\u2e80-\u9fff])[和及](?=[\u2e80-\u9fff])"
)
_JOINT = re.compile(r"[ 和与及]")
_DIGIT = "[0-9一二两三四五六七八九十半几]"
# Behind what is surely not all of a text.
PART = "…"
# In scripts with spaces a word of fewer letters says something only where little more is said, fewer letters begin
# nearly every second word, and fewer are a part of one.
SHORTEST_WORD, SHORTEST_BEGINNING, SHORTEST_PART = 3, 4, 5
# "s" ends other words than plurals, too.
_SHORTEST_PLURAL = 4


def plain(content: str) -> str:
    """Return the text of a to-do without its references."""
    return " ".join(REFERENCE.sub("", content).split())


@lru_cache(_KNOWN)
def key(content: str) -> str:
    """Return what two to-dos have in common that say the same: their words, without references, capitals and what only
    ends or joins them.

    Signs in or beside a word are a part of it: "C++" is not "C#", "-5" not "+5".
    """
    text = folded(plain(content))
    return " ".join(filter(None, map(_bare, text.split()))) or text


def _bare(word: str) -> str:
    """Return a word without the marks around it; empty for a dash or mark that stands alone."""
    while word and _is_mark(word[-1]):
        word = word[:-1]
    while word and _is_mark(word[0]):
        word = word[1:]
    return "" if all(unicodedata.category(character)[0] == "P" for character in word) else word


def _is_mark(character: str) -> bool:
    return unicodedata.category(character) in _MARKS and character not in _OF_WORDS


class Called(Protocol):
    """Has a text that people call it by."""

    @property
    def text(self) -> str:
        """Return the text."""
        ...


C = TypeVar("C", bound=Called)
# Tells whether words mean a text, both as they are compared.
Test = Callable[[str, str], bool]


def matching(query: str, things: Sequence[C]) -> list[C]:
    """Return what `query` may mean. The first of these kinds that there is decides:

    1. it is the whole text, whatever the capitals and the signs between words;
    2. it is that without any signs, articles and possessives, and whether it is one or several;
    3. all its words stand in the text, anywhere;
    4. a word of the text begins so, or it is a part of one. Where words have no spaces between them, those of the query
       don't count.
    """
    return _meant(query, things, (str.__eq__, lambda wanted, text: set(wanted.split()) <= set(text.split()), _part))


def beside(words: str, things: Sequence[C], *, exact: bool) -> list[C]:
    """Return what words mean that somebody says beside others ("milk done", "cancel dentist").

    They are all of a text, as the first two kinds of `matching`; or, unless that must be so (`exact`), what it is that
    shall be bought; or whole words of it, one of which says something, which is to be asked back about (`is_all`).
    """
    return _meant(words, things, (str.__eq__,) if exact else (_all, _says))


def each(words: str, things: Sequence[C]) -> tuple[list[C], list[str]]:
    """Return the things that an enumeration names ("socks and shirts"), and those of its parts that name nothing, or
    may mean several things. Both are empty where it is no enumeration."""
    parts = [part.strip() for part in _BETWEEN.split(words) if part and part.strip()]
    if not parts[1:]:
        return [], []
    meant = [(part, beside(part, things, exact=True)) for part in parts]
    clear = [candidates[0] for _, candidates in meant if len(candidates) == 1]
    return clear, [part for part, candidates in meant if len(candidates) != 1]


def is_all(words: str, text: str) -> bool:
    """Return whether words say all of a text, or what shall be bought: "milk" of "buy milk", not of "boil milk"."""
    return _all(_named(words), _named(text))


def _all(wanted: str, text: str) -> bool:
    """Return the same of words and a text as they are compared."""
    if wanted == text:
        return True
    if is_dense(text):
        buys, much = ("|".join(all_words(name)) for name in ("buy_words", "measure_words"))
        goods = re.escape(_dense(wanted))
        # Without a verb of buying before it a measure alone may be one itself: 包饺子, 点外卖.
        form = f"(?:(?:{buys})(?:{_DIGIT}*(?:{much}))?|{_DIGIT}+(?:{much}))?{goods}"
        return re.fullmatch(form, _dense(text)) is not None
    verb, _, goods = text.partition(" ")
    first, _, rest = goods.partition(" ")
    return verb in all_words("buy_words") and wanted in {goods, rest if first in all_words("first_articles") else goods}


def is_part(words: str, text: str) -> bool:
    """Return whether words name only some of what a text enumerates: "eggs" of "milk, eggs and bread"; or say so:
    "eggs …"."""
    if _named(words) == _named(text):
        return False
    if words.endswith(PART):
        return True
    wanted = [_named(part) for part in _BETWEEN.split(plain(words))]
    # "2 kg" names nothing of what is enumerated.
    parts = [
        part
        for written in _BETWEEN.split(plain(text))
        if is_dense(part := _named(written))
        or any(len(word) >= SHORTEST_WORD for word in set(part.split()) - _forms("filler_words"))
    ]
    named = [any(_touches(words, part) for words in wanted) for part in parts]
    return any(named) and not all(named)


def is_dense(text: str) -> bool:
    """Return whether a text is of a script without spaces between words."""
    return _DENSE.search(text) is not None


def _meant(query: str, things: Sequence[C], tests: Sequence[Test]) -> list[C]:
    """Return the things whose whole text it is; else those of the first test that any of them passes."""
    if not things:
        return []
    # Lists are long, so each text is read but once.
    wanted, keys = key(query), [key(thing.text) for thing in things]
    if same := [thing for thing, own in zip(things, keys, strict=True) if own == wanted]:
        return same
    words, texts = _of_key(wanted), [_of_key(own) for own in keys]
    for test in tests:
        if meant := [thing for thing, text in zip(things, texts, strict=True) if test(words, text)]:
            return meant
    return []


def _named(text: str) -> str:
    """Return a text as it is compared."""
    return _of_key(key(text))


@lru_cache(_KNOWN)
def _of_key(bare: str) -> str:
    """Return the words of a text's key without articles and plurals; the key, where it is nothing but signs."""
    words = _NO_WORD.sub(" ", _EDGE.sub(" ", _HYPHEN.sub(r"\1", _APOSTROPHE.sub("", bare)))).split()
    if len(words) > 1 and words[0] in all_words("first_articles"):
        words = words[1:]
    # What ends a text is no article: "clean the den", "Fenster zu".
    named = [*(word for word in words[:-1] if word not in all_words("articles")), *words[-1:]]
    return " ".join(map(_stem, named)) or bare


def _stem(word: str) -> str:
    """Return what a word's plural and singular share, and a verb with and without "zu"; it need not be a word."""
    if verb := _infinitive().fullmatch(word):
        return "".join(verb.groups())
    several = len(word) >= _SHORTEST_PLURAL and word.endswith("s") and not word.endswith(("ss", "us", "is"))
    word = word[:-1] if several else word
    if len(word) >= _SHORTEST_PLURAL and word.endswith("ie"):
        return f"{word[:-2]}y"
    return word[:-1] if len(word) >= _SHORTEST_PLURAL and word.endswith(("xe", "che", "she", "se", "oe")) else word


def _part(wanted: str, text: str) -> bool:
    """Return whether a word of a text begins so, or words are a part of it."""
    if is_dense(wanted):
        return _dense(wanted) in _dense(text)
    begins = len(wanted) >= SHORTEST_BEGINNING and any(word.startswith(wanted) for word in text.split())
    return begins or (len(wanted) >= SHORTEST_PART and wanted in text)


def _says(wanted: str, text: str) -> bool:
    """Return whether a text holds words of which one says something."""
    if is_dense(wanted):
        return wanted not in all_words("filler_words") and _within(_dense(wanted), text)
    words, own = set(wanted.split()), set(text.split())
    telling = words - _forms("filler_words")
    if not words <= own or not telling:
        return False
    few = len(own - words - _forms("filler_words")) <= 1
    return any(len(word) >= SHORTEST_WORD or (len(word) > 1 and few) for word in telling)


def _within(wanted: str, text: str) -> bool:
    """Return whether a text without spaces holds a word.

    A character alone may be a part of another word: it counts by itself, and behind what is done with things.
    """
    if len(wanted) > 1:
        return wanted in _dense(text)
    carried = all_words("buy_words") + all_words("carry_words") + all_words("measure_words")
    before = [part.removesuffix(wanted) for part in _JOINT.split(text) if part.endswith(wanted)]
    return any(not words or words.endswith(carried) for words in before)


def _touches(wanted: str, part: str) -> bool:
    """Return whether words name something of a part of an enumeration."""
    if is_dense(wanted):
        return _dense(wanted) in _dense(part) or _dense(part) in _dense(wanted)
    return bool(set(wanted.split()) & (set(part.split()) - _forms("filler_words"))) or _part(wanted, part)


def _dense(text: str) -> str:
    """Return a text without spaces."""
    return text.replace(" ", "")


@cache
def _infinitive() -> re.Pattern[str]:
    """Return the pattern of a German verb that has the word for "to" within: "anzurufen" is "anrufen"."""
    prefixes = "|".join(all_words("verb_prefixes"))
    return re.compile(rf"([a-z]*?(?:{prefixes}))(?:zu)+(\w{{2,}}n)")


@cache
def _forms(name: str) -> frozenset[str]:
    """Return words that the languages list, as texts are compared."""
    return frozenset(map(_stem, all_words(name)))

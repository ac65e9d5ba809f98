"""Which to-do, or what is scheduled, is meant by its words: one set of rules for free text, commands and tools."""

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
# Others of their kind that are: "#1", "5%", "C*", "5/", "@anna", "a&".
_OF_WORDS = frozenset("#%&*/@\\")

_NO_WORD = re.compile(r"[\W_]+")
# Scripts that put no spaces between words: Chinese, Japanese, Korean.
_DENSE = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_EDGE = re.compile(rf"(?<={_DENSE.pattern})(?=[a-z0-9])|(?<=[a-z0-9])(?={_DENSE.pattern})")
# So many texts are remembered as they are compared: an enumeration is held against a list again for each of its parts.
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
# Of other scripts: a word of fewer letters says something only where little more is said; fewer begin nearly every
# second word; fewer are a part of one.
SHORTEST_WORD, SHORTEST_BEGINNING, SHORTEST_PART = 3, 4, 5
# "s" ends other words than plurals, too.
_SHORTEST_PLURAL = 4


def plain(content: str) -> str:
    """The text of a to-do without its references."""
    return " ".join(REFERENCE.sub("", content).split())


@lru_cache(_KNOWN)
def key(content: str) -> str:
    """What two to-dos have in common that say the same: their words, without references, capitals and what only ends or
    joins them. Signs in or beside a word are a part of it: "C++" is not "C#", "-5" not "+5".
    """
    text = folded(plain(content))
    return " ".join(filter(None, map(_bare, text.split()))) or text


def _bare(word: str) -> str:
    """A word without the marks around it; empty for a dash or mark that stands alone."""
    while word and _is_mark(word[-1]):
        word = word[:-1]
    while word and _is_mark(word[0]):
        word = word[1:]
    return "" if all(unicodedata.category(one)[0] == "P" for one in word) else word


def _is_mark(character: str) -> bool:
    return unicodedata.category(character) in _MARKS and character not in _OF_WORDS


class Called(Protocol):
    """What has a text that people call it by."""

    @property
    def text(self) -> str:
        """The text."""
        ...


C = TypeVar("C", bound=Called)
Test = Callable[[str, str], bool]


def matching(query: str, things: Sequence[C]) -> list[C]:
    """What `query` may mean, in this order; the first kind that there is decides:

    1. it is the whole text, whatever the capitals and the signs between words;
    2. it is that without any signs, articles and possessives, and whether it is one or several;
    3. all its words stand in the text, anywhere;
    4. a word of the text begins so, or it is a part of one. Where words have no spaces between them, those of the query
       don't count.
    """
    return _meant(query, things, (str.__eq__, lambda wanted, text: set(wanted.split()) <= set(text.split()), _part))


def beside(words: str, things: Sequence[C], *, exact: bool) -> list[C]:
    """What words mean that somebody says beside others ("milk done", "cancel dentist").

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
    found = [beside(part, things, exact=True) for part in parts]
    clear = [some[0] for some in found if len(some) == 1]
    return clear, [part for part, some in zip(parts, found, strict=True) if len(some) != 1]


def is_all(words: str, text: str) -> bool:
    """Whether words say all of a text, or what it is that shall be bought: "milk" of "buy milk", not of "boil milk"."""
    return _all(_named(words), _named(text))


def _all(wanted: str, text: str) -> bool:
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
    """Whether words name only some of what a text enumerates: "eggs" of "milk, eggs and bread"; or say so: "eggs …"."""
    if _named(words) == _named(text):
        return False
    if words.endswith(PART):
        return True
    said = [_named(one) for one in _BETWEEN.split(plain(words))]
    # "2 kg" names nothing of what is enumerated.
    parts = [
        part
        for one in _BETWEEN.split(plain(text))
        if is_dense(part := _named(one))
        or any(len(word) >= SHORTEST_WORD for word in set(part.split()) - _forms("filler_words"))
    ]
    named = [any(_touches(one, part) for one in said) for part in parts]
    return any(named) and not all(named)


def is_dense(text: str) -> bool:
    """Whether a text is of a script without spaces between words."""
    return _DENSE.search(text) is not None


def _meant(query: str, things: Sequence[C], tests: Sequence[Test]) -> list[C]:
    """The whole text; else the first kind that there is. Lists are long, so each text is read but once."""
    if not things:
        return []
    wanted, keys = key(query), [key(one.text) for one in things]
    if same := [one for one, own in zip(things, keys, strict=True) if own == wanted]:
        return same
    said, named = _of_key(wanted), [_of_key(own) for own in keys]
    for test in tests:
        if found := [one for one, own in zip(things, named, strict=True) if test(said, own)]:
            return found
    return []


def _named(text: str) -> str:
    """The words of a text, without articles and plurals; the text, where it is nothing but signs."""
    return _of_key(key(text))


@lru_cache(_KNOWN)
def _of_key(bare: str) -> str:
    words = _NO_WORD.sub(" ", _EDGE.sub(" ", _HYPHEN.sub(r"\1", _APOSTROPHE.sub("", bare)))).split()
    if len(words) > 1 and words[0] in all_words("first_articles"):
        words = words[1:]
    # What ends a text is no article: "clean the den", "Fenster zu".
    named = [*(one for one in words[:-1] if one not in all_words("articles")), *words[-1:]]
    return " ".join(map(_one, named)) or bare


def _one(word: str) -> str:
    """A word in a form that the plural and the singular share, and a verb with and without "zu"; it need not be one."""
    if verb := _infinitive().fullmatch(word):
        return "".join(verb.groups())
    several = len(word) >= _SHORTEST_PLURAL and word.endswith("s") and not word.endswith(("ss", "us", "is"))
    word = word[:-1] if several else word
    if len(word) >= _SHORTEST_PLURAL and word.endswith("ie"):
        return f"{word[:-2]}y"
    return word[:-1] if len(word) >= _SHORTEST_PLURAL and word.endswith(("xe", "che", "she", "se", "oe")) else word


def _part(wanted: str, text: str) -> bool:
    if is_dense(wanted):
        return _dense(wanted) in _dense(text)
    begins = len(wanted) >= SHORTEST_BEGINNING and any(one.startswith(wanted) for one in text.split())
    return begins or (len(wanted) >= SHORTEST_PART and wanted in text)


def _says(wanted: str, text: str) -> bool:
    """Whether a text holds words of which one says something."""
    if is_dense(wanted):
        return wanted not in all_words("filler_words") and _within(_dense(wanted), text)
    words, own = set(wanted.split()), set(text.split())
    said = words - _forms("filler_words")
    if not words <= own or not said:
        return False
    few = len(own - words - _forms("filler_words")) <= 1
    return any(len(one) >= SHORTEST_WORD or (len(one) > 1 and few) for one in said)


def _within(wanted: str, text: str) -> bool:
    """A character alone may be a part of another word: it counts by itself, and behind what is done with things."""
    if len(wanted) > 1:
        return wanted in _dense(text)
    carried = all_words("buy_words") + all_words("carry_words") + all_words("measure_words")
    ends = [one.removesuffix(wanted) for one in _JOINT.split(text) if one.endswith(wanted)]
    return any(not one or one.endswith(carried) for one in ends)


def _touches(wanted: str, part: str) -> bool:
    """Whether words name something of a part."""
    if is_dense(wanted):
        one, other = _dense(wanted), _dense(part)
        return one in other or other in one
    return bool(set(wanted.split()) & (set(part.split()) - _forms("filler_words"))) or _part(wanted, part)


def _dense(text: str) -> str:
    return text.replace(" ", "")


@cache
def _infinitive() -> re.Pattern[str]:
    """A verb that has the word for "to" within: whoever is to do it, or is to be reminded to (anzurufen, anrufen)."""
    prefixes = "|".join(all_words("verb_prefixes"))
    return re.compile(rf"([a-z]*?(?:{prefixes}))(?:zu)+(\w{{2,}}n)")


@cache
def _forms(name: str) -> frozenset[str]:
    """The same, as texts are compared."""
    return frozenset(map(_one, all_words(name)))

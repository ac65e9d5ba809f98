"""Finds the languages of the program: what people read, and how they ask.

A language is a package of this folder that is named by its code and has a `LANGUAGE`; it is found by being there. The
tests compare its keys and placeholders with the others. One that has no texts has a `GRAMMAR` instead: it is
understood, and nothing is said in it.

`pick("de-AT")["thanks"]` is a text of the bot; `all_words("nod_words")` are words that people say in any language.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cache, lru_cache
from importlib.util import find_spec
from types import ModuleType
from zoneinfo import ZoneInfo

from core.kernel.command_style import SLASHES, Spelling
from core.kernel.types import Millis
from core.language.engine.templates import compile_rest
from core.language.grammar import SILENT, Grammar, PhraseTable

FALLBACK = "en"
# Languages are spelled for a place once: everywhere the bot is called otherwise they are others.
MOST_SPELLED = 200
# Texts that capabilities and platforms bring along, by code of the language.
_ADDED: dict[str, dict[str, str]] = {}
# Packages with what people say for what capabilities do: a module for each language, named by its code.
_PHRASES: list[str] = []
_CODE = re.compile(r"[a-z]{2,3}")
_LATIN_WORD = re.compile(r"[A-Za-z\u00c0-\u024f]+")
_NOTHING = re.compile(r"(?!)")
_UNITS = (("day", 86_400_000), ("hour", 3_600_000), ("minute", 60_000), ("second", 1_000))


def _one_or_many(n: int) -> int:
    """Return which form of a text belongs to a number in English: 0 for one, else 1."""
    return 0 if n == 1 else 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """Describes one language: its texts, how it is written, and what it understands (docs/languages.md)."""

    code: str
    name: str
    texts: Mapping[str, str]  # what the bot says, with `str.format` placeholders
    # Patterns for a whole message in lower or upper case, without the punctuation around it, by the name of what is
    # asked for; the groups `place` and `text` are of what.
    intents: Mapping[str, tuple[re.Pattern[str], ...]]
    lead: re.Pattern[str]  # what may stand before a question without changing it
    places: Mapping[str, str]  # towns and countries in lower case, with their time zones
    choices: tuple[str, str, str]  # suggestions that work without a model
    duration: Callable[[Millis], str]
    clock: Callable[[datetime], str]
    date: Callable[[datetime], str]
    moment: Callable[[datetime], str]
    grammar: Grammar = SILENT  # what is understood of time and lists
    # What a text begins with that wishes for a reminder, where the rest is what stands behind /remind, with the group
    # `me` for who asks; one that waits for something to happen, or for news, so that nobody can tell when that is; and
    # what a wish may begin with that looks like a time and was not understood as one.
    reminding: re.Pattern[str] = _NOTHING
    watching: re.Pattern[str] = _NOTHING
    mistimed: re.Pattern[str] = _NOTHING
    script: re.Pattern[str] | None = None  # a character that only this language uses
    foreign: re.Pattern[str] | None = None  # one that shows another language using the same script
    spelling: Spelling = SLASHES  # how the texts name commands
    plural: Callable[[int], int] = _one_or_many  # which form of a text belongs to a number, counted from 0
    thousands: str = ","  # stands between the digits of large numbers
    quotes: str = "“”"
    towns: Mapping[str, str] = field(default_factory=dict)  # how the towns of zones (IANA) are called, if otherwise

    def __getitem__(self, key: str) -> str:
        """Return the text of `key` as it stands."""
        return self.texts[key]

    def say(self, key: str, **values: object) -> str:
        """Return the text of `key` with its placeholders filled; values are never read as format strings."""
        return self.texts[key].format(**values)

    def first(self, *keys: str) -> str:
        """Return the text of the first of these keys that has one; empty when none has."""
        return next((self.texts[key] for key in keys if key in self.texts), "")

    def many(self, key: str, n: int, **values: object) -> str:
        """Return the text of `key` in the form that belongs to a number, with these values."""
        forms = self.texts[key].split("|")
        return forms[min(self.plural(n), len(forms) - 1)].format(n=n, **values)

    def counted(self, **counts: int) -> str:
        """Return in one list how many there are of each thing, by the texts count_…; empty when there is nothing."""
        return self.listed([self.many(f"count_{key}", n) for key, n in counts.items() if n])

    def number(self, n: int) -> str:
        """Return a large number as people write it: "1,621"."""
        return f"{n:,}".replace(",", self.thousands)

    def listed(self, items: Sequence[str]) -> str:
        """Return several things as people name them: "a, b and c"."""
        *others, last = items or ("",)
        return self.say("list_last", before=self.joined(others), last=last) if others else last

    def joined(self, items: Iterable[str], mark: str = "list_more") -> str:
        """Return several things with the mark of the language between them, "a, b, c", without those that are empty.

        The mark of several things that are said of one is "list_also".
        """
        joined = ""
        for item in filter(None, items):
            joined = self.say(mark, before=joined, last=item) if joined else item
        return joined

    def sentences(self, *texts: str) -> str:
        """Return sentences one behind the other; a language without Latin letters has no space between them."""
        return ("" if self.script else " ").join(filter(None, texts))

    def command(self, line: str) -> str:
        """Return a line such as "/todo milk" the way it is written where this is read."""
        return self.spelling.command(line)

    def spelled(self, spelling: Spelling) -> Language:
        """Return the language with commands as a platform spells them, which changes no values that fill its texts."""
        return self if spelling == self.spelling else _spelled(self.code, spelling)

    def town(self, zone: str) -> str:
        """Return the town of a zone's name (IANA), as the language calls it."""
        town = zone.rpartition("/")[2].replace("_", " ")
        if self.script is None:
            return self.towns.get(zone, town)
        countries = self["countries"].split("|")
        named = (place for place, its_zone in self.places.items() if its_zone == zone and place not in countries)
        return next(named, town)

    def when(self, instant: Millis, zone: str) -> str:
        """Return an instant as people of `zone` (an IANA name) write it, such as "Fri 27 Nov 17:00"."""
        return self.moment(datetime.fromtimestamp(instant / 1000, UTC).astimezone(ZoneInfo(zone)))


@cache
def _modules() -> list[ModuleType]:
    """Return the modules of all languages, that of the fallback first."""
    codes = (module.name for module in pkgutil.iter_modules(__path__) if _CODE.fullmatch(module.name))
    names = sorted(codes, key=lambda code: (code != FALLBACK, code))
    return [importlib.import_module(f"{__name__}.{name}") for name in names]


def grammars() -> list[Grammar]:
    """Return the grammars of all languages, and then those of the languages that have no texts yet."""
    bare = [module.GRAMMAR for module in _modules() if hasattr(module, "GRAMMAR")]
    return [*(language.grammar for language in languages().values()), *bare]


@cache
def languages() -> Mapping[str, Language]:
    """Return all languages of this folder by code, the fallback first."""
    complete: dict[str, Language] = {}
    for module in _modules():
        if hasattr(module, "LANGUAGE"):
            own: Language = module.LANGUAGE
            added = _ADDED.get(own.code, {})
            _refuse_other(own.code, own.texts, added)
            complete[own.code] = replace(own, texts={**own.texts, **added})
    return complete


@cache
def all_words(key: str) -> tuple[str, ...]:
    """Return the words, or forms, that the texts of a key list ("a|b"), those of all languages."""
    return tuple(word for language in languages().values() for word in language[key].split("|"))


def has_at_edge(text: str, word: str, *, at_end: bool = False) -> bool:
    """Return whether a text begins, or ends, with a word in small letters; one in Latin letters must stand apart."""
    folded, size = text.casefold(), len(word)
    there = folded.endswith(word) if at_end else folded.startswith(word)
    beside = text[:-size][-1:] if at_end else text[size : size + 1]
    return there and not (word.isascii() and beside.isalnum())


@cache
def forms(key: str) -> tuple[tuple[str, str, int], ...]:
    """Return the forms of `all_words` that have a place for words, {x}, split there.

    Of each there is what stands before that place, what stands behind it, and where what is meant begins: at {x}, or at
    a "<" before it.
    """
    split = [form.partition("{x}") for form in all_words(key)]
    return tuple((before.replace("<", ""), after, len(before.partition("<")[0])) for before, _, after in split)


def _refuse_other(code: str, present: Mapping[str, str], added: Mapping[str, str]) -> None:
    """Raise ValueError where a key has one text already, and is added with another."""
    taken = sorted(key for key, text in added.items() if present.get(key, text) != text)
    if taken:
        raise ValueError(f"texts of these keys are there already in {code!r}: {', '.join(taken)}; name them otherwise")


def add_texts(texts: Mapping[str, Mapping[str, str]]) -> None:
    """Add texts of a capability or a platform to the languages: by code, then by key. Adding them again is nothing.

    Raises ValueError where a key has another text already: no two of them share a key.
    """
    new = {code: added for code, added in texts.items() if not added.items() <= _ADDED.get(code, {}).items()}
    for code, added in new.items():
        _refuse_other(code, _ADDED.get(code, {}), added)
    for code, added in new.items():
        _ADDED.setdefault(code, {}).update(added)
    if new:
        languages.cache_clear()
        all_words.cache_clear()
        forms.cache_clear()
        _spelled.cache_clear()


def add_phrases(package: str) -> None:
    """Add what people say for what a capability does: a package with a module for each language, which has a `PHRASES`.
    Adding it again, or none, is nothing.

    Raises ValueError once a grammar is loaded: it would lack them.
    """
    if package in {"", *_PHRASES}:
        return
    if phrase_tables.cache_info().currsize:
        raise ValueError(f"grammars are loaded: add the phrases of {package} before the first text is read")
    _PHRASES.append(package)


@cache
def phrase_tables(code: str) -> tuple[PhraseTable, ...]:
    """Return what people say in a language for what capabilities do, in their order. Its grammar is made of it.

    Raises ValueError where two have phrases for the same wish.
    """
    tables: list[PhraseTable] = []
    for package in _PHRASES:
        if find_spec(f"{package}.{code}"):
            table: PhraseTable = importlib.import_module(f"{package}.{code}").PHRASES
            if find_spec(f"{package}.readings"):
                table = replace(table, readings=importlib.import_module(f"{package}.readings").READINGS)
            tables.append(table)
    names = [name for table in tables for name in table.rows]
    if double := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(f"more than one capability has phrases in {code!r} for: {', '.join(double)}")
    return tuple(tables)


@lru_cache(MOST_SPELLED)
def _spelled(code: str, spelling: Spelling) -> Language:
    """Return a language with its commands spelled so; a text may have another one for the dialect of the spelling."""
    language = languages()[code]
    if spelling == SLASHES:
        return language
    texts = {
        key: spelling.text(language.texts.get(f"{spelling.dialect}:{key}", text))
        for key, text in language.texts.items()
    }
    return replace(language, texts=texts, spelling=spelling)


def warm_up(pause: float = 0.0) -> None:
    """Load all grammars, so that the first message need not wait; then compile their patterns, with a pause (seconds)
    behind each, for whoever has something else to do."""
    for grammar in grammars():
        grammar.when("")
    compile_rest(pause)


def pick(tag: str, fallback: str = FALLBACK) -> Language:
    """Return the language of a code or tag such as `zh`, `zh-Hans-CN` or `pt_BR`; `fallback` when there is none."""
    known = languages()
    if tag in known:
        return known[tag]
    code = re.split(r"[-_]", tag.strip().lower(), maxsplit=1)[0]
    return known.get(code) or known[fallback]


def detect(text: str) -> str | None:
    """Return the code of the language that a text is certainly in, by its script; None when that cannot be told."""
    for language in languages().values():
        if language.script is None or (language.foreign and language.foreign.search(text)):
            continue
        # A quoted word does not make a sentence: such characters must be as many as the words in Latin letters.
        characters = len(language.script.findall(text))
        if characters and characters >= len(_LATIN_WORD.findall(text)):
            return language.code
    return None


def patterns(*texts: str) -> tuple[re.Pattern[str], ...]:
    """Compile the patterns of one intent."""
    return tuple(re.compile(text, re.IGNORECASE | re.DOTALL) for text in texts)


def units(length: Millis) -> list[tuple[int, str]]:
    """Split a length into its two largest units, such as [(2, "hour"), (5, "minute")]; at least a second.

    From a minute on nobody counts seconds.
    """
    rest = max(abs(length), 1_000)
    counted: list[tuple[int, str]] = []
    for unit, size in _UNITS:
        n, rest = divmod(rest, size)
        if counted:
            return [*counted, (n, unit)] if n and unit != "second" else counted
        if n:
            counted.append((n, unit))
    return counted

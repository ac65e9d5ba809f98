"""Reads places as people say where they are.

"I'm in Berlin right now." names "Berlin", "Paris, Texas" a town and what it lies in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files

from core.language import all_words, has_at_edge

LONGEST = 60
SIGNS = " \t\n.,!…~。！，、～👍🙂😊"
_QUOTES = str.maketrans("’‘", "''")
_NAME = re.compile(r"[^\W\d_][\w'.-]{0,30}")
_SMALL = frozenset({"am", "an", "and", "da", "de", "del", "der", "do", "el", "la", "le", "of", "on", "the", "upon"})
_MOST_WORDS, _MOST_SIGNS = 5, 6
_HAN = re.compile(r"[\u3400-\u9fff]+")
# What people call countries beside their names in the tables of the time zones.
_CALLED = {
    "us": ("usa", "u.s.", "u.s.a.", "america", "united states of america"),
    "gb": ("uk", "u.k.", "england", "scotland", "wales", "great britain", "united kingdom"),
    "kr": ("korea", "south korea"),
    "cz": ("czechia",),
    "ae": ("uae",),
}
_IN_BRACKETS = re.compile(r"\s*\(.*?\)")


def bare(text: str) -> str:
    """Return the name of a place alone: "Berlin" of "I'm in Berlin right now."."""
    name = text.translate(_QUOTES).strip(SIGNS)
    for key, at_end in (("place_leads", False), ("place_ends", True)):
        # Something must be left beside the words.
        around = (word for word in all_words(key) if len(word) < len(name) and has_at_edge(name, word, at_end=at_end))
        size = len(max(around, key=len, default=""))
        name = (name[: len(name) - size] if at_end else name[size:]).strip(SIGNS)
    return name


def may_be_place(text: str) -> bool:
    """Return whether a text can be the name of a place that is not known: one word, or several as names are written."""
    name = bare(text)
    if not name or len(name) > LONGEST:
        return False
    others = all_words("not_places")
    if _HAN.search(name):
        fits = _HAN.fullmatch(name) and 1 < len(name) <= _MOST_SIGNS
        return bool(fits) and not any(word in name for word in others)
    words = name.replace(",", " ").split()
    named = all(_NAME.fullmatch(word) and word.casefold() not in others for word in words)
    if len(words) > _MOST_WORDS or not named:
        return False
    return len(words) == 1 or all(word[0].isupper() or word in _SMALL for word in words)


def parted(place: str) -> Iterator[tuple[str, str]]:
    """Yield a place and what it lies in, in each way that it may be parted: "Berlin, Germany", "中国北京"."""
    first, comma, last = place.partition(",")
    if comma:
        yield first.strip(), last.strip()
    elif _HAN.fullmatch(place) and len(place) <= LONGEST:
        yield from ((place[at:], place[:at]) for at in range(2, len(place) - 1))


def zones_of(name: str) -> frozenset[str]:
    """Return the zones of a country, by its name in English in lower case; none of what is no country."""
    return _countries().get(name, frozenset())


@cache
def _countries() -> Mapping[str, frozenset[str]]:
    """Return the zones of all countries by their names."""
    zones: dict[str, set[str]] = {}
    for code, _, zone, *_ in _table("zone.tab"):
        zones.setdefault(code.lower(), set()).add(zone)
    names = {_IN_BRACKETS.sub("", name).lower(): code.lower() for code, name, *_ in _table("iso3166.tab")}
    names |= {name: code for code, also in _CALLED.items() for name in also}
    return {name: frozenset(zones.get(code, ())) for name, code in names.items()}


def _table(name: str) -> Iterator[list[str]]:
    """Return the rows of a table that comes with the time zones."""
    lines = files("tzdata").joinpath("zoneinfo", name).read_text(encoding="utf-8").splitlines()
    return (line.split("\t") for line in lines if line and not line.startswith("#"))

"""Finds time zones by what people call them: of "I'm in Berlin." and of "CET" the zone is "Europe/Berlin"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from zoneinfo import available_timezones

from core.language import languages, places

_OFFSET = re.compile(r"(?:utc|gmt)\s?([+-])\s?(\d{1,2})(?::?00)?")
_CITY = re.compile(r"(?<=\w)(?: city|市)$")
_ETC = re.compile(r"Etc/GMT([+-])(\d{1,2})")
# What people write beside a clock, where it means one zone.
_SHORT = {
    "cet": "Europe/Berlin",
    "cest": "Europe/Berlin",
    "bst": "Europe/London",
    "wet": "Europe/Lisbon",
    "eet": "Europe/Athens",
    "eest": "Europe/Athens",
    "msk": "Europe/Moscow",
    "est": "America/New_York",
    "edt": "America/New_York",
    "et": "America/New_York",
    "pst": "America/Los_Angeles",
    "pdt": "America/Los_Angeles",
    "pt": "America/Los_Angeles",
    "jst": "Asia/Tokyo",
    "hkt": "Asia/Hong_Kong",
    "sgt": "Asia/Singapore",
}


def zone_of(text: str) -> str | None:
    """Return the IANA name of a zone or a town, whatever its capitals and with what people say around it ("I'm in
    Berlin."); None when there is none."""
    place = places.bare(text)
    in_country = (_within(town, land) for town, land in places.parted(place))
    if zone := _named(text) or _named(place) or next(filter(None, in_country), None):
        return zone
    # A country may have but one.
    zones = places.zones_of(place.lower())
    return next(iter(zones)) if len(zones) == 1 else None


def _named(text: str) -> str | None:
    """Return the zone that has this name, of a town or its own, or is this offset from UTC."""
    name = " ".join(text.replace("_", " ").lower().split())
    if offset := _OFFSET.fullmatch(name):
        sign = "-" if offset[1] == "+" else "+"  # in these names it counts the other way
        return "UTC" if not int(offset[2]) else _towns().get(f"etc/gmt{sign}{int(offset[2])}")
    return _SHORT.get(name) or _towns().get(name) or _towns().get(_CITY.sub("", name))


def _within(town: str, land: str) -> str | None:
    """Return the zone of a town in a country, or in a state of America.

    There towns of other countries are named again: "Paris, Texas" is not Paris.
    """
    zone, there = _named(town), " ".join(land.lower().split())
    if zone is None or not there:
        return None
    known = places.zones_of(there)
    if zone in known or zone == _named(there):
        return zone
    # People name the states of these countries.
    of_states = places.zones_of("usa") | places.zones_of("canada")
    return zone if not known and _named(there) is None and zone in of_states else None


def shown(zone: str) -> str:
    """Return a zone as it is shown: one that is only an offset with the sign that people write, such as UTC+2."""
    offset = _ETC.fullmatch(zone)
    return f"UTC{'-' if offset[1] == '+' else '+'}{offset[2]}" if offset else zone


@cache
def _towns() -> Mapping[str, str]:
    """Return the zones by names in lower case.

    The whole name of a zone wins over a town's, and a town that a language names over the last word of a zone.
    """
    zones = sorted(name for name in available_timezones() if "/" in name or name == "UTC")
    by_town: dict[str, str] = {}
    for name in zones:
        by_town.setdefault(name.rpartition("/")[2].replace("_", " ").lower(), name)
    ours = {place: zone for language in languages().values() for place, zone in language.places.items()}
    return {**by_town, **ours, **{name.replace("_", " ").lower(): name for name in zones}}

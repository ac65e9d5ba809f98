"""The dates of holidays that move from year to year, and all public ones of a country. Those that stay are plain dates
in each language's lexicon.

Easter is that of the western churches; the others are known by country to the library `holidays`, which is loaded when
the first of them is named.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from functools import cache
from importlib import import_module
from importlib.resources import files
from zoneinfo import ZoneInfo

# Days from Easter Sunday.
EASTER: Mapping[str, int] = {
    "carnival monday": -48,
    "ash wednesday": -46,
    "palm sunday": -7,
    "maundy thursday": -3,
    "good friday": -2,
    "easter": 0,
    "easter monday": 1,
    "ascension": 39,
    "whit sunday": 49,
    "whit monday": 50,
    "corpus christi": 60,
}
# What the library calls them, in the country whose they are; none where that is the one of the zone, or else the USA.
NAMED: Mapping[str, tuple[str, str]] = {
    "thanksgiving": ("", "Thanksgiving"),
    "spring festival eve": ("CN", "Chinese New Year's Eve"),
    "spring festival": ("CN", "Chinese New Year (Spring Festival)"),
    "tomb sweeping": ("CN", "Tomb-Sweeping Day"),
    "dragon boat": ("CN", "Dragon Boat Festival"),
    "mid-autumn": ("CN", "Mid-Autumn Festival"),
    "double ninth": ("HK", "Double Ninth Festival"),
}


def date_of(name: str, year: int, zone: ZoneInfo) -> date | None:
    """Return on which day a holiday is in a year; None where there is none that year."""
    if name in EASTER:
        easter: date = import_module("dateutil.easter").easter(year)
        return easter + timedelta(days=EASTER[name])
    country, called = NAMED[name]
    return _listed(country or _countries().get(zone.key, ""), year, called) or _listed(country or "US", year, called)


@cache
def _listed(country: str, year: int, called: str) -> date | None:
    if not country:
        return None
    library = import_module("holidays")
    try:
        kinds = library.country_holidays(country).supported_categories
        days = library.country_holidays(country, years=year, language="en_US", categories=kinds)
    except NotImplementedError:  # the library does not know the country
        return None
    found = [day for day in days.get_named(called, lookup="startswith") if "observed" not in days[day]]
    return min(found, default=None)


def country_of(zone: ZoneInfo) -> str:
    """Return the country of a zone whose public holidays are known, by its code; empty where there is none."""
    code = _countries().get(zone.key, "")
    return code if code in import_module("holidays").list_supported_countries() else ""


@cache
def public_holidays(country: str, year: int) -> frozenset[date]:
    """Return the days of a year that are public holidays in all of a country; none of one that is not known."""
    try:
        return frozenset(import_module("holidays").country_holidays(country, years=year))
    except NotImplementedError:
        return frozenset()


@cache
def _countries() -> Mapping[str, str]:
    """Return the country of each time zone, by its code (ISO 3166)."""
    lines = files("tzdata").joinpath("zoneinfo", "zone.tab").read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines if line and not line.startswith("#"))
    return {zone: code for code, _, zone, *_ in rows}

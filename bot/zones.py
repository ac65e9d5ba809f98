"""Time zones by what people call them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from zoneinfo import available_timezones

from core.language import languages


def zone_of(text: str) -> str | None:
    """The IANA name of a zone or a town, whatever its capitals; None when there is none."""
    said = " ".join(text.replace("_", " ").lower().split())
    return _towns().get(said)


@cache
def _towns() -> Mapping[str, str]:
    """Names in lower case → zones; the whole name of a zone wins over a town's, ours over the last word of a zone."""
    zones = sorted(name for name in available_timezones() if "/" in name or name == "UTC")
    by_town: dict[str, str] = {}
    for name in zones:
        by_town.setdefault(name.rpartition("/")[2].replace("_", " ").lower(), name)
    ours = {place: zone for language in languages().values() for place, zone in language.places.items()}
    return {**by_town, **ours, **{name.replace("_", " ").lower(): name for name in zones}}

"""Reading single fields of raw JSON from the Bot API, none of which is to be trusted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.kernel.types import Millis
from core.kernel.untrusted import clean

MILLIS = 1000
YEAR_3000 = 32_503_680_000

Fields = Mapping[str, Any]


def integer(fields: Fields, name: str) -> int:
    """Return a field that must be an integer of 64 bits; raise `KeyError` or `TypeError`."""
    value = fields[name]
    if not is_id(value):
        raise TypeError(f"{name} is no integer of 64 bits")
    return int(value)


def count(fields: Fields, name: str) -> int:
    """Return a size or a length, 0 when there is none to be read."""
    value = fields.get(name)
    return max(0, int(value)) if value is not None and is_id(value) else 0


def is_id(value: object) -> bool:
    """Whether a database can take the value as an integer."""
    return type(value) is int and -(2**63) <= value < 2**63 - 1


def instant(fields: Fields) -> Millis:
    """Return the date of a message; raise `ValueError` for one that is no time."""
    date = integer(fields, "date")
    if not 0 <= date < YEAR_3000:
        raise ValueError(f"date {date} is no time")
    return date * MILLIS


def full_name(user: Fields) -> str:
    """Return the name that a User or a Contact goes by."""
    return clean(" ".join(filter(None, (user.get("first_name"), user.get("last_name")))))

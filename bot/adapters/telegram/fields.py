"""Reading single fields of raw JSON from the Bot API, none of which is to be trusted."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any

from core.types import Millis

MILLIS = 1000
YEAR_3000 = 32_503_680_000
REPLACEMENT = "\ufffd"
LONGEST_LABEL = 100
UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn"}
BRACKETS = str.maketrans("[]", "()")

Fields = Mapping[str, Any]


def clean(text: str) -> str:
    """Replace what no database takes: NUL and halves of surrogate pairs."""
    text = text.replace("\0", REPLACEMENT)
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def label(text: object, most: int = LONGEST_LABEL) -> str:
    """Return a foreign name as one line that cannot close a bracket around it, at most `most` characters long."""
    if not isinstance(text, str):
        return ""
    # Enough of it to fill a label, however many unseen characters a name is stuffed with.
    seen = (character if _is_seen(character) else " " for character in text[: 10 * most])
    line = " ".join("".join(seen).split()).translate(BRACKETS)
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"


def _is_seen(character: str) -> bool:
    # The joiner within an emoji is of a category that otherwise hides things.
    return character == "\u200d" or unicodedata.category(character) not in UNSEEN


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

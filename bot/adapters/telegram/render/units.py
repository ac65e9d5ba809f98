"""UTF-16 code units, the measure of the Bot API (https://core.telegram.org/api/entities#entity-length)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate

# Characters above it take two units.
LAST_OF_ONE_UNIT = "\uffff"


def units(text: str) -> int:
    """Return the length of the text in UTF-16 units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def positions(text: str) -> list[int]:
    """Return the offset in units of each character, and of the end."""
    widths: Iterable[int] = (2 if character > LAST_OF_ONE_UNIT else 1 for character in text)
    return list(accumulate(widths, initial=0))


def cut(text: str, most: int) -> str:
    """Return the beginning of the text that fits into `most` units."""
    while units(text) > most:
        text = text[: len(text) - max(1, (units(text) - most) // 2)]
    return text

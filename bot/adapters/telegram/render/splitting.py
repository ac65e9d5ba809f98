"""Cutting a text and its entities into messages that the Bot API takes.

Its measure are UTF-16 code units (https://core.telegram.org/api/entities#entity-length).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from operator import itemgetter
from typing import Any

from bot.adapters._shared.cutting import end_of_piece, is_blank

MOST_ENTITIES = 100
# Characters above it take two units.
LAST_OF_ONE_UNIT = "\uffff"

Entity = Mapping[str, Any]
Piece = tuple[str, list[dict[str, Any]]]


def units(text: str) -> int:
    """Return the length of the text in UTF-16 units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def cut(text: str, most: int) -> str:
    """Return the beginning of the text that fits into `most` units."""
    while units(text) > most:
        text = text[: len(text) - max(1, (units(text) - most) // 2)]
    return text


def split(text: str, entities: Sequence[Entity], most_units: int) -> list[Piece]:
    """Return pieces of at most `most_units` UTF-16 units and 100 entities, preferably whole lines."""
    if len(entities) <= MOST_ENTITIES and units(text) <= most_units:
        return list(_piece(text, entities, 0, units(text)))
    ordered = sorted(entities, key=lambda entity: (entity["offset"], -entity["length"]))
    # The offset in units of each character, and of the end.
    offsets = list(accumulate((2 if character > LAST_OF_ONE_UNIT else 1 for character in text), initial=0))
    pieces, start = list[Piece](), 0
    # Entities that go on from the piece before, and the first one that has not begun yet: each is looked at once more
    # only in the pieces it reaches into.
    going, place = list[Entity](), 0
    while start < len(text):
        limit = _before_too_many(offsets, ordered, place + max(0, MOST_ENTITIES - len(going)), start)
        end = end_of_piece(text, start, min(limit, bisect_right(offsets, offsets[start] + most_units) - 1))
        behind = bisect_left(ordered, offsets[end], place, key=itemgetter("offset"))
        inside = going + ordered[place:behind]
        pieces += _piece(text[start:end], inside, offsets[start], offsets[end])
        going = [entity for entity in inside if entity["offset"] + entity["length"] > offsets[end]]
        place, start = behind, end
    return pieces


def _before_too_many(offsets: list[int], ordered: Sequence[Entity], first: int, start: int) -> int:
    """Return the index at which the entity begins that is one too many for a piece from `start`."""
    if first >= len(ordered):
        return len(offsets) - 1
    index = bisect_right(offsets, ordered[first]["offset"]) - 1
    # More than 100 at one spot cannot be told apart by a cut: the piece then drops what is too many.
    return index if index > start else len(offsets) - 1


def _piece(text: str, entities: Sequence[Entity], begin: int, end: int) -> Iterator[Piece]:
    """Yield the text without blank edges (the server drops them) and its share of the entities, if anything is left."""
    lead = len(text) - len(text.lstrip("\n"))
    shown = text.lstrip("\n").rstrip()
    if not is_blank(shown):
        begin += lead
        end = min(begin + units(shown), end)
        clipped = []
        for entity in entities:
            first, last = max(entity["offset"], begin), min(entity["offset"] + entity["length"], end)
            if first < last:
                clipped.append({**entity, "offset": first - begin, "length": last - first})
        yield shown, clipped[:MOST_ENTITIES]

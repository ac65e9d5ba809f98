"""Cutting a text and its entities into messages that the Bot API takes."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bot.adapters.telegram.render.units import positions, units

MOST_ENTITIES = 100
INVISIBLE = frozenset({"Cc", "Cf"})
# Joiner of emoji, skin tones, halves of flags.
JOINER = "\u200d"
SKIN_TONES = "\U0001f3fb", "\U0001f3ff"
FLAG_HALVES = "\U0001f1e6", "\U0001f1ff"
# How far a cut may move back to keep a cluster such as a flag or a family whole.
LONGEST_CLUSTER = 32

Entity = Mapping[str, Any]
Piece = tuple[str, list[dict[str, Any]]]


def split(text: str, entities: Sequence[Entity], most_units: int) -> list[Piece]:
    """Return pieces of at most `most_units` UTF-16 units and 100 entities, preferably whole lines."""
    if len(entities) <= MOST_ENTITIES and units(text) <= most_units:
        return list(_piece(text, entities, 0, units(text)))
    ordered = sorted(entities, key=lambda entity: (entity["offset"], -entity["length"]))
    offsets, pieces, start = positions(text), list[Piece](), 0
    # Entities that go on from the piece before, and the first one that has not begun yet: each is looked at once more
    # only in the pieces it reaches into.
    going, place = list[Entity](), 0
    while start < len(text):
        limit = _before_too_many(offsets, ordered, place + max(0, MOST_ENTITIES - len(going)), start)
        end = _end(text, start, min(limit, bisect_right(offsets, offsets[start] + most_units) - 1))
        behind = bisect_left(ordered, offsets[end], place, key=_offset)
        inside = going + ordered[place:behind]
        pieces += _piece(text[start:end], inside, offsets[start], offsets[end])
        going = [entity for entity in inside if entity["offset"] + entity["length"] > offsets[end]]
        place, start = behind, end
    return pieces


def _offset(entity: Entity) -> int:
    return int(entity["offset"])


def _end(text: str, start: int, limit: int) -> int:
    """Return the index, `limit` at most, at which the piece beginning at `start` ends; always beyond `start`."""
    if limit >= len(text):
        return len(text)
    for mark in ("\n\n", "\n", " "):
        found = text.rfind(mark, start + (limit - start) // 2, limit)
        if found > start:
            return found + len(mark)
    return _whole_cluster(text, start, limit)


def _before_too_many(offsets: list[int], ordered: Sequence[Entity], first: int, start: int) -> int:
    """Return the index at which the entity begins that is one too many for a piece from `start`."""
    if first >= len(ordered):
        return len(offsets) - 1
    index = bisect_right(offsets, ordered[first]["offset"]) - 1
    # More than 100 at one spot cannot be told apart by a cut: the piece then drops what is too many.
    return index if index > start else len(offsets) - 1


def _whole_cluster(text: str, start: int, limit: int) -> int:
    """Move a cut back out of a flag, a family or a letter with its accents."""
    end = limit
    while end > max(start + 1, limit - LONGEST_CLUSTER) and _continues(text, end):
        end -= 1
    return limit if _continues(text, end) else end


def _continues(text: str, index: int) -> bool:
    """Whether the character at `index` belongs to the one before."""
    after, before = text[index], text[index - 1]
    if JOINER in (after, before) or unicodedata.category(after) in {"Mn", "Me"}:
        return True
    if SKIN_TONES[0] <= after <= SKIN_TONES[1]:
        return True
    return _is_flag_half(after) and _flag_halves_before(text, index) % 2 == 1


def _is_flag_half(character: str) -> bool:
    return FLAG_HALVES[0] <= character <= FLAG_HALVES[1]


def _flag_halves_before(text: str, index: int) -> int:
    count = 0
    while count < min(index, LONGEST_CLUSTER) and _is_flag_half(text[index - 1 - count]):
        count += 1
    return count


def _piece(text: str, entities: Sequence[Entity], begin: int, end: int) -> Iterator[Piece]:
    """Yield the text without blank edges (the server drops them) and its share of the entities, if anything is left."""
    lead = len(text) - len(text.lstrip("\n"))
    shown = text.lstrip("\n").rstrip()
    if not is_blank(shown):
        begin += lead
        clipped = _clipped(entities, begin, min(begin + units(shown), end))
        yield shown, list(clipped)[:MOST_ENTITIES]


def is_blank(text: str) -> bool:
    """Whether nothing of the text is to be seen: Telegram refuses a message of blanks and joiners."""
    return all(character.isspace() or unicodedata.category(character) in INVISIBLE for character in text)


def _clipped(entities: Sequence[Entity], begin: int, end: int) -> Iterator[dict[str, Any]]:
    for entity in entities:
        first, last = max(entity["offset"], begin), min(entity["offset"] + entity["length"], end)
        if first < last:
            yield {**entity, "offset": first - begin, "length": last - first}

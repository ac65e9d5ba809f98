"""Where somebody lives, in free text."""

from __future__ import annotations

from core.kernel.ports import Tx
from core.language import languages
from core.language.zone_search import zone_of
from core.toolkit.capability import Hearing, Resolve, Understands, Words


def _zone(line: str, words: Words) -> Resolve:
    """Read a place that has a zone: "I live in a house" says nothing of zones, nor "I live in Paris" of a group's."""
    place = line.partition(" ")[2]
    named = any(language["zone_word"] in words.text.casefold() for language in languages().values())
    known = bool(place) and zone_of(place) is not None

    def resolve(tx: Tx, hearing: Hearing) -> str:
        fits = (named and not hearing.model) or (known and (named or not hearing.participant.group))
        return line if fits or not place else ""

    return resolve


UNDERSTANDS = Understands(commands={"timezone": _zone})

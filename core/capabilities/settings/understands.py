"""What free text sets: where somebody lives, when the bot is quiet; and that the last thing is to be taken back."""

from __future__ import annotations

from core.capabilities.settings.commands import ask_zone, settle, undo
from core.capabilities.settings.quiet_hours import choose, span
from core.language import languages
from core.language.grammar import Wish
from core.language.zone_search import zone_of
from core.toolkit.capability import Resolve, Understands, Words


def _zone(wish: Wish, words: Words) -> Resolve:
    """Read a place that has a zone: "I live in a house" says nothing of zones, nor "I live in Paris" of a group's."""
    place = wish.text
    if not place:
        return lambda tx, hearing: ask_zone.of()
    named = any(language["zone_word"] in words.text.casefold() for language in languages().values())
    chosen = settle.of(place=place)
    known = zone_of(place) is not None
    return lambda tx, hearing: (
        chosen if (named and not hearing.model) or (known and (named or not hearing.participant.group)) else None
    )


def _quiet(wish: Wish, words: Words) -> Resolve:
    first, *others = (span(hours) or "" for hours in wish.hours or ("",))
    wanted = choose.of(hours=first, others=others)
    return lambda tx, hearing: wanted


def _undo(wish: Wish, words: Words) -> Resolve:
    return lambda tx, hearing: undo.of()


UNDERSTANDS = Understands(wishes={"timezone": _zone, "quiet": _quiet, "undo": _undo})

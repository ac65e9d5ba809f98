"""What free text sets: where somebody lives, when the bot is quiet; and that the last thing is to be taken back."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from core.capabilities.settings.commands import ask_zone, settle, timezone_edited, undo
from core.capabilities.settings.quiet_hours import choose, edited, span
from core.kernel.access import command_name
from core.kernel.ids import number
from core.kernel.intent import Intent
from core.kernel.ports import Tx
from core.kernel.types import LaneKey
from core.language import languages
from core.language.grammar import Wish
from core.language.zone_search import zone_of
from core.store.conversation import inbox, keyboards
from core.store.conversation import undo as undone
from core.toolkit import intents
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


def _edited(tx: Tx, lane: LaneKey, person_id: int, run_id: int, text: str) -> tuple[int, Intent] | None:
    """Return the keyboard below what a run, or that of the message's last edit, has chosen for this person, and the
    intent that chooses what the same command says now; nothing unless the former choice can still be taken back."""
    kind, words = command_name(text), text.partition(" ")[2].strip()
    if kind not in _EDITED or not words:
        return None
    for one in (*reversed(inbox.runs_of_edits(tx, lane, person_id, run_id)), run_id):
        keyboard_row = keyboards.newest_of_run(tx, lane, one)
        orders = [order for _, order in keyboard_row.offers if isinstance(order, Intent)] if keyboard_row else []
        taken = next((str(order.arguments["undo"]) for order in orders if order.name == intents.UNDO), "")
        row = undone.find(tx, lane, person_id, number("u", taken) or 0, others=False) if taken else None
        if keyboard_row is None or row is None or row["ended_at"] is not None or row["tool"] != f"choose_{kind}":
            continue
        if undone.outdated(tx, lane.tenant_id, row):
            return None
        return keyboard_row.keyboard_id, _EDITED[kind](taken, words)
    return None


# What an edited command chooses now, by the id of what took back its former choice, and its words.
_EDITED: Mapping[str, Callable[[str, str], Intent]] = {
    "timezone": lambda taken, words: timezone_edited.of(undo=taken, place=words),
    "quiet": lambda taken, words: edited.of(undo=taken, words=words),
}
UNDERSTANDS = Understands(wishes={"timezone": _zone, "quiet": _quiet, "undo": _undo}, edited=_edited)

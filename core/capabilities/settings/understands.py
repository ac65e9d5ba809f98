"""What free text sets: where somebody lives, when the bot is quiet; and that the last thing is to be taken back."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from core.capabilities.settings import service
from core.capabilities.settings.commands import ask_zone, settle, timezone_edited, undo
from core.capabilities.settings.quiet_hours import choose, edited, quiet_words, span
from core.kernel.access import command_name
from core.kernel.intent import Intent
from core.kernel.ports import Tx
from core.kernel.types import LaneKey
from core.language import languages
from core.language.grammar import Wish
from core.language.zone_search import zone_of
from core.store.conversation import keyboards, questions
from core.toolkit import intents
from core.toolkit.capability import Hearing, Resolve, Understands, Words


def _zone(wish: Wish, words: Words) -> Resolve:
    """Read a place that has a zone: "I live in a house" says nothing of zones, nor "I live in Paris" of a group's."""
    place = wish.text
    if not place:
        return lambda tx, hearing: ask_zone.of()
    named = any(language["zone_word"] in words.text.casefold() for language in languages().values())
    chosen = settle.of(place=place)
    known = zone_of(place) is not None

    def resolve(tx: Tx, hearing: Hearing) -> Intent | None:
        if named and not hearing.model:
            return chosen
        return chosen if known and (named or not hearing.participant.group) else None

    return resolve


def _quiet(wish: Wish, words: Words) -> Resolve:
    first, *others = (span(hours) or "" for hours in wish.hours or ("",))
    wanted = choose.of(hours=first, others=others)
    return lambda tx, hearing: wanted


def _undo(wish: Wish, words: Words) -> Resolve:
    return lambda tx, hearing: undo.of()


def _edited(tx: Tx, lane: LaneKey, person_id: int, run_id: int, text: str) -> tuple[int | None, Intent] | None:
    """Return the keyboard below what a run, or that of the message's last edit, has chosen for this person, and the
    intent that chooses what the same command says now; without a keyboard where all was so before. Nothing unless the
    former choice can still be taken back, or none was made and the run still asks where they are."""
    former = service.chosen_by(tx, lane, person_id, run_id)
    asked = questions.asked_by(tx, lane, person_id, run_id, {settle.name}) if former is None else []
    same = service.chose_what_was(tx, lane, person_id, run_id) if former is None and not asked else ""
    chose = "choose_timezone" if asked else same if former is None else former.tool
    kind, words = _chooses(text) if chose else ("", "")
    if not words or kind != chose.removeprefix("choose_"):
        return None
    if same:
        return None, _CHOSEN[kind](words)
    if former is not None:
        return former.keyboard_id, _EDITED[kind](run_id, words)
    shown = keyboards.of_question(tx, lane, asked[-1].question_id)
    return (shown[-1].keyboard_id, _EDITED[kind](run_id, words)) if shown else None


def _chooses(text: str) -> tuple[str, str]:
    """Return what a text chooses, and in which words, as behind the command that does; empty where it is something
    else."""
    if text.startswith("/"):
        return command_name(text), text.partition(" ")[2].strip()
    wishes = [wish for language in languages().values() if (wish := language.grammar.wish(text)) is not None]
    for wish in wishes:
        if wish.name == "timezone" and wish.text and zone_of(wish.text) is not None:
            return wish.name, wish.text
        if wish.name == "quiet":
            return wish.name, quiet_words(wish.hours)
    return "", ""


# What an edited message chooses now, by the run that carried out what it said first, and its words.
_EDITED: Mapping[str, Callable[[int, str], Intent]] = {
    "timezone": lambda run_id, words: timezone_edited.of(former_run=run_id, place=words),
    "quiet": lambda run_id, words: edited.of(former_run=run_id, words=words),
}
# The same where there is nothing to be taken back first.
_CHOSEN: Mapping[str, Callable[[str], Intent]] = {
    "timezone": lambda words: settle.of(place=words),
    "quiet": lambda words: intents.command("quiet", words),
}
UNDERSTANDS = Understands(wishes={"timezone": _zone, "quiet": _quiet, "undo": _undo}, edited=_edited)

"""Understanding free text about the list ("milk done", "remove eggs"), and of cancelling what is scheduled.

The item that words mean is found here and handed on by its id, so the command does not look for it again. If the words
name only a part of an item, the command asks back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from core.capabilities.reminders import repository as reminders
from core.capabilities.todos import lists
from core.capabilities.todos import repository as todos
from core.capabilities.todos.commands import as_edited, ask_to_empty, new_list, put, show, show_lists, take_off, tick
from core.capabilities.todos.items import added_by, put_there
from core.capabilities.todos.other_chats import of_linked
from core.capabilities.todos.repository import Todo
from core.capabilities.todos.several import turn_several
from core.kernel.ids import number, ref
from core.kernel.intent import Intent
from core.kernel.ports import Row, Tx
from core.kernel.timing.trigger import Trigger
from core.kernel.types import LaneKey
from core.language import forms
from core.language.grammar import Wish
from core.language.matching import PART, beside, each, is_all, is_part, matching
from core.language.short_texts import CHEER, says
from core.scheduling import repository as triggers
from core.scheduling import service as scheduling
from core.store.conversation import inbox, keyboards, outbox, undo
from core.store.conversation.keyboards import KeyboardRow
from core.toolkit import intents, other_chats
from core.toolkit.capability import Candidate, Hearing, Rank, Resolve, Understands, Words
from core.toolkit.former_lines import undos

# A text that says no more than that is short.
LONGEST = 100
# Wishes about something that must be there, and the keys of the forms in which few words say them.
TICK, REMOVE, CANCEL = "todo.done", "todo.remove", "cancel"
# That what it replies to is done.
DONE = "done"
ABOUT = {TICK: "ticked_words", REMOVE: "removed_words", CANCEL: "cancelled_words"}


def _parse(words: Words) -> Iterator[Candidate]:
    text = words.text
    if words.quoted and says(text, "add_this_words"):
        yield Candidate(rank=Rank.QUOTED, resolve=lambda tx, hearing: put.of(text=""))
    if words.whole or len(text) > LONGEST or text.endswith(("?", "？")):
        return
    if words.replies and words.wish is not None and words.wish.name == DONE:
        yield Candidate(rank=Rank.NAMED, resolve=_replied_to)
        return
    said = [(name, something) for name, key in ABOUT.items() for something in _in_forms(text, key)]
    if said:
        yield Candidate(rank=Rank.NAMED, resolve=partial(_listed, said))


def _replied_to(tx: Tx, hearing: Hearing) -> Intent | None:
    """Return the intent that ticks off what the message put on the list that a text replies to."""
    there = put_there(tx, hearing.lane, hearing.message.reply_to) if hearing.replies else []
    return turn_several.of(action="complete", todos=there) if there else None


def _listed(said: Sequence[tuple[str, str]], tx: Tx, hearing: Hearing) -> Intent | None:
    """Return the intent of few words about an item of the list ("milk done") or something scheduled ("cancel dentist"),
    if there is such a thing. With a model, the words must be its whole text.

    A text that replies to a reminder, or to somebody else's message, is about that instead.
    """
    for name, words in said:
        exact = hearing.model
        found = beside(words, _things(tx, hearing.lane, name), exact=exact)
        found = found or beside(words, _of_linked(tx, hearing, name), exact=exact)
        if len(found) == 1 or (found and not hearing.model):
            return _intent(name, words, found) if _goes_on(tx, hearing) else None
    return None


def _goes_on(tx: Tx, hearing: Hearing) -> bool:
    """Return whether a text is not about another message: it replies to none, or to one of the bot that is no
    reminder."""
    if not hearing.replies:
        return True
    lane, reply_to = hearing.lane, hearing.message.reply_to
    return outbox.source_of(tx, lane, reply_to) is not None and reminders.by_message(tx, lane, reply_to) is None


def _about(wish: Wish, words: Words) -> Resolve:
    """Return how a wish becomes an intent: with the id of the item that it surely means. If it means none surely, the
    text is left to a model; without one, the command asks which is meant, or says that there is none."""
    name, something = wish.name, wish.text
    named = name != TICK and something not in _in_forms(words.text, ABOUT[name])

    def resolve(tx: Tx, hearing: Hearing) -> Intent | None:
        lane, model = hearing.lane, hearing.model
        # A word may look like an id, as "stretch" does.
        shown = number("s" if name == CANCEL else "t", something)
        if shown is not None and (triggers if name == CANCEL else todos).find(tx, lane, shown) is not None:
            return _INTENTS[name](something, "")
        things = _things(tx, lane, name, wish.list)
        parts, missing = each(something, things)
        several = [ref("t", one.todo_id) for one in parts if isinstance(one, Todo)]
        found = [] if several and not missing else beside(something, things, exact=model and not named)
        # Of two things that shall go one may be a part of the other; what is ticked off is easily open again.
        if several and not found and not (missing and (model or name != TICK)):
            return turn_several.of(action="complete" if name == TICK else "remove", todos=several, missing=missing)
        if not found and not model:
            # What would be found by the words alone: "the book is done" is no bookshelf.
            found = matching(something, things)
        if not found:
            # With a model a part of what is elsewhere is not enough: "Bob" off a guest list is no "call Bob".
            found = beside(something, _of_linked(tx, hearing, name, wish.list), exact=model)
        fits = len(found) == 1 and _fits(something, found[0].text, named=named)
        return None if model and not fits else _intent(name, something, found, named=named, on=wish.list)

    return resolve


def _fits(words: str, text: str, *, named: bool) -> bool:
    """Return whether words say all of a text; a part is enough where the kind is `named` ("the lunch reminder")."""
    return is_all(words, text) or (named and not is_part(words, text))


def _things(tx: Tx, lane: LaneKey, name: str, on: str = "") -> Sequence[Todo | Trigger]:
    """Return what may be meant: triggers for a cancelling, else open items, on the list that the words `on` name or
    any."""
    if name == CANCEL:
        return triggers.of_scope(tx, lane)
    return lists.on_named(todos.open_of(tx, lane), on)


def _of_linked(tx: Tx, hearing: Hearing, name: str, on: str = "") -> Sequence[Todo | Trigger]:
    """Return what may be meant on the accounts with which somebody is linked, as `_things` does for this chat."""
    if name == CANCEL:
        return scheduling.of_linked(tx, hearing.access, hearing.participant)
    if hearing.participant.group:
        return []
    linked = other_chats.linked(tx, hearing.access, hearing.participant.person.person_id)
    return lists.on_named([todo for _, todo in of_linked(tx, linked)], on)


def _intent(name: str, words: str, found: Sequence[Todo | Trigger], *, named: bool = False, on: str = "") -> Intent:
    """Return an intent with the id of the only thing that is meant; else with the words, about which the command asks
    back, and those for the list."""
    wanted = _INTENTS[name]
    if len(found) != 1:
        return wanted(words, on)
    one = found[0]
    if not _fits(words, one.text, named=named):
        return wanted(f"{words} {PART}", on)
    return wanted(ref("t", one.todo_id) if isinstance(one, Todo) else ref("s", one.trigger_id), "")


def _add(wish: Wish, words: Words) -> Resolve:
    return lambda tx, hearing: put.of(text=wish.text, on=wish.list)


def _show(wish: Wish, words: Words) -> Resolve:
    return lambda tx, hearing: show.of(on=wish.list) if _is_there(tx, hearing, wish.list) else None


def _new(wish: Wish, words: Words) -> Resolve:
    # "Make a list" may be about what was said before, which a model knows.
    return lambda tx, hearing: new_list.of(on=wish.list) if wish.list or not hearing.model else None


def _lists(wish: Wish, words: Words) -> Resolve:
    return lambda tx, hearing: show_lists.of()


def _clear(wish: Wish, words: Words) -> Resolve:
    return lambda tx, hearing: ask_to_empty.of(on=wish.list) if _is_there(tx, hearing, wish.list) else None


def _is_there(tx: Tx, hearing: Hearing, words: str) -> bool:
    """Return whether words name a list, or nearly one, that exists. Others are left to a model: "the guest list"."""
    key = lists.named(words).key
    if not hearing.model or not key or key in lists.KNOWN:
        return True
    present = [one.key for one in todos.lists_of(tx, hearing.lane)]
    return key in present or lists.near(words, present) is not None


def _in_forms(text: str, key: str) -> list[str]:
    """Return what stands in the place of {x}, for each form of any language that the text fits."""
    said = text.rstrip(CHEER)
    found, folded = list[str](), said.casefold()
    for before, after, _ in forms(key):
        if folded.startswith(before) and folded.endswith(after) and len(said) > len(before) + len(after):
            found.append(said[len(before) : len(said) - len(after)].strip())
    return [words for words in found if words]


def _edited(tx: Tx, lane: LaneKey, person_id: int, run_id: int, text: str) -> tuple[int, Intent] | None:
    """Return the keyboard below what a run has added to the list for this person, and the intent that adds what the
    message says now, which knows what earlier edits have added; nothing unless the first can still be taken back."""
    keyboard_row = keyboards.newest_of_run(tx, lane, run_id)
    row = _undo_of(tx, lane, person_id, keyboard_row)
    added = added_by(row)
    if keyboard_row is None or row is None or row["ended_at"] is not None or not added:
        return None
    for one in inbox.runs_of_edits(tx, lane, person_id, run_id):
        added += added_by(_undo_of(tx, lane, person_id, keyboards.newest_of_run(tx, lane, one)))
    return keyboard_row.keyboard_id, as_edited.of(todos=list(dict.fromkeys(added)), text=text)


def _undo_of(tx: Tx, lane: LaneKey, person_id: int, keyboard_row: KeyboardRow | None) -> Row | None:
    """Return what the Undo of some buttons takes back for this person, in any state."""
    back = next((number("u", one) for one in undos(keyboard_row)), None)
    return undo.find(tx, lane, person_id, back, others=False) if back else None


# By an id, or by words on the list that others name, if any do.
_INTENTS: Mapping[str, Callable[[str, str], Intent]] = {
    TICK: lambda todo, on: tick.of(todo=todo, on=on) if on else tick.of(todo=todo),
    REMOVE: lambda todo, on: take_off.of(todo=todo, on=on) if on else take_off.of(todo=todo),
    CANCEL: lambda task, on: intents.cancel(task),
}
WISHES = {
    "todo": _show,
    "todo.new": _new,
    "lists": _lists,
    "todo.add": _add,
    "todo.clear": _clear,
    **dict.fromkeys(ABOUT, _about),
}
UNDERSTANDS = Understands(parse=_parse, wishes=WISHES, edited=_edited)

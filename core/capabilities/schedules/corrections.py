"""Second thoughts: "never mind", "no" or "算了", and what of that which was just set they take back."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.capabilities.reminders import repository as reminders
from core.capabilities.reminders.answers import give_up
from core.capabilities.reminders.commands import of_text, of_words
from core.capabilities.schedules.moving import as_edited, move_to
from core.capabilities.todos import repository as todos
from core.capabilities.todos.commands import take_off
from core.capabilities.todos.repository import ItemState
from core.kernel.ids import number, ref
from core.kernel.intent import Intent
from core.kernel.ports import Row, Tx
from core.kernel.timing.expressions import At, Every
from core.kernel.timing.trigger import Trigger, TriggerState
from core.kernel.types import DAY, HOUR, LaneKey, Millis
from core.language import grammars, languages
from core.language.short_texts import first
from core.scheduling import repository as triggers
from core.scheduling import service as scheduling
from core.scheduling.repository import TriggerKind
from core.store.conversation import inbox, keyboards, undo
from core.store.conversation.last_words import RIGHT_AFTER, SAME_ANSWER, last_words
from core.toolkit import intents
from core.toolkit.capability import Hearing
from core.toolkit.former_lines import decoded, undos

# The wish that something shall have another time.
MOVED = "move"
_UNITS: Mapping[str, Millis] = {"m": HOUR // 60, "h": HOUR, "d": DAY}
# How a number without a unit is read by itself: as so many minutes.
_MINUTES = re.compile(r"(\d+)m")
# What the buttons of something scheduled ask for.
_PLANS = frozenset({intents.MOVE, intents.CANCEL})


@dataclass(frozen=True, slots=True)
class Move:
    """Another time for something scheduled. `recurring` when it says how what recurs is to go on."""

    time: str
    recurring: bool


def read_move(time: str) -> Move:
    """Read a time that something is to be moved to, or what it is put off by ("an hour later")."""
    for language in languages().values():
        wish = language.grammar.wish(language.say("move_it", rest=time))
        if wish is not None and wish.name == MOVED and wish.time.startswith(("+", "-")):
            return Move(wish.time, recurring=False)
    when = first(lambda grammar: grammar.when(time), grammars())
    return Move(time, isinstance(when, Every) or (isinstance(when, At) and not (when.day or when.zone)))


def corrected(move: Move, tx: Tx, hearing: Hearing) -> Intent | None:
    """Return what moves that which was just set: "make it 4", "in 3 hours"."""
    made = _just_set(tx, hearing)
    return None if made is None else _moved(ref("s", made.trigger_id), move, made, hearing)


def moved(move: Move, tx: Tx, hearing: Hearing) -> Intent | None:
    """Return what moves something scheduled, by a reply to where it was read back."""
    found = _planned_there(tx, hearing)
    if not found:
        return None
    return _moved(found, move, triggers.load(tx, hearing.lane.tenant_id, number("s", found) or 0), hearing)


def stopped(tx: Tx, hearing: Hearing) -> Intent | None:
    """Return what ends something scheduled, by a reply to where it was read back."""
    found = _planned_there(tx, hearing)
    return intents.cancel(found) if found else None


def _moved(schedule_id: str, move: Move, former: Trigger | None, hearing: Hearing) -> Intent | None:
    recurs = former is not None and former.kind != TriggerKind.ONCE
    if recurs and not move.recurring and hearing.model:
        return None  # "in 10 minutes" may be about this once: a model knows what was said before
    time, count = move.time, _MINUTES.fullmatch(move.time)
    if count and (n := int(count[1])) and former is not None and time not in hearing.message.text:
        # "No, in 3" of what comes in two hours are hours: the unit that comes nearest to the former time.
        wait = max(former.next_at - hearing.message.sent_at, 1)
        time = f"{n}{min(_UNITS, key=lambda unit: abs(math.log(n * _UNITS[unit] / wait)))}"
    return move_to.of(schedule=schedule_id, time=time)


def _planned_there(tx: Tx, hearing: Hearing) -> str:
    """Return the one thing scheduled that the message replied to is about; empty where there is none."""
    return planned(keyboards.by_message(tx, hearing.lane, hearing.message.reply_to))


def _just_set(tx: Tx, hearing: Hearing) -> Trigger | None:
    """Return what this person has scheduled, here or on an account that they are linked with, where reading that back
    was the last the bot said here, a moment ago."""
    lane, sent_at = hearing.lane, hearing.message.sent_at
    if hearing.replies:
        return None
    at, run_id, *_ = last_words(tx, lane)
    if not 0 < at <= sent_at + SAME_ANSWER or sent_at - at > RIGHT_AFTER:
        return None
    keyboard_row = keyboards.newest(tx, lane, at - SAME_ANSWER)
    read_back = keyboard_row is not None and keyboard_row.is_of(run_id) and undos(keyboard_row)
    found = number("s", planned(keyboard_row)) if read_back else None
    if found is None:
        return None
    if (made := triggers.find(tx, lane, found)) is None:
        beyond = scheduling.of_linked(tx, hearing.access, hearing.participant)
        made = next((one for one in beyond if one.trigger_id == found), None)
    elif made.person_id != hearing.participant.person.person_id:
        return None
    return made if made is not None and made.state == TriggerState.ACTIVE else None


def edited(tx: Tx, lane: LaneKey, person_id: int, run_id: int, text: str) -> tuple[int, Intent] | None:
    """Return the keyboard below what a run, or that of the message's last edit, read back, and the intent that changes
    what it has scheduled for this person to what a message says now; nothing unless that is one thing, and still to
    come."""
    runs = [*reversed(inbox.runs_of_edits(tx, lane, person_id, run_id)), run_id]
    keyboard_row = next(filter(undos, (keyboards.newest_of_run(tx, lane, one) for one in runs)), None)
    found = planned(keyboard_row)
    made = triggers.find(tx, lane, number("s", found) or 0) if found else None
    if (
        keyboard_row is None
        or made is None
        or made.state not in {TriggerState.ACTIVE, TriggerState.PAUSED}
        or made.person_id != person_id
    ):
        return None
    answered = inbox.answer_of(tx, lane, run_id)
    name = "" if answered is None or text.startswith("/") else answered.name
    change = as_edited.of(schedule=found, text=text, named=name == of_text.name, worded=name == of_words.name)
    return keyboard_row.keyboard_id, change


def planned(keyboard_row: keyboards.KeyboardRow | None) -> str:
    """Return the id of the one thing scheduled that the buttons below a message are about; empty for none or
    several."""
    found = {one.arguments["schedule"] for one in _asked(keyboard_row) if one.name in _PLANS}
    return found.pop() if len(found) == 1 else ""


def taken_back(tx: Tx, hearing: Hearing) -> Intent | None:
    """Return what a text takes back that gives something up: what it replies to; without a model also what was said
    last, and about anything within the hour it is asked.

    In a group that is what they did themselves, unless it replies.
    """
    if hearing.replies:
        return _replied_to(tx, hearing)
    if hearing.model:
        return None
    lane, sent_at, person_id = hearing.lane, hearing.message.sent_at, hearing.participant.person.person_id
    at, run_id, *_ = last_words(tx, lane)
    keyboard_row = keyboards.newest(tx, lane, max(at - SAME_ANSWER, sent_at - DAY))
    found = undos(keyboard_row)
    mine = keyboard_row is not None and keyboard_row.is_of(run_id)
    if mine and (again := _open_one(tx, hearing, found)):
        return again
    if settled := reminders.settled(tx, lane, person_id, at - SAME_ANSWER):
        return give_up.of(reminder=ref("r", settled.reminder_id))
    if keyboard_row is not None and not found:
        # A choice or a list is declined: nothing was set by it.
        return None
    recent = undo.newest(tx, lane, person_id, sent_at - HOUR, others=False, lane_first=True)
    return intents.ask_undo() if recent is not None and _stands(tx, lane, recent) else None


def _replied_to(tx: Tx, hearing: Hearing) -> Intent | None:
    """Return what a reply takes back. What it comes too late for, or is not theirs, goes off the list all the same, or
    they are told why it stays; what is scheduled has ways of its own."""
    keyboard_row = keyboards.by_message(tx, hearing.lane, hearing.message.reply_to)
    found = undos(keyboard_row)
    if again := _open_one(tx, hearing, found):
        return again
    if not found or any(one.name in _PLANS for one in _asked(keyboard_row)):
        return None
    row = undo.of_scope(tx, hearing.lane, number("u", found[0]) or 0) if len(found) == 1 else None
    call = {} if row is None or row["tool"] != "todo_change" else json.loads(row["arguments"])
    if call.get("action") != "remove":
        return intents.undo(found[0])
    # What it takes back is the one new item of the list.
    added = str(call["todo_id"])
    todo = todos.find(tx, hearing.lane, number("t", added) or 0)
    return take_off.of(todo=added) if todo is not None and todo.state == ItemState.OPEN else None


def _asked(keyboard_row: keyboards.KeyboardRow | None) -> list[Intent]:
    """Return the intents of the buttons below a message, also those of a former version."""
    orders = [decoded(order) for _, order in keyboard_row.offers] if keyboard_row else []
    return [order for order in orders if isinstance(order, Intent)]


def _open_one(tx: Tx, hearing: Hearing, found: Sequence[str]) -> Intent | None:
    open_ones = [one for one in found if _open(tx, hearing, one)]
    if not open_ones:
        return None
    return intents.undo(open_ones[0]) if len(open_ones) == 1 else intents.ask_undo()


def _stands(tx: Tx, lane: LaneKey, row: Row) -> bool:
    """Return whether an undo still has something to take back: what was set may have come meanwhile, or been
    stopped."""
    schedule_id = number("s", str(json.loads(row["arguments"]).get("schedule_id", "")))
    made = triggers.find(tx, lane, schedule_id) if schedule_id and row["tool"] == "cancel_schedule" else None
    return not undo.outdated(tx, lane.tenant_id, row) and (
        made is None or made.state in {TriggerState.ACTIVE, TriggerState.PAUSED}
    )


def _open(tx: Tx, hearing: Hearing, undo_id: str) -> bool:
    lane, person_id = hearing.lane, hearing.participant.person.person_id
    row = undo.find(tx, lane, person_id, number("u", undo_id) or 0, others=hearing.replies)
    if row is None or row["ended_at"] is not None or row["created_at"] < hearing.message.sent_at - DAY:
        return False
    return not undo.outdated(tx, lane.tenant_id, row)

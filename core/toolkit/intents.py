"""What one room asks of another by a button or a text: intents by their names.

A room may not import the one that carries an intent out, such as a page with a button that ticks an item off; so its
name and its arguments stand here, and whoever carries it out registers that name (core.toolkit.command.intent).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.kernel.intent import Intent
from core.kernel.types import Millis

UNDO, ASK_UNDO = "settings.undo", "settings.ask_undo"
ZONE, ASK_ZONE, ASK_QUIET, ASK_LANGUAGE = (
    "settings.timezone",
    "settings.zone",
    "settings.ask_quiet",
    "settings.ask_language",
)
MOVE, CANCEL, SKIP = "schedules.move", "schedules.cancel", "schedules.skip"
PAUSE, RESUME = "schedules.pause", "schedules.resume"
WORK = "schedules.work"
# Of any command by its name: it has no handler of its own (core.toolkit.command.Commands).
COMMAND = "command"
TICK, ADD, SET, REMIND = "todos.done", "todos.add", "reminders.set", "reminders.read"
MUTE = "messages.mute"
STOP_TASK = "tasks.stop"
PAIR = "members.pair"
FORGET, SHORTEN, BRING = "privacy.forget", "privacy.shorten", "transfer.bring"
SHARE, RETRY, DROP = "chat.share", "chat.retry", "chat.drop"
EITHER = "chat.either"
PRESS = "chat.press"

# Of commands.


def command(name: str, rest: str = "") -> Intent:
    """Carry out a command with what stands behind its name, as if somebody had typed that: it is what a misspelt one
    was meant to be, or stands as a line in what a former version stored."""
    return Intent(COMMAND, {"command": name, "rest": rest})


# Of what anybody did.


def undo(undo_id: str = "", *, shared: bool = False) -> Intent:
    """Take it back; the last thing without its id. What was `shared` with all is said to have been."""
    return Intent(UNDO, {"undo": undo_id, "shared": shared})


def ask_undo() -> Intent:
    """Ask whether the last thing shall be taken back."""
    return Intent(ASK_UNDO, {})


# Of settings.


def zone(place: str) -> Intent:
    """Go by the clock of a place."""
    return Intent(ZONE, {"place": place})


def ask_zone() -> Intent:
    """Say which clock counts, and ask for another."""
    return Intent(ASK_ZONE, {})


def ask_quiet() -> Intent:
    """Say when it is quiet, and offer other hours."""
    return Intent(ASK_QUIET, {})


def ask_language() -> Intent:
    """Say which language is spoken, and offer others."""
    return Intent(ASK_LANGUAGE, {})


# Of something scheduled, by its id.


def move(schedule: str, time: str = "") -> Intent:
    """Give it another time; without one it is asked for."""
    return Intent(MOVE, {"schedule": schedule, "time": time})


def cancel(schedule: str) -> Intent:
    """Stop it. Words that name it do in the place of its id."""
    return Intent(CANCEL, {"schedule": schedule})


def skip(schedule: str) -> Intent:
    """Leave out its next time."""
    return Intent(SKIP, {"schedule": schedule})


def pause(schedule: str) -> Intent:
    """Let it rest; until when is asked for."""
    return Intent(PAUSE, {"schedule": schedule, "until": ""})


def resume(schedule: str) -> Intent:
    """Let it go on."""
    return Intent(RESUME, {"schedule": schedule})


def work(text: str, when: Mapping[str, Any], *, only_news: bool) -> Intent:
    """Work on a text at a time, which is JSON (`core.scheduling.time_input.packed`); with `only_news` nothing is said
    where all is as it was."""
    return Intent(WORK, {"text": text, "when": when, "only_news": only_news})


# Of a task, by its id.


def stop_task(task: str) -> Intent:
    """Stop it, with its Workers."""
    return Intent(STOP_TASK, {"task": task})


# Of lists, reminders and messages.


def tick(todo: str, *, page: int = 0) -> Intent:
    """Complete an item, and show this page of the list, if one is given."""
    return Intent(TICK, {"todo": todo, "page": page})


def add(text: str, *, due: str = "", others: bool = False) -> Intent:
    """Put what a text wants on the list, for the day that was picked, if one was (ISO 8601). What `others` wrote is for
    nobody."""
    return Intent(ADD, {"text": text, "due": due, **({"others": True} if others else {})})


def remind(text: str, *, others: bool = False) -> Intent:
    """Set what a text wants that nobody has read yet. What `others` wrote wants nothing, but is what it is about."""
    return Intent(REMIND, {"text": text, **({"others": True} if others else {})})


def remind_at(text: str, at: Millis, wall: str, *, quoted: str = "", link: str = "") -> Intent:
    """Set a reminder for an instant that was picked, on a clock that showed `wall` then; it may be of a message that is
    `quoted`, with a `link` to it."""
    when = {"kind": "once", "at": at, "wall": wall}
    return Intent(SET, {"asked": {"text": text, "when": when, "quoted": quoted, "link": link}})


def mute(person: str) -> Intent:
    """End the messages of somebody."""
    return Intent(MUTE, {"person": person})


# Of who gets in.


def pair(code: str, *, allow: bool) -> Intent:
    """Let in who asked for it and was given this code, or not."""
    return Intent(PAIR, {"code": code, "allow": allow})


# Of the conversation.


def either(ways: Sequence[Mapping[str, Any]]) -> Intent:
    """Ask which of several was meant: each has its `order`, the name of its `wish`, what it is `about`, and `when`."""
    return Intent(EITHER, {"ways": list(ways)})


def press() -> Intent:
    """Say that nothing has happened yet: what was asked is answered by its buttons alone."""
    return Intent(PRESS, {})


def share() -> Intent:
    """Say the answer that has the button for all to see."""
    return Intent(SHARE, {})


def retry(message: str) -> Intent:
    """Try a message again that was given up, by its id."""
    return Intent(RETRY, {"message": message})


def drop_kept() -> Intent:
    """Give up what is kept for the model."""
    return Intent(DROP, {})

"""The fast path: what the grammar of a language understands whole is a command in other words, and needs no model.

It costs every message some 20 µs a language, in the transaction that opens its case. What a message means is read there
and kept with its run, so that a run which is taken up again goes on with the same.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import TypeVar

from core.ids import ref
from core.language import languages
from core.language.grammar import Grammar
from core.ports import Tx
from core.store import reminders
from core.store.people import Seat
from core.store.reminders import Reminder
from core.types import LaneKey, Message

log = logging.getLogger(__name__)
T = TypeVar("T")

LONGEST = 2_000
# A time and nothing else is short.
LONGEST_TIME = 100
DONE, SNOOZE = "/done", "/snooze"


class FastPath:
    """Says which command a message is (core.case.Fast)."""

    def __init__(self, grammars: Sequence[Grammar] | None = None) -> None:
        self._grammars = [one.grammar for one in languages().values()] if grammars is None else list(grammars)

    def __call__(self, tx: Tx, lane: LaneKey, seat: Seat, message: Message) -> str:
        """The line of a command, or an empty text.

        What answers a reminder is about that: in its words a time puts it off, and "done" finishes it. It answers the
        one it replies to; without a reply, in private, the one that was the last thing said.
        """
        text = message.text.strip()
        # What was forwarded are somebody else's words.
        if not text or len(text) > LONGEST or text.startswith("/") or message.forwarded:
            return ""
        line = _first(lambda grammar: grammar.command(text), self._grammars) or ""
        done = line == DONE
        if line and not done:
            return line if line.startswith("/") else ""
        if not done and not _is_time(text, self._grammars):
            return ""
        found = _answered(tx, lane, seat, message)
        if found is None:
            return ""
        name = ref("r", found.reminder_id)
        return f"{DONE} {name}" if done else f"{SNOOZE} {name} {text}"


def is_time(text: str) -> bool:
    """Whether a text is a time and nothing else, in any language."""
    return _is_time(text.strip(), [language.grammar for language in languages().values()])


def _is_time(text: str, grammars: Sequence[Grammar]) -> bool:
    return 0 < len(text) <= LONGEST_TIME and _first(lambda grammar: grammar.when(text), grammars) is not None


def _answered(tx: Tx, lane: LaneKey, seat: Seat, message: Message) -> Reminder | None:
    if message.reply_to:
        return reminders.by_message(tx, lane, message.reply_to)
    return None if seat.group else reminders.last_word(tx, lane)


def _first(read: Callable[[Grammar], T | None], grammars: Sequence[Grammar]) -> T | None:
    """What the first grammar reads that reads anything. A grammar that fails has understood nothing: whatever somebody
    writes, their messages go on."""
    for grammar in grammars:
        try:
            found = read(grammar)
        except Exception:
            log.exception("a grammar failed")
            continue
        if found is not None:
            return found
    return None

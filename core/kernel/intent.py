"""What a button, an understood text or an answer asks for: the name of a handler and its arguments.

What a person types is text, never an intent: an intent is stored where only we write (`inbox.intent`, `keyboard`,
`run.command`). Command lines that former versions stored there stand beside intents for good, and are carried out as
the typed commands they are.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Expects(StrEnum):
    """Which words answer a question of a command."""

    # Any that are no wish of their own; of a question with options, one of those.
    TEXT = "text"
    # Those that are wholly a time, or one of the options.
    TIME = "time"
    # A time, where a number alone is of minutes.
    WAIT = "wait"
    # A place; the options are but examples.
    PLACE = "place"


TIMES = frozenset({Expects.TIME, Expects.WAIT})


@dataclass(frozen=True, slots=True)
class Hole:
    """The one argument of an intent that is still to be said: its name, and which words fill it."""

    name: str
    expects: Expects


@dataclass(frozen=True, slots=True)
class Intent:
    """A wish such as "settings.quiet": `arguments` are JSON, as its handler (core.toolkit.command) has checked them.

    One with a `hole` is carried out only when an answer has filled it.
    """

    name: str
    arguments: Mapping[str, Any]
    hole: Hole | None = None

    def __hash__(self) -> int:
        return hash((self.name, json.dumps(self.arguments, sort_keys=True), self.hole))

    def filled(self, words: str) -> Intent:
        """Return the intent with the words of an answer in its hole."""
        return self if self.hole is None else Intent(self.name, {**self.arguments, self.hole.name: words})

    def packed(self) -> dict[str, Any]:
        """Return the intent as JSON that a button or a question keeps."""
        hole = {} if self.hole is None else {"hole": [self.hole.name, self.hole.expects.value]}
        return {"intent": self.name, "arguments": dict(self.arguments), **hole}


# What a run carries out: an intent, or the line of a command such as "/todo milk".
Order = str | Intent


def pack(order: Order) -> str:
    """Return what a column keeps of an order: an intent as a JSON object, a line as it stands. Empty when there is
    none. A line begins with a slash, so no line is taken for an intent. Raises ValueError for another one."""
    if isinstance(order, Intent):
        return json.dumps(order.packed(), ensure_ascii=False)
    if order and not order.startswith("/"):
        raise ValueError("an order is an intent or the line of a command")
    return order


def unpack(stored: str) -> Order:
    """Return the order that `pack` has stored, or a former version as a line."""
    return unpacked(json.loads(stored)) if stored.startswith("{") else stored


def unpacked(stored: Mapping[str, Any]) -> Intent:
    """Return the intent of the JSON that a button or a question keeps."""
    name, expects = stored.get("hole", ("", ""))
    return Intent(stored["intent"], stored["arguments"], Hole(name, Expects(expects)) if name else None)


def expected(order: Order, time: bool) -> Expects:
    """Return which words answer a question that holds an order. Of a line no more is stored than whether it waits for a
    `time`: which lines want a place, or minutes, is written down here for those that stand in databases."""
    if isinstance(order, Intent):
        return Expects.TEXT if order.hole is None else order.hole.expects
    if time:
        return Expects.WAIT if order.startswith("/snooze ") else Expects.TIME
    return Expects.PLACE if order == "/timezone" else Expects.TEXT

"""What a button, an understood text or an answer asks for: the name of a handler and its arguments.

What a person types is text, never an intent: an intent is stored where only we write (`inbox.intent`, `keyboard`,
`run.command`). Command lines that former versions stored there stand beside intents for good, and are carried out as
the typed commands they are.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Intent:
    """A wish such as "settings.quiet": `arguments` are JSON, as its handler (core.toolkit.intent) has checked them."""

    name: str
    arguments: Mapping[str, Any]

    def __hash__(self) -> int:
        return hash((self.name, json.dumps(self.arguments, sort_keys=True)))

    def packed(self) -> dict[str, Any]:
        """Return the intent as JSON that a button keeps."""
        return {"intent": self.name, "arguments": dict(self.arguments)}


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
    """Return the intent of the JSON that a button keeps."""
    return Intent(stored["intent"], stored["arguments"])

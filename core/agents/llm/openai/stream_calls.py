"""Tool calls that arrive in pieces (API reference: the chat completion chunk).

The rule is that `index` says which call a piece belongs to. Some servers leave it out, some say 0 for every call, some
repeat id or name in each piece; all of these are told apart here, so that no call gets the arguments of another.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


class Call:
    """A function and its arguments, as far as they have come."""

    def __init__(self) -> None:
        self.id = ""
        self.name = ""
        self._pieces: list[str] = []
        self._given: object = None

    def add(self, function: Mapping[str, Any]) -> None:
        """Take a piece: a name, which is never split, and a part of the arguments, or all of them as an object."""
        self.name = self.name or _text(function.get("name"))
        arguments = function.get("arguments")
        if isinstance(arguments, str):
            self._pieces.append(arguments)
        elif arguments is not None:
            self._given = arguments

    def body(self) -> dict[str, Any]:
        """The function of a whole call."""
        text = joined(self._pieces)
        given = self._given if not text.strip() and self._given is not None else text
        return {"name": self.name, "arguments": given}


class Calls:
    """The calls of one answer, in the order in which they began."""

    def __init__(self) -> None:
        self._calls: list[Call] = []
        self._by_index: dict[int, Call] = {}
        self._by_id: dict[str, Call] = {}

    def add(self, piece: Mapping[str, Any]) -> None:
        """Take a piece of one call."""
        function = piece.get("function")
        function = function if isinstance(function, dict) else {}
        call_id = _text(piece.get("id"))
        call = self._of(piece.get("index"), call_id, _text(function.get("name")))
        if call_id and not call.id:
            call.id = call_id
            self._by_id[call_id] = call
        call.add(function)

    def body(self) -> list[dict[str, Any]]:
        """The calls of a whole message."""
        return [{"id": call.id or None, "type": "function", "function": call.body()} for call in self._calls]

    def _of(self, index: object, call_id: str, name: str) -> Call:
        """The call that a piece belongs to; a new one where it belongs to none."""
        if type(index) is int:
            found = self._by_index.get(index)
            if found is None or (name and _another(found, call_id, name)):
                found = self._by_index[index] = self._begin()
            return found
        if call_id:
            return self._by_id.get(call_id) or self._begin()
        return self._begin() if name or not self._calls else self._calls[-1]

    def _begin(self) -> Call:
        self._calls.append(Call())
        return self._calls[-1]


def _another(call: Call, call_id: str, name: str) -> bool:
    """Whether a piece with a name begins another call at the same index."""
    if call_id and call.id:
        return call_id != call.id
    return bool(call.name) and call.name != name


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def joined(pieces: Iterable[str]) -> str:
    """Put pieces together; a character whose halves came in two pieces becomes one."""
    text = "".join(pieces)
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")

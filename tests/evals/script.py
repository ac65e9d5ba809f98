"""A scripted model: it answers what the turn says that is being played, however often it is asked the same."""

from __future__ import annotations

import re
from typing import Any

from tests.emulators import openai_answers as wire
from tests.evals import scenario

TOO_OFTEN = "(the model was asked more often than the scenario says)"
BESIDE = "text"  # words beside calls
_OPEN = re.compile(r"\b(q[a-z2-9]{6}) \"")


class Script:
    """What a model says in a scenario. `turn` is the one that is being played."""

    def __init__(self, names: dict[str, str]) -> None:
        self.turn: scenario.Turn | None = None
        self.asked = 0
        self._names = names

    def __call__(self, request: wire.ChatRequest) -> wire.Answer | None:
        """Answer a request; a model that is asked once more after a crash says the same again."""
        if self.turn is None:
            return None
        self.asked += 1
        step = _answered(request.messages)
        said = self.turn.model[step] if step < len(self.turn.model) else TOO_OFTEN
        return answer(filled(said, self._names | _question(request.messages)))


def filled(value: Any, names: dict[str, str]) -> Any:
    """Put the names of people into a text, or into all texts of something: `{bob}` is what bob is called."""
    if isinstance(value, str):
        for name, called in names.items():
            value = value.replace("{" + name + "}", called)
        return value
    if isinstance(value, dict):
        return {key: filled(one, names) for key, one in value.items()}
    return [filled(one, names) for one in value] if isinstance(value, list) else value


def answer(said: scenario.Answer) -> wire.Answer:
    """Return an answer of a scenario as the wire has it."""
    if isinstance(said, str):
        return wire.Answer(text=said)
    parts = [said] if isinstance(said, dict) else said
    text = next((part[BESIDE] for part in parts if BESIDE in part), None)
    calls = [wire.Call(name, given) for part in parts for name, given in part.items() if name != BESIDE]
    return wire.Answer(text=text, calls=tuple(calls))


def _question(messages: list[dict[str, Any]]) -> dict[str, str]:
    """The id of the newest open question that a request tells of, as `{question}`."""
    told = [found[1] for one in messages for found in _OPEN.finditer(wire.text_of(one.get("content")))]
    return {"question": told[-1]} if told else {}


def _answered(messages: list[dict[str, Any]]) -> int:
    """How many answers of this run the request ends with: calls and their results."""
    count = 0
    for message in reversed(messages):
        if message["role"] not in ("tool", "assistant"):
            break
        count += message["role"] == "assistant"
    return count

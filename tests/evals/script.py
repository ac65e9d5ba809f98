"""A scripted model: it answers what the turn says that is being played, however often it is asked the same.

To those who work on tasks it answers what the scenario says of each, whatever turn it is.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Mapping, Sequence
from typing import Any

from tests.emulators import openai_answers as wire
from tests.evals import scenario

TOO_OFTEN = "(the model was asked more often than the scenario says)"
BESIDE = "text"  # words beside calls
WAIT = "wait"
EVENT = "Event: "
_OPEN = re.compile(r"\b(q[a-z2-9]{6}) \"")
# How the prompts of those begin who work on tasks.
_WORKS = re.compile(r"You are (?:Teller's planner|a worker of Teller)")


class Script:
    """What a model says in a scenario. `turn` is the one that is being played, by its number in `begun`."""

    def __init__(self, names: dict[str, str], background: Mapping[str, Sequence[scenario.Answer]]) -> None:
        self.turn: scenario.Turn | None = None
        self.asked = 0
        self._names, self._background = names, background
        self._begun: dict[int, asyncio.Event] = {}

    def begin(self, number: int) -> None:
        """The turn with this number begins; a great one ends all waiting."""
        for waited, event in self._begun.items():
            if waited <= number:
                event.set()
        self._begun.setdefault(number, asyncio.Event()).set()

    def __call__(self, request: wire.ChatRequest) -> wire.Answer | Awaitable[wire.Answer] | None:
        """Answer a request; a model that is asked once more after a crash says the same again."""
        if _WORKS.match(wire.text_of(request.messages[0].get("content"))):
            return self._works(request)
        if self.turn is None:
            return None
        told = _outcome(request.messages)
        self.asked += not told
        step, says = _answered(request.messages), self.turn.tells if told else self.turn.model
        said = says[step] if step < len(says) else TOO_OFTEN
        return answer(filled(said, self._names | _question(request.messages)))

    async def _works(self, request: wire.ChatRequest) -> wire.Answer:
        """Answer who works on a task: by how often they have answered in its whole journal."""
        heard = (wire.text_of(one.get("content")) for one in request.messages if one["role"] == "user")
        # What the person said stands in the event of all who work for them.
        texts = [text for text in heard if not text.startswith(EVENT)]
        key = next((key for key in self._background if any(key in text for text in texts)), "")
        says = self._background.get(key, ())
        step = sum(one["role"] == "assistant" for one in request.messages)
        said = filled(says[step], self._names) if step < len(says) else TOO_OFTEN
        parts = [said] if isinstance(said, dict) else said
        for number in [part[WAIT] for part in parts if WAIT in part] if isinstance(parts, list) else []:
            await self._begun.setdefault(number, asyncio.Event()).wait()
        return answer(said)


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
    calls = [wire.Call(name, given) for part in parts for name, given in part.items() if name not in {BESIDE, WAIT}]
    return wire.Answer(text=text, calls=tuple(calls))


def _outcome(messages: list[dict[str, Any]]) -> bool:
    """Whether a request tells of a task that has ended."""
    events = [text for one in messages if (text := wire.text_of(one.get("content"))).startswith(EVENT)]
    return any("task_id" in json.loads(text.removeprefix(EVENT)) for text in events)


def _question(messages: list[dict[str, Any]]) -> dict[str, str]:
    """The id of the newest open question that a request tells of, as `{question}`."""
    told = [found[1] for one in messages for found in _OPEN.finditer(wire.text_of(one.get("content")))]
    return {"question": told[-1]} if told else {}


def _answered(messages: list[dict[str, Any]]) -> int:
    """How many answers of this run the request ends with: calls and their results, and what it was told of an answer
    without words."""
    count = 0
    for message in reversed(messages):
        if message["role"] not in ("tool", "assistant", "system"):
            break
        count += message["role"] == "assistant"
    return count

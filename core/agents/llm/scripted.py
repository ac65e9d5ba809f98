"""A model that says what it was told to say: for tests, here and of whoever builds on this."""

from __future__ import annotations

import inspect
from collections import deque
from collections.abc import Awaitable, Callable

from core.kernel.types import Answer, ModelRequest

Said = Answer | str | BaseException
Rule = Callable[[ModelRequest], Said | Awaitable[Said]]


class ScriptExhausted(AssertionError):
    """The model was asked more often than the script has answers."""


class ScriptedModel:
    """Gives its answers in order; a text is an answer with that text, an exception is raised, a function is asked.

    A single function answers every request. `requests` holds all that was asked.
    """

    def __init__(self, *script: Said | Rule, name: str = "scripted") -> None:
        self.name = name
        self.requests: list[ModelRequest] = []
        self._always = script[0] if len(script) == 1 and callable(script[0]) else None
        self._script = deque(() if self._always else script)

    def add(self, *script: Said | Rule) -> None:
        """Append to the script."""
        self._script.extend(script)

    @property
    def left(self) -> int:
        """Return how many answers have not been given yet."""
        return len(self._script)

    async def complete(self, request: ModelRequest) -> Answer:
        """Give the next answer; raises what the script says, or `ScriptExhausted`."""
        self.requests.append(request)
        found = self._script.popleft() if self._script else self._always
        if found is None:
            last = dict(request.messages[-1]) if request.messages else "none"
            asked = f"request {len(self.requests)} to the scripted model has no answer left"
            raise ScriptExhausted(f"{asked}; its last message: {last}")
        if callable(found):
            outcome = found(request)
            found = await outcome if inspect.isawaitable(outcome) else outcome
        if isinstance(found, BaseException):
            raise found
        return Answer(text=found) if isinstance(found, str) else found

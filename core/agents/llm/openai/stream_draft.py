"""From the chunks of a stream to the body of the same answer in one piece (API reference: the chat completion chunk).

Chunks may be garbage like everything else: what cannot be understood adds nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from core.agents.llm.openai.completion import content_text
from core.agents.llm.openai.lenient_json import MAX_BODY, clean, read_body
from core.agents.llm.openai.stream_calls import Call, Calls, joined

END = b"[DONE]"
_VISIBLE = ("content", "refusal")
_CALLS = ("tool_calls", "function_call")


class Draft:
    """What a stream has brought so far; `told` is how many characters of the text somebody was told of."""

    def __init__(self) -> None:
        self.begun = False
        self.told = 0
        self._done = False
        self._error: object = None
        self._usage: object = None
        self._choices: dict[int, _Choice] = {}

    @property
    def whole(self) -> bool:
        """Whether nothing that matters is missing: the end was said, by the model, the server or an error."""
        finished = bool(self._choices) and all(choice.finish for choice in self._choices.values())
        return self._done or finished or bool(self._error)

    @property
    def length(self) -> int:
        """How many characters the text has."""
        return self._choices[min(self._choices)].length if self._choices else 0

    def text(self) -> str:
        """What people may read of it."""
        return clean(self._choices[min(self._choices)].text()) if self._choices else ""

    def add(self, data: bytes) -> None:
        """Take the data of one event. Raises `BadJson`: with a piece missing nothing after it can be trusted."""
        self.begun = True
        if self._done or data == END:
            self._done = True
            return
        event = read_body(data, MAX_BODY)
        if not isinstance(event, dict):
            return
        self._error = self._error or event.get("error") or (event if event.get("object") == "error" else None)
        self._usage = event["usage"] if isinstance(event.get("usage"), dict) else self._usage
        for choice in objects(event.get("choices")):
            index = choice.get("index")
            self._choices.setdefault(index if type(index) is int else 0, _Choice()).add(choice)

    def body(self) -> dict[str, Any]:
        """The body of a whole answer. After an error in the stream there is none: half a text is no answer."""
        choices = [choice.body() for _, choice in sorted(self._choices.items())]
        if self._error:
            return {"error": self._error, "unfinished": choices, "usage": self._usage}
        return {"choices": choices, "usage": self._usage}


class _Choice:
    """One of the answers that a stream brings; there is no more than one unless a server does what it likes."""

    def __init__(self) -> None:
        self.finish: object = None
        self.length = 0
        self._texts: dict[str, list[str]] = {}
        self._calls = Calls()
        self._function: Call | None = None

    def add(self, choice: Mapping[str, Any]) -> None:
        """Take one chunk of it."""
        self.finish = choice.get("finish_reason") or self.finish
        delta = choice.get("delta")
        if not isinstance(delta, dict):
            # Some servers send a whole message as their only chunk.
            delta = {} if self._texts else choice.get("message")
        if not isinstance(delta, dict):
            return
        for piece in objects(delta.get("tool_calls")):
            self._calls.add(piece)
        if isinstance(delta.get("function_call"), dict):
            self._function = self._function or Call()
            self._function.add(delta["function_call"])
        self._say(delta)

    def _say(self, delta: Mapping[str, Any]) -> None:
        """Keep every text, unseen ones too: a model's thoughts count where usage has to be estimated."""
        for name, value in delta.items():
            text = "" if name == "role" or name in _CALLS else content_text(value)
            if text:
                self._texts.setdefault(name, []).append(text)
                self.length += len(text) if name in _VISIBLE else 0

    def text(self) -> str:
        """The content, or the words of refusal."""
        return next((joined(self._texts[name]) for name in _VISIBLE if name in self._texts), "")

    def body(self) -> dict[str, Any]:
        """The choice of a whole answer."""
        message: dict[str, Any] = {"role": "assistant", "content": None}
        message |= {name: joined(texts) for name, texts in self._texts.items()}
        if calls := self._calls.body():
            message["tool_calls"] = calls
        if self._function:
            message["function_call"] = self._function.body()
        return {"message": message, "finish_reason": self.finish}


def objects(value: object) -> Iterable[Mapping[str, Any]]:
    """The objects in a list, or the one that stands in its place."""
    return [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, dict)]

"""Scripted answers of the model, whole or as a stream."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from tests.emulators.loopback import Reply
from tests.emulators.openai_parts import PICTURE_TOKENS, pictures

BYTES_PER_TOKEN = 4
QUOTE = re.compile(r"\A\[in reply to [^\n]*\]\n")
PIECE = 16
EVENT_STREAM = "text/event-stream; charset=utf-8"
DONE = b"data: [DONE]\n\n"
_numbers = count(1)


@dataclass(slots=True, kw_only=True)
class ChatRequest:
    """One request to the model as it came: *raw* bytes, their JSON, and what became of it.

    ``at`` is wall and ``mono`` monotonic time, in seconds; ``status`` is None when nothing was answered.
    """

    raw: bytes
    headers: dict[str, str]
    path: str = "/v1/chat/completions"
    body: dict[str, Any] = field(default_factory=dict)
    at: float = field(default_factory=time.time)
    mono: float = field(default_factory=time.monotonic)
    status: int | None = None
    delivered: bool = False

    @property
    def streaming(self) -> bool:
        """Whether the answer is wanted piece by piece."""
        return bool(self.body.get("stream"))

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The conversation so far."""
        return list(self.body.get("messages", []))

    @property
    def tool_names(self) -> list[str]:
        """The names of the tools offered."""
        return [tool.get(tool["type"], tool)["name"] for tool in self.body.get("tools", [])]

    @property
    def last_user_text(self) -> str:
        """The text of the last user message, without the line of what it replies to; empty when there is none."""
        text = next((text_of(m["content"]) for m in reversed(self.messages) if m["role"] == "user"), "")
        return QUOTE.sub("", text, count=1)

    @property
    def last_text(self) -> str:
        """The text of the last message, whoever wrote it."""
        return text_of(self.messages[-1].get("content")) if self.messages else ""


def text_of(content: object) -> str:
    """Return the text of a message's content, given as a string or as parts."""
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in content)
    return content if isinstance(content, str) else ""


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call; *arguments* given as a string are sent as they are, valid or not."""

    name: str
    arguments: dict[str, Any] | str = field(default_factory=dict)
    id: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return the call as the API words it."""
        text = self.arguments if isinstance(self.arguments, str) else json.dumps(self.arguments)
        call_id = self.id or f"call_emulated_{next(_numbers)}"
        return {"id": call_id, "type": "function", "function": {"name": self.name, "arguments": text}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the model says: text, tool calls, or both."""

    text: str | None = None
    calls: tuple[Call, ...] = ()
    finish_reason: str | None = None

    def reply(self, request: ChatRequest) -> Reply:
        """Return the answer as *request* wants it, whole or streamed."""
        message: dict[str, Any] = {"role": "assistant", "content": self.text, "refusal": None}
        if self.calls:
            message["tool_calls"] = [call.as_json() for call in self.calls]
        finish = self.finish_reason or ("tool_calls" if self.calls else "stop")
        if request.streaming:
            lines = [data(event) for event in Chunks(request).all(message, finish)]
            return Reply(chunks=(*lines, DONE), content_type=EVENT_STREAM)
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": finish}
        whole = {"object": "chat.completion", "choices": [choice], "usage": _usage(request, message)}
        return Reply.json({**_envelope(request), **whole})


@dataclass(frozen=True, slots=True, kw_only=True)
class Raw:
    """An answer that need not make sense."""

    value: bytes | dict[str, Any]
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)

    def reply(self, request: ChatRequest) -> Reply:
        """Return it unchanged."""
        body = self.value if isinstance(self.value, bytes) else json.dumps(self.value).encode()
        return Reply(status=self.status, chunks=(body,), headers=self.headers)


def _envelope(request: ChatRequest) -> dict[str, Any]:
    return {
        "id": f"chatcmpl-emulated{next(_numbers)}",
        "created": int(time.time()),
        "model": request.body["model"],
    }


def _usage(request: ChatRequest, message: dict[str, Any]) -> dict[str, int]:
    urls = [url for url, _ in pictures(request.messages)]
    text = len(request.raw) - sum(map(len, urls))
    prompt = max(1, text // BYTES_PER_TOKEN) + PICTURE_TOKENS * len(urls)
    completion = max(1, len(json.dumps(message)) // BYTES_PER_TOKEN)
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def data(event: object) -> bytes:
    """Return one server-sent event."""
    return b"data: " + json.dumps(event).encode() + b"\n\n"


class Chunks:
    """The chunks of one streamed answer to *request*."""

    def __init__(self, request: ChatRequest) -> None:
        self._request = request
        self._wanted = bool((request.body.get("stream_options") or {}).get("include_usage"))
        self._envelope = {**_envelope(request), "object": "chat.completion.chunk"}

    def all(self, message: dict[str, Any], finish: str) -> Iterator[dict[str, Any]]:
        """Yield every chunk of *message*."""
        yield self.delta({"role": "assistant", "content": None if message["content"] is None else "", "refusal": None})
        for piece in _pieces(message["content"] or ""):
            yield self.delta({"content": piece})
        for index, call in enumerate(message.get("tool_calls", ())):
            yield from self.call(index, call)
        yield from self.end(message, finish)

    def delta(self, delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        """Return one chunk."""
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        return {**self._envelope, "choices": [choice], **({"usage": None} if self._wanted else {})}

    def call(self, index: int, call: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield the chunks of a tool call."""
        function = call["function"]
        yield self.delta({"tool_calls": [{**call, "index": index, "function": {**function, "arguments": ""}}]})
        for piece in _pieces(function["arguments"]):
            yield self.delta({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})

    def end(self, message: dict[str, Any], finish: str) -> Iterator[dict[str, Any]]:
        """Yield the chunk that finishes the answer, and the usage if it is wanted."""
        yield self.delta({}, finish)
        if self._wanted:
            yield {**self._envelope, "choices": [], "usage": _usage(self._request, message)}


def _pieces(text: str) -> Iterator[str]:
    for start in range(0, len(text), PIECE):
        yield text[start : start + PIECE]

"""The two dialects of OpenAI's API, each as a value: how a request is written, and how an answer is read.

Chat Completions is what most servers speak. OpenAI's own newer models take tools only by Responses, which is spoken
without a memory at the server: `store` is false, and a run's reasoning goes back as it came (API reference: Responses;
guide: Reasoning).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import urlsplit

from core.agents.llm.openai.completion import END, Draft, objects
from core.kernel.strict_json import MAX_BODY, clean, read_body

OLLAMA = 11434
# A message of words alone has no more than its role and them.
WORDS = 2
Name = Literal["chat", "responses"]
# How it is called where a model has no tools of its own.
AS_TEXT = "tools as text"
Message = Mapping[str, Any]


def in_turn(messages: Sequence[Message]) -> list[Message]:
    """Return a conversation for models whose template takes one system message, at the beginning, and then people and
    the model in turn: what else we say goes before what a person says next, and what follows each other is one."""
    turns: list[Message] = []
    for message in messages:
        one = {**message, "role": "user"} if turns and message["role"] == "system" else message
        last = turns[-1] if turns else one
        if len(turns) == 1 and last["role"] == "system" and one["role"] == "assistant":
            turns.append({"role": "user", "content": "…"})
        if turns and one["role"] == last["role"] and one["role"] != "tool" and not last.get("tool_calls"):
            parts = [*_parts(last.get("content")), *_parts(one.get("content"))]
            words = [part["text"] for part in parts if part["type"] == "text"]
            turns[-1] = {**last, **one, "content": "\n\n".join(words) if len(words) == len(parts) else parts}
        else:
            turns.append(one)
    return turns


def _parts(content: Any) -> Sequence[Mapping[str, Any]]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content or []


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a request of either dialect says: `messages` and `tools` in the shape of Chat Completions, the longest
    answer in tokens (`most`), `effort` where the model takes it, the `key` of its cache, whether it is `streamed`."""

    messages: Sequence[Message]
    tools: Sequence[Any] = ()
    most: int | None = None
    effort: str = ""
    key: str = ""
    streamed: bool = False


# What a server of Ollama does by default, and how that is mended.
WINDOW = (
    "Ollama shows a model 4,096 tokens and cuts what is longer from the beginning: start it with"
    " OLLAMA_CONTEXT_LENGTH=16384, or give the model PARAMETER num_ctx 16384 in a Modelfile."
)


def is_ollama(base_url: str) -> bool:
    """Return whether an address is where Ollama listens unless it is told otherwise."""
    return urlsplit(base_url).port == OLLAMA


def is_own(base_url: str) -> bool:
    """Return whether an address is OpenAI's."""
    host = urlsplit(base_url).hostname or ""
    return host == "openai.com" or host.endswith(".openai.com")


def _chat(asked: Asked, *, own: bool) -> dict[str, Any]:
    """OpenAI's newer models refuse the old name of the limit, and know keys of caches; most other servers don't."""
    body: dict[str, Any] = {
        "messages": [{name: one[name] for name in one if name != "items"} for one in asked.messages],
    }
    if asked.most is not None:
        body["max_completion_tokens" if own else "max_tokens"] = asked.most
    if asked.effort:
        body["reasoning_effort"] = asked.effort
    if own and asked.key:
        body["prompt_cache_key"] = asked.key
    if asked.tools:
        body["tools"] = asked.tools
    return body | ({"stream": True, "stream_options": {"include_usage": True}} if asked.streamed else {})


def _responses(asked: Asked, *, own: bool) -> dict[str, Any]:
    body: dict[str, Any] = {
        "input": [item for message in asked.messages for item in _items(message)],
        "store": False,
        "include": ["reasoning.encrypted_content"],
    }
    if asked.most is not None:
        body["max_output_tokens"] = asked.most
    if asked.effort:
        body["reasoning"] = {"effort": asked.effort}
    if asked.key:
        body["prompt_cache_key"] = asked.key
    if asked.tools:
        body["tools"] = [{"type": "function", "strict": False, **one["function"]} for one in asked.tools]
        body["parallel_tool_calls"] = True
    return body | ({"stream": True} if asked.streamed else {})


def _items(message: Message) -> Sequence[Mapping[str, Any]]:
    """Return the items that a message is: its reasoning, its words, its calls; or a call's result."""
    content = message.get("content")
    if len(message) == WORDS and isinstance(content, str) and content:
        return ({"type": "message", "role": message["role"], "content": content},)
    if message["role"] == "tool":
        return [{"type": "function_call_output", "call_id": message["tool_call_id"], "output": content}]
    items = list(message.get("items") or ())
    if content:
        parts = content if isinstance(content, str) else [_part(part) for part in content]
        items.append({"type": "message", "role": message["role"], "content": parts})
    for call in message.get("tool_calls") or ():
        items.append({"type": "function_call", "call_id": call["id"], **call["function"]})
    return items


def _part(part: Message) -> Mapping[str, Any]:
    if part["type"] == "image_url":
        return {"type": "input_image", "image_url": part["image_url"]["url"], "detail": "auto"}
    return {"type": "input_text", "text": part["text"]}


def _same(body: object) -> object:
    return body


def as_completion(body: object) -> object:
    """Return the body of a response in the shape of Chat Completions, with its reasoning as `items` of the message."""
    if not isinstance(body, dict):
        return body
    output = body.get("output")
    usage = {"usage": _usage(body.get("usage"))}
    if body.get("error") or not isinstance(output, list):
        return {"error": body.get("error") or body.get("message"), **usage}
    texts: dict[str, list[str]] = {"output_text": [], "refusal": []}
    calls, items = list[Any](), list[Any]()
    for one in objects(output):
        match one.get("type"):
            case "message":
                for part in objects(one.get("content")):
                    words = part.get("text") if part.get("type") == "output_text" else part.get("refusal")
                    if isinstance(words, str):
                        texts["output_text" if part.get("type") == "output_text" else "refusal"].append(words)
            case "function_call":
                function = {"name": one.get("name"), "arguments": one.get("arguments")}
                calls.append({"id": one.get("call_id"), "type": "function", "function": function})
            case "reasoning":
                items.append(one)
    message = {"content": "".join(texts["output_text"]) or None, "refusal": "".join(texts["refusal"]) or None}
    incomplete = body.get("incomplete_details")
    why = incomplete.get("reason") if isinstance(incomplete, dict) else None
    choice = {"message": {**message, "tool_calls": calls or None, "items": items}, "finish_reason": why or "stop"}
    return {"choices": [choice], **usage}


def _usage(given: object) -> dict[str, Any]:
    given = given if isinstance(given, dict) else {}
    return {
        "prompt_tokens": given.get("input_tokens"),
        "completion_tokens": given.get("output_tokens"),
        "prompt_tokens_details": given.get("input_tokens_details"),
        "completion_tokens_details": given.get("output_tokens_details"),
        "cost": given.get("cost"),
    }


@dataclass
class ResponseDraft(Draft):
    """What a stream of semantic events has brought so far (API reference: Streaming events)."""

    _texts: list[str] = field(default_factory=list)
    _unseen: list[str] = field(default_factory=list)
    _length: int = 0
    _size: int = 0
    _response: object = None

    @property
    def whole(self) -> bool:
        """Return whether the response has ended, or an error was told."""
        return self._response is not None or bool(self._error) or self._done

    @property
    def length(self) -> int:
        """Return how many characters the text has."""
        return self._length

    @property
    def size(self) -> int:
        """Count the characters that have come, also of what nobody sees."""
        return self._size

    def text(self) -> str:
        """Return what people may read of an answer."""
        return clean("".join(self._texts))

    def add(self, data: bytes) -> None:
        """Take the data of one event. Raises `BadJson`."""
        self.begun = True
        if self.whole or data == END:
            self._done = True
            return
        event = read_body(data, MAX_BODY)
        kind = event.get("type") if isinstance(event, dict) else None
        if not isinstance(kind, str) or not isinstance(event, dict):
            return
        if isinstance(delta := event.get("delta"), str):
            seen = kind in {"response.output_text.delta", "response.refusal.delta"}
            (self._texts if seen else self._unseen).append(delta)
            self._length += len(delta) if seen else 0
            self._size += len(delta)
        elif kind in {"response.completed", "response.incomplete", "response.failed"}:
            self._response = event.get("response")
        elif kind == "error":
            self._error = event.get("message") or "error"

    def body(self) -> dict[str, Any]:
        """Return the body of a whole answer. After an error in the stream there is none."""
        if self._response is not None:
            found = as_completion(self._response)
            return found if isinstance(found, dict) else {"error": None}
        message = {"role": "assistant", "content": self.text(), "unseen": "".join(self._unseen)}
        if self._error:
            return {"error": self._error, "unfinished": [message], "usage": None}
        return {"choices": [{"message": message, "finish_reason": "length"}], "usage": None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """A dialect: the `path` of its requests behind the base, and how they are written and answers read."""

    name: Name
    path: str
    write: Callable[..., dict[str, Any]]
    read: Callable[[object], object] = _same
    draft: Callable[[], Draft] = Draft


CHAT = Dialect(name="chat", path="/chat/completions", write=_chat)
RESPONSES = Dialect(name="responses", path="/responses", write=_responses, read=as_completion, draft=ResponseDraft)

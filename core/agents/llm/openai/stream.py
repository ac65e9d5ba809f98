"""Reading an answer while it is being written: bytes → events → a draft of the answer → whoever listens.

Chunks may be garbage like everything else: what cannot be understood adds nothing (API reference: the chat completion
chunk; HTML Standard, section Server-sent events). `index` says which tool call a piece belongs to. Some servers leave
it out, some say 0 for every call, some repeat id or name in each piece; all of these are told apart here, so that no
call gets the arguments of another.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from typing import Any

from core.agents.llm.openai.completion import content_text
from core.agents.llm.openai.lenient_json import MAX_BODY, BadJson, clean, read_body

log = logging.getLogger(__name__)

# Every few characters of a stream come in some 300 bytes of wrapping.
MAX_STREAM = 4 * MAX_BODY
# What may follow the last word is the usage; no answer waits longer for it.
TAIL_SECONDS = 2.0
TELL_SECONDS = 0.1

END = b"[DONE]"
_VISIBLE = ("content", "refusal")
_CALLS = ("tool_calls", "function_call")
_DATA = frozenset({b"data", b"\xef\xbb\xbfdata"})


class Listener:
    """Tells the text so far, once in `TELL_SECONDS` at most. One that raises is told nothing more."""

    def __init__(self, listen: Callable[[str], None]) -> None:
        self._listen: Callable[[str], None] | None = listen
        self._next = 0.0

    def hear(self, draft: Draft, now: float) -> None:
        """Tell the text of `draft` if it has grown; `now` is the loop's clock in seconds."""
        if self._listen is None or draft.length == draft.told or now < self._next:
            return
        text = draft.text()
        if not text.strip():
            return
        self._next, draft.told = now + TELL_SECONDS, draft.length
        try:
            self._listen(text)
        except Exception:
            log.exception("whoever listens to the model failed and hears no more of this answer")
            self._listen = None


class Whole:
    """An answer that came in one piece; `size` in bytes."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self.size = len(content)

    def body(self) -> object:
        """The body, read. Raises `BadJson`."""
        return read_body(self._content, MAX_BODY)


class Streamed:
    """An answer that comes as a stream, or in one piece after all where a server takes no notice of `stream`."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._events, self._draft = Events(), Draft()
        self._came, self._raw = 0, bytearray()
        self._problem: BadJson | None = None

    async def read(self, blocks: AsyncIterator[bytes]) -> None:
        """Read to the end, or as far as it makes sense."""
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(None) as tail:
                async for block in blocks:
                    self._feed(block)
                    self._listener.hear(self._draft, loop.time())
                    if self._draft.whole and tail.when() is None:
                        tail.reschedule(loop.time() + TAIL_SECONDS)
        except TimeoutError:
            log.info("the stream was not closed after its last word")
        except BadJson as error:
            self._problem = error
            return
        self._finish()

    def _feed(self, block: bytes) -> None:
        self._came += len(block)
        most = MAX_STREAM if self._draft.begun else MAX_BODY
        if self._came > most:
            raise BadJson(f"The answer has more than {most} bytes.")
        if not self._draft.begun:
            self._raw += block
        for data in self._events.feed(block):
            self._draft.add(data)

    def _finish(self) -> None:
        try:
            for data in self._events.end():
                self._draft.add(data)
        except BadJson:
            log.info("the stream ended within an event")

    @property
    def broken_off(self) -> bool:
        """Whether a stream ended before the answer did."""
        return self._draft.begun and not self._draft.whole and self._problem is None

    @property
    def part(self) -> object:
        """The body as far as it came, None where no stream has begun."""
        return self._draft.body() if self._draft.begun else None

    @property
    def whole(self) -> bool:
        """Whether the last word was heard, whatever became of the connection."""
        return self._draft.whole

    @property
    def size(self) -> int:
        """Length in bytes, without the wrapping of each piece."""
        return len(json.dumps(self._draft.body(), default=str)) if self._draft.begun else self._came

    def body(self) -> object:
        """The body as if it had come whole. Raises `BadJson`."""
        if self._problem:
            raise self._problem
        return self._draft.body() if self._draft.begun else read_body(bytes(self._raw), MAX_BODY)


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
        self._calls = _Calls()
        self._function: _Call | None = None

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
            self._function = self._function or _Call()
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


class _Calls:
    """The calls of one answer, in the order in which they began."""

    def __init__(self) -> None:
        self._calls: list[_Call] = []
        self._by_index: dict[int, _Call] = {}
        self._by_id: dict[str, _Call] = {}

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

    def _of(self, index: object, call_id: str, name: str) -> _Call:
        """The call that a piece belongs to; a new one where it belongs to none."""
        if type(index) is int:
            found = self._by_index.get(index)
            if found is None or (name and _another(found, call_id, name)):
                found = self._by_index[index] = self._begin()
            return found
        if call_id:
            return self._by_id.get(call_id) or self._begin()
        return self._begin() if name or not self._calls else self._calls[-1]

    def _begin(self) -> _Call:
        self._calls.append(_Call())
        return self._calls[-1]


class _Call:
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


class Events:
    """Takes bytes in whatever pieces they come, gives the data of each event; names, ids and comments are dropped."""

    def __init__(self) -> None:
        self._rest = bytearray()
        self._data: list[bytes] = []
        self._after_cr = False

    def feed(self, block: bytes) -> list[bytes]:
        """The events that `block` completes; blank ones are left out."""
        if not block:
            return []
        # A line may end with CR, LF or both, and a block between the two.
        skip = self._after_cr and block.startswith(b"\n")
        self._after_cr = block.endswith(b"\r")
        self._rest += block[skip:]
        if b"\n" not in block and b"\r" not in block:
            return []
        lines = bytes(self._rest).splitlines(keepends=True)
        open_line = lines.pop() if lines and not lines[-1].endswith((b"\n", b"\r")) else b""
        self._rest = bytearray(open_line)
        return [event for event in map(self._line, lines) if event]

    def end(self) -> list[bytes]:
        """The event that the stream ended with, where its empty line is missing."""
        return self.feed(b"\n\n")

    def _line(self, line: bytes) -> bytes:
        """Take one line; an empty one returns the event above it."""
        name, _, value = line.rstrip(b"\r\n").partition(b":")
        if name in _DATA:
            self._data.append(value.removeprefix(b" "))
        if name or value:
            return b""
        event, self._data = b"\n".join(self._data).strip(), []
        return event


def _another(call: _Call, call_id: str, name: str) -> bool:
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

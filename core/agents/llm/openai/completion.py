"""From the response of a Chat Completions server to an `Answer`, whatever the response looks like.

It comes in one piece, or is read while it is being written: bytes → events → a draft of the answer → whoever listens.
Chunks may be garbage like everything else: what cannot be understood adds nothing (API reference: the chat completion
chunk; HTML Standard, section Server-sent events). `index` says which tool call a piece belongs to. Some servers leave
it out, some say 0 for every call, some repeat id or name in each piece; all of these are told apart here, so that no
call gets the arguments of another.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.agents.llm.openai.failures import NothingSaid
from core.agents.llm.openai.written_calls import END_MARKS, THOUGHTS, THOUGHTS_SO_FAR
from core.kernel.strict_json import MAX_BODY, BadJson, clean, kind, parse_arguments, read_body
from core.kernel.types import Answer, ToolCall, Usage

log = logging.getLogger(__name__)

MAX_ID = 64
MAX_TOKENS, MAX_DOLLARS = 10**9, 10**6
BYTES_PER_TOKEN = 4
PICTURE_TOKENS = 1_000
UNFINISHED = "…"
WITHHELD = "The provider's content filter withheld this answer."
# Every few characters of a stream come in some 300 bytes of wrapping.
MAX_STREAM = 4 * MAX_BODY
# What may follow the last word is the usage; no answer waits longer for it.
TAIL_SECONDS = 2.0
TELL_SECONDS = 0.1
# What a call has beside its name and arguments, in characters.
CALL_SIZE = 64

END = b"[DONE]"
_VISIBLE = ("content", "refusal")
_CALLS = ("tool_calls", "function_call")
# Why an answer ends where it may take no more tokens: in Chat Completions, and in Responses.
_CUT = ("length", "max_output_tokens")
_DATA = frozenset({b"data", b"\xef\xbb\xbfdata"})


def answer_from_completion(
    body: object,
    *,
    model: str = "",
    sent_bytes: int = 0,
    taken: Collection[str] = (),
    withheld: str = WITHHELD,
    cut: bool = False,
) -> Answer:
    """Read a parsed body.

    `taken` are the call ids that are in use already: a missing or repeated id becomes a new one, the same each time.
    `sent_bytes` is the size of the request (see `counted`), for the usage where the provider names none. `withheld` is
    said when the provider's filter kept everything back. `cut` when we stopped listening before its end. Raises
    `NothingSaid` when there is no message at all, or its tokens were spent before the first word.
    """
    choices = body.get("choices") if isinstance(body, dict) else None
    for choice in choices if isinstance(choices, list) else []:
        if isinstance(choice, dict) and isinstance(choice.get("message"), dict):
            break
    else:
        # Some providers answer 200 with an error inside.
        error = body.get("error") if isinstance(body, dict) else None
        words = error.get("message") if isinstance(error, dict) else error
        said = f": {clean(words)[:200]}" if isinstance(words, str) and words else ""
        raise NothingSaid(f"The model's answer holds no message{said}.", usage_of(body, model, sent_bytes))
    message = choice["message"]
    items = message.get("tool_calls")
    if not items and message.get("function_call"):
        # The form of before 2023, which some servers still speak.
        items = [{"function": message["function_call"]}]
    calls = read_calls(items, taken) if items else ()
    cut = cut or choice.get("finish_reason") in _CUT
    text = (THOUGHTS_SO_FAR if cut else THOUGHTS).sub("", clean(content_text(message.get("content"))), count=1)
    if ended := END_MARKS.search(text):
        text = text[: ended.start()].rstrip()
    text = text or clean(content_text(message.get("refusal")))
    if not text and not calls and choice.get("finish_reason") == "content_filter":
        text = withheld
    if not text and not calls and cut:
        usage = usage_of(body, model, sent_bytes, message)
        raise NothingSaid("It thought until its tokens were spent; raise llm.max_output_tokens.", usage, endless=True)
    if text and cut and not calls:
        # Whoever reads it sees that it goes on, and so does the model, which is asked to.
        text = f"{text.rstrip()} {UNFINISHED}"
    thoughts = message.get("items")
    return Answer(
        text=text,
        calls=calls,
        usage=usage_of(body, model, sent_bytes, message),
        items=tuple(thoughts) if calls and isinstance(thoughts, list) else (),
    )


def unread_usage(model: str, sent_bytes: int, got_bytes: int) -> Usage:
    """Estimate what an answer took whose body nobody can read."""
    return Usage(model=model, tokens_in=_estimate(sent_bytes), tokens_out=_estimate(got_bytes))


def usage_of(body: object, model: str, sent_bytes: int, message: object = None) -> Usage:
    """Return the tokens that a body reports, or estimate them by the size of its message, else of the body. Nothing is
    answered for no tokens: 0 is as good as unsaid."""
    given = body.get("usage") if isinstance(body, dict) else None
    given = given if isinstance(given, dict) else {}
    tokens_in, tokens_out = _count(given, "prompt_tokens"), _count(given, "completion_tokens")
    cost = given.get("cost")
    known = isinstance(cost, int | float) and not isinstance(cost, bool) and 0 <= cost <= MAX_DOLLARS
    # Who does not say how many tokens it were, says nothing by a price of 0 either.
    known = known and bool(cost or tokens_in or tokens_out)
    return Usage(
        model=model,
        tokens_in=tokens_in or _estimate(sent_bytes),
        tokens_out=tokens_out or _estimate(len(json.dumps(body if message is None else message, default=str))),
        cached=min(_count(given.get("prompt_tokens_details"), "cached_tokens"), tokens_in),
        reasoning=min(_count(given.get("completion_tokens_details"), "reasoning_tokens"), tokens_out),
        cost_microdollars=round(cost * 1_000_000) if known and isinstance(cost, int | float) else None,
    )


def _count(given: object, name: str) -> int:
    """Return a number of tokens; 0 where none is said that can be."""
    count = given.get(name) if isinstance(given, dict) else None
    return count if type(count) is int and 0 <= count <= MAX_TOKENS else 0


def counted(size: int, messages: Sequence[Mapping[str, Any]]) -> int:
    """Return how many of the `size` bytes of a request count as text: a picture is `PICTURE_TOKENS`, however large it
    is."""
    urls = []
    for message in messages:
        content = message.get("content")
        for part in content if isinstance(content, (list, tuple)) else ():
            if isinstance(part, Mapping) and part.get("type") == "image_url":
                picture = part.get("image_url")
                url = picture.get("url") if isinstance(picture, Mapping) else picture
                urls.append(url if isinstance(url, str) else "")
    return max(0, size - sum(map(len, urls))) + len(urls) * PICTURE_TOKENS * BYTES_PER_TOKEN


def read_calls(items: object, taken: Collection[str] = ()) -> tuple[ToolCall, ...]:
    """Read a list of calls in the shape of Chat Completions; what is unreadable becomes a call with a problem."""
    used, calls = set(taken), list[ToolCall]()
    for index, item in enumerate(items if isinstance(items, list) else [items] if items else []):
        given = item.get("id") if isinstance(item, dict) else None
        usable = isinstance(given, str) and given.isascii() and given.isprintable() and 0 < len(given) <= MAX_ID
        base = str(given) if usable else f"call_{index}"
        call_id, n = base, 1
        while call_id in used:
            n += 1
            call_id = f"{base}_{n}"
        used.add(call_id)
        function = item.get("function") if isinstance(item, dict) else None
        name, arguments = "", dict[str, Any]()
        if not isinstance(function, dict):
            problem = f"The call must be an object with a function, not {kind(item)}."
        elif not isinstance(function.get("name"), str) or not function["name"].strip():
            problem = "The call names no function. Give the name of a tool."
        else:
            name = clean(function["name"]).strip()
            arguments, problem = parse_arguments(function.get("arguments"))
        calls.append(ToolCall(id=call_id, name=name, arguments=arguments, problem=problem))
    return tuple(calls)


def content_text(content: object) -> str:
    """Return the text of a message's content, given as text or in parts; as it came, so it may hold half a
    character."""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        return content_text(content.get("text") or content.get("refusal"))
    return "".join(content_text(part) for part in content) if isinstance(content, list) else ""


def _estimate(size: int) -> int:
    return (size + BYTES_PER_TOKEN - 1) // BYTES_PER_TOKEN


@dataclass
class Events:
    """Takes bytes in whatever pieces they come, gives the data of each event; names, ids and comments are dropped."""

    _rest: bytearray = field(default_factory=bytearray)
    _data: list[bytes] = field(default_factory=list)
    _after_cr: bool = False

    def feed(self, block: bytes) -> list[bytes]:
        """Return the events that `block` completes; blank ones are left out."""
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
        events = []
        for line in lines:
            name, _, value = line.rstrip(b"\r\n").partition(b":")
            if name in _DATA:
                self._data.append(value.removeprefix(b" "))
            if not name and not value:
                # An empty line ends the event above it.
                events.append(b"\n".join(self._data).strip())
                self._data = []
        return [event for event in events if event]


@dataclass
class _Call:
    """A function and its arguments, as far as they have come."""

    id: str = ""
    name: str = ""
    pieces: list[str] = field(default_factory=list)
    given: object = None

    def add(self, function: Mapping[str, Any]) -> None:
        """Take a piece: a name, which is never split, and a part of the arguments, or all of them as an object."""
        self.name = self.name or _text(function.get("name"))
        arguments = function.get("arguments")
        if isinstance(arguments, str):
            self.pieces.append(arguments)
        elif arguments is not None:
            self.given = arguments

    def body(self) -> dict[str, Any]:
        """Return the function of a whole call."""
        text = joined(self.pieces)
        given = self.given if not text.strip() and self.given is not None else text
        return {"name": self.name, "arguments": given}


@dataclass
class _Choice:
    """One of the answers that a stream brings; there is no more than one unless a server does what it likes.

    `length` counts the characters that people may read, `size` all, also of thoughts and calls; `calls` stand in the
    order in which they began.
    """

    finish: object = None
    length: int = 0
    size: int = 0
    texts: dict[str, list[str]] = field(default_factory=dict)
    calls: list[_Call] = field(default_factory=list)
    calls_by_index: dict[int, _Call] = field(default_factory=dict)
    calls_by_id: dict[str, _Call] = field(default_factory=dict)
    function: _Call | None = None

    def add(self, choice: Mapping[str, Any]) -> None:
        """Take one chunk of it."""
        self.finish = choice.get("finish_reason") or self.finish
        delta = choice.get("delta")
        if not isinstance(delta, dict):
            # Some servers send a whole message as their only chunk.
            delta = {} if self.texts else choice.get("message")
        if not isinstance(delta, dict):
            return
        if delta.get("tool_calls"):
            for piece in objects(delta["tool_calls"]):
                self._add_call(piece)
        if isinstance(delta.get("function_call"), dict):
            self.function = self.function or _Call()
            self.function.add(delta["function_call"])
        for name, value in delta.items():
            # Unseen texts are kept, too: a model's thoughts count where usage has to be estimated.
            text = "" if name == "role" or name in _CALLS else content_text(value)
            if text:
                self.texts.setdefault(name, []).append(text)
                self.length += len(text) if name in _VISIBLE else 0
                self.size += len(text)

    def _add_call(self, piece: Mapping[str, Any]) -> None:
        """Take a piece of one call: of the one it belongs to, or of a new one where it belongs to none."""
        function = piece.get("function")
        function = function if isinstance(function, dict) else {}
        index, call_id, name = piece.get("index"), _text(piece.get("id")), _text(function.get("name"))
        call: _Call | None
        if type(index) is int:
            call = self.calls_by_index.get(index)
            if call and name:
                # Another id begins another call at the same index, or another name where there are no ids.
                another = call.id != call_id if call_id and call.id else bool(call.name) and call.name != name
                call = None if another else call
        elif call_id:
            call = self.calls_by_id.get(call_id)
        else:
            call = self.calls[-1] if self.calls and not name else None
        if call is None:
            call = _Call()
            self.calls.append(call)
            self.size += CALL_SIZE
        if type(index) is int:
            self.calls_by_index[index] = call
        if call_id and not call.id:
            call.id = call_id
            self.calls_by_id[call_id] = call
        call.add(function)
        self.size += len(name) + len(_text(function.get("arguments")))

    def body(self) -> dict[str, Any]:
        """Return the choice of a whole answer."""
        message: dict[str, Any] = {"role": "assistant", "content": None}
        message |= {name: joined(texts) for name, texts in self.texts.items()}
        if self.calls:
            calls = [{"id": call.id or None, "type": "function", "function": call.body()} for call in self.calls]
            message["tool_calls"] = calls
        if self.function:
            message["function_call"] = self.function.body()
        return {"message": message, "finish_reason": self.finish}


@dataclass
class Draft:
    """What a stream has brought so far; `told` is how many characters of the text somebody was told of."""

    begun: bool = False
    told: int = 0
    _done: bool = False
    _error: object = None
    _usage: object = None
    _choices: dict[int, _Choice] = field(default_factory=dict)

    @property
    def whole(self) -> bool:
        """Return whether nothing that matters is missing: the end was said, by the model, the server or an error."""
        finished = bool(self._choices) and all(choice.finish for choice in self._choices.values())
        return self._done or finished or bool(self._error)

    def close(self) -> None:
        """Take it for whole: nothing more is heard."""
        self._done = True

    @property
    def length(self) -> int:
        """Return how many characters the text has."""
        return self._choices[min(self._choices)].length if self._choices else 0

    @property
    def size(self) -> int:
        """Count the characters that have come, also of what nobody sees."""
        return sum(choice.size for choice in self._choices.values())

    def text(self) -> str:
        """Return what people may read of an answer: its content, or the words of refusal."""
        texts = self._choices[min(self._choices)].texts if self._choices else {}
        return next((clean(joined(texts[name])) for name in _VISIBLE if name in texts), "")

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
        """Return the body of a whole answer. After an error in the stream there is none: half a text is no answer."""
        choices = [choice.body() for _, choice in sorted(self._choices.items())]
        if self._error:
            return {"error": self._error, "unfinished": choices, "usage": self._usage}
        return {"choices": choices, "usage": self._usage}


@dataclass
class Listener:
    """Tells the text so far, once in `TELL_SECONDS` at most. One that raises is told nothing more."""

    listen: Callable[[str], None] | None
    next: float = 0.0

    def hear(self, draft: Draft, now: float) -> None:
        """Tell the text of `draft` if it has grown; `now` is the loop's clock in seconds."""
        if self.listen is None or draft.length == draft.told or now < self.next:
            return
        # Thoughts may be long, and nothing of them is told: they are not read again with each piece.
        self.next = now + TELL_SECONDS
        text = THOUGHTS_SO_FAR.sub("", draft.text(), count=1)
        if not text.strip():
            return
        draft.told = draft.length
        try:
            self.listen(text)
        except Exception:
            log.exception("whoever listens to the model failed and hears no more of this answer")
            self.listen = None


class Whole:
    """An answer that came in one piece; `size` in bytes."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self.size = len(content)

    def body(self) -> object:
        """Return the body, read. Raises `BadJson`."""
        return read_body(self._content, MAX_BODY)


@dataclass
class Streamed:
    """An answer that comes as a stream, or in one piece after all where a server takes no notice of `stream`.

    `broken_off` is whether a stream ended before the answer did, `cut` whether we ended it; `draft` is what it has
    brought.
    """

    listener: Listener
    draft: Draft = field(default_factory=Draft)
    broken_off: bool = False
    cut: bool = False
    # No answer is longer, in characters, whatever its server sends; 0 is no limit.
    most: int = 0
    _events: Events = field(default_factory=Events)
    _came: int = 0
    _raw: bytearray = field(default_factory=bytearray)
    _problem: BadJson | None = None

    async def read(self, blocks: AsyncIterator[bytes]) -> None:
        """Read to the end, or as far as it makes sense."""
        loop, draft = asyncio.get_running_loop(), self.draft
        try:
            async with asyncio.timeout(None) as tail:
                async for block in blocks:
                    self._came += len(block)
                    most = MAX_STREAM if draft.begun else MAX_BODY
                    if self._came > most:
                        raise BadJson(f"The answer has more than {most} bytes.")
                    if not draft.begun:
                        self._raw += block
                    for data in self._events.feed(block):
                        draft.add(data)
                        self.cut = 0 < self.most < draft.size
                        if self.cut:
                            break
                    self.listener.hear(draft, loop.time())
                    if self.cut:
                        log.warning("a stream was cut that went on beyond the longest answer")
                        draft.close()
                        return
                    if draft.whole and tail.when() is None:
                        tail.reschedule(loop.time() + TAIL_SECONDS)
        except TimeoutError:
            log.info("the stream was not closed after its last word")
        except BadJson as error:
            self._problem = error
            return
        try:
            # The event that the stream ended with may lack its empty line.
            for data in self._events.feed(b"\n\n"):
                draft.add(data)
        except BadJson:
            log.info("the stream ended within an event")
        self.broken_off = draft.begun and not draft.whole

    @property
    def size(self) -> int:
        """Length in bytes, without the wrapping of each piece."""
        return len(json.dumps(self.draft.body(), default=str)) if self.draft.begun else self._came

    def body(self) -> object:
        """Return the body as if it had come whole. Raises `BadJson`."""
        if self._problem:
            raise self._problem
        return self.draft.body() if self.draft.begun else read_body(bytes(self._raw), MAX_BODY)


def objects(value: object) -> Iterable[Mapping[str, Any]]:
    """Return the objects in a list, or the one that stands in its place."""
    return [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, dict)]


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def joined(pieces: Iterable[str]) -> str:
    """Put pieces together; a character whose halves came in two pieces becomes one."""
    text = "".join(pieces)
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")

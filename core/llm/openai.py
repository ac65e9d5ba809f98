"""Any Chat Completions server (OpenAI, OpenRouter, Ollama, vLLM, llama.cpp …) through the openai client.

Messages and tools travel by `extra_body`: the client walks typed parameters one by one, which took two thirds of the
time of a call. The body of the answer is read by our own parser, since everything in it may be garbage.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal
from urllib.parse import urlsplit

import anyio
import httpx2
import openai

from core.clock import SystemClock
from core.errors import ConfigError, ModelRefused, ModelUnreachable
from core.language import pick
from core.llm import textprotocol
from core.llm.circuit import Circuit
from core.llm.completion import answer_from_completion, counted, unread_usage
from core.llm.failures import (
    NoStream,
    NothingSaid,
    NoTools,
    TryAgain,
    failure,
    lacks_stream,
    lacks_tools,
    retry_after,
)
from core.llm.parse import BadJson, clean
from core.llm.stream import Listener, Streamed, Whole
from core.ports import Clock
from core.types import Answer, ModelRequest

log = logging.getLogger(__name__)

CONNECT_SECONDS = 10.0
FIRST_PAUSE = 0.5
STREAM: Mapping[str, Any] = {"stream": True, "stream_options": {"include_usage": True}}
# What the client itself takes for a broken connection; it does not while a stream is read.
BROKEN = (httpx2.RequestError, ssl.SSLError, anyio.EndOfStream)
REPAIR = "That was not valid JSON ({problem}). Send the same answer again as one valid JSON object, nothing else."

Mode = Literal["auto", "native", "json"]
Message = Mapping[str, Any]


class OpenAIModel:
    """An LLM behind one client. `timeout` (seconds) bounds a whole call: all attempts, pauses and the repair of JSON.

    After a failed call further ones fail at once, for `probe_seconds`. With `tool_calls="auto"` a model that refuses
    native tools is spoken to by the text protocol from then on. Whoever listens hears native answers while they are
    written, until the model refuses streams. Raises `ConfigError` for a key no header can carry.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str | None,
        model: str,
        tool_calls: Mode = "auto",
        *,
        timeout: float = 60.0,
        max_retries: int = 2,
        max_output_tokens: int | None = None,
        probe_seconds: float = 15.0,
        clock: Clock | None = None,
    ) -> None:
        self.name = model
        self._key = (api_key or "").strip()
        if not (self._key.isascii() and self._key.isprintable()):
            raise ConfigError("llm.api_key holds characters that no key has. Copy it again.")
        # Servers without keys want some header all the same; the client insists on one.
        self._client = openai.AsyncOpenAI(base_url=base_url, api_key=self._key or "none", max_retries=0)
        self._clock = clock or SystemClock()
        self._circuit = Circuit(self._clock, probe_seconds)
        self._mode: Mode = tool_calls
        self._streams = True
        self._timeout = timeout
        self._max_retries = max_retries
        self._limit = _limit(base_url, max_output_tokens)

    @property
    def reachable(self) -> bool:
        """Whether the last call succeeded (or none was made)."""
        return self._circuit.closed

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def complete(self, request: ModelRequest) -> Answer:
        """Ask the model; see `LLM`. A call cut short by the request's own deadline says nothing about the provider.

        Nor does an answer that holds nothing: one question must not cut off everybody else.
        """
        self._circuit.enter()
        now = asyncio.get_running_loop().time()
        end = min(now + self._timeout, now + self._timeout if request.deadline is None else request.deadline)
        try:
            answer = await self._ask(request, end)
        except NothingSaid as error:
            log.warning("model %s gave no answer: %s", self.name, error)
            return Answer(text=_nothing(request), usage=error.usage)
        except ModelUnreachable:
            if end >= now + self._timeout or asyncio.get_running_loop().time() < end:
                self._circuit.failed()
            raise
        except ModelRefused:
            self._circuit.succeeded()
            raise
        self._circuit.succeeded()
        return answer

    async def _ask(self, request: ModelRequest, end: float) -> Answer:
        if self._mode == "json":
            return await self._by_text(request, end)
        try:
            return await self._native(request, end)
        except NoTools as error:
            if self._mode == "native":
                raise
            self._give_up_tools(error)
        return await self._by_text(request, end)

    def _give_up_tools(self, error: NoTools) -> None:
        if self._mode != "json":
            log.warning("model %s takes no native tools, the text protocol is used from now on: %s", self.name, error)
            self._mode = "json"

    async def _native(self, request: ModelRequest, end: float) -> Answer:
        if request.listen is None or not self._streams:
            return await self._send(request, request.messages, end, native=True)
        try:
            listener = Listener(request.listen)
            return await self._send(request, request.messages, end, native=True, listener=listener)
        except NoStream as error:
            log.info("asked once more without a stream: %s", error)
        answer = await self._send(request, request.messages, end, native=True)
        self._give_up_streams()
        return answer

    def _give_up_streams(self) -> None:
        """Without a stream the same request was accepted: now it is known what was wrong."""
        if self._streams:
            log.warning("model %s takes no streams, its answers are shown only when they are complete", self.name)
            self._streams = False

    async def _by_text(self, request: ModelRequest, end: float) -> Answer:
        """Ask by the text protocol, with one repair try for bad JSON."""
        messages, taken, nothing = _taught(request), _taken(request), _nothing(request)
        said = await self._send(request, messages, end)
        answer, problem = textprotocol.decode(said.text, taken, nothing)
        if problem:
            said = await self._repaired(request, (*messages, *_complaint(said, problem)), said, end)
            answer, _ = textprotocol.decode(said.text, taken, nothing)
            if textprotocol.is_raw_json(answer, said.text):
                answer = Answer(text=nothing)
        return replace(answer, usage=said.usage)

    async def _repaired(self, request: ModelRequest, messages: tuple[Message, ...], said: Answer, end: float) -> Answer:
        """The answer once more, or `said` itself where that fails; the usage is that of both."""
        try:
            repaired = await self._send(request, messages, end)
        except NothingSaid as error:
            return replace(said, usage=said.usage + error.usage)
        except (ModelUnreachable, ModelRefused) as error:
            log.info("an answer could not be repaired: %s", error)
            return said
        return replace(repaired, usage=said.usage + repaired.usage)

    async def _send(
        self,
        request: ModelRequest,
        messages: tuple[Message, ...],
        end: float,
        *,
        native: bool = False,
        listener: Listener | None = None,
    ) -> Answer:
        """Send; an answer that holds nothing is asked for once more, and what it took is counted with the next one.

        Raises `NothingSaid` when that brings nothing either, whatever the reason: the first answer has to be paid for.
        """
        body = {"messages": messages, **self._limit, **({"tools": request.tools} if native and request.tools else {})}
        body |= STREAM if listener else {}
        try:
            return await self._attempts(request, body, end, listener)
        except NothingSaid as error:
            if asyncio.get_running_loop().time() + FIRST_PAUSE >= end:
                raise
            log.info("asked once more: %s", error)
            empty = error
        await self._clock.sleep(FIRST_PAUSE)
        try:
            answer = await self._attempts(request, body, end, listener)
        except NothingSaid as error:
            raise NothingSaid(str(error), empty.usage + error.usage) from None
        except (ModelUnreachable, ModelRefused) as error:
            raise NothingSaid(f"{empty} Then: {error}", empty.usage) from None
        return replace(answer, usage=empty.usage + answer.usage)

    async def _attempts(
        self, request: ModelRequest, body: Mapping[str, Any], end: float, listener: Listener | None
    ) -> Answer:
        """Send until there is an answer, the attempts are used up or `end` (loop time, seconds) comes too near."""
        attempt = 0
        while True:
            try:
                return await self._once(request, body, end, listener)
            except TryAgain as error:
                pause = FIRST_PAUSE * 2**attempt if error.pause is None else error.pause
                attempt += 1
                if attempt > self._max_retries or asyncio.get_running_loop().time() + pause >= end:
                    raise
                log.info("model call failed, next attempt in %.1f s: %s", pause, error)
                await self._clock.sleep(pause)

    async def _once(
        self, request: ModelRequest, body: Mapping[str, Any], end: float, listener: Listener | None
    ) -> Answer:
        seconds = end - asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout_at(end):
                got, sent = await (self._listen(body, seconds, listener) if listener else self._post(body, seconds))
        except (TimeoutError, openai.APITimeoutError):
            raise TryAgain(f"Model {self.name} did not answer in time.") from None
        except openai.APIStatusError as error:
            raise self._failure(error, body) from None
        except openai.OpenAIError as error:
            raise TryAgain(f"The connection to model {self.name} failed: {_cause(error)}.") from None
        except (TypeError, ValueError) as error:
            raise ModelRefused(f"The request cannot be written as JSON: {type(error).__name__}.") from None
        return self._read(request, got, counted(sent, body["messages"]))

    async def _post(self, body: Mapping[str, Any], seconds: float) -> tuple[Whole, int]:
        """Return the answer and how many bytes were sent."""
        create = self._client.chat.completions.with_raw_response.create
        response = await create(model=self.name, messages=[], extra_body=body, timeout=_timeout(seconds))
        return Whole(response.content), len(response.http_request.content)

    async def _listen(self, body: Mapping[str, Any], seconds: float, listener: Listener) -> tuple[Streamed, int]:
        """Like `_post`, with the answer read while it is written. Raises `TryAgain` when it breaks off."""
        create = self._client.chat.completions.with_streaming_response.create
        async with create(model=self.name, messages=[], extra_body=body, timeout=_timeout(seconds)) as response:
            got = Streamed(listener)
            try:
                await got.read(response.iter_bytes())
            except BROKEN as error:
                if not got.whole:
                    name = type(error).__name__
                    raise TryAgain(f"The connection to model {self.name} failed: {name}.") from None
            if got.broken_off:
                raise TryAgain(f"The answer of model {self.name} broke off.")
            return got, len(response.http_request.content)

    def _read(self, request: ModelRequest, got: Whole | Streamed, sent: int) -> Answer:
        withheld = pick(request.language)["withheld"]
        try:
            body = got.body()
        except BadJson as error:
            problem = f"Model {self.name} sent something unreadable. {error}"
            raise NothingSaid(problem, unread_usage(self.name, sent, got.size)) from None
        return answer_from_completion(body, model=self.name, sent_bytes=sent, taken=_taken(request), withheld=withheld)

    def _failure(self, error: openai.APIStatusError, asked: Mapping[str, Any]) -> ModelRefused | ModelUnreachable:
        said = error.body.get("message") if isinstance(error.body, dict) else error.body
        # Some providers repeat the key they refuse.
        text = clean(said if isinstance(said, str) else "").replace(self._key or "none", "[key]")
        # First: "tools are not supported when streaming" must not cost the tools.
        if "stream" in asked and lacks_stream(error.status_code, str(error.body)):
            return NoStream(f"Model {self.name} takes no streams ({error.status_code}).")
        if "tools" in asked and lacks_tools(error.status_code, text):
            return NoTools(f"Model {self.name} takes no native tools. Set llm.tool_calls to auto or json.")
        pause = retry_after(error.response.headers, self._clock.now())
        return failure(error.status_code, text, str(error.code or ""), self.name, pause)


def _timeout(seconds: float) -> openai.Timeout:
    return openai.Timeout(max(seconds, 0.001), connect=max(min(seconds, CONNECT_SECONDS), 0.001))


def _limit(base_url: str, tokens: int | None) -> dict[str, int]:
    """OpenAI's newer models refuse the old name of the limit, most other servers know only that."""
    if tokens is None:
        return {}
    openai_itself = (urlsplit(base_url).hostname or "").endswith("openai.com")
    return {"max_completion_tokens" if openai_itself else "max_tokens": tokens}


def _nothing(request: ModelRequest) -> str:
    return pick(request.language)["model_said_nothing"]


def _complaint(said: Answer, problem: str) -> tuple[Message, Message]:
    wrong = {"role": "assistant", "content": said.text}
    return wrong, {"role": "user", "content": REPAIR.format(problem=problem)}


def _taught(request: ModelRequest) -> tuple[Message, ...]:
    """The messages as texts, with the protocol explained at the end of the system message."""
    messages = textprotocol.flatten(request.messages)
    if not request.tools:
        return messages
    lesson = textprotocol.instructions(request.tools, request.language)
    if messages and messages[0].get("role") == "system" and isinstance(messages[0].get("content"), str):
        return ({**messages[0], "content": f"{messages[0]['content']}\n\n{lesson}"}, *messages[1:])
    return ({"role": "system", "content": lesson}, *messages)


def _taken(request: ModelRequest) -> frozenset[str]:
    """The call ids of this conversation."""
    calls = [call for message in request.messages for call in message.get("tool_calls") or ()]
    return frozenset(str(call.get("id")) for call in calls if isinstance(call, dict))


def _cause(error: BaseException) -> str:
    return type(error.__cause__ or error).__name__

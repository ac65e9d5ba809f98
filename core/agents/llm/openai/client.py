"""Any Chat Completions server (OpenAI, OpenRouter, Ollama, vLLM, llama.cpp …): attempts, tools, text, repairs.

The openai client itself is in `openai_client`, which is imported when a model is called for the first time.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from core.agents.llm.openai import text_protocol
from core.agents.llm.openai.circuit_breaker import Circuit
from core.agents.llm.openai.completion import answer_from_completion, counted, unread_usage, usage_of
from core.agents.llm.openai.failures import NoStream, NothingSaid, NoTools, TryAgain
from core.agents.llm.openai.lenient_json import BadJson
from core.agents.llm.openai.stream import Listener, Streamed, Whole
from core.kernel.clock import SystemClock
from core.kernel.errors import ConfigError, ModelRefused, ModelUnreachable
from core.kernel.ports import Clock
from core.kernel.types import Answer, ModelRequest, Usage
from core.language import pick

if TYPE_CHECKING:
    from core.agents.llm.openai.client_factory import Client

log = logging.getLogger(__name__)

FIRST_PAUSE = 0.5
STREAM: Mapping[str, Any] = {"stream": True, "stream_options": {"include_usage": True}}
REPAIR = "That was not valid JSON ({problem}). Send the same answer again as one valid JSON object, nothing else."

Mode = Literal["auto", "native", "json"]
Message = Mapping[str, Any]


@dataclass
class _Call:
    """A question on its way: `end` is the loop's time in seconds, `took` what all its attempts took so far."""

    client: Client
    request: ModelRequest
    end: float
    took: Usage = Usage()


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
        self._base_url = base_url
        self._client: Client | None = None
        self._connecting = asyncio.Lock()
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
        if self._client is not None:
            await self._client.close()

    async def complete(self, request: ModelRequest) -> Answer:
        """Ask the model; see `LLM`. What an answer took is what all attempts took; without one, `lost` is told that."""
        client = await self._connected()
        self._circuit.enter()
        now = asyncio.get_running_loop().time()
        latest = now + self._timeout
        call = _Call(client, request, latest if request.deadline is None else min(latest, request.deadline))
        try:
            answer = await self._watched(call, own_end=call.end == latest)
        except BaseException:
            if request.lost is not None and call.took != Usage():
                request.lost(call.took)
            raise
        return replace(answer, usage=call.took)

    async def _connected(self) -> Client:
        """Return the client, at first after importing it: that takes a second, which no start and no chat waits for."""
        async with self._connecting:
            if self._client is None:
                module = await asyncio.to_thread(importlib.import_module, "core.agents.llm.openai.client_factory")
                self._client = module.Client(self._base_url, self._key, self.name, self._clock)
            return self._client

    async def _watched(self, call: _Call, *, own_end: bool) -> Answer:
        """Ask, and tell the circuit. A call cut short by the request's own deadline says nothing about the provider.

        Nor does an answer that holds nothing: one question must not cut off everybody else.
        """
        try:
            answer = await self._ask(call)
        except NothingSaid as error:
            log.warning("model %s gave no answer: %s", self.name, error)
            return Answer(text=_nothing(call.request))
        except ModelUnreachable:
            if own_end or asyncio.get_running_loop().time() < call.end:
                self._circuit.failed()
            raise
        except ModelRefused:
            self._circuit.succeeded()
            raise
        self._circuit.succeeded()
        return answer

    async def _ask(self, call: _Call) -> Answer:
        if self._mode == "json":
            return await self._by_text(call)
        try:
            return await self._native(call)
        except NoTools as error:
            if self._mode == "native":
                raise
            self._give_up_tools(error)
        return await self._by_text(call)

    def _give_up_tools(self, error: NoTools) -> None:
        if self._mode != "json":
            log.warning("model %s takes no native tools, the text protocol is used from now on: %s", self.name, error)
            self._mode = "json"

    async def _native(self, call: _Call) -> Answer:
        request = call.request
        if request.listen is None or not self._streams:
            return await self._send(call, request.messages, native=True)
        try:
            return await self._send(call, request.messages, native=True, listener=Listener(request.listen))
        except NoStream as error:
            log.info("asked once more without a stream: %s", error)
        answer = await self._send(call, request.messages, native=True)
        self._give_up_streams()
        return answer

    def _give_up_streams(self) -> None:
        """Without a stream the same request was accepted: now it is known what was wrong."""
        if self._streams:
            log.warning("model %s takes no streams, its answers are shown only when they are complete", self.name)
            self._streams = False

    def _limit_of(self, request: ModelRequest) -> Mapping[str, int]:
        return self._limit if request.most_tokens is None else _limit(self._base_url, request.most_tokens)

    async def _by_text(self, call: _Call) -> Answer:
        """Ask by the text protocol, with one repair try for bad JSON."""
        messages, taken, nothing = _taught(call.request), _taken(call.request), _nothing(call.request)
        said = await self._send(call, messages)
        answer, problem = text_protocol.decode(said.text, taken, nothing)
        if problem:
            said = await self._repaired(call, (*messages, *_complaint(said, problem)), said)
            answer, _ = text_protocol.decode(said.text, taken, nothing)
            if text_protocol.is_raw_json(answer, said.text):
                answer = Answer(text=nothing)
        return answer

    async def _repaired(self, call: _Call, messages: tuple[Message, ...], said: Answer) -> Answer:
        """The answer once more, or `said` itself where that fails."""
        try:
            return await self._send(call, messages)
        except NothingSaid:
            return said
        except (ModelUnreachable, ModelRefused) as error:
            log.info("an answer could not be repaired: %s", error)
            return said

    async def _send(
        self, call: _Call, messages: tuple[Message, ...], *, native: bool = False, listener: Listener | None = None
    ) -> Answer:
        """Send; an answer that holds nothing is asked for once more.

        Raises `NothingSaid` when that brings nothing either, whatever the reason: the first answer has to be paid for.
        """
        tools = call.request.tools
        body = {"messages": messages, **self._limit_of(call.request), **({"tools": tools} if native and tools else {})}
        body |= STREAM if listener else {}
        try:
            return await self._attempts(call, body, listener)
        except NothingSaid as error:
            if asyncio.get_running_loop().time() + FIRST_PAUSE >= call.end:
                raise
            log.info("asked once more: %s", error)
            empty = error
        await self._clock.sleep(FIRST_PAUSE)
        try:
            return await self._attempts(call, body, listener)
        except (ModelUnreachable, ModelRefused) as error:
            raise NothingSaid(f"{empty} Then: {error}", empty.usage) from None

    async def _attempts(self, call: _Call, body: Mapping[str, Any], listener: Listener | None) -> Answer:
        """Send until there is an answer, the attempts are used up or the call's end comes too near."""
        attempt = 0
        while True:
            try:
                return await self._once(call, body, listener)
            except TryAgain as error:
                pause = FIRST_PAUSE * 2**attempt if error.pause is None else error.pause
                attempt += 1
                if attempt > self._max_retries or asyncio.get_running_loop().time() + pause >= call.end:
                    raise
                log.info("model call failed, next attempt in %.1f s: %s", pause, error)
                await self._clock.sleep(pause)

    async def _once(self, call: _Call, body: Mapping[str, Any], listener: Listener | None) -> Answer:
        """One attempt. What it took is counted, whatever comes of it."""
        heard = Streamed(listener) if listener else None
        try:
            got, sent = await call.client.exchange(body, call.end, heard)
        except (TryAgain, asyncio.CancelledError) as error:
            if not isinstance(error, TryAgain) or error.taken:
                call.took += self._lost(body, heard)
            raise
        try:
            answer = self._read(call.request, got, counted(sent, body["messages"]))
        except NothingSaid as error:
            call.took += error.usage
            raise
        call.took += answer.usage
        return answer

    def _lost(self, body: Mapping[str, Any], heard: Streamed | None) -> Usage:
        """What an attempt took that brought no answer: as it was told, else by what was sent and heard."""
        sent = counted(len(json.dumps(body, default=str)), body["messages"])
        part = heard.part if heard else None
        if part is None:
            return unread_usage(self.name, sent, heard.size if heard else 0)
        return usage_of(part, self.name, sent)

    def _read(self, request: ModelRequest, got: Whole | Streamed, sent: int) -> Answer:
        withheld = pick(request.language)["withheld"]
        try:
            body = got.body()
        except BadJson as error:
            problem = f"Model {self.name} sent something unreadable. {error}"
            raise NothingSaid(problem, unread_usage(self.name, sent, got.size)) from None
        return answer_from_completion(body, model=self.name, sent_bytes=sent, taken=_taken(request), withheld=withheld)


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
    messages = text_protocol.flatten(request.messages)
    if not request.tools:
        return messages
    lesson = text_protocol.instructions(request.tools, request.language)
    if messages and messages[0].get("role") == "system" and isinstance(messages[0].get("content"), str):
        return ({**messages[0], "content": f"{messages[0]['content']}\n\n{lesson}"}, *messages[1:])
    return ({"role": "system", "content": lesson}, *messages)


def _taken(request: ModelRequest) -> frozenset[str]:
    """The call ids of this conversation."""
    calls = [call for message in request.messages for call in message.get("tool_calls") or ()]
    return frozenset(str(call.get("id")) for call in calls if isinstance(call, dict))

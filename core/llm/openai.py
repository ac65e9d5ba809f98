"""Any Chat Completions server (OpenAI, OpenRouter, Ollama, vLLM, llama.cpp …) through the openai client.

Messages and tools travel by `extra_body`: the client walks typed parameters one by one, which took two thirds of the
time of a call. The body of the answer is read by our own parser, since everything in it may be garbage.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal
from urllib.parse import urlsplit

import openai

from core.clock import SystemClock
from core.errors import ConfigError, ModelRefused, ModelUnreachable
from core.language import pick
from core.llm import textprotocol
from core.llm.circuit import Circuit
from core.llm.completion import answer_from_completion, unread_usage
from core.llm.failures import NothingSaid, NoTools, TryAgain, failure, lacks_tools, retry_after
from core.llm.parse import BadJson, clean, read_body
from core.ports import Clock
from core.types import Answer, ModelRequest

log = logging.getLogger(__name__)

MAX_BODY = 8 * 1024 * 1024
CONNECT_SECONDS = 10.0
FIRST_PAUSE = 0.5
REPAIR = "That was not valid JSON ({problem}). Send the same answer again as one valid JSON object, nothing else."

Mode = Literal["auto", "native", "json"]
Message = Mapping[str, Any]


class OpenAIModel:
    """An LLM behind one client. `timeout` (seconds) bounds a whole call: all attempts, pauses and the repair of JSON.

    After a failed call further ones fail at once, for `probe_seconds`. With `tool_calls="auto"` a model that refuses
    native tools is spoken to by the text protocol from then on. Raises `ConfigError` for a key no header can carry.
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
            return await self._send(request, request.messages, end, native=True)
        except NoTools as error:
            if self._mode == "native":
                raise
            self._give_up_tools(error)
        return await self._by_text(request, end)

    def _give_up_tools(self, error: NoTools) -> None:
        if self._mode != "json":
            log.warning("model %s takes no native tools, the text protocol is used from now on: %s", self.name, error)
            self._mode = "json"

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
        self, request: ModelRequest, messages: tuple[Message, ...], end: float, native: bool = False
    ) -> Answer:
        """Send; an answer that holds nothing is asked for once more, and what it took is counted with the next one.

        Raises `NothingSaid` when that brings nothing either, whatever the reason: the first answer has to be paid for.
        """
        body = {"messages": messages, **self._limit, **({"tools": request.tools} if native and request.tools else {})}
        try:
            return await self._attempts(request, body, end)
        except NothingSaid as error:
            if asyncio.get_running_loop().time() + FIRST_PAUSE >= end:
                raise
            log.info("asked once more: %s", error)
            empty = error
        await self._clock.sleep(FIRST_PAUSE)
        try:
            answer = await self._attempts(request, body, end)
        except NothingSaid as error:
            raise NothingSaid(str(error), empty.usage + error.usage) from None
        except (ModelUnreachable, ModelRefused) as error:
            raise NothingSaid(f"{empty} Then: {error}", empty.usage) from None
        return replace(answer, usage=empty.usage + answer.usage)

    async def _attempts(self, request: ModelRequest, body: Mapping[str, Any], end: float) -> Answer:
        """Send until there is an answer, the attempts are used up or `end` (loop time, seconds) comes too near."""
        attempt = 0
        while True:
            try:
                return await self._once(request, body, end)
            except TryAgain as error:
                pause = FIRST_PAUSE * 2**attempt if error.pause is None else error.pause
                attempt += 1
                if attempt > self._max_retries or asyncio.get_running_loop().time() + pause >= end:
                    raise
                log.info("model call failed, next attempt in %.1f s: %s", pause, error)
                await self._clock.sleep(pause)

    async def _once(self, request: ModelRequest, body: Mapping[str, Any], end: float) -> Answer:
        try:
            async with asyncio.timeout_at(end):
                content, size = await self._post(body, end - asyncio.get_running_loop().time())
        except (TimeoutError, openai.APITimeoutError):
            raise TryAgain(f"Model {self.name} did not answer in time.") from None
        except openai.APIStatusError as error:
            raise self._failure(error, "tools" in body) from None
        except openai.OpenAIError as error:
            raise TryAgain(f"The connection to model {self.name} failed: {_cause(error)}.") from None
        except (TypeError, ValueError) as error:
            raise ModelRefused(f"The request cannot be written as JSON: {type(error).__name__}.") from None
        return self._read(request, content, size)

    async def _post(self, body: Mapping[str, Any], seconds: float) -> tuple[bytes, int]:
        """Return the answer's bytes and how many were sent."""
        timeout = openai.Timeout(max(seconds, 0.001), connect=max(min(seconds, CONNECT_SECONDS), 0.001))
        create = self._client.chat.completions.with_raw_response.create
        response = await create(model=self.name, messages=[], extra_body=body, timeout=timeout)
        return response.content, len(response.http_request.content)

    def _read(self, request: ModelRequest, content: bytes, sent: int) -> Answer:
        withheld = pick(request.language)["withheld"]
        try:
            body = read_body(content, MAX_BODY)
        except BadJson as error:
            problem = f"Model {self.name} sent something unreadable. {error}"
            raise NothingSaid(problem, unread_usage(self.name, sent, len(content))) from None
        return answer_from_completion(body, model=self.name, sent_bytes=sent, taken=_taken(request), withheld=withheld)

    def _failure(self, error: openai.APIStatusError, with_tools: bool) -> ModelRefused | ModelUnreachable:
        said = error.body.get("message") if isinstance(error.body, dict) else error.body
        # Some providers repeat the key they refuse.
        text = clean(said if isinstance(said, str) else "").replace(self._key or "none", "[key]")
        if with_tools and lacks_tools(error.status_code, text):
            return NoTools(f"Model {self.name} takes no native tools. Set llm.tool_calls to auto or json.")
        pause = retry_after(error.response.headers, self._clock.now())
        return failure(error.status_code, text, str(error.code or ""), self.name, pause)


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

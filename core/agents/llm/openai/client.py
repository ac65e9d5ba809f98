"""Any Chat Completions server (OpenAI, OpenRouter, Ollama, vLLM, llama.cpp …): tools, streams, text, repairs.

The openai client itself is in `client_factory`, which is imported when a model is called for the first time.
"""

from __future__ import annotations

import asyncio
import importlib
import logging
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

from core.agents.llm.openai import text_protocol
from core.agents.llm.openai.call import Call, Message, call_ids
from core.agents.llm.openai.circuit_breaker import Circuit
from core.agents.llm.openai.failures import NoStream, NothingSaid, NoTools
from core.agents.llm.openai.stream import Listener
from core.kernel.clock import SystemClock
from core.kernel.errors import ConfigError, ModelRefused, ModelUnreachable
from core.kernel.ports import Clock
from core.kernel.types import Answer, ModelRequest, Usage
from core.language import pick

if TYPE_CHECKING:
    from core.agents.llm.openai.client_factory import Client

log = logging.getLogger(__name__)

REPAIR = "That was not valid JSON ({problem}). Send the same answer again as one valid JSON object, nothing else."

Mode = Literal["auto", "native", "json"]


@dataclass(frozen=True, kw_only=True)
class CallLimits:
    """How long and how often a model is asked. `timeout` (seconds) bounds a whole call: all attempts, pauses and the
    repair of JSON. After a failed call further ones fail at once, for `probe_seconds`."""

    timeout: float = 60.0
    max_retries: int = 2
    max_output_tokens: int | None = None
    probe_seconds: float = 15.0


class OpenAIModel:
    """An LLM behind one client.

    With `tool_calls="auto"` a model that refuses native tools is spoken to by the text protocol from then on. Whoever
    listens hears native answers while they are written, until the model refuses streams. Raises `ConfigError` for a key
    no header can carry.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str | None,
        model: str,
        tool_calls: Mode = "auto",
        *,
        limits: CallLimits | None = None,
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
        self._limits = limits or CallLimits()
        self._circuit = Circuit(self._clock, self._limits.probe_seconds)
        self._mode = tool_calls
        self._by_text = tool_calls == "json"
        self._streams = True
        self._options = _limit(base_url, self._limits.max_output_tokens)

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
        loop = asyncio.get_running_loop()
        latest = loop.time() + self._limits.timeout
        call = Call(
            client=client,
            clock=self._clock,
            model=self.name,
            request=request,
            end=latest if request.deadline is None else min(latest, request.deadline),
            options=self._options if request.most_tokens is None else _limit(self._base_url, request.most_tokens),
            max_retries=self._limits.max_retries,
        )
        try:
            answer = await self._ask(call)
            self._circuit.succeeded()
        except NothingSaid as error:
            # That says nothing about the provider: one question must not cut off everybody else.
            log.warning("model %s gave no answer: %s", self.name, error)
            answer = Answer(text=pick(request.language)["model_said_nothing"])
        except BaseException as error:
            # Nor does a call that was cut short by the request's own deadline.
            if isinstance(error, ModelUnreachable) and (call.end == latest or loop.time() < call.end):
                self._circuit.failed()
            elif isinstance(error, ModelRefused):
                self._circuit.succeeded()
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

    async def _ask(self, call: Call) -> Answer:
        """Ask with native tools until the model is known to refuse them, else by the text protocol."""
        if not self._by_text:
            try:
                return await self._native(call)
            except NoTools as error:
                if self._mode == "native":
                    raise
                if not self._by_text:
                    says = "model %s takes no native tools, the text protocol is used from now on: %s"
                    log.warning(says, self.name, error)
                self._by_text = True
        return await _by_text(call)

    async def _native(self, call: Call) -> Answer:
        """Ask with native tools, as a stream for whoever listens until the model is known to refuse streams."""
        request = call.request
        if request.listen is None or not self._streams:
            return await call.send(request.messages, tools=request.tools)
        try:
            return await call.send(request.messages, tools=request.tools, listener=Listener(request.listen))
        except NoStream as error:
            log.info("asked once more without a stream: %s", error)
        answer = await call.send(request.messages, tools=request.tools)
        # Without a stream the same request was accepted: now it is known what was wrong.
        if self._streams:
            log.warning("model %s takes no streams, its answers are shown only when they are complete", self.name)
        self._streams = False
        return answer


async def _by_text(call: Call) -> Answer:
    """Ask by the text protocol, with one repair try for bad JSON; where that fails the first answer stands."""
    messages, taken = _taught(call.request), call_ids(call.request)
    nothing = pick(call.request.language)["model_said_nothing"]
    said = await call.send(messages)
    answer, problem = text_protocol.decode(said.text, taken, nothing)
    if not problem:
        return answer
    wrong = {"role": "assistant", "content": said.text}
    complaint = {"role": "user", "content": REPAIR.format(problem=problem)}
    try:
        said = await call.send((*messages, wrong, complaint))
    except (NothingSaid, ModelUnreachable, ModelRefused) as error:
        log.info("an answer could not be repaired: %s", error)
    answer, _ = text_protocol.decode(said.text, taken, nothing)
    return Answer(text=nothing) if text_protocol.is_raw_json(answer, said.text) else answer


def _taught(request: ModelRequest) -> tuple[Message, ...]:
    """The messages as texts, with the protocol explained at the end of the system message."""
    messages = text_protocol.flatten(request.messages)
    if not request.tools:
        return messages
    lesson = text_protocol.instructions(request.tools, request.language)
    if messages and messages[0].get("role") == "system" and isinstance(messages[0].get("content"), str):
        return ({**messages[0], "content": f"{messages[0]['content']}\n\n{lesson}"}, *messages[1:])
    return ({"role": "system", "content": lesson}, *messages)


def _limit(base_url: str, tokens: int | None) -> dict[str, int]:
    """OpenAI's newer models refuse the old name of the limit, most other servers know only that."""
    if tokens is None:
        return {}
    openai_itself = (urlsplit(base_url).hostname or "").endswith("openai.com")
    return {"max_completion_tokens" if openai_itself else "max_tokens": tokens}

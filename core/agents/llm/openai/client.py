"""Any server of OpenAI's dialects (OpenAI, OpenRouter, Ollama, vLLM, llama.cpp …): tools, streams, text, repairs.

The openai client itself is in `client_factory`, which is imported when a model is called for the first time.
"""

from __future__ import annotations

import asyncio
import importlib
import itertools
import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from core.agents.llm.openai import text_protocol, written_calls
from core.agents.llm.openai.completion import (
    UNFINISHED,
    Listener,
    Streamed,
    answer_from_completion,
    counted,
    read_calls,
    unread_usage,
    usage_of,
)
from core.agents.llm.openai.dialects import AS_TEXT, CHAT, RESPONSES, Asked, Dialect, in_turn, is_own
from core.agents.llm.openai.failures import RENAMED, NoStream, NothingSaid, OtherWay, TryAgain, unquoted
from core.kernel.clock import SystemClock
from core.kernel.errors import ConfigError, ModelRefused, ModelUnreachable
from core.kernel.ports import Clock
from core.kernel.strict_json import BadJson
from core.kernel.types import Answer, ModelRequest, Role, Usage
from core.language import pick

if TYPE_CHECKING:
    from core.agents.llm.openai.client_factory import Client

log = logging.getLogger(__name__)

REPAIR = "That was not valid JSON ({problem}). Send the same answer again as one valid JSON object, nothing else."

FIRST_PAUSE = 0.5
# An answer without a limit of its own is no longer than this, in tokens; its tokens have fewer characters than that.
MOST_TOKENS, LONGEST_TOKEN = 4_000, 8

Message = Mapping[str, Any]
Mode = Literal["auto", "native", "json"]
Api = Literal["auto", "responses", "chat"]
# How long a server may take to say how much it shows its model, and how long that holds.
WINDOW_SECONDS, WINDOW_FRESH = 2.0, 3_600.0
# So often a model may say in what other way it wants to be asked.
WAYS = 8


@dataclass(frozen=True, kw_only=True)
class CallLimits:
    """How long and how often a model is asked. `timeout` (seconds) bounds a whole call: all attempts, pauses and the
    repair of JSON. After a failed call further ones fail at once, for `probe_seconds`."""

    timeout: float = 60.0
    max_retries: int = 2
    max_output_tokens: int = MOST_TOKENS
    probe_seconds: float = 15.0


class Circuit:
    """A circuit breaker, so that many chats don't each wait for the same time-out.

    Closed while calls succeed. After a failure calls fail at once; every `probe_seconds` one is let through.
    """

    def __init__(self, clock: Clock, probe_seconds: float) -> None:
        self._clock = clock
        self._probe_seconds = probe_seconds
        self._probe_at: float | None = None

    @property
    def closed(self) -> bool:
        """Return whether the last call succeeded, or none was made."""
        return self._probe_at is None

    @property
    def wait(self) -> float:
        """Seconds until a call will be let through; 0 when one may come now."""
        return 0.0 if self._probe_at is None else max(0.0, self._probe_at - self._clock.monotonic())

    def enter(self) -> None:
        """Let a call through or raise `ModelUnreachable`. A probe makes the others wait for its outcome."""
        if self._probe_at is None:
            return
        if self.wait > 0:
            wait = f"The model did not answer a moment ago; the next try is in {self.wait:.0f} s."
            raise ModelUnreachable(wait, asked=False)
        self.failed()

    def failed(self) -> None:
        """Open for `probe_seconds` from now."""
        self._probe_at = self._clock.monotonic() + self._probe_seconds

    def succeeded(self) -> None:
        """Close."""
        self._probe_at = None


@dataclass(frozen=True, kw_only=True)
class Manner:
    """How a model is to be spoken to: by which `api`, with `tool_calls` of its own or as text, with how much thought
    (`effort`, empty: as it likes), and which `models` do the work of roles that have another."""

    tool_calls: Mode = "auto"
    api: Api = "auto"
    effort: str = ""
    models: Mapping[Role, str] = field(default_factory=dict)


@dataclass(kw_only=True)
class Ways:
    """How a model is spoken to, as far as is known by now: in which dialect, by tools of its own or as text, with
    streams, with roles `in_turn`, and `without` which parameters. `other` when the dialect may still be changed, and
    `native` when tools may not become text."""

    dialect: Dialect
    other: bool
    native: bool
    by_text: bool = False
    streams: bool = True
    in_turn: bool = False
    without: frozenset[str] = frozenset()

    def learn(self, model: str, error: OtherWay) -> bool:
        """Speak as the model wants it from now on; return False where that may not be, or is so already."""
        match error.wants:
            case "dialect" if self.other:
                self.dialect, self.other = (CHAT if self.dialect is RESPONSES else RESPONSES), False
                log.warning("model %s is asked by %s from now on: %s", model, self.dialect.name, error)
            case "text" if not (self.native or self.by_text):
                self.by_text = True
                says = "model %s takes no native tools, the text protocol is used from now on: %s"
                log.warning(says, model, error)
            case "order" if not self.in_turn:
                self.in_turn = True
                log.info("model %s is told everything in turn from now on: %s", model, error)
            case "dialect" | "text" | "order":
                return False
            case name:
                if name in self.without:
                    return False
                self.without |= {name}
                log.info("model %s is not sent %s from now on: %s", model, name, error)
        return True


@dataclass(kw_only=True)
class Call:
    """A question on its way to `model`. `end` is the loop's time in seconds, `took` what all attempts took so far.

    `most` is the longest answer in tokens, `effort` how much it shall think, `own` whether the server is OpenAI's;
    after the first attempt there are `max_retries` more.
    """

    client: Client
    clock: Clock
    model: str
    request: ModelRequest
    end: float
    ways: Ways
    effort: str
    own: bool
    most: int | None
    max_retries: int
    took: Usage = Usage()

    async def send(
        self, messages: Sequence[Message], *, tools: Sequence[Any] = (), listener: Listener | None = None
    ) -> Answer:
        """Send; an answer that holds nothing is asked for once more.

        Raises `NothingSaid` when that brings nothing either, whatever the reason: the first answer has to be paid for.
        """
        ways = self.ways
        if "include" in ways.without:
            # What the model thought is encrypted, or was not told: it cannot be shown to it again.
            messages = [{name: value for name, value in one.items() if name != "items"} for one in messages]
        asked = Asked(
            messages=in_turn(messages) if ways.in_turn else messages,
            tools=tools,
            most=self.most,
            effort=self.effort,
            key=self.request.cache_key,
            streamed=listener is not None,
        )
        body = {"model": self.model, **ways.dialect.write(asked, own=self.own)}
        for name in ways.without & body.keys():
            value = body.pop(name)
            if name in RENAMED:
                body[RENAMED[name]] = value
        try:
            return await self._attempt(body, messages, listener)
        except NothingSaid as error:
            if error.endless or asyncio.get_running_loop().time() + FIRST_PAUSE >= self.end:
                raise
            log.info("asked once more: %s", error)
            empty = error
        await self.clock.sleep(FIRST_PAUSE)
        try:
            return await self._attempt(body, messages, listener)
        except (ModelUnreachable, ModelRefused) as error:
            raise NothingSaid(f"{empty} Then: {error}", empty.usage) from None

    async def _attempt(self, body: Mapping[str, Any], messages: Sequence[Message], listener: Listener | None) -> Answer:
        """Send until there is an answer, the attempts are used up or the end comes too near.

        What each attempt took is counted, whatever comes of it. Raises `NothingSaid` when nothing in the answer can be
        read or shown.
        """
        dialect = self.ways.dialect
        for attempt in itertools.count():
            heard = None
            if listener:
                heard = Streamed(listener, dialect.draft(), most=(self.most or 0) * LONGEST_TOKEN)
            try:
                got, sent = await self.client.exchange(dialect.path, body, self.end, heard)
                break
            except asyncio.CancelledError:
                self.took += self._lost(body, messages, heard)
                raise
            except TryAgain as error:
                if error.taken:
                    self.took += self._lost(body, messages, heard)
                pause = FIRST_PAUSE * 2**attempt if error.pause is None else error.pause
                if attempt >= self.max_retries or asyncio.get_running_loop().time() + pause >= self.end:
                    raise
                log.info("model call failed, next attempt in %.1f s: %s", pause, error)
                await self.clock.sleep(pause)
        sent = counted(sent, messages)
        withheld, taken = pick(self.request.language)["withheld"], call_ids(self.request)
        cut = heard is not None and heard.cut
        try:
            # A stream's draft is read already; a whole body is as its dialect has it.
            found = got.body() if heard is not None and heard.draft.begun else dialect.read(got.body())
            answer = answer_from_completion(
                found, model=self.model, sent_bytes=sent, taken=taken, withheld=withheld, cut=cut
            )
        except NothingSaid as error:
            self.took += error.usage
            # An error in the place of an answer may repeat the conversation.
            raise NothingSaid(unquoted(str(error), messages), error.usage, endless=error.endless) from None
        except BadJson as error:
            usage = unread_usage(self.model, sent, got.size)
            self.took += usage
            raise NothingSaid(f"Model {self.model} sent something unreadable. {error}", usage) from None
        self.took += answer.usage
        if not cut:
            return answer
        if not answer.text.strip():
            raise NothingSaid(f"Model {self.model} never came to an end.", answer.usage, endless=True)
        # What it was about to call is not whole.
        return replace(answer, calls=())

    def _lost(self, body: Mapping[str, Any], messages: Sequence[Message], heard: Streamed | None) -> Usage:
        """Return the tokens of an attempt without an answer: as the provider said, else estimated by the sizes."""
        sent = counted(len(json.dumps(body, default=str)), messages)
        if heard is None or not heard.draft.begun:
            return unread_usage(self.model, sent, heard.size if heard else 0)
        return usage_of(heard.draft.body(), self.model, sent)


def call_ids(request: ModelRequest) -> frozenset[str]:
    """Return the ids of the tool calls of a conversation."""
    calls = [call for message in request.messages for call in message.get("tool_calls") or ()]
    return frozenset(str(call.get("id")) for call in calls if isinstance(call, dict))


class OpenAIModel:
    """An LLM behind one client, spoken to in a `manner`.

    With `api="auto"` OpenAI's own models are asked by Responses, others by Chat Completions, and a model that wants the
    other endpoint by that from then on. With `tool_calls="auto"` a model that refuses native tools is spoken to by the
    text protocol from then on. Whoever listens hears native answers while they are written, until the model refuses
    streams. Raises `ConfigError` for a key no header can carry.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str | None,
        model: str,
        *,
        manner: Manner | None = None,
        limits: CallLimits | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.name = model
        self._key = (api_key or "").strip()
        if not (self._key.isascii() and self._key.isprintable()):
            raise ConfigError("llm.api_key holds characters that no key has. Copy it again.")
        self._base_url, self._own = base_url, is_own(base_url)
        self._client: Client | None = None
        self._connecting = asyncio.Lock()
        self._clock = clock or SystemClock()
        self._limits = limits or CallLimits()
        self._circuit = Circuit(self._clock, self._limits.probe_seconds)
        self._manner = manner or Manner()
        self._ways: dict[str, Ways] = {}
        self._window: tuple[int | None, float] | None = None

    @property
    def reachable(self) -> bool:
        """Return whether the last call succeeded, or none was made."""
        return self._circuit.closed

    @property
    def dialect(self) -> str:
        """Return how the model is spoken to: `responses`, `chat`, or `AS_TEXT`."""
        ways = self._ways_of(self.name)
        return AS_TEXT if ways.by_text else ways.dialect.name

    async def window(self) -> int | None:
        """Return how many tokens the model is shown, as its server says; None if unknown, and of OpenAI's own models.

        The server is asked once in a while, since a model may be loaded anew with another window.
        """
        now = self._clock.monotonic()
        if self._own or not self._circuit.closed:
            return self._window[0] if self._window else None
        if self._window is None or now - self._window[1] > WINDOW_FRESH:
            check = await asyncio.to_thread(importlib.import_module, "core.agents.llm.openai.check")
            self._window = await check.window_of(self._base_url, self._key, self.name, WINDOW_SECONDS), now
        return self._window[0]

    async def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.close()

    def _ways_of(self, name: str) -> Ways:
        ways = self._ways.get(name)
        if ways is None:
            manner = self._manner
            responses = manner.api == "responses" or (manner.api == "auto" and self._own)
            dialect = RESPONSES if responses and manner.tool_calls != "json" else CHAT
            ways = Ways(
                dialect=dialect,
                other=manner.api == "auto",
                native=manner.tool_calls == "native",
                by_text=manner.tool_calls == "json",
            )
            self._ways[name] = ways
        return ways

    async def complete(self, request: ModelRequest) -> Answer:
        """Ask the model; see `LLM`. What an answer took is what all attempts took; without one, `lost` is told that."""
        client = self._client or await self._connected()
        self._circuit.enter()
        loop = asyncio.get_running_loop()
        latest = loop.time() + self._limits.timeout
        name = self._manner.models.get(request.role) or self.name
        call = Call(
            client=client,
            clock=self._clock,
            model=name,
            request=request,
            end=latest if request.deadline is None else min(latest, request.deadline),
            ways=self._ways_of(name),
            effort=self._manner.effort,
            own=self._own,
            most=request.most_tokens or self._limits.max_output_tokens,
            max_retries=self._limits.max_retries,
        )
        try:
            answer = await self._ask(call)
            self._circuit.succeeded()
        except NothingSaid as error:
            # That says nothing about the provider: one question must not cut off everybody else.
            log.warning("model %s gave no answer: %s", name, error)
            if error.endless:
                self._circuit.succeeded()  # it is there, and thinks
            answer = Answer(text=pick(request.language)["model_said_nothing"], unsaid=True)
        except BaseException as error:
            # Nor does a call that was cut short by the request's own deadline, or comes right after a probe. One that
            # had all the time it may have, but for what it took to get here, was not cut short.
            in_time = latest - call.end < self._limits.timeout / 10 or loop.time() < call.end
            if isinstance(error, ModelUnreachable) and in_time and not request.probed:
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
                self._client = module.Client(self._base_url, self._key, self._clock)
            return self._client

    async def _ask(self, call: Call) -> Answer:
        """Ask, and once more in the way that the model says it wants, which is remembered."""
        ways = call.ways
        for _ in range(WAYS):
            before = replace(ways)
            try:
                return await self._natively(call)
            except OtherWay as error:
                # Many may ask at once: what one of them has learned meanwhile holds for all.
                if ways == before and not ways.learn(call.model, error):
                    raise
        return await self._natively(call)

    async def _natively(self, call: Call) -> Answer:
        """Ask with native tools until the model is known to refuse them, else by the text protocol.

        Native answers come as a stream for whoever listens until the model is known to refuse streams.
        """
        ways, request = call.ways, call.request
        if ways.by_text:
            return await _by_text(call)
        streamed = request.listen is not None and ways.streams
        if streamed:
            try:
                said = await call.send(request.messages, tools=request.tools, listener=Listener(request.listen))
                return _as_calls(said, request)
            except NoStream as error:
                log.info("asked once more without a stream: %s", error)
        answer = _as_calls(await call.send(request.messages, tools=request.tools), request)
        if streamed and ways.streams:
            # Without a stream the same request was accepted: now it is known what was wrong.
            log.warning("model %s takes no streams, its answers are shown only when they are complete", call.model)
            ways.streams = False
        return answer


def _offered(request: ModelRequest) -> frozenset[str]:
    return frozenset(str(tool["function"]["name"]) for tool in request.tools)


def _as_calls(answer: Answer, request: ModelRequest) -> Answer:
    """Return an answer with the calls that some models write into their text although they know tools, and without
    a thought that has no end."""
    if answer.calls or not answer.text:
        return answer
    # What follows a whole call until the tokens are spent is nothing.
    text = answer.text.removesuffix(f" {UNFINISHED}")
    found = written_calls.read(text, _offered(request)) if request.tools else []
    if found:
        return replace(answer, text="", calls=read_calls(written_calls.native(found), call_ids(request)))
    return replace(answer, text=written_calls.UNENDED.sub("", answer.text))


async def _by_text(call: Call) -> Answer:
    """Ask by the text protocol, with one repair try for bad JSON; where that fails the first answer stands."""
    request = call.request
    messages, taken = text_protocol.flatten(request.messages), call_ids(request)
    if request.tools:
        # The protocol is explained at the end of the system message.
        lesson = text_protocol.instructions(request.tools, request.language)
        if messages and messages[0].get("role") == "system" and isinstance(messages[0].get("content"), str):
            messages = ({**messages[0], "content": f"{messages[0]['content']}\n\n{lesson}"}, *messages[1:])
        else:
            messages = ({"role": "system", "content": lesson}, *messages)
    nothing, offered = pick(request.language)["model_said_nothing"], _offered(request)
    said = await call.send(messages)
    # In the background a result is read by whoever works on the task, who tells it from an outcome.
    whole = request.role in {Role.PLANNER, Role.WORKER}
    answer, problem = text_protocol.decode(said.text, taken, nothing, offered, whole=whole)
    if not problem:
        return answer
    wrong = {"role": "assistant", "content": said.text}
    complaint = {"role": "user", "content": REPAIR.format(problem=problem)}
    try:
        said = await call.send((*messages, wrong, complaint))
    except (NothingSaid, ModelUnreachable, ModelRefused) as error:
        log.info("an answer could not be repaired: %s", error)
    answer, _ = text_protocol.decode(said.text, taken, nothing, offered, whole=whole)
    return Answer(text=nothing, unsaid=True) if text_protocol.is_raw_json(answer, said.text) else answer

"""A strict Chat Completions server for tests and benchmarks.

In a test: ``async with OpenAIServer() as server``; the client's base URL is ``server.url + "/v1"``.
As a process: ``python -m tests.emulators.openai --port 8082 --latency 0.3``, driven over ``/_control`` (see
``openai_control``).
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from inspect import isawaitable
from typing import TYPE_CHECKING, Any

from tests.emulators.faults import Fault, FaultScript
from tests.emulators.loopback import Cut, LoopbackServer, Reply, Request, arguments, run_forever
from tests.emulators.openai_answers import Answer, Call, ChatRequest, Raw
from tests.emulators.openai_control import PREFIX, control
from tests.emulators.openai_http import ERRORS, check_key, fault_reply, half
from tests.emulators.openai_responses import CONTENT_TYPE, PATH, check_responses, events, response
from tests.emulators.openai_rules import check_request, check_turns, parse
from tests.emulators.openai_streams import PacedReply, Step, Streamed, paced
from tests.emulators.openai_types import Refusal

if TYPE_CHECKING:
    from uvicorn._types import ASGISendCallable

DEFAULT_KEY = "sk-emulated"
FAULT_KINDS = frozenset({*ERRORS, "502", "cut", "midway", "slow", "hang", "garbage"})
COMPLETIONS = "/v1/chat/completions"
MODELS = "/v1/models"
DEFAULT_MODEL = "emulated"

Scripted = Answer | Raw | Streamed
Spoken = str | Scripted
Rule = Callable[[ChatRequest], Spoken | Awaitable[Spoken] | None]


class OpenAIServer(LoopbackServer):
    """A model that says what the script says, then what the rule says, else repeats the user.

    ``latency`` is the time before every answer, in seconds. With ``refuse_tools`` every request that offers
    tools is refused in the words of Ollama, with ``refuse_stream`` every one that wants a stream in those of OpenAI for
    o1. ``unknown`` are parameters that this server has never heard of, ``ignored`` those that it takes no notice of.
    ``models``, when given, are the only ones that exist. Without ``responses`` there is no such endpoint; with
    ``responses_only`` the models take tools nowhere else, as OpenAI's do from gpt-5.4 on; they give their reasoning
    when they ``think``, and else refuse to be told how much. Their templates take roles ``in_turn`` only, and they want
    the ``newer_limit`` of an answer, as Azure's do. Each model is ``described`` by more fields, and ``pages``
    are what other kinds of servers have beside, by path.
    """

    def __init__(
        self, *, key: str = DEFAULT_KEY, port: int = 0, latency: float = 0.0, models: list[str] | None = None
    ) -> None:
        super().__init__(port=port)
        self.key = key
        self.latency = latency
        self.described: dict[str, Any] = {}
        self.pages: dict[str, Any] = {}
        self.refuse_tools = False
        self.refuse_stream = False
        self.responses = True
        self.responses_only = False
        self.think = True
        self.in_turn = False
        self.newer_limit = False
        self.unknown: Sequence[str] = ()
        self.ignored: Sequence[str] = ()
        self.models = models
        self.requests: list[ChatRequest] = []
        self.faults = FaultScript(FAULT_KINDS)
        self._script: deque[Scripted] = deque()
        self._rule: Rule | None = None
        self._arrived = asyncio.Event()

    def answer(self, text: str, finish_reason: str = "stop") -> None:
        """Script a text."""
        self._script.append(Answer(text=text, finish_reason=finish_reason))

    def call(
        self, name: str, arguments: dict[str, Any] | str | None = None, id: str = "", text: str | None = None
    ) -> None:
        """Script one tool call; arguments given as a string are sent as they are."""
        self.calls(Call(name, {} if arguments is None else arguments, id), text=text)

    def calls(self, *calls: Call, text: str | None = None) -> None:
        """Script several tool calls in one answer."""
        self._script.append(Answer(text=text, calls=calls))

    def raw(self, value: bytes | dict[str, Any], status: int = 200, headers: dict[str, str] | None = None) -> None:
        """Script an answer byte by byte."""
        self._script.append(Raw(value=value, status=status, headers=headers or {}))

    def stream(self, *steps: Step, done: bool = True, cut: bool = False) -> None:
        """Script an answer that is written step by step; see ``Streamed``."""
        self._script.append(Streamed(steps=steps, done=done, cut=cut))

    def fault(self, kind: str = "500", **options: Any) -> Fault:
        """Script a misfortune; see ``Fault`` for the options and ``FAULT_KINDS`` for the kinds.

        "midway" sends half of the answer; the others without ``_after`` leave the script untouched.
        """
        return self.faults.add(Fault(kind=kind, **options))

    def reply_with(self, rule: Rule | None) -> None:
        """Let *rule* answer whatever the script does not; None from it means the echo. What it has to wait for is
        awaited."""
        self._rule = rule

    @property
    def scripted(self) -> int:
        """How many scripted answers have not been given yet."""
        return len(self._script)

    async def wait_requests(self, n: int, timeout: float = 30.0) -> list[ChatRequest]:
        """Return the requests once there are *n*; raise ``TimeoutError`` after *timeout* seconds."""
        async with asyncio.timeout(timeout):
            while len(self.requests) < n:
                self._arrived.clear()
                await self._arrived.wait()
        return self.requests

    async def respond(self, request: Request) -> Reply:
        """Answer one request of the client, or of the tester's control."""
        if request.path.startswith(PREFIX):
            return control(self, request)
        try:
            check_key(request.headers, self.key)
            if (request.method, request.path) == ("GET", MODELS):
                names = self.models or [DEFAULT_MODEL]
                return Reply.json({"object": "list", "data": [_model(name) | self.described for name in names]})
            if request.path in self.pages:
                return Reply.json(self.pages[request.path])
            known = {COMPLETIONS, PATH} if self.responses else {COMPLETIONS}
            if request.method != "POST" or request.path not in known:
                raise Refusal(f"Invalid URL ({request.method} {request.path})", status=404)
        except Refusal as refusal:
            return Reply.json(refusal.body, refusal.status)
        chat = ChatRequest(raw=request.body, headers=request.headers, path=request.path)
        self.requests.append(chat)
        self._arrived.set()
        return self._recorded(chat, await self._faulty(chat, request))

    async def _faulty(self, chat: ChatRequest, request: Request) -> Reply:
        fault = self.faults.take("chat.completions", None)
        if fault is None:
            return await self._say(chat)
        if fault.base == "slow" and not fault.late:
            await asyncio.sleep(fault.delay)
        kept = fault.late or fault.base in ("slow", "midway")
        true_reply = await self._say(chat) if kept else None
        if fault.base == "hang":
            await request.gone()
        if fault.base in ("cut", "hang"):
            raise Cut
        if true_reply is None or fault.base not in ("slow", "midway"):
            return fault_reply(fault)
        if fault.base == "midway":
            return half(true_reply)
        if fault.late:
            await asyncio.sleep(fault.delay)
        return true_reply

    @staticmethod
    def _recorded(chat: ChatRequest, reply: Reply) -> Reply:
        def delivered(open_connection: bool) -> None:
            chat.delivered = open_connection

        chat.status = reply.status
        return replace(reply, delivered=delivered)

    async def _say(self, chat: ChatRequest) -> Reply:
        try:
            chat.body = parse(chat.raw)
            if chat.path == PATH:
                check_responses(chat.body, thinks=self.think)
            else:
                check_request(chat.body)
                self._check_effort(chat.body)
                if self.in_turn:
                    check_turns(chat.body["messages"])
            self._check_model(chat.body)
        except Refusal as refusal:
            return Reply.json(refusal.body, refusal.status)
        if self.latency:
            await asyncio.sleep(self.latency)
        for name in self.ignored:
            chat.body.pop(name, None)
        said = await self._next(chat)
        if chat.path != PATH or not isinstance(said, Answer):
            return said.reply(chat)
        whole = response(said, chat, thinks=self.think)
        return Reply(chunks=(*events(whole),), content_type=CONTENT_TYPE) if chat.streaming else Reply.json(whole)

    def _check_effort(self, body: dict[str, Any]) -> None:
        if self.responses_only and "tools" in body:
            text = (
                f"Function tools with reasoning_effort are not supported for {body['model']} in /v1/chat/completions."
                " To use function tools, use /v1/responses or set reasoning_effort to 'none'."
            )
            raise Refusal(text, param="reasoning_effort")
        if not self.think and "reasoning_effort" in body:
            text = "Unrecognized request argument supplied: reasoning_effort"
            raise Refusal(text, param="reasoning_effort", code="unknown_parameter")
        if self.newer_limit and "max_tokens" in body:
            text = "Unsupported parameter: 'max_tokens' is not supported with this model."
            raise Refusal(
                f"{text} Use 'max_completion_tokens' instead.", param="max_tokens", code="unsupported_parameter"
            )

    async def _send(self, request: Request, reply: Reply, send: ASGISendCallable) -> None:
        await super()._send(request, reply, paced(request, reply, send) if isinstance(reply, PacedReply) else send)

    def _check_model(self, body: dict[str, Any]) -> None:
        model = body["model"]
        if self.models is not None and model not in self.models:
            text = f"The model `{model}` does not exist or you do not have access to it."
            raise Refusal(text, status=404, code="model_not_found")
        for name in self.unknown:
            if name in body:
                raise Refusal(f"Unknown parameter: '{name}'.", param=name, code="unknown_parameter")
        if self.refuse_stream and body.get("stream"):
            text = "Unsupported value: 'stream' does not support true with this model. Only the default (false) value"
            raise Refusal(f"{text} is supported.", param="stream", code="unsupported_value")
        if self.refuse_tools and "tools" in body:
            raise Refusal(f"registry.ollama.ai/library/{model} does not support tools", kind="api_error")

    async def _next(self, chat: ChatRequest) -> Scripted:
        if self._script:
            return self._script.popleft()
        spoken = self._rule(chat) if self._rule else None
        if isawaitable(spoken):
            spoken = await spoken
        if spoken is None:
            spoken = f"You said: {chat.last_user_text}"
        return Answer(text=spoken) if isinstance(spoken, str) else spoken


def _model(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": int(time.time()), "owned_by": "emulator"}


def main() -> None:
    """Run the emulator as a process of its own."""
    parser = arguments("openai")
    parser.add_argument("--key", default=DEFAULT_KEY)
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before every answer")
    options = parser.parse_args()
    asyncio.run(run_forever(OpenAIServer(port=options.port, key=options.key, latency=options.latency), "openai"))


if __name__ == "__main__":
    main()

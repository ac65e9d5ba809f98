"""A call: one question to the model, with all the requests and attempts that it takes to get an answer."""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.agents.llm.openai.completion import answer_from_completion, counted, unread_usage, usage_of
from core.agents.llm.openai.failures import NothingSaid, TryAgain
from core.agents.llm.openai.lenient_json import BadJson
from core.agents.llm.openai.stream import Listener, Streamed, Whole
from core.kernel.errors import ModelRefused, ModelUnreachable
from core.kernel.ports import Clock
from core.kernel.types import Answer, ModelRequest, Usage
from core.language import pick

if TYPE_CHECKING:
    from core.agents.llm.openai.client_factory import Client

log = logging.getLogger(__name__)

FIRST_PAUSE = 0.5
STREAM: Mapping[str, Any] = {"stream": True, "stream_options": {"include_usage": True}}

Message = Mapping[str, Any]


@dataclass(kw_only=True)
class Call:
    """A question on its way to `model`. `end` is the loop's time in seconds, `took` what all attempts took so far.

    `options` go into every request; after the first attempt there are `max_retries` more.
    """

    client: Client
    clock: Clock
    model: str
    request: ModelRequest
    end: float
    options: Mapping[str, Any]
    max_retries: int
    took: Usage = Usage()

    async def send(
        self, messages: Sequence[Message], *, tools: Sequence[Any] = (), listener: Listener | None = None
    ) -> Answer:
        """Send; an answer that holds nothing is asked for once more.

        Raises `NothingSaid` when that brings nothing either, whatever the reason: the first answer has to be paid for.
        """
        body = {"messages": messages, **self.options, **({"tools": tools} if tools else {})}
        body |= STREAM if listener else {}
        try:
            return await self._attempt(body, listener)
        except NothingSaid as error:
            if asyncio.get_running_loop().time() + FIRST_PAUSE >= self.end:
                raise
            log.info("asked once more: %s", error)
            empty = error
        await self.clock.sleep(FIRST_PAUSE)
        try:
            return await self._attempt(body, listener)
        except (ModelUnreachable, ModelRefused) as error:
            raise NothingSaid(f"{empty} Then: {error}", empty.usage) from None

    async def _attempt(self, body: Mapping[str, Any], listener: Listener | None) -> Answer:
        """Send until there is an answer, the attempts are used up or the end comes too near.

        What each attempt took is counted, whatever comes of it.
        """
        for attempt in itertools.count():
            heard = Streamed(listener) if listener else None
            try:
                got, sent = await self.client.exchange(body, self.end, heard)
                break
            except asyncio.CancelledError:
                self.took += self._lost(body, heard)
                raise
            except TryAgain as error:
                if error.taken:
                    self.took += self._lost(body, heard)
                pause = FIRST_PAUSE * 2**attempt if error.pause is None else error.pause
                if attempt >= self.max_retries or asyncio.get_running_loop().time() + pause >= self.end:
                    raise
                log.info("model call failed, next attempt in %.1f s: %s", pause, error)
                await self.clock.sleep(pause)
        try:
            answer = self._read(got, counted(sent, body["messages"]))
        except NothingSaid as error:
            self.took += error.usage
            raise
        self.took += answer.usage
        return answer

    def _lost(self, body: Mapping[str, Any], heard: Streamed | None) -> Usage:
        """What an attempt took that brought no answer: as it was told, else by what was sent and heard."""
        sent = counted(len(json.dumps(body, default=str)), body["messages"])
        part = heard.part if heard else None
        if part is None:
            return unread_usage(self.model, sent, heard.size if heard else 0)
        return usage_of(part, self.model, sent)

    def _read(self, got: Whole | Streamed, sent: int) -> Answer:
        """Read what came. Raises `NothingSaid` when nothing in it can be read or shown."""
        withheld, taken = pick(self.request.language)["withheld"], call_ids(self.request)
        try:
            body = got.body()
        except BadJson as error:
            problem = f"Model {self.model} sent something unreadable. {error}"
            raise NothingSaid(problem, unread_usage(self.model, sent, got.size)) from None
        return answer_from_completion(body, model=self.model, sent_bytes=sent, taken=taken, withheld=withheld)


def call_ids(request: ModelRequest) -> frozenset[str]:
    """Return the ids of the tool calls of a conversation."""
    calls = [call for message in request.messages for call in message.get("tool_calls") or ()]
    return frozenset(str(call.get("id")) for call in calls if isinstance(call, dict))

"""Answers that are written piece by piece, while the test looks on."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from tests.emulators.loopback import Reply, Request
from tests.emulators.openai_answers import DONE, EVENT_STREAM, Answer, Call, ChatRequest, Chunks, data

if TYPE_CHECKING:
    from uvicorn._types import ASGISendCallable

# A text or a call is the model's, a dict is sent as an event and bytes as they are; seconds pass, and an event of
# asyncio is waited for.
Step = str | Call | Mapping[str, Any] | bytes | float | asyncio.Event
Wait = float | asyncio.Event


@dataclass(frozen=True, slots=True, kw_only=True)
class PacedReply(Reply):
    """A reply that waits before the chunks named in *waits*, by their number."""

    waits: Mapping[int, Wait] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Streamed:
    """An answer in *steps*.

    Without ``done`` neither finish_reason nor usage nor [DONE] comes. With ``cut`` the connection breaks at the end.
    A request that wants no stream gets texts and calls in one piece.
    """

    steps: tuple[Step, ...]
    done: bool = True
    cut: bool = False

    def reply(self, request: ChatRequest) -> Reply:
        """Return the answer as *request* wants it."""
        calls = tuple(step for step in self.steps if isinstance(step, Call))
        answer = Answer(text="".join(step for step in self.steps if isinstance(step, str)) or None, calls=calls)
        if not request.streaming:
            return answer.reply(request)
        chunks = list(self._chunks(Chunks(request)))
        if self.done:
            message = {"role": "assistant", "content": answer.text}
            end = Chunks(request).end(message, "tool_calls" if calls else "stop")
            chunks += [*map(data, end), DONE]
        waits = {number: chunk for number, chunk in enumerate(chunks) if not isinstance(chunk, bytes)}
        sent = tuple(chunk if isinstance(chunk, bytes) else b"" for chunk in chunks)
        return PacedReply(chunks=sent, content_type=EVENT_STREAM, cut=self.cut, waits=waits)

    def _chunks(self, chunks: Chunks) -> Iterator[bytes | Wait]:
        calls = 0
        for step in self.steps:
            if isinstance(step, str):
                yield data(chunks.delta({"content": step}))
            elif isinstance(step, Call):
                yield from map(data, chunks.call(calls, step.as_json()))
                calls += 1
            elif isinstance(step, Mapping):
                yield data(step)
            else:
                yield step


def paced(request: Request, reply: PacedReply, send: ASGISendCallable) -> ASGISendCallable:
    """Return *send* with the waits of *reply*; who hangs up is waited for no longer."""
    sent = 0

    async def slowly(event: Any) -> None:
        nonlocal sent
        if event["type"] == "http.response.body":
            if sent in reply.waits:
                await _wait(request, reply.waits[sent])
            sent += 1
        await send(event)

    return cast("ASGISendCallable", slowly)


async def _wait(request: Request, wait: Wait) -> None:
    over = wait.wait() if isinstance(wait, asyncio.Event) else asyncio.sleep(wait)
    tasks = {asyncio.ensure_future(over), asyncio.ensure_future(request.gone())}
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()

"""Answers heard while they are written: the real openai client, real sockets, and servers that stream as they like."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from core.agents.llm.openai import completion as streams
from core.agents.llm.openai.client import OpenAIModel
from core.kernel.errors import ModelRefused, ModelUnreachable
from core.kernel.types import ModelRequest
from core.language import pick
from tests.emulators.openai import OpenAIServer
from tests.emulators.openai_answers import Call, ChatRequest
from tests.openai_client import HI, KEY, SYSTEM, QuickClock, asked, connected

SSE = {"content-type": "text/event-stream"}


class Ear:
    """Somebody who listens."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.something = asyncio.Event()

    def __call__(self, text: str) -> None:
        self.heard.append(text)
        self.something.set()


@pytest.fixture
async def server() -> AsyncIterator[OpenAIServer]:
    async with OpenAIServer(key=KEY) as running:
        yield running


@pytest.fixture
def clock() -> QuickClock:
    return QuickClock()


@pytest.fixture
async def model(server: OpenAIServer, clock: QuickClock) -> AsyncIterator[OpenAIModel]:
    async with connected(server, clock) as ready:
        yield ready


@pytest.fixture
def ear() -> Ear:
    return Ear()


def told(ear: Ear, seconds: float | None = None) -> ModelRequest:
    return replace(asked(seconds=seconds), listen=ear)


def chunk(text: str, **more: Any) -> bytes:
    event = {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": None}], **more}
    return b"data: " + json.dumps(event).encode() + b"\n\n"


async def test_the_text_is_heard_while_the_model_still_writes(
    server: OpenAIServer, model: OpenAIModel, ear: Ear
) -> None:
    server.stream("Once ", "upon ", ear.something, "a time.")
    answer = await model.complete(told(ear))
    assert answer.text == "Once upon a time."
    assert ear.heard[0] in ("Once ", "Once upon ")
    assert all("Once upon a time.".startswith(text) for text in ear.heard)
    assert server.requests[0].body["stream"] is True


async def test_nobody_hears_what_a_model_thinks_aloud(server: OpenAIServer, model: OpenAIModel, ear: Ear) -> None:
    server.stream("<think>They ", 0.2, "want tea.", 0.2, "</think>\n\n", "Tea is ", ear.something, "at five.")
    assert (await model.complete(told(ear))).text == "Tea is at five."
    assert all("Tea is at five.".startswith(text) for text in ear.heard)


async def test_a_stream_and_a_whole_answer_come_to_the_same(server: OpenAIServer, model: OpenAIModel, ear: Ear) -> None:
    for _ in range(2):
        server.calls(Call("echo", {"value": "你好 " * 20}, "call_a"), Call("echo", "{", "call_b"), text="Let me see.")
    heard, whole = await model.complete(told(ear)), await model.complete(asked())
    assert heard.calls == whole.calls
    assert [call.problem == "" for call in heard.calls] == [True, False]
    assert heard.text == whole.text == "Let me see."
    assert heard.usage.tokens_out == whole.usage.tokens_out
    assert "你" not in "".join(ear.heard)


async def test_who_does_not_listen_asks_as_before(server: OpenAIServer, model: OpenAIModel, ear: Ear) -> None:
    await model.complete(asked())
    await model.complete(told(ear))
    silent, streamed = (json.loads(request.raw) for request in server.requests)
    added = {"stream": True, "stream_options": {"include_usage": True}}
    assert streamed == {**silent, **added}
    assert added.keys().isdisjoint(silent)


async def test_a_connection_serves_stream_after_stream(server: OpenAIServer, model: OpenAIModel, ear: Ear) -> None:
    connections: set[int] = set()

    def count(request: ChatRequest) -> str:
        connections.add(len(server._state.connections))
        return "Fine."

    server.reply_with(count)
    for _ in range(5):
        assert (await model.complete(told(ear))).text == "Fine."
    assert connections == {1}


async def test_the_usage_is_estimated_where_the_stream_names_none(
    server: OpenAIServer, model: OpenAIModel, ear: Ear
) -> None:
    server.raw(chunk("x" * 400) + b"data: [DONE]\n\n", headers=SSE)
    usage = (await model.complete(told(ear))).usage
    assert usage.tokens_in == (len(server.requests[0].raw) + 3) // 4
    assert 100 <= usage.tokens_out < 130


ODD: dict[str, bytes] = {
    "CRLF, comments, no space": b": OPENROUTER PROCESSING\r\n\r\ndata:"
    + b'{"choices":[{"delta":{"content":"Hi"}}]}\r\n\r\ndata:[DONE]\r\n\r\n',
    "several lines": b'data: {"choices":\ndata: [{"delta":{"content":"Hi"}}]}\n\ndata: [DONE]\n\n',
    "no [DONE]": chunk("Hi") + b'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n',
    "no [DONE] and no empty line": chunk("Hi") + b'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}',
    "empty and null choices": b'data: {"choices":[]}\n\ndata: {"choices":null}\n\n' + chunk("Hi") + b"data: [DONE]\n\n",
    "null deltas": b'data: {"choices":[{"delta":null}]}\n\n' + chunk("Hi") + b"data: [DONE]\n\n",
    "one whole message": b'data: {"choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}]}\n\n',
    "plain JSON": b'{"choices":[{"message":{"content":"Hi"}}]}',
    "indented JSON": json.dumps({"choices": [{"message": {"content": "Hi"}}]}, indent=1).encode(),
}


@pytest.mark.parametrize("kind", [SSE, {"content-type": "application/json"}], ids=["as a stream", "as JSON"])
@pytest.mark.parametrize("body", ODD.values(), ids=ODD.keys())
async def test_servers_stream_as_they_like(
    server: OpenAIServer, model: OpenAIModel, ear: Ear, body: bytes, kind: dict[str, str]
) -> None:
    server.raw(body, headers=kind)
    assert (await model.complete(told(ear))).text == "Hi"
    assert len(server.requests) == 1


async def test_a_server_that_ignores_the_wish_is_read_as_ever(
    server: OpenAIServer, model: OpenAIModel, ear: Ear
) -> None:
    server.ignored = ("stream", "stream_options")
    server.answer("Hello!")
    answer = await model.complete(told(ear))
    assert (answer.text, ear.heard) == ("Hello!", [])
    assert answer.usage.tokens_in == len(server.requests[0].raw) // 4


GARBAGE: dict[str, bytes] = {
    "nothing": b"",
    "comments only": b": wait\n\n",
    "a web page": b"<html>502 Bad Gateway</html>",
    "no choice": b'data: {"choices":[]}\n\ndata: [DONE]\n\n',
    "a broken chunk": chunk("Hi") + b"data: {broken\n\n" + chunk("Ho") + b"data: [DONE]\n\n",
    "not UTF-8": b'data: {"choices":[{"delta":{"content":"\xff"}}]}\n\ndata: [DONE]\n\n',
    "100,000 brackets": b"data: " + b"[" * 100_000 + b"\n\n",
    "an error in the middle": chunk("Half a ") + b'data: {"error":{"message":"overloaded","code":502}}\n\n',
    "an error at once": b'data: {"error":{"message":"overloaded","code":502}}\n\ndata: [DONE]\n\n',
}


@pytest.mark.parametrize("body", GARBAGE.values(), ids=GARBAGE.keys())
async def test_a_garbled_stream_is_asked_for_again(
    server: OpenAIServer, model: OpenAIModel, ear: Ear, body: bytes
) -> None:
    server.raw(body, headers=SSE)
    server.answer("Better.")
    answer = await model.complete(told(ear))
    assert answer.text == "Better."
    assert len(server.requests) == 2
    assert answer.usage.tokens_in > len(server.requests[0].raw) // 4
    assert set(ear.heard) <= {"Hi", "Half a ", "Better."}


@pytest.mark.parametrize("body", GARBAGE.values(), ids=GARBAGE.keys())
async def test_a_stream_that_stays_garbled_is_told_and_cuts_off_nobody(
    server: OpenAIServer, model: OpenAIModel, ear: Ear, body: bytes
) -> None:
    for _ in range(2):
        server.raw(body, headers=SSE)
    answer = await model.complete(told(ear))
    assert (answer.text, answer.calls) == (pick("en")["model_said_nothing"], ())
    assert len(server.requests) == 2
    assert model.reachable


async def test_a_filtered_stream_is_said(server: OpenAIServer, model: OpenAIModel, ear: Ear) -> None:
    server.stream({"choices": [{"delta": {"content": None}, "finish_reason": "content_filter"}]}, done=False)
    assert (await model.complete(told(ear))).text == pick("en")["withheld"]


async def test_a_stream_that_breaks_off_is_tried_again_and_heard_from_the_start(
    server: OpenAIServer, model: OpenAIModel, clock: QuickClock, ear: Ear
) -> None:
    # Heard before it breaks: the connection waits for that. The clock of the loop goes on as it likes.
    server.stream("Once upon", ear.something, 0.11, cut=True, done=False)
    server.stream("There ", "was.")
    answer = await model.complete(told(ear))
    assert answer.text == "There was."
    assert ear.heard[0] == "Once upon"
    assert all("There was.".startswith(text) for text in ear.heard[1:])
    assert len(clock.pauses) == 1
    assert model.reachable


@pytest.mark.parametrize("cut", [True, False])
async def test_a_stream_that_always_breaks_off_is_unreachable(
    server: OpenAIServer, model: OpenAIModel, ear: Ear, cut: bool
) -> None:
    for _ in range(3):
        server.stream("Once upon", cut=cut, done=False)
    with pytest.raises(ModelUnreachable):
        await model.complete(told(ear))
    assert (len(server.requests), model.reachable) == (3, False)


@pytest.mark.parametrize("begins", ["<think>", ""])
async def test_a_stream_that_goes_on_beyond_the_longest_answer_is_cut_and_shows_that_or_was_a_thought(
    server: OpenAIServer, model: OpenAIModel, ear: Ear, begins: str
) -> None:
    server.stream(begins, *["and so on "] * 400)
    answer = await model.complete(replace(told(ear), most_tokens=50))
    assert (answer.unsaid, answer.text.endswith("so on …"), len(ear.heard) > 0) == (
        (True, False, False) if begins else (False, True, True)
    )


async def test_half_a_call_is_no_call(server: OpenAIServer, model: OpenAIModel, ear: Ear) -> None:
    server.stream(Call("echo", {"value": "a"}), cut=True, done=False)
    server.answer("Done.")
    answer = await model.complete(told(ear))
    assert (answer.text, answer.calls) == ("Done.", ())


async def test_an_answer_that_was_finished_counts_although_the_connection_breaks(
    server: OpenAIServer, model: OpenAIModel, ear: Ear
) -> None:
    finish = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
    server.stream("Once.", finish, cut=True, done=False)
    assert (await model.complete(told(ear))).text == "Once."
    assert len(server.requests) == 1


async def test_a_finished_stream_that_is_never_closed_is_not_waited_for(
    server: OpenAIServer, model: OpenAIModel, ear: Ear, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "TAIL_SECONDS", 0.05)
    server.stream("Once.", b"data: [DONE]\n\n", asyncio.Event(), done=False)
    assert (await model.complete(told(ear))).text == "Once."
    assert (await model.complete(told(ear))).text == "You said: hi"


@pytest.mark.parametrize("steps", [(), ("Once upon",)], ids=["before the first word", "in the middle"])
async def test_a_stalled_stream_never_takes_longer_than_the_call_may(
    server: OpenAIServer, model: OpenAIModel, ear: Ear, steps: tuple[str, ...]
) -> None:
    server.stream(*steps, asyncio.Event())
    with pytest.raises(ModelUnreachable, match="in time"):
        await model.complete(told(ear, seconds=0.3))
    assert len(server.requests) == 1


async def test_a_slow_trickle_does_not_outwit_the_deadline(server: OpenAIServer, model: OpenAIModel, ear: Ear) -> None:
    server.stream(*[step for _ in range(100) for step in (b": wait\n\n", 0.02)])
    with pytest.raises(ModelUnreachable, match="in time"):
        await model.complete(told(ear, seconds=0.3))


@pytest.mark.parametrize(
    "pieces",
    [[b"x" * 1_100] * 2, [b"data: ", *[b"x" * 1_100] * 2], [chunk("x") * 100] * 100],
    ids=["body", "event", "stream"],
)
async def test_what_is_too_long_is_not_read_to_its_end(
    server: OpenAIServer, model: OpenAIModel, ear: Ear, pieces: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "MAX_BODY", 2_000)
    monkeypatch.setattr(streams, "MAX_STREAM", 8_000)
    for _ in range(2):
        server.stream(*pieces, asyncio.Event())
    answer = await model.complete(told(ear))
    assert answer.text == pick("en")["model_said_nothing"]
    # A block that has come is read whole, and may be as large as what a connection holds for its reader.
    assert 0 < answer.usage.tokens_out < max(2_000, len(b"".join(pieces)) / 8)


@pytest.mark.parametrize("kind", ["500", "502", "503", "429", "cut", "midway"])
async def test_a_passing_failure_is_tried_again(
    server: OpenAIServer, model: OpenAIModel, clock: QuickClock, ear: Ear, kind: str
) -> None:
    server.answer("word " * 100)
    server.fault(kind, times=2)
    assert (await model.complete(told(ear))).text
    assert (len(server.requests), len(clock.pauses)) == (3, 2)
    assert all(json.loads(request.raw)["stream"] for request in server.requests)


async def test_a_refusal_is_a_refusal_without_the_key(server: OpenAIServer, model: OpenAIModel, ear: Ear) -> None:
    server.raw({"error": {"message": f"No: {KEY}"}}, status=403)
    with pytest.raises(ModelRefused, match="may not use") as refused:
        await model.complete(told(ear))
    assert KEY not in str(refused.value)
    assert len(server.requests) == 1


REFUSALS: dict[str, tuple[int, Any]] = {
    "not verified": (
        400,
        {"error": {"message": "Your organization must be verified to stream this model.", "param": "stream"}},
    ),
    "a validator": (422, {"message": {"detail": [{"type": "extra_forbidden", "loc": ["body", "stream_options"]}]}}),
    "tools": (400, {"error": {"message": "Tools are not supported in streaming mode."}}),
    "llama.cpp": (500, {"error": {"code": 500, "message": "Cannot use tools with stream", "type": "server_error"}}),
}


@pytest.mark.parametrize(("status", "said"), REFUSALS.values(), ids=REFUSALS.keys())
async def test_a_refused_stream_is_asked_for_in_one_piece(
    server: OpenAIServer, model: OpenAIModel, ear: Ear, status: int, said: Any
) -> None:
    server.raw(said, status=status)
    for _ in range(2):
        server.call("echo", {"value": "a"})
    for _ in range(2):
        assert [call.name for call in (await model.complete(told(ear))).calls] == ["echo"]
    assert [json.loads(request.raw).get("stream") for request in server.requests] == [True, None, None]
    assert server.requests[2].tool_names == ["echo"]


async def test_that_streams_are_refused_is_remembered_and_said_once(
    server: OpenAIServer, model: OpenAIModel, ear: Ear, caplog: pytest.LogCaptureFixture
) -> None:
    server.refuse_stream = True
    with caplog.at_level(logging.WARNING, logger="core.agents.llm.openai.client"):
        answers = await asyncio.gather(*(model.complete(told(ear)) for _ in range(3)))
        answers.append(await model.complete(told(ear)))
    assert {answer.text for answer in answers} == {"You said: hi"}
    assert len(server.requests) == 7
    assert [record.name for record in caplog.records].count("core.agents.llm.openai.client") == 1


async def test_a_parameter_the_server_does_not_know_is_a_refused_stream(
    server: OpenAIServer, model: OpenAIModel, ear: Ear
) -> None:
    server.unknown = ("stream_options",)
    assert (await model.complete(told(ear))).text == "You said: hi"
    assert (await model.complete(told(ear))).text == "You said: hi"
    assert len(server.requests) == 3


async def test_what_is_refused_without_a_stream_too_says_nothing_about_streams(
    server: OpenAIServer, model: OpenAIModel, ear: Ear
) -> None:
    for _ in range(2):
        server.raw({"error": {"message": "You wrote: stream"}}, status=400)
    with pytest.raises(ModelRefused, match="You wrote"):
        await model.complete(told(ear))
    await model.complete(told(ear))
    assert [json.loads(request.raw).get("stream") for request in server.requests] == [True, None, True]


async def test_the_text_protocol_is_never_heard(server: OpenAIServer, clock: QuickClock, ear: Ear) -> None:
    server.answer('{"tool_calls":[],"result":{"status":"done","text":"Done."}}')
    async with connected(server, clock, tool_calls="json") as model:
        assert (await model.complete(told(ear))).text == "Done."
    assert ear.heard == []
    assert "stream" not in server.requests[0].body


async def test_a_model_without_tools_is_still_found_out(server: OpenAIServer, model: OpenAIModel, ear: Ear) -> None:
    server.refuse_tools = True
    server.answer("Just words.")
    assert (await model.complete(told(ear))).text == "Just words."
    assert [json.loads(request.raw).get("stream") for request in server.requests] == [True, None]


async def test_a_listener_that_raises_spoils_nothing(
    server: OpenAIServer, model: OpenAIModel, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(text: str) -> None:
        raise RuntimeError("no ears")

    server.answer("word " * 100)
    answer = await model.complete(ModelRequest(messages=(SYSTEM, HI), listen=fail))
    assert answer.text.startswith("word word")
    assert [record.name for record in caplog.records].count("core.agents.llm.openai.completion") == 1


async def test_a_call_that_is_stopped_lets_go_of_the_stream(server: OpenAIServer, model: OpenAIModel, ear: Ear) -> None:
    server.stream("Once ", asyncio.Event())
    task = asyncio.create_task(model.complete(told(ear)))
    await ear.something.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert model.reachable
    assert (await model.complete(told(ear))).text == "You said: hi"

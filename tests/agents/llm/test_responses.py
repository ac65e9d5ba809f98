"""The Responses API by the real client, against a strict server over real sockets."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from core.agents.llm.openai.client import OpenAIModel
from core.agents.transcript import answer_message, dump, load, result_message
from core.kernel.errors import ModelRefused
from core.kernel.types import Role, ToolResult
from tests.emulators.openai import COMPLETIONS, OpenAIServer
from tests.emulators.openai_answers import Call
from tests.emulators.openai_responses import PATH
from tests.openai_client import HI, KEY, SYSTEM, QuickClock, asked, connected


@pytest.fixture
async def server() -> AsyncIterator[OpenAIServer]:
    async with OpenAIServer(key=KEY) as running:
        yield running


@pytest.fixture
async def model(server: OpenAIServer) -> AsyncIterator[OpenAIModel]:
    async with connected(server, QuickClock(), api="responses", effort="low") as ready:
        yield ready


def paths(server: OpenAIServer) -> list[str]:
    return [one.path for one in server.requests]


async def test_a_text_arrives_and_nothing_stays_at_the_server(server: OpenAIServer, model: OpenAIModel) -> None:
    server.answer("Hello!")
    answer = await model.complete(replace(asked(), cache_key="lane-1", most_tokens=77))
    assert (answer.text, answer.calls) == ("Hello!", ())
    body = server.requests[0].body
    assert (body["store"], body["prompt_cache_key"], body["max_output_tokens"]) == (False, "lane-1", 77)
    assert (body["reasoning"], body["include"]) == ({"effort": "low"}, ["reasoning.encrypted_content"])
    assert body["tools"][0]["name"] == "echo"
    assert answer.usage.cached > 0
    assert 0 < answer.usage.reasoning < answer.usage.tokens_out


async def test_what_the_model_thought_goes_back_with_its_calls(server: OpenAIServer, model: OpenAIModel) -> None:
    server.calls(Call("echo", {"value": "a"}, "call_a"), Call("echo", {"value": "b"}, "call_b"), text="One moment.")
    server.answer("Done.")
    first = await model.complete(asked())
    assert [call.arguments["value"] for call in first.calls] == ["a", "b"]
    assert first.items[0]["encrypted_content"]
    # Over a crash, too.
    first = replace(load(dump(first)), usage=first.usage)
    results = [
        result_message(call, ToolResult(tool_name="echo", success=True, started_at=0, completed_at=0, result="x"))
        for call in first.calls
    ]
    assert (await model.complete(asked(SYSTEM, HI, answer_message(first), *results))).text == "Done."
    kinds = [one.get("role") or one["type"] for one in server.requests[1].body["input"]]
    assert kinds == [
        "system", "user", "reasoning", "assistant", "function_call", "function_call", "function_call_output",
        "function_call_output",
    ]  # fmt: skip


async def test_a_run_goes_on_where_its_thoughts_cannot_be_read_any_more(
    server: OpenAIServer, model: OpenAIModel
) -> None:
    server.call("echo", {"value": "a"}, id="call_a")
    first = await model.complete(asked())
    (call,) = first.calls
    result = result_message(call, ToolResult(tool_name="echo", success=True, started_at=0, completed_at=0, result="x"))
    said = "The encrypted content for item rs_1 could not be verified."
    server.raw({"error": {"message": said, "code": "invalid_encrypted_content"}}, 400)
    server.answer("Done.")
    assert (await model.complete(asked(SYSTEM, HI, answer_message(first), result))).text == "Done."
    sent = [[one.get("role") or one["type"] for one in request.body["input"]] for request in server.requests[1:]]
    calls = ["function_call", "function_call_output"]
    assert sent == [["system", "user", "reasoning", *calls], ["system", "user", *calls]]


async def test_whoever_listens_hears_it_while_it_is_written(server: OpenAIServer, model: OpenAIModel) -> None:
    text = "A long answer that comes in many pieces. " * 20
    server.answer(text)
    heard: list[str] = []
    answer = await model.complete(replace(asked(), listen=heard.append))
    assert answer.text == text
    assert heard
    assert all(text.startswith(one) for one in heard)
    server.call("echo", {"value": "é"}, id="call_a")
    (call,) = (await model.complete(replace(asked(), listen=heard.append))).calls
    assert call.arguments == {"value": "é"}


async def test_a_picture_is_shown(server: OpenAIServer, model: OpenAIModel) -> None:
    url = "data:image/png;base64,iVBORw0KGgo="
    parts = [{"type": "text", "text": "what is it?"}, {"type": "image_url", "image_url": {"url": url}}]
    server.answer("A square.")
    assert (await model.complete(asked(SYSTEM, {"role": "user", "content": parts}))).text == "A square."
    assert server.requests[0].body["input"][1]["content"][1] == {
        "type": "input_image", "image_url": url, "detail": "auto",
    }  # fmt: skip


async def test_a_model_that_takes_tools_only_there_is_asked_there_from_then_on(server: OpenAIServer) -> None:
    server.responses_only = True
    async with connected(server, QuickClock(), effort="low") as model:
        assert model.dialect == "chat"
        for text in ("One.", "Two."):
            server.answer(text)
            assert (await model.complete(asked())).text == text
        assert model.dialect == "responses"
    assert paths(server) == [COMPLETIONS, PATH, PATH]


async def test_who_has_chosen_chat_is_told_so_and_no_tools_are_written_as_text(server: OpenAIServer) -> None:
    server.responses_only = True
    async with connected(server, QuickClock(), api="chat", effort="low") as model:
        with pytest.raises(ModelRefused, match="the other endpoint"):
            await model.complete(asked())
    assert paths(server) == [COMPLETIONS]


async def test_a_server_without_the_endpoint_is_asked_by_chat(server: OpenAIServer) -> None:
    server.responses = False
    async with connected(server, QuickClock()) as model:
        model._own = True  # as OpenAI's own address would be
        for text in ("One.", "Two."):
            server.answer(text)
            assert (await model.complete(asked())).text == text
        assert model.dialect == "chat"
    assert paths(server) == [COMPLETIONS, COMPLETIONS]


@pytest.mark.parametrize("api", ["responses", "chat"])
async def test_a_model_that_does_not_think_is_not_told_how_much(server: OpenAIServer, api: str) -> None:
    server.think = False
    async with connected(server, QuickClock(), api=api, effort="low") as model:
        for text in ("One.", "Two."):
            server.answer(text)
            assert (await model.complete(asked())).text == text
    asked_for = [
        [name for name in ("reasoning", "reasoning_effort", "include") if name in one.body] for one in server.requests
    ]
    assert asked_for == (
        [["reasoning", "include"], ["include"], [], []] if api == "responses" else [["reasoning_effort"], [], []]
    )


@pytest.mark.parametrize("server_s", ["responses_only", "no_thoughts", "refuse_tools", "in_turn", "newer_limit"])
async def test_many_that_ask_at_once_learn_together_how_it_is_asked(server: OpenAIServer, server_s: str) -> None:
    server.think = server_s != "no_thoughts"
    if server_s != "no_thoughts":
        setattr(server, server_s, True)
    again = {"role": "system", "content": "It is noon."}
    async with connected(server, QuickClock(), effort="low") as model:
        answers = await asyncio.gather(*(model.complete(asked(SYSTEM, HI, again, HI)) for _ in range(5)))
        assert {answer.text.splitlines()[-1] for answer in answers} <= {"You said: hi", "You said: ", "hi"}
        refused = len(server.requests)
        await model.complete(asked(SYSTEM, HI, again, HI))
    assert len(server.requests) == refused + 1


async def test_a_template_that_takes_roles_in_turn_is_told_everything_so(server: OpenAIServer) -> None:
    server.in_turn = True
    server.answer("At noon.")
    said = [{"role": "assistant", "content": "⏰ tea"}, HI, {"role": "system", "content": "It is noon."}]
    parts = [
        {"type": "text", "text": "when?"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}},
    ]
    async with connected(server, QuickClock()) as model:
        answer = await model.complete(asked(SYSTEM, *said, {"role": "user", "content": parts}))
    assert answer.text == "At noon."
    assert [(one["role"], one["content"]) for one in server.requests[-1].body["messages"]] == [
        ("system", SYSTEM["content"]),
        ("user", "…"),
        ("assistant", "⏰ tea"),
        ("user", [{"type": "text", "text": "hi\n\nIt is noon."}, *parts]),
    ]


async def test_calls_and_their_results_stay_as_they_are_in_turn(server: OpenAIServer) -> None:
    server.in_turn = True
    async with connected(server, QuickClock()) as model:
        server.call("echo", {"value": "a"}, id="call_a")
        first = await model.complete(asked())
        result = ToolResult(tool_name="echo", success=True, started_at=0, completed_at=0, result="x")
        server.answer("Done.")
        messages = (SYSTEM, HI, answer_message(first), result_message(first.calls[0], result))
        assert (await model.complete(asked(*messages))).text == "Done."
    assert server.requests[-1].body["messages"] == [*messages]


async def test_a_role_may_have_a_model_of_its_own(server: OpenAIServer) -> None:
    async with connected(server, QuickClock(), models={Role.PLANNER: "gpt-plan"}) as model:
        for role in (Role.TELLER, Role.PLANNER):
            server.answer("Well.")
            answer = await model.complete(replace(asked(), role=role))
            assert answer.usage.model == server.requests[-1].body["model"]
    assert [one.body["model"] for one in server.requests] == ["gpt-test", "gpt-plan"]


GARBAGE: dict[str, bytes] = {
    "no output": b'{"output": null}',
    "an error with status 200": b'{"error": {"message": "overloaded"}, "output": []}',
    "a web page": b"<html>502</html>",
    "a list": b"[]",
    "empty output": b'{"output": [null, 7, {"type": "message", "content": "x"}]}',
}


@pytest.mark.parametrize("body", GARBAGE.values(), ids=GARBAGE)
async def test_garbage_is_an_answer_that_says_so(server: OpenAIServer, model: OpenAIModel, body: bytes) -> None:
    for _ in range(2):
        server.raw(body)
    answer = await model.complete(asked())
    assert not answer.calls
    assert model.reachable


async def test_a_stream_that_breaks_off_is_asked_again(server: OpenAIServer, model: OpenAIModel) -> None:
    server.raw(b'data: {"type": "response.output_text.delta", "delta": "half"}\n\n')
    server.answer("Whole.")
    assert (await model.complete(replace(asked(), listen=lambda text: None))).text == "Whole."


def chat_delta(**delta: object) -> bytes:
    return json.dumps({"choices": [{"index": 0, "delta": delta, "finish_reason": None}]}).encode()


def response_delta(kind: str) -> bytes:
    return json.dumps({"type": f"response.{kind}.delta", "delta": "x" * 50}).encode()


PIECE = {"index": 0, "id": "c", "function": {"name": "echo", "arguments": "x" * 50}}
ENDLESS: dict[str, tuple[str, bytes, bool]] = {
    "words": ("responses", response_delta("output_text"), True),
    "thoughts": ("responses", response_delta("reasoning_text"), False),
    "a call": ("responses", response_delta("function_call_arguments"), False),
    "words, chat": ("chat", chat_delta(content="x" * 50), True),
    "thoughts, chat": ("chat", chat_delta(reasoning_content="x" * 50), False),
    "a call, chat": ("chat", chat_delta(tool_calls=[PIECE]), False),
    "calls, chat": ("chat", chat_delta(tool_calls=[{"function": {"name": "echo", "arguments": "{}"}}]), False),
}


@pytest.mark.parametrize(("api", "event", "words"), ENDLESS.values(), ids=ENDLESS)
async def test_an_endless_stream_is_cut_and_counted_for_what_it_was(
    server: OpenAIServer, api: str, event: bytes, words: bool
) -> None:
    async with connected(server, QuickClock(), api=api, max_output_tokens=100) as model:
        server.raw((b"data: " + event + b"\n\n") * 20_000)
        answer = await model.complete(replace(asked(), listen=lambda text: None))
    assert len(server.requests) == 1
    assert answer.calls == ()
    assert answer.text.startswith("x" if words else "The model gave no answer")
    assert len(answer.text) < 1_000
    assert 100 < answer.usage.tokens_out < 1_500


@pytest.mark.parametrize(("cost", "counted"), [(0.0012, 1_200), (0, None)])
async def test_a_usage_of_nothing_is_estimated(server: OpenAIServer, cost: float, counted: int | None) -> None:
    message = {"role": "assistant", "content": "Hello there, how are you?"}
    usage = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0, "cost": cost}
    server.raw({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}], "usage": usage})
    async with connected(server, QuickClock()) as model:
        found = (await model.complete(asked())).usage
    assert found.tokens_in > 10
    assert found.tokens_out > 5
    assert found.cost_microdollars == counted

"""The Chat Completions emulator, driven by the real openai client over real sockets."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator
from typing import Any

import httpx
import openai
import pytest
from openai import AsyncOpenAI
from openai.types.chat import ChatCompletion

from tests.emulators.openai import DEFAULT_KEY, OpenAIServer
from tests.emulators.openai_answers import Answer, Call, ChatRequest

TOOL = {
    "type": "function",
    "function": {
        "name": "add",
        "description": "Add two numbers.",
        "parameters": {
            "type": "object",
            "properties": {"numbers": {"type": "array", "items": {"type": "number"}}},
            "required": ["numbers"],
        },
    },
}
USER = {"role": "user", "content": "hello"}


def called(*ids: str) -> dict[str, Any]:
    calls = [{"id": i, "type": "function", "function": {"name": "add", "arguments": "{}"}} for i in ids]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def answered(call_id: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": "3"}


@pytest.fixture
async def server() -> AsyncIterator[OpenAIServer]:
    async with OpenAIServer() as running:
        yield running


@pytest.fixture
async def client(server: OpenAIServer) -> AsyncIterator[AsyncOpenAI]:
    async with AsyncOpenAI(base_url=f"{server.url}/v1", api_key=DEFAULT_KEY, max_retries=0) as running:
        yield running


async def chat(client: AsyncOpenAI, *messages: dict[str, Any], **options: Any) -> ChatCompletion:
    body: dict[str, Any] = {"model": "m", "messages": list(messages) or [USER], **options}
    completion = await client.chat.completions.create(**body)
    assert isinstance(completion, ChatCompletion)
    return completion


async def post(server: OpenAIServer, body: object) -> httpx.Response:
    """Send what the client would refuse to send."""
    async with httpx.AsyncClient(headers={"Authorization": f"Bearer {DEFAULT_KEY}"}) as raw:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        return await raw.post(f"{server.url}/v1/chat/completions", content=content)


async def test_without_a_script_the_user_is_echoed(client: AsyncOpenAI) -> None:
    parts = {"role": "user", "content": [{"type": "text", "text": "two "}, {"type": "text", "text": "parts"}]}
    completion = await chat(client, {"role": "system", "content": "Be kind."}, parts)
    assert completion.choices[0].message.content == "You said: two parts"
    assert completion.choices[0].finish_reason == "stop"


async def test_scripted_answers_come_in_order_before_the_rule(server: OpenAIServer, client: AsyncOpenAI) -> None:
    server.reply_with(lambda request: f"rule for {request.last_user_text}")
    server.answer("first")
    server.answer("second", finish_reason="length")
    completions = [await chat(client) for _ in range(3)]
    said = [(c.choices[0].message.content, c.choices[0].finish_reason) for c in completions]
    assert said == [("first", "stop"), ("second", "length"), ("rule for hello", "stop")]


async def test_usage_is_a_quarter_of_the_bytes(server: OpenAIServer, client: AsyncOpenAI) -> None:
    completion = await chat(client)
    assert completion.usage is not None
    assert completion.usage.prompt_tokens == len(server.requests[0].raw) // 4
    assert completion.usage.total_tokens == completion.usage.prompt_tokens + completion.usage.completion_tokens


async def test_several_tool_calls_come_in_one_answer(server: OpenAIServer, client: AsyncOpenAI) -> None:
    server.calls(Call("add", {"numbers": [1]}, "call_1"), Call("add", "{broken"), text="Let me see.")
    completion = await chat(client, tools=[TOOL])
    message = completion.choices[0].message
    assert completion.choices[0].finish_reason == "tool_calls"
    assert message.content == "Let me see."
    assert [c.function.arguments for c in message.tool_calls or () if c.type == "function"] == [
        '{"numbers": [1]}',
        "{broken",
    ]
    assert server.requests[0].tool_names == ["add"]


async def test_a_rule_may_call_a_tool_and_then_speak(server: OpenAIServer, client: AsyncOpenAI) -> None:
    def rule(request: ChatRequest) -> Answer | str:
        if request.messages[-1]["role"] == "tool":
            return f"It is {request.last_text}."
        return Answer(calls=(Call("add", {"numbers": [1, 2]}, "call_1"),))

    server.reply_with(rule)
    first = await chat(client, tools=[TOOL])
    assert first.choices[0].message.tool_calls is not None
    asked = first.choices[0].message.model_dump(exclude_none=True)
    second = await chat(client, USER, asked, answered("call_1"), tools=[TOOL])
    assert second.choices[0].message.content == "It is 3."


async def test_a_stream_brings_text_calls_and_usage(server: OpenAIServer, client: AsyncOpenAI) -> None:
    server.calls(Call("add", {"numbers": list(range(20))}, "call_1"), text="A text longer than one piece of it.")
    stream = await client.chat.completions.create(
        model="m",
        messages=[{"role": "user", "content": "hello"}],
        stream=True,
        stream_options={"include_usage": True},
    )
    chunks = [chunk async for chunk in stream]
    deltas = [chunk.choices[0].delta for chunk in chunks if chunk.choices]
    pieces = [call for delta in deltas for call in delta.tool_calls or ()]
    arguments = "".join(piece.function.arguments or "" for piece in pieces if piece.function)
    assert "".join(delta.content or "" for delta in deltas) == "A text longer than one piece of it."
    assert json.loads(arguments) == {"numbers": list(range(20))}
    assert [piece.id for piece in pieces if piece.id] == ["call_1"]
    assert chunks[-2].choices[0].finish_reason == "tool_calls"
    assert chunks[-1].usage is not None


async def test_a_stream_can_break_in_the_middle(server: OpenAIServer, client: AsyncOpenAI) -> None:
    server.answer("word " * 100)
    server.fault("midway")
    stream = await client.chat.completions.create(
        model="m", messages=[{"role": "user", "content": "hello"}], stream=True
    )
    seen: list[str] = []

    async def read() -> None:
        async for chunk in stream:
            seen.append(chunk.choices[0].delta.content or "")

    with pytest.raises(openai.APIConnectionError):
        await read()
    assert "".join(seen).startswith("word word")


async def test_the_models_are_listed_and_others_do_not_exist(server: OpenAIServer, client: AsyncOpenAI) -> None:
    server.models = ["small", "large"]
    assert [model.id async for model in client.models.list()] == ["small", "large"]
    with pytest.raises(openai.NotFoundError, match="`m` does not exist"):
        await chat(client)


async def test_a_wrong_key_and_no_key_are_refused(server: OpenAIServer) -> None:
    async with AsyncOpenAI(base_url=f"{server.url}/v1", api_key="sk-wrong-key-1234", max_retries=0) as stranger:
        with pytest.raises(openai.AuthenticationError, match="Incorrect API key provided") as refused:
            await chat(stranger)
    assert refused.value.code == "invalid_api_key"
    assert "wrong-key" not in str(refused.value)
    async with httpx.AsyncClient() as raw:
        answer = await raw.post(f"{server.url}/v1/chat/completions", json={})
    assert (answer.status_code, server.requests) == (401, [])
    assert answer.json()["error"]["message"].startswith("You didn't provide an API key.")


@pytest.mark.parametrize(
    ("messages", "error"),
    [
        ([USER, called("c1")], "did not have response messages: c1"),
        ([USER, called("c1", "c2"), answered("c1"), USER], "did not have response messages: c2"),
        ([USER, called("c1"), USER, answered("c1")], "did not have response messages: c1"),
        ([USER, answered("c1")], "must be a response to a preceeding message with 'tool_calls'"),
        ([USER, called("c1"), answered("c1"), answered("c1")], "Duplicate value for 'tool_call_id'"),
        ([USER, called("c1"), answered("c2")], "must be a response to a preceeding message"),
        ([USER, called("c" * 41), answered("c" * 41)], "maximum length 40"),
        ([USER, {**called("c1"), "tool_calls": []}], "empty array"),
        ([USER, {"role": "assistant", "content": None}], "expected a string, got null"),
    ],
)
async def test_calls_and_answers_must_pair(client: AsyncOpenAI, messages: list[dict[str, Any]], error: str) -> None:
    with pytest.raises(openai.BadRequestError, match=error):
        await chat(client, *messages)


async def test_answers_may_come_in_any_order_right_after_the_call(client: AsyncOpenAI) -> None:
    await chat(client, USER, called("c1", "c2"), answered("c2"), answered("c1"), USER)


@pytest.mark.parametrize(
    ("change", "param"),
    [
        ({"messages": []}, "messages"),
        ({"messages": None}, "messages"),
        ({"model": 7}, "model"),
        ({"temperature": "hot"}, "temperature"),
        ({"shout": True}, "shout"),
        ({"messages": [{"role": "narrator", "content": "x"}]}, "messages[0].role"),
        ({"messages": [{"content": "x"}]}, "messages[0].role"),
        ({"messages": [{"role": "user"}]}, "messages[0].content"),
        ({"messages": [{"role": "user", "content": 5}]}, "messages[0].content"),
        ({"messages": [{**USER, "mood": "glad"}]}, "messages[0].mood"),
        ({"messages": [{"role": "user", "content": [{"type": "smell"}]}]}, "messages[0].content[0].type"),
        ({"tools": []}, "tools"),
        ({"tool_choice": "auto"}, "tool_choice"),
        ({"stream_options": {"include_usage": True}}, "stream_options"),
        ({"tools": [TOOL], "tool_choice": "sometimes"}, "tool_choice"),
        ({"tools": [TOOL, TOOL]}, "tools"),
        ({"n": 2}, "n"),
    ],
)
async def test_a_body_the_sdk_does_not_describe_is_refused(
    server: OpenAIServer, change: dict[str, Any], param: str
) -> None:
    answer = await post(server, {"model": "m", "messages": [USER], **change})
    assert (answer.status_code, answer.json()["error"]["param"]) == (400, param)
    assert server.requests[0].status == 400


async def test_a_body_without_its_required_keys_is_refused(server: OpenAIServer) -> None:
    answer = await post(server, {"messages": [USER]})
    assert answer.json()["error"]["message"] == "Missing required parameter: 'model'."
    assert (await post(server, b"{not json")).status_code == 400


@pytest.mark.parametrize(
    ("function", "error"),
    [
        ({"name": "a b"}, "does not match pattern"),
        ({"name": "a" * 65}, "maximum length 64"),
        ({"name": "a", "parameters": {}}, 'type: "object"'),
        ({"name": "a", "parameters": {"type": "object", "properties": {"x": {"type": "array"}}}}, "missing items"),
        ({"name": "a", "parameters": {"type": "object", "properties": {"x": 1}}}, "not of type 'object', 'boolean'"),
        ({"name": "a", "parameters": {"type": "object", "required": "x"}}, "not of type 'array'"),
        ({"name": "a", "strict": True, "parameters": {"type": "object"}}, "additionalProperties"),
        ({"description": "no name"}, "Missing required parameter: 'tools\\[0\\].function.name'"),
    ],
)
async def test_a_bad_tool_is_refused(client: AsyncOpenAI, function: dict[str, Any], error: str) -> None:
    with pytest.raises(openai.BadRequestError, match=error):
        await chat(client, tools=[{"type": "function", "function": function}])


async def test_a_model_without_tools_refuses_them_as_ollama_does(server: OpenAIServer, client: AsyncOpenAI) -> None:
    server.refuse_tools = True
    with pytest.raises(openai.BadRequestError, match="library/m does not support tools"):
        await chat(client, tools=[TOOL])
    await chat(client)


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("400", openai.BadRequestError),
        ("401", openai.AuthenticationError),
        ("403", openai.PermissionDeniedError),
        ("404", openai.NotFoundError),
        ("429", openai.RateLimitError),
        ("500", openai.InternalServerError),
        ("502", openai.InternalServerError),
        ("503", openai.InternalServerError),
        ("cut", openai.APIConnectionError),
        ("cut_after", openai.APIConnectionError),
        ("midway", openai.APIConnectionError),
    ],
)
async def test_a_scripted_fault_passes(
    server: OpenAIServer, client: AsyncOpenAI, kind: str, error: type[Exception]
) -> None:
    server.fault(kind)
    with pytest.raises(error):
        await chat(client)
    assert (await chat(client)).choices[0].message.content == "You said: hello"
    assert len(server.requests) == 2


async def test_a_late_fault_uses_up_the_script_and_an_early_one_does_not(
    server: OpenAIServer, client: AsyncOpenAI
) -> None:
    server.answer("only once")
    server.fault("cut")
    server.fault("cut_after")
    for left in (1, 0):
        with pytest.raises(openai.APIConnectionError):
            await chat(client)
        assert server.scripted == left


@pytest.mark.parametrize("wait", ["0.01", "abc"])
async def test_the_client_tries_again_after_a_429(server: OpenAIServer, wait: str) -> None:
    server.fault("429", retry_after=wait)
    async with AsyncOpenAI(base_url=f"{server.url}/v1", api_key=DEFAULT_KEY, max_retries=1) as patient:
        assert (await chat(patient)).choices[0].message.content == "You said: hello"
    assert [request.status for request in server.requests] == [429, 200]


@pytest.mark.parametrize("kind", ["slow", "slow_after", "hang"])
async def test_a_slow_model_outlasts_the_clients_patience(server: OpenAIServer, client: AsyncOpenAI, kind: str) -> None:
    server.fault(kind, delay=0.5)
    with pytest.raises(openai.APITimeoutError):
        await chat(client, timeout=0.1)


async def test_garbage_comes_through_as_it_is(server: OpenAIServer, client: AsyncOpenAI) -> None:
    server.raw({"id": "x", "object": "chat.completion", "choices": None})
    assert (await chat(client)).choices is None
    server.raw({"choices": []}, headers={"x-request-id": "r1"})
    assert (await chat(client)).choices == []
    server.raw(b"<html>", status=520)
    with pytest.raises(openai.InternalServerError):
        await chat(client)
    server.fault("garbage")
    assert (await post(server, {"model": "m", "messages": [USER]})).content == b"\x1f\x8b not JSON"


async def test_latency_delays_every_answer(server: OpenAIServer, client: AsyncOpenAI) -> None:
    server.latency = 0.1
    begin = time.monotonic()
    await asyncio.gather(*(chat(client) for _ in range(5)))
    assert time.monotonic() - begin >= 0.1


async def test_requests_are_recorded_byte_by_byte(server: OpenAIServer, client: AsyncOpenAI) -> None:
    sending = asyncio.create_task(chat(client, {"role": "user", "content": "héllo"}))
    (request,) = await server.wait_requests(1)
    await sending
    assert json.loads(request.raw)["messages"] == request.messages == [{"role": "user", "content": "héllo"}]
    assert (request.status, request.delivered) == (200, True)


async def test_an_unknown_address_is_not_found(client: AsyncOpenAI) -> None:
    with pytest.raises(openai.NotFoundError, match="Invalid URL"):
        await client.embeddings.create(model="m", input="x")


async def test_the_emulator_runs_as_a_process_and_is_driven_over_http() -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.emulators.openai", "--latency", "0.01", stdout=asyncio.subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        line = (await process.stdout.readline()).decode()
        assert line.startswith("openai emulator on http://127.0.0.1:")
        await converse(line.split()[-1])
    finally:
        process.terminate()
        assert await process.wait() == 0


async def converse(url: str) -> None:
    async with (
        AsyncOpenAI(base_url=f"{url}/v1", api_key=DEFAULT_KEY, max_retries=0) as client,
        httpx.AsyncClient(base_url=f"{url}/_control") as tester,
    ):
        await tester.post("/answer", json={"text": "scripted"})
        assert (await chat(client)).choices[0].message.content == "scripted"
        await tester.post("/set", json={"refuse_tools": True})
        with pytest.raises(openai.BadRequestError, match="does not support tools"):
            await chat(client, tools=[TOOL])
        assert [request["status"] for request in (await tester.get("/requests")).json()] == [200, 400]
        assert (await tester.post("/set", json={"key": "x"})).status_code == 400

"""What the Chat Completions emulator streams, and the pictures it takes."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from tests.emulators.openai import DEFAULT_KEY, OpenAIServer
from tests.emulators.openai_answers import Call
from tests.emulators.openai_parts import PICTURE_TOKENS

PIXELS = base64.b64encode(b"\xff\xd8\xff picture").decode()
WISH = {"stream": True, "stream_options": {"include_usage": True}}


@pytest.fixture
async def server() -> AsyncIterator[OpenAIServer]:
    async with OpenAIServer() as running:
        yield running


@pytest.fixture
async def client(server: OpenAIServer) -> AsyncIterator[httpx.AsyncClient]:
    headers = {"Authorization": f"Bearer {DEFAULT_KEY}"}
    async with httpx.AsyncClient(headers=headers, base_url=f"{server.url}/v1") as running:
        yield running


def asking(*parts: object, **more: Any) -> dict[str, Any]:
    return {"model": "m", "messages": [{"role": "user", "content": list(parts) or "hi"}], **more}


def picture(url: object) -> dict[str, Any]:
    return {"type": "image_url", "image_url": {"url": url}}


def events(body: str) -> list[Any]:
    *found, end = [line.removeprefix("data: ") for line in body.split("\n\n") if line]
    assert end == "[DONE]"
    return [json.loads(one) for one in found]


async def test_a_stream_comes_in_the_pieces_of_its_script(server: OpenAIServer, client: httpx.AsyncClient) -> None:
    server.stream("One ", {"choices": []}, "two", Call("add", {"x": 1}, "call_1"))
    answer = await client.post("/chat/completions", json=asking(**WISH))
    assert answer.headers["content-type"].startswith("text/event-stream")
    *chunks, usage = events(answer.text)
    deltas = [choice["delta"] for chunk in chunks for choice in chunk["choices"]]
    assert [delta["content"] for delta in deltas if "content" in delta] == ["One ", "two"]
    assert [call["id"] for delta in deltas for call in delta.get("tool_calls", ()) if "id" in call] == ["call_1"]
    assert chunks[-1]["choices"][0]["finish_reason"] == "tool_calls"
    assert usage["usage"]["total_tokens"] > 0


async def test_a_script_of_pieces_is_one_answer_for_who_wants_no_stream(
    server: OpenAIServer, client: httpx.AsyncClient
) -> None:
    server.stream("One ", 60.0, "two")
    answer = (await client.post("/chat/completions", json=asking())).json()
    assert answer["choices"][0]["message"]["content"] == "One two"


async def test_a_stream_waits_for_the_test_and_may_break(server: OpenAIServer, client: httpx.AsyncClient) -> None:
    gate = asyncio.Event()
    server.stream("One", gate, b": raw\n\n", cut=True, done=False)
    async with client.stream("POST", "/chat/completions", json=asking(**WISH)) as answer:
        blocks = answer.aiter_bytes()
        assert json.loads((await anext(blocks)).removeprefix(b"data: "))["choices"][0]["delta"] == {"content": "One"}
        gate.set()
        assert await anext(blocks) == b": raw\n\n"
        with pytest.raises(httpx.RemoteProtocolError):
            await anext(blocks)


async def test_who_hangs_up_is_not_waited_for(server: OpenAIServer, client: httpx.AsyncClient) -> None:
    server.stream("One", asyncio.Event())
    async with client.stream("POST", "/chat/completions", json=asking(**WISH)) as answer:
        assert await anext(answer.aiter_bytes())
    async with asyncio.timeout(5.0):
        await asyncio.gather(*server._state.tasks)


@pytest.mark.parametrize(
    ("setting", "value", "param"),
    [("refuse_stream", True, "stream"), ("unknown", ["stream_options"], "stream_options")],
)
async def test_streams_are_refused_on_request(
    server: OpenAIServer, client: httpx.AsyncClient, setting: str, value: object, param: str
) -> None:
    await client.post(f"{server.url}/_control/set", json={setting: value})
    answer = await client.post("/chat/completions", json=asking(**WISH))
    assert (answer.status_code, answer.json()["error"]["param"]) == (400, param)
    assert (await client.post("/chat/completions", json=asking())).status_code == 200


async def test_the_wish_for_a_stream_can_be_ignored(server: OpenAIServer, client: httpx.AsyncClient) -> None:
    server.ignored = ("stream",)
    answer = (await client.post("/chat/completions", json=asking(**WISH))).json()
    assert answer["choices"][0]["message"]["content"] == "You said: hi"


@pytest.mark.parametrize("kind", ["jpeg", "png", "gif", "webp"])
async def test_a_picture_is_taken_and_weighs_the_same_whatever_its_size(client: httpx.AsyncClient, kind: str) -> None:
    text = {"type": "text", "text": "What is it?"}
    counts = []
    for data in (PIXELS, base64.b64encode(b"x" * 60_000).decode()):
        body = asking(text, picture(f"data:image/{kind};base64,{data}"))
        counts.append((await client.post("/chat/completions", json=body)).json()["usage"]["prompt_tokens"])
    assert counts[0] == counts[1]
    assert PICTURE_TOKENS < counts[0] < PICTURE_TOKENS + 100


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("picture.jpg", "invalid_url"),
        ("file:///etc/passwd", "invalid_url"),
        (f"data:text/plain;base64,{PIXELS}", "invalid_image_format"),
        (f"data:image/jpeg,{PIXELS}", "invalid_base64"),
        ("data:image/jpeg;base64,", "invalid_base64"),
        ("data:image/jpeg;base64,***", "invalid_base64"),
        (f"data:image/jpeg;base64,{PIXELS[:-1]}", "invalid_base64"),
        (5, "invalid_type"),
    ],
)
async def test_a_picture_nobody_could_read_is_refused(client: httpx.AsyncClient, url: object, code: str) -> None:
    answer = await client.post("/chat/completions", json=asking(picture(url)))
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, code)


@pytest.mark.parametrize(
    "part", [{"type": "picture"}, {"type": "image_url"}, {"type": "image_url", "image_url": PIXELS}, {"text": "x"}, "x"]
)
async def test_a_part_the_sdk_does_not_describe_is_refused(client: httpx.AsyncClient, part: object) -> None:
    assert (await client.post("/chat/completions", json=asking(part))).status_code == 400

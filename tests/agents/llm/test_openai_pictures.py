"""Pictures in a conversation: to a model that sees, to one that is spoken to in texts, and what they count."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator, Mapping
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from core.agents.budget import Budget
from core.agents.llm.openai.completion import PICTURE_TOKENS, counted
from core.agents.llm.openai.text_protocol import PICTURE, flatten
from core.kernel.types import ModelRequest
from tests.emulators.openai import OpenAIServer
from tests.openai_client import KEY, SYSTEM, QuickClock, asked, connected


@pytest.fixture
async def server() -> AsyncIterator[OpenAIServer]:
    async with OpenAIServer(key=KEY) as running:
        yield running


def seen(size: int = 90_000) -> Mapping[str, Any]:
    """A message with a text and a picture of `size` bytes."""
    url = f"data:image/jpeg;base64,{base64.b64encode(b'x' * size).decode()}"
    parts = [{"type": "text", "text": "What is it?"}, {"type": "image_url", "image_url": {"url": url}}]
    return {"role": "user", "content": parts}


async def test_a_picture_reaches_the_model_as_it_is(server: OpenAIServer) -> None:
    server.answer("A cat.")
    async with connected(server, QuickClock()) as model:
        assert (await model.complete(asked(SYSTEM, seen()))).text == "A cat."
    assert server.requests[0].messages == [SYSTEM, seen()]


async def test_in_texts_a_picture_is_a_note_that_there_was_one(server: OpenAIServer) -> None:
    server.answer("I cannot see it.")
    async with connected(server, QuickClock(), tool_calls="json") as model:
        await model.complete(asked(SYSTEM, seen()))
    assert server.requests[0].messages[1] == {"role": "user", "content": f"What is it?\n{PICTURE}"}
    assert len(server.requests[0].raw) < 2_000


async def test_where_usage_is_estimated_a_picture_counts_the_same_whatever_its_size(server: OpenAIServer) -> None:
    counts = []
    async with connected(server, QuickClock()) as model:
        for size in (30, 90_000):
            server.raw({"choices": [{"message": {"content": "A cat."}}]})
            counts.append((await model.complete(asked(SYSTEM, seen(size)))).usage.tokens_in)
        for _ in range(2):
            server.raw(b"garbage")
        counts.append((await model.complete(asked(SYSTEM, seen()))).usage.tokens_in // 2)
    assert counts[0] == counts[1] == counts[2]
    assert PICTURE_TOKENS < counts[0] < PICTURE_TOKENS + 200


def test_a_budget_holds_the_same_for_every_picture() -> None:
    budget = Budget(1_000, ZoneInfo("UTC"), QuickClock())
    small, large = (budget._size(ModelRequest(messages=(SYSTEM, seen(size), seen(size)))) for size in (30, 90_000))
    assert small == large
    assert 2 * PICTURE_TOKENS < small // 4 < 2 * PICTURE_TOKENS + 200
    assert budget._size(ModelRequest(messages=(SYSTEM,))) < 100


@pytest.mark.parametrize(
    "content",
    [None, "x", [], [None, "x"], [{"type": "text", "text": "x"}], [{"type": "image_url", "text": "x"}]],
)
def test_nothing_but_the_address_of_a_picture_is_left_out_of_the_count(content: object) -> None:
    pictures = str(content).count("image_url")
    assert counted(100, [{"content": content}, {}]) == 100 + pictures * PICTURE_TOKENS * 4


def test_no_picture_is_left_anywhere_in_plain_texts() -> None:
    call = {"id": "a", "function": {"name": "look", "arguments": "{}"}}
    said = {"role": "assistant", "tool_calls": [call], "content": seen()["content"]}
    result = {"role": "tool", "tool_call_id": "a", "content": seen()["content"]}
    flat = flatten([seen(), said, result])
    assert all(isinstance(message["content"], str) for message in flat)
    assert "base64" not in str(flat)

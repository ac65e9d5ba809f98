"""How many tokens a server shows its model, as different servers say it."""

from __future__ import annotations

from typing import Any

import pytest

from core.agents.llm.openai.check import window_of
from core.agents.llm.openai.client import OpenAIModel
from tests.emulators.openai import DEFAULT_KEY, OpenAIServer
from tests.fakes import FakeClock

OLLAMA = {"owned_by": "library"}


@pytest.mark.parametrize(
    ("described", "pages", "window"),
    [
        ({}, {}, None),
        ({"max_model_len": 8_192}, {}, 8_192),
        ({"context_length": 131_072}, {}, 131_072),
        ({"loaded_context_length": 4_096, "max_context_length": 131_072}, {}, 4_096),
        ({"context_length": True, "max_model_len": "4096"}, {}, None),
        ({"owned_by": "llamacpp"}, {"/props": {"default_generation_settings": {"n_ctx": 4_096}}}, 4_096),
        ({"owned_by": "llamacpp"}, {"/props": []}, None),
        (OLLAMA, {}, 4_096),
        (OLLAMA, {"/api/show": {"parameters": "temperature 0.7\nnum_ctx    16384"}}, 16_384),
        (OLLAMA, {"/api/ps": {"models": [{"name": "emulated:latest", "context_length": 32_768}]}}, 32_768),
        (OLLAMA, {"/api/ps": {"models": [{"name": "another", "context_length": 32_768}]}}, 4_096),
    ],
)
async def test_servers_say_it_in_different_ways(
    described: dict[str, Any], pages: dict[str, Any], window: int | None
) -> None:
    async with OpenAIServer() as server:
        server.described, server.pages = described, pages
        assert await window_of(f"{server.url}/v1", DEFAULT_KEY, "emulated", 5.0) == window


async def test_where_nobody_answers_nothing_is_known() -> None:
    assert await window_of("http://127.0.0.1:1/v1", None, "m", 1.0) is None


async def test_it_is_asked_once_in_a_while() -> None:
    clock = FakeClock()
    async with OpenAIServer() as server:
        model = OpenAIModel(f"{server.url}/v1", DEFAULT_KEY, "emulated", clock=clock)
        server.described = {"max_model_len": 8_192}
        assert await model.window() == 8_192
        server.described = {"max_model_len": 16_384}
        assert await model.window() == 8_192
        clock.advance(3_601)
        assert await model.window() == 16_384


async def test_of_openai_s_own_models_it_is_not_asked() -> None:
    assert await OpenAIModel("https://api.openai.com/v1", DEFAULT_KEY, "gpt-5-mini").window() is None

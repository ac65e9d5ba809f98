"""What the tests of the openai client share."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import fields
from typing import Any

from core.agents.llm.openai.client import CallLimits, Manner, OpenAIModel
from core.kernel.types import ModelRequest
from tests.emulators.openai import OpenAIServer

KEY = "sk-canary-0123456789"
ECHO: Mapping[str, Any] = {
    "type": "function",
    "function": {
        "name": "echo",
        "description": "Give a text back.",
        "parameters": {"type": "object", "properties": {"value": {"type": "string"}}, "required": ["value"]},
    },
}
SYSTEM = {"role": "system", "content": "You are Teller."}
HI = {"role": "user", "content": "hi"}


class QuickClock:
    """Pauses are noted instead of made; `monotonic` moves only by hand."""

    def __init__(self) -> None:
        self.pauses: list[float] = []
        self.seconds = 0.0

    def now(self) -> int:
        return 1_795_795_200_000  # 2026-11-27T16:00:00Z

    def monotonic(self) -> float:
        return self.seconds

    async def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)


def asked(*messages: Mapping[str, Any], tools: bool = True, seconds: float | None = None) -> ModelRequest:
    deadline = None if seconds is None else asyncio.get_running_loop().time() + seconds
    return ModelRequest(messages=messages or (SYSTEM, HI), tools=(ECHO,) if tools else (), deadline=deadline)


@asynccontextmanager
async def connected(server: OpenAIServer, clock: QuickClock, **options: Any) -> AsyncIterator[OpenAIModel]:
    limits = CallLimits(**{
        field.name: options.pop(field.name) for field in fields(CallLimits) if field.name in options
    })
    manner = Manner(**{field.name: options.pop(field.name) for field in fields(Manner) if field.name in options})
    given = {"base_url": f"{server.url}/v1", "api_key": KEY, "model": "gpt-test", "clock": clock, **options}
    model = OpenAIModel(**given, manner=manner, limits=limits)
    try:
        yield model
    finally:
        await model.close()

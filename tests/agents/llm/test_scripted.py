"""The scripted model."""

from __future__ import annotations

import pytest

from core.agents.llm.scripted import ScriptedModel, ScriptExhausted
from core.kernel.errors import ModelUnreachable
from core.kernel.types import Answer, ModelRequest

REQUEST = ModelRequest(messages=({"role": "user", "content": "hi"},))


async def test_answers_come_in_order_and_requests_are_kept() -> None:
    model = ScriptedModel("one", Answer(text="two"), lambda request: str(len(request.messages)))
    assert [(await model.complete(REQUEST)).text for _ in range(3)] == ["one", "two", "1"]
    assert model.requests == [REQUEST] * 3
    assert model.left == 0


async def test_a_scripted_error_is_raised() -> None:
    model = ScriptedModel(ModelUnreachable("down"), "up")
    with pytest.raises(ModelUnreachable, match="down"):
        await model.complete(REQUEST)
    assert (await model.complete(REQUEST)).text == "up"


async def test_an_exhausted_script_says_so_clearly() -> None:
    model = ScriptedModel()
    with pytest.raises(ScriptExhausted, match=r"request 1 .*'hi'"):
        await model.complete(REQUEST)


async def test_a_single_function_answers_everything_even_asynchronously() -> None:
    async def rule(request: ModelRequest) -> str:
        return "always"

    model = ScriptedModel(rule)
    assert [(await model.complete(REQUEST)).text for _ in range(3)] == ["always"] * 3
    model.add("once")
    assert (await model.complete(REQUEST)).text == "once"

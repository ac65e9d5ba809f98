"""A task at work is stopped: what its workers do in the world ends within a second, or is named."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.harness import Bot, texts
from tests.acceptance.test_tasks_kill import ASK, DELEGATED, own_tool, role_of
from tests.emulators.openai import OpenAIServer
from tests.emulators.openai_answers import Answer, Call, ChatRequest
from tests.emulators.telegram import TelegramServer

# Each mark is the instant of something that is done in the world, by the clock that all processes of a computer share.
RING = """
import asyncio, time
from teller_tools import tool

@tool
{kind} ring_bell() -> str:
    "Ring the bell of the door, again and again."
    while True:
        with open({marks!r}, "a") as file:
            print(time.monotonic(), file=file)
        {pause}
"""
KINDS = {
    "coroutine": {"kind": "async def", "pause": "await asyncio.sleep(0.02)"},
    "function": {"kind": "def", "pause": "time.sleep(0.02)"},
}
STILL = "⚠️ What could not be broken off and may still be at work: ring_bell."


def rings(request: ChatRequest) -> Any:
    """Delegate what is asked to two workers, who both ring."""
    steps = sum(message["role"] == "tool" for message in request.messages)
    match role_of(request):
        case "teller" if "what else" in str(request.messages[-1].get("content")):
            return "Nothing else."
        case "teller":
            return DELEGATED[steps]
        case "planner":
            calls = tuple(Call("delegate", {"prompt": f"ring {n}"}, id=f"c{n}") for n in range(2))
            return "They ring." if steps else Answer(calls=calls)
        case _:
            return Answer(
                calls=(Call("ring_bell" if steps else "find_tools", {} if steps else {"words": "ring bell"}),)
            )


@pytest.mark.parametrize(("kind", "how"), [("coroutine", "Stop"), ("function", "Stop"), ("function", "/stop")])
async def test_stop_ends_what_goes_on_in_the_world_or_says_what_does(
    bot: Bot, telegram: TelegramServer, llm: OpenAIServer, tmp_path: Path, kind: str, how: str
) -> None:
    marks = tmp_path / "marks"
    own_tool(bot, RING.format(marks=str(marks), **KINDS[kind]))
    llm.reply_with(rings)
    telegram.say(ASK)
    await bot.start()
    # Its message is edited now and then.
    await bot.until(
        lambda: any(one.keyboard for one in telegram.sent()) and marks.exists() and len(marks.read_text().split()) > 50
    )
    [shown] = [message for message in telegram.sent() if message.keyboard]
    pressed = time.monotonic()
    if how == "/stop":
        telegram.say(how)
    else:
        telegram.press(shown, how)
    await bot.until(lambda: any("used a tool of your own" in text for text in texts(telegram)))
    said = marks.read_text().split()
    telegram.say("and what else?")
    await bot.until(lambda: "Nothing else." in texts(telegram))
    [end] = [text for text in texts(telegram) if "used a tool of your own" in text]
    if kind == "function":
        async with asyncio.timeout(5):
            while len(marks.read_text().split()) == len(said):  # noqa: ASYNC110 - a file tells nobody
                await asyncio.sleep(0.02)
    later = marks.read_text().split()
    if kind == "coroutine":
        assert later == said
        assert float(said[-1]) - pressed < 1.0
        assert STILL not in end
    else:
        assert len(later) > len(said)
        assert end.endswith(STILL), end
    await bot.stop()

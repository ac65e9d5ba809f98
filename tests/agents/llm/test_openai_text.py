"""Models without native tools, spoken to by the text protocol over real sockets."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator

import pytest

from core.agents.llm.openai.client import OpenAIModel
from core.kernel.errors import ModelRefused
from tests.emulators.openai import OpenAIServer
from tests.emulators.openai_answers import ChatRequest
from tests.openai_client import HI, KEY, SYSTEM, QuickClock, asked, connected

CALL = '```json\n{"tool_calls":[{"tool":"echo","args":{"value":"a"}}],"result":{"status":"done"}}\n```'
NOTHING = "The model gave no answer to that. Try to put it differently."
FINAL = '{"tool_calls":[],"result":{"status":"done","text":"Done."}}'


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


async def test_auto_switches_to_the_text_protocol_for_good_and_says_so_once(
    server: OpenAIServer, model: OpenAIModel, caplog: pytest.LogCaptureFixture
) -> None:
    server.refuse_tools = True
    server.answer(CALL)
    with caplog.at_level(logging.WARNING, logger="core.agents.llm.openai.client"):
        (call,) = (await model.complete(asked())).calls
        server.answer(FINAL)
        assert (await model.complete(asked())).text == "Done."
    assert (call.name, call.arguments) == ("echo", {"value": "a"})
    assert len(server.requests) == 3
    assert [record.name for record in caplog.records].count("core.agents.llm.openai.client") == 1
    last = server.requests[-1]
    assert last.tool_names == []
    assert last.messages[0]["content"].startswith("You are Teller.\n\n")
    assert "- echo(value: string)" in last.messages[0]["content"]


async def test_native_does_not_switch(server: OpenAIServer, clock: QuickClock) -> None:
    server.refuse_tools = True
    async with connected(server, clock, tool_calls="native") as model:
        with pytest.raises(ModelRefused, match=r"llm\.tool_calls"):
            await model.complete(asked())


async def test_broken_json_is_asked_for_once_more_and_both_calls_are_counted(
    server: OpenAIServer, clock: QuickClock
) -> None:
    server.answer('{"tool_calls":[],"result":{"text":"a "quoted" word"}}')
    server.answer(FINAL)
    async with connected(server, clock, tool_calls="json") as model:
        answer = await model.complete(asked(HI))
    assert answer.text == "Done."
    first, second = server.requests
    assert [message["role"] for message in second.messages] == ["system", "user", "assistant", "user"]
    assert "not valid JSON" in second.last_text
    assert answer.usage.tokens_in == len(first.raw) // 4 + len(second.raw) // 4


@pytest.mark.parametrize("second", ['{"result":{"text":"half', '```json\n{"result":{"text":"half', '{"oops": 1'])
async def test_json_that_stays_broken_is_shown_to_nobody(server: OpenAIServer, clock: QuickClock, second: str) -> None:
    server.answer('{"result":{"text":"half')
    server.answer(second)
    async with connected(server, clock, tool_calls="json") as model:
        answer = await model.complete(asked())
    assert (answer.text, answer.calls) == (NOTHING, ())
    assert len(server.requests) == 2
    assert answer.usage.tokens_in == sum(len(request.raw) // 4 for request in server.requests)


async def test_words_instead_of_a_repair_are_said(server: OpenAIServer, clock: QuickClock) -> None:
    server.answer('{"result":{"text":"half')
    server.answer("I mean yes.")
    async with connected(server, clock, tool_calls="json") as model:
        assert (await model.complete(asked())).text == "I mean yes."


@pytest.mark.parametrize("kind", ["503", "400", "garbage"])
async def test_an_answer_is_paid_for_even_if_its_repair_fails(
    server: OpenAIServer, clock: QuickClock, kind: str
) -> None:
    def fail(request: ChatRequest) -> str:
        server.fault(kind, times=2)
        return '{"result":{"text":"half'

    server.reply_with(fail)
    async with connected(server, clock, tool_calls="json", max_retries=0) as model:
        answer = await model.complete(asked())
        assert answer.text == NOTHING
        assert answer.usage.tokens_in > 10
        assert model.reachable


async def test_a_failure_without_words_is_told(server: OpenAIServer, clock: QuickClock) -> None:
    server.answer('{"tool_calls":[],"result":{"status":"failed","text":""}}')
    async with connected(server, clock, tool_calls="json") as model:
        assert (await model.complete(asked())).text == NOTHING


async def test_plain_text_is_fine_in_the_text_protocol_and_without_tools_nothing_is_taught(
    server: OpenAIServer, clock: QuickClock
) -> None:
    server.answer("Just words.")
    async with connected(server, clock, tool_calls="json") as model:
        assert (await model.complete(asked(tools=False))).text == "Just words."
    assert server.requests[0].messages == [SYSTEM, HI]

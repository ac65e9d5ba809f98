"""Stories of a model that is away, refuses, or sends nonsense."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from tests.acceptance.harness import OWNER, Bot, texts
from tests.acceptance.playing import AHEAD
from tests.emulators.openai import OpenAIServer
from tests.emulators.openai_answers import ChatRequest
from tests.emulators.telegram import TelegramServer

FRIEND = 1002
KEPT = "The model is unreachable. I keep your question and answer when it is back."
DEEP = "[" * 5000 + "]" * 5000


@pytest.fixture
def brief(bot: Bot) -> Bot:
    """A bot that loses no time with a silent model."""
    bot.settings |= {"LLM__MAX_RETRIES": "0", "LLM__RETRY_SECONDS": "0.5"}
    return bot


async def test_questions_are_kept_while_the_model_is_away(
    brief: Bot, telegram: TelegramServer, llm: OpenAIServer
) -> None:
    await brief.start()
    await llm.stop()
    telegram.say("What is love?", date=int(time.time()) - 120)
    await telegram.wait_sent(1)
    telegram.say("And war?")
    telegram.say("echo still here")
    await telegram.wait_sent(2)
    assert texts(telegram) == [KEPT, "still here"]
    await llm.start()
    await telegram.wait_sent(3)
    answer = texts(telegram)[2]
    assert answer.startswith("2 min")
    assert "late – the model was unreachable." in answer
    assert answer.endswith("You said: What is love?\nAnd war?")
    telegram.say("Thanks for waiting.")
    await telegram.wait_sent(4)
    assert texts(telegram)[3] == "You said: Thanks for waiting."
    await brief.stop()
    assert brief.value("SELECT count(*) FROM inbox WHERE state = 'done'") == 4


async def test_a_kept_question_is_answered_before_what_came_after_it(
    bot: Bot, telegram: TelegramServer, llm: OpenAIServer
) -> None:
    bot.module = list(AHEAD)
    bot.settings |= {"LLM__MAX_RETRIES": "0", "LLM__RETRY_SECONDS": "60"}
    await bot.start()
    await llm.stop()
    telegram.say("First?")
    await telegram.wait_sent(1)
    for number, text in enumerate(["/time", "echo a", "echo b"], 2):
        telegram.say(text)
        await telegram.wait_sent(number)
    await llm.start()
    telegram.say("Second?")
    # Their turn comes by the clock, so both are kept before the first one is asked again.
    await bot.stored("SELECT count(*) FROM inbox WHERE held_until > 0 AND ended_at IS NULL AND text = 'Second?'")
    bot.advance(60)
    await telegram.wait_sent(5)
    assert texts(telegram)[4].endswith("First?\nSecond?")
    await bot.stop()
    assert len(telegram.sent()) == 5


async def test_a_kept_question_survives_a_restart(brief: Bot, telegram: TelegramServer, llm: OpenAIServer) -> None:
    await brief.start()
    await llm.stop()
    telegram.say("What is love?")
    await telegram.wait_sent(1)
    await brief.stop()
    await llm.start()
    await brief.start()
    await telegram.wait_sent(2)
    assert texts(telegram) == [KEPT, "You said: What is love?"]


@pytest.mark.parametrize("kind", ["429", "500", "502", "503", "cut", "midway"])
async def test_a_stumbling_model_is_asked_again(
    bot: Bot, telegram: TelegramServer, llm: OpenAIServer, kind: str
) -> None:
    await bot.start()
    llm.fault(kind=kind, times=2)
    telegram.say("Hello?")
    await telegram.wait_sent(1)
    assert texts(telegram) == ["You said: Hello?"]
    assert len(llm.requests) == 3


@pytest.mark.parametrize("kind", ["400", "401", "403", "404"])
async def test_a_model_that_refuses_is_told_at_once(
    bot: Bot, telegram: TelegramServer, llm: OpenAIServer, kind: str
) -> None:
    bot.settings |= {"ACCESS__MODE": "allowlist", "ACCESS__ALLOW": f'["tg:{FRIEND}"]'}
    await bot.start()
    telegram.say("echo hello")
    await telegram.wait_sent(1, chat=OWNER)
    llm.fault(kind=kind)
    telegram.say("Why is the sky blue?", user=FRIEND)
    await telegram.wait_sent(1, chat=FRIEND)
    await telegram.wait_sent(2, chat=OWNER)
    assert "refused" in texts(telegram, FRIEND)[0]
    assert texts(telegram, OWNER)[1].startswith(("⚠️ The model refused a request. ", "⚠️ The model cannot be used. "))
    telegram.say("And now?", user=FRIEND)
    await telegram.wait_sent(2, chat=FRIEND)
    assert texts(telegram, FRIEND)[1] == "You said: And now?"
    await bot.stop()
    assert bot.value("SELECT count(*) FROM inbox WHERE state = 'done'") == 3


def completion(message: Any) -> dict[str, Any]:
    """An answer of the model whose message is `message`."""
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return {"id": "x", "object": "chat.completion", "created": 1, "model": "emulated", "choices": [choice]}


def called(function: Any, **fields: Any) -> dict[str, Any]:
    """An answer of the model with one tool call."""
    return completion({"role": "assistant", "content": None, "tool_calls": [{"function": function, **fields}]})


BAD_CALLS: dict[str, dict[str, Any]] = {
    "bad JSON": called({"name": "echo", "arguments": '{"value": '}, id="a", type="function"),
    "no object": called({"name": "echo", "arguments": "[1]"}, id="a", type="function"),
    "unknown tool": called({"name": "launch_rocket", "arguments": "{}"}, id="a", type="function"),
    "missing id": called({"name": "echo", "arguments": '{"valu": 1}'}),
    "null id": called({"name": "echo", "arguments": '{"valu": 1}'}, id=None, type=None),
    "no name": called({"arguments": "{}"}, id="a"),
    "no function": called(None, id="a"),
    "deep nesting": called({"name": "echo", "arguments": f'{{"value": {DEEP}}}'}, id="a"),
    "duplicate keys": called({"name": "echo", "arguments": '{"value": "a", "value": "b"}'}, id="a"),
    "NaN": called({"name": "echo", "arguments": '{"value": NaN}'}, id="a"),
    "lone surrogate": called({"name": "echo", "arguments": '{"value": "\\ud800"}'}, id="a"),
    "huge integer": called({"name": "get_recent_history", "arguments": '{"count": ' + "9" * 5000 + "}"}, id="a"),
    "not its tool": called({"name": "get_recent_history", "arguments": '{"count": 3}'}, id="a"),
    "too long a name": called({"name": "x" * 5000, "arguments": "{}"}, id="a"),
}


async def test_malformed_calls_become_errors_for_the_model(
    bot: Bot, telegram: TelegramServer, llm: OpenAIServer
) -> None:
    await bot.start()
    for number, (kind, answer) in enumerate(BAD_CALLS.items(), 1):
        llm.raw(answer)
        llm.answer(f"survived: {kind}")
        telegram.say(f"Try this: {kind}")
        await telegram.wait_sent(number)
        assert texts(telegram)[-1] == f"survived: {kind}"
        assert set(json.loads(llm.requests[-1].last_text)) == {"error"}, kind
    await bot.stop()
    assert bot.value("SELECT count(*) FROM run WHERE state = 'done'") == len(BAD_CALLS)
    assert bot.value("SELECT count(*) FROM ledger WHERE success = 0") == len(BAD_CALLS)


BAD_ANSWERS: dict[str, bytes | dict[str, Any]] = {
    "null choices": {**completion(None), "choices": None},
    "empty choices": {**completion(None), "choices": []},
    "no choices": {"id": "x"},
    "null message": completion(None),
    "not an object": b"[1, 2, 3]",
    "null": b"null",
    "half of it": b'{"choices": [{"mess',
    "deep nesting": DEEP.encode(),
    "not UTF-8": b"\xff\xfe\x00",
}


async def test_answers_without_an_answer_are_asked_for_again(
    bot: Bot, telegram: TelegramServer, llm: OpenAIServer
) -> None:
    await bot.start()
    for number, (kind, answer) in enumerate(BAD_ANSWERS.items(), 1):
        llm.raw(json.dumps(answer).encode() if isinstance(answer, dict) else answer)
        llm.answer(f"survived: {kind}")
        telegram.say(f"Try this: {kind}")
        await telegram.wait_sent(number)
        assert texts(telegram)[-1] == f"survived: {kind}"


async def test_a_question_that_brings_no_answer_is_told_and_harms_no_other(
    bot: Bot, telegram: TelegramServer, llm: OpenAIServer
) -> None:
    await bot.start()
    for _ in range(2):
        llm.raw(BAD_ANSWERS["null choices"])
    telegram.say("Poison!")
    await telegram.wait_sent(1)
    telegram.say("Hello?")
    await telegram.wait_sent(2)
    assert texts(telegram) == ["The model gave no answer to that. Try to put it differently.", "You said: Hello?"]
    assert len(llm.requests) == 3


async def test_text_with_half_characters_can_be_said(bot: Bot, telegram: TelegramServer, llm: OpenAIServer) -> None:
    await bot.start()
    llm.raw(b'{"choices": [{"message": {"content": "half \\ud83d and \\u0000 none"}}]}')
    telegram.say("Say something odd.")
    await telegram.wait_sent(1)
    assert texts(telegram)[0].startswith("half \ufffd and ")


async def test_a_model_that_goes_round_in_circles_is_stopped(
    bot: Bot, telegram: TelegramServer, llm: OpenAIServer
) -> None:
    def circling(request: ChatRequest) -> str | None:
        return "Enough." if not request.tool_names else None

    for _ in range(3):
        llm.call("echo", {"value": "again"})
    llm.reply_with(circling)
    await bot.start()
    telegram.say("Do it again and again.")
    await telegram.wait_sent(1)
    assert texts(telegram) == ["Enough."]
    assert len(llm.requests) == 4

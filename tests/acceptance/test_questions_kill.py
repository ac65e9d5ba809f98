"""kill -9 around asking and deciding a question: asked, decided and told once – or marked as a possible repeat."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from tests.acceptance.harness import MARK, Bot
from tests.acceptance.stories.stage import Stage
from tests.acceptance.telegram_driver import TelegramPlatform
from tests.emulators.openai import OpenAIServer
from tests.emulators.telegram import TelegramServer

TEA = {"question": "Tea or coffee?", "options": ["Tea", "Coffee"], "default": "Tea"}
NOTED = "Noted: Coffee (user)."
# Each is one story of several deaths; a third one with the same messages in hand would have them given up.
ASKING = [("after:write", "before:finish_run"), ("after:finish_run", "after:send:Tea or")]
DECIDING = [
    ("before:accept", "after:accept", "before:claim_lane", "after:claim_lane"),
    ("before:finish_run", "after:finish_run"),
    ("after:send:✅",),
]
# Where a message has arrived while the next process cannot know.
ARRIVED = "after:send:Tea or"


@pytest.fixture
async def stage(bot: Bot, telegram: TelegramServer, llm: OpenAIServer) -> Stage:
    """A stage on which nothing runs yet."""
    return Stage(TelegramPlatform(telegram), bot, llm)


def unmarked(texts: list[str], beginning: str) -> int:
    """How many texts begin like this without the mark of a possible repeat."""
    return sum(text.startswith(beginning) for text in texts)


@pytest.mark.parametrize("failpoints", ASKING)
async def test_a_question_is_asked_once_when_the_process_dies_at(stage: Stage, failpoints: Sequence[str]) -> None:
    owner = stage.platform.owner
    chat = stage.platform.private(owner)
    stage.platform.say(owner, f"ask {json.dumps([TEA])}")
    for failpoint in failpoints:
        await stage.dies(failpoint)
    await stage.bot.start()
    await stage.count(chat, 1 + failpoints.count(ARRIVED))
    assert unmarked(stage.texts(chat), "Tea or coffee?") <= 1
    # The first copy, too, if there are two.
    question = stage.platform.shown(chat)[0]
    assert await stage.pressed(owner, question, "Coffee") == "Coffee"
    await stage.told(chat, NOTED)
    await stage.bot.stop()
    assert stage.bot.rows("SELECT state, answer FROM question") == [{"state": "answered", "answer": "Coffee"}]
    # For the question and for its end; what was answered is in the journal.
    assert len(stage.model.requests) == 2


@pytest.mark.parametrize("failpoints", DECIDING)
async def test_a_question_is_decided_once_when_the_process_dies_at(stage: Stage, failpoints: Sequence[str]) -> None:
    await stage.bot.start()
    owner = stage.platform.owner
    question = await stage.tea(owner)
    await stage.bot.stop()
    press = stage.platform.press(owner, question, "Coffee")
    for failpoint in failpoints:
        await stage.dies(failpoint)
    await stage.bot.start()
    await stage.until(lambda: any(NOTED in text for text in stage.texts(question.chat)))
    assert (await stage.closed(question)).startswith("✅ Coffee")
    assert stage.platform.toast(press) in {None, "Coffee"}
    assert await stage.pressed(owner, question, "Tea") == "Already answered."
    await stage.talk(owner)
    texts = stage.texts(question.chat)
    assert unmarked(texts, NOTED) <= 1
    assert all(text == NOTED or text.startswith(MARK) for text in texts if NOTED in text)
    await stage.bot.stop()
    assert stage.bot.rows("SELECT state, answer FROM question") == [{"state": "answered", "answer": "Coffee"}]
    assert stage.bot.value("SELECT count(*) FROM inbox WHERE question_id IS NOT NULL") == 1
    assert stage.bot.value("SELECT count(*) FROM outbox WHERE replaces_id IS NOT NULL") == 1
    assert stage.bot.value("SELECT count(*) FROM inbox WHERE state <> 'done'") == 0

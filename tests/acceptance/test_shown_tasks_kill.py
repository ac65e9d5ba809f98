"""kill -9 around the message that shows a task: it is one, and says in the end how the task ended."""

from __future__ import annotations

import pytest

from tests.acceptance.harness import MARK, Bot, texts
from tests.acceptance.stories.stage import think
from tests.emulators.openai import OpenAIServer
from tests.emulators.telegram import TelegramServer


def shown(telegram: TelegramServer) -> list[str]:
    """What the messages of tasks say now."""
    return [text for text in texts(telegram) if text.removeprefix(MARK).strip()[0] in "⏳✅⏹⚠❓"]


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("where", ["show_task", "send:step"])
async def test_a_task_has_one_message_when_the_process_dies_at(
    bot: Bot, telegram: TelegramServer, llm: OpenAIServer, when: str, where: str
) -> None:
    bot.module = ["tests.killable"]
    llm.reply_with(think)
    llm.fault("hang", after=3)
    await bot.start(failpoint=f"{when}:{where}")
    telegram.say("delegate decide first")
    await llm.wait_requests(4)
    bot.advance(6)
    assert await bot.wait(30) == -9, bot.output
    await bot.start()
    await bot.until(lambda: any("It came to this" in text for text in texts(telegram)))
    # A message that may have arrived comes again with a mark; else there is one, and it says how the task ended.
    arrived = f"{when}:{where}" == "after:send:step"
    bot.advance(10)
    await bot.until(lambda: all("✅" in text for text in shown(telegram)[-1:]))
    await bot.stop()
    assert len(shown(telegram)) <= 1 + arrived, texts(telegram)
    assert bot.value("SELECT count(*) FROM outbox WHERE urgency LIKE '2%' AND replaces_id IS NULL") <= 1
    assert bot.value("SELECT count(*) FROM task WHERE state = 'done'") == 1

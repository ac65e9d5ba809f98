"""The message that shows a task keeps to its pace, so that no platform has to refuse an edit."""

from __future__ import annotations

from itertools import pairwise

from tests.acceptance.harness import Bot, texts
from tests.acceptance.stories.stage import think
from tests.emulators.openai import OpenAIServer
from tests.emulators.openai_answers import Answer, Call, ChatRequest
from tests.emulators.telegram import TelegramServer

STEPS, SECONDS = 10, 0.9
PAUSE = 3_000  # milliseconds


def step_by_step(request: ChatRequest) -> str | Answer | None:
    """Let a planner take many steps, each of which is another one."""
    made = sum(message["role"] == "tool" for message in request.messages)
    if "planner" in str(request.messages[0]["content"])[:40] and made < STEPS:
        return Answer(calls=(Call("log_decision", {"reasoning": f"step {made}"}),))
    return think(request)


async def test_it_is_edited_once_in_three_seconds_and_who_takes_one_edit_a_second_refuses_none(
    bot: Bot, telegram: TelegramServer, llm: OpenAIServer
) -> None:
    llm.reply_with(step_by_step)
    llm.latency = SECONDS
    telegram.edit_limit.set(1, 1.0)
    bot.paced = True
    await bot.start()
    telegram.say("delegate many steps")
    await bot.until(lambda: any("✅ done" in text for text in texts(telegram)))
    edits = telegram.calls("editMessageText")
    assert [call.status for call in edits] == [200] * len(edits)
    assert len(edits) >= 2
    # It disturbs nobody; what came of the task does.
    sent = telegram.calls("sendMessage")
    assert [call.params["text"][0] for call in sent if call.params.get("disable_notification")] == ["⏳"]
    assert sum(text[0] in "⏳✅" for text in texts(telegram)) == 1
    # On its way one may take longer than the next: what counts is when they were made.
    await bot.stop()
    made = [row["created_at"] for row in bot.rows("SELECT created_at FROM outbox WHERE urgency LIKE '2%' ORDER BY id")]
    assert len(made) >= len(edits) + 1
    assert all(later - one >= PAUSE for one, later in pairwise(made))

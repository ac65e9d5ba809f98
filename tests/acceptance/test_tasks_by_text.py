"""Work in the background of a model that knows no tools: calls, questions and outcomes go by the text protocol."""

from __future__ import annotations

import json

from core.agents.roles import PLANNER
from tests.acceptance.harness import Bot, texts
from tests.emulators.openai import OpenAIServer
from tests.emulators.openai_answers import ChatRequest
from tests.emulators.telegram import TelegramServer

ASK = "so, which of the two offers would be the better one for us, what do you think?"
QUESTION = {"status": "needs_input", "question": "Whose offer?", "options": ["Brandt", "Kraus"], "default": "Brandt"}


def protocol(request: ChatRequest) -> str:
    """Delegate what is asked, ask back, and tell what came of the answer."""
    said = str(request.messages[-1]["content"])
    if str(request.messages[0]["content"]).startswith(PLANNER.prompt):
        done = {"status": "done", "text": "Kraus costs least."}
        return json.dumps({"tool_calls": [], "result": done if '"answer": "Kraus"' in said else QUESTION})
    if said.startswith("results:") or '"outcome"' in said:
        text = "told: Kraus" if '"outcome"' in said else "I am on it."
        return json.dumps({"tool_calls": [], "result": {"status": "done", "text": text}})
    return json.dumps({"tool_calls": [{"tool": "delegate", "args": {"prompt": ASK}}], "result": {}})


async def test_a_task_of_a_model_without_tools_asks_by_buttons_and_goes_on_after_a_restart(
    bot: Bot, telegram: TelegramServer, llm: OpenAIServer
) -> None:
    bot.settings["LLM__TOOL_CALLS"] = "json"
    llm.reply_with(protocol)
    telegram.say(ASK)
    await bot.start()
    await bot.until(lambda: any("Whose offer?" in text for text in texts(telegram)))
    await bot.stop()
    await bot.start()
    question = next(sent for sent in telegram.sent() if "Whose offer?" in sent.text)
    assert [button["text"] for row in question.keyboard for button in row] == ["Brandt", "Kraus", "Skip"]
    telegram.say("Kraus")
    await bot.until(lambda: "told: Kraus" in texts(telegram))
    await bot.stop()
    assert bot.value("SELECT outcome FROM task") == "Kraus costs least."
    assert all("tool_calls" not in text and "status" not in text for text in texts(telegram))

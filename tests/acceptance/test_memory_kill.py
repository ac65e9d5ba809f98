"""kill -9 around noting: what is to be remembered is noted once, can be found, and what it corrects is so once."""

from __future__ import annotations

import pytest

from tests.acceptance.harness import MARK, Bot, texts
from tests.emulators.openai import OpenAIServer
from tests.emulators.openai_answers import Answer, Call, ChatRequest
from tests.emulators.telegram import TelegramServer

FACT, NEWER = "the boiler is serviced by Brandt", "the boiler is serviced by Krause"
COMMAND = [
    f"{when}:{where}"
    for where in ("accept", "claim_lane", "finish_run", "post_sent", "send")
    for when in ("before", "after")
]
MODEL = [
    f"{when}:{where}" for where in ("model", "commit_answer", "write", "finish_run") for when in ("before", "after")
]
ARRIVED = {"after:send", "before:post_sent"}


def note_first(request: ChatRequest) -> str | Answer | None:
    """Note what was heard once in each run, then say so."""
    if request.messages[-1]["role"] == "tool":
        return "It is what you said."
    return Answer(calls=(Call("remember", {"content": FACT}),))


async def die(bot: Bot, failpoint: str) -> None:
    await bot.launch(failpoint=failpoint)
    assert await bot.wait(30) == -9, bot.output


async def agrees(bot: Bot, wanted: list[tuple[str, str]]) -> None:
    """What is remembered is that, each once in the index while it counts, and in the ledger once."""
    found = [(row["content"], row["state"]) for row in bot.rows("SELECT content, state FROM memory ORDER BY id")]
    assert found == wanted
    indexed = "SELECT count(*) FROM document WHERE kind = 'memory'"
    assert bot.value(indexed) == sum(state == "active" for _, state in wanted)
    assert bot.value("SELECT count(*) FROM ledger WHERE tool = 'remember' AND success = 1") == len(wanted)


@pytest.mark.parametrize("failpoint", COMMAND)
async def test_a_person_s_note_is_made_once_when_the_process_dies_at(
    bot: Bot, telegram: TelegramServer, failpoint: str
) -> None:
    bot.module = ["tests.killable"]
    telegram.say(f"remember that {FACT}")
    await die(bot, failpoint)
    await bot.start()
    await bot.until(lambda: any("Noted" in text for text in texts(telegram)))
    telegram.say(f"no, {NEWER}")
    await bot.until(lambda: any("instead of" in text for text in texts(telegram)))
    await bot.stop()
    await agrees(bot, [(FACT, "superseded"), (NEWER, "active")])
    unmarked = [text for text in texts(telegram) if text.startswith("📝") and not text.startswith(MARK)]
    assert sum(FACT in text and NEWER not in text for text in unmarked) <= 1
    assert sum(FACT in text and NEWER not in text for text in texts(telegram)) == 1 + (failpoint in ARRIVED)


@pytest.mark.parametrize("failpoint", MODEL)
async def test_a_model_s_note_is_made_once_when_the_process_dies_at(
    bot: Bot, telegram: TelegramServer, llm: OpenAIServer, failpoint: str
) -> None:
    bot.module = ["tests.killable"]
    llm.reply_with(note_first)
    telegram.say(f"so, {FACT}, is that far from here?")
    await die(bot, failpoint)
    await bot.start()
    await bot.until(lambda: any("what you said" in text for text in texts(telegram)))
    await bot.stop()
    await agrees(bot, [(FACT, "active")])
    assert sum("Noted" in text for text in texts(telegram)) == 1

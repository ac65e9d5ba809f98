"""Stories of the end: SIGTERM in the middle of the work, and a configuration that must not start."""

from __future__ import annotations

import pytest

from tests.acceptance.harness import OWNER, Bot, texts
from tests.emulators.openai import OpenAIServer
from tests.emulators.telegram import TelegramServer

# A slow machine may take longer, but not each time.
TRIES = 3


@pytest.fixture
def everyday(plain: Bot) -> None:
    """Programs that start and end as they do for everybody."""
    plain.cold = plain.paced = True


@pytest.mark.usefixtures("everyday")
async def test_a_stop_waits_for_an_answer_that_takes_five_seconds(
    bot: Bot, telegram: TelegramServer, llm: OpenAIServer
) -> None:
    llm.latency = 5.0
    await bot.start()
    telegram.say("Think about it.")
    await llm.wait_requests(1)
    took = await bot.stop()
    assert texts(telegram) == ["You said: Think about it."]
    assert telegram.sent()[0].delivered
    assert bot.rows("SELECT state FROM outbox") == [{"state": "sent"}]
    assert bot.rows("SELECT state FROM run") == [{"state": "done"}]
    await bot.start()
    assert took - await bot.stop() < 10


@pytest.mark.usefixtures("everyday")
async def test_a_stop_leaves_an_answer_that_takes_a_minute_to_the_next_start(
    bot: Bot, telegram: TelegramServer, llm: OpenAIServer
) -> None:
    llm.call("current_time")
    await bot.start()
    llm.reply_with(None)
    telegram.say("Think about it.")
    await llm.wait_requests(1)
    llm.latency = 60.0
    await llm.wait_requests(2)
    took = await bot.stop()
    assert took > 8
    assert texts(telegram) == []
    assert bot.rows("SELECT state FROM inbox") == [{"state": "taken"}]
    assert bot.rows("SELECT state FROM run") == [{"state": "running"}]
    assert bot.rows("SELECT attempts, owner FROM lane") == [{"attempts": 0, "owner": None}]
    llm.latency = 0.0
    await bot.start()
    await telegram.wait_sent(1)
    telegram.say("Next.")
    await telegram.wait_sent(2)
    assert texts(telegram) == ["You said: Think about it.", "You said: Next."]
    # The first answer was in the journal; only the second was asked for again.
    assert [len(request.messages) for request in llm.requests[:3]] == [3, 5, 5]
    assert len(llm.requests) == 4
    # A run has eight seconds; what a stop takes beside that, one of an idle program takes on this machine, too.
    assert took - await bot.stop() < 12


async def test_many_stops_are_no_tries(bot: Bot, telegram: TelegramServer, llm: OpenAIServer) -> None:
    llm.latency = 60.0
    telegram.say("Think about it.")
    for number in range(1, 3):
        await bot.start()
        await llm.wait_requests(number)
        bot.terminate()
        # Impatience must do no harm either.
        await bot.kill() if number == 2 else await bot.wait()
    llm.latency = 0.0
    await bot.start()
    await telegram.wait_sent(1)
    assert texts(telegram) == ["You said: Think about it."]


@pytest.mark.usefixtures("everyday")
async def test_an_idle_bot_stops_at_once(plain: Bot) -> None:
    took = 99.0
    for _ in range(TRIES):
        if took >= 3:
            await plain.start()
            took = await plain.stop()
    assert took < 3


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"ACCESS__MODE": "open"}, "budget.daily_tokens"),
        ({"OWNERS": "[]"}, "teller setup (1 minute"),
        ({"LLM__MODLE": "x"}, "TELLER_LLM__MODEL"),
        ({"OWNERS": "tg:1001"}, "JSON list"),
    ],
)
async def test_a_configuration_that_cannot_be_meant_is_refused(
    plain: Bot, settings: dict[str, str], words: str
) -> None:
    plain.settings |= settings
    await plain.launch()
    assert await plain.wait(30) not in (0, None)
    assert words in plain.output


async def test_a_second_bot_on_the_same_data_is_refused(plain: Bot, telegram: TelegramServer) -> None:
    await plain.start()
    second = Bot(telegram, plain.data.parent, plain.settings)
    await second.launch()
    assert await second.wait(30) != 0
    assert "Another Teller" in plain.output
    telegram.say("echo still here")
    await telegram.wait_sent(1)
    assert texts(telegram, OWNER) == ["still here"]

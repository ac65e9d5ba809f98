"""kill -9 at every named point on Slack: nothing is lost and nothing comes twice, since what was sent is looked up."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.acceptance.harness import MARK, Bot, model_settings
from tests.acceptance.oracle import Verdict, judge, word
from tests.acceptance.sites import HTTP, SOCKET, SlackSite
from tests.acceptance.slack_driver import SlackPlatform
from tests.acceptance.test_kill import ASKED, decide_first
from tests.emulators.openai import OpenAIServer
from tests.emulators.slack import SlackServer

SETTLED = 130  # seconds
OWNER, CHAT = 1001, "D1001"
FIRST, SECOND = word(OWNER, 1), word(OWNER, 2)
# Of the transactions that take something in, the one with the message.
INTAKE = (f"before:accept:{FIRST}", f"after:accept:{FIRST}")
POINTS = [
    *INTAKE,
    *(
        f"{when}:{where}"
        for where in ("claim_lane", "commit_answer", "write", "finish_run", "post_sent", "send", "model")
        for when in ("before", "after")
    ),
]
# How it came in plays a part until it is acknowledged; what is known of it then is in the database alone.
WAYS = [(SOCKET, point) for point in POINTS] + [(HTTP, point) for point in (*INTAKE, "before:claim_lane", "after:send")]
# Several deaths of one message: while it is sent, and while the next process looks what became of it.
LOOKING = [
    ("after:send", "before:find", "after:find"),
    ("before:send", "after:find"),
    ("after:finish_run", "before:find", "after:send"),
]


@pytest.fixture
async def slack(request: pytest.FixtureRequest) -> AsyncIterator[SlackServer]:
    """An emulated Slack that hands over what happens in a mode, the socket's if nothing is said, again and again."""
    async with SlackServer() as server:
        SlackPlatform(server)
        server.mode = getattr(request, "param", SOCKET)
        yield server


@pytest.fixture
async def killable(slack: SlackServer, llm: OpenAIServer, tmp_path: Path) -> AsyncIterator[Bot]:
    """A bot that dies at its failpoint; its model calls a tool that writes before it answers."""
    llm.reply_with(decide_first)
    site = SlackSite(slack, slack.mode)
    bot = Bot(site, tmp_path, model_settings(llm), ["tests.killable"])
    try:
        yield bot
        await bot.end()
    finally:
        if bot.running:
            await bot.kill()


async def die(bot: Bot, slack: SlackServer, failpoint: str) -> None:
    """Let the process run into its failpoint, and so much time pass that what was sent has arrived, if it ever will."""
    await bot.launch(failpoint=failpoint)
    assert await bot.wait(30) == -9, bot.output
    if not bot.ahead:
        bot.advance(SETTLED)
        slack.ahead += SETTLED


async def lives(bot: Bot, slack: SlackServer) -> None:
    """Start it, say something more, and see that everything is answered once and nothing is left."""
    slack.say(SECOND)
    await bot.start()
    await bot.until(lambda: all(any(one in text for text in bot.told(CHAT)) for one in (FIRST, SECOND)))
    await bot.until(lambda: not slack.pending())
    await bot.stop()
    verdict = judge(bot, {CHAT: [FIRST, SECOND]})
    # In which order Slack hands over again what was not acknowledged is not ours to choose.
    assert replace(verdict, disordered=()) == Verdict(answered=2)
    assert not [text for text in bot.told(CHAT) if MARK in text]
    assert bot.value("SELECT count(*) FROM inbox WHERE state != 'done'") == 0
    assert bot.value("SELECT count(*) FROM outbox WHERE state != 'sent'") == 0


@pytest.mark.parametrize(("slack", "failpoint"), WAYS, indirect=["slack"])
async def test_nothing_is_lost_or_doubled_at(
    killable: Bot, slack: SlackServer, llm: OpenAIServer, failpoint: str
) -> None:
    slack.say(FIRST)
    await die(killable, slack, failpoint)
    await lives(killable, slack)
    runs = killable.value("SELECT count(*) FROM run")
    assert len(llm.requests) == 2 * (runs - 1) + ASKED.get(failpoint, 2)
    # The tool's effect is committed once a run, whatever died.
    assert Counter(row["tool"] for row in killable.rows("SELECT tool FROM ledger")) == {
        "log_decision": runs,
        "reply": runs,
    }


@pytest.mark.parametrize("failpoints", LOOKING, ids=" ".join)
async def test_who_dies_while_looking_looks_again(
    killable: Bot, slack: SlackServer, failpoints: tuple[str, ...]
) -> None:
    slack.say(FIRST)
    for failpoint in failpoints:
        await die(killable, slack, failpoint)
    await lives(killable, slack)


async def test_the_second_part_of_an_answer_is_looked_up_by_itself(
    killable: Bot, slack: SlackServer, llm: OpenAIServer
) -> None:
    long = "first " * 1200 + "\n\n" + "second " * 1200
    llm.reply_with(lambda request: long if "Long" in request.last_user_text else None)
    slack.say("Long, please.")
    await die(killable, slack, "after:send:second second second second")
    slack.say(SECOND)
    await killable.start()
    await killable.until(lambda: any(SECOND in text for text in killable.told(CHAT)))
    await killable.stop()
    assert [text.split()[0] for text in killable.told(CHAT)] == ["first", "second", "You"]
    assert killable.value("SELECT count(*) FROM outbox WHERE state = 'sent'") == len(killable.told(CHAT))
    assert len(llm.requests) == 2

"""kill -9 at 50 random moments over 300 messages in 20 chats: none lost, order kept, doubles only marked."""

from __future__ import annotations

import asyncio
import json
import random
import sys

import pytest

from tests.acceptance.crowd import FIRST, Crowd, live, outlive
from tests.acceptance.harness import Bot
from tests.acceptance.oracle import judge
from tests.emulators.openai import OpenAIServer
from tests.emulators.telegram import TelegramServer

SEED = 20261121
DEATHS, CHATS, MESSAGES = 50, 20, 300


async def test_nothing_is_lost_at_random_moments(
    bot: Bot, telegram: TelegramServer, llm: OpenAIServer, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = random.Random(SEED)
    bot.settings["OWNERS"] = json.dumps([f"tg:{FIRST + number}" for number in range(CHATS)])
    llm.latency = 0.03
    crowd = Crowd(
        rng,
        chats=CHATS,
        messages=MESSAGES,
        say=lambda number, text: telegram.say(text, user=number),
        chat=str,
        pending=telegram.pending,
    )
    begun = asyncio.get_running_loop().time()
    for _ in range(DEATHS):
        await live(bot, telegram, crowd, rng)
    dying = asyncio.get_running_loop().time() - begun
    await outlive(bot, crowd, MESSAGES)
    verdict = judge(bot, crowd.said)
    seconds = asyncio.get_running_loop().time() - begun
    with capsys.disabled():
        sys.stdout.write(
            f"\n{DEATHS} kills, {sum(map(len, crowd.said.values()))} messages, {CHATS} chats, "
            f"{seconds:.0f} s ({dying:.0f} s of them dying): "
            f"{len(verdict.lost)} lost, {verdict.answered} answered, {verdict.doubles} doubles (all marked), "
            f"{verdict.given_up} given up\n"
        )
    assert verdict.kept, verdict
    assert verdict.answered + verdict.given_up == MESSAGES
    assert bot.value("PRAGMA integrity_check") == "ok"
    assert bot.value("SELECT count(*) FROM inbox WHERE state NOT IN ('done', 'dead')") == 0
    # What arrived may have been cut off so often before that was known that it is not sent once more.
    assert bot.value("SELECT count(*) FROM outbox WHERE state NOT IN ('sent', 'dead')") == 0

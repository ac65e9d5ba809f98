"""kill -9 at 50 random moments over 300 messages in 20 chats: none lost, order kept, doubles only marked."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import sys
from collections import defaultdict

import pytest

from tests.acceptance.harness import START_SECONDS, Bot
from tests.acceptance.oracle import REFS, WORD, judge, word
from tests.emulators.openai import OpenAIServer
from tests.emulators.telegram import TelegramServer

SEED = 20261121
DEATHS, CHATS, MESSAGES = 50, 20, 300
FIRST_CHAT = 1001


class Crowd:
    """People who write messages in a random order, each counting their own."""

    def __init__(self, telegram: TelegramServer, rng: random.Random) -> None:
        self.said: defaultdict[int, list[str]] = defaultdict(list)
        self._telegram = telegram
        self._turns = [FIRST_CHAT + number % CHATS for number in range(MESSAGES)]
        rng.shuffle(self._turns)
        self._read = 0
        self._told, self._refs = set[str](), set[str]()

    def say(self, count: int) -> None:
        """Let the next `count` messages be written."""
        for _ in range(min(count, len(self._turns))):
            chat = self._turns.pop()
            self.said[chat].append(word(chat, len(self.said[chat])))
            self._telegram.say(self.said[chat][-1], user=chat)

    def content(self) -> bool:
        """Whether everything was answered, or given up as far as the notices tell."""
        sent = self._telegram.sent()
        for message in sent[self._read :]:
            self._told |= set(WORD.findall(message.text))
            self._refs |= {ref for match in REFS.findall(message.text) for ref in match.split(", ")}
        self._read = len(sent)
        missing = sum(map(len, self.said.values())) - len(self._told)
        return missing <= len(self._refs) and self._telegram.pending() == 0


async def live(bot: Bot, telegram: TelegramServer, crowd: Crowd, rng: random.Random) -> None:
    """One life: messages before and after its first request, and death at a random one or between two."""
    before = len(telegram.calls())
    crowd.say(3)
    await bot.launch()
    with contextlib.suppress(TimeoutError):
        # One in ten does not live to see its first request.
        patience = rng.uniform(0.1, 1.0) if rng.random() < 0.1 else START_SECONDS
        await telegram.wait_until(lambda: len(telegram.calls()) > before, patience)
        crowd.say(3)
        goal = before + rng.randint(1, 40)
        await telegram.wait_until(lambda: len(telegram.calls()) >= goal or crowd.content(), 3.0)
    # Not only while a request is under way.
    await asyncio.sleep(rng.uniform(0, 0.05))
    await bot.kill()


async def test_nothing_is_lost_at_random_moments(
    bot: Bot, telegram: TelegramServer, llm: OpenAIServer, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = random.Random(SEED)
    bot.settings["OWNERS"] = json.dumps([f"tg:{FIRST_CHAT + number}" for number in range(CHATS)])
    llm.latency = 0.03
    crowd = Crowd(telegram, rng)
    begun = asyncio.get_running_loop().time()
    for _ in range(DEATHS):
        await live(bot, telegram, crowd, rng)
    dying = asyncio.get_running_loop().time() - begun
    await bot.start()
    crowd.say(MESSAGES)
    await bot.until(crowd.content, 120)
    await bot.stop()
    verdict = judge(telegram, bot, crowd.said)
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
    assert bot.value("SELECT count(*) FROM outbox WHERE state != 'sent'") == 0

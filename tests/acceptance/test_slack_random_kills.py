"""kill -9 at random moments on Slack: none lost, and none comes twice."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import pytest

from tests.acceptance.crowd import FIRST, Crowd, live, outlive
from tests.acceptance.harness import MARK, Bot, model_settings
from tests.acceptance.oracle import judge
from tests.acceptance.playing import AHEAD
from tests.acceptance.sites import HTTP, SOCKET, SlackSite
from tests.acceptance.slack_driver import SlackPlatform, address
from tests.emulators.openai import OpenAIServer
from tests.emulators.slack import SlackServer

SEED = 20261122
# After so many seconds what was sent has arrived, if it ever will. No more than five minutes may pass altogether: what
# is signed by a clock that differs more is not Slack's.
SETTLED = 130
DEATHS, CHATS, MESSAGES = 15, 12, 90


@pytest.mark.parametrize("mode", [SOCKET, HTTP])
async def test_nothing_is_lost_or_doubled_at_random_moments(
    llm: OpenAIServer, tmp_path: Path, capsys: pytest.CaptureFixture[str], mode: str
) -> None:
    rng = random.Random(SEED)
    llm.latency = 0.03
    async with SlackServer() as slack:
        SlackPlatform(slack)
        owners = json.dumps([address(FIRST + number) for number in range(CHATS)])
        bot = Bot(SlackSite(slack, mode), tmp_path, model_settings(llm) | {"OWNERS": owners}, AHEAD)
        crowd = Crowd(
            rng,
            chats=CHATS,
            messages=MESSAGES,
            say=lambda number, text: slack.say(text, f"U{number}"),
            chat=lambda number: f"D{number}",
            pending=lambda: len(slack.pending()),
        )
        for number in range(DEATHS):
            await live(bot, slack, crowd, rng)
            if number in (DEATHS // 2, DEATHS - 1):
                bot.advance(SETTLED)
                slack.ahead += SETTLED
        await outlive(bot, crowd, MESSAGES)
        await bot.end()
    verdict = judge(bot, crowd.said)
    marked = [text for _, text in bot.heard() if MARK in text]
    with capsys.disabled():
        sys.stdout.write(
            f"\n{mode}: {DEATHS} kills, {MESSAGES} messages, {CHATS} chats: {len(verdict.lost)} lost, "
            f"{verdict.answered} answered, {verdict.doubles} doubles, {verdict.given_up} given up\n"
        )
    # In which order Slack hands over again what was not acknowledged is not ours to choose.
    assert (verdict.lost, verdict.unmarked) == ((), ()), verdict
    assert (verdict.doubles, marked) == (0, [])
    assert verdict.answered + verdict.given_up == MESSAGES
    assert bot.value("PRAGMA integrity_check") == "ok"
    assert bot.value("SELECT count(*) FROM inbox WHERE state NOT IN ('done', 'dead')") == 0
    assert bot.value("SELECT count(*) FROM outbox WHERE state != 'sent'") == 0

"""A token that its platform does not know ends the start, with what to do about it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

from tests.emulators.slack import SlackServer
from tests.emulators.telegram import TelegramServer
from tests.operating import teller


async def started(folder: Path, settings: Mapping[str, str]) -> tuple[int, str]:
    """Start the bot; returns its exit code and what it said."""
    done = await asyncio.to_thread(teller, folder / "data", "run", env=settings)
    return done.returncode, done.stdout + done.stderr


async def test_a_token_that_telegram_does_not_know_ends_the_start(tmp_path: Path) -> None:
    async with TelegramServer() as server:
        settings = {"TELLER_TELEGRAM__TOKEN": "123456:AAwrong", "TELLER_TELEGRAM__BASE_URL": server.url}
        code, said = await started(tmp_path, {**settings, "TELLER_OWNERS": '["tg:1001"]'})
    assert code == 2
    assert "teller: telegram.token: Telegram does not know this token. Copy it again from @BotFather" in said
    assert "Traceback" not in said
    assert "AAwrong" not in said


async def test_a_token_that_slack_does_not_take_ends_the_start(tmp_path: Path) -> None:
    async with SlackServer() as server:
        settings = {"TELLER_SLACK__BOT_TOKEN": "xoxb-1-wrong", "TELLER_SLACK__APP_TOKEN": server.world.app.app_token}
        where = {"TELLER_SLACK__BASE_URL": server.api, "TELLER_OWNERS": '["slack:T0001:U1001"]'}
        code, said = await started(tmp_path, {**settings, **where})
    assert code == 2
    assert "teller: slack.bot_token: Slack does not take this token." in said
    assert "Traceback" not in said
    assert "xoxb-1-wrong" not in said


async def test_an_app_token_that_slack_does_not_take_ends_the_start(tmp_path: Path) -> None:
    async with SlackServer() as server:
        settings = {"TELLER_SLACK__BOT_TOKEN": server.team.bot_token, "TELLER_SLACK__APP_TOKEN": "xapp-1-wrong"}
        where = {"TELLER_SLACK__BASE_URL": server.api, "TELLER_OWNERS": '["slack:T0001:U1001"]'}
        code, said = await started(tmp_path, {**settings, **where})
    assert code == 2
    assert "teller: slack.app_token: Slack does not know the app token. Copy the app-level token again" in said
    assert "Traceback" not in said
    assert "xapp-1-wrong" not in said

"""Of several platforms one may reject its token: it is down by name and the owners are told, the others go on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from bot.app import build
from bot.runtime.app import App
from core.kernel.clock import SystemClock
from core.kernel.errors import ConfigError
from core.kernel.ports import Intake
from core.store.sqlite.database import SqliteDatabase
from tests.databases import serve
from tests.fake_adapter import FakeAdapter
from tests.fakes import inbound, settings

DEADLINE = 20


class Rejecting(FakeAdapter):
    """A platform that does not take its token, once it is `asked`."""

    def __init__(self, platform: str) -> None:
        super().__init__(platform)
        self.asked = asyncio.Event()

    async def run(self, intake: Intake) -> None:
        await self.asked.wait()
        raise ConfigError(f"{self.platform}.token: {self.platform} does not take this token.")


def app_of(folder: Path, adapters: Sequence[FakeAdapter]) -> App:
    clock = SystemClock()
    db = SqliteDatabase(folder / "teller.db", clock)
    return build(settings(folder), {one.platform: one for one in adapters}, db=db, clock=clock)


async def until(running: asyncio.Task[None], condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(DEADLINE):
        while not condition():
            assert not running.done(), running
            await asyncio.sleep(0.02)


async def test_a_platform_whose_token_is_rejected_is_down_and_the_others_go_on(tmp_path: Path) -> None:
    telegram, slack = FakeAdapter("telegram"), Rejecting("slack")
    app = app_of(tmp_path, [telegram, slack])

    async def begin(app: App) -> None:
        tenant = await app.inbox.tenant("telegram", "bot")
        await app.inbox.accept(tenant, [inbound("hello", key="1")])
        slack.asked.set()

    running = asyncio.create_task(serve(app, begin))
    try:
        await until(running, lambda: any("Slack is down" in text for text in telegram.texts()))
        (told,) = [text for text in telegram.texts() if "Slack is down" in text]
        assert "slack does not take this token" in told
        assert app.rejected == {"slack": "slack.token: slack does not take this token."}
        sent = len(telegram.texts())
        tenant = await app.inbox.tenant("telegram", "bot")
        await app.inbox.accept(tenant, [inbound("/help", key="2")])
        await until(running, lambda: len(telegram.texts()) > sent)
        assert not running.done()
    finally:
        app.stop()
        await asyncio.wait_for(running, DEADLINE)


async def test_the_start_fails_when_every_platform_rejects_its_token(tmp_path: Path) -> None:
    telegram, slack = Rejecting("telegram"), Rejecting("slack")
    telegram.asked.set()
    slack.asked.set()
    with pytest.raises(ConfigError, match=r"(?s)telegram does not take.*slack does not take"):
        await asyncio.wait_for(serve(app_of(tmp_path, [telegram, slack])), DEADLINE)

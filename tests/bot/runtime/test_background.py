"""What a capability does in the background goes on after a bug, and others don't notice."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

import pytest

from bot.app import build
from bot.runtime.app import WORK_AGAIN
from core.capabilities.all import CAPABILITIES
from core.kernel.clock import SystemClock
from core.store.sqlite.database import SqliteDatabase
from core.toolkit.capability import Capability
from core.toolkit.services import Services
from tests.databases import serve
from tests.fake_adapter import FakeAdapter
from tests.fakes import settings

DEADLINE = 20


class Hasty(SystemClock):
    """A clock with which nobody waits for what is started again."""

    async def sleep(self, seconds: float) -> None:
        await super().sleep(0 if seconds == WORK_AGAIN else seconds)


async def test_background_work_that_a_bug_ends_is_started_again_and_named(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    starts, third = [], asyncio.Event()

    async def work(_services: Services) -> None:
        starts.append(1)
        if len(starts) < 3:
            raise KeyError("a bug")
        third.set()
        await asyncio.Event().wait()

    clock = Hasty()
    app = build(
        settings(tmp_path),
        {"telegram": FakeAdapter("telegram")},
        db=SqliteDatabase(tmp_path / "teller.db", clock),
        clock=clock,
        capabilities=(*CAPABILITIES, Capability(name="fragile", background=work)),
    )
    with caplog.at_level(logging.ERROR):
        running = asyncio.create_task(serve(app))
        async with asyncio.timeout(DEADLINE):
            await third.wait()
        app.stop()
        await asyncio.wait_for(running, DEADLINE)
    named = [one for one in caplog.records if "background work of fragile failed" in one.getMessage()]
    assert (len(named), len(starts)) == (2, 3)

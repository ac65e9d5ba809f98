"""What a capability does in the background goes on after a bug, and others don't notice."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

import pytest

from bot.app import build
from bot.runtime.app import ANCHOR_EVERY, WORK_AGAIN
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
    """A clock with which nobody waits for what is done again."""

    def __init__(self) -> None:
        self.tries: asyncio.Queue[float] = asyncio.Queue()

    async def sleep(self, seconds: float) -> None:
        if seconds in (ANCHOR_EVERY, WORK_AGAIN):
            self.tries.put_nowait(seconds)
            seconds = 0.01
        await super().sleep(seconds)


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


async def test_an_anchor_file_that_cannot_be_written_is_told_once_and_so_is_its_end(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    anchor, clock = tmp_path / "ledger.anchor", Hasty()
    anchor.mkdir()
    app = build(
        settings(tmp_path),
        {"telegram": FakeAdapter("telegram")},
        db=SqliteDatabase(tmp_path / "teller.db", clock),
        clock=clock,
    )
    with caplog.at_level(logging.WARNING):
        running = asyncio.create_task(serve(app))
        async with asyncio.timeout(DEADLINE):
            for _ in range(3):
                await clock.tries.get()
            anchor.rmdir()
            while not anchor.is_file():
                await clock.tries.get()
            await clock.tries.get()
        app.stop()
        await asyncio.wait_for(running, DEADLINE)
    told = [one for one in caplog.records if "anchored" in one.getMessage()]
    assert [one.levelname for one in told] == ["ERROR", "WARNING"]
    assert ("Is a directory" in told[0].getMessage(), told[0].exc_info) == (True, None)

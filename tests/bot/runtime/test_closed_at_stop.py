"""What the program has opened it closes when it stops."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

from bot.app import build
from bot.runtime.app import App
from bot.runtime.run import _obey_signals
from core.kernel.clock import SystemClock
from core.store.sqlite.database import SqliteDatabase
from tests.databases import serve
from tests.fake_adapter import FakeAdapter
from tests.fakes import FakeModel, settings


async def test_the_connections_to_the_model_are_closed_at_a_stop(tmp_path: Path) -> None:
    model, clock = FakeModel(), SystemClock()
    db = SqliteDatabase(tmp_path / "teller.db", clock)
    app = build(settings(tmp_path), {"telegram": FakeAdapter()}, db=db, clock=clock, model=model)

    async def end(app: App) -> None:
        assert not model.closed
        app.stop()

    await serve(app, end)
    assert model.closed


@pytest.mark.parametrize("nohup", [False, True])
async def test_the_end_of_the_terminal_asks_for_a_stop_unless_it_is_kept_off(tmp_path: Path, *, nohup: bool) -> None:
    loop, clock = asyncio.get_running_loop(), SystemClock()
    db = SqliteDatabase(tmp_path / "teller.db", clock)
    app = build(settings(tmp_path), {"telegram": FakeAdapter()}, db=db, clock=clock)
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN if nohup else signal.SIG_DFL)
    try:
        _obey_signals(app)
        os.kill(os.getpid(), signal.SIGHUP)
        if nohup:
            os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.wait_for(app.stopping.wait(), 10)
        assert (signal.getsignal(signal.SIGHUP) is signal.SIG_IGN) is nohup
    finally:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            loop.remove_signal_handler(number)
        signal.signal(signal.SIGHUP, before)

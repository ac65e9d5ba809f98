"""What the program has opened it closes when it stops."""

from __future__ import annotations

from pathlib import Path

from bot.app import build
from bot.runtime.app import App
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

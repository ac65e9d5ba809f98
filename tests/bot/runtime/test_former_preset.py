"""A preset of former versions means an assistant: the owners are told so once, however often the bot starts."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.app import build
from bot.config.sections import RolesSection
from bot.runtime.app import App
from core.kernel.clock import SystemClock
from core.store.sqlite.database import SqliteDatabase
from tests.databases import serve
from tests.fake_adapter import FakeAdapter
from tests.fakes import FakeModel, inbound, settings

ASSISTANT = "I am an assistant now"


async def told(folder: Path, preset: str, key: str) -> list[str]:
    """Start the bot, write to it, and stop it; return what the owner was told of the preset."""
    adapter, clock = FakeAdapter("telegram"), SystemClock()
    config = settings(folder, roles=RolesSection.model_validate({"preset": preset}))
    db = SqliteDatabase(folder / "teller.db", clock)
    app = build(config, {"telegram": adapter}, db=db, clock=clock, model=FakeModel(lambda request: "hello"))

    async def begin(app: App) -> None:
        tenant = await app.inbox.tenant("telegram", "bot")
        await app.inbox.accept(tenant, [inbound("/help", key=key)])

    running = asyncio.create_task(serve(app, begin))
    async with asyncio.timeout(20):
        while not any("/today" in text for text in adapter.texts()):
            assert not running.done(), running
            await asyncio.sleep(0.02)
    app.stop()
    await asyncio.wait_for(running, 20)
    return [text for text in adapter.texts() if ASSISTANT in text]


@pytest.mark.parametrize("preset", ["full", "brief"])
async def test_a_former_preset_is_told_of_once(tmp_path: Path, preset: str) -> None:
    # Nobody is known at the first start.
    found = [await told(tmp_path, preset, key) for key in ("1", "2", "3")]
    assert [len(texts) for texts in found] == [0, 1, 0]
    assert f"roles.preset: {preset}" in found[1][0]


@pytest.mark.parametrize("preset", ["assistant", "strict"])
async def test_of_others_nothing_is_told(tmp_path: Path, preset: str) -> None:
    assert [await told(tmp_path, preset, key) for key in ("1", "2")] == [[], []]

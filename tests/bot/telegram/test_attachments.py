"""From a photo on Telegram to a file on the disk and an answer, through the whole house."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.adapters.telegram import TelegramAdapter, Timing
from bot.app import App, build
from core.agents.llm.scripted import Said
from core.kernel.types import ModelRequest
from tests.conftest import PlaceMaker
from tests.databases import build as build_database
from tests.databases import serve
from tests.emulators.telegram import TelegramServer
from tests.fakes import FakeModel, config
from tests.memory_intake import RealClock

TOKEN = "1000:TESTTOKEN_for_the_emulator_only_00000"
USER = 1001
JPEG = b"\xff\xd8\xff\xe0picture"
QUICK = Timing(poll=1, network=2.0, watchdog=1.0, first=0.02, most=0.1)


@contextlib.asynccontextmanager
async def living(app: App) -> AsyncIterator[App]:
    task = asyncio.create_task(serve(app))
    try:
        yield app
    finally:
        app.stop()
        await asyncio.wait_for(task, 20)


def on_disk(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in sorted(folder.glob("files/*/*"))]


def seen(request: ModelRequest) -> Said:
    content = request.messages[-1]["content"]
    return f"{content if isinstance(content, str) else [part['type'] for part in content]}"


@pytest.fixture
async def server() -> AsyncIterator[TelegramServer]:
    async with TelegramServer(token=TOKEN) as server:
        server.open(USER)
        yield server


async def test_what_is_sent_on_telegram_is_kept_and_seen(
    server: TelegramServer, make_place: PlaceMaker, tmp_path: Path
) -> None:
    clock, folder = RealClock(), tmp_path / "house"
    model = FakeModel()
    model.always(seen)
    adapter = TelegramAdapter(TOKEN, server.url, clock, timing=QUICK)
    settings = config(folder, owners=(f"tg:{USER}",), llm={"vision": True})
    database = build_database(make_place("sqlite"), clock)
    app = build(settings, {"telegram": adapter}, db=database, clock=clock, model=model)
    async with living(app):
        server.send_media("photo", USER, data=JPEG, caption="who is this?")
        (answer,) = await server.wait_sent(1)
        assert answer.text == "['text', 'image_url']"
        server.send_media("document", USER, data=b"buy milk", file_name="../list.txt", mime_type="text/plain")
        _, answer = await server.wait_sent(2)
        assert "buy milk" in answer.text
        server.send_media("video", USER, data=b"OggS", size=21_000_000)
        *_, answer = await server.wait_sent(3)
        assert answer.text.endswith("(not kept: it is too big; say so)")
        server.album(["photo", "photo"], USER, data=JPEG, caption="us")
        *_, answer = await server.wait_sent(4)
        assert answer.text == "['text', 'image_url', 'image_url']"
    assert on_disk(folder) == [JPEG, b"buy milk", JPEG, JPEG]

"""A house that hears: voice notes are sent to it, and an emulated server writes them down."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from bot.config.voice import VoiceSection
from core.kernel.ports import Database
from core.kernel.types import Attachment
from core.toolkit.fetch.client import Fetcher
from tests.emulators.transcriptions import DEFAULT_KEY, TranscriptionServer, Wrong
from tests.fake_adapter import FakeAdapter
from tests.fakes import FakeClock, House, house

SOUND = b"OggS and the rest of it"
NOTE = Attachment(kind="voice", file="v", mime="audio/ogg", seconds=60)


def opus(seconds: int, padding: int = 0) -> bytes:
    """An Ogg file with so many seconds of Opus, a page each of packets of 20 ms and of ten bytes; its pages say that it
    has none."""
    head = b"OggS" + bytes(22) + b"\x01\x13OpusHead" + bytes(11)
    page = b"OggS" + bytes(22) + b"\x32" + b"\x0a" * 50 + (b"\x08" + bytes(9)) * 50
    return head + page * seconds + bytes(padding)


def mp3(seconds: int) -> bytes:
    """An mp3 of so many seconds and eight kilobits in each, the least there is: frames of 72 bytes and 72 ms."""
    return (b"\xff\xe3\x18\xc4" + bytes(68)) * (seconds * 1000 // 72 + 1)


@asynccontextmanager
async def talking(
    database: Database,
    folder: Path,
    *script: Any,
    model: bool = True,
    waits: bool = False,
    **voice: Any,
) -> AsyncIterator[tuple[House, TranscriptionServer]]:
    """Build a house, and the server that it asks. Of the `script` the server says the first things up to its last
    misfortune and one text, the model the rest."""
    first = next(n for n, one in enumerate(script) if not isinstance(one, Wrong) or n == len(script) - 1) + 1
    adapter = FakeAdapter()
    adapter.files = {"v": SOUND}
    async with TranscriptionServer(*script[:first]) as server:
        section = VoiceSection.model_validate({
            "base_url": f"{server.url}/v1",
            "api_key": DEFAULT_KEY,
            "model": "whisper-1",
            "timeout_seconds": 10,
            **voice,
        })
        clock = FakeClock(waits=waits)
        home = await house(
            *(database, folder / "house", *script[first:]), model=model, clock=clock, adapter=adapter, voice=section
        )
        try:
            yield home, server
        finally:
            await home.app.container.get(Fetcher).close()

"""The real client of the Bot API, pointed at an emulator."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from telegram import Bot
from telegram.request import HTTPXRequest

from tests.emulators.telegram import DEFAULT_TOKEN

READ_TIMEOUT = 5.0


@asynccontextmanager
async def bot_for(url: str, token: str = DEFAULT_TOKEN) -> AsyncIterator[Bot]:
    """Yield a bot that talks to the emulator at *url*; it has not called getMe yet."""
    poll, send = HTTPXRequest(read_timeout=READ_TIMEOUT), HTTPXRequest(read_timeout=READ_TIMEOUT)
    bot = Bot(token, base_url=f"{url}/bot", base_file_url=f"{url}/file/bot", request=send, get_updates_request=poll)
    await asyncio.gather(poll.initialize(), send.initialize())
    try:
        yield bot
    finally:
        await asyncio.gather(poll.shutdown(), send.shutdown())

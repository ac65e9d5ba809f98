"""A running Bot API emulator and the real client library, for each test."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from telegram import Bot

from tests.emulators.telegram import TelegramServer
from tests.emulators.telegram_client import bot_for
from tests.emulators.telegram_user import DEFAULT_USER


@pytest.fixture(autouse=True)
def durations_are_timedeltas(monkeypatch: pytest.MonkeyPatch) -> None:
    # Otherwise the library warns about itself, and here every warning is an error.
    monkeypatch.setenv("PTB_TIMEDELTA", "true")


@pytest.fixture
async def server() -> AsyncIterator[TelegramServer]:
    async with TelegramServer() as running:
        running.open(DEFAULT_USER)
        yield running


@pytest.fixture
async def bot(server: TelegramServer) -> AsyncIterator[Bot]:
    async with bot_for(server.url) as client:
        yield client

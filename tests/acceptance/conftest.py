"""Fixtures of the stories: emulators, and the bot that is checked and stopped at the end of each."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.acceptance.harness import KEY, TOKEN, Bot, model_settings
from tests.emulators.openai import OpenAIServer
from tests.emulators.telegram import TelegramServer
from tests.ports import free_port

# What a story asserts says what was there instead, as a test does.
pytest.register_assert_rewrite("tests.acceptance.stories")


@pytest.fixture
async def telegram() -> AsyncIterator[TelegramServer]:
    """An emulated Telegram with one bot."""
    async with TelegramServer(token=TOKEN) as server:
        yield server


@pytest.fixture
async def llm() -> AsyncIterator[OpenAIServer]:
    """An emulated model that repeats what it hears. While it is stopped nobody is given its port."""
    async with OpenAIServer(key=KEY, port=free_port()) as server:
        yield server


@pytest.fixture
async def plain(telegram: TelegramServer, tmp_path: Path) -> AsyncIterator[Bot]:
    """A bot without a model, not started yet."""
    bot = Bot(telegram, tmp_path)
    try:
        yield bot
        await bot.end()
    finally:
        if bot.running:
            await bot.kill()


@pytest.fixture
def bot(plain: Bot, llm: OpenAIServer) -> Bot:
    """A bot with a model, not started yet."""
    plain.settings |= model_settings(llm)
    return plain

"""How stories are played on Telegram: one program for many of them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

from tests.acceptance.harness import KEY, TOKEN, Bot, model_settings, telegram_settings
from tests.acceptance.stories.stage import Stage
from tests.acceptance.telegram_driver import TelegramPlatform
from tests.emulators.openai import OpenAIServer
from tests.emulators.telegram import TelegramServer

RUN = ("bot", "run")
# The program whose wall clock can be put forward.
AHEAD = ("tests.killable",)
S = TypeVar("S", bound=Stage)


@asynccontextmanager
async def played(kind: type[S], folder: Path, module: Sequence[str] = RUN, **settings: str) -> AsyncIterator[S]:
    """A program whose owner has talked to it; at its end nothing may have gone wrong behind the stories' backs."""
    async with TelegramServer(token=TOKEN) as telegram, OpenAIServer(key=KEY) as llm:
        given = telegram_settings(telegram, folder) | model_settings(llm) | settings
        bot = Bot(telegram, folder, given, module)
        try:
            stage = kind(TelegramPlatform(telegram), bot, llm)
            await bot.start()
            await stage.talk(stage.platform.owner)
            yield stage
            await bot.end()
        finally:
            if bot.running:
                await bot.kill()

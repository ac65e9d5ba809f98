"""How stories are played on a platform: one program for many of them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from tests.acceptance import slack_driver, telegram_driver
from tests.acceptance.harness import KEY, TOKEN, Bot, model_settings
from tests.acceptance.sites import SOCKET, Site, SlackSite
from tests.acceptance.slack_driver import SlackPlatform
from tests.acceptance.stories.platform import Platform
from tests.acceptance.stories.stage import Stage
from tests.acceptance.telegram_driver import TelegramPlatform
from tests.emulators.openai import OpenAIServer
from tests.emulators.slack import SlackServer
from tests.emulators.telegram import TelegramServer

RUN = ("bot", "run")
# The program whose wall clock can be put forward.
AHEAD = ("tests.killable",)
S = TypeVar("S", bound=Stage)


@asynccontextmanager
async def played(kind: type[S], folder: Path, module: Sequence[str] = RUN, **settings: str) -> AsyncIterator[S]:
    """A program on Telegram whose owner has talked to it; in the end nothing may have gone wrong behind our backs."""
    async with TelegramServer(token=TOKEN) as telegram:
        bot = Bot(telegram, folder, settings, module)
        async with _played(kind, TelegramPlatform(telegram), bot) as stage:
            yield stage


@asynccontextmanager
async def played_on_slack(
    kind: type[S], folder: Path, module: Sequence[str] = RUN, *, mode: str = SOCKET, **settings: str
) -> AsyncIterator[S]:
    """The same on Slack."""
    async with SlackServer() as slack:
        site: Site = SlackSite(slack, mode)
        async with _played(kind, SlackPlatform(slack), Bot(site, folder, settings, module)) as stage:
            yield stage


@asynccontextmanager
async def _played(kind: type[S], platform: Platform, bot: Bot) -> AsyncIterator[S]:
    async with OpenAIServer(key=KEY) as llm:
        bot.settings |= model_settings(llm)
        try:
            stage = kind(platform, bot, llm)
            await bot.start()
            await stage.talk(stage.platform.owner)
            yield stage
            await bot.end()
        finally:
            if bot.running:
                await bot.kill()


@dataclass(frozen=True)
class Way:
    """How stories are played on a platform, and what the settings say there of who has access."""

    play: Callable[..., AbstractAsyncContextManager[Any]]
    admitted: str
    owning: str


TELEGRAM = Way(played, telegram_driver.admitted(), telegram_driver.owning())
SLACK = Way(played_on_slack, slack_driver.admitted(), slack_driver.owning())

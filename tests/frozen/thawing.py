"""Opens a copy of a frozen folder with today's program, beside a Telegram that remembers the conversation."""

from __future__ import annotations

import asyncio
import gzip
import json
import tarfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from tests import operating
from tests.acceptance.harness import KEY, TOKEN, Bot, model_settings
from tests.acceptance.playing import AHEAD
from tests.acceptance.stories.days import Days
from tests.acceptance.stories.platform import Chat, Person, Shown
from tests.acceptance.telegram_driver import TelegramPlatform, admitted
from tests.emulators.openai import OpenAIServer
from tests.emulators.telegram import TelegramServer
from tests.frozen.memory import restore

HERE = Path(__file__).parent


@dataclass(frozen=True, kw_only=True)
class Thawed:
    """A stage whose clock is that of the frozen folder's last moment, and the people of its conversation by name."""

    on: Days
    server: TelegramServer
    people: Mapping[str, str]
    group: str

    def who(self, name: str) -> Person:
        """Somebody of the conversation."""
        return Person(name=f"User{self.people[name]}", key=self.people[name])

    def home(self, name: str) -> Chat:
        """The private chat of somebody."""
        return self.on.platform.private(self.who(name))

    @property
    def family(self) -> Chat:
        """The group."""
        return Chat(key=self.group, group=True)

    def texts(self, name: str) -> list[str]:
        """What the bot has said to somebody in private."""
        return self.on.texts(self.home(name))

    async def sees(self, name: str, words: str) -> Shown:
        """Wait for a message with these words in somebody's private chat; returns the last one."""
        await self.on.sees(self.home(name), words)
        return [shown for shown in self.on.platform.shown(self.home(name)) if words in shown.text][-1]

    async def presses(self, name: str, words: str, label: str) -> Shown:
        """Let somebody press a button of a message with these words; returns the message as it was."""
        shown = next(
            one for one in self.on.platform.shown(self.home(name)) if words in one.text and label in one.labels
        )
        await self.on.pressed(self.who(name), shown, label)
        return shown


@asynccontextmanager
async def thawed(folder: Path, **settings: str) -> AsyncIterator[Thawed]:
    """Unpack the folder and let the program be started; in the end nothing may have gone wrong."""
    memory: dict[str, Any] = json.loads((HERE / "telegram.json").read_text())
    unpacked(folder, "telegram")
    first = memory["next_update_id"] - len(memory["pending"])
    async with TelegramServer(token=TOKEN, first_update_id=first) as server, OpenAIServer(key=KEY) as llm:
        restore(server, memory)
        access = {"ACCESS__MODE": "allowlist", "ACCESS__ALLOW": admitted()}
        bot = Bot(server, folder, {**access, **model_settings(llm), **settings}, AHEAD)
        on = Days(TelegramPlatform(server), bot, llm)
        on.at(memory["clock"])
        on.passes(1)  # the clock of the file is told in whole seconds
        try:
            yield Thawed(on=on, server=server, people=memory["people"], group=memory["family"])
            await bot.end()
        finally:
            if bot.running:
                await bot.kill()


def unpacked(folder: Path, name: str) -> None:
    """Put the frozen files into the data folder of a program."""
    data = folder / "data"
    data.mkdir(mode=0o700)
    with tarfile.open(HERE / f"{name}.tar.gz") as packed:
        packed.extractall(data, filter="data")


def loaded(url: str) -> str:
    """Fill an empty Postgres database with the frozen rows; returns its address."""
    with psycopg.connect(url) as conn:
        conn.execute(gzip.decompress((HERE / "postgres.sql.gz").read_bytes()))
    return url


async def teller(bot: Bot, *words: str) -> str:
    """What an operator's command says; it must end well."""
    settings = {f"TELLER_{name}": value for name, value in bot.settings.items()}
    done = await asyncio.to_thread(operating.teller, bot.data, *words, env=settings)
    assert done.returncode == 0, done.stderr
    return done.stdout

"""Where stories of days and weeks are played in seconds: a stage with a clock that is put forward."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

from tests.acceptance.stories.platform import Chat, Person, Shown
from tests.acceptance.stories.stage import HOUR, Stage

MINUTE, DAY = 60, 24 * HOUR


class Days(Stage):
    """A stage on which time passes at will, for the program and for the platform."""

    # Time.

    @property
    def clock(self) -> datetime:
        """What the clocks show, in UTC."""
        return datetime.now(UTC) + timedelta(seconds=self.bot.ahead)

    def day(self, ahead: int = 0) -> str:
        """Today, or a day so many days ahead, as the program shows days."""
        day = self.clock + timedelta(days=ahead)
        return f"{day:%a} {day.day} {day:%b}"

    def passes(self, seconds: float) -> None:
        """Let time pass, at once."""
        self.platform.put_forward(seconds)
        self.bot.advance(seconds)

    def noon(self) -> None:
        """Let time pass until it is noon in UTC the next time."""
        noon = self.clock.replace(hour=12, minute=0, second=0, microsecond=0)
        self.passes(((noon - self.clock) % timedelta(days=1)).total_seconds())

    def at(self, moment: str) -> None:
        """Let time pass until an instant, such as 2027-03-13T12:00+00:00."""
        self.passes((datetime.fromisoformat(moment) - self.clock).total_seconds())

    @asynccontextmanager
    async def away(self, seconds: float) -> AsyncIterator[None]:
        """The program is down for so long; in the block it is down, and it starts again after it."""
        await self.bot.stop()
        yield
        self.passes(seconds)
        await self.bot.start()

    # Talk.

    async def says(
        self, person: Person, words: str, chat: Chat | None = None, *, reply_to: Shown | None = None
    ) -> Shown:
        """Let somebody say something to the bot; returns what it says then."""
        where = chat or self.platform.private(person)
        if reply_to is not None:
            await self.bot.recorded(reply_to.key)
        before = len(self.platform.shown(where))
        answered = reply_to.key if reply_to else ""
        self.platform.say(person, words, where, mention=where.group and not answered, reply_to=answered)
        await self.count(where, before + 1)
        return self.platform.shown(where)[before]

    async def asks_openly(self, person: Person, command: str, chat: Chat) -> Shown:
        """Let somebody give a command in a group whose answer everybody sees; returns the answer."""
        before = len(self.platform.shown(chat))
        self.platform.openly(person, command, chat)
        await self.count(chat, before + 1)
        return self.platform.shown(chat)[before]

    async def sees(self, chat: Chat, words: str, *, after: Shown | None = None) -> Shown:
        """Wait for a message, later than `after`, that contains some words; returns the first one."""

        def found() -> list[Shown]:
            shown = list(self.platform.shown(chat))
            begin = [one.key for one in shown].index(after.key) + 1 if after else 0
            return [one for one in shown[begin:] if words in one.text]

        await self.until(lambda: bool(found()))
        return found()[0]

    async def becomes(self, shown: Shown, words: str) -> Shown:
        """Wait until a message contains some words; returns how it reads then."""
        await self.until(lambda: words in self.now(shown).text)
        return self.now(shown)

"""Where stories of Slack alone are played: a stage of days whose emulated workspace is at hand."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from tests.acceptance.slack_driver import RETRIES, SlackPlatform
from tests.acceptance.stories.days import Days
from tests.acceptance.stories.platform import Chat, Person
from tests.emulators.slack import SlackServer
from tests.emulators.slack_acts import elements_of
from tests.emulators.slack_shown import ShownMessage

MENTION = "<@U0BOT>"


class Office(Days):
    """What people of one workspace do that others cannot, and what they see of it."""

    @property
    def slack(self) -> SlackServer:
        """The workspace."""
        assert isinstance(self.platform, SlackPlatform)
        return self.platform.server

    def write(self, person: Person, text: str, chat: Chat, thread: str = "") -> str:
        """Let somebody write in a channel, or in a thread of it; returns the message."""
        return self.slack.say(text, person.key, chat.key, thread=thread)

    def said(self, chat: Chat, thread: str | None = None, person: Person | None = None) -> list[ShownMessage]:
        """What the bot has said: what everybody sees of it, or what somebody does."""
        return self.slack.said(chat.key, person.key if person else "", thread=thread)

    async def hears(
        self, chat: Chat, words: str, *, thread: str | None = None, person: Person | None = None
    ) -> ShownMessage:
        """Wait until the bot has said something with these words; returns the last such message."""

        def found() -> list[ShownMessage]:
            return [one for one in self.said(chat, thread, person) if words in one.text]

        await self.until(lambda: bool(found()))
        return found()[-1]

    async def asked(self, person: Person, words: str, chat: Chat, thread: str = "") -> str:
        """Let somebody mention the bot, and wait for its answer; returns the thread."""
        root = self.write(person, f"{MENTION} {words}", chat, thread)
        await self.hears(chat, f"You said: {words}", thread=thread or root)
        return thread or root

    async def commands(self, person: Person, line: str, chat: Chat) -> ShownMessage:
        """Let somebody write a slash command; returns what they alone are shown for it."""
        before = len(self.alone(person, chat))
        self.slack.command(line, person.key, chat.key)
        await self.until(lambda: len(self.alone(person, chat)) > before)
        return self.alone(person, chat)[before]

    def alone(self, person: Person, chat: Chat) -> list[ShownMessage]:
        """What somebody alone sees in a channel."""
        return [one for one in self.slack.shown(chat.key, person.key) if one.ephemeral]

    async def window(self, person: Person) -> str:
        """Wait for a window that the bot opens; returns what it shows."""
        await self.until(lambda: bool(self.slack.views(person.key)))
        return str(self.slack.views(person.key)[-1].content["title"]["text"])

    async def sends(self, person: Person, values: Mapping[str, Any]) -> None:
        """Let somebody fill in the window and send it; it is taken and closes."""
        envelope = self.slack.submit(values, person.key)
        await self.until(envelope.done.is_set)
        assert self.slack.views(person.key) == []

    async def home(self, person: Person, condition: Callable[[str], bool]) -> str:
        """Wait until somebody's page reads like this; returns it."""
        await self.until(lambda: condition(self.slack.home_text(person.key)))
        return self.slack.home_text(person.key)

    def buttons(self, person: Person) -> list[dict[str, Any]]:
        """What can be pressed on somebody's page."""
        view = self.slack.home(person.key)
        assert view is not None
        return [one for one in elements_of(view.content["blocks"]) if one["type"] == "button"]

    def uses_home(self, person: Person, label: str) -> None:
        """Let somebody press a button on their page."""
        view = self.slack.home(person.key)
        assert view is not None
        self.slack.press(view.id, label, person.key)

    @asynccontextmanager
    async def cut_off(self) -> AsyncIterator[None]:
        """In the block nothing gets through and nothing is kept; after it the program connects again."""
        fault = self.slack.fault("apps.connections.open", kind="500", times=1_000_000)
        self.slack.retry_after = ()
        self.slack.sockets.abort()
        await self.until(lambda: self.slack.sockets.open == 0)
        begun = len(self.slack.deliveries.all)
        yield
        lost = self.slack.deliveries.all[begun:]
        await self.until(lambda: all(one.gone for one in lost))
        before = self.slack.sockets.greeted
        fault.times = 0
        await self.until(lambda: self.slack.sockets.greeted > before)
        self.slack.retry_after = RETRIES

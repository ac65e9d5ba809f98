"""The Slack adapter: receiving, rendering and sending behind the port."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from bot.adapters.slack.directory.channel_members import Members
from bot.adapters.slack.directory.threads import Threads
from bot.adapters.slack.directory.workspaces import PLATFORM, Workspaces, user_of
from bot.adapters.slack.install.pages import Installing, WebPage
from bot.adapters.slack.receive.files import Files
from bot.adapters.slack.receive.http_endpoint import WebDoor
from bot.adapters.slack.receive.service import Incoming
from bot.adapters.slack.receive.slash_commands import TODO
from bot.adapters.slack.receive.socket_mode import Timing
from bot.adapters.slack.render import mrkdwn
from bot.adapters.slack.render.command_style import COMMAND, spelling
from bot.adapters.slack.render.render import render
from bot.adapters.slack.send.activity import Decoration
from bot.adapters.slack.send.client import Wire, described
from bot.adapters.slack.send.home import Pages
from bot.adapters.slack.send.lookup import Finder
from bot.adapters.slack.send.sender import LEAVE, Sender
from bot.adapters.slack.texts import TEXTS
from core.kernel.ports import Clock, Intake
from core.kernel.types import Attachment, Destination, Keyboard, Line, Page, Part
from core.kernel.types import Sender as Person
from core.language import add_texts

log = logging.getLogger(__name__)
add_texts(TEXTS)

PATH = "/slack/events"
DIRECT_SECONDS = 5.0


class SlackAdapter:
    """One app in its workspaces. The external id of a tenant is that of the workspace."""

    platform = PLATFORM
    finds = True
    marks_private = True
    opens = True
    edits_asking = True

    def __init__(
        self,
        bot_token: str,
        base_url: str,
        clock: Clock,
        *,
        app_token: str = "",
        signing_secret: str = "",
        names: Collection[str] = (),
        command: str = COMMAND,
        todo: str = TODO,
        path: str = PATH,
        timing: Timing | None = None,
        installing: Installing | None = None,
    ) -> None:
        """`base_url` is that of the Web API; `names` are the commands there are, without their slash;
        `command` is what the app calls the one for all of them, `todo` the one for the to-do list, with it.

        With an `app_token` a web socket is opened (Socket Mode); without one Slack posts to `path`, which needs the
        `signing_secret`: raises `ValueError` where both are missing. With `installing` workspaces install the app by
        its page; the one of the `bot_token`, which may be empty then, is served beside them.
        """
        self._wire, self._workspaces = Wire(base_url), Workspaces()
        self._incoming = Incoming(
            self._wire,
            self._workspaces,
            clock,
            bot_token=bot_token,
            app_token=app_token,
            signing_secret=signing_secret,
            path=path,
            names=frozenset(names),
            todo=todo,
            timing=timing or Timing(),
            installing=installing,
        )
        self.spelling = spelling(command, todo, self._incoming.called)
        self._decoration = Decoration(self._workspaces, self._wire, clock)
        self._sender = Sender(
            self._workspaces, self._wire, clock, self._decoration.posted, removed=self._incoming.removed
        )
        self._finder = Finder(self._workspaces, self._wire, clock)
        self._threads = Threads(self._workspaces, self._wire, self._incoming.people)
        self._pages = Pages(self._workspaces, self._wire, self._incoming.people)
        self._members = Members(self._workspaces, self._wire, clock)
        self._files = Files(self._workspaces, self._wire)

    @property
    def caught_up(self) -> asyncio.Event:
        """Set once what was said while nobody listened is committed, but for workspaces that cannot be read."""
        return self._incoming.caught_up

    @property
    def doors(self) -> Sequence[WebDoor]:
        """What the web server is to open for Slack; nothing in Socket Mode."""
        return self._incoming.doors

    @property
    def web_pages(self) -> Sequence[WebPage]:
        """What the web server is to show to people who install the app; nothing where that is not wished for."""
        return self._incoming.web_pages

    def serves(self, tenant: str) -> bool:
        """Whether `tenant` has the app installed; any has until that is known, after the start."""
        return self._workspaces.serves(tenant)

    def hears(self, tenant: str) -> bool:
        """Whether what was said in the workspace `tenant` is here; what troubles another one is no matter."""
        return self._incoming.hears(tenant)

    async def run(self, intake: Intake) -> None:
        """Receive until cancelled."""
        await self._incoming.run(intake)

    async def close(self) -> None:
        """Close all connections."""
        await self._wire.close()

    def render(self, text: str, choices: Sequence[str] = (), keyboard: Keyboard | None = None) -> Sequence[Part]:
        """Turn Markdown into messages of blocks within Slack's limits; the last has the buttons."""
        return render(text, choices, keyboard)

    def leaving(self) -> Part:
        """What makes the bot leave a channel (conversations.leave)."""
        return LEAVE

    async def send(self, to: Destination, part: Part, *, repeated: str = "") -> str:
        """Send one part and return its time stamp, at once or not at all (see the port for the errors)."""
        return await self._sender.send(to, part, repeated=repeated)

    async def find(self, to: Destination) -> str | None:
        """Look for a message by the key in its metadata (conversations.history, conversations.replies)."""
        return await self._finder.find(to)

    async def thread(self, to: Destination, most: int) -> Sequence[Line]:
        """Read the end of a thread (conversations.replies)."""
        return await self._threads.thread(to, most)

    async def page(self, tenant: str, address: str, page: Page) -> None:
        """Show somebody their App Home (views.publish)."""
        await self._pages.show(tenant, address, page)

    async def typing(self, to: Destination, language: str = "") -> None:
        """Show in a thread that the bot is thinking (assistant.threads.setStatus)."""
        await self._decoration.typing(to, language)

    async def mark(self, to: Destination, message_id: str, *, working: bool) -> None:
        """Put 👀 on a message while it is worked on, where a status cannot be shown (reactions.add)."""
        await self._decoration.mark(to, message_id, working=working)

    async def draft(self, to: Destination, draft_id: int, text: str) -> bool:
        """Answers are posted when they are whole; until then a status is shown."""
        return False

    async def administers(self, to: Destination, address: str) -> bool:
        """Whether a person administers the workspace, or made the channel."""
        return await self._members.administers(to, address)

    async def belongs(self, to: Destination, address: str) -> bool:
        """Whether a person is in the channel (conversations.members)."""
        return await self._members.belongs(to, address)

    async def direct(self, to: Destination, address: str) -> tuple[Person, str] | None:
        """Open the conversation with somebody of the workspace (conversations.open), who sees nothing of it yet."""
        user, workspace = user_of(address), self._workspaces.get(to.tenant)
        if workspace is None or not user:
            return None
        try:
            async with asyncio.timeout(DIRECT_SECONDS):
                found = (await self._incoming.people(workspace, [user]))[user]
                # People of other workspaces, in channels that are shared, are not written to.
                return (found, await self._incoming.direct(to.tenant, user)) if found.address == address else None
        except Exception as error:
            log.info("no conversation with somebody: %s", described(error))
            return None

    def mention(self, address: str, name: str) -> str:
        """Markdown that names somebody, who is told."""
        return mrkdwn.mention(address, name)

    async def sees_all(self, to: Destination) -> bool:
        """Whether the token reads all that is said in channels."""
        return await self._members.sees_all(to)

    async def fetch(self, attachment: Attachment, most_bytes: int) -> bytes:
        """Download a file, `most_bytes` at most; raises `FetchFailed`."""
        return await self._files.fetch(attachment, most_bytes)

    def link(self, payload: str) -> str:
        """Slack has no link that brings a payload along."""
        return ""

    def health(self) -> Mapping[str, Any]:
        """Say whether Slack is heard, and who the bot is where."""
        return self._incoming.health()

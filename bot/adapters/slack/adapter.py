"""The Slack adapter: receiving, rendering and sending behind the port."""

from __future__ import annotations

from bot.adapters.slack.app import SlackApp
from bot.adapters.slack.directory.channel_members import Members
from bot.adapters.slack.directory.served import Directory
from bot.adapters.slack.directory.threads import Threads
from bot.adapters.slack.directory.workspaces import PLATFORM, Workspaces
from bot.adapters.slack.receive.files import Files
from bot.adapters.slack.receive.installs import Installer
from bot.adapters.slack.receive.service import Incoming
from bot.adapters.slack.receive.socket_mode import Timing
from bot.adapters.slack.render import mrkdwn
from bot.adapters.slack.render.command_style import spelling
from bot.adapters.slack.render.render import render
from bot.adapters.slack.send.activity import Decoration
from bot.adapters.slack.send.client import Wire
from bot.adapters.slack.send.documents import MOST_DOCUMENT_BYTES
from bot.adapters.slack.send.home import Pages
from bot.adapters.slack.send.lookup import Finder
from bot.adapters.slack.send.sender import LEAVE, Sender
from bot.adapters.slack.texts import TEXTS
from core.kernel.ports import Clock
from core.kernel.types import Destination, Part
from core.language import add_texts

add_texts(TEXTS)


class SlackAdapter:
    """One app in its workspaces. The external id of a tenant is that of the workspace."""

    platform = PLATFORM
    finds = True
    marks_private = True
    opens = True
    edits_asking = True
    most_document_bytes = MOST_DOCUMENT_BYTES
    documents_stay = False
    has_pages = True
    whispers = True

    def __init__(
        self, app: SlackApp, clock: Clock, *, timing: Timing | None = None, installer: Installer | None = None
    ) -> None:
        """Raises `ValueError` where the app has neither an `app_token` nor a `signing_secret`.

        With an `installer` workspaces install the app by its page; that of the `bot_token` is served beside them.
        """
        self._wire, workspaces = Wire(app.base_url, scarce=app.scarce), Workspaces()
        directory = Directory(workspaces)
        members = Members(workspaces, self._wire, clock)
        self._incoming = Incoming(
            self._wire, directory, clock, app, timing or Timing(), installer, membership=members.changed
        )
        decoration = Decoration(workspaces, self._wire, clock)
        sender = Sender(workspaces, self._wire, clock, decoration.posted, removed=self._incoming.removed)
        # Receiving. `hears` is about one workspace: what troubles another one is no matter.
        self.run, self.health, self.hears = self._incoming.run, self._incoming.health, self._incoming.hears
        self.caught_up, self.serves = self._incoming.caught_up, workspaces.serves
        self.fetch = Files(workspaces, self._wire).fetch
        self.thread = Threads(workspaces, self._wire, directory.people, clock).thread
        # Where Slack posts to, and the pages for people who install the app.
        self.endpoints = self._incoming.endpoints
        # Sending.
        self.spelling = spelling(app.command, app.todo, directory.own_name)
        self.render, self.mention = render, mrkdwn.mention
        finder = Finder(workspaces, self._wire, clock)
        self.send, self.find, self.answers = sender.send, finder.find, finder.answers
        self.permalink = workspaces.permalink
        self.page = Pages(workspaces, self._wire, directory.people).show
        self.typing, self.mark = decoration.typing, decoration.mark
        # People.
        self.administers, self.belongs, self.sees_all = members.administers, members.belongs, members.sees_all
        self.direct = directory.direct

    async def close(self) -> None:
        """Close all connections."""
        await self._wire.close()

    def leaving(self) -> Part:
        """Return what makes the bot leave a channel (conversations.leave)."""
        return LEAVE

    def link(self, payload: str) -> str:
        """Return no link: Slack has none that brings a payload along."""
        return ""

    async def draft(self, to: Destination, draft_id: int, text: str) -> bool:
        """Answers are posted when they are whole; until then a status is shown."""
        return False

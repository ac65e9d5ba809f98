"""A workspace of the emulated Slack and the sending half of the adapter, put together for a test."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from bot.adapters.slack.directory.workspaces import Workspace, Workspaces
from bot.adapters.slack.render.render import render
from bot.adapters.slack.send.activity import Decoration
from bot.adapters.slack.send.client import Wire, introduced
from bot.adapters.slack.send.sender import Sender
from core.kernel.types import Button, Destination, Keyboard, Part
from tests.emulators.slack import SlackServer
from tests.fakes import FakeClock

TEAM, ANN, BOB = "T0001", "U1001", "U1002"


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """What a test sends with, and where to: a channel of Ann and Bob, and Ann's own conversation."""

    server: SlackServer
    clock: FakeClock
    wire: Wire
    workspaces: Workspaces
    workspace: Workspace
    sender: Sender
    decoration: Decoration
    channel: str
    dm: str

    def to(self, chat: str = "", **fields: Any) -> Destination:
        """A place in the first workspace, the channel by default."""
        return Destination(tenant=TEAM, chat=chat or self.channel, **fields)

    async def send(self, text: str, chat: str = "", *, repeated: str = "", only_for: str = "", **fields: Any) -> str:
        """Send a short text and return its id."""
        part = only(part_of(text), only_for) if only_for else part_of(text)
        return await self.sender.send(self.to(chat, **fields), part, repeated=repeated)

    def texts(self, chat: str = "", user: str = "", thread: str | None = None) -> list[str]:
        """What is to be read in a channel."""
        return [message.text for message in self.server.shown(chat or self.channel, user, thread=thread)]


def part_of(text: str, *labels: str) -> Part:
    """One message, with buttons."""
    buttons = tuple(Button(label=label, data=f"{'A' * 22}:{number}") for number, label in enumerate(labels))
    [part] = render(text, (), Keyboard(buttons=buttons))
    return part


def only(part: Part, address: str) -> Part:
    """The message for one person's eyes."""
    return Part(payload={**part.payload, "only_for": address})


@asynccontextmanager
async def worker(*, scarce: bool = False) -> AsyncIterator[Desk]:
    """Connect to an emulated workspace; where reading is `scarce`, by an app that is distributed."""
    async with SlackServer() as server:
        clock, wire, workspaces = FakeClock(), Wire(server.api), Workspaces()
        try:
            workspace = await introduced(wire.web(server.team.bot_token), clock, scarce=scarce)
            workspaces.add(workspace)
            decoration = Decoration(workspaces, wire, clock)
            yield Desk(
                server=server,
                clock=clock,
                wire=wire,
                workspaces=workspaces,
                workspace=workspace,
                sender=Sender(workspaces, wire, clock, decoration.posted),
                decoration=decoration,
                channel=server.channel((ANN, BOB), name="general"),
                dm=server.dm(ANN),
            )
        finally:
            await wire.close()

"""Messages of a workspace have links, made without asking Slack."""

from __future__ import annotations

import pytest

from bot.adapters.slack.directory.workspaces import Workspaces
from bot.adapters.slack.send.client import Wire, introduced
from core.kernel.types import Destination
from tests.emulators.slack import SlackServer
from tests.fakes import FakeClock

TS = "1700000000.000100"


@pytest.fixture
async def workspaces() -> Workspaces:
    """One workspace, as Slack tells of it."""
    found = Workspaces()
    async with SlackServer() as server:
        wire = Wire(server.api)
        found.add(await introduced(wire.web(server.team.bot_token), FakeClock()))
        await wire.close()
    return found


@pytest.mark.parametrize(
    ("thread", "message_id", "tail"),
    [
        ("", TS, f"/archives/C1/p{TS.replace('.', '')}"),
        (TS, TS, f"/archives/C1/p{TS.replace('.', '')}"),
        ("1.000001", TS, f"/archives/C1/p{TS.replace('.', '')}?thread_ts=1.000001&cid=C1"),
    ],
)
def test_a_message_has_a_link(workspaces: Workspaces, thread: str, message_id: str, tail: str) -> None:
    (workspace,) = workspaces
    to = Destination(tenant=workspace.team, chat="C1", thread=thread)
    assert workspaces.permalink(to, message_id) == f"{workspace.url.rstrip('/')}{tail}"


def test_what_is_not_known_has_none(workspaces: Workspaces) -> None:
    (workspace,) = workspaces
    assert workspaces.permalink(Destination(tenant="T404", chat="C1"), TS) == ""
    assert workspaces.permalink(Destination(tenant=workspace.team, chat="C1"), "no id") == ""

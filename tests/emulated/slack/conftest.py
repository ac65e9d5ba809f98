"""A running Slack emulator with a few people and channels, and the real client library, for each test."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from slack_sdk.web.async_client import AsyncWebClient

from tests.emulators.slack import SlackServer
from tests.emulators.slack_client import client_for
from tests.emulators.slack_world import Channel, User

PEOPLE = ("U1", "U2")
ROOM, FOREIGN, SECRET, OLD = "C1", "C2", "C3", "C4"


def furnish(server: SlackServer) -> None:
    """Put two people, and channels with and without the bot, into the first workspace."""
    team = server.team
    for name in PEOPLE:
        team.users[name] = User(id=name, team_id=team.id, name=name.lower())
    bot = team.bot_user
    team.channels |= {
        ROOM: Channel(id=ROOM, name="general", members={*PEOPLE, bot}),
        FOREIGN: Channel(id=FOREIGN, name="foreign", members={*PEOPLE}),
        SECRET: Channel(id=SECRET, kind="group", name="secret", members={*PEOPLE}),
        OLD: Channel(id=OLD, name="old", members={*PEOPLE, bot}, archived=True),
    }


@pytest.fixture
async def server() -> AsyncIterator[SlackServer]:
    async with SlackServer() as running:
        furnish(running)
        yield running


@pytest.fixture
def client(server: SlackServer) -> AsyncWebClient:
    return client_for(server)

"""What the bot is called in a workspace, so that texts mention it as people find it there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from tests.emulators.slack import SlackServer
from tests.memory_intake import DEADLINE
from tests.slack_house import SlackHouse

THREAD = "1700000000.000100"


@pytest.fixture
async def server() -> AsyncIterator[SlackServer]:
    async with SlackServer() as found:
        found.team.bot.name, found.team.bot.real_name = "ada_bot", "Ada"
        yield found


async def shown(house: SlackHouse, team: str = "") -> str:
    """How a command is written in a thread, once everything that is known of the workspace is."""
    await asyncio.gather(*house.adapter._incoming._prefetch._under_way.values(), return_exceptions=True)
    await house.server.wait_until(lambda: not house.server.pending(), DEADLINE)
    return house.adapter.spelling.here(THREAD, team or house.server.team.id).command("/help")


async def test_texts_mention_the_bot_by_the_name_that_people_see(server: SlackServer) -> None:
    house = SlackHouse(server)
    async with house.receiving():
        assert await shown(house) == "@Ada /help"
        assert await shown(house, "T9") == "@Teller /help"


async def test_another_name_is_taken_over(server: SlackServer) -> None:
    house = SlackHouse(server)
    async with house.receiving():
        assert await shown(house) == "@Ada /help"
        server.user(server.team.bot_user, real_name="Grace")
        assert await shown(house) == "@Grace /help"


async def test_a_bot_that_is_not_listed_is_asked_for(server: SlackServer) -> None:
    house = SlackHouse(server)
    server.fault("users.list", kind="garbage", times=1)
    async with house.receiving():
        assert await shown(house) == "@Ada /help"


async def test_where_slack_says_nothing_of_people_it_is_called_as_it_was_made(server: SlackServer) -> None:
    house = SlackHouse(server)
    for method in ("users.info", "users.list"):
        server.fault(method, error="missing_scope", times=10**6)
    async with house.receiving():
        assert await shown(house) == "@ada_bot /help"

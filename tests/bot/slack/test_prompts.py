"""Prompts in the private chat of an agent: in everybody's language, seldom, and not for apps that can have none."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.adapters.slack.directory.people import People, Served
from bot.adapters.slack.parse.text import Me
from bot.adapters.slack.send.prompts import AGAIN_SECONDS, NEVER_SECONDS, TROUBLE_SECONDS, Prompts
from tests.slacking import ANN, BOB, TEAM, Desk, worker

METHOD = "assistant.threads.setSuggestedPrompts"


@pytest.fixture
async def at() -> AsyncIterator[Desk]:
    async with worker() as opened:
        opened.server.team.scopes.add("assistant:write")
        yield opened


class House:
    """Prompts for one workspace, by a clock of their own."""

    def __init__(self, at: Desk) -> None:
        self.at, self.clock = at, at.clock
        self.prompts = Prompts(self.clock)
        workspace = at.workspaces.get(TEAM)
        assert workspace is not None
        me = Me(team=TEAM, user=workspace.bot_user)
        self.served = Served(workspace=workspace, me=me, people=People(workspace, me, at.clock), tenant=1)

    async def opened(self, user: str = ANN) -> int:
        """Let somebody open the private chat, and return how often Slack was asked so far."""
        await self.prompts.suggest(self.served, user, self.at.server.dm(user))
        return len(self.at.server.calls(METHOD))

    def shown(self, user: str = ANN) -> list[str]:
        """What somebody may press."""
        found = self.at.server.team.prompts[self.at.server.dm(user), ""]
        return [prompt["message"] for prompt in found["prompts"]]


async def test_they_come_without_a_thread_and_in_the_language_of_whoever_looks(at: Desk) -> None:
    house = House(at)
    at.server.team.users[BOB].locale = "zh-CN"
    assert [await house.opened(), await house.opened(BOB)] == [1, 2]
    assert "What's on my list?" in house.shown()
    assert "我的清单" in house.shown(BOB)


async def test_going_back_and_forth_makes_no_calls(at: Desk) -> None:
    house = House(at)
    assert [await house.opened() for _ in range(3)] == [1, 1, 1]
    house.clock.advance(AGAIN_SECONDS)
    assert await house.opened() == 2


@pytest.mark.parametrize("older", [True, False])
async def test_an_app_that_can_have_none_is_not_tried_again_for_a_day(at: Desk, older: bool) -> None:
    house = House(at)
    at.server.world.app.agent = not older
    if not older:
        at.server.team.scopes.discard("assistant:write")
    assert [await house.opened(), await house.opened(BOB)] == [1, 1]
    assert at.server.team.prompts == {}
    house.clock.advance(NEVER_SECONDS)
    assert await house.opened() == 2


async def test_after_trouble_it_is_tried_again_soon(at: Desk) -> None:
    house = House(at)
    at.server.fault(METHOD, error="internal_error")
    assert [await house.opened(), await house.opened(), await house.opened(BOB)] == [1, 1, 2]
    house.clock.advance(TROUBLE_SECONDS)
    assert await house.opened() == 3
    assert house.shown()


async def test_an_opening_that_names_nobody_is_left(at: Desk) -> None:
    house = House(at)
    await house.prompts.suggest(house.served, "", at.server.dm())
    await house.prompts.suggest(house.served, ANN, "")
    assert at.server.calls(METHOD) == []

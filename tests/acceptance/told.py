"""The stories that are the same on every platform: a module with a fixture `way` imports all of this and plays them.

Those of a module share one program: each has people of its own.
"""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.acceptance.playing import AHEAD, Way
from tests.acceptance.stories import (
    Story,
    access,
    background,
    calendar,
    edits,
    groups,
    lists,
    name,
    questions,
    reminders,
    stopping,
    strangers,
    taking,
    told_in,
    watching,
    web,
)
from tests.acceptance.stories.days import Days
from tests.acceptance.stories.stage import Stage


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def listed(way: Way, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    """One program for most stories, with a list of those who have access."""
    settings = {"ACCESS__MODE": "allowlist", "ACCESS__ALLOW": way.admitted}
    # What stories have read of the web is on this machine.
    settings |= {"SECRET_KEY": "k" * 40, "WEB__OWN_NETWORKS": '["127.0.0.1"]'}
    async with way.play(Stage, tmp_path_factory.mktemp("stories"), **settings) as stage:
        yield stage


@pytest_asyncio.fixture(loop_scope="module")
async def stage(listed: Stage) -> Stage:
    """The stage of most stories, with the program running whatever the last story did to it."""
    if not listed.bot.running:
        await listed.bot.start()
    return listed


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pairing(way: Way, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    """A program at whose door strangers may knock."""
    settings = {"ACCESS__MODE": "pairing", "OWNERS": way.owning}
    async with way.play(Stage, tmp_path_factory.mktemp("access"), **settings) as stage:
        yield stage


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def days(way: Way, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Days]:
    """A program whose clock is put forward, with a list of those who have access."""
    settings = {"ACCESS__MODE": "allowlist", "ACCESS__ALLOW": way.admitted}
    async with way.play(Days, tmp_path_factory.mktemp("days"), AHEAD, **settings) as stage:
        yield stage


class Stories:
    """What people do who talk, ask and answer."""

    @pytest.mark.parametrize("story", told_in(questions), ids=name)
    async def test_questions(self, stage: Stage, story: Story) -> None:
        await story(stage)

    @pytest.mark.parametrize("story", told_in(groups), ids=name)
    async def test_groups(self, stage: Stage, story: Story) -> None:
        await story(stage)

    @pytest.mark.parametrize("story", told_in(stopping), ids=name)
    async def test_stopping(self, stage: Stage, story: Story) -> None:
        await story(stage)

    @pytest.mark.parametrize("story", told_in(edits), ids=name)
    async def test_edits(self, stage: Stage, story: Story) -> None:
        await story(stage)

    @pytest.mark.parametrize("story", told_in(taking), ids=name)
    async def test_taking_along(self, stage: Stage, story: Story) -> None:
        await story(stage)

    @pytest.mark.parametrize("story", told_in(web), ids=name)
    async def test_web(self, stage: Stage, story: Story) -> None:
        await story(stage)

    @pytest.mark.parametrize("story", told_in(strangers), ids=name)
    async def test_strangers(self, stage: Stage, story: Story) -> None:
        await story(stage)

    @pytest.mark.parametrize("story", told_in(access), ids=name)
    async def test_access(self, pairing: Stage, story: Story) -> None:
        await story(pairing)


class TimeStories:
    """What people do with reminders and lists, over days, and with work in the background."""

    @pytest.mark.parametrize("story", told_in(background), ids=name)
    async def test_background(self, days: Days, story: Story) -> None:
        await story(days)

    @pytest.mark.parametrize("story", told_in(reminders), ids=name)
    async def test_reminders(self, days: Days, story: Story) -> None:
        await story(days)

    @pytest.mark.parametrize("story", told_in(lists), ids=name)
    async def test_lists(self, days: Days, story: Story) -> None:
        await story(days)

    @pytest.mark.parametrize("story", told_in(watching), ids=name)
    async def test_watching(self, days: Days, story: Story) -> None:
        await story(days)

    @pytest.mark.parametrize("story", told_in(calendar), ids=name)
    async def test_calendar(self, days: Days, story: Story) -> None:
        await story(days)

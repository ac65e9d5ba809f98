"""The stories of every platform, on Slack. Those of a module share one program: each has people of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.acceptance.playing import played_on_slack
from tests.acceptance.slack_driver import admitted, owning
from tests.acceptance.stories import Story, access, edits, groups, name, questions, stopping, strangers, told_in
from tests.acceptance.stories.stage import Stage

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def listed(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    """One program for all stories, with a list of those who have access."""
    settings = {"ACCESS__MODE": "allowlist", "ACCESS__ALLOW": admitted()}
    async with played_on_slack(Stage, tmp_path_factory.mktemp("stories"), **settings) as stage:
        yield stage


@pytest_asyncio.fixture(loop_scope="module")
async def stage(listed: Stage) -> Stage:
    """The stage of most stories, with the program running whatever the last story did to it."""
    if not listed.bot.running:
        await listed.bot.start()
    return listed


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pairing(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    """A program at whose door strangers may knock."""
    folder = tmp_path_factory.mktemp("access")
    async with played_on_slack(Stage, folder, ACCESS__MODE="pairing", OWNERS=owning()) as stage:
        yield stage


@pytest.mark.parametrize("story", told_in(questions), ids=name)
async def test_questions(stage: Stage, story: Story) -> None:
    await story(stage)


@pytest.mark.parametrize("story", told_in(groups), ids=name)
async def test_groups(stage: Stage, story: Story) -> None:
    await story(stage)


@pytest.mark.parametrize("story", told_in(stopping), ids=name)
async def test_stopping(stage: Stage, story: Story) -> None:
    await story(stage)


@pytest.mark.parametrize("story", told_in(edits), ids=name)
async def test_edits(stage: Stage, story: Story) -> None:
    await story(stage)


@pytest.mark.parametrize("story", told_in(strangers), ids=name)
async def test_strangers(stage: Stage, story: Story) -> None:
    await story(stage)


@pytest.mark.parametrize("story", told_in(access), ids=name)
async def test_access(pairing: Stage, story: Story) -> None:
    await story(pairing)

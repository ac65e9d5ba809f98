"""The stories of reminders and lists on Slack, with a clock that is put forward. They share one program."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.acceptance.playing import AHEAD, played_on_slack
from tests.acceptance.slack_driver import admitted
from tests.acceptance.stories import Story, calendar, lists, name, reminders, told_in
from tests.acceptance.stories.days import Days

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def days(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Days]:
    """One program for all stories, with a list of those who have access."""
    settings = {"ACCESS__MODE": "allowlist", "ACCESS__ALLOW": admitted()}
    async with played_on_slack(Days, tmp_path_factory.mktemp("days"), AHEAD, **settings) as stage:
        yield stage


@pytest.mark.parametrize("story", told_in(reminders), ids=name)
async def test_reminders(days: Days, story: Story) -> None:
    await story(days)


@pytest.mark.parametrize("story", told_in(lists), ids=name)
async def test_lists(days: Days, story: Story) -> None:
    await story(days)


@pytest.mark.parametrize("story", told_in(calendar), ids=name)
async def test_calendar(days: Days, story: Story) -> None:
    await story(days)

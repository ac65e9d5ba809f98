"""The stories of work in the background once more, with the roles as they were first specified: the Teller hands all
work over (`roles.preset: strict`)."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
import pytest_asyncio

from tests.acceptance.playing import TELEGRAM, Way, played
from tests.acceptance.stories import Story, background, name, told_in, watching
from tests.acceptance.stories.days import Days
from tests.acceptance.told import days

__all__ = ("days",)

pytestmark = pytest.mark.asyncio(loop_scope="module")

# Its model makes the work by itself, which only an assistant's can.
OF_ASSISTANTS = {watching.what_comes_every_week_is_silent_where_nothing_is_new}
STORIES = [story for story in (*told_in(background), *told_in(watching)) if story not in OF_ASSISTANTS]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def way() -> Way:
    """How they are played."""
    return replace(TELEGRAM, play=partial(played, ROLES__PRESET="strict"))


@pytest.mark.parametrize("story", STORIES, ids=name)
async def test_with_strict_roles(days: Days, story: Story) -> None:
    await story(days)

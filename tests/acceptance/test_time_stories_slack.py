"""The stories of reminders and lists on Slack, with a clock that is put forward."""

from __future__ import annotations

import pytest
import pytest_asyncio

from tests.acceptance.playing import SLACK, Way
from tests.acceptance.told import TimeStories, days

__all__ = ("days",)

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def way() -> Way:
    """How they are played."""
    return SLACK


class TestOnSlack(TimeStories):
    """All of them."""

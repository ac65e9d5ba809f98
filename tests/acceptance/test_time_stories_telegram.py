"""The stories of reminders and lists on Telegram, with a clock that is put forward."""

from __future__ import annotations

import pytest
import pytest_asyncio

from tests.acceptance.playing import TELEGRAM, Way
from tests.acceptance.told import TimeStories, days

__all__ = ("days",)

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def way() -> Way:
    """How they are played."""
    return TELEGRAM


class TestOnTelegram(TimeStories):
    """All of them."""

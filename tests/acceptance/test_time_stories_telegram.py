"""The stories of reminders and lists on Telegram, with a clock that is put forward."""

from __future__ import annotations

import pytest
import pytest_asyncio

from tests.acceptance.playing import TELEGRAM, Way
from tests.acceptance.stories.days import Days
from tests.acceptance.stories.stage import HOUR
from tests.acceptance.telegram_driver import TelegramPlatform
from tests.acceptance.told import TimeStories, days

__all__ = ("days",)

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def way() -> Way:
    """How they are played."""
    return TELEGRAM


async def test_who_unblocks_the_bot_while_it_is_off_gets_late_what_came_meanwhile(days: Days) -> None:
    ann = days.platform.member()
    home = days.platform.private(ann)
    await days.says(ann, "/remind in 2 hours to feed the cat")
    assert isinstance(days.platform, TelegramPlatform)
    days.platform.server.block(int(ann.key))
    await days.platform.server.wait_until(lambda: not days.platform.waiting())
    async with days.away(3 * HOUR):
        assert days.bot.value("SELECT state FROM chat WHERE external_id = ?", home.key) == "gone"
        # Telegram keeps that for a day, and the program was off for longer.
        days.platform.server.chats.blocked.discard(int(ann.key))
    shown = await days.sees(home, "⏰ feed the cat\n1 h late – I was offline.")
    assert shown.labels


class TestOnTelegram(TimeStories):
    """All of them."""

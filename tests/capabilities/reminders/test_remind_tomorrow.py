"""The day in a reminder for somebody else is that of who says it, by the other's clock; a button has the other one."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.ports import Database
from tests.capabilities.reminders.test_remind_others import profiled
from tests.commanding import GROUP, group, labels, said
from tests.fakes import House

pytestmark = pytest.mark.databases("sqlite")

# The houses' clock begins on Monday 21 September 2026 at 14:13 UTC.
HOUR = 3600
THERE = {"chat": "-5", "chat_kind": "group"}


async def family(db: Database, folder: Path, *, mine: str, bobs: str, hours: int) -> House:
    """A group, some hours later: who asks lives in one zone, Bob in another."""
    house = await group(db, folder, timezone="UTC")
    await said(house, f"/timezone {mine}")
    await profiled(house, zone=bobs)
    house.clock.advance(hours * HOUR)
    return house


@pytest.mark.parametrize(
    ("text", "day"),
    [("tomorrow at 9", "Wed 23 Sep 09:00"), ("today at 11", "Tue 22 Sep 11:00"), ("on Wednesday at 9", "")],
)
async def test_tomorrow_is_that_of_who_says_it(database: Database, tmp_path: Path, text: str, day: str) -> None:
    # 01:13 on Tuesday in Berlin is 19:13 on Monday in New York.
    house = await family(database, tmp_path, mine="Berlin", bobs="America/New_York", hours=9)
    answer = await said(house, f"/remind Bob {text} to send the report", **GROUP)
    assert f"⏰ Bob: {day or 'Wed 23 Sep 09:00'} New York" in answer


async def test_the_other_reading_is_a_button_that_moves_it(database: Database, tmp_path: Path) -> None:
    house = await family(database, tmp_path, mine="Berlin", bobs="America/New_York", hours=9)
    await said(house, "/remind Bob tomorrow at 9am to send the report", **GROUP)
    assert labels(house, "-5") == ["Tue 22 Sep 09:00", "Change", "Undo"]
    await house.press("Tue 22 Sep 09:00", **THERE)
    await house.work()
    assert "Bob: Tue 22 Sep 09:00 New York" in house.shown("-5")[-1].text
    assert await house.column("SELECT count(*) FROM trigger WHERE ended_at IS NULL") == [1]


async def test_of_days_that_are_one_there_is_no_other_reading(database: Database, tmp_path: Path) -> None:
    house = await family(database, tmp_path, mine="Berlin", bobs="America/New_York", hours=0)
    answer = await said(house, "/remind Bob tomorrow at 9am to send the report", **GROUP)
    assert "Bob: Tue 22 Sep 09:00 New York" in answer
    assert labels(house, "-5") == ["Change", "Undo"]


async def test_what_is_past_for_the_other_is_not_meant(database: Database, tmp_path: Path) -> None:
    # 16:13 on Monday in New York is 05:13 on Tuesday in Tokyo.
    house = await family(database, tmp_path, mine="New York", bobs="Asia/Tokyo", hours=6)
    answer = await said(house, "/remind Bob today at 9am to call", **GROUP)
    assert "Bob: Tue 22 Sep 09:00 Tokyo" in answer
    answer = await said(house, "/remind Bob tomorrow at 9am to call", **GROUP)
    assert "Bob: Tue 22 Sep 09:00 Tokyo" in answer
    assert labels(house, "-5")[0] == "Wed 23 Sep 09:00"


async def test_what_is_moved_to_tomorrow_goes_there_too(database: Database, tmp_path: Path) -> None:
    house = await family(database, tmp_path, mine="Berlin", bobs="America/New_York", hours=9)
    await said(house, "/remind Bob on Friday at 9am to send the report", **GROUP)
    await house.press("Change", **THERE)
    await house.work()
    moved = await said(house, "tomorrow at 8am", **GROUP, reply_to=house.shown("-5")[-1].platform_id)
    assert "Bob: Wed 23 Sep 08:00 New York" in moved
    assert labels(house, "-5")[0] == "Tue 22 Sep 08:00"


async def test_everybody_hears_it_on_the_day_of_who_says_it(database: Database, tmp_path: Path) -> None:
    # 00:13 on Tuesday in Tokyo is 15:13 on Monday in the group.
    house = await family(database, tmp_path, mine="Tokyo", bobs="", hours=1)
    answer = await said(house, "/remind everybody tomorrow at 9am to vote", **GROUP)
    assert "everybody: Wed 23 Sep 09:00 UTC" in answer
    assert labels(house, "-5")[0] == "Tue 22 Sep 09:00"

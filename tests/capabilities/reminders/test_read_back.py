"""When a reminder is due, as it is read back: how long it is until then, and by whose clock."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.ports import Database
from tests.commanding import GROUP, group, home, pressed, said
from tests.conftest import DatabaseMaker

pytestmark = pytest.mark.databases("sqlite")

DAY = 86_400
# It is Monday 21 September 2026, 14:13 UTC.


@pytest.mark.parametrize(
    ("line", "wait"),
    [
        ("/remind in 3 days at 9 walk", "in 3 d:"),
        ("/remind the day after tomorrow at 10 walk", "in 2 d:"),
        ("/remind on Friday at 9 walk", "in 4 d:"),
        ("/remind tomorrow at 9 walk", "in 18 h 47 min:"),
        ("/remind in 55 seconds walk", "in 1 min:"),
        ("/remind in 40 seconds walk", "in 40 s:"),
        ("/remind 三天后上午9点散步", "in 3 d:"),
    ],
)
async def test_days_are_counted_as_a_calendar_does(
    make_database: DatabaseMaker, tmp_path: Path, line: str, wait: str
) -> None:
    house = await home(await make_database("sqlite"), tmp_path)
    assert wait in await said(house, line)


@pytest.mark.parametrize(
    ("line", "wait"), [("/remind in 3 days walk", "in 3 d:"), ("/remind in 2 weeks walk", "14 d:")]
)
async def test_a_lost_hour_takes_no_day_away(
    make_database: DatabaseMaker, tmp_path: Path, line: str, wait: str
) -> None:
    house = await home(await make_database("sqlite"), tmp_path)
    await said(house, "/timezone Berlin")
    house.clock.advance(186 * DAY)  # Friday 26 March 2027: the clocks are set forward on Sunday
    assert wait in await said(house, line)


async def test_ones_own_reminder_in_a_group_goes_by_ones_own_clock(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/timezone Berlin", **GROUP)
    await said(house, "/timezone New York")
    answer = await said(house, "/remind me tomorrow at 6 to get up", **GROUP)
    assert answer == "⏰ Tue 22 Sep 06:00 New York (12:00 Berlin), in 19 h 47 min: get up"
    await pressed(house, "Change", chat="-5")
    moved = await said(house, "at 7", **GROUP)
    assert "⏰ Tue 22 Sep 07:00 New York (13:00 Berlin), in 20 h 47 min: get up" in moved
    answer = await said(house, "/remind 明天早上6点起床", **GROUP)
    assert "Tue 22 Sep 06:00 New York (12:00 Berlin)" in answer
    again = await said(house, "/remind me every day at 6 to get up", **GROUP)
    assert "every day at 06:00 (New York), next Tue 22 Sep: get up" in again
    all_of_us = await said(house, "/remind everybody tomorrow at 6 to get up", **GROUP)
    assert "everybody: Tue 22 Sep 06:00 Berlin (00:00 for you)" in all_of_us


async def test_chinese_names_both_clocks_too(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/language zh", **GROUP)
    await said(house, "/timezone 上海", **GROUP)
    await said(house, "/timezone New York")
    assert "纽约时间 9月22日 周二 06:00（上海 18:00）" in await said(house, "/remind 明天早上6点起床", **GROUP)


async def test_in_a_group_where_one_is_at_home_nothing_more_is_said(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    for where in ({}, GROUP):
        await said(house, "/timezone Berlin", **where)
    answer = await said(house, "/remind me tomorrow at 6 to get up", **GROUP)
    assert answer.startswith("⏰ Tue 22 Sep 06:00 (Berlin), in")

"""What was skipped, or rests until a day, is left out also after what is scheduled got another clock or text."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commanding import home, pressed, said
from tests.conftest import DatabaseMaker
from tests.fakes import House

pytestmark = pytest.mark.databases("sqlite")

# START is Monday 21 September 2026, 14:13:20 UTC.


@pytest.fixture
async def house(make_database: DatabaseMaker, tmp_path: Path) -> House:
    return await home(await make_database("sqlite"), tmp_path)


@pytest.mark.parametrize(
    ("first", "left_out", "then", "due"),
    [
        ("remind me every day at 17:00 to stretch", "/skip stretch", "move stretch to 18:00", "Tue 22 Sep 18:00"),
        ("remind me every day at 17:00 to stretch", "/skip stretch", "move stretch to 9:00", "Tue 22 Sep 09:00"),
        (
            "remind me every day at 9:00 to stretch",
            "/pause stretch until 10 October",
            "move stretch to 8:00",
            "10 Oct 08",
        ),
        ("每天下午4点提醒我练钢琴", "/skip 练钢琴", "把练钢琴改到下午5点", "Tue 22 Sep 17:00"),
        ("/brief 17:00", "/skip brief", "/brief 18:00", "Tue 22 Sep 18:00"),
        (
            "/every day at 15:00 and 17:00 stretch",
            "/skip stretch",
            "/move stretch every day at 16:00 and 18:00",
            "16:00",
        ),
        ("/every 2 hours stretch", "/pause stretch until 10 October", "/move stretch every 3 hours", "10 Oct"),
    ],
)
async def test_another_clock_ends_neither_a_skip_nor_a_pause(
    house: House, first: str, left_out: str, then: str, due: str
) -> None:
    for line in (first, left_out, then):
        await said(house, line)
    assert due in await said(house, "/tasks")


async def test_the_first_clock_that_is_left_of_a_day_is_kept_where_one_was_skipped(house: House) -> None:
    for line in ("/every day at 15:00 and 17:00 stretch", "/skip stretch"):
        await said(house, line)
    await said(house, "/move stretch every day at 15:00 and 18:00")
    assert "Mon 21 Sep 18:00" in await said(house, "/tasks")


async def test_what_was_skipped_is_left_out_also_after_a_pause_and_comes_back_by_another_resume(house: House) -> None:
    for line in ("remind me every day at 17:00 to stretch", "/skip stretch", "/pause stretch no end for now"):
        await said(house, line)
    assert "next Tue 22 Sep" in await said(house, "/resume stretch")
    assert "Tue 22 Sep 17:00" in await said(house, "/tasks")
    assert "next Mon 21 Sep" in await said(house, "/resume stretch")


async def test_what_rested_for_longer_than_it_was_skipped_comes_the_next_time(house: House) -> None:
    for line in ("remind me every day at 17:00 to stretch", "/skip stretch", "/pause stretch no end for now"):
        await said(house, line)
    house.clock.advance(3 * 86_400)
    assert "next Thu 24 Sep" in await said(house, "/resume stretch")


@pytest.mark.parametrize("left_out", ["/skip cat", "/pause cat until 10 October", "/pause cat"])
async def test_the_edit_of_a_text_changes_no_time(house: House, left_out: str) -> None:
    await said(house, "remind me every day at 17:00 to feed the cat", message_id="m1")
    await said(house, left_out)
    if left_out == "/pause cat":
        await pressed(house, "No end for now")
    as_it_was = await house.rows("SELECT state, reason, next_at FROM trigger")
    await house.hear("remind me every day at 17:00 to feed the cats", message_id="m1", edits="m1")
    await house.work()
    assert await house.column("SELECT text FROM trigger") == ["feed the cats"]
    assert await house.rows("SELECT state, reason, next_at FROM trigger") == as_it_was

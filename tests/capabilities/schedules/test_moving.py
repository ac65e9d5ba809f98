"""Another time for what is scheduled: a time of day near the former one, and what of a series shall move."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.ports import Database
from tests.commanding import home, labels, pressed, said
from tests.fakes import House
from tests.triggering import passes

pytestmark = pytest.mark.databases("sqlite")

# The clock of the house shows Mon 21 Sep 2026 14:13.
YOGA = "remind me every tuesday at 19:00 yoga"
ALONE, ONCE, FRIDAYS = "The next time alone", "Just once, then no more", "From now on every Friday at 19:00"


@pytest.fixture
async def house(database: Database, tmp_path: Path) -> House:
    return await home(database, tmp_path)


async def due(house: House) -> list[object]:
    """Of what kind what is scheduled is, and when it is due next: minutes from now."""
    now = house.clock.now()
    rows = await house.rows("SELECT kind, next_at FROM trigger WHERE state = 'active'")
    return [(row["kind"], (row["next_at"] - now) // 60_000) for row in rows]


async def test_what_recurs_is_not_made_to_come_once_by_a_word(house: House) -> None:
    await said(house, YOGA)
    before = await due(house)
    assert await said(house, "move yoga to friday") == (
        "“yoga” comes again and again. Which of it shall move to Fri 25 Sep 19:00?"
    )
    assert labels(house) == [ALONE, FRIDAYS, ONCE]
    assert await due(house) == before


async def test_the_next_time_alone_is_moved_and_the_series_goes_on(house: House) -> None:
    await said(house, YOGA)
    await said(house, "move yoga to friday")
    await pressed(house, ALONE)
    assert "every Tuesday at 19:00 (UTC), next Fri 25 Sep: yoga" in house.shown()[-1].text
    await passes(house, 4.5 * 86_400)
    assert sum("⏰ yoga" in one.text for one in house.shown()) == 1
    assert "Tue 29 Sep 19:00 ↻: yoga" in await said(house, "/tasks")


async def test_the_next_time_is_moved_back(house: House) -> None:
    await said(house, YOGA)
    before = await due(house)
    await said(house, "move yoga to friday")
    await pressed(house, ALONE)
    assert await due(house) != before
    await pressed(house, "Undo")
    assert await due(house) == before


async def test_all_of_a_series_is_moved_to_another_day_of_the_week(house: House) -> None:
    await said(house, YOGA)
    await said(house, "move yoga to friday")
    await pressed(house, FRIDAYS)
    assert "every Friday at 19:00 (UTC), next Fri 25 Sep: yoga" in house.shown()[-1].text


async def test_a_series_comes_once_where_that_is_wished(house: House) -> None:
    await said(house, YOGA)
    await said(house, "move yoga to friday")
    await pressed(house, ONCE)
    assert "⏰ Fri 25 Sep 19:00" in house.shown()[-1].text
    assert [kind for kind, _ in await due(house)] == ["once"]


@pytest.mark.parametrize("to", ["today at 18:00", "in 10 minutes", "1 November at 9"])
async def test_the_next_time_alone_is_moved_neither_forward_nor_past_the_one_after_it(house: House, to: str) -> None:
    await said(house, YOGA)
    await said(house, f"move yoga to {to}")
    assert labels(house) == [ONCE]


async def test_a_late_press_moves_nothing_into_the_past(house: House) -> None:
    await said(house, YOGA)
    await said(house, "move yoga to friday")
    await passes(house, 9 * 86_400)
    await pressed(house, ALONE)
    assert "When shall it be?" in house.shown()[-1].text


@pytest.mark.parametrize(
    ("wish", "change", "shown"),
    [
        ("set an alarm for 7am tomorrow", "change my 7am alarm to 6:30", "Tue 22 Sep 06:30"),
        ("set an alarm for 7:15am tomorrow", "make it 6:45", "Tue 22 Sep 06:45"),
        ("remind me tomorrow at 21:00 to call", "move call to 10:00", "Tue 22 Sep 22:00"),
        ("remind me tomorrow at 13:00 lunch", "move lunch to 11:00", "Tue 22 Sep 11:00"),
        ("remind me tomorrow at 9 dentist", "move dentist to 2:00", "Tue 22 Sep 14:00"),
        ("remind me every day at 7am to get up", "move get up to 6:30", "every day at 06:30"),
    ],
)
async def test_a_time_of_day_is_in_the_half_where_it_is_near_the_former_one(
    house: House, wish: str, change: str, shown: str
) -> None:
    await said(house, wish)
    assert shown in await said(house, change)


async def test_what_is_put_off_by_an_hour_keeps_its_new_hour_on_another_day(house: House) -> None:
    await said(house, "remind me tomorrow at 8 gym")
    await said(house, "push the gym back an hour")
    assert "Thu 24 Sep 09:00" in await said(house, "move gym to thursday")
    await said(house, "push the gym back 2 hours")
    assert "Fri 25 Sep 11:00" in await said(house, "move gym to friday")

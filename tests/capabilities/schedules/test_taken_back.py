"""An undo takes back exactly one change of what is scheduled: it is due, or rests, as it did before."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commanding import home, labels, pressed, said
from tests.conftest import DatabaseMaker
from tests.fakes import House
from tests.triggering import passes

pytestmark = pytest.mark.databases("sqlite")

# START is Monday 21 September 2026, 14:13:20 UTC.
DAILY = "remind me every day at 17:00 to practise piano"
PAUSED = "/pause piano until 15 October"


@pytest.fixture
async def house(make_database: DatabaseMaker, tmp_path: Path) -> House:
    house = await home(await make_database("sqlite"), tmp_path)
    await said(house, DAILY)
    return house


async def due(house: House) -> tuple[str, object, object]:
    """How the one thing that is scheduled stands: the line of it, its state and its schedule."""
    ((state, spec),) = [tuple(row.values()) for row in await house.rows("SELECT state, spec FROM trigger")]
    return (await said(house, "/tasks")).splitlines()[-1], state, spec


@pytest.mark.parametrize(
    ("before", "then"),
    [
        ("/skip piano", ["/skip piano"]),
        ("/skip piano", ["/cancel piano"]),
        ("/skip piano", ["cancel all reminders", "yes"]),
        ("/skip piano", ["move piano to 18:00"]),
        ("/skip piano", ["/resume piano"]),
        (PAUSED, ["/skip piano"]),
        (PAUSED, ["/pause piano until 20 October"]),
        (PAUSED, ["move piano to 18:00"]),
        (PAUSED, ["/cancel piano"]),
        (PAUSED, ["/pause piano"]),
        ("/pause piano", ["/resume piano"]),
        ("/pause piano", ["move piano to 18:00"]),
        ("/pause piano", ["/cancel piano"]),
        ("/pause piano", ["cancel all reminders", "yes"]),
        ("/pause piano", [PAUSED]),
    ],
)
async def test_what_was_skipped_or_paused_before_stays_so(house: House, before: str, then: list[str]) -> None:
    await said(house, before)
    if before == "/pause piano":
        await pressed(house, "No end for now")
    as_it_was = await due(house)
    for line in then:
        await said(house, line)
    if then == ["/pause piano"]:
        await pressed(house, "No end for now")
    assert await house.column("SELECT count(*) FROM undo") == [3]
    assert "Taken back" in await said(house, "/undo")
    assert await due(house) == as_it_was


async def test_two_undos_take_back_two_skips(house: House) -> None:
    as_it_was = await due(house)
    for line in ("/skip piano", "/skip piano", "/undo"):
        await said(house, line)
    assert "Tue 22 Sep 17:00" in (await due(house))[0]
    await said(house, "/undo")
    assert await due(house) == as_it_was


async def test_what_is_over_when_its_skip_is_taken_back_comes_the_next_time(house: House) -> None:
    await said(house, "/skip piano")
    house.clock.advance(4 * 3600)
    await said(house, "/undo")
    assert "Tue 22 Sep 17:00" in (await due(house))[0]


async def test_an_undo_says_when_it_comes_of_what_goes_on_and_nothing_of_what_rests_again(house: House) -> None:
    await said(house, "/pause piano")
    await pressed(house, "No end for now")
    await said(house, "move piano to 18:00")
    assert await said(house, "/undo") == "↩ Taken back: the new time of “practise piano”."
    assert await said(house, "/undo") == "↩ Taken back: the change of “practise piano”.\n⏰ Mon 21 Sep 17:00"


@pytest.mark.parametrize("until_done", ["", " until done"])
async def test_what_was_put_off_does_not_come_when_its_series_is_taken_back(house: House, until_done: str) -> None:
    await said(house, f"remind me every day at 15:00 to brush{until_done}")
    undo = house.button("Undo")
    await passes(house, 3600)
    await pressed(house, "+1 h")
    assert "the reminder “brush”" in await pressed(house, "Undo", data=undo)
    (message,) = [sent for sent in house.shown() if sent.text.startswith("⏰ brush")]
    assert (message.text, message.keyboard) == ("⏰ brush\n🗑 Stopped", None)
    assert "brush" not in await said(house, "/tasks")
    before = len(house.adapter.texts("1"))
    await passes(house, 5400)
    assert len(house.adapter.texts("1")) == before


async def test_what_is_taken_back_after_a_journey_goes_by_the_zone_that_is_there_now(house: House) -> None:
    await said(house, "/timezone Europe/Berlin")
    await said(house, "/cancel piano")
    undo = house.button("Undo")
    await said(house, "/timezone Asia/Tokyo")
    assert "Taken back" in await pressed(house, "Undo", data=undo)
    assert "Tue 22 Sep 17:00" in (await due(house))[0]
    await said(house, "move piano to 18:00")
    undo = house.button("Undo")
    await said(house, "/timezone America/New_York")
    await pressed(house, "Undo", data=undo)
    line, _, spec = await due(house)
    assert "17:00" in line
    assert '"zone":"America/New_York"' in str(spec)


async def test_what_was_put_off_after_a_stop_stays_when_the_stop_is_taken_back(house: House) -> None:
    await said(house, "/cancel piano")
    await said(house, "remind me every day at 9:00 to brush")
    await passes(house, 19 * 3600)
    await pressed(house, "tomorrow")
    await said(house, "/cancel brush")
    undo = house.button("Undo")
    (came,) = {sent.platform_id for sent in house.shown() if sent.text.startswith("⏰ brush")}
    await said(house, "in 3 hours", reply_to=came)
    to_come = "SELECT next_at FROM trigger WHERE ended_at IS NULL AND reminder_id IS NOT NULL"
    put_off = await house.column(to_come)
    assert len(put_off) == 1
    assert "the end of" in await pressed(house, "Undo", data=undo)
    assert await house.column(to_come) == put_off


@pytest.mark.parametrize("zone", ["Asia/Tokyo", "America/New_York"])
async def test_what_was_skipped_before_a_journey_comes_at_its_clock_there(house: House, zone: str) -> None:
    await said(house, "move piano to 9:00")
    await said(house, "/skip piano")
    undo = house.button("Undo")
    await said(house, f"/timezone {zone}")
    assert "Wed 23 Sep 09:00" in (await due(house))[0]
    assert "Taken back" in await pressed(house, "Undo", data=undo)
    assert "Tue 22 Sep 09:00" in (await due(house))[0]


@pytest.mark.parametrize(("then", "hours"), [("/timezone Asia/Tokyo", 0), ("hello", 4)])
async def test_what_was_skipped_and_is_over_by_now_is_said_to_stay(house: House, then: str, hours: int) -> None:
    await said(house, "/skip piano")
    undo = house.button("Undo")
    house.clock.advance(hours * 3600)
    await said(house, then)
    as_it_was = await due(house)
    assert "Its time is over by now" in await pressed(house, "Undo", data=undo)
    assert await due(house) == as_it_was


@pytest.mark.parametrize("line", ["/resume piano", "/pause piano until tomorrow"])
async def test_what_changes_nothing_leaves_nothing_to_take_back(house: House, line: str) -> None:
    await said(house, "move piano to 9:00")
    as_it_was = await due(house)
    assert "next Tue 22 Sep" in await said(house, line)
    assert "Undo" not in labels(house)
    assert await due(house) == as_it_was
    assert "Taken back" in await said(house, "/undo")
    assert "17:00" in (await due(house))[0]

"""What somebody skipped or let wait stays so when zones and clocks change; and to-dos go with their reminders."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.ids import ref
from core.kernel.ports import Database
from core.kernel.timing.schedule import Interval
from tests.commanding import home, pressed, said
from tests.fakes import House
from tests.triggering import passes, state, trigger

pytestmark = pytest.mark.databases("sqlite")

HOUR, DAY = 3600, 86_400


async def only(house: House) -> int:
    """The only trigger there is."""
    (found,) = await house.column("SELECT id FROM trigger")
    return int(found)


def told(house: House, text: str) -> int:
    """In how many messages a text stands."""
    return sum(text in sent.text for sent in house.shown())


@pytest.mark.parametrize(
    ("wish", "first"), [("/skip {this}", "Wed 23 Sep 09:00"), ("/pause {this} 30 October", "Fri 30 Oct 09:00")]
)
@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York", "Pacific/Kiritimati"])
async def test_what_was_skipped_or_waits_is_not_brought_forward_by_another_zone(
    database: Database, tmp_path: Path, wish: str, first: str, zone: str
) -> None:
    house = await home(database, tmp_path)
    await said(house, "/timezone UTC")
    await said(house, "/remind every day at 9 take pills")
    await said(house, wish.format(this=ref("s", await only(house))))
    await said(house, f"/timezone {zone}")
    assert first in await said(house, "/tasks")


async def test_what_waits_is_not_brought_forward_by_a_clock_that_is_set_back(
    database: Database, tmp_path: Path
) -> None:
    house = await home(database, tmp_path)
    made = await trigger(house, "pill", Interval(seconds=DAY, start=house.clock.now()))
    await passes(house, DAY + 1)
    await said(house, f"/pause {ref('s', made)} 30 October")
    waits = (await state(house, made))[2]
    house.clock.jump(-HOUR)
    await house.sweep()
    assert (await state(house, made))[2] == waits
    await passes(house, 2 * DAY)
    assert told(house, "⏰ pill") == 1


async def test_a_to_do_is_due_when_its_reminder_was_moved_to(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/todo dentist tomorrow at 9")
    made = await only(house)
    await said(house, f"/move {ref('s', made)} in 3 days")
    assert await house.column("SELECT due_at FROM todo") == [(await state(house, made))[2]]
    await passes(house, DAY)
    (todo,) = await house.column("SELECT id FROM todo")
    await said(house, f"/todo edit {ref('t', todo)} dentist Dr X")
    await passes(house, 2 * DAY)
    assert house.shown()[-1].text.startswith("⏰ dentist Dr X")


async def test_a_to_do_is_due_as_before_when_moving_its_reminder_is_taken_back(
    database: Database, tmp_path: Path
) -> None:
    house = await home(database, tmp_path)
    await said(house, "/todo dentist tomorrow at 9")
    due = await house.column("SELECT due_at FROM todo")
    await said(house, f"/move {ref('s', await only(house))} in 3 days")
    await pressed(house, "Undo")
    assert await house.column("SELECT due_at FROM todo") == due


async def test_the_reminder_of_a_to_do_does_not_recur(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/todo dentist tomorrow at 9")
    made = await only(house)
    before = await state(house, made)
    assert (await said(house, f"/move {ref('s', made)} every day at 9")).startswith("That comes only once.")
    assert await state(house, made) == before


async def test_the_holidays_that_are_left_out_are_those_of_the_new_time_zone(
    database: Database, tmp_path: Path
) -> None:
    house = await home(database, tmp_path)
    await said(house, "/timezone Berlin")
    await said(house, "/every weekday at 9 except holidays: stand-up")
    await said(house, "/timezone New York")
    # Thanksgiving, and Good Friday, which is a holiday in Germany alone.
    assert "Nothing" in await said(house, "what's on 26 November?")
    assert "stand-up" in await said(house, "what's on 26 March 2027?")
    # A zone that is no country's leaves out what was left out before.
    await said(house, "/timezone UTC")
    assert "Nothing" in await said(house, "what's on 26 November?")

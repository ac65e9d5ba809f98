"""To-dos that come again: each is put on its list on its day, and never twice at a time."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.ids import ref
from core.kernel.ports import Database
from core.scheduling import pausing
from core.store.people import people
from tests.commanding import FRIEND, GROUP, group, home, pressed, said
from tests.conftest import DatabaseMaker
from tests.fakes import House
from tests.triggering import passes, person_of

pytestmark = pytest.mark.databases("sqlite", "postgres")

# START is Monday 21 September 2026, 14:13:20 UTC.
DAY = 86_400


@pytest.fixture
async def house(database: Database, tmp_path: Path) -> House:
    return await home(database, tmp_path)


async def items(house: House, state: str = "open") -> list[dict[str, object]]:
    """What is on all lists, in a state."""
    rows = await house.rows("SELECT content, due_on, list_key FROM todo WHERE state = :state ORDER BY id", state=state)
    return [dict(row) for row in rows]


@pytest.mark.databases("sqlite")
@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("/todo every friday: take out the bins", ""),
        ("add take out the bins to my list every friday", ""),
        ("/todo chores: take out the bins every friday", "chores"),
    ],
)
async def test_it_is_read_back_and_there_on_its_day(house: House, text: str, key: str) -> None:
    await said(house, "/todo chores list: sweep")
    assert "take out the bins" in await said(house, text)
    assert "every Friday" in house.shown("1")[-1].text
    await passes(house, 3 * DAY)
    assert [one["content"] for one in await items(house)] == ["sweep"]
    await passes(house, DAY)
    assert (await items(house))[1:] == [{"content": "take out the bins", "due_on": "2026-09-25", "list_key": key}]


async def test_while_one_is_open_no_other_comes_and_then_the_next_does(house: House) -> None:
    await said(house, "/todo every day: water the plants")
    await passes(house, DAY)
    await passes(house, DAY)
    assert [one["due_on"] for one in await items(house)] == ["2026-09-22"]
    await said(house, "/todo done water the plants")
    assert await items(house) == []
    await passes(house, DAY)
    assert [one["due_on"] for one in await items(house)] == ["2026-09-24"]
    assert len(await items(house, "done")) == 1


async def test_what_was_done_too_early_is_opened_again_beside_the_next_one(house: House) -> None:
    await said(house, "/todo every day: water the plants")
    await passes(house, DAY)
    await said(house, "/todo done water the plants")
    await passes(house, DAY)
    await said(house, "/todo reopen water the plants")
    assert [one["due_on"] for one in await items(house)] == ["2026-09-22", "2026-09-23"]
    await passes(house, DAY)
    assert len(await items(house)) == 2


@pytest.mark.databases("sqlite")
async def test_it_is_taken_back_and_stopped(house: House) -> None:
    await said(house, "/todo every day: water the plants")
    await pressed(house, "Undo")
    await passes(house, 2 * DAY)
    assert await items(house) == []
    await said(house, "/todo every day: water the plants")
    assert "water the plants" in await said(house, "/tasks")
    await said(house, "/cancel water the plants")
    await passes(house, 2 * DAY)
    assert await items(house) == []


async def test_two_open_ones_of_a_series_cannot_be(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await home(await make_database("sqlite"), tmp_path)
    await said(house, "/todo every day: water the plants")
    await passes(house, DAY)
    again = (
        "INSERT INTO todo (tenant_id, scope_id, lane_id, person_id, state, content, folded, series_id, created_at)"
        " SELECT tenant_id, scope_id, lane_id, person_id, 'open', content, folded, series_id, 0 FROM todo"
    )
    with pytest.raises(Exception, match="UNIQUE"):
        await house.db.write(lambda tx: tx.run(again))


async def test_what_comes_again_within_a_day_is_no_series(house: House) -> None:
    await said(house, "/todo every 2 hours: drink")
    assert [one["content"] for one in await items(house)] == ["every 2 hours: drink"]


@pytest.mark.databases("sqlite")
async def test_what_comes_on_the_list_is_on_the_agenda_of_its_days(house: House) -> None:
    await said(house, "/todo every friday: take out the bins")
    friday = await said(house, "what's on Friday?")
    assert friday.endswith("☐ take out the bins")
    assert "06:00" not in friday
    assert "take out the bins" in await said(house, "what does my week look like?")
    assert "Nothing" in await said(house, "what's on Thursday?")
    assert "Nothing" in await said(house, "/today")


@pytest.mark.databases("sqlite")
async def test_on_its_day_what_is_on_the_list_stands_on_the_agenda_once(house: House) -> None:
    await said(house, "/todo every friday: take out the bins")
    await passes(house, 4 * DAY)
    assert (await said(house, "/today")).count("take out the bins") == 1


async def test_the_same_again_and_again_is_refused_where_it_comes_already(house: House) -> None:
    await said(house, "/todo every friday: take out the bins")
    assert "already" in await said(house, "add Take out the bins to my list every Friday")
    await said(house, "/todo every thursday: take out the bins")
    await said(house, "/todo chores list: take out the bins every friday")
    assert len(await house.column("SELECT id FROM trigger")) == 3


@pytest.mark.databases("sqlite")
async def test_what_rests_is_not_said_to_come_again(house: House) -> None:
    await said(house, "/todo every friday: take out the bins")
    (bins,) = await house.column("SELECT id FROM trigger")
    await house.db.write(lambda tx: pausing.pause(tx, bins, ""))
    again = await said(house, "/todo every friday: take out the bins")
    assert again == f"That rests: 🔁 take out the bins. /resume {ref('s', bins)} lets it go on."
    await said(house, f"/resume {ref('s', bins)}")
    assert "already" in await said(house, "/todo every friday: take out the bins")


@pytest.mark.databases("sqlite")
async def test_what_comes_on_the_list_of_a_group_goes_on_without_its_maker(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/help", sender=FRIEND, **GROUP)
    await said(house, "/todo every day: water the plants", sender=FRIEND, **GROUP)
    bob = await person_of(house, FRIEND)
    await house.db.write(lambda tx: people.set_standing(tx, house.tenant_id, bob, "removed"))
    for _ in range(2):
        await passes(house, DAY)
        await said(house, "/todo done water the plants", **GROUP)
    assert [one["content"] for one in await items(house, "done")] == ["water the plants"] * 2
    gone = "Whoever set this no longer has access to me. It goes on until somebody stops it: water the plants"
    assert house.adapter.texts("-5").count(gone) == 1


async def test_whom_what_comes_again_is_for_stays_in_its_words(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await group(await make_database("sqlite"), tmp_path)
    await said(house, "/contacts add Bob @bob", **GROUP)
    assert "feed the cat for Bob" in await said(house, "/todo every day: feed the cat for Bob", **GROUP)
    await passes(house, DAY)
    assert [one["content"] for one in await items(house)] == ["feed the cat for Bob"]

"""Taking back when something came between: rights that were lost, a newer change, somebody else's hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.ids import ref
from core.kernel.ports import Database
from tests.commanding import FRIEND, GROUP, GUEST, friend, group, home, labels, pressed, said
from tests.fakes import House
from tests.fakes import house as build

pytestmark = pytest.mark.databases("sqlite")

OUTDATED = "That was changed again since, so I leave it as it is now."


async def zone(house: House) -> str:
    return str((await house.column("SELECT timezone FROM person ORDER BY id"))[0])


async def test_what_could_not_be_taken_back_can_be_later(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path, admin=GUEST)
    await said(house, "/timezone Tokyo", sender=GUEST, **GROUP)
    house.adapter.admins.clear()
    assert await said(house, "/undo", sender=GUEST, **GROUP) == "You may not do that here any more."
    house.adapter.admins.add(("-5", GUEST))
    assert (await said(house, "/undo", sender=GUEST, **GROUP)).startswith("↩ Taken back")
    assert await house.column("SELECT timezone FROM chat WHERE external_id = '-5'") == [""]


async def test_the_button_of_an_older_change_leaves_a_newer_one_alone(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/timezone Tokyo")
    older = house.button("Undo")
    await said(house, "/timezone Berlin")
    assert await pressed(house, "Undo", data=older) == OUTDATED
    assert await zone(house) == "Europe/Berlin"
    assert (await said(house, "/undo")).startswith("↩ Taken back")
    assert await zone(house) == "Asia/Tokyo"
    assert (await said(house, "/undo")).startswith("↩ Taken back")
    assert await zone(house) == ""


async def test_what_has_come_is_not_taken_back_but_its_repeats_are(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/remind in 5 minutes to call")
    once = house.button("Undo")
    await said(house, "/remind in 5 minutes to pay until done")
    again = house.button("Undo")
    house.clock.advance(400)
    await house.sweep()
    assert await pressed(house, "Undo", data=once) == OUTDATED
    assert (await pressed(house, "Undo", data=again)).startswith("↩ Taken back")
    assert await house.column("SELECT id FROM trigger WHERE ended_at IS NULL") == []


async def test_the_end_of_repeats_alone_has_no_undo(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/remind in 5 minutes to pay until done")
    (number,) = await house.column("SELECT id FROM trigger")
    house.clock.advance(400)
    await house.sweep()
    assert (await said(house, f"/cancel {ref('s', int(number))}")).startswith("🗑")
    assert "Undo" not in labels(house)
    assert await house.column("SELECT id FROM trigger WHERE ended_at IS NULL") == []


async def test_a_change_of_something_else_is_in_nobodys_way(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/timezone Tokyo")
    older = house.button("Undo")
    await said(house, "/language en")
    assert (await pressed(house, "Undo", data=older)).startswith("↩ Taken back")
    assert await zone(house) == ""


async def test_what_another_administrator_changed_since_stays(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path, admin=FRIEND)
    await said(house, "/timezone Tokyo", sender=FRIEND, **GROUP)
    await said(house, "/timezone Berlin", **GROUP)
    assert await said(house, "/undo", sender=FRIEND, **GROUP) == OUTDATED
    assert await house.column("SELECT timezone FROM chat WHERE external_id = '-5'") == ["Europe/Berlin"]


async def test_an_older_removal_is_not_taken_back_after_a_newer_one(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "hello", **friend())
    await said(house, "/people remove tg:2")
    first = house.button("Undo")
    await said(house, "/people restore tg:2")
    await said(house, "/people remove tg:2")
    assert await pressed(house, "Undo", data=first) == OUTDATED
    assert await said(house, "hello", **friend()) == ""


async def test_guests_do_not_end_the_context_of_a_group(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    refused = "Only administrators of this group, and people my owner has let in, may do that."
    assert await said(house, "/new", sender=GUEST, **GROUP) == refused
    assert await house.column("SELECT max(context_after) FROM lane") == [0]
    assert (await said(house, "/new", sender=FRIEND, **GROUP)).startswith("✨")


async def test_administrators_of_a_group_may_end_its_context(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path, admin=GUEST)
    assert (await said(house, "/new", sender=GUEST, **GROUP)).startswith("✨")


async def test_the_new_beginning_of_a_group_is_taken_back_by_anybody_who_may_make_one(
    database: Database, tmp_path: Path
) -> None:
    house = await build(database, tmp_path / "house", "noted", "one")
    await said(house, "I am called Ann", **GROUP)
    await said(house, "/new", **GROUP)
    assert labels(house, "-5") == ["Undo"]
    assert "nothing to take back" in await said(house, "/undo", sender=GUEST, **GROUP)
    assert (await said(house, "/undo", sender=FRIEND, **GROUP)).startswith("↩ Taken back: the new beginning")
    assert "nothing to take back" in await said(house, "/undo", **GROUP)


@pytest.mark.parametrize("person", ["tg:2", "tg:7", "tg:98"])
async def test_whoever_is_known_can_be_removed_by_their_address(
    database: Database, tmp_path: Path, person: str
) -> None:
    house = await group(database, tmp_path, mode="pairing")
    await said(house, "hello", sender=GUEST, **GROUP)
    await said(house, "hello", chat="98", sender="tg:98")
    answer = await said(house, f"/people remove {person}")
    assert answer.endswith(f"(`{person}`) has no access any more.")
    assert await said(house, "/help", sender=person, **GROUP) == ""


async def test_owners_are_said_to_be_owners_by_their_address_too(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    assert "is an owner." in await said(house, "/people remove tg:1")


async def test_who_owns_the_bot_on_another_platform_is_nobody_here(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    assert await said(house, "/people remove console:local") == "I know no such person. /people shows everybody."

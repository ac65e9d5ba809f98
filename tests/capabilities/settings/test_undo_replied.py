"""An undo that replies to a message takes back what that message is about, whatever was done since."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.ports import Database
from tests.commanding import GROUP, friend, group, home, open_items, planned, pressed, said
from tests.conftest import DatabaseMaker
from tests.fakes import House
from tests.triggering import passes

pytestmark = pytest.mark.databases("sqlite")


@pytest.fixture
async def house(make_database: DatabaseMaker, tmp_path: Path) -> House:
    return await home(await make_database("sqlite"), tmp_path)


@pytest.mark.parametrize("undo", ["/undo", "undo that", "rückgängig", "撤销"])
async def test_what_the_answer_offers_to_take_back_is_meant(house: House, undo: str) -> None:
    await said(house, "/todo milk")
    milk = house.shown()[-1].platform_id
    await said(house, "/todo bread")
    assert "milk" in await said(house, undo, reply_to=milk)
    assert await open_items(house) == ["bread"]


async def test_so_is_what_an_own_message_did(house: House) -> None:
    await said(house, "remind me tomorrow at 9 to run", message_id="701")
    await said(house, "remind me tomorrow at 10 to swim", message_id="702")
    assert "run" in await said(house, "/undo", reply_to="701")
    assert await planned(house) == ["swim"]


async def test_what_is_taken_back_already_takes_nothing_else_along(house: House) -> None:
    await said(house, "/todo milk")
    milk = house.shown()[-1].platform_id
    await said(house, "/todo bread")
    for answer in ("milk", "already"):
        assert answer in await said(house, "/undo", reply_to=milk)
    assert await open_items(house) == ["bread"]


async def test_a_reply_to_what_offers_nothing_asks_whether_the_last_thing_is_meant(house: House) -> None:
    await said(house, "/todo milk")
    await said(house, "/time")
    assert "milk" in await said(house, "/undo", reply_to=house.shown()[-1].platform_id)
    assert await open_items(house) == ["milk"]
    await pressed(house, "Undo")
    assert await open_items(house) == []
    assert "nothing" in await said(house, "/undo", reply_to=house.shown()[-1].platform_id)


async def test_a_reply_to_a_reminder_that_is_done_does_not_take_back_what_came_after(house: House) -> None:
    await said(house, "/remind in 1 minute to feed the cat")
    await passes(house, 61)
    cat = house.shown()[-1].platform_id
    await said(house, "done", reply_to=cat)
    await said(house, "/todo bread")
    await said(house, "/undo", reply_to=cat)
    assert await open_items(house) == ["bread"]


@pytest.mark.parametrize("to_the_answer", [True, False])
async def test_in_a_group_what_another_did_stays(
    make_database: DatabaseMaker, tmp_path: Path, to_the_answer: bool
) -> None:
    house = await group(await make_database("sqlite"), tmp_path)
    await said(house, "/todo milk", message_id="701", **GROUP)
    milk = house.shown("-5")[-1].platform_id if to_the_answer else "701"
    await said(house, "/todo bread", **friend(**GROUP))
    assert "only whoever did it" in await said(house, "/undo", reply_to=milk, **friend(**GROUP))
    assert await open_items(house) == ["milk", "bread"]


@pytest.mark.databases("sqlite", "postgres")
async def test_in_a_thread_what_was_done_there_is_meant(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/todo milk", thread="7", **GROUP)
    await said(house, "/todo bread", thread="8", **GROUP)
    await said(house, "/todo jam", thread="8", **GROUP)
    assert "milk" in await said(house, "/undo", thread="7", **GROUP)
    assert "jam" in await said(house, "/undo", **GROUP), "nothing was done outside of threads: the last thing is meant"
    assert "bread" in await said(house, "/undo", thread="7", **GROUP), "nor is anything left in this one"

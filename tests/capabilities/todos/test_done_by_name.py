"""/done NAME ticks an item off, or finishes a reminder that waits; it is asked which where several are called so."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.ports import Database
from tests.commanding import FRIEND, GROUP, friend, group, home, labels, open_items, pressed, said
from tests.fakes import House
from tests.triggering import passes

pytestmark = pytest.mark.databases("sqlite", "postgres")


@pytest.fixture
async def house(database: Database, tmp_path: Path) -> House:
    return await home(database, tmp_path)


async def waits(house: House, text: str, **fields: str) -> None:
    """Let a reminder come that nobody answers yet."""
    await said(house, f"/remind in 1 minute to {text}", **fields)
    await passes(house, 61)


async def done(house: House) -> list[object]:
    return await house.column("SELECT r.text FROM reminder r WHERE r.state = 'done' ORDER BY r.id")


async def test_it_is_an_item_of_the_list(house: House) -> None:
    await said(house, "add milk, eggs to my list")
    assert "☑ eggs" in await said(house, "/done eggs")
    assert await open_items(house) == ["milk"]
    await pressed(house, "Undo")
    assert await open_items(house) == ["milk", "eggs"]


async def test_it_is_a_reminder_that_waits_also_where_another_one_does(house: House) -> None:
    for text in ("feed the cat", "call Oma"):
        await waits(house, text)
    assert (await said(house, "/done cat")).endswith("✅ — feed the cat")
    assert await done(house) == ["feed the cat"]


async def test_of_both_it_is_asked_which(house: House) -> None:
    await said(house, "add cat food to my list")
    await waits(house, "feed the cat")
    assert await said(house, "/done cat") == "Which one?"
    assert labels(house) == ["⏰ feed the cat", "cat food"]
    await pressed(house, "⏰ feed the cat")
    assert await done(house) == ["feed the cat"]
    assert await open_items(house) == ["cat food"]
    assert "☑ cat food" in await said(house, "/done cat")
    assert await open_items(house) == []


async def test_a_reminder_of_an_item_and_the_item_are_one(house: House) -> None:
    await said(house, "/todo call Oma in 1 minute")
    await passes(house, 61)
    assert "☑ call Oma" in await said(house, "/done oma")
    assert await done(house) == ["call Oma"]
    assert await open_items(house) == []


async def test_a_name_that_is_only_a_part_of_one_is_asked_about(house: House) -> None:
    await waits(house, "buy milk, eggs and bread")
    assert await said(house, "/done eggs") != "✅"
    assert labels(house) == ["⏰ buy milk, eggs and bread"]
    assert await done(house) == []


async def test_what_nothing_is_called_is_said_to_be_unknown(house: House) -> None:
    await waits(house, "feed the cat")
    assert "eggs" in await said(house, "/done eggs")
    assert await done(house) == []


async def test_in_a_group_nobody_finishes_what_is_for_another(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "hello", **{**GROUP, "sender": FRIEND})
    await waits(house, "feed the cat", **GROUP)
    assert "cat" in await said(house, "/done cat", **{**GROUP, "sender": FRIEND})
    assert await done(house) == []
    await said(house, "/done cat", **GROUP)
    assert await done(house) == ["feed the cat"]


async def test_who_is_asked_to_do_something_says_so_by_its_name(house: House) -> None:
    await said(house, "hello", **friend())
    await said(house, f"/contacts add Bob {FRIEND}")
    await waits(house, "Bob to pay the rent")
    await said(house, "/remind Bob in 1 minute to pay the rent")
    await passes(house, 61)
    await said(house, "/done rent", **friend())
    assert await done(house) == ["pay the rent"]


@pytest.mark.parametrize("name", ["refresh", "teachers", "research"])
async def test_a_name_may_look_like_an_id(house: House, name: str) -> None:
    await waits(house, name)
    assert (await said(house, f"/done {name}")).endswith(f"✅ — {name}")
    assert await done(house) == [name]
    await said(house, f"add {name} to my list")
    assert f"☑ {name}" in await said(house, f"/done {name}")
    assert await open_items(house) == []


async def test_a_name_of_several_words_may_begin_as_an_id_does(house: House) -> None:
    await said(house, "add research the flat to my list")
    await waits(house, "refresh the page")
    assert "☑ research the flat" in await said(house, "/done research flat")
    assert (await said(house, "/done refresh the page")).endswith("✅ — refresh the page")


async def test_those_of_others_hide_none_that_is_older(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "hello", **{**GROUP, "sender": FRIEND})
    await waits(house, "feed the cat", **{**GROUP, "sender": FRIEND})
    for number in range(9):
        await said(house, f"/remind in 1 minute to call {number}", **GROUP)
    await passes(house, 61)
    assert "✅ — feed the cat" in await said(house, "/done cat", **{**GROUP, "sender": FRIEND})
    assert await done(house) == ["feed the cat"]


@pytest.mark.parametrize("text", ["/done", "done", "erledigt", "完成了"])
async def test_what_replies_to_a_new_item_ticks_it_off(house: House, text: str) -> None:
    await said(house, "/todo milk")
    milk = house.shown()[-1].platform_id
    await said(house, "/todo bread")
    assert "☑ milk" in await said(house, text, reply_to=milk)
    assert await open_items(house) == ["bread"]
    await said(house, text, reply_to=milk)
    assert await open_items(house) == ["bread"]


async def test_of_several_new_items_those_that_are_open_are_ticked_off(house: House) -> None:
    await said(house, "/todo milk, eggs and bread")
    there = house.shown()[-1].platform_id
    await said(house, "/todo done eggs")
    assert "☑ milk\n☑ bread" in await said(house, "/done", reply_to=there)
    assert "2 to-dos" in await said(house, "/undo")
    assert await open_items(house) == ["milk", "bread"]


async def test_in_a_group_anybody_may_say_so(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/todo milk", **GROUP)
    milk = house.shown("-5")[-1].platform_id
    assert "☑ milk" in await said(house, "done", reply_to=milk, **friend(**GROUP))

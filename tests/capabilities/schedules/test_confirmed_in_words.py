"""What was asked with two buttons is answered in words: "yes", "no", or what stands on a button."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.types import Answer
from tests.commanding import FRIEND, GROUP, group, home, open_items, planned, said
from tests.conftest import DatabaseMaker
from tests.fakes import House
from tests.fakes import house as build

pytestmark = pytest.mark.databases("sqlite")
NOT_YET = "Nothing has happened yet: press the button for that."


@pytest.fixture
async def house(make_database: DatabaseMaker, tmp_path: Path) -> House:
    return await with_two(await home(await make_database("sqlite"), tmp_path))


async def with_two(house: House) -> House:
    await said(house, "remind me tomorrow at 9 to call Oma")
    await said(house, "remind me tomorrow at 10 to call Opa")
    return house


@pytest.mark.parametrize("text", ["yes", "Yes!", "ok", "yes please", "👍", "ja", "好的", "是", "Stop all", "stop all"])
async def test_a_yes_right_after_it_was_asked_is_the_button(house: House, text: str) -> None:
    await said(house, "cancel all reminders")
    assert await said(house, text) == "🗑 Stopped: 2"
    assert await planned(house) == []
    await said(house, "/undo")
    assert len(await planned(house)) == 2


async def test_a_yes_clears_the_list_that_was_asked_about(house: House) -> None:
    await said(house, "/todo milk, eggs")
    await said(house, "clear my list")
    await said(house, "yes")
    assert await open_items(house) == []


async def test_what_stands_on_the_button_clears_the_list_and_does_not_ask_again(house: House) -> None:
    await said(house, "/todo milk, eggs")
    await said(house, "clear my list")
    assert "The list is clear" in await said(house, "Clear the list")


@pytest.mark.parametrize("text", ["no", "nein", "不", "never mind", "Keep"])
async def test_a_no_leaves_it(house: House, text: str) -> None:
    await said(house, "cancel all reminders")
    assert await said(house, text) == "Nothing was stopped."
    assert len(await planned(house)) == 2


async def test_a_yes_as_a_reply_is_the_button_of_that_message(house: House) -> None:
    await said(house, "cancel all reminders")
    asked = house.shown()[-1].platform_id
    await said(house, "echo hello")
    assert await said(house, "yes", reply_to=asked) == "🗑 Stopped: 2"


async def test_a_yes_after_something_else_was_said_does_nothing(house: House) -> None:
    await said(house, "cancel all reminders")
    await said(house, "echo shall I buy milk?")
    await said(house, "yes")
    assert len(await planned(house)) == 2


async def test_a_yes_long_after_it_was_asked_does_nothing_and_says_so(house: House) -> None:
    await said(house, "cancel all reminders")
    house.clock.advance(660)
    assert await said(house, "yes") == NOT_YET
    assert len(await planned(house)) == 2


async def test_a_nod_that_may_be_no_yes_does_nothing_and_says_so(house: House) -> None:
    await said(house, "cancel all reminders")
    assert await said(house, "noted") == NOT_YET
    assert len(await planned(house)) == 2


async def test_what_stands_on_another_button_does_nothing(house: House) -> None:
    await said(house, "/todo milk")
    await said(house, "cancel all reminders")
    await said(house, "Forget everything")
    assert len(await planned(house)) == 2
    assert await open_items(house) == ["milk"]


@pytest.mark.parametrize("text", ["yes", "ja", "Forget everything"])
async def test_all_is_forgotten_by_the_button_alone(house: House, text: str) -> None:
    await said(house, "remember that my locker is 214")
    assert "Shall I forget everything" in await said(house, "/forget")
    assert await said(house, text) == NOT_YET
    assert "locker is 214" in await said(house, "/memory")
    await said(house, "/forget")
    assert await said(house, "no") == "Nothing was forgotten."


async def test_a_yes_of_somebody_else_in_a_group_does_nothing(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await group(await make_database("sqlite"), tmp_path)
    here = {**GROUP, "addressed": True}
    await said(house, "remind me tomorrow at 9 to call Oma", **here)
    await said(house, "/help", sender=FRIEND, **here)
    await said(house, "cancel all reminders", **here)
    asked = house.shown("-5")[-1].platform_id
    await said(house, "yes", sender=FRIEND, **here)
    await said(house, "yes", sender=FRIEND, reply_to=asked, **here)
    assert await planned(house) == ["call Oma"]
    await said(house, "yes", reply_to=asked, **here)
    assert await planned(house) == []


async def test_a_button_still_works_after_a_yes_and_stops_nothing_more(house: House) -> None:
    await said(house, "cancel all reminders")
    stop = house.button("Stop all")
    await said(house, "yes")
    await said(house, "remind me on Sunday to rest")
    await house.press("", data=stop)
    await house.work()
    assert await planned(house) == ["rest"]


async def test_a_yes_needs_no_model_where_there_is_one(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await with_two(await build(await make_database("sqlite"), tmp_path / "house", Answer(text="hello")))
    await said(house, "cancel all reminders")
    await said(house, "yes")
    assert await planned(house) == []

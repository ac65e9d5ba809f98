"""A message that has added to the list is edited: what it says now is added, and what it said before stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commanding import home, open_items, said
from tests.conftest import DatabaseMaker
from tests.fakes import House

pytestmark = pytest.mark.databases("sqlite")


@pytest.fixture
async def house(make_database: DatabaseMaker, tmp_path: Path) -> House:
    return await home(await make_database("sqlite"), tmp_path)


async def edited(house: House, before: str, after: str) -> str:
    await said(house, before, message_id="m1")
    return await said(house, after, message_id="m1", edits="m1")


async def test_what_an_edit_adds_is_added(house: House) -> None:
    answer = await edited(house, "add milk, eggs to my list", "add milk, eggs, bread to my list")
    assert "☐ bread" in answer
    assert await open_items(house) == ["milk", "eggs", "bread"]
    await said(house, "/undo")
    assert await open_items(house) == ["milk", "eggs"]


@pytest.mark.parametrize(
    ("before", "after", "items"),
    [
        ("/todo rice, salt", "/todo rice, salt, oil", ["rice", "salt", "oil"]),
        ("/todo@teller_bot add rice", "/todo@teller_bot add rice, salt", ["rice", "salt"]),
        ("/todo rice", "add rice, salt to my list", ["rice", "salt"]),
        ("/todo shopping: rice", "/todo shopping: rice, salt", ["rice", "salt"]),
        ("/todo\n- rice\n- salt", "/todo\n- rice\n- salt\n- oil", ["rice", "salt", "oil"]),
        ("/todo list", "/todo list the guests", []),
        ("/todo page the doctor", "/todo page the doctor, call Oma", ["page the doctor", "call Oma"]),
        ("/todo 牛奶", "/todo 添加 牛奶、鸡蛋", ["牛奶", "鸡蛋"]),
        ("/todo 牛奶", "/todo 期限牛奶 周五", ["牛奶"]),
    ],
)
async def test_what_an_edit_of_the_command_adds_is_added(
    house: House, before: str, after: str, items: list[str]
) -> None:
    await edited(house, before, after)
    assert await open_items(house) == items


@pytest.mark.parametrize("after", ["/todo", "/todo done milk", "/todo clear", "/todo add", "/tasks", "/todo show"])
async def test_an_edit_to_another_command_is_to_be_said_anew(house: House, after: str) -> None:
    assert "say anew" in await edited(house, "/todo milk", after)
    assert await open_items(house) == ["milk"]


async def test_a_list_that_an_edit_nearly_names_is_asked_for(house: House) -> None:
    await said(house, "/todo camping list: tent")
    answer = await edited(house, "/todo rice", "/todo campng list: rice")
    assert "amping" in answer
    assert answer.count("?") == 1
    assert await house.column("SELECT count(*) FROM todo WHERE list_key = 'campng'") == [0]


async def test_an_edit_of_the_time_in_the_command_changes_that_of_the_item(house: House) -> None:
    await edited(house, "/todo call Oma tomorrow at 9", "/todo call Oma tomorrow at 10")
    assert await house.column("SELECT substr(datetime(due_at / 1000, 'unixepoch'), 12, 5) FROM todo") == ["10:00"]


async def test_what_an_edit_no_longer_says_stays_and_that_is_said(house: House) -> None:
    answer = await edited(house, "add milk to my list", "add bread to my list")
    assert answer.endswith("What your message said before stays:\n☐ milk")
    assert await open_items(house) == ["milk", "bread"]


async def test_what_goes_to_another_list_by_an_edit_stays_on_the_former_too(house: House) -> None:
    answer = await edited(house, "add milk to the shopping list", "add milk to the camping list")
    assert "stays:\n☐ milk — Shopping" in answer


async def test_an_edit_to_something_else_is_to_be_said_anew(house: House) -> None:
    assert "say anew" in await edited(house, "add milk to my list", "milk is cheap today")
    assert await open_items(house) == ["milk"]


async def test_what_was_taken_back_is_not_added_by_an_edit(house: House) -> None:
    await said(house, "add milk to my list", message_id="m1")
    await said(house, "/undo")
    await said(house, "add milk and bread to my list", message_id="m1", edits="m1")
    assert await open_items(house) == []


@pytest.mark.parametrize("off", ["done milk", "/todo remove milk"])
async def test_what_is_done_or_off_the_list_is_not_added_again_by_an_edit(house: House, off: str) -> None:
    await said(house, "add milk to my list", message_id="m1")
    await said(house, off)
    answer = await said(house, "add milk, eggs to my list", message_id="m1", edits="m1")
    assert await open_items(house) == ["eggs"]
    assert "not added again:\n" in answer
    assert "milk" in answer.partition("not added again:")[2]


async def test_an_edit_of_what_is_all_done_adds_nothing(house: House) -> None:
    await said(house, "add milk, eggs to my list", message_id="m1")
    await said(house, "done milk")
    await said(house, "done eggs")
    answer = await said(house, "please add milk, eggs to my list", message_id="m1", edits="m1")
    assert await open_items(house) == []
    assert answer.startswith("Done or off the list since")


async def test_an_edit_of_the_time_of_an_item_changes_it_and_reminds_once(house: House) -> None:
    await edited(house, "add call Oma tomorrow at 9 to my list", "add call Oma tomorrow at 10 to my list")
    assert await house.column("SELECT substr(datetime(due_at / 1000, 'unixepoch'), 12, 5) FROM todo") == ["10:00"]
    assert await house.column("SELECT count(*) FROM trigger WHERE ended_at IS NULL") == [1]
    await said(house, "/undo")
    assert await house.column("SELECT substr(datetime(due_at / 1000, 'unixepoch'), 12, 5) FROM todo") == ["09:00"]


async def test_what_an_edit_says_otherwise_is_there_twice_and_that_is_said(house: House) -> None:
    before, after = "add milk, eggs tomorrow to my list", "add milk, eggs on Friday to my list"
    answer = await edited(house, before, after)
    assert "stays:\n☐ milk — Tue 22 Sep\n☐ eggs — Tue 22 Sep" in answer


async def test_what_an_earlier_edit_added_and_is_done_is_not_added_again_by_the_next(house: House) -> None:
    await edited(house, "add milk to my list", "add milk, eggs to my list")
    await said(house, "add milk, eggs, salt to my list", message_id="m1", edits="m1")
    await said(house, "done eggs")
    await said(house, "/todo remove salt")
    answer = await said(house, "add milk, eggs, salt, tea to my list", message_id="m1", edits="m1")
    assert await open_items(house) == ["milk", "tea"]
    assert "not added again" in answer

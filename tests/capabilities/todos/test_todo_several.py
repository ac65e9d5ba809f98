"""Several items of the to-do list at once: one message, one answer, one Undo."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.ports import Database
from core.kernel.types import Answer, ToolCall
from tests.fakes import House, house

pytestmark = pytest.mark.databases("sqlite")


@pytest.fixture
async def home(database: Database, tmp_path: Path) -> House:
    return await house(database, tmp_path / "house", model=False)


async def say(home: House, text: str) -> str:
    await home.hear(text)
    await home.work()
    return home.shown()[-1].text


async def press(home: House, label: str) -> str:
    await home.press(label)
    await home.work()
    return home.shown()[-1].text


async def listed(home: House) -> list[str]:
    return list(await home.column("SELECT content FROM todo WHERE state = 'open' ORDER BY id"))


@pytest.mark.parametrize(
    "text",
    [
        "/todo milk, eggs and bread",
        "/todo add milk, eggs, bread",
        "/todo\n- milk\n- eggs\n- bread",
        "add milk, eggs and bread to my list",
        "add to my list:\n- milk\n- eggs\n- bread",
        "todo: milk, eggs and bread",
    ],
)
async def test_several_items_of_one_message_are_several_with_one_undo(home: House, text: str) -> None:
    assert await say(home, text) == "☐ milk\n☐ eggs\n☐ bread\n\n3 items are on the list."
    assert await listed(home) == ["milk", "eggs", "bread"]
    await press(home, "Undo")
    assert await listed(home) == []


async def test_nothing_within_a_line_is_taken_for_its_bullet(home: House) -> None:
    await say(home, "/todo milk - 2 l\nRoom 5) clean\nRoom 6) clean")
    assert await listed(home) == ["milk - 2 l", "Room 5) clean", "Room 6) clean"]


async def test_the_same_twice_is_one_item_and_told_so(home: House) -> None:
    assert await say(home, "/todo milk\nmilk") == "☐ milk\n\n1 item is on the list."


async def test_several_items_are_listed_in_chinese_too(home: House) -> None:
    await say(home, "把牛奶、鸡蛋和面包加到清单")
    assert await listed(home) == ["牛奶", "鸡蛋", "面包"]


async def test_a_day_behind_the_list_is_for_all_of_it(home: House) -> None:
    await say(home, "/todo milk, eggs and bread tomorrow")
    days = await home.column("SELECT due_on FROM todo ORDER BY id")
    assert len(days) == 3
    assert len(set(days)) == 1
    assert days[0]


async def test_a_time_within_a_line_is_for_that_item_alone(home: House) -> None:
    await say(home, "/todo\n- milk\n- call Oma tomorrow")
    assert await listed(home) == ["milk", "call Oma"]
    assert [bool(day) for day in await home.column("SELECT due_on FROM todo ORDER BY id")] == [False, True]


async def test_what_is_on_the_list_already_is_not_doubled_and_not_taken_back(home: House) -> None:
    await say(home, "/todo eggs")
    await say(home, "/todo milk, eggs and bread")
    assert await listed(home) == ["eggs", "milk", "bread"]
    await press(home, "Undo")
    assert await listed(home) == ["eggs"]


@pytest.mark.parametrize("between", [", ", "\n", "\n- "])
async def test_more_than_can_be_added_at_once_are_not_taken_for_one_item(home: House, between: str) -> None:
    items = [f"thing {number}" for number in range(51)]
    first = f"/todo {between.removeprefix(', ')}"
    assert "51 items" in await say(home, first + between.join(items))
    assert await listed(home) == []
    await say(home, first + between.join(items[1:]))
    assert await listed(home) == items[1:]


async def test_what_may_be_one_item_stays_one(home: House) -> None:
    await say(home, "add mac and cheese to my list")
    assert await listed(home) == ["mac and cheese"]


async def test_a_model_adds_several_with_one_call(database: Database, tmp_path: Path) -> None:
    items = [{"content": "milk"}, {"content": "eggs", "people": [], "due": "2027-01-02"}]
    calls = (ToolCall(id="c1", name="todo_add_several", arguments={"items": items}),)
    home = await house(database, tmp_path / "house", Answer(calls=calls), "done")
    await say(home, "we need some things")
    assert await listed(home) == ["milk", "eggs"]
    await say(home, "/undo")
    assert await listed(home) == []


async def test_clearing_asks_first_then_clears_and_can_be_taken_back(home: House) -> None:
    await say(home, "/todo milk, eggs and bread")
    assert await say(home, "/todo clear") == "Take all 3 open items off the list?"
    assert await listed(home) == ["milk", "eggs", "bread"]
    assert await press(home, "Clear the list") == "🗑 The list is clear: 3 items are off it."
    assert await listed(home) == []
    await press(home, "Undo")
    assert await listed(home) == ["milk", "eggs", "bread"]


@pytest.mark.parametrize("text", ["clear my list", "please empty the to-do list", "delete everything from my list"])
async def test_clearing_in_plain_english_asks_first(home: House, text: str) -> None:
    await say(home, "/todo milk, eggs and bread")
    assert await say(home, text) == "Take all 3 open items off the list?"
    assert await listed(home) == ["milk", "eggs", "bread"]
    await press(home, "Clear the list")
    assert await listed(home) == []


@pytest.mark.parametrize("text", ["清空清单", "把清单清空", "帮我清空待办", "删除清单里的所有内容"])
async def test_clearing_in_plain_chinese_asks_first(home: House, text: str) -> None:
    await say(home, "/todo 牛奶")
    await say(home, text)
    assert await listed(home) == ["牛奶"]
    await press(home, "Clear the list")
    assert await listed(home) == []


@pytest.mark.parametrize("text", ["don't clear my list", "should I clear my list?", "clear the table", "别清空清单"])
async def test_what_does_not_wish_the_list_cleared_never_asks_to_clear_it(home: House, text: str) -> None:
    await say(home, "/todo milk")
    assert "off the list?" not in await say(home, text)


async def test_a_list_is_kept_that_is_not_to_be_cleared(home: House) -> None:
    await say(home, "/todo milk")
    await say(home, "/todo clear")
    assert await press(home, "Keep it") == "The list stays as it is."
    assert await listed(home) == ["milk"]


async def test_clearing_leaves_what_was_added_after_it_was_asked(home: House) -> None:
    await say(home, "/todo cake")
    assert await say(home, "clear my list") == "Take 1 open item off the list?"
    clear = home.button("Clear the list")
    await say(home, "/todo passport")
    await home.press("", data=clear)
    await home.work()
    assert home.shown()[-1].text == "🗑 1 item is off the list. What was added since then stays."
    assert await listed(home) == ["passport"]
    await press(home, "Undo")
    assert await listed(home) == ["cake", "passport"]


async def test_a_button_to_clear_is_nothing_for_items_that_came_in_the_place_of_the_others(home: House) -> None:
    await say(home, "/todo cake")
    await say(home, "clear my list")
    clear = home.button("Clear the list")
    await say(home, "/todo done cake")
    await say(home, "/todo passport")
    await home.press("", data=clear)
    await home.work()
    assert home.shown()[-1].text == "The list stays as it is."
    assert await listed(home) == ["passport"]


async def test_a_button_of_a_former_version_still_clears_the_list(home: House) -> None:
    await say(home, "/todo cake")
    await say(home, "clear my list")
    former = '[["Clear the list", {"intent": "todos.clear_all", "arguments": {"key": ""}}]]'
    await home.db.write(lambda tx: tx.run("UPDATE keyboard SET buttons = :former", {"former": former}))
    await press(home, "Clear the list")
    assert await listed(home) == []


async def test_clear_the_table_is_an_item(home: House) -> None:
    await say(home, "/todo clear the table")
    assert await listed(home) == ["clear the table"]


@pytest.mark.parametrize("item", ["eggs", "buy eggs", "eggs (large)"])
async def test_an_item_is_edited_by_the_words_it_begins_with(home: House, item: str) -> None:
    await say(home, f"/todo {item}")
    answer = await say(home, "/todo edit eggs buy 12 eggs")
    assert await listed(home) == ["buy 12 eggs"], answer


async def test_a_day_behind_a_comma_is_no_item(home: House) -> None:
    await say(home, "/todo pay rent, tomorrow")
    assert await listed(home) == ["pay rent"]


async def test_never_mind_takes_all_of_them_back(home: House) -> None:
    await say(home, "/todo milk, eggs and bread")
    await say(home, "never mind")
    assert await listed(home) == []


async def test_what_was_ticked_off_meanwhile_is_not_taken_back(home: House) -> None:
    await say(home, "/todo milk, eggs and bread")
    undo = home.button("Undo")
    await say(home, "/todo done milk")
    await home.press("", data=undo)
    await home.work()
    states = await home.column("SELECT state FROM todo ORDER BY id")
    assert states == ["done", "removed", "removed"]

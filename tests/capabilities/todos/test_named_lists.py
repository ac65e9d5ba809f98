"""Lists that have a name: they are there while they have items, and each person or group has their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.capabilities.todos.lists import named, split_name
from core.kernel.ports import Database
from tests.commanding import GROUP, group, home, labels, open_items, pressed, said
from tests.conftest import DatabaseMaker
from tests.fakes import House
from tests.fakes import house as build

pytestmark = pytest.mark.databases("sqlite")


@pytest.fixture
async def house(make_database: DatabaseMaker, tmp_path: Path) -> House:
    return await home(await make_database("sqlite"), tmp_path)


async def on(house: House, key: str) -> list[object]:
    """What is open on a list."""
    return await house.column("SELECT content FROM todo WHERE state = 'open' AND list_key = :key ORDER BY id", key=key)


@pytest.mark.parametrize(
    ("words", "key"),
    [
        ("shopping", "shopping"),
        ("Groceries", "shopping"),
        ("购物", "shopping"),
        ("packing", "packing"),
        ("to-do", ""),
        ("", ""),
        ("Camping  trip", "camping trip"),
    ],
)
def test_a_list_has_one_key_in_all_languages_and_spellings(words: str, key: str) -> None:
    assert named(words).key == key


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("shopping: milk", ("shopping", "milk")),
        ("购物：牛奶", ("购物", "牛奶")),
        ("camping: tent", ("camping", "tent")),
        ("garage list: sort tools", ("garage", "sort tools")),
        ("my list: milk", ("to-do", "milk")),
        ("Unsere Liste: Milch", ("to-do", "Milch")),
        ("我的清单：牛奶", ("to-do", "牛奶")),
        ("车库清单：整理", ("车库", "整理")),
        ("Bob: call him", ("", "Bob: call him")),
        ("call Bob: now", ("", "call Bob: now")),
        ("milk", ("", "milk")),
    ],
)
def test_a_name_before_a_colon_is_that_of_a_list_where_there_is_one(text: str, parts: tuple[str, str]) -> None:
    assert split_name(text, ["camping"]) == parts


@pytest.mark.parametrize(
    "text",
    [
        "/todo done milk",
        "/todo remove milk",
        "/todo edit milk: tea",
        "tick off milk",
        "remove milk from the camping list",
        "tick off tent and milk",
    ],
)
async def test_of_more_than_ten_that_may_be_meant_it_is_said_how_many_more_there_are(house: House, text: str) -> None:
    await said(house, "/todo camping list: tent, " + ", ".join(f"milk {chr(97 + n) * 3}" for n in range(13)))
    assert (await said(house, text)).endswith("Which one?\n… and 3 more")
    assert len([label for label in labels(house) if "milk" in label]) == 10


async def test_what_is_taken_off_a_list_that_is_nearly_called_so_goes_from_that(house: House) -> None:
    await said(house, "put scarf, socks and tea on the gifts list")
    await said(house, "add scarf to my list")
    assert "scarf" in await said(house, "remove scarf from the gift list")
    await said(house, "tick off tea on the gift list")
    assert await on(house, "gifts") == ["socks"]
    assert await on(house, "") == ["scarf"]
    assert "Gifts" in await said(house, "clear the gift list")
    await pressed(house, labels(house)[0])
    assert await on(house, "gifts") == []
    assert await on(house, "") == ["scarf"]


async def test_what_is_put_on_a_named_list_is_only_there(house: House) -> None:
    assert "Shopping" in await said(house, "add milk to the shopping list")
    await said(house, "put tent, stove and lamp on the camping list")
    await said(house, "add call Oma to my list")
    assert await on(house, "shopping") == ["milk"]
    assert await on(house, "camping") == ["tent", "stove", "lamp"]
    assert await on(house, "") == ["call Oma"]
    shown = await said(house, "what's on the camping list?")
    assert "Camping: 3" in shown
    assert "milk" not in shown
    usual = await said(house, "/todo")
    assert "To do: 1" in usual
    assert "Camping (3), Shopping (1)" in usual
    assert "tent" not in usual


async def test_a_name_is_the_same_in_other_words(house: House) -> None:
    await said(house, "/todo shopping: milk")
    await said(house, "add bread to the grocery list")
    await said(house, "/todo Groceries: eggs, butter and jam")
    assert await on(house, "shopping") == ["milk", "bread", "eggs", "butter", "jam"]
    assert "Shopping: 5" in await said(house, "what do I need to buy?")
    assert "Shopping: 5" in await said(house, "/todo shopping:")


async def test_all_lists_are_shown_with_buttons(house: House) -> None:
    await said(house, "/todo call Oma")
    await said(house, "add tent to the camping list")
    await said(house, "which lists do we have?")
    assert {"To do (1)", "Camping (1)"} <= set(labels(house))
    await pressed(house, "Camping (1)")
    assert "Camping: 1" in house.shown("1")[-1].text
    await pressed(house, "☐ tent")
    assert "☑ tent" in house.shown("1")[-1].text
    assert await on(house, "camping") == []
    assert await on(house, "") == ["call Oma"]
    assert "Camping" not in await said(house, "/lists")


async def test_only_the_list_that_is_named_is_cleared(house: House) -> None:
    await said(house, "/todo call Oma")
    await said(house, "add milk and eggs to the shopping list")
    await said(house, "/todo shopping: bread")
    assert "Shopping: Take all" in await said(house, "clear the shopping list")
    await pressed(house, "Clear the list")
    assert await on(house, "shopping") == []
    assert await on(house, "") == ["call Oma"]
    await pressed(house, "Undo")
    assert await on(house, "shopping") != []


async def test_an_empty_list_says_so_and_shows_the_usual_one(house: House) -> None:
    assert await said(house, "what's on the packing list") == "📝 Nothing is on this list: Packing"
    await said(house, "/todo socks")
    shown = await said(house, "what's on the packing list")
    assert "Nothing is on this list: Packing" in shown
    assert "socks" in shown


async def test_an_item_is_found_by_its_words_on_any_list_or_on_the_one_that_is_named(house: House) -> None:
    await said(house, "/todo shopping: milk")
    await said(house, "/todo camping: lamp")
    await said(house, "add milk to the camping list")
    assert "milk" in await said(house, "remove milk from the camping list")
    assert await on(house, "shopping") == ["milk"]
    assert await on(house, "camping") == []
    await said(house, "/todo done milk")
    assert await on(house, "shopping") == []


@pytest.mark.parametrize(
    "text",
    [
        "remove milk from the packing list",
        "tick off milk on the packing list",
        "streiche milk von der Packliste",
        "hake milk auf der Packliste ab",
        "把milk从行李清单里删掉",
        "把milk从行李清单里划掉",
    ],
)
async def test_what_is_on_another_list_than_the_one_that_is_named_stays(house: House, text: str) -> None:
    await said(house, "/todo milk")
    await said(house, "add socks to the packing list")
    assert await said(house, text) == "Packing: Nothing is called “milk” here."
    assert (await on(house, ""), await on(house, "packing")) == (["milk"], ["socks"])


async def test_what_is_found_nowhere_is_said_as_it_was_named(house: House) -> None:
    await said(house, "add socks to the packing list")
    assert await said(house, "remove unicorn from the packing list") == "Packing: Nothing is called “unicorn” here."
    assert await said(house, "remove socks from the guest list") == "Guest: Nothing is called “socks” here."


async def test_a_part_of_what_is_on_the_list_that_is_named_is_asked_back_about(house: House) -> None:
    await said(house, "/todo lamp")
    await said(house, "/todo camping list: red lamp and stove")
    assert "only a part" in await said(house, "remove lamp from the camping list")
    assert labels(house) == ["red lamp and stove"]
    await said(house, "/todo camping list: blue lamp")
    assert await said(house, "remove lamp from the camping list") == "Which one?"
    assert set(labels(house)) == {"red lamp and stove", "blue lamp"}
    assert await on(house, "") == ["lamp"]


async def test_the_same_on_two_lists_is_told_apart_by_their_names(house: House) -> None:
    await said(house, "add milk to the shopping list")
    await said(house, "add milk to the camping list")
    await said(house, "/todo done milk")
    assert {"milk (Shopping)", "milk (Camping)"} <= set(labels(house))


async def test_several_that_are_named_go_at_once_and_come_back_together(house: House) -> None:
    await said(house, "add socks, shirts and soap to the packing list")
    assert "Off the list" in await said(house, "take socks and shirts off the packing list")
    assert await on(house, "packing") == ["soap"]
    await pressed(house, "Undo")
    assert await on(house, "packing") == ["socks", "shirts", "soap"]
    await said(house, "tick off socks and soap")
    assert await on(house, "packing") == ["shirts"]
    await pressed(house, "Undo")
    assert await on(house, "packing") == ["socks", "shirts", "soap"]


@pytest.mark.databases("sqlite", "postgres")
async def test_a_list_is_called_as_its_oldest_item_says_wherever_it_stands(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    for number, name in enumerate(("zoo", "Straße", "strasse", "Abc", "ABC", "_odd", "Äpfel", "a-b")):
        await said(house, f"/todo {name} list: thing {number}")
    shown = await said(house, "/lists")
    assert shown.splitlines()[2:] == [*("- \\_odd: 1", "- A-b: 1", "- Abc: 2", "- Straße: 2", "- Zoo: 1", "- Äpfel: 1")]
    assert labels(house)[1:] == ["_odd (1)", "A-b (1)", "Abc (2)", "Straße (2)", "Zoo (1)", "Äpfel (1)"]
    await pressed(house, "Straße (2)")
    assert "Straße: 2" in house.shown("1")[-1].text
    assert "\\_odd (1), A-b (1), Abc (2), Straße (2)" in await said(house, "/todo")


async def test_a_button_names_a_list_as_it_is_written(house: House) -> None:
    await said(house, "/todo _odd list: tent")
    await said(house, "/todo tent")
    await said(house, "/lists")
    assert labels(house)[1:] == ["_odd (1)"]
    await said(house, "/todo done tent")
    assert [label for label in labels(house) if "tent" in label] == ["tent (_odd)", "tent"]
    assert "\\_odd" in await said(house, "/todo _oddd list: stove")
    assert labels(house)[:2] == ["_odd", "_oddd"]


async def test_a_group_has_lists_of_its_own(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/todo shopping: milk", **GROUP)
    assert "Shopping" not in await said(house, "/lists")
    assert "Shopping: 1" in await said(house, "/lists", **GROUP)


async def test_with_a_model_a_list_that_is_not_there_is_asked_about(database: Database, tmp_path: Path) -> None:
    house = await build(database, tmp_path / "house", lambda request: "Hm.")
    assert await said(house, "what's on the guest list?") == "Hm."
    await said(house, "add Anna to the guest list")
    assert "Guest: 1" in await said(house, "what's on the guest list?")


async def test_my_list_is_the_usual_one(house: House) -> None:
    await said(house, "/todo my list: milk")
    assert await on(house, "") == ["milk"]
    assert "To do: 1" in await said(house, "/todo my list:")


@pytest.mark.parametrize(
    "text", ["add milk to the shoping list", "add milk to the grocey list", "Setz milk auf die Enkaufsliste"]
)
async def test_a_known_list_with_a_typing_error_is_that_list(house: House, text: str) -> None:
    await said(house, text)
    assert await on(house, "shopping") == ["milk"]


@pytest.mark.parametrize("text", ["put rope on the campign list", "/todo campign list: rope"])
@pytest.mark.parametrize(("button", "key"), [("Camping", "camping"), ("Campign", "campign")])
async def test_a_name_that_is_nearly_that_of_a_list_is_asked_about(
    house: House, text: str, button: str, key: str
) -> None:
    await said(house, "add tent to the camping list")
    assert "Campign" in await said(house, text)
    assert labels(house) == ["Camping", "Campign"]
    await pressed(house, button)
    assert "rope" in await on(house, key)
    assert len(await house.column("SELECT id FROM todo WHERE state = 'open'")) == 2


async def test_one_for_several_is_asked_about_too(house: House) -> None:
    await said(house, "add scarf to the gifts list")
    await said(house, "add socks to the gift list")
    assert labels(house) == ["Gifts", "Gift"]
    await pressed(house, "Gifts")
    assert await on(house, "gifts") == ["scarf", "socks"]
    assert "Gifts: 2" in await said(house, "show me the gift list")


@pytest.mark.parametrize("name", ["week 49", "boat", "shipping", "camping trip"])
async def test_what_is_called_otherwise_is_another_list(house: House, name: str) -> None:
    for there in ("week 48", "boot", "camping"):
        await said(house, f"/todo {there} list: tent")
    await said(house, f"/todo {name} list: rope")
    assert await on(house, name) == ["rope"]


@pytest.mark.parametrize(
    ("text", "answer", "stays"),
    [
        ("tick off milk and bread", "☑ bread\nNothing is called “milk” here.", ["oat drink"]),
        ("tick off oat and bread", "☑ bread\nNothing is called “oat” here.", ["oat drink"]),
        (
            # What is taken off is not open again as easily: all of it must be there.
            "take milk, bread and tea off the list",
            "I find nothing open like “milk, bread and tea”. /todo shows the list.",
            ["bread", "oat drink"],
        ),
        (
            "tick off tea and milk",
            "I find nothing open like “tea and milk”. /todo shows the list.",
            ["bread", "oat drink"],
        ),
    ],
)
async def test_of_several_that_are_named_what_is_there_is_ticked_off(
    house: House, text: str, answer: str, stays: list[str]
) -> None:
    await said(house, "/todo bread")
    await said(house, "/todo oat drink")
    assert await said(house, text) == answer
    assert await on(house, "") == stays


@pytest.mark.parametrize("text", ["tick off milk and bread", "milk and bread are done", "hake milk und bread ab"])
async def test_of_several_that_are_named_it_is_asked_which_is_meant_where_that_is_unclear(
    house: House, text: str
) -> None:
    await said(house, "/todo milk, bread")
    await said(house, "add milk to the shopping list")
    assert await said(house, text) == "☑ bread\nWhich one?"
    assert len(labels(house)) == 3
    await pressed(house, labels(house)[2])
    assert await open_items(house) == ["milk"]


async def test_of_several_that_are_named_a_word_of_two_others_is_asked_about(house: House) -> None:
    await said(house, "/todo whole milk, oat milk, bread")
    assert await said(house, "tick off milk and bread") == "☑ bread\nWhich one?"
    assert labels(house) == ["Undo", "whole milk", "oat milk"]


async def test_it_is_an_item_that_goes_off_a_list_and_not_the_list(house: House) -> None:
    await said(house, "add milk to the shopping list")
    assert await said(house, "remove milk") == "🗑 Off the list: milk — Shopping"
    await pressed(house, "Undo")
    await said(house, "/todo done milk")
    assert await said(house, "/todo reopen milk") == "Open again: ☐ milk — Shopping"


async def test_a_list_that_is_wished_for_by_a_name_says_how_something_comes_onto_it(house: House) -> None:
    said_of_it = await said(house, "make a new list called camping")
    assert "Camping: nothing is on it yet" in said_of_it
    await said(house, "add tent to the Camping list")
    assert await on(house, "camping") == ["tent"]
    assert "Camping: 1" in await said(house, "make a new list called camping")
    assert "/todo camping list: tent" in await said(house, "start a new list")


async def test_two_words_are_two_items_on_a_list_with_a_name_and_one_on_the_usual_one(house: House) -> None:
    await said(house, "add tent and stove to the camping list")
    await said(house, "add mac and cheese to my list")
    assert await on(house, "camping") == ["tent", "stove"]
    assert await on(house, "") == ["mac and cheese"]

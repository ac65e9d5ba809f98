"""What few words tick, remove and cancel: the one that they mean, and none of its neighbours."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.ports import Database
from core.kernel.types import ModelRequest
from tests.commanding import GROUP, group, home, labels, open_items, planned, pressed, said
from tests.conftest import DatabaseMaker
from tests.fakes import House
from tests.fakes import house as with_model
from tests.triggering import passes


@pytest.fixture
async def house(make_database: DatabaseMaker, tmp_path: Path) -> House:
    return await home(await make_database("sqlite"), tmp_path)


@pytest.fixture
async def model(make_database: DatabaseMaker, tmp_path: Path) -> House:
    def heard(request: ModelRequest) -> str:
        return f"heard: {' / '.join(request.heard)}"

    made = await with_model(await make_database("sqlite"), tmp_path / "model", heard)
    assert made.model is not None
    made.model.always(heard)
    return made


@pytest.fixture(params=["without a model", "with a model"])
async def either(request: pytest.FixtureRequest, house: House, model: House) -> House:
    return house if request.param == "without a model" else model


@pytest.mark.parametrize(
    ("one", "other", "text"),
    [
        ("call Anna!", "call Anna about the trip", "cancel call Anna"),
        ("call Anna!", "call Anna about the trip", "cancel call Anna!"),
        ("call Anna!", "call Anna about the trip", "cancel the call Anna reminder"),
        ("buy cake, candles", "buy cake candles for Leo", "cancel buy cake candles"),
        ("call Dr. Meier", "call Bo", "cancel call dr meier"),
        ("kids' lunch", "Bo's lunch", "cancel kids lunch"),
        ("Mia's lesson", "Leo's lesson", "cancel Mia\u2019s lesson"),
        ("call Oma!", "call Opa!", "cancel the Oma reminder"),
        ("take out the bins", "take out the dog", "cancel the bin reminder"),
        ("给妈妈买花", "给爸爸打电话", "取消妈妈的提醒"),
        ("吃药！", "提醒妈妈吃药", "取消吃药"),
    ],
)
async def test_the_reminder_that_is_named_is_cancelled_and_no_other(
    either: House, one: str, other: str, text: str
) -> None:
    await said(either, f"/remind tomorrow at 9 {one}")
    await said(either, f"/remind tomorrow at 10 {other}")
    await said(either, text)
    assert await planned(either) == [other]


@pytest.mark.parametrize("command", ["/cancel gym", "/cancel the gyms!", "cancel gym legs"])
async def test_commands_need_fewer_words_than_free_text(house: House, command: str) -> None:
    await said(house, "/remind tomorrow at 9 gym: legs")
    assert "gym: legs" in await said(house, command)
    assert await planned(house) == []


@pytest.mark.parametrize(
    ("one", "other", "text"),
    [
        ("milk", "pick up the milk for Oma", "the milk is done"),
        ("milk", "pick up the milk for Oma", "got the milk"),
        ("homework", "sign my homework book", "my homework is done"),
        ("eggs", "boil the eggs", "egg done"),
        ("牛奶", "买两箱牛奶", "牛奶买了"),
    ],
)
async def test_the_item_that_is_named_is_ticked_and_no_other(either: House, one: str, other: str, text: str) -> None:
    await said(either, f"/todo {other}")
    await said(either, f"/todo {one}")
    await said(either, text)
    assert await open_items(either) == [other]


async def test_the_item_that_is_named_is_removed_and_no_other(either: House) -> None:
    await said(either, "/todo wash the car")
    await said(either, "/todo car")
    await said(either, "remove the car")
    assert await open_items(either) == ["wash the car"]


async def enumerated(house: House, item: str) -> None:
    """Make one item of several things, as they were noted before each became an item of its own."""
    await said(house, "/todo groceries")
    await said(house, f"/todo edit groceries: {item}")
    assert await open_items(house) == [item]


@pytest.mark.parametrize(
    ("item", "text", "done"),
    [
        ("milk, eggs and bread", "take eggs off the list", "🗑 Off the list: milk, eggs and bread"),
        ("milk, eggs and bread", "remove eggs", "🗑 Off the list: milk, eggs and bread"),
        ("milk, eggs and bread", "got the eggs", "☑ milk, eggs and bread"),
        ("milk, eggs and bread", "/todo done eggs", "☑ milk, eggs and bread"),
        ("milk, eggs and bread", "/todo edit eggs: 12 eggs", "✏️ ☐ 12 eggs"),
        ("牛奶、鸡蛋", "鸡蛋买了", "☑ 牛奶、鸡蛋"),
    ],
)
async def test_of_an_enumeration_a_part_is_asked_back_about(house: House, item: str, text: str, done: str) -> None:
    await enumerated(house, item)
    assert "is only a part of this. All of it?" in (answer := await said(house, text)) or "只是其中一部分" in answer
    assert await open_items(house) == [item]
    assert labels(house) == [item]
    assert await pressed(house, item) == done


@pytest.mark.parametrize("text", ["cancel tea", "/cancel tea", "cancel the tea reminder"])
async def test_of_what_reminds_of_several_things_too(house: House, text: str) -> None:
    await said(house, "/remind tomorrow at 9 drink tea, eat cake")
    assert await said(house, text) in {f"“{tea}” is only a part of this. All of it?" for tea in ("tea", "tea …")}
    assert await planned(house) == ["drink tea, eat cake"]
    await pressed(house, "drink tea, eat cake")
    assert await planned(house) == []


async def test_a_part_of_an_enumeration_is_for_the_model_which_can_change_the_text(model: House) -> None:
    await enumerated(model, "milk, eggs and bread")
    assert await said(model, "take eggs off the list") == "heard: take eggs off the list"
    assert await open_items(model) == ["milk, eggs and bread"]


# Each names a part of an item, and something else was done with it, or nothing at all.
PARTS = [
    ("call mom", "mom is done"),
    ("visit mom", "mom is done now"),
    ("plan the trip", "the plan is done"),
    ("walk the dog", "the dog is done"),
    ("park the car", "the park is done"),
    ("sign the homework book", "my homework is done"),
    ("bake a cake for Leo", "Leo is done"),
    ("water the flowers", "bought flowers"),
    ("sell the bike", "bought a bike"),
    ("return the book to Anna", "got the book"),
    ("email the teacher", "got your email"),
    ("pay the school trip", "finished school"),
    ("call Anna", "remove Anna"),
    ("给妈妈打电话", "妈妈做完了"),
    ("给妈妈打电话", "妈妈不买了"),
    ("给妈妈打电话", "妈妈不用买了"),
    ("接孩子", "孩子买了"),
    ("接孩子", "孩子不用买了"),
    ("带妈妈去医院", "妈妈已经买了"),
    ("给奶奶买药", "奶奶不买了"),
    ("买牛奶粉", "牛奶买了"),
    ("买牛奶糖", "牛奶不用买了"),
]


@pytest.mark.parametrize(("item", "text"), [*PARTS, ("paint the bookshelf", "the book is done")])
async def test_whoever_names_only_a_part_is_asked(house: House, item: str, text: str) -> None:
    await enumerated(house, item)
    assert "is only a part of this. All of it?" in await said(house, text)
    assert (labels(house), await open_items(house)) == ([item], [item])
    await pressed(house, item)
    assert await open_items(house) == []


@pytest.mark.parametrize(("item", "text"), PARTS)
async def test_a_model_decides_about_a_part(model: House, item: str, text: str) -> None:
    await said(model, f"/todo {item}")
    assert await said(model, text) == f"heard: {text}"
    assert await open_items(model) == [item]


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("book hotel for the trip", "cancel the trip"),
        ("buy a present for mom", "cancel mom"),
        ("write the order", "cancel my order"),
        ("drink tea", "cancel tea"),
        ("给妈妈买生日礼物", "取消生日"),
    ],
)
async def test_what_a_reminder_only_mentions_stops_it_only_when_asked(house: House, text: str, order: str) -> None:
    await said(house, f"/remind tomorrow at 9 {text}")
    assert "is only a part of this. All of it?" in await said(house, order)
    assert (labels(house), await planned(house)) == ([text], [text])
    await pressed(house, text)
    assert await planned(house) == []


async def test_among_several_parts_one_chooses(house: House) -> None:
    await said(house, "/todo call about the car")
    await said(house, "/todo wash the car")
    await said(house, "the car is done")
    assert sorted(labels(house)) == await open_items(house) == ["call about the car", "wash the car"]


@pytest.mark.parametrize(
    ("item", "text"),
    [
        ("买米", "米买了"),
        ("买盐", "买了盐"),
        ("买一袋米", "米买好了"),
        ("买盐", "盐不用买了"),
        ("盐", "盐不买了"),
        ("TV", "TV done"),
        ("buy a TV", "got the TV"),
        ("get eggs", "eggs bought"),
    ],
)
async def test_what_shall_be_bought_is_ticked_and_removed_by_its_name(house: House, item: str, text: str) -> None:
    await said(house, f"/todo {item}")
    await said(house, "/todo 买玉米")
    await said(house, text)
    assert await open_items(house) == ["买玉米"]


# What replies to something.


@pytest.mark.parametrize("where", [{}, GROUP], ids=["private", "group"])
@pytest.mark.parametrize(("text", "left"), [("milk done", ["eggs"]), ("remove eggs", ["milk"]), ("鸡蛋买了", None)])
async def test_a_reply_to_the_list_ticks_and_removes(
    make_database: DatabaseMaker, tmp_path: Path, where: dict[str, object], text: str, left: list[str] | None
) -> None:
    house = await group(await make_database("sqlite"), tmp_path)
    items = ["milk", "eggs"] if left is not None else ["鸡蛋", "盐"]
    for item in items:
        await said(house, f"/todo {item}", **where)
    await said(house, "/todo", **where)
    shown = house.shown(str(where.get("chat", "1")))[-1].platform_id
    await said(house, text, reply_to=shown, **where)
    assert await open_items(house) == (left or ["盐"])


@pytest.mark.databases("sqlite")
async def test_a_reply_to_what_the_bot_said_without_buttons_ticks_too(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/todo milk")
    await said(house, "never mind")
    await said(house, "milk done", reply_to=house.shown()[-1].platform_id)
    assert await open_items(house) == []


async def test_a_reply_to_a_reminder_or_to_somebody_else_is_about_that(
    make_database: DatabaseMaker, tmp_path: Path
) -> None:
    house = await group(await make_database("sqlite"), tmp_path)
    await said(house, "/todo milk", **GROUP)
    await said(house, "remind me in 1 minute to eat", **GROUP)
    await passes(house, 61)
    await said(house, "milk done", reply_to=house.shown("-5")[-1].platform_id, **GROUP)
    await said(house, "milk done", reply_to="77", quoted="Is the milk done?", **GROUP)
    assert await open_items(house) == ["milk"]

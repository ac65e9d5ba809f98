"""What commands do, said in free text; and what is left of a wish whose time was not understood."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.ports import Database
from core.kernel.types import ModelRequest
from tests.commanding import GROUP, group, home, labels, open_items, planned, said
from tests.conftest import DatabaseMaker
from tests.fakes import House
from tests.fakes import house as with_model

pytestmark = pytest.mark.databases("sqlite")


@pytest.fixture
async def house(make_database: DatabaseMaker, tmp_path: Path) -> House:
    return await home(await make_database("sqlite"), tmp_path)


# A time that is not understood is no part of the text.


@pytest.mark.parametrize(
    ("wish", "answer", "text"),
    [
        ("remind me tomorrow around 9 to call Oma", "in 10 minutes", "call Oma"),
        ("remind me on Monday or Thursday at 8 to run", "in 1 hour", "run"),
        ("remind me at 25:00 to run", "in 2 hours", "run"),
        ("remind me at 1775 to go", "tomorrow at 9", "go"),
        ("remind me of the invitation to dinner", "tomorrow at 9", "the invitation to dinner"),
        ("remind me to ask Bob to come", "tomorrow at 9", "ask Bob to come"),
        ("/remind call Oma to ask about 3 things", "tomorrow at 9", "call Oma to ask about 3 things"),
        ("提醒我明天大概9点散步", "10分钟后", "散步"),
    ],
)
async def test_a_time_that_is_asked_for_again_is_no_part_of_the_text(
    house: House, wish: str, answer: str, text: str
) -> None:
    asked = await said(house, wish)
    assert f"“{text}”" in asked
    await said(house, answer)
    assert await planned(house) == [text]


@pytest.mark.parametrize(
    "wish",
    [
        "remind me of this tomorrow at 9",
        "remind me about this tomorrow at 9",
        "remind me of that on Tuesday at 9",
        "remind me tomorrow at 9",
        "tomorrow at 9 remind me",
        "/remind this message tomorrow at 9",
        "明天9点提醒我这个",
        "明天9点提醒我",
    ],
)
async def test_this_is_what_it_replies_to(house: House, wish: str) -> None:
    assert "Tue 22 Sep 09:00" in await said(house, wish, reply_to="7", quoted="Come to dinner")
    assert await planned(house) == ["Come to dinner"]


async def test_this_without_a_time_is_asked_about_and_kept(house: House) -> None:
    assert "“Come to dinner”" in await said(house, "remind me about this", reply_to="7", quoted="Come to dinner")
    await said(house, "tomorrow at 9")
    assert await planned(house) == ["Come to dinner"]


@pytest.mark.parametrize("wish", ["add this to my list", "Put it on my list!", "把这个加到清单"])
async def test_what_it_replies_to_goes_on_the_list(house: House, wish: str) -> None:
    await said(house, wish, reply_to="7", quoted="Come to dinner")
    assert await open_items(house) == ["Come to dinner"]


# Until it is done, wherever that stands.


@pytest.mark.parametrize(
    ("wish", "text"),
    [
        ("remind me every day at 9 until done to take the pills", "take the pills"),
        ("/remind me at 19:00 until it's done to take out the bins", "take out the bins"),
        ("remind me to take out the bins until done at 19:00", "take out the bins"),
        ("remind me every day at 9 to take pills and repeat until done", "take pills"),
        ("每天9点直到完成提醒我吃药", "吃药"),
        ("提醒我每天9点直到做完为止吃药", "吃药"),
    ],
)
async def test_until_done_stands_behind_the_time_too(house: House, wish: str, text: str) -> None:
    await said(house, wish)
    rows = await house.rows("SELECT text, until_done FROM trigger")
    assert [tuple(row.values()) for row in rows] == [(text, 1)]


async def test_until_done_in_the_text_itself_stays_there(house: House) -> None:
    await said(house, "remind me tomorrow at 9 to bake until done and eat")
    assert await house.column("SELECT until_done FROM trigger") in ([], [0])


# Commands in other words.


@pytest.mark.parametrize(
    "text",
    [
        "cancel the lunch reminder",
        "stop reminding me to eat lunch",
        "delete the reminder lunch",
        "cancel my reminder to eat lunch",
        "no more reminders about lunch",
        "取消lunch的提醒",
        "删除提醒lunch",
        "不要再提醒我eat lunch了",
    ],
)
async def test_a_reminder_is_cancelled_by_its_name(house: House, text: str) -> None:
    await said(house, "remind me tomorrow at 12 to eat lunch")
    await said(house, "remind me tomorrow at 13 to nap")
    assert "eat lunch" in await said(house, text)
    assert await planned(house) == ["nap"]


@pytest.mark.parametrize("text", ["undo", "Undo that", "take it back", "撤销", "撤销一下"])
async def test_the_last_thing_is_taken_back(house: House, text: str) -> None:
    await said(house, "remind me tomorrow at 12 to eat lunch")
    assert "eat lunch" in await said(house, text)
    assert await planned(house) == []


@pytest.mark.parametrize(("mute", "unmute"), [("mute Bob", "unmute Bob"), ("屏蔽Bob", "取消屏蔽Bob")])
async def test_somebody_is_muted_and_heard_again(database: Database, tmp_path: Path, mute: str, unmute: str) -> None:
    house = await home(database, tmp_path)
    await said(house, "hello", chat="2", sender="tg:2")
    await said(house, "/contacts add Bob tg:2")
    await said(house, mute)
    assert await house.column("SELECT count(*) FROM mute") == [1]
    await said(house, unmute)
    assert await house.column("SELECT count(*) FROM mute") == [0]


@pytest.mark.parametrize(
    ("text", "zone"),
    [
        ("set my time zone to Tokyo", "Asia/Tokyo"),
        ("my timezone is New York", "America/New_York"),
        ("time zone Tokyo", "Asia/Tokyo"),
        ("I live in Tokyo", "Asia/Tokyo"),
        ("把时区改成上海", "Asia/Shanghai"),
        ("我住在北京", "Asia/Shanghai"),
    ],
)
async def test_a_time_zone_is_said_by_its_town(house: House, text: str, zone: str) -> None:
    assert zone in await said(house, text)
    assert await house.column("SELECT timezone FROM person") == [zone]


async def test_a_place_that_nobody_knows_is_told_only_where_zones_are_spoken_of(house: House) -> None:
    assert "I don't know the place Atlantis" in await said(house, "set my time zone to Atlantis")
    assert (await said(house, "I live in a house")).startswith("I can't answer that")


async def test_where_somebody_lives_is_nothing_to_a_group(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "I live in Tokyo", **GROUP)
    assert await house.column("SELECT timezone FROM chat WHERE kind = 'group'") == [""]
    assert "Asia/Tokyo" in await said(house, "set our time zone to Tokyo", **GROUP)


@pytest.mark.parametrize("text", ["done", "in 10 minutes", "做完了"])
async def test_in_a_group_such_words_are_to_be_a_reply(database: Database, tmp_path: Path, text: str) -> None:
    house = await group(database, tmp_path)
    assert (await said(house, text, **GROUP)).startswith("I don't see which reminder you mean")


@pytest.mark.parametrize(
    ("item", "text"),
    [
        ("eggs", "eggs are done"),
        ("eggs", "eggs done"),
        ("eggs", "done eggs"),
        ("buy eggs", "bought eggs"),
        ("eggs", "the eggs are done"),
        ("milk", "the milk is done"),
        ("milk", "remove milk"),
        ("milk", "done with the milk"),
        ("牛奶", "完成牛奶"),
        ("牛奶", "牛奶完成了"),
        ("买牛奶", "牛奶买了"),
        ("牛奶", "删掉牛奶"),
    ],
)
async def test_what_became_of_an_item_is_said_in_few_words(house: House, item: str, text: str) -> None:
    await said(house, f"/todo {item}")
    await said(house, "/todo 其他")
    await said(house, text)
    assert await open_items(house) == ["其他"]


@pytest.mark.parametrize("text", ["well done", "remove eggs", "got eggs", "完成作业"])
async def test_such_words_about_no_item_are_none(house: House, text: str) -> None:
    await said(house, "/todo milk")
    assert (await said(house, text)).startswith(("I can't answer that", "这个我答不了"))
    assert await open_items(house) == ["milk"]


@pytest.mark.parametrize(("text", "answer"), [("tasks", "Nothing is scheduled"), ("what's overdue?", "21 September")])
async def test_lists_are_shown(house: House, text: str, answer: str) -> None:
    assert answer in await said(house, text)


@pytest.mark.parametrize(
    "text", ["cancel the gym reminder", "mute the tv", "I live in a house", "set my time zone to Atlantis", "milk done"]
)
async def test_what_is_about_nothing_here_is_for_the_model(
    make_database: DatabaseMaker, tmp_path: Path, text: str
) -> None:
    def heard(request: ModelRequest) -> str:
        return f"heard: {' / '.join(request.heard)}"

    house = await with_model(await make_database("sqlite"), tmp_path / "house", heard)
    assert house.model is not None
    house.model.always(heard)
    assert await said(house, text) == f"heard: {text}"


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ("remind me tomorrow at 9 to drink tea", "cancel drink tea"),
        ("remind me tomorrow at 9 to drink tea", "Cancel the drink tea!"),
        ("明天9点提醒我喝水", "取消喝水"),
    ],
)
async def test_what_is_scheduled_is_cancelled_by_its_words(house: House, wish: str, words: str) -> None:
    await said(house, wish)
    assert len(await planned(house)) == 1
    await said(house, words)
    assert await planned(house) == []


async def test_several_of_one_text_are_told_apart_by_their_times(house: House) -> None:
    for day in ("tomorrow", "on Friday"):
        await said(house, f"remind me {day} at 9 to drink tea")
    await said(house, "remind me on Friday at 10 to sing")
    for look in ("cancel tea", "/tasks"):
        await said(house, look)
        assert len({label for label in labels(house) if "drink tea" in label}) == 2
    assert "sing" in labels(house)


async def test_a_wish_that_says_when_answers_the_question_when(house: House) -> None:
    await said(house, "remind me on my birthday")
    await said(house, "remind me tomorrow at 9")
    assert await planned(house) == ["on my birthday"]


@pytest.mark.parametrize("text", ["never mind", "no", "nothing", "算了", "不用了"])
async def test_who_wants_nothing_is_told_no_more_than_that(house: House, text: str) -> None:
    assert await said(house, text) == "👌"


@pytest.mark.parametrize(
    ("item", "text"),
    [
        ("do not forget passport", "not done"),
        ("clean all windows", "all done"),
        ("return book, it is overdue", "got it"),
        ("wash the car", "got a car?"),
        ("print it", "remove it"),
        ("给我妈打电话", "我完成了"),
        ("不要忘记护照", "不完成了"),
    ],
)
async def test_words_that_say_nothing_of_an_item_tick_nothing(house: House, item: str, text: str) -> None:
    await said(house, f"/todo {item}")
    await said(house, text)
    assert await open_items(house) == [item]


@pytest.mark.parametrize(
    ("item", "text"),
    [
        ("visit the dentist", "cancel it"),
        ("call Anna", "cancel all"),
        ("start the machine", "cancel the m"),
        ("water the plants", "cancel the plan"),
        ("take cold medicine", "delete old reminders"),
        ("prepare the team meeting", "stop tea reminders"),
        ("给我妈打电话", "取消我"),
    ],
)
async def test_parts_of_words_cancel_nothing(house: House, item: str, text: str) -> None:
    await said(house, f"/remind tomorrow at 9 {item}")
    await said(house, text)
    assert await planned(house) == [item]


@pytest.mark.parametrize(
    ("item", "text", "does"),
    [
        ("/todo fix my account", "delete my account", False),
        ("/todo wash the car", "bought a car", False),
        ("/todo milk", "the milk is done", True),
        ("/remind tomorrow at 9 pack for the flight", "cancel the flight", False),
        ("/remind tomorrow at 9 pack for the flight", "cancel pack for the flight", True),
        ("/remind tomorrow at 9 pack for the flight", "cancel the flight reminder", True),
    ],
)
async def test_with_a_model_few_words_must_be_all_of_it(
    make_database: DatabaseMaker, tmp_path: Path, item: str, text: str, does: bool
) -> None:
    house = await with_model(await make_database("sqlite"), tmp_path / "model", lambda request: "Hm.")
    await said(house, item)
    assert (await said(house, text) != "Hm.") is does

"""Second thoughts in words: "never mind" and "no" take back what was just set, and are no nod while it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.types import ModelRequest
from tests.commanding import GROUP, friend, group, home, labels, open_items, planned, pressed, said
from tests.conftest import DatabaseMaker
from tests.fakes import House
from tests.fakes import house as with_model
from tests.triggering import passes

HOUR = 3_600
WORDS = ["never mind", "Forget it!", "no", "nope", "算了", "不用了", "不要了"]


@pytest.fixture
async def house(make_database: DatabaseMaker, tmp_path: Path) -> House:
    return await home(await make_database("sqlite"), tmp_path)


# What was read back.


@pytest.mark.parametrize("text", WORDS)
@pytest.mark.parametrize("replies", [False, True])
async def test_what_was_read_back_is_taken_back(house: House, text: str, *, replies: bool) -> None:
    await said(house, "remind me tomorrow at 9 to call Bo")
    reply_to = house.shown()[-1].platform_id if replies else ""
    assert "call Bo" in await said(house, text, reply_to=reply_to)
    assert await planned(house) == []
    assert await said(house, text) == "👌"


@pytest.mark.parametrize("text", ["no", "算了"])
async def test_a_new_time_is_taken_back_and_the_old_one_is_there_again(house: House, text: str) -> None:
    await said(house, "remind me tomorrow at 9 to call Bo")
    await said(house, "at 11", reply_to=house.shown()[-1].platform_id)
    await said(house, text, reply_to=house.shown()[-1].platform_id)
    assert "09:00" in await said(house, "/tasks")


@pytest.mark.parametrize("text", ["no", "不要了"])
async def test_a_reply_to_what_was_read_back_days_ago_stops_it(house: House, text: str) -> None:
    await said(house, "/remind every day at 16:00 to sing")
    read_back = house.shown()[-1].platform_id
    house.clock.advance(30 * HOUR)
    assert "sing" in await said(house, text, reply_to=read_back)
    assert await planned(house) == []


@pytest.mark.parametrize("text", ["never mind", "算了"])
async def test_a_new_item_is_taken_back_too(house: House, text: str) -> None:
    await said(house, "/todo milk")
    await said(house, text)
    assert await open_items(house) == []


@pytest.mark.parametrize(("code", "text", "asks"), [("en", "never mind", "taken back"), ("zh", "算了", "撤销")])
async def test_what_is_no_longer_the_last_word_is_asked_about(house: House, code: str, text: str, asks: str) -> None:
    await said(house, f"/language {code}")
    await said(house, "remind me tomorrow at 9 to call Bo")
    house.clock.advance(60)
    await said(house, "thanks")
    house.clock.advance(60)
    assert asks in await said(house, text)
    assert await planned(house) == ["call Bo"]
    (undo,) = labels(house)
    await pressed(house, undo)
    assert await planned(house) == []


async def test_what_came_meanwhile_is_not_asked_about(house: House) -> None:
    await said(house, "remind me in 1 minute to stretch")
    await passes(house, 61)
    await said(house, "done")
    house.clock.advance(60)
    await said(house, "thanks")
    assert "The last thing here was: the ✅ of “stretch”" in await said(house, "never mind")
    await pressed(house, "Undo")
    assert await said(house, "never mind") == "👌"


async def test_what_was_answered_late_beside_something_else_is_not_the_last_word(house: House) -> None:
    sent = house.clock.now()
    house.clock.advance(3600)
    for text in ("/todo cheese", "what time is it?", "never mind"):
        sent += 20_000
        await house.hear(text, sent_at=sent)
        await house.work()
    assert "The last thing here was: the new to-do “cheese”" in house.shown()[-1].text
    assert await open_items(house) == ["cheese"]


@pytest.mark.parametrize("text", ["never mind", "算了"])
@pytest.mark.parametrize("lines", [["apples done"], ["/tasks"], ["/forget"]])
async def test_who_declines_a_choice_is_offered_nothing_else(house: House, text: str, lines: list[str]) -> None:
    for line in ("/todo red apples", "/remind tomorrow at 9 sing", "/todo green apples", *lines):
        await said(house, line)
    assert "apples" not in await said(house, text)
    assert await open_items(house) == ["red apples", "green apples"]


@pytest.mark.parametrize("text", ["never mind", "算了"])
async def test_a_reply_to_an_item_takes_it_off_the_list_also_days_later(house: House, text: str) -> None:
    await said(house, "/todo cream")
    read_back = house.shown()[-1].platform_id
    house.clock.advance(26 * HOUR)
    assert "cream" in await said(house, text, reply_to=read_back)
    assert await open_items(house) == []


async def test_in_a_group_others_take_an_item_off_the_list_by_a_reply(
    make_database: DatabaseMaker, tmp_path: Path
) -> None:
    house = await group(await make_database("sqlite"), tmp_path)
    await said(house, "/todo milk", **GROUP)
    read_back = house.shown("-5")[-1].platform_id
    assert "milk" in await said(house, "no", **friend(**GROUP), reply_to=read_back)
    assert await open_items(house) == []
    assert await said(house, "never mind", **friend(**GROUP), reply_to=read_back) == "👌"


async def test_a_reply_that_takes_nothing_back_is_told_why(house: House) -> None:
    await said(house, "/language en")
    set_back = house.shown()[-1].platform_id
    house.clock.advance(26 * HOUR)
    assert "can't be taken back any more" in await said(house, "never mind", reply_to=set_back)


@pytest.mark.parametrize("text", ["no", "never mind", "算了"])
async def test_what_was_done_with_a_reminder_stays_and_is_said(house: House, text: str) -> None:
    await said(house, "remind me in 1 minute to stretch")
    await passes(house, 61)
    await said(house, "in 20 minutes")
    answer = await said(house, text)
    assert "“stretch” comes again: " in answer or "“stretch”会再提醒：" in answer
    await pressed(house, "Done" if "Done" in labels(house) else "完成")
    assert await house.column("SELECT state FROM reminder") == ["done"]
    answer = await said(house, text)
    assert "“stretch” stays done" in answer or "“stretch”仍算完成" in answer
    await pressed(house, labels(house)[0])
    assert await house.column("SELECT state FROM reminder") == ["open"]


async def test_what_somebody_else_of_a_group_set_is_not_taken_back_without_a_reply(
    make_database: DatabaseMaker, tmp_path: Path
) -> None:
    house = await group(await make_database("sqlite"), tmp_path)
    await said(house, "/todo milk", **GROUP)
    await said(house, "never mind", **friend(**GROUP))
    assert await open_items(house) == ["milk"]


async def test_with_a_model_only_a_reply_takes_back(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await with_model(await make_database("sqlite"), tmp_path / "house", _heard)
    await said(house, "hello")
    await said(house, "remind me tomorrow at 9 to call Bo")
    read_back = house.shown()[-1].platform_id
    assert "heard never mind" in await said(house, "never mind")
    await said(house, "no", reply_to=read_back)
    assert await planned(house) == []


def _heard(request: ModelRequest) -> str:
    return f"heard {request.heard[-1]}"


# A reminder that was posted.


@pytest.mark.parametrize("text", ["never mind", "no", "stop", "cancel", "算了", "取消"])
@pytest.mark.parametrize("replies", [False, True])
async def test_to_a_reminder_it_is_no_nod(house: House, text: str, *, replies: bool) -> None:
    await said(house, "remind me in 1 minute until done to stretch")
    await passes(house, 61)
    reply_to = house.shown()[-1].platform_id if replies else ""
    answer = await said(house, text, reply_to=reply_to)
    assert "“stretch” waits for an answer" in answer or "“stretch”还在等回答" in answer
    assert await house.column("SELECT state FROM reminder") == ["open"]
    await pressed(house, "Done" if "Done" in labels(house) else "完成")
    assert await house.column("SELECT state FROM reminder") == ["done"]


async def test_what_recurs_can_be_stopped_there(house: House) -> None:
    await said(house, "/remind every day at 16:00 to sing")
    await passes(house, 48 * HOUR)
    await said(house, "stop", reply_to=house.shown()[-1].platform_id)
    await pressed(house, "Stop")
    assert await planned(house) == []


async def test_of_several_it_is_asked_which(house: House) -> None:
    await said(house, "remind me in 1 minute to stretch")
    await said(house, "remind me in 1 minute to sing")
    await passes(house, 61)
    await said(house, "never mind")
    assert sorted(labels(house)) == ["sing", "stretch"]
    await pressed(house, "sing")
    assert "“sing” waits" in house.shown()[-1].text


# What recurs is not made to come once.


@pytest.mark.parametrize("text", ["tomorrow at 9", "in 20 minutes", "明天9点"])
async def test_a_time_of_one_day_leaves_what_recurs_and_asks(house: House, text: str) -> None:
    await said(house, "/remind every Monday at 9 to sing")
    answer = await said(house, text, reply_to=house.shown()[-1].platform_id)
    assert "“sing” comes again and again" in answer
    assert labels(house)[-2:] == ["Just once, then no more", "Skip next"]
    assert await house.column("SELECT kind FROM trigger") == ["rule"]


# The question when.


@pytest.mark.parametrize(
    ("wish", "answer"),
    [
        ("remind me of cake", "remind me again tomorrow at 9"),
        ("remind me of cake", "tomorrow at 9 remind me"),
        ("remind me of cake", "then remind me tomorrow at 9"),
        ("remind me of cake", "tomorrow at 9, please remind me again!"),
        ("提醒我吃cake", "明天9点提醒我"),
        ("提醒我吃cake", "明天9点提醒我吧"),
        ("提醒我吃cake", "那就明天9点再提醒我"),
        ("remind me of cake", "tomorrow at 9 then"),
        ("remind me of cake", "let me know tomorrow at 9"),
        ("提醒我吃cake", "明天9点吧"),
        ("提醒我吃cake", "那就明天9点吧"),
        ("提醒我吃cake", "明天9点就行"),
        ("提醒我吃cake", "明天9点好了"),
    ],
)
async def test_a_time_with_small_words_or_a_wish_beside_it_answers_when(house: House, wish: str, answer: str) -> None:
    await said(house, wish)
    assert "Tue 22 Sep 09:00" in await said(house, answer)
    assert await planned(house) in (["cake"], ["吃cake"])


@pytest.mark.parametrize("answer", ["明天9点提醒大家", "明天9点提醒我们", "tomorrow at 9 remind us"])
async def test_a_wish_for_others_is_no_time_for_oneself(
    make_database: DatabaseMaker, tmp_path: Path, answer: str
) -> None:
    house = await group(await make_database("sqlite"), tmp_path)
    await said(house, "remind me to cook", **GROUP)
    await said(house, answer, **GROUP, reply_to=house.shown("-5")[-1].platform_id)
    assert await planned(house) == []


@pytest.mark.parametrize(
    ("code", "leave"),
    [
        *(("en", leave) for leave in ("Never mind", "nvm", "NVM!", "forget it", "no", "cancel")),
        *(("zh", leave) for leave in ("算了", "算了吧", "不用了", "没事了", "当我没说")),
    ],
)
async def test_the_question_when_is_left_by_saying_so(house: House, code: str, leave: str) -> None:
    await said(house, f"/language {code}")
    await said(house, "/remind sing")
    await said(house, "add 2 kg flour")
    await said(house, leave)
    assert await house.column("SELECT state FROM question") == ["withdrawn"]
    assert "sing" not in await said(house, "tomorrow at 9")


# Tomorrow.


@pytest.mark.parametrize("text", ["what do I have tomorrow?", "明天有什么安排", "/today tomorrow"])
async def test_tomorrow_tells_what_is_due_and_what_reminds_then(house: House, text: str) -> None:
    for wish in ("tomorrow at 8 to run", "today at 20:00 to rest", "every day at 18:00 to eat", "in 3 days to fly"):
        await said(house, f"/remind {wish}")
    await said(house, "/todo pay the rent tomorrow")
    await said(house, "/todo water the plants today")
    answer = await said(house, text)
    assert "08:00 run" in answer
    assert "18:00 eat" in answer
    assert "pay the rent" in answer
    assert not any(one in answer for one in ("rest ", "fly", "plants"))


@pytest.mark.parametrize("text", ["/today yesterday", "/today at 5"])
async def test_of_what_is_no_day_to_come_it_says_what_it_can_tell(house: House, text: str) -> None:
    assert "on at a day" in await said(house, text)
    assert "Nothing is due today" in await said(house, "/today today")


async def test_a_day_with_nothing_says_so(house: House) -> None:
    await said(house, "/remind today at 20:00 to sleep")
    assert "Nothing is due tomorrow." in await said(house, "what's on tomorrow?")


async def test_what_was_bought_in_chinese_is_ticked(house: House) -> None:
    for item, text in (("牛奶", "牛奶买到了"), ("洗衣液", "洗衣液已经买了"), ("盐", "盐已买")):
        await said(house, f"/todo {item}")
        assert f"☑ {item}" in await said(house, text)
    await said(house, "/todo 鸡蛋")
    assert "鸡蛋" in await said(house, "鸡蛋不用买了")
    assert await open_items(house) == []


async def test_never_mind_after_a_tick_takes_that_back_though_it_settled_a_reminder_too(house: House) -> None:
    await said(house, "/todo milk in 1 hour")
    await passes(house, HOUR)
    assert await said(house, "milk done")
    assert await open_items(house) == []
    await said(house, "never mind")
    assert await open_items(house) == ["milk"]

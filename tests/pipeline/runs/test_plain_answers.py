"""Answers in plain words: to a reminder, to a question when, and to what was read back. No model is needed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from core.kernel.ports import Database
from tests.commanding import GROUP, home, labels, planned, pressed, said
from tests.conftest import DatabaseMaker
from tests.fakes import START, House
from tests.fakes import house as build
from tests.triggering import passes

pytestmark = pytest.mark.databases("sqlite")

# START is Monday 21 September 2026, 14:13:20 UTC.


@pytest.fixture
async def house(make_database: DatabaseMaker, tmp_path: Path) -> House:
    return await home(await make_database("sqlite"), tmp_path)


async def reminded(house: House, *texts: str) -> None:
    for text in texts:
        await said(house, f"/remind in 1 minute to {text}")
    await passes(house, 61)


async def states(house: House) -> list[object]:
    return await house.column("SELECT state FROM reminded ORDER BY id")


# To a reminder.


@pytest.mark.parametrize(("text", "state"), [("done", "done"), ("好了", "done"), ("in 10 minutes", "snoozed")])
async def test_the_only_reminder_that_waits_is_meant_also_after_other_words(
    database: Database, tmp_path: Path, text: str, state: str
) -> None:
    house = await home(database, tmp_path)
    await reminded(house, "stretch")
    house.clock.advance(1)
    await said(house, "what time is it?")
    house.clock.advance(1)
    await said(house, text)
    assert await states(house) == [state]


@pytest.mark.parametrize(("text", "state"), [("done", "done"), ("做完了", "done"), ("5 min", "snoozed")])
async def test_of_several_that_wait_it_asks_which(database: Database, tmp_path: Path, text: str, state: str) -> None:
    house = await home(database, tmp_path)
    await reminded(house, "stretch", "drink")
    assert await said(house, text) in {"Which one do you mean?", "你指的是哪一个？"}
    assert labels(house) == ["drink", "stretch"]
    await pressed(house, "drink")
    assert await states(house) == ["open", state]
    house.clock.advance(1)
    await said(house, "what time is it?")
    house.clock.advance(1)
    await said(house, "done")
    assert await states(house) == ["done", state]


@pytest.mark.parametrize("text", ["remind me tomorrow", "remind me at 9", "提醒我明天"])
async def test_another_wish_is_no_answer_to_what_waits(house: House, text: str) -> None:
    await reminded(house, "stretch")
    house.clock.advance(1)
    await said(house, "what time is it?")
    house.clock.advance(1)
    assert await said(house, text) in {"What shall I remind you of?", "要我提醒你什么？"}
    assert await states(house) == ["open"]


async def test_what_nobody_answered_for_a_day_is_not_meant(house: House) -> None:
    await reminded(house, "stretch")
    house.clock.advance(1)
    await said(house, "hello")
    house.clock.advance(86_400)
    assert "No reminder is waiting" in await said(house, "done")
    assert await states(house) == ["open"]


async def test_what_was_put_off_and_came_again_is_meant(house: House) -> None:
    await reminded(house, "stretch")
    await said(house, "in 5 minutes")
    assert "No reminder is waiting" in await said(house, "done")
    await passes(house, 301)
    await said(house, "done")
    assert await states(house) == ["done"]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("done", "👌 No reminder is waiting for an answer."),
        ("in 10 minutes", "What shall I remind you of?"),
        ("later", "No reminder is waiting for an answer. For a new one"),
        ("明天上午九点提醒我一下", "What shall I remind you of?"),
        ("ok", "👌"),
        ("Yes.", "👌"),
        ("👍", "👌"),
        ("好的", "👌"),
    ],
)
async def test_without_a_reminder_there_is_a_short_word(house: House, text: str, answer: str) -> None:
    assert (await said(house, text)).startswith(answer)


async def test_without_a_reminder_the_short_word_is_in_the_language(
    make_database: DatabaseMaker, tmp_path: Path
) -> None:
    house = await home(await make_database("sqlite"), tmp_path, language="zh")
    assert await said(house, "做完了") == "👌 没有等你回复的提醒。"


@pytest.mark.parametrize("text", ["ok", "Yes!", "got it", "好", "好的", "👌"])
async def test_a_nod_is_to_the_last_word_and_to_nothing_before_it(house: House, text: str) -> None:
    await reminded(house, "stretch")
    await said(house, text)
    assert await states(house) == ["done"]
    await reminded(house, "drink")
    house.clock.advance(1)
    await said(house, "what time is it?")
    house.clock.advance(1)
    assert await said(house, text) == "👌"
    assert await states(house) == ["done", "open"]


async def test_a_number_alone_that_replies_to_a_reminder_is_minutes(house: House) -> None:
    await reminded(house, "stretch")
    until = house.clock.now() + 10 * 60_000
    await said(house, "10", reply_to=house.shown()[-1].platform_id)
    assert await house.column("SELECT until FROM reminded") == [until]


# To a question when.


@pytest.mark.parametrize(
    ("wish", "wrong", "again", "right"),
    [
        (
            ("remind me to walk", "walk"),
            "31 April at 9",
            "There is no such time. When exactly? “walk”",
            "tomorrow at 9",
        ),
        (("remind me to walk", "walk"), "26 March 2020", "That is in the past:", "in 10"),
        (("提醒我散步", "散步"), "4月31日9点", "没有这样的时间。具体什么时候？“散步”", "明天9点"),
        (("提醒我散步", "散步"), "2020年3月26日", "那已经过去了", "10分钟后"),
    ],
)
async def test_a_time_that_cannot_be_is_asked_for_again(
    make_database: DatabaseMaker, tmp_path: Path, wish: tuple[str, str], wrong: str, again: str, right: str
) -> None:
    language = "en" if wish[0].isascii() else "zh"
    house = await home(await make_database("sqlite"), tmp_path, language=language)
    await said(house, wish[0])
    assert again in await said(house, wrong)
    assert await planned(house) == []
    await said(house, right)
    assert await planned(house) == [wish[1]]


@pytest.mark.parametrize(
    "wish", ["/remind everybody 31 April at 9 to vote until done", "remind me on 31 April at 9 to vote"]
)
async def test_a_first_wish_for_a_time_that_cannot_be_is_not_lost(house: House, wish: str) -> None:
    assert (await said(house, wish)).startswith("There is no such time. When exactly? “vote”")
    await said(house, "tomorrow at 9")
    row = await house.rows("SELECT text, until_done FROM trigger")
    assert [tuple(one.values()) for one in row] == [("vote", int("until" in wish))]


async def test_whom_it_is_for_is_kept_when_the_time_is_asked_for_again(house: House) -> None:
    await said(house, "hello", chat="2", sender="tg:2")
    await said(house, "/contacts add Bob tg:2")
    assert "There is no such time" in await said(house, "/remind Bob 31 April at 9 to call")
    assert "⏰ Bob: Tue 22 Sep 09:00" in await said(house, "tomorrow at 9")


@pytest.mark.parametrize(("text", "shift"), [("in 10", 600_000), ("10", 27_999_999), ("+10", 600_000)])
async def test_a_short_time_answers_when(house: House, text: str, shift: int) -> None:
    await said(house, "remind me to walk")
    await said(house, text)
    (at,) = await house.column("SELECT next_at FROM trigger")
    assert at == START + shift or (text == "10" and at == START + 28_000_000)


async def test_the_question_when_it_comes_again_takes_a_number_as_minutes(house: House) -> None:
    await reminded(house, "stretch")
    await said(house, "later")
    until = house.clock.now() + 20 * 60_000
    await said(house, "20")
    assert await house.column("SELECT until FROM reminded") == [until]


async def test_questions_about_a_time_say_what_they_are_about(house: House) -> None:
    await said(house, "remind me to walk")
    await said(house, "提醒我散步")
    day = await said(house, "/today")
    assert "walk" in day
    assert "散步" in day
    await said(house, "/remind tomorrow at 9 to sing")
    assert (await pressed(house, "Change")).startswith("When shall it be? “sing”")


async def test_what_was_due_while_away_is_named_and_its_lateness_said_once(house: House) -> None:
    house.clock.advance(3 * 3_600)
    answer = await said(house, "/remind in 20 minutes to turn off the oven", sent_at=START)
    assert answer == "“turn off the oven” was due 2 h 40 min ago, while I was offline."


# To what was read back.


@pytest.mark.parametrize(
    ("text", "at"), [("at 10", "Tue 22 Sep 10:00"), ("10", "Tue 22 Sep 10:00"), ("明天11点", "Tue 22 Sep 11:00")]
)
async def test_a_time_that_replies_to_what_was_read_back_changes_it(house: House, text: str, at: str) -> None:
    await said(house, "remind me tomorrow at 9 to sing")
    await said(house, "remind me tomorrow at 8 to dance")
    sing = house.shown()[-2].platform_id
    assert at in await said(house, text, reply_to=sing)
    assert at in await said(house, "/tasks sing")


@pytest.mark.databases("sqlite", "postgres")
@pytest.mark.parametrize("text", ["stop", "Cancel it!", "取消"])
async def test_stop_that_replies_to_what_was_read_back_ends_it(database: Database, tmp_path: Path, text: str) -> None:
    house = await home(database, tmp_path)
    await said(house, "remind me tomorrow at 9 to sing")
    await said(house, text, reply_to=house.shown()[-1].platform_id)
    assert await planned(house) == []


async def test_a_place_answers_where_somebody_is_and_what_was_read_back_keeps_its_buttons(house: House) -> None:
    await said(house, "remind me tomorrow at 9 to sing")
    read_back = house.shown()[-1].platform_id
    assert "Where are you?" in await pressed(house, "🌍 Not my time zone")
    (message,) = (one for one in house.shown() if one.platform_id == read_back)
    assert message.keyboard is not None
    assert [one.label for one in message.keyboard.buttons][:2] == ["Change", "Undo"]
    assert "I don't know the place Atlantis" in await said(house, "Atlantis")
    assert "Time zone: Asia/Tokyo." in await said(house, "Tokyo")


async def test_a_place_in_chinese_answers_too(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await home(await make_database("sqlite"), tmp_path, language="zh")
    await said(house, "/timezone")
    assert "Asia/Tokyo" in await said(house, "东京")


@pytest.mark.parametrize("text", ["in 10 minutes", "tomorrow at 9", "+1 h"])
async def test_what_recurs_does_not_come_but_once_for_a_word(house: House, text: str) -> None:
    await said(house, "/remind every day at 16:00 to sing")
    await said(house, text, reply_to=house.shown()[-1].platform_id)
    assert await house.rows("SELECT kind, state FROM trigger") == [{"kind": "rule", "state": "active"}]


@pytest.mark.parametrize(("text", "time"), [("at 17:30", "17:30"), ("18", "18:00"), ("every day at 19:00", "19:00")])
async def test_what_recurs_comes_at_another_time_of_day_by_a_reply(house: House, text: str, time: str) -> None:
    await said(house, "/remind every day at 16:00 to sing")
    assert f"every day at {time}" in await said(house, text, reply_to=house.shown()[-1].platform_id)


async def test_without_a_model_thanks_is_no_place(house: House) -> None:
    await said(house, "/timezone")
    assert "I don't know the place" not in await said(house, "thanks")


@pytest.mark.parametrize("where", [{}, GROUP])
async def test_with_a_model_only_a_known_place_or_a_reply_answers_where_somebody_is(
    database: Database, tmp_path: Path, where: Mapping[str, Any]
) -> None:
    house = await build(database, tmp_path / "house", model=True)
    assert house.model is not None
    house.model.always(lambda request: f"heard {request.heard[-1]}")
    await said(house, "/help", **where)
    await said(house, "/timezone", **where)
    asked = house.shown(where.get("chat", "1"))[-1].platform_id
    for text in ("I am feeling sad today", "nice", "write a poem about the sea"):
        assert "heard" in await said(house, text, **where)
    assert "I don't know the place Atlantis" in await said(house, "Atlantis", reply_to=asked, **where)
    assert "Time zone: Asia/Tokyo." in await said(house, "Tokyo", **where)


async def test_without_a_model_nobody_says_that_one_is_reachable(house: House) -> None:
    answer = await said(house, "are you ok?")
    assert answer.startswith("All is well.")
    assert "model" not in answer

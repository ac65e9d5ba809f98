"""An open question of a command: only what cannot stand by itself, and is what was asked for, answers it."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.ports import Database
from tests.commanding import GROUP, home, labels, planned, pressed, said
from tests.conftest import DatabaseMaker
from tests.fakes import FRIEND, START, House

pytestmark = pytest.mark.databases("sqlite")

# START is Monday 21 September 2026, 14:13:20 UTC.
OFFERED = ["In 1 hour", "Tonight", "Tomorrow 9:00", "Skip"]
# What was said to a bot without a model while it waited for a time.
LATER = [
    "add cheese",
    "add cheese to my list",
    "call mum tomorrow",
    "set a timer for 10 minutes",
    "set an alarm for 7",
    "remind me 5pm steak",
    "every day at 9 take pills",
    "buy milk",
    "thanks",
    "ok",
    "what time is it?",
    "what's on my list",
    "/todo buy bread",
    "soon",
    "I don't know",
    "yesterday evening was nice",
    "at 5 the dentist",
    "不知道",
    "明天打电话",
    "10分钟后提醒我吃药",
    "定个10分钟的闹钟",
    "把牛奶加到清单",
]


@pytest.fixture
async def house(make_database: DatabaseMaker, tmp_path: Path) -> House:
    return await home(await make_database("sqlite"), tmp_path)


async def states(house: House) -> list[str]:
    return await house.column("SELECT state FROM question ORDER BY id")


async def done(house: House) -> list[object]:
    """What is planned, and what is on the list."""
    return [*await planned(house), *await house.column("SELECT content FROM todo")]


@pytest.mark.parametrize("text", LATER)
async def test_what_is_not_wholly_a_time_is_taken_as_if_no_question_were_open(
    make_database: DatabaseMaker, tmp_path: Path, text: str
) -> None:
    free = await home(await make_database("sqlite"), tmp_path / "free")
    await said(free, text)
    alone = free.adapter.texts()[1]
    house = await home(await make_database("sqlite"), tmp_path / "asked")
    await said(house, "remind me to call the dentist")
    before = len(house.adapter.texts())
    await said(house, text)
    assert house.adapter.texts()[before] == alone
    assert await done(house) == await done(free)
    assert (await states(house))[0] == "open"


@pytest.mark.parametrize("text", ["tomorrow at 9", "remind me again tomorrow at 9", "tomorrow 9am please", "明天9点"])
async def test_a_text_that_is_wholly_a_time_answers(house: House, text: str) -> None:
    await said(house, "remind me to call the dentist")
    await said(house, text)
    assert await planned(house) == ["call the dentist"]
    assert await states(house) == ["answered"]


async def test_no_reminder_is_made_out_of_two_texts(house: House) -> None:
    await said(house, "remind me to flip the steak")
    assert "17:00 (UTC), in 2 h 47 min: steak" in await said(house, "remind me 5pm steak")
    assert await planned(house) == ["steak"]
    await said(house, "in 10 minutes")
    assert await planned(house) == ["steak", "flip the steak"]


@pytest.mark.parametrize("text", ["ok", "OK!", "thanks", "hello", "👍", "好的", "谢谢", "yes", "good morning"])
@pytest.mark.parametrize("wish", ["remind me tomorrow at 9", "/remind tomorrow at 9"])
async def test_a_nod_or_thanks_is_no_text_of_a_reminder(house: House, wish: str, text: str) -> None:
    assert await said(house, wish) == "What shall I remind you of?"
    await said(house, text)
    assert await planned(house) == []
    await said(house, "call Oma")
    assert await planned(house) == ["call Oma"]


async def test_a_reply_to_the_question_may_be_any_text(house: House) -> None:
    await said(house, "hello", chat="2", sender="tg:2")
    await said(house, "/contacts add Bob tg:2")
    await said(house, "/send Bob")
    asked = house.shown()[-1].platform_id
    await said(house, "thanks", reply_to=asked)
    assert await states(house) == ["answered"]


@pytest.mark.parametrize(
    ("label", "at"), [("In 1 hour", START + 3_600_000), ("Tonight", 1_790_020_800_000), ("Tomorrow 9:00", None)]
)
async def test_a_question_when_offers_times(house: House, label: str, at: int | None) -> None:
    await said(house, "remind me to call the dentist")
    assert labels(house) == OFFERED
    await pressed(house, label)
    assert await planned(house) == ["call the dentist"]
    assert await house.column("SELECT next_at FROM trigger") == [at or 1_790_067_600_000]


async def test_in_chinese_it_offers_them_too(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await home(await make_database("sqlite"), tmp_path, language="zh")
    await said(house, "提醒我散步")
    assert labels(house)[:3] == ["1小时后", "今晚", "明天9:00"]
    await pressed(house, "明天9:00")
    assert await house.column("SELECT next_at FROM trigger") == [1_790_067_600_000]


async def test_what_is_past_is_not_offered(house: House) -> None:
    house.clock.advance(6 * 3_600)
    await said(house, "remind me to call the dentist")
    assert labels(house) == ["In 1 hour", "Tomorrow 9:00", "Skip"]


async def test_a_number_is_a_clock_and_not_the_number_of_a_button(house: House) -> None:
    await said(house, "remind me to call the dentist")
    assert "15:00" in await said(house, "3")
    assert await planned(house) == ["call the dentist"]


async def test_a_new_time_for_what_comes_once_is_offered_and_for_what_recurs_it_is_not(house: House) -> None:
    await said(house, "/remind tomorrow at 9 to sing")
    await pressed(house, "Change")
    assert labels(house) == OFFERED
    await said(house, "never mind")
    await said(house, "/remind every day at 9 to dance")
    await pressed(house, "Change")
    assert labels(house) == ["Skip"]


async def test_the_question_is_repeated_at_most_once(house: House) -> None:
    question = await said(house, "remind me to call the dentist")
    for text in ("buy some cheese", "and some ham", "what a day", "hm"):
        await said(house, text)
    assert house.adapter.texts().count(question) == 2
    await pressed(house, "In 1 hour")
    assert await planned(house) == ["call the dentist"]


async def test_what_is_understood_by_itself_does_not_repeat_it(house: House) -> None:
    question = await said(house, "remind me to call the dentist")
    for text in ("add cheese to my list", "/todo buy bread", "remind me 5pm steak"):
        await said(house, text)
    assert house.adapter.texts().count(question) == 1


async def test_it_ends_by_itself_after_an_hour(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    question = await said(house, "remind me to call the dentist")
    house.clock.advance(3_599)
    await house.sweep()
    assert await states(house) == ["open"]
    house.clock.advance(1)
    await house.sweep()
    assert await states(house) == ["expired"]
    assert house.shown()[-1].text == f"{question}\n\n⏱ No answer in time."
    await said(house, "tomorrow at 9")
    assert await planned(house) == []


async def test_in_a_group_the_times_are_pressed_or_replied(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    for n, text in enumerate(("walk", "sing")):
        await said(house, f"/remind me {text}", **GROUP, sender=FRIEND, key=f"g{n}")
        if n:
            await house.press("In 1 hour", chat="-5", chat_kind="group", sender=FRIEND)
            await house.work()
        else:
            asked = house.shown("-5")[-1].platform_id
            await said(house, "at 5pm", **GROUP, sender=FRIEND, reply_to=asked)
    assert await planned(house) == ["walk", "sing"]

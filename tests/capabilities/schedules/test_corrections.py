"""What is said right after something was set, and changes it: another time by a word."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from core.kernel.intent import Order
from core.kernel.ports import Database
from core.kernel.replies import Outcome
from core.toolkit.tool import ToolContext
from tests.commanding import GROUP, friend, group, home, labels, pressed, said
from tests.conftest import DatabaseMaker
from tests.fakes import House
from tests.fakes import house as build

pytestmark = pytest.mark.databases("sqlite")

# START is Monday 21 September 2026, 14:13:20 UTC.
SET = "remind me tomorrow at 5 to call Oma"
MINUTE = 60


@pytest.fixture
async def house(make_database: DatabaseMaker, tmp_path: Path) -> House:
    return await home(await make_database("sqlite"), tmp_path)


async def plans(house: House) -> list[object]:
    return await house.column("SELECT text FROM trigger WHERE state = 'active'")


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("make it 4", "Tue 22 Sep 16:00"),
        ("make it four", "Tue 22 Sep 16:00"),
        ("no, make it 4:30", "Tue 22 Sep 16:30"),
        ("Sorry, I meant 6pm!", "Tue 22 Sep 18:00"),
        ("6pm instead", "Tue 22 Sep 18:00"),
        ("18:15", "Tue 22 Sep 18:15"),
        ("in 3 hours", "Mon 21 Sep 17:13"),
        ("make it 2 hours", "Mon 21 Sep 16:13"),
        ("actually friday", "Fri 25 Sep 17:00"),
        ("actually, friday at 9am", "Fri 25 Sep 09:00"),
        ("改成四点", "Tue 22 Sep 16:00"),
        ("改成4", "Tue 22 Sep 16:00"),
        ("不对，还是周五吧", "Fri 25 Sep 17:00"),
    ],
)
async def test_another_time_right_after_the_read_back_is_its_time(house: House, text: str, moment: str) -> None:
    await said(house, "/language en")
    assert "Tue 22 Sep 17:00" in await said(house, SET)
    assert moment in await said(house, text)
    assert await plans(house) == ["call Oma"]
    assert "Undo" in labels(house)
    await pressed(house, "Undo")
    assert "Tue 22 Sep 17:00" in await said(house, "/tasks")


@pytest.mark.parametrize(
    ("text", "correction", "wait"),
    [
        ("remind me in 2 hours to call Oma", "no, in 3", "in 3 h:"),
        ("remind me in 2 days to call Oma", "no, in 3", "in 3 d:"),
        ("remind me in 10 minutes to call Oma", "no, in 20", "in 20 min:"),
        ("remind me in 2 hours to call Oma", "no, in 3m", "in 3 min:"),
        ("erinnere mich in 2 Stunden an Oma", "nein, in 3", "in 3 h:"),
    ],
)
async def test_a_number_without_a_unit_counts_as_the_time_before_it_did(
    house: House, text: str, correction: str, wait: str
) -> None:
    await said(house, "/language en")
    await said(house, text)
    assert wait in await said(house, correction)


@pytest.mark.parametrize(
    ("text", "correction", "at"),
    [
        ("remind me tonight at 11 to call Oma", "no, at 12", "Tue 22 Sep 00:00"),
        ("remind me on Friday at 11pm to call Oma", "no, at 12", "Sat 26 Sep 00:00"),
        ("remind me on Friday at 11pm to call Oma", "no, on Sunday at 12", "Sun 27 Sep 12:00"),
        ("remind me every Friday at 11pm to call Oma", "no, at 12", "every Saturday at 00:00"),
        ("remind me every Friday at 11pm to call Oma", "no, at 10", "every Friday at 22:00"),
        ("remind me every weekday at 11pm to call Oma", "no, at 1", "Friday and Saturday at 01:00"),
        ("remind me every Friday at 11pm until Christmas to call Oma", "no, at 12", "every Saturday at 00:00"),
        ("remind me every other Friday at 11pm to call Oma", "no, at 12", "at 12:00"),
        ("remind me every other day at 11pm to call Oma", "no, at 12", "every 2 days at 00:00"),
        ("remind me on the first of every month at 11pm to call Oma", "no, at 12", "at 12:00"),
        ("remind me every day at 11pm to call Oma", "no, at 12", "every day at 00:00"),
        ("remind me every 2 days at 11pm to call Oma", "no, at 12", "every 2 days at 00:00 (UTC), next Tue 22 Sep"),
        ("remind me every day at 11pm until Friday to call Oma", "no, at 12", "every day at 00:00 until Sat 26 Sep"),
        ("remind me tomorrow at 0:30 to call Oma", "no, at 11", "Mon 21 Sep 23:00"),
        ("remind me every day at 0:30 to call Oma", "no, at 11", "every day at 23:00"),
        ("remind me every 2 days at 0:30 to call Oma", "no, at 11", "every 2 days at 23:00 (UTC), next Mon 21 Sep"),
        ("remind me every Friday at 0:30 to call Oma", "no, at 11", "every Thursday at 23:00"),
    ],
)
async def test_a_clock_behind_midnight_is_near_the_one_before(
    house: House, text: str, correction: str, at: str
) -> None:
    assert re.search("23:00|00:30", await said(house, text))
    assert at in await said(house, correction)


@pytest.mark.parametrize("wish", ["remind me to stretch", "remind me tomorrow", "remind me"])
async def test_a_second_thought_is_of_what_was_set_since_a_question(house: House, wish: str) -> None:
    await said(house, wish)
    house.clock.advance(MINUTE)
    await said(house, SET)
    house.clock.advance(MINUTE)
    assert "Tue 22 Sep 18:00 (UTC), in 1 d: call Oma" in await said(house, "no, at 6")
    assert await plans(house) == ["call Oma"]
    house.clock.advance(MINUTE)
    assert await said(house, "never mind") == "↩ Taken back: the new time of “call Oma”.\n⏰ Tue 22 Sep 17:00"
    assert await house.column("SELECT state FROM question") == ["open"]


@pytest.mark.parametrize("text", [SET, "/remind at 5pm call Oma"])
@pytest.mark.parametrize(("then", "planned"), [("no, at 6", ["call Oma"]), ("never mind", [])])
async def test_a_second_thought_behind_what_is_not_done_yet_answers_no_older_question(
    house: House, text: str, then: str, planned: list[str]
) -> None:
    await said(house, "remind me to stretch")
    house.clock.advance(MINUTE)
    await house.hear(text)
    await house.hear(then)
    await house.work()
    assert await plans(house) == planned
    assert await house.column("SELECT state FROM question") == ["open"]


async def test_a_second_thought_about_what_is_just_worked_on_answers_no_older_question(house: House) -> None:
    await said(house, "remind me to stretch")
    house.clock.advance(MINUTE)
    answering, thoughts = house.app.worker.answering, ["no, at 6"]
    carry_out = answering.collaborators.commands

    async def commands(context: ToolContext, order: Order) -> Outcome:
        if thoughts:
            await house.hear(thoughts.pop())
        return await carry_out(context, order)

    answering.collaborators = replace(answering.collaborators, commands=commands)
    await said(house, SET)
    assert "18:00" in house.shown("1")[-1].text
    assert await plans(house) == ["call Oma"]
    assert await house.column("SELECT state FROM question") == ["open"]


async def test_a_second_thought_behind_an_answer_that_is_not_done_yet_answers_no_older_question(house: House) -> None:
    for text in ("remind me to stretch", "remind me to call Oma"):
        await said(house, text)
        house.clock.advance(MINUTE)
    await house.hear("tomorrow at 9")
    await house.hear("no, at 10")
    await house.work()
    assert "Tue 22 Sep 10:00" in house.shown("1")[-1].text
    assert await plans(house) == ["call Oma"]
    assert await house.column("SELECT state FROM question ORDER BY id") == ["open", "answered"]


async def test_a_second_thought_is_of_a_question_behind_what_sets_nothing(house: House) -> None:
    await said(house, "remind me to stretch")
    for text in ("thanks", "what is the meaning of it", "hm hm"):
        house.clock.advance(MINUTE)
        await said(house, text)
    house.clock.advance(MINUTE)
    await said(house, "never mind")
    assert await house.column("SELECT state FROM question") != ["open"]


@pytest.mark.parametrize(
    "text",
    [
        "remind me every Monday at 9",
        "remind me tomorrow",
        "erinnere mich um 18 Uhr",
        "每周一9点提醒我",
        "10点提醒我一下",
    ],
)
async def test_a_wish_that_lacks_its_text_is_another_one(house: House, text: str) -> None:
    await said(house, SET)
    assert (await said(house, text)).endswith("remind you of?")
    assert "Tue 22 Sep 17:00" in await said(house, "/tasks")


async def test_it_can_be_corrected_again(house: House) -> None:
    await said(house, SET)
    await said(house, "make it 4")
    assert "Tue 22 Sep 18:00" in await said(house, "no, 6")
    assert await plans(house) == ["call Oma"]


async def test_of_what_recurs_the_time_of_day_is_corrected_and_it_never_comes_but_once(house: House) -> None:
    await said(house, "/every weekday at 8 stand-up")
    assert "every weekday at 09:30" in await said(house, "make it 9:30")
    assert "comes again and again" in await said(house, "in 3 hours")
    assert await house.column("SELECT kind FROM trigger WHERE state = 'active'") == ["rule"]


async def test_the_last_thing_set_is_corrected_though_an_older_reminder_waits(house: House) -> None:
    await said(house, "remind me in 5 minutes to stretch")
    house.clock.advance(6 * MINUTE)
    await house.sweep()
    await said(house, SET)
    assert "call Oma" in await said(house, "in 3 hours")
    assert "Mon 21 Sep 17:19" in house.shown("1")[-1].text


@pytest.mark.parametrize("text", ["make it 4 people", "4", "make it", "friday?", "make it nice", "and friday"])
async def test_what_is_not_wholly_a_correction_changes_nothing(house: House, text: str) -> None:
    await said(house, SET)
    await said(house, text)
    assert "Tue 22 Sep 17:00" in await said(house, "/tasks")


async def test_when_the_bot_said_something_else_since_it_changes_nothing(house: House) -> None:
    await said(house, SET)
    await said(house, "what time is it?")
    await said(house, "make it 4")
    assert "Tue 22 Sep 17:00" in await said(house, "/tasks")


async def test_ten_minutes_later_it_changes_nothing(house: House) -> None:
    await said(house, SET)
    await house.later(11 * MINUTE)
    await said(house, "make it 4")
    assert "Tue 22 Sep 17:00" in await said(house, "/tasks")


async def test_what_was_only_looked_at_is_not_changed(house: House) -> None:
    await said(house, SET)
    await said(house, "/tasks")
    await pressed(house, "call Oma")
    await said(house, "make it 4")
    assert "Tue 22 Sep 17:00" in await said(house, "/tasks")


async def test_in_a_group_only_who_set_it_corrects_it(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "hello", **friend())
    await said(house, f"/{SET}", **GROUP)
    assert "16:00" not in await said(house, "make it 4", **{**GROUP, "sender": "tg:2"})
    await said(house, f"/{SET}", **GROUP)
    assert "Tue 22 Sep 16:00" in await said(house, "make it 4", **GROUP)


async def test_with_a_model_it_is_so_as_well(database: Database, tmp_path: Path) -> None:
    house = await build(database, tmp_path / "house", lambda request: "Hm.")
    await said(house, SET)
    assert "Tue 22 Sep 16:00" in await said(house, "make it 4")
    assert await said(house, "make it nice") == "Hm."
    assert await said(house, "make it 5") == "Hm."

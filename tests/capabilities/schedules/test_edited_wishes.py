"""A message that has set a reminder is edited: what it set is changed, and the answer to it says so."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.kernel.intent import Order
from core.kernel.ports import Database
from core.kernel.replies import Outcome
from core.toolkit.tool import ToolContext
from tests.commanding import GROUP, group, home, labels, pressed, said
from tests.conftest import DatabaseMaker
from tests.fakes import House
from tests.fakes import house as build

pytestmark = pytest.mark.databases("sqlite")

# START is Monday 21 September 2026, 14:13:20 UTC.
SET = "remind me at 5pm to call Oma"
DENTIST = "dentist tomorrow at {}, remind me an hour before"


@pytest.fixture
async def house(make_database: DatabaseMaker, tmp_path: Path) -> House:
    return await home(await make_database("sqlite"), tmp_path)


async def edited(house: House, text: str, **fields: Any) -> list[str]:
    """Edit the message m1, and return the chat as it reads then."""
    await house.hear(text, message_id="m1", edits="m1", **fields)
    await house.work()
    return [sent.text for sent in house.shown(str(fields.get("chat", "1")))]


async def plans(house: House) -> list[object]:
    return await house.column("SELECT text FROM trigger WHERE state = 'active'")


@pytest.mark.parametrize("first", ["No", "never mind", "skip"])
async def test_an_edit_of_what_left_a_question_says_that_it_changes_nothing(house: House, first: str) -> None:
    assert "When exactly?" in await said(house, "remind me to call Oma")
    await said(house, first, message_id="m1")
    before = len(house.shown())
    shown = await edited(house, "tomorrow at 9")
    assert [text.rstrip(".") for text in shown[before:]] == ["That edit changes nothing; please say it anew"]
    assert len(await edited(house, "tomorrow at 10")) == before + 1
    assert await plans(house) == []


@pytest.mark.parametrize(
    ("first", "then", "says"),
    [
        (SET, "remind me at 6pm to call Oma", "⏰ Mon 21 Sep 18:00 (UTC), in 3 h 47 min: call Oma"),
        (SET, "remind me at 5pm to call Opa", "⏰ Mon 21 Sep 17:00 (UTC), in 2 h 47 min: call Opa"),
        ("/remind at 5pm call Oma", "/remind tomorrow at 6pm call Oma", "⏰ Tue 22 Sep 18:00 (UTC), in 1 d: call Oma"),
        ("/every day at 5pm stretch", "/every day at 6pm stretch", "every day at 18:00"),
        ("下午5点提醒我打电话", "下午6点提醒我打电话", "18:00"),
        (DENTIST.format(3), DENTIST.format(4), "15:00 (UTC), in 1 d: dentist (16:00)"),
    ],
)
async def test_the_answer_to_the_message_says_what_holds_now(house: House, first: str, then: str, says: str) -> None:
    before = len(house.shown("1")) + 1
    await said(house, first, message_id="m1")
    shown = await edited(house, then)
    assert len(shown) == before
    assert says in shown[-1]
    assert len(await plans(house)) == 1
    assert "Undo" in labels(house)


async def test_what_comes_ahead_of_an_event_still_moves_along_with_it(house: House) -> None:
    await said(house, DENTIST.format(3), message_id="m1")
    await edited(house, DENTIST.format(4))
    assert "⏰ Fri 25 Sep 09:00" in await said(house, "move dentist to friday at 10")
    assert await plans(house) == ["dentist (10:00)"]


async def test_that_can_be_taken_back_with_its_text(house: House) -> None:
    await said(house, SET, message_id="m1")
    await edited(house, "remind me at 6pm to call Opa")
    assert await plans(house) == ["call Opa"]
    await pressed(house, "Undo")
    assert "Mon 21 Sep 17:00: call Oma" in await said(house, "/tasks")


async def test_it_can_be_edited_again_and_an_edit_delivered_twice_counts_once(house: House) -> None:
    await said(house, SET, message_id="m1")
    for _ in range(2):
        await edited(house, "remind me at 6pm to call Oma", key="e1")
    shown = await edited(house, "remind me at 7pm to call Oma")
    assert "19:00" in shown[-1]
    assert await house.column("SELECT count(*) FROM undo WHERE tool = 'put_back_schedule'") == [2]


@pytest.mark.parametrize("then", ["remind me at 6pm to call Oma", "6pm"])
async def test_an_edit_that_comes_while_the_message_is_worked_on_is_not_lost(house: House, then: str) -> None:
    answering = house.app.worker.answering
    carry_out, edits = answering.collaborators.commands, [then]

    async def commands(context: ToolContext, order: Order) -> Outcome:
        outcome = await carry_out(context, order)
        if edits:
            await house.hear(edits.pop(), message_id="m1", edits="m1", key="e1")
        return outcome

    answering.collaborators = replace(answering.collaborators, commands=commands)
    before = len(house.shown("1")) + 1
    await said(house, SET, message_id="m1")
    await house.work()
    assert len(house.shown("1")) == before
    assert "Mon 21 Sep 18:00 (UTC), in 3 h 47 min: call Oma" in house.shown("1")[-1].text
    assert await plans(house) == ["call Oma"]
    assert "19:00" in (await edited(house, "remind me at 7pm to call Oma"))[-1]


async def test_two_edits_at_once_end_with_the_last(house: House) -> None:
    await said(house, SET, message_id="m1")
    await house.hear("remind me at 6pm to call Oma", message_id="m1", edits="m1")
    shown = await edited(house, "remind me at 7pm to call Oma")
    assert "19:00" in shown[-1]
    assert await plans(house) == ["call Oma"]


async def test_the_answer_to_when_and_a_correction_are_edited_as_well(house: House) -> None:
    await said(house, "remind me to call Oma")
    await said(house, "5pm", message_id="m1")
    assert "18:00" in (await edited(house, "6pm"))[-1]
    await said(house, "make it 7pm", message_id="m2")
    await house.hear("make it 8pm", message_id="m2", edits="m2")
    await house.work()
    assert "Mon 21 Sep 20:00: call Oma" in await said(house, "/tasks")


@pytest.mark.databases("sqlite", "postgres")
async def test_the_answer_to_what_a_reminder_is_about_is_edited_as_well(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/remind tomorrow at 9")
    await said(house, "cal Oma", message_id="m1")
    for text in ("call Oma", "call Oma at 6", "call Opa"):
        assert f"⏰ Tue 22 Sep 09:00 (UTC), in 18 h 47 min: {text}" in (await edited(house, text))[-1]
        assert await plans(house) == [text]
    assert "10:00" in (await edited(house, "/remind tomorrow at 10 call Bob"))[-1]
    assert await plans(house) == ["call Bob"]
    for time, at in (("no, at 11", "11:00"), ("at 8", "08:00")):
        assert f"⏰ Tue 22 Sep {at}" in (await edited(house, time))[-1]
        assert await plans(house) == ["call Bob"]


async def test_an_answer_that_says_both_is_edited_as_a_wish_is(house: House) -> None:
    await said(house, "remind me")
    await said(house, "tomorrow at 9 call Oma", message_id="m1")
    for then, at, text in (
        ("no, at 10", "Tue 22 Sep 10:00", "call Oma"),
        ("at 11", "Tue 22 Sep 11:00", "call Oma"),
        ("make it 4pm", "Tue 22 Sep 16:00", "call Oma"),
        ("不，明天9点", "Tue 22 Sep 09:00", "call Oma"),
        ("Friday at 7 call Opa", "Fri 25 Sep 07:00", "call Opa"),
        ("/remind tomorrow at 8 call Bob", "Tue 22 Sep 08:00", "call Bob"),
        ("remind me tomorrow at 6pm to call Bill", "Tue 22 Sep 18:00", "call Bill"),
    ):
        assert at in (await edited(house, then))[-1]
        assert await plans(house) == [text]


@pytest.mark.parametrize(
    "then", ["never mind", "cancel", "thanks", "add milk to my list", "what time is it?", "算了", "danke"]
)
async def test_what_is_no_answer_is_not_what_a_reminder_is_about_by_an_edit(house: House, then: str) -> None:
    await said(house, "/remind tomorrow at 9")
    await said(house, "call Oma", message_id="m1")
    assert "so it stays" in (await edited(house, then))[-1]
    assert await plans(house) == ["call Oma"]
    await edited(house, "remind me tomorrow at 6pm to call Bob")
    assert "Tue 22 Sep 18:00: call Bob" in await said(house, "/tasks")
    assert await plans(house) == ["call Bob"]


async def test_what_is_said_in_what_was_forwarded_stays(house: House) -> None:
    await house.hear("/remind tomorrow at 9", message_id="m1")
    await said(house, "The rent is due", forwarded=True)
    shown = await edited(house, "/remind tomorrow at 10")
    assert "10:00 (UTC), in 19 h 47 min: The rent is due" in shown[-1]
    assert await plans(house) == ["The rent is due"]


@pytest.mark.parametrize(
    "text", ["remind me sometime to call Oma", "never", "remind Bob at 6pm to call Oma", "remind us at 6pm to call Oma"]
)
async def test_where_an_edit_makes_no_sense_all_stays_and_that_is_said_once(house: House, text: str) -> None:
    await said(house, SET, message_id="m1")
    before = len(house.adapter.texts())
    for _ in range(2):
        await edited(house, text)
        await edited(house, "what?")
    (told,) = house.adapter.texts()[before:]
    assert told.startswith("I can't make sense of that edit, so it stays:\n⏰ Mon 21 Sep 17:00")
    assert "Mon 21 Sep 17:00: call Oma" in await said(house, "/tasks")


async def test_that_an_edit_makes_no_sense_is_said_to_each_who_edits(house: House) -> None:
    await said(house, "/help", **GROUP)
    for sender in ("tg:1", "tg:2"):
        await said(house, SET, sender=sender, message_id=sender, **GROUP)
    for sender in ("tg:1", "tg:2"):
        told = await said(house, "never", sender=sender, message_id=sender, edits=sender, **GROUP)
        assert "I can't make sense of that edit" in told


async def test_where_nothing_of_it_changes_nothing_is_said(house: House) -> None:
    await said(house, SET, message_id="m1")
    before = len(house.adapter.sent)
    await edited(house, "Remind me at 5 pm to call Oma")
    assert len(house.adapter.sent) == before


@pytest.mark.parametrize("end", ["stopped", "come"])
async def test_what_is_over_is_not_brought_back(house: House, end: str) -> None:
    await said(house, "remind me in 5 minutes to call Oma", message_id="m1")
    if end == "stopped":
        await pressed(house, "Undo")
    else:
        house.clock.advance(400)
        await house.sweep()
    before = len(house.adapter.sent)
    await edited(house, "remind me in 50 minutes to call Oma")
    assert house.adapter.texts()[before:] == ["That edit changes nothing; please say it anew."]
    assert await plans(house) == []


async def test_an_edit_that_makes_a_wish_of_what_set_nothing_is_said_to_change_nothing(house: House) -> None:
    await said(house, "hello", message_id="m1")
    before = len(house.adapter.sent)
    await edited(house, "hello there")
    assert len(house.adapter.sent) == before
    await edited(house, SET)
    assert house.adapter.texts()[before:] == ["That edit changes nothing; please say it anew."]
    assert await plans(house) == []


async def test_in_a_group_it_is_so_as_well(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, f"/{SET}", message_id="m1", **GROUP)
    assert "18:00" in (await edited(house, "/remind me at 6pm to call Oma", **GROUP))[-1]


async def test_with_a_model_it_costs_no_call(database: Database, tmp_path: Path) -> None:
    house = await build(database, tmp_path / "house", lambda request: "Hm.")
    await said(house, SET, message_id="m1")
    assert "18:00" in (await edited(house, "remind me at 6pm to call Oma"))[-1]

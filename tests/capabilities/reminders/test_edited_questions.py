"""A wish that lacks something is edited while it is asked what: the question is for the new text then."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.kernel.intent import Order
from core.kernel.ports import Database
from core.kernel.replies import Outcome
from core.toolkit.tool import ToolContext
from tests.commanding import GROUP, group, home, planned, pressed, said
from tests.fakes import House

pytestmark = pytest.mark.databases("sqlite", "postgres")

TOLD = "That edit changes nothing; please say it anew."


@pytest.fixture
async def house(database: Database, tmp_path: Path) -> House:
    return await home(database, tmp_path)


async def edited(house: House, text: str, **fields: object) -> str:
    """Edit the message m1, and return what that is answered."""
    return await said(house, text, message_id="m1", edits="m1", **fields)


async def open_questions(house: House) -> list[object]:
    return await house.column("SELECT text FROM question WHERE state = 'open'")


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("remind me to call mom", "remind me to call dad"),
        ("/remind call mom", "/remind call dad"),
        ("remid me to call mom", "remind me to call dad"),
        ("remind me to call mom", "/remind me to call dad"),
    ],
)
async def test_the_question_is_for_the_new_text(house: House, first: str, then: str) -> None:
    await said(house, first, message_id="m1")
    answer = await edited(house, then)
    assert "call dad" in answer
    assert "call mom” – for example: tomorrow at 5pm\n\n⏭ Skipped." in answer
    assert len(await open_questions(house)) == 1
    assert "⏰ Tue 22 Sep 09:00 (UTC), in 18 h 47 min: call dad" in await said(house, "tomorrow at 9")
    assert await planned(house) == ["call dad"]


async def test_an_edit_that_says_all_sets_it_and_is_edited_again(house: House) -> None:
    await said(house, "remind me to call mom", message_id="m1")
    await edited(house, "remind me to call mum")
    assert "⏰ Tue 22 Sep 09:00 (UTC), in 18 h 47 min: call dad" in await edited(
        house, "remind me tomorrow at 9 to call dad"
    )
    assert await open_questions(house) == []
    assert await planned(house) == ["call dad"]
    assert "10:00" in await edited(house, "remind me tomorrow at 10 to call dad")
    assert await planned(house) == ["call dad"]
    assert "09:00" not in await said(house, "/tasks")


async def test_a_wish_that_lacks_its_text_may_be_edited_too(house: House) -> None:
    await said(house, "remind me tomorrow at 9", message_id="m1")
    await edited(house, "remind me tomorrow at 10")
    assert len(await open_questions(house)) == 1
    assert "10:00 (UTC), in 19 h 47 min: call Oma" in await said(house, "call Oma")
    assert await planned(house) == ["call Oma"]


@pytest.mark.parametrize(("first", "then"), [("tomorrow at 9", "tomorrow at 10"), ("明天9点提醒我", "明天10点提醒我")])
async def test_a_time_alone_that_is_asked_about_may_be_edited_too(house: House, first: str, then: str) -> None:
    assert "What shall I remind you of?" in await said(house, first, message_id="m1")
    await edited(house, then)
    assert len(await open_questions(house)) == 1
    assert "Tue 22 Sep 10:00" in await said(house, "call Oma")
    assert await planned(house) == ["call Oma"]


async def test_who_says_nothing_at_first_may_say_it_by_an_edit(house: House) -> None:
    await said(house, "remind me", message_id="m1")
    assert "call dad" in await edited(house, "remind me to call dad")
    await pressed(house, "Tomorrow 9:00")
    assert await planned(house) == ["call dad"]


@pytest.mark.parametrize("then", ["Remind me to  call mom", "remind me to call mom!"])
async def test_where_it_wishes_for_the_same_nothing_is_said_and_it_is_still_asked(house: House, then: str) -> None:
    await said(house, "remind me to call mom", message_id="m1")
    before = await open_questions(house)
    assert await edited(house, then) == ""
    assert await open_questions(house) == before


async def test_what_is_no_wish_any_more_is_said_to_change_nothing_once(house: House) -> None:
    await said(house, "remind me to call mom", message_id="m1")
    before = await open_questions(house)
    assert await edited(house, "add milk to my list") == TOLD
    assert await edited(house, "what?") == ""
    assert await open_questions(house) == before
    await pressed(house, "Tomorrow 9:00")
    assert await planned(house) == ["call mom"]


async def test_once_it_was_answered_an_edit_of_the_wish_is_to_be_said_anew(house: House) -> None:
    await said(house, "remind me to call mom", message_id="m1")
    await pressed(house, "Tomorrow 9:00")
    assert await edited(house, "remind me to call dad") == TOLD
    assert await planned(house) == ["call mom"]


async def test_an_answer_that_comes_before_the_edit_is_worked_on_counts_and_the_edit_is_said_to_change_nothing(
    house: House,
) -> None:
    await said(house, "remind me to call mom", message_id="m1")
    before = len(house.adapter.texts())
    await house.hear("remind me to call dad", message_id="m1", edits="m1")
    await house.press("Tomorrow 9:00")
    await house.work()
    assert TOLD in house.adapter.texts()[before:]
    assert await planned(house) == ["call mom"]
    assert await open_questions(house) == []


async def test_two_edits_at_once_end_with_the_last(house: House) -> None:
    await said(house, "remind me to call mom", message_id="m1")
    await house.hear("remind me to call dad", message_id="m1", edits="m1", key="e1")
    await house.hear("remind me to call dad", message_id="m1", edits="m1", key="e1")
    await edited(house, "remind me to call Opa")
    assert len(await open_questions(house)) == 1
    await pressed(house, "Tomorrow 9:00")
    assert await planned(house) == ["call Opa"]


async def edited_while_asked(house: House, text: str, then: str, **fields: object) -> None:
    """Say the message m1, which is edited while its question is being asked."""
    answering = house.app.worker.answering
    carry_out, edits = answering.collaborators.commands, [then]

    async def commands(context: ToolContext, order: Order) -> Outcome:
        outcome = await carry_out(context, order)
        if edits:
            await house.hear(edits.pop(), message_id="m1", edits="m1", key="e1", **fields)
        return outcome

    answering.collaborators = replace(answering.collaborators, commands=commands)
    await said(house, text, message_id="m1", **fields)
    await house.work()


async def test_an_edit_that_comes_while_the_question_is_being_asked_is_not_lost(house: House) -> None:
    await edited_while_asked(house, "remind me to call mom", "remind me to call dad")
    assert len(await open_questions(house)) == 1
    await pressed(house, "Tomorrow 9:00")
    assert await planned(house) == ["call dad"]


async def test_such_an_edit_is_about_what_the_message_replies_to(house: House) -> None:
    await said(house, "the flat has 3 rooms", message_id="m0")
    replies = {"reply_to": "m0", "quoted": "the flat has 3 rooms"}
    await edited_while_asked(house, "remind me of this", "remind me of this tomorrow at 10", **replies)
    assert await planned(house) == ["the flat has 3 rooms"]
    assert await open_questions(house) == []


async def test_in_a_group_only_an_edit_of_who_was_asked_changes_the_question(
    database: Database, tmp_path: Path
) -> None:
    house = await group(database, tmp_path)
    await said(house, "/remind call mom", message_id="m1", **GROUP)
    assert "call dad" in await edited(house, "/remind call dad", **GROUP)
    await said(house, "/remind walk", message_id="m2", sender="tg:2", **GROUP)
    assert "call Opa" in await edited(house, "/remind call Opa", **GROUP)
    asked = await open_questions(house)
    assert len(asked) == 2
    assert "walk" in str(asked[0])

"""Buttons that stand for intents: they are carried out, beside the command lines of former versions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.capabilities.settings.commands import settle
from core.capabilities.settings.quiet_hours import choose
from core.capabilities.todos.changes import due_answered
from core.kernel.intent import Expects, Hole, Intent, expected, pack, unpack
from core.kernel.ports import Database
from core.language import pick
from tests.commanding import FRIEND, GROUP, group, home, pressed, said
from tests.conftest import DatabaseMaker

NIGHT = choose.of(hours="22:00-07:00")


async def test_a_button_that_stands_for_an_intent_is_carried_out(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/quiet")
    assert json.loads((await house.column("SELECT buttons FROM keyboard"))[0])[0] == [
        "22:00-07:00",
        {"intent": "settings.quiet", "arguments": {"hours": "22:00-07:00"}},
    ]
    await pressed(house, "22:00-07:00")
    assert await house.column("SELECT quiet FROM person WHERE quiet <> ''") == ["22:00-07:00"]
    assert await house.rows("SELECT text, intent FROM inbox WHERE pressed IS NOT NULL") == [
        {"text": "22:00-07:00", "intent": pack(NIGHT)}
    ]


async def test_a_line_that_a_former_version_hung_below_a_message_is_carried_out(
    database: Database, tmp_path: Path
) -> None:
    house = await home(database, tmp_path)
    await said(house, "/quiet")
    old = json.dumps([["22:00-07:00", "/quiet 22:00-07:00"]])
    await database.write(lambda tx: tx.run("UPDATE keyboard SET buttons = :old", {"old": old}))
    await pressed(house, "22:00-07:00")
    assert await house.column("SELECT quiet FROM person WHERE quiet <> ''") == ["22:00-07:00"]


async def test_what_somebody_types_is_never_taken_for_an_intent(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await home(await make_database("sqlite"), tmp_path)
    await said(house, pack(NIGHT))
    assert await house.column("SELECT quiet FROM person WHERE quiet <> ''") == []
    assert await house.rows("SELECT DISTINCT intent FROM inbox") == [{"intent": ""}]
    assert await house.column("SELECT DISTINCT command FROM run") == [""]


@pytest.mark.parametrize("stored", [Intent("gone.away", {}), Intent("settings.quiet", {"until": 3})])
async def test_an_intent_that_nothing_here_can_do_is_answered(
    make_database: DatabaseMaker, tmp_path: Path, stored: Intent
) -> None:
    database = await make_database("sqlite")
    house = await home(database, tmp_path)
    await said(house, "/quiet")
    buttons = json.dumps([["22:00-07:00", stored.packed()]])
    await database.write(lambda tx: tx.run("UPDATE keyboard SET buttons = :buttons", {"buttons": buttons}))
    assert await pressed(house, "22:00-07:00") == pick("en")["unknown_button"]


async def test_an_intent_needs_what_its_command_needs(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await group(await make_database("sqlite"), tmp_path)
    await said(house, "/quiet", **GROUP)
    await house.db.write(lambda tx: tx.run("UPDATE keyboard SET people = '[0]'", {}))
    told = await pressed(house, "22:00-07:00", sender=FRIEND, chat="-5", chat_kind="group")
    assert told == "Only an administrator of this group may do that."
    assert await house.column("SELECT quiet FROM chat WHERE quiet <> ''") == []


def test_an_order_is_stored_and_read_again() -> None:
    assert unpack(pack(NIGHT)) == NIGHT
    assert [unpack(line) for line in ("", "/snooze r12 tomorrow", "/done r1 #=all", "/remind ⏰ at 5")] == [
        "",
        "/snooze r12 tomorrow",
        "/done r1 #=all",
        "/remind ⏰ at 5",
    ]
    with pytest.raises(ValueError, match="an order is"):
        pack('{"intent": "settings.quiet", "arguments": {}}')


def test_what_a_question_waits_for_is_the_type_of_the_hole() -> None:
    asked = settle.asking("place")
    assert unpack(pack(asked)) == asked == Intent("settings.timezone", {}, Hole("place", Expects.PLACE))
    assert asked.filled("Berlin") == settle.of(place="Berlin")
    due = due_answered.asking("words", todo="t000001")
    assert (expected(due, False), due.filled("Friday")) == (
        Expects.TIME,
        due_answered.of(todo="t000001", words="Friday"),
    )
    for hole, arguments in (("when", {"todo": "t000001"}), ("words", {}), ("words", {"todo": 1})):
        with pytest.raises(ValueError, match="validation error"):
            due_answered.asking(hole, **arguments)


def test_what_lines_of_former_versions_wait_for_is_known() -> None:
    assert [
        expected("/snooze r12", True),
        expected("/move s12", True),
        expected("/timezone", False),
        expected("/todo edit t12", False),
        expected("", False),
    ] == [Expects.WAIT, Expects.TIME, Expects.PLACE, Expects.TEXT, Expects.TEXT]


@pytest.mark.parametrize("former", [False, True], ids=["intent", "line"])
async def test_a_place_answers_a_question_that_names_examples(database: Database, tmp_path: Path, former: bool) -> None:
    house = await home(database, tmp_path)
    await said(house, "/timezone")
    if former:
        await database.write(lambda tx: tx.run("UPDATE question SET command = '/timezone'"))
    await said(house, "is it late?")
    assert await house.column("SELECT state FROM question") == ["open"]
    assert (await said(house, "Madrid")).endswith("\nTime zone: Europe/Madrid.")
    assert await house.column("SELECT state FROM question") == ["answered"]


def test_arguments_of_an_intent_are_checked_when_it_is_made() -> None:
    wrong: Any = 22
    with pytest.raises(ValueError, match="hours"):
        choose.of(hours=wrong)

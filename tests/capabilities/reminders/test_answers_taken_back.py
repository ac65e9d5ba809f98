"""What somebody did with a reminder that was posted is their last change: `/undo` takes it back, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.ports import Database
from tests.commanding import FRIEND, GROUP, friend, group, home, labels, open_items, pressed, said
from tests.fakes import House
from tests.triggering import contact_of, passes, trigger

pytestmark = pytest.mark.databases("sqlite")

HOUR = 3600
# START is Monday 21 September 2026, 14:13:20 UTC.
BUTTONS = ["Done", "+10 min", "+1 h", "tomorrow"]


async def stands(house: House) -> list[object]:
    """All that is known of reminders, and what is to come."""
    rows = await house.rows("SELECT state FROM reminder")
    people = await house.rows("SELECT reminder_id, person_id, state, until, closer_id FROM reminded ORDER BY person_id")
    to_come = await house.rows("SELECT id, next_at FROM trigger WHERE ended_at IS NULL ORDER BY id")
    return [rows, people, to_come]


@pytest.mark.parametrize("answer", ["Done", "+1 h", "/done", "in 2 hours", "好了", "tomorrow at 9"])
@pytest.mark.parametrize(
    "first", ["remind me in 5 minutes to call Oma", "remind me in 5 minutes to call Oma until done"]
)
async def test_an_answer_is_taken_back_and_what_was_noted_before_it_stays(
    database: Database, tmp_path: Path, first: str, answer: str
) -> None:
    house = await home(database, tmp_path)
    await said(house, first)
    await said(house, "add milk to my list")
    await passes(house, 300)
    as_it_was = await stands(house)
    await (pressed(house, answer) if answer in BUTTONS else said(house, answer))
    assert await stands(house) != as_it_was
    assert "call Oma" in await said(house, "/undo")
    assert await stands(house) == as_it_was
    assert await open_items(house) == ["milk"]
    (message,) = [sent for sent in house.shown() if sent.text == "⏰ call Oma"]
    assert message.keyboard is not None
    assert [button.label for button in message.keyboard.buttons] == BUTTONS
    assert "milk" in await said(house, "/undo")


async def test_a_to_do_that_was_ticked_by_its_reminder_is_open_again(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/todo call bank today at 15:00")
    await passes(house, HOUR)
    await pressed(house, "Done")
    assert await open_items(house) == []
    assert "Taken back" in await said(house, "/undo")
    assert await open_items(house) == ["call bank"]
    await pressed(house, "Done")
    assert await open_items(house) == []


async def test_what_came_again_meanwhile_is_not_taken_back(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "remind me in 5 minutes to call Oma")
    await passes(house, 300)
    await pressed(house, "+10 min")
    await passes(house, 600)
    as_it_was = await stands(house)
    assert await said(house, "/undo") == "That was changed again since, so I leave it as it is now."
    assert await stands(house) == as_it_was


async def test_what_was_put_off_and_is_done_is_put_off_again(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "remind me in 5 minutes to call Oma")
    await passes(house, 300)
    await pressed(house, "+1 h")
    await pressed(house, "Done")
    await said(house, "/undo")
    await passes(house, HOUR)
    assert house.shown()[-1].text == "⏰ call Oma"
    assert labels(house) == BUTTONS


async def test_of_a_reminder_for_all_of_a_group_it_is_open_again(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "hello", sender=FRIEND, **GROUP)
    await said(house, "/remind everybody in 5 minutes dinner", **GROUP)
    await passes(house, 300)
    as_it_was = await stands(house)
    await pressed(house, "Done", chat="-5", chat_kind="group", sender=FRIEND)
    assert "Taken back" in await said(house, "/undo", sender=FRIEND, **GROUP)
    assert await stands(house) == as_it_was


async def test_who_asked_is_told_when_it_is_taken_back_elsewhere(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    for fields in (friend(), {"sender": FRIEND, **GROUP}):
        await said(house, "hello", **fields)
    number = await contact_of(house, FRIEND)
    await trigger(house, "take out the bins", 300, chat="-5", contacts=[number])
    await passes(house, 300)
    as_it_was = await stands(house)
    await pressed(house, "OK", **friend())
    await said(house, "/undo", **friend())
    assert await stands(house) == as_it_was
    assert house.shown("-5")[-1].text.endswith("takes that back: take out the bins")


async def test_what_the_series_has_brought_meanwhile_is_not_brought_again(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "remind me every day at 15:00 to brush")
    await passes(house, 3_600)
    await pressed(house, "tomorrow")
    await pressed(house, "Done")
    await passes(house, 86_400)
    posted = await house.column("SELECT count(*) FROM reminder")
    assert "changed again since" in await said(house, "/undo")
    await passes(house, 60)
    assert await house.column("SELECT count(*) FROM reminder") == posted


async def test_what_is_for_everybody_and_came_again_is_not_taken_back(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/remind everybody in 5 minutes dinner", **GROUP)
    await passes(house, 310)
    await pressed(house, "+10 min", chat=GROUP["chat"])
    await passes(house, 610)
    posted = await house.column("SELECT count(*) FROM reminder")
    assert "Taken back: the later time" not in await said(house, "/undo", **GROUP)
    await passes(house, 60)
    assert await house.column("SELECT count(*) FROM reminder") == posted


@pytest.mark.databases("sqlite", "postgres")
@pytest.mark.parametrize("answer", ["Done", "+1 h"])
async def test_what_had_ended_by_itself_has_ended_again(database: Database, tmp_path: Path, answer: str) -> None:
    house = await home(database, tmp_path)
    await said(house, "remind me in 5 minutes to call Oma until done")
    await passes(house, 300)
    for _ in range(5):
        await passes(house, 660)
    as_it_was = await stands(house)
    assert {row["state"] for row in as_it_was[0]} == {"lapsed"}  # type: ignore[attr-defined]
    assert as_it_was[2] == []
    await pressed(house, answer)
    assert "call Oma" in await said(house, "/undo")
    assert await stands(house) == as_it_was

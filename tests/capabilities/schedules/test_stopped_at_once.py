"""All reminders are stopped at once, when that is asked and confirmed, and go on again by one Undo."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.ports import Database
from tests.commanding import GROUP, group, home, labels, pressed, said
from tests.conftest import DatabaseMaker
from tests.fakes import FRIEND, House
from tests.triggering import passes

pytestmark = pytest.mark.databases("sqlite")

PRESS = "Nothing has happened yet: press the button for that."


@pytest.fixture
async def house(make_database: DatabaseMaker, tmp_path: Path) -> House:
    house = await home(await make_database("sqlite"), tmp_path)
    await said(house, "remind me tomorrow at 5pm to call Oma")
    await said(house, "remind me every Friday at 7am to stretch")
    await said(house, "/brief 7:30")
    return house


async def plans(house: House) -> list[object]:
    return await house.column("SELECT text FROM trigger WHERE state = 'active' AND deliver = 'message' ORDER BY id")


@pytest.mark.parametrize(
    "text", ["cancel all reminders", "remove all my reminders please", "取消所有提醒", "lösche alle Erinnerungen"]
)
async def test_it_is_asked_first_and_all_go_on_by_one_undo(house: House, text: str) -> None:
    assert await said(house, text) == "Stop all 2?\n- Tue 22 Sep 17:00: call Oma\n- Fri 25 Sep 07:00 ↻: stretch"
    assert labels(house) == ["Stop all", "Keep"]
    assert await plans(house) == ["call Oma", "stretch"]
    await pressed(house, "Stop all")
    assert house.shown()[-1].text == "🗑 Stopped: 2"
    assert await plans(house) == []
    # The brief is no reminder.
    assert "Stopped" not in await said(house, "/brief")
    await house.press("Undo")
    await house.work()
    assert await plans(house) == ["call Oma", "stretch"]


async def test_what_is_kept_goes_on(house: House) -> None:
    await said(house, "cancel all reminders")
    await pressed(house, "Keep")
    assert await plans(house) == ["call Oma", "stretch"]


async def test_what_was_set_after_it_was_asked_is_not_stopped(house: House) -> None:
    await said(house, "cancel all reminders")
    await said(house, "remind me on Sunday to rest")
    await pressed(house, "Stop all")
    assert await plans(house) == ["rest"]


async def test_what_was_changed_since_does_not_keep_the_others_from_going_on(house: House) -> None:
    await said(house, "cancel all reminders")
    await pressed(house, "Stop all")
    await house.db.write(lambda tx: tx.run("UPDATE trigger SET state = 'done' WHERE text = 'call Oma'", {}))
    await house.press("Undo")
    await house.work()
    assert await plans(house) == ["stretch"]


async def test_in_a_group_only_ones_own_are_stopped(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await group(await make_database("sqlite"), tmp_path)
    await said(house, "/remind tomorrow at 9 water the plants", **GROUP)
    await said(house, "/remind tomorrow at 10 feed the cat", sender=FRIEND, **GROUP)
    assert "plants" in (asked := await said(house, "cancel all reminders", addressed=True, **GROUP))
    assert "cat" not in asked


@pytest.mark.parametrize("text", ["cancel all reminders", "stop a reminder"])
async def test_in_a_group_it_is_said_that_none_is_ones_own(
    make_database: DatabaseMaker, tmp_path: Path, text: str
) -> None:
    house = await group(await make_database("sqlite"), tmp_path)
    await said(house, "remind everybody tomorrow at 9 to leave", addressed=True, **GROUP)
    await said(house, "/help", sender=FRIEND, **GROUP)
    answer = await said(house, text, sender=FRIEND, addressed=True, **GROUP)
    assert answer.startswith("Nothing that is scheduled here is yours")
    assert await plans(house) == ["leave"]
    assert "everybody: leave" in await said(house, "/tasks", sender=FRIEND, **GROUP)


@pytest.mark.parametrize("text", ["cancel the timer", "stopp den Timer"])
async def test_where_none_is_called_so_that_is_said_and_asked_which(house: House, text: str) -> None:
    assert f"{text.rsplit(maxsplit=1)[-1]}”. Which one do you mean?" in await said(house, text)
    assert labels(house) == ["call Oma", "stretch"]


async def test_of_several_that_are_called_so_it_is_asked_which(house: House) -> None:
    await said(house, "set an alarm for 7 am")
    await said(house, "set an alarm for 8 am")
    assert await said(house, "cancel my alarm") == "Which one?"
    assert [label.partition(":")[2] for label in labels(house)] == ["00: alarm", "00: alarm"]


@pytest.mark.parametrize("text", ["stop a reminder", "取消提醒"])
async def test_where_none_is_named_it_is_asked_which(house: House, text: str) -> None:
    assert await said(house, text) == "Which one?"
    assert labels(house) == ["call Oma", "stretch"]
    await pressed(house, "stretch")
    assert await plans(house) == ["call Oma"]


async def test_the_only_timer_is_the_one_that_is_meant(house: House) -> None:
    await said(house, "set a timer for 20 minutes")
    await said(house, "stop the timer")
    assert await plans(house) == ["call Oma", "stretch"]


@pytest.mark.parametrize(
    "text", ["cancel everything for tomorrow", "取消明天的提醒", "lösche alle Erinnerungen für morgen"]
)
async def test_all_that_are_due_on_a_day_are_stopped_by_one_button(house: House, text: str) -> None:
    await said(house, "remind me every day at 8 to brush")
    for number in range(9):
        await said(house, f"remind me tomorrow at 9:0{number} to call {number}")
    asked = await said(house, text)
    assert asked.splitlines()[1:] == ["… and 3 more"]
    # Which one is not said by a yes.
    assert await said(house, "yes") == PRESS
    assert len(await plans(house)) == 12
    # What recurs is not among them.
    await pressed(house, "Stop 10 of 11")
    assert await plans(house) == ["stretch", "brush"]
    await pressed(house, "Undo")
    assert len(await plans(house)) == 12


@pytest.mark.parametrize("how", ["pressed", "Stop all", "stop all"])
async def test_what_has_another_time_since_it_was_asked_of_a_day_goes_on(house: House, how: str) -> None:
    await said(house, "remind me tomorrow at 9 to rest")
    await said(house, "remind me tomorrow at 10 to run")
    await said(house, "cancel everything for tomorrow")
    assert labels(house) == ["rest", "run", "call Oma", "Stop all"]
    if how == "pressed":
        asked = house.button("Stop all")
        await said(house, "move rest to Sunday")
        await house.press("Stop all", data=asked)
        await house.work()
        assert await plans(house) == ["stretch", "rest"]
    else:
        await said(house, how)
        assert await plans(house) == ["stretch"]


async def test_that_all_have_another_time_by_now_is_no_end_of_theirs(house: House) -> None:
    await said(house, "remind me tomorrow at 9 to rest")
    await said(house, "cancel everything for tomorrow")
    asked = house.button("Stop all")
    await said(house, "move rest to Sunday")
    await said(house, "move oma to Sunday")
    before = len(house.shown())
    await house.press("Stop all", data=asked)
    await house.work()
    assert [sent.text for sent in house.shown()][before:] == ["Nothing was stopped."]


@pytest.mark.parametrize("text", ["stop all", "Stop 3 of 3", "Alle streichen"])
async def test_what_is_on_no_button_but_might_be_is_told_that_nothing_has_happened(house: House, text: str) -> None:
    await said(house, "remind me tomorrow at 9 to rest")
    await said(house, "remind me every day at 11 to brush")
    await said(house, "cancel everything for tomorrow")
    assert labels(house)[-1] == "Stop 2 of 3"
    assert await said(house, text) == PRESS
    assert await plans(house) == ["call Oma", "stretch", "rest", "brush"]
    await pressed(house, "Stop 2 of 3")
    assert await plans(house) == ["stretch", "brush"]


@pytest.mark.parametrize("again", ["stop all", "Stop all"])
async def test_what_is_on_two_buttons_is_neither(house: House, again: str) -> None:
    await said(house, f"remind me tomorrow at 9 to {again}")
    await said(house, "cancel everything for tomorrow")
    before = await plans(house)
    assert await said(house, "Stop all") == PRESS
    assert await plans(house) == before


async def test_that_more_are_called_so_than_there_are_buttons_is_said(house: House) -> None:
    for number in range(9):
        await said(house, f"remind me tomorrow at 9:0{number} to call {number}")
    for text in ("/cancel call", "move call to 6pm", "/skip call"):
        assert await said(house, text) == "Which one?\n… and 2 more"
    assert len(labels(house)) == 8


async def test_where_nothing_is_scheduled_that_is_said(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await home(await make_database("sqlite"), tmp_path)
    assert "Nothing is scheduled" in await said(house, "cancel all reminders")


@pytest.mark.parametrize("stop", [("cancel all reminders", "yes"), ("/cancel brush",)])
async def test_what_another_had_put_off_of_a_series_comes_again_with_it(
    make_database: DatabaseMaker, tmp_path: Path, stop: tuple[str, ...]
) -> None:
    house = await group(await make_database("sqlite"), tmp_path)
    theirs = {"sender": FRIEND, "addressed": True, **GROUP}
    await said(house, "/remind everybody every day at 15:00 to brush", **theirs)
    await passes(house, 3_600)
    posted = house.shown(GROUP["chat"])[-1].platform_id
    await said(house, "tomorrow at 15:00", reply_to=posted, **GROUP)
    to_come = "SELECT person_id, next_at FROM trigger WHERE ended_at IS NULL ORDER BY person_id, next_at"
    as_it_was = await house.rows(to_come)
    assert len(as_it_was) == 2
    for line in stop:
        await said(house, line, **theirs)
    assert await house.rows(to_come) == []
    await said(house, "/undo", **theirs)
    assert await house.rows(to_come) == as_it_was


@pytest.mark.databases("sqlite", "postgres")
@pytest.mark.parametrize("stop", [("cancel all reminders", "yes"), ("/cancel pills",)])
async def test_what_was_repeated_until_it_is_done_is_repeated_again(
    database: Database, tmp_path: Path, stop: tuple[str, ...]
) -> None:
    house = await home(database, tmp_path)
    await said(house, "remind me every day at 15:00 to take pills until done")
    await passes(house, 2_810)
    for line in stop:
        await said(house, line)
    assert await plans(house) == []
    await said(house, "/undo")
    await passes(house, 600)
    assert house.shown()[-1].text == "⏰ take pills\n(once more, 1 of 3)"
    await pressed(house, "Done")
    for line in (*stop, "/undo"):
        await said(house, line)
    assert await plans(house) == ["take pills"]

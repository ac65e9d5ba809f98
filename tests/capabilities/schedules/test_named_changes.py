"""What is scheduled is moved and cancelled by free text: by its name, or by the day or the clock that it is due at."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.ports import Database
from tests.commanding import home, labels, pressed, said
from tests.conftest import DatabaseMaker
from tests.fakes import House
from tests.fakes import house as build

pytestmark = pytest.mark.databases("sqlite")

# START is Monday 21 September 2026, 14:13:20 UTC.


@pytest.fixture
async def house(make_database: DatabaseMaker, tmp_path: Path) -> House:
    house = await home(await make_database("sqlite"), tmp_path)
    await said(house, "remind me tomorrow at 5pm to call Oma")
    await said(house, "remind me on Friday at 7am to stretch")
    return house


async def plans(house: House) -> list[object]:
    return await house.column("SELECT text FROM trigger WHERE state = 'active' ORDER BY next_at")


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("move call Oma to 6pm", "Tue 22 Sep 18:00"),
        ("push the call Oma reminder to Thursday", "Thu 24 Sep 17:00"),
        ("move tomorrow's reminder to Wednesday at 9am", "Wed 23 Sep 09:00"),
        ("change my 5pm alarm to 4pm", "Tue 22 Sep 16:00"),
        ("please reschedule Friday's alarm to saturday", "Sat 26 Sep 07:00"),
    ],
)
async def test_it_is_moved(house: House, text: str, moment: str) -> None:
    assert moment in await said(house, text)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("把call Oma推迟半小时", "Tue 22 Sep 17:30"),
        ("把call Oma往后推两个小时吧", "Tue 22 Sep 19:00"),
        ("明天的提醒推迟一天", "Wed 23 Sep 17:00"),
        ("把call Oma的提醒提前一个半小时", "Tue 22 Sep 15:30"),
        ("明天的提醒提前1天", "Mon 21 Sep 17:00"),
        ("postpone call Oma by half an hour", "Tue 22 Sep 17:30"),
        ("push tomorrow's reminder back an hour", "Tue 22 Sep 18:00"),
        ("make call Oma 30 minutes earlier", "Tue 22 Sep 16:30"),
        ("bring call Oma forward by an hour", "Tue 22 Sep 16:00"),
        ("verschieb call Oma um zwei Stunden", "Tue 22 Sep 19:00"),
        ("zieh call Oma um eine Stunde vor", "Tue 22 Sep 16:00"),
    ],
)
async def test_it_is_put_off_from_when_it_was_due(house: House, text: str, moment: str) -> None:
    assert moment in await said(house, text)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("push it back an hour", "Fri 25 Sep 08:00"),
        ("10 minutes later", "Fri 25 Sep 07:10"),
        ("make it an hour earlier", "Fri 25 Sep 06:00"),
        ("in 10 minutes", "Mon 21 Sep 14:23"),
        ("verschiebe es um eine Stunde", "Fri 25 Sep 08:00"),
        ("推迟半小时", "Fri 25 Sep 07:30"),
        ("把它提前一小时", "Fri 25 Sep 06:00"),
        ("move the reminder to 8am", "Fri 25 Sep 08:00"),
        ("push it to saturday", "Sat 26 Sep 07:00"),
        ("verschieb die Erinnerung auf 18 Uhr", "Fri 25 Sep 18:00"),
        ("把提醒改到早上八点", "Fri 25 Sep 08:00"),
        ("提醒推迟十分钟", "Fri 25 Sep 07:10"),
    ],
)
async def test_what_was_just_set_need_not_be_named(house: House, text: str, moment: str) -> None:
    assert moment in await said(house, text)


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("set an alarm for 5pm", "move the alarm to 6pm"),
        ("Wecker auf 17 Uhr", "verschieb den Wecker auf 18 Uhr"),
        ("下午五点的闹钟", "闹钟改到下午六点"),
    ],
)
async def test_an_alarm_is_moved_by_that_word(house: House, before: str, text: str) -> None:
    await said(house, before)
    assert "18:00" in await said(house, text)


async def test_what_comes_again_is_not_put_off_by_a_length(house: House) -> None:
    await said(house, "remind me every day at 8 to drink")
    assert "When" in await said(house, "把drink推迟半小时")
    assert await house.column("SELECT text FROM trigger WHERE text = 'drink' AND state = 'active'") == ["drink"]


async def test_earlier_than_now_is_asked_about(house: House) -> None:
    assert "in the past" in await said(house, "把call Oma提前3天")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("cancel tomorrow's reminder", "stretch"),
        ("turn off my 7am alarm", "call Oma"),
        ("don't wake me on friday", "call Oma"),
        ("cancel everything for tomorrow", "stretch"),
        ("delete the reminder at 5", "stretch"),
    ],
)
async def test_what_is_due_then_is_cancelled(house: House, text: str, left: str) -> None:
    await said(house, text)
    assert await plans(house) == [left]


async def test_of_several_that_are_due_then_it_is_asked_which(house: House) -> None:
    await said(house, "remind me tomorrow at 9am to water the plants")
    await said(house, "cancel tomorrow's reminders")
    assert {"call Oma", "water the plants"} <= set(labels(house))
    await pressed(house, "water the plants")
    assert await plans(house) == ["call Oma", "stretch"]
    await said(house, "remind me tomorrow at 9am to water the plants")
    await said(house, "move tomorrow's reminders to thursday")
    await pressed(house, "call Oma")
    assert await plans(house) == ["water the plants", "call Oma", "stretch"]


async def test_of_several_with_a_name_the_one_that_is_picked_is_moved_at_once(house: House) -> None:
    await said(house, "remind me on Saturday to call Bob")
    await said(house, "move call to sunday 11am")
    await pressed(house, "call Bob")
    assert "Sun 27 Sep 11:00" in await said(house, "/tasks")


@pytest.mark.parametrize("text", ["cancel thursday's reminder", "turn off the 8am alarm", "move 8am alarm to 9am"])
async def test_where_nothing_is_due_then_that_is_said(house: House, text: str) -> None:
    assert "Nothing is due here then" in await said(house, text)
    assert await plans(house) == ["call Oma", "stretch"]


async def test_with_a_model_only_what_is_surely_meant_is_moved(database: Database, tmp_path: Path) -> None:
    house = await build(database, tmp_path / "house", lambda request: "Hm.")
    await said(house, "remind me tomorrow at 5pm to call Oma")
    assert await said(house, "move the sofa to tomorrow") == "Hm."
    assert "18:00" in await said(house, "move call Oma to 6pm")


async def test_where_nothing_waits_that_could_be_put_off_that_is_said(house: House) -> None:
    await said(house, "add milk to my list")
    assert "No reminder is waiting" in await said(house, "snooze it until tomorrow")
    assert await plans(house) == ["call Oma", "stretch"]


async def test_a_clock_of_another_zone_is_that_of_the_zone(house: House) -> None:
    assert "Tue 22 Sep 22:00" in await said(house, "move call Oma to 6pm EST")
    assert "07:30" in await said(house, "send me a brief at 7:30am")
    assert "07:30" not in await said(house, "send me a brief at 7:30am EST")


async def test_of_what_comes_again_the_day_that_is_named_may_be_meant_alone(house: House) -> None:
    await said(house, "remind me every day at 8pm to take the pills")
    await said(house, "/brief 7")
    assert "comes again" in await said(house, "cancel today's reminder")
    assert labels(house) == ["That time alone", "Stop all of it"]
    await pressed(house, "That time alone")
    assert "take the pills" in await plans(house)
    assert "Tue 22 Sep 20:00" in await said(house, "/tasks")
    await said(house, "cancel everything for wednesday")
    assert "No brief" not in await said(house, "/brief")


async def test_what_comes_again_is_moved_to_no_other_zone_and_what_comes_once_to_one_day(house: House) -> None:
    await said(house, "remind me every day at 8pm to take the pills")
    await said(house, "move take the pills to 3pm EST")
    assert await house.column("SELECT kind FROM trigger WHERE text = 'take the pills'") == ["rule"]
    assert "Fri 25 Sep" in await said(house, "move stretch to the last friday of the month")
    assert await house.column("SELECT kind FROM trigger WHERE text = 'stretch'") == ["once"]


@pytest.mark.parametrize("text", ["Lösch Oma anrufen", "delete Oma anzurufen", "删除Oma anrufen"])
async def test_what_is_deleted_may_be_scheduled_where_no_item_is_called_so(house: House, text: str) -> None:
    await said(house, "Erinnere mich am Donnerstag um 9 daran, Oma anzurufen")
    await said(house, text)
    assert await plans(house) == ["call Oma", "stretch"]
    await said(house, "Erinnere mich am Donnerstag um 9 daran, Oma anzurufen")
    await said(house, "/todo Oma anrufen")
    await said(house, text)
    assert await plans(house) == ["call Oma", "Oma anzurufen", "stretch"]
    assert not await house.column("SELECT content FROM todo WHERE state = 'open'")


@pytest.mark.parametrize(
    ("series", "text", "named"),
    [
        ("remind me every day at 17:00 to practise piano", "cancel everything for tomorrow", "piano"),
        ("remind me every day at 17:00 to practise piano", "cancel my reminder for tomorrow", "piano"),
        ("每天下午5点提醒我喂猫", "取消明天的所有提醒", "喂猫"),
    ],
)
async def test_what_comes_today_and_then_is_due_then(house: House, series: str, text: str, named: str) -> None:
    await said(house, "/cancel call Oma")
    await said(house, series)
    answer = await said(house, text)
    assert named in answer
    assert len(labels(house)) == 1
    await pressed(house, labels(house)[0])
    assert await plans(house) == ["stretch"]


async def test_beside_what_comes_then_next_it_is_among_what_is_asked_about(house: House) -> None:
    await said(house, "remind me every day at 17:00 to practise piano")
    await said(house, "remind me tomorrow at 9 to wake up")
    await said(house, "cancel everything for tomorrow")
    assert {"practise piano", "wake up"} <= set(labels(house))
    await pressed(house, "practise piano")
    assert "practise piano" in await plans(house)
    assert "Skip next" in labels(house)

"""What may be meant in two ways: the likely one is done, the other is a button; and whom a bare name means."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.ports import Database
from core.kernel.types import Attachment
from core.language.short_texts import wait_of
from tests.commanding import GROUP, friend, group, home, labels, pressed, said
from tests.conftest import DatabaseMaker
from tests.fakes import House

pytestmark = pytest.mark.databases("sqlite")

# START is Monday 21 September 2026, 14:13:20 UTC.
WHAT = "What shall I remind you of?"


@pytest.fixture
async def house(make_database: DatabaseMaker, tmp_path: Path) -> House:
    return await home(await make_database("sqlite"), tmp_path)


async def knows_bob(house: House) -> House:
    await said(house, "hello", **friend())
    await said(house, "/contacts add Bob tg:2")
    return house


@pytest.mark.parametrize("text", ["remind Bob at 9", "/remind Bob at 9", "/remind bob at 9"])
async def test_a_known_name_with_a_time_is_whom_to_remind(database: Database, tmp_path: Path, text: str) -> None:
    house = await knows_bob(await home(database, tmp_path))
    assert await said(house, text) == WHAT
    assert await house.column("SELECT count(*) FROM trigger") == [0]
    assert "\n⏰ Bob: Mon 21 Sep 21:00" in await said(house, "send the report")


async def test_in_a_group_it_is_so_as_well(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "hello", **friend())
    await said(house, "/contacts add Bob tg:2", **GROUP)
    assert await said(house, "/remind Bob tomorrow", **GROUP) == WHAT


async def test_a_thing_with_a_time_is_what_to_be_reminded_of(database: Database, tmp_path: Path) -> None:
    house = await knows_bob(await home(database, tmp_path))
    assert (await said(house, "/remind Milk at 9")).endswith(": Milk")
    assert (await said(house, "/remind Bob and Milk at 9")).endswith(": Bob and Milk")


async def test_the_midnight_that_ends_a_day_is_a_button(house: House) -> None:
    assert "Tue 22 Sep 00:00" in await said(house, "remind me tomorrow at midnight to sleep")
    assert labels(house)[0] == "Wed 23 Sep 00:00"
    assert "Tue 22 Sep 00:00" in await said(house, "remind me tonight at midnight to sleep")
    assert labels(house)[0] == "Change"


@pytest.mark.parametrize(
    ("text", "early"),
    [
        ("remind me every day at 2:30 to stretch", "02:30"),
        ("/every day at 5 stretch", "05:00"),
        ("/every weekday at 6 stretch", "06:00"),
        ("每天3点提醒我伸展", "03:00"),
    ],
)
async def test_what_comes_every_day_in_the_afternoon_can_be_early_instead(house: House, text: str, early: str) -> None:
    answer = await said(house, text)
    assert early not in answer
    assert labels(house)[0] == early
    await pressed(house, early)
    moved = house.shown("1")[-1].text
    assert early in moved
    assert "every " in moved or "每" in moved
    assert await house.column("SELECT count(*) FROM trigger WHERE state = 'active'") == [1]


async def test_what_may_be_of_this_month_alone_can_be_that_instead(house: House) -> None:
    assert "the last Friday of the month" in await said(house, "remind me on the last friday of the month to report")
    assert labels(house)[0] == "Fri 25 Sep 09:00"
    await pressed(house, "Fri 25 Sep 09:00")
    assert "of the month" not in house.shown("1")[-1].text
    assert await house.column("SELECT kind FROM trigger WHERE state = 'active'") == ["once"]
    assert "Fri 25 Sep" not in " ".join(labels(house))
    await said(house, "remind me every first of the month to pay")
    assert labels(house)[0] == "Change"


async def test_in_a_group_as_well(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/remind everybody every day at 5 to stretch", **GROUP)
    assert labels(house, "-5")[0] == "05:00"


@pytest.mark.parametrize("text", ["/every day at 9 stretch", "/every day at 5pm stretch", "/every 2 hours stretch"])
async def test_what_can_be_but_one_time_of_day_offers_no_other(house: House, text: str) -> None:
    await said(house, text)
    assert labels(house)[0] == "Change"


@pytest.mark.parametrize("text", ["time zone in france", "what is the time zone in Japan?", "timezone of Berlin"])
async def test_a_question_about_a_zone_changes_none(house: House, text: str) -> None:
    await said(house, text)
    assert (await said(house, "what time is it?")).endswith("(UTC).")


async def test_it_is_answered_where_the_place_is_known(house: House) -> None:
    assert await said(house, "time zone in Japan") == "It is 23:13 (Japan)."


@pytest.mark.parametrize("text", ["remind me to call Bob 9 tonight", "remind me tomorrow first thing to call Bob"])
async def test_a_time_that_was_not_read_whole_is_asked_for(house: House, text: str) -> None:
    assert (await said(house, text)).startswith("When exactly?")
    assert await house.column("SELECT count(*) FROM trigger") == [0]


async def test_a_day_of_both_names_is_looked_for_in_later_months(house: House) -> None:
    assert "Fri 13 Nov 09:00" in await said(house, "remind me on Friday the 13th to hide")


@pytest.mark.parametrize("text", ["don't bother me from 9 to 5", "/quiet from 9 to 5"])
async def test_quiet_hours_that_may_be_by_day_offer_these(house: House, text: str) -> None:
    assert "21:00-05:00" in await said(house, text)
    assert labels(house) == ["09:00-17:00", "Undo"]
    assert "09:00-17:00" in await pressed(house, "09:00-17:00")


@pytest.mark.parametrize(("hours", "shown"), [("from 10 to 12", "10:00-12:00"), ("from 10 to 7", "22:00-07:00")])
async def test_quiet_hours_that_are_plain_offer_nothing_else(house: House, hours: str, shown: str) -> None:
    assert shown in await said(house, f"/quiet {hours}")
    assert labels(house) == ["Undo"]


@pytest.mark.parametrize(
    ("text", "wait"),
    [
        ("snooze 10", "10m"),
        ("snooze for 1 hour", "1 hour"),
        ("give me 10 minutes", "10 minutes"),
        ("for an hour", "an hour"),
        ("let me sleep 10 more minutes", "10 more minutes"),
        ("noch 10 Minuten schlummern", "10 Minuten"),
        ("再睡十分钟", "十分钟"),
        ("十分钟后再说", "十分钟后"),
        ("schlummern", ""),
        ("morgen nochmal", "morgen"),
        ("snooze for Friday", ""),
        ("snooze the alarm", ""),
        ("give me a break", ""),
        ("in 5-10 minutes", ""),
    ],
)
def test_how_long_a_reminder_shall_wait_is_read_beside_the_words_for_it(text: str, wait: str) -> None:
    assert wait_of(text) == wait


async def test_what_was_to_stand_on_a_calendar_is_said_to_be_a_reminder(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    told = await said(house, "put the dentist on my calendar for friday at 3pm")
    assert "Fri 25 Sep 15:00" in told
    assert "I keep no calendar" in told
    assert "calendar" not in await said(house, "remind me on friday at 3pm to see the dentist")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("/every weekday at 8:30 except holidays: stand-up", "every weekday at 08:30 except holidays (Berlin)"),
        ("remind me every weekday at 8:30 except on public holidays to stand up", "08:30 except holidays (Berlin)"),
        ("erinnere mich jeden Werktag um 8:30 außer an Feiertagen ans Standup", "08:30 except holidays (Berlin)"),
        ("每个工作日早上8:30（节假日除外）提醒我开会", "08:30 except holidays (Berlin)"),
    ],
)
async def test_holidays_are_left_out_and_said_so(house: House, text: str, shown: str) -> None:
    await said(house, "/timezone Berlin")
    assert shown in await said(house, text)
    assert '"without":"DE"' in str(await house.column("SELECT spec FROM trigger"))
    moved = await said(house, "make it 10")
    assert "10:00" in moved
    assert '"without":"DE"' in str(await house.column("SELECT spec FROM trigger WHERE state = 'active'"))


async def test_where_no_holidays_are_known_it_is_said_what_to_do(house: House) -> None:
    assert "/timezone Berlin" in await said(house, "remind me every weekday at 9 except holidays to stand up")
    assert await house.column("SELECT id FROM trigger") == []


@pytest.mark.parametrize(
    ("words", "files", "text"),
    [
        ("remind me tomorrow at 9 about this", [("document", "rent*.pdf")], "rent\\*.pdf"),
        ("erinnere mich morgen um 9 daran", [("photo", "")], "photo"),
        ("remind me tomorrow at 9 about it", [("document", "a.txt"), ("photo", "")], "a.txt, photo"),
        ("remind me tomorrow at 9 about this letter", [("document", "a.txt")], "this letter"),
        ("remind me tomorrow at 9 about this", [], "this"),
    ],
)
async def test_this_beside_a_file_is_the_file(
    database: Database, tmp_path: Path, words: str, files: list[tuple[str, str]], text: str
) -> None:
    house = await home(database, tmp_path)
    sent = tuple(Attachment(kind=kind, file=f"f{n}", name=name) for n, (kind, name) in enumerate(files))
    assert (await said(house, words, attachments=sent)).splitlines()[0].endswith(f": {text}")

"""Commands understand what the sentences understand, and say what may have been meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.ports import Database
from tests.commanding import FRIEND, GROUP, GUEST, friend, group, home, labels, pressed, said
from tests.conftest import DatabaseMaker
from tests.fakes import House

pytestmark = pytest.mark.databases("sqlite")


@pytest.fixture
async def house(make_database: DatabaseMaker, tmp_path: Path) -> House:
    return await home(await make_database("sqlite"), tmp_path)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("/quiet from 22 to 7", "🌙 22:00-07:00:"),
        ("/quiet 10pm-7am", "🌙 22:00-07:00:"),
        ("/quiet 晚上10点到早上7点", "🌙 22:00-07:00:"),
        ("/quiet whenever I sleep", "Write for example /quiet"),
        ("/brief 7", "⏰ every day at 07:00 (UTC)"),
        ("/brief 25", "Write when I shall tell you"),
        ("/every 8:00 pills", "⏰ every day at 08:00 (UTC), next Tue 22 Sep: pills"),
        ("/every 8am pills", "⏰ every day at 08:00 (UTC), next Tue 22 Sep: pills"),
        ("/every 9 pills", "Write how often"),
        ("/timezone CET", "Time zone: Europe/Berlin."),
        ("/timezone UTC+2", "Time zone: UTC+2."),
        ("/timezone utc-5", "Time zone: UTC-5."),
        ("/timezone UTC+99", "I don't know the place UTC+99."),
    ],
)
async def test_a_command_reads_what_people_write(house: House, text: str, answer: str) -> None:
    assert (await said(house, text)).startswith(answer)


async def test_an_offset_is_a_zone_of_its_own(house: House) -> None:
    await said(house, "/timezone UTC+2")
    answer = await said(house, "/remind in 20 minutes to stretch")
    assert answer == "⏰ Mon 21 Sep 16:33 (UTC+2), in 20 min: stretch"


async def test_a_command_of_nearly_this_name_is_offered(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    answer = await said(house, "/reminder tomorrow at 9 call Oma")
    assert answer == "I don't know /reminder. Did you mean /remind?"
    assert (await pressed(house, "/remind")).startswith("⏰ Tue 22 Sep 09:00 (UTC), in 18 h 47 min: call Oma")
    assert await said(house, "/list") == "I don't know /list. Did you mean /todo?"
    assert await said(house, "/xyzzy") == "I don't know /xyzzy. /help shows what works."


async def test_nobody_is_offered_a_command_that_they_may_not_use(house: House) -> None:
    assert "/invite?" in await said(house, "/invit")
    assert "/invite" not in await said(house, "/invit", **friend())


# What is scheduled, by its name.


@pytest.mark.parametrize("words", ["until 1 December", "till 1.12.", "直到12月1日"])
async def test_something_rests_until_a_day_by_its_name(house: House, words: str) -> None:
    await said(house, "/every weekday at 9:30 stand-up")
    assert "next Tue 1 Dec: stand-up" in await said(house, f"/pause stand-up {words}")


async def test_words_that_only_look_like_an_end_are_part_of_a_name(house: House) -> None:
    await said(house, "/every 每天9点看到新消息")
    assert (await said(house, "/pause 看到新消息")).startswith("Until when shall it rest?")


@pytest.mark.parametrize("command", ["/pause", "/move"])
async def test_who_may_not_change_it_is_not_asked_for_a_time(database: Database, tmp_path: Path, command: str) -> None:
    house = await group(database, tmp_path)
    await said(house, "/every weekday at 9:30 stand-up", **GROUP)
    refusal = "Only whoever made it, an administrator of this group or my owner may do that."
    assert await said(house, f"{command} stand-up", sender=GUEST, **GROUP) == refusal
    assert refusal not in await said(house, f"{command} stand-up", **GROUP)


# What there is to forget.


async def test_the_question_names_all_that_goes(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    for text in ("/remind tomorrow at 9 call Oma", "/todo milk", "/todo bread", "/contacts add Bob tg:2"):
        await said(house, text)
    question = await said(house, "/forget")
    assert ", 1 reminder or other thing scheduled, 2 open to-dos, 2 contacts and the texts of" in question
    assert " acts in my record), with questions" in question
    assert " file" not in question
    await said(house, "/todo plates", **GROUP)
    assert ", 1 to-do you noted, what I know of you as a contact and the texts of" in await said(
        house, "/forget", **GROUP
    )
    assert labels(house, "-5") == ["Forget my words", "Keep"]
    assert "to-do" not in await said(house, "/forget", sender=FRIEND, **GROUP)
    await said(house, "/language zh")
    assert "、1 项提醒和其他安排、2 项未完成的待办、2 个联系人和" in await said(house, "/forget")

"""What two languages read differently is asked, with a button for each reading that says all that it would do."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.ports import Database
from tests.commanding import GROUP, group, home, labels, pressed, said
from tests.conftest import DatabaseMaker
from tests.fakes import House

# START is Monday 21 September 2026, 14:13:20 UTC. To English 3.05 is the third of May, to German a clock.
BOTH = "timer 3.05"
ASKED = {
    "en": "That can be read in two ways. Which one is meant?",
    "de": "Das lässt sich auf zwei Arten lesen. Was ist gemeint?",
    "zh": "这句话有两种读法，你是指哪一种？",
}
TIMES = "SELECT text, kind FROM trigger WHERE kind = 'reminder'"


@pytest.fixture
async def house(make_database: DatabaseMaker, tmp_path: Path) -> House:
    return await home(await make_database("sqlite"), tmp_path)


@pytest.mark.parametrize(
    ("language", "buttons"),
    [
        ("en", ["Remind: timer, Mon 3 May 2027 09:00", "Remind: Timer, Tue 22 Sep 2026 03:05"]),
        ("de", ["Erinnern: Timer, Di. 22. Sept. 2026 03:05", "Erinnern: timer, Mo. 3. Mai 2027 09:00"]),
        ("zh", ["提醒：timer，2027年5月3日（周一）09:00", "提醒：Timer，2026年9月22日（周二）03:05"]),
    ],
)
async def test_two_times_are_asked_about_the_one_of_who_speaks_first(
    database: Database, tmp_path: Path, language: str, buttons: list[str]
) -> None:
    house = await home(database, tmp_path)
    await said(house, f"/language {language}")
    assert await said(house, BOTH) == ASKED[language]
    assert labels(house) == buttons
    assert await house.column("SELECT text FROM trigger") == []
    assert buttons[1][-5:] in await pressed(house, buttons[1])
    assert len(await house.column("SELECT text FROM trigger")) == 1


@pytest.mark.parametrize(("language", "text"), [("de", "Timer"), ("en", "bitte")])
async def test_where_both_wish_the_same_for_the_same_time_the_language_of_who_speaks_counts(
    house: House, language: str, text: str
) -> None:
    await said(house, f"/language {language}")
    await said(house, "timer 10 min bitte")
    assert await house.column("SELECT text FROM trigger") == [text]


async def test_it_is_asked_where_neither_is_the_language_of_who_speaks(house: House) -> None:
    await said(house, "/language zh")
    assert await said(house, "timer 10 min bitte") == ASKED["zh"]
    assert labels(house) == ["提醒：bitte，2026年9月21日（周一）14:23", "提醒：Timer，2026年9月21日（周一）14:23"]


@pytest.mark.databases("sqlite")
async def test_a_group_is_asked_as_well_and_one_press_does_it(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    assert await said(house, BOTH, **GROUP) == ASKED["en"]
    await pressed(house, "Remind: timer, Mon 3 May 2027 09:00", chat=GROUP["chat"])
    assert await house.column("SELECT text FROM trigger") == ["timer"]


async def test_what_means_the_same_in_both_is_not_asked(house: House) -> None:
    assert "milk" in await said(house, "todo: milk")
    assert await house.column("SELECT content FROM todo") == ["milk"]

"""The time and the date are told without a model, also where there is one; what is no place has no clock."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.ports import Database
from tests.commanding import home, said
from tests.conftest import DatabaseMaker
from tests.fakes import House
from tests.fakes import house as build

pytestmark = pytest.mark.databases("sqlite")

# START is Monday 21 September 2026, 14:13:20 UTC.


@pytest.fixture
async def house(make_database: DatabaseMaker, tmp_path: Path) -> House:
    return await home(await make_database("sqlite"), tmp_path)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("what time is it?", "It is 14:13 (UTC)."),
        ("whats the time in tokyo rn", "It is 23:13 (Tokyo)."),
        ("what's the date?", "Today is Monday 21 September 2026 (UTC)."),
        ("what day is it tomorrow", "Tuesday 22 September 2026"),
        ("what date is next monday", "Monday 28 September 2026, in 7 days"),
        ("what day is the 3rd of october?", "Saturday 3 October 2026"),
        ("which day is it in 10 days", "Thursday 1 October 2026"),
        ("what weekday is the 14th of february", "Sunday 14 February 2027"),
        ("how many days until christmas?", "Friday 25 December 2026, in 95 days"),
        ("wie lange noch bis Weihnachten?", "25 December 2026, in 95 days"),
        ("what day was the 20th of september 2026", "Sunday 20 September 2026"),
        ("what day was the 1st of september 2026", "Tuesday 1 September 2026, 20 days ago"),
        ("what week is it", "Today is Monday 21 September 2026, week 39 (UTC)."),
        ("what week is 24 december", "Thursday 24 December 2026 is in week 52."),
        ("how many days until tomorrow?", "Tuesday 22 September 2026"),
        ("这周是第几周", "week 39"),
    ],
)
async def test_it_is_told(house: House, text: str, told: str) -> None:
    assert told in await said(house, text)


async def test_a_zone_is_called_as_the_language_calls_its_town(house: House) -> None:
    await said(house, "/timezone Berlin")
    assert "(Berlin)" in await said(house, "what's the date?")
    await said(house, "/language zh")
    assert "（东京）" in await said(house, "/time tokyo")


async def test_a_day_that_is_none_is_said_to_be_none(house: House) -> None:
    assert await said(house, "what day is february 30") != ""
    assert "March" not in house.shown("1")[-1].text


async def test_a_model_is_not_asked_for_it_but_for_the_time_in_a_story(database: Database, tmp_path: Path) -> None:
    house = await build(database, tmp_path / "house", lambda request: "Hm.")
    assert "14:13" in await said(house, "what time is it?")
    assert await said(house, "what time is it in the story?") == "Hm."


async def test_german_has_its_own_names_for_towns_and_signs(database: Database, tmp_path: Path) -> None:
    house = await build(database, tmp_path / "house", model=False, language="de")
    assert "(Tokio)" in await said(house, "/time tokyo")
    assert "(Wien)" in await said(house, "/time Vienna")
    assert "(Berlin)" in await said(house, "/time Berlin")
    await said(house, "/language zh")
    assert "（洛杉矶）" in await said(house, "/time 洛杉矶")
    assert "（乌鲁木齐）" in await said(house, "/time 乌鲁木齐")

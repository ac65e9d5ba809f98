"""Reminders that come so long before something: they say when that is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commanding import home, said
from tests.conftest import DatabaseMaker

pytestmark = pytest.mark.databases("sqlite")
# It is Monday 21 September 2026, 14:13 UTC.


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        (
            "dentist tomorrow at 3, remind me an hour before",
            "⏰ Tue 22 Sep 14:00 (UTC), in 23 h 47 min: dentist (15:00)",
        ),
        (
            "remind me 2 days before mom's visit on 3 may",
            "1 May 2027 09:00 (UTC), in 222 d: mom's visit (Monday 3 May 2027)",
        ),
        (
            "flight on friday at 1am, remind me 3 hours before it",
            "⏰ Thu 24 Sep 22:00 (UTC), in 3 d: flight (Fri 25 Sep 01:00)",
        ),
        ("Zahnarzt morgen um 15 Uhr, erinnere mich eine Stunde vorher", "Zahnarzt (15:00)"),
        ("remind me the day after christmas to call Bob", "26 Dec 09:00 (UTC), in 96 d: call Bob"),
        ("明天下午三点看牙医，提前一小时提醒我", "看牙医 (15:00)"),
    ],
)
async def test_what_comes_ahead_of_something_says_when_that_is(
    make_database: DatabaseMaker, tmp_path: Path, line: str, answer: str
) -> None:
    house = await home(await make_database("sqlite"), tmp_path)
    assert answer in await said(house, line)


async def test_a_time_ahead_that_is_over_is_asked_for_anew(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await home(await make_database("sqlite"), tmp_path)
    answer = await said(house, "meeting at 15:00 today, remind me an hour before")
    assert "That is in the past" in answer
    assert "“meeting”" in answer

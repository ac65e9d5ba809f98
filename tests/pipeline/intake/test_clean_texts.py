"""What people write is kept without what cannot be seen or turns a line round, in whatever it becomes."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.ports import Database
from tests.commanding import home, said

pytestmark = pytest.mark.databases("sqlite")


async def test_a_reminder_is_read_back_and_posted_as_its_letters_say(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    answer = await said(house, "/remind in 5 minutes to open \u202egnp.exe\x07")
    assert answer.endswith("in 5 min: open gnp.exe")
    house.clock.advance(300)
    await house.sweep()
    assert house.shown()[-1].text == "⏰ open gnp.exe"


async def test_a_reminder_of_nothing_that_can_be_seen_is_asked_about(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    assert await said(house, "/remind in 5 minutes \u200b") == "What shall I remind you of?"
    assert (await said(house, "\u2060tea\u200b")).endswith("in 5 min: tea")
    assert await house.column("SELECT text FROM trigger") == ["tea"]


async def test_what_is_replied_to_is_cleaned_as_well(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/remind in 5 minutes", quoted="who brings\nthe \u202ecake?\x07")
    assert await house.column("SELECT text FROM trigger") == ["who brings\nthe cake?"]

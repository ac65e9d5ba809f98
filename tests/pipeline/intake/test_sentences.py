"""What stands behind the name of an app's own command, and begins with the name of one of ours, may be a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.ports import Database
from tests.commanding import home, said

pytestmark = pytest.mark.databases("sqlite")


@pytest.mark.parametrize(
    ("sentence", "answer"),
    [
        ("new reminder: tomorrow at 9 call Oma", "call Oma"),
        ("forget that my locker is 214", "Forgotten: “my locker is 214”"),
        ("cancel all reminders", "Stop all 2?"),
        ("move the dance to 23:00", "23:00"),
        ("stop the timer", "Nothing here is called “timer”"),
    ],
)
async def test_what_is_a_wish_by_itself_is_no_command_that_its_first_word_names(
    database: Database, tmp_path: Path, sentence: str, answer: str
) -> None:
    house = await home(database, tmp_path)
    for text in ("remind me at 22:00 to dance", "remind me at 22:30 to sing", "remember that my locker is 214"):
        await said(house, text)
    assert answer in await said(house, f"/{sentence}", sentence=sentence)


@pytest.mark.parametrize(
    ("sentence", "answer"),
    [
        ("help me move", "I'm Teller"),
        ("quiet 22-7", "22:00-07:00"),
        ("status of the project?", "All is well."),
        ("remind tomorrow at 9 call Oma", "call Oma"),
    ],
)
async def test_what_is_none_is_that_command_and_so_is_what_the_command_reads_by_itself(
    database: Database, tmp_path: Path, sentence: str, answer: str
) -> None:
    house = await home(database, tmp_path)
    assert answer in await said(house, f"/{sentence}", sentence=sentence)
    assert (await house.column("SELECT text FROM inbox ORDER BY id DESC LIMIT 1")) == [f"/{sentence}"]


@pytest.mark.parametrize("command", ["/new reminder: tomorrow at 9 call Oma", "/forget that my locker is 214"])
async def test_a_command_that_ends_what_there_is_does_nothing_with_words_behind_it(
    database: Database, tmp_path: Path, command: str
) -> None:
    house = await home(database, tmp_path)
    answer = await said(house, command)
    assert "othing" in answer
    assert house.shown()[-1].keyboard is None

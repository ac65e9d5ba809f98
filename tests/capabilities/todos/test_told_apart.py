"""Choices that look alike say what tells them apart; a list says how many there are."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.ports import Database
from tests.commanding import GROUP, group, home, labels, said
from tests.triggering import passes


async def test_to_dos_of_one_text_say_by_whom_and_until_when(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/help", **GROUP, sender="tg:7", handle="@bo")
    for line in ("call the plumber", "call the plumber for @bo", "call the plumber tomorrow"):
        await said(house, f"/todo {line}", **GROUP)
    await said(house, "/todo done plumber", **GROUP)
    assert labels(house, "-5") == [
        "call the plumber",
        "call the plumber (Name of tg:7)",
        "call the plumber (Tue 22 Sep)",
    ]


@pytest.mark.databases("sqlite")
async def test_long_texts_that_begin_alike_keep_what_tells_them_apart(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    for day in ("tomorrow", "on Friday"):
        await said(house, f"/todo send the very long report about the plumber and his invoices {day}")
    await said(house, "/todo done report")
    assert labels(house) == ["send the very long report … (Tue 22 Sep)", "send the very long report … (Fri 25 Sep)"]


async def test_reminders_of_one_text_say_when_they_were_due(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    for minutes in (1, 2):
        await said(house, f"/remind in {minutes} minutes to stretch")
    for _ in range(2):
        await passes(house, 61)
    house.clock.advance(5)
    await said(house, "/time")
    await said(house, "/done")
    assert labels(house) == ["stretch (Mon 21 Sep 14:15)", "stretch (Mon 21 Sep 14:14)"]


@pytest.mark.databases("sqlite")
async def test_what_is_scheduled_is_counted(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    for n in range(10, 20):
        await said(house, f"/remind in {n} hours to do {n}")
    assert (await said(house, "/tasks")).startswith("What is scheduled: 10 · page 1 of 2\n- ")


@pytest.mark.databases("sqlite")
async def test_in_a_group_a_reminder_for_another_says_who_asked(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/help", **GROUP, sender="tg:7", handle="@bo")
    await said(house, "/remind @bo in 1 minute to bring cake", **GROUP)
    await passes(house, 61)
    assert house.shown("-5")[-1].text == "⏰ [Name of tg:7](tg:7) (from Name of tg:1): bring cake"
    await said(house, "/remind me in 1 minute to bring tea", **GROUP)
    await passes(house, 61)
    assert house.shown("-5")[-1].text == "⏰ [Name of tg:1](tg:1): bring tea"


async def test_texts_that_differ_in_capitals_look_alike(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    for line in ("/todo Milk tomorrow", "add milk to the shopping list"):
        await said(house, line)
    await said(house, "/todo done milk")
    assert labels(house) == ["Milk (Tue 22 Sep)", "milk (Shopping)"]

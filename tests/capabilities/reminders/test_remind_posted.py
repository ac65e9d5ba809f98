"""Reminders that were posted: done, put off by a button or by words, and by whom."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.ports import Database
from tests.commanding import FRIEND, GROUP, group, home, labels, pressed, said
from tests.conftest import DatabaseMaker
from tests.fakes import House

pytestmark = pytest.mark.databases("sqlite")


async def due(house: House, text: str = "/remind in 1 minute to stretch", **where: str) -> None:
    """A reminder is set, and a minute later it is there."""
    await said(house, text, **where)
    house.clock.advance(60)
    await house.sweep()


async def open_ones(house: House) -> list[str]:
    return await house.column("SELECT state FROM reminder ORDER BY id")


async def test_done_by_its_button_shows_on_the_message_only(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await due(house)
    assert house.shown("1")[-1].text == "⏰ stretch"
    assert labels(house) == ["Done", "+10 min", "+1 h", "tomorrow"]
    before = len(house.shown("1"))
    await pressed(house, "Done")
    assert len(house.shown("1")) == before
    assert house.shown("1")[-1].text == "⏰ stretch\n✅ 14:14"
    assert await open_ones(house) == ["done"]


@pytest.mark.parametrize(("label", "at"), [("+10 min", "14:24"), ("+1 h", "15:14"), ("tomorrow", "Tue 22 Sep 09:00")])
async def test_put_off_by_its_buttons(make_database: DatabaseMaker, tmp_path: Path, label: str, at: str) -> None:
    house = await home(await make_database("sqlite"), tmp_path)
    await due(house)
    before = len(house.shown("1"))
    await pressed(house, label)
    assert len(house.shown("1")) == before
    assert at in house.shown("1")[-1].text


async def test_tomorrow_is_nine_where_the_person_is(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await home(await make_database("sqlite"), tmp_path)
    await said(house, "/timezone Tokyo")
    await due(house)
    await pressed(house, "tomorrow")
    assert "Tue 22 Sep 09:00" in house.shown("1")[-1].text


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("/done", "✅"),
        ("done!", "✅"),
        ("好了", "✅"),
        ("/snooze in 2 hours", "💤 Mon 21 Sep 16:14 — stretch"),
        ("in 2h", "💤 Mon 21 Sep 16:14 — stretch"),
        ("tomorrow at 8", "💤 Tue 22 Sep 08:00 — stretch"),
        ("半小时后", "💤 Mon 21 Sep 14:44 — stretch"),
    ],
)
async def test_answered_in_private_by_words(
    make_database: DatabaseMaker, tmp_path: Path, text: str, answer: str
) -> None:
    house = await home(await make_database("sqlite"), tmp_path)
    await due(house)
    found = await said(house, text)
    assert found.splitlines()[-1] == answer


async def test_in_a_group_the_reply_says_which_one(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await due(house, **GROUP)
    posted = house.shown("-5")[-1].platform_id
    assert (await said(house, "/done", **GROUP)).startswith("I don't see which reminder you mean")
    assert (await said(house, "/done", sender=FRIEND, reply_to=posted, **GROUP)) == (
        "That reminder is for somebody else."
    )
    assert await open_ones(house) == ["open"]
    assert "✅" in await said(house, "/done", reply_to=posted, **GROUP)
    assert await open_ones(house) == ["done"]


async def test_what_is_over_or_no_time_is_not_a_new_time(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await home(await make_database("sqlite"), tmp_path)
    await due(house)
    assert (await said(house, "/snooze 27.11.2020 17:00")).startswith("That is over already.")
    assert (await said(house, "/snooze banana")).startswith("Write when it shall come again")
    assert (await said(house, "/snooze every day at 9")).startswith("Write when it shall come again")
    assert (await said(house, "/snooze")).startswith("When shall it come again?")
    assert "💤" in await said(house, "in 10 minutes")


async def test_a_length_of_time_that_is_over_when_it_is_read_counts_from_then(
    make_database: DatabaseMaker, tmp_path: Path
) -> None:
    house = await home(await make_database("sqlite"), tmp_path)
    await due(house)
    long_ago = house.clock.now()
    house.clock.advance(7200)
    assert (await said(house, "/snooze 10m", sent_at=long_ago)).endswith("💤 Mon 21 Sep 16:24 — stretch")


async def test_of_an_unknown_reminder_that_is_said(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await home(await make_database("sqlite"), tmp_path)
    for text in ("/done r000000", "/snooze r000000 10m"):
        assert (await said(house, text)).startswith("I don't see which reminder you mean")
    for text in ("/done", "/snooze 10m"):
        assert "No reminder is waiting" in await said(house, text)

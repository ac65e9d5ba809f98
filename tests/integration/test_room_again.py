"""Room for one more reminder to somebody else: what was set aside has kept none when it is to come after all."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.ports import Database
from tests.commanding import FRIEND, pressed, said
from tests.fakes import House
from tests.integration.test_remind_others import befriend, family
from tests.triggering import passes

WAYS = ["cancelled", "moved"]
DAYS = 2 * 86_400


@pytest.fixture
async def house(database: Database, tmp_path: Path) -> House:
    made = await family(database, tmp_path)
    await befriend(made, FRIEND, "Bob")
    return made


async def _set(house: House, n: int) -> None:
    assert "⏰ Bob" in await said(house, f"/remind Bob tomorrow at 9:{n}0 to do thing {n}")


async def _set_aside(house: House, way: str) -> str:
    """Let the first one not come then; returns the button that takes that back."""
    if way == "cancelled":
        await said(house, "/cancel thing 0")
    else:
        await pressed(house, "Change")
        assert "30 Sep" in await said(house, "in 9 days")
    return house.button("Undo")


async def _come(house: House) -> int:
    """How many reminders come to Bob."""
    before = len(house.adapter.texts("2"))
    await passes(house, DAYS)
    return sum("thing" in text for text in house.adapter.texts("2")[before:])


@pytest.mark.parametrize("way", WAYS)
async def test_what_is_taken_back_finds_no_room_where_others_have_it(house: House, way: str) -> None:
    await _set(house, 0)
    undo = await _set_aside(house, way)
    for n in (1, 2, 3):
        await _set(house, n)
    assert "gets at most 3" in await pressed(house, "Undo", data=undo)
    assert await _come(house) == 3


@pytest.mark.parametrize("way", WAYS)
async def test_what_is_taken_back_comes_where_there_is_room(house: House, way: str) -> None:
    await _set(house, 0)
    undo = await _set_aside(house, way)
    for n in (1, 2):
        await _set(house, n)
    assert "Taken back" in await pressed(house, "Undo", data=undo)
    assert await _come(house) == 3

"""Room for one more reminder to somebody else: what was set aside has kept none when it is to come after all."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.ports import Database
from tests.capabilities.reminders.test_remind_others import befriend, family
from tests.commanding import FRIEND, labels, pressed, said
from tests.fakes import House
from tests.triggering import passes

pytestmark = pytest.mark.databases("sqlite")

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


@pytest.mark.parametrize(("code", "why"), [("en", "I can't reach"), ("zh", "联系不到")])
@pytest.mark.parametrize("way", WAYS)
async def test_who_was_muted_takes_nothing_back_that_reaches_nobody(
    house: House, way: str, code: str, why: str
) -> None:
    await said(house, f"/language {code}")
    await said(house, "/remind Bob in 1 minute to do thing 1")
    await _set(house, 0)
    if way == "cancelled":
        await said(house, "/cancel thing 0")
    else:
        await said(house, "in 9 days", reply_to=house.shown()[-1].platform_id)
    await passes(house, 61)
    (mute,) = (label for label in labels(house, "2") if "🔇" in label or "Mute" in label)
    await pressed(house, mute, chat="2", sender=FRIEND)
    assert why in await said(house, "/undo")


@pytest.mark.parametrize(("code", "over"), [("en", "Its time is over by now"), ("zh", "它的时间已经过了")])
async def test_what_was_cancelled_and_is_over_by_now_says_so(house: House, code: str, over: str) -> None:
    await said(house, f"/language {code}")
    await said(house, "/remind in 10 minutes to eat")
    await said(house, "/cancel eat")
    house.clock.advance(3_600)
    assert over in await said(house, "/undo")

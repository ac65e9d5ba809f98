"""Undo of a stop brings back what was to come again with it, as far as that is still wanted, and once."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.errors import SendUnsent
from core.kernel.ids import ref
from core.kernel.ports import Database
from tests.commanding import GROUP, group, home, pressed, said
from tests.fakes import FRIEND, Hitch, House
from tests.triggering import passes

pytestmark = pytest.mark.databases("sqlite")

AGAIN = ["once more, 1 of 3", "once more, 2 of 3", "once more, 3 of 3"]
STOPS = [("/cancel pills",), ("cancel all reminders", "yes")]


async def repeats(house: House, chat: str = "1", minutes: int = 60) -> list[str]:
    """Let time pass, and return which repeats came."""
    before = len(house.shown(chat))
    for _ in range(minutes // 10):
        await passes(house, 600)
    return [sent.text.rpartition("(")[2].rstrip(")") for sent in house.shown(chat)[before:] if "once more" in sent.text]


async def test_what_everybody_is_reminded_of_and_was_put_off_since_is_not_repeated(
    database: Database, tmp_path: Path
) -> None:
    house = await group(database, tmp_path)
    await said(house, "/remind everybody every day at 15:00 to brush until done", **GROUP)
    await passes(house, 2_810)
    posted = house.shown("-5")[-1].platform_id
    await said(house, "/cancel brush", **GROUP)
    undo = house.button("Undo", "-5")
    await said(house, "in 2 hours", reply_to=posted, addressed=True, **GROUP)
    await house.press("Undo", data=undo, chat="-5", chat_kind="group")
    await house.work()
    assert await repeats(house, "-5") == []
    assert await repeats(house, "-5", 70) == AGAIN[:1]


@pytest.mark.parametrize("undone", [True, False])
async def test_who_has_not_put_it_off_is_reminded_on(database: Database, tmp_path: Path, undone: bool) -> None:
    house = await group(database, tmp_path)
    await said(house, "/help", sender=FRIEND, **GROUP)
    await said(house, "/contacts add Bo tg:2", **GROUP)
    await said(house, "/remind me and Bo every day at 15:00 to brush until done", **GROUP)
    await passes(house, 2_810)
    posted = house.shown("-5")[-1].platform_id
    await said(house, "tomorrow at 15:00", reply_to=posted, addressed=True, **GROUP)
    for line in ("/cancel brush", "/undo") if undone else ():
        await said(house, line, **GROUP)
    assert await repeats(house, "-5") == AGAIN


async def test_what_comes_once_and_waits_to_be_sent_is_repeated(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "remind me at 15:00 to take pills until done")
    house.adapter.hitches.extend(Hitch(error=SendUnsent("no network", retry_after=60)) for _ in range(3))
    await passes(house, 2_810)
    await said(house, f"/cancel {ref('s', 1)}")
    await said(house, "/undo")
    assert await repeats(house) == AGAIN


async def test_what_is_long_over_is_not_repeated(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "remind me every day at 15:00 to take pills until done")
    await passes(house, 2_810)
    await said(house, "/cancel pills")
    await passes(house, 23 * 3_600)
    assert await said(house, "/undo") == "↩ Taken back: the end of “take pills”.\n⏰ Tue 22 Sep 15:00"
    assert await repeats(house, minutes=40) == []


@pytest.mark.parametrize("late", [5, 16, 150])
async def test_a_stop_that_is_taken_back_late_leaves_all_repeats(database: Database, tmp_path: Path, late: int) -> None:
    house = await home(database, tmp_path)
    await said(house, "remind me every day at 15:00 to take pills until done")
    await passes(house, 2_810)
    await passes(house, 300)
    await said(house, "/cancel pills")
    await passes(house, late * 60)
    await said(house, "/undo")
    assert await repeats(house) == AGAIN


@pytest.mark.parametrize("stop", STOPS)
@pytest.mark.parametrize("zone", ["America/New_York", "Asia/Tokyo", "Europe/Berlin"])
async def test_after_a_journey_a_series_and_what_was_put_off_until_it_come_once(
    database: Database, tmp_path: Path, stop: tuple[str, ...], zone: str
) -> None:
    house = await home(database, tmp_path)
    await said(house, "remind me every day at 15:00 to take pills")
    await passes(house, 2_810)
    await said(house, "tomorrow at 15:00", reply_to=house.shown()[-1].platform_id)
    for line in stop:
        await said(house, line)
    undo = house.button("Undo")
    await said(house, f"/timezone {zone}")
    await pressed(house, "Undo", data=undo)
    assert await said(house, "/tasks") == "What is scheduled: 1\n- Tue 22 Sep 15:00 ↻: take pills"
    before = len(house.shown())
    for _ in range(30):
        await passes(house, 3_600)
    assert [sent.text for sent in house.shown()[before:]] == ["⏰ take pills"]

"""What happens to a reminder between its time and its sending: it is not sent to whom it is no more for."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.ids import ref
from core.kernel.ports import Database
from core.kernel.timing.schedule import Interval
from core.scheduling import repository as triggers
from tests.commanding import GROUP, group, home, said
from tests.fakes import House
from tests.triggering import passes, trigger

pytestmark = pytest.mark.databases("sqlite")

CROWD = 45


async def due(house: House, seconds: float = 60) -> None:
    """Let time pass and what is due be queued, but nothing be sent."""
    house.clock.advance(seconds)
    await house.app.scheduler.due()


async def crowd(database: Database, folder: Path) -> House:
    """A group of more people than one message names."""
    house = await group(database, folder)
    for n in range(CROWD):
        await house.hear("/help", **GROUP, sender=f"tg:{1000 + n}")
    await house.work()
    return house


async def test_nobody_is_named_for_what_was_cancelled(database: Database, tmp_path: Path) -> None:
    house = await crowd(database, tmp_path)
    made = await trigger(house, "standup", chat="-5", everybody=True)
    await due(house)
    now, before = house.clock.now(), len(house.shown("-5"))
    assert await house.db.write(lambda tx: triggers.end(tx, made, "cancelled", now))
    await house.work()
    assert house.shown("-5")[before:] == []


async def test_of_several_times_that_wait_people_are_named_once(database: Database, tmp_path: Path) -> None:
    house = await crowd(database, tmp_path)
    every = Interval(seconds=3600, start=house.clock.now())
    await trigger(house, "standup", every, chat="-5", everybody=True)
    for _ in range(3):
        await due(house, 3600)
    before = len(house.shown("-5"))
    await house.work()
    assert len([sent for sent in house.shown("-5")[before:] if sent.text.endswith("↓")]) == 2


async def test_names_stand_before_what_they_are_named_for(database: Database, tmp_path: Path) -> None:
    house = await crowd(database, tmp_path)
    for text in ("AAA", "BBB"):
        await trigger(house, text, chat="-5", everybody=True)
    before = len(house.shown("-5"))
    await passes(house, 60)
    shown = [sent.text for sent in house.shown("-5")[before:]]
    kinds = ["names" if text.endswith("↓") else "AAA" if "AAA" in text else "BBB" for text in shown]
    assert kinds == ["names", "names", "AAA", "names", "names", "BBB"]


async def test_what_was_done_while_its_repeat_waited_is_not_repeated(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await trigger(house, until_done=True)
    await passes(house, 60)
    await due(house, 600)
    before = len(house.shown())
    await house.press("Done")
    await house.work()
    assert [sent.text for sent in house.shown()[before:] if "once more" in sent.text] == []


@pytest.mark.databases("sqlite", "postgres")
async def test_the_stop_of_what_was_snoozed_and_waits_can_be_taken_back(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await trigger(house)
    await passes(house, 60)
    await house.press("+10 min")
    await house.work()
    (snoozed,) = await house.column("SELECT id FROM trigger WHERE reminder_id IS NOT NULL")
    await due(house, 600)
    before = len(house.shown())
    assert "Stopped" in await said(house, f"/cancel {ref('s', snoozed)}")
    house.clock.advance(300)
    await said(house, "/undo")
    await house.work()
    assert [sent.text for sent in house.shown()[before:] if "call Oma" in sent.text and "late" in sent.text]


@pytest.mark.databases("sqlite", "postgres")
async def test_what_was_erased_is_not_sent_after_all(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    made = await trigger(house)
    await due(house)
    assert "Stopped" in await said(house, f"/cancel {ref('s', made)}")
    await house.db.write(lambda tx: tx.run("UPDATE outbox SET payload = NULL WHERE state = 'dead'"))
    await said(house, "/undo")
    assert await said(house, "/time")
    assert await house.column("SELECT count(*) FROM outbox WHERE state = 'new'") == [0]

"""Who has done what another was reminded of is said, and beside the time stands whose it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.ids import ref
from core.kernel.ports import Database
from tests.commanding import FRIEND, GROUP, GUEST, group, said
from tests.fakes import House
from tests.triggering import passes

pytestmark = pytest.mark.databases("sqlite")

NINA = f"Name of {GUEST}"


async def reminded(database: Database, tmp_path: Path, whom: str = "@nina") -> House:
    """A group in which a reminder for Nina, a guest, or others has come."""
    house = await group(database, tmp_path)
    await said(house, "/help", **GROUP, sender=GUEST, handle="@nina")
    await said(house, "/help", **GROUP, sender=FRIEND, handle="@bo")
    await said(house, f"/remind {whom} in 1 minute to bring cake", **GROUP)
    await passes(house, 61)
    return house


async def press(house: House, label: str, sender: str) -> str:
    """Press a button of the reminder; returns the last line of what it says then."""
    await house.press(label, chat="-5", sender=sender, chat_kind="group")
    await house.work()
    return next(sent.text for sent in house.shown("-5") if "bring cake\n" in sent.text).splitlines()[-1]


async def test_after_ok_the_name_stands_beside_the_time(database: Database, tmp_path: Path) -> None:
    house = await reminded(database, tmp_path)
    assert await press(house, "OK", GUEST) == f"✅ {NINA} 14:14"


async def test_who_asked_and_closes_it_is_named(database: Database, tmp_path: Path) -> None:
    house = await reminded(database, tmp_path)
    assert await press(house, "OK", "tg:1") == f"✅ {NINA} 14:14 · closed by Name of tg:1"


async def test_who_closes_it_for_several_is_named(database: Database, tmp_path: Path) -> None:
    house = await reminded(database, tmp_path, "@nina and @bo")
    last = await press(house, "Done", "tg:1")
    assert last.startswith("2 of 2: ")
    assert last.endswith(" · closed by Name of tg:1")


async def test_what_one_does_oneself_names_nobody(database: Database, tmp_path: Path) -> None:
    house = await reminded(database, tmp_path, "me")
    assert await press(house, "Done", "tg:1") == "✅ 14:14"


async def test_the_to_do_that_another_ticks_closes_its_reminder_by_name(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/help", **GROUP, sender=GUEST, handle="@nina")
    await said(house, "/todo bring cake for @nina at 14:20", **GROUP)
    await passes(house, 600)
    await said(house, "/todo done bring cake", **GROUP, sender=FRIEND)
    shown = next(sent.text for sent in house.shown("-5") if sent.text.startswith("⏰") and "✅" in sent.text)
    assert shown.endswith(f" · closed by Name of {FRIEND}")


async def test_who_closed_it_is_still_named_when_another_wants_it_again(database: Database, tmp_path: Path) -> None:
    house = await reminded(database, tmp_path, "@nina and @bo")
    await press(house, "Done", "tg:1")
    await said(house, f"/snooze {ref('r', 1)} 10m", **GROUP, sender=FRIEND, handle="@bo")
    shown = next(sent.text for sent in house.shown("-5") if "bring cake\n" in sent.text).splitlines()[-1]
    assert shown.startswith(f"1 of 2: ✅ {NINA} 💤 ")
    assert shown.endswith(" · closed by Name of tg:1")


async def test_who_wants_it_again_and_does_it_then_names_nobody(database: Database, tmp_path: Path) -> None:
    house = await reminded(database, tmp_path)
    await press(house, "OK", "tg:1")
    await said(house, f"/snooze {ref('r', 1)} 10m", **GROUP, sender=GUEST, handle="@nina")
    await said(house, f"/done {ref('r', 1)}", **GROUP, sender=GUEST, handle="@nina")
    shown = next(sent.text for sent in house.shown("-5") if "bring cake\n" in sent.text).splitlines()[-1]
    assert shown == f"✅ {NINA} 14:14"

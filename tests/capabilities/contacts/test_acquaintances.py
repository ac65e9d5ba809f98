"""People who share a group or an invitation know each other by name: for reminders, messages and mutes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from core.kernel.ports import Database
from tests.capabilities.reminders.test_remind_others import speaks
from tests.commanding import FRIEND, GROUP, OWNER, friend, group, home, planned, said
from tests.fakes import House

pytestmark = pytest.mark.databases("sqlite")


async def neighbours(database: Database, tmp_path: Path) -> House:
    """The owner and a friend, who have both spoken in a group and talk to the bot in private."""
    house = await group(database, tmp_path)
    for name, address, chat in (("Ann", OWNER, "1"), ("Bob", FRIEND, "2")):
        await speaks(house, name, address, "hello", chat=chat)
        await speaks(house, name, address, **GROUP)
    return house


@pytest.mark.parametrize("name", ["@bob", "Bob"])
async def test_a_group_makes_them_known_in_private(database: Database, tmp_path: Path, name: str) -> None:
    house = await neighbours(database, tmp_path)
    told = await said(house, f"/remind {name} tomorrow at 9 to vote")
    assert "⏰ Bob: Tue 22 Sep 09:00" in told
    assert await planned(house) == ["vote"]


async def test_one_can_send_by_name(database: Database, tmp_path: Path) -> None:
    house = await neighbours(database, tmp_path)
    await speaks(house, "Ann", OWNER, "/send Bob see you at five")
    assert "see you at five" in "\n".join(house.adapter.texts("2"))


@pytest.mark.databases("sqlite", "postgres")
async def test_one_can_mute_by_name_who_has_sent_nothing_yet(database: Database, tmp_path: Path) -> None:
    house = await neighbours(database, tmp_path)
    assert "Ann" in await said(house, "/mute Ann", **friend())
    assert await house.column("SELECT count(*) FROM mute") == [1]


async def test_an_invitation_does_so_too(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    found = re.search(r"start[= ]([\w-]{8,})", await said(house, "/invite"))
    assert found is not None
    await speaks(house, "Nina", "tg:9", f"/start {found[1]}", chat="9")
    assert "⏰ Nina: " in await said(house, "/remind Nina tomorrow at 9 to vote")
    await speaks(house, "Ann", OWNER, "hello")
    assert "⏰ Ann: " in await said(house, "/remind @ann tomorrow at 9 to rest", chat="9", sender="tg:9")


async def test_who_shares_neither_stays_unknown(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "hello", **friend(handle="@bob"))
    assert "⏰" not in await said(house, "/remind @bob tomorrow at 9 to vote")
    assert await house.column("SELECT count(*) FROM trigger") == [0]


async def test_who_wants_to_be_left_alone_in_the_group_is_not_known_by_it(database: Database, tmp_path: Path) -> None:
    house = await neighbours(database, tmp_path)
    await said(house, "/optout", **GROUP, sender=FRIEND)
    assert "⏰" not in await said(house, "/remind @bob tomorrow at 9 to vote")

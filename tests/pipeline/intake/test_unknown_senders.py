"""Somebody of whom the platform says nothing now: what depends on who they are stays there until it does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.config.sections import AccessSection
from core.kernel.errors import SenderUnknown
from core.kernel.ports import Database
from core.kernel.types import Press, Sender
from core.kernel.updates import Presence, Update
from tests.fake_adapter import FakeAdapter
from tests.fakes import House, house, inbound

pytestmark = pytest.mark.databases("sqlite")

ANN, BO, EVE = "slack:T1:U1", "slack:T1:U2", "slack:T9:U4"
COUNTED = "SELECT external_id FROM stranger"


async def workspace(database: Database, folder: Path, mode: str = "allowlist") -> House:
    access, adapter = AccessSection(mode=mode, allow=("slack:T1",)), FakeAdapter("slack")  # type: ignore[arg-type] # one of its words
    return await house(database, folder / "house", model=False, adapter=adapter, owners=(ANN,), access=access)


def bare(address: str = BO, *, kin: str = "", unknown: str = "now") -> Sender:
    return Sender(address=address, name="U2", kin=kin, unknown=unknown)


def updates(sender: Sender) -> list[Update]:
    """All that somebody may do at the door."""
    return [
        replace(inbound("hello", key="private", chat="D2"), sender=sender, polite=True),
        replace(inbound("hello", key="group", chat="C1", chat_kind="group"), sender=sender, polite=True),
        Press(key="press", chat="D2", sender=sender, data="x" * 22 + ":0", raw="{}"),
        Presence(key="added", chat="C1", chat_kind="group", sender=sender, present=True, raw="{}"),
    ]


@pytest.mark.parametrize("mode", ["allowlist", "pairing"])
@pytest.mark.parametrize("n", range(4))
async def test_who_may_be_a_full_member_is_neither_let_in_nor_turned_away(
    database: Database, tmp_path: Path, mode: str, n: int
) -> None:
    home = await workspace(database, tmp_path, mode)
    with pytest.raises(SenderUnknown):
        await home.app.inbox.accept(home.tenant_id, [updates(bare())[n]])
    await home.work()
    for table in ("stranger", "person", "inbox", "outbox", "invite"):
        assert await home.column(f"SELECT count(*) FROM {table}") == [0]


@pytest.mark.parametrize("sender", [bare(unknown="ever"), bare(EVE), bare(kin="outsider")])
async def test_who_will_never_be_known_or_comes_from_elsewhere_is_turned_away(
    database: Database, tmp_path: Path, sender: Sender
) -> None:
    home = await workspace(database, tmp_path)
    await home.app.inbox.accept(home.tenant_id, updates(sender))
    assert await home.column(COUNTED) == [sender.address]


async def test_where_it_changes_nothing_who_somebody_is_they_are_turned_away(
    database: Database, tmp_path: Path
) -> None:
    home = await workspace(database, tmp_path, "owner")
    await home.app.inbox.accept(home.tenant_id, updates(bare()))
    assert await home.column(COUNTED) == [BO]


async def test_who_was_removed_stays_removed(database: Database, tmp_path: Path) -> None:
    home = await workspace(database, tmp_path)
    known = inbound("hello", key="before", chat="D2", sender=BO, kin="full")
    await home.app.inbox.accept(home.tenant_id, [known])
    await home.db.write(lambda tx: tx.run("UPDATE person SET standing = 'removed'"))
    await home.app.inbox.accept(home.tenant_id, updates(bare()))
    assert await home.column(COUNTED) == [BO]

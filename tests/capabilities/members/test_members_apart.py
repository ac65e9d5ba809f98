"""What the configuration says of people counts in their own workspace alone, and is shown there alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.config.sections import AccessSection
from core.kernel.ports import Database
from core.kernel.types import Sender
from core.kernel.updates import Installed
from tests.commanding import labels, said
from tests.fakes import FakeAdapter, House, house

ANN, BO, ZOE = "slack:T1:U1", "slack:T1:U2", "slack:T2:U9"
CHANNEL: dict[str, Any] = {"chat": "C1", "chat_kind": "group", "title": "general", "converses": True}


@pytest.fixture
async def home(database: Database, tmp_path: Path) -> House:
    access = AccessSection(mode="allowlist", allow=("slack:T1", "slack:T1:U5", "slack:T1:C1", "tg:7"))
    adapter = FakeAdapter("slack")
    made = await house(database, tmp_path / "house", model=False, adapter=adapter, owners=(ANN,), access=access)
    await said(made, "hello", chat="D1", sender=ANN, kin="full")
    await said(made, "hello", chat="D2", sender=BO, kin="full")
    await said(made, "hello", **CHANNEL, sender=ANN)
    return made


@pytest.fixture
async def other(home: House) -> House:
    """The same program in another workspace, where Zoe installed it."""
    found = replace(home, tenant_id=await home.app.inbox.tenant("slack", "T2", "Globex"))
    who = Sender(address=ZOE, name="Zoe", language="en", kin="full")
    await found.app.inbox.accept(found.tenant_id, [Installed(key="i1", sender=who, chat="D9", fresh=True)])
    await found.work()
    return found


async def test_an_owner_sees_the_list_of_their_workspace(home: House) -> None:
    told = await said(home, "/people", chat="D1", sender=ANN, kin="full")
    assert "- everybody of this workspace (full members; guests only by name)" in told
    assert f"- `{BO}` · member" in told
    assert "- `slack:T1:U5` · has not written yet" in told
    assert [line for line in told.splitlines() if "not written" in line and "U5" not in line] == []
    assert labels(home, "D1") == [f"Remove Name of {BO}", "Remove slack:T1:U5"]


async def test_another_workspace_sees_nothing_of_it_and_cannot_remove_it(other: House) -> None:
    told = await said(other, "/people", chat="D9", sender=ZOE, kin="full")
    assert "T1" not in told
    people = await other.column("SELECT count(*) FROM person")
    for entry in ("slack:T1", BO, "slack:T1:U5"):
        assert "no such person" in (await said(other, f"/people remove {entry}", chat="D9", sender=ZOE, kin="full"))
    assert await other.column("SELECT count(*) FROM person") == people


@pytest.mark.databases("sqlite")
@pytest.mark.parametrize("sender", [ANN, BO])
async def test_owners_and_members_of_one_workspace_are_outsiders_in_another(other: House, sender: str) -> None:
    shared: dict[str, Any] = {**CHANNEL, "chat": "C7"}
    await said(other, "hello", **shared, sender=ZOE, kin="full")
    before = other.adapter.texts("C7")
    await said(other, "/todo add milk", **shared, sender=sender, kin="outsider")
    assert other.adapter.texts("C7") == before

"""What people do to their book, and what they send, is an action of the transaction that ends the run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.kernel import ids
from core.kernel.ports import Database
from core.kernel.replies import Step
from core.store.conversation import runs as journal
from tests import calling
from tests.commanding import FRIEND, friend, home, labels, said
from tests.conftest import DatabaseMaker
from tests.fakes import Crash, CrashingDatabase, House

DID = "SELECT tool FROM ledger WHERE tool <> 'reply' ORDER BY n"


async def known(database: Database, folder: Path) -> House:
    """A house whose owner knows the friend, who has talked to the bot."""
    house = await home(database, folder)
    await said(house, "hello", **friend())
    await said(house, f"/contacts add Bob {FRIEND}")
    return house


@pytest.mark.parametrize(
    ("line", "tool"),
    [
        ("/contacts zone Bob Tokyo", "contacts_upsert"),
        ("/contacts rename Bob Rob", "contacts_upsert"),
        ("/contacts remove Bob", "contacts_upsert"),
        ("/send Bob tea?", "contacts_send"),
    ],
)
async def test_each_change_is_one_row_of_the_ledger_and_no_step(
    make_database: DatabaseMaker, tmp_path: Path, line: str, tool: str
) -> None:
    house = await known(await make_database("sqlite"), tmp_path)
    await said(house, line)
    assert (await house.column(DID))[-2:] == ["contacts_upsert", tool]
    assert await house.column("SELECT tool FROM step WHERE tool LIKE '%contacts%'") == []


@pytest.mark.databases("sqlite")
async def test_looking_at_contacts_leaves_no_row(database: Database, tmp_path: Path) -> None:
    house = await known(database, tmp_path)
    before = await house.column(DID)
    for line in ("/contacts", "/contacts Bob", "/contacts Nobody", "/send Nobody hi"):
        await said(house, line)
    assert await house.column(DID) == before


async def test_a_message_that_may_not_go_is_one_row_with_the_reason(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    assert await said(house, "/send Name of tg:1 hi") == "That is you."
    rows = "SELECT error FROM ledger WHERE tool = 'contacts_send'"
    assert await house.column(rows) == ["send_self"]


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("commits", [1, 2])
async def test_a_contact_that_a_crash_interrupts_is_added_once(
    database: Database, tmp_path: Path, commits: int, after: bool
) -> None:
    crashing = CrashingDatabase(database)
    house = await home(crashing, tmp_path)
    await house.hear("/contacts add Bob tg:50")
    crashing.arm(commits, after=after)
    with pytest.raises(Crash):
        await house.work()
    second = await home(database, tmp_path)
    await second.app._take_up()
    await second.app.outbox.doubts.settle()
    await second.later(3600)
    assert await second.column(DID) == ["contacts_upsert"]
    assert await second.column("SELECT nickname FROM contact WHERE nickname = 'Bob'") == ["Bob"]


def _step(n: int, tool: str, result: dict[str, Any]) -> Step:
    """What a call left in the journal under the former version."""
    content = {"success": True, "result": result, "error": "", "code": "", "at": [0, 0]}
    return Step(n=n, kind="call", state="done", call_id="c", tool=tool, content=json.dumps(content))


async def _killed(house: House, folder: Path, line: str, *steps: Step) -> str:
    """Let a former version be killed behind these steps of a command; return what this one answers."""
    await house.hear(line)
    run = await calling.claimed(house)
    for step in steps:
        await house.db.write(lambda tx, step=step: journal.write(tx, run.lane, run.run_id, step, 0))  # type: ignore[misc]
    second = await home(house.db, folder)
    await second.app._take_up()
    await second.work()
    assert second.adapter.texts("2") == []
    house.adapter.sent = second.adapter.sent
    return second.adapter.texts("1")[-1]


async def test_what_a_former_version_sent_before_it_was_killed_is_not_sent_again(
    database: Database, tmp_path: Path
) -> None:
    house = await known(database, tmp_path)
    sent = {"status": "queued", "message_id": "errand:9:9:x", "channel": "telegram", "session_id": "s"}
    steps = _step(1, "show_contacts", {"contacts": []}), _step(2, "contacts_send", sent)
    assert (await _killed(house, tmp_path, "/send Bob tea?", *steps)).startswith("✉️ For Bob, on its way")
    assert await house.column("SELECT count(*) FROM errand") == [0]


async def test_what_a_former_version_changed_before_it_was_killed_is_not_changed_again(
    database: Database, tmp_path: Path
) -> None:
    house = await known(database, tmp_path)
    changed = {"contact": {"contact_id": "c000009"}, "undo": "u000009"}
    steps = _step(1, "show_contacts", {"contacts": []}), _step(2, "contacts_upsert", changed)
    assert "Rob" in await _killed(house, tmp_path, "/contacts rename Bob Rob", *steps)
    assert labels(house)[0] == "Undo"
    assert await house.column("SELECT nickname FROM contact WHERE nickname = 'Rob'") == []


async def test_what_a_former_version_looked_up_before_it_was_killed_is_no_question(
    database: Database, tmp_path: Path
) -> None:
    house = await known(database, tmp_path)
    asked = await _killed(house, tmp_path, "/send Bob", _step(1, "show_contacts", {"contacts": []}))
    assert "What shall I tell Bob?" in asked
    assert await house.column("SELECT count(*) FROM question WHERE ended_at IS NULL") == [1]


async def test_a_change_that_a_former_version_noted_is_still_taken_back(database: Database, tmp_path: Path) -> None:
    house = await known(database, tmp_path)
    await said(house, "/contacts zone Bob Tokyo")
    [bob] = await house.column("SELECT id FROM contact WHERE nickname = 'Bob'")
    noted = {"contact_id": ids.ref("c", bob), "contact_nickname": "Robert", "persona_traits": {"warm": 1.0}}
    await house.db.write(lambda tx: tx.run("UPDATE undo SET arguments = :a", {"a": json.dumps(noted)}))
    await said(house, "/undo")
    assert await house.column("SELECT nickname FROM contact WHERE id = :id", id=bob) == ["Robert"]

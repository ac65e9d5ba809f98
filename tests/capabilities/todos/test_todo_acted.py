"""What people do to their list is an action of the transaction that ends the run: one row of the ledger, done once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.kernel.ports import Database
from core.kernel.replies import Step
from core.store.conversation import runs as journal
from tests import calling
from tests.commanding import labels, said
from tests.conftest import DatabaseMaker
from tests.fakes import Crash, CrashingDatabase, House, house

DID = "SELECT tool FROM ledger WHERE tool <> 'reply' ORDER BY n"
OPEN = "SELECT content FROM todo WHERE state = 'open' ORDER BY id"


@pytest.mark.parametrize(
    ("line", "tool"),
    [
        ("/todo tea", "todo_update"),
        ("/todo tea, eggs and bread", "todo_add_several"),
        ("/todo done milk", "todo_update"),
        ("/todo edit milk oat milk", "todo_change"),
        ("/todo remove milk", "todo_change"),
        ("/todo clear yes", "todo_change_many"),
    ],
)
async def test_each_change_is_one_row_of_the_ledger_and_no_step(
    make_database: DatabaseMaker, tmp_path: Path, line: str, tool: str
) -> None:
    home = await house(await make_database("sqlite"), tmp_path / "house", model=False)
    await said(home, "/todo milk")
    await said(home, line)
    assert await home.column(DID) == ["todo_update", tool]
    assert await home.column("SELECT count(*) FROM step WHERE tool LIKE 'todo%'") == [0]


async def test_what_is_wanted_at_once_stands_in_the_ledger_item_by_item(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path / "house", model=False)
    await said(home, "/todo tea, eggs and bread")
    [*_, arguments] = await home.column(
        "SELECT b.arguments FROM ledger l JOIN ledger_body b ON b.tenant_id = l.tenant_id AND b.n = l.n"
        " WHERE l.tool = 'todo_add_several' ORDER BY l.n"
    )
    assert [one["content"] for one in json.loads(arguments)["items"]] == ["tea", "eggs", "bread"]


@pytest.mark.databases("sqlite")
async def test_looking_at_the_list_leaves_no_row(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path / "house", model=False)
    await said(home, "/todo")
    await said(home, "/todo done")
    assert await home.column(DID) == []


@pytest.mark.databases("sqlite")
@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("commits", [1, 2])
async def test_an_item_that_a_crash_interrupts_is_added_once(
    database: Database, tmp_path: Path, commits: int, after: bool
) -> None:
    crashing = CrashingDatabase(database)
    home = await house(crashing, tmp_path / "house", model=False)
    await said(home, "hello")
    await home.hear("/todo milk")
    crashing.arm(commits, after=after)
    with pytest.raises(Crash):
        await home.work()
    second = await house(database, tmp_path / "house", model=False)
    await second.app._take_up()
    await second.app.outbox.doubts.settle()
    await second.later(3600)
    assert await second.column(DID) == ["todo_update"]
    assert await second.column(OPEN) == ["milk"]


def _step(n: int, result: dict[str, Any] | None) -> Step:
    """What a call left in the journal; without a result it had failed."""
    content = {"success": result is not None, "result": result, "error": "no", "code": "failed", "at": [0, 0]}
    return Step(n=n, kind="call", state="done", call_id="c", tool="todo_update", content=json.dumps(content))


async def test_what_a_former_version_looked_for_in_vain_and_then_did_is_not_done_again(
    database: Database, tmp_path: Path
) -> None:
    home = await house(database, tmp_path / "house", model=False)
    await home.hear("/todo done milk")
    run = await calling.claimed(home)
    entry = {"id": "t000009", "created_at": "2026-09-21T14:13:20+00:00", "content": "oat milk"}
    counts = {"updated_counts": {"open_count": 0, "done_count": 1}, "changed": {"wip_removed": 1}}
    done = {"ok": True, "action": "complete", **counts, "entry": entry, "undo": "u000001"}
    for n, result in enumerate((None, done), 1):
        step = _step(n, result)
        await database.write(lambda tx, step=step: journal.write(tx, run.lane, run.run_id, step, 0))  # type: ignore[misc]
    second: House = await house(database, tmp_path / "house", model=False)
    await second.app._take_up()
    await second.work()
    (answer,) = second.adapter.texts("1")
    assert "oat milk" in answer
    assert labels(second) == ["Undo"]
    assert await second.column(DID) == []

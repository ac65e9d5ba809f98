"""Every night the ledger is walked through, and owners hear once of what is not whole in it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

from core.capabilities.privacy import whole
from core.capabilities.privacy.retention import Retention
from core.kernel.errors import StorageError
from core.kernel.ports import Database, Tx
from core.toolkit.ledger import verification
from core.toolkit.ledger.ledger import Ledger
from tests.fakes import House, house
from tests.operating import act, lane

T = TypeVar("T")
ROWS = 7


@pytest.fixture
async def home(database: Database, tmp_path: Path) -> House:
    """A house whose owner has talked to it, with some acts in its ledger, anchored."""
    home = await house(database, tmp_path / "house", model=False)
    await home.hear("/help")
    await home.work()
    await grow(home, ROWS)
    return home


async def grow(home: House, rows: int) -> None:
    ledger, where = home.app.ledger, await home.db.write(lane)
    for _ in range(rows):
        await home.db.write(lambda tx: ledger.append(tx, act(where, home.clock.now())))
    await home.db.read(lambda tx: ledger.anchor(tx, home.clock.now()))


async def night(home: House) -> list[str]:
    """Let a night pass; return what the owner is told then."""
    before = len(home.adapter.texts("1"))
    retention = home.app.container.get(Retention)
    assert retention._then is not None
    await retention._then()
    await home.work()
    return home.adapter.texts("1")[before:]


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        ("UPDATE ledger SET tool = 'x' WHERE n = 3", "row 3: changed"),
        ("UPDATE ledger_body SET result = '1' WHERE n = 2", "row 2: body changed"),
        ("DELETE FROM ledger WHERE n = 4", "row 5: rows 4 to 4 are missing"),
        ("DELETE FROM ledger WHERE n > 5", "ends at row 5"),
    ],
    ids=["an edited row", "an edited body", "a row taken out", "a cut tail"],
)
async def test_owners_are_told_once_of_what_was_done_to_it(home: House, change: str, finding: str) -> None:
    assert await night(home) == []
    await home.db.write(lambda tx: tx.run(change))
    [told] = await night(home)
    assert ("is not whole" in told, finding in told) == (True, True), told
    assert await night(home) == []


async def test_a_chain_that_was_written_anew_is_told(home: House) -> None:
    def rewrite(tx: Tx) -> None:
        for table in ("ledger_body", "ledger"):
            tx.run(f"DELETE FROM {table}")
        tx.run("UPDATE ledger_head SET n = 0, mac = ''")
        forger = Ledger(b"x" * 32, home.app.config.data_dir / "forged")
        for _ in range(ROWS + 1):
            forger.append(tx, act(lane(tx), home.clock.now()))

    await home.db.write(rewrite)
    [told] = await night(home)
    assert "row 1: changed" in told


async def test_erased_bodies_are_nothing_to_tell(home: House) -> None:
    assert await home.db.write(lambda tx: tx.run("DELETE FROM ledger_body")) > ROWS
    assert await night(home) == []


class Busy:
    """A database that some reads fail on, and before whose reads rows are added."""

    def __init__(self, home: House, fail: set[int]) -> None:
        self._home, self._inner, self._fail, self.reads = home, home.db, fail, 0

    async def read(self, fn: Callable[[Tx], T]) -> T:
        self.reads += 1
        if self.reads in self._fail:
            raise StorageError("busy")
        await grow(self._home, 2) if self.reads < 4 else None
        return await self._inner.read(fn)

    async def write(self, fn: Callable[[Tx], T]) -> T:
        return await self._inner.write(fn)


async def test_the_walk_goes_on_after_a_failure_and_while_rows_are_added(
    home: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verification, "PAGE", 3)
    busy, services = Busy(home, {2, 3}), home.app.container
    object.__setattr__(services, "db", busy)
    ledger = services.get(Ledger)
    walk = ledger.verification()
    monkeypatch.setattr(ledger, "verification", lambda: walk)
    await whole.verify(services)
    [rows] = await home.column("SELECT count(*) FROM ledger")
    assert (walk.report.rows, walk.report.problems) == (rows, [])
    assert busy.reads > rows / 3

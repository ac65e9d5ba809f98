"""One statement for many rows, in every kind of database; and what is due together shares its statements."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from core.kernel.errors import BadRow
from core.kernel.ports import Database, Tx
from core.kernel.timing.schedule import Rule
from tests.commanding import group, home, labels, pressed
from tests.databases import add, ids, prepare
from tests.fakes import House
from tests.triggering import passes, state, trigger

INSERT = "INSERT INTO number (id, n, note) VALUES :rows"
CHANGE = (
    "UPDATE number SET n = number.n + v.column2 FROM (VALUES :rows) AS v WHERE number.id = v.column1"
    " RETURNING number.id, number.n"
)
# More than one statement takes, and no round number.
MANY = 137


@pytest.fixture
async def numbers(database: Database) -> Database:
    """An open database with a table of numbers."""
    await database.write(prepare)
    return database


@pytest.mark.parametrize("count", [0, 1, 7, 64, MANY])
async def test_all_rows_are_stored_however_many(numbers: Database, count: int) -> None:
    rows = [(n, 2 * n, f"note {n}") for n in range(count)]
    assert await numbers.write(lambda tx: tx.many(INSERT, rows)) == []
    found = await numbers.read(lambda tx: tx.all("SELECT id, n, note FROM number ORDER BY id"))
    assert [(row["id"], row["n"], row["note"]) for row in found] == rows


async def test_what_a_statement_for_many_rows_returns_comes_of_all_of_them(numbers: Database) -> None:
    await numbers.write(lambda tx: tx.many(INSERT, [(n, 0, None) for n in range(MANY)]))
    changed = await numbers.write(lambda tx: tx.many(CHANGE, [(n, n) for n in range(1, MANY + 9)]))
    assert {row["id"]: row["n"] for row in changed} == {n: n for n in range(1, MANY)}


async def test_of_many_rows_those_that_are_known_are_left_out(numbers: Database) -> None:
    await numbers.write(add(2))
    wanted = f"{INSERT} ON CONFLICT DO NOTHING RETURNING id"
    added = await numbers.write(lambda tx: tx.many(wanted, [(n, 0, None) for n in range(5)]))
    assert {row["id"] for row in added} == {0, 1, 3, 4}


async def test_values_of_many_rows_are_never_read_as_sql(numbers: Database) -> None:
    texts = ["100 %s", "%(rows)s", ":rows", "?", "'; DROP TABLE number; --", "“ü” 😀"]
    await numbers.write(lambda tx: tx.many(INSERT, [(n, True, text) for n, text in enumerate(texts)]))
    found = await numbers.read(lambda tx: tx.all("SELECT n, note FROM number ORDER BY id"))
    assert [(row["n"], row["note"]) for row in found] == [(1, text) for text in texts]


async def test_one_row_that_cannot_be_stored_takes_all_with_it(numbers: Database) -> None:
    rows: list[tuple[int, int | None, str | None]] = [(n, n, None) for n in range(MANY)]
    with pytest.raises(BadRow):
        await numbers.write(lambda tx: tx.many(INSERT, [*rows, (MANY, None, None)]))
    assert await numbers.read(ids) == []


class Counted:
    """A database that counts what its transactions ask of it."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self.calls: Counter[str] = Counter()

    async def write(self, fn: Any) -> Any:
        return await self._db.write(lambda tx: fn(_CountedTx(tx, self.calls)))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._db, name)


class _CountedTx:
    def __init__(self, tx: Tx, calls: Counter[str]) -> None:
        self._tx, self._calls = tx, calls

    def __getattr__(self, name: str) -> Any:
        self._calls[name] += 1
        return getattr(self._tx, name)


async def fired(house: House, database: Database) -> Counter[str]:
    """Fire what is due now; returns how often each method of a transaction was used."""
    counted: Any = Counted(database)
    assert not await house.app.scheduler._triggers.fire(counted, lambda tx: [], house.clock.now())
    calls: Counter[str] = counted.calls
    return calls


async def test_reminders_that_are_due_together_cost_no_statement_of_their_own(
    database: Database, tmp_path: Path
) -> None:
    house = await home(database, tmp_path)
    await trigger(house)
    house.clock.advance(60)
    one = await fired(house, database)
    for n in range(40):
        await trigger(house, f"thing {n}")
    house.clock.advance(60)
    many = await fired(house, database)
    asked = ("run", "one", "all", "many")
    assert {name: many[name] for name in asked} == {name: one[name] for name in asked}
    await house.sweep()
    assert [sent.text for sent in house.shown()[-40:]] == [f"⏰ thing {n}" for n in range(40)]


async def test_what_is_due_together_comes_in_order_whatever_it_is(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    kinds: list[dict[str, Any]] = [{}, {}, {"deliver": "note"}, {}, {"until_done": True}, {}, {"depth": 2}, {}]
    for n, fields in enumerate(kinds):
        await trigger(house, f"thing {n}", 60 + n, **fields)
    await passes(house, 70)
    shown = [sent.text.removeprefix("⏰ ") for sent in house.shown()[-len(kinds) :]]
    assert shown == [f"thing {n}" for n in range(len(kinds))]


async def test_the_buttons_of_what_came_together_are_each_for_their_own(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    for n in range(9):
        await trigger(house, f"mine {n}")
        await trigger(house, f"ours {n}", chat="-5")
    await passes(house, 60)
    assert labels(house)[0] == labels(house, "-5")[0] == "Done"
    await pressed(house, "Done")
    assert await house.column("SELECT text FROM reminder WHERE state = 'done'") == ["mine 8"]
    await pressed(house, "Done", chat="-5")
    assert await house.column("SELECT text FROM reminder WHERE state = 'done' ORDER BY id") == ["mine 8", "ours 8"]


async def test_a_late_repeat_and_the_next_time_in_one_look_leave_one_to_be_answered(
    database: Database, tmp_path: Path
) -> None:
    house = await home(database, tmp_path)
    made = await trigger(house, "water the plants", Rule(cron="0 9 * * *", zone="UTC"), until_done=True)
    (_, _, due, _) = await state(house, made)
    assert due is not None
    await passes(house, (due - house.clock.now()) / 1000)
    await passes(house, 24 * 3600)
    assert await house.column("SELECT count(*) FROM reminder WHERE state = 'open'") == [1]
    assert await house.column("SELECT count(*) FROM trigger WHERE round > 0 AND state = 'active'") == [1]

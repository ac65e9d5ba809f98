"""The contract of the `Database` port, for every kind of database."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from core.kernel.clock import SystemClock
from core.kernel.errors import BadRow, LockOrder, StorageBusy, StorageError
from core.kernel.ports import Database, Tx
from core.store.schema import migrations
from tests.conftest import DatabaseMaker, PlaceMaker
from tests.databases import NAMES, Place, add, build, ids, prepare, value
from tests.postgres_server import PostgresServer

ROOT = Path(__file__).parents[2]
WAIT = 10.0


@pytest.fixture(params=[*NAMES, "sqlite-one"])
def place(request: pytest.FixtureRequest, make_place: PlaceMaker) -> Place:
    """The kinds of the house, and SQLite where one connection does everything."""
    return make_place(str(request.param))


@pytest.fixture
async def database(place: Place, make_database: DatabaseMaker) -> Database:
    """An open database with a table of numbers, a tenant and three scopes."""
    database = await make_database(place.name, at=place)
    await database.write(prepare)
    return database


class Trouble(Exception):
    """Something the caller's own code raises."""


async def test_what_was_written_is_there_after_opening_again(database: Database, place: Place) -> None:
    await database.write(add(1, 7))
    await database.close()
    again = build(place)
    await again.open()
    assert await again.read(ids) == [1]
    await again.close()


async def test_an_exception_undoes_its_whole_transaction_and_no_other(database: Database) -> None:
    trouble = Trouble("on purpose")

    def fail(tx: Tx) -> None:
        add(2)(tx)
        add(3)(tx)
        raise trouble

    results = await asyncio.gather(
        database.write(add(1)), database.write(fail), database.write(add(4)), return_exceptions=True
    )
    assert list(results) == [1, trouble, 1]
    assert await database.read(ids) == [1, 4]


@pytest.mark.parametrize("kind", [StopIteration, KeyboardInterrupt])
async def test_an_exception_nobody_expects_does_not_stop_the_database(
    database: Database, kind: type[BaseException]
) -> None:
    def fail(tx: Tx) -> None:
        ids(tx)
        raise kind

    for attempt in (database.write, database.read):
        with pytest.raises((RuntimeError, StorageError), match=kind.__name__):
            await asyncio.wait_for(attempt(fail), WAIT)
    await database.write(add(2))
    assert await database.read(ids) == [2]


async def test_an_error_of_the_driver_arrives_as_ours(database: Database) -> None:
    await database.write(add(1, note="once"))
    for refused in (lambda tx: tx.run("SELECT a FROM nowhere"), lambda tx: tx.run("INSERT")):
        with pytest.raises(StorageError):
            await database.write(refused)
    with pytest.raises(StorageError):
        await database.read(lambda tx: tx.all("SELECT a FROM nowhere"))
    assert await database.read(ids) == [1]


@pytest.mark.parametrize(
    ("sql", "bad"),
    [
        ("INSERT INTO number (id, n) VALUES (:value, 0)", 1),
        ("INSERT INTO number (id, n, note) VALUES (2, 0, :value)", "secret"),
        ("INSERT INTO number (id, n) VALUES (2, :value)", None),
        ("INSERT INTO scope (id, tenant_id, kind, created_at) VALUES (9, :value, 'private', 0)", 77),
        ("INSERT INTO scope (id, tenant_id, kind, created_at) VALUES (9, 1, :value, 0)", "secret"),
        ("INSERT INTO number (id, n, note) VALUES (2, 0, :value)", object()),
    ],
    ids=["primary key", "unique", "not null", "foreign key", "check", "no value of a database"],
)
async def test_data_that_can_never_be_stored_are_no_trouble_of_the_storage(
    database: Database, sql: str, bad: object
) -> None:
    await database.write(add(1, note="secret"))
    with pytest.raises(BadRow) as refused:
        await database.write(lambda tx: tx.run(sql, {"value": bad}))
    assert not isinstance(refused.value, StorageError)
    assert "secret" not in str(refused.value)
    beside = await asyncio.gather(
        database.write(add(3)), database.write(lambda tx: tx.run(sql, {"value": bad})), return_exceptions=True
    )
    assert [type(result) for result in beside] == [int, BadRow]
    assert await database.read(ids) == [1, 3]


async def test_a_hundred_writers_at_once_all_write(database: Database) -> None:
    assert await asyncio.gather(*(database.write(add(key)) for key in range(100))) == [1] * 100
    assert await database.read(ids) == list(range(100))


async def test_counters_read_under_a_lock_lose_no_increment(database: Database) -> None:
    for key in (1, 2):
        await database.write(add(key))

    def increment(key: int, tx: Tx) -> None:
        tx.lock(("scope", key))
        n = value("SELECT n AS value FROM number WHERE id = :id", id=key)(tx)
        tx.run("UPDATE number SET n = :n WHERE id = :id", {"id": key, "n": n + 1})

    await asyncio.gather(*(database.write(partial(increment, key)) for key in [1, 2] * 50))
    assert await database.read(lambda tx: [row["n"] for row in tx.all("SELECT n FROM number")]) == [50, 50]


async def test_keys_are_locked_in_sorted_order(database: Database) -> None:
    def sorted_calls(tx: Tx) -> None:
        tx.lock(("scope", 2), ("chat", 5), ("scope", 1))
        tx.lock(("scope", 2), ("scope", 3))
        tx.lock(("scope", 3))

    def disorder(tx: Tx) -> None:
        add(1)(tx)
        tx.lock(("scope", 2))
        tx.lock(("scope", 1))

    await database.write(sorted_calls)
    with pytest.raises(LockOrder):
        await database.write(disorder)
    assert await database.read(ids) == []


async def test_every_table_of_the_contract_can_be_locked_and_no_other(database: Database) -> None:
    tables = ("chat", "lane", "ledger_head", "person", "scope")
    await database.write(lambda tx: tx.lock(*((table, 1) for table in tables)))
    with pytest.raises(StorageError, match="inbox"):
        await database.write(lambda tx: tx.lock(("inbox", 1)))


async def test_callbacks_come_after_the_commit_on_the_loop_and_before_the_caller_goes_on(database: Database) -> None:
    said: list[Any] = []
    reads: list[asyncio.Task[list[int]]] = []

    def committed() -> None:
        said.append(threading.current_thread() is threading.main_thread())
        reads.append(asyncio.get_running_loop().create_task(database.read(ids)))

    def insert(tx: Tx) -> None:
        tx.after_commit(committed)
        add(1)(tx)

    await database.write(insert)
    said.append("caller")
    assert said == [True, "caller"]
    assert await reads[0] == [1]


async def test_callbacks_of_a_failed_transaction_never_come(database: Database) -> None:
    said: list[str] = []

    def fail(tx: Tx) -> None:
        tx.after_commit(lambda: said.append("never"))
        raise Trouble

    with pytest.raises(Trouble):
        await database.write(fail)
    await database.write(lambda tx: tx.after_commit(lambda: said.append("other")))
    assert said == ["other"]


async def test_a_callback_that_fails_harms_nobody(database: Database, caplog: pytest.LogCaptureFixture) -> None:
    said: list[str] = []

    def refuse() -> None:
        raise Trouble

    def insert(tx: Tx) -> int:
        tx.after_commit(refuse)
        tx.after_commit(lambda: said.append("next"))
        return int(add(1)(tx))

    with caplog.at_level(logging.ERROR):
        assert list(await asyncio.gather(database.write(insert), database.write(add(2)))) == [1, 1]
    assert (said, len(caplog.records)) == (["next"], 1)


async def test_a_read_sees_what_was_committed_before_it(database: Database) -> None:
    for key in range(20):
        await database.write(add(key))
        assert await database.read(ids) == list(range(key + 1))


@pytest.mark.parametrize("place", NAMES, indirect=True)
async def test_a_read_sees_one_moment_however_long_it_takes(database: Database) -> None:
    looked, written = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def look_twice(tx: Tx) -> tuple[list[int], list[int]]:
        first = ids(tx)
        loop.call_soon_threadsafe(looked.set)
        assert written.wait(WAIT)
        return first, ids(tx)

    reading = asyncio.create_task(database.read(look_twice))
    await asyncio.wait_for(looked.wait(), WAIT)
    await database.write(add(1))
    written.set()
    assert await reading == ([], [])


async def test_a_read_cannot_write(database: Database) -> None:
    with pytest.raises(StorageError):
        await database.read(add(1))
    await database.write(add(2))
    assert await database.read(ids) == [2]


class JumpyClock(SystemClock):
    """A clock whose wall time an administrator changes."""

    jump = 0

    def now(self) -> int:
        return super().now() + self.jump


async def test_the_lease_clock_goes_forward_whatever_the_wall_clock_does(
    place: Place, make_database: DatabaseMaker
) -> None:
    clock = JumpyClock()
    database = await make_database(place.name, at=place, clock=clock)
    seen = []
    for jump in (0, 86_400_000, -86_400_000, 0):
        clock.jump = jump
        seen.append(await database.write(lambda tx: tx.lease_clock()))
    assert seen == sorted(seen)
    assert seen[-1] - seen[0] < 60_000


async def test_a_transaction_goes_on_when_its_caller_is_cancelled(database: Database) -> None:
    started, committed, go_on = asyncio.Event(), asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def insert(tx: Tx) -> None:
        tx.after_commit(committed.set)
        loop.call_soon_threadsafe(started.set)
        assert go_on.wait(WAIT)
        add(1)(tx)

    task = asyncio.create_task(database.write(insert))
    await asyncio.wait_for(started.wait(), WAIT)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    go_on.set()
    await asyncio.wait_for(committed.wait(), WAIT)
    assert await database.read(ids) == [1]


async def test_close_finishes_what_was_handed_over_even_for_cancelled_callers(database: Database, place: Place) -> None:
    tasks = [asyncio.create_task(database.write(add(key))) for key in range(50)]
    await asyncio.sleep(0)
    tasks[49].cancel()
    await database.close()
    assert await asyncio.gather(*tasks[:49]) == [1] * 49
    again = build(place)
    await again.open()
    assert await again.read(ids) == list(range(50))
    await again.close()


async def test_a_closed_database_says_so_and_may_be_closed_again(database: Database) -> None:
    closing = asyncio.create_task(database.close())
    await asyncio.sleep(0)
    for attempt in (database.write, database.read):
        with pytest.raises(StorageError, match="closed"):
            await attempt(ids)
    await closing
    await database.close()


async def test_a_second_instance_is_refused_until_the_first_lets_go(database: Database, place: Place) -> None:
    second = build(place)
    for _ in range(2):
        with pytest.raises(StorageBusy, match="Another Teller"):
            await second.open()
    await second.close()
    await database.write(add(1))
    await database.close()
    await second.open()
    assert await second.read(ids) == [1]
    await second.close()


SECOND_PROCESS = """
import asyncio, sys
from core.kernel.errors import StorageBusy
from tests.databases import Place, build

async def main():
    try:
        await build(Place(sys.argv[1], sys.argv[2])).open()
    except StorageBusy as busy:
        print(busy)

asyncio.run(main())
"""


async def test_a_second_process_is_refused(database: Database, place: Place) -> None:
    command = [sys.executable, "-c", SECOND_PROCESS, place.name, place.where]
    done = await asyncio.to_thread(subprocess.run, command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("Another Teller")
    await database.write(add(1))


async def test_migrations_are_applied_and_recorded_once(
    place: Place, make_database: DatabaseMaker, postgres_server: PostgresServer
) -> None:
    at = Place("postgres", postgres_server.create(empty=True)) if place.name == "postgres" else place
    recorded = []
    for _ in range(2):
        database = await make_database(place.name, at=at)
        recorded.append(await database.read(lambda tx: [dict(row) for row in tx.all("SELECT * FROM migration")]))
        await database.close()
    assert recorded[0] == recorded[1]
    assert [row["name"] for row in recorded[0]] == [name for name, _ in migrations.scripts()]

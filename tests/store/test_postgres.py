"""What only Postgres can do to a transaction: deadlocks, broken connections, a lost lock, a dump."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest

from core.kernel.clock import SystemClock
from core.kernel.errors import BadRow, ConfigError, StorageAway, StorageBusy, StorageError, StorageFull
from core.kernel.ports import Tx
from core.store.postgres.database import LOOK_AGAIN_AFTER, WORKERS, PostgresDatabase
from core.store.schema import migrations
from tests.conftest import DatabaseMaker, PlaceMaker
from tests.databases import Place, add, ids, prepare, value
from tests.postgres_server import PostgresServer

ROOT = Path(__file__).parents[2]
WAIT = 10.0
SECRET = "s3cr:t/%ä"
URL_SECRET = "s3cr%3At%2F%25%C3%A4"


class Waiting(SystemClock):
    """A clock that can be put forward."""

    ahead = 0.0

    def monotonic(self) -> float:
        return super().monotonic() + self.ahead


@pytest.fixture
def clock() -> Waiting:
    return Waiting()


@pytest.fixture
def place(make_place: PlaceMaker) -> Place:
    return make_place("postgres")


@pytest.fixture
async def database(place: Place, make_database: DatabaseMaker, clock: Waiting) -> PostgresDatabase:
    """An open database with a table of numbers."""
    database = await make_database("postgres", at=place, clock=clock)
    assert isinstance(database, PostgresDatabase)
    await database.write(prepare)
    return database


def outside(place: Place, sql: str) -> None:
    """Run a statement on a connection of our own."""
    with psycopg.connect(place.where, autocommit=True) as conn:
        conn.execute(sql.encode())


def cut(place: Place, tx: Tx) -> list[int]:
    """End the session of a transaction from outside, then go on in it."""
    outside(place, f"SELECT pg_terminate_backend({value('SELECT pg_backend_pid() AS value')(tx)}, 5000)")
    return ids(tx)


def cut_lock(place: Place) -> None:
    """End the session that holds the lock, and wait until it is gone."""
    outside(
        place,
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_locks WHERE locktype = 'advisory'"
        " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
    )


def numbering(key: int, then: Callable[[Tx], Any]) -> tuple[list[int], Callable[[Tx], None]]:
    """A transaction that adds a number and does something; with the list of its attempts."""
    attempts: list[int] = []

    def fn(tx: Tx) -> None:
        attempts.append(key)
        add(key)(tx)
        then(tx)

    return attempts, fn


async def test_a_deadlock_is_tried_again(database: PostgresDatabase) -> None:
    both, attempts = threading.Barrier(2), []

    def change(first: int, second: int) -> Callable[[Tx], None]:
        tries: list[int] = []

        def fn(tx: Tx) -> None:
            attempts.append(first)
            tries.append(first)
            sql = "UPDATE number SET n = n + 1 WHERE id = :id"
            tx.run(sql, {"id": first})
            if len(tries) == 1:
                both.wait(WAIT)
            tx.run(sql, {"id": second})

        return fn

    await asyncio.gather(database.write(add(1)), database.write(add(2)))
    await asyncio.gather(database.write(change(1, 2)), database.write(change(2, 1)))
    # Postgres ends one of the two, or both when they look for a deadlock at the same moment; and they may meet again.
    assert len(attempts) > 2
    assert await database.read(lambda tx: [row["n"] for row in tx.all("SELECT n FROM number")]) == [2, 2]


async def test_a_deadlock_without_end_is_given_up(database: PostgresDatabase) -> None:
    fail = "DO 'BEGIN RAISE EXCEPTION USING ERRCODE = ''deadlock_detected''; END'"
    attempts, fn = numbering(1, lambda tx: tx.run(fail))
    with pytest.raises(StorageError):
        await database.write(fn)
    assert len(attempts) == 5


async def test_a_row_that_somebody_else_made_meanwhile_is_there_when_it_is_tried_again(
    database: PostgresDatabase, place: Place
) -> None:
    attempts: list[int] = []

    def fn(tx: Tx) -> None:
        attempts.append(1)
        if not ids(tx):
            outside(place, "INSERT INTO number (id, n) VALUES (7, 1)")
            add(7)(tx)

    await database.write(fn)
    assert (len(attempts), await database.read(ids)) == (2, [7])


async def test_who_waits_no_longer_keeps_their_place(database: PostgresDatabase) -> None:
    begun, go, done = threading.Event(), threading.Event(), list[int]()

    def slow(tx: Tx) -> None:
        begun.set()
        assert go.wait(WAIT)
        done.append(1)

    first = asyncio.create_task(database.write(slow, order="a"))
    await asyncio.to_thread(begun.wait, WAIT)
    first.cancel()
    second = asyncio.create_task(database.write(lambda tx: done.append(2), order="a"))
    await database.write(lambda tx: done.append(0), order="b")
    go.set()
    await second
    assert done == [0, 1, 2]


async def test_a_row_may_point_to_a_locked_one(database: PostgresDatabase, place: Place) -> None:
    def fn(tx: Tx) -> None:
        tx.run("INSERT INTO tenant (id, platform, external_id, created_at) VALUES (7, 'x', 'x', 1)")
        tx.run("INSERT INTO scope (id, tenant_id, kind, created_at) VALUES (7, 7, 'private', 1)")

    def locked(tx: Tx) -> None:
        tx.lock(("scope", 7))
        outside(
            place,
            "SET lock_timeout = '2s'; INSERT INTO person (tenant_id, scope_id, created_at) VALUES (7, 7, 1)",
        )

    await database.write(fn)
    await database.write(locked)


async def test_a_connection_that_breaks_before_the_commit_is_replaced_once(
    database: PostgresDatabase, place: Place
) -> None:
    attempts, fn = numbering(1, lambda tx: cut(place, tx) if len(attempts) == 1 else None)
    await database.write(fn)
    assert len(attempts) == 2
    assert await database.read(ids) == [1]


async def test_a_connection_that_breaks_again_is_an_error_and_the_next_write_works(
    database: PostgresDatabase, place: Place
) -> None:
    attempts, fn = numbering(1, lambda tx: cut(place, tx))
    with pytest.raises(StorageAway):
        await database.write(fn)
    assert len(attempts) == 2
    await database.write(add(2))
    assert await database.read(ids) == [2]


async def test_a_commit_in_doubt_is_not_done_again(database: PostgresDatabase) -> None:
    def trap(tx: Tx) -> None:
        tx.run(
            "CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS"
            " 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END'"
        )
        tx.run(
            "CREATE CONSTRAINT TRIGGER die AFTER INSERT ON number DEFERRABLE INITIALLY DEFERRED"
            " FOR EACH ROW EXECUTE FUNCTION die()"
        )

    await database.write(trap)
    attempts, fn = numbering(1, lambda tx: None)
    with pytest.raises(StorageAway, match="unknown"):
        await database.write(fn)
    assert len(attempts) == 1


async def test_what_takes_too_long_has_not_taken_the_database_away(database: PostgresDatabase) -> None:
    def slow(tx: Tx) -> None:
        tx.run("SET LOCAL statement_timeout = 50")
        tx.one("SELECT pg_sleep(10)")

    with pytest.raises(StorageError, match="statement timeout") as refused:
        await database.write(slow)
    assert not isinstance(refused.value, StorageAway)


class Lines(logging.Handler):
    """What is logged from the event loop, to be waited for."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.queue: asyncio.Queue[str] = asyncio.Queue()

    def emit(self, record: logging.LogRecord) -> None:
        self.queue.put_nowait(record.getMessage())

    async def next(self) -> str:
        """The next line."""
        async with asyncio.timeout(WAIT):
            return await self.queue.get()


async def test_that_the_database_hangs_is_said_once_when_it_begins_and_once_when_it_ends(
    database: PostgresDatabase, clock: Waiting
) -> None:
    """Its process is stopped: it takes what it is asked, and answers nothing."""
    lines, stopped = Lines(), threading.Event()
    logger = logging.getLogger("core.store.postgres.database")
    logger.addHandler(lines)
    pid = 0

    def hang(tx: Tx) -> list[int]:
        nonlocal pid
        pid = value("SELECT pg_backend_pid() AS value")(tx)
        os.kill(pid, signal.SIGSTOP)
        stopped.set()
        return ids(tx)

    waiting = asyncio.ensure_future(database.read(hang))
    try:
        assert await asyncio.to_thread(stopped.wait, WAIT)
        clock.ahead += 20
        assert re.fullmatch(r"the database does not answer for 2\d s; .*", await lines.next())
        clock.ahead += 60
    finally:
        os.kill(pid, signal.SIGCONT)
    assert await waiting == []
    assert re.fullmatch(r"the database answers again, after 8\d s", await lines.next())
    logger.removeHandler(lines)
    assert lines.queue.empty()


async def test_a_database_that_is_lost_while_it_hangs_does_not_answer_again_by_that(
    database: PostgresDatabase, clock: Waiting
) -> None:
    lines, asked, lost = Lines(), threading.Event(), threading.Event()
    logger = logging.getLogger("core.store.postgres.database")
    logger.addHandler(lines)

    def lose(tx: Tx) -> None:
        asked.set()
        assert lost.wait(WAIT)
        raise StorageAway("the connection timed out")

    waiting = asyncio.ensure_future(database.read(lose))
    assert await asyncio.to_thread(asked.wait, WAIT)
    clock.ahead += 20
    assert "does not answer" in await lines.next()
    lost.set()
    with pytest.raises(StorageAway):
        await waiting
    assert database._next_look is not None
    database._next_look.cancel()
    database._look()
    assert lines.queue.empty()
    clock.ahead += 60
    assert await database.read(ids) == []
    assert re.fullmatch(r"the database answers again, after 8\d s", await lines.next())
    logger.removeHandler(lines)


async def test_a_swallowed_error_cannot_pass_for_a_commit(database: PostgresDatabase) -> None:
    def swallow(tx: Tx) -> str:
        add(1)(tx)
        try:
            tx.run("SELECT * FROM nowhere")
        except Exception as error:
            return str(error)
        return ""

    with pytest.raises(StorageError, match="nothing of it is stored") as refused:
        await database.write(swallow)
    assert not isinstance(refused.value, StorageAway)
    assert await database.read(ids) == []


async def test_a_lost_lock_is_noticed_and_taken_again(database: PostgresDatabase, place: Place, clock: Waiting) -> None:
    cut_lock(place)
    clock.ahead = 60
    await database.write(add(1))
    assert database.health() == {"ok": True, "lock_losses": 1}
    with pytest.raises(StorageBusy):
        await PostgresDatabase(place.where, clock).open()


async def test_nothing_is_written_while_another_process_holds_the_lock(
    database: PostgresDatabase, place: Place, clock: Waiting
) -> None:
    cut_lock(place)
    other = PostgresDatabase(place.where, clock)
    await other.open()
    clock.ahead = 60
    for key in (1, 2):
        with pytest.raises(StorageBusy):
            await database.write(add(key))
    assert (await database.read(ids), database.health()["ok"]) == ([], False)
    await other.close()
    await database.write(add(3))
    assert await database.read(ids) == [3]


async def test_a_session_that_was_made_read_only_is_replaced(database: PostgresDatabase) -> None:
    every = threading.Barrier(WORKERS)

    def fn(tx: Tx) -> None:
        every.wait(WAIT)
        tx.run("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY")

    await asyncio.gather(*(database.write(fn) for _ in range(WORKERS)))
    await database.write(add(1))
    assert await database.read(ids) == [1]


async def test_a_full_disk_stops_accepting_for_a_while(database: PostgresDatabase, clock: Waiting) -> None:
    assert database.has_room()
    with pytest.raises(StorageFull):
        await database.write(lambda tx: tx.run("DO 'BEGIN RAISE EXCEPTION USING ERRCODE = ''disk_full''; END'"))
    assert not database.has_room()
    clock.ahead = LOOK_AGAIN_AFTER + 1
    assert database.has_room()


async def test_what_postgres_cannot_store_is_replaced(database: PostgresDatabase) -> None:
    await database.write(add(1, note="a\0b"))
    assert await database.read(value("SELECT note AS value FROM number")) == "a\ufffdb"


async def test_casts_are_not_parameters(database: PostgresDatabase) -> None:
    assert await database.read(value("SELECT :x::bigint::text || ':x' AS value", x=5)) == "5:x"


async def test_messages_show_neither_the_password_nor_values_of_rows(database: PostgresDatabase) -> None:
    nowhere = PostgresDatabase(f"postgresql://teller:{URL_SECRET}@/x?host=/nowhere", SystemClock())
    with pytest.raises(StorageError, match=r"^cannot open the database of database\.url: ") as failed:
        await nowhere.open()
    note = "private"  # a traceback quotes the lines that were run
    await database.write(add(1, note=note))
    with pytest.raises(BadRow) as refused:
        await database.write(add(2, note=note))
    shown = f"{failed.value!r} {failed.value.__cause__!r} {''.join(traceback.format_exception(refused.value))}"
    assert SECRET not in shown
    assert "private" not in shown


def test_an_address_that_cannot_be_read_is_not_quoted() -> None:
    with pytest.raises(ConfigError) as refused:
        PostgresDatabase("postgresql://teller:hush%zz@host/x", SystemClock())
    assert "hush" not in str(refused.value)
    assert refused.value.__cause__ is None


async def test_a_backup_can_be_restored(
    database: PostgresDatabase,
    postgres_server: PostgresServer,
    place: Place,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", str(postgres_server.programs), prepend=os.pathsep)
    await database.write(add(1, note="kept"))
    file = tmp_path / "backups" / "teller.dump"
    said = await database.backup(str(file))
    assert (str(file) in said, file.stat().st_mode & 0o777) == (True, 0o600)
    with pytest.raises(StorageError, match="exists"):
        await database.backup(str(file))
    await database.write(add(2))
    restore = ["pg_restore", "--clean", f"--dbname={place.where}", str(file)]
    await asyncio.to_thread(subprocess.run, restore, check=True, capture_output=True)
    assert await database.read(ids) == [1]


async def test_an_older_database_is_dumped_before_it_is_migrated(
    postgres_server: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("PATH", str(postgres_server.programs), prepend=os.pathsep)
    database = PostgresDatabase(postgres_server.create(), SystemClock(), tmp_path / "backups")
    await database.open()
    await database.close()
    later = (*migrations.scripts(), ("9999_later", "CREATE TABLE later (note TEXT)"))
    monkeypatch.setattr(migrations, "scripts", lambda: later)
    await database.open()
    await database.close()
    [copy] = await asyncio.to_thread(lambda: list((tmp_path / "backups").iterdir()))
    assert re.fullmatch(r"before-9999_later-\d+-\d+\.dump", copy.name)
    even_later = (*later, ("9999_next", "CREATE TABLE next (note TEXT)"))
    monkeypatch.setattr(migrations, "scripts", lambda: even_later)
    monkeypatch.setenv("PATH", str(tmp_path))
    await database.open()
    await database.close()
    assert "migrating without a backup: pg_dump is not on the PATH" in caplog.text


async def test_an_upgrade_that_fails_says_where_and_leaves_no_dump_of_what_has_not_changed(
    postgres_server: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(postgres_server.programs), prepend=os.pathsep)
    database = PostgresDatabase(postgres_server.create(), SystemClock(), tmp_path / "backups")
    await database.open()
    await database.close()
    later = (*migrations.scripts(), ("9999_bad", "CREATE TABLE person (note TEXT)"))
    monkeypatch.setattr(migrations, "scripts", lambda: later)
    with pytest.raises(StorageError, match=r"^the database cannot be .* \(9999_bad\): .*person.*Nothing has changed$"):
        await database.open()
    assert await asyncio.to_thread(lambda: list((tmp_path / "backups").iterdir())) == []


async def test_a_backup_without_pg_dump_says_what_to_run(
    database: PostgresDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(StorageError, match="pg_dump --format=custom"):
        await database.backup(str(tmp_path / "x.dump"))


async def test_the_password_reaches_pg_dump_by_its_environment_only(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = tmp_path / "seen"
    program = tmp_path / "pg_dump"
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$PGPASSWORD" "$@" > {seen}\necho "no: $PGPASSWORD" >&2\nexit 1\n')
    program.chmod(0o700)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    url = place.where.replace("postgres:@", f"postgres:{URL_SECRET}@")
    with pytest.raises(StorageError, match=r"no: \*\*\*"):
        await PostgresDatabase(url, SystemClock()).backup(str(tmp_path / "x.dump"))
    password, *arguments = seen.read_text().splitlines()
    assert (password, [one for one in arguments if SECRET in one or URL_SECRET in one]) == (SECRET, [])
    assert not (tmp_path / "x.dump").exists()


async def test_without_the_driver_the_message_says_what_to_install() -> None:
    code = "import sys; sys.modules['psycopg'] = None; import core.store.postgres.database"
    run = asyncio.to_thread(subprocess.run, [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert "ConfigError: A postgresql:// database needs" in (await run).stderr

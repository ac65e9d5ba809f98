"""SQLite: one writer thread, many functions to a commit, read-only readers where the library is safe for them.

SQLite before 3.51.3 can corrupt a WAL file under two connections (sqlite.org/wal.html, "WAL-reset bug"); there the
writer's connection serves the reads too. The file, its WAL and the lock are 0600.
"""

from __future__ import annotations

import asyncio
import fcntl
import logging
import os
import threading
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import sqlite_utils
from sqlite_utils.utils import sqlite3

from core.kernel.errors import BadRow, LockOrder, StorageBusy, StorageError, StorageFull, TellerError
from core.kernel.ports import Clock, Lock, Params, Row, Tx, Values, Wanted
from core.kernel.types import Millis
from core.store.bulk import statements
from core.store.private_files import MODE, private, unlinked
from core.store.schema import migrations
from core.store.sqlite import text_search
from core.store.sqlite.backup import copy
from core.store.sqlite.disk_reserve import DiskReserve
from core.store.sqlite.write_queue import Job, Jobs, deliver

log = logging.getLogger(__name__)
T = TypeVar("T")

MACROS = {
    "pk": "INTEGER PRIMARY KEY AUTOINCREMENT",
    "int": "INTEGER",
    "float": "REAL",
    "keyed": "WITHOUT ROWID",
    "instr": "instr",
    "json": "TEXT",
    "sqlite": "",
    "end": ";",
}
PAGE_BYTES = 2048
# More than we have: a full cache turns newcomers out first, and each of them is then prepared anew, at 4 times the CPU.
STATEMENTS = 512
CHECKPOINT_PAGES = 4000
# How long to wait for another connection; and for readers when the log is to be emptied, which can be done later.
BUSY_MS, SCRUB_BUSY_MS = 5_000, 500
READERS = 2
SAFE_VERSION = (3, 51, 3)
# Older ones leave deleted words in the text index until it is put together anew.
SECURE_INDEX_VERSION = (3, 42)
LOCKED_TABLES = frozenset({"chat", "lane", "ledger_head", "person", "scope", "trigger"})


class SqliteTx:
    """A transaction on a connection."""

    def __init__(self, conn: Any, clock: Clock) -> None:
        self._conn, self._clock = conn, clock
        self._locked: list[Lock] = []
        self.callbacks: list[Callable[[], None]] = []
        self.scrubs = False

    def run(self, sql: str, params: Params = {}, /) -> int:  # noqa: B006
        return int(self._conn.execute(sql, params).rowcount)

    def one(self, sql: str, params: Params = {}, /) -> Row | None:  # noqa: B006
        row: Row | None = self._conn.execute(sql, params).fetchone()
        return row

    def all(self, sql: str, params: Params = {}, /) -> list[Row]:  # noqa: B006
        rows: list[Row] = self._conn.execute(sql, params).fetchall()
        return rows

    def many(self, sql: str, rows: Sequence[Values], /) -> list[Row]:
        return [row for statement in statements(sql, rows) for row in self._conn.execute(*statement).fetchall()]

    def lock(self, *keys: Lock) -> None:
        for key in sorted(keys):
            if key[0] not in LOCKED_TABLES:
                raise StorageError(f"rows of {key[0]!r} are not locked")
            if key in self._locked:
                continue
            if self._locked and key < self._locked[-1]:
                raise LockOrder(f"{key} after {self._locked[-1]}")
            self._locked.append(key)

    def lease_clock(self) -> Millis:
        return int(self._clock.monotonic() * 1000)

    def after_commit(self, call: Callable[[], None]) -> None:
        self.callbacks.append(call)

    def occurrences(self, places: Sequence[str], terms: Sequence[str], most: int, sample: str = "") -> list[int]:
        return text_search.occurrences(self, places, terms, most, sample)

    def candidates(self, wanted: Wanted, limit: int) -> list[Row]:
        return text_search.candidates(self, wanted, limit)

    def scrub(self) -> None:
        self.scrubs = True


@dataclass(slots=True)
class _Job(Job):
    """`alone` is outside of any transaction."""

    reading: bool = False
    alone: bool = False
    scrubs: bool = False


class Writer:
    """The writer thread and its connection to the file `path`. On a full disk it frees the `reserve`."""

    def __init__(self, path: Path, clock: Clock, reserve: DiskReserve, *, synchronous: str) -> None:
        self._path, self._clock, self._reserve, self._synchronous = path, clock, reserve, synchronous
        self._loop = asyncio.get_running_loop()
        self._jobs = Jobs[_Job]()
        self._opened: asyncio.Future[None] = self._loop.create_future()
        self._thread = threading.Thread(target=self._serve, name="sqlite-writer", daemon=True)

    async def start(self) -> None:
        """Start the thread, which opens the file; raises `StorageError` when that fails."""
        self._thread.start()
        await self._opened

    async def run(self, fn: Callable[[Tx], T], *, first: bool = False, reading: bool = False, alone: bool = False) -> T:
        """Run a function in a transaction, `alone` outside of any. What comes `first` waits for no other."""
        job = _Job(fn, self._loop.create_future(), reading=reading, alone=alone)
        self._jobs.put(job, first=first)
        result: T = await job.future
        return result

    async def end(self) -> None:
        """Finish what was handed over, then close the connection."""
        self._jobs.end()
        await asyncio.to_thread(self._thread.join)

    def _serve(self) -> None:
        """The writer thread: open, then one batch after another until told to stop."""
        try:
            try:
                conn = self._connect()
            except sqlite3.Error as error:
                if not is_full(error):
                    raise
                self._reserve.drop()
                conn = self._connect()
        except (sqlite3.Error, OSError) as error:
            why = _ours(error) if isinstance(error, sqlite3.Error) else error.strerror or error
            if isinstance(error, PermissionError):
                why = f"{why}. Give it, with what lies beside it, to the user that Teller runs as"
            refused = StorageError(f"cannot open {self._path}: {why}")
            self._loop.call_soon_threadsafe(self._opened.set_exception, refused)
            return
        self._loop.call_soon_threadsafe(self._opened.set_result, None)
        while jobs := self._jobs.take():
            self._batch(conn, [job for job in jobs if not job.alone])
            # Outside of any transaction: SQLite copies no database while its own connection writes.
            for job in (job for job in jobs if job.alone):
                try:
                    job.result = job.fn(SqliteTx(conn, self._clock))
                except BaseException as error:
                    job.error = error if isinstance(error, StorageError) else _ours(error)
            self._loop.call_soon_threadsafe(deliver, jobs)
        conn.close()

    def _connect(self) -> Any:
        with open(self._path, "ab", opener=private) as file:
            os.fchmod(file.fileno(), MODE)
        conn = sqlite_utils.Database(sqlite3.connect(self._path, cached_statements=STATEMENTS)).conn
        conn.isolation_level = None
        conn.row_factory = sqlite3.Row
        try:
            conn.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
            # Each page a transaction touches is written to the log whole: small ones cost less (new files only).
            conn.execute(f"PRAGMA page_size = {PAGE_BYTES}")
            conn.execute("PRAGMA journal_mode = WAL")
            conn.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
            conn.execute(f"PRAGMA synchronous = {self._synchronous}")
            conn.execute("PRAGMA foreign_keys = ON")
            # What is erased is overwritten with zeros, so that forgetting holds for the file as well.
            conn.execute("PRAGMA secure_delete = ON")
            self._file = os.stat(self._path)
        except BaseException:
            conn.close()
            raise
        return conn

    def _batch(self, conn: Any, jobs: list[_Job]) -> None:
        """Run all jobs in one commit; on a full disk free the ballast and try once more."""
        try:
            try:
                self._commit(conn, jobs)
            except sqlite3.Error as error:
                if not is_full(error):
                    raise
                self._reserve.drop()
                self._commit(conn, jobs)
        except BaseException as error:
            failure = error if isinstance(error, StorageError) else _ours(error)
            for job in jobs:
                job.error = failure
        else:
            if any(job.scrubs and job.error is None for job in jobs):
                _empty_log(conn)

    def _commit(self, conn: Any, jobs: list[_Job]) -> None:
        if not jobs:
            return
        # A file that was deleted takes what is written, too, and all of it would be gone at the next start.
        try:
            lost = not os.path.samestat(self._file, os.stat(self._path))
        except FileNotFoundError:
            lost = True
        if lost:
            raise StorageError(
                f"{self._path} is not the file any more that was opened: somebody has deleted, moved or replaced it"
                " while the bot runs. Nothing is written. `teller backup` still copies what was there; then stop the"
                " bot and restore that"
            )
        try:
            conn.execute("BEGIN IMMEDIATE")
            for job in jobs:
                self._attempt(conn, job, savepoint=len(jobs) > 1)
            if conn.in_transaction:
                conn.execute("COMMIT")
        except BaseException:
            if conn.in_transaction:
                conn.execute("ROLLBACK")
            raise

    def _attempt(self, conn: Any, job: _Job, *, savepoint: bool) -> None:
        """Run one job, under a savepoint if it is not alone; its error is its own, a full disk is everybody's."""
        tx = SqliteTx(conn, self._clock)
        if savepoint:
            conn.execute("SAVEPOINT job")
        if job.reading:
            conn.execute("PRAGMA query_only = 1")
        try:
            job.result, job.error = job.fn(tx), None
            job.callbacks, job.scrubs = tx.callbacks, tx.scrubs
        except Exception as error:
            if isinstance(error, sqlite3.Error) and (is_full(error) or not conn.in_transaction):
                raise
            conn.execute("ROLLBACK TO job" if savepoint else "ROLLBACK")
            job.error = _ours(error) if isinstance(error, sqlite3.Error) else error
        finally:
            if job.reading:
                conn.execute("PRAGMA query_only = 0")
        if savepoint:
            conn.execute("RELEASE job")


class SqliteDatabase:
    """The `Database` port on one file."""

    name = "sqlite"
    safe_version = SAFE_VERSION

    def __init__(
        self,
        path: Path,
        clock: Clock,
        *,
        synchronous: str = "normal",
        ballast_bytes: int = 0,
        settle: Callable[[], None] = lambda: None,
    ) -> None:
        """`settle` is called each time the data are locked, before the file is looked at."""
        self._path, self._clock, self._synchronous, self._settle = path, clock, synchronous, settle
        self._disk_reserve = DiskReserve(path.with_name("ballast"), ballast_bytes)
        self._writer: Writer | None = None
        self._readers: ThreadPoolExecutor | None = None
        self._local = threading.local()
        self._reader_conns: list[Any] = []
        self._lock_file: int | None = None

    async def open(self, *, upgrade: bool = True) -> str:
        """Lock the data, open it in the writer thread, back up and migrate."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._lock_file = take_lock(self._path)
        except OSError as error:
            raise StorageError(f"cannot open {self._path}: {error.strerror}") from error
        try:
            self._settle()
            self._disk_reserve.load()
            self._writer = Writer(self._path, self._clock, self._disk_reserve, synchronous=self._synchronous)
            await self._writer.start()
            if sqlite3.sqlite_version_info >= self.safe_version:
                self._open_readers()
                self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="sqlite-reader")
            return await self._migrate(upgrade=upgrade)
        except BaseException as error:
            await self.close()
            if isinstance(error, StorageFull):
                raise StorageFull(f"cannot open {self._path}: {error}. Make room on it") from error
            raise

    async def _migrate(self, *, upgrade: bool) -> str:
        names = await self.write(lambda tx: migrations.pending(tx, MACROS))
        if (former := migrations.former(names)) and not upgrade:
            return former
        copied, backups = None, self._path.parent / "backups"
        migrations.remove_unused_copies(backups, names)
        if former:
            stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
            copied = unlinked(backups) / f"before-{names[0]}-{stamp}.db{migrations.NEW}"
            await self.backup(str(copied))
        for name in names:
            try:
                await self.write(lambda tx, name=name: migrations.apply(tx, name, MACROS, self._clock.now()))  # type: ignore[misc]
            except TellerError as error:
                raise migrations.stuck(str(self._path), name, error, copied, first=name == names[0]) from error
            copied = migrations.keep_copy(copied)
            log.info("migrated: %s", name)
        if sqlite3.sqlite_version_info >= SECURE_INDEX_VERSION:
            await self.write(lambda tx: tx.run(text_search.SECURE_DELETE))
        else:
            await self.write(text_search.make_readable)
        return ""

    async def close(self) -> None:
        """Finish queued transactions, checkpoint, unlock. The writer's connection closes last: it removes the WAL."""
        writer, self._writer = self._writer, None
        readers, self._readers = self._readers, None
        if readers is not None:
            await asyncio.to_thread(readers.shutdown)
        while self._reader_conns:
            self._reader_conns.pop().close()
        if writer is not None:
            await writer.end()
        if self._lock_file is not None:
            os.close(self._lock_file)
            self._lock_file = None

    def has_room(self) -> bool:
        return self._disk_reserve.has_room()

    async def write(self, fn: Callable[[Tx], T], *, order: Hashable = None) -> T:
        # One thread does them all, in the order of their calls.
        return await self._open_writer().run(fn, first=order is not None)

    def _open_writer(self) -> Writer:
        if self._writer is None:
            raise StorageError("the database is closed")
        return self._writer

    async def read(self, fn: Callable[[Tx], T]) -> T:
        if self._readers is None:
            return await self._open_writer().run(fn, reading=True)
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._read, fn)

    def _read(self, fn: Callable[[Tx], T]) -> T:
        try:
            conn = self._reader()
            conn.execute("BEGIN")
            try:
                return fn(SqliteTx(conn, self._clock))
            finally:
                if conn.in_transaction:
                    conn.execute("ROLLBACK")
        except sqlite3.Error as error:
            raise _ours(error) from error
        except (StopIteration, KeyboardInterrupt) as error:  # a future refuses the one, the loop dies of the other
            raise RuntimeError(f"the transaction raised {error!r}") from error

    def _reader(self) -> Any:
        """Return the connection of this thread."""
        if not hasattr(self._local, "conn"):
            self._local.conn = self._unused.pop()
        return self._local.conn

    def _open_readers(self) -> None:
        """Open all connections for reading, and read: when a thread first needs one, another file may have the path."""
        where = f"{self._path.absolute().as_uri()}?mode=ro"
        try:
            for _ in range(READERS):
                conn = sqlite3.connect(
                    where, uri=True, isolation_level=None, check_same_thread=False, cached_statements=STATEMENTS
                )
                self._reader_conns.append(conn)
                conn.row_factory = sqlite3.Row
                conn.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
                conn.execute("SELECT 1 FROM sqlite_master").fetchall()
        except sqlite3.Error as error:
            raise _ours(error) from error
        self._unused = list(self._reader_conns)

    async def backup(self, path: str) -> str:
        """Copy the running database to `path` (0600), check the copy, and return a line about it."""
        if self._readers is None:
            return await self._open_writer().run(lambda tx: copy(tx._conn, Path(path)), alone=True)  # type: ignore[attr-defined]
        return await asyncio.get_running_loop().run_in_executor(self._readers, lambda: copy(self._reader(), Path(path)))


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keep the data of the file `path`, whose folder is made where it is missing, for this process.

    Raises `StorageBusy` while another one has them, and `StorageError`.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = take_lock(path)
    except OSError as error:
        raise StorageError(f"cannot open {path}: {error.strerror or error}") from error
    try:
        yield
    finally:
        os.close(lock)


def take_lock(path: Path) -> int:
    """Lock the data of the file `path` for this process and return the lock's descriptor; raises `StorageBusy`."""
    file = private(path.with_name("lock"), os.O_CREAT | os.O_RDWR)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        owner = os.read(file, 20).decode() or "?"
        os.close(file)
        raise StorageBusy(
            f"Another Teller (process {owner}) is running on {path.parent}, or is just starting or ending there. "
            "Wait for it, or stop it; or give this one its own TELLER_DATA_DIR."
        ) from error
    os.ftruncate(file, 0)
    os.pwrite(file, str(os.getpid()).encode(), 0)
    return file


def _empty_log(conn: Any) -> None:
    """Move everything from the log into the file, and cut the log: it holds pages as they were before the erasing."""
    try:
        if sqlite3.sqlite_version_info < SECURE_INDEX_VERSION:
            conn.execute(text_search.OPTIMIZE)
        conn.execute(f"PRAGMA busy_timeout = {SCRUB_BUSY_MS}")
        busy = conn.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        conn.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    except sqlite3.Error as error:
        log.warning("the log could not be emptied (%s); it is next night", error)
        return
    if busy:
        log.info("the log is being read and could not be emptied; it is next night")


def is_full(error: Exception) -> bool:
    """Return whether SQLite could not write: of a full disk it says one or the other."""
    return "disk is full" in str(error) or "disk I/O error" in str(error)


DAMAGED = ("disk image is malformed", "file is not a database")
# The driver calls a value it cannot bind a misuse of its interface.
_BAD_ROW = (sqlite3.IntegrityError, sqlite3.DataError, sqlite3.InterfaceError, sqlite3.ProgrammingError)


def _ours(error: BaseException) -> TellerError:
    if not isinstance(error, sqlite3.Error):
        return StorageError(f"the transaction was stopped by {error!r}")
    if isinstance(error, _BAD_ROW):
        return BadRow(str(error))
    if "locked" in str(error):
        return StorageBusy(f"{error}. Another program has it open and writes, such as sqlite3: end that one")
    if is_full(error):
        return StorageFull(f"the disk is full, or cannot be written ({error})")
    if any(words in str(error) for words in DAMAGED):
        return StorageError(
            f"the database is damaged ({error}). Stop the bot and restore a backup: teller restore FILE"
        )
    return StorageError(str(error))

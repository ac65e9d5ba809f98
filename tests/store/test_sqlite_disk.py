"""SQLite and its disk: no space left, who may read the files, a process killed while it commits, a copy."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from sqlite_utils.utils import sqlite3

from core.kernel.clock import SystemClock
from core.kernel.errors import StorageBusy, StorageError, StorageFull
from core.kernel.ports import Database, Tx
from core.store.schema import migrations
from core.store.sqlite import database as sqlite_database
from core.store.sqlite import inspect
from core.store.sqlite.backup import check
from core.store.sqlite.database import SqliteDatabase, Writer
from core.store.sqlite.disk_reserve import DiskReserve
from tests.conftest import DatabaseMaker, PlaceMaker
from tests.databases import Place, add, ids, prepare

ROOT = Path(__file__).parents[2]
PAGE = 4096
BALLAST = 64 * PAGE
BIG = "x" * PAGE


class TinyDisk(DiskReserve):
    """The ballast on a disk that holds `capacity` bytes; what is free is what the files leave."""

    check_every = 0.0
    capacity = 1 << 30

    def _free(self) -> int:
        return max(0, self.capacity - self.used())

    def used(self) -> int:
        return sum(file.stat().st_size for file in self._path.parent.iterdir() if file.is_file())


class OnTinyDisk(SqliteDatabase):
    """SQLite refuses a page that does not fit, as it does when the system reports ENOSPC."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, SystemClock(), ballast_bytes=BALLAST)
        self.disk = self._disk_reserve = TinyDisk(path.with_name("ballast"), BALLAST)

    async def pack(self, number: int, note: str) -> int:
        """Add a big number; first tell SQLite how many pages fit, the freed ballast included."""

        def fn(tx: Tx) -> int:
            pages = tx.one("PRAGMA page_count")
            assert pages is not None
            tx.run(f"PRAGMA max_page_count = {pages['page_count'] + self.disk._free() // PAGE}")
            return add(number, note=note)(tx)

        return await self.write(fn)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "teller.db"


@pytest.fixture(params=["sqlite", "sqlite-one"])
def place(request: pytest.FixtureRequest, make_place: PlaceMaker) -> Place:
    return make_place(str(request.param))


async def test_a_full_disk_frees_the_ballast_then_refuses_and_recovers_with_the_space(path: Path) -> None:
    database = OnTinyDisk(path)
    await database.open()
    await database.write(prepare)
    assert (database.has_room(), path.with_name("ballast").stat().st_size) == (True, BALLAST)
    database.disk.capacity = database.disk.used() + 2 * PAGE

    stored = [key for key in range(100) if await _fits(database, key)]
    assert 5 < len(stored) < 100  # two pages of space, the rest is the ballast
    assert stored == list(range(len(stored)))
    assert (database.has_room(), path.with_name("ballast").exists()) == (False, False)
    assert await database.read(ids) == stored

    database.disk.capacity = 1 << 30
    assert database.has_room()
    assert path.with_name("ballast").stat().st_size == BALLAST
    await database.pack(100, BIG)
    await database.close()
    check(path)
    assert await _ids_of(path) == [*stored, 100]


async def _fits(database: OnTinyDisk, key: int) -> bool:
    try:
        await database.pack(key, f"{key} {BIG}")
    except StorageFull:
        return False
    return True


async def _ids_of(path: Path) -> list[int]:
    database = SqliteDatabase(path, SystemClock())
    await database.open()
    found = await database.read(ids)
    await database.close()
    return found


async def test_the_first_full_disk_is_not_the_callers_trouble(path: Path) -> None:
    database = OnTinyDisk(path)
    await database.open()
    await database.write(prepare)
    database.disk.capacity = database.disk.used()
    assert list(await asyncio.gather(database.pack(1, BIG), database.write(add(2)))) == [1, 1]
    assert not database.has_room()
    await database.close()


@pytest.mark.parametrize("first", [0, 2])
async def test_of_a_damaged_file_it_is_said_what_to_do(path: Path, first: int) -> None:
    database = SqliteDatabase(path, SystemClock())
    await database.open()
    await database.close()
    content = await asyncio.to_thread(path.read_bytes)
    damaged = content[: first * 2048] + b"x" * (len(content) - first * 2048)
    await asyncio.to_thread(path.write_bytes, damaged)
    with pytest.raises(StorageError, match=r"database is damaged \(.*\)\. Stop the bot and restore a backup"):
        await database.open()


@pytest.mark.parametrize("replaced", [True, False])
async def test_nothing_is_written_into_a_file_that_is_not_there_any_more(path: Path, *, replaced: bool) -> None:
    database = SqliteDatabase(path, SystemClock())
    await database.open()
    await database.write(prepare)
    await database.write(add(1))
    aside, copy = path.with_name("aside.db"), path.with_name("copy.db")
    await asyncio.to_thread(path.rename, aside)
    if replaced:
        await asyncio.to_thread(path.write_bytes, b"another one")
    with pytest.raises(StorageError, match="is not the file any more that was opened"):
        await database.write(add(2))
    # What was there can be saved, and goes on when it is back.
    await database.backup(str(copy))
    await asyncio.to_thread(aside.rename, path)
    await database.write(add(3))
    await database.close()
    assert (await _ids_of(copy), await _ids_of(path)) == ([1], [1, 3])


async def test_what_is_read_or_saved_first_after_the_file_was_replaced_is_of_the_file_that_was_opened(
    path: Path,
) -> None:
    other = path.with_name("other") / "teller.db"
    for file, number in ((other, 9), (path, 1)):
        database = SqliteDatabase(file, SystemClock())
        await database.open()
        await database.write(prepare)
        await database.write(add(number))
        await database.close()
    database = SqliteDatabase(path, SystemClock())
    await database.open()
    await asyncio.to_thread(other.replace, path)
    # Nothing was read before, and nothing is written.
    copy = path.with_name("copy.db")
    await database.backup(str(copy))
    assert await database.read(ids) == [1]
    await database.close()
    assert await _ids_of(copy) == [1]


async def test_a_disk_that_is_full_at_the_start_frees_the_ballast(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = OnTinyDisk(path)
    await first.open()
    await first.close()
    connect, ballast = Writer._connect, path.with_name("ballast")
    never_free = False

    def full(writer: Writer) -> Any:
        if ballast.exists() or never_free:
            raise sqlite3.OperationalError("disk I/O error")
        return connect(writer)

    def full_for(tx: Tx, macros: Mapping[str, str]) -> list[str]:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(Writer, "_connect", full)
    database = OnTinyDisk(path)
    database.disk.capacity = database.disk.used()
    await database.open()
    assert (database.has_room(), ballast.exists()) == (False, False)
    await database.close()
    never_free = True
    with pytest.raises(StorageError, match=r"cannot open .*: the disk is full"):
        await OnTinyDisk(path).open()
    monkeypatch.setattr(Writer, "_connect", connect)
    # It opens, and has no room for what each start writes.
    monkeypatch.setattr(migrations, "pending", full_for)
    with pytest.raises(StorageFull, match=rf"cannot open {path}: the disk is full, .*\. Make room on it$"):
        await database.open()
    monkeypatch.setattr(inspect, "_look", lambda path, _: full(path))
    with pytest.raises(StorageError, match="cannot be looked at: the disk is full"):
        inspect.look(path, 1)


async def test_a_file_of_another_user_is_told_with_what_to_do(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_writer: Writer) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(Writer, "_connect", refuse)
    with pytest.raises(StorageError) as refused:
        await SqliteDatabase(path, SystemClock()).open()
    assert str(refused.value) == (
        f"cannot open {path}: Permission denied. Give it, with what lies beside it, to the user that Teller runs as"
    )


async def test_a_reserve_that_does_not_fit_is_told_with_its_size(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path.parent.mkdir()
    disk = TinyDisk(path.with_name("ballast"), 100 << 20)
    disk.capacity = 150 << 20
    with caplog.at_level(logging.ERROR):
        disk.load()
    assert "200 MB must be free for the disk reserve (database.ballast_mb), 150 MB are" in caplog.text
    assert (disk.has_room(), disk.lacks_room) == (False, True)
    disk.capacity = 200 << 20
    assert (disk.has_room(), disk.lacks_room) == (True, False)


async def test_a_disk_without_ballast_is_still_noticed(path: Path) -> None:
    disk_reserve = TinyDisk(path, 0)
    path.parent.mkdir()
    disk_reserve.load()
    assert disk_reserve.has_room()
    disk_reserve.capacity = 0
    disk_reserve.drop()
    assert not disk_reserve.has_room()
    disk_reserve.capacity = 1 << 30
    assert disk_reserve.has_room()


async def test_a_disk_that_was_mounted_read_only_is_told_once_and_has_no_room_until_it_takes_writes_again(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    path.parent.mkdir()
    reserve = TinyDisk(path.with_name("ballast"), BALLAST)
    reserve.load()

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    with monkeypatch.context() as read_only:
        for owner, name in ((os, "utime"), (os, "unlink"), (Path, "unlink")):
            read_only.setattr(owner, name, refuse)
        for _ in range(3):
            reserve.drop()
            assert not reserve.has_room()
    assert caplog.text.count("no new messages are accepted") == 1
    assert "the disk cannot be written: Read-only file system" in caplog.text
    assert reserve.has_room()


async def test_only_the_owner_can_read_the_files(path: Path) -> None:
    database = SqliteDatabase(path, SystemClock(), ballast_bytes=PAGE)
    await database.open()
    await database.write(prepare)
    await database.backup(str(path.parent / "backups" / "copy.db"))
    modes = {str(file.relative_to(path.parent)): file.stat().st_mode & 0o777 for file in path.parent.rglob("*")}
    assert {"teller.db", "teller.db-wal", "teller.db-shm", "lock", "ballast", "backups/copy.db"} < modes.keys()
    assert modes.pop("backups") == path.parent.stat().st_mode & 0o777 == 0o700
    assert set(modes.values()) == {0o600}
    await database.close()


async def test_after_closing_everything_is_in_one_file(database: Database, place: Place) -> None:
    await database.write(prepare)
    await asyncio.gather(*(database.read(lambda tx: tx.all("SELECT * FROM number")) for _ in range(4)))
    await database.close()
    assert [file.name for file in Path(place.where).parent.glob("teller.db*")] == ["teller.db"]


COMMITTING = """
import asyncio, sys
from collections.abc import Mapping
from pathlib import Path
from core.kernel.clock import SystemClock
from core.store.sqlite.database import SqliteDatabase
from tests.databases import add, prepare

async def main():
    database = SqliteDatabase(Path(sys.argv[1]), SystemClock())
    await database.open()
    await database.write(prepare)
    async def one(key):
        await database.write(add(key))
        print(key, flush=True)
    for start in range(0, 1_000_000, 5):
        await asyncio.gather(*(one(start + n) for n in range(5)))

asyncio.run(main())
"""


@pytest.mark.parametrize("lines", [1, 23, 200])
async def test_a_process_killed_while_committing_loses_nothing_it_acknowledged(path: Path, lines: int) -> None:
    acknowledged = await asyncio.to_thread(_commit_until_killed, path, lines)
    stored = await _ids_of(path)
    assert len(acknowledged) >= lines
    assert set(acknowledged) <= set(stored)
    check(path)


def _commit_until_killed(path: Path, lines: int) -> list[int]:
    command = [sys.executable, "-c", COMMITTING, str(path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        first = [process.stdout.readline() for _ in range(lines)]
        process.kill()
        rest = process.stdout.readlines()
    return [int(line) for line in first + rest if line.endswith("\n")]


async def test_a_backup_of_the_running_database_is_complete(
    place: Place, make_database: DatabaseMaker, tmp_path: Path
) -> None:
    database = await make_database(place.name, at=place)
    await database.write(prepare)
    file = tmp_path / "backups" / "copy.db"
    await asyncio.gather(*(database.write(add(key)) for key in range(100)))
    said, *_ = await asyncio.gather(database.backup(str(file)), *(database.write(add(key)) for key in range(100, 200)))
    assert "integrity ok" in str(said)
    copied = await _ids_of(file)
    assert copied == list(range(max(100, len(copied))))
    with pytest.raises(StorageError, match="exists"):
        await database.backup(str(file))


@pytest.fixture
def outgoing(path: Path) -> str:
    """What a file holds that is no database."""
    text = "a letter, not a database " * 100
    path.parent.mkdir()
    path.write_text(text)
    return text


async def test_a_file_that_is_no_database_is_refused_and_left_alone(path: Path, outgoing: str) -> None:
    database = SqliteDatabase(path, SystemClock())
    for _ in range(2):
        with pytest.raises(StorageError, match="cannot open"):
            await database.open()
    assert await asyncio.to_thread(path.read_text) == outgoing
    with pytest.raises(StorageError, match="no Teller database"):
        check(path)


@pytest.mark.parametrize("name", ["a%20b", "a#b", "a?mode=rw", "ä 你"])
async def test_a_folder_may_have_any_name(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    database = SqliteDatabase(folder / "teller.db", SystemClock())
    await database.open()
    await database.write(prepare)
    await database.write(add(1))
    assert await database.read(ids) == [1]
    assert "integrity ok" in await database.backup(str(folder / "copy.db"))
    await database.close()
    assert inspect.look(folder / "teller.db", 5).checked
    assert [one.name for one in await asyncio.to_thread(lambda: list(tmp_path.iterdir()))] == [name]


async def test_a_backup_has_its_name_after_a_power_cut_too(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database = SqliteDatabase(path, SystemClock())
    await database.open()
    copy = path.with_name("copy.db")
    synced: list[tuple[int, bool]] = []
    monkeypatch.setattr(os, "fsync", lambda file: synced.append((os.fstat(file).st_ino, copy.exists())))
    await database.backup(str(copy))
    await database.close()
    assert (os.stat(path.parent).st_ino, True) in synced


async def test_an_older_database_is_copied_before_it_is_migrated(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database = SqliteDatabase(path, SystemClock())
    await database.open()
    await database.write(prepare)
    await database.close()
    later = (*migrations.scripts(), ("9999_later", "CREATE TABLE later (note TEXT DEFAULT ';--')"))
    monkeypatch.setattr(migrations, "scripts", lambda: later)
    await database.open()
    assert await database.read(lambda tx: tx.one("SELECT count(*) AS n FROM later")) is not None
    await database.close()
    [copy] = await asyncio.to_thread(lambda: list((path.parent / "backups").iterdir()))
    assert copy.name.startswith("before-9999_later-")
    check(copy)


async def test_an_upgrade_that_fails_says_where_and_leaves_one_copy_however_often_it_is_tried(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = SqliteDatabase(path, SystemClock())
    await database.open()
    await database.close()
    good = ("9998_good", "CREATE TABLE good (note TEXT)")
    later = (*migrations.scripts(), good, ("9999_bad", "CREATE TABLE good (note TEXT)"))
    monkeypatch.setattr(migrations, "scripts", lambda: later)
    with pytest.raises(StorageError) as first:
        await database.open()
    [copy] = await asyncio.to_thread(lambda: list((path.parent / "backups").iterdir()))
    assert copy.name.startswith("before-9998_good-")
    assert str(first.value).endswith(f"(9999_bad): table good already exists. As it was before, it is in {copy}")
    for _ in range(2):
        with pytest.raises(StorageError, match=r"cannot be brought up to date \(9999_bad\): .*\. Nothing has changed$"):
            await database.open()
    assert await asyncio.to_thread(lambda: list((path.parent / "backups").iterdir())) == [copy]
    check(copy)


KILLED = """
import asyncio, os, signal, sys
from collections.abc import Mapping
from pathlib import Path
from core.kernel.clock import SystemClock
from core.store.schema import migrations
from core.store.sqlite.database import SqliteDatabase

later = (*migrations.scripts(), ("9999_later", "CREATE TABLE later (note TEXT)"))
migrations.scripts = lambda: later
migrations.apply = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
asyncio.run(SqliteDatabase(Path(sys.argv[1]), SystemClock()).open())
"""


async def test_an_upgrade_that_is_killed_leaves_one_copy_however_often_it_is_tried(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = SqliteDatabase(path, SystemClock())
    await database.open()
    await database.close()
    backups = path.parent / "backups"
    for _ in range(2):
        done = await asyncio.to_thread(subprocess.run, [sys.executable, "-c", KILLED, str(path)], cwd=ROOT, check=False)
        assert done.returncode == -signal.SIGKILL
        [copy] = await asyncio.to_thread(lambda: list(backups.iterdir()))
        assert re.fullmatch(r"before-9999_later-\d+-\d+\.db\.new", copy.name)
        aside = await asyncio.to_thread(copy.rename, copy.with_name("before-9999_later-20200101-000000.db.new"))
    # One from before a migration that is done keeps its copy: it was killed right after that.
    kept = await asyncio.to_thread(aside.rename, backups / "before-0001_spine-20200101-000000.db.new")
    # Half copies, of a start that was killed while it made one.
    for name in ("0001_spine-20200101-000000.db.new.part", "9999_later-20200101-000000.db.new.part-journal"):
        await asyncio.to_thread((backups / f"before-{name}").touch)
    await database.open()
    await database.close()
    assert [one.name for one in await asyncio.to_thread(lambda: list(backups.iterdir()))] == [kept.stem]


async def test_a_database_that_another_program_keeps_locked_says_what_to_do(
    make_place: PlaceMaker, make_database: DatabaseMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_database, "BUSY_MS", 10)
    place = make_place("sqlite")
    database = await make_database("sqlite", place)
    other = sqlite3.connect(place.where, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StorageBusy, match=r"database is locked. Another program has it open and writes"):
        await database.write(lambda tx: tx.run("DELETE FROM night"))
    other.close()

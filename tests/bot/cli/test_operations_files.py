"""Backup and restore never leave half a file, and never no file."""

from __future__ import annotations

import filecmp
import os
import shutil
import sqlite3
from pathlib import Path

import pytest

from core.kernel.clock import SystemClock
from core.kernel.errors import StorageError
from core.store.sqlite import backup as sqlite_copy
from core.store.sqlite import restore as sqlite_restore
from core.store.sqlite.database import SqliteDatabase
from core.store.sqlite.disk_reserve import DiskReserve


@pytest.fixture
async def backup(tmp_path: Path) -> Path:
    """A backup of an empty database, which is there too, as teller.db."""
    db = SqliteDatabase(tmp_path / "teller.db", SystemClock())
    await db.open()
    await db.backup(str(tmp_path / "copy.db"))
    await db.close()
    return tmp_path / "copy.db"


def names(folder: Path) -> set[str]:
    return {item.name for item in folder.iterdir()}


async def test_half_a_copy_never_has_the_name_of_a_backup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[set[str]] = []
    check = sqlite_copy.check

    def watched(path: Path) -> None:
        seen.append(names(tmp_path / "to"))
        check(path)

    monkeypatch.setattr(sqlite_copy, "check", watched)
    db = SqliteDatabase(tmp_path / "teller.db", SystemClock())
    await db.open()
    (tmp_path / "to").mkdir()
    (tmp_path / "to" / "copy.db.part").write_text("what a killed backup left")
    try:
        await db.backup(str(tmp_path / "to" / "copy.db"))
        with pytest.raises(StorageError, match="File exists"):
            await db.backup(str(tmp_path / "to" / "copy.db"))
    finally:
        await db.close()
    assert seen == [{"copy.db.part"}]
    assert names(tmp_path / "to") == {"copy.db"}


async def test_a_restore_that_dies_before_its_last_step_leaves_the_database(
    tmp_path: Path, backup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(_self: Path, _target: Path) -> Path:
        raise KeyboardInterrupt

    database, before = tmp_path / "teller.db", (tmp_path / "teller.db").read_bytes()
    monkeypatch.setattr(Path, "replace", die)
    with pytest.raises(KeyboardInterrupt):
        sqlite_restore.put_in_place(database, backup, tmp_path / "aside")
    assert database.read_bytes() == before
    assert (tmp_path / "aside" / "teller.db").read_bytes() == before


@pytest.mark.parametrize("links", [True, False])
async def test_what_a_restore_replaces_is_kept_with_its_log(
    tmp_path: Path, backup: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    def refuse(_file: Path, _other: Path) -> None:
        raise OSError("no links here")

    if not links:
        monkeypatch.setattr(os, "link", refuse)
    database = tmp_path / "teller.db"
    for end in ("-wal", "-shm") if links else ():
        shutil.copy(database, f"{database}{end}")
    kept = sqlite_restore.put_in_place(database, backup, tmp_path / "aside")
    assert set(kept) == ({"teller.db", "teller.db-wal", "teller.db-shm"} if links else {"teller.db"})
    assert names(tmp_path / "aside") == set(kept)
    assert filecmp.cmp(database, backup, shallow=False)
    assert names(tmp_path) == {"teller.db", "copy.db", "aside", "lock", "ballast"}


async def test_a_copy_of_a_newer_version_is_no_good(backup: Path) -> None:
    newer = sqlite3.connect(backup)
    newer.execute("INSERT INTO migration (name, applied_at) VALUES ('9999_future', 0)")
    newer.commit()
    newer.close()
    with pytest.raises(StorageError, match=r"newer Teller \(9999_future\)"):
        sqlite_copy.check(backup)


def test_a_folder_in_the_place_of_the_ballast_is_told(tmp_path: Path) -> None:
    (tmp_path / "ballast").mkdir()
    with pytest.raises(StorageError, match="ballast is a folder"):
        DiskReserve(tmp_path / "ballast", 1 << 20).load()

"""Copies of a SQLite database: made while it runs, and checked."""

from __future__ import annotations

import os
from contextlib import suppress
from errno import EEXIST
from pathlib import Path
from typing import Any

from sqlite_utils.utils import sqlite3

from core.kernel.errors import StorageError
from core.store.private_files import name_for_good, private
from core.store.schema import migrations


def copy(source: Any, path: Path) -> str:
    """Copy the database of the connection `source` to a new file (0600), check it, and return a line about it."""
    part = path.with_name(f"{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if path.exists():
            raise FileExistsError(EEXIST, os.strerror(EEXIST))
        _drop(part)
        os.close(private(part, os.O_CREAT | os.O_EXCL | os.O_RDWR))
        _copy_pages(source, part)
        check(part)
        # Only now under its name: half a copy, cut off by a crash, must not look like a backup.
        name_for_good(part, path)
    except OSError as error:
        raise StorageError(f"cannot write {path}: {error.strerror}") from error
    finally:
        _drop(part)
    return f"{path} ({path.stat().st_size:,} bytes, integrity ok)"


def _drop(part: Path) -> None:
    """Remove what a copy left that did not come to its end."""
    for end in ("", "-journal", "-wal", "-shm"):
        with suppress(OSError):
            part.with_name(part.name + end).unlink(missing_ok=True)


def _copy_pages(source: Any, path: Path) -> None:
    try:
        target = sqlite3.connect(path, isolation_level=None)
        try:
            source.backup(target)
            target.execute("PRAGMA journal_mode = DELETE")
        finally:
            target.close()
    except sqlite3.Error as error:
        raise StorageError(f"cannot write {path}: {error}") from error


def check(path: Path) -> None:
    """Raise `StorageError` unless `path` is an intact Teller database that this version can read. It is a copy of our
    own: a log beside it is put into it."""
    try:
        conn = sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True)
        try:
            found = conn.execute("PRAGMA integrity_check").fetchone()[0]
            applied = {name for (name,) in conn.execute("SELECT name FROM migration")}
        finally:
            conn.close()
    except sqlite3.Error as error:
        raise StorageError(f"{path} is no Teller database: {error}") from error
    if found != "ok":
        raise StorageError(f"{path} is damaged: {found}")
    if unknown := applied.difference(name for name, _ in migrations.scripts()):
        raise StorageError(f"{path} was written by a newer Teller ({max(unknown)}). Get that version first.")

"""Copies of a SQLite database: made while it runs, and checked."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from sqlite_utils.utils import sqlite3

from core.errors import StorageError


def copy(source: Any, path: Path) -> str:
    """Copy the database of the connection `source` to a new file (0600), check it, and return a line about it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except OSError as error:
        raise StorageError(f"cannot write {path}: {error.strerror}") from error
    try:
        _copy_pages(source, path)
        check(path)
    except BaseException:
        path.unlink()
        raise
    return f"{path} ({path.stat().st_size:,} bytes, integrity ok)"


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
    """Raise `StorageError` unless `path` is an intact Teller database."""
    try:
        conn = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        try:
            found = conn.execute("PRAGMA integrity_check").fetchone()[0]
            conn.execute("SELECT count(*) FROM migration").fetchone()
        finally:
            conn.close()
    except sqlite3.Error as error:
        raise StorageError(f"{path} is no Teller database: {error}") from error
    if found != "ok":
        raise StorageError(f"{path} is damaged: {found}")

"""A look at a SQLite file that no bot uses, without changing it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlite_utils.utils import sqlite3

from core.kernel.errors import StorageError
from core.store.private_files import private
from core.store.schema import migrations
from core.store.sqlite.database import SAFE_VERSION, is_full, locked

STEPS = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """The SQLite at work; `shared` when it is safe to read beside the writer (SQLite's "WAL-reset bug")."""

    module: str
    version: str
    shared: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What is in the file: the newest migration, how many are `behind`, whether it was checked to its end, and whether
    it is `unused`: the ledger has no row."""

    newest: str
    behind: int
    checked: bool
    unused: bool


def library() -> Library:
    """Return which SQLite library this program uses."""
    return Library(
        module=str(sqlite3.__name__),
        version=str(sqlite3.sqlite_version),
        shared=bool(sqlite3.sqlite_version_info >= SAFE_VERSION),
    )


def look(path: Path, seconds: float) -> Look:
    """Open the file and check it for up to `seconds`.

    It is locked meanwhile: two connections of an old library could corrupt it. Raises `StorageBusy` while a bot has
    it, `StorageError` when it is damaged, no database of ours, or of a newer version.
    """
    try:
        with locked(path):
            return _look(path, time.monotonic() + seconds)
    except OSError as error:
        raise StorageError(f"cannot open {path}: {error.strerror}") from error
    except sqlite3.Error as error:
        if is_full(error):
            raise StorageError(
                f"{path} cannot be looked at: the disk is full, or cannot be written ({error})"
            ) from error
        raise StorageError(f"{path} is no Teller database: {error}") from error


def _look(path: Path, end: float) -> Look:
    with open(path, "rb", opener=private):
        # SQLite itself would follow a link.
        conn = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
    try:
        applied = [name for (name,) in conn.execute("SELECT name FROM migration ORDER BY name")]
        known = [name for name, _ in migrations.scripts()]
        if unknown := sorted(set(applied).difference(known)):
            raise StorageError(f"{path} was written by a newer Teller ({unknown[-1]}). Get that version.")
        checked = _check(conn, path, end)
        return Look(
            newest=applied[-1] if applied else "",
            behind=len(known) - len(applied),
            checked=checked,
            unused=not applied or conn.execute("SELECT 1 FROM ledger_head WHERE n > 0").fetchone() is None,
        )
    finally:
        conn.close()


def _check(conn: Any, path: Path, end: float) -> bool:
    """Return whether there was time to check everything; raises `StorageError` for a damaged file."""
    conn.set_progress_handler(lambda: time.monotonic() > end, STEPS)
    try:
        found = conn.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.OperationalError as error:
        if "interrupted" in str(error):
            return False
        raise
    if found != "ok":
        raise StorageError(f"{path} is damaged: {found}. Restore a backup.")
    return True

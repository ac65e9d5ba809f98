"""All rows of a SQLite file, table by table, for whoever takes them to another database."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlite_utils.utils import sqlite3

from core.kernel.errors import StorageError

AT_ONCE = 500
# The text index keeps tables of its own, which each database makes from `document`.
_NAMES = (
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    " AND name <> 'document_index' AND name NOT LIKE 'document\\_index\\_%' ESCAPE '\\' ORDER BY name"
)


class Tables:
    """The tables of an open file. What it gives is of one moment, since nobody writes meanwhile."""

    def __init__(self, conn: Any) -> None:
        self._conn = conn

    def names(self) -> list[str]:
        """Return the names of all tables."""
        return [name for (name,) in self._conn.execute(_NAMES)]

    def count(self, table: str) -> int:
        """Return how many rows a table has."""
        return int(self._conn.execute(f"SELECT count(*) FROM {table}").fetchone()[0])

    def rows(self, table: str, columns: Sequence[str]) -> Iterator[list[tuple[Any, ...]]]:
        """Yield the values of these columns of all rows, some rows at a time."""
        cursor = self._conn.execute(f"SELECT {', '.join(columns)} FROM {table}")
        while some := cursor.fetchmany(AT_ONCE):
            yield some

    def last_ids(self) -> dict[str, int]:
        """Return the highest id that each table has ever given to a row: none is used twice."""
        return dict(self._conn.execute("SELECT name, seq FROM sqlite_sequence"))


@contextmanager
def reading(path: Path) -> Iterator[Tables]:
    """Give the tables of a file; `StorageError` where it cannot be read, or somebody else has it open."""
    try:
        conn = sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True)
        try:
            # The lock of the data keeps out bots only, and by another path not even those.
            conn.execute("PRAGMA locking_mode = EXCLUSIVE")
            # Open for writing, or its log would stay behind; but nothing is written.
            conn.execute("PRAGMA query_only = 1")
            yield Tables(conn)
        finally:
            conn.close()
    except sqlite3.Error as error:
        raise StorageError(f"{path} cannot be read: {error}") from error

"""A text index that a newer SQLite has written is read by an older one, once it was made anew."""

from __future__ import annotations

import sqlite3 as older
from pathlib import Path
from typing import Any, cast

from sqlite_utils.utils import sqlite3 as newer

from core.kernel.ports import Tx
from core.store.sqlite import text_search

SCHEMA = (
    "CREATE TABLE document (id INTEGER PRIMARY KEY, place TEXT, tokens TEXT)",
    "CREATE VIRTUAL TABLE document_index USING fts5 (place, tokens, content = 'document', content_rowid = 'id')",
)


class Statements:
    """As much of a `Tx` as is needed here: statements of one connection."""

    def __init__(self, conn: Any) -> None:
        self._conn = conn

    def run(self, sql: str) -> int:
        return int(self._conn.execute(sql).rowcount)


def test_an_index_of_the_newest_form_is_read_by_the_library_that_python_brings(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    conn = newer.connect(str(path), isolation_level=None)
    for statement in SCHEMA:
        conn.execute(statement)
    if newer.sqlite_version_info >= (3, 42):
        conn.execute(text_search.SECURE_DELETE)
    for number, words in enumerate(("fig", "date fig", "plum")):
        conn.execute("INSERT INTO document VALUES (?, 'p', ?)", (number, words))
        conn.execute("INSERT INTO document_index (rowid, place, tokens) VALUES (?, 'p', ?)", (number, words))
    gone = "INSERT INTO document_index (document_index, rowid, place, tokens) VALUES ('delete', 1, 'p', 'date fig')"
    conn.execute(gone)
    conn.execute("DELETE FROM document WHERE id = 1")
    conn.close()
    conn = older.connect(path, isolation_level=None)
    for _ in range(2):
        text_search.make_readable(cast(Tx, Statements(conn)))
    found = conn.execute("SELECT rowid FROM document_index WHERE document_index MATCH 'fig OR date'").fetchall()
    conn.close()
    assert found == [(0,)]

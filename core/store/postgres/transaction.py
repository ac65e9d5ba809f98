"""A transaction on a psycopg connection that gives and takes what SQLite's does.

Values come back as SQLite gives them: whole numbers as int, truth as 1 and 0.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import psycopg
from psycopg.adapt import Buffer, Loader
from psycopg.rows import dict_row

from core.kernel.errors import LockOrder, StorageError
from core.kernel.ports import Lock, Params, Row, Values, Wanted
from core.kernel.types import Millis
from core.store.bulk import marks
from core.store.postgres import text_search

Conn = psycopg.Connection[dict[str, Any]]

# Not FOR UPDATE, for which a new row that points to the locked one would have to wait, or be waited for.
LOCKS = {
    table: f"SELECT 1 FROM {table} WHERE {'tenant_id' if table == 'ledger_head' else 'id'} = :id FOR NO KEY UPDATE"
    for table in ("chat", "lane", "ledger_head", "person", "scope", "trigger")
}
_TOKENS = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|/\*.*?\*/|::|:([A-Za-z_]\w*)""", re.DOTALL)


@lru_cache(maxsize=1024)
def translate(sql: str) -> bytes:
    """Turn `:name` into psycopg's `%(name)s`, leaving casts, literals, quoted names and comments alone."""
    return _TOKENS.sub(lambda token: f"%({token[1]})s" if token[1] else token[0], sql.replace("%", "%%")).encode()


def _value(value: Any) -> Any:
    """Return what SQLite would store: truth is a number. Postgres has no NUL in texts; it becomes U+FFFD."""
    if isinstance(value, bool):
        return int(value)
    return value.replace("\0", "\ufffd") if isinstance(value, str) and "\0" in value else value


class _Number(Loader):
    """Sums of integers are `numeric` here; give back an int where the number has no fraction digits."""

    def load(self, data: Buffer) -> int | float:
        text = bytes(data).decode()
        return int(text) if text.lstrip("-").isdigit() else float(text)


class _Truth(Loader):
    def load(self, data: Buffer) -> int:
        return int(bytes(data) == b"t")


class PostgresTx:
    """A transaction on a connection. Values are quoted by the client, so an untyped NULL or text fits anywhere."""

    def __init__(self, conn: Conn) -> None:
        self._conn = conn
        self._locked: list[Lock] = []
        self.callbacks: list[Callable[[], None]] = []

    def _execute(self, sql: str, params: Params) -> psycopg.Cursor[dict[str, Any]]:
        return self._conn.execute(translate(sql), {name: _value(value) for name, value in params.items()})

    def run(self, sql: str, params: Params = {}, /) -> int:  # noqa: B006
        return self._execute(sql, params).rowcount

    def one(self, sql: str, params: Params = {}, /) -> Row | None:  # noqa: B006
        return self._execute(sql, params).fetchone()

    def all(self, sql: str, params: Params = {}, /) -> list[Row]:  # noqa: B006
        return list(self._execute(sql, params).fetchall())

    def many(self, sql: str, rows: Sequence[Values], /) -> list[Row]:
        if not rows:
            return []
        spread = translate(sql).replace(b"%(rows)s", marks("%s", len(rows), len(rows[0])).encode())
        cursor = self._conn.execute(spread, [_value(value) for row in rows for value in row])
        return list(cursor.fetchall()) if cursor.description else []

    def lock(self, *keys: Lock) -> None:
        for key in sorted(keys):
            if key[0] not in LOCKS:
                raise StorageError(f"rows of {key[0]!r} are not locked")
            if key in self._locked:
                continue
            if self._locked and key < self._locked[-1]:
                raise LockOrder(f"{key} after {self._locked[-1]}")
            self._locked.append(key)
            self.run(LOCKS[key[0]], {"id": key[1]})

    def lease_clock(self) -> Millis:
        row = self.one("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS ms")
        return int(row["ms"]) if row is not None else 0

    def after_commit(self, call: Callable[[], None]) -> None:
        self.callbacks.append(call)

    def occurrences(self, places: Sequence[str], terms: Sequence[str], most: int, sample: str = "") -> list[int]:
        return text_search.occurrences(self, places, terms, most, sample)

    def candidates(self, wanted: Wanted, limit: int) -> list[Row]:
        return text_search.candidates(self, wanted, limit)

    def scrub(self) -> None:
        """Nothing that a transaction could ask for."""


def connect(params: Mapping[str, Any]) -> Conn:
    """Open a connection that begins and commits only when told to."""
    cursor = psycopg.ClientCursor[dict[str, Any]]
    conn = psycopg.connect(**params, autocommit=True, row_factory=dict_row, cursor_factory=cursor)
    conn.adapters.register_loader("numeric", _Number)
    conn.adapters.register_loader("bool", _Truth)
    return conn


def hide(text: str, secret: str | None) -> str:
    """Return a text without the password."""
    return text.replace(secret, "***") if secret else text

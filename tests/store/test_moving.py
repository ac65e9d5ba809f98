"""What only some SQLite files and some Postgres databases have is moved, too."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from core.kernel.clock import SystemClock
from core.kernel.ports import Tx
from core.store.postgres.database import PostgresDatabase
from core.store.postgres.moving import move
from core.store.sqlite.database import SqliteDatabase
from core.store.sqlite.tables import reading
from tests.postgres_server import PostgresServer

SCHEMA = "Own-one"
NEW = "INSERT INTO tenant (platform, external_id, created_at)"


@pytest.fixture
async def database(postgres_server: PostgresServer) -> AsyncIterator[PostgresDatabase]:
    """An open database whose tables are not in the schema public, and have no rows."""
    url = postgres_server.create(empty=True)
    with psycopg.connect(url) as conn:
        conn.execute(f'CREATE SCHEMA "{SCHEMA}"'.encode())
    made = PostgresDatabase(f"{url}&options=-csearch_path%3D%22{SCHEMA}%22", SystemClock())
    await made.open()
    yield made
    await made.close()
    postgres_server.drop(url)


async def test_a_table_that_never_got_a_row_is_moved_to_any_schema(tmp_path: Path, database: PostgresDatabase) -> None:
    file = tmp_path / "teller.db"
    old = SqliteDatabase(file, SystemClock())
    await old.open()
    await old.write(lambda tx: tx.run(f"{NEW} SELECT 'telegram', '1', 0 WHERE 1 = 0"))
    await old.close()
    with closing(sqlite3.connect(file)) as conn:
        assert conn.execute("SELECT name, seq FROM sqlite_sequence").fetchall() == [("tenant", 0)]

    def moving(tx: Tx) -> int:
        with reading(file) as tables:
            return move(tx, tables)

    assert await database.write(moving) == 0
    made = await database.write(lambda tx: tx.one(f"{NEW} VALUES ('telegram', '1', 0) RETURNING id"))
    assert made is not None
    assert made["id"] == 1

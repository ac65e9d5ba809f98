"""Databases for tests: a file, or a database of a real Postgres."""

from __future__ import annotations

import asyncio
import atexit
import shutil
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from bot.runtime.app import App
from core.kernel.clock import SystemClock
from core.kernel.ports import Clock, Database, Tx
from core.store.postgres.database import PostgresDatabase
from core.store.sqlite.database import SqliteDatabase

NAMES = ("sqlite", "postgres")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a database of a kind lives: `where` is a path or a URL."""

    name: str
    where: str


class OneConnection(SqliteDatabase):
    """SQLite as it is used where its version is unsafe under two connections."""

    safe_version = (99, 0, 0)


def build(place: Place, clock: Clock | None = None) -> Database:
    """Make a database that is not open yet."""
    kinds: dict[str, Any] = {"sqlite": SqliteDatabase, "sqlite-one": OneConnection, "postgres": PostgresDatabase}
    where = place.where if place.name == "postgres" else Path(place.where)
    database: Database = kinds[place.name](where, clock or SystemClock())
    return database


async def serve(app: App, ready: Callable[[App], Awaitable[None]] | None = None) -> None:
    """Run the house as the program does: over its database, which is open meanwhile."""
    await app.db.open()
    try:
        await app.run(ready)
    finally:
        await app.db.close()


async def furnish(target: Path) -> None:
    """Copy a file with the schema to where none is yet: that takes less than to make all tables."""
    if await asyncio.to_thread(target.exists):
        return
    template = _template()
    if not await asyncio.to_thread(template.exists):
        database = SqliteDatabase(template, SystemClock())
        await database.open()
        await database.close()
    await asyncio.to_thread(_copy, template, target)


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    shutil.copy(source, target)


@cache
def _template() -> Path:
    """Where this process has a file with the schema, once it has wanted one."""
    folder = tempfile.mkdtemp(prefix="teller-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder, "data", "teller.db")


def prepare(tx: Tx) -> None:
    """Make a table of numbers, a tenant and three scopes."""
    tx.run("CREATE TABLE number (id BIGINT PRIMARY KEY, n BIGINT NOT NULL, note TEXT UNIQUE)")
    tx.run("INSERT INTO tenant (id, platform, external_id, created_at) VALUES (1, 'test', 'x', 0)")
    for key in (1, 2, 3):
        tx.run("INSERT INTO scope (id, tenant_id, kind, created_at) VALUES (:id, 1, 'private', 0)", {"id": key})


def add(key: int, n: int = 0, note: str | None = None) -> Callable[[Tx], int]:
    """A transaction that adds a number."""
    values = {"id": key, "n": n, "note": note}
    return lambda tx: tx.run("INSERT INTO number (id, n, note) VALUES (:id, :n, :note)", values)


def ids(tx: Tx) -> list[int]:
    """The keys of all numbers."""
    return [row["id"] for row in tx.all("SELECT id FROM number ORDER BY id")]


def value(sql: str, **params: Any) -> Callable[[Tx], Any]:
    """A transaction that returns the column `value` of the only row."""

    def fn(tx: Tx) -> Any:
        row = tx.one(sql, params)
        assert row is not None
        return row["value"]

    return fn

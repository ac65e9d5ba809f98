"""A look at a Postgres database that changes nothing and takes no lock."""

from __future__ import annotations

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from core.kernel.errors import StorageError
from core.store.postgres.transaction import hide
from core.store.schema import migrations


def is_new(url: str, seconds: int) -> bool:
    """Return whether there are no tables of ours yet. What cannot be asked is not: who opens it tells why."""
    try:
        with psycopg.connect(make_conninfo(url, connect_timeout=seconds), autocommit=True) as conn:
            return conn.execute("SELECT to_regclass('migration')").fetchone() == (None,)
    except psycopg.Error:
        return False


def look(url: str, seconds: int) -> str:
    """Say which server and which version of our tables there are; raises `StorageError`, without the driver's words
    where they may quote the address, and so the password. `seconds` are for the connection and for each question.
    """
    address = ""
    try:
        address = make_conninfo(url, connect_timeout=seconds)
        with psycopg.connect(address, autocommit=True) as conn:
            # Not by `options`, which would take the place of those of the address.
            conn.execute("SELECT set_config('statement_timeout', %s, false)", [f"{seconds}s"])
            version = conn.info.server_version // 10_000
            if conn.execute("SELECT to_regclass('migration')").fetchone() == (None,):
                return f"PostgreSQL {version}; the tables are made at the first start"
            applied = [name for (name,) in conn.execute("SELECT name FROM migration ORDER BY name")]
    except psycopg.OperationalError as error:
        why = " ".join(hide(str(error), str(conninfo_to_dict(address).get("password") or "")).split())
        raise StorageError(f"the server cannot be asked: {why}") from None
    except psycopg.Error as error:
        raise StorageError(f"the server cannot be asked ({type(error).__name__}); check database.url") from None
    known = [name for name, _ in migrations.scripts()]
    if unknown := sorted(set(applied).difference(known)):
        raise StorageError(f"the data was written by a newer Teller ({unknown[-1]}). Get that version.")
    late = "; it is brought up to date at the next start" if len(applied) < len(known) else ""
    return f"PostgreSQL {version}, version {applied[-1] if applied else 'none'}{late}"

"""A database in memory with our tables, for as long as somebody holds it."""

from __future__ import annotations

from sqlite_utils.utils import sqlite3

from core.kernel.clock import SystemClock
from core.kernel.ports import Tx
from core.store.schema import migrations
from core.store.sqlite.database import MACROS, SqliteTx


def temporary() -> Tx:
    """Return what works on a new empty database, whose rows need not belong to anybody."""
    conn = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    conn.row_factory = sqlite3.Row
    tx = SqliteTx(conn, SystemClock())
    for name in migrations.pending(tx, MACROS):
        migrations.apply(tx, name, MACROS, 0)
    return tx

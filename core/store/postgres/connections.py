"""The connections on which transactions run: one for each thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import psycopg
from psycopg.pq import TransactionStatus

from core.kernel.errors import StorageAway, StorageError
from core.kernel.ports import Tx
from core.store.postgres.transaction import Conn, PostgresTx, connect

T = TypeVar("T")


class Connections:
    """Opens a thread's connection when it first runs a transaction, and again when that one broke."""

    def __init__(self, params: Mapping[str, Any]) -> None:
        self._params = params
        self._local = threading.local()
        self._conns: list[Conn] = []

    @property
    def here(self) -> Conn | None:
        """Return the connection of this thread; None before its first transaction, and when it broke."""
        return getattr(self._local, "conn", None)

    def run(self, begin: bytes, fn: Callable[[Tx], T]) -> tuple[T, list[Callable[[], None]]]:
        """Run a transaction in this thread; return its result, and what is to happen now that it is committed."""
        conn = self.here
        if conn is None:
            conn = self._local.conn = connect(self._params)
            self._conns.append(conn)
        tx = PostgresTx(conn)
        try:
            conn.execute(begin)
            result = fn(tx)
            _commit(conn)
        except BaseException:
            self._roll_back(conn)
            raise
        return result, tx.callbacks

    def _roll_back(self, conn: Conn) -> None:
        """Make the connection clean again, or forget it."""
        try:
            if not conn.closed and conn.info.transaction_status != TransactionStatus.IDLE:
                conn.execute(b"ROLLBACK")
        except psycopg.Error:
            conn.close()
        if conn.closed:
            self._conns.remove(conn)
            self._local.conn = None

    def forget(self) -> None:
        """Close the connection of this thread: the next transaction opens another one."""
        if (conn := self.here) is not None:
            self._conns.remove(conn)
            self._local.conn = None
            conn.close()

    def close(self) -> None:
        """Close the connections of all threads; they run nothing any more."""
        while self._conns:
            self._conns.pop().close()


def _commit(conn: Conn) -> None:
    if conn.info.transaction_status != TransactionStatus.INTRANS:  # else COMMIT would quietly roll back
        raise StorageError("the transaction went on after a failed statement; nothing of it is stored")
    try:
        conn.execute(b"COMMIT")
    except psycopg.Error as error:
        if conn.closed:
            raise StorageAway("the connection broke during the commit; it is unknown whether it happened") from error
        raise

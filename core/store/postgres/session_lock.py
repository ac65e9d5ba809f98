"""The lock that keeps a second process away from a database."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

import psycopg

from core.kernel.errors import StorageBusy
from core.kernel.ports import Clock
from core.store.postgres.transaction import Conn, translate

log = logging.getLogger(__name__)

# So that a host that vanished does not hold the session lock for hours.
KEEPALIVES = b"SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3"
SESSION_LOCK = 0x54656C6C6572  # advisory locks count within one database


class SessionLock:
    """Keeps a second process out, by an advisory lock that lives as long as one connection."""

    def __init__(self, connect: Callable[[], Conn], clock: Clock) -> None:
        self._connect, self._clock = connect, clock
        self._mutex = threading.Lock()
        self._conn: Conn | None = None
        self._checked = 0.0
        self.losses = 0

    @property
    def held(self) -> bool:
        """Return whether this process has the lock, as far as is known."""
        return self._conn is not None and not self._conn.closed

    def take(self) -> None:
        """Take the lock or raise `StorageBusy`."""
        conn = self._connect()
        try:
            conn.execute(KEEPALIVES)
            row = conn.execute(translate("SELECT pg_try_advisory_lock(:key) AS got"), {"key": SESSION_LOCK}).fetchone()
            if not row or not row["got"]:
                raise StorageBusy(
                    f"Another Teller is running on the database {conn.info.dbname!r}, or is just starting or ending"
                    " there. Wait for it, or stop it; or give this one a database of its own."
                )
        except BaseException:
            conn.close()
            raise
        self._conn, self._checked = conn, self._clock.monotonic()

    def check(self, max_age: float) -> None:
        """Make sure of the lock if that was last done over `max_age` seconds ago; take it again if it was lost."""
        with self._mutex:
            if self._conn is not None and self._clock.monotonic() - self._checked < max_age:
                return
            if not self._alive():
                self.take()
                log.warning("the lock on the database is held again")

    def _alive(self) -> bool:
        if self._conn is None:
            return False
        try:
            self._conn.execute(b"SELECT 1")
        except psycopg.Error as error:
            log.warning("the lock on the database was lost: %s", type(error).__name__)
            self.losses += 1
            self.release()
            return False
        self._checked = self._clock.monotonic()
        return True

    def release(self) -> None:
        """Let go at once: Postgres notices a closed connection only a moment later."""
        conn, self._conn = self._conn, None
        if conn is None:
            return
        try:
            conn.execute(b"SELECT pg_advisory_unlock_all()")
        except psycopg.Error:
            log.debug("the lock's connection was gone already")
        conn.close()

"""What the operator wants to know at a glance: numbers over all tenants, never content."""

from __future__ import annotations

from core.kernel.ports import Row, Tx
from core.kernel.types import Millis


def unanswered(tx: Tx) -> tuple[int, Millis | None]:
    """Return how many messages wait for an answer, and when the oldest of them was accepted."""
    row = tx.one("SELECT count(*) AS n, min(accepted_at) AS oldest FROM inbox WHERE ended_at IS NULL")
    return (0, None) if row is None else (int(row["n"]), row["oldest"])


def outbox(tx: Tx) -> tuple[int, int]:
    """Count the messages that wait to be sent, and those that wait or were given up though they may have arrived.

    An edit that waits is in no doubt: it may be made twice.
    """
    row = tx.one(
        "SELECT (SELECT count(*) FROM outbox WHERE ended_at IS NULL) AS waiting,"
        " (SELECT count(*) FROM outbox WHERE ended_at IS NULL AND repeated > 0 AND replaces_id IS NULL)"
        " + (SELECT count(*) FROM outbox WHERE state = 'dead' AND dead_for = 'doubt') AS doubtful"
    )
    return (0, 0) if row is None else (int(row["waiting"]), int(row["doubtful"]))


def ledger(tx: Tx) -> int:
    """Rows of all chains."""
    row = tx.one("SELECT COALESCE(sum(n), 0) AS n FROM ledger_head")
    return 0 if row is None else int(row["n"])


def file_changes(tx: Tx, before: Millis) -> int:
    """Return how many changes of files were committed before an instant and are not done on the disk."""
    waiting = "SELECT count(*) AS n FROM file_change WHERE state = 'planned' AND created_at < :before"
    row = tx.one(waiting, {"before": before})
    return 0 if row is None else int(row["n"])


def calendars(tx: Tx, since: Millis) -> tuple[int, int]:
    """Return how many calendars have failed since before an instant, and how many others cannot be opened, because the
    key is missing with which their addresses were sealed."""
    row = tx.one(
        "SELECT COALESCE(sum(CASE WHEN problem <> 'no_key' AND failing_since < :since THEN 1 ELSE 0 END), 0)"
        " AS failing, COALESCE(sum(CASE WHEN problem = 'no_key' THEN 1 ELSE 0 END), 0) AS closed"
        " FROM calendar WHERE removed_at IS NULL AND problem <> ''",
        {"since": since},
    )
    return (0, 0) if row is None else (int(row["failing"]), int(row["closed"]))


def touch(tx: Tx) -> None:
    """Write something that changes nothing: does the database take writes?"""
    tx.run("UPDATE migration SET applied_at = applied_at WHERE name = (SELECT min(name) FROM migration)")


def size(tx: Tx, kind: str) -> int:
    """Bytes the database takes; `kind` is the database's name."""
    query = (
        "SELECT pg_database_size(current_database()) AS n"
        if kind == "postgres"
        else "SELECT page_count * page_size AS n FROM pragma_page_count, pragma_page_size"
    )
    row: Row | None = tx.one(query)
    return 0 if row is None else int(row["n"])

"""Deleting what is too old, a batch at a time."""

from __future__ import annotations

from collections.abc import Sequence

from core.kernel.ports import Row, Tx
from core.kernel.types import Millis


def aged(tx: Tx, table: str, due: str, before: Millis, limit: int) -> int:
    """Delete rows of a table that are `due`, which may name `:before`; returns how many."""
    return tx.run(
        f"DELETE FROM {table} WHERE {due} AND id IN (SELECT id FROM {table} WHERE {due} LIMIT :limit)",
        {"before": before, "limit": limit},
    )


def delete_with_parts(tx: Tx, table: str, rows: Sequence[Row], *, parts: str, key: str) -> int:
    """Delete rows of a table, each after its rows of the table `parts`, which name it by the column `key`."""
    for row in rows:
        tx.run(f"DELETE FROM {parts} WHERE {key} = :id", {"id": row["id"]})
        tx.run(f"DELETE FROM {table} WHERE id = :id", {"id": row["id"]})
    return len(rows)

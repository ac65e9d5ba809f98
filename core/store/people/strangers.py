"""People without access: a key and a number, never what they wrote (STATES: Admission)."""

from __future__ import annotations

from collections.abc import Mapping

from core.kernel.ports import Tx
from core.kernel.types import Millis


def count(tx: Tx, tenant_id: int, updates: Mapping[str, int], now: Millis) -> int:
    """Count updates of people without access, by their addresses: keys and numbers, no bodies. However many they are,
    it is done by one statement. Returns how many of them are new.
    """
    rows = [(tenant_id, address, updates[address], now) for address in sorted(updates)]
    counted = tx.many(
        "INSERT INTO stranger (tenant_id, external_id, updates, last_at) VALUES :rows"
        " ON CONFLICT (tenant_id, external_id)"
        " DO UPDATE SET updates = stranger.updates + excluded.updates, last_at = excluded.last_at"
        " RETURNING external_id, updates",
        rows,
    )
    return sum(row["updates"] == updates[row["external_id"]] for row in counted)


def forget_oldest(tx: Tx, tenant_id: int, keep: int) -> None:
    """Forget the people without access of a tenant but for the `keep` who came last."""
    tx.run(
        "DELETE FROM stranger WHERE tenant_id = :tenant_id AND external_id IN (SELECT external_id FROM stranger"
        " WHERE tenant_id = :tenant_id ORDER BY last_at DESC, external_id LIMIT 1000 OFFSET :keep)",
        {"tenant_id": tenant_id, "keep": keep},
    )


def tell(tx: Tx, tenant_id: int, address: str, now: Millis, again: Millis) -> bool:
    """Note that somebody without access is told so; False when they were within `again` ms."""
    return bool(
        tx.run(
            "INSERT INTO stranger (tenant_id, external_id, updates, last_at, told_at)"
            " VALUES (:tenant_id, :address, 0, :now, :now)"
            " ON CONFLICT (tenant_id, external_id) DO UPDATE SET told_at = excluded.told_at"
            " WHERE stranger.told_at <= :before",
            {"tenant_id": tenant_id, "address": address, "now": now, "before": now - again},
        )
    )

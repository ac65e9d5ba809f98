"""People without access: a key and a number, never what they wrote (STATES: the door)."""

from __future__ import annotations

from core.kernel.ports import Tx
from core.kernel.types import Millis


def count(tx: Tx, tenant_id: int, address: str, now: Millis, keep: int) -> None:
    """Count an update of somebody without access: a key and a number, no body, at most `keep` of them a tenant."""
    params = {"tenant_id": tenant_id, "address": address, "now": now, "keep": keep}
    changed = tx.run(
        "UPDATE stranger SET updates = updates + 1, last_at = :now"
        " WHERE tenant_id = :tenant_id AND external_id = :address",
        params,
    )
    if changed:
        return
    tx.run(
        "DELETE FROM stranger WHERE tenant_id = :tenant_id AND external_id IN (SELECT external_id FROM stranger"
        " WHERE tenant_id = :tenant_id ORDER BY last_at DESC, external_id LIMIT 1000 OFFSET :keep - 1)",
        params,
    )
    tx.run(
        "INSERT INTO stranger (tenant_id, external_id, last_at) VALUES (:tenant_id, :address, :now)"
        " ON CONFLICT (tenant_id, external_id) DO NOTHING",
        params,
    )


def tell(tx: Tx, tenant_id: int, address: str, now: Millis, again: Millis) -> bool:
    """Note that somebody who was counted is told that they have no access; False when they were within `again` ms."""
    return bool(
        tx.run(
            "UPDATE stranger SET told_at = :now WHERE tenant_id = :tenant_id AND external_id = :address"
            " AND told_at <= :before",
            {"tenant_id": tenant_id, "address": address, "now": now, "before": now - again},
        )
    )

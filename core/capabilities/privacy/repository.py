"""Who wants to be left alone in a group."""

from __future__ import annotations

from core.kernel.ports import Tx


def opt_out(tx: Tx, tenant_id: int, scope_id: int, person_id: int, now: int, *, out: bool) -> bool:
    """Leave somebody alone in a group from now on, or (not `out`) no longer; False when it was so already."""
    key = {"tenant_id": tenant_id, "scope_id": scope_id, "person_id": person_id}
    if not out:
        return bool(
            tx.run(
                "DELETE FROM optout WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND person_id = :person_id",
                key,
            )
        )
    return bool(
        tx.run(
            "INSERT INTO optout (tenant_id, scope_id, person_id, created_at)"
            " VALUES (:tenant_id, :scope_id, :person_id, :now)"
            " ON CONFLICT (tenant_id, scope_id, person_id) DO NOTHING",
            {**key, "now": now},
        )
    )

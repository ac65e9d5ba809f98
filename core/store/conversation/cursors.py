"""How far the stream of a platform has been read."""

from __future__ import annotations

from core.kernel.ports import Tx


def at(tx: Tx, tenant_id: int, name: str) -> str | None:
    """The stored position of a platform's stream."""
    row = tx.one(
        "SELECT position FROM cursor_position WHERE tenant_id = :tenant_id AND name = :name",
        {"tenant_id": tenant_id, "name": name},
    )
    return None if row is None else row["position"]


def put(tx: Tx, tenant_id: int, name: str, position: str) -> None:
    """Store the position of a platform's stream."""
    tx.run(
        "INSERT INTO cursor_position (tenant_id, name, position) VALUES (:tenant_id, :name, :position)"
        " ON CONFLICT (tenant_id, name) DO UPDATE SET position = excluded.position",
        {"tenant_id": tenant_id, "name": name, "position": position},
    )

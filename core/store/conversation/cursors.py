"""How far the stream of a platform has been read, and what else is noted once for a whole tenant."""

from __future__ import annotations

from core.kernel.ports import Tx


def at(tx: Tx, tenant_id: int, name: str) -> str | None:
    """The stored position of a platform's stream."""
    row = tx.one(
        "SELECT position FROM cursor_position WHERE tenant_id = :tenant_id AND name = :name",
        {"tenant_id": tenant_id, "name": name},
    )
    return None if row is None else row["position"]


def all_of(tx: Tx, name: str) -> list[tuple[int, str]]:
    """Return the positions of this name that are not empty, with their tenants."""
    rows = tx.all(
        "SELECT tenant_id, position FROM cursor_position WHERE name = :name AND position <> '' ORDER BY tenant_id",
        {"name": name},
    )
    return [(row["tenant_id"], row["position"]) for row in rows]


def put(tx: Tx, tenant_id: int, name: str, position: str) -> None:
    """Store the position of a platform's stream."""
    tx.run(
        "INSERT INTO cursor_position (tenant_id, name, position) VALUES (:tenant_id, :name, :position)"
        " ON CONFLICT (tenant_id, name) DO UPDATE SET position = excluded.position",
        {"tenant_id": tenant_id, "name": name, "position": position},
    )

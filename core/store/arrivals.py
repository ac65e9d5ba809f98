"""What came and cannot be read yet, as it came (STATES: Arrival)."""

from __future__ import annotations

from collections.abc import Sequence

from core.ports import Tx
from core.types import Millis
from core.updates import Arrival


def keep(tx: Tx, tenant_id: int, key: str, body: str, now: Millis) -> Arrival | None:
    """Keep something; None when it is kept already."""
    row = tx.one(
        "INSERT INTO arrival (tenant_id, key, body, arrived_at) VALUES (:tenant_id, :key, :body, :now)"
        " ON CONFLICT DO NOTHING RETURNING id",
        {"tenant_id": tenant_id, "key": key, "body": body, "now": now},
    )
    return None if row is None else Arrival(id=row["id"], body=body, arrived_at=now)


def waiting(tx: Tx, tenant_id: int, most: int) -> Sequence[Arrival]:
    """What waits to be read, the oldest first."""
    rows = tx.all(
        "SELECT id, body, arrived_at FROM arrival WHERE tenant_id = :tenant_id ORDER BY id LIMIT :most",
        {"tenant_id": tenant_id, "most": most},
    )
    return [Arrival(id=row["id"], body=row["body"], arrived_at=row["arrived_at"]) for row in rows]


def end(tx: Tx, tenant_id: int, arrival_id: int) -> None:
    """It has been read."""
    tx.run("DELETE FROM arrival WHERE id = :id AND tenant_id = :tenant_id", {"id": arrival_id, "tenant_id": tenant_id})

"""Who looks at their page (Slack: App Home), so that it is kept current."""

from __future__ import annotations

from core.ports import Tx
from core.types import Millis


def look(tx: Tx, tenant_id: int, person_id: int, now: Millis) -> None:
    """Note that somebody looks at their page."""
    tx.run(
        "UPDATE person SET looked_at = :now WHERE id = :id AND tenant_id = :tenant_id",
        {"id": person_id, "tenant_id": tenant_id, "now": now},
    )


def looks(tx: Tx, tenant_id: int, person_id: int, since: Millis) -> bool:
    """Whether somebody has looked at their page after `since`."""
    row = tx.one(
        "SELECT 1 AS found FROM person WHERE id = :id AND tenant_id = :tenant_id AND looked_at > :since",
        {"id": person_id, "tenant_id": tenant_id, "since": since},
    )
    return row is not None

"""What has become of a message that is edited."""

from __future__ import annotations

from core.kernel.ports import Tx
from core.kernel.types import LaneKey
from core.store.conversation.inbox import ANSWERED


def answered_by(tx: Tx, lane: LaneKey, person_id: int, platform_id: str) -> tuple[int, str] | None:
    """The run that has answered a message of this person, and what they have last made of its text; None while none
    has. A message that answered a question has a second row for that."""
    rows = tx.all(
        "SELECT update_key, run_id, text, ended_at FROM inbox WHERE lane_id = :lane_id AND tenant_id = :tenant_id"
        " AND platform_id = :platform_id AND person_id = :person_id AND pressed IS NULL AND forwarded = 0 ORDER BY id",
        {"platform_id": platform_id, "person_id": person_id, **lane.params()},
    )
    runs = [int(row["run_id"]) for row in rows if row["run_id"] is not None and row["ended_at"] is not None]
    texts = [str(row["text"]) for row in rows if not row["update_key"].startswith(ANSWERED)]
    return (runs[0], texts[-1]) if runs and texts else None

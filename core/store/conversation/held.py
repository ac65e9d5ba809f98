"""Messages that wait for the model (STATES: Inbox): which lane asks it next, and when."""

from __future__ import annotations

from core.kernel.ports import Tx
from core.kernel.types import LaneKey, Millis


def exist(tx: Tx) -> bool:
    """Return whether any message waits for the model."""
    row = tx.one("SELECT 1 AS found FROM inbox WHERE ended_at IS NULL AND state = 'new' AND holds > 0 LIMIT 1", {})
    return row is not None


def next_try(tx: Tx, lane: LaneKey, now: Millis, pause: Millis) -> Millis:
    """Return when the model is asked again for what a lane keeps.

    One lane has its turn each `pause`, so that its try finds out for all others whether the model is back. A lane that
    has its turn already keeps it. What is in doubt has pauses of its own, which are nobody's turn.
    """
    rows = tx.all(
        "SELECT lane_id, min(held_until) AS turn FROM inbox WHERE ended_at IS NULL AND holds > 0 AND doubts = 0"
        " AND held_until > :now GROUP BY lane_id ORDER BY turn",
        {"now": now},
    )
    own = [int(row["turn"]) for row in rows if row["lane_id"] == lane.lane_id]
    if own:
        return own[0]
    # The first instant after a pause that is a pause away from all turns.
    found = now + pause
    for turn in (int(row["turn"]) for row in rows):
        if turn >= found + pause:
            break
        if turn > found - pause:
            found = turn + pause
    return found

"""What people may take back: each row is the call that undoes something, for one person, once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from core.ports import Row, Tx
from core.store.people import inserted
from core.types import LaneKey, Millis


def insert(
    tx: Tx,
    lane: LaneKey,
    person_id: int,
    label: str,
    tool: str,
    arguments: Mapping[str, Any],
    *,
    here: bool,
    now: Millis,
) -> int:
    """Note how something is taken back; `here` when only in this lane."""
    return inserted(
        tx.one(
            "INSERT INTO undo (tenant_id, scope_id, lane_id, person_id, label, tool, arguments, created_at)"
            " VALUES (:tenant_id, :scope_id, :only, :person_id, :label, :tool, :arguments, :now) RETURNING id",
            {
                **lane.params(),
                "only": lane.lane_id if here else None,
                "person_id": person_id,
                "label": label,
                "tool": tool,
                "arguments": json.dumps(arguments, ensure_ascii=False),
                "now": now,
            },
        )
    )


_MINE = (
    "SELECT id, label, tool, arguments, created_at, ended_at FROM undo WHERE tenant_id = :tenant_id"
    " AND scope_id = :scope_id AND person_id = :person_id AND (lane_id IS NULL OR lane_id = :lane_id)"
)


def find(tx: Tx, lane: LaneKey, person_id: int, undo_id: int) -> Row | None:
    """One thing this person could take back here, in any state."""
    return tx.one(f"{_MINE} AND id = :id", {"id": undo_id, "person_id": person_id, **lane.params()})


def newest(tx: Tx, lane: LaneKey, person_id: int, since: Millis) -> Row | None:
    """The last thing this person did here after `since` and may still take back."""
    return tx.one(
        f"{_MINE} AND ended_at IS NULL AND created_at >= :since ORDER BY id DESC LIMIT 1",
        {"since": since, "person_id": person_id, **lane.params()},
    )


def end(tx: Tx, undo_id: int, now: Millis) -> bool:
    """It is taken back; False when it was already."""
    return bool(
        tx.run("UPDATE undo SET ended_at = :now WHERE id = :id AND ended_at IS NULL", {"id": undo_id, "now": now})
    )

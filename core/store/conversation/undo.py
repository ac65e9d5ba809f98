"""What people may take back: each row is the call that undoes something, for one person, once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from core.kernel.ports import Row, Tx
from core.kernel.types import LaneKey, Millis
from core.store.people.people import inserted


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
    subject: str = "",
    shared: bool = False,
) -> int:
    """Note how something is taken back; `here` when only in this lane, `shared` when also by others there."""
    return inserted(
        tx.one(
            "INSERT INTO undo (tenant_id, scope_id, lane_id, done_in, person_id, label, tool, arguments, subject,"
            " shared, created_at) VALUES (:tenant_id, :scope_id, :only, :lane_id, :person_id, :label, :tool,"
            " :arguments, :subject, :shared, :now) RETURNING id",
            {
                **lane.params(),
                "only": lane.lane_id if here else None,
                "person_id": person_id,
                "label": label,
                "tool": tool,
                "arguments": json.dumps(arguments, ensure_ascii=False),
                "subject": subject,
                "shared": int(shared),
                "now": now,
            },
        )
    )


_MINE = (
    "SELECT id, person_id, label, tool, arguments, subject, created_at, ended_at FROM undo WHERE tenant_id = :tenant_id"
    " AND scope_id = :scope_id AND (lane_id IS NULL OR lane_id = :lane_id)"
    " AND (person_id = :person_id OR (shared = 1 AND :others = 1))"
)


def find(tx: Tx, lane: LaneKey, person_id: int, undo_id: int, *, others: bool) -> Row | None:
    """One thing this person could take back here, in any state; of `others` too, where it is shared."""
    return tx.one(f"{_MINE} AND id = :id", {"id": undo_id, **_params(lane, person_id, others)})


def of_scope(tx: Tx, lane: LaneKey, undo_id: int) -> Row | None:
    """One thing that was done in this scope, whoever may take it back, in any state."""
    return tx.one(
        "SELECT id, tool, arguments FROM undo WHERE id = :id AND tenant_id = :tenant_id AND scope_id = :scope_id",
        {"id": undo_id, **lane.params()},
    )


def newest(
    tx: Tx, lane: LaneKey, person_id: int, since: Millis, *, others: bool, lane_first: bool = False
) -> Row | None:
    """Return the last thing done here after `since` that this person may still take back; with `lane_first` the last
    one that was done in this lane, where there is one."""
    order = "CASE WHEN done_in = :lane_id THEN 0 ELSE 1 END, id DESC" if lane_first else "id DESC"
    return tx.one(
        f"{_MINE} AND ended_at IS NULL AND created_at >= :since ORDER BY {order} LIMIT 1",
        {"since": since, **_params(lane, person_id, others)},
    )


def _params(lane: LaneKey, person_id: int, others: bool) -> dict[str, Any]:
    return {"person_id": person_id, "others": int(others), **lane.params()}


def outdated(tx: Tx, tenant_id: int, row: Row) -> bool:
    """Return whether the same thing was changed again since, by anybody, and that is not taken back.

    Who is linked with somebody notes in their own tenant what they change of theirs: that is looked at, too. Subjects
    have the numbers of rows, which no two tenants share.
    """
    params = {"tenant_id": tenant_id, "person_id": row["person_id"], "subject": row["subject"], "id": row["id"]}
    linked = "SELECT p.tenant_id FROM link k JOIN person p ON p.id = k.other_id WHERE k.person_id = :person_id"
    again = (
        f"SELECT id FROM undo WHERE (tenant_id = :tenant_id OR tenant_id IN ({linked}))"
        " AND subject = :subject AND ended_at IS NULL AND id > :id LIMIT 1"
    )
    return bool(row["subject"]) and tx.one(again, params) is not None


def changed_by(tx: Tx, lane: LaneKey, subject: str) -> int | None:
    """Return who made the last change of something in this scope that can still be taken back."""
    row = tx.one(
        "SELECT person_id FROM undo WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND subject = :subject"
        " AND ended_at IS NULL ORDER BY id DESC LIMIT 1",
        {"subject": subject, **lane.params()},
    )
    return None if row is None else int(row["person_id"])


def end(tx: Tx, undo_id: int, now: Millis) -> bool:
    """Note that something is taken back; return False when it was already."""
    return bool(
        tx.run("UPDATE undo SET ended_at = :now WHERE id = :id AND ended_at IS NULL", {"id": undo_id, "now": now})
    )

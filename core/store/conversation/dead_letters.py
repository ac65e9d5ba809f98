"""What was given up, for the operator: dead rows of inbox and outbox, and triggers that failed."""

from __future__ import annotations

from core.kernel.ports import Row, Tx
from core.kernel.types import LaneKey, Millis
from core.store.conversation import history, lanes

INBOX, OUTBOX, TRIGGER = "inbox", "outbox", "trigger"
DROPPED = "dropped by the operator; it was: "
ERASED = "[erased]"
# An edit that a newer one replaced, what an operator has looked at, and an answer that did not arrive where who asked
# was told so, are nobody's worry any more; the last one can still be dropped.
_KEPT = {INBOX: "state = 'dead'", OUTBOX: "state = 'dead' AND dead_for NOT IN ('superseded', 'dropped')"}
_WORRIES = {
    INBOX: _KEPT[INBOX],
    OUTBOX: "state = 'dead' AND dead_for IN ('', 'unwritable', 'doubt')",
    TRIGGER: "state = 'paused' AND reason = 'error'",
}

_ORIGIN = (
    "t.platform, t.external_id AS tenant, c.external_id AS chat, l.thread FROM {table} b"
    " JOIN tenant t ON t.id = b.tenant_id LEFT JOIN lane l ON l.id = b.lane_id LEFT JOIN chat c ON c.id = l.chat_id"
)
_COLUMNS = {
    INBOX: "b.id, b.state, b.error, b.text AS body, b.raw, b.run_id, b.update_key AS message_key, b.platform_id,"
    " b.sent_at, b.accepted_at, b.ended_at",
    OUTBOX: "b.id, b.state, b.error, b.source_kind, b.source_id, b.payload AS body, b.payload AS raw, b.message_key,"
    " b.platform_id, b.attempt, b.repeated, b.created_at, b.sending_at, b.ended_at",
    TRIGGER: "b.id, CASE WHEN b.state = 'paused' AND b.reason = 'error' THEN 'dead' ELSE b.state END AS state,"
    " 'it failed; see the log' AS error,"
    " b.text AS body, b.text AS raw, b.kind AS recurs, b.created_at, b.next_at,"
    " COALESCE(b.fired_at, b.next_at) AS ended_at",
}


_WOKEN = "EXISTS (SELECT 1 FROM question q WHERE q.id = inbox.question_id)"
# What the transcript says of the question's end, the trigger or the task that woke the run of a message.
_EVENT = (
    "role = 'event' AND (tenant_id, scope_id, run_id) IN"
    " (SELECT tenant_id, scope_id, run_id FROM inbox WHERE id = :id"
    " AND (question_id IS NOT NULL OR trigger_id IS NOT NULL OR task_id IS NOT NULL))"
)


def _select(table: str) -> str:
    return f"SELECT {_COLUMNS[table]}, {_ORIGIN.format(table=table)}"


def listed(tx: Tx, table: str, limit: int) -> list[Row]:
    """Return the dead rows of a table that still want a decision, newest first."""
    return tx.all(
        f"{_select(table)} WHERE b.id IN (SELECT id FROM {table} WHERE {_WORRIES[table]} ORDER BY id DESC LIMIT :limit)"
        " ORDER BY b.id DESC",
        {"limit": limit},
    )


def count(tx: Tx, table: str) -> int:
    """Return how many rows of a table want a decision."""
    row = tx.one(f"SELECT count(*) AS n FROM {table} WHERE {_WORRIES[table]}")
    return 0 if row is None else int(row["n"])


def find(tx: Tx, table: str, row_id: int) -> Row | None:
    """One row in any state."""
    return tx.one(f"{_select(table)} WHERE b.id = :id", {"id": row_id})


def written(tx: Tx, lane: LaneKey, row_id: int) -> Row | None:
    """Return a message of this lane: its state, its run and who wrote it."""
    return tx.one(
        "SELECT state, run_id, person_id FROM inbox WHERE id = :id AND tenant_id = :tenant_id AND scope_id = :scope_id"
        " AND lane_id = :lane_id",
        {"id": row_id, **lane.params()},
    )


def given_up_with(tx: Tx, lane: LaneKey, row_id: int, run_id: int | None) -> list[int]:
    """Return a dead message and those that were given up together with it, oldest first."""
    rows = tx.all(
        "SELECT id FROM inbox WHERE state = 'dead' AND tenant_id = :tenant_id AND lane_id = :lane_id"
        " AND (id = :id OR run_id = :run_id) ORDER BY id",
        {"id": row_id, "run_id": -1 if run_id is None else run_id, **lane.params()},
    )
    return [row["id"] for row in rows]


def retry_inbox(tx: Tx, row_id: int) -> int | None:
    """Put a dead message, or the end of a question, back to `new` and mark its lane.

    Returns the lane, None when nothing can be answered: it was erased, or the question is no more.
    """
    row = tx.one("SELECT lane_id FROM inbox WHERE id = :id", {"id": row_id})
    if row is None or row["lane_id"] is None:
        return None
    tx.lock(("lane", row["lane_id"]))
    dead = f"id = :id AND state = 'dead' AND person_id IS NOT NULL AND (raw IS NOT NULL OR {_WOKEN})"
    # The next run enters the event again.
    tx.run(f"DELETE FROM message WHERE {_EVENT} AND EXISTS (SELECT 1 FROM inbox WHERE {dead})", {"id": row_id})
    changed = tx.run(
        "UPDATE inbox SET state = 'new', run_id = NULL, held_until = 0, holds = 0, doubts = 0, error = '',"
        f" ended_at = NULL WHERE {dead}",
        {"id": row_id},
    )
    if not changed:
        return None
    lanes.mark(tx, row["lane_id"])
    return int(row["lane_id"])


def retry_outbox(tx: Tx, row_id: int) -> int | None:
    """Put a dead message back to `new`; one in doubt says it may be a repeat. Returns the chat."""
    row = tx.one("SELECT chat_id FROM outbox WHERE id = :id", {"id": row_id})
    if row is None:
        return None
    tx.lock(("chat", row["chat_id"]))
    changed = tx.run(
        "UPDATE outbox SET state = 'new', not_before = 0, attempt = 0, ended_at = NULL,"
        " repeated = CASE WHEN dead_for = 'doubt' THEN 1 ELSE repeated END, dead_for = '', error = ''"
        " WHERE id = :id AND state = 'dead' AND payload IS NOT NULL",
        {"id": row_id},
    )
    return int(row["chat_id"]) if changed else None


def unwritten_of(tx: Tx, trigger_id: int) -> int | None:
    """Return the dead message of a trigger that could not be written, the newest; None when there is none."""
    row = tx.one(
        "SELECT id FROM outbox WHERE state = 'dead' AND dead_for = 'unwritable' AND source_kind = 'trigger'"
        " AND source_id = :trigger_id AND payload IS NOT NULL ORDER BY id DESC LIMIT 1",
        {"trigger_id": trigger_id},
    )
    return None if row is None else int(row["id"])


def drop(tx: Tx, table: str, row_id: int, now: Millis) -> bool:
    """End a dead row for good: its text goes, from the transcript too, the row stays.

    A dropped answer stays `dead`, since it was never sent.
    """
    body = "state = 'done', text = '', intent = '', quoted = '', raw = NULL"
    if table == OUTBOX:
        # The file of a document goes in the night, since no row names it then.
        body = "payload = NULL, file = '', dead_for = 'dropped'"
    changed = tx.run(
        f"UPDATE {table} SET {body}, error = :dropped || error, ended_at = COALESCE(ended_at, :now)"
        f" WHERE id = :id AND {_KEPT[table]}",
        {"id": row_id, "dropped": DROPPED, "now": now},
    )
    if changed and table == INBOX:
        # Its text, or the event it was, is erased in the transcript. A word stays in its place: some models refuse
        # an empty message.
        mine = "inbox_id = :id AND (tenant_id, scope_id) IN (SELECT tenant_id, scope_id FROM inbox WHERE id = :id)"
        erased = tx.all(
            f"UPDATE message SET text = :erased, indexed = 1 WHERE ({mine}) OR ({_EVENT}) RETURNING {history.COLUMNS}",
            {"id": row_id, "erased": ERASED},
        )
        history.keep(tx, erased)
    return bool(changed)


def doubt_all(tx: Tx) -> int:
    """Mark all messages that wait to be sent as possible repeats, since the data are an older copy; return how many."""
    return tx.run("UPDATE outbox SET repeated = 1 WHERE state = 'new'")

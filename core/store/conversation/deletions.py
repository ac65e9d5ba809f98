"""What somebody deletes on the platform goes here, too: at once, or with the end of the run that has it in hand."""

from __future__ import annotations

from core.kernel.ports import Tx
from core.kernel.types import LaneKey, Millis
from core.kernel.updates import Deleted

# The `error` of such a row of the inbox.
DELETED = "deleted"
_WORDS = {"text": "''", "raw": "NULL", "intent": "''", "quoted": "''"}
_WORDLESS = ", ".join(f"{column} = {empty}" for column, empty in _WORDS.items())
# To be set when rows end with an `:error`: the words of those that were deleted go, and the mark stays.
ENDED = ", ".join(
    f"{column} = CASE WHEN error = '{DELETED}' THEN {kept} ELSE {else_} END"
    for column, kept, else_ in (("error", "error", ":error"), *((name, no, name) for name, no in _WORDS.items()))
)


def retract(tx: Tx, tenant_id: int, deleted: Deleted, now: Millis) -> None:
    """Delete what somebody deleted on the platform: it is not answered if it was not yet, and its words are removed.

    What a run has is marked only: its words go when that ends, or puts it back.
    """
    params = {"tenant_id": tenant_id, "chat": deleted.chat, "message": deleted.message_id, "now": now}
    written = (
        "tenant_id = :tenant_id AND platform_id = :message AND lane_id IN (SELECT l.id FROM lane l"
        " JOIN chat c ON c.id = l.chat_id WHERE c.tenant_id = :tenant_id AND c.external_id = :chat)"
    )
    tx.run(f"DELETE FROM message WHERE inbox_id IN (SELECT id FROM inbox WHERE {written})", params)
    tx.run(
        f"UPDATE inbox SET state = 'done', error = '{DELETED}', ended_at = :now WHERE {written} AND state = 'new'"
        " AND run_id IS NULL AND question_id IS NULL",
        params,
    )
    tx.run(f"UPDATE inbox SET {_WORDLESS} WHERE {written} AND ended_at IS NOT NULL", params)
    tx.run(f"UPDATE inbox SET error = '{DELETED}' WHERE {written} AND ended_at IS NULL", params)


def put_back(tx: Tx, lane: LaneKey, inbox_id: int, now: Millis) -> None:
    """End a message that was put back if it was deleted meanwhile."""
    tx.run(
        f"UPDATE inbox SET state = 'done', ended_at = :now, held_until = 0, {_WORDLESS} WHERE id = :id"
        f" AND tenant_id = :tenant_id AND error = '{DELETED}' AND ended_at IS NULL",
        {"id": inbox_id, "now": now, **lane.params()},
    )

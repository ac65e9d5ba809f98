"""Messages of triggers that are queued when they are due, and written when they are sent (STATES: Outbox)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic_core import to_json

from core.kernel.ports import Tx
from core.kernel.types import Millis
from core.store.conversation.provenance import Source

# In the place of what an adapter rendered; its value is when it was due.
UNWRITTEN = "unwritten"
# As many characters are one message everywhere, whatever becomes of them: more are written when they are due.
SHORT = 1_000
FADED = "superseded: what it was to tell is over"

_WAITS = (
    "chat_id = (SELECT g.chat_id FROM trigger g WHERE g.id = :trigger_id) AND ended_at IS NULL AND state = 'new'"
    " AND replaces_id IS NULL AND source_kind = 'trigger' AND source_id = :trigger_id AND part IS NOT NULL"
)

_GIVEN_UP = (
    "o.state = 'dead' AND o.error = :error AND o.source_kind = 'trigger' AND o.source_id = :trigger_id"
    " AND o.tenant_id = (SELECT g.tenant_id FROM trigger g WHERE g.id = :trigger_id)"
    " AND o.ended_at >= (SELECT g.ended_at FROM trigger g WHERE g.id = :trigger_id)"
)


def write(tx: Tx, outbox_id: int, payload: Mapping[str, Any]) -> None:
    """A message says this, now and at every further try."""
    params = {"payload": to_json(payload).decode(), "id": outbox_id}
    tx.run("UPDATE outbox SET payload = :payload WHERE id = :id", params)


def withdraw(tx: Tx, trigger_id: int, now: Millis) -> bool:
    """What waits of a trigger and is unwritten is not wanted any more; False when there is nothing of that kind."""
    params = {"now": now, "unwritten": f'{{"{UNWRITTEN}":%', "error": FADED, "trigger_id": trigger_id}
    return bool(
        tx.run(
            "UPDATE outbox SET state = 'dead', error = :error, ended_at = :now"
            f" WHERE {_WAITS} AND payload LIKE :unwritten",
            params,
        )
    )


def put_back(tx: Tx, trigger_id: int) -> bool:
    """Whether a reminder of a trigger waits that could not be sent, and of which it is decided anew whether it is."""
    sql = (
        f"SELECT 1 AS found FROM outbox WHERE {_WAITS} AND attempt > 0 AND repeated = 0 AND EXISTS (SELECT 1"
        " FROM reminder r WHERE r.tenant_id = outbox.tenant_id AND r.message_key = outbox.whole_key AND outbox.part = 0"
        " AND r.trigger_id = :trigger_id AND r.root_id IS NULL AND length(r.text) <= :short) LIMIT 1"
    )
    return tx.one(sql, {"short": SHORT, "trigger_id": trigger_id}) is not None


def restore(tx: Tx, trigger_id: int) -> bool:
    """What was given up since the trigger was cancelled is to be sent after all; False when there is nothing."""
    params = {"error": FADED, "trigger_id": trigger_id}
    tx.run(
        "UPDATE reminder SET state = 'open', ended_at = NULL WHERE trigger_id = :trigger_id AND state = 'lapsed'"
        f" AND message_key IN (SELECT o.whole_key FROM outbox o WHERE {_GIVEN_UP} AND o.part = 0)",
        params,
    )
    return bool(
        tx.run(
            "UPDATE outbox SET state = 'new', error = '', ended_at = NULL"
            f" WHERE id IN (SELECT o.id FROM outbox o WHERE {_GIVEN_UP})",
            params,
        )
    )


def waits_behind(tx: Tx, outbox_id: int, source: Source) -> bool:
    """Whether what the same trigger wanted at a later time waits, too, behind this message."""
    params = {"id": outbox_id, "trigger_id": source.trigger(), "epoch": source.epoch}
    sql = f"SELECT 1 AS found FROM outbox WHERE {_WAITS} AND id > :id AND epoch <> :epoch LIMIT 1"
    return tx.one(sql, params) is not None

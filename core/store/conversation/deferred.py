"""Messages of triggers that are queued when they are due, and written when they are sent (STATES: Outbox)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pydantic_core import to_json

from core.kernel.ports import Tx
from core.kernel.types import Millis

if TYPE_CHECKING:
    from core.store.conversation.outbox import Post

# In the place of what an adapter rendered; its value is for who writes it.
UNWRITTEN = "unwritten"
FADED = "what it was to tell is over"

_WAITS = (
    "ended_at IS NULL AND state = 'new' AND replaces_id IS NULL AND source_kind = 'trigger'"
    " AND source_id = :trigger_id AND part IS NOT NULL"
)
# Where messages of a trigger are: in its chat, and where others are reminded.
_ITS_CHATS = (
    "chat_id IN (SELECT g.chat_id FROM trigger g WHERE g.id = :trigger_id"
    " UNION SELECT r.chat_id FROM reminder r WHERE r.trigger_id = :trigger_id)"
)
_IN_PARTS = "EXISTS (SELECT 1 FROM outbox p WHERE p.tenant_id = {0} AND p.message_key = {1} || ':1')"
# A first reminder that could certainly not be sent, of which it is decided anew whether it is.
_PUT_BACK = (
    "attempt > 0 AND repeated = 0 AND EXISTS (SELECT 1 FROM reminder r WHERE r.tenant_id = outbox.tenant_id"
    " AND r.message_key = outbox.whole_key AND r.root_id IS NULL)"
    f" AND NOT {_IN_PARTS.format('outbox.tenant_id', 'outbox.whole_key')}"
)
_GIVEN_UP = (
    "o.state = 'dead' AND o.dead_for = 'superseded' AND o.replaces_id IS NULL AND o.payload IS NOT NULL"
    " AND o.source_kind = 'trigger' AND o.source_id = :trigger_id"
    " AND o.tenant_id = (SELECT g.tenant_id FROM trigger g WHERE g.id = :trigger_id)"
    " AND o.ended_at >= (SELECT g.ended_at FROM trigger g WHERE g.id = :trigger_id)"
)


def write(tx: Tx, outbox_id: int, payload: Mapping[str, Any]) -> None:
    """A message says this, now and at every further try."""
    params = {"payload": to_json(payload).decode(), "id": outbox_id}
    tx.run("UPDATE outbox SET payload = :payload WHERE id = :id", params)


def in_parts(tx: Tx, post: Post) -> bool:
    """Whether a message that was written has more than one part: so it stays as it is."""
    params = {"tenant_id": post.lane.tenant_id, "key": post.whole_key}
    return tx.one(f"SELECT 1 AS found WHERE {_IN_PARTS.format(':tenant_id', ':key')}", params) is not None


def withdraw(tx: Tx, trigger_id: int, now: Millis) -> bool:
    """What waits of a trigger, and is written when it is sent, is not wanted any more; False when nothing waits."""
    rows = tx.all(
        "UPDATE outbox SET state = 'dead', dead_for = 'superseded', error = :error, ended_at = :now"
        f" WHERE {_ITS_CHATS} AND {_WAITS}"
        f" AND (payload LIKE :unwritten OR ({_PUT_BACK})) RETURNING tenant_id, whole_key",
        {"now": now, "unwritten": f'{{"{UNWRITTEN}":%', "error": FADED, "trigger_id": trigger_id},
    )
    for row in rows:
        tx.run(
            "UPDATE reminder SET state = 'lapsed', ended_at = :now WHERE tenant_id = :tenant_id"
            " AND message_key = :whole_key AND state = 'open'",
            {"now": now, **row},
        )
    return bool(rows)


def restore(tx: Tx, trigger_id: int) -> bool:
    """What was given up since the trigger was cancelled is to be sent after all; False when there is nothing."""
    rows = tx.all(
        "UPDATE outbox SET state = 'new', dead_for = '', error = '', ended_at = NULL"
        f" WHERE id IN (SELECT o.id FROM outbox o WHERE {_GIVEN_UP}) RETURNING tenant_id, whole_key",
        {"trigger_id": trigger_id},
    )
    for row in rows:
        tx.run(
            "UPDATE reminder SET state = 'open', ended_at = NULL WHERE tenant_id = :tenant_id"
            " AND message_key = :whole_key AND state = 'lapsed'",
            {**row},
        )
    return bool(rows)


def waits_behind(tx: Tx, post: Post) -> bool:
    """Whether what the same trigger wanted at a later time waits, too, behind this message of a chat."""
    params = {"id": post.outbox_id, "trigger_id": post.source.trigger(), "epoch": post.source.epoch}
    sql = (
        f"SELECT 1 AS found FROM outbox WHERE chat_id = :chat_id AND {_WAITS} AND id > :id AND epoch <> :epoch LIMIT 1"
    )
    return tx.one(sql, {"chat_id": post.lane.chat_id, **params}) is not None

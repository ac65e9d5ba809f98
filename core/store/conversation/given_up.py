"""What a cancelled trigger was due for, and was given up for that: what becomes of it when the trigger comes back."""

from __future__ import annotations

from core.kernel.ports import Tx
from core.store.conversation import inbox
from core.store.conversation.outbox import ITS_OWN, NO_REMINDER

# The key of what came of a trigger the last time.
_LAST = f"'{inbox.DUE}' || g.id || ':' || (g.epoch - 1)"


def restore(tx: Tx, trigger_id: int) -> bool:
    """Have the reminders that were given up since a trigger was cancelled sent after all; return whether any were."""
    rows = tx.all(
        "UPDATE outbox SET state = 'new', dead_for = '', error = '', ended_at = NULL"
        f" WHERE state = 'dead' AND dead_for = 'superseded' AND payload IS NOT NULL AND {ITS_OWN}"
        " AND EXISTS (SELECT 1 FROM trigger g WHERE g.id = :trigger_id AND g.tenant_id = outbox.tenant_id"
        f" AND g.ended_at <= outbox.ended_at AND NOT {NO_REMINDER}) RETURNING tenant_id, whole_key",
        {"trigger_id": trigger_id},
    )
    for row in rows:
        tx.run(
            "UPDATE reminder SET state = 'open', ended_at = NULL WHERE tenant_id = :tenant_id"
            " AND message_key = :whole_key AND state = 'lapsed'",
            {**row},
        )
    return bool(rows)


def is_unsaid(tx: Tx, trigger_id: int) -> bool:
    """Return whether what a cancelled trigger was due for the last time was given up for that, and is no reminder: its
    message was, or the run that it was to wake, or what that said."""
    given_up = "SELECT 1 FROM outbox o WHERE o.state = 'dead' AND o.dead_for = 'superseded' AND o.replaces_id IS NULL"
    by_run = f"{given_up} AND o.source_kind = 'run' AND o.source_id = i.run_id AND o.ended_at >= g.ended_at"
    return bool(
        tx.all(
            f"SELECT 1 AS found FROM trigger g WHERE g.id = :trigger_id AND g.state = 'cancelled' AND {NO_REMINDER} AND"
            f" (EXISTS ({given_up} AND o.tenant_id = g.tenant_id AND o.message_key = {_LAST} || ':0') OR EXISTS"
            f" (SELECT 1 FROM inbox i WHERE i.tenant_id = g.tenant_id AND i.update_key = {_LAST} AND i.state = 'done'"
            f" AND (i.run_id IS NULL OR EXISTS ({by_run}))))",
            {"trigger_id": trigger_id},
        )
    )

"""What was to bring a reminder again and does not any more (STATES: Trigger)."""

from __future__ import annotations

from collections.abc import Sequence

from core.capabilities.reminders.repository import Draft
from core.kernel.ports import Tx
from core.kernel.types import MINUTE, Millis

# What comes so long before or after a time comes at that time.
BESIDE: Millis = 5 * MINUTE


def repeats(tx: Tx, reminder_id: int, now: Millis) -> None:
    """Stop the repeats of a first reminder."""
    tx.run(
        "UPDATE trigger SET state = 'cancelled', ended_at = :now WHERE reminder_id = :id AND ended_at IS NULL"
        " AND round > 0",
        {"id": reminder_id, "now": now},
    )


def snooze(tx: Tx, reminder_id: int, now: Millis, person_id: int | None) -> None:
    """Cancel what a person, or (None) anybody, put a first reminder off by."""
    theirs = "" if person_id is None else " AND person_id = :person_id"
    tx.run(
        "UPDATE trigger SET state = 'cancelled', ended_at = :now WHERE reminder_id = :id AND ended_at IS NULL"
        f" AND round = 0{theirs}",
        {"id": reminder_id, "person_id": person_id, "now": now},
    )


def met(tx: Tx, series: Sequence[Draft], now: Millis) -> set[int]:
    """Series are posted: what those for whom they now come had put off until then does not come beside them. Returns
    the first reminders that had been put off."""
    asleep = (
        " FROM (VALUES :rows) AS v JOIN trigger t ON t.scope_id = v.column2 AND t.ended_at IS NULL AND t.round = 0"
        " AND t.next_at <= v.column3 JOIN reminder r ON r.id = t.reminder_id AND r.trigger_id = v.column1 WHERE"
    )
    awake = tx.many(
        f"UPDATE reminded SET state = 'open', until = NULL{asleep} reminded.reminder_id = r.id"
        " AND reminded.state = 'snoozed' AND reminded.until <= v.column3"
        " AND (reminded.person_id = v.column4 OR reminded.contact_id = v.column5) RETURNING reminded.reminder_id",
        [
            (
                one.trigger.trigger_id,
                one.reminder.lane.scope_id,
                one.reminder.due_at + BESIDE,
                named.person_id or 0,
                named.contact_id or 0,
            )
            for one in series
            for named in one.named
        ],
    )
    dropped = tx.many(
        f"UPDATE trigger SET state = 'cancelled', ended_at = v.column4{asleep} trigger.id = t.id AND NOT EXISTS"
        " (SELECT 1 FROM reminded d WHERE d.reminder_id = r.id AND d.state = 'snoozed' AND d.until <= t.next_at)"
        " RETURNING trigger.reminder_id",
        [(one.trigger.trigger_id, one.reminder.lane.scope_id, one.reminder.due_at + BESIDE, now) for one in series],
    )
    return {row["reminder_id"] for row in (*awake, *dropped)}

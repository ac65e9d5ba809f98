"""What was to bring a reminder again and does not any more (STATES: Trigger)."""

from __future__ import annotations

from core.kernel.ports import Tx
from core.kernel.types import Millis


def repeats(tx: Tx, reminder_id: int, now: Millis) -> None:
    """A first reminder is not repeated any more."""
    tx.run(
        "UPDATE trigger SET state = 'cancelled', ended_at = :now WHERE reminder_id = :id AND ended_at IS NULL"
        " AND round > 0",
        {"id": reminder_id, "now": now},
    )


def snooze(tx: Tx, reminder_id: int, now: Millis, person_id: int | None) -> None:
    """What a person, or (None) anybody, put off of a first reminder does not come any more."""
    theirs = "" if person_id is None else " AND person_id = :person_id"
    tx.run(
        "UPDATE trigger SET state = 'cancelled', ended_at = :now WHERE reminder_id = :id AND ended_at IS NULL"
        f" AND round = 0{theirs}",
        {"id": reminder_id, "person_id": person_id, "now": now},
    )

"""Triggers are paused, since a person wants that, for a reason of ours or since they failed; and resumed (STATES:
Trigger).

People read that such a trigger "rests".
"""

from __future__ import annotations

from collections.abc import Sequence

from core.kernel.ports import Tx
from core.kernel.timing.schedule import load as load_schedule
from core.kernel.timing.schedule import next_after
from core.kernel.timing.trigger import Trigger
from core.kernel.types import DAY, LaneKey, Millis
from core.scheduling.repository import ERROR, WISH, select

# For so long a series that failed at its last time can be tried again.
TRIED_AGAIN: Millis = DAY


def pause(tx: Tx, trigger_id: int, reason: str) -> bool:
    """Pause a trigger for a `reason`; a person's wish takes the place of any other. False when it was not active, or is
    paused already."""
    also = " OR (state = 'paused' AND reason <> :reason)" if reason == WISH else ""
    sql = f"UPDATE trigger SET state = 'paused', reason = :reason WHERE id = :id AND (state = 'active'{also})"
    return bool(tx.run(sql, {"id": trigger_id, "reason": reason}))


def resume(tx: Tx, trigger_id: int, next_at: Millis) -> bool:
    """Make a paused trigger active again; False when it was not paused."""
    sql = "UPDATE trigger SET state = 'active', reason = '', next_at = :next_at WHERE id = :id AND state = 'paused'"
    return bool(tx.run(sql, {"id": trigger_id, "next_at": next_at}))


def next_of(trigger: Trigger, after: Millis) -> Millis | None:
    """Return when a trigger is due next after an instant; None when its last time is over. If its schedule cannot be
    read, return its `next_at`: firing it tells people of that."""
    try:
        return next_after(load_schedule(trigger.spec), after)
    except (LookupError, OSError, TypeError, ValueError):
        return trigger.next_at


def end_paused(tx: Tx, now: Millis) -> None:
    """End paused triggers whose last time is over.

    One that watches is made active, so that firing says that it is over. A series is `done`; one that failed is kept
    for a day more, since it can be tried again until then.
    """
    tx.run(
        "UPDATE trigger SET state = 'active', reason = '' WHERE ended_at IS NULL AND state = 'paused' AND watches = 1"
        " AND reason = :wish AND next_at <= :now",
        {"wish": WISH, "now": now},
    )
    where = "ended_at IS NULL AND state = 'paused' AND kind <> 'once' AND spec LIKE :ends"
    for one in select(tx, where, {"ends": '%"until":%'}):
        if next_of(one, now - TRIED_AGAIN if one.reason == ERROR else now) is None:
            finish_paused(tx, one.trigger_id, now)


def finish_paused(tx: Tx, trigger_id: int, now: Millis) -> None:
    """End a paused trigger as `done`, since its last time is over."""
    ended = "state = 'done', reason = '', ended_at = :now, next_at = NULL"
    tx.run(f"UPDATE trigger SET {ended} WHERE id = :id AND state = 'paused'", {"id": trigger_id, "now": now})


def paused_in_chat(tx: Tx, chat_id: int, reasons: Sequence[str]) -> list[Trigger]:
    """Return the triggers of a chat that are paused for one of these reasons of ours."""
    among = ", ".join(f"'{reason}'" for reason in reasons)
    return select(tx, f"chat_id = :chat_id AND state = 'paused' AND reason IN ({among})", {"chat_id": chat_id})


def paused_of(tx: Tx, reason: str, person_id: int | None) -> list[Trigger]:
    """Return the triggers of a person, or (None) of everybody, that are paused for a reason."""
    where = "person_id = COALESCE(:person_id, person_id) AND state = 'paused' AND reason = :reason"
    return select(tx, where, {"person_id": person_id, "reason": reason})


def paused_reminding(tx: Tx, lane: LaneKey, reasons: Sequence[str]) -> list[Trigger]:
    """Return the triggers that are paused for one of these reasons of ours and remind the person of a private chat."""
    among = ", ".join(f"'{reason}'" for reason in reasons)
    return select(
        tx,
        f"tenant_id = :tenant_id AND state = 'paused' AND reason IN ({among}) AND id IN (SELECT e.trigger_id"
        " FROM person p JOIN address a ON a.person_id = p.id JOIN contact c ON c.tenant_id = p.tenant_id"
        " AND (c.person_id = p.id OR c.id IN (SELECT x.contact_id FROM contact_address x"
        " WHERE x.tenant_id = p.tenant_id AND x.external_id = a.external_id))"
        " JOIN addressee e ON e.contact_id = c.id WHERE p.scope_id = :scope_id AND p.tenant_id = :tenant_id)",
        lane.params(),
    )


def pause_even_done(tx: Tx, trigger_id: int, reason: str, due_at: Millis | None) -> bool:
    """Pause a trigger although it may be done already, since nobody saw what was due at `due_at` (None: the last time).

    Of those that are done that holds only for a reminder that comes once, unless the reason is an error: work would be
    done twice. False when the trigger was neither active nor such.
    """
    done = "state = 'done'" if reason == ERROR else "state = 'done' AND kind = 'once' AND deliver = 'message'"
    return bool(
        tx.run(
            "UPDATE trigger SET state = 'paused', reason = :reason, ended_at = NULL,"
            f" next_at = COALESCE(next_at, :due_at, last_at) WHERE id = :id AND (state = 'active' OR ({done}))",
            {"id": trigger_id, "reason": reason, "due_at": due_at},
        )
    )


def resume_mended(tx: Tx, trigger_id: int, now: Millis) -> None:
    """Resume a trigger that was paused since its message could not be written, now that the message is tried again; one
    without a next time is done."""
    broken = "id = :id AND state = 'paused' AND reason = :error"
    for one in select(tx, broken, {"id": trigger_id, "error": ERROR}):
        next_at = one.next_at if one.watches else next_of(one, max(now, one.next_at - 1))
        if next_at is None:
            finish_paused(tx, trigger_id, now)
        else:
            resume(tx, trigger_id, next_at)

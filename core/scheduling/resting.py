"""Triggers that rest, for a person's wish, for a reason of ours or since they failed, and go on (STATES: Trigger)."""

from __future__ import annotations

from collections.abc import Sequence

from core.kernel.ports import Tx
from core.kernel.timing.schedule import load as load_schedule
from core.kernel.timing.schedule import next_after
from core.kernel.timing.trigger import Trigger
from core.kernel.types import LaneKey, Millis
from core.scheduling.repository import ERROR, WISH, select

# So long what failed the last time that it came can be tried again.
TRIED_AGAIN: Millis = 86_400_000


def pause(tx: Tx, trigger_id: int, reason: str) -> bool:
    """It rests for a `reason`; a wish counts more than any other. False when it was not active, or rests already."""
    also = " OR (state = 'paused' AND reason <> :reason)" if reason == WISH else ""
    sql = f"UPDATE trigger SET state = 'paused', reason = :reason WHERE id = :id AND (state = 'active'{also})"
    return bool(tx.run(sql, {"id": trigger_id, "reason": reason}))


def resume(tx: Tx, trigger_id: int, next_at: Millis) -> bool:
    """A paused trigger is active again; False when it was not paused."""
    sql = "UPDATE trigger SET state = 'active', reason = '', next_at = :next_at WHERE id = :id AND state = 'paused'"
    return bool(tx.run(sql, {"id": trigger_id, "next_at": next_at}))


def next_of(trigger: Trigger, after: Millis) -> Millis | None:
    """Return when a trigger is due next after an instant; None when its last time is over. Where its schedule cannot be
    read that is when it was to be due: firing tells of that."""
    try:
        return next_after(load_schedule(trigger.spec), after)
    except (LookupError, OSError, TypeError, ValueError):
        return trigger.next_at


def let_end(tx: Tx, now: Millis) -> None:
    """What rests ends when its time is over. What watches is active again for that, so that it is said; a series is
    `done`, as one that comes is after its last time: a day later where it failed, which can be tried again until then.
    """
    tx.run(
        "UPDATE trigger SET state = 'active', reason = '' WHERE ended_at IS NULL AND state = 'paused' AND watches = 1"
        " AND reason = :wish AND next_at <= :now",
        {"wish": WISH, "now": now},
    )
    where = "ended_at IS NULL AND state = 'paused' AND kind <> 'once' AND spec LIKE :ends"
    for one in select(tx, where, {"ends": '%"until":%'}):
        if next_of(one, now - TRIED_AGAIN if one.reason == ERROR else now) is None:
            finish(tx, one.trigger_id, now)


def finish(tx: Tx, trigger_id: int, now: Millis) -> None:
    """What rests is done, since its last time is over."""
    ended = "state = 'done', reason = '', ended_at = :now, next_at = NULL"
    tx.run(f"UPDATE trigger SET {ended} WHERE id = :id AND state = 'paused'", {"id": trigger_id, "now": now})


def resting(tx: Tx, chat_id: int, reasons: Sequence[str]) -> list[Trigger]:
    """What is paused for one of these reasons of ours and was made in a chat."""
    among = ", ".join(f"'{reason}'" for reason in reasons)
    return select(tx, f"chat_id = :chat_id AND state = 'paused' AND reason IN ({among})", {"chat_id": chat_id})


def resting_of(tx: Tx, reason: str, person_id: int | None) -> list[Trigger]:
    """What is paused for this reason and was made by a person, or (None) by anybody."""
    where = "person_id = COALESCE(:person_id, person_id) AND state = 'paused' AND reason = :reason"
    return select(tx, where, {"person_id": person_id, "reason": reason})


def waiting_for(tx: Tx, lane: LaneKey, reasons: Sequence[str]) -> list[Trigger]:
    """What is paused for one of these reasons of ours and reminds the person whose private chat a lane is."""
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


def rest(tx: Tx, trigger_id: int, reason: str, due_at: Millis | None) -> bool:
    """It rests, also what was done: nobody saw what was due at `due_at` (None: when it was due last). Only for an error
    does a series do so that is done, or what is done by more than a message: it would be worked on twice.

    False when it was neither active nor such.
    """
    done = "state = 'done'" if reason == ERROR else "state = 'done' AND kind = 'once' AND deliver = 'message'"
    return bool(
        tx.run(
            "UPDATE trigger SET state = 'paused', reason = :reason, ended_at = NULL,"
            f" next_at = COALESCE(next_at, :due_at, last_at) WHERE id = :id AND (state = 'active' OR ({done}))",
            {"id": trigger_id, "reason": reason, "due_at": due_at},
        )
    )


def mend(tx: Tx, trigger_id: int, now: Millis) -> None:
    """What rested since its message could not be written goes on with its next time, now that the message is tried
    again; what has none is done by that."""
    broken = "id = :id AND state = 'paused' AND reason = :error"
    for one in select(tx, broken, {"id": trigger_id, "error": ERROR}):
        next_at = one.next_at if one.watches else next_of(one, max(now, one.next_at - 1))
        if next_at is None:
            finish(tx, trigger_id, now)
        else:
            resume(tx, trigger_id, next_at)

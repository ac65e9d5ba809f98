"""Who wants to be left alone in a group, for how many days a chat wants things to be kept, and when a night was."""

from __future__ import annotations

from collections.abc import Mapping

from core.capabilities.privacy.models import Kind
from core.kernel.ports import Tx
from core.kernel.types import DAY, LaneKey, Millis

# So long the bot has to run after a night before that night's time is believed.
STEADY = DAY // 4


def note_running(tx: Tx, now: Millis, ran: Millis, *, night: bool) -> Millis | None:
    """Note for how long the bot has run since this was noted last, and that a `night` comes now.

    Return the instant by which things are old in this night; None where it is no night, or none can be believed.

    The instant is the time of the last night (`steady_since`) and the running time since then (`at`), which no clock
    that is ahead now can move, nor any time off. Where the clock is before the last night one of the two is wrong: that
    time counts against the last night, which is given up when more has spoken against it than for it.
    """
    last = tx.one("SELECT at, steady_since FROM night")
    since = at = now
    if last is not None:
        since = int(last["steady_since"])
        at = int(last["at"]) + (ran if now >= since else -ran)
    old_by = min(now, at) if night and at - since >= STEADY else None
    if old_by is not None or at < since:
        since = at = now
    tx.run("DELETE FROM night")
    tx.run("INSERT INTO night (at, steady_since) VALUES (:at, :since)", {"at": at, "since": since})
    return old_by


def opt_out(tx: Tx, tenant_id: int, scope_id: int, person_id: int, now: int, *, out: bool) -> bool:
    """Leave somebody alone in a group from now on, or (not `out`) no longer; False when it was so already."""
    key = {"tenant_id": tenant_id, "scope_id": scope_id, "person_id": person_id}
    if not out:
        return bool(
            tx.run(
                "DELETE FROM optout WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND person_id = :person_id",
                key,
            )
        )
    return bool(
        tx.run(
            "INSERT INTO optout (tenant_id, scope_id, person_id, created_at)"
            " VALUES (:tenant_id, :scope_id, :person_id, :now)"
            " ON CONFLICT (tenant_id, scope_id, person_id) DO NOTHING",
            {**key, "now": now},
        )
    )


def days_kept(tx: Tx, lane: LaneKey) -> Mapping[Kind, int]:
    """Return for how many days the lane's chat wants kinds of things to be kept; of the others it wants nothing."""
    rows = tx.all(
        "SELECT kind, days FROM chat_retention WHERE tenant_id = :tenant_id AND scope_id = :scope_id", lane.params()
    )
    return {Kind(row["kind"]): int(row["days"]) for row in rows}


def keep_for(tx: Tx, lane: LaneKey, person_id: int, kind: Kind, days: int, now: Millis) -> None:
    """Store for how many days the lane's chat wants a kind of things to be kept."""
    tx.run(
        "INSERT INTO chat_retention (tenant_id, scope_id, kind, days, person_id, created_at)"
        " VALUES (:tenant_id, :scope_id, :kind, :days, :person_id, :now) ON CONFLICT (tenant_id, scope_id, kind)"
        " DO UPDATE SET days = excluded.days, person_id = excluded.person_id, created_at = excluded.created_at",
        {**lane.params(), "kind": kind.value, "days": days, "person_id": person_id, "now": now},
    )


def keep_as_others(tx: Tx, lane: LaneKey) -> int:
    """Return the lane's chat keeps everything as long as others; return how many wishes it had."""
    return tx.run("DELETE FROM chat_retention WHERE tenant_id = :tenant_id AND scope_id = :scope_id", lane.params())


def wishes(tx: Tx) -> list[tuple[LaneKey, Kind, int]]:
    """Return what all chats want to be kept for how many days."""
    rows = tx.all("SELECT tenant_id, scope_id, kind, days FROM chat_retention ORDER BY tenant_id, scope_id, kind")
    return [
        (
            LaneKey(tenant_id=row["tenant_id"], scope_id=row["scope_id"], chat_id=0, lane_id=0),
            Kind(row["kind"]),
            int(row["days"]),
        )
        for row in rows
    ]

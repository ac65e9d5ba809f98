"""Lanes and their leases: one holder at a time, fenced by an epoch (STATES: Lane)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from core.kernel.errors import LeaseLost
from core.kernel.ports import Row, Tx
from core.kernel.types import LaneKey, Lease, Millis
from core.store.conversation import tasks

DUE = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A lease just taken. `attempts` counts claims, this one too, since one last finished; `run_id` is the open run,
    `stopped` when somebody asked for its stop."""

    lease: Lease
    attempts: int
    run_id: int | None
    stopped: bool


def mark(tx: Tx, lane_id: int) -> None:
    """Note that the lane has work to look at now."""
    tx.run("UPDATE lane SET pending = 1, wake_at = 0 WHERE id = :lane_id", {"lane_id": lane_id})


def claim(tx: Tx, lane_id: int, *, owner: str, ttl: Millis, now: Millis) -> Claim | None:
    """Take the lane when it has due work and nobody holds it; each claim has an epoch of its own."""
    tx.lock(("lane", lane_id))
    row = tx.one(
        "UPDATE lane SET owner = :owner, epoch = epoch + 1, attempts = attempts + 1, expires_at = :clock + :ttl"
        " WHERE id = :lane_id AND pending = 1 AND wake_at <= :now AND (owner IS NULL OR expires_at < :clock)"
        " RETURNING tenant_id, scope_id, chat_id, epoch, attempts, run_id, stopped",
        {"lane_id": lane_id, "owner": owner, "ttl": ttl, "now": now, "clock": tx.lease_clock()},
    )
    if row is None:
        return None
    key = LaneKey(tenant_id=row["tenant_id"], scope_id=row["scope_id"], chat_id=row["chat_id"], lane_id=lane_id)
    lease = Lease(lane=key, owner=owner, epoch=row["epoch"])
    return Claim(lease=lease, attempts=row["attempts"], run_id=row["run_id"], stopped=bool(row["stopped"]))


def fence(tx: Tx, lease: Lease) -> bool:
    """Lock the lane and make sure the lease still holds; raises `LeaseLost`. First act of every write of a holder.

    Returns whether somebody asked for a stop of the open run, or of the task.
    """
    if lease.task_id is not None:
        return tasks.fence(tx, lease)
    tx.lock(("lane", lease.lane.lane_id))
    row = tx.one("SELECT owner, epoch, stopped FROM lane WHERE id = :lane_id", {"lane_id": lease.lane.lane_id})
    if row is None or (row["owner"], row["epoch"]) != (lease.owner, lease.epoch):
        raise LeaseLost(f"lane {lease.lane.lane_id} epoch {lease.epoch}")
    return bool(row["stopped"])


def stop(tx: Tx, lane: LaneKey, person_id: int, *, anybody: bool, upto: Millis | None = None) -> bool:
    """Ask for the stop of the lane's open run; False when there is none of this person (or, with `anybody`, none).

    With `upto` a run whose messages were all sent after that goes on.
    """
    which = "" if anybody else " AND EXISTS (SELECT 1 FROM run r WHERE r.id = lane.run_id AND r.person_id = :person_id)"
    if upto is not None:
        which += (
            " AND EXISTS (SELECT 1 FROM inbox i WHERE i.lane_id = lane.id AND i.run_id = lane.run_id"
            " AND i.ended_at IS NULL AND (i.platform_id = '' OR i.sent_at <= :upto))"
        )
    return bool(
        tx.run(
            f"UPDATE lane SET stopped = 1 WHERE id = :lane_id AND tenant_id = :tenant_id AND run_id IS NOT NULL{which}",
            {"person_id": person_id, "upto": upto, **lane.params()},
        )
    )


def beside(tx: Tx, lane: LaneKey) -> list[LaneKey]:
    """Return the other lanes of the same chat in which something is to be done, or asked."""
    rows = tx.all(
        "SELECT l.id, l.scope_id, l.chat_id FROM lane l WHERE l.chat_id = :chat_id AND l.tenant_id = :tenant_id"
        " AND l.id <> :lane_id AND (l.run_id IS NOT NULL OR l.pending = 1 OR EXISTS"
        " (SELECT 1 FROM question q WHERE q.lane_id = l.id AND q.state = 'open')) ORDER BY l.id",
        lane.params(),
    )
    return [LaneKey(**{**lane.params(), "scope_id": row["scope_id"], "lane_id": row["id"]}) for row in rows]


def stopped(tx: Tx, lane_id: int) -> bool:
    """Return whether a stop of the lane's open run was asked for."""
    row = tx.one("SELECT stopped FROM lane WHERE id = :lane_id", {"lane_id": lane_id})
    return row is not None and bool(row["stopped"])


def set_run(tx: Tx, lease: Lease, run_id: int | None) -> None:
    """Name the run that is open in this lane."""
    tx.run(
        "UPDATE lane SET run_id = :run_id WHERE id = :lane_id AND epoch = :epoch",
        {"run_id": run_id, "lane_id": lease.lane.lane_id, "epoch": lease.epoch},
    )


def release(tx: Tx, lease: Lease, *, finished: bool, now: Millis, wake_at: Millis = 0) -> bool:
    """Let go. Looks for more under the lane's lock and returns whether there is work due at `now`.

    `finished` resets the attempts; `wake_at` says when an open run may be tried again.
    """
    params: dict[str, Any] = {"epoch": lease.epoch, "wake_at": wake_at, **lease.lane.params()}
    row = tx.one(
        "SELECT min(held_until) AS any_at, min(CASE WHEN run_id IS NOT NULL THEN held_until END) AS parked_at,"
        " min(CASE WHEN run_id IS NOT NULL THEN doubts END) AS doubts,"
        " min(CASE WHEN run_id IS NULL AND question_id IS NULL AND (trigger_id IS NOT NULL OR task_id IS NOT NULL"
        " OR intent <> '' OR spoken = 1 OR substr(text, 1, 1) = '/') THEN held_until END) AS command_at"
        " FROM inbox WHERE lane_id = :lane_id AND ended_at IS NULL AND state = 'new'",
        params,
    )
    assert row is not None
    # When the first message that waits may be worked on: behind a parked run that is only a command, typed or pressed,
    # what a trigger wants, or what came of a task; a run that is in doubt keeps nobody waiting.
    behind = row["doubts"] == 0
    times = (row["parked_at"], row["command_at"]) if behind else (row["any_at"],)
    waiting = min((int(at) for at in times if at is not None), default=None)
    open_run = not finished
    params["pending"] = int(open_run or waiting is not None)
    params["wake_at"] = wake_at if open_run else waiting or 0
    params["finished"] = int(finished)
    tx.run(
        "UPDATE lane SET owner = NULL, expires_at = 0, pending = :pending, wake_at = :wake_at,"
        " attempts = CASE WHEN :finished = 1 THEN 0 ELSE attempts END,"
        " run_id = CASE WHEN :finished = 1 THEN NULL ELSE run_id END,"
        " stopped = CASE WHEN :finished = 1 THEN 0 ELSE stopped END"
        " WHERE id = :lane_id AND epoch = :epoch",
        params,
    )
    return bool(params["pending"]) and params["wake_at"] <= now


def forgive(tx: Tx, lease: Lease) -> None:
    """Take back the attempt of a claim that ended for no fault of its message (a stop, a silent model)."""
    tx.run(
        "UPDATE lane SET attempts = attempts - 1 WHERE id = :lane_id AND epoch = :epoch AND attempts > 0",
        {"lane_id": lease.lane.lane_id, "epoch": lease.epoch},
    )


def attend(tx: Tx, lane: LaneKey, person_id: int | None) -> bool:
    """Note to whom the bot spoke last in a lane; None when it attends to nobody any more. False when it was so."""
    return bool(
        tx.run(
            "UPDATE lane SET attends = :person_id WHERE id = :lane_id AND tenant_id = :tenant_id"
            " AND COALESCE(attends, 0) <> COALESCE(:person_id, 0)",
            {"person_id": person_id, **lane.params()},
        )
    )


def spoken(tx: Tx, tenant_id: int, since: Millis, limit: int) -> list[tuple[str, str]]:
    """Chat and thread of the lanes in which something was said after `since`, newest first: of those in threads and of
    those without one `limit` each."""
    found: list[Row] = []
    for kind in ("<>", "="):
        rows = tx.all(
            "SELECT c.external_id AS chat, l.thread, max(m.created_at) AS at FROM message m JOIN lane l"
            " ON l.id = m.lane_id JOIN chat c ON c.id = l.chat_id WHERE m.tenant_id = :tenant_id"
            f" AND m.created_at > :since AND l.thread {kind} '' GROUP BY c.external_id, l.thread"
            " ORDER BY at DESC LIMIT :limit",
            {"tenant_id": tenant_id, "since": since, "limit": limit},
        )
        found += rows
    return [(row["chat"], row["thread"]) for row in sorted(found, key=lambda row: -row["at"])]


def renew(tx: Tx, owner: str, lane_ids: Collection[int], ttl: Millis) -> int:
    """Prolong this owner's leases of the lanes it is at work on; returns how many there are."""
    until = tx.lease_clock() + ttl
    tx.lock(*(("lane", lane_id) for lane_id in lane_ids))
    return sum(
        tx.run(
            "UPDATE lane SET expires_at = :until WHERE id = :lane_id AND owner = :owner",
            {"owner": owner, "until": until, "lane_id": lane_id},
        )
        for lane_id in lane_ids
    )


def take_over(tx: Tx) -> int:
    """End every lease: this process is alone on the data and the holders are gone."""
    return tx.run("UPDATE lane SET owner = NULL, expires_at = 0 WHERE owner IS NOT NULL")


def due(tx: Tx, now: Millis, *, elsewhere: Collection[int] = (), limit: int = DUE) -> list[int]:
    """Lanes with due work that nobody holds, earliest first, but not of tenants that are served `elsewhere`."""
    others = "".join(f" AND tenant_id <> {int(tenant_id)}" for tenant_id in elsewhere)
    rows = tx.all(
        "SELECT id FROM lane WHERE pending = 1 AND wake_at <= :now AND (owner IS NULL OR expires_at < :clock)"
        f"{others} ORDER BY wake_at, id LIMIT :limit",
        {"now": now, "clock": tx.lease_clock(), "limit": limit},
    )
    return [row["id"] for row in rows]


def next_due(tx: Tx, now: Millis) -> Millis | None:
    """Return when the next waiting lane wants to be looked at, or None."""
    row = tx.one("SELECT min(wake_at) AS at FROM lane WHERE pending = 1 AND wake_at > :now", {"now": now})
    return None if row is None else row["at"]


def wake_held(tx: Tx) -> list[int]:
    """Make every message that waits for the model due now, but for what is in doubt; returns the lanes to poke."""
    tx.run(
        "UPDATE inbox SET held_until = 0 WHERE ended_at IS NULL AND state = 'new' AND holds > 0 AND doubts = 0"
        " AND held_until > 0"
    )
    rows = tx.all("SELECT id FROM lane WHERE pending = 1 AND wake_at > 0 AND owner IS NULL ORDER BY id")
    tx.run("UPDATE lane SET wake_at = 0 WHERE pending = 1 AND wake_at > 0 AND owner IS NULL")
    return [row["id"] for row in rows]


def forget_times(tx: Tx) -> None:
    """Make everything that waits for an instant due now: the wall clock was set back, and the instants are wrong."""
    tx.run("UPDATE inbox SET held_until = 0 WHERE ended_at IS NULL AND held_until > 0")
    tx.run("UPDATE outbox SET not_before = 0 WHERE ended_at IS NULL AND not_before > 0")
    tx.run("UPDATE lane SET wake_at = 0 WHERE pending = 1 AND wake_at > 0")

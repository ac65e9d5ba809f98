"""How far conditions are known: one row for each trigger and each task that waits for one (STATES: Condition)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum

from core.capabilities.conditions.evaluation import Part
from core.kernel.ports import Row, Tx
from core.kernel.timing.schedule import Watch, load
from core.kernel.types import LaneKey, Millis


class Owner(StrEnum):
    """What waits for a condition."""

    # A trigger is done whenever it comes true.
    TRIGGER = "trigger"
    # A task begins when it comes true, once.
    TASK = "task"


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """A condition that something waits for, and how far it is known; None for `parts` before the first look.

    `rests_until` is when it may fire again.
    """

    lane: LaneKey
    person_id: int
    owner: Owner
    owner_id: int
    condition: str
    created_at: Millis
    rests_until: Millis = 0
    cooldown_s: int = 0
    parts: tuple[Part, ...] | None = None
    asked_at: Millis | None = None
    version: int = 0


_TRIGGERS = "FROM trigger t {join} WHERE t.watches = 1 AND t.state = 'active'"
_TASKS = "FROM task t {join} WHERE t.state = 'waiting' AND t.waits_for = 'condition'"
_KNOWN = (
    "t.tenant_id, t.scope_id, t.chat_id, t.lane_id, t.person_id, t.id, t.created_at, c.parts, c.asked_at, c.version"
)
_STATE = "LEFT JOIN condition c ON c.owner = '{owner}' AND c.owner_id = t.id"


def scopes(tx: Tx, elsewhere: Sequence[int] = ()) -> dict[int, bool]:
    """Return the scopes in which something waits for a condition, each with whether it has not been looked at some of
    it; not of the tenants `elsewhere`."""
    left_out = f" AND t.tenant_id NOT IN ({', '.join(map(str, elsewhere))})" if elsewhere else ""
    found: dict[int, bool] = {}
    for kind, owner in ((_TRIGGERS, Owner.TRIGGER), (_TASKS, Owner.TASK)):
        rows = tx.all(
            "SELECT t.scope_id, max(CASE WHEN c.version IS NULL THEN 1 ELSE 0 END) AS new"
            f" {kind.format(join=_STATE.format(owner=owner))}{left_out} GROUP BY t.scope_id"
        )
        for row in rows:
            found[row["scope_id"]] = found.get(row["scope_id"], False) or bool(row["new"])
    return found


def of_scope(tx: Tx, scope_id: int) -> list[Watched]:
    """Return what waits for a condition in a scope."""
    triggers = tx.all(
        f"SELECT {_KNOWN}, t.spec, t.cooldown_s, t.fired_at"
        f" {_TRIGGERS.format(join=_STATE.format(owner=Owner.TRIGGER))} AND t.scope_id = :scope_id ORDER BY t.id",
        {"scope_id": scope_id},
    )
    tasks = tx.all(
        f"SELECT {_KNOWN}, t.condition {_TASKS.format(join=_STATE.format(owner=Owner.TASK))} AND t.scope_id = :scope_id"
        " ORDER BY t.id",
        {"scope_id": scope_id},
    )
    found = []
    for row in triggers:
        schedule, rest = load(row["spec"]), row["cooldown_s"] * 1000
        if isinstance(schedule, Watch):
            until = 0 if row["fired_at"] is None else row["fired_at"] + rest
            found.append(_watched(row, Owner.TRIGGER, schedule.condition, until, row["cooldown_s"]))
    return [*found, *(_watched(row, Owner.TASK, row["condition"]) for row in tasks)]


def unchanged(tx: Tx, watched: Watched) -> bool:
    """Return whether nobody has stored anything of it meanwhile, and it is waited for; the lane is locked."""
    kind = _TRIGGERS if watched.owner is Owner.TRIGGER else _TASKS
    row = tx.one(
        f"SELECT COALESCE(c.version, 0) AS version {kind.format(join=_STATE.format(owner=watched.owner))}"
        " AND t.id = :id AND t.tenant_id = :tenant_id",
        {"id": watched.owner_id, "tenant_id": watched.lane.tenant_id},
    )
    return row is not None and row["version"] == watched.version


def store(tx: Tx, watched: Watched, parts: Sequence[Part], asked_at: Millis | None, now: Millis) -> None:
    """Keep how far a condition is known; nobody has stored anything of it meanwhile."""
    tx.run(
        "INSERT INTO condition (tenant_id, scope_id, owner, owner_id, person_id, parts, asked_at, version, created_at)"
        " VALUES (:tenant_id, :scope_id, :owner, :owner_id, :person_id, :parts, :asked_at, 1, :now)"
        " ON CONFLICT (owner, owner_id) DO UPDATE SET parts = excluded.parts, asked_at = excluded.asked_at,"
        " version = condition.version + 1",
        {
            **watched.lane.params(),
            "owner": watched.owner.value,
            "owner_id": watched.owner_id,
            "person_id": watched.person_id,
            "parts": json.dumps([asdict(part) for part in parts], ensure_ascii=False),
            "asked_at": asked_at,
            "now": now,
        },
    )


def forget(tx: Tx, watched: Watched) -> None:
    """Nothing waits for it any more."""
    tx.run(
        "DELETE FROM condition WHERE owner = :owner AND owner_id = :owner_id AND tenant_id = :tenant_id",
        {"owner": watched.owner.value, "owner_id": watched.owner_id, **watched.lane.params()},
    )


def _watched(row: Row, owner: Owner, condition: str, rests_until: Millis = 0, cooldown_s: int = 0) -> Watched:
    stored = None if row["parts"] is None else json.loads(row["parts"])
    parts = None if stored is None else tuple(Part(**{**one, "names": tuple(one["names"])}) for one in stored)
    return Watched(
        lane=LaneKey.of(row),
        person_id=row["person_id"],
        owner=owner,
        owner_id=row["id"],
        condition=condition,
        created_at=row["created_at"],
        rests_until=rests_until,
        cooldown_s=cooldown_s,
        parts=parts,
        asked_at=row["asked_at"],
        version=row["version"] or 0,
    )

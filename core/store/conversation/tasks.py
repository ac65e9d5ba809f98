"""Tasks: new → queued → running → waiting → done | failed | cancelled, each with a lease of its own (STATES: Task).

Whoever changes a task locks its lane first, as all who write for that lane do.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from core.kernel.errors import LeaseLost
from core.kernel.ports import Row, Tx
from core.kernel.types import MINUTE, LaneKey, Lease, Millis, Role

# What is poked, with its number, when a task was marked as to be stopped.
STOP_TASK = "stop_task"


class TaskState(StrEnum):
    """What has become of a task."""

    # It is queued when the run that delegated it ends.
    NEW = "new"
    # It waits for its turn.
    QUEUED = "queued"
    # Somebody works on it, or did when the process died.
    RUNNING = "running"
    # It goes on when what it waits for is there (`WaitsFor`).
    WAITING = "waiting"
    # It has an outcome.
    DONE = "done"
    # It has ended without one; its error says why.
    FAILED = "failed"
    # Somebody stopped it.
    CANCELLED = "cancelled"


class WaitsFor(StrEnum):
    """What a task waits for."""

    # Nothing: it does not wait.
    NOTHING = ""
    # The answer to its question.
    ANSWER = "answer"
    # The outcomes of its Workers.
    WORKERS = "workers"
    # That its condition comes true.
    CONDITION = "condition"


class InputKind(StrEnum):
    """What a task is told after it began."""

    # The answer to its question.
    ANSWER = "answer"
    # What came of one of its Workers, or was posted to the hook that started it.
    OUTCOME = "outcome"
    # What its person says of it while it works.
    STEER = "steer"


_COLUMNS = (
    "id, tenant_id, scope_id, chat_id, lane_id, person_id, parent_id, made_in, trigger_id, source_key, run_id, role,"
    " state, waits_for, prompt, words, language, priority, timeout_s, repeatable, trace_id, tainted, depth, order_at,"
    " attempts, stopped, tries, rounds, question_id, outcome, error, most_tokens, most_cost, tokens, cost, doing,"
    " message_key, condition, created_at, started_at, ended_at"
)
# Of a task `q` whose chat is gone nothing is begun until that is back.
_HERE = "NOT EXISTS (SELECT 1 FROM chat c WHERE c.id = q.chat_id AND c.state = 'gone')"


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One task. `timeout_s` are seconds, `most_cost` and `cost` millionths of a dollar; the columns are explained in
    0021_tasks.sql. A task that is not stored yet has the number 0."""

    lane: LaneKey
    person_id: int
    role: Role
    prompt: str
    source_key: str
    trace_id: str
    created_at: Millis
    task_id: int = 0
    parent_id: int | None = None
    made_in: int | None = None
    trigger_id: int | None = None
    run_id: int | None = None
    state: TaskState = TaskState.NEW
    waits_for: WaitsFor = WaitsFor.NOTHING
    words: tuple[str, ...] = ()
    language: str = ""
    priority: int = 5
    timeout_s: int | None = None
    repeatable: bool = False
    tainted: bool = False
    depth: int = 0
    attempts: int = 0
    stopped: bool = False
    tries: int = 1
    rounds: int = 0
    question_id: int | None = None
    outcome: str = ""
    error: str = ""
    most_tokens: int | None = None
    most_cost: int | None = None
    tokens: int = 0
    cost: int = 0
    doing: str = ""
    message_key: str = ""
    condition: str = ""
    started_at: Millis | None = None
    ended_at: Millis | None = None

    @property
    def order_at(self) -> Millis:
        """Return the instant by which tasks are ordered: each point of priority counts as a minute of waiting."""
        return self.created_at - self.priority * MINUTE


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskInput:
    """Something a task is told; `step` is the step of its journal before which it was read, None until then."""

    input_id: int
    kind: InputKind
    text: str
    tainted: bool
    step: int | None


# When a task was last seen at work, or freed to go on: how long it lay about since, broken off, is not what it took.
_LAST_SIGN = (
    "SELECT max(at) FROM (SELECT task.started_at AS at UNION ALL SELECT created_at FROM task_input WHERE task_id ="
    " task.id AND kind <> 'steer' UNION ALL SELECT COALESCE(s.ended_at, s.started_at) FROM step s WHERE s.run_id ="
    " task.run_id AND s.tenant_id = task.tenant_id AND s.scope_id = task.scope_id) AS signs WHERE at <= :now"
)

# Making tasks.


def insert(tx: Tx, task: Task) -> int | None:
    """Store a task; return its number, None when its `source_key` is known in the tenant."""
    row = tx.one(
        "INSERT INTO task (tenant_id, scope_id, chat_id, lane_id, person_id, parent_id, made_in, trigger_id,"
        " source_key, role, state, waits_for, prompt, words, language, priority, timeout_s, repeatable, trace_id,"
        " tainted, depth, order_at, most_tokens, most_cost, condition, created_at)"
        " VALUES (:tenant_id, :scope_id, :chat_id, :lane_id, :person_id,"
        " :parent_id, :made_in, :trigger_id, :source_key, :role, :state, :waits_for, :prompt, :words, :language,"
        " :priority, :timeout_s, :repeatable, :trace_id, :tainted, :depth, :order_at, :most_tokens, :most_cost,"
        " :condition, :created_at) ON CONFLICT (tenant_id, source_key) DO NOTHING RETURNING id",
        {
            **task.lane.params(),
            **{name: getattr(task, name) for name in _AS_THEY_ARE},
            "role": task.role.value,
            "words": json.dumps(task.words, ensure_ascii=False),
            "repeatable": int(task.repeatable),
            "tainted": int(task.tainted),
        },
    )
    return None if row is None else int(row["id"])


_AS_THEY_ARE = (
    *("person_id", "parent_id", "made_in", "trigger_id", "source_key", "state", "waits_for", "prompt", "language"),
    *("priority", "timeout_s", "trace_id", "depth", "order_at", "most_tokens", "most_cost", "condition", "created_at"),
)


def release(tx: Tx, lane: LaneKey, run_id: int) -> list[Task]:
    """Queue what a run has delegated, as it ends; one with a condition goes on waiting for that. Returns all."""
    rows = tx.all(
        "UPDATE task SET state = CASE WHEN waits_for = '' THEN 'queued' ELSE 'waiting' END WHERE made_in = :run_id"
        f" AND state = 'new' AND tenant_id = :tenant_id AND scope_id = :scope_id RETURNING {_COLUMNS}",
        {"run_id": run_id, **lane.params()},
    )
    return sorted(map(_task, rows), key=lambda task: task.task_id)


def drop_new(tx: Tx, lane: LaneKey, run_id: int, now: Millis) -> None:
    """Drop the tasks that a run wanted to delegate, since it ended badly."""
    tx.run(
        "UPDATE task SET state = 'cancelled', ended_at = :now WHERE made_in = :run_id AND state = 'new'"
        " AND tenant_id = :tenant_id AND scope_id = :scope_id",
        {"run_id": run_id, "now": now, **lane.params()},
    )


# Working on them.


def claim(
    tx: Tx, role: Role, *, owner: str, ttl: Millis, now: Millis, elsewhere: Collection[int] = ()
) -> tuple[Task, Lease] | None:
    """Take the task of a role whose turn it is, for a lease of `ttl` ms; None when nothing waits.

    The tenant with the fewest of them under way comes first, in a tenant the one that stands first. Not of tenants that
    are served `elsewhere`, nor of a chat that is gone.
    """
    others = "".join(f" AND t.id <> {int(tenant_id)}" for tenant_id in elsewhere)
    next_one = (
        "SELECT q.{column} FROM task q WHERE q.role = :role AND q.tenant_id = t.id AND q.state = 'queued'"
        f" AND q.wake_at <= :now AND {_HERE} ORDER BY q.order_at, q.id LIMIT 1"
    )
    turns = (
        f"SELECT ({next_one.format(column='id')}) AS id, ({next_one.format(column='order_at')}) AS order_at,"
        " (SELECT count(*) FROM task r WHERE r.role = :role AND r.tenant_id = t.id AND r.state = 'running') AS busy"
        f" FROM tenant t WHERE t.ended_at IS NULL{others}"
    )
    # Whoever claims at the same moment may have taken the one that was found: then another one has its turn.
    while found := [row for row in tx.all(turns, {"role": role.value, "now": now}) if row["id"] is not None]:
        for _, _, task_id in sorted((row["busy"], row["order_at"], row["id"]) for row in found):
            row = tx.one(
                "UPDATE task SET state = 'running', owner = :owner, epoch = epoch + 1, attempts = attempts + 1,"
                f" expires_at = :clock + :ttl, started_at = COALESCE(started_at + :now - ({_LAST_SIGN}), :now)"
                " WHERE id = :id"
                f" AND state = 'queued' RETURNING {_COLUMNS}, epoch",
                {"id": task_id, "owner": owner, "ttl": ttl, "now": now, "clock": tx.lease_clock()},
            )
            if row is not None:
                task = _task(row)
                return task, Lease(lane=task.lane, owner=owner, epoch=row["epoch"], task_id=task.task_id)
    return None


def fence(tx: Tx, lease: Lease) -> bool:
    """Lock the task's lane, and its row, which `hold` locks alone, and make sure the lease still holds; raises
    `LeaseLost`. First act of every write of its holder. Returns whether somebody stopped it."""
    tx.lock(("lane", lease.lane.lane_id))
    tx.run(
        "UPDATE task SET epoch = epoch WHERE id = :id AND tenant_id = :tenant_id",
        {"id": lease.task_id, **lease.lane.params()},
    )
    return is_stopped(tx, lease)


def is_stopped(tx: Tx, lease: Lease) -> bool:
    """Return whether somebody stopped a task that is worked on; raises `LeaseLost` when its lease holds no more. For
    whoever only looks."""
    row = tx.one(
        "SELECT state, owner, epoch, stopped FROM task WHERE id = :id AND tenant_id = :tenant_id",
        {"id": lease.task_id, **lease.lane.params()},
    )
    if row is None or (row["state"], row["owner"], row["epoch"]) != ("running", lease.owner, lease.epoch):
        raise LeaseLost(f"task {lease.task_id} epoch {lease.epoch}")
    return bool(row["stopped"])


def renew(tx: Tx, owner: str, task_ids: Collection[int], ttl: Millis) -> int:
    """Prolong this owner's leases of the tasks it is at work on; returns how many there are."""
    until = tx.lease_clock() + ttl
    return sum(
        tx.run(
            "UPDATE task SET expires_at = :until WHERE id = :id AND owner = :owner AND state = 'running'",
            {"owner": owner, "until": until, "id": task_id},
        )
        for task_id in sorted(task_ids)
    )


def take_over(tx: Tx) -> int:
    """Queue what is running: this process is alone on the data, and who worked on it is gone."""
    return tx.run("UPDATE task SET state = 'queued', owner = NULL, expires_at = 0 WHERE state = 'running'")


def take_back(tx: Tx) -> int:
    """Queue what is running under a lease that has run out; returns how many there were."""
    return tx.run(
        "UPDATE task SET state = 'queued', owner = NULL WHERE state = 'running' AND expires_at < :clock",
        {"clock": tx.lease_clock()},
    )


def set_run(tx: Tx, lease: Lease, run_id: int) -> None:
    """Name the journal of a task."""
    tx.run("UPDATE task SET run_id = :run_id WHERE id = :id", {"run_id": run_id, "id": lease.task_id})


def put_down(tx: Tx, lease: Lease, wake_at: Millis, *, forgive: bool) -> None:
    """Queue a task again whose work was broken off, not before `wake_at`; the attempt counts unless that was no fault
    of it (`forgive`). It goes on from its journal."""
    tx.run(
        "UPDATE task SET state = 'queued', owner = NULL, wake_at = :wake_at, attempts = attempts - :forgiven"
        " WHERE id = :id",
        {"id": lease.task_id, "wake_at": wake_at, "forgiven": int(forgive)},
    )


def again(tx: Tx, lease: Lease) -> None:
    """Queue a task once more with a journal of its own: what its last one came to does not count."""
    tx.run(
        "UPDATE task SET state = 'queued', owner = NULL, run_id = NULL, attempts = 0, tries = tries + 1 WHERE id = :id",
        {"id": lease.task_id},
    )
    tx.run("UPDATE task_input SET step = NULL WHERE task_id = :id", {"id": lease.task_id})


def wait(tx: Tx, lease: Lease, waits_for: WaitsFor, *, question_id: int | None = None) -> None:
    """Let a task wait; what it waits for queues it again (`tell`). It has a round more where that are its Workers."""
    tx.run(
        "UPDATE task SET state = 'waiting', waits_for = :waits_for, question_id = :question_id, owner = NULL,"
        " attempts = 0, rounds = rounds + :round WHERE id = :id",
        {
            "id": lease.task_id,
            "waits_for": waits_for,
            "question_id": question_id,
            "round": int(waits_for is WaitsFor.WORKERS),
        },
    )


def end(tx: Tx, task: Task, state: TaskState, now: Millis, *, outcome: str = "", error: str = "") -> bool:
    """End a task that is open; False when it had ended before."""
    ended = {"state": state, "outcome": outcome, "error": error, "now": now}
    return bool(
        tx.run(
            "UPDATE task SET state = :state, waits_for = '', outcome = :outcome, error = :error, owner = NULL,"
            " ended_at = :now WHERE id = :id AND tenant_id = :tenant_id AND ended_at IS NULL",
            {**task.lane.params(), "id": task.task_id, **ended},
        )
    )


def stop(tx: Tx, task: Task) -> bool:
    """Mark a task that is open, and its Workers, as to be stopped; False when none of them is. Whoever works on it
    breaks off, and it is ended by whoever finds the mark (`marked`)."""
    return bool(
        tx.run(
            "UPDATE task SET stopped = 1 WHERE tenant_id = :tenant_id AND (id = :id OR parent_id = :id)"
            " AND ended_at IS NULL",
            {"id": task.task_id, **task.lane.params()},
        )
    )


def stop_in(tx: Tx, lane: LaneKey, person_id: int) -> list[int]:
    """Mark the open tasks of a person in a lane to be stopped; return the numbers of those without a parent."""
    rows = tx.all(
        "UPDATE task SET stopped = 1 WHERE scope_id = :scope_id AND lane_id = :lane_id AND tenant_id = :tenant_id"
        " AND person_id = :person_id AND ended_at IS NULL AND state <> 'new' RETURNING id, parent_id",
        {"person_id": person_id, **lane.params()},
    )
    return sorted(int(row["id"]) for row in rows if row["parent_id"] is None)


def marked(tx: Tx) -> list[int]:
    """Return the tasks without a parent that are open, or have open Workers, although somebody stopped them."""
    rows = tx.all(
        "SELECT DISTINCT COALESCE(parent_id, id) AS id FROM task WHERE stopped = 1 AND ended_at IS NULL ORDER BY 1"
    )
    return [int(row["id"]) for row in rows]


# What they are told.


def tell(
    tx: Tx, task: Task, kind: InputKind, text: str, now: Millis, *, tainted: bool = False, frees: WaitsFor
) -> bool:
    """Tell a task something. One that waits for what `frees` it is queued again; returns whether it was."""
    tx.run(
        "INSERT INTO task_input (tenant_id, scope_id, task_id, kind, text, tainted, created_at) VALUES (:tenant_id,"
        " :scope_id, :task_id, :kind, :text, :tainted, :now)",
        {
            **task.lane.params(),
            "task_id": task.task_id,
            "kind": kind,
            "text": text,
            "tainted": int(tainted),
            "now": now,
        },
    )
    return free(tx, task, frees)


def hold(tx: Tx, task: Task) -> bool:
    """Lock the row of a task until the end of the transaction, from whichever lane; False when it has ended."""
    return bool(
        tx.run(
            "UPDATE task SET epoch = epoch WHERE id = :id AND tenant_id = :tenant_id AND ended_at IS NULL",
            {"id": task.task_id, **task.lane.params()},
        )
    )


def free(tx: Tx, task: Task, waits_for: WaitsFor) -> bool:
    """Queue a task that waits for this; returns whether it did."""
    return waits_for is not WaitsFor.NOTHING and bool(
        tx.run(
            "UPDATE task SET state = 'queued', waits_for = '', wake_at = 0 WHERE id = :id AND state = 'waiting'"
            " AND waits_for = :waits_for",
            {"id": task.task_id, "waits_for": waits_for},
        )
    )


def unread(tx: Tx, lease: Lease) -> bool:
    """Return whether a task was told something that it has not read yet."""
    row = tx.one(
        "SELECT 1 AS found FROM task_input WHERE task_id = :id AND tenant_id = :tenant_id AND step IS NULL LIMIT 1",
        {"id": lease.task_id, **lease.lane.params()},
    )
    return row is not None


def inputs(tx: Tx, task: Task) -> list[TaskInput]:
    """Return all that a task was told, oldest first."""
    rows = tx.all(
        "SELECT id, kind, text, tainted, step FROM task_input WHERE task_id = :id AND tenant_id = :tenant_id"
        " ORDER BY id",
        {"id": task.task_id, **task.lane.params()},
    )
    return [_input(row) for row in rows]


def read_inputs(tx: Tx, lease: Lease, step: int) -> list[TaskInput]:
    """Note that what a task has not read yet is read before a step of its journal; return it, oldest first."""
    rows = tx.all(
        "UPDATE task_input SET step = :step WHERE task_id = :id AND tenant_id = :tenant_id AND step IS NULL"
        " RETURNING id, kind, text, tainted, step",
        {"id": lease.task_id, "step": step, **lease.lane.params()},
    )
    return sorted(map(_input, rows), key=lambda one: one.input_id)


# What is noted of them.


def note_use(tx: Tx, lease: Lease, tokens: int, cost: int) -> None:
    """Add what a call of the model took to its task, and to the one whose Worker it is."""
    tx.run(
        "UPDATE task SET tokens = tokens + :tokens, cost = cost + :cost WHERE tenant_id = :tenant_id AND (id = :id"
        " OR id = (SELECT parent_id FROM task WHERE id = :id))",
        {"id": lease.task_id, "tokens": tokens, "cost": cost, **lease.lane.params()},
    )


def note_pass(tx: Tx, lease: Lease, seconds: int, *, tainted: bool) -> None:
    """Take what a pass took from the time that a task may be worked on, of which a second is left to say so; and note
    whether it has read what others wrote, for so is what comes of it."""
    tx.run(
        "UPDATE task SET tainted = :tainted, timeout_s = CASE WHEN timeout_s > :seconds THEN timeout_s - :seconds"
        " WHEN timeout_s IS NULL THEN NULL ELSE 1 END WHERE id = :id",
        {"id": lease.task_id, "seconds": seconds, "tainted": int(tainted)},
    )


def note_doing(tx: Tx, lease: Lease, doing: str) -> None:
    """Note which step people see that a task is at."""
    tx.run("UPDATE task SET doing = :doing WHERE id = :id", {"id": lease.task_id, "doing": doing})


def note_message(tx: Tx, task: Task, message_key: str) -> None:
    """Note the message that shows a task at work."""
    tx.run("UPDATE task SET message_key = :key WHERE id = :id", {"id": task.task_id, "key": message_key})


# Finding them.


def find(tx: Tx, lane: LaneKey, task_id: int) -> Task | None:
    """Return a task of the lane's scope in any state; one of another scope is as one that never was."""
    return next(
        iter(_list(tx, lane, "id = :task_id AND scope_id = :scope_id", task_id=task_id)),
        None,
    )


def load(tx: Tx, tenant_id: int, task_id: int) -> Task | None:
    """Return a task of the tenant, for what came of it elsewhere."""
    row = tx.one(
        f"SELECT {_COLUMNS} FROM task WHERE id = :id AND tenant_id = :tenant_id",
        {"id": task_id, "tenant_id": tenant_id},
    )
    return None if row is None else _task(row)


def by_number(tx: Tx, task_id: int) -> Task | None:
    """Return a task in any state, for whoever was poked with its number."""
    row = tx.one(f"SELECT {_COLUMNS} FROM task WHERE id = :id", {"id": task_id})
    return None if row is None else _task(row)


def open_in(tx: Tx, lane: LaneKey) -> list[Task]:
    """Return the tasks of the lane's scope that are queued, running or waiting, the oldest first."""
    return _list(tx, lane, "scope_id = :scope_id AND ended_at IS NULL AND state <> 'new'")


def open_of(tx: Tx, lane: LaneKey, person_id: int) -> list[Task]:
    """Return the tasks of a person that are queued, running or waiting, in all chats of the tenant."""
    return _list(tx, lane, "person_id = :person_id AND ended_at IS NULL AND state <> 'new'", person_id=person_id)


def workers_of(tx: Tx, task: Task) -> list[Task]:
    """Return the tasks that a Planner's task has delegated, in any state, the oldest first."""
    return _list(tx, task.lane, "parent_id = :task_id", task_id=task.task_id)


def made_since(tx: Tx, lane: LaneKey, person_id: int, since: Millis, now: Millis) -> int:
    """Return how many tasks were delegated for a person after `since`, and not later than `now`, in all chats of the
    tenant."""
    row = tx.one(
        "SELECT count(*) AS n FROM task WHERE person_id = :person_id AND tenant_id = :tenant_id"
        " AND created_at > :since AND created_at <= :now AND made_in IS NOT NULL",
        {"person_id": person_id, "since": since, "now": now, **lane.params()},
    )
    return 0 if row is None else int(row["n"])


def made_by(tx: Tx, lane: LaneKey, run_id: int) -> int:
    """Return how many tasks a run has delegated so far."""
    row = tx.one(
        "SELECT count(*) AS n FROM task WHERE made_in = :run_id AND tenant_id = :tenant_id",
        {"run_id": run_id, **lane.params()},
    )
    return 0 if row is None else int(row["n"])


def made_in_trace(tx: Tx, lane: LaneKey, trace_id: str) -> int:
    """Return how many tasks Planners have delegated under a trace id, in the lane's scope."""
    row = tx.one(
        "SELECT count(*) AS n FROM task WHERE trace_id = :trace_id AND role = 'worker' AND tenant_id = :tenant_id"
        " AND scope_id = :scope_id",
        {"trace_id": trace_id, **lane.params()},
    )
    return 0 if row is None else int(row["n"])


def last_of_trigger(tx: Tx, lane: LaneKey, trigger_id: int, most: int, state: str = TaskState.DONE) -> list[Task]:
    """Return the last tasks that came of a trigger and are done, or ended so, the newest first."""
    rows = tx.all(
        f"SELECT {_COLUMNS} FROM task WHERE trigger_id = :trigger_id AND tenant_id = :tenant_id"
        " AND scope_id = :scope_id AND state = :state ORDER BY id DESC LIMIT :most",
        {"trigger_id": trigger_id, "most": most, "state": state, **lane.params()},
    )
    return [_task(row) for row in rows]


def any_open(tx: Tx) -> bool:
    """Return whether there is a task that has not ended."""
    return tx.one("SELECT 1 AS found FROM task WHERE ended_at IS NULL LIMIT 1") is not None


def queued(tx: Tx, role: Role, now: Millis, limit: int) -> list[int]:
    """Return the numbers of the tasks of a role whose turn it is, the first of them first."""
    rows = tx.all(
        f"SELECT id FROM task q WHERE role = :role AND state = 'queued' AND wake_at <= :now AND {_HERE}"
        " ORDER BY order_at, id LIMIT :limit",
        {"role": role.value, "now": now, "limit": limit},
    )
    return [int(row["id"]) for row in rows]


def next_due(tx: Tx, now: Millis) -> Millis | None:
    """Return when the next queued task that was put down may go on, or None."""
    row = tx.one("SELECT min(wake_at) AS at FROM task WHERE state = 'queued' AND wake_at > :now", {"now": now})
    return None if row is None else row["at"]


def _list(tx: Tx, lane: LaneKey, where: str, **params: Any) -> list[Task]:
    rows = tx.all(
        f"SELECT {_COLUMNS} FROM task WHERE tenant_id = :tenant_id AND {where} ORDER BY id", {**lane.params(), **params}
    )
    return [_task(row) for row in rows]


def _task(row: Row) -> Task:
    lane = LaneKey.of(row)
    fields: dict[str, Any] = {name: row[name] for name in _FIELDS}
    return replace(
        Task(lane=lane, task_id=row["id"], role=Role(row["role"]), **fields),
        state=TaskState(row["state"]),
        waits_for=WaitsFor(row["waits_for"]),
        words=tuple(json.loads(row["words"])),
        repeatable=bool(row["repeatable"]),
        tainted=bool(row["tainted"]),
        stopped=bool(row["stopped"]),
    )


_FIELDS = (
    *("person_id", "parent_id", "made_in", "trigger_id", "source_key", "run_id", "prompt", "language", "priority"),
    *("timeout_s", "trace_id", "depth", "attempts", "tries", "rounds", "question_id", "outcome", "error"),
    *("most_tokens", "most_cost", "tokens", "cost", "doing", "message_key", "condition"),
    *("created_at", "started_at", "ended_at"),
)


def _input(row: Row) -> TaskInput:
    return TaskInput(
        input_id=row["id"],
        kind=InputKind(row["kind"]),
        text=row["text"],
        tainted=bool(row["tainted"]),
        step=row["step"],
    )

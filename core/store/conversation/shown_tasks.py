"""Which tasks people see something of, and the messages that show them (`task.message_key`)."""

from __future__ import annotations

from core.kernel.ports import Tx
from core.kernel.types import LaneKey, Millis
from core.store.conversation import tasks
from core.store.conversation.tasks import Task

# The kind of poke when what people see of a task may have changed; its key is the task without a parent.
SHOW_TASK = "task_shown"
# Later than any instant.
EVER: Millis = 1 << 62
# The message of a task, with that part of it which is edited.
_MESSAGE = "o.tenant_id = t.tenant_id AND o.message_key = t.message_key || ':0'"


def visible(tx: Tx, since: Millis, task_id: int | None = None) -> list[Task]:
    """Return the tasks without a parent whose message may have to be shown or edited, or only the one with a number.

    These are open ones, unless they wait for their condition, or are silent where nothing is new; and those that ended
    after `since` and whose message does not say so yet.
    """
    which = "" if task_id is None else " AND t.id = :task_id"
    rows = tx.all(
        f"SELECT t.id FROM task t WHERE t.parent_id IS NULL AND t.ended_at IS NULL{which} AND t.state <> 'new'"
        " AND t.waits_for <> 'condition' AND (t.message_key <> '' OR NOT EXISTS (SELECT 1 FROM trigger g"
        " WHERE g.id = t.trigger_id AND g.silent = 1))"
        f" UNION ALL SELECT t.id FROM task t WHERE t.ended_at > :since{which}"
        f" AND t.message_key <> '' AND EXISTS (SELECT 1 FROM outbox o WHERE {_MESSAGE} AND o.state <> 'dead')"
        " AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.tenant_id = t.tenant_id"
        " AND o.message_key = t.message_key || ':end') ORDER BY 1",
        {"since": since, "task_id": task_id},
    )
    found = (tasks.by_number(tx, row["id"]) for row in rows)
    return [task for task in found if task is not None]


def shown_as(tx: Tx, lane: LaneKey, platform_id: str, *, ended: bool = False) -> Task | None:
    """Return the open task that a message of the lane's chat shows, by the platform's id of it; or one that has
    `ended`."""
    state = "t.ended_at IS NOT NULL" if ended else "t.ended_at IS NULL"
    row = tx.one(
        "SELECT t.id FROM task t WHERE t.tenant_id = :tenant_id AND t.scope_id = :scope_id AND t.chat_id = :chat_id"
        f" AND t.message_key <> '' AND {state} AND EXISTS (SELECT 1 FROM outbox o WHERE {_MESSAGE}"
        " AND o.platform_id = :platform_id) ORDER BY t.id LIMIT 1",
        {"platform_id": platform_id, **lane.params()},
    )
    return None if row is None else tasks.find(tx, lane, row["id"])


def begins(tx: Tx, tenant_id: int, chat: str, platform_id: str) -> bool:
    """Return whether a message of a chat, by the platform's ids of both, shows a task that is open."""
    row = tx.one(
        f"SELECT 1 AS found FROM task t JOIN chat c ON c.id = t.chat_id JOIN outbox o ON {_MESSAGE}"
        " WHERE t.tenant_id = :tenant_id AND c.external_id = :chat AND t.ended_at IS NULL AND t.message_key <> ''"
        " AND o.platform_id = :platform_id LIMIT 1",
        {"tenant_id": tenant_id, "chat": chat, "platform_id": platform_id},
    )
    return row is not None


def has_company(tx: Tx, task: Task) -> bool:
    """Return whether other tasks without a parent were under way in the chat of a task while it was."""
    others = (
        "SELECT 1 FROM task WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND chat_id = :chat_id"
        " AND parent_id IS NULL AND id <> :id AND state <> 'new' AND waits_for <> 'condition' AND created_at <= :until"
    )
    row = tx.one(
        f"SELECT 1 AS found WHERE EXISTS ({others} AND ended_at IS NULL)"
        f" OR EXISTS ({others} AND ended_at > :created_at)",
        {
            **task.lane.params(),
            "id": task.task_id,
            "created_at": task.created_at,
            "until": EVER if task.ended_at is None else task.ended_at,
        },
    )
    return row is not None


def counts(tx: Tx, lane: LaneKey) -> dict[str, int]:
    """Return how many open tasks without a parent the lane's scope has in each state, as people read it."""
    rows = tx.all(
        "SELECT CASE WHEN stopped = 1 THEN 'stopping' WHEN waits_for = 'answer' THEN 'waiting'"
        " WHEN started_at IS NULL THEN 'queued' ELSE 'working' END AS state, count(*) AS n FROM task"
        " WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND ended_at IS NULL AND state <> 'new'"
        " AND parent_id IS NULL GROUP BY 1 ORDER BY 1",
        lane.params(),
    )
    return {row["state"]: int(row["n"]) for row in rows}


def is_lost(tx: Tx, task: Task) -> bool:
    """Return whether the message of a task was refused for good, or its last edit that was not superseded: it says
    nothing more."""
    row = tx.one(
        "SELECT o.state FROM outbox o WHERE o.tenant_id = :tenant_id AND o.dead_for <> 'superseded'"
        " AND o.ended_at IS NOT NULL AND (o.message_key = :key OR o.replaces_id = (SELECT r.id FROM outbox r"
        " WHERE r.tenant_id = :tenant_id AND r.message_key = :key)) ORDER BY o.id DESC LIMIT 1",
        {"tenant_id": task.lane.tenant_id, "key": f"{task.message_key}:0"},
    )
    return row is not None and row["state"] == "dead"

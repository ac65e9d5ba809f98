"""SQL of hooks and of what was posted to them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.capabilities.hooks.models import Hook, HookKind, HookState, Lately, PausedFor
from core.kernel.ports import Row, Tx
from core.kernel.types import LaneKey, Millis
from core.store.people.people import inserted

_COLUMNS = (
    "h.id, h.tenant_id, h.scope_id, h.chat_id, h.lane_id, h.person_id, h.kind, h.name, h.prompt, h.sealed, h.state,"
    " h.reason, h.calls, h.called_at, h.created_at"
)
_HERE = "h.tenant_id = :tenant_id AND h.scope_id = :scope_id"


def insert(
    tx: Tx, lane: LaneKey, person_id: int, *, kind: HookKind, name: str, prompt: str, digest: str, now: Millis
) -> int:
    """Make a hook; return its number."""
    return inserted(
        tx.one(
            "INSERT INTO hook (tenant_id, scope_id, chat_id, lane_id, person_id, kind, name, prompt, digest, state,"
            " created_at) VALUES (:tenant_id, :scope_id, :chat_id, :lane_id, :person_id, :kind, :name, :prompt,"
            " :digest, 'active', :now) RETURNING id",
            {
                **lane.params(),
                "person_id": person_id,
                "kind": kind.value,
                "name": name,
                "prompt": prompt,
                "digest": digest,
                "now": now,
            },
        )
    )


def keep_key(tx: Tx, hook: Hook, sealed: str) -> None:
    """Keep the encrypted key by which what is posted to a hook has to be signed."""
    tx.run("UPDATE hook SET sealed = :sealed WHERE id = :id", {"id": hook.hook_id, "sealed": sealed})


def find(tx: Tx, lane: LaneKey, hook_id: int) -> Hook | None:
    """Return the hook of the lane's scope with a number; one of another scope is as one that never was."""
    row = tx.one(f"SELECT {_COLUMNS} FROM hook h WHERE h.id = :id AND {_HERE}", {"id": hook_id, **lane.params()})
    return None if row is None else _hook(row)


def all_in(tx: Tx, lane: LaneKey) -> list[Hook]:
    """Return the hooks of the lane's scope, the oldest first."""
    return [_hook(row) for row in tx.all(f"SELECT {_COLUMNS} FROM hook h WHERE {_HERE} ORDER BY h.id", lane.params())]


def count_of(tx: Tx, lane: LaneKey, person_id: int) -> int:
    """Return how many hooks somebody answers for, in all chats of the tenant."""
    row = tx.one(
        "SELECT count(*) AS n FROM hook h WHERE h.tenant_id = :tenant_id AND h.person_id = :person_id",
        {"person_id": person_id, **lane.params()},
    )
    return 0 if row is None else int(row["n"])


def by_digest(tx: Tx, digest: str) -> Hook | None:
    """Return the hook that has the address with this digest, in any tenant whose workspace still has the bot."""
    row = tx.one(
        f"SELECT {_COLUMNS} FROM hook h JOIN tenant t ON t.id = h.tenant_id AND t.ended_at IS NULL"
        " WHERE h.digest = :digest",
        {"digest": digest},
    )
    return None if row is None else _hook(row)


def digests(tx: Tx) -> frozenset[str]:
    """Return the digests of all addresses."""
    return frozenset(row["digest"] for row in tx.all("SELECT digest FROM hook"))


def pause(tx: Tx, hook: Hook, reason: PausedFor) -> bool:
    """Let a hook rest; False when it did."""
    return bool(
        tx.run(
            "UPDATE hook SET state = 'paused', reason = :reason WHERE id = :id AND state = 'active'",
            {"id": hook.hook_id, "reason": reason.value},
        )
    )


def pause_of(tx: Tx, params: Mapping[str, Any], reason: PausedFor) -> None:
    """Let all that somebody (`person_id`) answers for in a scope rest."""
    tx.run(
        "UPDATE hook SET state = 'paused', reason = :reason WHERE tenant_id = :tenant_id AND scope_id = :scope_id"
        " AND person_id = :person_id AND state = 'active'",
        {**params, "reason": reason.value},
    )


def resume(tx: Tx, hook: Hook, person_id: int) -> bool:
    """Let a hook go on, for which somebody answers from now on; False when it did not rest."""
    return bool(
        tx.run(
            "UPDATE hook SET state = 'active', reason = '', person_id = :person_id WHERE id = :id AND state = 'paused'",
            {"id": hook.hook_id, "person_id": person_id},
        )
    )


def remove(tx: Tx, hook: Hook) -> None:
    """Delete a hook with what is known of calls to it."""
    tx.run("DELETE FROM hook_call WHERE hook_id = :id", {"id": hook.hook_id})
    tx.run("DELETE FROM hook WHERE id = :id", {"id": hook.hook_id})


# What was posted.


def called(tx: Tx, hook: Hook, key: str) -> int | None:
    """Return the number of what was posted under a key before; None where nothing was."""
    row = tx.one("SELECT id FROM hook_call WHERE hook_id = :id AND key = :key", {"id": hook.hook_id, "key": key})
    return None if row is None else int(row["id"])


def since(tx: Tx, hook: Hook, begin: Millis, now: Millis) -> Lately:
    """Return how much was posted between two instants, and when the first of it was."""
    row = tx.one(
        "SELECT count(*) AS n, min(created_at) AS first FROM hook_call WHERE hook_id = :id AND created_at > :begin"
        " AND created_at <= :now",
        {"id": hook.hook_id, "begin": begin, "now": now},
    )
    return Lately(calls=0, since=begin) if row is None else Lately(calls=row["n"], since=row["first"] or begin)


def open_tasks(tx: Tx, hook: Hook) -> int:
    """Return how many tasks that came of a hook have not ended."""
    row = tx.one(
        "SELECT count(*) AS n FROM hook_call c JOIN task t ON t.id = c.task_id WHERE c.hook_id = :id"
        " AND t.ended_at IS NULL",
        {"id": hook.hook_id},
    )
    return 0 if row is None else int(row["n"])


def insert_call(tx: Tx, hook: Hook, key: str, now: Millis) -> int:
    """Note that something was posted; return its number."""
    tx.run("UPDATE hook SET calls = calls + 1, called_at = :now WHERE id = :id", {"id": hook.hook_id, "now": now})
    return inserted(
        tx.one(
            "INSERT INTO hook_call (tenant_id, scope_id, hook_id, key, created_at) VALUES (:tenant_id, :scope_id,"
            " :hook_id, :key, :now) RETURNING id",
            {**hook.lane.params(), "hook_id": hook.hook_id, "key": key, "now": now},
        )
    )


def set_task(tx: Tx, call_id: int, task_id: int | None) -> None:
    """Note which task works on what was posted."""
    tx.run("UPDATE hook_call SET task_id = :task_id WHERE id = :id", {"id": call_id, "task_id": task_id})


def _hook(row: Row) -> Hook:
    return Hook(
        hook_id=row["id"],
        lane=LaneKey.of(row),
        person_id=row["person_id"],
        kind=HookKind(row["kind"]),
        name=row["name"],
        prompt=row["prompt"],
        sealed=row["sealed"],
        state=HookState(row["state"]),
        reason=PausedFor(row["reason"]),
        calls=row["calls"],
        called_at=row["called_at"],
        created_at=row["created_at"],
    )

"""SQL of files: the folders of scopes, and what is done in them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from core.capabilities.files.models import Change, ChangeAct, ChangeState
from core.kernel.ports import Row, Tx
from core.kernel.types import LaneKey, Millis
from core.store.people.people import inserted

_COLUMNS = "id, scope_id, person_id, act, state, path, target, token, source, change_id, fresh, kept"
_OF_SCOPE = "tenant_id = :tenant_id AND scope_id = :scope_id"


def open_folder(tx: Tx, lane: LaneKey, now: Millis) -> None:
    """Note that a scope has a folder."""
    tx.run(
        "INSERT INTO folder (scope_id, tenant_id, path, created_at) VALUES (:scope_id, :tenant_id, :path, :now)"
        " ON CONFLICT (scope_id) DO NOTHING",
        {**lane.params(), "path": f"@{lane.scope_id}", "now": now},
    )


def scopes(tx: Tx) -> dict[int, LaneKey]:
    """Return all scopes by their number, each as a lane without a number."""
    rows = tx.all("SELECT tenant_id, id FROM scope")
    return {row["id"]: LaneKey(tenant_id=row["tenant_id"], scope_id=row["id"], chat_id=0, lane_id=0) for row in rows}


def insert(tx: Tx, lane: LaneKey, change: Mapping[str, Any], now: Millis) -> int:
    """Note a change that is to be done; return its number."""
    values = {
        **{"target": "", "source": "", "change_id": None, "digest": "", "tainted": 1},
        **{"run_id": None, "trace_id": ""},
        **change,
        **lane.params(),
        "now": now,
    }
    return inserted(
        tx.one(
            "INSERT INTO file_change (tenant_id, scope_id, person_id, run_id, trace_id, act, state, path, target,"
            " token, source, change_id, digest, tainted, created_at)"
            " VALUES (:tenant_id, :scope_id, :person_id, :run_id, :trace_id, :act, 'planned', :path, :target,"
            " :token, :source, :change_id, :digest, :tainted, :now) RETURNING id",
            values,
        )
    )


def planned(tx: Tx, scope_id: int) -> list[Change]:
    """Return what is still to be done in a scope, in the order in which it was committed.

    Before files of another scope are moved to it comes what is still to be done there.
    """
    rows = tx.all(
        f"SELECT {_COLUMNS} FROM file_change WHERE scope_id = :scope_id AND state = 'planned' ORDER BY id",
        {"scope_id": scope_id},
    )
    found = []
    for one in map(_change, rows):
        if one.act is ChangeAct.ADOPT:
            found += planned(tx, int(one.path.removeprefix("@")))
        found.append(one)
    return found


def with_plans(tx: Tx) -> list[int]:
    """Return the scopes in which something is still to be done."""
    rows = tx.all("SELECT DISTINCT scope_id FROM file_change WHERE state = 'planned' ORDER BY scope_id")
    return [row["scope_id"] for row in rows]


def end(tx: Tx, change: Change, kept_size: int | None, now: Millis, *, failed: bool = False) -> None:
    """Note what came of a change: how much is kept of what was there before, None where that was nothing."""
    tx.run(
        "UPDATE file_change SET state = :state, kept = :kept, kept_size = :size, fresh = :fresh,"
        " ended_at = :now WHERE id = :id AND state = 'planned'",
        {
            "id": change.change_id,
            "state": ChangeState.FAILED if failed else ChangeState.DONE,
            "kept": "" if kept_size is None else f"@{change.scope_id}/kept/{change.token}",
            "size": kept_size or 0,
            "fresh": int(kept_size is None),
            "now": now,
        },
    )
    if change.act is ChangeAct.RESTORE and not failed:
        tx.run("UPDATE file_change SET kept = '', kept_size = 0 WHERE id = :id", {"id": change.takes_back})


def find(tx: Tx, lane: LaneKey, change_id: int) -> Change | None:
    """Return a change of the lane's scope; one of another scope is as one that never was."""
    row = tx.one(
        f"SELECT {_COLUMNS} FROM file_change WHERE {_OF_SCOPE} AND id = :id", {**lane.params(), "id": change_id}
    )
    return None if row is None else _change(row)


def changed_since(tx: Tx, lane: LaneKey, change: Change) -> bool:
    """Return whether a file was changed again after a change, and that was not taken back."""
    row = tx.one(
        f"SELECT id FROM file_change c WHERE {_OF_SCOPE} AND id > :id AND state <> 'failed' AND change_id IS NULL"
        " AND (path IN (:path, :target) OR target IN (:path, :target)) AND NOT EXISTS (SELECT 1 FROM file_change u"
        " WHERE u.change_id = c.id AND u.state <> 'failed') LIMIT 1",
        {**lane.params(), "id": change.change_id, "path": change.path, "target": change.target or change.path},
    )
    return row is not None


def taken_back(tx: Tx, change_id: int) -> bool:
    """Return whether a change was taken back."""
    taken = "SELECT id FROM file_change WHERE change_id = :id AND state <> 'failed' LIMIT 1"
    return tx.one(taken, {"id": change_id}) is not None


def is_own(tx: Tx, lane: LaneKey, person_id: int, digest: str) -> bool:
    """Return whether exactly this content was written for a person by a run that had read nobody else's words."""
    row = tx.one(
        f"SELECT id FROM file_change WHERE {_OF_SCOPE} AND digest = :digest AND digest <> ''"
        " AND person_id = :person_id AND tainted = 0 AND state <> 'failed' LIMIT 1",
        {**lane.params(), "digest": digest, "person_id": person_id},
    )
    return row is not None


def own_paths(tx: Tx, lane: LaneKey, person_id: int) -> set[str]:
    """Return the paths that such runs of a person have named."""
    rows = tx.all(
        f"SELECT path, target FROM file_change WHERE {_OF_SCOPE} AND person_id = :person_id AND tainted = 0",
        {**lane.params(), "person_id": person_id},
    )
    return {path for row in rows for path in (row["path"], row["target"])}


def writer(tx: Tx, lane: LaneKey, path: str) -> int | None:
    """Return for whom the file of a path was changed last; None where that is not known."""
    row = tx.one(
        f"SELECT person_id FROM file_change WHERE {_OF_SCOPE} AND (path = :path OR target = :path)"
        " AND state <> 'failed' ORDER BY id DESC LIMIT 1",
        {**lane.params(), "path": path},
    )
    return None if row is None else int(row["person_id"])


def written(tx: Tx, lane: LaneKey, run_ids: Collection[int], *, anew: bool = False) -> list[str]:
    """Return the paths of what runs have written or moved, or (`anew`) written where nothing was; the last one last."""
    rows = tx.all(
        f"SELECT run_id, path, target FROM file_change WHERE {_OF_SCOPE} AND run_id BETWEEN :first AND :last"
        " AND act IN ('write', 'append', 'move') AND state <> 'failed'"
        " AND (:anew = 0 OR (fresh = 1 AND act <> 'move')) ORDER BY id DESC",
        {**lane.params(), "first": min(run_ids, default=0), "last": max(run_ids, default=0), "anew": int(anew)},
    )
    return list(dict.fromkeys(row["target"] or row["path"] for row in rows if row["run_id"] in run_ids))[::-1]


def too_much_kept(tx: Tx, scope_id: int, most_bytes: int) -> list[str]:
    """Let go of what was kept first, where a scope keeps more than it may; return its paths, to be deleted after."""
    rows = tx.all(
        "SELECT id, kept, kept_size FROM file_change WHERE scope_id = :scope_id AND kept <> '' ORDER BY id DESC",
        {"scope_id": scope_id},
    )
    total, gone = 0, []
    for row in rows:
        total += row["kept_size"]
        if total > most_bytes:
            gone.append(row)
    for row in gone:
        tx.run("UPDATE file_change SET kept = '', kept_size = 0 WHERE id = :id", {"id": row["id"]})
    return [row["kept"] for row in gone]


def replaced(tx: Tx, lane: LaneKey, limit: int) -> list[tuple[Change, Millis]]:
    """Return the changes that can be taken back because what was there is kept, the newest first, with their time."""
    rows = tx.all(
        f"SELECT {_COLUMNS}, created_at FROM file_change WHERE {_OF_SCOPE} AND kept <> '' AND state = 'done'"
        " AND change_id IS NULL ORDER BY id DESC LIMIT :limit",
        {**lane.params(), "limit": limit},
    )
    return [(_change(row), row["created_at"]) for row in rows]


def kept_days(tx: Tx) -> Mapping[int, int]:
    """Return for how many days scopes keep files, of those that want it shorter than others."""
    rows = tx.all("SELECT scope_id, min(days) AS days FROM chat_retention GROUP BY scope_id")
    return {row["scope_id"]: row["days"] for row in rows}


def known(tx: Tx, scope_id: int) -> set[str]:
    """Return the names, beside the folders of a scope, that its changes need."""
    rows = tx.all(
        "SELECT token, source FROM file_change WHERE scope_id = :scope_id AND (kept <> '' OR state = 'planned')",
        {"scope_id": scope_id},
    )
    return {name for row in rows for name in (row["token"], row["source"])}


def adopt(tx: Tx, source: int, scope_id: int, token: str) -> None:
    """Hand the changes of a scope over to another one, and note that its files are to be moved there.

    It may have some of which nothing was ever noted. What was kept goes. What is still to be done stays, since it has
    to be done where it was begun.
    """
    tx.run(
        "UPDATE file_change SET scope_id = :scope_id, kept = '', kept_size = 0 WHERE scope_id = :source"
        " AND state <> 'planned'",
        {"source": source, "scope_id": scope_id},
    )
    row = tx.one("SELECT tenant_id, created_at FROM scope WHERE id = :source", {"source": source})
    assert row is not None
    lane = LaneKey(tenant_id=row["tenant_id"], scope_id=scope_id, chat_id=0, lane_id=0)
    open_folder(tx, lane, row["created_at"])
    change = {"act": ChangeAct.ADOPT, "person_id": None, "path": f"@{source}", "token": token}
    insert(tx, lane, change, row["created_at"])
    tx.run("DELETE FROM folder WHERE scope_id = :source", {"source": source})


def expire_kept(tx: Tx, before: Millis, limit: int) -> int:
    """Let go of what was kept before an instant; return of how many changes."""
    due = "kept <> '' AND ended_at < :before"
    return tx.run(
        f"UPDATE file_change SET kept = '', kept_size = 0 WHERE {due} AND id IN (SELECT id FROM file_change"
        f" WHERE {due} ORDER BY ended_at, id LIMIT :limit)",
        {"before": before, "limit": limit},
    )


def expire(tx: Tx, before: Millis, limit: int) -> int:
    """Delete changes from before an instant, of which nothing is kept any more; return how many."""
    due = "kept = '' AND state <> 'planned' AND (created_at < :before OR act = 'erase')"
    return tx.run(
        f"DELETE FROM file_change WHERE {due} AND id IN"
        f" (SELECT id FROM file_change WHERE {due} ORDER BY id LIMIT :limit)",
        {"before": before, "limit": limit},
    )


def _change(row: Row) -> Change:
    return Change(
        change_id=row["id"],
        scope_id=row["scope_id"],
        person_id=row["person_id"],
        act=ChangeAct(row["act"]),
        state=ChangeState(row["state"]),
        path=row["path"],
        target=row["target"],
        token=row["token"],
        source=row["source"],
        takes_back=row["change_id"],
        fresh=bool(row["fresh"]),
        kept=row["kept"],
    )

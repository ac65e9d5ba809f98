"""The table of memories, and their place in the text index: one is never without the other."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from core.capabilities.memory.models import MEMORY, Memory, MemoryState, NewMemory, Source
from core.capabilities.memory.nearness import in_first_person
from core.kernel.markdown import folded
from core.kernel.ports import Row, Tx
from core.kernel.types import LaneKey, Millis
from core.store.people.people import inserted
from core.store.text_index import index
from core.store.text_index.index import Document

# More would hold up others who write.
MOST_RENAMED = 1_000

_SELECT = (
    "SELECT m.id, m.tenant_id, m.scope_id, m.lane_id, m.person_id, m.run_id, m.message_id, m.content, m.tags,"
    " m.long_term, m.source, m.asked, m.tainted, m.path, m.state, m.superseded_by, m.said_at, m.created_at,"
    " m.ended_at, COALESCE(p.name, '') AS speaker FROM memory m LEFT JOIN person p ON p.id = m.person_id"
)
# From each scope to the next: to read all memories of somebody who has many takes longer than to search them.
_NEXT = "SELECT min(m.scope_id) FROM memory m WHERE m.tenant_id = :tenant_id AND m.person_id = :person_id"
_SCOPES = (
    f"WITH RECURSIVE known (id) AS ({_NEXT} UNION ALL SELECT ({_NEXT} AND m.scope_id > known.id) FROM known"
    " WHERE known.id IS NOT NULL) SELECT id FROM known WHERE id <> :scope_id"
)
_SCOPE = "m.tenant_id = :tenant_id AND m.scope_id = :scope_id"


# Phones write quotes and apostrophes otherwise than keyboards do.
_QUOTES = str.maketrans("’‘ʼ“”„", "'''\"\"\"")


def key(content: str) -> str:
    """Return what exact duplicates have in common: a digest of the text without regard to case, spacing and the form of
    its quotes."""
    return hashlib.sha256(folded(content).translate(_QUOTES).rstrip(".!。！ ").encode()).hexdigest()


def key_of(content: str, person_id: int | None) -> str:
    """Return what memories of a scope have in common that say the same: in the first person also who says it."""
    alike = key(content)
    if person_id is None or not in_first_person(content):
        return alike
    return hashlib.sha256(f"{alike} {person_id}".encode()).hexdigest()


def insert(tx: Tx, lane: LaneKey, new: NewMemory, now: Millis, state: MemoryState = MemoryState.ACTIVE) -> Memory:
    """Store a memory; the scope must have no active one that says the same. What is active can be found from now on.

    A lane without a number is nowhere in particular, as of what is imported."""
    memory_id = inserted(
        tx.one(
            "INSERT INTO memory (tenant_id, scope_id, lane_id, person_id, run_id, message_id, content, content_key,"
            " tags, long_term, source, asked, tainted, path, state, said_at, created_at) VALUES (:tenant_id, :scope_id,"
            " :lane, :person_id, :run_id, :message_id, :content, :content_key, :tags, :long_term, :source, :asked,"
            " :tainted, :path, :state, :said_at, :now) RETURNING id",
            {
                **lane.params(),
                "lane": lane.lane_id or None,
                "person_id": new.person_id,
                "run_id": new.run_id,
                "message_id": new.message_id,
                "content": new.content,
                "content_key": key_of(new.content, new.person_id),
                "tags": json.dumps(new.tags, ensure_ascii=False),
                "long_term": int(new.long_term),
                "source": new.source,
                "asked": int(new.asked),
                "tainted": int(new.tainted),
                "path": new.path,
                "state": state,
                "said_at": new.said_at or now,
                "now": now,
            },
        )
    )
    memory = find(tx, lane, memory_id)
    assert memory is not None
    if state == MemoryState.ACTIVE:
        _index(tx, memory)
    return memory


def _index(tx: Tx, memory: Memory) -> None:
    """Let a memory be found by its words, its tags and, in a group, by who said it."""
    index.add(
        tx,
        [
            Document(
                tenant_id=memory.tenant_id,
                scope_id=memory.scope_id,
                kind=MEMORY,
                owner_id=memory.memory_id,
                text=" ".join((memory.content, *memory.tags)),
                at=memory.said_at,
                speaker=memory.speaker,
                person_id=memory.person_id,
            )
        ],
    )


def rename(tx: Tx, tenant_id: int, person_id: int, name: str, now: Millis) -> None:
    """Somebody has another name: the newest of what they said is found by that, as it is shown."""
    rows = tx.all(
        "SELECT id FROM memory WHERE tenant_id = :tenant_id AND person_id = :person_id AND state = 'active'"
        f" ORDER BY id DESC LIMIT {MOST_RENAMED}",
        {"tenant_id": tenant_id, "person_id": person_id},
    )
    index.rename(tx, MEMORY, [row["id"] for row in rows], name)


def move(tx: Tx, memory: Memory, state: MemoryState, now: Millis, *, superseded_by: int | None = None) -> bool:
    """Bring a memory into another state; False when it is not as `memory` says any more."""
    moved = bool(
        tx.run(
            "UPDATE memory SET state = :state, superseded_by = :by, ended_at = :ended_at, content_key = :content_key"
            " WHERE id = :id AND tenant_id = :tenant_id AND scope_id = :scope_id AND state = :former",
            {
                "id": memory.memory_id,
                "tenant_id": memory.tenant_id,
                "scope_id": memory.scope_id,
                "state": state,
                "by": superseded_by,
                "ended_at": None if state == MemoryState.ACTIVE else now,
                "former": memory.state,
                # A former version had one key for all who say the same.
                "content_key": key_of(memory.content, memory.person_id),
            },
        )
    )
    if moved and state == MemoryState.ACTIVE:
        _index(tx, memory)
    elif moved:
        index.remove(tx, MEMORY, [memory.memory_id])
    return moved


def settle(tx: Tx, lane: LaneKey, memory_id: int, superseded_by: int | None, ended_at: Millis) -> None:
    """Say of a memory that came from a file, and counts no more, since when and because of which."""
    tx.run(
        "UPDATE memory SET superseded_by = :by, ended_at = :ended_at WHERE id = :id AND tenant_id = :tenant_id"
        " AND scope_id = :scope_id",
        {"by": superseded_by, "ended_at": ended_at, "id": memory_id, **lane.params()},
    )


def keep_long(tx: Tx, memory: Memory, path: str) -> None:
    """Make a memory a long-term one: it is never archived."""
    tx.run("UPDATE memory SET long_term = 1, path = :path WHERE id = :id", {"id": memory.memory_id, "path": path})


def archive_oldest(tx: Tx, lane: LaneKey, most: int, now: Millis) -> int:
    """Archive the oldest short-term memories of a scope that has more than `most` active ones; return how many."""
    over = max(0, counts(tx, lane).get(MemoryState.ACTIVE, 0) - most)
    where = f"{_SCOPE} AND m.state = 'active' AND m.long_term = 0 ORDER BY m.id LIMIT :over"
    found = load(tx, where, {**lane.params(), "over": over}) if over else []
    return sum(move(tx, one, MemoryState.ARCHIVED, now) for one in found)


def find(tx: Tx, lane: LaneKey, memory_id: int) -> Memory | None:
    """Return a memory of the lane's scope in any state; one of another scope is as one that never was."""
    found = load(tx, f"{_SCOPE} AND m.id = :id", {**lane.params(), "id": memory_id})
    return found[0] if found else None


def same(tx: Tx, lane: LaneKey, content: str, person_id: int | None) -> Memory | None:
    """Return the active memory of the scope that says the same where somebody says it."""
    own, alike = key_of(content, person_id), key(content)
    # A former version had one key for all who say the same.
    theirs = "" if own == alike else " AND (m.content_key = :own OR m.person_id IS NULL OR m.person_id = :person_id)"
    where = f"{_SCOPE} AND m.state = 'active' AND m.content_key IN (:own, :alike){theirs}"
    found = load(tx, where, {**lane.params(), "own": own, "alike": alike, "person_id": person_id})
    return found[0] if found else None


def has_path(tx: Tx, lane: LaneKey, path: str) -> bool:
    """Return whether a memory of the scope has that name."""
    return (
        tx.one(
            f"SELECT 1 AS n FROM memory m WHERE {_SCOPE} AND m.path = :path LIMIT 1", {**lane.params(), "path": path}
        )
        is not None
    )


def by_numbers(tx: Tx, tenant_id: int, scopes: Sequence[int], numbers: Sequence[int]) -> list[Memory]:
    """Return the active memories of scopes with these numbers, in the order of these."""
    if not numbers or not scopes:
        return []
    where = (
        f"m.tenant_id = :tenant_id AND m.scope_id IN ({', '.join(str(int(one)) for one in scopes)})"
        f" AND m.id IN ({', '.join(str(int(one)) for one in numbers)}) AND m.state = 'active'"
    )
    found = {one.memory_id: one for one in load(tx, where, {"tenant_id": tenant_id})}
    return [found[number] for number in numbers if number in found]


def recent(
    tx: Tx, lane: LaneKey, *, since: Millis = 0, limit: int = 50, offset: int = 0, person_id: int | None = None
) -> list[Memory]:
    """Return the active memories of the scope that were said after an instant, the newest first; of one person where
    that is given."""
    mine = "" if person_id is None else " AND m.person_id = :person_id"
    where = (
        f"{_SCOPE} AND m.state = 'active' AND m.said_at > :since{mine} ORDER BY m.said_at DESC, m.id DESC"
        " LIMIT :limit OFFSET :offset"
    )
    more = {"since": since, "limit": limit, "offset": offset, "person_id": person_id}
    return load(tx, where, {**lane.params(), **more})


def of_run(tx: Tx, lane: LaneKey, run_id: int) -> list[Memory]:
    """Return the memories that were noted by a run, in the lane's scope; also those that were corrected since."""
    where = f"{_SCOPE} AND m.state IN ('active', 'superseded') AND m.run_id = :run_id ORDER BY m.id"
    return load(tx, where, {**lane.params(), "run_id": run_id})


def all_of(tx: Tx, lane: LaneKey, *, after: int = 0, limit: int = 1_000) -> list[Memory]:
    """Return the memories of a scope in every state but removed, in the order of their numbers; those after one."""
    where = f"{_SCOPE} AND m.state <> 'removed' AND m.id > :after ORDER BY m.id LIMIT :limit"
    return load(tx, where, {**lane.params(), "after": after, "limit": limit})


def tagged(tx: Tx, lane: LaneKey, tag: str, limit: int = 1_000) -> list[Memory]:
    """Return the active memories of the scope that have a tag, the newest first."""
    where = f"{_SCOPE} AND m.state = 'active' AND m.tags LIKE :tag ESCAPE '\\' ORDER BY m.id DESC LIMIT :limit"
    quoted = json.dumps(tag, ensure_ascii=False).replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return load(tx, where, {**lane.params(), "tag": f"%{quoted}%", "limit": limit})


def superseded(tx: Tx, lane: LaneKey, memory_id: int) -> list[Memory]:
    """Return what a memory has superseded, the newest first."""
    where = f"{_SCOPE} AND m.superseded_by = :id AND m.state = 'superseded' ORDER BY m.id DESC"
    return load(tx, where, {**lane.params(), "id": memory_id})


def counts(tx: Tx, lane: LaneKey) -> dict[str, int]:
    """Return how many memories of the scope there are in each state; `long_term` of the active ones."""
    rows = tx.all(
        f"SELECT m.state, count(*) AS n, sum(m.long_term) AS long_term FROM memory m WHERE {_SCOPE} GROUP BY m.state",
        lane.params(),
    )
    found = {str(row["state"]): int(row["n"]) for row in rows}
    return {**found, "long_term": sum(int(row["long_term"]) for row in rows if row["state"] == MemoryState.ACTIVE)}


def unasked(tx: Tx, lane: LaneKey, person_id: int, since: Millis, now: Millis) -> int:
    """Return how many memories a model has noted for somebody in a scope without being asked, between two instants."""
    row = tx.one(
        f"SELECT count(*) AS n FROM memory m WHERE {_SCOPE} AND m.person_id = :person_id AND m.asked = 0"
        " AND m.created_at >= :since AND m.created_at <= :now",
        {**lane.params(), "person_id": person_id, "since": since, "now": now},
    )
    return 0 if row is None else int(row["n"])


def has_any(tx: Tx, lane: LaneKey) -> bool:
    """Return whether anything counts as remembered in the scope."""
    sql = f"SELECT 1 AS found FROM memory m WHERE {_SCOPE} AND m.state = 'active' LIMIT 1"
    return tx.one(sql, lane.params()) is not None


def scopes_of(tx: Tx, lane: LaneKey, person_id: int) -> list[int]:
    """Return the other scopes of the tenant where somebody has said what is, or was, remembered."""
    rows = tx.all(_SCOPES, {**lane.params(), "person_id": person_id})
    return [int(row["id"]) for row in rows]


def load(tx: Tx, where: str, params: dict[str, Any]) -> list[Memory]:
    """Return the memories (`m`) that a condition of ours says."""
    return [_memory(row) for row in tx.all(f"{_SELECT} WHERE {where}", params)]


def _memory(row: Row) -> Memory:
    return Memory(
        memory_id=row["id"],
        tenant_id=row["tenant_id"],
        scope_id=row["scope_id"],
        lane_id=row["lane_id"],
        person_id=row["person_id"],
        run_id=row["run_id"],
        message_id=row["message_id"],
        content=row["content"],
        tags=tuple(json.loads(row["tags"])),
        long_term=bool(row["long_term"]),
        source=Source(row["source"]),
        asked=bool(row["asked"]),
        tainted=bool(row["tainted"]),
        path=row["path"],
        state=MemoryState(row["state"]),
        superseded_by=row["superseded_by"],
        said_at=row["said_at"],
        created_at=row["created_at"],
        ended_at=row["ended_at"],
        speaker=row["speaker"],
    )

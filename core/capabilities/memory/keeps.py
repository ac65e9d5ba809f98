"""How memories are forgotten, and handed over with their chat."""

from __future__ import annotations

from collections.abc import Mapping

from core.capabilities.memory import repository as memories
from core.capabilities.memory import service
from core.capabilities.memory.models import MEMORY, MemoryState
from core.capabilities.memory.portable import PORTABLE
from core.kernel.ports import Tx
from core.kernel.types import LaneKey
from core.store.conversation import chat_migration, history
from core.store.conversation.chat_migration import Merged
from core.store.people.optouts import LeftAlone
from core.store.text_index import index
from core.toolkit.keeping import Eraser, Keeps, Night, Phase, Whose
from core.toolkit.tool import ToolContext

# Their places in the text index go with all others of the spine.
ERASERS: Mapping[str, Eraser] = {
    "memories": Eraser(
        table="memory", act="DELETE FROM memory", phase=Phase.THINGS, counted="memories", told="state <> 'removed'"
    ),
}


def merged(tx: Tx, chats: Merged) -> None:
    """Memories of a chat are those of the chat it became; what both remember is one."""
    twice = memories.load(
        tx,
        "m.scope_id = :source AND m.state = 'active' AND EXISTS (SELECT 1 FROM memory o WHERE o.scope_id = :scope_id"
        " AND o.state = 'active' AND o.content_key = m.content_key)",
        {"source": chats.source, "scope_id": chats.scope_id},
    )
    for one in twice:
        # What it had corrected is corrected by its like, or it would go with it.
        tx.run(
            "UPDATE memory SET superseded_by = (SELECT o.id FROM memory o, memory m WHERE m.id = :id"
            " AND o.scope_id = :scope_id AND o.state = 'active' AND o.content_key = m.content_key)"
            " WHERE superseded_by = :id",
            {"id": one.memory_id, "scope_id": chats.scope_id},
        )
        tx.run("UPDATE memory SET state = 'removed', ended_at = created_at WHERE id = :id", {"id": one.memory_id})
    index.remove(tx, MEMORY, [one.memory_id for one in twice])
    chat_migration.hand_over(tx, chats, "memory")
    chat_migration.hand_over_scope(tx, chats, "memory")


def expire(tx: Tx, night: Night, limit: int) -> int:
    """Delete what was removed too long ago to be taken back, with the talk that was hidden with it; what it had
    superseded goes with it, by the next batch."""
    rows = tx.all(
        "SELECT id, tenant_id, scope_id FROM memory WHERE state = 'removed' AND ended_at < :before"
        " ORDER BY ended_at, id LIMIT :limit",
        {"before": night.ago(night.keep.undo), "limit": limit // 5},
    )
    for row in rows:
        _erase(tx, LaneKey(tenant_id=row["tenant_id"], scope_id=row["scope_id"], chat_id=0, lane_id=0), row["id"])
    return len(rows)


def _erase(tx: Tx, lane: LaneKey, memory_id: int) -> None:
    """Erase a memory with the talk that was hidden with it. What it had superseded is removed where it was removed
    itself, and else counts again."""
    gone = memories.find(tx, lane, memory_id)
    if gone is None:
        return
    if gone.state == MemoryState.REMOVED:
        params = {"id": memory_id, "removed": MemoryState.REMOVED}
        tx.run("UPDATE memory SET state = :removed, superseded_by = NULL WHERE superseded_by = :id", params)
    tx.run("DELETE FROM memory WHERE id = :id", {"id": memory_id})
    index.remove(tx, MEMORY, [memory_id])
    service.release(tx, lane, gone)
    history.erase_forgotten(tx, memory_id)


def close(tx: Tx, context: ToolContext, whose: Whose) -> None:
    """Erase what a group remembers in the words of somebody. What these had superseded counts again."""
    if whose.person_id is not None:
        where = "m.tenant_id = :tenant_id AND m.scope_id = :scope_id AND m.person_id = :person_id"
        for one in memories.load(tx, where, whose.params()):
            _erase(tx, whose.lane, one.memory_id)


def left_alone(tx: Tx, lane: LaneKey, alone: LeftAlone) -> Mapping[str, int]:
    """Erase what a group remembers of somebody: what they said, and what names them. What others said, and that had
    superseded, counts again."""
    every = memories.load(tx, "m.tenant_id = :tenant_id AND m.scope_id = :scope_id", lane.params())
    gone = {
        one.memory_id
        for one in every
        if one.person_id == alone.person_id or any(map(alone.named_in, (one.content, *one.tags)))
    }
    for number in gone:
        _erase(tx, lane, number)
    return {"memories": len(gone)}


KEEPS = Keeps(
    closes=close,
    left_alone=left_alone,
    erasers=ERASERS,
    expires={"memories": expire},
    subjects={MEMORY: "memory"},
    merged=merged,
    portable=(PORTABLE,),
)

"""How to-dos are forgotten, and handed over with their chat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.capabilities.todos.portable import PORTABLE
from core.kernel.ports import Tx
from core.store import expiry
from core.store.conversation import chat_migration
from core.store.conversation.chat_migration import Merged
from core.toolkit.keeping import GONE, OF_SCOPE, Departed, Eraser, Keeps, Night, Phase

ERASERS: Mapping[str, Eraser] = {
    "assigned": Eraser(
        table="assignee",
        act="DELETE FROM assignee",
        phase=Phase.PARTS,
        own=f"(todo_id IN (SELECT id FROM todo WHERE {OF_SCOPE} AND person_id = :person_id)"
        f" OR contact_id IN (SELECT id FROM contact WHERE {OF_SCOPE} AND person_id = :person_id))",
        key="todo_id, contact_id",
    ),
    "todos": Eraser(table="todo", act="DELETE FROM todo", phase=Phase.THINGS, counted="todos", told="state = 'open'"),
}


def merged(tx: Tx, chats: Merged) -> None:
    """Hand the to-dos of a chat over to the chat that it became."""
    chat_migration.hand_over(tx, chats, "todo")
    chat_migration.hand_over_scope(tx, chats, "assignee")


def expire(tx: Tx, night: Night, limit: int) -> int:
    """Delete to-dos that were removed, or done, too long ago, with who was to do them."""
    rows = tx.all(
        "SELECT id FROM todo WHERE ended_at < :removed AND (state = 'removed' OR ended_at < :done)"
        " ORDER BY ended_at, id LIMIT :limit",
        {"removed": night.ago(night.keep.undo), "done": night.ago(night.keep.todos), "limit": limit // 5},
    )
    return expiry.delete_with_parts(tx, "todo", rows, parts="assignee", key="todo_id")


def departed(tx: Tx, gone: Departed) -> Sequence[tuple[int, str]]:
    """Return the open items that others gave to somebody who left."""
    rows = tx.all(
        "SELECT DISTINCT d.id, d.person_id, d.content FROM todo d JOIN assignee x ON x.todo_id = d.id"
        f" AND x.contact_id IN {GONE} WHERE d.state = 'open' AND d.person_id <> :person_id ORDER BY d.id",
        gone.params(),
    )
    return [(row["person_id"], row["content"]) for row in rows]


KEEPS = Keeps(
    departed=departed,
    erasers=ERASERS,
    expires={"to-dos": expire},
    subjects={"todo": "todo"},
    merged=merged,
    portable=(PORTABLE,),
)

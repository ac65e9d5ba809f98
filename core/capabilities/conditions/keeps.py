"""How what is known of conditions is forgotten, and handed over with its chat."""

from __future__ import annotations

from collections.abc import Mapping

from core.kernel.ports import Tx
from core.store.conversation import chat_migration
from core.store.conversation.chat_migration import Merged
from core.toolkit.keeping import Eraser, Keeps, Night, Phase

ERASERS: Mapping[str, Eraser] = {
    "conditions": Eraser(table="condition", act="DELETE FROM condition", phase=Phase.PARTS, key="owner, owner_id"),
}


def expire(tx: Tx, night: Night, limit: int) -> int:
    """Delete what is known of conditions that nothing waits for any more."""
    gone = "NOT EXISTS (SELECT 1 FROM {0} t WHERE t.id = c.owner_id AND t.ended_at IS NULL)"
    return tx.run(
        "DELETE FROM condition WHERE (owner, owner_id) IN (SELECT c.owner, c.owner_id FROM condition c"
        f" WHERE (c.owner = 'trigger' AND {gone.format('trigger')}) OR (c.owner = 'task' AND {gone.format('task')})"
        " LIMIT :limit)",
        {"limit": limit},
    )


def merged(tx: Tx, chats: Merged) -> None:
    """Hand what is known of conditions over to the chat that theirs became."""
    chat_migration.hand_over_scope(tx, chats, "condition")


KEEPS = Keeps(erasers=ERASERS, expires={"conditions": expire}, merged=merged)

"""How what is known of conditions is forgotten, and handed over with its chat."""

from __future__ import annotations

from collections.abc import Mapping

from core.capabilities.conditions import repository
from core.kernel.ports import Tx
from core.store.conversation import chat_migration
from core.store.conversation.chat_migration import Merged
from core.toolkit.keeping import Eraser, Keeps, Night, Phase

ERASERS: Mapping[str, Eraser] = {
    "conditions": Eraser(table="condition", act="DELETE FROM condition", phase=Phase.PARTS, key="owner, owner_id"),
}


def expire(tx: Tx, night: Night, limit: int) -> int:
    """Delete what is known of conditions that nothing waits for any more."""
    return repository.delete_ended(tx, limit)


def merged(tx: Tx, chats: Merged) -> None:
    """What is known of conditions goes with their chat."""
    chat_migration.hand_over_scope(tx, chats, "condition")


KEEPS = Keeps(erasers=ERASERS, expires={"conditions": expire}, merged=merged)

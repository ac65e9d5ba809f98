"""How what counts messages to others is forgotten, and handed over with its chat."""

from __future__ import annotations

from core.kernel.ports import Tx
from core.store import expiry
from core.store.conversation import chat_migration
from core.store.conversation.chat_migration import Merged
from core.toolkit.keeping import Keeps, Night


def merged(tx: Tx, chats: Merged) -> None:
    """What counts the messages of a chat, and who is muted there, goes with it."""
    chat_migration.hand_over_scope(tx, chats, "mute")
    chat_migration.hand_over_scope(tx, chats, "errand")


def expire(tx: Tx, night: Night, limit: int) -> int:
    """Delete what counted messages to others and is too old to count."""
    return expiry.aged(tx, "errand", "created_at < :before", night.ago(night.keep.buttons), limit)


KEEPS = Keeps(expires={"errands": expire}, merged=merged)

"""How what counts messages to others is forgotten, and handed over with its chat."""

from __future__ import annotations

from core.kernel.ports import Tx
from core.store import expiry
from core.store.conversation import chat_migration
from core.store.conversation.chat_migration import Merged
from core.toolkit.keeping import Keeps, Night


def merged(tx: Tx, chats: Merged) -> None:
    """Hand over, to the chat that a chat became, who is muted and how much was sent."""
    chat_migration.hand_over_scope(tx, chats, "mute")
    chat_migration.hand_over_scope(tx, chats, "errand")


def expire(tx: Tx, night: Night, limit: int) -> int:
    """Delete what counted messages to others and is too old to count; not of one that is held back still, since it
    says who sent that."""
    due = (
        "created_at < :before AND NOT EXISTS (SELECT 1 FROM trigger t WHERE t.person_id = errand.recipient_id"
        " AND t.ended_at IS NULL AND t.deliver = 'note' AND t.link = errand.message_key)"
    )
    return expiry.aged(tx, "errand", due, night.ago(night.keep.buttons), limit)


KEEPS = Keeps(expires={"errands": expire}, merged=merged)

"""How imports that nobody finished are erased, and handed over with their chat."""

from __future__ import annotations

from core.kernel.ports import Tx
from core.kernel.types import DAY
from core.store.conversation import chat_migration, imports
from core.store.conversation.chat_migration import Merged
from core.toolkit.keeping import Keeps, Night


def merged(tx: Tx, chats: Merged) -> None:
    """Lines of a chat are those of the chat it became."""
    for table in ("import_job", "imported_line"):
        chat_migration.hand_over_scope(tx, chats, table)


def expire(tx: Tx, night: Night, limit: int) -> int:
    """Erase what was begun and never finished."""
    return imports.erase_stale(tx, night.now - DAY, limit)


KEEPS = Keeps(expires={"unfinished imports": expire}, merged=merged)

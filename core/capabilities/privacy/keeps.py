"""Who wants to be left alone is so in the chat theirs became."""

from __future__ import annotations

from core.kernel.ports import Tx
from core.store.conversation.chat_migration import Merged
from core.toolkit.keeping import Keeps


def merged(tx: Tx, chats: Merged) -> None:
    """Who wants to be left alone in a chat wants so in the chat it became."""
    params = {"source": chats.source, "scope_id": chats.scope_id}
    tx.run(
        "INSERT INTO optout (tenant_id, scope_id, person_id, created_at)"
        " SELECT tenant_id, :scope_id, person_id, created_at FROM optout WHERE scope_id = :source"
        " ON CONFLICT (tenant_id, scope_id, person_id) DO NOTHING",
        params,
    )
    tx.run("DELETE FROM optout WHERE scope_id = :source", params)


KEEPS = Keeps(merged=merged)

"""What people wished for a chat they wish for the chat it became."""

from __future__ import annotations

from core.kernel.ports import Tx
from core.store.conversation.chat_migration import Merged
from core.toolkit.keeping import Keeps


def merged(tx: Tx, chats: Merged) -> None:
    """Who wants to be left alone in a chat wants so in the chat it became; of days to keep things the fewest count."""
    params = {"source": chats.source, "scope_id": chats.scope_id}
    tx.run(
        "INSERT INTO optout (tenant_id, scope_id, person_id, created_at)"
        " SELECT tenant_id, :scope_id, person_id, created_at FROM optout WHERE scope_id = :source"
        " ON CONFLICT (tenant_id, scope_id, person_id) DO NOTHING",
        params,
    )
    tx.run("DELETE FROM optout WHERE scope_id = :source", params)
    tx.run(
        "INSERT INTO chat_retention (tenant_id, scope_id, kind, days, person_id, created_at) SELECT tenant_id,"
        " :scope_id, kind, days, person_id, created_at FROM chat_retention WHERE scope_id = :source"
        " ON CONFLICT (tenant_id, scope_id, kind) DO UPDATE SET days = CASE WHEN excluded.days < chat_retention.days"
        " THEN excluded.days ELSE chat_retention.days END",
        params,
    )
    tx.run("DELETE FROM chat_retention WHERE scope_id = :source", params)


KEEPS = Keeps(merged=merged)

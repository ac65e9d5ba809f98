"""How hooks are forgotten, and handed over with their chat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.capabilities.hooks import repository as hooks
from core.capabilities.hooks.models import PausedFor
from core.capabilities.hooks.portable import PORTABLE
from core.kernel.ports import Tx
from core.store import expiry
from core.store.conversation import chat_migration
from core.store.conversation.chat_migration import Merged
from core.toolkit.keeping import OF_SCOPE, Departed, Eraser, Keeps, Night, Phase

ERASERS: Mapping[str, Eraser] = {
    "hook calls": Eraser(
        table="hook_call",
        act="DELETE FROM hook_call",
        phase=Phase.PARTS,
        own=f"hook_id IN (SELECT id FROM hook WHERE {OF_SCOPE} AND person_id = :person_id)",
    ),
    "hooks": Eraser(table="hook", act="DELETE FROM hook", phase=Phase.THINGS, counted="hooks"),
}


def merged(tx: Tx, chats: Merged) -> None:
    """Hand the hooks of a chat over to the chat that it became."""
    chat_migration.hand_over(tx, chats, "hook", chat=True)
    chat_migration.hand_over_scope(tx, chats, "hook_call")


def expire(tx: Tx, night: Night, limit: int) -> int:
    """Delete what is known of old calls; none of them can be known again after that."""
    return expiry.aged(tx, "hook_call", "created_at < :before", night.ago(night.keep.hook_calls), limit)


def departed(tx: Tx, gone: Departed) -> Sequence[tuple[int, str]]:
    """Pause the hooks that somebody has made in a group which they left; return nothing, since nobody gave them any."""
    hooks.pause_of(tx, gone.params(), PausedFor.LEFT)
    return ()


KEEPS = Keeps(erasers=ERASERS, expires={"hook calls": expire}, merged=merged, departed=departed, portable=(PORTABLE,))

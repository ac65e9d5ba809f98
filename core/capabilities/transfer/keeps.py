"""How lines of other conversations are forgotten, and handed over with their chat."""

from __future__ import annotations

from collections.abc import Mapping

from core.kernel.ports import Tx
from core.store.conversation import chat_migration, imports
from core.store.conversation.chat_migration import Merged
from core.toolkit.keeping import DAY, Eraser, Keeps, Night, Phase

# Their places in the text index go with all others of the spine.
ERASERS: Mapping[str, Eraser] = {
    "lines brought": Eraser(
        table="imported_line", act="DELETE FROM imported_line", phase=Phase.SAID, counted="lines_brought"
    ),
    "imports": Eraser(
        table="import_job",
        act="DELETE FROM import_job",
        phase=Phase.PARTS,
        due="NOT EXISTS (SELECT 1 FROM imported_line i WHERE i.import_id = import_job.id)",
    ),
}


def merged(tx: Tx, chats: Merged) -> None:
    """Lines of a chat are those of the chat it became."""
    for table in ("import_job", "imported_line"):
        chat_migration.hand_over_scope(tx, chats, table)


def expire(tx: Tx, night: Night, limit: int) -> int:
    """Undo what was begun and never finished."""
    return imports.undo_stale(tx, night.now - DAY, limit)


KEEPS = Keeps(erasers=ERASERS, expires={"unfinished imports": expire}, merged=merged)

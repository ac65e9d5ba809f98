"""How files are forgotten, on request and by themselves, and handed over with their chat."""

from __future__ import annotations

from collections.abc import Mapping

from core.capabilities.files import repository as changes
from core.capabilities.files.disk import new_token
from core.kernel.ports import Tx
from core.store.conversation import attachments
from core.store.conversation.chat_migration import Merged
from core.toolkit.keeping import OF_SCOPE, Eraser, Keeps, Night, Phase

# Where the file is now that a change has written.
_NOW = "CASE WHEN target <> '' THEN target ELSE path END"
_NOW_OF = "CASE WHEN file_change.target <> '' THEN file_change.target ELSE file_change.path END"
ERASERS: Mapping[str, Eraser] = {
    # Of one person in a group: what was last written for them, if only something was put behind it since. Until it is
    # gone from the disk, the row says that it has to go.
    "files written": Eraser(
        table="file_change",
        act=f"UPDATE file_change SET act = 'erase', state = 'planned', path = {_NOW}, target = '', digest = '',"
        " tainted = 1",
        phase=Phase.SAID,
        due="CAST(:person_id AS BIGINT) IS NOT NULL AND state <> 'failed' AND path LIKE 'file_%'"
        " AND act IN ('write', 'append', 'move', 'restore') AND NOT EXISTS (SELECT 1 FROM file_change n"
        " WHERE n.scope_id = file_change.scope_id AND n.id > file_change.id AND n.state <> 'failed'"
        f" AND n.act <> 'append' AND (n.path = {_NOW_OF} OR n.target = {_NOW_OF}))",
        file=f"'@' || scope_id || '/' || {_NOW}",
    ),
    "changes of files": Eraser(
        table="file_change",
        act="DELETE FROM file_change",
        phase=Phase.THINGS,
        due="(act <> 'erase' OR state <> 'planned')",
        own=f"(person_id = :person_id OR path IN (SELECT path FROM file_change WHERE {OF_SCOPE}"
        " AND person_id = :person_id))",
        told="act <> 'erase'",
        counted="written_files",
        file="kept",
    ),
    "folders": Eraser(table="folder", act="DELETE FROM folder", phase=Phase.THINGS, own=""),
    # What was put there by hand has no row. Until all of it is gone from the disk, a change says that it has to go.
    "what lies in folders": Eraser(
        table="chat",
        act="INSERT INTO file_change (tenant_id, scope_id, act, state, path, token, created_at)"
        " SELECT tenant_id, scope_id, 'erase', 'planned', '@' || scope_id, '', created_at FROM chat",
        phase=Phase.THINGS,
        due="NOT EXISTS (SELECT 1 FROM file_change e WHERE e.scope_id = chat.scope_id AND e.act = 'erase'"
        " AND e.path = '@' || chat.scope_id)",
        own="",
        file="'@' || scope_id",
    ),
}


def merged(tx: Tx, chats: Merged) -> None:
    """Files of a chat are those of the chat it became: they are moved there. What was kept of them is not."""
    changes.adopt(tx, chats.source, chats.scope_id, new_token())


def expire(tx: Tx, night: Night, limit: int) -> int:
    """Let go of what was replaced or deleted too long ago, then of what changed long ago; the sweep deletes it."""
    before = night.ago(night.keep.replaced)
    return (
        changes.expire_kept(tx, before, limit)
        or attachments.erase_discarded(tx, before, limit)
        or changes.expire(tx, night.ago(night.keep.todos), limit)
    )


KEEPS = Keeps(erasers=ERASERS, expires={"files that were replaced": expire}, merged=merged)

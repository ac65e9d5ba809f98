"""Lines of the transcript are in the text index from the transaction that writes them on."""

from __future__ import annotations

from collections.abc import Sequence

from core.kernel.ports import Row, Tx
from core.store.text_index import index
from core.store.text_index.index import Document

MESSAGE = "message"
# What is read of a line; whoever writes lines returns it, with `indexed = 1`.
COLUMNS = "id, tenant_id, scope_id, lane_id, person_id, role, speaker, text, aside, created_at"
# What a line of the transcript is beside what was said in the open: to others, between one person and the bot, or a
# word of ours about ourselves, which no model needs.
OVERHEARD, WHISPERED, NOTICE = 1, 2, 3


def keep(tx: Tx, lines: Sequence[Row]) -> None:
    """Put lines of the transcript into the index, or what has become of them.

    Events and notices are not in it.
    """
    index.add(
        tx,
        [
            Document(
                tenant_id=line["tenant_id"],
                scope_id=line["scope_id"],
                kind=MESSAGE,
                owner_id=line["id"],
                text=line["text"],
                at=line["created_at"],
                speaker=line["speaker"],
                session_id=line["lane_id"],
                position=line["id"],
                person_id=line["person_id"],
                whispered=line["aside"] == WHISPERED,
            )
            for line in lines
            if line["role"] != "event" and line["aside"] != NOTICE
        ],
    )


def catch_up(tx: Tx, limit: int) -> int:
    """Put up to `limit` lines that are not looked at yet, as those of a former version, into the index; the newest
    first. Return how many."""
    lines = tx.all(
        "UPDATE message SET indexed = 1 WHERE indexed = 0 AND id IN"
        f" (SELECT id FROM message WHERE indexed = 0 ORDER BY id DESC LIMIT :limit) RETURNING {COLUMNS}",
        {"limit": limit},
    )
    keep(tx, lines)
    return len(lines)

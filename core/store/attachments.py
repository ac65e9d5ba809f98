"""What came with messages: new → kept | failed → erased."""

from __future__ import annotations

from collections.abc import Sequence

from core.ports import Tx
from core.types import Attachment, LaneKey, Millis


def insert(tx: Tx, lane: LaneKey, inbox_id: int, attachments: Sequence[Attachment], now: Millis) -> None:
    """Note the attachments of a message, in the order they came."""
    for one in attachments:
        tx.run(
            "INSERT INTO attachment (tenant_id, scope_id, lane_id, inbox_id, state, kind, file, name, mime, size,"
            " seconds, created_at) VALUES (:tenant_id, :scope_id, :lane_id, :inbox_id, 'new', :kind, :file, :name,"
            " :mime, :size, :seconds, :now)",
            {
                **lane.params(),
                "inbox_id": inbox_id,
                "kind": one.kind,
                "file": one.file,
                "name": one.name,
                "mime": one.mime,
                "size": one.size,
                "seconds": one.seconds,
                "now": now,
            },
        )

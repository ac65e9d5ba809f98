"""What came with messages: new → kept | failed → erased."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from enum import StrEnum

from core.kernel.ports import Row, Tx
from core.kernel.types import OWN_SOUNDS, Attachment, LaneKey, Message, Millis, Received, Spoken
from core.store.conversation.attachment_text import is_document

_OWN_SOUNDS = ", ".join(f"'{kind}'" for kind in sorted(OWN_SOUNDS))


class AttachmentState(StrEnum):
    """What has become of a file that came with a message."""

    # It is not fetched yet.
    NEW = "new"
    # It is stored.
    KEPT = "kept"
    # It could not be fetched.
    FAILED = "failed"
    # It was stored, and is deleted.
    ERASED = "erased"


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


def bring(tx: Tx, lane: LaneKey, run_id: int, messages: Sequence[Message]) -> list[Message]:
    """Return the messages a run has taken together with what came with them."""
    rows = tx.all(
        "SELECT id, inbox_id, state, kind, file, name, mime, size, seconds, path, error FROM attachment"
        " WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND inbox_id IN (SELECT id FROM inbox"
        " WHERE lane_id = :lane_id AND tenant_id = :tenant_id AND ended_at IS NULL AND run_id = :run_id"
        " AND state = 'taken') ORDER BY id",
        {"run_id": run_id, **lane.params()},
    )
    if not rows:
        return list(messages)
    return [
        replace(message, attachments=tuple(_received(row) for row in rows if row["inbox_id"] == message.inbox_id))
        for message in messages
    ]


def find(tx: Tx, lane: LaneKey, attachment_id: int) -> Received | None:
    """Return a kept attachment of the lane's scope by its number; one of another scope is as one that never was."""
    return next(iter(_kept(tx, lane, "id = :id", id=attachment_id)), None)


def of_message(tx: Tx, lane: LaneKey, platform_id: str) -> list[Received]:
    """Return what was kept of a message of this chat, by the platform's id of it."""
    of = "inbox_id IN (SELECT id FROM inbox WHERE platform_id = :platform_id AND lane_id = :lane_id)"
    return _kept(tx, lane, of, platform_id=platform_id) if platform_id else []


def came_with(tx: Tx, lane: LaneKey, inbox_id: int) -> list[tuple[str, str]]:
    """Return kind and name of each file that came with a message, whatever became of it; some have no name."""
    rows = tx.all(
        "SELECT kind, name FROM attachment WHERE tenant_id = :tenant_id AND scope_id = :scope_id"
        " AND inbox_id = :inbox_id ORDER BY id",
        {**lane.params(), "inbox_id": inbox_id},
    )
    return [(row["kind"], row["name"]) for row in rows]


def replied(tx: Tx, lane: LaneKey, messages: Sequence[Message]) -> list[Message]:
    """Return messages with the documents of those that they reply to: they are probably about these."""
    return [
        replace(message, replied=tuple(one for one in of_message(tx, lane, message.reply_to) if is_document(one)))
        for message in messages
    ]


def _kept(tx: Tx, lane: LaneKey, where: str, **params: object) -> list[Received]:
    rows = tx.all(
        "SELECT id, inbox_id, state, kind, file, name, mime, size, seconds, path, error FROM attachment"
        " WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND state = 'kept' AND discarded_at IS NULL"
        f" AND {where} ORDER BY id",
        {**lane.params(), **params},
    )
    return [_received(row) for row in rows]


def _received(row: Row) -> Received:
    sent = Attachment(
        kind=row["kind"],
        file=row["file"],
        name=row["name"],
        mime=row["mime"],
        size=row["size"],
        seconds=row["seconds"],
    )
    return Received(attachment_id=row["id"], sent=sent, state=row["state"], path=row["path"], problem=row["error"])


def used(tx: Tx, lane: LaneKey) -> int:
    """Return how many bytes the files of a scope take."""
    row = tx.one(
        "SELECT COALESCE(sum(size), 0) AS n FROM attachment WHERE scope_id = :scope_id AND tenant_id = :tenant_id"
        " AND state = 'kept' AND discarded_at IS NULL",
        lane.params(),
    )
    return 0 if row is None else int(row["n"])


def discard(tx: Tx, lane: LaneKey, attachment_id: int, now: Millis | None) -> bool:
    """Delete a kept file of a scope so that it can be brought back, or (`now` is None) bring it back; False when it is
    not there, or was that before."""
    return bool(
        tx.run(
            "UPDATE attachment SET discarded_at = :now WHERE id = :id AND tenant_id = :tenant_id"
            " AND scope_id = :scope_id AND state = 'kept'"
            f" AND discarded_at IS {'NULL' if now is not None else 'NOT NULL'}",
            {**lane.params(), "id": attachment_id, "now": now},
        )
    )


def erase_discarded(tx: Tx, before: Millis, limit: int) -> int:
    """Erase what was deleted before an instant; nothing names its files any more, so that they go by the sweep."""
    due = "state = 'kept' AND discarded_at < :before"
    return tx.run(
        "UPDATE attachment SET state = 'erased', path = '', name = '', file = '' WHERE"
        f" {due} AND id IN (SELECT id FROM attachment WHERE {due} ORDER BY id LIMIT :limit)",
        {"before": before, "limit": limit},
    )


def settle(tx: Tx, lane: LaneKey, found: Sequence[Received], most_bytes: int) -> list[Received]:
    """Note what became of new attachments, and return them as they are now.

    A file that would bring its scope above `most_bytes` is not kept; a row that was erased meanwhile stays so.
    """
    tx.lock(("scope", lane.scope_id))
    taken, settled = used(tx, lane), []
    for one in found:
        fits = one.state != AttachmentState.KEPT or taken + one.sent.size <= most_bytes
        now = one if fits else replace(one, state="failed", path="", problem="over_quota")
        if not _settle(tx, lane, now):
            now = replace(now, state="erased", path="", problem="gone")
        taken += now.sent.size if now.state == AttachmentState.KEPT else 0
        settled.append(now)
    return settled


def _settle(tx: Tx, lane: LaneKey, one: Received) -> bool:
    changed = tx.run(
        "UPDATE attachment SET state = :state, size = :size, path = :path, error = :problem WHERE id = :id"
        " AND tenant_id = :tenant_id AND scope_id = :scope_id AND state = 'new'",
        {
            "state": one.state,
            "size": one.sent.size,
            "path": one.path,
            "problem": one.problem,
            "id": one.attachment_id,
            **lane.params(),
        },
    )
    return bool(changed)


def give_up(tx: Tx, lane: LaneKey, run_id: int) -> int:
    """Settle what a run that ends has not fetched of the messages it answers; returns how many that were."""
    return tx.run(
        "UPDATE attachment SET state = 'failed', error = 'unfetched' WHERE tenant_id = :tenant_id"
        " AND scope_id = :scope_id AND state = 'new' AND inbox_id IN (SELECT id FROM inbox"
        " WHERE lane_id = :lane_id AND tenant_id = :tenant_id AND ended_at IS NULL AND run_id = :run_id"
        " AND state = 'taken')",
        {"run_id": run_id, **lane.params()},
    )


def strays(tx: Tx, lane: LaneKey, paths: Collection[str]) -> list[str]:
    """Return which files of the folder of a scope are of nothing that is kept there or being fetched.

    A path says which attachment it was made for: `<scope>/<attachment>-<name>`, or `.part` while it is written.
    """
    fetching = {
        row["id"]
        for row in tx.all(
            "SELECT id FROM attachment WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND state = 'new'",
            lane.params(),
        )
    }
    made_for = {path: re.match(r"\d+/(\d+)", path) for path in unknown(tx, paths)}
    return [path for path, found in made_for.items() if found is None or int(found[1]) not in fetching]


def unknown(tx: Tx, paths: Collection[str]) -> list[str]:
    """Return which of some paths no row names, of what came or of what is sent. A path begins with the id of the scope
    it was kept for."""
    scopes = {int(path.partition("/")[0]) for path in paths}
    known = {
        row["path"]
        for scope_id in scopes
        for row in tx.all(
            "SELECT path FROM attachment WHERE scope_id = :scope_id AND state = 'kept'"
            " UNION ALL SELECT file AS path FROM outbox WHERE scope_id = :scope_id AND file <> ''",
            {"scope_id": scope_id},
        )
    }
    # A row of any scope may name it: the chat it came to may have gone over to another scope.
    named = (
        "SELECT 1 AS found FROM attachment WHERE path = :path AND state = 'kept'"
        " UNION ALL SELECT 1 AS found FROM outbox WHERE file = :path AND file <> '' LIMIT 1"
    )
    return [path for path in paths if path not in known and tx.one(named, {"path": path}) is None]


def unheard(tx: Tx, lane: LaneKey, person_id: int) -> Millis | None:
    """Return when somebody recorded the newest voice note of a lane that is still to be listened to; None for none."""
    row = tx.one(
        "SELECT max(i.sent_at) AS at FROM inbox i WHERE i.lane_id = :lane_id AND i.tenant_id = :tenant_id"
        f" AND i.ended_at IS NULL AND i.person_id = :person_id AND i.spoken = {Spoken.UNHEARD.value}"
        " AND i.forwarded = 0 AND EXISTS (SELECT 1 FROM attachment a WHERE a.inbox_id = i.id"
        f" AND a.kind IN ({_OWN_SOUNDS}))",
        {"person_id": person_id, **lane.params()},
    )
    return None if row is None else row["at"]

"""What stands in documents that people sent, in passages that are found by their words.

A passage is shown only as long as its file is kept and the message that brought it is there, to whoever sees that
message. It is erased with its file's row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from core.kernel.ports import Row, Tx
from core.kernel.types import Attachment, LaneKey, Millis, Received
from core.store.conversation.asides import WHISPERED
from core.store.conversation.attachment_text import is_document
from core.store.people.optouts import HEARD
from core.store.text_index import index
from core.store.text_index.index import Document

PASSAGE = "passage"
# Of so many files it is looked at once whether they are documents.
_LOOKED_AT = 50
# So many passages are committed at once: others write meanwhile.
AT_ONCE = 20
# What people read is found, as well as documents; programs, logs and exports are not.
_TEXTS = frozenset({".txt", ".md", ".csv", ".tsv", ".html", ".htm", ".ics"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Unindexed:
    """A document that is to be put into the index: who sent it, and when. What is `whispered` nobody else finds."""

    file: Received
    person_id: int
    at: Millis
    whispered: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """Some sentences of a document, and the page or the like that they stand on."""

    unit: str
    part: int
    text: str


def unindexed(tx: Tx) -> tuple[list[int], Unindexed | None]:
    """Return the numbers of files that nothing is to be done with, and the next document that is to be put into the
    index; the newest first. Its message is in the transcript by then."""
    rows = tx.all(
        "SELECT a.id, a.kind, a.name, a.mime, a.size, a.path, m.person_id, m.created_at, m.aside FROM attachment a"
        " LEFT JOIN message m ON m.tenant_id = a.tenant_id AND m.scope_id = a.scope_id AND m.inbox_id = a.inbox_id"
        " WHERE a.state = 'kept' AND a.indexed = 0 AND NOT EXISTS (SELECT 1 FROM inbox i WHERE i.id = a.inbox_id"
        " AND i.ended_at IS NULL) ORDER BY a.id DESC LIMIT :limit",
        {"limit": _LOOKED_AT},
    )
    passed: list[int] = []
    for row in rows:
        sent = Attachment(kind=row["kind"], file="", name=row["name"], mime=row["mime"], size=row["size"])
        file = Received(attachment_id=row["id"], sent=sent, state="kept", path=row["path"])
        if row["person_id"] is None or not (is_document(file) or PurePosixPath(sent.name).suffix.lower() in _TEXTS):
            passed.append(row["id"])
            continue
        return passed, Unindexed(
            file=file,
            person_id=row["person_id"],
            at=row["created_at"],
            whispered=row["aside"] == WHISPERED,
        )
    return passed, None


def add_passages(tx: Tx, document: Unindexed, passages: Sequence[Passage]) -> bool:
    """Put the next few passages of a document into the index, those after what is there of it; False when all are
    there, or its file is gone meanwhile: then there is nothing more to be done with it."""
    file_id = document.file.attachment_id
    there = tx.one(
        "SELECT a.tenant_id, a.scope_id, (SELECT count(*) FROM passage p WHERE p.attachment_id = a.id) AS n"
        " FROM attachment a WHERE a.id = :id AND a.state = 'kept'",
        {"id": file_id},
    )
    following = [] if there is None else passages[there["n"] : there["n"] + AT_ONCE]
    if there is None or not following:
        settle_files(tx, [file_id])
        return False
    rows = tx.many(
        "INSERT INTO passage (tenant_id, scope_id, attachment_id, position, unit, part, text) VALUES :rows"
        " RETURNING id, position, text",
        [
            (there["tenant_id"], there["scope_id"], file_id, there["n"] + n, one.unit, one.part, one.text)
            for n, one in enumerate(following)
        ],
    )
    index.add(
        tx,
        [
            Document(
                tenant_id=there["tenant_id"],
                scope_id=there["scope_id"],
                kind=PASSAGE,
                owner_id=one["id"],
                text=one["text"],
                at=document.at,
                session_id=file_id,
                position=one["position"],
                person_id=document.person_id,
                whispered=document.whispered,
            )
            for one in rows
        ],
    )
    return True


def settle_files(tx: Tx, file_ids: Sequence[int]) -> None:
    """There is nothing more to be done with files."""
    for file_id in file_ids:
        tx.run("UPDATE attachment SET indexed = 1 WHERE id = :id", {"id": file_id})


def by_numbers(tx: Tx, lane: LaneKey, numbers: Sequence[int]) -> list[Row]:
    """Return passages of a scope by their numbers, each with its file and the message that brought it; none of what is
    deleted or hidden, nor of who wants to be left alone."""
    return tx.many(
        "SELECT p.id, p.attachment_id, p.unit, p.part, p.text, a.name, message.created_at, message.speaker,"
        " message.person_id, message.aside, t.external_id AS tenant, c.external_id AS chat, l.thread, i.platform_id"
        " FROM (VALUES :rows) AS v JOIN passage p ON p.id = v.column1 AND p.tenant_id = v.column2"
        " AND p.scope_id = v.column3 JOIN attachment a ON a.id = p.attachment_id AND a.state = 'kept'"
        " AND a.discarded_at IS NULL JOIN message ON message.tenant_id = a.tenant_id"
        " AND message.scope_id = a.scope_id AND message.inbox_id = a.inbox_id AND message.forgotten_with IS NULL"
        " JOIN lane l ON l.id = message.lane_id JOIN chat c ON c.id = l.chat_id"
        f" JOIN tenant t ON t.id = p.tenant_id LEFT JOIN inbox i ON i.id = a.inbox_id WHERE {HEARD}",
        [(number, lane.tenant_id, lane.scope_id) for number in numbers],
    )


def erase_gone(tx: Tx, limit: int) -> int:
    """Erase the passages of some files that are gone; return how many passages that was."""
    rows = tx.all(
        "SELECT a.id FROM attachment a WHERE a.state = 'erased' AND EXISTS"
        " (SELECT 1 FROM passage p WHERE p.attachment_id = a.id) LIMIT :limit",
        {"limit": limit},
    )
    return sum(tx.run("DELETE FROM passage WHERE attachment_id = :id", {"id": row["id"]}) for row in rows)

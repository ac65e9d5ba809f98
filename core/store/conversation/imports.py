"""Lines of other conversations that somebody brought along in a file, in jobs that are staging → done.

Such a line is history of the scope. It is no line of the transcript: no model goes on from it, nothing answers it, and
it is never a command. Until its job is done it is not shown.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.kernel.ports import Row, Tx
from core.kernel.types import LaneKey, Millis
from core.store.people.people import inserted
from core.store.text_index import index
from core.store.text_index.index import Document

IMPORTED = "imported"
# A document knows its session by a number. Those of imported lines begin here, so they are no lane's.
_SESSIONS = 1 << 62


class ImportState(StrEnum):
    """How far a file has been taken in."""

    # Its lines are being stored, and are not shown yet.
    STAGING = "staging"
    # All of it is there.
    DONE = "done"


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedLine:
    """A line as its source has it; `session` names the conversation that it is of, `position` its place there."""

    source: str
    session: str
    title: str
    position: int
    role: str
    speaker: str
    text: str
    said_at: Millis

    @property
    def digest(self) -> str:
        """Return what tells it from every other line of a scope."""
        # In an export of ours a session is called after its first line, and otherwise once that is gone.
        place = ("", "") if self.source == "teller" else (self.session, str(self.position))
        whole = "\0".join((self.source, *place, self.role, str(self.said_at), self.text))
        return hashlib.sha256(whole.encode("utf-8", "replace")).hexdigest()


def begin(tx: Tx, lane: LaneKey, person_id: int, digest: str, now: Millis, run_id: int | None) -> int:
    """Open the job of a file, or take it up again: a file has one in a scope."""
    return inserted(
        tx.one(
            "INSERT INTO import_job (tenant_id, scope_id, person_id, run_id, digest, state, created_at)"
            " VALUES (:tenant_id, :scope_id, :person_id, :run_id, :digest, 'staging', :now)"
            " ON CONFLICT (scope_id, digest) DO UPDATE SET run_id = excluded.run_id, created_at = excluded.created_at"
            " RETURNING id",
            {**lane.params(), "person_id": person_id, "run_id": run_id, "digest": digest, "now": now},
        )
    )


def finish(tx: Tx, lane: LaneKey, import_id: int, now: Millis) -> bool:
    """End the job of a file whose lines are all stored: they are shown from now on. False when they were already."""
    ended = tx.run(
        "UPDATE import_job SET state = 'done', ended_at = :now WHERE id = :id AND scope_id = :scope_id"
        " AND state = 'staging'",
        {"id": import_id, "now": now, **lane.params()},
    )
    return bool(ended)


def add(tx: Tx, lane: LaneKey, person_id: int, import_id: int, lines: Sequence[ImportedLine]) -> int:
    """Store lines that are not there yet, and put them into the text index; return how many."""
    rows = tx.many(
        "INSERT INTO imported_line (tenant_id, scope_id, person_id, import_id, source, session, title, position, role,"
        " speaker, text, said_at, digest) VALUES :rows ON CONFLICT (scope_id, digest) DO NOTHING"
        " RETURNING id, session, position, speaker, text, said_at",
        [
            (
                lane.tenant_id,
                lane.scope_id,
                person_id,
                import_id,
                line.source,
                line.session,
                line.title,
                line.position,
                line.role,
                line.speaker,
                line.text,
                line.said_at,
                line.digest,
            )
            for line in lines
        ],
    )
    sessions = {}
    for session in {line.session for line in lines}:
        named = f"{lane.scope_id}:{session}".encode("utf-8", "replace")
        sessions[session] = _SESSIONS + int.from_bytes(hashlib.sha256(named).digest()[:7], "big")
    index.add(
        tx,
        [
            Document(
                tenant_id=lane.tenant_id,
                scope_id=lane.scope_id,
                kind=IMPORTED,
                owner_id=row["id"],
                text=row["text"],
                at=row["said_at"],
                speaker=row["speaker"],
                session_id=sessions[row["session"]],
                position=row["position"],
                person_id=person_id,
            )
            for row in rows
        ],
    )
    return len(rows)


def of_scope(tx: Tx, lane: LaneKey, *, after: int = 0, limit: int = 1_000) -> list[Row]:
    """Return the lines of a scope whose jobs are done and whose numbers come after one, in the order of these."""
    return tx.all(
        "SELECT i.id, i.source, i.session, i.title, i.position, i.role, i.speaker, i.text, i.said_at"
        " FROM imported_line i JOIN import_job j ON j.id = i.import_id WHERE i.tenant_id = :tenant_id"
        " AND i.scope_id = :scope_id AND j.state = 'done' AND i.id > :after ORDER BY i.id LIMIT :limit",
        {**lane.params(), "after": after, "limit": limit},
    )


def by_numbers(tx: Tx, lane: LaneKey, numbers: Sequence[int]) -> list[Row]:
    """Return the lines of a scope with these numbers whose jobs are done."""
    return tx.many(
        "SELECT i.id, i.source, i.session, i.role, i.speaker, i.text, i.said_at, i.person_id FROM (VALUES :rows) AS v"
        " JOIN imported_line i ON i.id = v.column1 AND i.tenant_id = v.column2 AND i.scope_id = v.column3"
        " JOIN import_job j ON j.id = i.import_id AND j.state = 'done'",
        [(number, lane.tenant_id, lane.scope_id) for number in numbers],
    )


def count(tx: Tx, lane: LaneKey) -> int:
    """Return how many lines of other conversations a scope has."""
    row = tx.one("SELECT count(*) AS n FROM imported_line WHERE scope_id = :scope_id", lane.params())
    return 0 if row is None else int(row["n"])


def count_known(tx: Tx, lane: LaneKey, lines: Sequence[ImportedLine]) -> int:
    """Return how many of these lines a scope has already."""
    rows = tx.many(
        "SELECT count(*) AS n FROM (VALUES :rows) AS v JOIN imported_line i ON i.scope_id = v.column1"
        " AND i.digest = v.column2",
        [(lane.scope_id, line.digest) for line in lines],
    )
    return sum(int(row["n"]) for row in rows)


def count_of(tx: Tx, lane: LaneKey, import_id: int) -> int:
    """Return how many lines a job has brought to a scope."""
    params = {**lane.params(), "id": import_id}
    row = tx.one("SELECT count(*) AS n FROM imported_line WHERE scope_id = :scope_id AND import_id = :id", params)
    return 0 if row is None else int(row["n"])


def erase_stale(tx: Tx, before: Millis, limit: int) -> int:
    """Erase up to so many lines of jobs that were begun before an instant, are not done, and on which no run works;
    then the jobs. Return how many rows went."""
    stale = (
        "SELECT j.id FROM import_job j WHERE j.state = 'staging' AND j.created_at < :before AND NOT EXISTS"
        " (SELECT 1 FROM run r WHERE r.id = j.run_id AND r.ended_at IS NULL)"
    )
    params = {"before": before, "limit": limit}
    rows = tx.all(f"SELECT id FROM imported_line WHERE import_id IN ({stale}) ORDER BY id LIMIT :limit", params)
    index.remove(tx, IMPORTED, [row["id"] for row in rows])
    for row in rows:
        tx.run("DELETE FROM imported_line WHERE id = :id", {"id": row["id"]})
    if rows:
        return len(rows)
    return tx.run(f"DELETE FROM import_job WHERE id IN ({stale})", {"before": before})

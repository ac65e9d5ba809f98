"""SQL of the addresses at which phones read what waits, and of the to-dos that they read."""

from __future__ import annotations

from collections.abc import Sequence

from core.capabilities.calendars.models import Feed
from core.kernel.ports import Row, Tx
from core.kernel.types import LaneKey, Millis

_COLUMNS = "f.id, f.tenant_id, f.scope_id, f.chat_id, f.lane_id, f.person_id, f.read_at, f.created_at"
_OF_PERSON = "tenant_id = :tenant_id AND scope_id = :scope_id AND person_id = :person_id"


def insert(tx: Tx, lane: LaneKey, person_id: int, digest: str, now: Millis) -> None:
    """Make an address, known by its digest."""
    tx.run(
        "INSERT INTO calendar_feed (tenant_id, scope_id, chat_id, lane_id, person_id, digest, created_at)"
        " VALUES (:tenant_id, :scope_id, :chat_id, :lane_id, :person_id, :digest, :now)",
        {**lane.params(), "person_id": person_id, "digest": digest, "now": now},
    )


def of_person(tx: Tx, lane: LaneKey, person_id: int) -> Feed | None:
    """Return the address that somebody has in the lane's scope, the newest one."""
    row = tx.one(
        f"SELECT {_COLUMNS} FROM calendar_feed f WHERE {_OF_PERSON} ORDER BY f.id DESC LIMIT 1",
        {**lane.params(), "person_id": person_id},
    )
    return None if row is None else _feed(row)


def remove(tx: Tx, tenant_id: int, scope_id: int, person_id: int) -> bool:
    """Delete what somebody has of them in a scope; False when that is nothing."""
    params = {"tenant_id": tenant_id, "scope_id": scope_id, "person_id": person_id}
    return bool(tx.run(f"DELETE FROM calendar_feed WHERE {_OF_PERSON}", params))


def by_digest(tx: Tx, digest: str) -> Feed | None:
    """Return what has the address with this digest, in any tenant whose workspace, and any chat that, still has the
    bot."""
    row = tx.one(
        f"SELECT {_COLUMNS} FROM calendar_feed f JOIN tenant t ON t.id = f.tenant_id AND t.ended_at IS NULL"
        " JOIN chat c ON c.id = f.chat_id AND c.state <> 'gone' WHERE f.digest = :digest",
        {"digest": digest},
    )
    return None if row is None else _feed(row)


def digests(tx: Tx) -> frozenset[str]:
    """Return the digests of all addresses."""
    return frozenset(row["digest"] for row in tx.all("SELECT digest FROM calendar_feed"))


def note_read(tx: Tx, feed: Feed, now: Millis) -> None:
    """Note when a feed was last read."""
    tx.run("UPDATE calendar_feed SET read_at = :now WHERE id = :id", {"id": feed.feed_id, "now": now})


def due_todos(tx: Tx, lane: LaneKey, most: int) -> Sequence[Row]:
    """Return the open to-dos of the lane's scope that are due some time, the oldest first: id, content, due_on, due_at,
    trigger_id and created_at."""
    return tx.all(
        "SELECT t.id, t.content, t.due_on, t.due_at, t.trigger_id, t.created_at FROM todo t WHERE t.scope_id ="
        " :scope_id AND t.tenant_id = :tenant_id AND t.state = 'open' AND (t.due_at IS NOT NULL OR t.due_on <> '')"
        " ORDER BY t.id LIMIT :most",
        {**lane.params(), "most": most},
    )


def _feed(row: Row) -> Feed:
    return Feed(
        feed_id=row["id"],
        lane=LaneKey.of(row),
        person_id=row["person_id"],
        read_at=row["read_at"],
        created_at=row["created_at"],
    )

"""What people sent, as files in the folder `inbox` of the cache: each under its own name (TOOLS: Files).

Of several that are called the same the newest has the name alone, and every one is found by its number before it,
`17-report.pdf`. They lie where they were kept when they came (core.store.files); here they are only named.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.capabilities.files.folders import Found
from core.capabilities.files.paths import CACHE, INBOX, Place
from core.kernel.ports import Row, Tx
from core.kernel.types import OWN_SOUNDS, LaneKey, Millis

FOLDER = Place(CACHE, INBOX)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """A file that came: its number, where it lies, what it is called there, and who sent it when."""

    attachment_id: int
    stored: str
    mime: str
    size: int
    at: Millis

    @property
    def name(self) -> str:
        """Its own name, made harmless when it came."""
        return self.stored.rpartition("/")[2].partition("-")[2]

    @property
    def path(self) -> str:
        """Return the path that names this one, whatever else is called so."""
        return f"{FOLDER}/{self.attachment_id}-{self.name}"

    def found(self, name: str) -> Found:
        """Return it as what a look at the disk would find under a name."""
        place = Place(CACHE, f"{INBOX}/{name}")
        return Found(place=place, size=self.size, mtime_ns=self.at * 1_000_000, inode=self.attachment_id)


def numbered(found: Found) -> Place:
    """Return the place by which a file is found that was shown, also when another one came since that is called so."""
    if not found.place.sent or found.place.name.startswith(f"{found.inode}-"):
        return found.place
    return FOLDER.below(f"{found.inode}-{found.place.name}")


def load(tx: Tx, lane: LaneKey) -> list[Sent]:
    """Return what was sent in the scope and is kept, oldest first."""
    rows = tx.all(
        "SELECT id, path, mime, size, created_at FROM attachment WHERE tenant_id = :tenant_id"
        " AND scope_id = :scope_id AND state = 'kept' AND discarded_at IS NULL AND path <> '' ORDER BY id",
        lane.params(),
    )
    return [_sent(row) for row in rows]


def deleted(tx: Tx, lane: LaneKey, limit: int) -> list[tuple[Sent, Millis]]:
    """Return what was sent in the scope and deleted, and can be brought back, each with its time, the last first."""
    rows = tx.all(
        "SELECT id, path, mime, size, created_at, discarded_at FROM attachment WHERE tenant_id = :tenant_id"
        " AND scope_id = :scope_id AND state = 'kept' AND discarded_at IS NOT NULL AND path <> ''"
        " ORDER BY discarded_at DESC, id DESC LIMIT :limit",
        {**lane.params(), "limit": limit},
    )
    return [(_sent(row), row["discarded_at"]) for row in rows]


def brought(tx: Tx, inbox_id: int) -> bool:
    """Return whether a file came with a message itself; a voice note is its words."""
    rows = tx.all("SELECT kind FROM attachment WHERE inbox_id = :inbox_id", {"inbox_id": inbox_id})
    return any(row["kind"] not in OWN_SOUNDS for row in rows)


def just_before(tx: Tx, lane: LaneKey, inbox_id: int, person_id: int, since: Millis) -> tuple[list[Sent], int | None]:
    """Return what came with all that was answered at once just before a message, since an instant, and is kept; and
    the number of the keyboard where that was no message, but a press of the same person."""
    last = tx.one(
        "SELECT run_id, pressed, person_id FROM inbox WHERE tenant_id = :tenant_id AND lane_id = :lane_id AND id < :id"
        " AND sent_at >= :since ORDER BY id DESC LIMIT 1",
        {**lane.params(), "id": inbox_id, "since": since},
    )
    if last is None:
        return [], None
    rows = tx.all(
        "SELECT a.id FROM attachment a JOIN inbox i ON i.id = a.inbox_id WHERE i.tenant_id = :tenant_id"
        " AND i.lane_id = :lane_id AND i.run_id = :run_id",
        {**lane.params(), "run_id": last["run_id"]},
    )
    came = {row["id"] for row in rows}
    pressed = last["pressed"] if last["person_id"] == person_id else None
    return [one for one in load(tx, lane) if one.attachment_id in came], pressed


def _sent(row: Row) -> Sent:
    return Sent(attachment_id=row["id"], stored=row["path"], mime=row["mime"], size=row["size"], at=row["created_at"])


def sender(tx: Tx, lane: LaneKey, attachment_id: int) -> int | None:
    """Return who sent a file; None where that is not known any more."""
    row = tx.one(
        "SELECT COALESCE(i.person_id, (SELECT m.person_id FROM message m WHERE m.inbox_id = a.inbox_id"
        " AND m.person_id IS NOT NULL LIMIT 1)) AS person_id FROM attachment a LEFT JOIN inbox i ON i.id = a.inbox_id"
        " WHERE a.id = :id AND a.tenant_id = :tenant_id AND a.scope_id = :scope_id",
        {**lane.params(), "id": attachment_id},
    )
    return None if row is None else row["person_id"]


def named(sent: Sequence[Sent]) -> dict[str, Sent]:
    """Return each file by the name under which it is shown."""
    return {(one.name if find(sent, one.name) is one else f"{one.attachment_id}-{one.name}"): one for one in sent}


def find(sent: Sequence[Sent], name: str) -> Sent | None:
    """Return the file of a name: that of a number with this name, else the newest that is called so."""
    by_number = (one for one in sent if name == f"{one.attachment_id}-{one.name}")
    by_name = (one for one in reversed(sent) if name == one.name)
    return next(by_number, None) or next(by_name, None)

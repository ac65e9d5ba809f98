"""Groups where something is somebody's, as their private chat may show it.

Whether they are still in them only the platform knows: ask before anything of it is shown.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from core.kernel.ports import Row, Tx
from core.kernel.types import Destination, Millis


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A group where somebody has something to do; `title` is its own."""

    scope_id: int
    title: str
    place: Destination


# The scopes in which something is somebody's.
_THEIRS = (
    "SELECT scope_id FROM todo WHERE person_id = :person_id AND state = 'open'"
    " UNION SELECT d.scope_id FROM contact k JOIN assignee a ON a.contact_id = k.id"
    " JOIN todo d ON d.id = a.todo_id WHERE k.person_id = :person_id AND d.state = 'open'"
    " UNION SELECT scope_id FROM trigger WHERE person_id = :person_id AND ended_at IS NULL"
    " UNION SELECT scope_id FROM task WHERE person_id = :person_id AND ended_at IS NULL"
    " UNION SELECT r.scope_id FROM contact k JOIN addressee a ON a.contact_id = k.id"
    " JOIN trigger r ON r.id = a.trigger_id WHERE k.person_id = :person_id AND r.ended_at IS NULL"
)
# Those in which they are known, with a calendar or something scheduled for everybody.
_SHOWING = (
    "SELECT k.scope_id FROM contact k WHERE k.person_id = :person_id AND k.left_at IS NULL AND (EXISTS"
    " (SELECT 1 FROM calendar l WHERE l.scope_id = k.scope_id AND l.removed_at IS NULL) OR EXISTS"
    " (SELECT 1 FROM trigger r WHERE r.scope_id = k.scope_id AND r.everybody = 1 AND r.ended_at IS NULL))"
)


def of_person(tx: Tx, tenant_id: int, person_id: int, limit: int) -> list[Group]:
    """Return the groups the bot works in where somebody noted something that is open, has it to do, or has something
    under way, and then those in which they are known, with a calendar or something scheduled for everybody."""
    rows = tx.all(
        "SELECT c.scope_id, c.title, c.external_id AS chat, t.external_id AS tenant FROM chat c"
        f" JOIN tenant t ON t.id = c.tenant_id LEFT JOIN ({_THEIRS}) AS theirs ON theirs.scope_id = c.scope_id"
        " WHERE c.tenant_id = :tenant_id AND c.kind = 'group' AND c.state = 'allowed'"
        f" AND (theirs.scope_id IS NOT NULL OR c.scope_id IN ({_SHOWING}))"
        " ORDER BY CASE WHEN theirs.scope_id IS NULL THEN 1 ELSE 0 END, c.id DESC LIMIT :limit",
        {"tenant_id": tenant_id, "person_id": person_id, "limit": limit},
    )
    return [_group(row) for row in rows]


def with_member(tx: Tx, tenant_id: int, person_id: int) -> list[Group]:
    """Return the groups where somebody is known and which they have not left, whether the bot works there or not."""
    rows = tx.all(
        "SELECT c.scope_id, c.title, c.external_id AS chat, t.external_id AS tenant FROM chat c"
        " JOIN tenant t ON t.id = c.tenant_id JOIN contact k ON k.scope_id = c.scope_id WHERE c.tenant_id = :tenant_id"
        " AND c.kind = 'group' AND k.person_id = :person_id AND k.left_at IS NULL ORDER BY c.id",
        {"tenant_id": tenant_id, "person_id": person_id},
    )
    return [_group(row) for row in rows]


def moved(tx: Tx, tenant_id: int, chat: str, address: str) -> tuple[str, bool | None] | None:
    """Return the platform's id today of a group by a former one, and whether somebody is there, as far as is known: no
    platform says of a former id who is in it."""
    row = tx.one(
        "SELECT c.external_id, k.met, k.left_at FROM chat c"
        " LEFT JOIN address a ON a.tenant_id = c.tenant_id AND a.external_id = :address"
        " LEFT JOIN contact k ON k.scope_id = c.scope_id AND k.person_id = a.person_id"
        " WHERE c.tenant_id = :tenant_id AND c.former_id = :chat AND c.former_id <> ''",
        {"tenant_id": tenant_id, "chat": chat, "address": address},
    )
    if row is None:
        return None
    there = True if row["met"] else None
    return str(row["external_id"]), there if row["left_at"] is None else False


def returned_since(tx: Tx, tenant_id: int, address: str, chat: str, at: Millis) -> bool:
    """Return whether somebody came back to a group after an instant, by their address and the platform's id of the
    group."""
    row = tx.one(
        "SELECT 1 AS found FROM chat c JOIN contact k ON k.scope_id = c.scope_id"
        " JOIN address a ON a.tenant_id = c.tenant_id AND a.person_id = k.person_id WHERE c.tenant_id = :tenant_id"
        " AND c.external_id = :chat AND a.external_id = :address AND k.returned_at > :at",
        {"tenant_id": tenant_id, "chat": chat, "address": address, "at": at},
    )
    return row is not None


def gone_of_person(tx: Tx, tenant_id: int, person_id: int, limit: int) -> list[Group]:
    """Return the groups where something that somebody scheduled, or has under way, rests since the bot is not there any
    more, the newest first."""
    rows = tx.all(
        "SELECT c.scope_id, c.title, c.external_id AS chat, t.external_id AS tenant FROM chat c"
        " JOIN tenant t ON t.id = c.tenant_id WHERE c.tenant_id = :tenant_id AND c.kind = 'group' AND c.state = 'gone'"
        " AND c.scope_id IN (SELECT scope_id FROM trigger WHERE person_id = :person_id AND ended_at IS NULL"
        " UNION SELECT scope_id FROM task WHERE person_id = :person_id AND ended_at IS NULL)"
        " ORDER BY c.id DESC LIMIT :limit",
        {"tenant_id": tenant_id, "person_id": person_id, "limit": limit},
    )
    return [_group(row) for row in rows]


def of_scopes(tx: Tx, tenant_id: int, scopes: Collection[int]) -> list[Group]:
    """Return the groups that the bot works in whose scopes these are."""
    rows = tx.all(
        "SELECT c.scope_id, c.title, c.external_id AS chat, t.external_id AS tenant FROM chat c"
        " JOIN tenant t ON t.id = c.tenant_id WHERE c.tenant_id = :tenant_id AND c.kind = 'group'"
        f" AND c.state = 'allowed' AND c.scope_id IN ({', '.join(str(int(one)) for one in scopes) or 'NULL'})"
        " ORDER BY c.id DESC",
        {"tenant_id": tenant_id},
    )
    return [_group(row) for row in rows]


def of_todo(tx: Tx, tenant_id: int, todo_id: int) -> Group | None:
    """Return the group the bot works in that has this to-do, in any state."""
    row = tx.one(
        "SELECT c.scope_id, c.title, c.external_id AS chat, t.external_id AS tenant FROM todo d"
        " JOIN chat c ON c.scope_id = d.scope_id JOIN tenant t ON t.id = c.tenant_id WHERE d.id = :todo_id"
        " AND c.tenant_id = :tenant_id AND c.kind = 'group' AND c.state = 'allowed' ORDER BY c.id DESC LIMIT 1",
        {"tenant_id": tenant_id, "todo_id": todo_id},
    )
    return None if row is None else _group(row)


def _group(row: Row) -> Group:
    place = Destination(tenant=row["tenant"], chat=row["chat"])
    return Group(scope_id=row["scope_id"], title=row["title"] or row["chat"], place=place)

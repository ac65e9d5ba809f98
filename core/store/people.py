"""Tenants, people and the places they talk in: platform addresses are rows that point to internal ids."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.ports import Row, Serves, Tx
from core.types import Destination, Inbound, LaneKey, Millis, Person, Sender


def inserted(row: Row | None) -> int:
    """The id that an INSERT … RETURNING id gave."""
    assert row is not None
    return int(row["id"])


def tenant(tx: Tx, platform: str, external_id: str, name: str, now: Millis) -> int:
    """Return the id of a tenant, made on first sight, with an empty ledger."""
    params: Mapping[str, Any] = {"platform": platform, "external_id": external_id, "name": name, "now": now}
    tx.run(
        "INSERT INTO tenant (platform, external_id, name, created_at) VALUES (:platform, :external_id, :name, :now)"
        " ON CONFLICT (platform, external_id) DO NOTHING",
        params,
    )
    found = inserted(tx.one("SELECT id FROM tenant WHERE platform = :platform AND external_id = :external_id", params))
    tx.run(
        "INSERT INTO ledger_head (tenant_id, n, mac) VALUES (:tenant_id, 0, '') ON CONFLICT (tenant_id) DO NOTHING",
        {"tenant_id": found},
    )
    return found


def scope(tx: Tx, tenant_id: int, kind: str, now: Millis) -> int:
    """Make a scope (`private` or `group`) and return its id."""
    return inserted(
        tx.one(
            "INSERT INTO scope (tenant_id, kind, created_at) VALUES (:tenant_id, :kind, :now) RETURNING id",
            {"tenant_id": tenant_id, "kind": kind, "now": now},
        )
    )


def find(tx: Tx, tenant_id: int, message: Inbound) -> tuple[int, LaneKey] | None:
    """Person id and lane of a message whose sender and place are known and unchanged: one look for most messages."""
    sender = message.sender
    row = tx.one(
        "SELECT p.id AS person_id, p.name, p.language, l.id, l.scope_id, l.chat_id FROM address a"
        " JOIN person p ON p.id = a.person_id JOIN chat c ON c.tenant_id = a.tenant_id AND c.external_id = :chat"
        " JOIN lane l ON l.tenant_id = a.tenant_id AND l.chat_id = c.id AND l.thread = :thread"
        " WHERE a.tenant_id = :tenant_id AND a.external_id = :address",
        {"tenant_id": tenant_id, "address": sender.address, "chat": message.chat, "thread": message.thread},
    )
    if row is None or (row["name"], row["language"]) != (sender.name, sender.language):
        return None
    return row["person_id"], _lane_key(tenant_id, row)


def _lane_key(tenant_id: int, row: Row) -> LaneKey:
    return LaneKey(tenant_id=tenant_id, scope_id=row["scope_id"], chat_id=row["chat_id"], lane_id=row["id"])


def settle(tx: Tx, tenant_id: int, message: Inbound, now: Millis) -> tuple[int, LaneKey]:
    """Person id and lane of a message; what is new is made, what has changed is noted."""
    person_id, private_scope = meet(tx, tenant_id, message.sender, now)
    return person_id, lane(tx, tenant_id, message, private_scope, now)


def meet(tx: Tx, tenant_id: int, sender: Sender, now: Millis) -> tuple[int, int]:
    """Return (person id, private scope id) of a sender, made on first sight; name and language are kept current."""
    row = tx.one(
        "SELECT p.id, p.scope_id, p.name, p.language FROM address a JOIN person p ON p.id = a.person_id"
        " WHERE a.tenant_id = :tenant_id AND a.external_id = :address",
        {"tenant_id": tenant_id, "address": sender.address},
    )
    if row is None:
        return _introduce(tx, tenant_id, sender, now)
    if (row["name"], row["language"]) != (sender.name, sender.language):
        tx.run(
            "UPDATE person SET name = :name, language = :language WHERE id = :id AND tenant_id = :tenant_id",
            {"name": sender.name, "language": sender.language, "id": row["id"], "tenant_id": tenant_id},
        )
    return row["id"], row["scope_id"]


def _introduce(tx: Tx, tenant_id: int, sender: Sender, now: Millis) -> tuple[int, int]:
    params: dict[str, Any] = {
        "tenant_id": tenant_id,
        "scope_id": scope(tx, tenant_id, "private", now),
        "address": sender.address,
        "name": sender.name,
        "language": sender.language,
        "now": now,
    }
    params["person_id"] = inserted(
        tx.one(
            "INSERT INTO person (tenant_id, scope_id, name, language, created_at)"
            " VALUES (:tenant_id, :scope_id, :name, :language, :now) RETURNING id",
            params,
        )
    )
    tx.run(
        "INSERT INTO address (tenant_id, scope_id, external_id, person_id)"
        " VALUES (:tenant_id, :scope_id, :address, :person_id)",
        params,
    )
    return params["person_id"], params["scope_id"]


_PLACE = "t.platform, t.external_id AS tenant, c.external_id AS chat, l.thread"
_OF_LANE = (
    "lane l JOIN chat c ON c.id = l.chat_id JOIN tenant t ON t.id = l.tenant_id"
    "{more} WHERE l.id = :lane_id AND l.tenant_id = :tenant_id AND l.scope_id = :scope_id"
)
_SEAT = (
    f"SELECT p.id, p.name, p.language, p.timezone, a.external_id AS address, {_PLACE} FROM "
    + _OF_LANE.format(more=" JOIN person p ON p.id = :person_id JOIN address a ON a.person_id = p.id")
    + " AND p.tenant_id = :tenant_id AND a.tenant_id = :tenant_id LIMIT 1"
)


def seat(tx: Tx, lane: LaneKey, person_id: int) -> tuple[Person, str, Destination]:
    """A person of this tenant with one address, and the platform and address of the lane they talk in."""
    row = tx.one(_SEAT, {"person_id": person_id, **lane.params()})
    assert row is not None
    person = Person(
        person_id=row["id"],
        address=row["address"],
        name=row["name"],
        language=row["language"],
        timezone=row["timezone"],
    )
    return person, row["platform"], _destination(row)


def elsewhere(tx: Tx, serves: Serves) -> list[int]:
    """Tenants in this database that this process does not serve."""
    rows = tx.all("SELECT id, platform, external_id FROM tenant ORDER BY id")
    return [row["id"] for row in rows if not serves(row["platform"], row["external_id"])]


def place(tx: Tx, lane: LaneKey) -> tuple[str, Destination]:
    """Platform of a lane, and its address there."""
    row = tx.one(f"SELECT {_PLACE} FROM {_OF_LANE.format(more='')}", lane.params())
    assert row is not None
    return row["platform"], _destination(row)


def _destination(row: Row) -> Destination:
    return Destination(tenant=row["tenant"], chat=row["chat"], thread=row["thread"])


def lane(tx: Tx, tenant_id: int, message: Inbound, private_scope: int, now: Millis) -> LaneKey:
    """Return the lane of a message's chat and thread, made on first sight."""
    place = {"tenant_id": tenant_id, "chat": message.chat, "thread": message.thread}
    row = tx.one(
        "SELECT l.id, l.scope_id, l.chat_id FROM chat c JOIN lane l ON l.chat_id = c.id AND l.thread = :thread"
        " WHERE c.tenant_id = :tenant_id AND c.external_id = :chat",
        place,
    )
    if row is not None:
        return _lane_key(tenant_id, row)
    return _open_lane(tx, tenant_id, message, private_scope, now)


def _open_lane(tx: Tx, tenant_id: int, message: Inbound, private_scope: int, now: Millis) -> LaneKey:
    chat_id, scope_id = _chat(tx, tenant_id, message, private_scope, now)
    params = {"tenant_id": tenant_id, "scope_id": scope_id, "chat_id": chat_id, "thread": message.thread}
    lane_id = inserted(
        tx.one(
            "INSERT INTO lane (tenant_id, scope_id, chat_id, thread)"
            " VALUES (:tenant_id, :scope_id, :chat_id, :thread) RETURNING id",
            params,
        )
    )
    return LaneKey(tenant_id=tenant_id, scope_id=scope_id, chat_id=chat_id, lane_id=lane_id)


def _chat(tx: Tx, tenant_id: int, message: Inbound, private_scope: int, now: Millis) -> tuple[int, int]:
    """Return (chat id, scope id): a private chat belongs to its person's scope, a group to one of its own."""
    row = tx.one(
        "SELECT id, scope_id FROM chat WHERE tenant_id = :tenant_id AND external_id = :chat",
        {"tenant_id": tenant_id, "chat": message.chat},
    )
    if row is not None:
        return row["id"], row["scope_id"]
    private = message.chat_kind == "private"
    params: dict[str, Any] = {
        "tenant_id": tenant_id,
        "scope_id": private_scope if private else scope(tx, tenant_id, "group", now),
        "chat": message.chat,
        "kind": message.chat_kind,
        "now": now,
    }
    made = tx.one(
        "INSERT INTO chat (tenant_id, scope_id, external_id, kind, created_at)"
        " VALUES (:tenant_id, :scope_id, :chat, :kind, :now) RETURNING id",
        params,
    )
    return inserted(made), int(params["scope_id"])


def private_lanes(tx: Tx, tenant_id: int, addresses: list[str]) -> list[LaneKey]:
    """Lanes of the private chats of these addresses, as far as they have talked to the bot."""
    found = []
    for address in addresses:
        row = tx.one(
            "SELECT l.id, l.scope_id, l.chat_id FROM address a"
            " JOIN chat c ON c.scope_id = a.scope_id AND c.kind = 'private' AND c.tenant_id = a.tenant_id"
            " JOIN lane l ON l.chat_id = c.id WHERE a.tenant_id = :tenant_id AND a.external_id = :address"
            " ORDER BY l.id LIMIT 1",
            {"tenant_id": tenant_id, "address": address},
        )
        if row is not None:
            found.append(_lane_key(tenant_id, row))
    return found


def count_stranger(tx: Tx, tenant_id: int, address: str, now: Millis, keep: int) -> None:
    """Count an update of somebody without access: a key and a number, no body, at most `keep` of them a tenant."""
    params = {"tenant_id": tenant_id, "address": address, "now": now, "keep": keep}
    changed = tx.run(
        "UPDATE stranger SET updates = updates + 1, last_at = :now"
        " WHERE tenant_id = :tenant_id AND external_id = :address",
        params,
    )
    if changed:
        return
    tx.run(
        "DELETE FROM stranger WHERE tenant_id = :tenant_id AND external_id IN (SELECT external_id FROM stranger"
        " WHERE tenant_id = :tenant_id ORDER BY last_at DESC, external_id LIMIT 1000 OFFSET :keep - 1)",
        params,
    )
    tx.run(
        "INSERT INTO stranger (tenant_id, external_id, last_at) VALUES (:tenant_id, :address, :now)"
        " ON CONFLICT (tenant_id, external_id) DO NOTHING",
        params,
    )


def cursor(tx: Tx, tenant_id: int, name: str) -> str | None:
    """The stored position of a platform's stream."""
    row = tx.one(
        "SELECT position FROM cursor_position WHERE tenant_id = :tenant_id AND name = :name",
        {"tenant_id": tenant_id, "name": name},
    )
    return None if row is None else row["position"]


def set_cursor(tx: Tx, tenant_id: int, name: str, position: str) -> None:
    """Store the position of a platform's stream."""
    tx.run(
        "INSERT INTO cursor_position (tenant_id, name, position) VALUES (:tenant_id, :name, :position)"
        " ON CONFLICT (tenant_id, name) DO UPDATE SET position = excluded.position",
        {"tenant_id": tenant_id, "name": name, "position": position},
    )

"""Contacts: the people a scope knows, and how each can be reached (TOOLS: Contacts; seed 002)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.capabilities.contacts import names as contact_names
from core.capabilities.contacts import rows
from core.capabilities.contacts.rows import person_at
from core.kernel.markdown import visible
from core.kernel.ports import Row, Tx
from core.kernel.timing.zones import known_zone
from core.kernel.types import Inbound, LaneKey, Millis, Sender
from core.language.grammar import ME
from core.store.people import people
from core.toolkit.capability import Hearing

# So many people that one message names are noted.
NAMED_AT_ONCE = 20
LONGEST_NAME = contact_names.LONGEST
# More than these are not learned of whom messages only name.
MOST_LEARNED = 1_000
# No more are called when everybody of a group is meant.
MOST_PRESENT = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact:
    """One person, as a scope knows them. `person_id` once they have written to the bot anywhere in the tenant.

    `learned` when the nickname is what the platform says, and nobody's wish. `noted_by` is who wrote it else: `person`,
    `model`, or empty where a former version noted it. `brought` when its texts may be of anybody: they came
    in a file, or a model noted them that had read others' words.
    """

    contact_id: int
    person_id: int | None
    nickname: str
    addresses: tuple[str, ...] = ()
    kind: str = "human"
    status: str = "active"
    subject_id: str = ""
    persona_brief: str = ""
    persona_traits: Mapping[str, float] = field(default_factory=dict)
    pronouns: str = ""
    timezone: str = ""
    preference_context: str = ""
    understanding_depth: float = 30.0
    topic_weights: Mapping[str, float] = field(default_factory=dict)
    reciprocity_norm: float = 0.5
    learned: bool = False
    noted_by: str = ""
    brought: bool = False
    created_at: Millis = 0
    updated_at: Millis = 0

    @property
    def name(self) -> str:
        """Return what they are called: hostile, as it was written."""
        return self.nickname or next(iter(self.addresses), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """How a contact is reached now.

    `address` is what they are mentioned by (`tg:1001`, or `tg:@anna` as long as nobody has seen them). `zone` is the
    one they have `chosen` themselves, else what the contact says, else that of their profile; empty when unknown.
    `lane` is that of their private chat, if they have talked to the bot there and it is not gone.
    """

    contact_id: int
    person_id: int | None
    name: str
    address: str
    zone: str
    lane: LaneKey | None
    chosen: bool = False


_COLUMNS = (
    "c.id, c.person_id, c.kind, c.status, c.nickname, c.subject_id, c.persona_brief, c.persona_traits, c.pronouns,"
    " c.timezone, c.preference_context, c.understanding_depth, c.topic_weights, c.reciprocity_norm, c.learned,"
    " c.noted_by, c.brought, c.created_at, c.updated_at, x.external_id AS address"
)
# An address that stays the same comes before a handle.
_FROM = (
    f"SELECT {_COLUMNS} FROM contact c LEFT JOIN contact_address x ON x.contact_id = c.id"
    " WHERE c.tenant_id = :tenant_id AND c.scope_id = :scope_id"
)
_ORDER = " ORDER BY c.id, CASE WHEN x.external_id LIKE '%:@%' THEN 1 ELSE 0 END, x.external_id"


def find(tx: Tx, lane: LaneKey, contact_id: int) -> Contact | None:
    """Return a contact of the lane's scope; one of another scope is as one that never was."""
    return _only(_load(tx, lane, " AND c.id = :id", id=contact_id))


def of_person(tx: Tx, lane: LaneKey, person_id: int) -> Contact | None:
    """Return the contact that a person is in the lane's scope."""
    return _only(_load(tx, lane, " AND c.person_id = :person_id", person_id=person_id))


def known_at(tx: Tx, lane: LaneKey, address: str) -> Contact | None:
    """Return the contact of the lane's scope that has an address, or is the person who has it."""
    held = (
        " AND c.id = (SELECT contact_id FROM contact_address WHERE tenant_id = :tenant_id AND scope_id = :scope_id"
        " AND external_id = :address)"
    )
    person_id = person_at(tx, lane, address)
    found = None if person_id is None else of_person(tx, lane, person_id)
    return found or _only(_load(tx, lane, held, address=address))


def with_subject(tx: Tx, lane: LaneKey, subject_id: str) -> Contact | None:
    """Return the contact of the lane's scope that somebody gave an id of their own."""
    return _only(_load(tx, lane, " AND c.subject_id = :subject_id", subject_id=subject_id))


def listed(tx: Tx, lane: LaneKey, status: str = "") -> list[Contact]:
    """Return the contacts of the lane's scope with a status, or all, in the order they were known."""
    return _load(tx, lane, " AND c.status = :status", status=status) if status else _load(tx, lane, "")


def named(tx: Tx, lane: LaneKey, name: str) -> list[Contact]:
    """Return the active contacts a name may mean: an id (`c…`), an address or a handle (`@anna`) means one; else those
    whose whole name it is (folded), else those with a name that begins with it as a word."""
    return _full(tx, lane, contact_names.meant(tx, lane, name))


def may_mean(tx: Tx, hearing: Hearing, name: str) -> bool:
    """Return whether a name may mean somebody here: who speaks, a contact, or in a group anybody by their handle."""
    return name == ME or (hearing.participant.group and name.startswith("@")) or bool(named(tx, hearing.lane, name))


def opening(tx: Tx, lane: LaneKey, text: str) -> tuple[list[Contact], str]:
    """Return the active contacts that the longest possible beginning of a text may mean, and the rest of the text."""
    found, rest = contact_names.opening(tx, lane, text)
    return _full(tx, lane, found), rest


def _full(tx: Tx, lane: LaneKey, numbers: Sequence[int]) -> list[Contact]:
    among = f" AND c.id IN ({', '.join(map(str, numbers))})"
    return _load(tx, lane, among) if numbers else []


def learn_from(tx: Tx, lane: LaneKey, person_id: int, message: Inbound, now: Millis, *, noted: bool) -> None:
    """Note whoever is heard in a scope as a contact there, and whom a message names; nobody without a name of their
    own."""
    if not noted and not message.sender.anonymous:
        learn(tx, lane, person_id, message.sender, now, said_at=message.sent_at)
    for person in message.mentioned[:NAMED_AT_ONCE]:
        learn(tx, lane, None, person, now)


def learn(tx: Tx, lane: LaneKey, person_id: int | None, sender: Sender, now: Millis, *, said_at: Millis = 0) -> int:
    """Note somebody who spoke to the bot in this scope (`person_id`), or whom a message named (None); returns the
    contact. What people wrote into it themselves is kept. `said_at` is when they spoke, 0 for now.

    Returns 0 for somebody who was only named and wants to be left alone here, or when too many were.
    """
    person = person_at(tx, lane, sender.address) if person_id is None else person_id
    if person_id is None and person is not None and people.opted_out_of(tx, lane.tenant_id, lane.scope_id, person):
        return 0
    platform, name = sender.address.partition(":")[0], visible(sender.name)[:LONGEST_NAME]
    handle = f"{platform}:{sender.handle}" if sender.handle else ""
    addresses = list(dict.fromkeys(filter(None, (sender.address, handle))))
    found = rows.same(tx, lane, person, addresses)
    if found is None and person_id is None and rows.count(tx, lane) >= MOST_LEARNED:
        return 0
    if found is None:
        contact_id = rows.insert(tx, lane, {"person_id": person, "nickname": name, "learned": 1}, now)
    else:
        contact_id = int(found["id"])
        # A card shows what somebody else calls them.
        told = bool(found["learned"]) and not sender.unknown and (person_id is not None or not found["nickname"])
        if told and name not in {"", found["nickname"]}:
            rows.change(tx, lane, contact_id, {"nickname": name}, now)
    rows.give(tx, lane, contact_id, addresses)
    rows.place(tx, contact_id, sender.timezone, spoke=person_id is not None)
    if person_id is not None:
        rows.meet(tx, contact_id, said_at or now)
    if person_id is not None and not sender.unknown:
        # Somebody has one handle on a platform, or none: those of another day are not theirs any more.
        tx.run(
            "DELETE FROM contact_address WHERE contact_id = :id AND substr(external_id, 1, :length) = :handles"
            " AND external_id <> :kept",
            {
                "id": contact_id,
                "length": len(f"{platform}:@"),
                "handles": f"{platform}:@",
                "kept": f"{platform}:{sender.handle}",
            },
        )
    return contact_id


def rename(tx: Tx, tenant_id: int, person_id: int, name: str, now: Millis) -> None:
    """Somebody has another name: the books that have the one which was learned have that. What people wrote is kept."""
    tx.run(
        "UPDATE contact SET nickname = :name, updated_at = :now WHERE tenant_id = :tenant_id"
        " AND person_id = :person_id AND learned = 1 AND :name <> '' AND nickname NOT IN ('', :name)",
        {"name": visible(name)[:LONGEST_NAME], "now": now, "tenant_id": tenant_id, "person_id": person_id},
    )


def present(tx: Tx, lane: LaneKey) -> list[Sender]:
    """Return who has spoken in a group and is there as far as is known, but for who wants to be left alone."""
    rows = tx.all(
        "SELECT c.nickname, p.name, min(a.external_id) AS address FROM contact c JOIN person p ON p.id = c.person_id"
        " JOIN address a ON a.person_id = p.id WHERE c.tenant_id = :tenant_id AND c.scope_id = :scope_id"
        " AND c.met = 1 AND c.left_at IS NULL AND c.status = 'active' AND c.kind = 'human' AND p.anonymous = 0"
        " AND p.standing <> 'removed'"
        " AND NOT EXISTS (SELECT 1 FROM optout o WHERE o.scope_id = c.scope_id AND o.person_id = p.id)"
        f" GROUP BY c.id, c.nickname, p.name ORDER BY c.id LIMIT {MOST_PRESENT}",
        lane.params(),
    )
    return [Sender(address=row["address"], name=row["nickname"] or row["name"]) for row in rows]


def welcome(tx: Tx, lane: LaneKey, sender: Sender) -> bool:
    """Return whether `learn` would note somebody who is only named and whom the book does not have."""
    person = person_at(tx, lane, sender.address)
    alone = person is not None and people.opted_out_of(tx, lane.tenant_id, lane.scope_id, person)
    return not alone and rows.count(tx, lane) < MOST_LEARNED


def save(tx: Tx, lane: LaneKey, contact_id: int | None, values: Mapping[str, Any], address: str, now: Millis) -> int:
    """Set fields of a contact by name, or (None) make one; that may turn out to be one that is known by its address."""
    columns = {name: json.dumps(value) if isinstance(value, Mapping) else value for name, value in values.items()}
    if "nickname" in values:
        columns["learned"] = int(not values["nickname"])
    person = person_at(tx, lane, address) if address else None
    found = rows.same(tx, lane, person, [address]) if address else None
    if found is not None:
        contact_id = int(found["id"])
    elif person is not None:
        columns["person_id"] = person
    if contact_id is None:
        contact_id = rows.insert(tx, lane, {"person_id": person, **columns}, now)
    else:
        rows.change(tx, lane, contact_id, columns, now)
    if address:
        rows.give(tx, lane, contact_id, [address])
    return contact_id


_REACH = (
    "SELECT c.id, c.nickname, c.timezone AS zone, p.id AS person_id, p.name, p.timezone AS chosen,"
    " p.told_timezone AS told, l.id AS lane_id, l.scope_id, l.chat_id,"
    " (SELECT min(a.external_id) FROM address a WHERE a.person_id = p.id) AS own,"
    " (SELECT x.external_id FROM contact_address x WHERE x.contact_id = c.id"
    " ORDER BY CASE WHEN x.external_id LIKE '%:@%' THEN 1 ELSE 0 END, x.external_id LIMIT 1) AS written"
    " FROM contact c LEFT JOIN person p ON p.id = COALESCE(c.person_id, :person_id) AND p.tenant_id = c.tenant_id"
    " LEFT JOIN chat h ON h.scope_id = p.scope_id AND h.kind = 'private' AND h.state <> 'gone'"
    " LEFT JOIN lane l ON l.chat_id = h.id AND l.tenant_id = h.tenant_id"
    " WHERE c.id = :id AND c.tenant_id = :tenant_id AND c.scope_id = :scope_id ORDER BY l.id LIMIT 1"
)


def reach(tx: Tx, lane: LaneKey, contact_id: int) -> Reach | None:
    """Return how a contact of the lane's scope is reached now."""
    row = _reach(tx, lane, contact_id, None)
    if row is not None and row["person_id"] is None and row["written"]:
        # Somebody who was noted by an address before the bot knew them.
        person_id = person_at(tx, lane, row["written"])
        row = row if person_id is None else _reach(tx, lane, contact_id, person_id)
    if row is None:
        return None
    place = {"scope_id": row["scope_id"], "chat_id": row["chat_id"], "lane_id": row["lane_id"]}
    return Reach(
        contact_id=row["id"],
        person_id=row["person_id"],
        name=row["nickname"] or row["name"] or row["written"] or "",
        address=row["own"] or row["written"] or "",
        zone=known_zone(row["chosen"]) or known_zone(row["zone"]) or known_zone(row["told"]),
        chosen=bool(known_zone(row["chosen"])),
        lane=None if row["lane_id"] is None else LaneKey(tenant_id=lane.tenant_id, **place),
    )


def acquainted(tx: Tx, lane: LaneKey, person_id: int, other_id: int) -> bool:
    """Return whether another has spoken in the lane's scope, or both in one of the groups that are allowed now.

    Who is only noted or named somewhere, by an id that anybody may guess, has not: no more of them is told.
    """
    row = tx.one(
        "SELECT 1 AS found FROM contact theirs JOIN chat h ON h.scope_id = theirs.scope_id"
        " AND h.tenant_id = theirs.tenant_id WHERE theirs.person_id = :other_id AND theirs.tenant_id = :tenant_id"
        " AND theirs.met = 1 AND (theirs.scope_id = :scope_id OR (h.kind = 'group' AND h.state = 'allowed'"
        " AND EXISTS (SELECT 1 FROM contact mine WHERE mine.scope_id = theirs.scope_id"
        " AND mine.person_id = :person_id AND mine.met = 1)))",
        {"person_id": person_id, "other_id": other_id, **lane.params()},
    )
    return row is not None


def _reach(tx: Tx, lane: LaneKey, contact_id: int, person_id: int | None) -> Row | None:
    return tx.one(_REACH, {**lane.params(), "id": contact_id, "person_id": person_id})


def _only(found: Sequence[Contact]) -> Contact | None:
    return found[0] if found else None


def _load(tx: Tx, lane: LaneKey, where: str, **params: Any) -> list[Contact]:
    """Contacts with all their addresses, each a row of its own in the answer."""
    found: dict[int, list[Row]] = {}
    for row in tx.all(f"{_FROM}{where}{_ORDER}", {**lane.params(), **params}):
        found.setdefault(int(row["id"]), []).append(row)
    return [_contact(several) for several in found.values()]


def _contact(several: Sequence[Row]) -> Contact:
    row = several[0]
    return Contact(
        contact_id=row["id"],
        person_id=row["person_id"],
        nickname=row["nickname"],
        addresses=tuple(one["address"] for one in several if one["address"]),
        kind=row["kind"],
        status=row["status"],
        subject_id=row["subject_id"],
        persona_brief=row["persona_brief"],
        persona_traits=json.loads(row["persona_traits"]),
        pronouns=row["pronouns"],
        timezone=known_zone(row["timezone"]),
        preference_context=row["preference_context"],
        understanding_depth=row["understanding_depth"],
        topic_weights=json.loads(row["topic_weights"]),
        reciprocity_norm=row["reciprocity_norm"],
        learned=bool(row["learned"]),
        noted_by=row["noted_by"],
        brought=bool(row["brought"]),
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )

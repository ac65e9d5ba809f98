"""People who are one person on several platforms: the codes that bring them together, and the pairs they make.

A pair is two rows, so that each finds the other by their own number. Whoever changes one holds the chains of both
tenants (`ledger_head`): so what was looked at stays so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.kernel.ports import Row, Tx
from core.kernel.types import LaneKey, Millis
from core.store.people.groups import Group
from core.store.people.people import STANDING, inserted, private_lane

CODE_LASTS: Millis = 600_000
MOST_WRONG = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """A code that was given to a person; `asked_by` has written it, None while nobody has."""

    code_id: int
    tenant_id: int
    person_id: int
    asked_by: int | None
    expires_at: Millis
    ended: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """Somebody on a platform, as they are named to whom they are to be linked with. `workspace` is the tenant's name,
    `tenant` its id on the platform;
    `allowed` when its owners allow links with others, `gone` when it has ended; `lane` is that of their private chat.
    """

    person_id: int
    tenant_id: int
    platform: str
    tenant: str
    workspace: str
    allowed: bool
    gone: bool
    name: str
    address: str
    standing: str
    lane: LaneKey | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Linked:
    """Somebody whom a person is linked with: `lane` is that of their private chat, `groups` are theirs; `standing` is
    what the database says of them, `tenant` the platform's id of theirs."""

    person_id: int
    lane: LaneKey
    platform: str
    tenant: str
    name: str
    address: str
    standing: str
    groups: tuple[Group, ...] = ()


def account(tx: Tx, person_id: int) -> Account:
    """Somebody of any tenant, whom a code or a pair leads to."""
    row = tx.one(
        f"SELECT p.id, p.tenant_id, p.name, {STANDING}, a.external_id AS address, t.platform, t.external_id AS tenant,"
        " t.name AS workspace, t.links, t.ended_at FROM person p JOIN tenant t ON t.id = p.tenant_id"
        " JOIN address a ON a.person_id = p.id AND a.tenant_id = p.tenant_id WHERE p.id = :id"
        " ORDER BY a.external_id LIMIT 1",
        {"id": person_id},
    )
    assert row is not None
    return Account(
        person_id=row["id"],
        tenant_id=row["tenant_id"],
        platform=row["platform"],
        tenant=row["tenant"],
        workspace=row["workspace"],
        allowed=bool(row["links"]),
        gone=row["ended_at"] is not None,
        name=row["name"],
        address=row["address"],
        standing=row["standing"],
        lane=private_lane(tx, row["tenant_id"], row["id"]),
    )


# Codes.


def insert_code(tx: Tx, lane: LaneKey, person_id: int, digest: str, now: Millis) -> int:
    """Keep a code, by its digest. Somebody has one at a time."""
    drop_codes(tx, lane.tenant_id, person_id)
    return inserted(
        tx.one(
            "INSERT INTO link_code (tenant_id, scope_id, person_id, digest, created_at, expires_at)"
            " VALUES (:tenant_id, :scope_id, :person_id, :digest, :now, :expires_at) RETURNING id",
            {**lane.params(), "person_id": person_id, "digest": digest, "now": now, "expires_at": now + CODE_LASTS},
        )
    )


def drop_codes(tx: Tx, tenant_id: int, person_id: int) -> None:
    """End the codes that somebody was given."""
    tx.run(
        "DELETE FROM link_code WHERE tenant_id = :tenant_id AND person_id = :person_id",
        {"tenant_id": tenant_id, "person_id": person_id},
    )


def end_asked(tx: Tx, person_id: int, now: Millis) -> bool:
    """End the codes that somebody has written and that are not answered; False when there are none."""
    return bool(
        tx.run(
            "UPDATE link_code SET ended_at = :now WHERE asked_by = :person_id AND ended_at IS NULL"
            " AND expires_at > :now",
            {"person_id": person_id, "now": now},
        )
    )


_CODE = "SELECT id, tenant_id, person_id, asked_by, expires_at, ended_at FROM link_code"


def find_code(tx: Tx, digest: str) -> Code | None:
    """Return the code with this digest, of any tenant and in any state."""
    return _code(tx.one(f"{_CODE} WHERE digest = :digest", {"digest": digest}))


def given_code(tx: Tx, tenant_id: int, person_id: int, code_id: int | None) -> Code | None:
    """Return a code that was given to somebody, by its number; None where that is none."""
    return _code(
        tx.one(
            f"{_CODE} WHERE id = :id AND tenant_id = :tenant_id AND person_id = :person_id",
            {"id": code_id, "tenant_id": tenant_id, "person_id": person_id},
        )
    )


def written_code(tx: Tx, person_id: int, code_id: int | None) -> Code | None:
    """Return a code that somebody has written, by its number; None where that is none."""
    row = tx.one(f"{_CODE} WHERE id = :id AND asked_by = :person_id", {"id": code_id, "person_id": person_id})
    return _code(row)


def _code(row: Row | None) -> Code | None:
    if row is None:
        return None
    return Code(
        code_id=row["id"],
        tenant_id=row["tenant_id"],
        person_id=row["person_id"],
        asked_by=row["asked_by"],
        expires_at=row["expires_at"],
        ended=row["ended_at"] is not None,
    )


def ask(tx: Tx, code_id: int, person_id: int) -> bool:
    """Note that somebody has written a code; False when somebody had already."""
    return bool(
        tx.run(
            "UPDATE link_code SET asked_by = :person_id WHERE id = :id AND asked_by IS NULL AND ended_at IS NULL",
            {"id": code_id, "person_id": person_id},
        )
    )


def end_code(tx: Tx, code_id: int, now: Millis) -> bool:
    """End a code that the person to whom it was given has answered; False when it had ended."""
    return bool(
        tx.run("UPDATE link_code SET ended_at = :now WHERE id = :id AND ended_at IS NULL", {"id": code_id, "now": now})
    )


# Wrong codes.


def refused_until(tx: Tx, tenant_id: int, person_id: int, now: Millis) -> Millis | None:
    """Return until when somebody who was wrong too often is not listened to; None when they are."""
    row = tx.one(
        "SELECT wrong_codes, wrong_since FROM person WHERE id = :id AND tenant_id = :tenant_id",
        {"id": person_id, "tenant_id": tenant_id},
    )
    if row is None or row["wrong_codes"] < MOST_WRONG or now >= row["wrong_since"] + CODE_LASTS:
        return None
    return int(row["wrong_since"]) + CODE_LASTS


def note_wrong(tx: Tx, tenant_id: int, person_id: int, now: Millis) -> None:
    """Count a wrong code; ten minutes after the first of them counting begins anew."""
    tx.run(
        "UPDATE person SET wrong_codes = CASE WHEN wrong_since + :lasts > :now THEN wrong_codes + 1 ELSE 1 END,"
        " wrong_since = CASE WHEN wrong_since + :lasts > :now THEN wrong_since ELSE :now END"
        " WHERE id = :id AND tenant_id = :tenant_id",
        {"lasts": CODE_LASTS, "now": now, "id": person_id, "tenant_id": tenant_id},
    )


# Pairs.


def others(tx: Tx, person_id: int) -> list[int]:
    """Return whom somebody is linked with, the first one first."""
    rows = tx.all(
        "SELECT other_id FROM link WHERE person_id = :person_id ORDER BY created_at, other_id", {"person_id": person_id}
    )
    return [row["other_id"] for row in rows]


def since(tx: Tx, person_id: int) -> list[tuple[int, Millis]]:
    """Return whom somebody is linked with, and since when."""
    rows = tx.all("SELECT other_id, created_at FROM link WHERE person_id = :person_id", {"person_id": person_id})
    return [(row["other_id"], row["created_at"]) for row in rows]


def of(tx: Tx, person_id: int) -> list[Linked]:
    """Return whom somebody is linked with, and their private chats with the bot. A link between tenants counts only
    while both allow it and neither has ended."""
    rows = tx.all(
        "SELECT k.other_id FROM link k JOIN person p ON p.id = k.person_id JOIN person o ON o.id = k.other_id"
        " JOIN tenant mine ON mine.id = p.tenant_id JOIN tenant theirs ON theirs.id = o.tenant_id"
        " WHERE k.person_id = :person_id AND theirs.ended_at IS NULL"
        " AND (mine.id = theirs.id OR (mine.links = 1 AND theirs.links = 1)) ORDER BY k.created_at, k.other_id",
        {"person_id": person_id},
    )
    found = (account(tx, row["other_id"]) for row in rows)
    return [
        Linked(
            person_id=one.person_id,
            lane=one.lane,
            platform=one.platform,
            tenant=one.tenant,
            name=one.name,
            address=one.address,
            standing=one.standing,
        )
        for one in found
        if one.lane is not None
    ]


def link(tx: Tx, one: Account, other: Account, shares: str, now: Millis) -> None:
    """Link two people with each other: one row for each of them."""
    for mine, theirs in ((one, other), (other, one)):
        tx.run(
            "INSERT INTO link (person_id, other_id, tenant_id, scope_id, shares, created_at)"
            " SELECT p.id, :other_id, p.tenant_id, p.scope_id, :shares, :now FROM person p"
            " WHERE p.id = :person_id AND p.tenant_id = :tenant_id",
            {
                "person_id": mine.person_id,
                "other_id": theirs.person_id,
                "tenant_id": mine.tenant_id,
                "shares": shares,
                "now": now,
            },
        )


def unlink(tx: Tx, one: int, other: int) -> bool:
    """End the link between two people; return False when there was none."""
    return bool(
        tx.run(
            "DELETE FROM link WHERE (person_id = :one AND other_id = :other)"
            " OR (person_id = :other AND other_id = :one)",
            {"one": one, "other": other},
        )
    )


# Tenants.


def allow(tx: Tx, tenant_id: int, *, on: bool) -> bool:
    """Let people of a tenant be linked with those of others, or not; False when it was so."""
    return bool(
        tx.run(
            "UPDATE tenant SET links = :on WHERE id = :id AND links <> :on",
            {"on": int(on), "id": tenant_id},
        )
    )


def across(tx: Tx, tenant_id: int) -> list[tuple[int, int]]:
    """Return the pairs of a tenant's people with those of others, theirs first."""
    rows = tx.all(
        "SELECT k.person_id, k.other_id FROM link k JOIN person p ON p.id = k.other_id"
        " WHERE k.tenant_id = :tenant_id AND p.tenant_id <> :tenant_id ORDER BY k.person_id, k.other_id",
        {"tenant_id": tenant_id},
    )
    return [(row["person_id"], row["other_id"]) for row in rows]


def tenants(tx: Tx, people: Sequence[int]) -> set[int]:
    """Return the tenants of some people."""
    rows = tx.many(
        "SELECT p.tenant_id FROM (VALUES :rows) AS v JOIN person p ON p.id = v.column1", [(n,) for n in people]
    )
    return {row["tenant_id"] for row in rows}

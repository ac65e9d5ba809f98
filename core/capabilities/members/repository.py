"""Who has access, as the owner looks at it."""

from __future__ import annotations

from collections.abc import Collection

from core.kernel.ports import Row, Tx
from core.store.people.people import STANDING

_PERSON = (
    f"SELECT p.id, p.name, {STANDING},"
    " a.external_id AS address FROM person p JOIN address a ON a.person_id = p.id AND a.tenant_id = p.tenant_id"
    " WHERE p.tenant_id = :tenant_id"
)


def listed(
    tx: Tx, tenant_id: int, addresses: Collection[str], *, everybody: bool, full: bool, limit: int, offset: int
) -> list[Row]:
    """Members, removed people (last), who has one of these addresses, with `everybody` who has a private chat, and
    with `full` the full members of the workspace."""
    names = {f"address_{n}": address for n, address in enumerate(sorted(addresses))}
    among = f" OR a.external_id IN ({', '.join(f':{name}' for name in names)})" if names else ""
    private = (
        " OR EXISTS (SELECT 1 FROM chat c WHERE c.tenant_id = p.tenant_id AND c.scope_id = p.scope_id)"
        if everybody
        else ""
    )
    kin = " OR p.kin = 'full'" if full else ""
    return tx.all(
        f"{_PERSON} AND (p.standing <> '' OR p.owns = 1{among}{private}{kin})"
        " ORDER BY CASE WHEN p.standing = 'removed' THEN 1 ELSE 0 END, p.id LIMIT :limit OFFSET :offset",
        {"tenant_id": tenant_id, "limit": limit, "offset": offset, **names},
    )


def known(tx: Tx, tenant_id: int, addresses: Collection[str]) -> set[str]:
    """Return those of the addresses that belong to somebody who has been seen."""
    names = {f"address_{n}": address for n, address in enumerate(sorted(addresses))}
    if not names:
        return set()
    among = ", ".join(f":{name}" for name in names)
    rows = tx.all(
        f"SELECT external_id FROM address WHERE tenant_id = :tenant_id AND external_id IN ({among})",
        {"tenant_id": tenant_id, **names},
    )
    return {row["external_id"] for row in rows}


def find(tx: Tx, tenant_id: int, person_id: int) -> Row | None:
    """Return a person by number: id, name, standing and address."""
    return tx.one(f"{_PERSON} AND p.id = :id ORDER BY a.external_id", {"tenant_id": tenant_id, "id": person_id})


def groups(tx: Tx, tenant_id: int, limit: int) -> list[Row]:
    """Return the groups the bot may work in: title and the platform's id."""
    return tx.all(
        "SELECT title, external_id AS chat FROM chat WHERE tenant_id = :tenant_id AND kind = 'group'"
        " AND state = 'allowed' ORDER BY id LIMIT :limit",
        {"tenant_id": tenant_id, "limit": limit},
    )

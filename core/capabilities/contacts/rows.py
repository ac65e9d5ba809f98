"""Rows of contacts being written: found by person and addresses, made, changed, and joined when two are one person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.kernel.ports import Row, Tx
from core.kernel.types import LaneKey, Millis

_AT = "contact_address WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND external_id"


def handle_in(address: str) -> str:
    """Return the handle in an address such as `tg:@anna`; empty when it is another kind of address."""
    found = address.partition(":")[2]
    return found.lower() if found.startswith("@") else ""


def person_at(tx: Tx, lane: LaneKey, address: str) -> int | None:
    """Return the person of the tenant who has an address, or whose handle it is."""
    params = {"address": address, "handle": handle_in(address), **lane.params()}
    row = tx.one(
        "SELECT id FROM person WHERE tenant_id = :tenant_id AND handle = :handle AND handle <> '' ORDER BY id DESC"
        if params["handle"]
        else "SELECT person_id AS id FROM address WHERE tenant_id = :tenant_id AND external_id = :address",
        params,
    )
    return None if row is None else int(row["id"])


def count(tx: Tx, lane: LaneKey) -> int:
    """Return how many contacts the lane's scope has."""
    row = tx.one("SELECT count(*) AS n FROM contact WHERE scope_id = :scope_id", lane.params())
    return 0 if row is None else int(row["n"])


def same(tx: Tx, lane: LaneKey, person_id: int | None, addresses: Sequence[str]) -> Row | None:
    """Return the contact that a person is, or that has one of these addresses; several of them become one.

    What people wrote themselves outlives what was learned. Nobody else's contact is taken for it.
    """
    names = {f"address_{n}": address for n, address in enumerate(addresses)}
    rows = tx.all(
        "SELECT id, person_id, nickname, learned, status FROM contact WHERE tenant_id = :tenant_id"
        f" AND scope_id = :scope_id AND (person_id = :person_id OR id IN (SELECT contact_id FROM {_AT}"
        f" IN ({', '.join(f':{name}' for name in names)}))) ORDER BY learned, id",
        {"person_id": person_id, **names, **lane.params()},
    )
    mine = [row for row in rows if person_id is None or row["person_id"] in {None, person_id}]
    if not mine:
        return None
    kept = mine[0]
    for other in mine[1:]:
        if other["person_id"] in {None, person_id}:
            join(tx, int(kept["id"]), int(other["id"]))
    if person_id is not None and kept["person_id"] is None:
        tx.run("UPDATE contact SET person_id = :person_id WHERE id = :id", {"person_id": person_id, "id": kept["id"]})
    return kept


def join(tx: Tx, kept_id: int, other_id: int) -> None:
    """Make one contact of two who are the same person: whatever names the other names the kept one from now on."""
    params = {"kept": kept_id, "other": other_id}
    for table, key in (("addressee", "trigger_id"), ("assignee", "todo_id")):
        tx.run(
            f"INSERT INTO {table} (tenant_id, scope_id, {key}, contact_id) SELECT tenant_id, scope_id, {key}, :kept"
            f" FROM {table} WHERE contact_id = :other ON CONFLICT ({key}, contact_id) DO NOTHING",
            params,
        )
        tx.run(f"DELETE FROM {table} WHERE contact_id = :other", params)
    tx.run("UPDATE reminded SET contact_id = :kept WHERE contact_id = :other", params)
    tx.run("UPDATE contact_address SET contact_id = :kept WHERE contact_id = :other", params)
    tx.run(
        "UPDATE contact SET status = 'active' WHERE id = :kept"
        " AND EXISTS (SELECT 1 FROM contact o WHERE o.id = :other AND o.status = 'active')",
        params,
    )
    tx.run(
        "UPDATE contact SET met = 1 WHERE id = :kept AND EXISTS (SELECT 1 FROM contact o WHERE o.id = :other"
        " AND o.met = 1)",
        params,
    )
    tx.run("DELETE FROM contact WHERE id = :other", params)


def insert(tx: Tx, lane: LaneKey, values: Mapping[str, Any], now: Millis) -> int:
    """Make a contact with values by column; returns that of the person when somebody else just did."""
    columns = ", ".join(values)
    row = tx.one(
        f"INSERT INTO contact (tenant_id, scope_id, created_at, updated_at, {columns}) VALUES (:tenant_id, :scope_id,"
        f" :now, :now, {', '.join(f':{name}' for name in values)})"
        " ON CONFLICT (scope_id, person_id) WHERE person_id IS NOT NULL DO NOTHING RETURNING id",
        {**values, "now": now, **lane.params()},
    ) or tx.one(
        "SELECT id FROM contact WHERE scope_id = :scope_id AND person_id = :person_id",
        {"person_id": values.get("person_id"), **lane.params()},
    )
    assert row is not None
    return int(row["id"])


def meet(tx: Tx, contact_id: int, at: Millis) -> None:
    """Note that the person of a contact has spoken in its scope at an instant: who had left before is back."""
    tx.run("UPDATE contact SET met = 1 WHERE id = :id AND met = 0", {"id": contact_id})
    tx.run(
        "UPDATE contact SET left_at = NULL, returned_at = :at WHERE id = :id AND left_at <= :at",
        {"id": contact_id, "at": at},
    )


def has_left(tx: Tx, lane: LaneKey, contact_id: int, *, since: Millis = 0) -> bool:
    """Return whether the person behind a contact of the lane's scope has left the group, at an instant or later."""
    row = tx.one(
        "SELECT 1 AS found FROM contact WHERE id = :id AND scope_id = :scope_id AND left_at >= :since",
        {"id": contact_id, "since": since, **lane.params()},
    )
    return row is not None


def place(tx: Tx, contact_id: int, zone: str, *, spoke: bool) -> None:
    """Keep the zone of the profile of somebody who is only named, if nobody said another.

    Of who has spoken the person has it, and follows it: what is kept here must not stand in the way.
    """
    if spoke:
        tx.run(
            "UPDATE contact SET timezone = '' WHERE id = :id AND met = 0 AND timezone = :zone AND :zone <> ''",
            {"id": contact_id, "zone": zone},
        )
    elif zone:
        tx.run(
            "UPDATE contact SET timezone = :zone WHERE id = :id AND met = 0 AND timezone = ''",
            {"id": contact_id, "zone": zone},
        )


def change(tx: Tx, lane: LaneKey, contact_id: int, values: Mapping[str, Any], now: Millis) -> None:
    """Set values of a contact of the lane's scope by column."""
    if values:
        tx.run(
            f"UPDATE contact SET {', '.join(f'{name} = :{name}' for name in values)}, updated_at = :now"
            " WHERE id = :id AND tenant_id = :tenant_id AND scope_id = :scope_id",
            {**values, "id": contact_id, "now": now, **lane.params()},
        )


def give(tx: Tx, lane: LaneKey, contact_id: int, addresses: Sequence[str]) -> None:
    """These addresses are a contact's from now on, whosever they were in the scope."""
    for address in addresses:
        tx.run(
            "INSERT INTO contact_address (tenant_id, scope_id, contact_id, external_id)"
            " VALUES (:tenant_id, :scope_id, :contact_id, :address)"
            " ON CONFLICT (tenant_id, scope_id, external_id) DO UPDATE SET contact_id = excluded.contact_id",
            {"contact_id": contact_id, "address": address, **lane.params()},
        )

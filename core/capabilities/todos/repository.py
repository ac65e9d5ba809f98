"""Rows of to-dos: open ⇄ done, open → removed → open; and who is to do them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, NamedTuple

from core.kernel.ports import Row, Tx
from core.kernel.types import LaneKey, Millis
from core.language.matching import REFERENCE, key, plain
from core.store.people.people import inserted


class ItemState(StrEnum):
    """Whether an item is still to be done."""

    # It is to be done.
    OPEN = "open"
    # It is done.
    DONE = "done"
    # It was taken off the list.
    REMOVED = "removed"


_COLUMNS = (
    "t.id, t.tenant_id, t.scope_id, l.chat_id, t.lane_id, t.person_id, t.state, t.content, t.due_on, t.due_at,"
    " t.trigger_id, t.done_by, t.created_at, t.ended_at, t.list_key, t.list_name, t.series_id, t.tainted"
)
_FROM = f"SELECT {_COLUMNS} FROM todo t JOIN lane l ON l.id = t.lane_id"
_SCOPE = "t.tenant_id = :tenant_id AND t.scope_id = :scope_id"


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignee:
    """Somebody who is to do it: a contact of the scope; `address` is empty when none is known."""

    contact_id: int
    name: str
    address: str = ""
    person_id: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Todo:
    """Something to do. `lane` is where it was noted, `person_id` noted it.

    It is due on a day (`due_on`, an ISO date of the scope's zone) or at an instant (`due_at`, with a reminder of its
    own, the trigger `trigger_id`), or neither. Nobody in `assignees`: whoever noted it, or in a group anybody. The list
    that it is on has a `list_key`, empty for the usual one, and the name that it was given (lists.py). What comes again
    is put there by the trigger `series_id`. What is `tainted` has words of others.
    """

    todo_id: int
    lane: LaneKey
    person_id: int
    state: str
    content: str
    due_on: str = ""
    due_at: Millis | None = None
    trigger_id: int | None = None
    done_by: int | None = None
    created_at: Millis = 0
    ended_at: Millis | None = None
    list_key: str = ""
    list_name: str = ""
    series_id: int | None = None
    tainted: bool = False
    assignees: tuple[Assignee, ...] = ()

    @property
    def text(self) -> str:
        """Return the content as people read it: without references."""
        return plain(self.content)


def insert(
    tx: Tx,
    lane: LaneKey,
    person_id: int,
    content: str,
    *,
    due_on: str,
    due_at: Millis | None,
    now: Millis,
    list_key: str = "",
    list_name: str = "",
    series_id: int | None = None,
    tainted: bool = False,
) -> int:
    """Store a new open item."""
    return inserted(
        tx.one(
            "INSERT INTO todo (tenant_id, scope_id, lane_id, person_id, state, content, folded, due_on, due_at,"
            " list_key, list_name, series_id, tainted, created_at) VALUES (:tenant_id, :scope_id, :lane_id, :person_id,"
            " 'open', :content, :folded, :due_on, :due_at, :list_key, :list_name, :series_id, :tainted, :now)"
            " RETURNING id",
            {
                **lane.params(),
                "person_id": person_id,
                "content": content,
                "folded": key(content),
                "due_on": due_on,
                "due_at": due_at,
                "list_key": list_key,
                "list_name": list_name,
                "series_id": series_id,
                "tainted": int(tainted),
                "now": now,
            },
        )
    )


def assign(tx: Tx, lane: LaneKey, todo_id: int, contacts: Sequence[int]) -> None:
    """Set that these contacts are to do an item, and nobody else."""
    params = {**lane.params(), "todo_id": todo_id}
    tx.run("DELETE FROM assignee WHERE todo_id = :todo_id AND tenant_id = :tenant_id", params)
    for contact_id in dict.fromkeys(contacts):
        tx.run(
            "INSERT INTO assignee (tenant_id, scope_id, todo_id, contact_id)"
            " VALUES (:tenant_id, :scope_id, :todo_id, :contact_id)",
            {**params, "contact_id": contact_id},
        )


def edit(tx: Tx, todo: Todo, *, content: str, due_on: str, due_at: Millis | None, tainted: bool | None = None) -> None:
    """Change the content of an item, which may be `tainted` now, and when it is due."""
    tx.run(
        "UPDATE todo SET content = :content, folded = :folded, due_on = :due_on, due_at = :due_at, tainted = :tainted"
        " WHERE id = :id",
        {
            "id": todo.todo_id,
            "content": content,
            "folded": key(content),
            "due_on": due_on,
            "due_at": due_at,
            "tainted": int(todo.tainted if tainted is None else tainted),
        },
    )


def move(tx: Tx, todo: Todo, state: str, now: Millis, by: int | None) -> bool:
    """Bring an item into another state, `done` by somebody; False when it has that state, or not the one `todo` says.

    An item of a series that is opened again leaves the series if the next one is open already.
    """
    return todo.state != state and bool(
        tx.run(
            "UPDATE todo SET state = :state, ended_at = :ended_at, done_by = :by, series_id = CASE WHEN :state = 'open'"
            " AND EXISTS (SELECT 1 FROM todo o WHERE o.series_id = todo.series_id AND o.state = 'open') THEN NULL"
            " ELSE series_id END WHERE id = :id AND state = :former",
            {
                "id": todo.todo_id,
                "state": state,
                "former": todo.state,
                "ended_at": None if state == "open" else now,
                "by": None if state == "open" else by,
            },
        )
    )


def link(tx: Tx, todo_id: int, trigger_id: int | None) -> None:
    """Set the trigger that reminds of an item."""
    tx.run("UPDATE todo SET trigger_id = :trigger_id WHERE id = :id", {"id": todo_id, "trigger_id": trigger_id})


def find(tx: Tx, lane: LaneKey, todo_id: int) -> Todo | None:
    """Return a to-do of the lane's scope, in any state; None where there is none, also for one of another scope."""
    return _first(load(tx, f"{_SCOPE} AND t.id = :id", {"id": todo_id, **lane.params()}))


def same(
    tx: Tx, lane: LaneKey, content: str, *, contacts: Sequence[int], due_on: str, due_at: Millis | None, list_key: str
) -> Todo | None:
    """Return an open item of a list that says the same, for the same people and by the same time."""
    where = f"{_SCOPE} AND t.state = 'open' AND t.folded = :folded AND t.list_key = :list_key"
    found = load(tx, where, {"folded": key(content), "list_key": list_key, **lane.params()})
    wanted, references = (set(contacts), due_on, due_at), _references(content)
    return _first([
        todo
        for todo in found
        if ({one.contact_id for one in todo.assignees}, todo.due_on, todo.due_at) == wanted
        and _references(todo.content) == references
    ])


def _references(content: str) -> set[str]:
    return {one.strip().casefold() for one in REFERENCE.findall(content)}


def of_trigger(tx: Tx, tenant_id: int, trigger_id: int) -> Todo | None:
    """Return the to-do of which a trigger reminds."""
    where = "t.tenant_id = :tenant_id AND t.trigger_id = :trigger_id"
    return _first(load(tx, where, {"tenant_id": tenant_id, "trigger_id": trigger_id}))


def open_of(tx: Tx, lane: LaneKey) -> list[Todo]:
    """Return the open items of the lane's scope, oldest first."""
    return load(tx, f"{_SCOPE} AND t.state = 'open' ORDER BY t.id", lane.params())


def done_of(tx: Tx, lane: LaneKey, *, since: Millis = 0, limit: int = 1_000) -> list[Todo]:
    """Return the items of the lane's scope that were done after `since`, the last one first."""
    where = f"{_SCOPE} AND t.state = 'done' AND t.ended_at > :since ORDER BY t.ended_at DESC, t.id DESC LIMIT :limit"
    return load(tx, where, {"since": since, "limit": limit, **lane.params()})


def mine_of(tx: Tx, tenant_id: int, scope_id: int, person_id: int) -> list[Todo]:
    """Return the open items of a scope that somebody noted or is to do."""
    where = (
        f"{_SCOPE} AND t.state = 'open' AND (t.person_id = :person_id OR t.id IN (SELECT a.todo_id FROM assignee a"
        " JOIN contact c ON c.id = a.contact_id WHERE c.person_id = :person_id AND a.scope_id = :scope_id))"
        " ORDER BY t.id"
    )
    return load(tx, where, {"tenant_id": tenant_id, "scope_id": scope_id, "person_id": person_id})


class OpenList(NamedTuple):
    """A list with open items. The oldest of these gives the `name`, which has words of others (`tainted`) where that
    item has, but for a name that each language has words for."""

    key: str
    name: str
    waiting: int
    tainted: bool


def lists_of(tx: Tx, lane: LaneKey) -> list[OpenList]:
    """Return the lists of the lane's scope that have a name and open items, by their keys."""
    rows = tx.all(
        "SELECT t.list_key, t.list_name AS name, t.tainted, g.n FROM todo t JOIN"
        " (SELECT min(t.id) AS id, count(*) AS n FROM todo t"
        f" WHERE {_SCOPE} AND t.state = 'open' AND t.list_key <> '' GROUP BY t.list_key) g ON g.id = t.id",
        lane.params(),
    )
    # Databases differ in how they put texts in order.
    return sorted(
        OpenList(row["list_key"], row["name"], int(row["n"]), bool(row["name"] and row["tainted"])) for row in rows
    )


def series_open(tx: Tx, tenant_id: int, series_id: int) -> bool:
    """Return whether an item of a series is still to be done."""
    params = {"tenant_id": tenant_id, "series_id": series_id}
    where = "tenant_id = :tenant_id AND series_id = :series_id AND state = 'open'"
    return tx.one(f"SELECT 1 AS found FROM todo WHERE {where}", params) is not None


def counts(tx: Tx, lane: LaneKey) -> tuple[int, int]:
    """Return how many items of the lane's scope are open, and how many are done."""
    rows = tx.all(f"SELECT t.state, count(*) AS n FROM todo t WHERE {_SCOPE} GROUP BY t.state", lane.params())
    found = {row["state"]: int(row["n"]) for row in rows}
    return found.get("open", 0), found.get("done", 0)


def load(tx: Tx, where: str, params: dict[str, Any]) -> list[Todo]:
    """Return the to-dos (`t`) of which a condition of SQL is true, with who is to do them."""
    found = [_todo(row) for row in tx.all(f"{_FROM} WHERE {where}", params)]
    if not found:
        return []
    rows = tx.all(
        "SELECT a.todo_id, c.id, c.nickname, c.person_id, x.external_id FROM assignee a"
        " JOIN contact c ON c.id = a.contact_id LEFT JOIN contact_address x ON x.contact_id = c.id"
        f" WHERE a.todo_id IN ({', '.join(str(todo.todo_id) for todo in found)})"
        " ORDER BY a.todo_id, c.id, x.external_id"
    )
    who: dict[int, dict[int, Assignee]] = {}
    for row in rows:
        known = who.setdefault(row["todo_id"], {})
        # An id is a better address than a handle.
        if row["id"] not in known or "@" in known[row["id"]].address:
            address = row["external_id"] or ""
            name = row["nickname"] or address.partition(":")[2]
            known[row["id"]] = Assignee(contact_id=row["id"], name=name, address=address, person_id=row["person_id"])
    people = {todo_id: tuple(assignees.values()) for todo_id, assignees in who.items()}
    return [replace(todo, assignees=people[todo.todo_id]) if todo.todo_id in people else todo for todo in found]


def _first(found: Sequence[Todo]) -> Todo | None:
    return found[0] if found else None


def _todo(row: Row) -> Todo:
    return Todo(
        todo_id=row["id"],
        lane=LaneKey.of(row),
        person_id=row["person_id"],
        state=row["state"],
        content=row["content"],
        due_on=row["due_on"],
        due_at=row["due_at"],
        trigger_id=row["trigger_id"],
        done_by=row["done_by"],
        created_at=row["created_at"],
        ended_at=row["ended_at"],
        list_key=row["list_key"],
        list_name=row["list_name"],
        series_id=row["series_id"],
        tainted=bool(row["tainted"]),
    )

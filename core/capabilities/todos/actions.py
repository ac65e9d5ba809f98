"""The actions that change a to-do list, for people's commands and for the tools of models.

Each locks the head of the ledger first, which it needs in the end anyway: so the items that it looks at stay the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.capabilities.todos import lists
from core.capabilities.todos import repository as todos
from core.capabilities.todos.due import read_due, remind
from core.capabilities.todos.items import (
    CANDIDATES,
    ItemCandidate,
    ItemEntry,
    by_id,
    candidates,
    check_room,
    clean,
    context_of,
    entry,
    is_of_others,
    is_sure,
    note_undo_of,
    open_meant,
    ref,
    reloaded,
)
from core.capabilities.todos.references import refer
from core.capabilities.todos.repository import ItemState, Todo
from core.kernel import ids
from core.kernel.errors import Refused
from core.kernel.ports import Tx
from core.kernel.types import Role
from core.language import pick
from core.toolkit.action import Action, action, note_undo
from core.toolkit.tool import ToolContext

RAW, DUPLICATE, ALREADY = "reference_unresolved_write_raw", "duplicate", "already_done"
# From which state to which an action brings an item.
_TURNS = {
    "complete": (ItemState.OPEN, ItemState.DONE),
    "reopen": (ItemState.DONE, ItemState.OPEN),
    "restore": (ItemState.REMOVED, ItemState.OPEN),
}


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """An item to be added. `people` are names of who is to do it; `due` is a date, an instant or empty; `on` are the
    words that name a list, empty for the usual one."""

    content: str
    people: Sequence[str] = ()
    due: str = ""
    on: str = ""


@dataclass(frozen=True, kw_only=True)
class _OfItem:
    """The result of an action on one item: its `entry`; or the `candidates` when several may be meant, and how many
    `more` there are. It is `tainted` when one of them has words of others."""

    entry: ItemEntry | None = None
    candidates: Sequence[ItemCandidate] = ()
    more: int = 0
    undo: str = ""

    @property
    def tainted(self) -> bool:
        return any(one is not None and one.tainted for one in (self.entry, *self.candidates))


@dataclass(frozen=True, kw_only=True)
class Updated(_OfItem):
    """The result of adding or completing an item."""

    warnings: Sequence[str] = ()


@dataclass(frozen=True, kw_only=True)
class Changed(_OfItem):
    """The result of a change: `status` is changed, already (the item is so, or cannot become so), unknown or
    several."""

    status: str


@dataclass(frozen=True, kw_only=True)
class Several:
    """The result of adding several items. `added` counts the new ones: others were there already. It is `tainted` when
    one of them has words of others."""

    added: int
    entries: Sequence[ItemEntry]
    warnings: Sequence[str] = ()
    undo: str = ""

    @property
    def tainted(self) -> bool:
        return any(one.tainted for one in self.entries)


@dataclass(frozen=True, kw_only=True)
class Many:
    """The result of changing several items at once. It is `tainted` when one has words of others."""

    count: int
    tainted: bool = False
    undo: str = ""


def _add(
    tx: Tx, context: ToolContext, content: str, people: Sequence[str] = (), due: str = "", on: str = ""
) -> Updated:
    """Put an item on a list; if it is there already, a warning says so."""
    _hold(tx, context)
    todo, warnings = _insert(tx, context, Wanted(content=content, people=people, due=due, on=on))
    undo = "" if DUPLICATE in warnings else note_undo_of(tx, context, todo, "add")
    return Updated(entry=entry(context, todo), warnings=warnings, undo=undo)


def _complete(tx: Tx, context: ToolContext, content: str) -> Updated:
    """Complete an open item by its id or its words."""
    context = context_of(tx, context, content, "todo_update")
    _hold(tx, context)
    if not content.strip():
        raise Refused("todo_usage")
    todo = by_id(tx, context.lane, content)
    if todo is None or todo.state == ItemState.REMOVED:
        found = open_meant(tx, context.lane, content)
        if not is_sure(content, found):
            return Updated(candidates=candidates(found), more=max(0, len(found) - CANDIDATES))
        todo = found[0]
    if not todos.move(tx, todo, ItemState.DONE, context.clock.now(), context.principal.person_id):
        return Updated(entry=entry(context, todo), warnings=[ALREADY])
    done = reloaded(tx, todo)
    remind(tx, context, done)
    return Updated(entry=entry(context, done), undo=note_undo_of(tx, context, done, "complete"))


# In the ledger both have the name of the tool that models have.
add, complete = Action("todo_update", "todo", _add), Action("todo_update", "todo", _complete)


def _hold(tx: Tx, context: ToolContext) -> None:
    tx.lock(("ledger_head", context.lane.tenant_id))


def _insert(tx: Tx, context: ToolContext, wanted: Wanted) -> tuple[Todo, list[str]]:
    """Put an item on a list unless it is there; return it with warnings."""
    due_on, due_at = read_due(context, wanted.due)
    named = refer(tx, context, clean(wanted.content), wanted.people)
    lane, warnings = context.lane, [RAW] if named.raw else []
    place = lists.named(wanted.on)
    known = todos.same(
        tx, lane, named.content, contacts=named.contacts, due_on=due_on, due_at=due_at, list_key=place.key
    )
    if known is not None:
        return known, [*warnings, DUPLICATE]
    check_room(tx, context)
    now, person_id = context.clock.now(), context.principal.person_id
    made = todos.insert(
        tx,
        lane,
        person_id,
        named.content,
        due_on=due_on,
        due_at=due_at,
        now=now,
        list_key=place.key,
        list_name=place.name,
        tainted=is_of_others(tx, context, named.content) or _is_called_by_others(tx, context, place),
    )
    todos.assign(tx, lane, made, named.contacts)
    todo = todos.find(tx, lane, made)
    assert todo is not None
    remind(tx, context, todo)
    return todo, warnings


def _is_called_by_others(tx: Tx, context: ToolContext, place: lists.NamedList) -> bool:
    """Return whether a model puts an item on a list whose name may have words of others."""
    if context.role is Role.PERSON or not place.name:
        return False
    there = next((one for one in todos.lists_of(tx, context.lane) if one.key == place.key), None)
    return is_of_others(tx, context, place.name) if there is None else there.tainted


@action("todo")
def todo_add_several(tx: Tx, context: ToolContext, items: Sequence[Wanted]) -> Several:
    """Add several items at once; all are taken back together."""
    _hold(tx, context)
    found = [_insert(tx, context, item) for item in items]
    new = [todo for todo, warnings in found if DUPLICATE not in warnings]
    return Several(
        added=len(new),
        entries=[entry(context, todo) for todo, _ in found],
        warnings=sorted({warning for _, some in found for warning in some}),
        undo=_all_back(tx, context, new, "several", "remove"),
    )


@action("todo")
def todo_change_many(tx: Tx, context: ToolContext, action: str, todo_ids: Sequence[str] = ()) -> Many:
    """Remove, complete, restore or reopen these items at once, as the `action` says; without any, all open ones.

    Items that cannot be changed so any more stay as they are.
    """
    _hold(tx, context)
    named = [by_id(tx, context.lane, todo_id) for todo_id in todo_ids]
    items = [todo for todo in named if todo is not None] if todo_ids else todos.open_of(tx, context.lane)
    changed = []
    for todo in items:
        if (todo.state != ItemState.DONE or action == "reopen") and _turn(tx, context, todo, action):
            remind(tx, context, reloaded(tx, todo))
            changed.append(todo)
    change, back_to = ("done", "reopen") if action == "complete" else ("clear", "restore")
    undo = _all_back(tx, context, changed, change, back_to)
    return Many(count=len(changed), tainted=any(todo.tainted for todo in changed), undo=undo)


def _all_back(tx: Tx, context: ToolContext, items: Sequence[Todo], change: str, action: str) -> str:
    """Note how a change of several items is taken back; return the id of the undo."""
    if not items:
        return ""
    label = pick(context.language).many(f"undo_todo_{change}", len(items))
    ids_of = [ref(todo) for todo in items]
    return note_undo(tx, context, label, "todo_change_many", action=action, todo_ids=ids_of).get("undo", "")


@action("todo")
def todo_change(
    tx: Tx,
    context: ToolContext,
    todo_id: str,
    *,
    action: str,
    content: str | None = None,
    due: str | None = None,
    people: Sequence[str] = (),
) -> Changed:
    """Change a to-do by its id: complete, reopen, remove, restore, edit or assign it; one to be removed may be named by
    its words.

    Edit keeps what is not given, and an empty `due` removes that. Without `people` the item is for whoever noted it.
    """
    context = context_of(tx, context, todo_id, "todo_change")
    _hold(tx, context)
    todo = by_id(tx, context.lane, todo_id)
    if todo is None and action == "remove":
        found = open_meant(tx, context.lane, todo_id)
        if not is_sure(todo_id, found):
            return Changed(status="several", candidates=candidates(found), more=max(0, len(found) - CANDIDATES))
        todo = found[0]
    if todo is None or (todo.state == ItemState.REMOVED and action != "restore"):
        return Changed(status="unknown")
    former: dict[str, Any] = {}
    match action:
        case "edit":
            former = {"action": "edit", "content": todo.content, "due": entry(context, todo).due}
            done = _edit(tx, context, todo, content, due)
        case "assign":
            former = {"action": "assign", "people": [ids.ref("c", one.contact_id) for one in todo.assignees]}
            done = _assign(tx, context, todo, people)
        case _:
            done = _turn(tx, context, todo, action)
    changed = reloaded(tx, todo)
    if not done:
        return Changed(status="already", entry=entry(context, changed))
    remind(tx, context, changed, todo)
    return Changed(
        status="changed", entry=entry(context, changed), undo=note_undo_of(tx, context, todo, action, **former)
    )


def _turn(tx: Tx, context: ToolContext, todo: Todo, action: str) -> bool:
    """Bring an item into another state; False when that is not possible. An item that was done when it was removed is
    done again when it is restored."""
    former, state = _TURNS.get(action, (todo.state, ItemState.REMOVED))
    if action == "restore" and todo.done_by is not None:
        state = ItemState.DONE
    if todo.state != former:
        return False
    if state == ItemState.OPEN:
        check_room(tx, context)
    by = context.principal.person_id if action == "complete" else todo.done_by
    return todos.move(tx, todo, state, context.clock.now(), by)


def _edit(tx: Tx, context: ToolContext, todo: Todo, content: str | None, due: str | None) -> bool:
    words = todo.content
    if content is not None:
        words = content if context.undoing else refer(tx, context, clean(content), ()).content
    due_on, due_at = (todo.due_on, todo.due_at) if due is None else read_due(context, due)
    if (words, due_on, due_at) == (todo.content, todo.due_on, todo.due_at):
        return False
    tainted = None if words == todo.content else is_of_others(tx, context, words)
    todos.edit(tx, todo, content=words, due_on=due_on, due_at=due_at, tainted=tainted)
    return True


def _assign(tx: Tx, context: ToolContext, todo: Todo, people: Sequence[str]) -> bool:
    named = refer(tx, context, todo.content, people)
    if named.raw:
        raise Refused("todo_nobody")
    if set(named.contacts) == {one.contact_id for one in todo.assignees}:
        return False
    todos.assign(tx, todo.lane, todo.todo_id, named.contacts)
    return True

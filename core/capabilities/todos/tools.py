"""To-do tools: each scope has a list (TOOLS: Todo; names and error texts of seed 002)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from core.capabilities.links import service as linking
from core.capabilities.todos import repository as todos
from core.capabilities.todos.due import read_due, remind
from core.capabilities.todos.references import refer
from core.capabilities.todos.repository import ItemState, Todo
from core.capabilities.todos.service import MOST_OPEN, NEEDED, again, back, by_id, clean, entry, ref, room
from core.capabilities.todos.splitting import MOST_PARTS
from core.kernel import ids
from core.kernel.errors import ToolError
from core.kernel.ports import Tx
from core.kernel.types import Json, LaneKey, Role
from core.language import pick
from core.language.matching import is_part, matching
from core.scheduling.service import moment
from core.toolkit import undoable
from core.toolkit.params import Params
from core.toolkit.services import Services
from core.toolkit.tool import Effect, StateProvider, ToolContext, tool

CALLERS = (Role.TELLER, Role.PLANNER, Role.PERSON)
MOST_DONE, CANDIDATES = 200, 10
WIP, DONE = "TODO.WIP.md", "TODO.DONE.md"
NO_MATCH, AMBIGUOUS = f"no matching todo item in {WIP}", "ambiguous todo item match"
NOBODY = "not a contact of this chat, or several are called so"
RAW, DUPLICATE, ALREADY = "reference_unresolved_write_raw", "duplicate", "already_done"


def _names(value: Any) -> Any:
    if value is not None and not (isinstance(value, list) and all(isinstance(one, str) for one in value)):
        raise ValueError("people must be an array of strings")
    return value


People = Annotated[list[str] | None, BeforeValidator(_names)]


class UpdateParams(Params):
    """`content`: what to do, or (complete) the id or the words of an open item; `people`: who is to do it, nobody for
    who speaks; `due`: a date, or an instant that also reminds."""

    action: str = Field(json_schema_extra={"enum": ["add", "complete"]})
    content: str
    people: People = None
    due: str | None = None


@tool(*CALLERS, effect=Effect.WRITE, category="todo")
def todo_update(params: UpdateParams, context: ToolContext, tx: Tx) -> Json:
    """Add a to-do, or complete one by its id or its words.

    add needs people: names of who is to do it, [] for the speaker. due: a date (2026-11-27), or an instant
    (2026-11-27T17:00) at which they are reminded, too.
    """
    if params.action not in {"add", "complete"}:
        raise ToolError("todo_update", f"invalid action: {params.action[:40]!r}; use add or complete")
    if params.action == "complete":
        context = linking.behind(tx, context, params.content, "todo_update")
    _hold(tx, context)
    return _add(tx, context, params) if params.action == "add" else _complete(tx, context, params.content)


def _hold(tx: Tx, context: ToolContext) -> None:
    """Let nobody else write: each call that does locks the ledger's head in the end, so what is looked at stays so."""
    tx.lock(("ledger_head", context.lane.tenant_id))


def _add(tx: Tx, context: ToolContext, params: UpdateParams) -> Json:
    if params.people is None:
        raise ToolError("todo_update", "people is required for add action; [] when it is for the speaker")
    todo, warnings = _insert(tx, context, "todo_update", params.content, params.people, params.due or "")
    if DUPLICATE in warnings:
        return _updated(tx, context, "add", todo, warnings)
    return {**_updated(tx, context, "add", todo, warnings, wip_added=1), **back(tx, context, todo, "add")}


def _insert(
    tx: Tx, context: ToolContext, tool_name: str, content: str, people: Sequence[str], due: str
) -> tuple[Todo, list[str]]:
    """Put an item on the list, unless it is there; returns it with warnings."""
    due_on, due_at = read_due(context, tool_name, due)
    named = refer(tx, context, tool_name, clean(tool_name, content), people)
    lane, warnings = context.lane, [RAW] if named.raw else []
    known = todos.same(tx, lane, named.content, contacts=named.contacts, due_on=due_on, due_at=due_at)
    if known is not None:
        return known, [*warnings, DUPLICATE]
    room(tx, context, tool_name)
    now, person_id = context.clock.now(), context.principal.person_id
    made = todos.insert(tx, lane, person_id, named.content, due_on=due_on, due_at=due_at, now=now)
    todos.assign(tx, lane, made, named.contacts)
    todo = todos.find(tx, lane, made)
    assert todo is not None
    remind(tx, context, tool_name, todo)
    return todo, warnings


class Item(Params):
    """One of several new items; see `UpdateParams`."""

    content: str
    people: list[str] = Field(default_factory=list)
    due: str = ""


class SeveralParams(Params):
    """`items`: what is to be added, one to-do each."""

    items: list[Item] = Field(min_length=1, max_length=MOST_PARTS)


@tool(*CALLERS, effect=Effect.WRITE, category="todo")
def todo_add_several(params: SeveralParams, context: ToolContext, tx: Tx) -> Json:
    """Add several to-dos at once, each with people and due as in todo_update; all are taken back together."""
    _hold(tx, context)
    found = [_insert(tx, context, "todo_add_several", item.content, item.people, item.due) for item in params.items]
    new = [todo for todo, warnings in found if DUPLICATE not in warnings]
    entries = [entry(context, todo) for todo, _ in found]
    warnings = sorted({warning for _, some in found for warning in some})
    return {"added": len(new), "entries": entries, "warnings": warnings, **_all_back(tx, context, new, "several")}


class ManyParams(Params):
    """`todo_ids` are to be removed or restored; without any, all that is open is removed."""

    action: Literal["remove", "restore"]
    todo_ids: list[str] = Field(default_factory=list, max_length=MOST_OPEN)


@tool(Role.PERSON, effect=Effect.WRITE, category="todo")
def todo_change_many(params: ManyParams, context: ToolContext, tx: Tx) -> Json:
    """Remove many to-dos at once, or bring them back; what became something else meanwhile stays as it is."""
    _hold(tx, context)
    named = [by_id(tx, context.lane, todo_id) for todo_id in params.todo_ids]
    items = [todo for todo in named if todo is not None] if params.todo_ids else todos.open_of(tx, context.lane)
    changed = []
    for todo in items:
        change = ChangeParams(todo_id=ref(todo), action=params.action)
        if todo.state != ItemState.DONE and _turn(tx, context, todo, change) is not None:
            remind(tx, context, "todo_change_many", again(tx, todo))
            changed.append(todo)
    return {"count": len(changed), **_all_back(tx, context, changed, "clear")}


def _all_back(tx: Tx, context: ToolContext, items: Sequence[Todo], change: Literal["several", "clear"]) -> Json:
    """Note how new items, or the clearing of a list, are taken back together."""
    if not items:
        return {}
    label = pick(context.language).say(f"undo_todo_{change}", n=len(items))
    action = {"several": "remove", "clear": "restore"}[change]
    ids_of = [ref(todo) for todo in items]
    return undoable.note(tx, context, label, "todo_change_many", action=action, todo_ids=ids_of)


def _complete(tx: Tx, context: ToolContext, query: str) -> Json:
    if not query.strip():
        raise ToolError("todo_update", f"{NEEDED}: the id or the words of an open item")
    todo = by_id(tx, context.lane, query)
    if todo is None or todo.state == ItemState.REMOVED:
        found = _meant(tx, context, query)
        if not _sure(query, found):
            return {"ok": False, "action": "complete", "error": AMBIGUOUS, "candidates": _candidates(found)}
        todo = found[0]
    if not todos.move(tx, todo, "done", context.clock.now(), context.principal.person_id):
        return _updated(tx, context, "complete", todo, [ALREADY])
    done = again(tx, todo)
    remind(tx, context, "todo_update", done)
    told = _updated(tx, context, "complete", done, wip_removed=1, done_added=1)
    return {**told, **back(tx, context, done, "complete")}


def _meant(tx: Tx, context: ToolContext, query: str) -> list[Todo]:
    """The open items that words may mean. Several are for a person to choose from; a model is told to."""
    items, person = todos.open_of(tx, context.lane), context.role is Role.PERSON
    found = matching(query, items)
    if not found:
        raise ToolError("todo_update", NO_MATCH if person else f"{NO_MATCH}; open items: {_listed(items)}")
    if not person and not _sure(query, found):
        raise ToolError("todo_update", f"{AMBIGUOUS}; candidates: {_listed(found)}")
    return found


def _sure(query: str, found: Sequence[Todo]) -> bool:
    """Whether words mean one item, and all that it enumerates."""
    return len(found) == 1 and not is_part(query, found[0].text)


def _candidates(items: Sequence[Todo]) -> list[dict[str, str]]:
    return [{"id": ref(one), "content": one.content[:100]} for one in items[:CANDIDATES]]


def _listed(items: Sequence[Todo]) -> str:
    shown = json.dumps(_candidates(items), ensure_ascii=False)
    return f"{shown}. Call again with the id of the one that is meant" if items else "none"


def _updated(
    tx: Tx, context: ToolContext, action: str, todo: Todo, warnings: Sequence[str] = (), **changed: int
) -> dict[str, Any]:
    open_count, done_count = todos.counts(tx, context.lane)
    told: dict[str, Any] = {
        "ok": True,
        "action": action,
        "updated_counts": {"open_count": open_count, "done_count": done_count},
        "changed": {"wip_added": 0, "wip_removed": 0, "done_added": 0, **changed},
        "entry": entry(context, todo),
    }
    return {**told, "warnings": list(warnings)} if warnings else told


class ListParams(Params):
    """`scope`: wip (what is open), done, or both."""

    scope: str = Field(default="wip", json_schema_extra={"enum": ["wip", "done", "both"]})


@tool(*CALLERS, idempotent=True, category="todo")
async def todo_list(params: ListParams, context: ToolContext) -> Json:
    """The to-dos of this chat: what is open (wip), done, or both."""
    if params.scope not in {"wip", "done", "both"}:
        raise ToolError("todo_list", f"invalid scope: {params.scope[:40]!r}; use wip, done or both")

    def look(tx: Tx) -> Json:
        wip = todos.open_of(tx, context.lane) if params.scope != "done" else []
        done = todos.done_of(tx, context.lane, limit=MOST_DONE) if params.scope != "wip" else []
        open_count, done_count = todos.counts(tx, context.lane)
        return {
            "scope": params.scope,
            "open_count": open_count,
            "done_count": done_count,
            "wip_items": [entry(context, one) for one in wip],
            "done_items": [entry(context, one) for one in done],
            "wip_path": WIP,
            "done_path": DONE,
            "generated_at": moment(context.clock.now(), context.zone),
        }

    return await context.db.read(look)


class ChangeParams(Params):
    """`todo_id`: such as t12ab34. For edit `content` and `due` (empty: none), what is not given stays; for assign
    `people`."""

    todo_id: str
    action: Literal["complete", "reopen", "remove", "restore", "edit", "assign"]
    content: str | None = None
    due: str | None = None
    people: People = None


@tool(Role.PERSON, effect=Effect.WRITE, category="todo")
def todo_change(params: ChangeParams, context: ToolContext, tx: Tx) -> Json:
    """Change a to-do. `status` is changed, already (it is so, or cannot become so from what it is), unknown or several.

    What is to be removed may be named by its words.
    """
    context = linking.behind(tx, context, params.todo_id, "todo_change")
    _hold(tx, context)
    todo = by_id(tx, context.lane, params.todo_id)
    if todo is None and params.action == "remove":
        found = _meant(tx, context, params.todo_id)
        if not _sure(params.todo_id, found):
            return {"status": "several", "candidates": _candidates(found)}
        todo = found[0]
    if todo is None or (todo.state == ItemState.REMOVED and params.action != "restore"):
        return {"status": "unknown"}
    undo = _CHANGES.get(params.action, _turn)(tx, context, todo, params)
    changed = again(tx, todo)
    shown = {"entry": entry(context, changed), "text": changed.text}
    if undo is None:
        return {"status": "already", **shown}
    remind(tx, context, "todo_change", changed)
    return {"status": "changed", **shown, **back(tx, context, todo, params.action, **undo)}


# From which states to which.
_TURNS = {"complete": ("open", "done"), "reopen": ("done", "open"), "restore": ("removed", "open")}


def _turn(tx: Tx, context: ToolContext, todo: Todo, params: ChangeParams) -> dict[str, Any] | None:
    """Another state; None when it cannot be. What was done when it was removed is done again when it is restored."""
    former, state = _TURNS.get(params.action, (todo.state, "removed"))
    if params.action == "restore" and todo.done_by is not None:
        state = "done"
    if todo.state != former:
        return None
    if state == "open":
        room(tx, context, "todo_change")
    by = context.principal.person_id if params.action == "complete" else todo.done_by
    return {} if todos.move(tx, todo, state, context.clock.now(), by) else None


def _edit(tx: Tx, context: ToolContext, todo: Todo, params: ChangeParams) -> dict[str, Any] | None:
    content = todo.content
    if params.content is not None:
        content = params.content if context.undoing else _checked(tx, context, params.content)
    due_on, due_at = todo.due_on, todo.due_at
    if params.due is not None:
        due_on, due_at = read_due(context, "todo_change", params.due)
    if (content, due_on, due_at) == (todo.content, todo.due_on, todo.due_at):
        return None
    todos.edit(tx, todo, content=content, due_on=due_on, due_at=due_at)
    former = entry(context, todo).get("due", "")
    return {"action": "edit", "content": todo.content, "due": former}


def _checked(tx: Tx, context: ToolContext, content: str) -> str:
    return refer(tx, context, "todo_change", clean("todo_change", content), ()).content


def _assign(tx: Tx, context: ToolContext, todo: Todo, params: ChangeParams) -> dict[str, Any] | None:
    """Nobody of `people`: whoever noted it."""
    if params.people is None:
        raise ToolError("todo_change", "people is required for assign action; [] for nobody")
    named = refer(tx, context, "todo_change", todo.content, params.people)
    if named.raw:
        raise ToolError("todo_change", f"{NOBODY}; contacts_list shows who is")
    if set(named.contacts) == {one.contact_id for one in todo.assignees}:
        return None
    todos.assign(tx, todo.lane, todo.todo_id, named.contacts)
    return {"action": "assign", "people": [ids.ref("c", one.contact_id) for one in todo.assignees]}


_CHANGES = {"edit": _edit, "assign": _assign}


class TodoState(StateProvider):
    """The state provider `todo`: what is open in the scope that asks, by number and the first of it."""

    name = "todo"
    roles = frozenset(CALLERS)

    def read(self, tx: Tx, lane: LaneKey) -> Json:
        """The state as JSON."""
        open_count, done_count = todos.counts(tx, lane)
        items = [{"id": ref(one), "content": one.content} for one in todos.open_of(tx, lane)]
        return {"open_count": open_count, "done_count": done_count, "open_items": items}


def states(services: Services) -> Sequence[StateProvider]:
    """Return what `query_state` tells about to-dos."""
    return (TodoState(),)

"""To-do tools: each scope has a list (TOOLS: Todo; names and error texts of seed 002)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from core.capabilities.contacts import service as addressing
from core.capabilities.todos import actions
from core.capabilities.todos import repository as todos
from core.capabilities.todos.actions import DUPLICATE, Updated, Wanted
from core.capabilities.todos.due import MOST_REMINDERS
from core.capabilities.todos.items import (
    LONGEST,
    MOST_OPEN,
    ItemCandidate,
    ItemEntry,
    by_id,
    candidates,
    entry,
    is_sure,
    open_meant,
    ref,
)
from core.capabilities.todos.references import MOST_PEOPLE
from core.capabilities.todos.repository import Todo
from core.capabilities.todos.splitting import MOST_PARTS
from core.kernel.errors import Refused, ToolError
from core.kernel.ports import Tx
from core.kernel.types import Json, LaneKey, Role
from core.scheduling.service import moment
from core.toolkit.params import Params
from core.toolkit.services import Services
from core.toolkit.tool import Effect, StateProvider, ToolContext, told_to_model, tool

CALLERS = (Role.TELLER, Role.PLANNER)
MOST_DONE = 200
WIP, DONE = "TODO.WIP.md", "TODO.DONE.md"
NO_MATCH, AMBIGUOUS = f"no matching todo item in {WIP}", "ambiguous todo item match"
NEEDED = "content is required"
# What a model is told to change, by the code of what was refused.
TOLD = {
    "todo_long": (
        f"content is too long: {{count}} characters, at most {LONGEST}; shorten it, or make several items of it"
    ),
    "todo_usage": f"{NEEDED}: what is to be done",
    "todo_full": f"the list is full: {MOST_OPEN} open items; complete or remove some first",
    "todo_no_time": (
        "invalid due: {due!r}; give a date such as 2026-11-27, or an instant such as 2026-11-27T17:00+01:00"
    ),
    "todo_no_such_year": "invalid due: {due!r}; the first year is 1970, the last one 9998",
    "todo_reminders_full": f"at most {MOST_REMINDERS} active reminders; give a date without a time, or cancel some",
    "too_many_people": f"at most {MOST_PEOPLE} people, not {{count}}",
    "todo_reference": "invalid reference id: {reference}; write tg:1001, tg:@name or slack:T1:U2",
    **addressing.UNASKED,
    "todo_reference_unknown": "reference id is not reachable: {reference}; contacts_list shows who is",
}


def _names(value: Any) -> Any:
    if value is not None and not (isinstance(value, list) and all(isinstance(one, str) for one in value)):
        raise ValueError("people must be an array of strings")
    return value


People = Annotated[list[str] | None, BeforeValidator(_names)]


class UpdateParams(Params):
    """`content`: what to do, or (complete) the id or the words of an open item; `people`: who is to do it, nobody for
    who speaks; `due`: a date, or an instant that also reminds; `list`: the name of the list that it goes on."""

    action: str = Field(json_schema_extra={"enum": ["add", "complete"]})
    content: str
    people: People = None
    due: str | None = None
    list: str = ""


@tool(*CALLERS, effect=Effect.WRITE, category="todo")
def todo_update(params: UpdateParams, context: ToolContext, tx: Tx) -> Json:
    """Add a to-do, or complete one by its id or its words.

    add needs people: names of who is to do it, [] for the speaker. due: a date (2026-11-27), or an instant
    (2026-11-27T17:00) at which they are reminded, too.
    """
    if params.action not in {"add", "complete"}:
        raise ToolError("todo_update", f"invalid action: {params.action[:40]!r}; use add or complete")
    if params.action == "complete":
        return _complete(tx, context, params.content)
    if params.people is None:
        raise ToolError("todo_update", "people is required for add action; [] when it is for the speaker")
    people, due = params.people, params.due or ""
    with told_to_model("todo_update", TOLD):
        made = actions.add(tx, context, params.content, people, due, params.list)
    return _updated(tx, context, "add", made, wip_added=int(DUPLICATE not in made.warnings))


def _complete(tx: Tx, context: ToolContext, query: str) -> Json:
    """Complete an item by its id, or by words that mean it surely: several are for the model to choose from."""
    if not query.strip():
        raise ToolError("todo_update", f"{NEEDED}: the id or the words of an open item")
    try:
        found = [] if by_id(tx, context.lane, query) else open_meant(tx, context.lane, query)
    except Refused as refusal:
        items = _listed(todos.open_of(tx, context.lane))
        raise ToolError("todo_update", f"{NO_MATCH}; open items: {items}") from refusal
    if found and not is_sure(query, found):
        raise ToolError("todo_update", f"{AMBIGUOUS}; candidates: {_listed(found)}")
    try:
        made = actions.complete(tx, context, query)
    except Refused as refusal:
        raise ToolError("todo_update", f"{NO_MATCH}: that item was removed") from refusal
    done = int(not made.warnings)
    return _updated(tx, context, "complete", made, wip_removed=done, done_added=done)


Names = list[str]


class Item(Params):
    """One of several new items; see `UpdateParams`."""

    content: str
    people: Names = Field(default_factory=Names)
    due: str = ""
    list: str = ""


class SeveralParams(Params):
    """`items`: what is to be added, one to-do each."""

    items: list[Item] = Field(min_length=1, max_length=MOST_PARTS)


@tool(*CALLERS, effect=Effect.WRITE, category="todo")
def todo_add_several(params: SeveralParams, context: ToolContext, tx: Tx) -> Json:
    """Add several to-dos at once, each with people, due and list as in todo_update; all are taken back together."""
    items = [Wanted(content=item.content, people=item.people, due=item.due, on=item.list) for item in params.items]
    with told_to_model("todo_add_several", TOLD):
        made = actions.todo_add_several(tx, context, items)
    return {"added": made.added, "entries": [_told(one) for one in made.entries], "warnings": list(made.warnings)}


def _told(entry: ItemEntry | ItemCandidate) -> dict[str, Any]:
    return {name: value for name, value in asdict(entry).items() if value}


def _listed(items: Sequence[Todo]) -> str:
    shown = json.dumps([_told(one) for one in candidates(items)], ensure_ascii=False)
    return f"{shown}. Call again with the id of the one that is meant" if items else "none"


def _updated(tx: Tx, context: ToolContext, action: str, made: Updated, **changed: int) -> dict[str, Any]:
    open_count, done_count = todos.counts(tx, context.lane)
    told: dict[str, Any] = {
        "ok": True,
        "action": action,
        "updated_counts": {"open_count": open_count, "done_count": done_count},
        "changed": {"wip_added": 0, "wip_removed": 0, "done_added": 0, **changed},
        "entry": {} if made.entry is None else _told(made.entry),
    }
    return {**told, "warnings": list(made.warnings)} if made.warnings else told


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
            "wip_items": [_told(entry(context, one)) for one in wip],
            "done_items": [_told(entry(context, one)) for one in done],
            "wip_path": WIP,
            "done_path": DONE,
            "generated_at": moment(context.clock.now(), context.zone),
            **_taint([*wip, *done]),
        }

    return await context.db.read(look)


def _taint(found: Sequence[Todo]) -> dict[str, Json]:
    """Say that others' words are among it: the run that reads them is tainted from then on."""
    return {"tainted": True} if any(one.tainted for one in found) else {}


class TodoState(StateProvider):
    """The state provider `todo`: what is open in the scope that asks, by number and the first of it."""

    name = "todo"
    roles = frozenset(CALLERS)

    def read(self, tx: Tx, lane: LaneKey) -> Json:
        """Return the state as JSON."""
        open_count, done_count = todos.counts(tx, lane)
        found = todos.open_of(tx, lane)
        items = [{"id": ref(one), "content": one.content} for one in found]
        return {"open_count": open_count, "done_count": done_count, "open_items": items, **_taint(found)}


def states(services: Services) -> Sequence[StateProvider]:
    """Return what `query_state` tells about to-dos."""
    return (TodoState(),)

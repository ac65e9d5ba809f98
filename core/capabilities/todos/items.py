"""What the actions on to-dos share: checking texts, finding items, their shape in results, and noting undos."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.capabilities.todos import repository as todos
from core.capabilities.todos.repository import ItemState, Todo
from core.kernel import ids
from core.kernel.clean_text import one_line
from core.kernel.errors import Refused
from core.kernel.markdown import folded, literal
from core.kernel.own_words import says
from core.kernel.ports import Row, Tx
from core.kernel.types import LaneKey, Role
from core.language import pick
from core.language.lines import cut
from core.language.matching import is_part, matching
from core.scheduling.service import SHOWN, moment
from core.store.conversation import history, undo
from core.store.conversation.keyboards import by_message
from core.toolkit.acting_as import group_member, linked_person
from core.toolkit.action import note_undo
from core.toolkit.former_lines import undos
from core.toolkit.tool import ToolContext

LONGEST, MOST_OPEN = 1_000, 1_000
CANDIDATES = 10
# The action of `todo_change` that takes a change back.
TAKEN_BACK = {"add": "remove", "complete": "reopen", "reopen": "complete", "remove": "restore", "restore": "remove"}
# Actions by which an undo takes back what was added.
CHANGES = frozenset({"todo_change", "todo_change_many"})


@dataclass(frozen=True, kw_only=True)
class ItemCandidate:
    """An item that may be meant; `tainted` when it has words of others."""

    id: str
    content: str
    tainted: bool = False


@dataclass(frozen=True, kw_only=True)
class ItemEntry(ItemCandidate):
    """A to-do in a result; its times are texts in the zone of who asks, or empty."""

    created_at: str = ""
    done_at: str = ""
    due: str = ""


def clean(content: str) -> str:
    """Return a text as one line without control characters. Raises `Refused` when it is empty or too long."""
    if len(content) > LONGEST:
        raise Refused("todo_long", count=len(content))
    text = one_line(content)
    if not text:
        raise Refused("todo_usage")
    return text


def check_room(tx: Tx, context: ToolContext) -> None:
    """Raise `Refused` when the scope's list has no room for one more open item."""
    if todos.counts(tx, context.lane)[0] >= MOST_OPEN:
        raise Refused("todo_full")


def open_meant(tx: Tx, lane: LaneKey, query: str) -> Sequence[Todo]:
    """Return the open items that words may mean. Raises `Refused` when there is none."""
    found = matching(query, todos.open_of(tx, lane))
    if not found:
        raise Refused("todo_no_match", text=cut(query))
    return found


def is_sure(query: str, found: Sequence[Todo]) -> bool:
    """Return whether words mean one item, and the whole of it."""
    return len(found) == 1 and not is_part(query, found[0].text)


def candidates(items: Sequence[Todo]) -> list[ItemCandidate]:
    """Return the first of several items as candidates."""
    return [ItemCandidate(id=ref(one), content=one.content[:100], tainted=one.tainted) for one in items[:CANDIDATES]]


def ref(todo: Todo) -> str:
    """Return the id that people see."""
    return ids.ref("t", todo.todo_id)


def by_id(tx: Tx, lane: LaneKey, text: str) -> Todo | None:
    """Return the to-do of the scope with this id, in any state; None where there is none."""
    number = ids.number("t", text[:40])
    return None if number is None else todos.find(tx, lane, number)


def context_of(tx: Tx, context: ToolContext, text: str, tool: str) -> ToolContext:
    """Return the context of the chat in which there is a to-do with this id: of somebody with whom the principal is
    linked, of a group that they are `inside`, else their own. `tool` names what changes the to-do."""
    linked = linked_person(tx, context, todos.find, "t", text, tool)
    return linked or group_member(tx, context, todos.find, "t", text) or context


def is_of_others(tx: Tx, context: ToolContext, content: str) -> bool:
    """Return whether a text may have words of others: a model that has read such says it, and its person has not said
    the same; or a person takes it out of a message that they forward or quote."""
    if context.role is not Role.PERSON:
        return context.is_tainted(tx) and not says(context.heard, content)
    said = context.said
    if said is None or said.forwarded:
        return said is not None
    if not said.quoted or folded(content) not in folded(said.quoted):
        return False
    return history.quotes_others(tx, context.lane, context.principal.person_id, said.quoted)


def reloaded(tx: Tx, todo: Todo) -> Todo:
    """Return a to-do as it is now."""
    found = todos.find(tx, todo.lane, todo.todo_id)
    assert found is not None
    return found


def entry(context: ToolContext, todo: Todo) -> ItemEntry:
    """Return a to-do as a result has it, with references to who is to do it behind its text."""
    done_at = todo.ended_at if todo.state == ItemState.DONE else None
    return ItemEntry(
        id=ref(todo),
        content=with_references(todo),
        tainted=todo.tainted,
        created_at=moment(todo.created_at, context.zone),
        done_at=moment(done_at, context.zone) if done_at is not None else "",
        due=todo.due_on or (moment(todo.due_at, context.zone) if todo.due_at is not None else ""),
    )


def with_references(todo: Todo) -> str:
    """Return the content of a to-do, with references to those who are to do it and whom it does not name."""
    others = [one for one in todo.assignees if not one.address or f"({one.address})" not in todo.content]
    names = [f"{one.name} ({one.address})" if one.address else one.name for one in others]
    return f"{todo.content} — {', '.join(names)}" if names else todo.content


def note_undo_of(tx: Tx, context: ToolContext, todo: Todo, change: str, **arguments: Any) -> str:
    """Note how a change of a to-do is taken back: by the opposite action, or with these `arguments`. Return the id of
    the undo, which is empty for a model."""
    label = pick(context.language).say(f"undo_todo_{change}", text=literal(todo.text[:SHOWN]))
    call = arguments or {"action": TAKEN_BACK[change]}
    about = f"todo:{todo.todo_id}"
    noted = note_undo(tx, context, label, "todo_change", about=about, todo_id=ref(todo), **call)
    return noted.get("undo", "")


def added_by(row: Row | None) -> list[str]:
    """Return the ids of the items whose adding an undo takes back; none where it takes back anything else."""
    if row is None or row["tool"] not in CHANGES:
        return []
    call = json.loads(row["arguments"])
    return list(call.get("todo_ids") or [call["todo_id"]]) if call.get("action") == "remove" else []


def put_there(tx: Tx, lane: LaneKey, platform_id: str) -> list[str]:
    """Return the ids of the items, open still, of which a message of the bot says that they are new on the list."""
    found = [undo.of_scope(tx, lane, ids.number("u", one) or 0) for one in undos(by_message(tx, lane, platform_id))]
    added = [one for row in found for one in added_by(row)]
    items = [todos.find(tx, lane, ids.number("t", one) or 0) for one in added]
    return [one for one, item in zip(added, items, strict=True) if item is not None and item.state == ItemState.OPEN]

"""To-dos as tools take and tell them: their texts, their shape in results, and how each change is taken back."""

from __future__ import annotations

from typing import Any

from core.capabilities.todos import repository as todos
from core.capabilities.todos.repository import ItemState, Todo
from core.kernel import ids
from core.kernel.clean_text import one_line
from core.kernel.errors import ToolError
from core.kernel.markdown import literal
from core.kernel.ports import Tx
from core.kernel.types import LaneKey
from core.language import pick
from core.scheduling.service import SHOWN, moment
from core.toolkit import undoable
from core.toolkit.tool import ToolContext

LONGEST, MOST_OPEN = 1_000, 1_000
LONG, FULL, NEEDED = "content is too long", "the list is full", "content is required"
# What a change is taken back by: the action of `todo_change`.
TAKEN_BACK = {"add": "remove", "complete": "reopen", "reopen": "complete", "remove": "restore", "restore": "remove"}


def clean(tool: str, content: str) -> str:
    """One line of what is to be done, without control characters. Raises `ToolError` when nothing, or too much."""
    if len(content) > LONGEST:
        many = f"{len(content)} characters, at most {LONGEST}"
        raise ToolError(tool, f"{LONG}: {many}; shorten it, or make several items of it")
    text = one_line(content)
    if not text:
        raise ToolError(tool, f"{NEEDED}: what is to be done")
    return text


def room(tx: Tx, context: ToolContext, tool: str) -> None:
    """Raise `ToolError` when the scope's list has no room for one more open item."""
    if todos.counts(tx, context.lane)[0] >= MOST_OPEN:
        raise ToolError(tool, f"{FULL}: {MOST_OPEN} open items; complete or remove some first")


def ref(todo: Todo) -> str:
    """The id that is shown."""
    return ids.ref("t", todo.todo_id)


def by_id(tx: Tx, lane: LaneKey, text: str) -> Todo | None:
    """The to-do of the scope with this id, in any state."""
    number = ids.number("t", text[:40])
    return None if number is None else todos.find(tx, lane, number)


def again(tx: Tx, todo: Todo) -> Todo:
    """A to-do as it is now."""
    found = todos.find(tx, todo.lane, todo.todo_id)
    assert found is not None
    return found


def entry(context: ToolContext, todo: Todo) -> dict[str, str]:
    """A to-do in a result: who is to do it stands behind what is, as references."""
    shown = {"id": ref(todo), "created_at": moment(todo.created_at, context.zone)}
    if todo.state == ItemState.DONE and todo.ended_at is not None:
        shown["done_at"] = moment(todo.ended_at, context.zone)
    shown["content"] = told(todo)
    due = todo.due_on or (moment(todo.due_at, context.zone) if todo.due_at is not None else "")
    return {**shown, "due": due} if due else shown


def told(todo: Todo) -> str:
    """The content with references to those who are to do it and whom it does not name."""
    others = [one for one in todo.assignees if not one.address or f"({one.address})" not in todo.content]
    names = [f"{one.name} ({one.address})" if one.address else one.name for one in others]
    return f"{todo.content} — {', '.join(names)}" if names else todo.content


def back(tx: Tx, context: ToolContext, todo: Todo, change: str, **arguments: Any) -> dict[str, str]:
    """Note how a change of a to-do is taken back: by the action that belongs to it, or with these `arguments`."""
    label = pick(context.language).say(f"undo_todo_{change}", text=literal(todo.text[:SHOWN]))
    call = arguments or {"action": TAKEN_BACK[change]}
    return undoable.note(tx, context, label, "todo_change", about=f"todo:{todo.todo_id}", todo_id=ref(todo), **call)

"""How an assistant's model keeps a list: several changes in one call."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from pydantic import ConfigDict, Field

from core.capabilities.contacts.assistant import confirmed, for_whom, picked, whom
from core.capabilities.todos import intents as todo_intents
from core.capabilities.todos import repository as todos
from core.capabilities.todos.due import read_due as read_instant
from core.capabilities.todos.due import refuse_unasked
from core.capabilities.todos.items import by_id, candidates, is_sure, ref
from core.capabilities.todos.matching import untied
from core.capabilities.todos.parsing import read_due
from core.capabilities.todos.repository import Todo
from core.capabilities.todos.several import put_items, turn_several
from core.kernel.errors import Refused, ToolError
from core.kernel.intent import Intent
from core.kernel.ports import Tx
from core.kernel.replies import Reply
from core.kernel.types import Role
from core.language.matching import matching
from core.toolkit.params import Params
from core.toolkit.tool import Asks, Effect, Offered, ToolContext, tool

MOST = 20
Words = list[str]


class EditParams(Params):
    """`which`: an id or the words of an item; `text`: what it says now; `due`: until when, in words."""

    which: str
    text: str = ""
    due: str = ""


Edits = list[EditParams]


class TodoParams(Params):
    """Items by their words or ids, added ones in the person's own words, also with a day or time. `list`: shopping,
    packing …; `for`: whose the added ones are."""

    model_config = ConfigDict(populate_by_name=True, extra="forbid", frozen=True)
    spellings: ClassVar[dict[str, str]] = {"for": "for_"}

    add: Words = Field(default_factory=Words, max_length=MOST)
    done: Words = Field(default_factory=Words, max_length=MOST)
    remove: Words = Field(default_factory=Words, max_length=MOST)
    edit: Edits = Field(default_factory=Edits, max_length=MOST)
    list: str = Field(default="", max_length=60)
    for_: str = Field(default="", alias="for", max_length=80)


@tool(Role.TELLER, effect=Effect.ASKED, category="todo", offered=Offered.ALWAYS, matrix=False)
async def todo(params: TodoParams, context: ToolContext) -> Asks:
    """Change a to-do or shopping list, several items at once: `add` texts (a day may stand in them), others by id or
    words; `list` names one but the usual."""
    meant = await whom(context, [params.for_] if params.for_ else [])
    wishes: list[Intent] = []
    asked: list[Reply] = []
    if params.add:
        added = put_items.of(items=params.add, on=params.list, people=meant.names)
        await picked(context, "todo", meant)
        if meant.sure:
            wishes.append(added)
        else:
            asked.append(confirmed(context, "confirm_todo", added, name=params.for_, text=", ".join(params.add)))
    found = await context.db.read(
        lambda tx: [[_meant(tx, context, words) for words in some] for some in (params.done, params.remove)]
    )
    for action, some in zip(("complete", "remove"), found, strict=True):
        wishes += [turn_several.of(action=action, todos=[ref(one) for one in some])] if some else []
    items = await context.db.read(lambda tx: [_meant(tx, context, change.which) for change in params.edit])
    changes = [
        (item, act, words)
        for item, change in zip(items, params.edit, strict=True)
        for act, words in (("edit", change.text), ("due", change.due))
        if words
    ]
    waiting = await context.db.read(lambda tx: [_waits(tx, context, *change) for change in changes])
    for (item, act, words), waits in zip(changes, waiting, strict=True):
        wish = todo_intents.change(act, ref(item), words)
        if waits:
            text = for_whom(item.text, [one.name for one in item.assignees])
            asked.append(confirmed(context, "confirm_change", wish, text=text, change=words))
        else:
            wishes.append(wish)
    if not (wishes or asked):
        raise ToolError("todo", "nothing is asked for: give add, done, remove or edit")
    if len(asked) > 1:
        raise ToolError("todo", "the person has to be asked about each of these: call todo once for each")
    return Asks(intents=wishes, reply=next(iter(asked), None))


def _waits(tx: Tx, context: ToolContext, item: Todo, act: str, words: str) -> bool:
    """Return whether a change of an item waits for a button, since a model would reach somebody by it unasked."""
    changed = replace(item, content=words)
    try:
        if act == "due":
            day, at = read_instant(context, read_due(context, untied(words)) or "")
            changed = replace(item, due_on=day, due_at=at)
        refuse_unasked(tx, context, changed, item)
    except Refused:
        return True
    return False


def _meant(tx: Tx, context: ToolContext, words: str) -> Todo:
    """Return the open item that an id or words surely mean; raises `ToolError` with what there is to choose from."""
    known = by_id(tx, context.lane, words)
    if known is not None:
        return known
    items = todos.open_of(tx, context.lane)
    found = matching(words, items)
    if is_sure(words, found):
        return found[0]
    listed = ", ".join(f"{one.id} {one.content}" for one in candidates(found or items))
    raise ToolError("todo", f"{words!r} is no one item; which of these: {listed or 'the list is empty'}")

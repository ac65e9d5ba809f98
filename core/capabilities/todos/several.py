"""Commands and buttons about several items of the list at once: adding those of one message, clearing a list."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial

from core.capabilities.contacts.reaching import acquaint
from core.capabilities.todos import lists
from core.capabilities.todos import repository as todos
from core.capabilities.todos.actions import Wanted, todo_add_several, todo_change_many
from core.capabilities.todos.changes import choices
from core.capabilities.todos.items import by_id, ref
from core.capabilities.todos.lists import NamedList
from core.capabilities.todos.notices import current_item, which, whose_list_reply
from core.capabilities.todos.parsing import parse_item, parse_item_of_others
from core.capabilities.todos.repository import ItemState, open_of
from core.capabilities.todos.splitting import MOST_PARTS, items_of
from core.capabilities.todos.views import line_of
from core.kernel.clean_text import one_line
from core.kernel.markdown import folded
from core.kernel.ports import Tx
from core.kernel.replies import Reply
from core.language.lines import cut
from core.language.matching import matching
from core.scheduling.time_input import SIGN
from core.toolkit.command import Act, CommandRun, Confirms, intent


async def add_several(
    run: CommandRun, text: str, on: str = "", but: Collection[str] = frozenset(), *, others: bool = False
) -> Reply | Act | None:
    """Return the act that adds all items that a text lists to the list that the words `on` name; None when it is one
    item. Items whose folded text is in `but` are left out.

    A day or a name behind all items counts for each; one within an item, for that alone. A text that `others` wrote
    names nobody who is to do it.
    """
    # A list with a name mostly has things: "tent and stove" are two.
    goods = lists.named(on).key != ""
    parts = [part for part in items_of(text, goods=goods) if one_line(part)]
    if parts == parts[:1] or SIGN in text:
        return None
    if len(parts) > MOST_PARTS:
        return run.say("todo_many", count=len(parts))
    read = parse_item_of_others if others else parse_item
    whole = await read(run, text)
    if whole.again:
        return None
    if (whole.due or whole.people) and "\n" not in text and whole.content in " ".join(text.split()):
        left = items_of(whole.content, goods=goods)
        wanted = [Wanted(content=part, people=whole.people, due=whole.due, on=on) for part in left if left[1:]]
    else:
        wishes = [await read(run, part) for part in parts]
        if any(wished.again for wished in wishes):
            return None
        wanted = [Wanted(content=wished.content, people=wished.people, due=wished.due, on=on) for wished in wishes]
    await _acquaint(run, wanted)
    left_out = [item for item in wanted if folded(item.content) in but]
    if left_out and left_out == wanted:
        return run.reply("")
    return partial(_add, run, [item for item in wanted if item not in left_out]) if wanted else None


async def _acquaint(run: CommandRun, wanted: Sequence[Wanted]) -> None:
    """See that items with a time can remind whom they are for."""
    timed = [name for item in wanted if "T" in item.due for name in item.people]
    if timed and not run.group:
        await acquaint(run, tuple(dict.fromkeys(timed)))


def _add(run: CommandRun, items: Sequence[Wanted], tx: Tx) -> Reply:
    made = run.actor.act(tx, todo_add_several, items=items)
    found = {one.id: current_item(run, tx, one) for one in made.entries}
    lines = [line_of(run, todo) for todo in found.values() if todo is not None]
    return run.undoable(run.language.many("todo_added_several", len(lines), items="\n".join(lines)), made.undo)


def ask_clear(run: CommandRun, tx: Tx, on: str = "") -> Reply:
    """Ask whether all open items shall go off a list, or off the one that is nearly called so."""
    place, every = lists.named(on), todos.open_of(tx, run.context.lane)
    found = lists.on_named(every, on) if place.key else lists.on(every, "")
    if not found:
        return _empty(run, place)
    offers = [
        (run.language["todo_clear_yes"], clear_all.of(key=found[0].list_key, items=[ref(todo) for todo in found])),
        (run.language["todo_clear_no"], keep.of()),
    ]
    asked = run.language.many("todo_clear_ask", len(found))
    name = lists.of_todo(run.language, found[0])
    return run.reply(run.language.say("named", name=name, text=asked) if name else asked, offers=offers)


def _empty(run: CommandRun, place: NamedList) -> Reply:
    if not place.key:
        return run.reply(run.language["todo_empty"])
    return run.reply(run.language.say("list_empty", name=lists.called(run.language, place.key, place.name)))


def clear(run: CommandRun, tx: Tx, key: str = "", items: Sequence[str] = ()) -> Reply:
    """Take the open items off the list with this key; if `items` (ids) are given, only these."""
    found = lists.on(todos.open_of(tx, run.context.lane), key)
    off = [todo for todo in found if ref(todo) in items] if items else found
    if not off and not run.actor.replays(todo_change_many.name):
        return run.say("todo_kept") if found else _empty(run, NamedList(key, key))
    cleared = run.actor.act(tx, todo_change_many, action="remove", todo_ids=[ref(todo) for todo in off])
    if not cleared.count:
        return _empty(run, NamedList(key, key))
    cleared_all = len(found) == len(off)
    text = run.language.many("todo_cleared" if cleared_all else "todo_cleared_but", cleared.count)
    return run.undoable(text, cleared.undo)


@intent(
    "todos.clear_all",
    as_command="todo",
    confirms=Confirms(yes=("todo_clear_yes",), no="todo_clear_no", in_words=True),
)
def clear_all(run: CommandRun, tx: Tx, *, key: str = "", items: Sequence[str] = ()) -> Reply:
    """Take the items off a list that were open when it was asked; what was noted since stays. Buttons of former
    versions have no `items` and clear the whole list."""
    return whose_list_reply(run, clear(run, tx, key, items))


@intent("todos.put_items", as_command="todo", confirms=Confirms(yes=("assistant_yes",), in_words=True))
async def put_items(run: CommandRun, *, items: Sequence[str], on: str = "", people: Sequence[str] = ()) -> Act:
    """Add several items for these people, each with the day or time that it says."""
    wishes = [await parse_item(run, text) for text in items if one_line(text)]
    wanted = [
        Wanted(content=one.content, people=[*people, *one.people], due=one.due, on=on) for one in wishes if one.content
    ]
    await _acquaint(run, wanted)
    return partial(_add, run, wanted)


@intent("todos.many", as_command="todo")
def turn_several(run: CommandRun, tx: Tx, *, action: str, todos: Sequence[str], missing: Sequence[str] = ()) -> Reply:
    """Complete items at once, by their ids, or (`action` remove) take them off the list.

    `missing` are words that were said with them and mean no item surely: say which mean nothing here, and ask about
    those that may mean several.
    """
    turned = run.actor.act(tx, todo_change_many, action=action, todo_ids=list(todos))
    named = [todo for one in todos if (todo := by_id(tx, run.context.lane, one))]
    lines = [line_of(run, todo, box=todo.state == ItemState.DONE) for todo in named]
    key = "todo_done_several" if action == "complete" else "todo_removed_several"
    text = run.language.say(key, items="\n".join(lines)) if turned.count else run.language["todo_unknown"]
    left = open_of(tx, run.context.lane) if missing else []
    unclear = {one: found for one in missing if len(found := matching(one, left)) > 1}
    if nothing := [cut(one) for one in missing if one not in unclear]:
        text += "\n" + run.language.say("todo_none_called", text=run.language.listed(nothing))
    reply = run.undoable(text, turned.undo)
    if unclear:
        asked = which(run, tx, "done", choices([todo for found in unclear.values() for todo in found]))
        offers = (*reply.offers, *asked.offers)
        reply = replace(reply, text=f"{text}\n{asked.text}", offers=offers, once=False)
    return whose_list_reply(run, reply)


@intent("todos.keep", as_command="todo")
def keep(run: CommandRun, tx: Tx) -> Reply:
    """Leave the list as it is."""
    return whose_list_reply(run, run.say("todo_kept"))


INTENTS = (clear_all, put_items, turn_several, keep)

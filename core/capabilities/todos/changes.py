"""Commands and buttons that change one item of the list: /todo edit, due, assign and reopen, by its id or its words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from core.capabilities.todos import intents
from core.capabilities.todos import matching as todo_words
from core.capabilities.todos import repository as todos
from core.capabilities.todos.actions import todo_change
from core.capabilities.todos.items import LONGEST, ItemCandidate, ref
from core.capabilities.todos.matching import Meant
from core.capabilities.todos.notices import changed, page_of, split_id, which, whose_list
from core.capabilities.todos.other_chats import shown as shown_elsewhere
from core.capabilities.todos.parsing import NEVER, read_due
from core.capabilities.todos.repository import Todo
from core.capabilities.todos.views import LONGEST_LABEL, listed
from core.kernel import ids
from core.kernel.markdown import truncated
from core.kernel.ports import Tx
from core.kernel.replies import Reply
from core.language.lines import cut
from core.language.matching import is_part, matching
from core.toolkit import other_chats
from core.toolkit.command import Act, CommandRun, Confirms, IntentHandler, TimeWords, intent
from core.toolkit.intents import add
from core.toolkit.other_chats import named

SEVERAL = re.compile(r"[,，、;；]|\s+(?:and|und|和)\s+|(?<=[\u2e80-\u9fff])和(?=[\u2e80-\u9fff])")
ACTS = frozenset({"edit", "due", "assign"})


async def edit(run: CommandRun, rest: str) -> Reply | Act:
    """Give an item other words: "t12ab34 oat milk", "milk: oat milk"."""
    return await _change(run, "edit", rest)


async def due(run: CommandRun, rest: str) -> Reply | Act:
    """Set when an item is due: "t12ab34 Friday", "milk Friday"."""
    return await _change(run, "due", rest)


async def assign(run: CommandRun, rest: str) -> Reply | Act:
    """Set who is to do an item: "t12ab34 Bob", "milk @bob"."""
    return await _change(run, "assign", rest)


async def glued(run: CommandRun, act: str, rest: str) -> Reply | Act | None:
    """Carry out a change whose word has no space behind it, if all of it is said; None where that is unsure: "修改合同"
    may be an item of its own."""
    here = await run.context.db.read(lambda tx: todos.open_of(tx, run.context.lane))
    if act == "reopen":
        done = await run.context.db.read(lambda tx: todos.done_of(tx, run.context.lane))
        return await reopen(run, rest) if matching(rest, done) else None
    meant = _read(run, act, rest, here) if act in ACTS else None
    return await _do(run, act, meant) if meant is not None and meant.found and meant.change else None


async def _change(run: CommandRun, act: str, rest: str) -> Reply | Act:
    if not rest:
        return run.say("todo_usage")
    todo_id, change = split_id(rest)
    if todo_id:
        return _rework(run, act, todo_id, change) if change else await _ask(run, act, todo_id)
    here = await run.context.db.read(lambda tx: todos.open_of(tx, run.context.lane))
    meant = _read(run, act, rest, here)
    if meant.found:
        return await _do(run, act, meant)
    shown = await shown_elsewhere(run)
    theirs = _read(run, act, rest, [todo for source, todo in shown if not source.group])
    if theirs.found:
        return await _do(run, act, theirs)
    away = _read(run, act, rest, [todo for source, todo in shown if source.group]).found
    if away:
        place = next(named(source, run.language) for source, todo in shown if todo.todo_id == away[0].todo_id)
        return run.say("todo_there", item=cut(away[0].text), place=place)
    return _unknown(run, act, meant.words, rest)


def _read(run: CommandRun, act: str, rest: str, items: Sequence[Todo]) -> Meant:
    text = rest[: 2 * LONGEST]
    match act:
        case "due":
            return todo_words.due(text, items, lambda words: _time(run, words) is not None)
        case "assign":
            return todo_words.assigned(text, items)
    return todo_words.edited(text, items)


async def _do(run: CommandRun, act: str, meant: Meant) -> Reply | Act:
    """Change the item that is meant; ask which one it is, or what it shall become, where that is not clear."""
    if meant.unclear:
        return run.say("todo_edit_how")
    if len(meant.found) > 1 or is_part(meant.words, meant.found[0].text):
        shown = choices(meant.found)
        return lambda tx: which(run, tx, act, shown, meant.words, meant.change)
    (todo,) = meant.found
    return _rework(run, act, ref(todo), meant.change) if meant.change else await _ask(run, act, ref(todo), todo)


async def _ask(run: CommandRun, act: str, todo_id: str, todo: Todo | None = None) -> Reply:
    """Ask what an item shall become."""
    number = ids.number("t", todo_id) or 0
    todo = todo or await run.context.db.read(lambda tx: todos.find(tx, run.context.lane, number))
    if todo is None:
        return run.say("todo_unknown")
    question = run.language.say(f"todo_ask_{act}", item=cut(todo.text, LONGEST_LABEL))
    return replace(run.ask(question, _ANSWERED[act].asking("words", todo=todo_id)), foreign=todo.tainted)


@intent(intents.EDIT, as_command="todo", confirms=Confirms(yes=("assistant_yes",), in_words=True))
async def edit_answered(run: CommandRun, *, todo: str, words: str = "") -> Reply | Act:
    """Give an item other words, by its id; without any, ask for them."""
    return await _answered(run, "edit", todo, words)


@intent(intents.DUE, as_command="todo", confirms=Confirms(yes=("assistant_yes",), in_words=True))
async def due_answered(run: CommandRun, *, todo: str, words: TimeWords = "") -> Reply | Act:
    """Set when an item is due, by its id; without a time, ask for it."""
    return await _answered(run, "due", todo, words)


@intent(intents.ASSIGN, as_command="todo")
async def assign_answered(run: CommandRun, *, todo: str, words: str = "") -> Reply | Act:
    """Set who is to do an item, by its id; without anybody, ask who."""
    return await _answered(run, "assign", todo, words)


async def _answered(run: CommandRun, act: str, todo: str, words: str) -> Reply | Act:
    return whose_list(run, _rework(run, act, todo, words) if words else await _ask(run, act, todo))


@intent(intents.REOPEN, as_command="todo")
async def open_again(run: CommandRun, *, todo: str, page: int = 0) -> Reply | Act:
    """Open an item again, by its id; a button on a `page` of the list also shows that page anew."""
    if page:
        return whose_list(run, await turn(run, "reopen", todo, page))
    return whose_list(run, partial(_reopen, run, todo, todo))


_ANSWERED: Mapping[str, IntentHandler[...]] = {"edit": edit_answered, "due": due_answered, "assign": assign_answered}
INTENTS = (*_ANSWERED.values(), open_again)


def _unknown(run: CommandRun, act: str, words: str, rest: str) -> Reply:
    """Say that no item is called so, and offer to add the words as one: "edit the video"."""
    said = run.language.say("todo_no_match_new", text=cut(words, LONGEST_LABEL))
    word = run.rest.split(maxsplit=1)[0] if run.rest else act
    text = f"{word} {rest}"
    return run.reply(said, offers=[(f"☐ {truncated(text, LONGEST_LABEL)}", add(text))])


def _rework(run: CommandRun, act: str, todo_id: str, words: str) -> Reply | Act:
    """Return the act that changes an item, by its id, to what the words say."""
    change: Mapping[str, Any]
    match act:
        case "edit":
            change = {"action": "edit", "content": words}
        case "due":
            due = _time(run, words)
            if due is None:
                return run.say("todo_no_time")
            change = {"action": "edit", "due": due}
        case _:
            names = [] if words.lower() in NEVER else [name.strip() for name in SEVERAL.split(words) if name.strip()]
            change = {"action": "assign", "people": names}
    return partial(_alter, run, todo_id, change, "todo_changed")


def _alter(run: CommandRun, todo_id: str, change: Mapping[str, Any], key: str, tx: Tx) -> Reply:
    return changed(run, tx, run.actor.act(tx, todo_change, todo_id=todo_id, **change), key)


def _time(run: CommandRun, words: str) -> str | None:
    return read_due(run.context, todo_words.untied(words))


# Opening again.


async def reopen(run: CommandRun, rest: str) -> Reply | Act:
    """Open an item again: by its id, with the page of the list whose button was pressed; or by its words."""
    todo_id, page = split_id(rest)
    if page_of(page):
        return await turn(run, "reopen", todo_id, page_of(page))
    return partial(_reopen, run, todo_id if not page else "", rest)


def _reopen(run: CommandRun, todo_id: str, rest: str, tx: Tx) -> Reply:
    lane = run.context.lane
    if not todo_id:
        # What is open already is said to be.
        found = matching(rest, todos.done_of(tx, lane)) or matching(rest, todos.open_of(tx, lane))[:1]
        if not found:
            return _unknown(run, "reopen", rest, rest)
        if len(found) > 1:
            return which(run, tx, "reopen", choices(found))
        todo_id = ref(found[0])
    return _alter(run, todo_id, {"action": "reopen"}, "todo_reopened", tx)


async def turn(run: CommandRun, action: str, todo_id: str, page: int) -> Act:
    """Do what a button of the list says, and show its list anew, whatever became of the item meanwhile."""
    number = ids.number("t", todo_id[:40])
    run.actor.inside = await other_chats.inside(run, number)
    todo = await run.context.db.read(lambda tx: todos.find(tx, run.context.lane, number or 0))
    key = "" if todo is None else todo.list_key
    return partial(_turn, run, action, todo_id, await listed(run, page, again=True, key=key))


def _turn(run: CommandRun, action: str, todo_id: str, show: Act, tx: Tx) -> Reply:
    run.actor.act(tx, todo_change, todo_id=todo_id, action=action)
    return show(tx)


def choices(items: Sequence[Todo]) -> list[ItemCandidate]:
    """Return items as candidates, with their full texts."""
    return [ItemCandidate(id=ref(one), content=one.content, tainted=one.tainted) for one in items]

"""The to-do list: /todo shows it with a button for each item, and changes it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial

from core.capabilities.contacts import namesakes
from core.capabilities.contacts import service as addressing
from core.capabilities.contacts.reaching import acquaint
from core.capabilities.reminders import answers
from core.capabilities.reminders.actions import waiting
from core.capabilities.reminders.repository import own_words
from core.capabilities.todos import intents as todo_intents
from core.capabilities.todos import lists, other_chats
from core.capabilities.todos import repository as todos
from core.capabilities.todos.actions import ALREADY, DUPLICATE, RAW, add, complete, todo_change
from core.capabilities.todos.changes import assign, choices, due, edit, glued, reopen, turn
from core.capabilities.todos.due import read_due as read_instant
from core.capabilities.todos.items import LONGEST, by_id, put_there, ref
from core.capabilities.todos.notices import (
    changed,
    current_item,
    current_line,
    page_of,
    split_id,
    which,
    whose_list,
    whose_list_reply,
)
from core.capabilities.todos.parsing import ParsedItem, parse_item, parse_item_of_others
from core.capabilities.todos.repository import ItemState, Todo
from core.capabilities.todos.series import repeat, rule_of
from core.capabilities.todos.several import add_several, ask_clear, clear, turn_several
from core.capabilities.todos.views import PAGE, due_words, label, line_of, listed, listed_by_name, overview
from core.kernel import ids
from core.kernel.access import command_name
from core.kernel.clean_text import one_line
from core.kernel.markdown import LONGEST_LABEL, folded, literal, visible
from core.kernel.ports import Tx
from core.kernel.replies import Offer, Reply
from core.kernel.types import Millis
from core.language import grammars
from core.language.lines import cut
from core.language.matching import is_part, matching
from core.language.short_texts import first
from core.scheduling.views import offers_of_zone, zone_name
from core.toolkit import intents
from core.toolkit.command import Act, Command, CommandRun, Menu, intent
from core.toolkit.other_chats import named
from core.toolkit.said_once import once

DONE_SHOWN = 20
# What may stand behind /todo, in Chinese too.
WORDS = {
    **{name: name for name in ("add", "done", "reopen", "edit", "remove", "due", "assign", "page", "clear")},
    "添加": "add",
    "加": "add",
    "完成": "done",
    "恢复": "reopen",
    "修改": "edit",
    "移除": "remove",
    "删除": "remove",
    "期限": "due",
    "分配": "assign",
    "清空": "clear",
}
# Words that show the list, or how it is used, if they stand alone: "List the guests" is a to-do.
ALONE = {
    **dict.fromkeys(("list", "show", "列表", "清单", "显示"), "list"),
    **dict.fromkeys(("help", "?", "？", "帮助"), "help"),
}


async def _todo(run: CommandRun) -> Reply | Act:
    read = await _read(run, run.rest)
    if isinstance(read, str):
        read = await (_put(run, read) if run.rest else listed(run, 1))
    return whose_list(run, read)


async def _read(run: CommandRun, line: str) -> Reply | Act | str:
    """Carry out a line behind /todo if it begins with a subcommand; else return the text that it puts on a list."""
    word, rest, *_ = (*line.split(maxsplit=1), "", "")
    if not rest and (alone := ALONE.get(word.lower())):
        return run.say("todo_usage") if alone == "help" else await listed(run, 1)
    name = WORDS.get(word.lower(), "")
    if name == "add":
        return rest
    if name and (reply := await _ACTS[name](run, rest.strip())) is not None:
        return reply
    # A Chinese word may have no space behind it; such words begin items, too, so an item must be meant.
    for known, act in WORDS.items() if not name else ():
        if not known.isascii() and line.startswith(known) and (reply := await glued(run, act, line[len(known) :])):
            return reply
    # "Page the doctor" is no subcommand.
    return line


async def _put(run: CommandRun, text: str) -> Reply | Act:
    """Put a text on the list whose name it begins with ("shopping: milk"), or on the usual one; show a list if the text
    is only its name."""
    on, item = await _split_list(run, text)
    return await _put_on_list(run, item, "", on) if item or not on else await listed_by_name(run, on)


async def _split_list(run: CommandRun, text: str) -> tuple[str, str]:
    """Return the words for a list with which a text begins, empty for the usual one, and the rest."""
    present = await run.context.db.read(lambda tx: [one.key for one in todos.lists_of(tx, run.context.lane)])
    return lists.split_name(text, present)


async def _put_on_list(
    run: CommandRun, text: str, due: str, on: str, but: Collection[str] = frozenset()
) -> Reply | Act:
    """Put the items of a text on a list, but not those whose folded text is in `but`. If no list has that name and one
    is nearly called so, ask which is meant."""
    found = await run.context.db.read(lambda tx: todos.lists_of(tx, run.context.lane)) if on and text else []
    near = lists.near(on, [one.key for one in found])
    if near is None:
        return await _add(run, text, due, on, but)
    name = next(one.name for one in found if one.key == near)
    new, there = (lists.label(run.language, key, said) for key, said in ((on, on), (near, name)))
    offers = [
        (visible(there)[:LONGEST_LABEL], put.of(text=text, due=due, on=name or near)),
        (visible(new)[:LONGEST_LABEL], put.of(text=text, due=due, on=on, new=True)),
    ]
    return run.reply(run.language.say("list_near", new=literal(new), there=literal(there)), offers=offers)


async def _lists(run: CommandRun) -> Reply | Act:
    return lambda tx: whose_list_reply(run, overview(run, tx))


async def _page(run: CommandRun, rest: str) -> Act | None:
    return await listed(run, page_of(rest), again=True) if page_of(rest) else None


# What was done.


async def _done(run: CommandRun, query: str) -> Act:
    if not query:
        return partial(_list_done, run)
    todo_id, page = split_id(query)
    if page_of(page):
        return await turn(run, "complete", todo_id, page_of(page))
    return await _ticked(run, query)


async def _ticked(run: CommandRun, words: str, on: str = "") -> Act:
    return await _by_words(run, "done", words, partial(_complete, run, words), on)


def _complete(run: CommandRun, query: str, tx: Tx) -> Reply:
    made = run.actor.act(tx, complete, content=query[:LONGEST])
    if made.entry is None:
        return which(run, tx, "done", made.candidates, query, more=made.more)
    key = "todo_already_done" if ALREADY in made.warnings else "todo_completed"
    return run.undoable(run.language.say(key, item=current_line(run, tx, made.entry)), made.undo)


async def _finish(run: CommandRun) -> Reply | Act:
    """Tick off the item, or finish the reminder that waits, which is called what stands behind /done; ask which where
    several are. Without a name it is the new item, or else the reminder, that the message answers."""
    words, said = run.rest[:LONGEST], run.context.said
    if not words and said is not None and said.reply_to:
        there = await run.context.db.read(partial(put_there, lane=run.context.lane, platform_id=said.reply_to))
        if there:
            return lambda tx: turn_several.perform(run, tx, action="complete", todos=there)
    if not words or words == answers.GIVEN_UP:
        return partial(answers.done, run)
    found, items = await run.context.db.read(
        lambda tx: (waiting(tx, run.context, called=words), matching(words, todos.open_of(tx, run.context.lane)))
    )
    # A name may look like an id: "refresh".
    if not (found or items) and ids.number("r", words.removesuffix(f" {answers.GIVEN_UP}")) is not None:
        return partial(answers.done, run)
    if not found:
        return whose_list(run, await _ticked(run, words))
    if len(found) == 1 and not items and not is_part(words, found[0].text):
        return lambda tx: answers.finish.perform(run, tx, reminder=found[0].reminder_id)
    finishing = answers.which(run, found, [answers.finish.of(reminder=one.reminder_id) for one in found])
    offers = [(f"⏰ {named}", order) for named, order in finishing.offers]
    return lambda tx: replace(asked := which(run, tx, "done", choices(items)), offers=(*offers, *asked.offers))


def _list_done(run: CommandRun, tx: Tx) -> Reply:
    found = todos.done_of(tx, run.context.lane, limit=DONE_SHOWN)
    if not found:
        return run.say("todo_done_none")
    offers = [(label("↩", one), todo_intents.reopen(ref(one))) for one in found[:PAGE]]
    lines = [run.language["todo_done_title"], *(line_of(run, one) for one in found)]
    return replace(run.reply("\n".join(lines), offers=offers, once=False), foreign=any(one.tainted for one in found))


async def _by_words(run: CommandRun, act: str, words: str, do: Act, on: str = "") -> Act:
    """Return what `do` does with the item of this chat that the words mean, or, by its id, with one of another chat.

    The words may mean an item of another chat that the list shows: it is changed if its button would do that, else the
    answer says where it is. If `on` names a list, only its items are meant.
    """
    place = lists.named(on)
    if ids.number("t", words[:40]) is not None:
        return do
    here = await run.context.db.read(
        lambda tx: matching(words[:LONGEST], lists.on_named(todos.open_of(tx, run.context.lane), on))
    )
    if here and not place.key:
        return do
    found = [] if here else await other_chats.meant(run, words, on)
    near = here or [todo for source, todo in found if not source.group]
    if len(near) == 1 and not is_part(words, near[0].text):
        return partial(_ACTS_HERE[act], run, ref(near[0]))
    if near:
        return lambda tx: which(run, tx, act, choices(near), words)
    if found:
        source, todo = found[0]
        return lambda tx: run.say("todo_there", item=cut(todo.text), place=named(source, run.language))
    name = lists.called(run.language, place.key, place.name)
    none = run.language.say("todo_none_called", text=cut(words))
    return (lambda tx: run.say("named", name=name, text=none)) if place.key else do


# What changes it.


async def _add(
    run: CommandRun,
    text: str,
    due: str = "",
    on: str = "",
    but: Collection[str] = frozenset(),
    *,
    others: bool = False,
) -> Reply | Act:
    """Add the items of a text, or without one of the message that is replied to, to the list that the words `on` name.

    With `due`, a day that was picked, the text is one item. Items whose folded text is in `but` are not added. A text
    that `others` wrote, as one that is replied to, names nobody who is to do it.
    """
    if not due and (several := await add_several(run, text, on, but, others=others)) is not None:
        return several
    said = run.context.said
    quoted = "" if said is None or text else said.quoted[:LONGEST]
    if said is not None and quoted:
        reply_to, all_of_it = said.reply_to, quoted
        quoted = await run.context.db.read(lambda tx: own_words(tx, run.context.lane, reply_to, all_of_it))
    if not one_line(text or quoted):
        return run.say("todo_usage")
    wanted = await parse_item_of_others(run, quoted or text) if quoted or others else await parse_item(run, text, due)
    if folded(wanted.content) in but:
        return run.reply("")
    if wanted.again is not None and (schedule := rule_of(run, wanted.again)) is not None:
        return partial(repeat, run, wanted.content, schedule, on)
    if wanted.people and "T" in wanted.due and not run.group:
        await acquaint(run, wanted.people)
    return partial(_insert, run, wanted, on)


def _insert(run: CommandRun, wanted: ParsedItem, on: str, tx: Tx) -> Reply:
    made = run.actor.act(tx, add, content=wanted.content, people=list(wanted.people), due=wanted.due, on=on)
    assert made.entry is not None
    todo, line = current_item(run, tx, made.entry), current_line(run, tx, made.entry)
    if DUPLICATE in made.warnings:
        return run.say("todo_duplicate", item=line)
    raw = (*wanted.unknown, *(wanted.people if RAW in made.warnings else ()))
    lines, offers = [run.language.say("todo_added", item=line)], list[Offer]()
    if todo is not None and todo.due_at is not None:
        lines.append(_reminding(run, todo.due_at))
    if todo is not None and wanted.other:
        # The other time that may have been meant.
        due_on, due_at = read_instant(run.context, wanted.other)
        meant = replace(todo, due_on=due_on, due_at=due_at)
        other = due_words(run.language, meant, run.context.zone, run.context.clock.now())
        offers.append((other, todo_intents.change("due", ref(todo), wanted.other)))
    lines += [run.language.say("todo_raw", name=cut(run.language.joined(raw)))] if raw else []
    if todo is not None and wanted.shared:
        people = addressing.candidates(tx, run.context, wanted.shared)
        lines.append(run.language.say("which_person", name=cut(wanted.shared)))
        labels = namesakes.labels(run.language, people)
        offers += [
            (label, todo_intents.change("assign", ref(todo), one.contact))
            for label, one in zip(labels, people, strict=True)
        ]
    offers += offers_of_zone(run, tx) if todo is not None and todo.trigger_id is not None else []
    reply = run.undoable("\n".join(lines), made.undo)
    return replace(reply, offers=(*reply.offers, *offers))


def _reminding(run: CommandRun, due_at: Millis) -> str:
    """Say whether a reminder comes, and in how long."""
    left = due_at - run.context.clock.now()
    if left <= 0:
        return run.language["todo_past"]
    town = zone_name(run.language, run.context.zone.key)
    return run.language.say("todo_reminder", duration=run.language.duration(left), zone=town)


async def _reopen(run: CommandRun, rest: str) -> Reply | Act:
    return await reopen(run, rest) if rest else partial(_list_done, run)


async def _remove(run: CommandRun, meant: str) -> Act | None:
    """Remove an item, by its id or its words."""
    return await _by_words(run, "remove", meant, partial(_take_off, run, meant)) if meant else None


def _take_off(run: CommandRun, meant: str, tx: Tx) -> Reply:
    found = run.actor.act(tx, todo_change, todo_id=meant[:LONGEST], action="remove")
    if found.status == "several":
        return which(run, tx, "remove", found.candidates, meant, more=found.more)
    return changed(run, tx, found, "todo_removed")


async def _clear(run: CommandRun, rest: str) -> Reply | Act | None:
    """Ask whether the list shall be cleared; "yes" and "no" are of former buttons. "Clear the table" is an item."""
    match rest:
        case "":
            return partial(ask_clear, run)
        case "yes":
            return partial(clear, run)
        case "no":
            return run.say("todo_kept")
    return None


# What texts and buttons ask for.


@intent("todos.show", as_command="todo")
async def show(run: CommandRun, *, on: str = "") -> Reply | Act:
    """Show the list that words name, or the usual one, from its beginning."""
    return whose_list(run, await listed_by_name(run, on) if on else await listed(run, 1))


@intent("todos.new_list", as_command="lists")
async def new_list(run: CommandRun, *, on: str = "") -> Reply | Act:
    """Show the list with a name that somebody wishes for; a list comes into being with its first item."""
    if not on:
        return run.say("lists_how")
    return whose_list(run, await listed_by_name(run, on, new=True))


@intent(todo_intents.LISTS, as_command="lists")
def show_lists(run: CommandRun, tx: Tx) -> Reply:
    """Show which lists there are."""
    return whose_list_reply(run, overview(run, tx))


@intent(todo_intents.PAGE, as_command="todo")
async def turn_to(run: CommandRun, *, page: int, key: str = "") -> Reply | Act:
    """Show a page of a list, by its key, in the place of another."""
    return whose_list(run, await listed(run, page, again=True, key=key))


@intent(intents.ADD, as_command="todo")
async def put(
    run: CommandRun, *, text: str, due: str = "", on: str = "", new: bool = False, others: bool = False
) -> Reply | Act:
    """Put the items of a text on the list that the words `on` name, which may be `new`; an empty text stands for the
    message that is replied to. `due` is the day that was picked, if one was. A text that `others` wrote names nobody.
    """
    if new or others:
        return whose_list(run, await _add(run, text, due, on, others=others))
    return whose_list(run, await _put_on_list(run, text, due, on))


@intent(intents.TICK, as_command="todo")
async def tick(run: CommandRun, *, todo: str, page: int = 0, on: str = "") -> Reply | Act:
    """Complete an item, by its id or its words, on the list that the words `on` name or on any; a button on a `page` of
    the list also shows that page anew."""
    return whose_list(run, await turn(run, "complete", todo, page) if page else await _ticked(run, todo, on))


@intent(todo_intents.REMOVE, as_command="todo")
async def take_off(run: CommandRun, *, todo: str, on: str = "") -> Reply | Act:
    """Remove an item, by its id or its words, from the list that the words `on` name or from any."""
    return whose_list(run, await _by_words(run, "remove", todo, partial(_take_off, run, todo), on))


@intent("todos.clear", as_command="todo")
def ask_to_empty(run: CommandRun, tx: Tx, *, on: str = "") -> Reply:
    """Ask whether all open items shall go off the list that words name."""
    return whose_list_reply(run, ask_clear(run, tx, on))


@intent("todos.edited", as_command="todo")
async def as_edited(run: CommandRun, *, todos: Sequence[str], text: str) -> Reply | Act:
    """Follow an edit of the message that has added these items (ids).

    Items that the message says now are added, but not those that were done or removed meanwhile. Items that it does not
    say any more stay, and that is said. If the message has one item, an edit can change its time.
    """
    on, item = await _to_put(run, text)
    if not item:
        return once(run, run.language["todo_edit_unread"])
    key, lane = lists.named(on).key, run.context.lane
    former = await run.context.db.read(lambda tx: [todo for one in todos if (todo := by_id(tx, lane, one))])
    here = [todo for todo in former if todo.list_key == key]
    gone = [todo for todo in here if todo.state != ItemState.OPEN and folded(todo.text) in folded(text)]
    match here:
        case [only] if len(former) == 1 and only.state == ItemState.OPEN:
            meant = await parse_item(run, item)
            if meant.due and not (meant.people or meant.again) and folded(meant.content) == folded(only.text):
                return whose_list(run, await due(run, f"{ref(only)} {meant.due}"))
    added = await _put_on_list(run, item, "", on, {folded(todo.text) for todo in gone})

    def act(tx: Tx) -> Reply:
        reply = added if isinstance(added, Reply) else added(tx)
        stays = _staying(tx, run, former, key, text)
        parts = [reply.text]
        for name, found in (("todo_edit_gone", gone), ("todo_edit_stays", stays)):
            parts += [run.language.say(name, items="\n".join(line_of(run, todo) for todo in found))] if found else []
        return replace(reply, text="\n\n".join(filter(None, parts)))

    return whose_list(run, act)


async def _to_put(run: CommandRun, text: str) -> tuple[str, str]:
    """Return the words for a list and the item that an edited message puts there; empty words stand for the usual list,
    an empty item for a message that does anything else."""
    if command_name(text) != "todo":
        wanted = first(lambda grammar: grammar.wish(text), grammars())
        return (wanted.list, wanted.text) if wanted is not None and wanted.name == "todo.add" else ("", "")
    _, line, *_ = (*text.split(maxsplit=1), "")
    read = await _read(run, line) if line else ""
    return await _split_list(run, read) if isinstance(read, str) else ("", "")


def _staying(tx: Tx, run: CommandRun, former: Sequence[Todo], key: str, text: str) -> list[Todo]:
    """Return those of the `former` items that are still open although the text does not say them any more, or says them
    otherwise and so has added them once more."""
    now = todos.open_of(tx, run.context.lane)
    known = {todo.todo_id for todo in former}
    anew = {folded(todo.text) for todo in now if todo.todo_id not in known and todo.list_key == key}
    return [
        todo
        for todo in now
        if todo.todo_id in known
        and (todo.list_key != key or folded(todo.text) not in folded(text) or folded(todo.text) in anew)
    ]


INTENTS = (show, new_list, show_lists, turn_to, put, tick, take_off, ask_to_empty, as_edited)

# What `_by_words` does with an item by its id.
_ACTS_HERE: Mapping[str, Callable[[CommandRun, str, Tx], Reply]] = {"done": _complete, "remove": _take_off}
# The subcommands of /todo. Each returns None when the words behind it make it none.
_ACTS: Mapping[str, Callable[[CommandRun, str], Awaitable[Reply | Act | None]]] = {
    "done": _done,
    "reopen": _reopen,
    "edit": edit,
    "remove": _remove,
    "due": due,
    "assign": assign,
    "page": _page,
    "clear": _clear,
}

COMMANDS: Mapping[str, Command] = {
    "todo": Command(_todo, menu=Menu(2), of_chat="own_list", takes_words=True, aliases=("list",)),
    "lists": Command(_lists, of_chat="own_list"),
    "done": Command(_finish),
}

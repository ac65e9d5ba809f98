"""Several items of the to-do list at once: added from one message, and cleared; each with one Undo."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from core.capabilities.contacts.reaching import acquaint
from core.capabilities.todos import repository as todos
from core.capabilities.todos.actions import Wanted, todo_add_several, todo_change_many
from core.capabilities.todos.notices import found_of, whose_reply
from core.capabilities.todos.parsing import wish
from core.capabilities.todos.splitting import items_of
from core.capabilities.todos.views import line_of
from core.kernel.clean_text import one_line
from core.kernel.ports import Tx
from core.kernel.replies import Reply
from core.scheduling.time_input import SIGN
from core.toolkit.command import Act, CommandRun, intent


async def add_several(run: CommandRun, text: str) -> Act | None:
    """Return what adds all items that a text lists, and shows them as they are on the list; None when it is one item.

    A day or a name behind the whole list is for all of it; what stands within a part is for that alone.
    """
    parts = [part for part in items_of(text) if one_line(part)]
    if parts == parts[:1] or SIGN in text:
        return None
    whole = await wish(run, text)
    if (whole.due or whole.people) and "\n" not in text and whole.content in " ".join(text.split()):
        left = items_of(whole.content)
        wanted = [Wanted(content=part, people=whole.people, due=whole.due) for part in left] if left[1:] else []
    else:
        wishes = [await wish(run, part) for part in parts]
        wanted = [Wanted(content=wished.content, people=wished.people, due=wished.due) for wished in wishes]
    timed = [name for item in wanted if "T" in item.due for name in item.people]
    if timed and not run.group:
        await acquaint(run, tuple(dict.fromkeys(timed)))
    return partial(_add, run, wanted) if wanted else None


def _add(run: CommandRun, items: Sequence[Wanted], tx: Tx) -> Reply:
    made = run.actor.act(tx, todo_add_several, items=items)
    found = {one.id: found_of(run, tx, one) for one in made.entries}
    lines = [line_of(run, todo) for todo in found.values() if todo is not None]
    return run.undoable(run.language.say("todo_added_several", items="\n".join(lines), n=len(lines)), made.undo)


def ask_clear(run: CommandRun, tx: Tx) -> Reply:
    """Ask whether all that is open shall go."""
    count, _ = todos.counts(tx, run.context.lane)
    if not count:
        return run.reply(run.language["todo_empty"])
    offers = [
        (run.language["todo_clear_yes"], clear_all.of()),
        (run.language["todo_clear_no"], keep.of()),
    ]
    return run.reply(run.language.many("todo_clear_ask", count), offers=offers)


def clear(run: CommandRun, tx: Tx) -> Reply:
    """Take all that is open off the list."""
    cleared = run.actor.act(tx, todo_change_many, action="remove")
    if not cleared.count:
        return run.reply(run.language["todo_empty"])
    return run.undoable(run.language.many("todo_cleared", cleared.count), cleared.undo)


@intent("todos.clear_all", as_command="todo")
def clear_all(run: CommandRun, tx: Tx) -> Reply:
    """Take all that is open off the list, as was asked."""
    return whose_reply(run, clear(run, tx))


@intent("todos.keep", as_command="todo")
def keep(run: CommandRun, tx: Tx) -> Reply:
    """Leave the list as it is."""
    return whose_reply(run, run.say("todo_kept"))


INTENTS = (clear_all, keep)

"""Several items of the to-do list at once: added from one message, and cleared; each with one Undo."""

from __future__ import annotations

from collections.abc import Sequence

from core.capabilities.contacts.reaching import acquaint
from core.capabilities.todos import repository as todos
from core.capabilities.todos.notices import failed
from core.capabilities.todos.parsing import Wish, wish
from core.capabilities.todos.repository import Todo
from core.capabilities.todos.splitting import items_of
from core.capabilities.todos.views import line_of
from core.kernel import ids
from core.kernel.clean_text import one_line
from core.kernel.ports import Tx
from core.kernel.replies import Reply
from core.scheduling.time_input import SIGN
from core.toolkit.command import CommandRun


async def several_of(run: CommandRun, text: str) -> Sequence[Wish]:
    """Return what a text that lists several items wants; nothing when it is one.

    A day or a name behind the whole list is for all of it; what stands within a part is for that alone.
    """
    parts = [part for part in items_of(text) if one_line(part)]
    if parts == parts[:1] or SIGN in text:
        return []
    whole = await wish(run, text)
    if (whole.due or whole.people) and "\n" not in text and whole.content in " ".join(text.split()):
        left = items_of(whole.content)
        return [Wish(content=part, people=whole.people, due=whole.due) for part in left] if left[1:] else []
    return [await wish(run, part) for part in parts]


async def add_several(run: CommandRun, wanted: Sequence[Wish]) -> Reply:
    """Add them all; the answer shows them as they are on the list."""
    timed = [name for one in wanted if "T" in one.due for name in one.people]
    if timed and not run.group:
        await acquaint(run, tuple(dict.fromkeys(timed)))
    items = [{"content": one.content, "people": list(one.people), "due": one.due} for one in wanted]
    result = await run.call("todo_add_several", items=items)
    if not result.success:
        return failed(run, result)
    numbers = [ids.number("t", entry["id"]) or 0 for entry in result.result["entries"]]
    found = await run.context.db.read(lambda tx: _found(tx, run, numbers))
    lines = "\n".join(line_of(run, todo) for todo in found)
    return run.undoable(
        run.language.say("todo_added_several", items=lines, n=len(found)), result.result.get("undo", "")
    )


def _found(tx: Tx, run: CommandRun, numbers: Sequence[int]) -> list[Todo]:
    found = (todos.find(tx, run.context.lane, number) for number in dict.fromkeys(numbers))
    return [todo for todo in found if todo is not None]


async def ask_clear(run: CommandRun) -> Reply:
    """Ask whether all that is open shall go."""
    count, _ = await run.context.db.read(lambda tx: todos.counts(tx, run.context.lane))
    if not count:
        return run.reply(run.language["todo_empty"])
    offers = [
        (run.language["todo_clear_yes"], "/todo clear yes"),
        (run.language["todo_clear_no"], "/todo clear no"),
    ]
    return run.reply(run.language.many("todo_clear_ask", count), offers=offers)


async def clear(run: CommandRun) -> Reply:
    """Take all that is open off the list."""
    result = await run.call("todo_change_many", action="remove")
    if not result.success:
        return failed(run, result)
    if not result.result["count"]:
        return run.reply(run.language["todo_empty"])
    return run.undoable(run.language.many("todo_cleared", result.result["count"]), result.result.get("undo", ""))

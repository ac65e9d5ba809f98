"""The to-do list: /todo shows it with a button for each item, and changes it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from bot.commands.elsewhere import groups
from bot.commands.run import Command, CommandRun
from bot.commands.wishes import Wish, due_of, wish
from core import ids
from core.agents.loop import Reply
from core.markdown import visible
from core.ports import Tx
from core.store import people, todos
from core.store.keyboards import Offer
from core.store.today import Group, day_of, rank
from core.store.todos import Todo
from core.today import cut, item, shortened
from core.toolkit.dues import MOST_REMINDERS
from core.toolkit.items import FULL, LONG
from core.toolkit.items import ref as shown_id
from core.tools.todo import ALREADY, DUPLICATE, NOBODY, NO_MATCH, RAW
from core.types import ToolResult

PAGE, LONGEST_LABEL, DONE_SHOWN = 8, 40, 20
# What may stand behind /todo, in Chinese too.
ACTS = {
    "添加": "add",
    "加": "add",
    "完成": "done",
    "恢复": "reopen",
    "修改": "edit",
    "移除": "remove",
    "删除": "remove",
    "期限": "due",
    "分配": "assign",
    "help": "help",
    "page": "page",
    **{name: name for name in ("add", "done", "reopen", "edit", "remove", "due", "assign")},
}
# How the errors of the tools begin, and what a person is told.
ERRORS = {
    NO_MATCH: "todo_no_match",
    NOBODY: "todo_nobody",
    "invalid reference id": "todo_reference",
    "reference id is not reachable": "todo_reference",
    LONG: "todo_long",
    FULL: "todo_full",
    f"at most {MOST_REMINDERS} active reminders": "todo_reminders_full",
}


async def _todo(run: CommandRun) -> Reply:
    word, _, rest = run.rest.partition(" ")
    act = ACTS.get(word.lower(), "")
    if not run.rest:
        return await _list(run, 1)
    if act == "page":
        return await _list(run, _page(rest))
    return await _ACTS.get(act, _add)(run, rest.strip() if act else run.rest)

"""The to-do list: /todo shows it with a button for each item, and changes it."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from bot.commands import elsewhere
from bot.commands.run import Command, CommandRun
from bot.commands.shown import zone_name, zone_offer
from bot.commands.todo_list import LONGEST_LABEL, PAGE, label, line_of, listed
from bot.commands.wishes import NEVER, read_due, wish
from core import ids
from core.agents.loop import Reply
from core.markdown import visible
from core.store import todos
from core.store.keyboards import Offer
from core.store.todos import Todo
from core.today import cut, due_words
from core.toolkit.dues import MOST_REMINDERS
from core.toolkit.dues import read_due as read_instant
from core.toolkit.items import FULL, LONG, LONGEST, NEEDED, ref
from core.toolkit.texts import one_line
from core.tools.todo import ALREADY, DUPLICATE, NO_MATCH, NOBODY, RAW
from core.types import ToolResult

DONE_SHOWN, LONGEST_NUMBER = 20, 6
# What may stand behind /todo, in Chinese too.
WORDS = {
    **{name: name for name in ("add", "done", "reopen", "edit", "remove", "due", "assign", "page")},
    "添加": "add",
    "加": "add",
    "完成": "done",
    "恢复": "reopen",
    "修改": "edit",
    "移除": "remove",
    "删除": "remove",
    "期限": "due",
    "分配": "assign",
}
# What means the list, or how it is used, when it stands alone there: "List the guests" is a to-do.
ALONE = {
    **dict.fromkeys(("list", "show", "列表", "清单", "显示"), "list"),
    **dict.fromkeys(("help", "?", "？", "帮助"), "help"),
}
# How errors of the tools begin, and what a person is told.
ERRORS = {
    NO_MATCH: "todo_no_match",
    NOBODY: "todo_nobody",
    "invalid reference id": "todo_reference",
    "reference id is not reachable": "todo_reference",
    LONG: "todo_long",
    NEEDED: "todo_usage",
    FULL: "todo_full",
    "invalid due": "todo_no_time",
    f"at most {MOST_REMINDERS} active": "todo_reminders_full",
}
SEVERAL = re.compile(r"[,，、;]|\s+(?:and|und|和)\s+")


async def _todo(run: CommandRun) -> Reply:
    word, *rest = run.rest.split(maxsplit=1) or [""]
    if not rest and (alone := ALONE.get(word.lower())):
        return run.say("todo_usage") if alone == "help" else await listed(run, 1)
    act = _ACTS.get(WORDS.get(word.lower(), ""))
    reply = await act(run, rest[0].strip() if rest else "") if act is not None else None
    if reply is not None:
        return reply
    # "Edit the video" is no subcommand: it names no to-do.
    return await _add(run, run.rest) if run.rest else await listed(run, 1)


def _number(text: str) -> int:
    """The number of a page; 0 when the text is none."""
    return int(text[:LONGEST_NUMBER]) if text.isascii() and text.isdecimal() else 0


def _target(rest: str) -> tuple[str, str]:
    """The id that a text begins with, and what stands behind it; nothing when it begins with none."""
    target, _, more = rest.partition(" ")
    return (target, more.strip()) if ids.number("t", target) is not None else ("", "")


async def _page(run: CommandRun, rest: str) -> Reply | None:
    return await listed(run, _number(rest)) if _number(rest) else None


# What was done.


async def _done(run: CommandRun, query: str) -> Reply | None:
    if not query:
        return await _list_done(run)
    target, page = _target(query)
    if _number(page):
        return await _turn(run, "complete", target, _number(page))
    result = await run.call("todo_update", action="complete", content=query[:LONGEST])
    if not result.success:
        return _failed(run, result, query)
    if "candidates" in result.result:
        return _which(run, "done", result.result["candidates"])
    key = "todo_already_done" if ALREADY in result.result.get("warnings", ()) else "todo_completed"
    return run.done(result, run.language.say(key, item=await _named(run, result)))


async def _list_done(run: CommandRun) -> Reply:
    found = await run.context.db.read(lambda tx: todos.done_of(tx, run.context.lane, limit=DONE_SHOWN))
    if not found:
        return run.say("todo_done_none")
    offers = [(label("↩", one), f"/todo reopen {ref(one)}") for one in found[:PAGE]]
    lines = [run.language["todo_done_title"], *(line_of(run, one) for one in found)]
    return run.reply("\n".join(lines), offers=offers, once=False)


def _which(run: CommandRun, act: str, candidates: Sequence[Mapping[str, str]]) -> Reply:
    """Several may be meant: each is a button."""
    offers = [(visible(todos.plain(one["content"]))[:LONGEST_LABEL], f"/todo {act} {one['id']}") for one in candidates]
    return run.reply(run.language["todo_which"], offers=offers)


# What changes it.


async def _add(run: CommandRun, text: str) -> Reply:
    """Without words: those of the message that is replied to."""
    said = run.context.said
    text = text or (said.quoted[:LONGEST] if said is not None else "")
    if not one_line(text):
        return run.say("todo_usage")
    wanted = await wish(run, text)
    result = await run.call(
        "todo_update", action="add", content=wanted.content, people=list(wanted.people), due=wanted.due or None
    )
    if not result.success:
        return _failed(run, result)
    todo, line = await _found(run, result), await _named(run, result)
    if DUPLICATE in result.result.get("warnings", ()):
        return run.say("todo_duplicate", item=line)
    raw = (*wanted.unknown, *(wanted.people if RAW in result.result.get("warnings", ()) else ()))
    notes = [run.language.say("todo_raw", name=cut(", ".join(raw)))] if raw else []
    reminding, other = (_reminding(run, todo), _other(run, todo, wanted.other)) if todo is not None else ([], [])
    reply = run.done(result, "\n".join([run.language.say("todo_added", item=line), *reminding, *notes]))
    zone = await zone_offer(run) if todo is not None and todo.trigger_id is not None else []
    return replace(reply, offers=(*reply.offers, *other, *zone))


def _reminding(run: CommandRun, todo: Todo) -> list[str]:
    """Whether there is a reminder, and how long that is from now."""
    if todo.due_at is None:
        return []
    left = todo.due_at - run.context.clock.now()
    if left <= 0:
        return [run.language["todo_past"]]
    town = zone_name(run.language, run.context.zone.key)
    return [run.language.say("todo_reminder", duration=run.language.duration(left), zone=town)]


def _other(run: CommandRun, todo: Todo, due: str) -> list[Offer]:
    """The other time that may have been meant, as a button."""
    if not due:
        return []
    context = run.context
    due_on, due_at = read_instant(context, "todo_change", due)
    meant = replace(todo, due_on=due_on, due_at=due_at)
    return [(due_words(run.language, meant, context.zone, context.clock.now()), f"/todo due {ref(todo)} {due}")]


async def _reopen(run: CommandRun, rest: str) -> Reply | None:
    target, page = _target(rest)
    if _number(page):
        return await _turn(run, "reopen", target, _number(page))
    if not target or page:
        return None
    result = await run.call("todo_change", todo_id=target, action="reopen")
    return await _changed(run, result, "todo_reopened") if result.success else _failed(run, result)


async def _turn(run: CommandRun, action: str, todo_id: str, page: int) -> Reply:
    """A button of the list: whatever became of the item meanwhile, the list shows it."""
    result = await elsewhere.call(run, "todo_change", todo_id=todo_id, action=action)
    return await listed(run, page) if result.success else _failed(run, result)


async def _remove(run: CommandRun, meant: str) -> Reply | None:
    """By an id, or by words."""
    if not meant:
        return None
    result = await run.call("todo_change", todo_id=meant[:LONGEST], action="remove")
    if not result.success:
        return _failed(run, result, meant)
    if result.result["status"] == "several":
        return _which(run, "remove", result.result["candidates"])
    return await _changed(run, result, "todo_removed")


async def _edit(run: CommandRun, rest: str) -> Reply | None:
    target, words = _target(rest)
    return await _rework(run, target, action="edit", content=words) if words else None


async def _due(run: CommandRun, rest: str) -> Reply | None:
    target, words = _target(rest)
    if not words:
        return None
    due = read_due(run, words)
    return run.say("todo_no_time") if due is None else await _rework(run, target, action="edit", due=due)


async def _assign(run: CommandRun, rest: str) -> Reply | None:
    target, words = _target(rest)
    if not words:
        return None
    names = [] if words.lower() in NEVER else [name.strip() for name in SEVERAL.split(words) if name.strip()]
    return await _rework(run, target, action="assign", people=names)


async def _rework(run: CommandRun, todo_id: str, **change: Any) -> Reply:
    result = await run.call("todo_change", todo_id=todo_id, **change)
    return await _changed(run, result, "todo_changed") if result.success else _failed(run, result)


async def _changed(run: CommandRun, result: ToolResult, key: str) -> Reply:
    """Say what became of an item, with a button to take it back."""
    status = result.result["status"]
    if status == "unknown":
        return run.say("todo_unknown")
    line = await _named(run, result)
    return run.done(result, run.language.say(key if status == "changed" else "todo_unchanged", item=line))


async def _found(run: CommandRun, result: ToolResult) -> Todo | None:
    number = ids.number("t", result.result["entry"]["id"])
    return await run.context.db.read(lambda tx: todos.find(tx, run.context.lane, number or 0))


async def _named(run: CommandRun, result: ToolResult) -> str:
    """The item that a result is about, as it is now: what it says when it is gone."""
    todo = await _found(run, result)
    return cut(todos.plain(result.result["entry"]["content"])) if todo is None else line_of(run, todo, box=False)


def _failed(run: CommandRun, result: ToolResult, query: str = "") -> Reply:
    """What went wrong, in the person's language, where there is something to be done about it."""
    key = next((text for begin, text in ERRORS.items() if result.error.startswith(begin)), "")
    return run.say(key, text=cut(query, LONGEST_LABEL)) if key else run.failed(result)


# Each says None when what stands behind it makes it none.
_ACTS: Mapping[str, Callable[[CommandRun, str], Awaitable[Reply | None]]] = {
    "add": _add,
    "done": _done,
    "reopen": _reopen,
    "edit": _edit,
    "remove": _remove,
    "due": _due,
    "assign": _assign,
    "page": _page,
}

COMMANDS: Mapping[str, Command] = {"todo": _todo}

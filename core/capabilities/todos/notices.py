"""What is said of a change of the to-do list, and what to choose from when several items may be meant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.capabilities.contacts.namesakes import told_apart
from core.capabilities.today.views import particulars
from core.capabilities.todos import repository as todos
from core.capabilities.todos.due import MOST_REMINDERS
from core.capabilities.todos.repository import Todo
from core.capabilities.todos.service import FULL, LONG, NEEDED
from core.capabilities.todos.tools import NO_MATCH, NOBODY
from core.capabilities.todos.views import LONGEST_LABEL, line_of
from core.kernel import ids
from core.kernel.markdown import visible
from core.kernel.replies import Reply
from core.kernel.types import ToolResult
from core.language.lines import cut
from core.language.matching import plain
from core.toolkit.command import CommandRun

LONGEST_NUMBER = 6
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


def page_of(text: str) -> int:
    """The number of a page; 0 when the text is none."""
    return int(text[:LONGEST_NUMBER]) if text.isascii() and text.isdecimal() else 0


def target(rest: str) -> tuple[str, str]:
    """The id that a text begins with, and what stands behind it; nothing when it begins with none."""
    found, _, more = rest.partition(" ")
    return (found, more.strip()) if ids.number("t", found) is not None else ("", "")


async def which(
    run: CommandRun, act: str, candidates: Sequence[Mapping[str, str]], words: str = "", change: str = ""
) -> Reply:
    """Several may be meant: each is a button, which does the `change` that was said. One alone is more than what the
    `words` name. Those that look alike say by whom or until when."""
    texts = [visible(plain(one["content"])) for one in candidates]
    labels = told_apart(texts, await _particulars(run, candidates), LONGEST_LABEL)
    says = [f"/todo {act} {one['id']} {change}".rstrip() for one in candidates]
    offers = list(zip(labels, says, strict=True))
    part = len(candidates) == 1 and words
    asked = run.language.say("only_part", text=cut(words, LONGEST_LABEL)) if part else run.language["todo_which"]
    return run.reply(asked, offers=offers)


async def _particulars(run: CommandRun, candidates: Sequence[Mapping[str, str]]) -> list[str]:
    numbers, zone, now = (
        [ids.number("t", one["id"]) or 0 for one in candidates],
        run.context.zone,
        run.context.clock.now(),
    )
    found = await run.context.db.read(lambda tx: [todos.find(tx, run.context.lane, one) for one in numbers])
    return ["" if one is None else visible(particulars(run.language, one, zone, now)) for one in found]


async def changed(run: CommandRun, result: ToolResult, key: str) -> Reply:
    """Say what became of an item, with a button to take it back."""
    status = result.result["status"]
    if status == "unknown":
        return run.say("todo_unknown")
    line = await named_of(run, result)
    return run.undoable(
        run.language.say(key if status == "changed" else "todo_unchanged", item=line), result.result.get("undo", "")
    )


async def found_of(run: CommandRun, result: ToolResult) -> Todo | None:
    """The item that a result is about, as it is now."""
    todo_id = ids.number("t", result.result["entry"]["id"])
    return await run.context.db.read(lambda tx: todos.find(tx, run.context.lane, todo_id or 0))


async def named_of(run: CommandRun, result: ToolResult) -> str:
    """The item that a result is about, as it is now: what it says when it is gone."""
    todo = await found_of(run, result)
    return cut(plain(result.result["entry"]["content"])) if todo is None else line_of(run, todo, box=False)


def failed(run: CommandRun, result: ToolResult, query: str = "") -> Reply:
    """What went wrong, in the person's language, where there is something to be done about it."""
    key = next((text for begin, text in ERRORS.items() if result.error.startswith(begin)), "")
    return run.say(key, text=cut(query, LONGEST_LABEL)) if key else run.failed(result)

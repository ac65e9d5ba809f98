"""What must have become of a scenario: how texts are compared, and what stands in the database."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from core.capabilities.tasks.capability import CAPABILITY as TASKS
from core.capabilities.tasks.views import ICONS
from tests.acceptance.harness import Bot
from tests.evals.scenario import Item, Memory, Reminder, Scenario, Work, Written
from tests.evals.script import filled

Condition = Callable[[], bool]
# How /time is answered in each language.
_CLOCK = re.compile(r"^(?:It is \d\d:\d\d|现在\S*\s*\d\d:\d\d|Es ist \d\d:\d\d)", re.MULTILINE)


_WORDS = [texts[f"task_is_{state}"] for texts in TASKS.texts.values() for state in ICONS]
# With what is to be done on a line of its own, or without.
_PROGRESS = re.compile(
    rf"(?:{'|'.join(ICONS.values())}) (?:[^\n]*\n)?(?:{'|'.join(map(re.escape, _WORDS))}|step \d|第\d)"
)


def is_clock(text: str) -> bool:
    """Whether a message is the answer to /time, by which a play knows that what came before is done."""
    return bool(_CLOCK.search(text))


def is_progress(text: str) -> bool:
    """Whether a message shows a task at work, which comes when it takes long on the computer of a play."""
    return bool(_PROGRESS.match(text))


def pattern(wanted: str) -> re.Pattern[str]:
    """The words of a scenario as a pattern: `*` is anything."""
    return re.compile(".*".join(map(re.escape, wanted.split("*"))), re.DOTALL | re.IGNORECASE)


def rows(bot: Bot, scenario: Scenario, names: dict[str, str]) -> list[str]:
    """What stands in the database and should not, or should and does not; only while no process has it."""
    reminders = bot.rows(
        "SELECT id, next_at, text, kind FROM trigger WHERE state = 'active' AND deliver = 'message'"
        " ORDER BY next_at, id"
    )
    items = bot.rows(
        "SELECT id, content, state, list_key, due_on, due_at FROM todo WHERE state <> 'removed' ORDER BY id"
    )
    whom = _whom(bot, "trigger_id", "addressee")
    who = _whom(bot, "todo_id", "assignee")
    found = [
        Reminder.model_validate({
            "at": _instant(row["next_at"]),
            "text": row["text"],
            "repeats": row["kind"] != "once",
            "for": whom.get(row["id"], []),
        })
        for row in reminders
    ]
    todos = [
        Item.model_validate({
            "text": row["content"],
            "list": row["list_key"],
            "due": row["due_on"] or (_instant(row["due_at"]) if row["due_at"] else ""),
            "for": who.get(row["id"], []),
            "done": row["state"] == "done",
        })
        for row in items
    ]
    memories = [
        Memory(text=row["content"], superseded=row["state"] == "superseded", source=row["source"])
        for row in bot.rows("SELECT content, state, source FROM memory WHERE state <> 'removed' ORDER BY id")
    ]
    works = [
        Work.model_validate({
            "text": row["prompt"],
            "role": row["role"],
            "state": row["state"],
            "outcome": row["outcome"] or row["error"],
        })
        for row in bot.rows("SELECT prompt, role, state, outcome, error FROM task ORDER BY id")
    ]
    written = [
        Written(text=row["path"]) for row in bot.rows("SELECT path FROM file_change WHERE act = 'write' ORDER BY id")
    ]
    return [
        *_compared("file", scenario.files, written, names, lambda _: ""),
        *_compared("task", scenario.tasks, works, names, lambda one: (one.role, one.state)),
        *_compared("memory", scenario.memories, memories, names, lambda one: (one.superseded, one.source)),
        *_compared("reminder", scenario.reminders, found, names, lambda one: (one.at, one.repeats)),
        *_compared("to-do", scenario.todos, todos, names, lambda one: (one.named, one.due, one.done)),
    ]


def _whom(bot: Bot, owner: str, table: str) -> dict[int, list[str]]:
    """The names of those whom rows are for, by the rows' ids."""
    found: dict[int, list[str]] = {}
    sql = (
        f"SELECT {owner} AS id, coalesce(nullif(contact.nickname, ''), person.name, '') AS name FROM {table}"
        " JOIN contact ON contact.id = contact_id LEFT JOIN person ON person.id = contact.person_id ORDER BY name"
    )
    for row in bot.rows(sql):
        found.setdefault(row["id"], []).append(row["name"])
    return found


def _instant(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%dT%H:%M")


def _compared(
    what: str, wanted: Sequence[Any], found: Sequence[Any], names: dict[str, str], key: Callable[[Any], object]
) -> list[str]:
    """Compare what should be there with what is: each once, with the wanted words in its text."""
    left, faults = list(found), []
    for one in wanted:
        text, whom = filled(one.text, names), sorted(filled(one.whom, names))
        fits = [
            other
            for other in left
            if key(other) == key(one)
            and pattern(text).search(other.text)
            and whom == sorted(other.whom)
            and pattern(getattr(one, "outcome", "")).search(getattr(other, "outcome", ""))
        ]
        if fits:
            left.remove(fits[0])
        else:
            faults.append(f"missing {what}: {one!r}; there are {found!r}")
    return faults + [f"{what} too many: {one!r}" for one in left]

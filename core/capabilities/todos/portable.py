"""To-dos as they are taken along: as JSON, and as TODO.WIP.md and TODO.DONE.md (seed 002)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, Field, field_validator

from core.capabilities.todos import lists
from core.capabilities.todos import repository as todos
from core.capabilities.todos.items import MOST_OPEN
from core.capabilities.todos.repository import ItemState, Todo
from core.kernel.clean_text import one_line
from core.kernel.errors import Refused
from core.kernel.ports import Tx
from core.kernel.timing.zones import to_local
from core.kernel.types import MINUTE, Millis
from core.language.matching import key
from core.toolkit.portable import (
    Entry,
    Exporting,
    Files,
    Importing,
    Instant,
    Portable,
    Short,
    Showing,
    Words,
    beside,
)

CONTACT, SCHEDULE = "contact", "schedule"
WIP, DONE = "TODO.WIP.md", "TODO.DONE.md"
_STAMP = "%Y-%m-%d %H:%M"
_LINE = re.compile(
    r"[-*] \[(?P<mark>[ xX])\] (?:(?P<told>\[[A-Z]\w*\]\([^()]*\)(?:, \[[A-Z]\w*\]\([^()]*\))*) \| )?(?P<content>.+)"
)
# As older files have it: `CreatedAt: 2026-02-04 08:31, DoneAt: … | content`.
_FORMER = re.compile(r"(?P<told>(?:[A-Z]\w*: ?[^,|]+(?:, )?)+) \| (?P<content>.+)")
_TUPLE = re.compile(r"\[([A-Z]\w*)\]\(([^()]*)\)")
_PAIR = re.compile(r"([A-Z]\w*): ?([^,|]+)")
_TAIL = re.compile(r" \((due|list) ([^()]+)\)\Z")


class TodoEntry(Entry):
    """Something to do. `to` are numbers of contacts, `reminds` and `series` those of schedules. What is `tainted` has
    words of others."""

    content: Annotated[Words, AfterValidator(one_line)]
    state: Annotated[str, Field(pattern="^(open|done)$")] = "open"
    due_on: Short = ""
    due_at: Instant | None = None
    list_key: Short = ""
    list_name: Short = ""
    to: Annotated[list[int], Field(max_length=50)] = Field(default_factory=list)
    reminds: int | None = None
    series: int | None = None
    tainted: bool = False
    created_at: Instant
    ended_at: Instant | None = None

    @field_validator("due_on")
    @classmethod
    def _a_day(cls, value: str) -> str:
        return date.fromisoformat(value).isoformat() if value else ""


def read(tx: Tx, exporting: Exporting) -> Sequence[TodoEntry]:
    """Return what is to do and what was done in a scope, in the order in which it was noted."""
    lane, numbers = exporting.lane, exporting.numbers
    found = [*todos.open_of(tx, lane), *todos.done_of(tx, lane, limit=100_000)]
    return [
        TodoEntry(
            content=one.content,
            state=one.state,
            due_on=one.due_on,
            due_at=one.due_at,
            list_key=one.list_key,
            list_name=one.list_name,
            to=[number for who in one.assignees if (number := numbers.known(CONTACT, who.contact_id)) is not None],
            reminds=numbers.known(SCHEDULE, one.trigger_id),
            series=numbers.known(SCHEDULE, one.series_id),
            tainted=one.tainted,
            created_at=one.created_at,
            ended_at=one.ended_at,
        )
        for one in sorted(found, key=lambda one: (one.created_at, one.todo_id))
    ]


def _same(entry: TodoEntry | Todo) -> tuple[str, str, int]:
    """Return what an item is known by again, also when it was done meanwhile."""
    return key(entry.content), entry.list_key, entry.created_at // MINUTE


def put(tx: Tx, importing: Importing, entries: Sequence[TodoEntry]) -> int:
    """Store items that are not there, open or done."""
    lane = importing.lane
    here = [*todos.open_of(tx, lane), *todos.done_of(tx, lane, limit=100_000)]
    there = [(_same(one), one.todo_id) for one in here]
    missing = [entry for entry, found in beside(entries, there, _same) if found is None]
    if todos.counts(tx, lane)[0] + sum(entry.state == ItemState.OPEN for entry in missing) > MOST_OPEN:
        raise Refused("import_full_todos")
    for entry in missing:
        series_id = importing.row(SCHEDULE, entry.series)
        if series_id is not None and (
            entry.state != ItemState.OPEN or todos.series_open(tx, lane.tenant_id, series_id)
        ):
            series_id = None
        todo_id = todos.insert(
            tx,
            lane,
            importing.person_id,
            entry.content,
            due_on=entry.due_on,
            due_at=entry.due_at,
            now=entry.created_at,
            list_key=entry.list_key,
            list_name=entry.list_name,
            series_id=series_id,
            tainted=entry.tainted or not importing.trusted,
        )
        contacts = [found for number in entry.to if (found := importing.row(CONTACT, number)) is not None]
        todos.assign(tx, lane, todo_id, contacts)
        todos.link(tx, todo_id, importing.row(SCHEDULE, entry.reminds))
        todo = todos.find(tx, lane, todo_id)
        if todo is not None and entry.state == ItemState.DONE:
            todos.move(tx, todo, ItemState.DONE, entry.ended_at or entry.created_at, importing.person_id)
    return len(missing)


def files(entries: Sequence[TodoEntry], showing: Showing) -> Files:
    """Return both lists as the specification has them, times in the person's zone."""
    wip = [entry for entry in entries if entry.state == ItemState.OPEN]
    done = [entry for entry in entries if entry.state == ItemState.DONE]
    return {
        WIP: _file("# TODO Work In Progress (WIP)", "open_count", wip, showing),
        DONE: _file("# TODO Done", "done_count", done, showing),
    }


def _file(title: str, counted: str, entries: Sequence[TodoEntry], showing: Showing) -> bytes:
    times = [at for entry in entries for at in (entry.created_at, entry.ended_at) if at is not None]
    first, last = (_stamp(at, showing.zone) for at in (min(times, default=0), max(times, default=0)))
    head = [
        "---",
        f'created_at: "{first}"',
        f'updated_at: "{last}"',
        f"{counted}: {len(entries)}",
        "---",
        "",
        title,
        "",
    ]
    return "\n".join([*head, *(_line(entry, showing) for entry in entries), ""]).encode()


def _line(entry: TodoEntry, showing: Showing) -> str:
    told = f"[Created]({_stamp(entry.created_at, showing.zone)})"
    if entry.ended_at is not None:
        told += f", [Done]({_stamp(entry.ended_at, showing.zone)})"
    due = entry.due_on or ("" if entry.due_at is None else _stamp(entry.due_at, showing.zone))
    on = " ".join((entry.list_name or entry.list_key).translate(str.maketrans("()", "  ")).split())
    tail = (f" (due {due})" if due else "") + (f" (list {on})" if on else "")
    return f"- [{' ' if entry.state == ItemState.OPEN else 'x'}] {told} | {' '.join(entry.content.split())}{tail}"


def _stamp(at: Millis, zone: ZoneInfo) -> str:
    return to_local(at, zone).strftime(_STAMP)


def parse(text: str, zone: ZoneInfo) -> Sequence[TodoEntry]:
    """Read the items of a file such as TODO.WIP.md; what is no item is left out."""
    return list(_parsed(text.splitlines(), zone))


def _parsed(text_lines: Iterable[str], zone: ZoneInfo) -> Iterable[TodoEntry]:
    for text_line in text_lines:
        match = _LINE.fullmatch(text_line.strip())
        if match is None:
            continue
        content, told = match["content"], dict(_TUPLE.findall(match["told"] or ""))
        if not told and (former := _FORMER.fullmatch(content)):
            content, told = (
                former["content"],
                {name.removesuffix("At"): at for name, at in _PAIR.findall(former["told"])},
            )
        due, on = "", ""
        while tail := _TAIL.search(content):
            content = content[: tail.start()]
            due, on = (tail[2], on) if tail[1] == "due" else (due, tail[2])
        content = one_line(content)
        named, created = lists.named(on), _instant(told.get("Created", ""), zone) or 0
        if not content:
            continue
        done = match["mark"] != " "
        yield TodoEntry(
            content=content,
            state=ItemState.DONE if done else ItemState.OPEN,
            due_on=due if _is_day(due) else "",
            due_at=None if _is_day(due) else _instant(due, zone),
            list_key=named.key,
            list_name=named.name,
            created_at=created,
            ended_at=(_instant(told.get("Done", ""), zone) or created) if done else None,
        )


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _instant(text: str, zone: ZoneInfo) -> Millis | None:
    try:
        return max(0, round(datetime.strptime(text.strip(), _STAMP).replace(tzinfo=zone).timestamp() * 1000))
    except ValueError:
        return None


PORTABLE = Portable(
    name="todos",
    entry=TodoEntry,
    read=read,
    put=put,
    rank=3,
    files=files,
    parses={name: parse for name in ("todo.wip.md", "todo.md", "todo.done.md")},
)

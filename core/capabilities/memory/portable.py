"""Memories as they are taken along: as JSON, and as memory.md and a file a note; and what other assistants keep."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import Field, StringConstraints, field_validator

from core.capabilities.memory import repository as memories
from core.capabilities.memory.models import LONG_TERM_PATH, Memory, MemoryState, NewMemory, Source
from core.capabilities.memory.service import LONGEST, MOST_LONG, tags_of
from core.kernel.clean_text import cleaned
from core.kernel.errors import Refused
from core.kernel.ports import Tx
from core.kernel.timing.zones import to_local
from core.kernel.types import LaneKey
from core.toolkit.portable import Entry, Exporting, Files, Importing, Instant, Portable, Short, Showing

# Between two entries of a file of hermes.
_SECTION = re.compile(r"^\s*§\s*$", re.MULTILINE)
_BULLET = re.compile(r"(?P<indent>\s*)(?:[-*+•]|\d{1,3}[.)])\s+(?P<text>\S.*)")
# A line in bold is one where a colon ends it, or a bullet follows: by itself it says something as any other does.
_HEADING, _BOLD = re.compile(r"#{1,6}\s+.*|\*\*[^*]+(?::\*\*|\*\*:)"), re.compile(r"\*\*[^*]+\*\*")
_RULE, _FENCE = re.compile(r"([-*_])(?:\s*\1){2,}"), ("```", "~~~")
_DATED = re.compile(r"\[?(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d))?\]?[.:]?\s*(?:[-–—:]\s*)?")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_FRONT = re.compile(r"\A---\n(?:(?:[\w-]+:|[ \t]).*\n)+---\n")
_PATH = r"^(memory\.md|memory/[^/\\\x00]{1,200}\.md)$"


class MemoryEntry(Entry):
    """Something that is remembered. `by` is the number of what supersedes it; `mine` when who exports it said it."""

    number: int
    content: Annotated[str, StringConstraints(min_length=1, max_length=LONGEST)]
    tags: Annotated[list[Short], Field(max_length=50)] = Field(default_factory=list)
    long_term: bool = True
    source: Source = Source.IMPORT
    asked: bool = True
    tainted: bool = True
    path: Annotated[str, StringConstraints(pattern=_PATH)] = LONG_TERM_PATH
    state: MemoryState = MemoryState.ACTIVE
    by: int | None = None
    mine: bool = True
    said_at: Instant = 0
    created_at: Instant = 0
    ended_at: Instant | None = None

    @field_validator("content")
    @classmethod
    def _text(cls, value: str) -> str:
        if not (kept := cleaned(value)):
            raise ValueError("no text")
        return kept

    @field_validator("state")
    @classmethod
    def _kept(cls, value: MemoryState) -> MemoryState:
        if value is MemoryState.REMOVED:
            raise ValueError("what was removed is in no export")
        return value


def read(tx: Tx, exporting: Exporting) -> Sequence[MemoryEntry]:
    """Return all memories of a scope, with those that count no more."""
    found = list(_all_of(tx, exporting.lane))
    for one in found:
        exporting.numbers.of("memory", one.memory_id)
    return [
        MemoryEntry(
            number=exporting.numbers.of("memory", one.memory_id),
            content=one.content,
            tags=list(one.tags),
            long_term=one.long_term,
            source=one.source,
            asked=one.asked,
            tainted=one.tainted,
            path=one.path,
            state=one.state,
            by=exporting.numbers.known("memory", one.superseded_by),
            mine=one.person_id == exporting.person_id,
            said_at=one.said_at,
            created_at=one.created_at,
            ended_at=one.ended_at,
        )
        for one in found
    ]


def _all_of(tx: Tx, lane: LaneKey) -> Iterator[Memory]:
    after = 0
    while found := memories.all_of(tx, lane, after=after):
        yield from found
        after = found[-1].memory_id


def put(tx: Tx, importing: Importing, entries: Sequence[MemoryEntry]) -> int:
    """Store memories that are not there; what is there and says the same stays as it is.

    Of a file that is not known to be the person's own, each counts as what somebody else wrote.
    """
    # Memories of no lane: the file does not say where they were said.
    lane = LaneKey(
        tenant_id=importing.lane.tenant_id, scope_id=importing.lane.scope_id, chat_id=importing.lane.chat_id, lane_id=0
    )
    here = list(_all_of(tx, lane))
    dated = {(memories.key(one.content), one.said_at): one.memory_id for one in here}
    undated = {memories.key_of(one.content, one.person_id): one.memory_id for one in here}
    active = {memories.key(one.content): one.memory_id for one in here if one.state is MemoryState.ACTIVE}
    new: dict[int, MemoryEntry] = {}
    for entry in entries:
        key, person_id = memories.key(entry.content), importing.person_id if entry.mine else None
        own = memories.key_of(entry.content, person_id)
        found = dated.get((key, entry.said_at)) if entry.said_at else undated.get(own)
        if found is None and entry.state is MemoryState.ACTIVE and entry.mine:
            same = memories.same(tx, lane, entry.content, person_id)
            found = None if same is None else same.memory_id
        elif found is None and entry.state is MemoryState.ACTIVE:
            found = active.get(key)
        if found is None:
            at = entry.created_at or importing.now
            found = memories.insert(tx, lane, _new(importing, entry), at, entry.state).memory_id
            new[found] = entry
            dated[key, entry.said_at] = undated[own] = found
            if entry.state is MemoryState.ACTIVE:
                active[key] = found
        importing.rows["memory", entry.number] = found
    for memory_id, entry in new.items():
        if entry.state is not MemoryState.ACTIVE:
            ended = entry.ended_at or importing.now
            memories.settle(tx, lane, memory_id, importing.row("memory", entry.by), ended)
    counts = memories.counts(tx, lane)
    if new and counts["long_term"] > MOST_LONG:
        raise Refused("memory_full", most=MOST_LONG)
    return len(new)


def _new(importing: Importing, entry: MemoryEntry) -> NewMemory:
    return NewMemory(
        content=entry.content,
        tags=tags_of(entry.tags),
        long_term=entry.long_term,
        source=entry.source if importing.trusted else Source.IMPORT,
        person_id=importing.person_id if entry.mine else None,
        asked=entry.asked,
        tainted=entry.tainted or not importing.trusted,
        path=entry.path,
        said_at=entry.said_at or importing.now,
    )


def files(entries: Sequence[MemoryEntry], showing: Showing) -> Files:
    """Return what is remembered by the files that memories name, and what counts no more by files of its own."""
    found: dict[str, list[str]] = {}
    for entry in entries:
        path = entry.path if entry.state is MemoryState.ACTIVE else f"memory/{entry.state}.md"
        day = to_local(entry.said_at, showing.zone).date()
        text = "\n  ".join(entry.content.splitlines())
        tags = "".join(f" #{tag}" for tag in entry.tags)
        found.setdefault(path, []).append(f"- {day.isoformat()}: {text}{tags}")
    return {path: "\n".join(("# Memory", "", *lines, "")).encode() for path, lines in found.items()}


def parse(text: str, zone: ZoneInfo) -> Sequence[MemoryEntry]:
    """Read the entries of a file such as MEMORY.md: its bullets, or its paragraphs, or what stands between §s.

    A heading is part of no entry, and a file of hermes has none.
    """
    text = _COMMENT.sub("", _FRONT.sub("", text.replace("\r\n", "\n").lstrip("\ufeff")))
    parts = _SECTION.split(text)
    if len(parts) == 1:
        parts = list(_entries(text))
    return [entry for n, part in enumerate(parts, 1) for entry in _read(part, n, zone)]


def _entries(text: str) -> Iterator[str]:
    """Yield the bullets and paragraphs of a text; a deeper bullet belongs to the one above it, and so does code to
    what it follows."""
    lines, code = list[str](), False
    rows = text.split("\n")
    for row, following in zip(rows, [*rows[1:], ""], strict=True):
        line, fence = row.strip(), row.lstrip().startswith(_FENCE)
        if code or fence:
            lines.append(line)
            code = code is not fence
            continue
        bullet = _BULLET.fullmatch(row)
        parts = not line or _HEADING.fullmatch(line) or _RULE.fullmatch(line)
        parts = parts or (_BOLD.fullmatch(line) and _BULLET.fullmatch(following))
        top = bullet is not None and not bullet["indent"].replace("\t", "  ")[1:]
        if (parts or top) and lines:
            yield "\n".join(lines)
            lines = []
        if not parts:
            lines.append(bullet["text"] if top and bullet is not None else line)
    if lines:
        yield "\n".join(lines)


def _read(part: str, number: int, zone: ZoneInfo) -> Iterator[MemoryEntry]:
    content, said_at = cleaned(part.strip()), 0
    if dated := _DATED.match(content):
        with suppress(ValueError):
            day = datetime.fromisoformat(f"{dated[1]}T{dated[2] or '00:00'}").replace(tzinfo=zone)
            said_at, content = max(0, round(day.timestamp() * 1000)), content[dated.end() :]
    # What is too long for one is several.
    for n, start in enumerate(range(0, len(content), LONGEST)):
        if piece := cleaned(content[start : start + LONGEST]):
            yield MemoryEntry(number=number * 1_000 + n, content=piece, said_at=said_at)


PORTABLE = Portable(
    name="memories",
    entry=MemoryEntry,
    read=read,
    put=put,
    rank=4,
    files=files,
    parses={name: parse for name in ("memory.md", "user.md", "memory/*.md")},
)

"""What was said, as it is taken along: as JSON, and as a file a month."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from pydantic import Field

from core.kernel.errors import Refused
from core.kernel.ports import Row, Tx
from core.kernel.secret_words import without_sealed
from core.kernel.timing.zones import to_local
from core.kernel.types import LaneKey
from core.store.conversation import history, imports
from core.store.conversation.imports import ImportedLine
from core.toolkit.portable import Entry, Exporting, Files, Importing, Instant, Portable, Short, Showing, Text

# Where our own lines come from, when they are read elsewhere.
TELLER = "teller"
# So many lines of other conversations a scope has at most.
MOST = 300_000
# So many lines are looked up at a time.
_AT_ONCE = 500


class LineEntry(Entry):
    """A line of a conversation: `source` is where it was held, `session` which one, `position` where in it."""

    source: Annotated[str, Field(pattern="^[a-z]{1,20}$")] = TELLER
    session: Short
    title: Short = ""
    position: Annotated[int, Field(ge=0, lt=1 << 31)] = 0
    role: Annotated[str, Field(pattern="^(user|assistant)$")]
    speaker: Short = ""
    text: Text
    at: Instant


def read(tx: Tx, exporting: Exporting) -> Sequence[LineEntry]:
    """Return what was said in a scope, in the order in which it was: by its people and the bot, and brought along."""
    lane = exporting.lane
    found = [*_own(history.spoken(tx, lane, group=exporting.group)), *_brought(tx, lane)]
    return sorted(found, key=lambda line: (line.at, line.session, line.position))


def _own(rows: Sequence[Row]) -> Iterator[LineEntry]:
    """Yield lines of the transcript; a lane is a session, which is called by the instant of its first line."""
    begun: dict[int, int] = {}
    positions: dict[int, int] = {}
    for row in rows:
        lane_id = row["lane_id"]
        begun.setdefault(lane_id, row["created_at"])
        positions[lane_id] = positions.get(lane_id, -1) + 1
        yield LineEntry(
            session=str(begun[lane_id]),
            position=positions[lane_id],
            role=row["role"],
            speaker=row["speaker"][:200],
            text=without_sealed(row["text"])[:10_000],
            at=row["created_at"],
        )


def _brought(tx: Tx, lane: LaneKey) -> Iterator[LineEntry]:
    after = 0
    while rows := imports.of_scope(tx, lane, after=after):
        for row in rows:
            told = {name: row[name] for name in ("source", "session", "title", "position", "role", "speaker", "text")}
            yield LineEntry(**told, at=row["said_at"])
        after = rows[-1]["id"]


def fits(tx: Tx, lane: LaneKey, entries: Sequence[LineEntry]) -> None:
    """Raise `Refused` where so many lines are no room for: before the first of them is stored."""
    there = imports.count(tx, lane)
    if there + len(entries) <= MOST:
        return
    for begin in range(0, len(entries), _AT_ONCE):
        some = [_line(entry) for entry in entries[begin : begin + _AT_ONCE]]
        there += len(some) - imports.count_known(tx, lane, some)
        if there > MOST:
            raise Refused("import_full_history")


def _line(entry: LineEntry) -> ImportedLine:
    return ImportedLine(
        source=entry.source,
        session=entry.session,
        title=entry.title,
        position=entry.position,
        role=entry.role,
        speaker=entry.speaker,
        text=entry.text,
        said_at=entry.at,
    )


def put(tx: Tx, importing: Importing, entries: Sequence[LineEntry]) -> int:
    """Store lines that are not there yet, as lines of the job; our own that are in the transcript still are there."""
    lane = importing.lane
    fits(tx, lane, entries)
    here = history.said(tx, lane, [(line.at, line.text) for line in entries if line.source == TELLER])
    missing = [line for line in entries if line.source != TELLER or (line.at, line.text) not in here]
    lines = [_line(line) for line in missing]
    return imports.add(tx, lane, importing.person_id, importing.import_id, lines)


def files(entries: Sequence[LineEntry], showing: Showing) -> Files:
    """Return what was said, a file a month."""
    months: dict[str, list[str]] = {}
    for line in entries:
        at = to_local(line.at, showing.zone)
        name = line.speaker or ("Teller" if line.role == "assistant" else "?")
        place = "" if line.source == TELLER else f" [{line.source}: {' '.join(line.title.split()) or line.session}]"
        text = "\n  ".join(line.text.splitlines())
        months.setdefault(f"{at:%Y-%m}", []).append(f"- {at:%Y-%m-%d %H:%M} {name}{place}: {text}")
    return {
        f"history/{month}.md": "\n".join((f"# {month}", "", *lines, "")).encode() for month, lines in months.items()
    }


PORTABLE = Portable(name="history", entry=LineEntry, read=read, put=put, rank=5, fits=fits, files=files, bulk=True)

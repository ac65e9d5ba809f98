"""Results of commands as lines for a person. What would control the terminal is taken out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any
from zoneinfo import ZoneInfo

from bot.adapters.console.screen import safe
from core.kernel.markdown import truncated
from core.kernel.timing.zones import to_local
from core.kernel.types import Json, Millis

SHOWN_TEXT = 60
GIBI, MEBI = 1 << 30, 1 << 20
_CHANGED = re.compile(r"(?P<chain>tenant \d+) row (?P<row>\d+): changed")
_UNITS = (("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1))


def duration(seconds: float | None) -> str:
    """Such as "2 h 5 min": the two largest units."""
    left = int(seconds or 0)
    parts: list[str] = []
    for name, size in _UNITS:
        if left >= size or (name == "s" and not parts):
            parts.append(f"{left // size} {name}")
            left %= size
    return " ".join(parts[:2])


def moment(at: Millis | None, zone: ZoneInfo) -> str:
    """Return an instant, such as "2026-11-27 17:00:05 CET"."""
    return "never" if at is None else f"{to_local(at, zone):%Y-%m-%d %H:%M:%S %Z}"


def amount(size: int) -> str:
    """Bytes as MB or GB."""
    return f"{size / GIBI:.1f} GB" if size >= GIBI else f"{size / MEBI:.1f} MB"


def file_trouble(error: OSError) -> str:
    """Say what the system does not let us do with a file, and what to do where it is another user's."""
    advice = ". Give it to the user that Teller runs as, or run this as that user"
    return f"{error.filename}: {error.strerror}{advice if isinstance(error, PermissionError) else ''}"


def status(found: Mapping[str, Json], zone: ZoneInfo) -> str:
    """The whole state, one line a thing, what is wrong last."""
    up = f"running for {duration(found.get('uptime_s'))}" if found["running"] else "not running"
    unreachable = ", unreachable" if found["model"] and found.get("model_reachable") is False else ""
    # Tools as text are a last resort: whoever looks is to see that.
    dialect = f", by {found['model_dialect']}" if found["model"] and found.get("model_dialect") else ""
    # Where the database cannot be read, nobody knows what is in it.
    size = f", {amount(found['database_bytes'])}" if "database_bytes" in found else ""
    rows = f"{found['ledger_rows']} rows, " if "ledger_rows" in found else ""
    return _lines([
        f"Teller {found['version']}, {up}",
        *(f"{name}: {_platform(health)}" for name, health in found["platforms"].items()),
        f"model: {found['model'] or 'none is configured'}{dialect}{unreachable}",
        *([f"limits: {found['limits']}"] if found.get("limits") else []),
        *(_waiting(found, zone) if "unanswered" in found else []),
        f"database: {found['database']}{size}",
        f"disk: {amount(found['disk_free_bytes'])} free",
        f"ledger: {rows}last anchored {moment(found['last_anchor_at'], zone)}",
        *(f"! {problem}" for problem in found["problems"]),
    ])


def _waiting(found: Mapping[str, Json], zone: ZoneInfo) -> list[str]:
    """Say how much waits, and how much was given up."""
    oldest = f", the oldest for {duration(found['oldest_unanswered_s'])}" if found["unanswered"] else ""
    failing = found.get("calendars_failing")
    return [
        f"unanswered: {found['unanswered']}{oldest}",
        f"next due: {moment(found['next_due_at'], zone) if found['next_due_at'] else 'nothing'}",
        f"outbox: {found['outbox_waiting']} waiting, {found['outbox_in_doubt']} in doubt",
        f"dead: {found['dead_inbox']} messages, {found['dead_outbox']} answers, {found['dead_triggers']} triggers",
        *([f"calendars: {failing} could not be read for a day"] if failing else []),
    ]


def _lines(lines: Iterable[str]) -> str:
    """Safe lines; a line break inside of one must not look like the next one's begin."""
    return "\n".join(safe(line).replace("\n", "\n    ") for line in lines)


def _platform(health: Mapping[str, Json]) -> str:
    age = health.get("last_poll_age_s")
    polled = (
        "" if "last_poll_age_s" not in health else ", no poll yet" if age is None else f", polled {duration(age)} ago"
    )
    error = f", last error: {health['last_error']}" if health.get("last_error") and not health.get("ok") else ""
    return f"{'ok' if health.get('ok') else 'NOT OK'}{polled}{error}"


def dead_list(rows: Sequence[Mapping[str, Json]], zone: ZoneInfo) -> str:
    """Return a line for each message that was given up."""
    if not rows:
        return "Nothing is dead."
    return _lines(
        f"{row['ref']}  {row['kind']:7}  {moment(row['ended_at'], zone)}  {row['platform']} {row['chat'] or '-'}"
        f"  {_short(row['text'])!r}  {_short(row['error'])}"
        for row in rows
    )


def _short(text: str) -> str:
    return truncated(" ".join(text.split()), SHOWN_TEXT)


def dead_show(row: Mapping[str, Json], zone: ZoneInfo) -> str:
    """Return each field of a row that has a value, on a line of its own; instants in `zone`."""
    lines = (
        f"{name}: {(moment(value, zone) if name.endswith('_at') else str(value))}"
        for name, value in row.items()
        if value not in (None, "")
    )
    return _lines(lines)


def ledger_verify(found: Mapping[str, Json]) -> str:
    """The verdict and what led to it."""
    verdict = "NOT intact" if found["problems"] else "intact"
    erased = f", {found['erased']} of them with erased bodies" if found["erased"] else ""
    lines = [f"The ledger is {verdict}: {found['rows']} rows{erased}."]
    return _lines([
        *lines,
        *(f"! {text}" for text in _joined(found["problems"])),
        *(f"note: {text}" for text in found["notes"]),
    ])


def _joined(problems: Sequence[str]) -> Iterator[str]:
    """Yield problems; of rows that were changed one after the other, as all are without their key, one for them all."""

    def series(numbered: tuple[int, str]) -> tuple[str, int]:
        number, text = numbered
        found = _CHANGED.fullmatch(text)
        return (text, number) if found is None else (found["chain"], int(found["row"]) - number)

    for _, group in groupby(enumerate(problems), series):
        texts = [text for _, text in group]
        first, last = (_CHANGED.fullmatch(text) for text in (texts[0], texts[-1]))
        if len(texts) == 1 or first is None or last is None:
            yield from texts
        else:
            yield f"{first['chain']} rows {first['row']} to {last['row']}: changed"


def tool_list(found: Mapping[str, Json]) -> str:
    """One line a tool, your own with where they are from, and what could not be loaded last."""
    return _lines([
        *(
            f"{one['name']}  {one['category']}, {one['effect']}{', from ' + one['from'] if one['from'] else ''}"
            f"  {_short(one['description'])}"
            for one in found["tools"]
        ),
        *(f"! {problem}" for problem in found["problems"]),
    ])


def ledger_show(rows: Sequence[Mapping[str, Json]], zone: ZoneInfo) -> str:
    """Three lines an act at the most: who did what, with which arguments, with which result."""
    return _lines(line for row in rows for line in _act(row, zone)) or "The ledger is empty."


def _act(row: Mapping[str, Json], zone: ZoneInfo) -> Iterator[str]:
    outcome = "planned" if row["phase"] == "planned" else "ok" if row["success"] else f"failed: {row['error']}"
    tokens = f", {row['tokens_in']}+{row['tokens_out']} tokens of {row['model']}" if row["model"] else ""
    who = f"tenant {row['tenant_id']}, person {row['person_id']}, {row['role']}"
    yield f"#{row['n']} {moment(row['at'], zone)} {row['tool']} ({who}): {outcome}, {row['duration_ms']} ms{tokens}"
    if row["arguments"] is None:
        yield "    erased"
        return
    yield f"    {row['arguments']}"
    if json.loads(row["result"] or "null") is not None:
        yield f"    → {row['result']}"


def imported(done: Mapping[str, Any]) -> str:
    """What a file has brought: how many rows of each part, of how many, and what could not be read."""
    lines = [f"{name}: {done['new'].get(name, 0)} new of {n}" for name, n in done["in"].items()]
    lines += [f"{name}: {n} that cannot be read" for name, n in done["failed"].items()]
    lines += [f"not read: {name}" for name in done["unread"]]
    return "\n".join(lines) or "There is nothing in it that can be taken in."

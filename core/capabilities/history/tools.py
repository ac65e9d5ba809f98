"""Tools for models: what was said in this scope (seed 000; TOOLS: Memory and history)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from core.capabilities.history.service import MAXIMUM, seen
from core.kernel.errors import ToolError
from core.kernel.timing.zones import to_local
from core.kernel.types import Entry, Json, Millis, Role
from core.store.conversation import runs as journal
from core.toolkit.params import Count, Integer, Params, capped
from core.toolkit.tool import ToolContext, tool


class RecentParams(Params):
    """`count`: how many messages (100 at most); `offset`: how many of the newest to skip."""

    count: Count
    offset: Integer = 0


@tool(Role.PLANNER, Role.PERSON, idempotent=True)
async def get_recent_history(params: RecentParams, context: ToolContext) -> Json:
    """The last messages of this conversation, oldest first."""
    count, note = capped(params.count, MAXIMUM)
    if params.offset < 0:
        raise ToolError("get_recent_history", "offset must be 0 or more")
    lane, more = context.lane, seen(context)
    entries = await context.db.read(lambda tx: journal.recent(tx, lane, count, params.offset, **more))
    return {"messages": [_shown(entry, context) for entry in entries], **note, **_taint(entries)}


class ByTimeParams(Params):
    """`after`, `before`: ISO 8601, both included, in the person's zone unless given one; `before` is now by default."""

    after: str
    before: str | None = None


@tool(Role.PLANNER, Role.PERSON, idempotent=True)
async def get_history_by_time(params: ByTimeParams, context: ToolContext) -> Json:
    """Messages of this conversation in a time range, oldest first."""
    after = _instant(params.after, context)
    before = context.clock.now() if params.before is None else _instant(params.before, context)
    lane, more, most = context.lane, seen(context), MAXIMUM + 1
    entries = await context.db.read(lambda tx: journal.between(tx, lane, after, before, most, **more))
    cut = {"truncated": True} if len(entries) > MAXIMUM else {}
    return {"messages": [_shown(entry, context) for entry in entries[:MAXIMUM]], **cut, **_taint(entries)}


def _taint(entries: Sequence[Entry]) -> dict[str, Json]:
    """Say that others' words are among it: the run that reads them is tainted from then on."""
    return {"tainted": True} if any(one.tainted for one in entries) else {}


def _instant(text: str, context: ToolContext) -> Millis:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise ToolError(
            "get_history_by_time", f"{text!r} is no ISO 8601 time, e.g. 2026-11-27T17:00:00+01:00"
        ) from error
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=context.zone)
    return int(moment.timestamp() * 1000)


def _shown(entry: Entry, context: ToolContext) -> Json:
    at = to_local(entry.created_at, context.zone)
    shown = {"role": entry.role, "text": entry.text, "created_at": at.isoformat(timespec="seconds")}
    return {**shown, "speaker": entry.speaker} if entry.speaker else shown

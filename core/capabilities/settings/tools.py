"""Settings tools: language, time zone, context and reading along, for a person or for a group, and taking back."""

from __future__ import annotations

import json
from typing import Any
from zoneinfo import ZoneInfo

from pydantic import Field

from core.kernel import ids
from core.kernel.access import may
from core.kernel.errors import ToolError, ToolPermissionError
from core.kernel.ports import Row, Tx
from core.kernel.timing.quiet_hours import ALWAYS, HOURS
from core.kernel.timing.zones import zone_named
from core.kernel.types import Json, Millis, Role, Standing
from core.language import languages, pick
from core.scheduling import service as scheduling
from core.store.conversation import undo
from core.store.people import chats, people
from core.toolkit import undoable
from core.toolkit.own_chat import own_chat
from core.toolkit.params import Integer, Params
from core.toolkit.tool import Effect, ToolContext, tool

UNDO_LASTS: Millis = 24 * 3_600_000


def _allow(name: str, context: ToolContext) -> None:
    """What a group has as its own is changed by its administrators."""
    if context.participant.group and not may(context.standing, Standing.ADMIN):
        raise ToolPermissionError(name, f"a {context.standing.value} may not change this group")


def _choose(tx: Tx, context: ToolContext, **chosen: str) -> None:
    """Set it for the group, or for the person."""
    if context.participant.group:
        chats.choose(tx, context.lane, **chosen)
    else:
        people.choose(tx, context.lane, context.principal.person_id, **chosen)


def _about(what: str, context: ToolContext) -> str:
    return f"{what}:{context.lane.scope_id}"


class LanguageParams(Params):
    """`language`: a code such as en; empty for automatic."""

    language: str


@tool(Role.PERSON, effect=Effect.WRITE)
def choose_language(params: LanguageParams, context: ToolContext, tx: Tx) -> Json:
    """Choose the language of the bot's own texts, for the person or for the group."""
    _allow("choose_language", context)
    if params.language and params.language not in languages():
        raise ToolError("choose_language", f"unknown language {params.language!r}; known: {', '.join(languages())}")
    former = people.participant(tx, context.lane, context.principal.person_id).language
    _choose(tx, context, language=params.language)
    label = pick(context.language)["undo_language"]
    return {
        "language": params.language,
        **undoable.note(tx, context, label, "choose_language", about=_about("language", context), language=former),
    }


class TimezoneParams(Params):
    """`timezone`: an IANA name such as Europe/Berlin; empty for the zone of whoever has chosen none."""

    timezone: str


@tool(Role.PERSON, effect=Effect.WRITE)
def choose_timezone(params: TimezoneParams, context: ToolContext, tx: Tx) -> Json:
    """Choose the time zone, for the person or for the group. What goes by it is due at the new times.

    A time of day that was said for once stays the instant it was, unless nobody knew the zone until now.
    """
    _allow("choose_timezone", context)
    zone = _zone(params.timezone) if params.timezone else context.home
    former = people.participant(tx, context.lane, context.principal.person_id).timezone
    _choose(tx, context, timezone=params.timezone)
    guessed = not former or (context.undoing and not params.timezone)
    moved = scheduling.change_zone(tx, context, zone, walls=guessed)
    label = pick(context.language)["undo_timezone"]
    about = _about("timezone", context)
    back = undoable.note(tx, context, label, "choose_timezone", about=about, timezone=former)
    return {"timezone": params.timezone, "moved": moved, **back}


def _zone(name: str) -> ZoneInfo:
    zone = zone_named(name)
    if zone is None:
        raise ToolError("choose_timezone", f"unknown timezone {name[:60]!r}; use one such as Europe/Berlin")
    return zone


class QuietParams(Params):
    """`quiet`: such as 22:00-07:00, or always; empty for never."""

    quiet: str = Field(max_length=20)


@tool(Role.PERSON, effect=Effect.WRITE)
def choose_quiet(params: QuietParams, context: ToolContext, tx: Tx) -> Json:
    """Choose when the bot starts nothing by itself, for the person or for the group."""
    _allow("choose_quiet", context)
    if params.quiet not in {"", ALWAYS} and not HOURS.fullmatch(params.quiet):
        raise ToolError("choose_quiet", "quiet must be like 22:00-07:00, or always, or empty")
    former, _ = people.quiet(tx, context.lane)
    _choose(tx, context, quiet=params.quiet)
    label, about = pick(context.language)["undo_quiet"], _about("quiet", context)
    back = undoable.note(tx, context, label, "choose_quiet", about=about, quiet=former)
    return {"quiet": params.quiet, **back}


@tool(Role.PERSON)
async def show_quiet(params: Params, context: ToolContext) -> Json:
    """When the bot starts nothing by itself here."""
    quiet, _ = await context.db.read(lambda tx: people.quiet(tx, context.lane))
    return {"quiet": quiet}


class ReadAlongParams(Params):
    """`on`: whether the bot reads what people of the group say to each other."""

    on: bool


@tool(Role.PERSON, effect=Effect.WRITE)
def read_along(params: ReadAlongParams, context: ToolContext, tx: Tx) -> Json:
    """Switch reading along in a group on or off."""
    _allow("read_along", context)
    if not context.participant.group:
        raise ToolError("read_along", "only a group can be read along")
    if not chats.read_along(tx, context.lane, params.on):
        return {"on": params.on, "changed": False}
    label = pick(context.language)["undo_readalong"]
    about = _about("readalong", context)
    back = undoable.note(tx, context, label, "read_along", about=about, on=not params.on)
    return {"on": params.on, "changed": True, **back}


class ContextParams(Params):
    """`after`: the number of the message the context begins behind; the newest when not given."""

    after: Integer | None = None


@tool(Role.PERSON, effect=Effect.WRITE)
def new_context(params: ContextParams, context: ToolContext, tx: Tx) -> Json:
    """Begin a conversation without what was said before; nothing that is kept goes.

    The context of a group is everybody's: a guest may not end it.
    """
    if context.participant.group and not may(context.standing, Standing.MEMBER):
        raise ToolPermissionError("new_context", f"a {context.standing.value} may not begin anew for this group")
    former = chats.forget_context(tx, context.lane, params.after)
    label, about = pick(context.language)["undo_new"], f"context:{context.lane.lane_id}"
    back = undoable.note(tx, context, label, "new_context", about=about, here=True, shared=True, after=former)
    return {"after": former, **back}


class UndoParams(Params):
    """`undo_id`: what to take back, such as u12ab34; the last thing when not given."""

    undo_id: str | None = None


@tool(Role.PERSON)
async def find_undo(params: UndoParams, context: ToolContext) -> Json:
    """What the person could take back, for a day, and the call that does it. Call that, then `take_back`."""
    since = context.clock.now() - UNDO_LASTS

    def look(tx: Tx) -> Json:
        row = _meant(tx, context, params.undo_id, since)
        status = _status(tx, context, row, since)
        if row is None or status != "open":
            return {"status": status}
        arguments: dict[str, Any] = json.loads(row["arguments"])
        shown = {"undo": ids.ref("u", row["id"]), "label": row["label"], "tool": row["tool"]}
        return {"status": status, **shown, "arguments": arguments}

    return await context.db.read(look)


def _status(tx: Tx, context: ToolContext, row: Row | None, since: Millis) -> str:
    if row is None:
        return "nothing"
    if row["ended_at"] is not None:
        return "done"
    if row["created_at"] < since:
        return "late"
    return "outdated" if undo.outdated(tx, context.lane.tenant_id, row) else "open"


class TakenParams(Params):
    """`undo_id`: what is taken back, such as u12ab34."""

    undo_id: str


@tool(Role.PERSON, effect=Effect.WRITE)
def take_back(params: TakenParams, context: ToolContext, tx: Tx) -> Json:
    """Note that something is taken back, so that it is not once more."""
    now = context.clock.now()
    row = _meant(tx, context, params.undo_id, now)
    return {"taken": row is not None and undo.end(tx, row["id"], now)}


def _meant(tx: Tx, context: ToolContext, undo_id: str | None, since: Millis) -> Row | None:
    """Of this chat; where only the principal sees the answer also what they did with reminders of their own chat."""
    own = own_chat(tx, context)
    mine = None if own is None else _meant_in(tx, own, undo_id, since)
    found = [_meant_in(tx, context, undo_id, since), mine if mine and _is_of_reminder(mine) else None]
    return max((row for row in found if row is not None), key=lambda row: int(row["id"]), default=None)


def _is_of_reminder(row: Row) -> bool:
    return str(row["subject"]).startswith("schedule:")


def _meant_in(tx: Tx, context: ToolContext, undo_id: str | None, since: Millis) -> Row | None:
    person_id, others = context.principal.person_id, may(context.standing, Standing.MEMBER)
    if undo_id is None:
        return undo.newest(tx, context.lane, person_id, since, others=others)
    number = ids.number("u", undo_id)
    return None if number is None else undo.find(tx, context.lane, person_id, number, others=others)

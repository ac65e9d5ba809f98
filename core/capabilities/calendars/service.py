"""What people do with the calendars of a chat: each with its row in the ledger, which has no address."""

from __future__ import annotations

from dataclasses import dataclass

from core.capabilities.calendars import repository as calendars
from core.capabilities.calendars import syncing
from core.capabilities.calendars.models import PREFIX, Calendar
from core.kernel import ids
from core.kernel.errors import ConfigError, Refused
from core.kernel.ports import Tx
from core.kernel.types import LaneKey
from core.store.people import people
from core.toolkit.action import action, note_undo
from core.toolkit.tool import ToolContext
from core.toolkit.web import WebAddress

MOST = 20
QUOTES = " \"'“”„‟‘’‚«»「」『』"


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """A calendar that was changed, by its id and its name; `undo` is the id of what takes the change back, or empty."""

    calendar: str
    name: str
    undo: str = ""


@action("calendars")
def add_calendar(tx: Tx, context: ToolContext, name: str, digest: str) -> Changed:
    """Add a calendar to the chat; its address is known by a digest, and goes by no ledger."""
    _room(tx, context.lane, digest)
    person_id, now = context.principal.person_id, context.clock.now()
    number = calendars.insert(
        tx, context.lane, person_id, name=name, digest=digest, zone=context.zone.key, now=now + syncing.EVERY
    )
    return Changed(calendar=ids.ref(PREFIX, number), name=name)


@action("calendars")
def remove_calendar(tx: Tx, context: ToolContext, calendar: str) -> Changed:
    """Remove a calendar of the chat, with its events; its address is forgotten after a day."""
    found = find(tx, context, calendar)
    calendars.remove(tx, found, context.clock.now())
    label = context.texts.say("undo_calendar_remove", name=found.name or found.ref)
    undo = note_undo(tx, context, label, "calendar_bring_back", about=f"calendar:{found.ref}", calendar=found.ref)
    return Changed(calendar=found.ref, name=found.name, undo=undo.get("undo", ""))


@dataclass(frozen=True, slots=True, kw_only=True)
class BroughtBack:
    """The calendar that is here again, by its id."""

    calendar: str


@action("calendars")
def calendar_bring_back(tx: Tx, context: ToolContext, calendar: str) -> BroughtBack:
    """Bring back a calendar that was removed here. Raises `Refused` where it is gone, or was added anew."""
    number = ids.number(PREFIX, calendar)
    _room(tx, context.lane, "")
    if number is None or not calendars.bring_back(tx, context.lane, number, context.clock.now()):
        raise Refused("undo_outdated")
    return BroughtBack(calendar=calendar)


@action("calendars")
def rename_calendar(tx: Tx, context: ToolContext, calendar: str, name: str) -> Changed:
    """Call a calendar of the chat otherwise."""
    found = find(tx, context, calendar)
    calendars.rename(tx, found, name)
    return Changed(calendar=found.ref, name=name)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldBefore:
    """The choice that was made: events of a chat are told so many `minutes` before they begin, or never (0)."""

    minutes: int


@action("calendars")
def set_told_before(tx: Tx, context: ToolContext, minutes: int) -> ToldBefore:
    """Have the events of the chat's calendars told so many minutes before they begin; 0: no more."""
    if not calendars.tell_before(tx, context.lane, minutes or None):
        raise Refused("calendar_none")
    return ToldBefore(minutes=minutes)


def find(tx: Tx, context: ToolContext, word: str) -> Calendar:
    """Return the calendar of the chat with an id, or of a name that only one has; raise `Refused` for none, or
    several."""
    number = ids.number(PREFIX, word)
    found = None if number is None else calendars.find(tx, context.lane, number)
    if found is not None:
        return found
    named = [one for one in calendars.all_in(tx, context.lane) if bare(one.name) == bare(word)]
    if len(named) != 1:
        raise Refused("calendar_many" if named else "calendar_unknown")
    return named[0]


def bare(name: str) -> str:
    """Return the name of a calendar as it is compared: without the quotes around it, in small letters."""
    return name.strip(QUOTES).casefold()


@action("calendars")
def share_calendar(tx: Tx, context: ToolContext, calendar: str, lane: int) -> Changed:
    """Show a calendar of somebody's private chat in a group, too: there it is one of its own. Raises `Refused`."""
    found, seals = find(tx, context, calendar), context.services.get(WebAddress).seals
    there = people.lane(tx, context.lane.tenant_id, lane)
    if there is None or not found.sealed:
        raise Refused("calendar_unknown")
    if seals is None:
        raise Refused("calendar_no_key")
    _room(tx, there, found.digest)
    try:
        source = seals.open(found.sealed, found.sealing_context)
    except ConfigError as error:
        raise Refused("calendar_no_key") from error
    person_id, now = context.principal.person_id, context.clock.now()
    number = calendars.insert(tx, there, person_id, name=found.name, digest=found.digest, zone=found.zone, now=now)
    made = calendars.find(tx, there, number)
    assert made is not None
    calendars.keep_source(tx, number, sealed=seals.seal(source, made.sealing_context), due=now)
    return Changed(calendar=made.ref, name=made.name)


def _room(tx: Tx, lane: LaneKey, digest: str) -> None:
    """Raise `Refused` when a chat has no room for one more calendar, or has the one with this digest already."""
    if len(calendars.all_in(tx, lane)) >= MOST:
        raise Refused("calendar_too_many", most=MOST)
    if digest and calendars.is_known(tx, lane, digest):
        raise Refused("calendar_known")

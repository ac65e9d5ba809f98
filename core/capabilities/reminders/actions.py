"""Reminders that a person sets, and what they do with those that were posted. None of it needs a model."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from pydantic import Field

from core.capabilities.contacts import acquaintances, introductions
from core.capabilities.contacts import repository as contacts
from core.capabilities.contacts import service as addressing
from core.capabilities.links import service as linking
from core.capabilities.reminders import repository as reminders
from core.capabilities.reminders.repository import Reminder
from core.capabilities.reminders.service import Reminders
from core.capabilities.todos import due as dues
from core.capabilities.todos import repository as todos
from core.kernel import ids
from core.kernel.access import may
from core.kernel.clean_text import Text
from core.kernel.errors import ToolError
from core.kernel.ports import Tx
from core.kernel.timing.schedule import Once, Schedule, dump, load
from core.kernel.timing.trigger import Trigger, TriggerState
from core.kernel.types import Json, Role, Sender, Standing
from core.scheduling import limits as pace
from core.scheduling import repository as triggers
from core.scheduling import service as scheduling
from core.scheduling.repository import Deliver, TriggerKind
from core.scheduling.service import Wish
from core.store.conversation import inbox
from core.toolkit.own_chat import is_whispered, own_chat
from core.toolkit.params import Integer, Params
from core.toolkit.tool import Effect, ToolContext, tool

BRIEF = "brief"


class NamesParams(Params):
    """`names`: as people write them; an id (c12ab34), an address or a handle (@anna) means one."""

    names: list[str] = Field(max_length=addressing.MOST)


@tool(Role.PERSON, category="schedule")
async def find_people(params: NamesParams, context: ToolContext) -> Json:
    """Whom names mean here: for each the contacts it may be, with their zones."""

    def look(tx: Tx) -> Json:
        return {"found": [addressing.candidates(tx, context, name[:80]) for name in params.names]}

    return await context.db.read(look)


@tool(Role.PERSON, effect=Effect.WRITE, category="schedule")
def know_people(params: NamesParams, context: ToolContext, tx: Tx) -> Json:
    """Note in the person's own book those of these names who share a group or an invitation with them."""
    if context.participant.group:
        return {"known": 0}
    found = acquaintances.called(tx, context.lane, context.principal.person_id, params.names)
    now = context.clock.now()
    return {"known": sum(bool(contacts.learn(tx, context.lane, None, one, now)) for _, one in found)}


class MeetParams(Params):
    """What the platform says of somebody (`Sender`), and the private `chat` that it has opened for them."""

    address: str
    chat: str
    called: str
    language: str = ""
    handle: str = ""
    kin: str = ""
    timezone: str = ""
    unknown: str = ""


@tool(Role.PERSON, effect=Effect.WRITE, category="schedule")
def meet_person(params: MeetParams, context: ToolContext, tx: Tx) -> Json:
    """Note a colleague with access who has never written, and their private chat, so that something can come there."""
    sender = Sender(name=params.called, **params.model_dump(exclude={"chat", "called"}))
    return {"met": introductions.meet(tx, context, sender, params.chat)}


class ForwardedParams(Params):
    """None."""


@tool(Role.PERSON, effect=Effect.WRITE, category="schedule")
def take_forwarded(params: ForwardedParams, context: ToolContext, tx: Tx) -> Json:
    """What the person forwarded right behind this command: it is what the command is about, no message of its own."""
    if context.said is None:
        return {"text": "", "link": ""}
    person_id, now = context.principal.person_id, context.clock.now()
    row = inbox.take_forwarded(tx, context.lane, person_id, context.said.inbox_id, now)
    return {"text": "", "link": ""} if row is None else {"text": row["text"], "link": row["link"]}


class ReminderParams(Params):
    """`schedule`: a line as in core.kernel.timing; `contacts`: ids, or in a group handles; none is who asks. `follows`
    when it goes by the zone of the scope; `own` when it is to come in the private chat of who asks.
    """

    text: Annotated[Text, Field(min_length=1, max_length=scheduling.LONGEST)]
    schedule: str = Field(max_length=1_000)
    contacts: list[str] = Field(default_factory=list)
    everybody: bool = False
    until_done: bool = False
    follows: bool = False
    link: str = Field(default="", max_length=300)
    own: bool = False


@tool(Role.PERSON, effect=Effect.WRITE, category="schedule")
def set_reminder(params: ReminderParams, context: ToolContext, tx: Tx) -> Json:
    """Remind somebody: who asks, others, or everybody of a group. `stays` when it is for others and comes in this
    group, whether or not they can be reached in private: so from a guest; or for who asked for their eyes alone, and
    has no private chat. `apart` when it comes there.
    """
    schedule = _schedule("set_reminder", params.schedule)
    wish = Wish(
        schedule=schedule,
        text=params.text,
        link=params.link,
        follows=params.follows,
        everybody=params.everybody and context.participant.group,
        until_done=params.until_done,
        contacts=addressing.resolve(tx, context, "set_reminder", params.contacts, schedule),
    )
    alone = not wish.contacts and not wish.everybody
    own = own_chat(tx, context) if params.own and alone else None
    stays = bool(wish.contacts) and context.participant.group and not may(context.standing, Standing.MEMBER)
    stays = stays or (alone and own is None and is_whispered(context))
    return {**scheduling.create(tx, own or context, "set_reminder", wish), "stays": stays, "apart": own is not None}


class PlaceParams(Params):
    """`schedule_id`: such as s12ab34; `in_group`: in this one, else in the private chat of who asks."""

    schedule_id: str = Field(max_length=80)
    in_group: bool = True


@tool(Role.PERSON, effect=Effect.WRITE, category="schedule")
def place_reminder(params: PlaceParams, context: ToolContext, tx: Tx) -> Json:
    """Let a reminder of the principal alone that has not come yet come in this group instead of their private chat, or
    the other way round, where only they see the answer.
    """
    own = own_chat(tx, context)
    if own is None:
        raise ToolError("place_reminder", "there is no private chat that it could come from, or go to")
    former, place = (own, context) if params.in_group else (context, own)
    found = scheduling.existing(tx, former, "place_reminder", params.schedule_id)
    if not _is_plain(tx, found) or found.person_id != context.principal.person_id:
        raise ToolError("place_reminder", "it is not for the principal alone, or has come already")
    scheduling.check_open(tx, place, "place_reminder", found.person_id)
    schedule = load(found.spec)
    pace.check(place, "place_reminder", schedule, others=False, everybody=False)
    triggers.place(tx, found.trigger_id, place.lane, follows=found.follows and former.zone.key == place.zone.key)
    back = scheduling.note(tx, context, found, "undo_place_reminder", "place_reminder", in_group=not params.in_group)
    return {**scheduling.shown(place, found), **back}


def _is_plain(tx: Tx, found: Trigger) -> bool:
    """Whether it is a reminder for who set it, of which nothing else came yet."""
    alone = not found.everybody and not triggers.contacts(tx, found.trigger_id)
    of_todo = todos.of_trigger(tx, found.lane.tenant_id, found.trigger_id) is not None
    return alone and found.deliver == Deliver.MESSAGE and found.reminder_id is None and not (found.epoch or of_todo)


def _schedule(name: str, line: str) -> Schedule:
    try:
        return load(line)
    except ValueError as error:
        raise ToolError(name, "no schedule") from error


class BriefParams(Params):
    """`schedule`: a line of core.kernel.timing.schedule."""

    schedule: str = Field(max_length=1_000)


@tool(Role.PERSON, effect=Effect.WRITE, category="schedule")
def set_brief(params: BriefParams, context: ToolContext, tx: Tx) -> Json:
    """Tell what is on at a time, again and again: one a scope, setting it again moves it."""
    schedule = _schedule("set_brief", params.schedule)
    former = next((one for one in triggers.of_scope(tx, context.lane) if one.deliver == BRIEF), None)
    if former is None:
        wish = Wish(schedule=schedule, text=BRIEF, deliver=BRIEF, late="3600", follows=True)
        return scheduling.create(tx, context, "set_brief", wish)
    scheduling.existing(tx, context, "set_brief", ids.ref("s", former.trigger_id))
    return _move(tx, context, former, schedule)


def _move(tx: Tx, context: ToolContext, former: Trigger, schedule: Schedule, text: str = "") -> dict[str, Any]:
    todo = todos.of_trigger(tx, context.lane.tenant_id, former.trigger_id)
    if todo is not None and (text or not isinstance(schedule, Once)):
        raise ToolError("change_reminder", "what reminds of a to-do comes once, and says what is to be done")
    next_at = scheduling.first_at("change_reminder", context, schedule)
    if not context.undoing:
        others = bool(triggers.contacts(tx, former.trigger_id))
        pace.check(context, "change_reminder", schedule, others=others, everybody=former.everybody)
    # Its place may have been taken meanwhile, also by what is to be taken back.
    addressing.check_room(tx, context, "change_reminder", former, next_at)
    kind = scheduling.kind(schedule)
    triggers.move(tx, former.trigger_id, next_at, spec=dump(schedule), kind=kind, text=text or None)
    if former.state == TriggerState.PAUSED:
        triggers.resume(tx, former.trigger_id, next_at)
    if todo is not None:
        todos.edit(tx, todo, content=todo.content, due_on="", due_at=next_at)
    scheduling.wake(tx, context, next_at)
    moved = replace(former, spec=dump(schedule), kind=kind, next_at=next_at, state=TriggerState.ACTIVE, reason="")
    moved = replace(moved, text=text or former.text)
    said = {"schedule": former.spec, **({"text": former.text} if text else {})}
    back = scheduling.note(tx, context, former, "undo_move_schedule", "change_reminder", **said)
    return {**scheduling.shown(context, moved), **back}


class ChangeParams(Params):
    """`schedule_id`: such as s12ab34; `schedule`: a line of core.kernel.timing; without a `text` that stays."""

    schedule_id: str = Field(max_length=80)
    schedule: str = Field(max_length=1_000)
    text: Annotated[Text, Field(max_length=scheduling.LONGEST)] = ""


@tool(Role.PERSON, effect=Effect.WRITE, category="schedule")
def change_reminder(params: ChangeParams, context: ToolContext, tx: Tx) -> Json:
    """Give what is scheduled another time, or another text; what is paused goes on. What was put off comes once, under
    a new id, with the text that it has."""
    context = linking.behind(tx, context, params.schedule_id, "change_reminder")
    former = scheduling.existing(tx, context, "change_reminder", params.schedule_id)
    schedule = _schedule("change_reminder", params.schedule)
    if former.reminder_id is None:
        return _move(tx, context, former, schedule, params.text)
    return _put_off_anew(tx, context, former, schedule)


def _put_off_anew(tx: Tx, context: ToolContext, former: Trigger, schedule: Schedule) -> dict[str, Any]:
    """By whoever put it off: the messages of the reminder show the new time."""
    posted = reminders.find(tx, former.lane, former.reminder_id or 0)
    if posted is None or not isinstance(schedule, Once):
        raise ToolError("change_reminder", "what was put off comes once, as long as its reminder is there")
    until = scheduling.first_at("change_reminder", context, schedule)
    if not context.services.get(Reminders).snooze(tx, replace(posted, lane=former.lane), former.person_id, until):
        raise ToolError("change_reminder", "all whom it was for have done it, or put it off themselves")
    comes = [one for one in triggers.again(tx, posted.first_id) if not one.round and one.person_id == former.person_id]
    moved = max(comes, key=lambda one: one.trigger_id)
    back = scheduling.note(tx, context, moved, "undo_move_schedule", "change_reminder", schedule=former.spec)
    return {**scheduling.shown(context, moved), **back}


class PostedParams(Params):
    """`reminder_id`: such as r12ab34; the one that the message answers when not given."""

    reminder_id: str = Field(default="", max_length=80)


class WaitingParams(Params):
    """`reminder_id`: only this one, such as r12ab34."""

    reminder_id: str = Field(default="", max_length=80)


@tool(Role.PERSON, category="schedule")
async def waiting_reminders(params: WaitingParams, context: ToolContext) -> Json:
    """Which posted reminders an answer in private may be to that replies to nothing; `schedule_id` of what recurs."""

    def look(tx: Tx) -> Json:
        aimless = not context.participant.group and (context.said is None or not context.said.reply_to)
        found = reminders.meant(tx, context.lane, context.clock.now() - reminders.WAITS) if aimless else []
        if params.reminder_id:
            one = _posted(tx, context, params.reminder_id)
            found = [one] if one is not None and _may(tx, context, one) else []
        return {"aimless": aimless, "reminders": [_waiting(tx, context, one) for one in found]}

    return await context.db.read(look)


def _waiting(tx: Tx, context: ToolContext, reminder: Reminder) -> dict[str, Any]:
    made = triggers.find(tx, context.lane, reminder.trigger_id)
    recurs = made is not None and made.kind != TriggerKind.ONCE and made.state == TriggerState.ACTIVE
    schedule_id = ids.ref("s", reminder.trigger_id) if recurs else ""
    text = reminder.text[: scheduling.SHOWN]
    due = {"due_at": reminder.due_at}
    return {"reminder_id": ids.ref("r", reminder.reminder_id), "text": text, "schedule_id": schedule_id, **due}


@tool(Role.PERSON, effect=Effect.WRITE, category="schedule")
def finish_reminder(params: PostedParams, context: ToolContext, tx: Tx) -> Json:
    """A posted reminder is done, by whom it is for; `status` is done, already, unknown or not_yours."""
    reminder = _posted(tx, context, params.reminder_id)
    if reminder is None:
        return {"status": "unknown"}
    if not _may(tx, context, reminder):
        return {"status": "not_yours"}
    done = context.services.get(Reminders).finish(tx, reminder, context.principal.person_id)
    if done:
        dues.finished(tx, context, reminder)
    return {"status": "done" if done else "already", "text": reminder.text[: scheduling.SHOWN]}


class PutOffParams(PostedParams):
    """`until`: in unix milliseconds."""

    until: Integer


@tool(Role.PERSON, effect=Effect.WRITE, category="schedule")
def put_off_reminder(params: PutOffParams, context: ToolContext, tx: Tx) -> Json:
    """Bring a posted reminder again at an instant; `status` is put_off, past, unknown, not_yours or settled."""
    reminder = _posted(tx, context, params.reminder_id)
    if reminder is None:
        return {"status": "unknown"}
    if not _may(tx, context, reminder):
        return {"status": "not_yours"}
    if params.until <= context.clock.now():
        return {"status": "past"}
    if not context.services.get(Reminders).snooze(tx, reminder, context.principal.person_id, params.until):
        return {"status": "settled"}
    return {"status": "put_off", "text": reminder.text[: scheduling.SHOWN]}


def _posted(tx: Tx, context: ToolContext, reminder_id: str) -> Reminder | None:
    """The one with this id; else the one whose message is replied to, in private the only one that waits, or in a
    thread of a group the newest there, if it is for who asks."""
    if reminder_id:
        number = ids.number("r", reminder_id)
        return None if number is None else reminders.find(tx, context.lane, number)
    said = "" if context.said is None else context.said.reply_to
    found = reminders.by_message(tx, context.lane, said) if said else None
    # Of a thread that began with something else it may be the last word.
    if found is not None or said not in ("", context.participant.place.thread):
        return found
    if context.participant.group and context.participant.place.thread:
        return reminders.newest_for(tx, context.lane, context.principal.person_id)
    found_here = (
        [] if context.participant.group else reminders.meant(tx, context.lane, context.clock.now() - reminders.WAITS)
    )
    return found_here[0] if len(found_here) == 1 else None


def _may(tx: Tx, context: ToolContext, reminder: Reminder) -> bool:
    """Whom it is for, who asked for it, or an owner. What is for everybody anybody may do; so may anybody where only
    a handle is known of those it is for.
    """
    mine = context.principal.person_id
    rows = reminders.people(tx, reminder.first_id)
    asked = reminder.asker_id == mine or may(context.standing, Standing.OWNER)
    return asked or reminder.everybody or any(one.person_id in {None, mine} for one in rows)

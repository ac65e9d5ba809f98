"""The actions by which people set and change reminders, and finish or put off those that were posted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from pydantic import TypeAdapter

from core.capabilities.contacts import service as addressing
from core.capabilities.reminders import repository as reminders
from core.capabilities.reminders.repository import Reminder, Stand
from core.capabilities.reminders.service import Reminders
from core.kernel import ids
from core.kernel.access import may
from core.kernel.clean_text import cleaned
from core.kernel.errors import Refused
from core.kernel.markdown import literal
from core.kernel.ports import Tx
from core.kernel.timing.schedule import Once, Schedule, dump, load
from core.kernel.timing.trigger import Trigger, TriggerState
from core.kernel.types import Millis, Standing
from core.language import pick
from core.language.matching import matching
from core.scheduling import firing, pausing
from core.scheduling import repository as triggers
from core.scheduling import service as scheduling
from core.scheduling.repository import Deliver, TriggerKind
from core.scheduling.service import NewTrigger, Scheduled
from core.store.conversation import inbox
from core.store.people import chats
from core.store.people.chats import ChatState
from core.toolkit.acting_as import is_whispered, own_chat
from core.toolkit.action import action, note_undo, permit
from core.toolkit.capability import Schedules
from core.toolkit.tool import ToolContext

_STAND = TypeAdapter(Stand)


@dataclass(frozen=True, kw_only=True)
class Forwarded:
    """A message that somebody forwarded, and a link to it; both empty where there is none."""

    text: str = ""
    link: str = ""


@dataclass(frozen=True, kw_only=True)
class Posted:
    """The result of an action on a posted reminder with this text: `status` is done, already, put_off (it comes again
    at `until`), past, settled, open, unknown or not_yours."""

    status: str
    text: str = ""
    until: Millis = 0


@dataclass(frozen=True, kw_only=True)
class Waiting:
    """A posted reminder that waits for an answer; `schedule_id` is the id of its series, empty if it comes once."""

    reminder_id: str
    text: str
    schedule_id: str
    due_at: Millis


# Setting and changing.


@action("schedule")
def take_forwarded(tx: Tx, context: ToolContext) -> Forwarded:
    """Take the message that the person forwarded right behind this command: the command is about it."""
    if context.said is None:
        return Forwarded()
    person_id, now = context.principal.person_id, context.clock.now()
    row = inbox.take_forwarded(tx, context.lane, person_id, context.said.inbox_id, now)
    return Forwarded() if row is None else Forwarded(text=row["text"], link=row["link"])


@action("schedule")
def set_reminder(
    tx: Tx,
    context: ToolContext,
    *,
    text: str,
    schedule: str,
    contacts: Sequence[str] = (),
    everybody: bool = False,
    until_done: bool = False,
    follows: bool = False,
    link: str = "",
    own: bool = False,
) -> Scheduled:
    """Remind somebody: who asks, others (`contacts`: ids, or in a group handles), or everybody of a group.

    `schedule` is a line of `core.kernel.timing.schedule`. `follows` when its times follow the zone of the scope. `own`
    when it is to come in the private chat of whoever asks; the result is `apart` then. The result `stays` when it comes
    in this group in any case: a guest sets it for others, or whoever asks so that only they see the answer has no
    private chat.
    """
    when = _schedule(schedule)
    new = NewTrigger(
        schedule=when,
        text=_text(text),
        link=link,
        follows=follows,
        everybody=everybody and context.participant.group,
        until_done=until_done,
        contacts=addressing.resolve(tx, context, contacts, when),
    )
    alone = not new.contacts and not new.everybody
    own_context = own_chat(tx, context) if own and alone else None
    stays = bool(new.contacts) and context.participant.group and not may(context.standing, Standing.MEMBER)
    stays = stays or (alone and own_context is None and is_whispered(context))
    made = scheduling.create(tx, own_context or context, new)
    return replace(made, stays=stays, apart=own_context is not None)


def _text(text: str) -> str:
    kept = cleaned(text)
    if not kept or len(kept) > scheduling.LONGEST:
        raise Refused("reminder_too_long" if kept else "invalid")
    return kept


def _schedule(line: str) -> Schedule:
    try:
        return load(line)
    except ValueError as error:
        raise Refused("invalid") from error


@action("schedule")
def place_reminder(tx: Tx, context: ToolContext, schedule_id: str, *, in_group: bool = True) -> Scheduled:
    """Move a reminder that is for the principal alone, and has not come yet, from their private chat to this group, or
    back. Only they see the answer here."""
    own = own_chat(tx, context)
    if own is None:
        raise Refused("task_ended")
    if in_group and chats.state(tx, context.lane) == ChatState.GONE:
        raise Refused("not_here")
    former, place = (own, context) if in_group else (context, own)
    found = scheduling.existing(tx, former, schedule_id)
    alone = not found.everybody and not triggers.contacts(tx, found.trigger_id)
    came = found.reminder_id is not None or bool(found.epoch)
    plain = alone and not came and found.deliver == Deliver.MESSAGE and not triggers.is_of_todo(tx, found)
    if not plain or found.person_id != context.principal.person_id:
        raise Refused("task_ended")
    scheduling.check_open(tx, place, found.person_id)
    scheduling.check_often(place, load(found.spec), others=False, everybody=False)
    triggers.place(tx, found.trigger_id, place.lane, follows=found.follows and former.zone.key == place.zone.key)
    undo = scheduling.note_undo_of(tx, context, found, "undo_place_reminder", "place_reminder", in_group=not in_group)
    return replace(scheduling.scheduled(place, found), undo=undo)


@action("schedule", concerns_all=lambda _: True)
def set_brief(tx: Tx, context: ToolContext, schedule: str) -> Scheduled:
    """Set the daily brief of the scope, or move it: a scope has one."""
    when = _schedule(schedule)
    former = next((one for one in triggers.of_scope(tx, context.lane) if one.deliver == Deliver.BRIEF), None)
    if former is None:
        new = NewTrigger(schedule=when, text=Deliver.BRIEF, deliver=Deliver.BRIEF, late="3600", follows=True)
        return scheduling.create(tx, context, new)
    scheduling.existing(tx, context, ids.ref("s", former.trigger_id))
    return _move(tx, context, former, when)


@action("schedule", concerns_all=lambda task: task.for_all)
def change_reminder(tx: Tx, context: ToolContext, schedule_id: str, *, schedule: str, text: str = "") -> Scheduled:
    """Give what is scheduled another time, which also resumes it if it is paused, or another `text` at the same time.

    Times that somebody skipped stay skipped. A reminder that was put off gets a new id, and keeps its text.
    """
    context = scheduling.context_of(tx, context, schedule_id, "change_reminder")
    former, when = scheduling.existing(tx, context, schedule_id), _schedule(schedule)
    addressing.refuse_unasked_move(tx, context, former)
    if former.reminder_id is not None:
        return _put_off_anew(tx, context, former, when)
    return _move(tx, context, former, when, _text(text) if text else "")


def _move(tx: Tx, context: ToolContext, former: Trigger, schedule: Schedule, text: str = "") -> Scheduled:
    if former.watches:
        raise Refused("watch_no_time")
    # The trigger of a to-do comes once, and has the text of the item.
    if (text or not isinstance(schedule, Once)) and triggers.is_of_todo(tx, former):
        raise Refused("skip_once")
    # Another text alone changes no time, and resumes nothing.
    stays = bool(text) and schedule == load(former.spec)
    after = scheduling.left_out(former, schedule, context.clock.now())
    next_at = former.next_at if stays else scheduling.first_at(context, schedule, after)
    if not context.undoing:
        others = bool(triggers.contacts(tx, former.trigger_id))
        scheduling.check_often(context, schedule, others=others, everybody=former.everybody)
    # The limits may leave no room at that time any more, also where a change is taken back.
    addressing.check_room(tx, context, former, next_at)
    kind = scheduling.kind(schedule)
    triggers.move(tx, former.trigger_id, next_at, spec=dump(schedule), kind=kind, text=text or None)
    moved = replace(former, spec=dump(schedule), kind=kind, next_at=next_at, text=text or former.text)
    if not stays:
        pausing.resume(tx, former.trigger_id, next_at)
        moved = replace(moved, state=TriggerState.ACTIVE, reason="")
    firing.trigger_moved(context.services, tx, moved)
    same_time = kind == TriggerKind.ONCE or schedule == load(former.spec)
    if same_time and moved == replace(former, spec=moved.spec):
        # Nothing has changed, so the undo of the change before stays the last one.
        return scheduling.scheduled(context, moved)
    was = {**scheduling.as_it_was(former), "schedule": former.spec, **({"text": former.text} if text else {})}
    undo = scheduling.note_undo_of(tx, context, former, "undo_move_schedule", "put_back_schedule", **was)
    return replace(scheduling.scheduled(context, moved), undo=undo)


def _put_off_anew(tx: Tx, context: ToolContext, former: Trigger, schedule: Schedule) -> Scheduled:
    """Put a reminder off to another time, for the person who put it off: its messages show the new time."""
    posted = reminders.find(tx, former.lane, former.reminder_id or 0)
    if not isinstance(schedule, Once):
        raise Refused("skip_once")
    until = scheduling.first_at(context, schedule)
    service = context.services.get(Reminders)
    if posted is None:
        raise Refused("task_ended")
    if until == former.next_at:
        # It is put off until then already, and a new id would make the undo of that useless.
        return scheduling.scheduled(context, former)
    comes = service.snooze(tx, replace(posted, lane=former.lane), former.person_id, until)
    if comes is None:
        raise Refused("task_ended")
    again = [
        one
        for one in triggers.bringing_again(tx, posted.first_id)
        if not one.round and one.person_id == former.person_id
    ]
    moved = max(again, key=lambda one: one.trigger_id)
    undo = scheduling.note_undo_of(tx, context, moved, "undo_move_schedule", "change_reminder", schedule=former.spec)
    return replace(scheduling.scheduled(context, moved), undo=undo)


# What was posted.


def aimless(context: ToolContext) -> bool:
    """Return whether nothing says which reminder an answer is to: it was written in private, and replies to nothing."""
    return not context.participant.group and (context.said is None or not context.said.reply_to)


def waiting(tx: Tx, context: ToolContext, reminder_id: str = "", *, called: str = "") -> Sequence[Waiting]:
    """Return the posted reminder with this id, such as r12ab34, if it is for whoever asks; or those that wait here for
    their answer and are `called` so, but not of an item of the list here; without both, all to which an answer in
    private may be that replies to nothing."""
    permit(context, "schedule")
    if called:
        since = context.clock.now() - reminders.WAITS
        all_here = reminders.waiting(tx, context.lane, since, reminders.MOST_NAMED_AMONG)
        theirs = [one for one in all_here if _may(tx, context, one)]
        made = [(one, triggers.find(tx, context.lane, one.trigger_id)) for one in matching(called, theirs)]
        return [
            _waiting(tx, context, one)
            for one, trigger in made
            if trigger is None or not triggers.is_of_todo(tx, trigger)
        ][: reminders.MOST_WAITING]
    if reminder_id:
        posted = _posted(tx, context, reminder_id)
        return [_waiting(tx, context, posted)] if posted is not None and _may(tx, context, posted) else []
    if not aimless(context):
        return []
    found = reminders.meant(tx, context.lane, context.clock.now() - reminders.WAITS)
    return [_waiting(tx, context, posted) for posted in found]


def _waiting(tx: Tx, context: ToolContext, reminder: Reminder) -> Waiting:
    made = triggers.find(tx, context.lane, reminder.trigger_id)
    recurs = made is not None and made.kind != TriggerKind.ONCE and made.state == TriggerState.ACTIVE
    return Waiting(
        reminder_id=ids.ref("r", reminder.reminder_id),
        text=reminder.text[: scheduling.SHOWN],
        schedule_id=ids.ref("s", reminder.trigger_id) if recurs else "",
        due_at=reminder.due_at,
    )


@action("schedule")
def finish_reminder(tx: Tx, context: ToolContext, reminder_id: str = "") -> Posted:
    """Finish a posted reminder for whoever asks; without an id, the one that their message answers."""
    reminder = _posted(tx, context, reminder_id)
    if reminder is None:
        return Posted(status="unknown")
    if not _may(tx, context, reminder):
        return Posted(status="not_yours")
    service = context.services.get(Reminders)
    was, done = service.stand(tx, reminder), service.finish(tx, reminder, context.principal.person_id)
    if done:
        became = _changed(tx, context, reminder, "undo_done_reminder", was)
        if became.done:
            _tell_capabilities(tx, context, reminder, context.principal.person_id)
    return Posted(status="done" if done else "already", text=reminder.text[: scheduling.SHOWN])


@action("schedule")
def put_off_reminder(tx: Tx, context: ToolContext, reminder_id: str = "", *, until: Millis) -> Posted:
    """Put a posted reminder off until an instant; without an id, the one that the message answers."""
    reminder = _posted(tx, context, reminder_id)
    if reminder is None:
        return Posted(status="unknown")
    if not _may(tx, context, reminder):
        return Posted(status="not_yours")
    if until <= context.clock.now():
        return Posted(status="past")
    service = context.services.get(Reminders)
    was, comes = service.stand(tx, reminder), service.snooze(tx, reminder, context.principal.person_id, until)
    if comes is None:
        return Posted(status="settled")
    _changed(tx, context, reminder, "undo_put_off", was)
    return Posted(status="put_off", text=reminder.text[: scheduling.SHOWN], until=comes.next_at)


def _changed(tx: Tx, context: ToolContext, reminder: Reminder, label: str, was: Stand) -> Stand:
    """Note how what somebody did with a reminder is taken back, and return how it stands now; `label` is a key."""
    became = context.services.get(Reminders).stand(tx, reminder)
    words = pick(context.language).say(label, text=literal(reminder.text[: scheduling.SHOWN]))
    about, this = f"reminder:{reminder.first_id}:{context.principal.person_id}", ids.ref("r", reminder.reminder_id)
    call, former, latter = "put_back_reminder", asdict(was), asdict(became)
    note_undo(tx, context, words, call, about=about, reminder_id=this, was=former, became=latter)
    return became


def _tell_capabilities(tx: Tx, context: ToolContext, reminder: Reminder, person_id: int | None) -> None:
    """Tell other capabilities, such as to-dos, who has done what a reminder is of; None where that is taken back."""
    for hooks in context.services.every(Schedules):
        if hooks.done is not None:
            hooks.done(context.services, tx, context.lane.tenant_id, reminder.trigger_id, person_id)


@action("schedule")
def put_back_reminder(
    tx: Tx, context: ToolContext, reminder_id: str, *, was: Mapping[str, Any], became: Mapping[str, Any]
) -> Posted:
    """Undo what somebody did with a posted reminder: it stands as it `was`, if it is still what it `became`."""
    reminder = _posted(tx, context, reminder_id)
    if reminder is None:
        return Posted(status="unknown")
    former, latter = (_STAND.validate_python(one) for one in (was, became))
    service = context.services.get(Reminders)
    if not service.put_back(tx, reminder, context.principal.person_id, former, latter):
        raise Refused("undo_outdated")
    if latter.done and not former.done:
        _tell_capabilities(tx, context, reminder, None)
    return Posted(status="open", text=reminder.text[: scheduling.SHOWN])


def _posted(tx: Tx, context: ToolContext, reminder_id: str) -> Reminder | None:
    """Return the posted reminder with this id. Without one it is the reminder whose message is replied to; else, in
    private, the only one that waits; else, in a thread of a group, the newest there if it is for whoever asks."""
    if reminder_id:
        number = ids.number("r", reminder_id)
        return None if number is None else reminders.find(tx, context.lane, number)
    said = "" if context.said is None else context.said.reply_to
    found = reminders.by_message(tx, context.lane, said) if said else None
    # A reminder may also be the bot's last word in a thread that began with something else.
    if found is not None or said not in ("", context.participant.place.thread):
        return found
    if context.participant.group and context.participant.place.thread:
        return reminders.newest_for(tx, context.lane, context.principal.person_id)
    found_here = (
        [] if context.participant.group else reminders.meant(tx, context.lane, context.clock.now() - reminders.WAITS)
    )
    return found_here[0] if len(found_here) == 1 else None


def _may(tx: Tx, context: ToolContext, reminder: Reminder) -> bool:
    """Return whether the principal may answer a reminder: it is for them, they asked for it, or they are an owner.

    Anybody may if it is for everybody, or for somebody of whom only a handle is known.
    """
    mine = context.principal.person_id
    rows = reminders.people(tx, reminder.first_id)
    asked = reminder.asker_id == mine or may(context.standing, Standing.OWNER)
    return asked or reminder.everybody or any(one.person_id in {None, mine} for one in rows)

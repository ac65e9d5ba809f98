"""The actions by which people look at what is scheduled, and pause, resume, skip and stop it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from types import MappingProxyType
from typing import Any

from core.capabilities.contacts import service as addressing
from core.capabilities.reminders import repository as reminders
from core.capabilities.reminders.repository import ReminderState
from core.capabilities.reminders.service import Reminders, revived
from core.kernel import ids
from core.kernel.access import may
from core.kernel.errors import Refused
from core.kernel.ids import ref
from core.kernel.ports import Tx
from core.kernel.timing.expressions import Clock
from core.kernel.timing.schedule import Once, Watch, dump, load, next_after
from core.kernel.timing.trigger import Trigger, TriggerState
from core.kernel.timing.zones import is_zone, to_instant, to_local
from core.kernel.types import LaneKey, Millis, Role, Standing
from core.language import pick
from core.language.matching import matching
from core.scheduling import firing, pausing
from core.scheduling import repository as triggers
from core.scheduling import service as scheduling
from core.scheduling.repository import Deliver
from core.scheduling.service import Scheduled
from core.store.conversation import tasks
from core.store.people import people
from core.toolkit.action import action, note_undo, permit
from core.toolkit.other_chats import linked
from core.toolkit.tool import ToolContext

PAGE, ELSEWHERE, MATCHES = 8, 20, 8
HALF_DAY, DAY = 12, 24
# So many of the last outcomes of work are shown.
CAME = 5


@dataclass(frozen=True, kw_only=True)
class Elsewhere:
    """Something scheduled in the chat of another scope: made there by whoever asks, or of a person (`person_id`) with
    whom they are linked. `zone` is that of a group, empty for a private chat."""

    task: Scheduled
    scope_id: int
    person_id: int = 0
    zone: str = ""


@dataclass(frozen=True, kw_only=True)
class Page:
    """A page of what is scheduled, of `pages` with `count` entries in all. In private it also has what the person made
    `elsewhere`, in groups, and what belongs to those with whom they are `linked`; the caller shows of groups only those
    that they are still in."""

    tasks: Sequence[Scheduled]
    page: int
    pages: int
    count: int
    elsewhere: Sequence[Elsewhere] = ()
    linked: Sequence[Elsewhere] = ()


@dataclass(frozen=True, kw_only=True)
class Stopped:
    """The result of stopping something scheduled; without `success` there was no such thing any more. `for_all` when it
    was for everybody in a group, `tainted` when it has words of others."""

    success: bool
    schedule_id: str = ""
    text: str = ""
    for_all: bool = False
    tainted: bool = False
    undo: str = ""


@dataclass(frozen=True, kw_only=True)
class StoppedMany:
    """The result of stopping several, or of undoing that. It is `for_all` when one of them was for everybody in a
    group, and `tainted` when one has words of others."""

    count: int
    for_all: bool = False
    tainted: bool = False
    undo: str = ""


# Looking.


def page_of(tx: Tx, context: ToolContext, page: int) -> Page:
    """Return a page of what is scheduled in the scope, the next one first."""
    permit(context, "schedule")
    everything = triggers.of_scope(tx, context.lane)
    pages = max(1, -(-len(everything) // PAGE))
    page, me = min(page, pages), context.principal.person_id
    return Page(
        tasks=[_full(tx, context, trigger) for trigger in everything[(page - 1) * PAGE : page * PAGE]],
        page=page,
        pages=pages,
        count=len(everything),
        elsewhere=[] if context.participant.group else _elsewhere(tx, context, context.lane, me),
        linked=[] if context.participant.group else _linked(tx, context),
    )


def meant(tx: Tx, context: ToolContext, words: str) -> Sequence[Scheduled]:
    """Return what is scheduled under an id such as s12ab34; else what has these words, since a word such as "stretch"
    may look like an id. If nothing here has them, a person also gets what is scheduled for those with whom they are
    linked.
    """
    permit(context, "schedule")
    there = scheduling.context_of(tx, context, words)
    if (known := scheduling.find(tx, there.lane, words)) is not None:
        return [_full(tx, there, known)]
    here, beyond = triggers.of_scope(tx, context.lane), list[Trigger]()
    found = _called(words, context, here)
    if not found and context.role is Role.PERSON:
        beyond = _called(words, context, scheduling.of_linked(tx, context.access, context.participant))
    theirs = [_full(tx, scheduling.context_of(tx, context, ref("s", one.trigger_id)), one) for one in beyond]
    return [_full(tx, context, one) for one in found] or theirs


def _called(words: str, context: ToolContext, everything: Sequence[Trigger]) -> list[Trigger]:
    """Return the triggers that have these words, in their order; the brief also by its name in the asker's language."""
    name = pick(context.language)["brief_name"]
    briefs = [replace(one, text=name) for one in everything if one.deliver == Deliver.BRIEF]
    found = {one.trigger_id for one in matching(words, [*briefs, *everything])}
    return [one for one in everything if one.trigger_id in found]


def came_of(tx: Tx, context: ToolContext, task: Scheduled) -> Sequence[tuple[Millis, str]]:
    """Return the last outcomes of scheduled work, the newest first, each with its instant."""
    number = ids.number("s", task.schedule_id)
    if number is None or task.deliver != Deliver.TASK:
        return []
    there = scheduling.context_of(tx, context, task.schedule_id)
    return [(one.ended_at or 0, one.outcome) for one in tasks.last_of_trigger(tx, there.lane, number, CAME)]


def due_at(tx: Tx, context: ToolContext, day: date | None, clock: Clock | None) -> Sequence[Scheduled]:
    """Return what is due next at a clock time, or on a day, or both, in the zone of whoever asks; "7" is either half of
    the day. The `next_at` of a series is that of the day.

    The brief is left out, since people call it by its name.
    """
    permit(context, "schedule")
    start = 0 if day is None else to_instant(datetime.combine(day, time()), context.zone)
    found = []
    for trigger in triggers.of_scope(tx, context.lane):
        if trigger.state != TriggerState.ACTIVE or trigger.watches or trigger.deliver == Deliver.BRIEF:
            continue
        schedule = load(trigger.spec)
        then: Millis | None = trigger.next_at if trigger.next_at >= start else next_after(schedule, start - 1)
        while then is not None:
            at = to_local(then, context.zone)
            hours = {at.hour} if clock is None or clock.certain else {at.hour, (at.hour + HALF_DAY) % DAY}
            if day is not None and at.date() != day:
                break
            if clock is None or (clock.hour in hours and clock.minute == at.minute):
                found.append(replace(_full(tx, context, trigger), next_at=then))
                break
            then = None if day is None else next_after(schedule, then)
    return found


def own_reminders(tx: Tx, context: ToolContext) -> Sequence[Scheduled]:
    """Return the reminders that whoever asks has set here, the next one first; not the brief, nor work for a model."""
    permit(context, "schedule")
    me = context.principal.person_id
    found = (one for one in triggers.of_scope(tx, context.lane) if one.deliver == Deliver.MESSAGE)
    return [_full(tx, context, trigger) for trigger in found if trigger.person_id == me]


def brief_of(tx: Tx, context: ToolContext) -> Scheduled | None:
    """Return the daily brief of the scope; None when there is none."""
    found = (trigger for trigger in triggers.of_scope(tx, context.lane) if trigger.deliver == Deliver.BRIEF)
    return next((_full(tx, context, trigger) for trigger in found), None)


def _full(tx: Tx, context: ToolContext, trigger: Trigger) -> Scheduled:
    """Return something scheduled with those whom it is for, and whether the principal may change it."""
    numbers = triggers.contacts(tx, trigger.trigger_id)
    of_todo = triggers.is_of_todo(tx, trigger)
    names, zone = addressing.names(tx, context, numbers, trigger.person_id)
    if not numbers and not of_todo and trigger.deliver == Deliver.MESSAGE and not trigger.everybody:
        # Somebody who reminds themselves in a group may have a zone of their own.
        own = context.participant.group and trigger.person_id == context.principal.person_id
        zone = context.principal.timezone if own and is_zone(context.principal.timezone) else zone
    # The person asks about their private chat, and only they see the answer, which stands elsewhere.
    own_chat = not context.participant.group and context.said is not None and bool(context.said.response_url)
    apart = not numbers and own_chat
    task = scheduling.scheduled(context, trigger)
    return replace(
        task,
        names=names,
        zone=context.zone.key if apart else zone,
        mine=trigger.person_id == context.principal.person_id or may(context.standing, Standing.ADMIN),
        # The trigger of a to-do can only come once, too.
        put_off=task.put_off or of_todo,
        apart=apart,
    )


def _elsewhere(tx: Tx, context: ToolContext, lane: LaneKey, person_id: int) -> list[Elsewhere]:
    """Return what somebody has scheduled in groups."""
    found = []
    made = triggers.made_elsewhere(tx, lane, person_id)
    for trigger in sorted(made, key=lambda one: (one.state, one.next_at))[:ELSEWHERE]:
        participant = people.participant(tx, trigger.lane, person_id)
        if participant.group:
            found.append(replace(_listed(tx, context, trigger), zone=participant.timezone or context.home.key))
    return found


def _linked(tx: Tx, context: ToolContext) -> list[Elsewhere]:
    """Return what is scheduled in the chats and the groups of those with whom the person is linked."""
    found: list[Elsewhere] = []
    for other in linked(tx, context.access, context.principal.person_id):
        theirs = [_listed(tx, context, trigger) for trigger in triggers.of_scope(tx, other.lane)[:PAGE]]
        theirs += _elsewhere(tx, context, other.lane, other.person_id)[:PAGE]
        found += [replace(task, person_id=other.person_id) for task in theirs]
    return found


def _listed(tx: Tx, context: ToolContext, trigger: Trigger) -> Elsewhere:
    """Return as much of a trigger as a line of a list takes, with those whom it is for."""
    names = [one.name for one in triggers.addressees(tx, [trigger.trigger_id]).get(trigger.trigger_id, [])]
    task = replace(scheduling.scheduled(context, trigger), text=trigger.text[: scheduling.SHOWN], names=names)
    return Elsewhere(task=task, scope_id=trigger.lane.scope_id)


# Changing.


@action("schedule", concerns_all=lambda task: task.for_all)
def pause_schedule(tx: Tx, context: ToolContext, schedule_id: str, until: Millis | None = None) -> Scheduled:
    """Pause what is scheduled; with `until` it goes on by itself with its first time from then on."""
    context = scheduling.context_of(tx, context, schedule_id, "pause_schedule")
    found = scheduling.existing(tx, context, schedule_id)
    if isinstance(load(found.spec), Once) and not context.undoing:
        raise Refused("skip_once")
    if until is None:
        pausing.pause(tx, found.trigger_id, triggers.WISH)
    else:
        _wait(tx, context, found, until - 1)
    return _now(tx, context, found)


@action("schedule", concerns_all=lambda task: task.for_all)
def skip_next(tx: Tx, context: ToolContext, schedule_id: str) -> Scheduled:
    """Leave out the next time something that recurs is due."""
    context = scheduling.context_of(tx, context, schedule_id, "skip_next")
    found = scheduling.existing(tx, context, schedule_id)
    if found.state == TriggerState.PAUSED:
        raise Refused("skip_paused")
    _wait(tx, context, found, found.next_at)
    return replace(_now(tx, context, found), skipped=found.next_at)


def _wait(tx: Tx, context: ToolContext, found: Trigger, after: Millis) -> None:
    """Move a trigger to its next time after an instant. Raises `Refused` for one that comes only once."""
    schedule = load(found.spec)
    if isinstance(schedule, Once | Watch):
        raise Refused("watch_no_time" if found.watches else "skip_once")
    next_at = next_after(schedule, max(after, context.clock.now()))
    if next_at is None:
        raise Refused("ends_by_then" if schedule.until else "time_too_far")
    _due(tx, context, found, next_at)


def _due(tx: Tx, context: ToolContext, found: Trigger, next_at: Millis) -> None:
    if not pausing.resume(tx, found.trigger_id, next_at):
        triggers.move(tx, found.trigger_id, next_at)
    scheduling.wake(tx, context, next_at)


def _now(tx: Tx, context: ToolContext, former: Trigger) -> Scheduled:
    """Return something scheduled as it is now, with the undo of its change, if it was changed."""
    now = triggers.load(tx, former.lane.tenant_id, former.trigger_id) or former
    if now == former:
        return _full(tx, context, now)
    was = scheduling.as_it_was(former)
    undo = scheduling.note_undo_of(tx, context, former, "undo_schedule", "put_back_schedule", **was)
    return replace(_full(tx, context, now), undo=undo)


@action("schedule", concerns_all=lambda task: task.for_all)
def put_back_schedule(
    tx: Tx,
    context: ToolContext,
    schedule_id: str,
    *,
    next_at: Millis,
    zone: str = "",
    rests: str = "",
    schedule: str = "",
    text: str = "",
) -> Scheduled:
    """Undo one change of what is scheduled.

    It is due again at `next_at`, by the clock of the former `zone`; or at its next time, if that is over; or it is
    paused for the reason `rests`. The former `schedule` and `text` are given if they were changed. Raises `Refused`
    where nothing is left to take back, since it is over.
    """
    context = scheduling.context_of(tx, context, schedule_id, "put_back_schedule")
    found = scheduling.existing(tx, context, schedule_id)
    when, at = scheduling.put_back(context, found, schedule or found.spec, next_at, zone=zone, rests=bool(rests))
    if (found.state, found.next_at) == (TriggerState.ACTIVE, at) and not (rests or schedule):
        raise Refused("time_over", now=scheduling.moment(context.clock.now(), context.zone))
    if schedule:
        # The limits may leave no room at that time any more.
        addressing.check_room(tx, context, found, at)
        triggers.move(tx, found.trigger_id, at, spec=dump(when), kind=scheduling.kind(when), text=text or None)
    _due(tx, context, found, at)
    if rests:
        pausing.pause(tx, found.trigger_id, rests)
    state = TriggerState.PAUSED if rests else TriggerState.ACTIVE
    moved = replace(found, spec=dump(when), next_at=at, state=state, reason=rests)
    firing.trigger_moved(context.services, tx, moved)
    return scheduling.scheduled(context, moved)


@action("schedule", concerns_all=lambda task: task.for_all)
def resume_schedule(tx: Tx, context: ToolContext, schedule_id: str) -> Scheduled:
    """Resume what is paused: it comes at its next time from now on that was not skipped before. Of what is not paused,
    bring back what was skipped. What failed and has no further time comes at once."""
    context = scheduling.context_of(tx, context, schedule_id, "resume_schedule")
    found = scheduling.existing(tx, context, schedule_id)
    addressing.refuse_unasked_move(tx, context, found)
    schedule = load(found.spec)
    again = found.reason == triggers.ERROR and next_after(schedule, context.clock.now()) is None
    skipped = found.next_at - 1 if found.state == TriggerState.PAUSED else 0
    _due(tx, context, found, found.next_at if again else scheduling.first_at(context, schedule, skipped))
    return _now(tx, context, found)


@action("schedule", concerns_all=lambda stopped: stopped.for_all)
def cancel_schedule(tx: Tx, context: ToolContext, schedule_id: str) -> Stopped:
    """Stop what is scheduled. Only whoever made it may, an administrator of the group, or an owner."""
    context = scheduling.context_of(tx, context, schedule_id, "cancel_schedule")
    stopped = _end(tx, context, schedule_id)
    if not stopped:
        return Stopped(success=False)
    found, undo = stopped[0], ""
    if not context.undoing and _ended(tx, found):
        undo = scheduling.note_undo_of(
            tx, context, found, "undo_cancel_schedule", "revive_schedule", **_as_they_were(stopped)
        )
    task = scheduling.scheduled(context, found)
    return Stopped(
        success=True,
        schedule_id=task.schedule_id,
        text=found.text,
        for_all=task.for_all,
        tainted=found.tainted,
        undo=undo,
    )


def _end(tx: Tx, context: ToolContext, schedule_id: str) -> list[Trigger]:
    """Stop a trigger, and with it what was put off until it comes, since both are shown as one. Return them as they
    were, the trigger first; nothing when there is nothing to stop.

    What was put off by people other than whoever stops or made the trigger goes on, unless it is for everybody.
    """
    found = scheduling.owned(tx, context, schedule_id)
    if found is None:
        return []
    owners = {context.principal.person_id, found.person_id}
    beside = [
        one
        for one in (() if isinstance(load(found.spec), Once) else triggers.put_off_of(tx, found))
        if one.lane.scope_id == found.lane.scope_id
        and (found.everybody or one.person_id in owners)
        and triggers.comes_with(one, found)
    ]
    now = context.clock.now()
    if not triggers.end(tx, found.trigger_id, TriggerState.CANCELLED, now):
        return []
    for one in beside:
        triggers.end(tx, one.trigger_id, TriggerState.CANCELLED, now)
    stopped = [found, *beside]
    for one in stopped:
        if one.reminder_id is not None:
            context.services.get(Reminders).stopped(tx, one)
    if context.undoing and found.last_at is not None:
        # An undone reminder was never set, so what it has posted is withdrawn.
        for posted in reminders.open_of(tx, found.trigger_id):
            context.services.get(Reminders).withdraw(tx, posted)
    return stopped


def _as_they_were(stopped: Sequence[Trigger]) -> dict[str, Any]:
    """Return what `revive_schedule` needs to know of a trigger that was stopped, and of what ended with it."""
    found, *others = stopped
    return {**scheduling.as_it_was(found), "beside": [ref("s", one.trigger_id) for one in others]}


def _ended(tx: Tx, former: Trigger) -> bool:
    """Return whether a trigger was stopped, so that it can be revived; else only its repeats were, which stay away."""
    now = triggers.find(tx, former.lane, former.trigger_id)
    return now is not None and now.state == TriggerState.CANCELLED


@action("schedule", concerns_all=lambda stopped: stopped.for_all)
def cancel_several(tx: Tx, context: ToolContext, schedule_ids: Sequence[str]) -> StoppedMany:
    """Stop several at once, to be undone together; those that are over by now are left out."""
    stopped = [ended for each in schedule_ids if (ended := _end(tx, context, each))]
    found = [ended[0] for ended in stopped]
    again = [ended for ended in stopped if _ended(tx, ended[0])]
    back = {ref("s", ended[0].trigger_id): _as_they_were(ended) for ended in again}
    label = pick(context.language).many("undo_cancel_several", len(again))
    undo = note_undo(tx, context, label, "revive_several", schedule_ids=list(back), former=back) if back else {}
    for_all = any(scheduling.scheduled(context, one).for_all for one in found)
    tainted = any(one.tainted for one in found)
    return StoppedMany(count=len(found), for_all=for_all, tainted=tainted, undo=undo.get("undo", ""))


def _has_another(tx: Tx, former: Trigger) -> bool:
    """Return whether a trigger is a brief or a summary, of which a scope has only one, and there is another now."""
    one_only = former.deliver in {Deliver.BRIEF, Deliver.SUMMARY}
    return one_only and any(one.deliver == former.deliver for one in triggers.of_scope(tx, former.lane))


@action("schedule", concerns_all=lambda revived: revived.for_all)
def revive_several(
    tx: Tx,
    context: ToolContext,
    schedule_ids: Sequence[str],
    former: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
) -> StoppedMany:
    """Undo the stopping of several, each as it was (`former`, by its id). Those that were changed meanwhile, or whose
    time is over, are passed over; raises `Refused` when all are."""
    found, refused = list[Scheduled](), Refused("undo_outdated")
    for schedule_id in schedule_ids:
        try:
            found.append(revive_schedule(tx, context, schedule_id, **former.get(schedule_id, {})))
        except Refused as why:  # before anything of it is written
            refused = why
    if not found:
        raise refused
    for_all, tainted = any(task.for_all for task in found), any(task.tainted for task in found)
    return StoppedMany(count=len(found), for_all=for_all, tainted=tainted)


@action("schedule", concerns_all=lambda task: task.for_all)
def revive_schedule(
    tx: Tx,
    context: ToolContext,
    schedule_id: str,
    *,
    next_at: Millis = 0,
    zone: str = "",
    rests: str = "",
    beside: Sequence[str] = (),
) -> Scheduled:
    """Undo a cancelling: what was cancelled is due at `next_at`, by the clock of the former `zone`; or at its next
    time, if that is over; or it is paused for the reason `rests`.

    What ended `beside` it is active again, too, if it still comes. Raises `Refused` for a brief or a summary if the
    scope has a newer one.
    """
    context = scheduling.context_of(tx, context, schedule_id, "revive_schedule")
    found = scheduling.owned(tx, context, schedule_id)
    if found is None or found.state != TriggerState.CANCELLED or _has_another(tx, found):
        raise Refused("undo_outdated")
    if found.reminder_id is None:  # what was put off counts for nothing
        scheduling.check_open(tx, context, found.person_id)
    schedule = load(found.spec)
    posted = None if found.reminder_id is None else reminders.find(tx, found.lane, found.reminder_id)
    if posted is not None and posted.state == ReminderState.DONE:
        raise Refused("undo_outdated")
    repeats = triggers.repeats_ended_with(tx, found)
    if isinstance(schedule, Once) and triggers.send_after_all(tx, found.trigger_id):
        if posted is not None:
            reminders.reopen(tx, posted.first_id)
    else:
        schedule, next_at = scheduling.put_back(context, found, found.spec, next_at, zone=zone, rests=bool(rests))
        if posted is not None:
            context.services.get(Reminders).snooze(tx, replace(posted, lane=found.lane), found.person_id, next_at)
        else:
            addressing.check_room(tx, context, found, next_at)
            triggers.revive(tx, found.trigger_id, next_at)
            if dump(schedule) != found.spec:
                triggers.move(tx, found.trigger_id, next_at, spec=dump(schedule))
            if rests:
                pausing.pause(tx, found.trigger_id, rests)
    # What was due when it was cancelled is sent at once.
    scheduling.wake(tx, context, context.clock.now())
    revived(context.services, tx, found, [number for each in beside if (number := ids.number("s", each))], repeats)
    again = triggers.load(tx, found.lane.tenant_id, found.trigger_id)
    return scheduling.scheduled(context, again or found)

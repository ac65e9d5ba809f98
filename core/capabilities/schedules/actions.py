"""What a person looks at and changes of what is scheduled: pauses, goes on with, skips. None of it needs a model."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pydantic import Field

from core.capabilities.contacts import repository as contacts
from core.capabilities.contacts import service as addressing
from core.capabilities.links import service as linking
from core.capabilities.links import visibility
from core.capabilities.reminders import repository as reminders
from core.capabilities.reminders.repository import ReminderState
from core.capabilities.reminders.service import Reminders
from core.capabilities.todos import repository as todos
from core.kernel.access import may
from core.kernel.errors import ToolError
from core.kernel.ports import Tx
from core.kernel.timing.schedule import Once, load, next_after
from core.kernel.timing.trigger import Trigger, TriggerState
from core.kernel.timing.zones import is_zone
from core.kernel.types import Json, LaneKey, Millis, Role, Standing
from core.language.matching import matching
from core.scheduling import repository as triggers
from core.scheduling import service as scheduling
from core.scheduling.repository import Deliver
from core.store.people import people
from core.toolkit import own_chat
from core.toolkit.params import Count, Integer, Params
from core.toolkit.tool import Effect, ToolContext, tool

PAGE, ELSEWHERE, MATCHES = 8, 20, 8


class ShowParams(Params):
    """`schedule_id`: such as s12ab34; `text`: if none has that id, those that say it; else a `page` of all."""

    schedule_id: str = Field(default="", max_length=80)
    text: str = Field(default="", max_length=scheduling.LONGEST)
    page: Count = 1


@tool(Role.PERSON, category="schedule")
async def show_schedules(params: ShowParams, context: ToolContext) -> Json:
    """What is scheduled in the scope, the next one first; in private also what the person made in groups, and the same
    of those they are linked with.

    Show what is of groups only to who is still in them.
    """
    me = context.principal.person_id

    def look(tx: Tx) -> Json:
        everything = triggers.of_scope(tx, context.lane)
        if params.schedule_id or params.text:
            # A word may look like an id, as "stretch" does.
            said = matching(params.text, everything)[:MATCHES] if params.text else []
            there = linking.behind(tx, context, params.schedule_id)
            known = _known(tx, there, params.schedule_id)
            return {"schedules": [_full(tx, there if known else context, one) for one in known or said]}
        pages = max(1, -(-len(everything) // PAGE))
        first = (min(params.page, pages) - 1) * PAGE
        return {
            "schedules": [_full(tx, context, one) for one in everything[first : first + PAGE]],
            "page": min(params.page, pages),
            "pages": pages,
            "count": len(everything),
            "elsewhere": [] if context.participant.group else _elsewhere(tx, context, context.lane, me),
            "linked": [] if context.participant.group else _linked(tx, context),
        }

    return await context.db.read(look)


@tool(Role.PERSON, category="schedule")
async def show_brief(params: Params, context: ToolContext) -> Json:
    """The daily brief of the scope, null when there is none."""

    def look(tx: Tx) -> Json:
        found = (one for one in triggers.of_scope(tx, context.lane) if one.deliver == Deliver.BRIEF)
        return {"brief": next((_full(tx, context, one) for one in found), None)}

    return await context.db.read(look)


def _known(tx: Tx, context: ToolContext, schedule_id: str) -> list[Trigger]:
    found = scheduling.find(tx, context.lane, schedule_id)
    return [] if found is None else [found]


def _full(tx: Tx, context: ToolContext, trigger: Trigger) -> dict[str, Any]:
    """With whom it is for; `zone` is that of the only one, where it is another person with one of their own, or in a
    group who asks; `mine` when the principal may change it; `apart` when it comes by that zone in their own chat, from
    where this is not.
    """
    numbers, todo = triggers.contacts(tx, trigger.trigger_id), _todo(tx, context, trigger)
    for_whom = addressing.names(tx, context, numbers, trigger.person_id)
    if not numbers and not todo and _personal(context, trigger):
        for_whom["zone"] = context.principal.timezone
    apart = not numbers and own_chat.is_there(context)
    if apart:
        for_whom["zone"] = context.zone.key
    mine = trigger.person_id == context.principal.person_id or may(context.standing, Standing.ADMIN)
    shown = scheduling.shown(context, trigger)
    # What reminds of a to-do comes once, too.
    return {**shown, **for_whom, "mine": mine, "put_off": shown["put_off"] or todo, "apart": apart}


def _todo(tx: Tx, context: ToolContext, trigger: Trigger) -> bool:
    return todos.of_trigger(tx, context.lane.tenant_id, trigger.trigger_id) is not None


def _personal(context: ToolContext, trigger: Trigger) -> bool:
    """Whether the principal reminds themselves in a group, and has a zone of their own."""
    own = context.participant.group and trigger.person_id == context.principal.person_id
    return own and trigger.deliver == Deliver.MESSAGE and not trigger.everybody and is_zone(context.principal.timezone)


def _elsewhere(tx: Tx, context: ToolContext, lane: LaneKey, person_id: int) -> list[dict[str, Any]]:
    """What somebody made in groups, with the group's scope and zone."""
    shown = []
    made = triggers.made_elsewhere(tx, lane, person_id)
    for trigger in sorted(made, key=lambda one: (one.state, one.next_at))[:ELSEWHERE]:
        participant = people.participant(tx, trigger.lane, person_id)
        if participant.group:
            shown.append({**_listed(tx, context, trigger), "zone": participant.timezone or context.home.key})
    return shown


def _linked(tx: Tx, context: ToolContext) -> list[dict[str, Any]]:
    """What is scheduled in the chats and (with a `zone`) the groups of those whom the person is linked with."""
    shown: list[dict[str, Any]] = []
    for one in visibility.linked(tx, context.access, context.principal.person_id):
        found = [_listed(tx, context, trigger) for trigger in triggers.of_scope(tx, one.lane)[:PAGE]]
        found += _elsewhere(tx, context, one.lane, one.person_id)[:PAGE]
        shown += [{**told, "person": one.person_id} for told in found]
    return shown


def _listed(tx: Tx, context: ToolContext, trigger: Trigger) -> dict[str, Any]:
    """As much of it as a line of a list takes, with whom it is for."""
    numbers = triggers.contacts(tx, trigger.trigger_id)
    names = [one.name for number in numbers if (one := contacts.find(tx, trigger.lane, number)) is not None]
    shown = scheduling.shown(context, trigger)
    told = {name: shown[name] for name in ("schedule_id", "deliver", "state", "schedule", "next_at", "everybody")}
    return {**told, "text": trigger.text[: scheduling.SHOWN], "names": names, "scope": trigger.lane.scope_id}


class PauseParams(Params):
    """`schedule_id`: such as s12ab34; `until`: in unix milliseconds, until somebody resumes it when not given."""

    schedule_id: str = Field(max_length=80)
    until: Integer | None = None


@tool(Role.PERSON, effect=Effect.WRITE, category="schedule")
def pause_schedule(params: PauseParams, context: ToolContext, tx: Tx) -> Json:
    """Let what is scheduled rest; with `until` it goes on by itself with the first time that is due from then on."""
    context = linking.behind(tx, context, params.schedule_id, "pause_schedule")
    found = scheduling.existing(tx, context, "pause_schedule", params.schedule_id)
    if params.until is None:
        triggers.pause(tx, found.trigger_id, "wish")
        return _result(tx, context, found)
    return _from(tx, context, found, params.until - 1, "pause_schedule")


@tool(Role.PERSON, effect=Effect.WRITE, category="schedule")
def skip_next(params: PauseParams, context: ToolContext, tx: Tx) -> Json:
    """Leave out the next time something that recurs is due."""
    context = linking.behind(tx, context, params.schedule_id, "skip_next")
    found = scheduling.existing(tx, context, "skip_next", params.schedule_id)
    if found.state == TriggerState.PAUSED:
        raise ToolError("skip_next", "it is paused; resume it instead")
    skipped = found.next_at
    return {**_from(tx, context, found, skipped, "skip_next"), "skipped": skipped}


def _from(tx: Tx, context: ToolContext, found: Trigger, after: Millis, name: str) -> dict[str, Any]:
    """It is due next after an instant; what is due once only cannot wait so."""
    schedule = load(found.spec)
    next_at = None if isinstance(schedule, Once) else next_after(schedule, max(after, context.clock.now()))
    if next_at is None:
        raise ToolError(name, "it does not come again after that; change its time or cancel it instead")
    if found.state == TriggerState.PAUSED:
        triggers.resume(tx, found.trigger_id, next_at)
    triggers.move(tx, found.trigger_id, next_at)
    scheduling.wake(tx, context, next_at)
    return _result(tx, context, found)


def _result(tx: Tx, context: ToolContext, former: Trigger) -> dict[str, Any]:
    """The trigger as it is now, and how it gets back to how it was."""
    now = triggers.find(tx, context.lane, former.trigger_id) or former
    if former.state == TriggerState.PAUSED:
        back = scheduling.note(tx, context, former, "undo_schedule", "pause_schedule")
    else:
        back = scheduling.note(tx, context, former, "undo_schedule", "resume_schedule")
    return {**_full(tx, context, now), **back}


class ScheduleIdParams(Params):
    """`schedule_id`: such as s12ab34."""

    schedule_id: str = Field(max_length=80)


@tool(Role.PERSON, effect=Effect.WRITE, category="schedule")
def resume_schedule(params: ScheduleIdParams, context: ToolContext, tx: Tx) -> Json:
    """Let what is paused go on, and what was skipped come after all: it is due the next time from now on."""
    context = linking.behind(tx, context, params.schedule_id, "resume_schedule")
    found = scheduling.existing(tx, context, "resume_schedule", params.schedule_id)
    _go_on(tx, context, found, "resume_schedule")
    return _result(tx, context, found)


def _go_on(tx: Tx, context: ToolContext, found: Trigger, name: str) -> None:
    next_at = scheduling.first_at(name, context, load(found.spec))
    if found.state == TriggerState.PAUSED:
        triggers.resume(tx, found.trigger_id, next_at)
    else:
        triggers.move(tx, found.trigger_id, next_at)
    scheduling.wake(tx, context, next_at)


@tool(Role.PERSON, effect=Effect.WRITE, category="schedule")
def revive_schedule(params: ScheduleIdParams, context: ToolContext, tx: Tx) -> Json:
    """Make what was cancelled active again, from its next time on."""
    context = linking.behind(tx, context, params.schedule_id, "revive_schedule")
    found = scheduling.owned(tx, context, "revive_schedule", params.schedule_id)
    if found is None or found.state != TriggerState.CANCELLED:
        raise ToolError("revive_schedule", "there is no such schedule that was cancelled")
    if found.reminder_id is None:  # what was put off counts for nothing
        scheduling.check_open(tx, context, "revive_schedule", found.person_id)
    schedule = load(found.spec)
    if isinstance(schedule, Once) and found.reminder_id is None and triggers.send_after_all(tx, found.trigger_id):
        scheduling.wake(tx, context, context.clock.now())
        return _revived(context, found)
    next_at = scheduling.first_at("revive_schedule", context, schedule)
    posted = None if found.reminder_id is None else reminders.find(tx, found.lane, found.reminder_id)
    if posted is not None and posted.state == ReminderState.DONE:
        raise ToolError("revive_schedule", "what it was to bring again is done")
    if posted is not None:
        context.services.get(Reminders).snooze(tx, replace(posted, lane=found.lane), found.person_id, next_at)
    else:
        addressing.check_room(tx, context, "revive_schedule", found, next_at)
        triggers.revive(tx, found.trigger_id, next_at)
        # What was due when it was cancelled is sent at once.
        scheduling.wake(tx, context, context.clock.now())
    return _revived(context, found)


def _revived(context: ToolContext, found: Trigger) -> Json:
    told = scheduling.shown(context, found)
    return {name: told[name] for name in ("schedule_id", "text", "deliver", "everybody")}

"""How triggers are made and changed: the limits, who may change them, how each change is taken back.

A change that is not allowed raises `Refused`: a person reads the text of its code, a model what its tool says of it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

from core.kernel import ids
from core.kernel.access import Access, may
from core.kernel.errors import Refused
from core.kernel.markdown import literal
from core.kernel.own_words import says
from core.kernel.ports import Tx
from core.kernel.timing.moving_holidays import country_of
from core.kernel.timing.schedule import Once, Rule, Schedule, Watch, dump, last_before, load, next_after
from core.kernel.timing.trigger import Trigger, TriggerState
from core.kernel.timing.zones import to_instant, to_local
from core.kernel.types import DAY, HOUR, MINUTE, LaneKey, Millis, Role, Standing
from core.language import pick
from core.scheduling import repository as triggers
from core.scheduling.between_people import MOST_TO_RECIPIENT_A_DAY
from core.scheduling.firing import NO_ACCESS
from core.scheduling.repository import Deliver, TriggerKind
from core.store.conversation import runs as journal
from core.store.conversation.runs import StepKind
from core.store.people import people
from core.store.people.people import Participant
from core.toolkit.acting_as import linked_person, maker_where_gone, own_chat
from core.toolkit.action import note_undo
from core.toolkit.other_chats import linked
from core.toolkit.tool import ToolContext

MOST_OPEN, MOST_MADE, DEEPEST = 100, 20, 5
PAST = MINUTE
FAR: Millis = 253_370_764_800_000  # the year 9999: beyond it no calendar of ours goes, whatever the zone
SHORTEST_OF_GUESTS, SHORTEST_FOR_EVERYBODY = HOUR, HOUR // 12
# How many of the next times of what recurs are looked at.
LOOKED_AT = 8
LONGEST, SHOWN = 1_000, 100
MODELS = tuple(role.value for role in Role if role is not Role.PERSON)
MAKERS = frozenset({"schedule", "schedule_once", "schedule_cron"})


@dataclass(frozen=True, kw_only=True)
class NewTrigger:
    """A trigger that is to be made, with fields as in `Trigger`; `contacts` are the ids of those whom it reminds."""

    schedule: Schedule
    text: str
    deliver: str = "message"
    silent: bool = False
    timeout_s: int | None = None
    cooldown_s: int = 0
    trace_id: str = ""
    late: str = "run"
    link: str = ""
    follows: bool = False
    everybody: bool = False
    until_done: bool = False
    contacts: Sequence[int] = ()
    todo_list: str | None = None


@dataclass(frozen=True, kw_only=True)
class Scheduled:
    """A trigger as the person who asks gets to see it. Texts for people call it a task (`/tasks`).

    - `schedule` is a line of `core.kernel.timing.schedule`; `next_run_at` is `next_at` in ISO 8601.
    - `names` are those whom it is for, unless that is only who asks. `zone` is the time zone of the only one of them,
      if they have one of their own.
    - `mine` when who asks may change it.
    - `apart` when it comes in their private chat while they ask elsewhere; `stays` when it is for others and comes in
      this group.
    - `put_off` when it can only come once: somebody put it off, or it reminds of a to-do.
    - `silent` when it says nothing where nothing is new; `tainted` when it has words of others.
    - `undo` is the id that takes back what was just done, `skipped` the time that was left out.
    """

    schedule_id: str
    text: str
    deliver: str
    everybody: bool
    state: str = ""
    reason: str = ""
    schedule: str = ""
    next_at: Millis = 0
    next_run_at: str = ""
    until_done: bool = False
    follows: bool = False
    put_off: bool = False
    silent: bool = False
    tainted: bool = False
    names: Sequence[str] = ()
    zone: str = ""
    mine: bool = True
    stays: bool = False
    apart: bool = False
    skipped: Millis = 0
    undo: str = ""

    @property
    def for_all(self) -> bool:
        """Return whether it is for everybody in its group."""
        return self.everybody or self.deliver in {Deliver.BRIEF, Deliver.SUMMARY}


def create(tx: Tx, context: ToolContext, new: NewTrigger) -> Scheduled:
    """Make a trigger, active at once. Raises `Refused` at a limit, and when it would never come."""
    now, depth = context.clock.now(), context.depth + 1
    _check_caps(tx, context, depth)
    check_often(context, new.schedule, others=bool(new.contacts), everybody=new.everybody)
    guest = context.participant.group and not may(context.standing, Standing.MEMBER)
    if guest and isinstance(new.schedule, Watch) and new.cooldown_s * 1000 < SHORTEST_OF_GUESTS:
        raise Refused("guest_too_often")
    past = context.role is Role.TELLER and journal.past_has_others(tx, context.lane, context.principal.person_id)
    tainted = context.tainted or past
    only_said = new.deliver in {Deliver.MESSAGE, Deliver.ITEM} and not isinstance(new.schedule, Watch)
    trigger = Trigger(
        lane=context.lane,
        person_id=context.principal.person_id,
        deliver=new.deliver,
        kind=kind(new.schedule),
        spec=dump(new.schedule),
        text=new.text,
        next_at=first_at(context, new.schedule),
        follows=new.follows,
        link=new.link,
        late=new.late,
        everybody=new.everybody,
        until_done=new.until_done,
        depth=depth,
        made_by=context.role.value,
        todo_list=new.todo_list,
        watches=isinstance(new.schedule, Watch),
        silent=new.silent,
        timeout_s=new.timeout_s,
        cooldown_s=new.cooldown_s,
        trace_id=new.trace_id,
        tainted=tainted and not (only_said and says(context.heard, new.text)),
    )
    found = triggers.insert(tx, trigger, now, new.contacts)
    # The first look at a condition is now.
    wake(tx, context, now if trigger.watches else trigger.next_at)
    made = replace(trigger, trigger_id=found)
    undo = note_undo_of(tx, context, made, "undo_reminder", "cancel_schedule")
    return replace(scheduled(context, made), undo=undo)


def check_often(context: ToolContext, schedule: Schedule, *, others: bool, everybody: bool) -> None:
    """Raise `Refused` for a schedule that would come too often: for `others`, for `everybody` of a group, or by a
    guest."""
    times: list[Millis] = []
    at: Millis | None = None if isinstance(schedule, Once) else context.clock.now()
    while at is not None and len(times) < LOOKED_AT:
        at = next_after(schedule, at)
        times += [] if at is None else [at]
    shortest = min((later - one for one, later in pairwise(times)), default=DAY)
    # So many may come within a day, which has an hour less where the clock is set forward.
    later = times[MOST_TO_RECIPIENT_A_DAY:]
    if others and any(last - first < DAY - HOUR for first, last in zip(times, later, strict=False)):
        raise Refused("others_too_often")
    if context.participant.group and everybody and shortest < SHORTEST_FOR_EVERYBODY:
        raise Refused("everybody_too_often")
    if context.participant.group and not may(context.standing, Standing.MEMBER) and shortest < SHORTEST_OF_GUESTS:
        raise Refused("guest_too_often")


def check_open(tx: Tx, context: ToolContext, person_id: int) -> None:
    """Raise `Refused` when the scope, or the person context_of one more will be, has all that may be open at once."""
    if max(triggers.open_of(tx, context.lane, person_id)) >= MOST_OPEN:
        raise Refused("too_many_tasks")


def _check_caps(tx: Tx, context: ToolContext, depth: int) -> None:
    lane, person_id = context.lane, context.principal.person_id
    check_open(tx, context, person_id)
    if context.role is Role.PERSON:
        return
    now = context.clock.now()
    if triggers.made_since(tx, lane, person_id, now - HOUR, now, MODELS) >= MOST_MADE:
        raise Refused("too_many_made")
    if depth > DEEPEST:
        raise Refused("too_deep")
    steps = journal.steps(tx, lane, context.run_id) if context.depth else []
    makers = (step.content or "{}" for step in steps if step.kind == StepKind.CALL and step.tool in MAKERS)
    if any(json.loads(content).get("success") for content in makers):
        raise Refused("followed_already")


def kind(schedule: Schedule) -> str:
    """Return the `kind` of a trigger with this schedule."""
    return type(schedule).__name__.lower()


def first_at(context: ToolContext, schedule: Schedule, after: Millis = 0) -> Millis:
    """Return the first time of a schedule from now on, and after an instant. Raises `Refused`, which tells the time
    now, when that is over for more than a minute."""
    now = context.clock.now()
    if isinstance(schedule, Once) and now - PAST <= schedule.at <= now:
        return schedule.at
    found = next_after(schedule, max(now, after))
    if found is None:
        raise Refused("time_over", now=moment(now, context.zone))
    if found >= FAR:
        raise Refused("time_too_far")
    return found


def moment(at: Millis, zone: ZoneInfo) -> str:
    """Return an instant as tools tell it: ISO 8601 with the offset of a zone."""
    return to_local(at, zone).isoformat(timespec="seconds")


def wake(tx: Tx, context: ToolContext, at: Millis) -> None:
    """See that the engine looks for due rows at an instant, once this is committed."""
    tx.after_commit(lambda: context.services.engine.wake(at))


def note_undo_of(tx: Tx, context: ToolContext, trigger: Trigger, label: str, action: str, **arguments: Any) -> str:
    """Note how a change of a trigger is taken back, and return the id of that; `label` is a key of texts that may name
    the trigger's text."""
    schedule_id, language = ids.ref("s", trigger.trigger_id), pick(context.language)
    text = language["brief_name"] if trigger.deliver == Deliver.BRIEF else literal(trigger.text[:SHOWN])
    words = language.say(label, text=text)
    about = f"schedule:{trigger.trigger_id}"
    return note_undo(tx, context, words, action, about=about, schedule_id=schedule_id, **arguments).get("undo", "")


def as_it_was(former: Trigger) -> dict[str, Any]:
    """Return what undoing a change needs to know of a trigger: when it was due, by the clock of which zone (empty where
    it goes by none), and why it was paused (empty where it was not).

    A trigger that was paused for a reason of ours is paused again by itself when it is due.
    """
    rests = former.state == TriggerState.PAUSED and former.reason in {triggers.WISH, triggers.ERROR}
    schedule = load(former.spec)
    zone = schedule.zone if isinstance(schedule, Rule) else ""
    return {"next_at": former.next_at, "zone": zone, "rests": former.reason if rests else ""}


def put_back(
    context: ToolContext, found: Trigger, spec: str, next_at: Millis, *, zone: str = "", rests: bool
) -> tuple[Schedule, Millis]:
    """Return a former schedule, by the zone that its scope has now if it follows that, and when it is due: at what
    `next_at` was by the clock of the former `zone`, or, unless it `rests`, at its next time where that is over."""
    former = load(spec)
    schedule = _in_zone(former, context.zone, walls=False) if found.follows else former
    if isinstance(former, Rule) and isinstance(schedule, Rule) and schedule.zone != (zone or former.zone):
        wall = to_local(next_at, ZoneInfo(zone or former.zone)).replace(tzinfo=None)
        next_at = to_instant(wall, ZoneInfo(schedule.zone))
    return schedule, next_at if rests else first_at(context, schedule, next_at - 1)


def find(tx: Tx, lane: LaneKey, schedule_id: str) -> Trigger | None:
    """Return a trigger of the scope by the id that people see; a notice or a repeat only if it has failed."""
    number = ids.number("s", schedule_id[:40])
    if number is None:
        return None
    found = triggers.find(tx, lane, number)
    by_itself = found is None or found.round or found.deliver == Deliver.NOTE
    return triggers.failed(tx, lane, number) if by_itself else found


def context_of(tx: Tx, context: ToolContext, schedule_id: str, tool: str = "") -> ToolContext:
    """Return the context of the chat in which there is a trigger with this id, for the principal to see or change it.

    That is the chat of somebody they are linked with, or a group from which the bot is gone and where they made the
    trigger; or their private chat, for a reminder there, if they ask in a group and only they see the answer; else the
    chat where they ask. `tool` names what changes the trigger, if anything does.
    """
    own, number = own_chat(tx, context), ids.number("s", schedule_id[:40])
    found = None if own is None or number is None else triggers.find(tx, own.lane, number)
    if own is not None and found is not None and found.deliver == Deliver.MESSAGE:
        return own
    if number is not None and triggers.find(tx, context.lane, number) is None:
        made = triggers.load(tx, context.lane.tenant_id, number)
        if made is not None and (there := maker_where_gone(tx, context, made, made.person_id)) is not None:
            return there
    return linked_person(tx, context, triggers.find, "s", schedule_id, tool) or context


def of_linked(tx: Tx, access: Access, participant: Participant) -> list[Trigger]:
    """Return what is scheduled in the chats of those whom somebody is linked with; nothing in a group."""
    if participant.group:
        return []
    others = linked(tx, access, participant.person.person_id)
    return [trigger for other in others for trigger in triggers.of_scope(tx, other.lane)]


def owned(tx: Tx, context: ToolContext, schedule_id: str) -> Trigger | None:
    """Return a trigger of the scope that the principal may change: their own, or any of the group as its administrator.

    None when there is no such trigger. Raises `Refused` where they may not change it.
    """
    found = find(tx, context.lane, schedule_id)
    mine = found is None or found.person_id == context.principal.person_id
    if not mine and not may(context.standing, Standing.ADMIN):
        raise Refused("task_not_yours")
    return found


def existing(tx: Tx, context: ToolContext, schedule_id: str) -> Trigger:
    """Return a trigger as `owned` does, which has not ended. Raises `Refused` where there is none, and where it would
    be paused again at once since its maker has no access."""
    found = owned(tx, context, schedule_id)
    if found is None or found.state in {TriggerState.DONE, TriggerState.CANCELLED}:
        raise Refused("task_ended")
    if (found.state, found.reason) == (TriggerState.PAUSED, NO_ACCESS):
        maker = people.participant(tx, found.lane, found.person_id)
        if people.standing_here(context.access, maker) is Standing.STRANGER:
            raise Refused("maker_no_access")
    return found


def scheduled(context: ToolContext, trigger: Trigger) -> Scheduled:
    """Return a trigger as the person who asks gets to see it, without what its contacts say."""
    return Scheduled(
        schedule_id=ids.ref("s", trigger.trigger_id),
        text=trigger.text,
        deliver=trigger.deliver,
        everybody=trigger.everybody,
        state=trigger.state,
        reason=trigger.reason,
        schedule=trigger.spec,
        next_at=trigger.next_at,
        next_run_at=moment(trigger.next_at, context.zone),
        until_done=trigger.until_done,
        follows=trigger.follows,
        put_off=trigger.reminder_id is not None,
        silent=trigger.silent,
        tainted=trigger.tainted,
    )


def as_listed_task(trigger: Trigger, zone: ZoneInfo) -> dict[str, Any]:
    """Return a trigger as an entry of the tool `list_tasks`."""
    told = {
        "id": ids.ref("s", trigger.trigger_id),
        "type": "conditional" if trigger.watches else "scheduled" if trigger.kind == TriggerKind.ONCE else "recurring",
        "prompt": trigger.text[:SHOWN],
        "priority": 5,
        "status": "trigger",
        "created_at": moment(trigger.created_at, zone),
        **({"tainted": True} if trigger.tainted else {}),
    }
    if trigger.state == TriggerState.PAUSED:
        return {**told, "paused": trigger.reason or "paused"}
    return told if trigger.watches else {**told, "next_run_at": moment(trigger.next_at, zone)}


def follow_zone(
    tx: Tx, lane: LaneKey, zone: ZoneInfo, now: Millis, *, walls: bool = False, former: str = ""
) -> list[Trigger]:
    """Move triggers that follow the zone of a scope to another zone, with `former` only those that went by that one.

    Return them as they are due next; the caller hands each to `firing.trigger_moved`. With `walls`, triggers that come
    once at a time of day are read anew, too, unless they would be past then.
    """
    moved = []
    for trigger in triggers.following(tx, lane):
        loaded = load(trigger.spec)
        if former and not (isinstance(loaded, Rule) and loaded.zone == former):
            continue
        schedule = _in_zone(loaded, zone, walls=walls)
        next_at = _next(trigger, schedule, now)
        if next_at is None or dump(schedule) == trigger.spec:
            continue
        triggers.move(tx, trigger.trigger_id, next_at, spec=dump(schedule))
        moved.append(replace(trigger, next_at=next_at, spec=dump(schedule)))
    return moved


def _next(trigger: Trigger, schedule: Schedule, now: Millis) -> Millis | None:
    """Return when a trigger is due next by its new schedule. Skipped times are not brought back, and one that is held
    back, which is no time of its own, stays so."""
    if next_after(load(trigger.spec), trigger.next_at - 1) != trigger.next_at:
        return trigger.next_at
    return next_after(schedule, max(now, left_out(trigger, schedule, now)))


def left_out(trigger: Trigger, schedule: Schedule, now: Millis) -> Millis:
    """Return until when the times of a new schedule are left out, since somebody skipped times of the former one, or
    paused the trigger until a day; 0 where nobody did. On the day of its next time, later times are kept."""
    former = load(trigger.spec)
    regular = next_after(former, now)
    once = isinstance(former, Once | Watch) or isinstance(schedule, Once | Watch)
    if once or regular is None or trigger.next_at <= regular:
        return 0
    if not (isinstance(former, Rule) and isinstance(schedule, Rule)):
        return trigger.next_at - 1
    zone, last = ZoneInfo(former.zone), last_before(former, trigger.next_at) or 0
    day = to_local(trigger.next_at, zone).replace(hour=0, minute=0, second=0, microsecond=0)
    wall = max(day, to_local(last + MINUTE, zone)).replace(tzinfo=None)
    return to_instant(wall, ZoneInfo(schedule.zone)) - 1


def _in_zone(schedule: Schedule, zone: ZoneInfo, *, walls: bool) -> Schedule:
    match schedule:
        case Rule():
            # The holidays are those of where the person is; of a zone of no country the former ones go on.
            without = schedule.without and (country_of(zone) or schedule.without)
            return replace(schedule, zone=zone.key, without=without)
        case Once(wall=wall) if wall and walls:
            return replace(schedule, at=to_instant(datetime.fromisoformat(wall), zone))
    return schedule

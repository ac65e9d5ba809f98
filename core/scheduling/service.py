"""How tools make triggers and change them: caps, whose they are, how each change is taken back (TOOLS: Schedule)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from core.kernel import ids
from core.kernel.access import may
from core.kernel.errors import RateLimitError, ToolError, ToolPermissionError
from core.kernel.markdown import literal
from core.kernel.ports import Tx
from core.kernel.replies import Step
from core.kernel.timing.schedule import Once, Rule, Schedule, dump, load, next_after
from core.kernel.timing.trigger import Trigger, TriggerState
from core.kernel.timing.zones import to_instant, to_local
from core.kernel.types import LaneKey, Millis, Role, Standing
from core.language import pick
from core.scheduling import hooks
from core.scheduling import limits as pace
from core.scheduling import repository as triggers
from core.scheduling.repository import Deliver, TriggerKind
from core.store.conversation import runs as journal
from core.store.conversation.runs import StepKind
from core.toolkit import undoable
from core.toolkit.tool import ToolContext

MOST_OPEN, MOST_MADE, DEEPEST = 100, 20, 5
HOUR: Millis = 3_600_000
PAST: Millis = 60_000
FAR: Millis = 253_370_764_800_000  # the year 9999: beyond it no calendar of ours goes, whatever the zone
LONGEST, SHOWN = 1_000, 100
MODELS = tuple(role.value for role in Role if role is not Role.PERSON)
MAKERS = frozenset({"schedule", "schedule_once", "schedule_cron"})


@dataclass(frozen=True, kw_only=True)
class Wish:
    """What is to be due, as the fields of `Trigger`; `contacts` are whom it reminds."""

    schedule: Schedule
    text: str
    deliver: str = "message"
    late: str = "run"
    link: str = ""
    follows: bool = False
    everybody: bool = False
    until_done: bool = False
    contacts: Sequence[int] = ()


def create(tx: Tx, context: ToolContext, tool: str, wish: Wish) -> dict[str, Any]:
    """Make a trigger, active at once. Raises `RateLimitError` at a cap, `ToolError` when it would never come."""
    now, depth = context.clock.now(), context.depth + 1
    _check_caps(tx, context, tool, depth)
    pace.check(context, tool, wish.schedule, others=bool(wish.contacts), everybody=wish.everybody)
    trigger = Trigger(
        lane=context.lane,
        person_id=context.principal.person_id,
        deliver=wish.deliver,
        kind=kind(wish.schedule),
        spec=dump(wish.schedule),
        text=wish.text,
        next_at=first_at(tool, context, wish.schedule),
        follows=wish.follows,
        link=wish.link,
        late=wish.late,
        everybody=wish.everybody,
        until_done=wish.until_done,
        depth=depth,
        made_by=context.role.value,
    )
    found = triggers.insert(tx, trigger, now, wish.contacts)
    wake(tx, context, trigger.next_at)
    made = replace(trigger, trigger_id=found)
    return {**shown(context, made), **note(tx, context, made, "undo_reminder", "cancel_schedule")}


def check_open(tx: Tx, context: ToolContext, tool: str, person_id: int) -> None:
    """Raise `RateLimitError` when the scope, or the person whose one more will be, has all that may be open at once."""
    if max(triggers.open_of(tx, context.lane, person_id)) >= MOST_OPEN:
        raise RateLimitError(tool, f"at most {MOST_OPEN} are active at once; cancel one first")


def _check_caps(tx: Tx, context: ToolContext, tool: str, depth: int) -> None:
    lane, person_id = context.lane, context.principal.person_id
    check_open(tx, context, tool, person_id)
    if context.role is Role.PERSON:
        return
    since = context.clock.now() - HOUR
    if triggers.made_since(tx, lane, person_id, since, MODELS) >= MOST_MADE:
        raise RateLimitError(tool, f"at most {MOST_MADE} an hour; try later, or put several into one")
    if depth > DEEPEST:
        raise RateLimitError(tool, f"at most {DEEPEST} may follow each other; tell the person instead")
    if context.depth and any(map(_made_one, journal.steps(tx, lane, context.run_id))):
        raise RateLimitError(tool, "a run that was scheduled may schedule one follow-up only")


def _made_one(step: Step) -> bool:
    return step.kind == StepKind.CALL and step.tool in MAKERS and bool(json.loads(step.content or "{}").get("success"))


def kind(schedule: Schedule) -> str:
    """The word of the table for a kind of schedule."""
    return type(schedule).__name__.lower()


def first_at(tool: str, context: ToolContext, schedule: Schedule) -> Millis:
    """When it is due first. Raises `ToolError`, which tells the time now, when that is over for more than a minute."""
    now = context.clock.now()
    if isinstance(schedule, Once) and now - PAST <= schedule.at <= now:
        return schedule.at
    found = next_after(schedule, now)
    if found is None:
        raise ToolError(tool, f"that time is in the past; it is now {moment(now, context.zone)} (reason=past)")
    if found >= FAR:
        raise ToolError(tool, "that time is too far away; the last year is 9998")
    return found


def moment(at: Millis, zone: ZoneInfo) -> str:
    """An instant as tools tell it: ISO 8601 with the offset of a zone."""
    return datetime.fromtimestamp(at / 1000, UTC).astimezone(zone).isoformat(timespec="seconds")


def wake(tx: Tx, context: ToolContext, at: Millis) -> None:
    """See that it is looked for at `at`, once this is committed."""
    tx.after_commit(lambda: context.services.engine.wake(at))


def note(tx: Tx, context: ToolContext, trigger: Trigger, label: str, tool: str, **arguments: Any) -> dict[str, str]:
    """Note how a change of a trigger is taken back; `label` is a key of texts that may name the trigger's text."""
    schedule_id = ids.ref("s", trigger.trigger_id)
    words = pick(context.language).say(label, text=literal(trigger.text[:SHOWN]))
    about = f"schedule:{trigger.trigger_id}"
    return undoable.note(tx, context, words, tool, about=about, schedule_id=schedule_id, **arguments)


def find(tx: Tx, lane: LaneKey, schedule_id: str) -> Trigger | None:
    """A trigger of the scope by the id it is shown with; none of those that the bot made by itself."""
    number = ids.number("s", schedule_id[:40])
    found = None if number is None else triggers.find(tx, lane, number)
    return None if found is None or found.round or found.deliver == Deliver.NOTE else found


def owned(tx: Tx, context: ToolContext, tool: str, schedule_id: str) -> Trigger | None:
    """A trigger that the principal may change: their own, or any of the group for its administrators.

    None when there is none that is not at its end, here as in another scope. Raises `ToolPermissionError`.
    """
    found = find(tx, context.lane, schedule_id)
    mine = found is None or found.person_id == context.principal.person_id
    if not mine and not may(context.standing, Standing.ADMIN):
        raise ToolPermissionError(tool, "only whoever made it, an administrator of the group or an owner may")
    return found


def existing(tx: Tx, context: ToolContext, tool: str, schedule_id: str) -> Trigger:
    """Such a trigger that is not at its end. Raises `ToolError` when there is none."""
    found = owned(tx, context, tool, schedule_id)
    if found is None or found.state in {TriggerState.DONE, TriggerState.CANCELLED}:
        raise ToolError(tool, "there is no such schedule, or it has ended; list_tasks shows what there is")
    return found


def shown(context: ToolContext, trigger: Trigger) -> dict[str, Any]:
    """A trigger as commands get to see it."""
    return {
        "schedule_id": ids.ref("s", trigger.trigger_id),
        "text": trigger.text,
        "deliver": trigger.deliver,
        "state": trigger.state,
        "reason": trigger.reason,
        "schedule": trigger.spec,
        "next_at": trigger.next_at,
        "next_run_at": moment(trigger.next_at, context.zone),
        "everybody": trigger.everybody,
        "until_done": trigger.until_done,
        "follows": trigger.follows,
        "put_off": trigger.reminder_id is not None,
    }


def task(trigger: Trigger, zone: ZoneInfo) -> dict[str, Any]:
    """A trigger as one of the tasks of `list_tasks`."""
    told = {
        "id": ids.ref("s", trigger.trigger_id),
        "type": "scheduled" if trigger.kind == TriggerKind.ONCE else "recurring",
        "prompt": trigger.text[:SHOWN],
        "priority": 5,
        "status": "trigger",
        "created_at": moment(trigger.created_at, zone),
    }
    if trigger.state == TriggerState.PAUSED:
        return {**told, "paused": trigger.reason or "paused"}
    return {**told, "next_run_at": moment(trigger.next_at, zone)}


def change_zone(tx: Tx, context: ToolContext, zone: ZoneInfo, *, walls: bool) -> int:
    """Let what goes by the calendar of the scope go by that of another zone; returns how many there are.

    `walls` when times of day that were said for once are read anew too; one that would be past then stays.
    """
    moved = follow_zone(tx, context.lane, zone, context.clock.now(), walls=walls)
    for trigger in moved:
        hooks.moved(context.services, tx, trigger)
    return len(moved)


def follow_zone(
    tx: Tx, lane: LaneKey, zone: ZoneInfo, now: Millis, *, walls: bool = False, former: str = ""
) -> list[Trigger]:
    """Let what goes by the calendar of a scope go by that of another zone, with `former` only what went by that one;
    returns each of them as it is due next, which the caller tells `hooks.moved`. `walls` as in `change_zone`."""
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
        moved.append(replace(trigger, next_at=next_at))
    return moved


def _next(trigger: Trigger, schedule: Schedule, now: Millis) -> Millis | None:
    """When it is due next by its new schedule; what was skipped, or waits until a day, is not brought forward."""
    former = load(trigger.spec)
    regular = next_after(former, now)
    if isinstance(former, Rule) and isinstance(schedule, Rule) and regular is not None and trigger.next_at > regular:
        wall = to_local(trigger.next_at, ZoneInfo(former.zone)).replace(tzinfo=None)
        now = max(now, to_instant(wall, ZoneInfo(schedule.zone)) - 1)
    return next_after(schedule, now)


def _in_zone(schedule: Schedule, zone: ZoneInfo, *, walls: bool) -> Schedule:
    match schedule:
        case Rule():
            return replace(schedule, zone=zone.key)
        case Once(wall=wall) if wall and walls:
            return replace(schedule, at=to_instant(datetime.fromisoformat(wall), zone))
    return schedule

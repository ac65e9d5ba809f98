"""What triggers start: each time a task of a Planner, as whoever made the trigger (TOOLS: Schedule).

Where that cannot be done, what the trigger wants is said as it stands. One that is `silent` says nothing where all is
as it was: its model says so, or its outcome is the last one again, or it still cannot be done.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from core.capabilities.tasks import service
from core.capabilities.tasks.spending import as_said
from core.delivery.composer import Composer
from core.kernel import ids
from core.kernel.access import may
from core.kernel.markdown import folded, lines
from core.kernel.ports import Tx
from core.kernel.timing.trigger import Trigger
from core.kernel.types import DAY, HOUR, Json, Millis, Role, Standing
from core.scheduling import repository as triggers
from core.scheduling.firing import Triggers
from core.store.conversation import tasks
from core.store.conversation.tasks import InputKind, Task, TaskState, WaitsFor
from core.store.people import people
from core.store.people.people import Participant
from core.toolkit.services import Services

# So many outcomes of a trigger's tasks are known to the next one, and so much of each.
MOST, LONGEST = 5, 2_000


def deliver(services: Services, tx: Tx, due: Sequence[Trigger], participants: Mapping[int, Participant]) -> None:
    """Start a task for each trigger, with the rights that its maker has now."""
    for trigger in due:
        participant = participants[trigger.trigger_id]
        tx.lock(("lane", trigger.lane.lane_id))
        if not may(people.standing_here(services.access, participant), Standing.MEMBER):
            if trigger.silent and participant.group:
                services.get(Triggers).give_up_work(tx, trigger, participant)
            else:
                _say(services, tx, trigger, participant, trigger.text, due_at=trigger.next_at)
            continue
        under_way = any(one.trigger_id == trigger.trigger_id for one in tasks.open_in(tx, trigger.lane))
        if under_way and not trigger.watches:
            # What is still worked on is not begun beside itself; what came true is worked on each time.
            continue
        key = triggers.key_of(trigger)
        task = Task(
            lane=trigger.lane,
            person_id=trigger.person_id,
            role=Role.PLANNER,
            prompt=trigger.text,
            source_key=key,
            trace_id=f"{trigger.trace_id}:{trigger.epoch}" if trigger.trace_id else key,
            trigger_id=trigger.trigger_id,
            # When it was due: so whoever tells of it knows how late it began.
            created_at=trigger.next_at,
            language=services.get(Composer).language(participant).code,
            timeout_s=trigger.timeout_s,
            tainted=trigger.tainted or any(one.tainted for one in _earlier(tx, trigger)),
            depth=trigger.depth,
        )
        task_id = service.start(tx, services, as_said(task, trigger.text))
        if task_id is not None and trigger.files:
            # Whoever named the files is anybody.
            files: dict[str, Json] = {"files": list(trigger.files)}
            files |= {"more_files_than_these": trigger.more_files} if trigger.more_files else {}
            told, now = json.dumps(files, ensure_ascii=False), services.clock.now()
            task = replace(task, task_id=task_id)
            tasks.tell(tx, task, InputKind.OUTCOME, told, now, tainted=True, frees=WaitsFor.NOTHING)


def known(tx: Tx, task: Task) -> Mapping[str, Json]:
    """Return what a trigger's task is told beside what it is to do: when it was due, what came of the last ones, the
    newest first, and whether nothing is to be said where all is as it was."""
    trigger = _trigger_of(tx, task)
    if trigger is None:
        return {}
    earlier = [{"at": _at(one.ended_at or 0), "outcome": one.outcome[:LONGEST]} for one in _earlier(tx, trigger)]
    silent = {"silent_if_unchanged": True} if trigger.silent else {}
    told: dict[str, Json] = {"trigger_id": ids.ref("s", trigger.trigger_id), "due_at": _at(task.created_at)}
    return {**told, **silent, "earlier_outcomes": earlier}


def _at(instant: Millis) -> str:
    return datetime.fromtimestamp(instant / 1000, UTC).isoformat(timespec="minutes")


def same_again(tx: Tx, task: Task, outcome: str, *, unchanged: bool) -> str:
    """Return the outcome of a task of a silent trigger where that is the last one again, or is `unchanged` as its model
    says; empty where it is to be told."""
    trigger = _trigger_of(tx, task)
    last = [] if trigger is None or not trigger.silent else _earlier(tx, trigger)[:1]
    if not last or not (unchanged or folded(outcome) == folded(last[0].outcome)):
        return ""
    return outcome or last[0].outcome


def say_prompt(services: Services, tx: Tx, task: Task, reason: str) -> bool:
    """Say what a trigger wanted whose task has failed, as it stands, and why where that is worth a word; of a silent
    trigger only if that is news. False when there is no such trigger any more."""
    trigger = _trigger_of(tx, task)
    if trigger is None:
        return False
    # What came true is news each time.
    if trigger.silent and not trigger.watches and _said_today(tx, trigger, task):
        return True
    epoch = int(task.source_key.rpartition(":")[2])
    participant = people.participant(tx, task.lane, task.person_id)
    said = replace(trigger, epoch=epoch)
    _say(services, tx, said, participant, task.prompt, reason, due_at=task.created_at)
    return True


def _said_today(tx: Tx, trigger: Trigger, task: Task) -> bool:
    """Return whether people were told today that a trigger's work cannot be done: an earlier task of it has failed
    since the last one that was done, on the same day as this one. Days are counted from that last success."""
    done = _earlier(tx, trigger)[:1]
    failed = tasks.last_of_trigger(tx, trigger.lane, trigger.trigger_id, 1, TaskState.FAILED)
    if not failed or (done and failed[0].task_id < done[0].task_id):
        return False
    # It is said once a day; an hour earlier, so that a day that lacks one is a day, too.
    since = (done[0].created_at if done else trigger.created_at) - HOUR
    return (task.created_at - since) // DAY == (failed[0].created_at - since) // DAY


def _say(
    services: Services,
    tx: Tx,
    trigger: Trigger,
    participant: Participant,
    prompt: str,
    reason: str = "",
    *,
    due_at: Millis,
) -> None:
    text = "\n\n".join(filter(None, (f"⏰ {lines(prompt)}", reason)))
    services.get(Triggers).say(tx, trigger, participant, text, due_at=due_at, person_id=trigger.person_id)


def _trigger_of(tx: Tx, task: Task) -> Trigger | None:
    return None if task.trigger_id is None else triggers.find(tx, task.lane, task.trigger_id)


def _earlier(tx: Tx, trigger: Trigger) -> Sequence[Task]:
    return tasks.last_of_trigger(tx, trigger.lane, trigger.trigger_id, MOST)

"""How tasks begin and end, are told something, and are stopped (STATES: Task). Each works in the caller's transaction.

What ends a task tells whoever waits for it: the Planner whose Worker it is, when the last of them has ended; else the
Teller, by a row of the inbox. So an outcome is there as soon as its task has ended, whatever happens then.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from core.capabilities.tasks.models import TaskSettings, TaskStopped, TaskTold
from core.delivery.composer import Composer
from core.kernel import ids
from core.kernel.access import may
from core.kernel.conditions import LOOK
from core.kernel.errors import Refused
from core.kernel.markdown import coded, lines
from core.kernel.ports import Tx
from core.kernel.types import LaneKey, Standing
from core.language import Language
from core.language.lines import cut
from core.store.conversation import inbox, keyboards, lanes, shown_tasks, tasks
from core.store.conversation import runs as journal
from core.store.conversation.runs import RunState, StepKind, StepState
from core.store.conversation.shown_tasks import SHOW_TASK
from core.store.conversation.tasks import STOP_TASK, InputKind, Task, TaskState, WaitsFor
from core.store.people import people
from core.store.people.chats import ChatState
from core.toolkit.action import action
from core.toolkit.own_tools.running import unfinished
from core.toolkit.services import OpenQuestions, Services
from core.toolkit.tool import Registry, ToolContext

# The kind of poke when what people see of a task may have changed; its key is the task without a parent.
SHOWN = SHOW_TASK
LONGEST_PROMPT = 8_000
SHOWN_PROMPT = 200
# Why a task failed that no model says of it, in words for a model; people read the text `task_error_<code>`.
REASONS = {
    "away": "the model cannot be reached",
    "budget": "what this task may use is used up",
    "day_budget": "what models may use today is used up",
    "gave_up": "it was broken off again and again",
    "in_vain": "what it waited for did not happen within 30 days",
    "no_access": "its person has no access any more",
    "no_model": "there is no model to work on it",
    "refused": "the model's provider refuses it",
    "silent": "nothing came of it",
    "timeout": "it took longer than it may",
    "unjudged": "the model gave no answer to whether what it waited for has happened",
}


def start(tx: Tx, services: Services, task: Task) -> int | None:
    """Store a task that a trigger, a hook or a person starts, and queue it; return its number, None when its
    `source_key` is known."""
    queued = replace(limited(services, task), state=TaskState.QUEUED)
    task_id = tasks.insert(tx, queued)
    if task_id is not None:
        services.engine.poke(tx, task.role.value, task_id)
        services.engine.poke(tx, SHOWN, task_id, bulk=True)
    return task_id


def limited(services: Services, task: Task) -> Task:
    """Return a task with what it may use at most: what it says itself, and no more than is configured."""
    settings = services.get(TaskSettings)
    tokens = [most for most in (task.most_tokens, settings.most_tokens) if most is not None]
    costs = [most for most in (task.most_cost, settings.most_cost) if most is not None]
    return replace(task, most_tokens=min(tokens, default=None), most_cost=min(costs, default=None))


def end(
    tx: Tx,
    services: Services,
    task: Task,
    state: TaskState,
    *,
    outcome: str = "",
    error: str = "",
    code: str = "",
    quiet: bool = False,
) -> None:
    """End a task and its journal, and tell whoever waits for it. `error` says why it failed; `code` is one of `REASONS`
    in its place, and `outcome` is what there is all the same. One of somebody who has no access any more is told
    nobody, and neither is one that was stopped, or of which nothing is to be said (`quiet`)."""
    tx.lock(("lane", task.lane.lane_id))
    now = services.clock.now()
    error = REASONS[code] if code else error
    if not tasks.end(tx, task, state, now, outcome=outcome, error=error):
        return
    if task.run_id is not None:
        done = state is TaskState.DONE
        journal.end(tx, task.lane, task.run_id, RunState.DONE if done else RunState.FAILED, now, error)
        tasks.drop_new(tx, task.lane, task.run_id, now)
    services.engine.poke(tx, LOOK, task.lane.scope_id, bulk=True)
    if task.question_id is not None:
        services.get(OpenQuestions).withdraw_one(tx, task.lane, task.person_id, task.question_id)
    services.engine.poke(tx, SHOWN, task.parent_id or task.task_id)
    if task.parent_id is not None:
        _gather(tx, services, replace(task, state=state, outcome=outcome, error=error))
    elif state is not TaskState.CANCELLED and code != "no_access" and not quiet:
        parts = [] if state is TaskState.DONE else [_failed(tx, services, task, error, code)]
        text = "\n\n".join(filter(None, (*parts, outcome)))
        # What a trigger began late says so; how long it took is no lateness.
        late = 0 if task.trigger_id is None else max(0, (task.started_at or now) - task.created_at)
        key, at = f"task:{task.task_id}", now - late
        inbox.wake(tx, task.lane, task.person_id, key, now=now, sent_at=at, task_id=task.task_id, text=text)
        lanes.mark(tx, task.lane.lane_id)
        services.engine.poke(tx, "lane", task.lane.lane_id)


def _gather(tx: Tx, services: Services, worker: Task) -> None:
    """Tell a Planner what came of one of its Workers; when that was the last one, it goes on."""
    assert worker.parent_id is not None
    parent = tasks.find(tx, worker.lane, worker.parent_id)
    if parent is None or parent.ended_at is not None:
        return
    told = {"task_id": ids.ref("t", worker.task_id), "status": worker.state.value, "prompt": worker.prompt[:100]}
    told |= {"outcome": worker.outcome} if worker.outcome else {}
    told |= {"error": worker.error} if worker.error else {}
    text, now = json.dumps(told, ensure_ascii=False), services.clock.now()
    all_ended = all(one.ended_at is not None for one in tasks.workers_of(tx, parent))
    frees = WaitsFor.WORKERS if all_ended else WaitsFor.NOTHING
    if tasks.tell(tx, parent, InputKind.OUTCOME, text, now, tainted=worker.tainted, frees=frees):
        services.engine.poke(tx, parent.role.value, parent.task_id)


def _failed(tx: Tx, services: Services, task: Task, error: str, code: str) -> str:
    """Return what is said of a task that failed where no model says it."""
    texts = texts_of(tx, services, task)
    reason = texts[f"task_error_{code}"] if code else lines(error)
    return texts.say("task_failed", prompt=lines(task.prompt[:SHOWN_PROMPT]), reason=reason)


def texts_of(tx: Tx, services: Services, task: Task) -> Language:
    """Return the texts that people read of a task, in the language in which it was asked for."""
    return services.get(Composer).texts(tx, task.lane, task.language)


def steer(tx: Tx, services: Services, task: Task, text: str, *, tainted: bool = False) -> bool:
    """Tell an open task, and its Workers, what its person says of it; False when it has ended. They read it before
    their next step. It may be said in another lane: a thread that begins with the message of the task."""
    now = services.clock.now()
    if not tasks.hold(tx, task):
        return False
    for one in (task, *tasks.workers_of(tx, task)):
        if one is task or tasks.hold(tx, one):
            tasks.tell(tx, one, InputKind.STEER, text, now, tainted=tainted, frees=WaitsFor.NOTHING)
    services.engine.poke(tx, SHOWN, task.task_id)
    return True


@action("chat")
def steer_task(tx: Tx, context: ToolContext, task_id: str, words: str) -> TaskTold:
    """Tell a task of the scope more, by its id; that answers what it had asked by then. Only its person and an owner
    may: its words are those of its person."""
    task = meant(tx, context, task_id)
    if task is None:
        return TaskTold(success=False)
    person_id, words, asked = context.principal.person_id, words[:LONGEST_PROMPT], task.question_id
    if task.person_id != person_id and not may(context.standing, Standing.OWNER):
        raise Refused("task_not_yours_to_steer")
    sent_at = context.clock.now() if context.said is None else context.said.sent_at
    answer = context.services.get(OpenQuestions).answer
    if asked is not None and answer(tx, task.lane, person_id, asked, words, sent_at=sent_at, tainted=context.tainted):
        return TaskTold(success=True, answered=True)
    return TaskTold(success=steer(tx, context.services, task, words, tainted=context.tainted))


def meant(tx: Tx, context: ToolContext, task_id: str) -> Task | None:
    """Return the task that an id means to who asks: one of the scope, and in their private chat also their own of other
    chats."""
    number = ids.number("t", task_id)
    task = None if number is None else tasks.find(tx, context.lane, number)
    if task is None and number is not None and not context.participant.group:
        elsewhere = tasks.load(tx, context.lane.tenant_id, number)
        return elsewhere if elsewhere is not None and elsewhere.person_id == context.principal.person_id else None
    return task


# Stopping.


# Whoever is heard is told whose it is: so these ask for it themselves, and not for their family.


@action("chat")
def stop_task(tx: Tx, context: ToolContext, task_id: str) -> TaskStopped:
    """Stop a task of the scope, by its id, with its Workers: what waits is not begun, what runs is broken off. Whose it
    is may, an administrator of the group, and an owner. What had happened already is said when all of it has ended."""
    task = meant(tx, context, task_id)
    if task is None or task.ended_at is not None:
        return TaskStopped(success=False)
    _check_whose(context, task)
    tasks.stop(tx, task)
    context.services.engine.poke(tx, STOP_TASK, task.task_id)
    elsewhere = _says_its_end(tx, task).chat_id != context.lane.chat_id
    return TaskStopped(success=True, task_id=ids.ref("t", task.task_id), elsewhere=elsewhere)


def cancel(tx: Tx, context: ToolContext, number: int) -> bool:
    """Stop a task of the scope for a model: only one that is not being worked on, with what waits of its Workers.
    Raises `Refused` when its person may not."""
    task = tasks.find(tx, context.lane, number)
    waits = task is not None and task.state in {TaskState.QUEUED, TaskState.WAITING} and not task.stopped
    if task is None or not waits or any(one.state is TaskState.RUNNING for one in tasks.workers_of(tx, task)):
        return False
    _check_whose(context, task)
    tasks.stop(tx, task)
    context.services.engine.poke(tx, STOP_TASK, task.task_id)
    return True


def _check_whose(context: ToolContext, task: Task) -> None:
    mine = task.person_id == context.principal.person_id
    if not mine and not may(context.standing, Standing.ADMIN):
        raise Refused("task_not_yours")


def end_stopped(tx: Tx, services: Services, task: Task) -> None:
    """End what was stopped and nobody works on, of a task and its Workers; and when nothing of a task is left, say what
    had already happened: in private where its chat is gone."""
    tx.lock(("lane", task.lane.lane_id))
    for one in (*tasks.workers_of(tx, task), tasks.find(tx, task.lane, task.task_id)):
        if one is not None and one.stopped and one.ended_at is None and one.state is not TaskState.RUNNING:
            end(tx, services, one, TaskState.CANCELLED)
    found = tasks.find(tx, task.lane, task.task_id)
    family = [] if found is None else [found, *tasks.workers_of(tx, found)]
    if not family or any(one.ended_at is None for one in family) or family[0].state is not TaskState.CANCELLED:
        return
    shown = family[0].message_key
    hung = keyboards.below(tx, task.lane, f"{shown}:0") if shown else None
    if hung is not None and hung.ended:
        # Who pressed the button of its message reads it there.
        return
    texts = texts_of(tx, services, task)
    done = happened(tx, services, texts, family, {StepState.DONE, StepState.STARTED, StepState.UNKNOWN})
    words = texts.say("stopped_after", done=texts.listed(done)) if done else texts["stopped"]
    still = unfinished(texts, {one.run_id for one in family})
    lane = _says_its_end(tx, task)
    group = people.participant(tx, lane, task.person_id).group
    if lane.chat_id != task.lane.chat_id or (not group and shown_tasks.has_company(tx, family[0])):
        words = texts.say("task_stopped_which", words=words, text=cut(task.prompt, SHOWN_PROMPT // 3))
    words = "\n".join(filter(None, (words, still)))
    key = f"task:{task.task_id}:stopped"
    if family[0].parent_id is None:
        foreign = any(one.tainted for one in family)
        services.get(Composer).tell(tx, lane, key, words, notice=False, foreign=foreign, person_id=task.person_id)


def _says_its_end(tx: Tx, task: Task) -> LaneKey:
    """Return where it is said what a task that was stopped had done: in its chat, or in the private one of whose it is
    where that is gone."""
    gone = people.participant(tx, task.lane, task.person_id).chat_state == ChatState.GONE
    own = people.private_lane(tx, task.lane.tenant_id, task.person_id) if gone else None
    return own or task.lane


def happened(
    tx: Tx, services: Services, texts: Language, family: Sequence[Task], states: set[StepState]
) -> Sequence[str]:
    """Return what tasks have done, as people call it, each once: by the steps of their journals in some `states`."""
    registry, found = services.get(Registry), dict[str, None]()
    for task in family:
        for step in [] if task.run_id is None else journal.steps(tx, task.lane, task.run_id):
            if step.kind == StepKind.CALL and step.state in states and step.tool != "delegate":
                if step.state == StepState.DONE and not json.loads(step.content)["success"]:
                    continue
                if keys := registry.deed(step.tool):
                    found[texts.first(*keys) or coded(step.tool)] = None
    return list(found)


def family_of(tx: Tx, task: Task) -> Sequence[Task]:
    """Return a task with its Workers."""
    return [task, *tasks.workers_of(tx, task)]

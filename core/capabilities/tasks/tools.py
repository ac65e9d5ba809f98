"""What models delegate: the Teller to a Planner, a Planner to Workers (TOOLS: Tasks)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from core.agents.budget import Budget
from core.capabilities.tasks import service, spending
from core.capabilities.tasks.models import TaskSettings
from core.kernel import ids
from core.kernel.clean_text import Text
from core.kernel.conditions import BadCondition
from core.kernel.errors import RateLimitError, ToolError
from core.kernel.ports import Tx
from core.kernel.types import HOUR, Json, Role, Usage
from core.store.conversation import tasks
from core.store.conversation.tasks import Task, WaitsFor
from core.toolkit.params import Integer, Params
from core.toolkit.services import Conditions
from core.toolkit.tool import Effect, Offered, ToolContext, tool

MOST_AN_HOUR, MOST_ROUNDS, DEEPEST = 30, 3, 5
SHORTEST, LONGEST = 1, 30 * 86_400
# What the Teller may say of a task.
OF_TELLER = frozenset({"prompt", "timeout", "trace_id"})


# Told to a model with the task that its person wants to cost no more than they say.
UNPRICED = "the price of the model is not known here: that limit in money may not hold. Tell the person so"


class BriefParams(Params):
    """`prompt`: all that is to be done and known; `timeout`: seconds it may take."""

    prompt: Annotated[Text, Field(min_length=1, max_length=service.LONGEST_PROMPT)]
    timeout: Integer | None = None


class DelegateParams(BriefParams):
    """`prompt`: all that is to be done and known; `condition`: for a conditional one, which begins when that comes
    true; `priority`: 0 to 10; `timeout`: seconds it may take; `repeatable`: may be done anew when it fails."""

    type: Literal["oneshot", "conditional"] = "oneshot"
    condition: dict[str, Any] | None = None
    priority: Integer = Field(default=5, ge=0, le=10)
    trace_id: str | None = Field(default=None, max_length=64)
    repeatable: bool = False


@tool(Role.TELLER, Role.PLANNER, effect=Effect.WRITE, offered=Offered.ROOM, shown={Role.TELLER: BriefParams})
def delegate(params: DelegateParams, context: ToolContext, tx: Tx) -> Json:
    """Hand over work that is long or takes many steps. It begins when you end your turn; you are told its outcome."""
    if context.role is Role.TELLER:
        _check_teller(params, context)
        timeout = params.timeout
    else:
        timeout = _check_planner(tx, params, context)
    if params.timeout is not None and not SHORTEST <= params.timeout <= LONGEST:
        raise ToolError("delegate", f"timeout must be {SHORTEST} to {LONGEST} seconds, not {params.timeout}")
    lane, person_id, now = context.lane, context.principal.person_id, context.clock.now()
    before = tasks.made_by(tx, lane, context.run_id)
    # What one message begins are several tasks: each has Workers of its own.
    trace_id = f"{context.trace_id}:{before}" if before and context.role is Role.TELLER else context.trace_id
    if tasks.made_since(tx, lane, person_id, now - HOUR, now) >= MOST_AN_HOUR:
        raise RateLimitError("delegate", f"at most {MOST_AN_HOUR} an hour for one person; do it yourself, or later")
    conditional = params.type == "conditional"
    task = Task(
        lane=lane,
        person_id=person_id,
        role=Role.PLANNER if context.role is Role.TELLER else Role.WORKER,
        prompt=params.prompt,
        source_key=f"run:{context.run_id}:{before}",
        trace_id=params.trace_id or trace_id,
        created_at=now,
        # A conditional task may begin on any day, so no Planner waits for it.
        parent_id=None if conditional else context.lease.task_id,
        made_in=context.run_id,
        waits_for=WaitsFor.CONDITION if conditional else WaitsFor.NOTHING,
        condition=_condition(tx, context, params.condition or {}) if conditional else "",
        words=context.heard,
        language=context.language,
        priority=params.priority,
        timeout_s=timeout,
        repeatable=params.repeatable,
        tainted=context.is_tainted(tx),
        depth=context.depth,
    )
    if context.role is Role.TELLER:
        task = spending.as_said(task)
    task_id = tasks.insert(tx, service.limited(context.services, task))
    assert task_id is not None
    found: dict[str, Json] = {"task_id": ids.ref("t", task_id)}
    model = context.services.model
    unpriced = model is not None and context.services.get(Budget).cost(Usage(model=model.name, tokens_in=1)) is None
    if unpriced and task.most_cost is not None:
        found["note"] = UNPRICED
    return found


def _check_teller(params: DelegateParams, context: ToolContext) -> None:
    if others := sorted(params.model_fields_set - OF_TELLER):
        raise ToolError("delegate", f"{', '.join(others)} is for planners; give prompt, timeout and trace_id only")
    if context.depth >= DEEPEST:
        raise RateLimitError("delegate", f"at most {DEEPEST} may follow each other; tell the person instead")


def _check_planner(tx: Tx, params: DelegateParams, context: ToolContext) -> int | None:
    """Return how many seconds a Worker may take: no more than its Planner has left, unless nobody waits for it."""
    if (params.type == "conditional") != (params.condition is not None):
        raise ToolError("delegate", 'type="conditional" needs a condition, and any other type takes none')
    task_id = context.lease.task_id
    task = None if task_id is None else tasks.find(tx, context.lane, task_id)
    if task is not None and task.rounds >= MOST_ROUNDS:
        raise RateLimitError("delegate", f"at most {MOST_ROUNDS} rounds of workers; end with what you have")
    # By either: the trace may be named otherwise, and several runs may share one.
    made = tasks.made_in_trace(tx, context.lane, context.trace_id), tasks.made_by(tx, context.lane, context.run_id)
    most = context.services.get(TaskSettings).most_workers
    if max(made) >= most:
        raise RateLimitError("delegate", f"at most {most} workers a task; end with what you have")
    left = None if task is None or params.type == "conditional" else task.timeout_s
    return min((seconds for seconds in (params.timeout, left) if seconds is not None), default=None)


def _condition(tx: Tx, context: ToolContext, given: dict[str, Any]) -> str:
    """Return the condition that a task waits for, as it is stored."""
    try:
        return context.services.get(Conditions).checked(tx, context.lane, given, context.owner_in_private)
    except BadCondition as error:
        raise ToolError("delegate", f"condition: {error}") from error

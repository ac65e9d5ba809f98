"""One pass over a task: what surrounds its model, its calls and what it is told (TOOLS: Tasks; STATES: Task).

Before each step a pass ends if the task was stopped, and reads what the task was told; before each call of the model it
checks what the task has used.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.agents.budget import Budget
from core.agents.transcript import ChatMessage, data
from core.capabilities.tasks import service
from core.kernel.errors import BudgetSpent
from core.kernel.ports import ReachableModel, Tx
from core.kernel.replies import Step
from core.kernel.types import Answer, LaneKey, Lease, ModelRequest, Standing, ToolCall, ToolResult, Usage
from core.store.conversation import tasks
from core.store.conversation.tasks import InputKind, Task, TaskInput
from core.store.people.people import Participant
from core.toolkit.executor import Executor
from core.toolkit.results import is_tainted
from core.toolkit.services import Services
from core.toolkit.tool import ToolContext

# So many calls of a pass must have failed, until the model is asked to look back.
FAILURES = 2
LONGEST_ABOUT = 60
REFLECT = (
    "Calls have failed {n} times. Begin your next answer with one JSON object on a line of its own, then go on: "
    '{{"reflection": {{"verdict": "complete" | "continue" | "replan", "assessment": "…", "lessons": "…", '
    '"next_focus": "…"}}}}'
)


class TaskStopped(Exception):
    """Somebody stopped the task."""


class TaskSpent(BudgetSpent):
    """What the task may use is used up."""


@dataclass(frozen=True, kw_only=True)
class Claimed:
    """A task that was just claimed: with its lease, its journal so far, what it was told, and who its person is."""

    task: Task
    lease: Lease
    run_id: int
    participant: Participant
    standing: Standing
    steps: Sequence[Step] = ()
    inputs: Sequence[TaskInput] = ()


class TaskPass:
    """Stands between the loop and everything that it needs for one pass over a task, as its model (`complete`), its
    executor (`call`), its `count` and its `StepHooks`.

    `model` is asked within the budgets of the day and the task. `tainted` once the task has read what others wrote.
    """

    def __init__(self, services: Services, claimed: Claimed, model: ReachableModel) -> None:
        self._services, self._model = services, model
        self._db, self._lease, self._task = services.db, claimed.lease, claimed.task
        self._budget, self._executor = services.get(Budget), services.get(Executor)
        self.name = model.name
        self.tainted = claimed.task.tainted or any(one.tainted for one in claimed.inputs if one.step is not None)
        self._read = {one.input_id: one for one in claimed.inputs if one.step is not None}
        self._answered = {step.n for step in claimed.steps}
        self._failed = self._reflected = 0
        self._rounds = 0

    # Its model.

    async def complete(self, request: ModelRequest) -> Answer:
        """Ask the model. Raises `TaskSpent`, `BudgetSpent` or another `ModelError`."""
        await self._db.read(self._check_spent)
        async with self._budget.hold(self._db, request, self._model.name) as fitting:
            return await self._model.complete(fitting)

    def _check_spent(self, tx: Tx) -> None:
        """Raise `TaskSpent` when the task has used all it may, or its Planner has: a Worker draws on both."""
        tenant_id = self._task.lane.tenant_id
        for number in (self._task.task_id, self._task.parent_id):
            task = None if number is None else tasks.load(tx, tenant_id, number)
            if task is None:
                continue
            for used, most, unit in (
                (task.tokens, task.most_tokens, "tokens"),
                (task.cost, task.most_cost, "microdollars"),
            ):
                if most is not None and used >= most:
                    raise TaskSpent(f"task {task.task_id}: {used} of {most} {unit} are used")

    def count(self, tx: Tx, lane: LaneKey, person_id: int, usage: Usage) -> None:
        """Record what a call of the model took, for the day and for the task."""
        self._budget.count(tx, lane, person_id, usage)
        tasks.note_use(tx, self._lease, usage.tokens_in + usage.tokens_out, self._budget.cost(usage) or 0)

    # Its calls.

    async def call(self, context: ToolContext, n: int, call: ToolCall, made: int = 0) -> ToolResult:
        """Perform a call, tainted where the task is by what it has read so far."""
        tainted = context.tainted or self.tainted
        result = await self._executor.call(replace(context, tainted=tainted), n, call, made)
        # Another call of the same answer may have read others' words meanwhile.
        self.tainted = self.tainted or tainted or is_tainted(result.result)
        self._failed += not result.success
        return result

    # What it is told.

    async def before(self, n: int, *, again: bool) -> Sequence[ChatMessage]:
        """Return what the task is told before step `n`. Raises `TaskStopped`, `LeaseLost`."""
        found = [one for one in self._read.values() if one.step == n]
        if not found and n not in self._answered and await self._db.read(self._look):

            def read_inputs(tx: Tx) -> list[TaskInput]:
                tasks.fence(tx, self._lease)
                return tasks.read_inputs(tx, self._lease, n)

            found = await self._db.write(read_inputs)
        self.tainted = self.tainted or any(one.tainted for one in found)
        if again and not found:
            return []
        if again:
            self._failed = self._reflected = 0
        told = [message for one in found for message in _as_messages(one)]
        if self._failed >= FAILURES and self._failed > self._reflected:
            self._reflected = self._failed
            told.append({"role": "system", "content": REFLECT.format(n=self._failed)})
        return told

    def _look(self, tx: Tx) -> bool:
        """Return whether the task was told something that it has not read. Raises `TaskStopped`."""
        if tasks.is_stopped(tx, self._lease):
            raise TaskStopped
        return tasks.unread(tx, self._lease)

    def committed(self, tx: Tx, answer: Answer) -> None:
        """Note at which step people see the task: the tool, and the first short text that it is called with.

        Where the pass is tainted that is noted, too: should the task fail, people are told what it has found so far.
        """
        self._rounds += 1
        if self.tainted:
            tasks.note_pass(tx, self._lease, 0, tainted=True)
        first = next(iter(answer.calls), None)
        if first is None:
            return
        texts = (" ".join(value.split()) for value in first.arguments.values() if isinstance(value, str))
        about = next((text for text in texts if 0 < len(text) <= LONGEST_ABOUT), "")
        doing = {"step": self._rounds, "tool": first.name, "about": about}
        tasks.note_doing(tx, self._lease, json.dumps(doing, ensure_ascii=False))
        self._services.engine.poke(tx, service.SHOWN, self._task.parent_id or self._task.task_id)


def _as_messages(given: TaskInput) -> Sequence[ChatMessage]:
    """Return what a task was told as messages: the person's words are theirs, everything else is data."""
    if given.kind is InputKind.STEER:
        return [{"role": "user", "content": given.text}]
    return data("Outcome" if given.kind is InputKind.OUTCOME else "Answer to your question", given.text)

"""What models are told of tasks: in lists, and by `query_state`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from zoneinfo import ZoneInfo

from core.kernel import ids
from core.kernel.ports import Tx
from core.kernel.timing.zones import to_local
from core.kernel.types import Json, LaneKey, Role
from core.scheduling import repository as triggers
from core.scheduling import service as scheduling
from core.store.conversation import tasks
from core.store.conversation.tasks import Task, TaskState, WaitsFor
from core.toolkit.services import Services
from core.toolkit.tool import StateProvider, ToolContext

SHOWN = 100


# Which states a scope of `list_tasks` has.
_STATES = {
    "queue": {TaskState.QUEUED, TaskState.WAITING},
    "running": {TaskState.RUNNING},
    "all": {TaskState.QUEUED, TaskState.WAITING, TaskState.RUNNING},
}


def listed(tx: Tx, lane: LaneKey, zone: ZoneInfo, which: str = "all", role: Role | None = None) -> list[dict[str, Any]]:
    """Return the open tasks of a scope as `list_tasks` has them; what was stopped is none any more."""
    found = (task for task in tasks.open_in(tx, lane) if not task.stopped and task.state in _STATES[which])
    return [_shown(task, zone) for task in found if role in (None, task.role)]


def _shown(task: Task, zone: ZoneInfo) -> dict[str, Any]:
    at = to_local(task.created_at, zone)
    return {
        "id": ids.ref("t", task.task_id),
        "type": "conditional" if task.waits_for is WaitsFor.CONDITION else "oneshot",
        "prompt": task.prompt[:SHOWN],
        "priority": task.priority,
        "status": task.state.value,
        "created_at": at.isoformat(timespec="seconds"),
        **({"tainted": True} if task.tainted else {}),
    }


class OpenTasks(StateProvider):
    """The state provider `tasks`: what is under way or due in the scope that asks. A Worker sees its own task alone.
    `zone` is that of the times."""

    name = "tasks"
    roles = frozenset({Role.TELLER, Role.PLANNER, Role.WORKER, Role.PERSON})

    def __init__(self, zone: ZoneInfo) -> None:
        self._zone = zone

    def read(self, tx: Tx, lane: LaneKey) -> Json:
        """Return the state as JSON: the `count`, and each as in `list_tasks`."""
        due = [scheduling.as_listed_task(one, self._zone) for one in triggers.of_scope(tx, lane)]
        found = [*listed(tx, lane, self._zone), *due]
        return {"count": len(found), self.name: found}

    def read_for(self, tx: Tx, context: ToolContext) -> Json:
        """Return the state as a run gets to see it: a Worker sees its own task alone."""
        if context.role is not Role.WORKER:
            return self.read(tx, context.lane)
        own = None if context.lease.task_id is None else tasks.find(tx, context.lane, context.lease.task_id)
        found = [] if own is None else [_shown(own, self._zone)]
        return {"count": len(found), self.name: found}


def states(services: Services) -> Sequence[StateProvider]:
    """Return what `query_state` tells about tasks."""
    return (OpenTasks(services.zone),)

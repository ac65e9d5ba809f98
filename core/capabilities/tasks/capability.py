"""Work in the background: delegated, worked on, told."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial

from core.capabilities.tasks import state, tools
from core.capabilities.tasks.models import TaskSettings
from core.capabilities.tasks.texts import de, en, zh
from core.capabilities.tasks.worker import TaskWorker
from core.kernel.ports import Tx
from core.kernel.types import Millis, Role
from core.store.conversation import tasks
from core.store.conversation.tasks import STOP_TASK
from core.toolkit.capability import Capability, Schedules, tools_in
from core.toolkit.services import Services


def services(house: Services) -> Sequence[object]:
    """Make what works on tasks."""
    return (TaskWorker(house),)


async def _serve(role: Role, house: Services, number: int) -> None:
    await house.get(TaskWorker).serve(role)


async def _stop(house: Services, number: int) -> None:
    await house.get(TaskWorker).stop(number)


def due(house: Services, tx: Tx, now: Millis) -> Millis | None:
    """Poke those who work on tasks, and whoever ends what was stopped; return when what was put down goes on."""
    if not tasks.any_open(tx):
        return None
    tasks.take_back(tx)
    settings = house.get(TaskSettings)
    for role in (Role.PLANNER, Role.WORKER):
        for number in tasks.queued(tx, role, now, settings.slots(role)):
            house.engine.poke(tx, role.value, number)
    for number in tasks.marked(tx):
        house.engine.poke(tx, STOP_TASK, number)
    return tasks.next_due(tx, now)


HANDLERS: Mapping[str, Callable[[Services, int], Awaitable[None]]] = {
    Role.PLANNER.value: partial(_serve, Role.PLANNER),
    Role.WORKER.value: partial(_serve, Role.WORKER),
    STOP_TASK: _stop,
}

CAPABILITY = Capability(
    name="tasks",
    tools=tools_in(tools),
    states=state.states,
    texts={"de": de.TEXTS, "en": en.TEXTS, "zh": zh.TEXTS},
    services=services,
    schedules=Schedules(due=due, handlers=HANDLERS),
)

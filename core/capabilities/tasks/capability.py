"""Work in the background: delegated, worked on, told."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial

from core.capabilities.tasks import commands, recurring, state, tools
from core.capabilities.tasks.display import TaskDisplay
from core.capabilities.tasks.models import TaskSettings
from core.capabilities.tasks.texts import de, en, zh
from core.capabilities.tasks.understands import UNDERSTANDS, recalls
from core.capabilities.tasks.worker import TaskWorker
from core.kernel.ports import Tx
from core.kernel.types import Millis, Role
from core.store.conversation import tasks
from core.store.conversation.shown_tasks import SHOW_TASK
from core.store.conversation.tasks import STOP_TASK
from core.toolkit.capability import Capability, Schedules, Tells, tools_in
from core.toolkit.keeping import Keeps, Whose
from core.toolkit.services import Services
from core.toolkit.tool import ToolContext


def services(services: Services) -> Sequence[object]:
    """Make what works on tasks, and what shows them."""
    return TaskWorker(services), TaskDisplay(services)


async def _serve(role: Role, services: Services, number: int) -> None:
    await services.get(TaskWorker).serve(role)


async def _stop(services: Services, number: int) -> None:
    await services.get(TaskWorker).stop(number)


async def _show(services: Services, number: int) -> None:
    await services.get(TaskDisplay).show(number)


def _close(tx: Tx, context: ToolContext, whose: Whose) -> None:
    context.services.get(TaskDisplay).close(tx, whose.lane, whose.person_id)


def due(services: Services, tx: Tx, now: Millis) -> Millis | None:
    """Poke those who work on tasks and show them, and whoever ends what was stopped; return when what was put down goes
    on, or is shown."""
    # One that has ended may still have to be shown so.
    shown = services.get(TaskDisplay).due(tx, now)
    if not tasks.any_open(tx):
        return shown
    tasks.take_back(tx)
    settings = services.get(TaskSettings)
    for role in (Role.PLANNER, Role.WORKER):
        for number in tasks.queued(tx, role, now, settings.slots(role)):
            services.engine.poke(tx, role.value, number)
    for number in tasks.marked(tx):
        services.engine.poke(tx, STOP_TASK, number)
    times = (tasks.next_due(tx, now), shown)
    return min((at for at in times if at is not None), default=None)


HANDLERS: Mapping[str, Callable[[Services, int], Awaitable[None]]] = {
    Role.PLANNER.value: partial(_serve, Role.PLANNER),
    Role.WORKER.value: partial(_serve, Role.WORKER),
    STOP_TASK: _stop,
    SHOW_TASK: _show,
}

CAPABILITY = Capability(
    name="tasks",
    tools=tools_in(tools),
    states=state.states,
    intents=commands.INTENTS,
    phrases="core.capabilities.tasks.phrases",
    understands=UNDERSTANDS,
    tells=Tells(recalls=recalls),
    texts={"de": de.TEXTS, "en": en.TEXTS, "zh": zh.TEXTS},
    services=services,
    keeps=Keeps(closes=_close),
    schedules=Schedules(deliver={"task": recurring.deliver}, due=due, handlers=HANDLERS),
)

"""What `query_state` tells about schedules."""

from __future__ import annotations

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from core.kernel.ports import Tx
from core.kernel.types import Json, LaneKey, Role
from core.scheduling import repository as triggers
from core.scheduling.service import as_listed_task
from core.toolkit.services import Services
from core.toolkit.tool import StateProvider


class ScheduleState(StateProvider):
    """The state provider `schedules`: what is due in the scope that asks. `zone` is that of the times."""

    name = "schedules"
    roles = frozenset({Role.TELLER, Role.PLANNER, Role.PERSON})

    def __init__(self, zone: ZoneInfo) -> None:
        self._zone = zone

    def read(self, tx: Tx, lane: LaneKey) -> Json:
        """Return the state as JSON: the `count`, and each as in `list_tasks`."""
        found = triggers.of_scope(tx, lane)
        return {"count": len(found), self.name: [as_listed_task(one, self._zone) for one in found]}


def states(services: Services) -> Sequence[StateProvider]:
    """Return what `query_state` tells about schedules."""
    return (ScheduleState(services.zone),)

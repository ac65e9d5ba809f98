"""The state provider `health`: how the bot is, for the scope that asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.kernel.ports import Clock, ReachableModel, ReceivingAdapter, Tx
from core.kernel.types import Json, LaneKey, Role
from core.store.conversation import incidents
from core.toolkit.services import Services
from core.toolkit.tool import StateProvider


class Health(StateProvider):
    """Tells whether platforms and model work, how long the bot has been up, and what waits in the asking scope."""

    name = "health"
    roles = frozenset(Role)

    def __init__(self, adapters: Mapping[str, ReceivingAdapter], model: ReachableModel | None, clock: Clock) -> None:
        self._adapters, self._model, self._clock = adapters, model, clock
        self._since = clock.monotonic()

    def read(self, tx: Tx, lane: LaneKey) -> Json:
        """Return the state as JSON: `ok`, `uptime_s`, `waiting` messages of the scope, one key a platform; of the model
        its name, whether it can be reached (both None where there is no model), and what keeps it from being used."""
        row = tx.one(
            "SELECT count(*) AS n FROM inbox WHERE tenant_id = :tenant_id AND lane_id IN"
            " (SELECT id FROM lane WHERE tenant_id = :tenant_id AND scope_id = :scope_id)"
            " AND ended_at IS NULL AND state = 'new'",
            lane.params(),
        )
        platforms = {name: bool(adapter.health().get("ok")) for name, adapter in self._adapters.items()}
        reachable = None if self._model is None else self._model.reachable
        incident = None if self._model is None else incidents.find(tx, lane.tenant_id)
        return {
            "ok": incident is None and reachable is not False and all(platforms.values()),
            "uptime_s": round(self._clock.monotonic() - self._since),
            "waiting": 0 if row is None else row["n"],
            "model": None if self._model is None else self._model.name,
            "model_reachable": reachable,
            "model_incident": "" if incident is None else incident.kind,
            **platforms,
        }


def states(services: Services) -> Sequence[StateProvider]:
    """Return what `query_state` tells about the bot itself."""
    return (Health(services.adapters, services.model, services.clock),)

"""Incidents: the model cannot be used until the operator mends something; owners are told once, and when it is over."""

from __future__ import annotations

from core.delivery.composer import Composer
from core.kernel.markdown import literal
from core.kernel.ports import Clock, Tx
from core.kernel.types import LaneKey
from core.store.conversation import incidents
from core.store.conversation.incidents import Incident
from core.store.people import people


class Incidents:
    """Opens and closes the incident of a tenant."""

    def __init__(self, composer: Composer, clock: Clock) -> None:
        self._composer, self._clock = composer, clock

    def open(self, tx: Tx, lane: LaneKey, incident: Incident) -> None:
        """Tell the owners in the tenant of a lane, unless an incident is open there."""
        if incidents.find(tx, lane.tenant_id) is not None:
            return
        incidents.begin(tx, lane.tenant_id, incident)
        reason = literal(incident.reason)
        self._composer.owners.tell(tx, lane, _key(incident), "model_trouble_owner", here=True, reason=reason)

    def close(self, tx: Tx) -> None:
        """End all that are open: the notices to owners say that it is over."""
        for tenant_id, incident in incidents.all_open(tx):
            incidents.end(tx, tenant_id)
            lasted = self._clock.now() - incident.since
            for lane, language in self._composer.owners.lanes(tx, tenant_id):
                words = {"duration": language.duration(lasted), "reason": literal(incident.reason)}
                key = f"{_key(incident)}:owner:{lane.lane_id}"
                platform, _ = people.place(tx, lane)
                outgoing = self._composer.outgoing(platform, f"{key}:over", language.say("model_trouble_over", **words))
                self._composer.edits.replace(tx, lane, outgoing, f"{key}:0")


def _key(incident: Incident) -> str:
    return f"model:{incident.since}"

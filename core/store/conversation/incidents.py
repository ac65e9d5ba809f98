"""Incidents of the model, one open a tenant: kept beside its cursors, so that one stays one also over restarts."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Literal

from core.kernel.ports import Tx
from core.kernel.types import Millis
from core.store.conversation import cursors

NAME = "model_incident"


@dataclass(frozen=True, kw_only=True)
class Incident:
    """The provider refuses the key, or the quota is spent; `reason` is a sentence for owners."""

    kind: Literal["key", "quota"]
    reason: str
    since: Millis


def find(tx: Tx, tenant_id: int) -> Incident | None:
    """Return the incident that is open in a tenant."""
    stored = cursors.at(tx, tenant_id, NAME)
    return Incident(**json.loads(stored)) if stored else None


def all_open(tx: Tx) -> list[tuple[int, Incident]]:
    """Return all open incidents with their tenants."""
    return [(tenant_id, Incident(**json.loads(stored))) for tenant_id, stored in cursors.all_of(tx, NAME)]


def begin(tx: Tx, tenant_id: int, incident: Incident) -> None:
    """Note an incident."""
    cursors.put(tx, tenant_id, NAME, json.dumps(asdict(incident)))


def end(tx: Tx, tenant_id: int) -> None:
    """Note that it is over."""
    cursors.put(tx, tenant_id, NAME, "")

"""Incidents of the model, one open a tenant: kept, so that one stays one also over restarts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from core.kernel.ports import Row, Tx
from core.kernel.types import Millis


class IncidentKind(StrEnum):
    """Why a provider answers nobody."""

    # It refuses the key.
    KEY = "key"
    # What was paid for is spent.
    QUOTA = "quota"


@dataclass(frozen=True, kw_only=True)
class Incident:
    """The provider answers nobody; `reason` is a sentence for owners."""

    kind: IncidentKind
    reason: str
    since: Millis


def find(tx: Tx, tenant_id: int) -> Incident | None:
    """Return the incident that is open in a tenant."""
    row = tx.one("SELECT kind, reason, since FROM incident WHERE tenant_id = :tenant_id", {"tenant_id": tenant_id})
    return None if row is None else _incident(row)


def all_open(tx: Tx) -> list[tuple[int, Incident]]:
    """Return all open incidents with their tenants."""
    rows = tx.all("SELECT tenant_id, kind, reason, since FROM incident ORDER BY tenant_id")
    return [(row["tenant_id"], _incident(row)) for row in rows]


def begin(tx: Tx, tenant_id: int, incident: Incident) -> None:
    """Note an incident."""
    tx.run(
        "INSERT INTO incident (tenant_id, kind, reason, since) VALUES (:tenant_id, :kind, :reason, :since)"
        " ON CONFLICT (tenant_id) DO UPDATE SET kind = excluded.kind, reason = excluded.reason, since = excluded.since",
        {"tenant_id": tenant_id, "kind": incident.kind.value, "reason": incident.reason, "since": incident.since},
    )


def end(tx: Tx, tenant_id: int) -> None:
    """Note that it is over."""
    tx.run("DELETE FROM incident WHERE tenant_id = :tenant_id", {"tenant_id": tenant_id})


def _incident(row: Row) -> Incident:
    return Incident(kind=IncidentKind(row["kind"]), reason=row["reason"], since=row["since"])

"""Who uses the same bot and is no stranger: people of one group, and who invited whom."""

from __future__ import annotations

from collections.abc import Sequence

from core.kernel.markdown import folded
from core.kernel.ports import Tx
from core.kernel.types import LaneKey, Sender

MOST = 200

# Both have spoken in a group that is allowed now, and neither wants to be left alone there.
_OF_GROUP = (
    "EXISTS (SELECT 1 FROM contact theirs JOIN contact mine ON mine.scope_id = theirs.scope_id AND mine.met = 1"
    " AND mine.person_id = :me JOIN chat h ON h.scope_id = theirs.scope_id AND h.kind = 'group'"
    " AND h.state = 'allowed' WHERE theirs.person_id = p.id AND theirs.met = 1 AND theirs.tenant_id = p.tenant_id"
    " AND NOT EXISTS (SELECT 1 FROM optout o WHERE o.scope_id = theirs.scope_id AND o.person_id = p.id))"
)
_INVITED = (
    "EXISTS (SELECT 1 FROM invite i WHERE i.tenant_id = p.tenant_id AND i.kind = 'invite'"
    " AND ((i.person_id = :me AND i.used_by = p.id) OR (i.person_id = p.id AND i.used_by = :me)))"
)


def called(tx: Tx, lane: LaneKey, person_id: int, names: Sequence[str]) -> list[tuple[int, Sender]]:
    """Return the acquaintances of a person whose name begins as one of these does, or who have it as a handle or
    address."""
    rows = tx.all(
        "SELECT p.id, p.name, p.handle, a.external_id AS address FROM person p JOIN address a ON a.person_id = p.id"
        " AND a.tenant_id = p.tenant_id WHERE p.tenant_id = :tenant_id AND p.id <> :me AND p.anonymous = 0"
        f" AND p.name <> '' AND ({_OF_GROUP} OR {_INVITED}) ORDER BY p.id LIMIT {MOST}",
        {"me": person_id, **lane.params()},
    )
    first = {_first(name) for name in names if name.strip()}
    return [
        (row["id"], Sender(address=row["address"], name=row["name"], handle=row["handle"] or ""))
        for row in rows
        if first & {_first(row["name"]), folded(row["handle"] or ""), folded(row["address"])}
    ]


def _first(name: str) -> str:
    return (folded(name).split() or [""])[0]

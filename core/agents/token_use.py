"""SQL of what model calls took: what was used on a day, and which calls a killed process had under way."""

from __future__ import annotations

from core.kernel.ports import Tx
from core.kernel.types import LaneKey
from core.store.people.people import lane_key


def used_on(tx: Tx, day: str) -> list[tuple[int, int, int, int]]:
    """Return person, scope, tokens (in and out) and microdollars of a day; the sum is what the whole bot used."""
    rows = tx.all(
        "SELECT person_id, scope_id, sum(tokens_in + tokens_out) AS n, sum(cost) AS cost FROM token_use"
        " WHERE day = :day GROUP BY person_id, scope_id",
        {"day": day},
    )
    return [(row["person_id"], row["scope_id"], int(row["n"]), int(row["cost"])) for row in rows]


def broken_off(tx: Tx) -> list[tuple[LaneKey, int]]:
    """Return the lane and the person of each run that was killed while it may have waited for a model.

    Such a run is open, no command, of a lane or a task under a lease that nobody has ended, and the last thing it
    committed is no answer: then it would have been about to carry that out.
    """
    found = []
    for holder, held in (("l", "lane l"), ("t", "task t JOIN lane l ON l.id = t.lane_id")):
        found += tx.all(
            f"SELECT l.id, l.tenant_id, l.scope_id, l.chat_id, r.person_id FROM {held}"
            f" JOIN run r ON r.id = {holder}.run_id AND r.tenant_id = {holder}.tenant_id"
            f" WHERE {holder}.owner IS NOT NULL AND r.state = 'running' AND r.command = '' AND NOT EXISTS"
            " (SELECT 1 FROM step s WHERE s.run_id = r.id AND s.scope_id = r.scope_id AND s.tenant_id = r.tenant_id"
            " AND (s.kind <> 'call' OR s.state <> 'done') AND s.n = (SELECT max(m.n) FROM step m"
            " WHERE m.run_id = r.id AND m.scope_id = r.scope_id AND m.tenant_id = r.tenant_id)) ORDER BY l.id, r.id"
        )
    return [(lane_key(row["tenant_id"], row), row["person_id"]) for row in found]

"""What models took: one row a day, person and model."""

from __future__ import annotations

from core.kernel.ports import Tx
from core.kernel.types import LaneKey, Usage


def add(tx: Tx, lane: LaneKey, person_id: int, day: str, usage: Usage) -> None:
    """Count one call. `day` is an ISO date in the bot's zone."""
    tx.run(
        "INSERT INTO token_use (tenant_id, scope_id, person_id, day, model, calls, tokens_in, tokens_out)"
        " VALUES (:tenant_id, :scope_id, :person_id, :day, :model, 1, :tokens_in, :tokens_out)"
        " ON CONFLICT (day, tenant_id, scope_id, person_id, model) DO UPDATE SET calls = token_use.calls + 1,"
        " tokens_in = token_use.tokens_in + excluded.tokens_in,"
        " tokens_out = token_use.tokens_out + excluded.tokens_out",
        {
            **lane.params(),
            "person_id": person_id,
            "day": day,
            "model": usage.model,
            "tokens_in": usage.tokens_in,
            "tokens_out": usage.tokens_out,
        },
    )


def by_person(tx: Tx, day: str) -> dict[int, int]:
    """What each person took on a day, in and out; together that is what the whole bot took."""
    rows = tx.all(
        "SELECT person_id, sum(tokens_in + tokens_out) AS n FROM token_use WHERE day = :day GROUP BY person_id",
        {"day": day},
    )
    return {row["person_id"]: int(row["n"]) for row in rows}

"""What is asked for every message must not grow with the history of its lane."""

from __future__ import annotations

import pytest

from core.kernel.ports import Database, Tx
from tests.conftest import DatabaseMaker

OPEN_OF_A_LANE = (
    "SELECT min(held_until) AS at FROM inbox WHERE lane_id = 1 AND ended_at IS NULL AND state = 'new'",
    "SELECT id FROM inbox WHERE lane_id = 1 AND ended_at IS NULL AND state = 'new' ORDER BY id LIMIT 200",
    "UPDATE inbox SET state = 'done' WHERE lane_id = 1 AND tenant_id = 1 AND ended_at IS NULL AND run_id = 1"
    " AND state = 'taken'",
)


@pytest.fixture
async def sqlite(make_database: DatabaseMaker) -> Database:
    return await make_database("sqlite")


@pytest.mark.parametrize("sql", OPEN_OF_A_LANE)
async def test_open_messages_are_found_without_a_look_at_those_that_ended(sqlite: Database, sql: str) -> None:
    def plan(tx: Tx) -> list[str]:
        return [row["detail"] for row in tx.all(f"EXPLAIN QUERY PLAN {sql}")]

    assert await sqlite.read(plan) == ["SEARCH inbox USING INDEX inbox_open (lane_id=?)"]

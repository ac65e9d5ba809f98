"""What is asked for every message must not grow with the history of its lane."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import pytest

from core.kernel.ports import Database, Row, Tx
from core.kernel.types import LaneKey
from core.store.conversation import history, runs
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


class Explained:
    """A transaction that only notes how it would find what it is asked for."""

    def __init__(self, tx: Tx) -> None:
        self._tx, self.plan = tx, list[str]()

    def one(self, sql: str, params: Mapping[str, object]) -> None:
        self.plan += [row["detail"] for row in self._tx.all(f"EXPLAIN QUERY PLAN {sql}", params)]

    def many(self, sql: str, rows: Sequence[Sequence[object]]) -> list[Row]:
        return []


async def test_whether_a_quote_was_forgotten_is_found_without_a_look_at_its_lane(sqlite: Database) -> None:
    def plan(tx: Tx) -> list[str]:
        explained = Explained(tx)
        history.hides(cast("Tx", explained), LaneKey(tenant_id=1, scope_id=1, chat_id=1, lane_id=1), "7", 5)
        return explained.plan

    assert (await sqlite.read(plan))[0] == "SEARCH message USING INDEX message_forgotten (forgotten_with>?)"


async def test_whether_a_run_has_read_others_words_is_found_without_a_look_at_other_runs(sqlite: Database) -> None:
    lane = LaneKey(tenant_id=1, scope_id=1, chat_id=1, lane_id=1)

    def plan(tx: Tx) -> list[str]:
        explained = Explained(tx)
        runs.say_all(cast("Tx", explained), 5, [(lane, "Yes?", None, 0, False)], 1)
        return explained.plan

    found = await sqlite.read(plan)
    assert "SEARCH s USING PRIMARY KEY (tenant_id=? AND scope_id=? AND run_id=?)" in found
    assert "SEARCH message USING INDEX message_tainted (lane_id=? AND id>?)" in found


async def test_whether_a_model_sees_others_words_is_found_without_a_look_at_other_lanes(sqlite: Database) -> None:
    def plan(tx: Tx) -> list[str]:
        explained = Explained(tx)
        runs.past_has_others(cast("Tx", explained), LaneKey(tenant_id=1, scope_id=1, chat_id=1, lane_id=1), 1)
        return explained.plan

    assert "SEARCH message USING INDEX message_lane (lane_id=? AND id>?)" in await sqlite.read(plan)

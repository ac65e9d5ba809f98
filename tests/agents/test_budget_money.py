"""DayLimits in money, and for each person and chat."""

from __future__ import annotations

from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from core.agents.budget import Budget, DayLimits
from core.agents.prices import Price, Prices
from core.kernel.errors import BudgetSpent, ShareSpent
from core.kernel.ports import Database
from core.kernel.types import LaneKey, ModelRequest, Usage
from tests.fakes import FakeClock, house

pytestmark = pytest.mark.databases("sqlite")

DEAR = Prices(Price(1.0, 0.5, 10.0))
LANE = LaneKey(tenant_id=1, scope_id=7, chat_id=1, lane_id=1)


@pytest.mark.parametrize(
    ("limits", "error"),
    [
        (DayLimits(daily_money=0.02), BudgetSpent),
        (DayLimits(person_money=0.02), ShareSpent),
        (DayLimits(chat_money=0.02), ShareSpent),
        (DayLimits(person_tokens=2_500), ShareSpent),
        (DayLimits(chat_tokens=2_500), ShareSpent),
    ],
)
async def test_a_limit_holds_before_the_call_and_over_a_restart(
    database: Database, tmp_path: Path, limits: DayLimits, error: type[Exception]
) -> None:
    db, request = (
        (await house(database, tmp_path / "house")).db,
        ModelRequest(messages=(), person_id=5, lane=LANE),
    )
    first = Budget(None, ZoneInfo("UTC"), FakeClock(), DEAR, limits=limits)
    async with first.hold(db, request, "m"):
        pass
    took = Usage(model="m", tokens_in=1_300, tokens_out=1_600)
    await db.write(lambda tx: first.count(tx, LANE, 5, took))
    for budget in (first, Budget(None, ZoneInfo("UTC"), FakeClock(), DEAR, limits=limits)):
        with pytest.raises(error):
            async with budget.hold(db, ModelRequest(messages=(), person_id=5, lane=LANE, most_tokens=1_000), "m"):
                pass


def test_a_price_is_the_configured_one_then_the_provider_s_then_the_table_s_and_never_0() -> None:
    told = Usage(model="gpt-5", tokens_in=1_000, tokens_out=100, cached=400, cost_microdollars=7)
    assert Prices(Price(1.0, 0.5, 10.0)).cost(told) == 600 + 200 + 1_000
    assert Prices().cost(told) == 7
    assert Prices().cost(Usage(model="gpt-5-2025-08-07", tokens_in=1_000, tokens_out=100)) == 2_250
    assert Prices().cost(Usage(model="gpt-5.5", tokens_in=1_000)) is None

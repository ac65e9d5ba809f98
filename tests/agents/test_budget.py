"""The day's tokens: what is used, and what is held for calls under way."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from core.agents.budget import OUTPUT_TOKENS, Budget, BudgetedModel, DayLimits, Spent
from core.agents.llm.scripted import Rule, Said, ScriptedModel
from core.agents.offline import Offline
from core.kernel.errors import ModelUnreachable
from core.kernel.ports import Database
from core.kernel.types import Answer, LaneKey, ModelRequest, Usage
from tests.conftest import DatabaseMaker
from tests.fakes import FakeClock, house

QUESTION = ModelRequest(messages=({"role": "user", "content": "x" * 4_000},), heard=("write a poem",))
LANE = LaneKey(tenant_id=1, scope_id=1, chat_id=1, lane_id=1)
SPENT = "Today's budget for the model is spent"


@pytest.fixture
async def db(make_database: DatabaseMaker, tmp_path: Path) -> Database:
    """A database with its tables."""
    return (await house(await make_database("sqlite"), tmp_path / "house")).db


def substitute(why: Spent) -> Offline:
    return Offline(notice=why)


def budgeted(db: Database, daily: int | None, *script: Said | Rule, **more: Any) -> tuple[BudgetedModel, ScriptedModel]:
    model = ScriptedModel(*script)
    budget = Budget(daily, ZoneInfo("UTC"), FakeClock(), **more)
    return BudgetedModel(model, substitute, budget, db), model


class Crowd:
    """So many calls at once: whoever gets in waits until everybody is in or was turned away."""

    def __init__(self, calls: int = 50) -> None:
        self._left, self._together = calls, asyncio.Event()

    async def enter(self, request: ModelRequest) -> Answer:
        self._count()
        await self._together.wait()
        return Answer(text="one", usage=Usage(model="m", tokens_in=1_000, tokens_out=1_000))

    async def ask(self, model: BudgetedModel) -> list[str]:
        """The texts of all answers."""
        return await asyncio.gather(*(self._one(model) for _ in range(self._left)))

    async def _one(self, model: BudgetedModel) -> str:
        text = (await model.complete(QUESTION)).text
        self._count()
        return text

    def _count(self) -> None:
        self._left -= 1
        if self._left == 0:
            self._together.set()


async def test_many_calls_at_once_do_not_all_get_in_on_the_last_tokens(db: Database) -> None:
    crowd = Crowd()
    model, asked = budgeted(db, 5_000, crowd.enter)
    texts = await crowd.ask(model)
    assert len(asked.requests) == 2
    assert texts.count("one") == 2
    assert sum(text.startswith(SPENT) for text in texts) == 48


class Slow:
    """A call that is under way until it is `answered`."""

    def __init__(self) -> None:
        self.asked, self.answered = asyncio.Event(), asyncio.Event()

    async def complete(self, request: ModelRequest) -> Answer:
        self.asked.set()
        await self.answered.wait()
        return Answer(text="one")


async def test_a_call_waits_for_the_room_that_calls_under_way_hold(db: Database) -> None:
    slow, clock = Slow(), FakeClock(waits=True)
    asked = ScriptedModel(slow.complete, "two")
    model = BudgetedModel(asked, substitute, Budget(2_500, ZoneInfo("UTC"), clock), db)
    first = asyncio.ensure_future(model.complete(QUESTION))
    await slow.asked.wait()
    second = asyncio.ensure_future(model.complete(QUESTION))
    await clock.until_asleep()
    assert len(asked.requests) == 1
    slow.answered.set()
    await first
    clock.advance(1)
    assert (await second).text == "two"


async def test_nobody_takes_what_has_ended_and_is_not_counted_yet(db: Database) -> None:
    slow, clock = Slow(), FakeClock(waits=True)
    budget, asked = Budget(2_500, ZoneInfo("UTC"), clock), ScriptedModel(slow.complete)
    model = BudgetedModel(asked, substitute, budget, db)
    question = replace(QUESTION, lane=LANE)
    first = asyncio.ensure_future(model.complete(question))
    await slow.asked.wait()
    second = asyncio.ensure_future(model.complete(question))
    await clock.until_asleep()
    slow.answered.set()
    await first
    # One who waited, and one who comes now.
    third = asyncio.ensure_future(model.complete(replace(question, lane=replace(LANE, lane_id=2))))
    for _ in range(3):
        clock.advance(1)
        await clock.until_asleep()
    await db.write(lambda tx: budget.count(tx, LANE, 1, Usage(model="m", tokens_in=1_000, tokens_out=1_000)))
    clock.advance(1)
    assert (await second).text.startswith(SPENT)
    assert (await third).text.startswith(SPENT)
    assert len(asked.requests) == 1


async def test_what_nobody_counts_is_held_for_a_while_only(db: Database) -> None:
    clock = FakeClock()
    budget, asked = Budget(2_500, ZoneInfo("UTC"), clock), ScriptedModel("one", "two")
    model = BudgetedModel(asked, substitute, budget, db)
    question, began = replace(QUESTION, lane=LANE), clock.now()
    assert (await model.complete(question)).text == "one"
    assert (await model.complete(question)).text == "two"
    assert 10_000 < clock.now() - began < 12_000


async def test_a_call_that_another_limit_refuses_anyway_waits_for_nobody(db: Database) -> None:
    slow, clock = Slow(), FakeClock()
    budget = Budget(2_500, ZoneInfo("UTC"), clock, limits=DayLimits(person_tokens=1_000))
    model = BudgetedModel(ScriptedModel(slow.complete), substitute, budget, db)
    first = asyncio.ensure_future(model.complete(QUESTION))
    await slow.asked.wait()
    began = clock.monotonic()
    await model.complete(replace(QUESTION, person_id=5))
    assert clock.monotonic() == began
    slow.answered.set()
    await first


async def test_a_call_does_not_wait_for_ever_for_those_under_way(db: Database) -> None:
    slow = Slow()
    model, asked = budgeted(db, 2_500, slow.complete, "two")
    first = asyncio.ensure_future(model.complete(QUESTION))
    await slow.asked.wait()
    assert (await model.complete(QUESTION)).text.startswith(SPENT)
    slow.answered.set()
    await first
    assert len(asked.requests) == 1


async def test_what_a_call_holds_is_its_size_and_an_answer_and_is_let_go_of_afterwards(db: Database) -> None:
    held: list[int] = []
    budget = Budget(10_000, ZoneInfo("UTC"), FakeClock())
    for size in (4_000, 8_000):
        request = ModelRequest(messages=({"content": "x" * size},), tools=({"name": "y" * 400},))
        async with budget.hold(db, request):
            held.append(budget._held.total)
        assert budget._held.total == 0
    assert held[0] == pytest.approx(1_100 + OUTPUT_TOKENS, abs=20)
    assert held[1] - held[0] == 1_000


async def test_tools_weigh_what_they_are_at_each_call(db: Database) -> None:
    held: list[int] = []
    budget = Budget(10_000, ZoneInfo("UTC"), FakeClock())
    small, large = {"name": "y" * 400}, {"name": "y" * 4_400}
    for tools in ((small,), (small,), (large,), (small, large), (small,), ()):
        async with budget.hold(db, ModelRequest(messages=(), tools=tools)):
            held.append((budget._held.total - OUTPUT_TOKENS) // 100)
    assert held == [1, 1, 11, 12, 1, 0]


@pytest.mark.parametrize(("daily", "most"), [(3_000, 1_000), (1_700, 698), (1_310, 308), (1_290, None)])
async def test_an_answer_may_only_be_as_long_as_what_is_left(db: Database, daily: int, most: int | None) -> None:
    model, asked = budgeted(db, daily, "one")
    text = (await model.complete(QUESTION)).text
    assert [request.most_tokens for request in asked.requests] == (
        [] if most is None else [pytest.approx(most, abs=12)]
    )
    assert (text == "one") is (most is not None)


async def test_the_tokens_held_for_an_answer_can_be_set(db: Database) -> None:
    crowd = Crowd()
    model, asked = budgeted(db, 5_000, crowd.enter, output_tokens=10)
    await crowd.ask(model)
    assert len(asked.requests) == 4


async def test_a_call_that_fails_or_is_cancelled_holds_nothing_any_more(db: Database) -> None:
    forever: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
    model, asked = budgeted(db, 2_500, ModelUnreachable("down"), lambda _: forever, "at last")
    with pytest.raises(ModelUnreachable):
        await model.complete(QUESTION)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(model.complete(QUESTION), 0.05)
    assert (await model.complete(QUESTION)).text == "at last"
    assert asked.left == 0


async def test_without_a_limit_nothing_is_held_and_everybody_gets_in(db: Database) -> None:
    crowd = Crowd()
    model, asked = budgeted(db, None, crowd.enter)
    await crowd.ask(model)
    assert len(asked.requests) == 50


async def test_what_was_counted_is_used_up(make_database: DatabaseMaker, tmp_path: Path) -> None:
    home = await house(await make_database("sqlite"), tmp_path / "house")
    await home.hear("hello")
    (row,) = await home.rows("SELECT tenant_id, scope_id, chat_id, id AS lane_id FROM lane")
    (person_id,) = await home.column("SELECT id FROM person")
    budget = Budget(2_500, ZoneInfo("UTC"), home.clock)
    model = BudgetedModel(ScriptedModel("one"), substitute, budget, home.db)
    assert (await model.complete(QUESTION)).text == "one"
    took = Usage(model="m", tokens_in=1_000, tokens_out=500)
    await home.db.write(lambda tx: budget.count(tx, LaneKey(**row), person_id, took))
    assert (await model.complete(QUESTION)).text.startswith(SPENT)
    assert budget._used.total == 1_500


async def test_an_answer_of_the_substitute_bears_its_name(db: Database) -> None:
    model, _ = budgeted(db, 0)
    answer = await model.complete(QUESTION)
    assert (answer.text[: len(SPENT)], answer.usage) == (SPENT, Usage(model="offline"))

"""The day's tokens, counted for the whole bot and for each person, and checked before each call.

The rule of shares, where everybody may write (access mode `open`): an owner may use all of the day's tokens, and the
last quarter of them is for owners only. Of the rest anybody else is served while what they used today is below
`rest / max(4, people who used tokens today)`. That is a quarter of it at most, and the more people come, the less.

What a call takes is known only after it. Until then an estimate is held for it, so that many calls at once don't all
get in on the same last tokens. A call that brings no answer is counted by what was sent and heard (`core.agents.loop`).
"""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from operator import is_
from typing import Any, Literal
from zoneinfo import ZoneInfo

from core.agents.llm.openai.completion import counted
from core.kernel.errors import BudgetSpent, ShareSpent
from core.kernel.ports import LLM, Clock, Database, Tx
from core.kernel.types import Answer, LaneKey, ModelRequest, Usage

log = logging.getLogger(__name__)

# Other processes on the same database count too: the sum is read again after this time.
FRESH_SECONDS = 30.0
OUTPUT_TOKENS = 1_000
SHARES = 4
KEPT = 4  # one part in so many is kept for owners

Spent = Literal["budget_spent", "share_spent"]


class _Sum:
    """Tokens, of everybody together and of each person; `None` is somebody who has no share."""

    def __init__(self) -> None:
        self.total = 0
        self.of: Counter[int] = Counter()

    def add(self, person_id: int | None, count: int) -> None:
        """Add to a person's; take away with a negative count."""
        self.total += count
        if person_id is None:
            return
        self.of[person_id] += count
        if not self.of[person_id]:
            del self.of[person_id]


class Budget:
    """`daily_tokens` for everybody together; None is no limit. A day begins at midnight in `zone`.

    `prices` are US dollars for a million tokens, in and out. `output_tokens` are held for an answer under way. With
    `shared` nobody but an owner gets more than their share, nor the part that is kept for owners.
    """

    def __init__(
        self,
        daily_tokens: int | None,
        zone: ZoneInfo,
        clock: Clock,
        prices: tuple[float, float] = (0.0, 0.0),
        *,
        output_tokens: int = OUTPUT_TOKENS,
        shared: bool = False,
    ) -> None:
        self._daily_tokens, self._zone, self._clock, self._prices = daily_tokens, zone, clock, prices
        self._output_tokens, self._shared = output_tokens, shared
        self._day, self._read_at = "", 0.0
        self._used, self._held = _Sum(), _Sum()
        self._weighed: tuple[Sequence[Mapping[str, Any]], int] = (), 0

    def cost(self, usage: Usage) -> int:
        """What a usage costs, in millionths of a dollar; 0 when no price is known."""
        return round(usage.tokens_in * self._prices[0] + usage.tokens_out * self._prices[1])

    def count(self, tx: Tx, lane: LaneKey, person_id: int, usage: Usage) -> None:
        """Record what a call took, in the caller's transaction."""
        took = usage.tokens_in + usage.tokens_out
        if not took:
            return
        add_usage(tx, lane, person_id, self.day(), usage)
        if self._daily_tokens is not None:
            tx.after_commit(lambda: self._used.add(person_id, took))

    @asynccontextmanager
    async def hold(self, db: Database, request: ModelRequest) -> AsyncIterator[None]:
        """Hold an estimate of what `request` takes.

        Raises `BudgetSpent` when nothing of the day is left, `ShareSpent` when nothing of the person's share is.
        """
        if self._daily_tokens is None:
            yield
            return
        if self._day != self.day() or self._clock.monotonic() - self._read_at > FRESH_SECONDS:
            day, used = self.day(), _Sum()
            for person_id, count in (await db.read(lambda tx: usage_by_person(tx, day))).items():
                used.add(person_id, count)
            self._used, self._day, self._read_at = used, day, self._clock.monotonic()
        self._check(self._daily_tokens, request.person_id)
        estimate = self._size(request) // 4 + self._output_tokens
        self._held.add(request.person_id, estimate)
        try:
            yield
        finally:
            self._held.add(request.person_id, -estimate)

    def _check(self, daily_tokens: int, person_id: int | None) -> None:
        sharing = self._shared and person_id is not None
        most = daily_tokens - daily_tokens // KEPT if sharing else daily_tokens
        used, held = self._used.total, self._held.total
        if used + held >= most:
            kept = f"; {daily_tokens - most} are kept for owners" if sharing else ""
            raise BudgetSpent(f"{used} of {daily_tokens} tokens of today are used{_under_way(held)}{kept}")
        if person_id is None or not sharing:
            return
        share = max(1, most // max(SHARES, len(self._used.of)))
        used, held = self._used.of[person_id], self._held.of[person_id]
        if used + held >= share:
            raise ShareSpent(f"person {person_id} used {used} of today's share of {share}{_under_way(held)}")

    def _size(self, request: ModelRequest) -> int:
        """The bytes of a request. Tools are most of it; those that were in the last one, too, are not written again."""
        (last, size), tools = self._weighed, request.tools
        if len(tools) != len(last) or not all(map(is_, tools, last)):
            size = len(json.dumps(tools, default=str))
            self._weighed = tools, size
        return counted(len(json.dumps(request.messages, default=str)) + size, request.messages)

    def day(self) -> str:
        """Today as an ISO date."""
        return datetime.fromtimestamp(self._clock.now() / 1000, UTC).astimezone(self._zone).date().isoformat()


def _under_way(held: int) -> str:
    return f", {held} are held for calls under way" if held else ""


def add_usage(tx: Tx, lane: LaneKey, person_id: int, day: str, usage: Usage) -> None:
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


def usage_by_person(tx: Tx, day: str) -> dict[int, int]:
    """Return the tokens that each person used on a day, in and out; their sum is what the whole bot used."""
    rows = tx.all(
        "SELECT person_id, sum(tokens_in + tokens_out) AS n FROM token_use WHERE day = :day GROUP BY person_id",
        {"day": day},
    )
    return {row["person_id"]: int(row["n"]) for row in rows}


class BudgetedModel:
    """A model that is asked only while there are tokens left; after that a substitute answers, and says so.

    `substitutes` makes the one for a reason. Its answers bear its name, which is `substitute`, in `usage.model`: they
    are no sign of life of the model.
    """

    def __init__(self, model: LLM, substitutes: Callable[[Spent], LLM], budget: Budget, db: Database) -> None:
        self._model, self._budget, self._db = model, budget, db
        self._spent, self._share_spent = substitutes("budget_spent"), substitutes("share_spent")
        self.name, self.substitute = model.name, self._spent.name

    async def complete(self, request: ModelRequest) -> Answer:
        """Answer with the model or its substitute."""
        try:
            async with self._budget.hold(self._db, request):
                return await self._model.complete(request)
        except ShareSpent as error:
            log.info("share spent: %s", error)
            substitute = self._share_spent
        except BudgetSpent as error:
            log.warning("budget spent: %s", error)
            substitute = self._spent
        answer = await substitute.complete(request)
        return replace(answer, usage=replace(answer.usage, model=self.substitute))

"""The day's tokens, counted for the whole bot and checked before each call.

What a call takes is known only after it. Until then an estimate is held for it, so that many calls at once don't all
get in on the same last tokens.
"""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from core.errors import BudgetSpent
from core.ports import LLM, Clock, Database, Tx
from core.store import tokens
from core.types import Answer, LaneKey, ModelRequest, Usage

log = logging.getLogger(__name__)

# Other processes on the same database count too: the sum is read again after this time.
FRESH_SECONDS = 30.0
OUTPUT_TOKENS = 1_000


class Budget:
    """`daily_tokens` for everybody together; None is no limit. A day begins at midnight in `zone`.

    `prices` are US dollars for a million tokens, in and out. `output_tokens` are held for an answer under way.
    """

    def __init__(
        self,
        daily_tokens: int | None,
        zone: ZoneInfo,
        clock: Clock,
        prices: tuple[float, float] = (0.0, 0.0),
        *,
        output_tokens: int = OUTPUT_TOKENS,
    ) -> None:
        self._daily_tokens, self._zone, self._clock, self._prices = daily_tokens, zone, clock, prices
        self._output_tokens = output_tokens
        self._day, self._used, self._read_at = "", 0, 0.0
        self._held = 0

    def cost(self, usage: Usage) -> int:
        """What a usage costs, in millionths of a dollar; 0 when no price is known."""
        return round(usage.tokens_in * self._prices[0] + usage.tokens_out * self._prices[1])

    def count(self, tx: Tx, lane: LaneKey, person_id: int, usage: Usage) -> None:
        """Record what a call took, in the caller's transaction."""
        if usage.tokens_in or usage.tokens_out:
            tokens.add(tx, lane, person_id, self.day(), usage)
            tx.after_commit(lambda: self._note(usage))

    def _note(self, usage: Usage) -> None:
        self._used += usage.tokens_in + usage.tokens_out

    @asynccontextmanager
    async def hold(self, db: Database, request: ModelRequest) -> AsyncIterator[None]:
        """Hold an estimate of what `request` takes; raises `BudgetSpent` when nothing of the day is left."""
        if self._daily_tokens is None:
            yield
            return
        await self._refresh(db)
        if self._used + self._held >= self._daily_tokens:
            under_way = f", {self._held} are held for calls under way" if self._held else ""
            raise BudgetSpent(f"{self._used} of {self._daily_tokens} tokens of today are used{under_way}")
        estimate = _size(request) // 4 + self._output_tokens
        self._held += estimate
        try:
            yield
        finally:
            self._held -= estimate

    async def _refresh(self, db: Database) -> None:
        if self._day != self.day() or self._clock.monotonic() - self._read_at > FRESH_SECONDS:
            day = self.day()
            self._used = await db.read(lambda tx: tokens.total(tx, day))
            self._day, self._read_at = day, self._clock.monotonic()

    def day(self) -> str:
        """Today as an ISO date."""
        return datetime.fromtimestamp(self._clock.now() / 1000, UTC).astimezone(self._zone).date().isoformat()


class BudgetedModel:
    """A model that is asked only while there are tokens left; after that `substitute` answers, and says so.

    An answer of the substitute bears its name in `usage.model`: it is no sign of life of the model.
    """

    def __init__(self, model: LLM, substitute: LLM, budget: Budget, db: Database) -> None:
        self._model, self._substitute, self._budget, self._db = model, substitute, budget, db
        self.name = model.name

    async def complete(self, request: ModelRequest) -> Answer:
        """Answer with the model or its substitute."""
        try:
            async with self._budget.hold(self._db, request):
                return await self._model.complete(request)
        except BudgetSpent as error:
            log.warning("budget spent: %s", error)
        answer = await self._substitute.complete(request)
        return replace(answer, usage=replace(answer.usage, model=self._substitute.name))


def _size(request: ModelRequest) -> int:
    return len(json.dumps([request.messages, request.tools], default=str))

"""The day's tokens, counted for the whole bot and checked before each call."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from core.errors import BudgetSpent
from core.ports import LLM, Clock, Database, Tx
from core.store import tokens
from core.types import Answer, LaneKey, ModelRequest, Usage

log = logging.getLogger(__name__)

# Other processes on the same database count too: the sum is read again after this time.
FRESH_SECONDS = 30.0


class Budget:
    """`daily_tokens` for everybody together; None is no limit. A day begins at midnight in `zone`.

    `prices` are US dollars for a million tokens, in and out.
    """

    def __init__(
        self, daily_tokens: int | None, zone: ZoneInfo, clock: Clock, prices: tuple[float, float] = (0.0, 0.0)
    ) -> None:
        self._daily_tokens, self._zone, self._clock, self._prices = daily_tokens, zone, clock, prices
        self._day, self._used, self._read_at = "", 0, 0.0

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

    async def check(self, db: Database) -> None:
        """Raise `BudgetSpent` when the day's tokens are used up."""
        if self._daily_tokens is None:
            return
        if self._day != self.day() or self._clock.monotonic() - self._read_at > FRESH_SECONDS:
            day = self.day()
            self._used = await db.read(lambda tx: tokens.total(tx, day))
            self._day, self._read_at = day, self._clock.monotonic()
        if self._used >= self._daily_tokens:
            raise BudgetSpent(f"{self._used} of {self._daily_tokens} tokens of today are used")

    def day(self) -> str:
        """Today as an ISO date."""
        return datetime.fromtimestamp(self._clock.now() / 1000, UTC).astimezone(self._zone).date().isoformat()


class BudgetedModel:
    """A model that is asked only while there are tokens left; after that `substitute` answers, and says so."""

    def __init__(self, model: LLM, substitute: LLM, budget: Budget, db: Database) -> None:
        self._model, self._substitute, self._budget, self._db = model, substitute, budget, db
        self.name = model.name

    async def complete(self, request: ModelRequest) -> Answer:
        """Answer with the model or its substitute."""
        try:
            await self._budget.check(self._db)
        except BudgetSpent as error:
            log.warning("budget spent: %s", error)
            return await self._substitute.complete(request)
        return await self._model.complete(request)

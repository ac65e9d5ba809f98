"""The day's tokens and money, counted for the whole bot, each person and each chat, and checked before each call.

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
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from operator import is_
from typing import Any, Literal
from zoneinfo import ZoneInfo

from core.agents.llm.openai.completion import counted
from core.agents.prices import Prices
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


@dataclass(frozen=True, slots=True, kw_only=True)
class DayLimits:
    """What a day allows beside the tokens of all: money in US dollars; a chat is one with all its threads.

    An owner has the whole day, and no limit of a person.
    """

    daily_money: float | None = None
    person_tokens: int | None = None
    person_money: float | None = None
    chat_tokens: int | None = None
    chat_money: float | None = None

    @property
    def money(self) -> bool:
        """Whether any of them is in money."""
        return any(one is not None for one in (self.daily_money, self.person_money, self.chat_money))

    @property
    def any(self) -> bool:
        """Whether there is a limit at all."""
        return self.money or self.person_tokens is not None or self.chat_tokens is not None


class _Sum:
    """Tokens or money, of all together, each person and each scope; `None` is somebody who has no share."""

    def __init__(self) -> None:
        self.total = 0
        self.of: Counter[int] = Counter()
        self.of_scope: Counter[int] = Counter()

    def add(self, person_id: int | None, count: int, scope_id: int | None = None) -> None:
        """Add to a person's; take away with a negative count."""
        self.total += count
        if scope_id is not None:
            self.of_scope[scope_id] += count
            if not self.of_scope[scope_id]:
                del self.of_scope[scope_id]
        if person_id is None:
            return
        self.of[person_id] += count
        if not self.of[person_id]:
            del self.of[person_id]


class Budget:
    """`daily_tokens` for everybody together; None is no limit. A day begins at midnight in `zone`.

    `output_tokens` are held for an answer under way. With
    `shared` nobody but an owner gets more than their share, nor the part that is kept for owners.
    """

    def __init__(
        self,
        daily_tokens: int | None,
        zone: ZoneInfo,
        clock: Clock,
        prices: Prices | None = None,
        *,
        output_tokens: int = OUTPUT_TOKENS,
        shared: bool = False,
        limits: DayLimits | None = None,
    ) -> None:
        self._daily_tokens, self._zone, self._clock = daily_tokens, zone, clock
        self._prices, self._limits = prices or Prices(), limits or DayLimits()
        self._output_tokens, self._shared = output_tokens, shared
        self._day, self._read_at = "", 0.0
        self._used, self._held = _Sum(), _Sum()
        self._paid, self._pledged = _Sum(), _Sum()
        self._weighed: tuple[Sequence[Mapping[str, Any]], int] = (), 0

    def cost(self, usage: Usage) -> int | None:
        """What a usage costs, in millionths of a dollar; None when no price is known."""
        return self._prices.cost(usage)

    def count(self, tx: Tx, lane: LaneKey, person_id: int, usage: Usage) -> None:
        """Record what a call took, in the caller's transaction."""
        took = usage.tokens_in + usage.tokens_out
        if not took:
            return
        cost = self.cost(usage)
        add_usage(tx, lane, person_id, self.day(), usage, cost)

        def add() -> None:
            self._used.add(person_id, took, lane.scope_id)
            self._paid.add(person_id, cost or 0, lane.scope_id)

        if self._daily_tokens is not None or self._limits.any:
            tx.after_commit(add)

    @asynccontextmanager
    async def hold(self, db: Database, request: ModelRequest, model: str = "") -> AsyncIterator[None]:
        """Hold an estimate of what `request` takes of `model`.

        Raises `BudgetSpent` when nothing of the day is left, `ShareSpent` when nothing of the person's share is.
        """
        if self._daily_tokens is None and not self._limits.any:
            yield
            return
        if self._day != self.day() or self._clock.monotonic() - self._read_at > FRESH_SECONDS:
            day, used, paid = self.day(), _Sum(), _Sum()
            for person_id, scope_id, count, cost in await db.read(lambda tx: used_on(tx, day)):
                used.add(person_id, count, scope_id)
                paid.add(person_id, cost, scope_id)
            self._used, self._paid = used, paid
            self._day, self._read_at = day, self._clock.monotonic()
        if self._daily_tokens is not None:
            self._check(self._daily_tokens, request.person_id)
        sent, price = self._size(request) // 4, self._prices.of(model)
        answer = request.most_tokens or self._output_tokens
        tokens = sent + answer
        due = 0 if price is None else price.of(Usage(tokens_in=sent, tokens_out=answer))
        self._check_limits(request, tokens, due)
        person, scope = request.person_id, request.scope_id
        self._held.add(person, tokens, scope)
        self._pledged.add(person, due, scope)
        try:
            yield
        finally:
            self._held.add(person, -tokens, scope)
            self._pledged.add(person, -due, scope)

    def _check_limits(self, request: ModelRequest, tokens: int, cost: int) -> None:
        """Raise where a call would go beyond a limit in money, or one of the person or the chat."""
        limits = self._limits
        for used, held, needs, all_, person, scope, unit in (
            (self._used, self._held, tokens, None, limits.person_tokens, limits.chat_tokens, "tokens"),
            (
                self._paid,
                self._pledged,
                cost,
                _micro(limits.daily_money),
                _micro(limits.person_money),
                _micro(limits.chat_money),
                "microdollars",
            ),
        ):
            if all_ is not None and used.total + held.total + needs > all_:
                raise BudgetSpent(f"{used.total} of {all_} {unit} of today are used{_under_way(held.total)}")
            for who, number, of, under_way, most in (
                ("person", request.person_id, used.of, held.of, person),
                ("chat", request.scope_id, used.of_scope, held.of_scope, scope),
            ):
                if most is not None and number is not None and of[number] + under_way[number] + needs > most:
                    raise ShareSpent(
                        f"{who} {number} used {of[number]} of {most} {unit}{_under_way(under_way[number])}"
                    )

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


def _micro(dollars: float | None) -> int | None:
    return None if dollars is None else round(dollars * 1_000_000)


def add_usage(tx: Tx, lane: LaneKey, person_id: int, day: str, usage: Usage, cost: int | None = None) -> None:
    """Count one call, which took `cost` microdollars, None if nobody knows. `day` is an ISO date in the bot's zone."""
    tx.run(
        "INSERT INTO token_use (tenant_id, scope_id, person_id, day, model, calls, tokens_in, tokens_out, cached, cost,"
        " unpriced) VALUES (:tenant_id, :scope_id, :person_id, :day, :model, 1, :tokens_in, :tokens_out, :cached,"
        " :cost, :unpriced)"
        " ON CONFLICT (day, tenant_id, scope_id, person_id, model) DO UPDATE SET calls = token_use.calls + 1,"
        " tokens_in = token_use.tokens_in + excluded.tokens_in,"
        " tokens_out = token_use.tokens_out + excluded.tokens_out, cached = token_use.cached + excluded.cached,"
        " cost = token_use.cost + excluded.cost, unpriced = token_use.unpriced + excluded.unpriced",
        {
            **lane.params(),
            "person_id": person_id,
            "day": day,
            "model": usage.model,
            "tokens_in": usage.tokens_in,
            "tokens_out": usage.tokens_out,
            "cached": usage.cached,
            "cost": cost or 0,
            "unpriced": int(cost is None),
        },
    )


def used_on(tx: Tx, day: str) -> list[tuple[int, int, int, int]]:
    """Return person, scope, tokens (in and out) and microdollars of a day; the sum is what the whole bot used."""
    rows = tx.all(
        "SELECT person_id, scope_id, sum(tokens_in + tokens_out) AS n, sum(cost) AS cost FROM token_use"
        " WHERE day = :day GROUP BY person_id, scope_id",
        {"day": day},
    )
    return [(row["person_id"], row["scope_id"], int(row["n"]), int(row["cost"])) for row in rows]


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
            async with self._budget.hold(self._db, request, self._model.name):
                return await self._model.complete(request)
        except ShareSpent as error:
            log.info("share spent: %s", error)
            substitute = self._share_spent
        except BudgetSpent as error:
            log.warning("budget spent: %s", error)
            substitute = self._spent
        answer = await substitute.complete(request)
        return replace(answer, usage=replace(answer.usage, model=self.substitute))

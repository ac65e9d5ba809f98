"""The day's tokens and money, counted for the whole bot, each person and each chat, and checked before each call.

The rule of shares, where everybody may write (access mode `open`): an owner may use all of the day's tokens, and the
last quarter of them is for owners only. Of the rest anybody else is served up to `rest / max(4, people who used tokens
today)`. That is a quarter of it at most, and the more people come, the less.

What a call takes is known only after it. Before it an estimate of the request and the longest answer must fit into
what is left; where less is left, the answer may only be so long. Until it is counted the estimate is held, so that
many calls at once don't all get in on the same last tokens. A call that only those under way leave no room waits for
them: what they take is mostly far less than what is held. A call that brings no answer is counted by what was sent
and heard (`core.agents.loop`); one whose process was killed, by the most it can have taken, at the next start.
"""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from operator import is_
from typing import Any, Literal
from zoneinfo import ZoneInfo

from core.agents import token_use
from core.agents.llm.openai.completion import counted
from core.agents.prices import Price, Prices
from core.kernel.errors import BudgetSpent, ShareSpent
from core.kernel.ports import LLM, Clock, Database, Tx
from core.kernel.timing.zones import to_local
from core.kernel.types import Answer, LaneKey, ModelRequest, Usage

log = logging.getLogger(__name__)

# Other processes on the same database count too: the sum is read again after this time.
FRESH_SECONDS = 30.0
# So long the estimate of a call that ended is held at most, if nobody counts what it took.
UNCOUNTED_SECONDS = 10.0
OUTPUT_TOKENS = 1_000
# So long a call waits for those under way at most, and looks so often, in seconds.
LONGEST_WAIT, LOOKS_EVERY = 30.0, 0.5
# An answer that may not even be so long, in tokens, is not asked for.
LEAST_ANSWER = 300
SHARES = 4
KEPT = 4  # one part in so many is kept for owners
# Who has used so much of a limit is told.
NEAR = 0.8

Spent = Literal["budget_spent", "share_spent"]
Whose = Literal["day", "person", "chat", "share"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DayLimits:
    """What a day allows beside the tokens of all: money in US dollars; a chat is one with all its threads.

    An owner has the whole day, and no limit of a person. With `shared` nobody else gets more than their share of the
    day's tokens, nor the part that is kept for owners.
    """

    daily_money: float | None = None
    person_tokens: int | None = None
    person_money: float | None = None
    chat_tokens: int | None = None
    chat_money: float | None = None
    shared: bool = False

    @property
    def money(self) -> bool:
        """Return whether any of them is in money."""
        return any(one is not None for one in (self.daily_money, self.person_money, self.chat_money))

    @property
    def any(self) -> bool:
        """Return whether there is a limit at all."""
        return self.money or self.person_tokens is not None or self.chat_tokens is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """One limit as it stands: how much of `most` is `used`, and `held` for calls under way; in tokens, or in millionths
    of a dollar where it is about `money`. `number` is the person's or the scope's, `day` its ISO date."""

    whose: Whose
    money: bool
    most: int
    used: int
    held: int
    number: int = 0
    day: str = ""

    def left(self, sent: int, price: Price | None) -> int:
        """Return how many tokens an answer may have after a request of `sent` tokens; below 1 it may not come."""
        rest = self.most - self.used - self.held
        if not self.money:
            return rest - sent
        if price is None:
            # Nobody knows the price: what providers said their calls had cost is all there is.
            return rest if rest <= 0 else OUTPUT_TOKENS * self.most
        rest -= price.of(Usage(tokens_in=sent))
        return int(rest / price.written) if price.written and rest > 0 else rest

    def spent(self) -> BudgetSpent | ShareSpent:
        """Return the error that says so."""
        who = "today" if self.whose == "day" else f"{self.whose} {self.number}"
        held = f", {self.held} are held for calls under way" if self.held else ""
        unit = "microdollars" if self.money else "tokens"
        kind = BudgetSpent if self.whose == "day" else ShareSpent
        return kind(f"{who}: {self.used} of {self.most} {unit} are used{held}")


Near = Callable[[Tx, LaneKey, int, Limit], None]


class _Sum:
    """A sum of tokens or of money: in `total`, by person and by scope. What no person used is in `total` alone."""

    def __init__(self) -> None:
        self.total = 0
        self.by_person: Counter[int] = Counter()
        self.by_scope: Counter[int] = Counter()

    def add(self, person_id: int | None, count: int, scope_id: int | None = None) -> None:
        """Add a count; a negative one takes away. Whose sum is 0 then is forgotten."""
        self.total += count
        if scope_id is not None:
            self.by_scope[scope_id] += count
            if not self.by_scope[scope_id]:
                del self.by_scope[scope_id]
        if person_id is None:
            return
        self.by_person[person_id] += count
        if not self.by_person[person_id]:
            del self.by_person[person_id]


class Budget:
    """`daily_tokens` for everybody together; None is no limit. A day begins at midnight in `zone`.

    `output_tokens` are held for an answer under way. `near` is told, in the transaction that counts it, of a call by
    which a limit is nearly used.
    """

    def __init__(
        self,
        daily_tokens: int | None,
        zone: ZoneInfo,
        clock: Clock,
        prices: Prices | None = None,
        *,
        output_tokens: int = OUTPUT_TOKENS,
        limits: DayLimits | None = None,
        near: Near | None = None,
    ) -> None:
        self._daily_tokens, self._zone, self._clock = daily_tokens, zone, clock
        self._prices, self._limits, self._near = prices or Prices(), limits or DayLimits(), near
        self._output_tokens = output_tokens
        self._limited = daily_tokens is not None or self._limits.any
        self._day, self._read_at = "", 0.0
        self._used, self._held = _Sum(), _Sum()
        self._paid, self._pledged = _Sum(), _Sum()
        # Of lanes with a call under way: whose limits it falls under, None where none of a person holds.
        self._whose: dict[int, int | None] = {}
        # Of lanes with calls that ended and are not counted yet: when that was, and what lets go of their estimate.
        self._ended: dict[int, list[tuple[float, Callable[[], None]]]] = {}
        # Limits of which somebody was told today. A start forgets that, and whoever is told knows it by the key.
        self._told: set[tuple[Whose, bool, int]] = set()
        self._weighed: tuple[Sequence[Mapping[str, Any]], int] = (), 0

    def cost(self, usage: Usage) -> int | None:
        """Return what a usage costs, in millionths of a dollar; None when no price is known."""
        return self._prices.cost(usage)

    def count(self, tx: Tx, lane: LaneKey, person_id: int, usage: Usage) -> None:
        """Record what a call took, in the caller's transaction."""
        took, cost = usage.tokens_in + usage.tokens_out, self.cost(usage)
        if took:
            add_usage(tx, lane, person_id, self.day(), usage, cost)
        if not self._limited:
            return
        told = []
        if self._near is not None and self._day == self.day():
            for limit in self._standing(self._whose.get(lane.lane_id), lane.scope_id, shared=False):
                more = (cost or 0) if limit.money else took
                which = limit.whose, limit.money, limit.number
                if limit.used + more >= NEAR * limit.most and which not in self._told:
                    self._near(tx, lane, person_id, replace(limit, day=self._day))
                    told.append(which)

        def add() -> None:
            self._told.update(told)
            self._used.add(person_id, took, lane.scope_id)
            self._paid.add(person_id, cost or 0, lane.scope_id)
            # The oldest call of the lane that ended: it holds nothing any more.
            ended = self._ended.pop(lane.lane_id, [])
            for _, let_go in ended[:1]:
                let_go()
            if ended[1:]:
                self._ended[lane.lane_id] = ended[1:]

        tx.after_commit(add)

    def count_broken_off(self, tx: Tx, model: str, context: int) -> int:
        """Count the calls of `model` that a killed process waited for, and return how many: each with the most it can
        have taken, `context` tokens and the longest answer."""
        usage, found = Usage(model=model, tokens_in=context, tokens_out=self._output_tokens), token_use.broken_off(tx)
        for lane, person_id in found:
            add_usage(tx, lane, person_id, self.day(), usage, self.cost(usage))
        return len(found)

    @asynccontextmanager
    async def hold(self, db: Database, request: ModelRequest, model: str = "") -> AsyncIterator[ModelRequest]:
        """Hold an estimate of what `request` takes of `model`; yields it with the longest answer that fits.

        Raises `BudgetSpent` when nothing of the day is left, `ShareSpent` when nothing is left of what is the person's
        or the chat's.
        """
        if not self._limited:
            yield request
            return
        scope, person = None, request.person_id
        if request.lane is not None:
            scope = request.lane.scope_id
            self._whose[request.lane.lane_id] = person
        await self._refresh(db)
        sent, price = self._size(request) // 4, self._prices.of(model)
        most, until = request.most_tokens or self._output_tokens, self._clock.monotonic() + LONGEST_WAIT
        while not (answer := self._room(person, scope, sent, price, most, waits=self._clock.monotonic() < until)):
            await self._clock.sleep(LOOKS_EVERY)
            await self._refresh(db)
        due = 0 if price is None else price.of(Usage(tokens_in=sent, tokens_out=answer))
        self._held.add(person, sent + answer, scope)
        self._pledged.add(person, due, scope)

        def let_go() -> None:
            self._held.add(person, -sent - answer, scope)
            self._pledged.add(person, -due, scope)

        try:
            yield replace(request, most_tokens=answer)
        except BaseException:
            let_go()
            raise
        if request.lane is None:
            let_go()
        else:
            self._ended.setdefault(request.lane.lane_id, []).append((self._clock.monotonic(), let_go))

    async def _refresh(self, db: Database) -> None:
        """Read again what the day took, when it is another day or others may have counted."""
        for lane_id, ended in list(self._ended.items()):
            left = [one for one in ended if self._clock.monotonic() - one[0] <= UNCOUNTED_SECONDS]
            for _, let_go in ended[: len(ended) - len(left)]:
                let_go()
            self._ended[lane_id] = left
            if not left:
                del self._ended[lane_id]
        if self._day == self.day() and self._clock.monotonic() - self._read_at <= FRESH_SECONDS:
            return
        day, used, paid = self.day(), _Sum(), _Sum()
        for person_id, scope_id, count, cost in await db.read(lambda tx: token_use.used_on(tx, day)):
            used.add(person_id, count, scope_id)
            paid.add(person_id, cost, scope_id)
        self._used, self._paid = used, paid
        if day != self._day:
            self._told.clear()
        self._day, self._read_at = day, self._clock.monotonic()

    def _room(
        self, person_id: int | None, scope_id: int | None, sent: int, price: Price | None, most: int, *, waits: bool
    ) -> int:
        """Return how long an answer may be, `most` at the longest. Raises where a limit allows none worth asking; but
        for whoever `waits`, 0 stands for one that will, unless calls under way take all that they hold."""
        held_back = False
        for limit in self._standing(person_id, scope_id, shared=self._limits.shared):
            left, least = limit.left(sent, price), min(LEAST_ANSWER, most)
            if left >= least:
                most = min(most, left)
                continue
            held_back = waits and replace(limit, held=0).left(sent, price) >= least
            if not held_back:
                raise limit.spent()
        return 0 if held_back else most

    def _standing(self, person_id: int | None, scope_id: int | None, *, shared: bool) -> Iterator[Limit]:
        """The limits that hold for a person and a chat, with what is used of them."""
        limits, sharing = self._limits, shared and person_id is not None
        tokens = self._daily_tokens
        if tokens is not None and sharing:
            tokens -= tokens // KEPT
        for used, held, money, day, person, chat in (
            (self._used, self._held, False, tokens, limits.person_tokens, limits.chat_tokens),
            (
                self._paid,
                self._pledged,
                True,
                _micro(limits.daily_money),
                _micro(limits.person_money),
                _micro(limits.chat_money),
            ),
        ):
            if day is not None:
                yield Limit(whose="day", money=money, most=day, used=used.total, held=held.total)
            if person is not None and person_id is not None:
                yield self._mine("person", person, used.by_person, held.by_person, person_id, money=money)
            if chat is not None and scope_id is not None:
                yield self._mine("chat", chat, used.by_scope, held.by_scope, scope_id, money=money)
        if sharing and tokens is not None and person_id is not None:
            share = max(1, tokens // max(SHARES, len(self._used.by_person)))
            yield self._mine("share", share, self._used.by_person, self._held.by_person, person_id, money=False)

    @staticmethod
    def _mine(whose: Whose, most: int, used: Counter[int], held: Counter[int], number: int, *, money: bool) -> Limit:
        return Limit(whose=whose, money=money, most=most, used=used[number], held=held[number], number=number)

    def _size(self, request: ModelRequest) -> int:
        """Return the bytes of a request. Tools are most of it; those that were in the last one, too, are not written
        again."""
        (last, size), tools = self._weighed, request.tools
        if len(tools) != len(last) or not all(map(is_, tools, last)):
            size = len(json.dumps(tools, default=str))
            self._weighed = tools, size
        return counted(len(json.dumps(request.messages, default=str)) + size, request.messages)

    def day(self) -> str:
        """Today as an ISO date."""
        return to_local(self._clock.now(), self._zone).date().isoformat()


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
            async with self._budget.hold(self._db, request, self._model.name) as fitting:
                return await self._model.complete(fitting)
        except ShareSpent as error:
            log.info("share spent: %s", error)
            substitute = self._share_spent
        except BudgetSpent as error:
            log.warning("budget spent: %s", error)
            substitute = self._spent
        answer = await substitute.complete(request)
        return replace(answer, usage=replace(answer.usage, model=self.substitute))

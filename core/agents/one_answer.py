"""One answer of the model, outside of the loop: about data, without tools, on the budget of whoever asks for it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass

from core.agents.budget import Budget
from core.agents.fitting import ask_with_less
from core.agents.roles import Roles
from core.agents.transcript import DATA
from core.kernel.errors import ModelError, RequestTooLong, StorageError
from core.kernel.ports import ReachableModel, Tx
from core.kernel.types import Json, ModelRequest, Role, Standing, Usage
from core.toolkit.ledger.ledger import Ledger, Record
from core.toolkit.tool import ToolContext

log = logging.getLogger(__name__)

# How long it may take, in seconds, and how long the answer may be, in tokens.
PATIENCE, LONGEST_ANSWER = 60.0, 800
# What the data of a request may take, in bytes: of a model of the usual size, and of a small one.
MOST_BYTES, SMALL_BYTES = 16_000, 6_000


@dataclass(frozen=True, kw_only=True)
class OneAnswer:
    """Asks the model about data. What a call took is counted and stands in the ledger, also when no answer came."""

    model: ReachableModel | None
    budget: Budget
    roles: Roles
    ledger: Ledger

    async def room(self, *, away: bool = False) -> int:
        """Return how many bytes the data may have; 0 where there is no model, or none that can be asked now unless it
        may be `away`: it is asked then whether it is back."""
        if self.model is None or not (away or self.model.reachable):
            return 0
        return SMALL_BYTES if (await self.roles.spec()).most_tools else MOST_BYTES

    async def ask(self, context: ToolContext, name: str, prompt: str, data: str, arguments: Mapping[str, Json]) -> str:
        """Return what the model says of data, which is anybody's words; empty where it says nothing.

        The ledger has the call by its `name` and its `arguments`, without the words.
        """
        text, _ = await self.try_to_ask(context, name, prompt, data, arguments)
        return text

    async def try_to_ask(
        self, context: ToolContext, name: str, prompt: str, data: str, arguments: Mapping[str, Json]
    ) -> tuple[str, Exception | None]:
        """Return what `ask` does, and by which error the model gave no answer; None where it gave an empty one."""
        if self.model is None:
            return "", None
        lost: list[Usage] = []
        ours = [{"role": "system", "content": words} for words in (prompt, DATA)]
        request = ModelRequest(
            messages=(*ours, {"role": "user", "content": data}),
            role=Role.TELLER,
            most_tokens=LONGEST_ANSWER,
            person_id=None if context.standing is Standing.OWNER else context.principal.person_id,
            lane=context.lane,
            language=context.language,
            spelling=context.texts.spelling,
            deadline=asyncio.get_running_loop().time() + PATIENCE,
            lost=lost.append,
        )
        began, text, usage = context.clock.now(), "", Usage()
        error: Exception | None = None

        def count_answer(tx: Tx) -> None:
            for spent in (*lost, usage):
                self.budget.count(tx, context.lane, context.principal.person_id, spent)
            total, now = sum(lost, usage), context.clock.now()
            record = Record(
                lane=context.lane,
                run_id=context.run_id,
                trace_id=context.trace_id,
                person_id=context.principal.person_id,
                role=Role.TELLER.value,
                tool=name,
                at=now,
                arguments=arguments,
                success=error is None,
                error="" if error is None else type(error).__name__,
                duration_ms=max(0, now - began),
                usage=total,
                cost_microdollars=self.budget.cost(total) or 0,
            )
            self.ledger.append(tx, record)

        try:
            async with asyncio.timeout(PATIENCE), self.budget.hold(context.db, request, self.model.name) as fitting:
                try:
                    answer = await self.model.complete(fitting)
                except RequestTooLong as failure:
                    answer = await ask_with_less(self.model, fitting, fitting.messages, 0, failure)
                text, usage = "" if answer.unsaid else answer.text.strip(), answer.usage
        except (ModelError, TimeoutError) as failure:
            log.info("the model gave no answer for %s: %s", name, failure)
            error = failure
        finally:
            # The tokens are gone, whatever becomes of the run: no lease is asked for.
            try:
                await asyncio.shield(context.db.write(count_answer))
            except StorageError:
                log.exception("what a call of the model took could not be counted: run %s", context.run_id)
        return text, error

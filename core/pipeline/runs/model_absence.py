"""While the model is away: what waits for it, when that has its next turn, and how its return is noticed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from core.agents.budget import Budget
from core.delivery.composer import Composer
from core.kernel.errors import AccountRefused, ModelRefused, ModelUnreachable
from core.kernel.ports import LLM, Clock, Database, Engine, Tx
from core.kernel.types import Millis, ModelRequest
from core.pipeline.runs.incidents import Incidents
from core.pipeline.runs.run_context import RunContext
from core.store.conversation import held, inbox, incidents, lanes
from core.toolkit import intents

log = logging.getLogger(__name__)

LONGEST_PAUSE: Millis = 300_000
# The smallest question there is, and how long its answer may take.
PROBE = ({"role": "user", "content": "Say ok."},)
PROBE_SECONDS = 10.0


class ModelAbsence:
    """Keeps what waits for the model. What is kept from before the start waits since then."""

    def __init__(
        self,
        db: Database,
        engine: Engine,
        clock: Clock,
        *,
        model: LLM | None,
        composer: Composer,
        budget: Budget,
        retry_seconds: float = 15.0,
    ) -> None:
        self._db, self._engine, self._clock, self._model = db, engine, clock, model
        self._composer, self._budget, self._retry_seconds = composer, budget, retry_seconds
        self._incidents = Incidents(composer, clock)
        self._outage = True
        # Whether the last probe failed; and of each lane whose question cost something in vain: how often, and until
        # when it is not asked again unless the model was away and is back.
        self._away = False
        self._costly: dict[int, tuple[int, Millis]] = {}

    def began(self) -> None:
        """Note that the model did not answer."""
        self._outage = True

    async def probe(self, run: RunContext) -> None:
        """Ask the model for one token before a question that was kept goes to it sooner than what that costs allows.

        Raises `ModelUnreachable` while it does not answer; also where it always did, since it is the question then that
        takes too long.
        """
        model, lane_id = self._model, run.lane.lane_id
        if model is None or self._clock.now() >= self._costly.get(lane_id, (0, 0))[1]:
            return
        deadline = asyncio.get_running_loop().time() + min(self._retry_seconds, PROBE_SECONDS)
        try:
            answer = await model.complete(ModelRequest(messages=PROBE, most_tokens=1, deadline=deadline))
        except AccountRefused:
            raise
        except ModelUnreachable as error:
            self._away = True
            raise ModelUnreachable(f"a probe: {error}") from error
        except ModelRefused:
            log.info("the model refused a probe, so it is there")
        else:

            def count_probe(tx: Tx) -> None:
                self._budget.count(tx, run.lane, run.participant.person.person_id, answer.usage)

            await self._db.write(count_probe)
        if not self._away:
            raise ModelUnreachable("The model answers, but not what is kept; that is asked again later.")
        if self._outage:
            await self._wake_kept()

    async def ended(self, run: RunContext) -> None:
        """Note that the model answered a run."""
        self._costly.pop(run.lane.lane_id, None)
        if self._outage:
            await self._wake_kept()

    async def _wake_kept(self) -> None:
        """The first answer after an outage wakes everything that was kept, and ends the incidents."""
        self._outage = self._away = False
        self._costly = {lane_id: (tries, 0) for lane_id, (tries, _) in self._costly.items()}
        if not await self._db.read(lambda tx: held.exist(tx) or incidents.all_open(tx)):
            return

        def wake_held(tx: Tx) -> None:
            for lane_id in lanes.wake_held(tx):
                self._engine.poke(tx, "lane", lane_id)
            self._incidents.close(tx)

        await self._db.write(wake_held)

    def hold(self, tx: Tx, run: RunContext, ids: Sequence[int], *, costly: bool) -> None:
        """Put messages back; the first of a lane is told so, those after it wait with it."""
        until = self._retry_at(tx, run, costly=costly)
        # What one person saw alone was not told to the others.
        told_before = any(message.holds for message in run.messages) or (
            not run.response_url and inbox.held(tx, run.lane)
        )
        for inbox_id in ids:
            inbox.hold(tx, run.lane, inbox_id, until, self._clock.now())
        if not told_before:
            self._tell_kept(tx, run)

    def park(self, tx: Tx, run: RunContext, *, costly: bool) -> None:
        """Let a run that has done something wait with its journal until the model answers again."""
        inbox.park(tx, run.lane, run.run_id, self._retry_at(tx, run, costly=costly))
        self._tell_kept(tx, run)

    def _tell_kept(self, tx: Tx, run: RunContext) -> None:
        drop = [(run.say("drop_kept"), intents.drop_kept())]
        keyboard_row = {"person_id": run.participant.person.person_id, **run.audience}
        self._composer.tell(tx, run.lane, f"kept:{run.run_id}", run.say("model_unreachable_kept"), drop, **keyboard_row)

    def _retry_at(self, tx: Tx, run: RunContext, *, costly: bool) -> Millis:
        """When what a lane keeps has its next turn: one lane in half of `retry_seconds`, for all.

        After a try that may have cost something (`costly`) there are longer and longer pauses, in which a turn is but a
        probe.
        """
        now, pause, lane_id = self._clock.now(), round(self._retry_seconds * 1000), run.lane.lane_id
        if costly:
            tries = self._costly.get(lane_id, (0, 0))[0]
            self._costly[lane_id] = tries + 1, now + min(pause * (1 << min(tries, 5)), LONGEST_PAUSE)
        until: Millis = held.next_try(tx, run.lane, now, max(1, pause // 2))
        tx.after_commit(lambda: self._engine.wake(until))
        return until

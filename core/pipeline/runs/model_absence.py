"""While the model is away: what waits for it, when that has its next turn, and how its return is noticed."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass

from core.agents.budget import Budget
from core.delivery.composer import Composer
from core.kernel.errors import AccountRefused, ModelRefused, ModelUnreachable, QuotaSpent
from core.kernel.ports import LLM, Clock, Database, Engine, Tx
from core.kernel.types import Millis, ModelRequest
from core.pipeline.runs.finish import End
from core.pipeline.runs.incidents import Incidents
from core.pipeline.runs.run_context import RunContext
from core.store.conversation import held, inbox, incidents, lanes
from core.toolkit import intents

log = logging.getLogger(__name__)

LONGEST_PAUSE: Millis = 300_000
# The smallest question there is, and how long its answer may take.
PROBE = ({"role": "user", "content": "Say ok."},)
PROBE_SECONDS = 10.0
# So often a question fails although the model answers others, until it is given up.
MOST_DOUBTS = 3


@dataclass(kw_only=True)
class _Failing:
    """A message that the model was asked in vain: how often, and until when it is not asked again unless the model was
    away and is back; and how many signs of life and answers the model had given when it last failed."""

    tries: int = 0
    until: Millis = 0
    signs: int = 0
    answers: int = 0


class ModelAbsence:
    """Keeps what waits for the model. What is kept from before the start waits since then.

    What fails again although the model has given a sign of life since is in doubt: it stands alone from then on, and
    keeps nobody waiting. What is in doubt and fails although others were answered since is given up in the end; where
    nobody was, it may be the model's fault, however long that lasts.
    """

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
        # Whether the last probe failed; and which messages, by their inbox id, were asked in vain.
        self._away = False
        self._failing: dict[int, _Failing] = {}
        self._signs = self._answers = 0

    def began(self) -> None:
        """Note that the model did not answer."""
        self._outage = True

    def failed(self, run: RunContext, error: ModelUnreachable) -> bool:
        """Note that the model did not answer a run; return whether that is one more reason to doubt the question."""
        doubted, pause = False, round(self._retry_seconds * 1000)
        for message in run.messages if error.asked and not isinstance(error, QuotaSpent) else ():
            failing = self._failing.setdefault(message.inbox_id, _Failing())
            seen = self._answers > failing.answers if message.doubts else self._signs > failing.signs
            doubted = doubted or (failing.tries > 0 and seen)
            failing.until = self._clock.now() + min(pause * (1 << min(failing.tries, 5)), LONGEST_PAUSE)
            failing.tries, failing.signs, failing.answers = failing.tries + 1, self._signs, self._answers
        if not (doubted or any(message.doubts for message in run.messages)):
            self.began()
        return doubted

    async def probe(self, run: RunContext) -> bool:
        """Ask the model for one token before a question that failed goes to it again; False where none did.

        Raises `ModelUnreachable` while it does not answer; also where it always did and the question's pause is not
        over, since it is the question then that takes too long.
        """
        model = self._model
        failing = [self._failing[one.inbox_id] for one in run.messages if one.inbox_id in self._failing]
        if model is None or not failing:
            return False
        deadline = asyncio.get_running_loop().time() + min(self._retry_seconds, PROBE_SECONDS)
        try:
            answer = await model.complete(ModelRequest(messages=PROBE, most_tokens=1, deadline=deadline))
        except AccountRefused:
            raise
        except ModelUnreachable as error:
            self._away = True
            raise ModelUnreachable(f"a probe: {error}", asked=False) from error
        except ModelRefused:
            log.info("the model refused a probe, so it is there")
        else:

            def count_probe(tx: Tx) -> None:
                self._budget.count(tx, run.lane, run.participant.person.person_id, answer.usage)

            await self._db.write(count_probe)
        self._signs += 1
        back, self._away = self._away, False
        if not back and self._clock.now() < max(one.until for one in failing):
            later = "The model answers, but not what is kept; that is asked again later."
            raise ModelUnreachable(later, asked=False)
        if self._outage and back:
            await self._wake_kept()
        return True

    async def ended(self, run: RunContext) -> None:
        """Note that the model answered a run."""
        self._signs, self._answers = self._signs + 1, self._answers + 1
        for message in run.messages if self._failing else ():
            self._failing.pop(message.inbox_id, None)
        if self._outage:
            await self._wake_kept()

    async def _wake_kept(self) -> None:
        """The first answer after an outage wakes everything that was kept, and ends the incidents."""
        self._outage = self._away = False
        for failing in self._failing.values():
            failing.until = 0
        if not await self._db.read(lambda tx: held.exist(tx) or incidents.all_open(tx)):
            return

        def wake_held(tx: Tx) -> None:
            for lane_id in lanes.wake_held(tx):
                self._engine.poke(tx, "lane", lane_id)
            self._incidents.close(tx)

        await self._db.write(wake_held)

    def hold(self, tx: Tx, run: RunContext, end: End) -> None:
        """Put messages back; the first of a lane is told so, those after it wait with it."""
        until = self._retry_at(tx, run, end)
        # What one person saw alone was not told to the others.
        told_before = any(message.holds for message in run.messages) or (
            not run.response_url and inbox.held(tx, run.lane)
        )
        for inbox_id in end.held:
            inbox.hold(tx, run.lane, inbox_id, until, self._clock.now(), doubted=end.doubted)
        if not told_before:
            self._tell_kept(tx, run)

    def park(self, tx: Tx, run: RunContext, end: End) -> None:
        """Let a run that has done something wait with its journal until the model answers again."""
        inbox.park(tx, run.lane, run.run_id, self._retry_at(tx, run, end), doubted=end.doubted)
        self._tell_kept(tx, run)

    def _tell_kept(self, tx: Tx, run: RunContext) -> None:
        drop = [(run.say("drop_kept"), intents.drop_kept())]
        keyboard_row = {"person_id": run.participant.person.person_id, **run.audience}
        self._composer.tell(tx, run.lane, f"kept:{run.run_id}", run.say("model_unreachable_kept"), drop, **keyboard_row)

    def _retry_at(self, tx: Tx, run: RunContext, end: End) -> Millis:
        """When what a lane keeps has its next turn: one lane in half of `retry_seconds`, for all. What is in doubt
        finds out nothing for others; it comes after its own pause."""
        now, pause = self._clock.now(), max(1, round(self._retry_seconds * 500))
        until: Millis = max(now + pause, *(self._failing.get(one.inbox_id, _Failing()).until for one in run.messages))
        if not (end.doubted or any(message.doubts for message in run.messages)):
            until = held.next_try(tx, run.lane, now, pause)
        tx.after_commit(lambda: self._engine.wake(until))
        return until

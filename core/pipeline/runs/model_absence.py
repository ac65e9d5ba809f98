"""While the model is away: which messages wait for it, when they are tried again, and how its return is noticed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass

from core.agents.budget import Budget
from core.delivery.composer import Composer
from core.kernel.errors import AccountRefused, ModelRefused, ModelUnreachable, QuotaSpent
from core.kernel.ports import LLM, Clock, Database, Engine, Tx
from core.kernel.types import DAY, Message, Millis, ModelRequest
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
# A question is given up when it failed so often although the model answers others, for at least so long.
MOST_DOUBTS = 3
LEAST_DOUBT: Millis = 600_000
# A message that was not asked for so long begins anew.
FORGOTTEN: Millis = DAY


@dataclass(kw_only=True)
class _Failing:
    """A message at which the model failed: since when, in how many tries, and `until` when it is not asked again,
    unless the model was away and is back. `signs` and `answers` are how many signs of life and answers the model had
    given when it last failed. The instants are of the monotonic clock, which nobody sets.
    """

    since: Millis
    tries: int = 0
    until: Millis = 0
    signs: int = 0
    answers: int = 0


@dataclass(frozen=True, kw_only=True)
class MessageDoubts:
    """The ids of the `messages` that failed once more although the model gives signs of life; `hopeless` when one of
    them did so often enough to be given up."""

    messages: frozenset[int]
    hopeless: bool


class ModelAbsence:
    """Knows which messages wait for the model.

    A message that fails again although the model has given a sign of life since is in doubt: it is asked alone from
    then on, and keeps nobody waiting. It is given up in the end if it fails although others were answered meanwhile.
    If nobody was answered, the model may be to blame, however long that lasts; a rate limit counts for nothing.
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
        # Whether the last probe failed; and the messages at which the model failed, by their inbox id.
        self._away = False
        self._failing: dict[int, _Failing] = {}
        self._signs = self._answers = 0

    def began(self) -> None:
        """Note that the model did not answer."""
        self._outage = True

    def failed(self, run: RunContext, error: ModelUnreachable) -> MessageDoubts:
        """Note that the model did not answer a run, and return which messages are in doubt now.

        Each message counts for itself. Where some of a run are in doubt, the failure counts for them alone.
        """
        now, new = self._elapsed(), {one.inbox_id for one in run.messages if not one.holds}
        self._failing = {
            key: one for key, one in self._failing.items() if key not in new and one.until > now - FORGOTTEN
        }
        asked = error.asked and not isinstance(error, QuotaSpent)
        doubted = self._doubted(run, limited=error.limited) if asked else self._paused(run, now)
        hopeless = False
        for message in run.messages if asked else ():
            if doubted and message not in doubted:
                continue
            failing = self._failing.setdefault(message.inbox_id, _Failing(since=now))
            pause = max(self._retry_seconds * (1 << min(failing.tries, 5)), error.pause or 0.0)
            failing.until = now + min(round(pause * 1000), LONGEST_PAUSE)
            failing.tries, failing.signs, failing.answers = failing.tries + 1, self._signs, self._answers
            enough = message.doubts + 1 >= MOST_DOUBTS and now - failing.since >= LEAST_DOUBT
            hopeless = hopeless or (message in doubted and enough)
        if not (doubted or any(message.doubts for message in run.messages)):
            self.began()
        return MessageDoubts(messages=frozenset(one.inbox_id for one in doubted), hopeless=hopeless)

    def _doubted(self, run: RunContext, *, limited: bool) -> Sequence[Message]:
        """Return the messages that failed again although the model gave a sign of life since; of those in doubt
        already, the ones that did so although it answered others. For these a rate limit does not count."""
        return [
            one
            for one in run.messages
            if (failing := self._failing.get(one.inbox_id)) is not None
            and (self._answers > failing.answers and not limited if one.doubts else self._signs > failing.signs)
        ]

    def _paused(self, run: RunContext, now: Millis) -> Sequence[Message]:
        """Return the messages that were not asked since their pause goes on, and so held up others of the run."""
        late = {inbox_id for inbox_id, failing in self._failing.items() if failing.until > now}
        paused = [one for one in run.messages if one.inbox_id in late]
        return paused if len(paused) < len(run.messages) and not self._away else []

    async def probe(self, run: RunContext) -> bool:
        """Ask the model for one token before a question that failed is asked again; False where no question had failed.

        Raises `ModelUnreachable` while the model does not answer (`QuotaSpent` if that is why). It raises that, too,
        when the model answers and was not away, until the pause of the question is over: then the question is to blame.
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
            if isinstance(error, QuotaSpent):
                raise
            raise ModelUnreachable(f"a probe: {error}", asked=False) from error
        except ModelRefused:
            log.info("the model refused a probe, so it is there")
        else:

            def count_probe(tx: Tx) -> None:
                self._budget.count(tx, run.lane, run.participant.person.person_id, answer.usage)

            await self._db.write(count_probe)
        self._signs += 1
        back, self._away = self._away, False
        if not back and self._elapsed() < max(one.until for one in failing):
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
        """Wake everything that waits for the model, and end the incidents: this is the first answer after an outage."""
        self._outage = self._away = False
        for failing in self._failing.values():
            failing.until = min(failing.until, self._elapsed())
        if not await self._db.read(lambda tx: held.exist(tx) or incidents.all_open(tx)):
            return

        def wake_held(tx: Tx) -> None:
            for lane_id in lanes.wake_held(tx):
                self._engine.poke(tx, "lane", lane_id)
            self._incidents.close(tx)

        await self._db.write(wake_held)

    def hold(self, tx: Tx, run: RunContext, end: End) -> None:
        """Put messages back to wait for the model. The lane is told so at the first of them."""
        # Others were not told of a message that one person alone sees.
        told_before = any(message.holds for message in run.messages) or (
            not run.response_url and inbox.held(tx, run.lane)
        )
        for message in run.messages:
            if message.inbox_id in end.held:
                until, doubted = self._retry_at(tx, run, end, [message]), message.inbox_id in end.doubted
                inbox.hold(tx, run.lane, message.inbox_id, until, self._clock.now(), doubted=doubted)
        if not told_before:
            self._tell_kept(tx, run)

    def park(self, tx: Tx, run: RunContext, end: End) -> None:
        """Let a run that has done something wait with its journal until the model answers again."""
        until = self._retry_at(tx, run, end, run.messages)
        inbox.park(tx, run.lane, run.run_id, until, doubted=bool(end.doubted))
        self._tell_kept(tx, run)

    def _tell_kept(self, tx: Tx, run: RunContext) -> None:
        drop = [(run.say("drop_kept"), intents.drop_kept())]
        options = {"person_id": run.participant.person.person_id, **run.audience}
        self._composer.tell(tx, run.lane, f"kept:{run.run_id}", run.say("model_unreachable_kept"), drop, **options)

    def _retry_at(self, tx: Tx, run: RunContext, end: End, messages: Sequence[Message]) -> Millis:
        """Return when messages are tried again. One lane is tried each half of `retry_seconds`, on behalf of all.

        A message in doubt tells nothing of the model: it is tried after its own pause, and those that were beside it
        are tried at once, without it.
        """
        now, pause = self._clock.now(), max(1, round(self._retry_seconds * 500))
        if any(one.doubts or one.inbox_id in end.doubted for one in messages):
            ends = [self._failing[one.inbox_id].until for one in messages if one.inbox_id in self._failing]
            until: Millis = now + max(pause, max(ends, default=0) - self._elapsed())
        elif end.doubted:
            until = now
        else:
            until = held.next_try(tx, run.lane, now, pause)
        tx.after_commit(lambda: self._engine.wake(until))
        return until

    def _elapsed(self) -> Millis:
        """Return the monotonic clock in milliseconds, which never jumps."""
        return round(self._clock.monotonic() * 1000)

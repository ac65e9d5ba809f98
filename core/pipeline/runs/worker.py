"""The run worker claims a lane, opens or resumes its run, and ends it in one transaction (STATES: Lane, Run).

The way of a message: claim (one transaction) → model and tools, each step journalled → finish (one transaction).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from core.agents.budget import Budget, BudgetedModel
from core.agents.loop import Loop
from core.agents.roles import RESPONDER, TELLER, RoleSpec
from core.agents.transcript import Brief
from core.delivery.composer import Composer
from core.kernel.errors import AccountRefused, LeaseLost, ModelRefused, ModelUnreachable, QuotaSpent, StorageError
from core.kernel.intent import Order
from core.kernel.ports import LLM, Clock, Database, Engine, Tx
from core.kernel.replies import Outcome, Reply, Step
from core.kernel.types import Message, Millis, ModelRequest, Role
from core.pipeline.runs.answers import Answers
from core.pipeline.runs.asking import Asking
from core.pipeline.runs.attachments import AttachmentService
from core.pipeline.runs.finish import End, Ending
from core.pipeline.runs.incidents import Incidents
from core.pipeline.runs.run_context import LastTry, NotHere, Readings, RunContext, RunOpener, Unread
from core.store.conversation import held, inbox, incidents, lanes
from core.store.conversation import runs as journal
from core.store.conversation.incidents import Incident, IncidentKind
from core.store.conversation.runs import StepKind
from core.toolkit.ledger.ledger import Ledger
from core.toolkit.tool import ToolContext

log = logging.getLogger(__name__)

BACKOFF = (1.0, 5.0)
# A question of a run that was stopped.
NEVER_ASKED = frozenset({"ask_user", "ask_back"})
LONGEST_PAUSE: Millis = 300_000
# The smallest question there is, and how long its answer may take.
PROBE = ({"role": "user", "content": "Say ok."},)
PROBE_SECONDS = 10.0


class Responder(LLM, Protocol):
    """A model that needs no provider and knows what it can answer."""

    def understands(self, text: str, language: str) -> bool:
        """Whether it can answer `text` by itself."""


Notice = Literal["no_model", "model_unreachable", "model_refused", "budget_spent", "share_spent"]
Commands = Callable[[ToolContext, Order], Awaitable[Outcome]]
Listen = Callable[[str], None]
Introduce = Callable[[ToolContext, Sequence[Message]], Awaitable[None]]
ProgressDisplay = Callable[[RunContext], AbstractAsyncContextManager[Listen | None]]


@dataclass(frozen=True, kw_only=True)
class Collaborators:
    """Who works at the desk. `offline` answers without a model and says why there is none; `progress` shows the work;
    `introduce` meets whom people name to the model;
    `deed` names the texts that may say what a tool did, none for one that only looks."""

    loop: Loop
    model: LLM | None
    offline: Callable[[Notice], Responder]
    commands: Commands
    attachment_service: AttachmentService
    progress: ProgressDisplay
    threads: Callable[[RunContext], Awaitable[str]]
    introduce: Introduce
    deed: Callable[[str], Sequence[str]] = lambda tool: ()


class RunStopped(Exception):
    """The run was told to stop."""


class RunWorker:
    """The handler of `lane` pokes."""

    def __init__(
        self,
        db: Database,
        engine: Engine,
        clock: Clock,
        *,
        collaborators: Collaborators,
        opener: RunOpener,
        composer: Composer,
        answers: Answers,
        ledger: Ledger,
        budget: Budget,
        asking: Asking,
        claim_post: Callable[[Tx, int], None],
        retry_seconds: float = 15.0,
    ) -> None:
        self._db, self._engine, self._clock = db, engine, clock
        self._collaborators, self._opener = collaborators, opener
        self._composer, self._answers = composer, answers
        self._ending = Ending(
            db, clock, composer=composer, answers=answers, ledger=ledger, budget=budget, asking=asking
        )
        self._claim_post, self._retry_seconds = claim_post, retry_seconds
        self._budget = budget
        self._model = (
            None
            if collaborators.model is None
            else BudgetedModel(collaborators.model, collaborators.offline, budget, db)
        )
        self._incidents = Incidents(composer, clock)
        # What waits for the model may do so from before the start.
        self._outage = True
        # Whether the last probe failed; and of each lane whose question cost something in vain: how often, and until
        # when it is not asked again unless the model was away and is back.
        self._away = False
        self._costly: dict[int, tuple[int, Millis]] = {}
        self._explained: tuple[str, set[int]] = ("", set())
        self._last_tries = asyncio.Lock()
        self._runs: dict[int, asyncio.Task[Outcome]] = {}
        self.at_work: set[int] = set()

    async def answer(self, lane_id: int) -> None:
        """Work on a lane until nothing in it is due.

        Last tries are made one after the other: a run that kills the process must not wear out those beside it.
        """
        self.at_work.add(lane_id)
        try:
            await self._serve(lane_id)
        except LastTry:
            async with self._last_tries:
                await self._serve(lane_id, alone=True)
        except NotHere as error:
            log.warning("left to another process: lane %s (%s is not served here)", lane_id, error)
        finally:
            self.at_work.discard(lane_id)

    async def stop(self, lane_id: int) -> None:
        """Break the open run of a lane off, if it is worked on here and its row says that it is to be stopped."""
        task = self._runs.get(lane_id)
        if task is not None and await self._db.read(lambda tx: lanes.stopped(tx, lane_id)):
            task.cancel()

    async def _serve(self, lane_id: int, *, alone: bool = False) -> None:
        readings = self._opener.readings()
        more = True
        while more and (run := await self._claim(lane_id, readings, alone=alone)) is not None:
            try:
                more = await self._work(run)
            except LeaseLost as error:
                log.warning("lease lost: %s", error)
                return
            except asyncio.CancelledError:
                # A stop is no fault of the message: the run stays in its journal, the attempt does not count.
                await asyncio.shield(self._put_down(run, 0.0, forgive=True))
                raise
            except Exception:
                log.exception("run failed: lane %s run %s attempt %s", lane_id, run.run_id, run.attempts)
                await self._put_down(run, BACKOFF[min(run.attempts, len(BACKOFF)) - 1], forgive=False)
                return

    async def _claim(self, lane_id: int, readings: Readings, *, alone: bool) -> RunContext | None:
        """Claim a lane. What waits there is read before: no grammar holds up those who write."""

        def read_waiting(tx: Tx) -> None:
            readings.read(inbox.to_read(tx, lane_id))

        def claim_lane(tx: Tx) -> RunContext | None:
            return self._opener.open(tx, lane_id, readings, alone=alone)

        if readings.interpreter is not None:
            await self._db.read(read_waiting)
        while True:
            try:
                return await self._db.write(claim_lane)
            except Unread as unread:
                # It came, or was edited, meanwhile.
                await asyncio.to_thread(readings.read, [unread.message])

    async def _work(self, run: RunContext) -> bool:
        """Carry a run to its end; returns whether the lane has more work that is due."""
        try:
            return await self._carry(run)
        except RunStopped:
            return await self._finish_stopped(run)

    async def _carry(self, run: RunContext) -> bool:
        try:
            await self._probe(run)
            # Nothing is shown any more once the run may have ended.
            async with self._collaborators.progress(run) as listen:
                outcome = await self._stoppable(run, listen)
        except ModelUnreachable as error:
            log.warning("model unreachable: lane %s run %s (%s)", run.lane.lane_id, run.run_id, error)
            self._outage = True
            return await self._without_model(run, error)
        except AccountRefused as error:
            log.error("model refused: lane %s run %s (%s)", run.lane.lane_id, run.run_id, error)
            self._outage = True
            return await self._finish(run, await self._locked_out(run, self._incident(IncidentKind.KEY, error)))
        except ModelRefused as error:
            log.error("model refused: lane %s run %s (%s)", run.lane.lane_id, run.run_id, error)
            return await self._finish(run, await self._refused(run, str(error)))
        return await self._finish(run, End(outcome=outcome))

    async def _probe(self, run: RunContext) -> None:
        """Ask the model for one token before it gets a kept question sooner than what that costs allows.

        Raises `ModelUnreachable` while it does not answer; also where it always did, since it is the question then that
        takes too long.
        """
        model, lane_id = self._collaborators.model, run.lane.lane_id
        early = self._clock.now() < self._costly.get(lane_id, (0, 0))[1] and any(one.holds for one in run.messages)
        if model is None or not early:
            return
        deadline = asyncio.get_running_loop().time() + min(self._retry_seconds, PROBE_SECONDS)
        try:
            await model.complete(ModelRequest(messages=PROBE, most_tokens=1, deadline=deadline))
        except AccountRefused:
            raise
        except ModelUnreachable as error:
            self._away = True
            raise ModelUnreachable(f"a probe: {error}") from error
        except ModelRefused:
            log.info("the model refused a probe, so it is there")
        if not self._away:
            raise ModelUnreachable("The model answers, but not what is kept; that is asked again later.")
        await self._model_is_back()

    async def _stoppable(self, run: RunContext, listen: Listen | None) -> Outcome:
        """Run; raises `RunStopped` when a stop broke it off, or was asked for before."""
        if run.stopped:
            raise RunStopped
        task = self._runs[run.lane.lane_id] = asyncio.ensure_future(self._run(run, listen))
        try:
            return await task
        except asyncio.CancelledError:
            this = asyncio.current_task()
            if this is not None and this.cancelling():
                raise
            raise RunStopped from None
        finally:
            del self._runs[run.lane.lane_id]

    async def _finish_stopped(self, run: RunContext) -> bool:
        """End a run that was stopped, and say what had already happened."""

        def look_back(tx: Tx) -> Sequence[Step]:
            # Fenced: what a tool was writing when it was broken off is committed before this, or not at all.
            lanes.fence(tx, run.lease)
            return journal.steps(tx, run.lane, run.run_id)

        steps = await self._db.write(look_back)
        calls = [step.tool for step in steps if step.kind == StepKind.CALL and step.tool not in NEVER_ASKED]
        deeds = (run.texts.first(*self._collaborators.deed(tool)) for tool in calls)
        done = list(dict.fromkeys(filter(None, deeds)))
        words = run.say("stopped_after", done=run.texts.listed(done)) if done else run.say("stopped")
        reply = Reply(n=max((step.n for step in steps), default=0) + 1, text=words)
        return await self._finish(run, End(outcome=Outcome(replies=[reply]), stopped=True))

    async def _run(self, run: RunContext, listen: Listen | None) -> Outcome:
        if run.command:
            outcome = await self._collaborators.commands(run.context(Role.PERSON), run.command)
            if run.fast:
                # Words that came with a picture or a file: it is kept, as beside any other words.
                await self._collaborators.attachment_service.fetch(run)
            return outcome
        run = await self._collaborators.attachment_service.fetch(run)
        if self._model is None and run.prompt:
            return await self._prompted(run)
        if self._model is None:
            return await self._ask_offline(run, "no_model")
        await self._collaborators.introduce(run.context(TELLER.role), run.words)
        outcome = await self._ask(run, self._model, TELLER, listen)
        if outcome.usage.model != self._model.substitute:
            self._costly.pop(run.lane.lane_id, None)
            await self._model_is_back()
        elif run.prompt:
            return await self._prompted(run, outcome)
        else:
            self._note_explained(run, outcome)
        return outcome

    async def _prompted(self, run: RunContext, outcome: Outcome | None = None) -> Outcome:
        """What a trigger wants is said as it stands where no model can work on it: neither kept waiting nor lost."""
        return replace(outcome or Outcome(), replies=self._answers.prompted(run, await self._steps(run)))

    async def _ask_offline(self, run: RunContext, notice: Notice) -> Outcome:
        """Answer without the model; `notice` says why there is none."""
        outcome = await self._ask(run, self._collaborators.offline(notice), RESPONDER)
        self._note_explained(run, outcome)
        return outcome

    def _note_explained(self, run: RunContext, outcome: Outcome) -> None:
        """Remember that a chat was told today why there is no model: with choices of what works all the same."""
        day = self._budget.day()
        if self._explained[0] != day:
            self._explained = day, set()
        if any(reply.choices for reply in outcome.replies):
            self._explained[1].add(run.lane.chat_id)

    async def _locked_out(self, run: RunContext, incident: Incident) -> End:
        """The provider refuses everything: what needs no model is answered, and owners are told why the rest is not."""
        if run.prompt:
            return End(outcome=await self._prompted(run), incident=incident)
        if steps := await self._steps(run):
            return End(outcome=self._answers.refused(run, steps, ""), incident=incident)
        return End(outcome=await self._ask_offline(run, "model_refused"), incident=incident)

    def _incident(self, kind: IncidentKind, error: Exception) -> Incident:
        return Incident(kind=kind, reason=str(error), since=self._clock.now())

    async def _refused(self, run: RunContext, reason: str) -> End:
        """The model's provider refuses for good, and an owner is told why."""
        if run.prompt:
            return End(outcome=await self._prompted(run), refused=reason)
        return End(outcome=self._answers.refused(run, await self._steps(run), reason), refused=reason)

    async def _ask(self, run: RunContext, model: LLM, spec: RoleSpec, listen: Listen | None = None) -> Outcome:
        brief = Brief(
            messages=run.words,
            looks=await self._collaborators.attachment_service.look(run.words),
            history=run.history,
            note=self._answers.note(run),
            event=run.event,
            thread=await self._collaborators.threads(run),
            explained=self._explained[0] == self._budget.day() and run.lane.chat_id in self._explained[1],
            listen=listen,
        )
        return await self._collaborators.loop.run(spec, run.context(spec.role), model, brief)

    async def _without_model(self, run: RunContext, error: ModelUnreachable) -> bool:
        """Answer what needs no model; the rest waits in the inbox, or the whole run in its journal."""
        incident = self._incident(IncidentKind.QUOTA, error) if isinstance(error, QuotaSpent) else None
        if run.prompt:
            return await self._finish(run, End(outcome=await self._prompted(run), incident=incident))
        if await self._steps(run):
            return await self._park(run, incident, costly=error.taken)
        offline = self._collaborators.offline("model_unreachable")
        easy = [
            message
            for message in run.messages
            if message.text and not message.attachments and offline.understands(message.text, run.language)
        ]
        kept = [message.inbox_id for message in run.messages if message not in easy]
        outcome = Outcome()
        if easy:
            outcome = await self._ask(run.of(easy), offline, RESPONDER)
        return await self._finish(run, End(outcome=outcome, kept=kept, incident=incident), costly=error.taken)

    async def _steps(self, run: RunContext) -> Sequence[Step]:
        """Everything the run has committed, in this claim too."""
        return await self._db.read(lambda tx: journal.steps(tx, run.lane, run.run_id))

    async def _park(self, run: RunContext, incident: Incident | None, *, costly: bool) -> bool:
        """A run that has done something waits with its journal until the model answers again; the lane is free."""

        def park_run(tx: Tx) -> bool:
            if lanes.fence(tx, run.lease):
                raise RunStopped
            inbox.park(tx, run.lane, run.run_id, self._retry_at(tx, run, costly=costly))
            self._tell_kept(tx, run)
            if incident is not None:
                self._incidents.open(tx, run.lane, incident)
            return lanes.release(tx, run.lease, finished=True, now=self._clock.now())

        return await self._db.write(park_run)

    def _hold(self, tx: Tx, run: RunContext, ids: Sequence[int], *, costly: bool) -> None:
        """Put messages back; the first of a lane is told so, those after it wait with it."""
        if not ids:
            return
        until = self._retry_at(tx, run, costly=costly)
        # What one person saw alone was not told to the others.
        told_before = any(message.holds for message in run.messages) or (
            not run.response_url and inbox.held(tx, run.lane)
        )
        for inbox_id in ids:
            inbox.hold(tx, run.lane, inbox_id, until, self._clock.now())
        if not told_before:
            self._tell_kept(tx, run)

    def _tell_kept(self, tx: Tx, run: RunContext) -> None:
        drop = [(run.say("drop_kept"), "/drop")]
        keyboard_row = {"person_id": run.person.person_id, **run.audience}
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

    async def _model_is_back(self) -> None:
        """The first answer after an outage wakes everything that was kept, and ends the incidents."""
        if not self._outage:
            return
        self._outage = self._away = False
        self._costly = {lane_id: (tries, 0) for lane_id, (tries, _) in self._costly.items()}
        if not await self._db.read(lambda tx: held.exist(tx) or incidents.all_open(tx)):
            return

        def wake_held(tx: Tx) -> None:
            for lane_id in lanes.wake_held(tx):
                self._engine.poke(tx, "lane", lane_id)
            self._incidents.close(tx)

        await self._db.write(wake_held)

    async def _finish(self, run: RunContext, end: End, *, costly: bool = False) -> bool:
        """End the run: messages done, replies and questions queued, lane released, all in one transaction.

        Raises `RunStopped` when a stop was asked for meanwhile, unless the end is that of a run that was `stopped`.
        What a deed did that failed is undone with all of it, and that is said instead.
        """
        try:
            return await self._commit_end(run, end, costly=costly)
        except (RunStopped, LeaseLost, StorageError):
            raise
        except Exception as error:
            if end.outcome.deed is None:
                raise
            refusal = Outcome(deed=end.outcome.deed.refuse(error))
            return await self._commit_end(run, replace(end, outcome=refusal), costly=costly)

    async def _commit_end(self, run: RunContext, end: End, *, costly: bool) -> bool:
        commit = await self._ending.prepare(run, end)

        def finish_run(tx: Tx) -> bool:
            tx.lock(("chat", run.lane.chat_id))
            if lanes.fence(tx, run.lease) and not end.stopped:
                raise RunStopped
            self._hold(tx, run, end.kept, costly=costly)
            commit(tx)
            for tells in run.services.tells:
                tells.changed(tx, self._engine, run.lane.tenant_id, run.person.person_id, self._clock.now())
            self._claim_post(tx, run.lane.chat_id)
            return lanes.release(tx, run.lease, finished=True, now=self._clock.now())

        return await self._db.write(finish_run)

    async def _put_down(self, run: RunContext, pause: float, *, forgive: bool) -> None:
        """Let go of a run that did not end; it stays in its journal."""
        at = self._clock.now() + round(pause * 1000)

        def put_down(tx: Tx) -> None:
            lanes.fence(tx, run.lease)
            if forgive:
                lanes.forgive(tx, run.lease)
            lanes.release(tx, run.lease, finished=False, now=self._clock.now(), wake_at=at)

        try:
            await self._store(put_down, patient=not forgive)
        except LeaseLost as error:
            log.warning("lease lost: %s", error)
        self._engine.wake(at)

    async def _store(self, write: Callable[[Tx], None], *, patient: bool) -> None:
        """Write, `patient` until the database lets us: a lease nobody lets go of is renewed until the next start."""
        while True:
            try:
                return await self._db.write(write)
            except StorageError:
                if not patient:
                    raise
                log.exception("a run could not be put down yet")
                await self._clock.sleep(BACKOFF[0])

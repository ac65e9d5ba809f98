"""The run worker claims a lane, works on its run, and ends it (STATES: Lane, Run).

The claim, which opens or resumes the run, is one transaction; model and tools journal each step; the end is one
transaction again.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from core.kernel.errors import (
    AccountRefused,
    LeaseLost,
    ModelRefused,
    ModelUnreachable,
    StorageAway,
    StorageError,
    StorageFull,
)
from core.kernel.ports import Clock, Database, Engine, Tx
from core.kernel.replies import Outcome, Reply, Step
from core.pipeline.runs.answering import Answering
from core.pipeline.runs.finish import End, Ending, deeds
from core.pipeline.runs.progress import Listen
from core.pipeline.runs.run_context import LastTry, MessageUnread, NotHere, Readings, RunContext, RunOpener
from core.store.conversation import inbox, lanes
from core.store.conversation import runs as journal
from core.toolkit.own_tools.running import unfinished

log = logging.getLogger(__name__)

BACKOFF = (1.0, 5.0)
# So many seconds later a run is tried again that could not end since the disk was full.
FULL = 15.0
# So often a run is put off for free when the database goes away: after that the run itself may be what makes it go.
PUT_OFF = 5


class RunStopped(Exception):
    """The run was told to stop."""


class RunWorker:
    """Handles `lane` pokes: works on the lane until nothing in it is due."""

    def __init__(
        self,
        db: Database,
        engine: Engine,
        clock: Clock,
        *,
        opener: RunOpener,
        answering: Answering,
        ending: Ending,
        claim_post: Callable[[Tx, int], bool],
    ) -> None:
        self._db, self._engine, self._clock = db, engine, clock
        self._opener, self.answering, self._ending = opener, answering, ending
        self._absence, self._claim_post = answering.absence, claim_post
        self._last_tries = asyncio.Lock()
        self._runs: dict[int, asyncio.Task[Outcome]] = {}
        self._put_off = Counter[int]()
        self.at_work: set[int] = set()

    async def answer(self, lane_id: int) -> None:
        """Work on a lane until nothing in it is due.

        Last tries are made one after the other: a run that kills the process must not use up the tries of others.
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
        readings = Readings(self._opener.services.interpreter)
        more = True
        while more and (run := await self._claim(lane_id, readings, alone=alone)) is not None:
            try:
                more = await self._work(run)
                self._put_off.pop(run.run_id, None)
            except LeaseLost as error:
                log.warning("lease lost: %s", error)
                return
            except asyncio.CancelledError:
                # The process stops, for which the message is not to blame: the attempt does not count.
                await asyncio.shield(self._put_down(run, 0.0, forgive=True, waits=False))
                raise
            except StorageFull as error:
                # Nor is it to blame for a full disk.
                log.error("run put off: lane %s run %s: %s", lane_id, run.run_id, error)
                await self._put_down(run, FULL, forgive=True)
                return
            except StorageAway as error:
                log.error("run put off: lane %s run %s: %s", lane_id, run.run_id, error)
                self._put_off[run.run_id] += 1
                await self._put_down(run, BACKOFF[0], forgive=self._put_off[run.run_id] <= PUT_OFF)
                return
            except Exception:
                log.exception("run failed: lane %s run %s attempt %s", lane_id, run.run_id, run.attempts)
                await self._put_down(run, BACKOFF[min(run.attempts, len(BACKOFF)) - 1], forgive=False)
                return

    async def _claim(self, lane_id: int, readings: Readings, *, alone: bool) -> RunContext | None:
        """Claim a lane. Its messages are read before, so that no grammar holds up the transactions of others."""

        def claim_lane(tx: Tx) -> RunContext | None:
            return self._opener.open(tx, lane_id, readings, alone=alone)

        if arrived := self._opener.services.arrivals.take(lane_id):
            readings.read(arrived)
        elif readings.interpreter is not None:
            await self._db.read(lambda tx: readings.read(inbox.to_read(tx, lane_id)))
        while True:
            try:
                return await self._db.write(claim_lane)
            except MessageUnread as unread:
                # A message that was not read: an earlier one, or one that came or was edited meanwhile.
                message = unread.message
                await self._db.read(lambda tx, message=message: readings.read([*inbox.to_read(tx, lane_id), message]))  # type: ignore[misc]

    async def _work(self, run: RunContext) -> bool:
        """Carry a run to its end; return whether the lane has more work that is due."""
        end = None
        try:
            try:
                if any(message.holds for message in run.messages):
                    run = replace(run, probed=await self._absence.probe(run))
                # Progress is shown only until the run may have ended.
                async with self.answering.collaborators.progress(run) as listen:
                    end = End(outcome=await self._stoppable(run, listen))
            except ModelUnreachable as error:
                log.warning("model unreachable: lane %s run %s (%s)", run.lane.lane_id, run.run_id, error)
                end = await self.answering.unreachable(run, error)
            except AccountRefused as error:
                log.error("model refused: lane %s run %s (%s)", run.lane.lane_id, run.run_id, error)
                self._absence.began()
                end = await self.answering.locked_out(run, error)
            except ModelRefused as error:
                log.error("model refused: lane %s run %s (%s)", run.lane.lane_id, run.run_id, error)
                end = await self.answering.refused(run, str(error))
            return await self._finish(run, end)
        except RunStopped:
            return await self._finish_stopped(run, end)

    async def _stoppable(self, run: RunContext, listen: Listen | None) -> Outcome:
        """Find the answer of a run. Raises `RunStopped` when a stop breaks that off, or was asked for before."""
        if run.stopped:
            raise RunStopped
        task = self._runs[run.lane.lane_id] = asyncio.ensure_future(self.answering.answer(run, listen))
        try:
            return await task
        except asyncio.CancelledError:
            this = asyncio.current_task()
            if this is not None and this.cancelling():
                raise
            raise RunStopped from None
        finally:
            del self._runs[run.lane.lane_id]

    async def _finish_stopped(self, run: RunContext, end: End | None) -> bool:
        """End a run that was stopped, and say what had already happened.

        Where the run had an `end` already, its words are not said any more, but what it had read is journalled.
        """

        def look_back(tx: Tx) -> Sequence[Step]:
            # Fenced: what a tool was writing when it was broken off is committed before this, or not at all.
            lanes.fence(tx, run.lease)
            return journal.steps(tx, run.lane, run.run_id)

        steps = await self._db.write(look_back)
        done = deeds(run, steps, self.answering.collaborators.deed)
        words = run.say("stopped_after", done=run.texts.listed(done)) if done else run.say("stopped")
        words = "\n".join(filter(None, (words, unfinished(run.texts, {run.run_id}))))
        if run.tells:
            # The outcome of a task is told all the same, as it stands.
            words = f"{words}\n\n{run.prompt}"
        reply = Reply(n=max((step.n for step in steps), default=0) + 1, text=words)
        late = Outcome() if end is None else end.outcome
        outcome = Outcome(replies=[reply], journal=late.journal, usage=late.usage)
        return await self._finish(run, End(outcome=outcome, stopped=True))

    async def _finish(self, run: RunContext, end: End) -> bool:
        """End the run in one transaction: messages are done, replies and questions queued, the lane released.

        Raises `RunStopped` when a stop was asked for meanwhile, unless the run is being ended for one already. When the
        deed of a command fails, the transaction is undone, and a second one says so instead.
        """

        def finish_run(tx: Tx) -> bool:
            tx.lock(("chat", run.lane.chat_id))
            if lanes.fence(tx, run.lease) and not end.stopped:
                raise RunStopped
            if end.held:
                self._absence.hold(tx, run, end)
            commit(tx)
            if end.parked:
                self._absence.park(tx, run, end)
            for tells in run.services.tells.get(run.participant.platform, ()):
                if tells.changed is not None:
                    tells.changed(
                        tx, self._engine, run.lane.tenant_id, run.participant.person.person_id, self._clock.now()
                    )
            if self._claim_post(tx, run.lane.chat_id):
                self._engine.poke(tx, "chat", run.lane.chat_id)
            return lanes.release(tx, run.lease, finished=True, now=self._clock.now())

        try:
            commit = await self._ending.prepare(run, end)
            return await self._db.write(finish_run)
        except (RunStopped, LeaseLost, StorageError):
            raise
        except Exception as error:
            if end.outcome.deed is None:
                raise
            end = replace(end, outcome=Outcome(deed=end.outcome.deed.refuse(error)))
        commit = await self._ending.prepare(run, end)
        return await self._db.write(finish_run)

    async def _put_down(self, run: RunContext, pause: float, *, forgive: bool, waits: bool = True) -> None:
        """Release the lane of a run that did not end; after `pause` seconds it goes on from its journal.

        With `forgive` the claim does not count as a try. If it `waits`, a failing database is tried again and again.
        """
        at = self._clock.now() + round(pause * 1000)

        def put_down(tx: Tx) -> None:
            lanes.fence(tx, run.lease)
            if forgive:
                lanes.forgive(tx, run.lease)
            lanes.release(tx, run.lease, finished=False, now=self._clock.now(), wake_at=at)

        while True:
            try:
                await self._db.write(put_down)
                break
            except LeaseLost as error:
                log.warning("lease lost: %s", error)
                break
            except StorageError:
                if not waits:
                    raise
                # Otherwise the lease would be renewed until the next start.
                log.exception("a run could not be put down yet")
                await self._clock.sleep(BACKOFF[0])
        self._engine.wake(at)

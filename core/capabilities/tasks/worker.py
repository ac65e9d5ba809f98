"""Works on tasks: claims those whose turn it is, a few of a role at once, and carries each on to the end of a pass.

A pass ends in one transaction with what comes of it: an outcome, a question, or what was delegated (STATES: Task).
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from core.agents.budget import Budget
from core.agents.loop import Loop
from core.agents.roles import PLANNER, WORKER, Roles, RoleSpec
from core.agents.transcript import Brief, load
from core.capabilities.tasks import recurring, results, service
from core.capabilities.tasks.ending import Ending
from core.capabilities.tasks.models import TaskSettings
from core.capabilities.tasks.results import PassEnd, Status
from core.capabilities.tasks.task_pass import Claimed, TaskPass, TaskSpent, TaskStopped
from core.delivery.composer import Composer
from core.kernel import ids
from core.kernel.access import may
from core.kernel.errors import (
    BudgetSpent,
    LeaseLost,
    ModelRefused,
    ModelUnreachable,
    StorageAway,
    StorageError,
    StorageFull,
)
from core.kernel.ports import Tx
from core.kernel.replies import Outcome
from core.kernel.timing.zones import zone_named
from core.kernel.types import Message, Millis, Role, Standing
from core.store.conversation import runs as journal
from core.store.conversation import tasks
from core.store.conversation.tasks import TaskState
from core.store.files import StoredFile
from core.store.giving_up import TRIES
from core.store.people import people
from core.toolkit.services import Services, TaskFiles
from core.toolkit.tool import Registry, States, ToolContext

log = logging.getLogger(__name__)

SPECS: Mapping[Role, RoleSpec] = {Role.PLANNER: PLANNER, Role.WORKER: WORKER}
# What ends a task that has failed by it, by a code of `service.REASONS`; the first that fits.
CODES: Mapping[type[Exception], str] = {
    TaskSpent: "budget",
    BudgetSpent: "day_budget",
    ModelRefused: "refused",
    TimeoutError: "timeout",
}
# After a try that failed, in seconds; while the model is away; and where a try of it may have cost something.
BACKOFF, AWAY, COSTLY = (1.0, 5.0), 30.0, 300.0
# So often a task may be worked on as the database goes away, as a run may.
PUT_OFF = 5


class LastTry(Exception):
    """This claim would be the last one before the task is given up: it is made alone."""


class TaskWorker:
    """The handler of pokes of `planner`, `worker` and `stop_task`."""

    def __init__(self, services: Services) -> None:
        self._services, self._settings = services, services.get(TaskSettings)
        self._db, self._engine, self._clock = services.db, services.engine, services.clock
        self._ending = Ending(services)
        self._busy, self._news = Counter[Role](), set[Role]()
        self._last_tries = asyncio.Lock()
        # Until when no task is begun, since the model was away: thousands would only be claimed and put down.
        self._away_until: Millis = 0
        self._passes: dict[int, asyncio.Task[tuple[Outcome, TaskPass]]] = {}
        self._put_off = Counter[int]()

    async def serve(self, role: Role) -> None:
        """Work on tasks of a role until none is queued. Who finds all places taken leaves word for those who have
        them."""
        self._news.add(role)
        if self._busy[role] >= self._settings.slots(role):
            return
        self._busy[role] += 1
        try:
            while role in self._news:
                self._news.discard(role)
                while self._clock.now() >= self._away_until and await self._next(role):
                    pass
        finally:
            self._busy[role] -= 1

    async def stop(self, task_id: int) -> None:
        """Break off what is stopped of a task and its Workers, and end what nobody works on."""
        task = await self._db.read(lambda tx: tasks.by_number(tx, task_id))
        if task is None:
            return
        for one in await self._db.read(lambda tx: service.family_of(tx, task)):
            if one.stopped and (under_way := self._passes.get(one.task_id)) is not None:
                under_way.cancel()

        def stop_task(tx: Tx) -> None:
            service.end_stopped(tx, self._services, task)

        await self._db.write(stop_task)

    async def _next(self, role: Role) -> bool:
        """Work on the next task of a role; False when there is none.

        Last tries are made one after the other: a task that kills the process must not wear out those beside it.
        """
        try:
            claimed = await self._claim(role, alone=False)
        except LastTry:
            async with self._last_tries:
                claimed = await self._claim(role, alone=True)
                if claimed is not None:
                    await self._work(claimed)
            return claimed is not None
        if claimed is not None:
            await self._work(claimed)
        return claimed is not None

    async def _claim(self, role: Role, *, alone: bool) -> Claimed | None:
        """Claim the task whose turn it is, and begin or take up its journal."""
        services, settings = self._services, self._settings

        def claim_task(tx: Tx) -> Claimed | None:
            now, elsewhere = self._clock.now(), people.elsewhere(tx, services.serves)
            found = tasks.claim(tx, role, owner=settings.owner, ttl=settings.ttl, now=now, elsewhere=elsewhere)
            if found is None:
                return None
            task, lease = found
            if task.attempts == TRIES and not alone:
                raise LastTry
            run_id = task.run_id
            if run_id is None:
                run_id = journal.start(
                    tx, task.lane, person_id=task.person_id, role=role.value, trace_id=task.trace_id, now=now
                )
                tasks.set_run(tx, lease, run_id)
            participant = people.participant(tx, task.lane, task.person_id)
            self._engine.poke(tx, service.SHOWN, task.parent_id or task.task_id)
            return Claimed(
                task=replace(task, run_id=run_id),
                lease=lease,
                run_id=run_id,
                participant=participant,
                standing=people.standing_here(services.access, participant),
                steps=journal.steps(tx, task.lane, run_id),
                inputs=tasks.inputs(tx, task),
            )

        return await self._db.write(claim_task)

    async def _work(self, claimed: Claimed) -> None:
        """Carry a task on to the end of a pass; whatever happens, it is let go of."""
        task_id = claimed.task.task_id
        self._settings.at_work.add(task_id)
        try:
            while await self._pass(claimed):
                claimed = await self._db.read(lambda tx, one=claimed: _as_it_stands(tx, one))  # type: ignore[misc]
        except LeaseLost as error:
            log.warning("lease lost: %s", error)
        except asyncio.CancelledError:
            # A stop of the program is no fault of the task: it stays in its journal, the attempt does not count.
            await asyncio.shield(self._put_down(claimed, 0.0, forgive=True, waits=False))
            raise
        except StorageAway as error:
            # Nor is it that the database cannot be used; but where it goes away each time, it may be.
            log.error("task put off: %s: %s", task_id, error)
            self._put_off[task_id] += not isinstance(error, StorageFull)
            await self._put_down(claimed, AWAY, forgive=self._put_off[task_id] <= PUT_OFF)
        except ModelUnreachable as error:
            log.warning("model unreachable: task %s (%s)", task_id, error)
            # An outage is no fault of the task, however long; that a model worked on it and came to no end may be one,
            # and each time of that may cost something.
            self._away_until = self._clock.now() + round(AWAY * 1000)
            await self._put_down(claimed, COSTLY if error.taken else AWAY, forgive=not error.taken)
        except Exception:
            log.exception("task failed: %s attempt %s", task_id, claimed.task.attempts)
            pause = BACKOFF[min(claimed.task.attempts, len(BACKOFF)) - 1]
            await self._put_down(claimed, pause, forgive=False)
        finally:
            self._settings.at_work.discard(task_id)

    async def _pass(self, claimed: Claimed) -> bool:
        """Make one pass over a task, and end it; returns whether it goes on at once, since it was told more."""
        task, began, outcome = claimed.task, self._clock.monotonic(), Outcome()
        try:
            if task.stopped:
                raise TaskStopped
            if hindered := self._hindered(claimed):
                return await self._fail(claimed, hindered)
            outcome, task_pass = await self._stoppable(claimed)
            return await self._end_pass(claimed, outcome, task_pass, round(self._clock.monotonic() - began))
        except TaskStopped:
            return await self._end_stopped(claimed, outcome)
        except ModelUnreachable as error:
            if task.trigger_id is None:
                raise
            # What a trigger wants does not wait for the model.
            log.warning("model unreachable: task %s (%s)", task.task_id, error)
            return await self._fail(claimed, "away")
        except tuple(CODES) as error:
            log.warning("task failed: %s (%s)", task.task_id, str(error) or type(error).__name__)
            return await self._fail(claimed, next(code for kind, code in CODES.items() if isinstance(error, kind)))

    def _hindered(self, claimed: Claimed) -> str:
        """Return why a task cannot be worked on at all, by a code of `service.REASONS`; empty when it can."""
        if claimed.task.attempts > TRIES:
            return "gave_up"
        if not may(claimed.standing, Standing.MEMBER):
            return "no_access"
        return "no_model" if self._services.model is None else ""

    async def _stoppable(self, claimed: Claimed) -> tuple[Outcome, TaskPass]:
        """Run the loop over a task. Raises `TaskStopped`, and `TimeoutError` when its time is up."""
        task = claimed.task
        under_way = self._passes[task.task_id] = asyncio.ensure_future(self._run(claimed))
        try:
            async with asyncio.timeout(task.timeout_s):
                return await under_way
        except asyncio.CancelledError:
            this = asyncio.current_task()
            if this is not None and this.cancelling():
                raise
            raise TaskStopped from None
        finally:
            # Its lease may have run out meanwhile, and another pass be at work.
            if self._passes.get(task.task_id) is under_way:
                del self._passes[task.task_id]

    async def _run(self, claimed: Claimed) -> tuple[Outcome, TaskPass]:
        services, task = self._services, claimed.task
        assert services.model is not None
        task_pass = TaskPass(services, claimed, services.model)
        spec = await services.get(Roles).spec(SPECS[task.role])
        loop = Loop(task_pass, services.get(Registry), services.db, task_pass.count)
        known = await self._db.read(lambda tx: recurring.known(tx, task))
        event = {"task_id": ids.ref("t", task.task_id), "person_said": list(task.words), **known}
        brief = Brief(
            messages=[Message(inbox_id=0, text=task.prompt, sent_at=task.created_at, platform_id="")],
            event=json.dumps(event, ensure_ascii=False),
        )
        return await loop.run(spec, self._context(claimed), task_pass, brief, task_pass), task_pass

    def _context(self, claimed: Claimed) -> ToolContext:
        """Return what the tools of a task get to see."""
        services, task, participant = self._services, claimed.task, claimed.participant
        return ToolContext(
            lease=claimed.lease,
            run_id=claimed.run_id,
            trace_id=task.trace_id,
            principal=participant.person,
            role=task.role,
            standing=claimed.standing,
            participant=participant,
            language=task.language or services.get(Composer).language(participant).code,
            zone=zone_named(participant.timezone) or services.zone,
            clock=services.clock,
            db=services.db,
            services=services,
            states=services.get(States).providers,
            steps={step.n: step for step in claimed.steps},
            access=services.access,
            depth=task.depth,
            home=services.zone,
            spelling=services.get(Composer).spelling(participant.platform),
            heard=task.words,
            tainted=task.tainted,
        )

    async def _end_pass(self, claimed: Claimed, outcome: Outcome, task_pass: TaskPass, seconds: int) -> bool:
        """End a pass, all in one transaction; returns whether the task goes on at once."""
        text = load(outcome.last.content).text if outcome.last is not None else ""
        # Of who writes as the group nobody can tell the answer.
        may_ask = claimed.task.role is Role.PLANNER and not claimed.participant.person.anonymous
        ending = results.read(text, may_ask=may_ask)
        documents: list[StoredFile] = []
        adapter = self._services.adapters.get(claimed.participant.platform)
        if ending.status is Status.DONE and claimed.task.parent_id is None and adapter is not None:
            family = await self._db.read(lambda tx: service.family_of(tx, claimed.task))
            runs = {one.run_id for one in family if one.run_id is not None} | {claimed.run_id}
            for files in self._services.every(TaskFiles):
                documents += await files.of_task(claimed.task.lane, runs, adapter.most_document_bytes)

        def end_pass(tx: Tx) -> bool:
            if tasks.fence(tx, claimed.lease):
                raise TaskStopped
            now, task = self._clock.now(), claimed.task
            if outcome.journal is not None:
                outcome.journal(tx)
            if outcome.last is not None:
                journal.write(tx, task.lane, claimed.run_id, outcome.last, now)
                task_pass.count(tx, task.lane, task.person_id, outcome.usage)
            tasks.note_pass(tx, claimed.lease, seconds, tainted=task_pass.tainted)
            self._engine.poke(tx, service.SHOWN, task.parent_id or task.task_id)
            self._ending.note(tx, claimed, ending, outcome)
            participant = people.participant(tx, task.lane, task.person_id)
            if not may(people.standing_here(self._services.access, participant), Standing.MEMBER):
                # It was taken meanwhile: they are neither asked nor told.
                self._ending.fail(tx, claimed, task, "", "no_access")
                return False
            task = replace(task, tainted=task.tainted or task_pass.tainted)
            self._ending.show(tx, claimed, tainted=task.tainted)
            if tasks.unread(tx, claimed.lease):
                return True
            self._ending.conclude(tx, claimed, task, ending, documents)
            return False

        return await self._db.write(end_pass)

    async def _fail(self, claimed: Claimed, code: str) -> bool:
        """End a task that cannot be worked on, for a reason of `service.REASONS`."""

        def end_task(tx: Tx) -> None:
            tasks.fence(tx, claimed.lease)
            # What there is so far may be words of others.
            if any(one.tainted for one in service.family_of(tx, claimed.task)[1:]):
                tasks.note_pass(tx, claimed.lease, 0, tainted=True)
            self._ending.note(tx, claimed, PassEnd(status=Status.FAILED, text=service.REASONS[code]), Outcome())
            task = tasks.find(tx, claimed.task.lane, claimed.task.task_id) or claimed.task
            if code != "no_access":
                self._ending.show(tx, claimed, tainted=task.tainted)
            self._ending.fail(tx, claimed, task, "", code)

        await self._db.write(end_task)
        return False

    async def _end_stopped(self, claimed: Claimed, outcome: Outcome) -> bool:
        """End a task that was stopped while it was worked on. What had already happened is said when all of it has
        ended; of an `outcome` that came too late only what was read before is journalled, and what it took counted."""

        def end_task(tx: Tx) -> None:
            # Fenced: what a tool was writing when it was broken off is committed before this, or not at all.
            tasks.fence(tx, claimed.lease)
            if outcome.journal is not None:
                outcome.journal(tx)
            self._services.get(Budget).count(tx, claimed.task.lane, claimed.task.person_id, outcome.usage)
            self._ending.note(tx, claimed, PassEnd(status=Status.FAILED, text="stopped"), outcome)
            self._ending.show(tx, claimed, tainted=claimed.task.tainted)
            service.end(tx, self._services, claimed.task, TaskState.CANCELLED)
            root = claimed.task
            if root.parent_id is not None:
                root = tasks.find(tx, root.lane, root.parent_id) or root
            service.end_stopped(tx, self._services, root)

        await self._db.write(end_task)
        return False

    async def _put_down(self, claimed: Claimed, pause: float, *, forgive: bool, waits: bool = True) -> None:
        """Let go of a task that did not end. That is no try where it is no fault of it (`forgive`). This `waits` until
        the database lets us."""
        at: Millis = self._clock.now() + round(pause * 1000)

        def put_down_task(tx: Tx) -> None:
            tasks.fence(tx, claimed.lease)
            tasks.put_down(tx, claimed.lease, at, forgive=forgive)

        while True:
            try:
                await self._db.write(put_down_task)
                break
            except LeaseLost as error:
                log.warning("lease lost: %s", error)
                break
            except StorageError:
                if not waits:
                    raise
                log.exception("a task could not be put down yet")
                await self._clock.sleep(BACKOFF[0])
        self._engine.wake(at)


def _as_it_stands(tx: Tx, claimed: Claimed) -> Claimed:
    """Return a task that goes on under the same lease, with all that its journal has by now."""
    task = tasks.load(tx, claimed.task.lane.tenant_id, claimed.task.task_id)
    if task is None:
        raise LeaseLost(f"task {claimed.task.task_id} is gone")
    steps = journal.steps(tx, task.lane, claimed.run_id)
    return replace(claimed, task=task, steps=steps, inputs=tasks.inputs(tx, task))

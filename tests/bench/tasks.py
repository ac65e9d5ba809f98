"""Ten thousand tasks in the queue of one house: whether they are worked on in their order, and what each costs."""

from __future__ import annotations

import random
import tempfile
import time
from pathlib import Path

from core.capabilities.tasks.worker import TaskWorker
from core.kernel.clock import SystemClock
from core.kernel.ports import Tx
from core.kernel.types import MINUTE, ModelRequest, Role
from core.store.conversation import tasks
from core.store.conversation.tasks import Task, TaskState
from core.store.sqlite.database import SqliteDatabase
from tests.bench.seeding import Resident, batched, settle
from tests.fakes import START, House, house

MANY, PEOPLE = 10_000, 500


async def measure() -> str:
    """Drain the queue one by one, and say what it took."""
    with tempfile.TemporaryDirectory() as folder:
        db = SqliteDatabase(Path(folder) / "bench.db", SystemClock())
        await db.open()
        worked_on: list[str] = []

        def answer(request: ModelRequest) -> str:
            worked_on.append(str(request.messages[-1]["content"]))
            return "it is done"

        home = await house(db, Path(folder) / "house", answer, tasks={"planners": 1}, access={"mode": "open"})
        await _queue(home, await settle(db, "bot", range(1, PEOPLE + 1), START))
        began, cpu = time.perf_counter(), time.process_time()
        await home.app.container.get(TaskWorker).serve(Role.PLANNER)
        took, cpu = time.perf_counter() - began, time.process_time() - cpu
        wanted = await home.column("SELECT prompt FROM task ORDER BY order_at, id")
        (done,) = await home.column("SELECT count(*) FROM task WHERE state = 'done'")
        (told,) = await home.column("SELECT count(*) FROM inbox WHERE task_id IS NOT NULL")
        await db.close()
    rows = (
        (f"queued tasks of {PEOPLE} people", MANY),
        ("done, each with a row that wakes the Teller", min(done, told)),
        ("worked on in their order (1: all)", int(worked_on == wanted)),
        ("CPU a task, ms", 1000 * cpu / MANY),
        ("a task, ms", 1000 * took / MANY),
    )
    return "\n".join(f"{name:52}{value:10.2f}" for name, value in rows)


async def _queue(home: House, residents: list[Resident]) -> None:
    chance = random.Random(7)

    def insert(tx: Tx, numbers: list[int]) -> None:
        for number in numbers:
            one = residents[number % PEOPLE]
            told = {"role": Role.PLANNER, "trace_id": "bench", "state": TaskState.QUEUED}
            task = Task(
                lane=one.lane,
                person_id=one.person_id,
                prompt=f"task {number}",
                source_key=f"bench:{number}",
                created_at=START - chance.randrange(60) * MINUTE,
                priority=chance.randrange(11),
                **told,  # type: ignore[arg-type]
            )
            tasks.insert(tx, task)

    for some in batched(range(MANY)):
        await home.db.write(lambda tx, some=list(some): insert(tx, some))  # type: ignore[misc]

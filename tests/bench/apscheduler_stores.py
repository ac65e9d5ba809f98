"""APScheduler's own stores, with as many jobs waiting: the one in memory, and the one in SQLite by SQLAlchemy."""

from __future__ import annotations

import pickle
import time
from collections.abc import Awaitable, Callable, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

from apscheduler.job import Job
from apscheduler.jobstores.base import BaseJobStore
from apscheduler.jobstores.memory import MemoryJobStore
from apscheduler.jobstores.sqlalchemy import SQLAlchemyJobStore
from apscheduler.schedulers.asyncio import AsyncIOScheduler

from core.kernel.types import Millis

CREATED, LOOKED, STARTED, AT_ONCE = 1_000, 2_000, 20, 1_000


@dataclass(frozen=True, kw_only=True)
class Costs:
    """Microseconds of CPU and of time to create one, of CPU to look up what is next; milliseconds to a first look."""

    create_cpu: float
    create: float
    look_up: float
    start: float


async def timed(count: int, work: Callable[[int], Awaitable[object]]) -> tuple[float, float]:
    """Microseconds of CPU and of time that doing something takes, one after the other."""
    cpu, begun = time.process_time(), time.perf_counter()
    for n in range(count):
        await work(n)
    return (time.process_time() - cpu) / count * 1e6, (time.perf_counter() - begun) / count * 1e6


async def in_memory(instants: Sequence[Millis], new: Sequence[Millis]) -> Costs:
    """What the store in memory takes; after a start all has to be added again, at what that costs while it is small."""
    store = MemoryJobStore()
    scheduler = _scheduler(store)
    begun = time.perf_counter()
    first = [_add(scheduler, at) for at in new]
    start = (time.perf_counter() - begun) / len(new) * (len(instants) + len(new))
    for job in _copies(first[0], instants):
        store.add_job(job)
    return await _costs(scheduler, store, new, 1000 * start)


async def in_a_database(folder: Path, instants: Sequence[Millis], new: Sequence[Millis]) -> Costs:
    """What the store in a database takes, in a file of SQLite as it makes one."""
    store = _database(folder)
    scheduler = _scheduler(store)
    like = _add(scheduler, instants[0])
    rows = [
        {"id": job.id, "next_run_time": at / 1000, "job_state": pickle.dumps(job.__getstate__())}
        for at, job in zip(instants, _copies(like, instants), strict=True)
    ]
    with store.engine.begin() as connection:
        for n in range(0, len(rows), AT_ONCE):
            connection.execute(store.jobs_t.insert(), rows[n : n + AT_ONCE])
    starts = sorted(_started(folder) for _ in range(STARTED))
    return await _costs(scheduler, store, new, starts[STARTED // 2])


def _database(folder: Path) -> SQLAlchemyJobStore:
    return SQLAlchemyJobStore(url=f"sqlite:///{folder / 'jobs.db'}")


def _started(folder: Path) -> float:
    begun = time.perf_counter()
    store = _database(folder)
    scheduler = _scheduler(store)
    store.get_next_run_time()
    took = 1000 * (time.perf_counter() - begun)
    scheduler.shutdown(wait=False)
    return took


def _scheduler(store: BaseJobStore) -> AsyncIOScheduler:
    scheduler = AsyncIOScheduler(timezone=UTC, jobstores={"default": store})
    scheduler.start(paused=True)
    return scheduler


async def _costs(scheduler: AsyncIOScheduler, store: BaseJobStore, new: Sequence[Millis], start: float) -> Costs:
    async def add(n: int) -> None:
        _add(scheduler, new[n])

    create_cpu, create = await timed(len(new), add)
    cpu = time.process_time()
    for _ in range(LOOKED):
        store.get_next_run_time()
    look_up = (time.process_time() - cpu) / LOOKED * 1e6
    scheduler.shutdown(wait=False)
    return Costs(create_cpu=create_cpu, create=create, look_up=look_up, start=start)


def _copies(like: Job, instants: Sequence[Millis]) -> list[Job]:
    """Jobs as copies of one, past the scheduler: through it they would take minutes."""
    found = []
    for at in instants:
        other = copy(like)
        other.id, other.next_run_time = uuid4().hex, datetime.fromtimestamp(at / 1000, UTC)
        found.append(other)
    return found


def _add(scheduler: AsyncIOScheduler, at: Millis) -> Job:
    when = datetime.fromtimestamp(at / 1000, UTC)
    return scheduler.add_job(print, "date", run_date=when, misfire_grace_time=None)

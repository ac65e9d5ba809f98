"""Triggers: a hundred thousand that wait, beside APScheduler's own store, and what it takes to fire one."""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from copy import copy
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from uuid import uuid4

from apscheduler.job import Job
from apscheduler.jobstores.base import BaseJobStore
from apscheduler.schedulers.asyncio import AsyncIOScheduler

from bot.adapters.telegram import TelegramAdapter
from bot.app import App, build
from bot.config_sections import AccessSection
from core.clock import SystemClock
from core.ports import Database, Tx
from core.store import triggers
from core.store.sqlite import SqliteDatabase
from core.types import Millis
from tests.bench.seeding import Resident, plan, reminder, settle
from tests.emulators.telegram import DEFAULT_TOKEN
from tests.fakes import config

PEOPLE, WAITING, CREATED, LOOKED, STARTED = 1_000, 100_000, 1_000, 2_000, 20
FIRED, WARM_UP = 10_000, 400
BOT = DEFAULT_TOKEN.partition(":")[0]
MINUTE, YEAR = 60_000, 365 * 86_400_000


@dataclass(frozen=True, kw_only=True)
class Costs:
    """Microseconds of CPU and of time to create one, of CPU to look up what is next; milliseconds to a first look."""

    create_cpu: float
    create: float
    look_up: float
    start: float


async def measure() -> str:
    """Ours and theirs, as a table; then the firing."""
    with tempfile.TemporaryDirectory() as folder:
        ours = await _ours(Path(folder))
    theirs = await _theirs()
    with tempfile.TemporaryDirectory() as folder:
        fired = await _firing(Path(folder))
    rows = (
        ("create one, CPU µs", theirs.create_cpu, ours.create_cpu),
        ("create one, µs", theirs.create, ours.create),
        ("look up what is next, CPU µs", theirs.look_up, ours.look_up),
        ("start to the first look, ms (theirs: all added again)", theirs.start, ours.start),
    )
    lines = [f"{f'triggers, while {WAITING:,} wait':52}{'APS memory':>12}{'Teller':>10}{'ratio':>8}"]
    lines += [f"{name:52}{a:12.1f}{b:10.1f}{b / a:8.2f}" for name, a, b in rows]
    lines += [
        f"{'fire one: moved on, queued with buttons, CPU µs':52}{'':12}{fired:10.1f}",
        "(APScheduler's memory store keeps nothing on disk; its SQLAlchemyJobStore is left out: it needs sqlalchemy)",
    ]
    return "\n".join(lines)


def _instants(count: int) -> list[Millis]:
    """Anywhere in the coming year, in order; the same each time."""
    now, chance = SystemClock().now(), random.Random(4)
    return sorted(now + chance.randrange(MINUTE, YEAR) for _ in range(count))


async def _timed(count: int, work: Callable[[int], Awaitable[object]]) -> tuple[float, float]:
    """Microseconds of CPU and of time that doing something takes, one after the other."""
    cpu, begun = time.process_time(), time.perf_counter()
    for n in range(count):
        await work(n)
    return (time.process_time() - cpu) / count * 1e6, (time.perf_counter() - begun) / count * 1e6


@asynccontextmanager
async def _opened(folder: Path) -> AsyncIterator[Database]:
    db = SqliteDatabase(folder / "teller.db", SystemClock())
    await db.open()
    try:
        yield db
    finally:
        await db.close()


async def _ours(folder: Path) -> Costs:
    now = SystemClock().now()
    async with _opened(folder) as db:
        residents = await settle(db, BOT, range(1, PEOPLE + 1), now)
        await plan(db, map(reminder, cycle(residents), _instants(WAITING)), now)
        create_cpu, create = await _timed(CREATED, partial(_create, db, residents, now))
        look_up = await db.read(_look_up)
    starts = sorted([await _started(folder) for _ in range(STARTED)])
    return Costs(create_cpu=create_cpu, create=create, look_up=look_up, start=starts[STARTED // 2])


async def _create(db: Database, residents: list[Resident], now: Millis, n: int) -> None:
    made = reminder(residents[n % PEOPLE], now + (n + 1) * YEAR // CREATED)

    def create_trigger(tx: Tx) -> None:
        triggers.insert(tx, made, now)

    await db.write(create_trigger)


def _look_up(tx: Tx) -> float:
    cpu = time.process_time()
    for _ in range(LOOKED):
        triggers.next_due(tx)
    return (time.process_time() - cpu) / LOOKED * 1e6


async def _started(folder: Path) -> float:
    begun = time.perf_counter()
    async with _opened(folder) as db:
        await db.read(triggers.next_due)
        return 1000 * (time.perf_counter() - begun)


async def _theirs() -> Costs:
    """The store in memory; after a start all of it has to be added again, at what it costs while it is small."""
    scheduler = AsyncIOScheduler(timezone=UTC)
    scheduler.start(paused=True)
    now, begun = SystemClock().now(), time.perf_counter()
    jobs = [_add(scheduler, now + (n + 1) * YEAR // CREATED) for n in range(CREATED)]
    start = (time.perf_counter() - begun) / CREATED * WAITING
    _fill(scheduler._lookup_jobstore("default"), jobs[0])
    create_cpu, create = await _timed(CREATED, partial(_added, scheduler, now))
    cpu = time.process_time()
    for _ in range(LOOKED):
        scheduler._lookup_jobstore("default").get_next_run_time()
    look_up = (time.process_time() - cpu) / LOOKED * 1e6
    scheduler.shutdown(wait=False)
    return Costs(create_cpu=create_cpu, create=create, look_up=look_up, start=1000 * start)


def _fill(store: BaseJobStore, like: Job) -> None:
    """Add the others as copies, past the scheduler: through it that takes half a minute."""
    for at in _instants(WAITING - CREATED):
        other = copy(like)
        other.id, other.next_run_time = uuid4().hex, datetime.fromtimestamp(at / 1000, UTC)
        store.add_job(other)


async def _added(scheduler: AsyncIOScheduler, now: Millis, n: int) -> None:
    _add(scheduler, now + (n + 1) * YEAR // CREATED)


def _add(scheduler: AsyncIOScheduler, at: Millis) -> Job:
    when = datetime.fromtimestamp(at / 1000, UTC)
    return scheduler.add_job(print, "date", run_date=when, misfire_grace_time=None)


async def _firing(folder: Path) -> float:
    """CPU microseconds to fire a reminder in a private chat of its own, with all that is committed with it."""
    clock = SystemClock()
    adapter = TelegramAdapter(DEFAULT_TOKEN, "http://127.0.0.1:1", clock)
    async with _opened(folder) as db:
        settings = config(folder, access=AccessSection(mode="open"))
        app = build(settings, {adapter.platform: adapter}, db=db, clock=clock)
        residents = await settle(db, BOT, range(1, WARM_UP + FIRED + 1), clock.now())
        due = map(reminder, residents, cycle([clock.now() - 1_000]))
        await plan(db, islice(due, WARM_UP), clock.now())
        await _fire(app, db)
        await plan(db, due, clock.now())
        taken = await _fire(app, db)
    await adapter.close()
    return taken / FIRED * 1e6


async def _fire(app: App, db: Database) -> float:
    cpu, fire = time.process_time(), app.scheduler._triggers.fire
    while await fire(db, lambda tx: (), app.clock.now()):
        pass
    return time.process_time() - cpu

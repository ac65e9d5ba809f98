"""Triggers: a hundred thousand that wait, beside APScheduler's own stores, and what it takes to fire one."""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from itertools import cycle, islice
from pathlib import Path

from bot.adapters.telegram import TelegramAdapter
from bot.app import App, build
from bot.config.sections import AccessSection
from core.kernel.clock import SystemClock
from core.kernel.ports import Database, Tx
from core.kernel.types import Millis
from core.scheduling import repository as triggers
from core.store.sqlite.database import SqliteDatabase
from tests.bench.apscheduler_stores import CREATED, LOOKED, STARTED, Costs, in_a_database, in_memory, timed
from tests.bench.seeding import Resident, plan, reminder, settle
from tests.emulators.telegram import DEFAULT_TOKEN
from tests.fakes import config

PEOPLE, WAITING = 1_000, 100_000
FIRED, WARM_UP = 10_000, 400
BOT = DEFAULT_TOKEN.partition(":")[0]
MINUTE, YEAR = 60_000, 365 * 86_400_000
ROWS = {
    "create one, CPU µs": "create_cpu",
    "create one, µs": "create",
    "look up what is next, CPU µs": "look_up",
    "start to the first look, ms": "start",
}


async def measure() -> str:
    """Ours and theirs, as a table; then the firing."""
    with tempfile.TemporaryDirectory() as folder:
        ours = await _ours(Path(folder))
    memory, database = await _theirs()
    with tempfile.TemporaryDirectory() as folder:
        fired = await _firing(Path(folder))
    head = f"{f'triggers, while {WAITING:,} wait':46}{'APS memory':>12}{'APS SQL':>11}{'Teller':>10}"
    lines = [f"{head}{'ratio':>8}{'ratio':>8}"]
    for name, costs in ROWS.items():
        one, two, own = (getattr(each, costs) for each in (memory, database, ours))
        lines.append(f"{name:46}{one:12.1f}{two:11.1f}{own:10.1f}{own / one:8.2f}{own / two:8.2f}")
    lines += [
        f"{'fire one: moved on and queued, CPU µs':46}{'':23}{fired:10.1f}",
        "(APScheduler's memory store keeps nothing on disk; its SQLAlchemyJobStore has a file of SQLite.)",
    ]
    return "\n".join(lines)


def _instants(count: int) -> list[Millis]:
    """Anywhere in the coming year, in order; the same each time."""
    now, chance = SystemClock().now(), random.Random(4)
    return sorted(now + chance.randrange(MINUTE, YEAR) for _ in range(count))


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
        create_cpu, create = await timed(CREATED, partial(_create, db, residents, now))
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


async def _theirs() -> tuple[Costs, Costs]:
    now, instants = SystemClock().now(), _instants(WAITING - CREATED)
    new = [now + (n + 1) * YEAR // CREATED for n in range(CREATED)]
    with tempfile.TemporaryDirectory() as folder:
        return await in_memory(instants, new), await in_a_database(Path(folder), instants, new)


async def _firing(folder: Path) -> float:
    """CPU microseconds to fire a reminder in a private chat of its own, until its message is committed."""
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

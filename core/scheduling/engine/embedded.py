"""The engine of one process: asyncio tasks, and one APScheduler job that wakes at the earliest due row.

APScheduler's own job stores are not used: with 1,000 due jobs they fired 12 s late and blocked the loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime, timedelta

from apscheduler.schedulers.asyncio import AsyncIOScheduler

from core.kernel.background import cancel
from core.kernel.clock import SystemClock
from core.kernel.errors import StorageFull
from core.kernel.ports import Clock, Handler, Tx
from core.kernel.types import Millis

log = logging.getLogger(__name__)

SWEEP = 30.0
BULK = 4  # one place in so many is for what nobody waits for
JOB = "due"
MOST_LOOKS = 100  # a look that is skipped because another one is under way would be a lost wake-up
Key = tuple[str, int]


class EmbeddedEngine:
    """The `Engine` port. `concurrency` bounds the handlers of one kind that run at once; bulk ones get a part of it.

    Wake-ups are instants of `clock`.
    """

    def __init__(self, concurrency: int = 256, clock: Clock | None = None) -> None:
        self._concurrency = concurrency
        self._clock = clock or SystemClock()
        self._handlers: Mapping[str, Handler] = {}
        self._due: Callable[[], Awaitable[Millis | None]] | None = None
        self._bulk_places = max(1, concurrency // BULK)
        self._running: dict[Key, asyncio.Task[None]] = {}
        # Those of them whose handler has not begun: it will see all that was committed until then.
        self._unbegun: set[Key] = set()
        # Whether a key that is to run once more is wanted in bulk.
        self._again: dict[Key, bool] = {}
        self._active: Counter[str] = Counter()
        self._active_bulk: Counter[str] = Counter()
        self._waiting: dict[str, dict[int, None]] = {}
        self._waiting_bulk: dict[str, dict[int, None]] = {}
        self._wake_at: Millis | None = None
        self._scheduler: AsyncIOScheduler | None = None
        self._stopping = asyncio.Event()
        self._closed = False

    def poke(self, tx: Tx, kind: str, key: int, *, bulk: bool = False) -> None:
        tx.after_commit(lambda: self._start(kind, key, bulk=bulk))

    def _start(self, kind: str, key: int, *, bulk: bool) -> None:
        """Run the handler, or once more after the run that is under way, or when there is a free place."""
        if self._closed or (self._stopping.is_set() and kind != "chat"):
            return
        handler = self._handlers.get(kind)
        if handler is None:
            return
        name = (kind, key)
        if name in self._unbegun:
            return
        if name in self._running:
            self._again[name] = bulk and self._again.get(name, True)
        elif not self._has_place(kind, bulk=bulk):
            # It waits for a place; whoever is waited for does not stand in the line of the others.
            if not bulk:
                self._waiting_bulk.get(kind, {}).pop(key, None)
                self._waiting.setdefault(kind, {})[key] = None
            elif key not in self._waiting.get(kind, {}):
                self._waiting_bulk.setdefault(kind, {})[key] = None
        else:
            self._waiting_bulk.get(kind, {}).pop(key, None)
            self._active[kind] += 1
            self._active_bulk[kind] += bulk
            self._unbegun.add(name)
            self._running[name] = asyncio.create_task(self._serve(handler, name, bulk=bulk))

    def _has_place(self, kind: str, *, bulk: bool) -> bool:
        return self._active[kind] < self._concurrency and not (bulk and self._active_bulk[kind] >= self._bulk_places)

    async def _serve(self, handler: Handler, name: Key, *, bulk: bool) -> None:
        kind, number = name
        self._unbegun.discard(name)
        try:
            await handler(number)
        except StorageFull as error:
            log.error("%s %s waits for the disk: %s", *name, error)
        except Exception:
            # The row it worked on is still in the store: the next sweep finds it.
            log.exception("handler failed: %s %s", *name)
        finally:
            del self._running[name]
            self._active[kind] -= 1
            self._active_bulk[kind] -= bulk
            # Those that wait for a place come first, the longest first: a busy key must not keep the place for itself.
            for waiting, wanted_in_bulk in ((self._waiting, False), (self._waiting_bulk, True)):
                while (line := waiting.get(kind)) and self._has_place(kind, bulk=wanted_in_bulk):
                    key = next(iter(line))
                    del line[key]
                    self._start(kind, key, bulk=wanted_in_bulk)
            if name in self._again:
                self._start(*name, bulk=self._again.pop(name))

    def wake(self, at: Millis) -> None:
        if self._scheduler is None or (self._wake_at is not None and self._wake_at <= at):
            return
        self._wake_at = at
        wait = timedelta(milliseconds=at - self._clock.now())
        self._scheduler.add_job(
            self._woken,
            "date",
            run_date=datetime.now(UTC) + wait,
            id=JOB,
            replace_existing=True,
            misfire_grace_time=None,
            max_instances=MOST_LOOKS,
        )

    async def _woken(self) -> None:
        """Look. The scheduler cancels what is under way when it ends, and would log that as a failure."""
        with contextlib.suppress(asyncio.CancelledError):
            await self._look()

    async def _look(self) -> None:
        """Poke what is due and arm the next wake-up."""
        self._wake_at = None
        assert self._due is not None
        try:
            at = await self._due()
        except Exception:
            log.exception("looking for due rows failed; next try in %.0f s", SWEEP)
            return
        if at is not None:
            self.wake(at)

    async def run(self, handlers: Mapping[str, Handler], due: Callable[[], Awaitable[Millis | None]]) -> None:
        self._handlers, self._due = handlers, due
        self._scheduler = AsyncIOScheduler(timezone=UTC)
        self._scheduler.start()
        try:
            while not self._stopping.is_set():
                await self._look()
                # The next sweep is by the monotonic clock: a jump of the wall clock delays nobody for long.
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(SWEEP):
                        await self._stopping.wait()
        finally:
            self._scheduler.shutdown(wait=False)
            self._scheduler = None

    async def stop(self, grace: float) -> None:
        self._stopping.set()
        lanes = [task for (kind, _), task in self._running.items() if kind != "chat"]
        await _end(lanes, grace)
        await _end(list(self._running.values()), max(1.0, grace / 10))
        self._closed = True
        await _end(list(self._running.values()), 0.0)


async def _end(tasks: list[asyncio.Task[None]], grace: float) -> None:
    """Wait for tasks; cancel those that are not done in time."""
    if not tasks:
        return
    _, late = await asyncio.wait(tasks, timeout=grace)
    await cancel(late)

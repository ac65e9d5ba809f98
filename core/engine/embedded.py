"""The engine of one process: asyncio tasks, and one APScheduler job that wakes at the earliest due row.

APScheduler's own job stores are not used: with 1,000 due jobs they fired 12 s late and blocked the loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime

from apscheduler.schedulers.asyncio import AsyncIOScheduler

from core.ports import Handler, Tx
from core.types import Millis

log = logging.getLogger(__name__)

SWEEP = 30.0
JOB = "due"
MOST_LOOKS = 100  # a look that is skipped because another one is under way would be a lost wake-up
Key = tuple[str, int]


class EmbeddedEngine:
    """The `Engine` port. `concurrency` bounds the handlers of one kind that run at once."""

    def __init__(self, concurrency: int = 256) -> None:
        self._concurrency = concurrency
        self._handlers: Mapping[str, Handler] = {}
        self._due: Callable[[], Awaitable[Millis | None]] | None = None
        self._running: dict[Key, asyncio.Task[None]] = {}
        self._again: set[Key] = set()
        self._active: Counter[str] = Counter()
        self._waiting: dict[str, dict[int, None]] = {}
        self._wake_at: Millis | None = None
        self._scheduler: AsyncIOScheduler | None = None
        self._stopping = asyncio.Event()
        self._closed = False

    def poke(self, tx: Tx, kind: str, key: int, *, bulk: bool = False) -> None:
        tx.after_commit(lambda: self._start(kind, key))

    def _start(self, kind: str, key: int) -> None:
        """Run the handler, or once more after the run that is under way, or when there is a free place."""
        if self._closed or (self._stopping.is_set() and kind != "chat"):
            return
        handler = self._handlers.get(kind)
        if handler is None:
            return
        name = (kind, key)
        if name in self._running:
            self._again.add(name)
        elif self._active[kind] >= self._concurrency:
            self._waiting.setdefault(kind, {})[key] = None
        else:
            self._active[kind] += 1
            self._running[name] = asyncio.create_task(self._serve(handler, name))

    async def _serve(self, handler: Handler, name: Key) -> None:
        try:
            await handler(name[1])
        except Exception:
            # The row it worked on is still in the store: the next sweep finds it.
            log.exception("handler failed: %s %s", *name)
        finally:
            self._finished(name)

    def _finished(self, name: Key) -> None:
        del self._running[name]
        self._active[name[0]] -= 1
        # Those that wait for a place come first: a busy key must not keep the place for itself.
        waiting = self._waiting.get(name[0])
        if waiting:
            key = next(iter(waiting))
            del waiting[key]
            self._start(name[0], key)
        if name in self._again:
            self._again.discard(name)
            self._start(*name)

    def wake(self, at: Millis) -> None:
        if self._scheduler is None or (self._wake_at is not None and self._wake_at <= at):
            return
        self._wake_at = at
        self._scheduler.add_job(
            self._look,
            "date",
            run_date=datetime.fromtimestamp(at / 1000, UTC),
            id=JOB,
            replace_existing=True,
            misfire_grace_time=None,
            max_instances=MOST_LOOKS,
        )

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
                await self._pause()
        finally:
            self._scheduler.shutdown(wait=False)
            self._scheduler = None

    async def _pause(self) -> None:
        """Wait for the next sweep on the monotonic clock: a jump of the wall clock delays nobody for long."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(SWEEP):
                await self._stopping.wait()

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
    for task in late:
        task.cancel()
    await asyncio.gather(*late, return_exceptions=True)

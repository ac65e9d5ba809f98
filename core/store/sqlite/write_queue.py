"""Transactions that wait for a thread: what it is told when they are done, and the two lines before the only one."""

from __future__ import annotations

import asyncio
import logging
import queue
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from core.kernel.ports import Tx

log = logging.getLogger(__name__)

# To a commit: what shares one is told together, and whoever comes first waits for a whole one.
BATCH = 25


@dataclass(slots=True)
class Job:
    """A function that waits for its transaction, and what became of it."""

    fn: Callable[[Tx], Any]
    future: asyncio.Future[Any]
    result: Any = None
    error: BaseException | None = None
    callbacks: list[Callable[[], None]] = field(default_factory=list)


def deliver(jobs: Iterable[Job]) -> None:
    """On the event loop, for each job: first what was to happen after the commit, then the caller."""
    for job in jobs:
        for call in job.callbacks if job.error is None else ():
            try:
                call()
            except Exception:
                log.exception("a callback failed; its transaction is committed")
        if job.future.done():  # cancelled meanwhile
            continue
        if job.error is None:
            job.future.set_result(job.result)
        elif isinstance(job.error, StopIteration):  # a future refuses this one
            job.future.set_exception(RuntimeError(f"the transaction raised {job.error!r}"))
        else:
            job.future.set_exception(job.error)


J = TypeVar("J", bound=Job)


class Jobs(Generic[J]):
    """Two lines before one thread. Whoever stands in the first one waits for nobody of the other."""

    def __init__(self) -> None:
        self._first: deque[J] = deque()
        self._others: deque[J] = deque()
        # One for each that stands in a line, and a last one for the end.
        self._tickets: queue.SimpleQueue[bool] = queue.SimpleQueue()

    def put(self, job: J, *, first: bool = False) -> None:
        (self._first if first else self._others).append(job)
        self._tickets.put(True)

    def end(self) -> None:
        """Nobody comes any more; who stands in line is still served."""
        self._tickets.put(False)

    def take(self) -> list[J]:
        """Wait for jobs; those that share a commit, of one line. None at all is the end."""
        if not self._tickets.get():
            return []
        line = self._first or self._others
        jobs = [line.popleft()]
        while line and len(jobs) < BATCH:
            self._tickets.get()
            jobs.append(line.popleft())
        return jobs

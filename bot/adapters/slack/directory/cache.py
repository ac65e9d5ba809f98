"""Answers of Slack's that are good for a while."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from bot.adapters.slack.send.client import pause
from core.kernel.ports import Clock

KEPT, KEPT_SECONDS = 10_000, 3600.0
# With what else is looked for before something is acknowledged, less than the three seconds that Slack waits.
PATIENCE_SECONDS = 1.5
# An answer that could not be had anew is good for so long.
STALE_SECONDS = 60.0
# What Slack does not answer for so long is answered without it.
LONGEST_UNKNOWN_SECONDS = 600.0
# A failure so long after another one is the first of its own.
APART_SECONDS = 120.0
# What reading an answer raises that is none of Slack's.
GARBLED = (AttributeError, KeyError, TypeError, ValueError)

T = TypeVar("T")


class Cache(Generic[T]):
    """Answers by id: `ask` is called once for all who want the same, and again when an answer is an hour old.

    When there is no newer answer the old one is as good; where there never was one for ten minutes, what `instead`
    says is: it is told for how many seconds there was none. While Slack wants to be left alone (429) nothing is asked.
    """

    def __init__(
        self,
        ask: Callable[[str], Awaitable[T]],
        clock: Clock,
        *,
        instead: Callable[[str, float], T] | None = None,
    ) -> None:
        self._ask, self._clock, self._instead = ask, clock, instead
        self._known: dict[str, tuple[float, T]] = {}
        self._asked: dict[str, asyncio.Task[T]] = {}
        # The first of the failures in a row, and the last.
        self._failing: dict[str, tuple[float, float]] = {}
        self._resting: tuple[float, Exception] | None = None

    def known(self, key: str) -> T | None:
        """Return the answer that is here; None when there is none, or an old one."""
        found = self._known.get(key)
        return found[1] if found and self._clock.monotonic() - found[0] < KEPT_SECONDS else None

    def put(self, key: str, value: T, age: float = 0.0) -> None:
        """Keep an answer, so many seconds old; beyond ten thousand the oldest is forgotten."""
        self._failing.pop(key, None)
        self._keep(key, value, age)

    def _keep(self, key: str, value: T, age: float) -> None:
        self._known.pop(key, None)
        self._known[key] = (self._clock.monotonic() - age, value)
        if len(self._known) > KEPT:
            del self._known[next(iter(self._known))]

    def drop(self, key: str) -> None:
        """Ask again next time."""
        self._known.pop(key, None)

    async def get(self, key: str) -> T:
        """Return the answer; raises what asking raised, or `GarbledError`."""
        found = self.known(key)
        if found is not None:
            return found
        # Somebody who waits no longer must not take the answer from the others.
        return await asyncio.shield(self.begin(key))

    def begin(self, key: str) -> asyncio.Task[T]:
        """Ask, unless that is under way; whoever wants the answer waits for the task, and nobody has to."""
        task = self._asked.get(key)
        if task is None:
            task = self._asked[key] = asyncio.create_task(self._look(key))
            task.add_done_callback(lambda _: self._asked.pop(key, None))
            # Whoever still waits is told of its error; if nobody does, that is no news.
            task.add_done_callback(lambda done: done.cancelled() or done.exception())
        return task

    async def _look(self, key: str) -> T:
        resting = self._resting if self._resting and self._clock.monotonic() < self._resting[0] else None
        try:
            if resting:
                # The same one for all: else each would add where it was raised.
                raise resting[1].with_traceback(None)
            async with asyncio.timeout(PATIENCE_SECONDS):
                found = await self._ask(key)
        except Exception as error:
            seconds = pause(error)
            if seconds is not None and not resting:
                self._resting = (self._clock.monotonic() + seconds, error)
            found = self._old(key, error)
            self._keep(key, found, KEPT_SECONDS - STALE_SECONDS)
        else:
            self.put(key, found)
        return found

    def _old(self, key: str, error: Exception) -> T:
        """Return what is as good as an answer; raises why there is none."""
        old = self._known.get(key)
        # Whoever is failing has no answer, but what was said instead.
        if old is not None and key not in self._failing:
            return old[1]
        if len(self._failing) >= KEPT:
            self._failing.clear()
        now = self._clock.monotonic()
        first, last = self._failing.get(key, (now, now))
        self._failing[key] = (now if now - last > APART_SECONDS else first, now)
        # For so long there was nothing else.
        seconds = now - self._failing[key][0]
        if self._instead is not None and seconds >= LONGEST_UNKNOWN_SECONDS:
            return self._instead(key, seconds)
        if old is not None:
            return old[1]
        if isinstance(error, GARBLED):
            raise GarbledError from error
        raise error


class GarbledError(Exception):
    """An answer of Slack's is not as Slack writes it."""

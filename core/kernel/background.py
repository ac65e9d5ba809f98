"""Small things that nobody waits for. Lossy: what they show is in the database, or soon again on the screen."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

log = logging.getLogger(__name__)

MOST_AT_ONCE = 200


class Background:
    """Does them beside all else. `described` words an error without secrets."""

    def __init__(self, described: Callable[[Exception], str]) -> None:
        self._described = described
        self._under_way: set[asyncio.Task[None]] = set()

    def do(self, what: str, work: Coroutine[Any, Any, Any]) -> None:
        """Begin something; beyond two hundred at once it is left. `what` is said when it fails."""
        if len(self._under_way) >= MOST_AT_ONCE:
            work.close()
            return
        task = asyncio.create_task(self._done(what, work))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    async def close(self) -> None:
        """Give up what is under way."""
        tasks = list(self._under_way)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _done(self, what: str, work: Awaitable[Any]) -> None:
        try:
            await work
        except Exception as error:
            log.info("%s: %s", what, self._described(error))

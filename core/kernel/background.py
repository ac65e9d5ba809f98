"""Tasks beside the work on messages: small ones that nobody waits for, and the end of any."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Coroutine
from typing import Any

log = logging.getLogger(__name__)

MOST_AT_ONCE = 200


async def cancel(tasks: Collection[asyncio.Task[Any]]) -> None:
    """Cancel tasks, and wait until all of them have ended, by whatever."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


class Background:
    """Runs small things that nobody waits for. One may be lost: what it would have shown is in the database, or is
    shown again soon. `described` words an error without secrets."""

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
        await cancel(list(self._under_way))

    async def _done(self, what: str, work: Awaitable[Any]) -> None:
        try:
            await work
        except Exception as error:
            log.info("%s: %s", what, self._described(error))

"""Showing that an answer is being worked on; lossy by nature, so not in the outbox."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from core.case import Case
from core.ports import Adapter

# A quick answer needs no sign of work, and each one costs a request.
FIRST_AFTER = 0.5
EVERY = 4.5


class Typist:
    """Shows "typing…" from half a second after the start of the work, again and again until it ends."""

    def __init__(self, adapters: Mapping[str, Adapter]) -> None:
        self._adapters = adapters

    @asynccontextmanager
    async def __call__(self, case: Case) -> AsyncIterator[None]:
        tasks: list[asyncio.Task[None]] = []
        later = asyncio.get_running_loop().call_later(
            FIRST_AFTER, lambda: tasks.append(asyncio.create_task(self._show(case)))
        )
        try:
            yield
        finally:
            later.cancel()
            for task in tasks:
                task.cancel()

    async def _show(self, case: Case) -> None:
        while True:
            await self._adapters[case.platform].typing(case.place)
            await asyncio.sleep(EVERY)

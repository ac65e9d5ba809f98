"""Meeting everybody: who is in a workspace is asked for beside all else, a few workspaces at a time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sized

from bot.adapters.slack.directory.people import MOST_PAGES, People
from bot.adapters.slack.send.client import described

log = logging.getLogger(__name__)

MOST_AT_ONCE = 8
# Of all workspaces together; a page of people takes about 0.1 MB.
MOST_PAGES_OF_ALL = 500


class Meeting:
    """Where many are `served`, fewer people of each are asked for."""

    def __init__(self, served: Sized) -> None:
        self._served = served
        self._few = asyncio.Semaphore(MOST_AT_ONCE)
        self._under_way: dict[str, asyncio.Task[None]] = {}

    def begin(self, team: str, people: People) -> None:
        """Ask who is in a workspace, and no more for those who served it before."""
        self.end(team)
        self._under_way[team] = asyncio.create_task(self._met(team, people))

    def end(self, team: str) -> None:
        """Ask no more who is in a workspace."""
        task = self._under_way.pop(team, None)
        if task is not None:
            task.cancel()

    async def close(self) -> None:
        """Give up what is under way."""
        tasks = list(self._under_way.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _met(self, team: str, people: People) -> None:
        try:
            async with self._few:
                await people.meet(max(1, min(MOST_PAGES, MOST_PAGES_OF_ALL // max(1, len(self._served)))))
        except Exception as error:
            log.info("who is in a workspace is asked for one by one: %s", described(error))
        finally:
            # Unless another task is asking there by now.
            if self._under_way.get(team) is asyncio.current_task():
                del self._under_way[team]

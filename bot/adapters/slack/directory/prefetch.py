"""Who is in a workspace is asked for at the start, in the background, a few workspaces at a time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sized

from bot.adapters.slack.directory.people import MOST_PAGES, People
from bot.adapters.slack.send.client import described
from core.kernel.background import cancel

log = logging.getLogger(__name__)

MOST_AT_ONCE = 8
# Of all workspaces together; a page of people takes about 0.1 MB.
MOST_PAGES_OF_ALL = 500


class Prefetch:
    """Asks who is in each workspace; the more are `served`, the fewer people of each. `met` hears of each workspace
    whose people were asked for."""

    def __init__(self, served: Sized, met: Callable[[str], Awaitable[None]]) -> None:
        self._served, self._met = served, met
        self._places = asyncio.Semaphore(MOST_AT_ONCE)
        self._under_way: dict[str, asyncio.Task[None]] = {}

    def begin(self, team: str, people: People) -> None:
        """Ask who is in a workspace; an asking for its former token ends."""
        self.end(team)
        self._under_way[team] = asyncio.create_task(self._meet(team, people))

    def end(self, team: str) -> None:
        """Stop asking who is in a workspace."""
        task = self._under_way.pop(team, None)
        if task is not None:
            task.cancel()

    async def close(self) -> None:
        """Stop all that is under way, and wait for its end."""
        await cancel(list(self._under_way.values()))

    async def _meet(self, team: str, people: People) -> None:
        try:
            try:
                async with self._places:
                    await people.meet(max(1, min(MOST_PAGES, MOST_PAGES_OF_ALL // max(1, len(self._served)))))
            except Exception as error:
                log.info("who is in a workspace is asked for one by one: %s", described(error))
            await self._met(team)
        except Exception as error:
            log.warning("what changed of people meanwhile is taken in at the next start: %s", described(error))
        finally:
            # Unless another task is asking there by now.
            if self._under_way.get(team) is asyncio.current_task():
                del self._under_way[team]

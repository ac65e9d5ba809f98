"""What only shows that the bot is at work: a status in a thread, or a mark on a message. Nothing here raises or waits.

https://docs.slack.dev/reference/methods/assistant.threads.setStatus: a status lasts two minutes, or until the bot posts
there. Where there can be none, 👀 is put on the message that is answered (reactions.add); never both.
"""

from __future__ import annotations

import logging

from cachetools import TLRUCache, TTLCache
from slack_sdk.errors import SlackApiError

from bot.adapters.slack.directory.workspaces import Workspace, Workspaces
from bot.adapters.slack.send.client import Wire, code, described, pause
from core.kernel.ports import Clock
from core.kernel.types import Destination
from core.language import pick

log = logging.getLogger(__name__)

EYES = "eyes"
# A status is shown again before its two minutes are over.
AGAIN_SECONDS = 90.0
HOUR = 3600.0
# A mark is wanted as long as a run may take.
WANTED_SECONDS = HOUR
MOST_PLACES = 1000

Place = tuple[str, str, str]


class Decoration:
    """Statuses and marks, by place: workspace, channel and thread."""

    def __init__(self, workspaces: Workspaces, wire: Wire, clock: Clock) -> None:
        self._workspaces, self._wire = workspaces, wire
        timer = clock.monotonic
        # Places where a status stands, or none is to be tried, each with the seconds that this lasts.
        self._settled: TLRUCache[Place, float, float] = TLRUCache(MOST_PLACES, lambda _, rest, now: now + rest, timer)
        self._without: TTLCache[Place, bool, float] = TTLCache(MOST_PLACES, HOUR, timer)
        self._wanted: TTLCache[Place, str, float] = TTLCache(MOST_PLACES, WANTED_SECONDS, timer)

    def posted(self, to: Destination) -> None:
        """Note that a message went to a place: the status there is gone."""
        self._settled.pop(place_of(to), None)

    async def typing(self, to: Destination, language: str = "") -> None:
        """Show the status in a language, unless it is there still."""
        place, workspace = place_of(to), self._reached(to)
        if workspace is None or not to.thread or place in self._without or place in self._settled:
            return
        # Before the call: another one is not to begin while this one is on its way.
        self._settled[place] = AGAIN_SECONDS
        status = pick(language)["slack_thinking"]
        try:
            await workspace.client.assistant_threads_setStatus(channel_id=to.chat, thread_ts=to.thread, status=status)
        except Exception as error:
            wait = pause(error)
            if wait is not None:
                # Rest for as long as Slack asks.
                self._settled[place] = wait
                return
            self._settled.pop(place, None)
            if isinstance(error, SlackApiError) and code(error):
                # It refuses: the mark that was held back is put.
                self._without[place] = True
                if message := self._wanted.get(place):
                    await self._react(workspace, to.chat, message, working=True)
            log.debug("a status was not shown: %s", described(error))

    async def mark(self, to: Destination, message_id: str, *, working: bool) -> None:
        """Put 👀 on a message where no status can be shown, or take it away."""
        place, workspace = place_of(to), self._reached(to)
        if working:
            self._wanted[place] = message_id
        else:
            self._wanted.pop(place, None)
        if workspace is not None and (not to.thread or place in self._without):
            await self._react(workspace, to.chat, message_id, working=working)

    async def _react(self, workspace: Workspace, channel: str, message: str, *, working: bool) -> None:
        call = workspace.client.reactions_add if working else workspace.client.reactions_remove
        try:
            await call(channel=channel, timestamp=message, name=EYES)
        except Exception as error:
            # Decoration: the answer must not fail because of it.
            log.debug("a mark was not shown: %s", described(error))

    def _reached(self, to: Destination) -> Workspace | None:
        workspace = self._workspaces.get(to.tenant)
        resting = workspace is None or self._wire.closed or workspace.rate_limit.resting()
        return None if resting else workspace


def place_of(to: Destination) -> Place:
    """Return the place of a destination: its workspace, channel and thread."""
    return to.tenant, to.chat, to.thread

"""Answers that grow while a model writes them. Decoration: nothing here raises, and nobody waits for it.

https://docs.slack.dev/reference/methods/chat.startStream: a stream is an answer in a thread; outside of channels it
needs no recipient. What is posted in the end goes through the outbox whatever was shown, and the stream is taken away
then (chat.stopStream, chat.delete). After a crash nobody knows of it any more: it stays, broken off.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.slack.directory.workspaces import Workspaces
from bot.adapters.slack.send.activity import HOUR, Place, place_of
from bot.adapters.slack.send.client import Wire, code, described, fields, pause
from bot.adapters.slack.send.stream_growth import Share, Stream, ready
from core.kernel.ports import Clock
from core.kernel.ttl_cache import Fading
from core.kernel.types import Destination

log = logging.getLogger(__name__)

# chat.startStream is Tier 2, chat.appendStream Tier 4: calls a minute in a workspace.
STARTS, APPENDS = 20, 100
# By these Slack says that it will never do it for this app.
NEVER = frozenset({"unknown_method", "missing_scope", "not_allowed_token_type", "deprecated_endpoint"})
TRIES = 3
# A private conversation of the bot with one person.
DIRECT = "D"

Begun = Callable[[Destination], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rhythm:
    """Seconds: between two appends, until a draft that nobody goes on with is taken away, before its removal is tried
    again, and for the last removals at the end."""

    gap: float = 1.5
    patience: float = 30.0
    again: float = 5.0
    parting: float = 3.0


class Streaming:
    """The streams there are now, one a place."""

    def __init__(
        self, workspaces: Workspaces, wire: Wire, clock: Clock, begun: Begun, rhythm: Rhythm | None = None
    ) -> None:
        """`begun` hears of each stream that has appeared: what was shown there before is gone."""
        self._workspaces, self._wire, self._clock, self._begun = workspaces, wire, clock, begun
        self._rhythm = rhythm or Rhythm()
        self._streams: dict[Place, Stream] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._starts, self._appends = Share(clock, STARTS), Share(clock, APPENDS)
        self._without: Fading[tuple[str, str], bool] = Fading(clock)
        self._resting: Fading[str, bool] = Fading(clock)
        self._answered: Fading[Place, int] = Fading(clock)
        self._never: set[str] = set()
        self._closed = False

    def able(self, to: Destination) -> bool:
        """Whether a place may have streams at all: threads of private conversations."""
        return bool(to.thread) and to.chat.startswith(DIRECT) and not to.response_url and to.tenant not in self._never

    def write(self, to: Destination, draft_id: int, text: str) -> bool:
        """Note what is written so far; returns whether it is shown, now or soon."""
        place, shown = place_of(to), ready(text)
        stream = self._streams.get(place)
        if stream is not None and stream.draft_id != draft_id:
            stream.end()
            stream = None
        if stream is None and shown and self._may_start(place, draft_id):
            stream = self._start(to, draft_id)
        return stream is not None and stream.write(shown)

    def posted(self, to: Destination) -> None:
        """A message went to a place: its stream is taken away, and what it showed does not come again."""
        if stream := self._streams.pop(place_of(to), None):
            self._answered.keep(stream.place, stream.draft_id, HOUR)
            stream.end()

    async def close(self) -> None:
        """Take all streams away, as far as there is time."""
        self._closed = True
        for stream in self._streams.values():
            stream.end()
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=self._rhythm.parting)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    def _may_start(self, place: Place, draft_id: int) -> bool:
        team, chat, _ = place
        resting = self._resting.get(team) or self._without.get((team, chat)) or self._answered.get(place) == draft_id
        return not (resting or self._closed) and self._client(team) is not None and self._starts.take(team)

    def _client(self, team: str) -> AsyncWebClient | None:
        """The way to a workspace, unless it wants to be left alone."""
        workspace = self._workspaces.get(team)
        return None if workspace is None or self._wire.closed or workspace.pace.resting() else workspace.client

    def _start(self, to: Destination, draft_id: int) -> Stream:
        stream = self._streams[place_of(to)] = Stream(place_of(to), draft_id)
        task = asyncio.create_task(self._run(to, stream))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return stream

    async def _run(self, to: Destination, stream: Stream) -> None:
        """Show a stream until it ends, or nobody goes on with it."""
        if await self._called(stream, self._open):
            self._begun(to)
            while not await stream.over(self._rhythm.gap) and await stream.written(self._rhythm.patience):
                if not stream.broken and stream.rest and self._appends.take(stream.place[0]):
                    stream.broken = not await self._called(stream, self._append)
        if self._streams.get(stream.place) is stream:
            del self._streams[stream.place]
        if stream.ts:
            await self._remove(stream)

    async def _called(self, stream: Stream, call: Callable[[Stream, AsyncWebClient], Awaitable[None]]) -> bool:
        client = self._client(stream.place[0])
        try:
            if client is not None:
                await call(stream, client)
        except Exception as error:
            # Decoration: the answer must not fail because of it.
            self._failed(stream.place, error)
            return False
        return client is not None

    async def _open(self, stream: Stream, client: AsyncWebClient) -> None:
        _, channel, thread = stream.place
        text = stream.wanted
        answer = await client.chat_startStream(channel=channel, thread_ts=thread, markdown_text=text)
        stream.ts, stream.shown = str(fields(answer.data).get("ts") or ""), text

    async def _append(self, stream: Stream, client: AsyncWebClient) -> None:
        rest = stream.rest
        await client.chat_appendStream(channel=stream.place[1], ts=stream.ts, markdown_text=rest)
        stream.shown += rest

    def _failed(self, place: Place, error: Exception) -> None:
        """Rest as long as Slack asks, for an hour in this chat, or for good in this workspace."""
        team, chat, _ = place
        wait = pause(error)
        if wait is not None:
            self._resting.keep(team, value=True, seconds=wait)
        elif code(error) in NEVER and team not in self._never:
            self._never.add(team)
            log.warning("answers are not shown while they are written in workspace %s (%s)", team, described(error))
        else:
            self._without.keep((team, chat), value=True, seconds=HOUR)
            log.debug("an answer was not shown while it was written: %s", described(error))

    async def _remove(self, stream: Stream) -> None:
        team, channel, _ = stream.place
        await self._surely(team, lambda client: client.chat_stopStream(channel=channel, ts=stream.ts))
        await self._surely(team, lambda client: client.chat_delete(channel=channel, ts=stream.ts))

    async def _surely(self, team: str, call: Callable[[AsyncWebClient], Awaitable[object]]) -> None:
        """Make a call, some times over where that may help."""
        for _ in range(TRIES):
            workspace = self._workspaces.get(team)
            # Tried even while the workspace rests: nobody comes again.
            if workspace is None or self._wire.closed:
                return
            try:
                await call(workspace.client)
            except Exception as error:
                log.debug("a shown answer was not taken away: %s", described(error))
                wait = pause(error)
                if wait is None and isinstance(error, SlackApiError) and code(error):
                    return
                await self._clock.sleep(wait or self._rhythm.again)
            else:
                return

"""What was said while nobody listened: Slack gives up after three tries, and keeps no list of what it gave up.

After each connection the conversations are read from shortly before the last thing that was heard
(conversations.history, conversations.replies). What is here already is known by its key.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from typing import Any

from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from bot.adapters.slack.client import GONE, code, fields, pause
from bot.adapters.slack.parsing_messages import TS, instant, is_private, order, text_of
from bot.adapters.slack.people import Served
from bot.adapters.slack.receiving import CURSOR, Receiver
from bot.adapters.slack.texts import people_in
from core.ports import Clock, Intake
from core.types import Millis

log = logging.getLogger(__name__)

KINDS = ("im", "mpim", "public_channel", "private_channel")
MOST_CHANNELS, MOST_THREADS, MOST_MESSAGES = 50, 100, 200
MARGIN: Millis = 60_000
THREADS_SINCE: Millis = 7 * 86_400_000
# Tier 3 is fifty calls a minute, with bursts.
BURST, SECONDS_A_CALL = 40, 1.2
CALL_SECONDS = 15.0
MOST_TRIES = 4
# One conversation that cannot be read must not keep us from the others.
PASSED_OVER = GONE | {"thread_not_found", "message_not_found", "missing_scope"}

Call = Callable[..., Awaitable[AsyncSlackResponse]]
Event = dict[str, Any]


class CatchUp:
    """Reads what one workspace said meanwhile."""

    def __init__(self, receiver: Receiver, clock: Clock) -> None:
        self._receiver, self._clock = receiver, clock
        self._lacking: set[str] = set()

    async def run(self, at: Served, intake: Intake) -> None:
        """Take in what was missed, oldest first; then, and not before, the cursor moves on.

        Raises when Slack or the database does not answer: what is missing is still to be read then.
        """
        stored = await intake.cursor(at.tenant, CURSOR)
        if stored is None or not TS.fullmatch(stored):
            # Nothing was missed before the first start.
            stored = _stamp(self._clock.now())
        else:
            stored = max([stored, *await self._catch_up(at, intake, instant(stored) - MARGIN)], key=order)
        newest = max(stored, self._receiver.heard(at.me.team) or stored, key=order)
        await intake.accept(at.tenant, [], (CURSOR, newest))
        self._receiver.current.add(at.me.team)

    async def _catch_up(self, at: Served, intake: Intake, since: Millis) -> list[str]:
        """Take in what was said since then; return the time stamps of all of it."""
        reader = _Reader(at, self._clock, _stamp(since), self._lacking)
        found = await reader.all(await intake.threads(at.tenant, self._clock.now() - THREADS_SINCE))
        for event in sorted(found, key=lambda one: order(one["ts"])):
            await self._receiver.event(at, event, live=False)
        if found:
            log.info("%s messages were looked at that came while nobody listened", len(found))
        return [one["ts"] for one in found]


class _Reader:
    """Reads conversations from `oldest` on, at Slack's pace. `lacking` are the methods without a scope, for good."""

    def __init__(self, at: Served, clock: Clock, oldest: str, lacking: set[str]) -> None:
        self._at, self._clock, self._oldest, self._lacking = at, clock, oldest, lacking
        self._calls = 0

    async def all(self, threads: Iterable[tuple[str, str]]) -> list[Event]:
        """Return what is for us, as events: all of a private conversation, else mentions and our threads."""
        known = [(chat, thread) for chat, thread in threads if TS.fullmatch(thread)]
        found: dict[tuple[str, str], Event] = {}
        async for channel in self._channels():
            for message in await self._history(channel):
                event = _event(message, channel)
                ours = is_private(channel) or self._is_ours(message)
                if event and (ours or (channel, text_of(event, "thread_ts")) in known):
                    found[channel, event["ts"]] = event
                if event and ours and text_of(message, "latest_reply"):
                    known.append((channel, event["ts"]))
        for channel, thread in list(dict.fromkeys(known))[:MOST_THREADS]:
            for message in await self._replies(channel, thread):
                if event := _event(message, channel):
                    found.setdefault((channel, event["ts"]), event)
        return list(found.values())

    def _is_ours(self, message: Mapping[str, Any]) -> bool:
        return self._at.me.user in people_in(text_of(message, "text"))

    async def _channels(self) -> AsyncIterator[str]:
        """Yield the conversations that the bot is in, private ones first (users.conversations)."""
        left = MOST_CHANNELS
        for kind in KINDS:
            page = await self._ask(
                f"users.conversations of {kind}",
                self._at.workspace.client.users_conversations,
                types=kind,
                exclude_archived=True,
                limit=MOST_MESSAGES,
            )
            for one in _objects(page, "channels")[:left]:
                left -= 1
                yield text_of(one, "id")

    async def _history(self, channel: str) -> list[Event]:
        read = self._at.workspace.client.conversations_history
        page = await self._ask(
            f"conversations.history of {channel[:1]}", read, channel=channel, oldest=self._oldest, limit=MOST_MESSAGES
        )
        return _objects(page, "messages")

    async def _replies(self, channel: str, thread: str) -> list[Event]:
        read = self._at.workspace.client.conversations_replies
        page = await self._ask(
            f"conversations.replies of {channel[:1]}",
            read,
            channel=channel,
            ts=thread,
            oldest=self._oldest,
            limit=MOST_MESSAGES,
        )
        since = instant(self._oldest)
        return [one for one in _objects(page, "messages") if _instant(one) >= since]

    async def _ask(self, what: str, method: Call, **arguments: Any) -> Mapping[str, Any]:
        """Call a method in turn; an empty answer where nothing may be read. Raises when Slack does not answer."""
        if what in self._lacking:
            return {}
        for _ in range(MOST_TRIES):
            await self._wait()
            try:
                async with asyncio.timeout(CALL_SECONDS):
                    return fields((await method(**arguments)).data)
            except SlackApiError as error:
                if code(error) in PASSED_OVER:
                    return self._passed_over(what, code(error))
                if (seconds := pause(error)) is None:
                    raise
                await self._clock.sleep(seconds)
        raise TimeoutError

    def _passed_over(self, what: str, why: str) -> Mapping[str, Any]:
        if why == "missing_scope":
            self._lacking.add(what)
            log.warning("what is missed cannot be read: %s needs another scope", what)
        return {}

    async def _wait(self) -> None:
        self._calls += 1
        if self._calls > BURST:
            await self._clock.sleep(SECONDS_A_CALL)


def _objects(page: Mapping[str, Any], name: str) -> list[Event]:
    found = page.get(name)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _event(message: Event, channel: str) -> Event | None:
    """Return a message as the event that it came by, or should have; None for what is none."""
    if not TS.fullmatch(text_of(message, "ts")):
        return None
    return {**message, "type": "message", "channel": channel}


def _instant(message: Event) -> Millis:
    ts = text_of(message, "ts")
    return instant(ts) if TS.fullmatch(ts) else -1


def _stamp(at: Millis) -> str:
    return f"{max(0, at) // 1000}.{max(0, at) % 1000:03d}000"

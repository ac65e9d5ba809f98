"""Reading what was said, page by page and at Slack's pace (conversations.history, conversations.replies).

A round is left and taken up again between any two calls; it is over when every conversation was read to its end.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from slack_sdk.errors import SlackApiError

from bot.adapters.slack.backfill.semaphore import Room
from bot.adapters.slack.directory.people import Served
from bot.adapters.slack.parse.messages import TS, instant, is_private, order, text_of
from bot.adapters.slack.parse.text import people_in
from bot.adapters.slack.send.client import PASSING, UNKNOWN_END, code, fields, pause, status
from core.kernel.ports import Clock
from core.kernel.types import Millis

log = logging.getLogger(__name__)

KINDS = ("im", "mpim", "public_channel", "private_channel")
PAGE = 200
# What is read begins before the cursor, because Slack hands things over in no order.
MARGIN: Millis = 60_000
# Threads that began so long before are seen to have gone on, as far as one page of a conversation goes.
ROOTS: Millis = 86_400_000
# Tier 3 is fifty calls a minute, with bursts.
BURST, SECONDS_A_CALL = 40, 1.2
CALL_SECONDS = 15.0
MOST_TRIES = 4
# When so many conversations cannot be read now, it is Slack that does not answer.
MOST_FAILURES = 3
# These are about the token, whatever is read with it.
NO_TOKEN = frozenset({
    *("invalid_auth", "not_authed", "token_revoked", "token_expired", "account_inactive", "not_allowed_token_type"),
    *("org_login_required", "two_factor_setup_required", "accesslimited", "app_uninstalled"),
})
SERVER_ERROR = 500

Event = dict[str, Any]
Page = Mapping[str, Any]


class Tier:
    """Keeps the calls of one workspace below Slack's limit."""

    def __init__(self, clock: Clock, room: Room) -> None:
        self._clock, self._room = clock, room
        self._free, self._at = float(BURST), clock.monotonic()

    async def turn(self) -> None:
        """Wait until one more call may be made."""
        now = self._clock.monotonic()
        self._free = min(float(BURST), self._free + (now - self._at) / SECONDS_A_CALL) - 1
        self._at = now
        if self._free < 0:
            await self._room.wait(-self._free * SECONDS_A_CALL)


@dataclass(frozen=True, slots=True)
class Step:
    """One call to be made: the next page of the `conversations` of a kind, of a `history`, of `replies`, or one page of
    `roots`, which were said before, or of a `day`: the newest of a private chat, and of its roots.
    """

    what: str
    place: str
    thread: str = ""
    cursor: str = ""


class Round:
    """What was said in one workspace since `stored`, a time stamp, up to the beginning of the round.

    `events` are those for us that were read: all of private conversations, mentions, and our threads. `newest` is how
    far all has been read, once the round is over.
    """

    def __init__(
        self,
        at: Served,
        clock: Clock,
        tier: Tier,
        room: Room,
        *,
        number: int,
        stored: str,
        spoken: Iterable[tuple[str, str]],
        told: set[tuple[str, ...]],
    ) -> None:
        """`spoken` are our threads, by channel; `told` is what was logged of what may not be read."""
        self.number, self.stored, self.newest = number, stored, stored
        self.events: dict[tuple[str, str], Event] = {}
        self.failure: Exception | None = None
        self._at, self._clock, self._tier, self._room = at, clock, tier, room
        self._since = max(0, instant(stored) - MARGIN)
        self._began = time_stamp(clock.now())
        self._ours = {(chat, thread) for chat, thread in spoken if TS.fullmatch(thread)}
        self._todo = deque(Step("conversations", kind) for kind in KINDS)
        self._again: list[Step] = []
        self._threads: set[tuple[str, str]] = set()
        self._seen: set[tuple[str, str]] = set()
        # By kind of conversations why they may not be listed.
        self._refused: dict[str, str] = {}
        self._told = told

    @property
    def over(self) -> bool:
        """Whether everything was read, and taken away."""
        return not (self._todo or self._again or self.events)

    @property
    def stuck(self) -> bool:
        """Whether all that is left is what could not be had so far."""
        return not self._todo

    def reached(self, ts: str) -> None:
        """Note that something was said at a time; what was said since the beginning may not all be here."""
        if order(ts) <= order(self._began):
            self.newest = max(self.newest, ts, key=order)

    async def read(self, calls: int) -> None:
        """Go on for so many calls. Raises when the token is good for nothing, or Slack does not answer at all.

        What cannot be read now is a `failure`, and is tried again when this is called again.
        """
        self._todo.extend(self._again)
        self._again, failures = [], 0
        while self._todo and calls > 0:
            step = self._todo.popleft()
            try:
                page, tries = await self._page(step)
            except Exception as error:
                self._again.append(step)
                self.failure, failures, calls = error, failures + 1, calls - 1
                if code(error) in NO_TOKEN or failures >= MOST_FAILURES:
                    raise
            else:
                calls -= tries
                self._take(step, page)

    async def _page(self, step: Step) -> tuple[Page, int]:
        """Make a call; return its answer, an empty one where nothing may be read, and how many calls that cost.

        One that had to wait for a minute counts as many: other workspaces are waiting, too.
        """
        for tried in range(MOST_TRIES):
            await self._tier.turn()
            try:
                async with asyncio.timeout(CALL_SECONDS):
                    return await self._call(step), 1 + tried * BURST // MOST_TRIES
            except SlackApiError as error:
                seconds = pause(error)
                if seconds is None and not _is_certain(error):
                    raise
                if seconds is None:
                    return self._passed_over(step, error), 1
            await self._room.wait(seconds)
        raise TimeoutError

    async def _call(self, step: Step) -> Page:
        web, oldest = self._at.workspace.client, time_stamp(self._since)
        earlier = time_stamp(self._since - ROOTS)
        more: dict[str, Any] = {"cursor": step.cursor} if step.cursor else {}
        match step.what:
            case "conversations":
                found = await web.users_conversations(types=step.place, exclude_archived=True, limit=PAGE, **more)
            case "history":
                found = await web.conversations_history(channel=step.place, oldest=oldest, limit=PAGE, **more)
            case "roots" | "day":
                # Where its end is named, too, the newest come first.
                end = oldest if step.what == "roots" else time_stamp(self._clock.now() + ROOTS)
                found = await web.conversations_history(channel=step.place, oldest=earlier, latest=end, limit=PAGE)
            case _:
                found = await web.conversations_replies(
                    channel=step.place, ts=step.thread, oldest=oldest, limit=PAGE, **more
                )
        return fields(found.data)

    def _passed_over(self, step: Step, error: SlackApiError) -> Page:
        """One conversation that may not be read must not keep us from the others."""
        if step.what == "conversations":
            self._note_refused(step.place, error)
        news = (self._at.me.team, step.what, code(error))
        if news not in self._told:
            self._told.add(news)
            log.warning("what was missed cannot be read everywhere: workspace %s, %s: %s", *news)
        return {}

    def _note_refused(self, kind: str, error: SlackApiError) -> None:
        """Where no kind may be read, and not for want of scopes, all are to be asked for again; raises the error."""
        self._refused[kind] = code(error)
        wrong = [one for one, why in self._refused.items() if why != "missing_scope"]
        if wrong and len(self._refused) == len(KINDS):
            self._todo.extend(Step("conversations", one) for one in wrong if one != kind)
            self._refused = {one: why for one, why in self._refused.items() if one not in wrong}
            raise error

    def _take(self, step: Step, page: Page) -> None:
        """Keep what a page says, and go on to what it leads to."""
        cursor = text_of(fields(page.get("response_metadata")), "next_cursor")
        if cursor and step.what == "day":
            # Too much to be told by one call: what is missing is read from where it begins, and this tells of threads.
            self._todo.appendleft(Step("history", step.place))
            step = replace(step, what="roots")
        elif cursor and step.what != "roots":
            # A conversation is read to its end before the next, in the order of what was said.
            self._todo.appendleft(replace(step, cursor=cursor))
        if step.what == "conversations":
            for one in _objects(page, "channels"):
                self._open(text_of(one, "id"))
            return
        messages = sorted((one for one in _objects(page, "messages") if TS.fullmatch(text_of(one, "ts"))), key=_order)
        for message in messages:
            self._message(step, message)
            self._seen.add((step.place, message["ts"]))
        if step.what in ("roots", "day"):
            self._earlier(step.place)

    def _open(self, channel: str) -> None:
        if channel:
            # Of a private chat one call tells what is new and the threads of the day before, unless that is much.
            told = [Step("day", channel)] if is_private(channel) else [Step("history", channel), Step("roots", channel)]
            self._todo += told

    def _earlier(self, channel: str) -> None:
        """Read those of our threads in a conversation of which it was not seen that nothing was said there."""
        for thread in sorted(thread for chat, thread in self._ours if chat == channel):
            if (channel, thread) not in self._seen:
                self._thread(channel, thread)

    def _message(self, step: Step, message: Event) -> None:
        channel, ts = step.place, message["ts"]
        root = step.thread or text_of(message, "thread_ts") or ts
        if self._at.me.user in people_in(text_of(message, "text")):
            # What follows in its thread is said to us.
            self._ours.add((channel, root))
        if _instant(text_of(message, "latest_reply")) >= self._since and step.what != "replies":
            self._thread(channel, ts)
        if step.what == "roots" or _instant(ts) < self._since:
            return
        self.reached(ts)
        if is_private(channel) or (channel, root) in self._ours:
            self.events[channel, ts] = {**message, "type": "message", "channel": channel}

    def _thread(self, channel: str, thread: str) -> None:
        if (channel, thread) not in self._threads:
            self._threads.add((channel, thread))
            self._todo.append(Step("replies", channel, thread))


def time_stamp(at: Millis) -> str:
    """Return a time as Slack writes it."""
    return f"{max(0, at) // 1000}.{max(0, at) % 1000:03d}000"


def _is_certain(error: SlackApiError) -> bool:
    """Whether an answer stays the same, however often one asks."""
    said = code(error)
    return bool(said) and said not in NO_TOKEN | PASSING | UNKNOWN_END and status(error) < SERVER_ERROR


def _objects(page: Page, name: str) -> list[Event]:
    found = page.get(name)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _order(message: Event) -> int:
    return order(message["ts"])


def _instant(ts: str) -> Millis:
    return instant(ts) if TS.fullmatch(ts) else -1

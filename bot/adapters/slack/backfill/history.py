"""Reading what was said, page by page and at Slack's pace (conversations.history, conversations.replies).

A scan is left and taken up again between any two calls; it is over when every conversation was read to its end.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

from slack_sdk.errors import SlackApiError

from bot.adapters.slack.backfill.calls import NO_TOKEN, HistoryCalls, Page, Step, time_stamp
from bot.adapters.slack.parse.messages import TS, instant, is_private, order, text_of
from bot.adapters.slack.parse.text import people_in
from bot.adapters.slack.send.client import code, is_lasting, next_cursor
from core.kernel.types import MINUTE, Millis

log = logging.getLogger(__name__)

KINDS = ("im", "mpim", "public_channel", "private_channel")
# What is read begins before the cursor, because Slack hands things over in no order.
MARGIN: Millis = MINUTE
NO_THREAD = "thread_not_found"
# When so many conversations cannot be read now, it is Slack that does not answer.
MOST_FAILURES = 3

Event = dict[str, Any]


class HistoryScan:
    """What was said in one workspace since `stored`, a time stamp, up to the beginning of the scan.

    `events` are those for us that were read: all of private conversations, mentions, and our threads. `newest` is how
    far all has been read, once the scan is over.
    """

    def __init__(
        self,
        calls: HistoryCalls,
        *,
        began: Millis,
        look: int,
        stored: str,
        spoken: Sequence[tuple[str, str]],
        logged: set[tuple[str, ...]],
    ) -> None:
        """`look` is the number of the look that it is for (`Watch`); `spoken` are our threads, by channel, and the
        chats without one, where somebody spoke last first; `logged` is what the log has of what may not be read."""
        self.look, self.stored, self.newest = look, stored, stored
        self.events: dict[tuple[str, str], Event] = {}
        self.failure: Exception | None = None
        self._calls, self._me, self._logged = calls, calls.workspace.me, logged
        self._since = max(0, instant(stored) - MARGIN)
        self._began = time_stamp(began)
        self._ours = {(chat, thread) for chat, thread in spoken if TS.fullmatch(thread)}
        self._todo = deque(Step("conversations", kind) for kind in KINDS)
        # Where people spoke with the bot last is read first: all of it may take long.
        self._order = {chat: n for n, chat in enumerate(dict.fromkeys(chat for chat, _ in spoken))}
        self._again: list[Step] = []
        self._threads: set[tuple[str, str]] = set()
        self._seen: set[tuple[str, str]] = set()
        # By kind of conversations why they may not be listed.
        self._refused: dict[str, str] = {}
        # Whether something was found that nobody has tried to take in.
        self._found = False

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

    async def read(self, calls: int, take_in: Callable[[], Awaitable[None]]) -> None:
        """Go on for so many calls. Raises when the token is good for nothing, or Slack does not answer at all.

        What cannot be read now is a `failure`, and is tried again when this is called again. What was found is taken in
        before a call that has to wait: a whole look may take minutes.
        """
        self._todo.extend(self._again)
        self._again, failures = [], 0
        # Nobody waits a minute for what is here already.
        while self._todo and calls > 0 and not (self.events and self._calls.rest(self._todo[0])):
            if self._found and self._calls.pause():
                self._found = False
                await take_in()
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
        """Make a call; return its answer, an empty one where nothing may be read, and how many calls that cost."""
        try:
            return await self._calls.page(step, self._since)
        except SlackApiError as error:
            if not is_lasting(error, NO_TOKEN):
                raise
            # One conversation that may not be read must not keep us from the others.
            if step.what == "conversations":
                self._note_refused(step.place, error)
            news = (self._me.team, step.what, code(error))
            # A thread that is not found has nothing to be read: what began it was deleted, and nobody has answered.
            if code(error) != NO_THREAD and news not in self._logged:
                self._logged.add(news)
                log.warning("what was missed cannot be read everywhere: workspace %s, %s: %s", *news)
            return {}, 1

    def _note_refused(self, kind: str, error: SlackApiError) -> None:
        """Note that a kind of conversations may not be listed.

        Raises the error where that is so of all kinds, and not for want of scopes: they are asked for again then.
        """
        self._refused[kind] = code(error)
        wrong = [one for one, why in self._refused.items() if why != "missing_scope"]
        if wrong and len(self._refused) == len(KINDS):
            self._todo.extend(Step("conversations", one) for one in wrong if one != kind)
            self._refused = {one: why for one, why in self._refused.items() if one not in wrong}
            raise error

    def _take(self, step: Step, page: Page) -> None:
        """Keep what a page says, and go on to what it leads to."""
        cursor = next_cursor(page)
        if cursor and step.what == "day":
            # Too much to be told by one call: what is missing is read from where it begins, and this tells of threads.
            self._todo.appendleft(Step("history", step.place))
            step = replace(step, what="roots")
        elif cursor and step.what != "roots":
            # A conversation is read to its end before the next, in the order of what was said.
            self._todo.appendleft(replace(step, cursor=cursor))
        if step.what == "conversations":
            for channel in filter(None, (text_of(one, "id") for one in _objects(page, "channels"))):
                # Of a private chat one call tells what is new and the threads of the day before, unless that is much.
                whats = ("day",) if is_private(channel) else ("history", "roots")
                self._todo += [Step(what, channel) for what in whats]
            # All are listed before the first is read.
            last = len(self._order)
            listing = deque(one for one in self._todo if one.what == "conversations")
            reading = (one for one in self._todo if one.what != "conversations")
            self._todo = listing + deque(sorted(reading, key=lambda one: self._order.get(one.place, last)))
            return
        messages = [one for one in _objects(page, "messages") if TS.fullmatch(text_of(one, "ts"))]
        for message in sorted(messages, key=lambda one: order(one["ts"])):
            self._message(step, message)
            self._seen.add((step.place, message["ts"]))
        if step.what in ("roots", "day"):
            # Our threads there are read, but for those of which it was seen that nothing was said in them.
            for thread in sorted(thread for chat, thread in self._ours if chat == step.place):
                if (step.place, thread) not in self._seen:
                    self._thread(step.place, thread)

    def _message(self, step: Step, message: Event) -> None:
        channel, ts = step.place, message["ts"]
        root = step.thread or text_of(message, "thread_ts") or ts
        mentioned = self._me.user in people_in(text_of(message, "text"))
        if mentioned:
            # What follows in its thread is said to us.
            self._ours.add((channel, root))
        latest = text_of(message, "latest_reply")
        if TS.fullmatch(latest) and instant(latest) >= self._since and step.what != "replies":
            self._thread(channel, ts, went_on=True)
        if step.what == "roots" or instant(ts) < self._since:
            return
        self.reached(ts)
        # What began a thread was said before we spoke in it.
        ours = ts != root and (channel, root) in self._ours
        if is_private(channel) or mentioned or ours:
            self.events[channel, ts] = {**message, "type": "message", "channel": channel}
            self._found = True

    def _thread(self, channel: str, thread: str, *, went_on: bool = False) -> None:
        """Have a thread read: with its conversation, if it `went_on`; else last, since it may not have."""
        if (channel, thread) in self._threads:
            return
        self._threads.add((channel, thread))
        here = next((n for n, one in enumerate(self._todo) if one.place != channel), len(self._todo))
        self._todo.insert(here if went_on else len(self._todo), Step("replies", channel, thread))


def _objects(page: Page, name: str) -> list[Event]:
    found = page.get(name)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []

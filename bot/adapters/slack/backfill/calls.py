"""The calls by which one workspace's conversations are read, at the pace that Slack allows.

They are users.conversations, conversations.history and conversations.replies.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from slack_sdk.errors import SlackApiError

from bot.adapters.slack.backfill.semaphore import Room
from bot.adapters.slack.directory.people import Served
from bot.adapters.slack.send.client import fields, pause
from bot.adapters.slack.send.rate_limit import HISTORY, REPLIES
from core.kernel.ports import Clock
from core.kernel.types import DAY, Millis

PAGE = 200
# Threads that began so long before are seen to have gone on, as far as one page of a conversation goes.
ROOTS: Millis = DAY
# Tier 3 is fifty calls a minute, with bursts.
BURST, SECONDS_A_CALL = 40, 1.2
CALL_SECONDS = 15.0
MOST_TRIES = 4
# These are about the token, whatever is read with it.
NO_TOKEN = frozenset({
    *("invalid_auth", "not_authed", "token_revoked", "token_expired", "account_inactive", "not_allowed_token_type"),
    *("org_login_required", "two_factor_setup_required", "accesslimited", "app_uninstalled"),
})
Page = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Step:
    """One call to be made: the next page of the `conversations` of a kind, of a `history`, of `replies`, or one page of
    `roots`, which were said before, or of a `day`: the newest of a private chat, and of its roots.
    """

    what: str
    place: str
    thread: str = ""
    cursor: str = ""


class HistoryCalls:
    """Makes the calls of one workspace, and keeps them below Slack's limit; who waits gives up its place in `room`."""

    def __init__(self, workspace: Served, clock: Clock, room: Room) -> None:
        self.workspace = workspace
        self._clock, self._room = clock, room
        self._free, self._at = float(BURST), clock.monotonic()

    def rest(self, step: Step) -> float:
        """Return the seconds until Slack allows a call, where it does so once a minute."""
        method = _method(step)
        return self.workspace.workspace.history.wait(method) if method else 0.0

    def pause(self) -> float:
        """Return the seconds that the next call has to wait for the pace of all calls."""
        return max(0.0, 1 - self._allowed()) * SECONDS_A_CALL

    def _allowed(self) -> float:
        return min(float(BURST), self._free + (self._clock.monotonic() - self._at) / SECONDS_A_CALL)

    async def page(self, step: Step, since: Millis) -> tuple[Page, int]:
        """Make a call; return its answer, and how many calls that cost.

        One that had to wait for a minute counts as many: other workspaces are waiting, too.
        """
        method, limit = _method(step), self.workspace.workspace.history
        for tried in range(MOST_TRIES):
            while wait := limit.take(method) if method else 0.0:
                await self._room.wait(wait)
            self._free, self._at = self._allowed() - 1, self._clock.monotonic()
            if self._free < 0:
                await self._room.wait(-self._free * SECONDS_A_CALL)
            try:
                async with asyncio.timeout(CALL_SECONDS):
                    return await self._call(step, since), 1 + tried * BURST // MOST_TRIES
            except SlackApiError as error:
                seconds = pause(error)
                if seconds is None:
                    raise
                if method:
                    limit.refused(method, seconds)
            await self._room.wait(seconds)
        raise TimeoutError

    async def _call(self, step: Step, since: Millis) -> Page:
        web, most = self.workspace.workspace.client, self.workspace.workspace.history.most(PAGE)
        oldest, earlier = time_stamp(since), time_stamp(since - ROOTS)
        more: dict[str, Any] = {"cursor": step.cursor} if step.cursor else {}
        match step.what:
            case "conversations":
                response = await web.users_conversations(types=step.place, exclude_archived=True, limit=PAGE, **more)
            case "history":
                response = await web.conversations_history(channel=step.place, oldest=oldest, limit=most, **more)
            case "roots" | "day":
                # Where its end is named, too, the newest come first.
                end = oldest if step.what == "roots" else time_stamp(self._clock.now() + ROOTS)
                response = await web.conversations_history(channel=step.place, oldest=earlier, latest=end, limit=most)
            case _:
                response = await web.conversations_replies(
                    channel=step.place, ts=step.thread, oldest=oldest, limit=most, **more
                )
        return fields(response.data)


def _method(step: Step) -> str:
    """Return the method that is allowed once a minute, where a step calls one; empty for another."""
    return "" if step.what == "conversations" else REPLIES if step.what == "replies" else HISTORY


def time_stamp(at: Millis) -> str:
    """Return a time as Slack writes it."""
    return f"{max(0, at) // 1000}.{max(0, at) % 1000:03d}000"

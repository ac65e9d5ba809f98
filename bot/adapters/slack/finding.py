"""Looking whether a message has arrived, by the key in its metadata (conversations.history and replies).

https://docs.slack.dev/messaging/message-metadata. Apps that are distributed but not in the Marketplace get 15 messages
once a minute (https://docs.slack.dev/apis/web-api/rate-limits): they are then told to come again, or that nobody knows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from slack_sdk.errors import SlackApiError

from bot.adapters.slack.attempts import EPHEMERAL, NO_THREAD
from bot.adapters.slack.client import Wire, code, described, fields, pause, verdict
from bot.adapters.slack.sending import EVENT_TYPE, KEY
from bot.adapters.slack.workspace import Workspace, Workspaces
from core.errors import SendRefused, SendUnsent
from core.ports import Clock
from core.types import Destination, Millis

MOST_ON_A_PAGE = 100
# Without an instant to begin at: so many pages, or a day.
MOST_PAGES, MOST_PAGES_SINCE = 3, 10
DAY = 86_400_000
# Slack's clock and ours may differ, in milliseconds.
MARGIN = 300_000
NOT_CONNECTED_SECONDS = 15.0


class Finder:
    """Finds messages of ours again."""

    def __init__(self, workspaces: Workspaces, wire: Wire, clock: Clock) -> None:
        self._workspaces, self._wire, self._clock = workspaces, wire, clock

    async def find(self, to: Destination) -> str | None:
        """Return the time stamp of the message with the key of `to`, as the port says.

        An edit may be made again, so it certainly has not arrived.
        """
        if to.replaces and to.replaces != EPHEMERAL:
            return ""
        if not to.key or to.hook or to.replaces:
            return None
        workspace = self._workspaces.get(to.tenant)
        if self._workspaces.has_ended(to.tenant):
            return None
        if workspace is None or self._wire.closed:
            raise SendUnsent("the workspace is not connected", NOT_CONNECTED_SECONDS)
        try:
            return await self._look(workspace, to, to.since)
        except Exception as error:
            if _passes(error):
                # Reading does nothing, so it can be done again whatever became of it.
                raise SendUnsent(described(error), pause(error) or 0.0) from None
            return None

    async def _look(self, workspace: Workspace, to: Destination, since: Millis) -> str | None:
        if not to.thread:
            return await self._in_channel(workspace, to, since)
        try:
            return await self._in_thread(workspace, to, since)
        except SlackApiError as error:
            if code(error) not in NO_THREAD:
                raise
        # It was sent without its thread, if at all.
        return await self._in_channel(workspace, to, since)

    async def _in_channel(self, workspace: Workspace, to: Destination, since: Millis) -> str | None:
        """Read back from the newest message."""
        cursor, pages = "", MOST_PAGES_SINCE if since else MOST_PAGES
        for _ in range(pages):
            answer = await workspace.client.conversations_history(
                channel=to.chat,
                limit=MOST_ON_A_PAGE,
                include_all_metadata=True,
                cursor=cursor or None,
                oldest=_oldest(since),
            )
            found, cursor, messages = _page(answer.data, workspace, to.key)
            if found or not cursor:
                return found
            if not since and _ts(messages) < self._clock.now() - DAY:
                return ""
        return None

    async def _in_thread(self, workspace: Workspace, to: Destination, since: Millis) -> str | None:
        """Read a thread from its beginning, or from `since` on."""
        cursor = ""
        for _ in range(MOST_PAGES_SINCE):
            answer = await workspace.client.conversations_replies(
                channel=to.chat,
                ts=to.thread,
                limit=MOST_ON_A_PAGE * 2,
                include_all_metadata=True,
                cursor=cursor or None,
                oldest=_oldest(since),
            )
            found, cursor, _ = _page(answer.data, workspace, to.key)
            if found or not cursor:
                return found
        return None


def _oldest(since: Millis) -> str | None:
    return f"{max(0, since - MARGIN) / 1000:.6f}" if since else None


def _page(data: object, workspace: Workspace, key: str) -> tuple[str, str, Sequence[Mapping[str, Any]]]:
    """Return the time stamp of ours on a page, where the next one begins, and the page."""
    page = fields(data)
    messages = [fields(message) for message in page.get("messages") or ()]
    ours = (message for message in messages if _is_ours(message, workspace) and _key(message) == key)
    cursor = fields(page.get("response_metadata")).get("next_cursor")
    return next((str(message["ts"]) for message in ours), ""), str(cursor or ""), messages


def _is_ours(message: Mapping[str, Any], workspace: Workspace) -> bool:
    """Whether the bot wrote it: everybody can put our key into metadata of theirs."""
    by_bot = workspace.bot_id and message.get("bot_id") == workspace.bot_id
    return bool(by_bot or message.get("user") == workspace.bot_user)


def _key(message: Mapping[str, Any]) -> object:
    metadata = fields(message.get("metadata"))
    return fields(metadata.get("event_payload")).get(KEY) if metadata.get("event_type") == EVENT_TYPE else None


def _ts(messages: Sequence[Mapping[str, Any]]) -> Millis:
    """Return when the last message of a page was written."""
    try:
        return round(float(messages[-1]["ts"]) * 1000)
    except (IndexError, KeyError, TypeError, ValueError):
        return 0


def _passes(error: Exception) -> bool:
    """Whether asking again may help, which it does not where the bot may not read."""
    return code(error) != "missing_scope" and not isinstance(verdict(error), SendRefused)

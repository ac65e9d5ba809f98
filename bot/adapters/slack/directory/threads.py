"""What people said in a thread, read when somebody asks (conversations.replies). Hostile, and never stored."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any

from bot.adapters.slack.directory.workspaces import Workspace, Workspaces
from bot.adapters.slack.parse.messages import instant_of, text_of
from bot.adapters.slack.parse.text import Me, people_in, plain
from bot.adapters.slack.send.client import Wire, described, fields, next_cursor
from core.kernel.clean_text import label
from core.kernel.types import Destination, Line, Sender

log = logging.getLogger(__name__)

# Somebody waits for the answer: what cannot be read in this time is left out.
PATIENCE_SECONDS = 4.0
# Slack gives so many at once at most (conversations.replies).
ON_A_PAGE, MOST_PAGES = 1000, 8
NAMES_SECONDS = 1.5
WITH_CONTENT = frozenset({"", "bot_message", "file_share", "thread_broadcast", "me_message"})
USERS_OWN = frozenset({"U", "W"})

Names = Callable[[Workspace, Iterable[str]], Awaitable[Mapping[str, Sender]]]


class Threads:
    """Reads threads. `names` says who people are, by the ids of their users."""

    def __init__(self, workspaces: Workspaces, wire: Wire, names: Names) -> None:
        self._workspaces, self._wire, self._names = workspaces, wire, names

    async def thread(self, to: Destination, most: int) -> Sequence[Line]:
        """Return the last `most` lines of a thread, oldest first; none where it cannot be read now."""
        workspace = self._workspaces.get(to.tenant)
        if workspace is None or self._wire.closed or not to.thread or most < 1:
            return ()
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                messages = await self._messages(workspace, to, most)
        except Exception as error:
            # An answer without what was said before is better than none.
            log.info("a thread of channel %s could not be read: %s", to.chat, described(error))
            return ()
        people = await self._people(workspace, messages)
        return [line for message in messages if (line := _line(message, workspace, people)).text]

    async def _people(self, workspace: Workspace, messages: Sequence[Mapping[str, Any]]) -> Mapping[str, Sender]:
        """Find out who speaks, and who is named; what was said is worth having without, too."""
        users = [user for one in messages for user in (_user(one), *people_in(text_of(one, "text"))) if user]
        try:
            async with asyncio.timeout(NAMES_SECONDS):
                return await self._names(workspace, list(dict.fromkeys(users)))
        except Exception as error:
            log.info("who speaks in a thread is not known: %s", described(error))
            return {}

    async def _messages(self, workspace: Workspace, to: Destination, most: int) -> Sequence[Mapping[str, Any]]:
        """Read a thread from its beginning, as Slack gives it, and keep its end; none of one whose end is too far."""
        found: dict[str, Mapping[str, Any]] = {}
        cursor = ""
        for _ in range(MOST_PAGES):
            answer = await workspace.client.conversations_replies(
                channel=to.chat, ts=to.thread, limit=ON_A_PAGE, cursor=cursor or None
            )
            page = fields(answer.data)
            # Each page begins with the root.
            found |= {str(message.get("ts")): message for message in map(fields, page.get("messages") or ())}
            cursor = next_cursor(page)
            if not cursor:
                told = (one for one in found.values() if (one.get("subtype") or "") in WITH_CONTENT)
                return tuple(one for one in told if text_of(one, "text"))[-most:]
        log.info("a thread of channel %s is too long to be read", to.chat)
        return ()


def _user(message: Mapping[str, Any]) -> str:
    user = text_of(message, "user")
    return user if user[:1] in USERS_OWN else ""


def _line(message: Mapping[str, Any], workspace: Workspace, people: Mapping[str, Sender]) -> Line:
    me = Me(team=workspace.team, user=workspace.bot_user, bot=workspace.bot_id)
    user = _user(message)
    known = people.get(user)
    bot = label(fields(message.get("bot_profile")).get("name")) or label(message.get("username"))
    return Line(
        address=known.address if known else workspace.address(user or "bot"),
        speaker=(known.name if known else "") or bot or user,
        text=plain(text_of(message, "text"), me, people).strip(),
        message_id=str(message.get("ts") or ""),
        sent_at=instant_of(message),
        mine=workspace.wrote(message),
    )

"""What people said in a thread, read when somebody asks (conversations.replies). Hostile, and never stored.

Where Slack allows a page a minute, what was read of a thread is remembered for some minutes: the next page goes on from
there.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cachetools import TTLCache
from slack_sdk.errors import SlackApiError

from bot.adapters.slack.directory.workspaces import Workspace, Workspaces
from bot.adapters.slack.parse.messages import instant_of, text_of
from bot.adapters.slack.parse.text import Me, people_in, plain
from bot.adapters.slack.send.client import Wire, described, fields, next_cursor, pause
from bot.adapters.slack.send.rate_limit import REPLIES
from core.kernel.clean_text import label
from core.kernel.ports import Clock
from core.kernel.types import Destination, Line, Sender

log = logging.getLogger(__name__)

# Somebody waits for the answer: what cannot be read in this time is left out.
PATIENCE_SECONDS = 4.0
# Slack gives so many at once at most (conversations.replies).
ON_A_PAGE, MOST_PAGES = 1000, 8
NAMES_SECONDS = 1.5
WITH_CONTENT = frozenset({"", "bot_message", "file_share", "thread_broadcast", "me_message"})
USERS_OWN = frozenset({"U", "W"})

# How long, and of how many threads, is remembered what was read where reading is scarce.
REMEMBERED_SECONDS, MOST_REMEMBERED = 900.0, 200
# So many messages of one, the root and the newest.
MOST_KEPT = 200

Names = Callable[[Workspace, Iterable[str]], Awaitable[Mapping[str, Sender]]]


@dataclass(slots=True)
class Part:
    """What was read of a thread: its messages by their time stamps, and where the next page begins.

    It is `whole` once its end was reached.
    """

    messages: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    cursor: str = ""
    whole: bool = False


class Threads:
    """Reads threads. `names` says who people are, by the ids of their users."""

    def __init__(self, workspaces: Workspaces, wire: Wire, names: Names, clock: Clock) -> None:
        self._workspaces, self._wire, self._names = workspaces, wire, names
        self._parts: TTLCache[tuple[str, str, str], Part, float] = TTLCache(
            MOST_REMEMBERED, REMEMBERED_SECONDS, clock.monotonic
        )

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
        if workspace.history.scarce:
            part = await self._next_part(workspace, to)
        else:
            part = Part()
            for _ in range(MOST_PAGES):
                await _read(workspace, to, part)
                if part.whole:
                    break
        if not part.whole:
            log.info("a thread of channel %s is too long to be read now", to.chat)
            return ()
        told = (one for one in part.messages.values() if (one.get("subtype") or "") in WITH_CONTENT)
        return tuple(one for one in told if text_of(one, "text"))[-most:]

    async def _next_part(self, workspace: Workspace, to: Destination) -> Part:
        """Go on with a thread where that is allowed now, and return what is known of it."""
        place = (to.tenant, to.chat, to.thread)
        part = self._parts.get(place) or Part()
        if not workspace.history.take(REPLIES):
            await _read(workspace, to, part)
            for ts in [*part.messages][1 : max(1, len(part.messages) - MOST_KEPT)]:
                del part.messages[ts]
            self._parts[place] = part
        return part


async def _read(workspace: Workspace, to: Destination, part: Part) -> None:
    """Read the next page of a thread, or what was said since its end; raises what the Web API does."""
    limit = workspace.history
    since = next(reversed(part.messages)) if part.whole and part.messages else None
    try:
        answer = await workspace.client.conversations_replies(
            channel=to.chat, ts=to.thread, limit=limit.most(ON_A_PAGE), cursor=part.cursor or None, oldest=since
        )
    except SlackApiError as error:
        if (seconds := pause(error)) is not None:
            limit.refused(REPLIES, seconds)
        raise
    page = fields(answer.data)
    # Each page begins with the root.
    part.messages |= {str(message.get("ts")): message for message in map(fields, page.get("messages") or ())}
    part.cursor = next_cursor(page)
    part.whole = not part.cursor


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
        outside=bool(bot) or known is None or known.kin not in {"full", "guest"},
    )

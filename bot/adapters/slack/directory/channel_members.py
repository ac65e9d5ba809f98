"""Who is in a channel, who runs it, and what the bot is sent of it."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from cachetools import TTLCache

from bot.adapters.slack.directory.workspaces import Workspace, Workspaces, user_of
from bot.adapters.slack.parse.messages import is_private
from bot.adapters.slack.send.client import Wire, described, fields, next_cursor
from core.kernel.ports import Clock
from core.kernel.types import Destination

log = logging.getLogger(__name__)

# How long an answer holds, in seconds: whoever loses a right, or leaves unheard, does so here within a minute.
CACHE_SECONDS = 60.0
MOST_ANSWERS = 1000
ON_A_PAGE, MOST_PAGES = 1000, 10
# Slack hands over what is said in a channel to apps with the scope for its kind.
HISTORY = ("channels:history", "groups:history", "mpim:history")

Ask = Callable[[Workspace, str, str], Awaitable[bool]]


class Members:
    """The members of channels, asked for when somebody has to be sure."""

    def __init__(self, workspaces: Workspaces, wire: Wire, clock: Clock) -> None:
        self._workspaces, self._wire = workspaces, wire
        self._answers: TTLCache[tuple[str, str, str, str], bool, float] = TTLCache(
            MOST_ANSWERS, CACHE_SECONDS, clock.monotonic
        )
        self._changes = 0

    async def administers(self, to: Destination, address: str) -> bool:
        """Whether a person runs the workspace or made the channel; everybody runs their own conversation."""
        return await self._holds("runs", _administers, to, address)

    async def belongs(self, to: Destination, address: str, *, fresh: bool = False) -> bool:
        """Whether a person is in the channel (conversations.members)."""
        return await self._holds("is in", _belongs, to, address, fresh=fresh)

    def changed(self, tenant: str, chat: str, user: str) -> None:
        """Forget what was answered of somebody: they came into a channel or left it. No answer under way is kept."""
        self._changes += 1
        for what in ("runs", "is in"):
            self._answers.pop((what, tenant, chat, user), None)

    async def sees_all(self, to: Destination) -> bool:
        """Whether the bot is sent all messages of a channel that it is in: its token may read them."""
        workspace = self._workspaces.get(to.tenant)
        return workspace is None or is_private(to.chat) or workspace.may(*HISTORY)

    async def _holds(self, what: str, ask: Ask, to: Destination, address: str, *, fresh: bool = False) -> bool:
        """Ask, and keep the answer for a minute. Fail closed: nobody gets a right because Slack is silent."""
        workspace, user = self._workspaces.get(to.tenant), user_of(address)
        if workspace is None or self._wire.closed or not user:
            return False
        key = (what, to.tenant, to.chat, user)
        known = None if fresh else self._answers.get(key)
        if known is not None:
            return known
        changes = self._changes
        try:
            found = await ask(workspace, to.chat, user)
        except Exception as error:
            log.info("cannot ask who %s channel %s: %s", what, to.chat, described(error))
            return False
        # Somebody came or left while Slack was asked: it may have answered before.
        if changes == self._changes:
            self._answers[key] = found
        return found


async def _administers(workspace: Workspace, channel: str, user: str) -> bool:
    place = fields(fields((await workspace.client.conversations_info(channel=channel)).data).get("channel"))
    if place.get("is_im"):
        return place.get("user") == user
    if place.get("creator") == user:
        return True
    person = fields(fields((await workspace.client.users_info(user=user)).data).get("user"))
    # An administrator of another organisation has no say here.
    ours = person.get("team_id") in (None, workspace.team, workspace.enterprise or workspace.team)
    return ours and (person.get("is_admin") is True or person.get("is_owner") is True)


async def _belongs(workspace: Workspace, channel: str, user: str) -> bool:
    cursor = ""
    for _ in range(MOST_PAGES):
        answer = await workspace.client.conversations_members(channel=channel, limit=ON_A_PAGE, cursor=cursor or None)
        page = fields(answer.data)
        if user in (page.get("members") or ()):
            return True
        cursor = next_cursor(page)
        if not cursor:
            return False
    return False

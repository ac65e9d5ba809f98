"""What channels are called, and whether the bot is in them (conversations.info), asked once an hour."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from slack_sdk.errors import SlackApiError

from bot.adapters.slack.directory.cache import Cache
from bot.adapters.slack.directory.workspaces import Workspace
from bot.adapters.slack.send.client import code, described, fields
from core.kernel.clean_text import label
from core.kernel.ports import Clock
from core.kernel.types import Sender
from core.language import detect, pick

log = logging.getLogger(__name__)

# With who is named in a message this is less than the three seconds that Slack waits.
NAME_SECONDS = 0.4
# As many as such a conversation may have (https://docs.slack.dev/apis/web-api/using-the-conversations-api).
MOST_TOGETHER = 20
NO_CHANNEL = frozenset({
    "channel_not_found",
    "missing_scope",
    "not_in_channel",
    "method_not_supported_for_channel_type",
})


@dataclass(frozen=True, slots=True)
class Place:
    """A channel: its name, and whether the bot is in it."""

    title: str = ""
    member: bool = False


class Channels:
    """The channels of a workspace; `somebody` finds out who is in one without a name, if that is quick."""

    def __init__(self, workspace: Workspace, clock: Clock, somebody: Callable[[str], Awaitable[Sender | None]]) -> None:
        self._client, self._bot_user = workspace.client, workspace.bot_user
        self._somebody = somebody
        self._places = Cache(self._place, clock)

    async def place(self, channel: str) -> Place:
        """Return what a channel is; raises as `People.known` does."""
        return await self._places.get(channel)

    def seen(self, channel: str) -> Place | None:
        """Return what a channel is, as far as it is known without asking."""
        return self._places.known(channel)

    def moved(self, channel: str) -> None:
        """Forget what a channel is: its name has changed, or whether the bot is in it."""
        self._places.drop(channel)

    async def title(self, channel: str) -> str:
        """Return what a channel is called, empty when that is not told at once."""
        try:
            async with asyncio.timeout(NAME_SECONDS):
                return (await self._places.get(channel)).title
        except Exception as error:
            # A channel without a name is as good, whatever went wrong.
            log.info("what channel %s is called cannot be asked now: %s", channel, described(error))
            return ""

    async def _place(self, channel: str) -> Place:
        try:
            answer = await self._client.conversations_info(channel=channel)
        except SlackApiError as error:
            if code(error) not in NO_CHANNEL:
                raise
            return Place()
        found = fields(fields(answer.data).get("channel"))
        group = label(found.get("name"))
        title = await self._together(channel) if found.get("is_mpim") else f"#{group}" if group else ""
        return Place(title=title, member=found.get("is_member") is True)

    async def _together(self, channel: str) -> str:
        """Return the names of those in a conversation of several people, which has no name of its own
        (conversations.members); empty where one of them is not known just now."""
        try:
            answer = await self._client.conversations_members(channel=channel, limit=MOST_TOGETHER)
        except SlackApiError as error:
            if code(error) not in NO_CHANNEL:
                raise
            return ""
        members = fields(answer.data).get("members")
        users = [one for one in members if isinstance(one, str)] if isinstance(members, list) else []
        known = await asyncio.gather(*(self._somebody(one) for one in users if one != self._bot_user))
        names = [one.name for one in known if one is not None and not one.unknown]
        return enumerated(names) if len(names) == len(known) else ""


def enumerated(names: Sequence[str]) -> str:
    """Return names as people enumerate them, in the language that they look like: who reads it is not known."""
    language = pick(detect(" ".join(names)) or "")
    shown = names[0] if names else ""
    for n, name in enumerate(names[1:], 2):
        shown = language.say("slack_together_last" if n == len(names) else "slack_together", names=shown, name=name)
    return shown

"""Sending by chat.postMessage and chat.update: each outcome becomes sent, unsent, refused or doubtful."""

from __future__ import annotations

import logging
import math
from collections.abc import Awaitable, Callable

from slack_sdk.errors import SlackApiError

from bot.adapters.slack.directory.workspaces import Workspace, Workspaces
from bot.adapters.slack.parse.messages import is_private
from bot.adapters.slack.send.attempt import Attempt, attempt
from bot.adapters.slack.send.client import GONE, TOKEN_TROUBLE, Wire, code, described, fields, pause, verdict
from bot.adapters.slack.send.documents import upload
from bot.adapters.slack.send.ephemeral import Hooks
from core.kernel.errors import SendPaced, SendRefused, SendUnsent
from core.kernel.ports import Clock
from core.kernel.types import Destination, Part

log = logging.getLogger(__name__)

NOT_CONNECTED_SECONDS = 15.0
SAME_ERROR_LOG_SECONDS = 60.0
# By these the message is found again after a doubt (https://docs.slack.dev/messaging/message-metadata).
EVENT_TYPE, KEY = "teller", "key"
LEAVE = Part(payload={"leave": True})

# By these Slack says that the app is not there any more.
REMOVED = frozenset({"token_revoked", "account_inactive"})

Posted = Callable[[Destination], None]
Removed = Callable[[Workspace], None]


class Sender:
    """What goes out by the outbox: messages, edits, and the bot itself out of a channel.

    `posted` hears of each message that has gone out, `removed` of each workspace that does not know the app any more.
    """

    def __init__(
        self,
        workspaces: Workspaces,
        wire: Wire,
        clock: Clock,
        posted: Posted | None = None,
        removed: Removed | None = None,
    ) -> None:
        self._workspaces, self._wire, self._clock = workspaces, wire, clock
        self._hooks = Hooks(wire)
        self._posted, self._removed = posted, removed
        self._logged: dict[str, float] = {}

    async def send(self, to: Destination, part: Part, *, repeated: str = "") -> str:
        """Send or edit a message and return its time stamp, as the port says."""
        workspace = self._workspaces.get(to.tenant)
        if self._workspaces.has_ended(to.tenant):
            raise SendRefused("the app was removed from the workspace")
        if workspace is None:
            raise SendUnsent("the workspace is not connected", NOT_CONNECTED_SECONDS)
        if self._wire.closed:
            raise SendUnsent("the connections are closed")
        if part.payload.get("leave"):
            return await self._judged(workspace, to, self._leave(workspace, to.chat))
        tried = attempt(to, part, repeated)
        if not tried.response_url:
            wait = workspace.rate_limit.take(to.chat, edit=bool(to.replaces), bulk=to.bulk)
            if wait > 0:
                raise SendPaced("too soon for Slack's limits", wait)
        if part.document is None:
            call = self._deliver(workspace, tried)
        else:
            call = upload(self._wire, workspace, tried, part.document)
        sent = await self._judged(workspace, to, call)
        if self._posted:
            self._posted(to)
        return sent

    async def _judged(self, workspace: Workspace, to: Destination, call: Awaitable[str]) -> str:
        """Await a call; raise what its failure means for the message."""
        try:
            return await call
        except Exception as error:
            team, wait, now = workspace.team, pause(error), self._clock.monotonic()
            if wait is not None:
                workspace.rate_limit.flooded(to.chat, wait, edit=bool(to.replaces))
            elif code(error) in TOKEN_TROUBLE and now - self._logged.get(team, -math.inf) >= SAME_ERROR_LOG_SECONDS:
                self._logged[team] = now
                log.error("Slack does not take the token for workspace %s, messages wait (%s)", team, described(error))
            if code(error) in REMOVED and self._removed:
                self._removed(workspace)
            raise verdict(error, direct=is_private(to.chat)) from None

    async def _deliver(self, workspace: Workspace, tried: Attempt) -> str:
        """Call the Web API, once more without what it refused: a thread that is gone, blocks."""
        try:
            return await self._call(workspace, tried)
        except SlackApiError as error:
            simpler = tried.simpler(code(error))
            if simpler is None:
                raise
            log.warning("Slack refused a piece of a message (%s): it goes out without", described(error))
        return await self._deliver(workspace, simpler)

    async def _call(self, workspace: Workspace, tried: Attempt) -> str:
        if tried.overheard:
            overheard = await self._hooks.send(workspace, tried)
            if overheard is not None:
                return overheard
        if tried.replaces:
            await workspace.client.chat_update(
                channel=tried.channel, ts=tried.replaces, link_names=False, parse="none", **tried.content()
            )
            return tried.replaces
        metadata = {"event_type": EVENT_TYPE, "event_payload": {KEY: tried.key}} if tried.key else None
        answer = await workspace.client.chat_postMessage(
            channel=tried.channel,
            thread_ts=tried.thread or None,
            unfurl_links=False,
            unfurl_media=False,
            link_names=False,
            parse="none",
            metadata=metadata,
            **tried.content(),
        )
        return str(fields(answer.data).get("ts") or "")

    async def _leave(self, workspace: Workspace, channel: str) -> str:
        """Leave a channel (conversations.leave); there is no message whose id could be returned."""
        try:
            await workspace.client.conversations_leave(channel=channel)
        except SlackApiError as error:
            if code(error) == "missing_scope":
                # Nobody will give it for this: the owner can take the bot out by hand.
                raise SendRefused(described(error)) from None
            if code(error) not in GONE:
                raise
        return ""

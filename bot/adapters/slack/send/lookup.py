"""Looking whether a message has arrived, by the key in its metadata (conversations.history and replies).

https://docs.slack.dev/messaging/message-metadata. Apps that are distributed but not in the Marketplace get 15 messages
once a minute (https://docs.slack.dev/apis/web-api/rate-limits): whoever comes too early makes no call, is told to come
again, and goes on where it was.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

from slack_sdk.errors import SlackApiError

from bot.adapters.slack.directory.workspaces import Workspace, Workspaces
from bot.adapters.slack.parse.messages import instant_of
from bot.adapters.slack.send.attempt import EPHEMERAL, NO_THREAD
from bot.adapters.slack.send.client import Wire, code, described, fields, next_cursor, pause, verdict
from bot.adapters.slack.send.rate_limit import HISTORY, REPLIES
from bot.adapters.slack.send.sender import EVENT_TYPE, KEY
from core.kernel.errors import SendRefused, SendUnsent
from core.kernel.ports import Clock
from core.kernel.types import DAY, Destination

log = logging.getLogger(__name__)

MOST_ON_A_PAGE = 100
# Without an instant to begin at: so many pages, or a day.
MOST_PAGES, MOST_PAGES_SINCE = 3, 10
# Slack's clock and ours may differ, in milliseconds.
MARGIN = 300_000
# So long Slack may still be posting what it was sent, though nobody waits for its answer any more; in milliseconds.
SETTLED = 120_000
NOT_CONNECTED_SECONDS = 15.0
MOST_LOOKS = 1_000
# What the bot says has no subtype, or one of these; that it joined a channel is none of it.
SAID = frozenset({"", "bot_message", "thread_broadcast"})


@dataclass(slots=True)
class Look:
    """How far a look-up has come: where its next page begins, and whether messages of the bot showed metadata."""

    threaded: bool
    cursor: str = ""
    pages: int = 0
    shown: bool = False
    bare: bool = False
    ended: bool = False

    @property
    def nothing(self) -> str | None:
        """Return what it means that nothing was found: an empty id, since the message is not there; None for "nobody
        knows", where the bot's messages show no metadata."""
        return None if self.bare and not self.shown else ""


class Finder:
    """Finds messages of ours again, or asks whether Slack answers at all."""

    def __init__(self, workspaces: Workspaces, wire: Wire, clock: Clock) -> None:
        self._workspaces, self._wire, self._clock = workspaces, wire, clock
        # Those that Slack's limits interrupted.
        self._looks: dict[tuple[str, str], Look] = {}

    async def find(self, to: Destination) -> str | None:
        """Return the time stamp of the message with the key of `to`, as the port says.

        An edit may be made again, so it certainly has not arrived. Of a message that Slack may still be posting nothing
        is certain yet: raises `SendUnsent`.
        """
        if to.replaces and to.replaces != EPHEMERAL:
            return ""
        if not to.key or to.response_url or to.replaces:
            return None
        workspace = self._workspaces.get(to.tenant)
        if self._workspaces.has_ended(to.tenant):
            return None
        if workspace is None or self._wire.closed:
            raise SendUnsent("the workspace is not connected", NOT_CONNECTED_SECONDS)
        # For so much longer Slack may be posting the message; no longer than that, whatever the clock did.
        rest = min(to.begun + SETTLED - self._clock.now(), SETTLED) if to.begun else 0
        try:
            found = await self._look(workspace, to, lasting=rest <= 0)
        except Exception as error:
            if isinstance(error, SendUnsent):
                raise
            # Asking again does not help where the bot may not read.
            if code(error) != "missing_scope" and not isinstance(verdict(error), SendRefused):
                # Reading does nothing, so it can be done again whatever became of it.
                raise SendUnsent(described(error), pause(error) or 0.0) from None
            return None
        if not found and rest > 0:
            raise SendUnsent("Slack may still be posting it", rest / 1000)
        return found

    async def answers(self, tenant: str) -> bool:
        """Return whether Slack answers a workspace (auth.test), as the port says."""
        workspace = self._workspaces.get(tenant)
        if workspace is None or self._wire.closed:
            return False
        try:
            await workspace.client.auth_test()
        except Exception as error:
            log.info("Slack does not answer: %s", described(error))
            return False
        return True

    async def _look(self, workspace: Workspace, to: Destination, *, lasting: bool) -> str | None:
        """Read page after page; a look-up that is `lasting` goes on next time where it was interrupted."""
        name = (to.tenant, to.key)
        look = self._looks.pop(name, None) or Look(threaded=bool(to.thread))
        while look.pages < (MOST_PAGES_SINCE if to.since or look.threaded else MOST_PAGES):
            try:
                found = await self._read(workspace, to, look)
            except Exception:
                if lasting and look.pages and len(self._looks) < MOST_LOOKS:
                    self._looks[name] = look
                raise
            if found or look.ended:
                return found or look.nothing
        return None

    async def _read(self, workspace: Workspace, to: Destination, look: Look) -> str:
        """Read one page, and return the time stamp of ours if it is there."""
        wanted: dict[str, Any] = {
            "channel": to.chat,
            "include_all_metadata": True,
            "cursor": look.cursor or None,
            "oldest": f"{max(0, to.since - MARGIN) / 1000:.6f}" if to.since else None,
        }
        method, limit = REPLIES if look.threaded else HISTORY, workspace.history
        if wait := limit.take(method):
            raise SendUnsent("Slack lets conversations be read once a minute", wait)
        try:
            if look.threaded:
                # From its beginning, or from `since` on; a channel is read back from the newest message.
                answer = await workspace.client.conversations_replies(
                    ts=to.thread, limit=limit.most(MOST_ON_A_PAGE * 2), **wanted
                )
            else:
                answer = await workspace.client.conversations_history(limit=limit.most(MOST_ON_A_PAGE), **wanted)
        except SlackApiError as error:
            if (seconds := pause(error)) is not None:
                limit.refused(method, seconds)
            if not look.threaded or code(error) not in NO_THREAD:
                raise
            # It was sent without its thread, if at all.
            look.threaded, look.cursor, look.pages = False, "", 0
            return ""
        page = fields(answer.data)
        messages = [fields(message) for message in page.get("messages") or ()]
        last = instant_of(messages[-1]) if messages else 0
        look.pages, look.cursor = look.pages + 1, next_cursor(page)
        look.ended = not look.cursor or (not look.threaded and not to.since and last < self._clock.now() - DAY)
        # Everybody can put our key into metadata of theirs.
        for message in filter(workspace.wrote, messages):
            metadata = fields(message.get("metadata"))
            look.shown |= bool(metadata)
            look.bare |= not metadata and (message.get("subtype") or "") in SAID
            if metadata.get("event_type") == EVENT_TYPE and fields(metadata.get("event_payload")).get(KEY) == to.key:
                return str(message["ts"])
        return ""

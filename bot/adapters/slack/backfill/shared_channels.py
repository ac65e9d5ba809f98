"""Channels that several workspaces share: what is said there is handed over once, for one of those with the app.

The payload names that one alone (https://docs.slack.dev/apis/events-api, "authorizations": one entry, whoever else may
see the event), so whose bots are in the channel is asked for (conversations.info).
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from bot.adapters.slack.directory.people import Served
from bot.adapters.slack.parse.events import MESSAGES, event_of, team_of
from bot.adapters.slack.parse.messages import Fields, text_of
from core.kernel.ports import Clock

# What is said, and who came. That a bot has left is told to its own workspace.
TOLD = MESSAGES | {"member_joined_channel", "member_left_channel"}
# All are asked at once: how long for one, and until all of them have what is for them.
ASKED_SECONDS, SHARED_SECONDS = 0.8, 2.0
# Of a channel of which nothing could be found out it is not asked again so soon.
SILENT_SECONDS = 60.0
MOST_SILENT = 1000
# What no look finds.
UNSEEN = frozenset({"message_changed", "message_deleted"})
# So often in that time it is asked again because of such.
MOST_UNSEEN = 3


def sharing(payload: Fields, served: Mapping[str, Served]) -> Sequence[Served]:
    """Return the other workspaces for which an event may be."""
    event, named = event_of(payload), team_of(payload)
    if payload.get("is_ext_shared_channel") is not True or text_of(event, "type") not in TOLD:
        return ()
    return [at for team, at in served.items() if team != named] if text_of(event, "channel") else ()


def is_unseen(event: Fields) -> bool:
    """Whether no look finds an event."""
    return text_of(event, "type") not in MESSAGES or text_of(event, "subtype") in UNSEEN


class SilentError(Exception):
    """Nothing could be found out of a channel a moment ago, and it is not asked again yet."""


class Sharing:
    """Finds out in whose workspaces a channel is, too."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        # By workspace and channel until when it is not asked again, and how often it may be all the same.
        self._silent: dict[tuple[str, str], tuple[float, int]] = {}

    async def concerns(self, at: Served, event: Fields) -> bool:
        """Return whether the bot of a workspace is in the channel of an event.

        Raises what the Web API does, `TimeoutError`, or `SilentError` for a minute after one of these; because of what
        no look finds it is asked some times all the same.
        """
        channel, channels = text_of(event, "channel"), at.people.channels
        if text_of(event, "type") not in MESSAGES and event.get("user") == at.me.user:
            channels.moved(channel)
        silent = (at.me.team, channel)
        until, left = self._silent.get(silent, (0.0, 0))
        resting = self._clock.monotonic() < until
        if resting and channels.seen(channel) is None and not (is_unseen(event) and left > 0):
            raise SilentError
        try:
            async with asyncio.timeout(ASKED_SECONDS):
                return (await channels.place(channel)).member
        except Exception:
            if len(self._silent) >= MOST_SILENT:
                self._silent.clear()
            self._silent[silent] = (self._clock.monotonic() + SILENT_SECONDS, left - 1 if resting else MOST_UNSEEN)
            raise

"""Channels that several workspaces share: what is said there is handed over once, for one of those with the app.

The payload names that one alone (https://docs.slack.dev/apis/events-api, "authorizations": one entry, whoever else may
see the event), so whose bots are in the channel is asked for (conversations.info).
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from bot.adapters.slack.parsing import MESSAGES, event_of, team_of
from bot.adapters.slack.parsing_messages import Fields, text_of
from bot.adapters.slack.people import Served
from core.ports import Clock

# What is said, and who came. That a bot has left is told to its own workspace.
TOLD = MESSAGES | {"member_joined_channel", "member_left_channel"}
# All are asked at once: how long for one, and until all of them have what is for them.
ASKED_SECONDS, SHARED_SECONDS = 0.8, 1.2
# Who did not answer is not asked again so soon.
SILENT_SECONDS = 60.0


def sharing(payload: Fields, served: Mapping[str, Served]) -> Sequence[Served]:
    """Return the other workspaces for which an event may be; one for each bot, for an organisation has one in all."""
    event, named = event_of(payload), team_of(payload)
    if payload.get("is_ext_shared_channel") is not True or text_of(event, "type") not in TOLD:
        return ()
    if not text_of(event, "channel"):
        return ()
    bots: dict[tuple[str, str], Served] = {}
    for team, at in served.items():
        bots.setdefault(_bot(team, at), at)
    if named in served:
        bots.pop(_bot(named, served[named]), None)
    return tuple(bots.values())


def _bot(team: str, at: Served) -> tuple[str, str]:
    """Whose bot it is, by an organisation or a workspace."""
    return at.me.enterprise or team, at.me.user


def may_concern(at: Served, channel: str) -> bool:
    """Whether the bot of a workspace is in a channel, or nobody knows yet."""
    place = at.people.seen(channel)
    return place is None or place.member


class SilentError(Exception):
    """A workspace did not answer a moment ago, and is not asked again yet."""


class Sharing:
    """Finds out in whose workspaces a channel is, too."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._silent: dict[str, float] = {}

    async def is_for(self, at: Served, event: Fields) -> bool:
        """Whether the bot of a workspace is in the channel of an event.

        Raises what the Web API does, `TimeoutError`, or `SilentError` for a minute after one of these.
        """
        channel, team = text_of(event, "channel"), at.me.team
        if text_of(event, "type") not in MESSAGES and event.get("user") == at.me.user:
            at.people.moved(channel)
        place = at.people.seen(channel)
        if place is not None:
            return place.member
        if self._clock.monotonic() < self._silent.get(team, 0.0):
            raise SilentError
        try:
            async with asyncio.timeout(ASKED_SECONDS):
                return (await at.people.place(channel)).member
        except Exception:
            self._silent[team] = self._clock.monotonic() + SILENT_SECONDS
            raise

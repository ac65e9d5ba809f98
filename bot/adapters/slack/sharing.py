"""Channels that several workspaces share: what is said there is handed over once, for one of those with the app.

The payload names that one alone (https://docs.slack.dev/apis/events-api, "authorizations": one entry, whoever else may
see the event), so whose bots are in the channel is asked for (conversations.info).

An organisation has one bot in all of its workspaces, and any of them may be named: what is said belongs to the one that
has the channel, and where several have it to the one from which the bot sees it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from bot.adapters.slack.parsing import MESSAGES, event_of, team_of
from bot.adapters.slack.parsing_messages import Fields, is_private, text_of
from bot.adapters.slack.people import Place, Served
from core.ports import Clock

# What is said, and who came. That a bot has left is told to its own workspace.
TOLD = MESSAGES | {"member_joined_channel", "member_left_channel"}
# All are asked at once: how long for one, and until all of them have what is for them.
ASKED_SECONDS, SHARED_SECONDS = 0.8, 1.2
# Of a channel of which nothing could be found out it is not asked again so soon.
SILENT_SECONDS = 60.0
MOST_SILENT = 1000
# What no look finds.
UNSEEN = frozenset({"message_changed", "message_deleted"})


def sharing(payload: Fields, served: Mapping[str, Served]) -> Sequence[Served]:
    """Return the other workspaces for which an event may be; one for each bot, for an organisation has one in all."""
    event, named = event_of(payload), team_of(payload)
    if payload.get("is_ext_shared_channel") is not True or text_of(event, "type") not in TOLD:
        return ()
    if not text_of(event, "channel"):
        return ()
    bots: dict[tuple[str, str], Served] = {}
    for _, at in sorted(served.items(), key=lambda item: item[0]):
        bots.setdefault(_bot(at), at)
    if named in served:
        bots.pop(_bot(served[named]), None)
    return tuple(bots.values())


def _bot(at: Served) -> tuple[str, str]:
    """Whose bot it is, by an organisation or a workspace."""
    return at.me.enterprise or at.me.team, at.me.user


def may_concern(at: Served, channel: str) -> bool:
    """Whether the bot of a workspace is in a channel, or nobody knows yet."""
    place = at.people.seen(channel)
    return place is None or place.member


class SilentError(Exception):
    """Nothing could be found out of a channel a moment ago, and it is not asked again yet."""


class Sharing:
    """Finds out in whose workspaces a channel is, too, of those that are `served`."""

    def __init__(self, served: Mapping[str, Served], clock: Clock) -> None:
        self._served, self._clock = served, clock
        self._silent: dict[tuple[str, str], float] = {}

    def together(self, at: Served) -> Sequence[Served]:
        """Return the workspaces that have the same bot, itself among them; the first one asks for all."""
        if not at.me.enterprise:
            return (at,)
        found = {team: one for team, one in self._served.items() if _bot(one) == _bot(at)}
        return tuple(one for _, one in sorted(({at.me.team: at} | found).items(), key=lambda item: item[0]))

    async def home(self, at: Served, event: Fields) -> Served:
        """Return the workspace with the bot of `at` to which an event belongs: `at`, where nothing says otherwise.

        Raises what the Web API does, or `TimeoutError`.
        """
        channel, together = text_of(event, "channel"), self.together(at)
        if len(together) == 1 or not channel:
            return at
        if is_private(channel):
            # People write to such a bot in one place, from wherever they are.
            return next((one for one in together if one.me.team == event.get("team")), at)
        return _named(together, await self._place(together[0], channel)) or at

    async def theirs(self, at: Served, event: Fields) -> Served | None:
        """Return the workspace with the bot of `at` for which an event is, too; None when the bot is not there.

        Raises what the Web API does, `TimeoutError`, or `SilentError` for a minute after one of these; what no look
        finds is asked for all the same.
        """
        channel, first = text_of(event, "channel"), self.together(at)[0]
        silent = (first.me.team, channel)
        if text_of(event, "type") not in MESSAGES and event.get("user") == at.me.user:
            first.people.moved(channel)
        unseen = text_of(event, "type") not in MESSAGES or text_of(event, "subtype") in UNSEEN
        asked = first.people.seen(channel) is None and not unseen
        if asked and self._clock.monotonic() < self._silent.get(silent, 0.0):
            raise SilentError
        try:
            place = await self._place(first, channel)
        except Exception:
            if len(self._silent) >= MOST_SILENT:
                self._silent.clear()
            self._silent[silent] = self._clock.monotonic() + SILENT_SECONDS
            raise
        return _owner(self.together(at), place) if place.member else None

    async def _place(self, first: Served, channel: str) -> Place:
        async with asyncio.timeout(ASKED_SECONDS):
            return await first.people.place(channel)


def _named(together: Sequence[Served], place: Place) -> Served | None:
    """Return the workspace that has a channel, as far as that is said: the same one whoever asks, and whenever."""
    known = {one.me.team: one for one in together}
    return next((known[team] for team in place.teams if team in known), None)


def _owner(together: Sequence[Served], place: Place) -> Served | None:
    first = together[0]
    # Only an organisation's id may be named, or none; else it belongs to one from which nothing came yet.
    unsaid = not first.me.enterprise or not place.teams or first.me.enterprise in place.teams
    return _named(together, place) or (first if unsaid else None)

"""Channels that several workspaces share: what is said there is handed over once, for one of those with the app.

The payload names that one alone (https://docs.slack.dev/apis/events-api, "authorizations": one entry, whoever else may
see the event), so whose bots are in the channel is asked for (conversations.info).

An organisation has one bot in all of its workspaces, and any of them may be named: what is said belongs to the one that
has the channel, and where several have it to the one from which the bot sees it. That decides where something is kept,
never whether it is: when Slack does not tell it is kept in the one that is named.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from bot.adapters.slack.directory.people import Place, Served
from bot.adapters.slack.parse.events import MESSAGES, ORGANISATION, event_of, team_of
from bot.adapters.slack.parse.messages import Fields, is_private, text_of
from bot.adapters.slack.send.client import described, fields
from core.kernel.ports import Clock

log = logging.getLogger(__name__)

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
# So many channels have a home that is remembered.
MOST_HOMES = 100_000
# So many workspaces that are not served are tried for one channel.
MOST_ADOPTED = 3

# Serves a workspace of an organisation from which nothing came yet, if it is one; what came says which organisation.
Adopt = Callable[[str, Fields], Awaitable[Served | None]]


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


def is_unseen(event: Fields) -> bool:
    """Whether no look finds an event."""
    return text_of(event, "type") not in MESSAGES or text_of(event, "subtype") in UNSEEN


@dataclass(frozen=True, slots=True)
class Home:
    """The workspace to which what is said in a channel belongs; `sure` when Slack said that it has the channel."""

    team: str
    sure: bool


class SilentError(Exception):
    """Nothing could be found out of a channel a moment ago, and it is not asked again yet."""


class Sharing:
    """Finds out in whose workspaces a channel is, too, of those that are `served`.

    The home of a channel is decided once, and stays while it is served: what comes by itself and what is looked for
    have to go to the same one.
    """

    def __init__(self, served: Mapping[str, Served], clock: Clock, adopt: Adopt | None = None) -> None:
        self._served, self._clock, self._adopt = served, clock, adopt
        # By channel until when it is not asked again, and how often it may be all the same.
        self._silent: dict[tuple[str, str], tuple[float, int]] = {}
        self._homes: dict[tuple[str, str, str], Home] = {}

    def together(self, at: Served) -> Sequence[Served]:
        """Return the workspaces that have the same bot, itself among them; the first one asks for all."""
        if not at.me.enterprise:
            return (at,)
        found = {team: one for team, one in self._served.items() if _bot(one) == _bot(at)}
        return tuple(one for _, one in sorted(({at.me.team: at} | found).items(), key=lambda item: item[0]))

    async def home(self, at: Served, event: Fields, *, live: bool = True) -> Served:
        """Return the workspace with the bot of `at` to which an event belongs: `at`, where nothing says otherwise, or
        Slack does not answer.

        While it is `live` one that has the channel, and from which nothing came yet, is served from now on.
        """
        found = self._settled(at, event)
        if found is not None:
            return found
        channel, place = text_of(event, "channel"), Place()
        try:
            place = await self._place(self.together(at)[0], channel)
        except Exception as error:
            # That would only say in which one it is kept.
            log.info("whose channel %s is was not told, it is kept in %s: %s", channel, at.me.team, described(error))
        return await self._settle(at, channel, place, live=live)

    def sure(self, home: Served, event: Fields) -> bool:
        """Whether what is missing is found where it belongs; else it is kept by whoever finds it."""
        channel = text_of(event, "channel")
        return self._home(home, channel).sure or (is_private(channel) and home.me.team == _said_in(event))

    def doubted(self, at: Served, event: Fields, *, named: bool) -> set[str]:
        """Return the workspaces with the bot of `at` in which an event may be missing; `named` if Slack named `at`."""
        together, channel = self.together(at), text_of(event, "channel")
        place = together[0].people.seen(channel) if channel and len(together) > 1 else None
        found = self._settled(at, event) or (None if place is None else _named(together, place))
        if found is not None and (found is at or self.sure(found, event)):
            return {found.me.team}
        if named:
            return {at.me.team} | ({found.me.team} if found else set())
        return {one.me.team for one in together}

    async def theirs(self, at: Served, event: Fields) -> Served | None:
        """Return the workspace with the bot of `at` for which an event is, too; None when the bot is not there.

        Raises what the Web API does, `TimeoutError`, or `SilentError` for a minute after one of these; because of what
        no look finds it is asked some times all the same.
        """
        channel, together = text_of(event, "channel"), self.together(at)
        first = together[0]
        if text_of(event, "type") not in MESSAGES and event.get("user") == at.me.user:
            first.people.moved(channel)
        place = await self._asked(first, channel, unseen=is_unseen(event))
        if not place.member:
            return None
        return self._remembered(together, channel) or await self._settle(first, channel, place, live=True)

    async def _asked(self, first: Served, channel: str, *, unseen: bool) -> Place:
        silent = (first.me.team, channel)
        until, left = self._silent.get(silent, (0.0, 0))
        resting = self._clock.monotonic() < until
        if resting and first.people.seen(channel) is None and not (unseen and left > 0):
            raise SilentError
        try:
            return await self._place(first, channel)
        except Exception:
            if len(self._silent) >= MOST_SILENT:
                self._silent.clear()
            self._silent[silent] = (self._clock.monotonic() + SILENT_SECONDS, left - 1 if resting else MOST_UNSEEN)
            raise

    async def _place(self, first: Served, channel: str) -> Place:
        async with asyncio.timeout(ASKED_SECONDS):
            return await first.people.place(channel)

    def _settled(self, at: Served, event: Fields) -> Served | None:
        """Return the home of an event, as far as it is known without asking."""
        channel, together = text_of(event, "channel"), self.together(at)
        if not at.me.enterprise or not channel:
            return at
        if not is_private(channel):
            # Others may come, or come back.
            alone = len(together) == 1
            return self._remembered(together, channel) or (self._remember(at, channel, sure=False) if alone else None)
        if text_of(event, "type") not in MESSAGES:
            return at
        # People write to such a bot in one place, from wherever they are.
        found = next((one for one in together if one.me.team == _said_in(event)), None)
        return found or self._remembered(together, channel) or self._remember(at, channel, sure=False)

    async def _settle(self, at: Served, channel: str, place: Place, *, live: bool) -> Served:
        """Decide which workspace is the home of a channel."""
        found = _named(self.together(at), place)
        if found is None and live:
            found = await self._adopted(at, place)
        # It may have been decided meanwhile.
        before = self._remembered(self.together(at), channel)
        if before is not None:
            return before
        if found is None and self._strange(at, place):
            log.warning("no workspace that has channel %s is served, it is kept in %s", channel, at.me.team)
        return self._remember(found or at, channel, sure=found is not None)

    async def _adopted(self, at: Served, place: Place) -> Served | None:
        """Serve the workspace that has a channel, if that is one of the organisation's."""
        strange = self._strange(at, place)
        if self._adopt is None or not strange:
            return None
        try:
            async with asyncio.timeout(ASKED_SECONDS):
                for team in strange[:MOST_ADOPTED]:
                    found = await self._adopt(team, {"enterprise_id": at.me.enterprise})
                    if found is not None and _bot(found) == _bot(at):
                        return found
        except Exception as error:
            log.warning("a workspace of %s could not be served now: %s", at.me.enterprise, described(error))
        return None

    def _strange(self, at: Served, place: Place) -> list[str]:
        """The workspaces which have a channel and are not served, where that may be an organisation's."""
        found = [one for one in place.teams if one not in self._served and not one.startswith(ORGANISATION)]
        return found if at.me.enterprise else []

    def _home(self, at: Served, channel: str) -> Home:
        return self._homes.get((*_bot(at), channel), Home("", sure=False))

    def _remembered(self, together: Sequence[Served], channel: str) -> Served | None:
        """Return the home that a channel has, while that is served."""
        team = self._home(together[0], channel).team
        return next((one for one in together if one.me.team == team), None)

    def _remember(self, home: Served, channel: str, *, sure: bool) -> Served:
        key = (*_bot(home), channel)
        self._homes.pop(key, None)
        self._homes[key] = Home(home.me.team, sure=sure)
        if len(self._homes) > MOST_HOMES:
            del self._homes[next(iter(self._homes))]
        return home


def _named(together: Sequence[Served], place: Place) -> Served | None:
    """Return the workspace that has a channel, as far as that is said."""
    known = {one.me.team: one for one in together}
    return next((known[team] for team in place.teams if team in known), None)


def _said_in(event: Fields) -> str:
    """Return the workspace from which somebody wrote, of what was edited or deleted, too."""
    found = (event, fields(event.get("message")), fields(event.get("previous_message")))
    return next(filter(None, (text_of(one, "team") for one in found)), "")

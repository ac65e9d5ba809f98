"""Many workspaces: who has the app installed is served, from then on until it is removed, with tokens that last.

An installation serves its workspace; that of an organisation serves each of its workspaces from which something comes
and that has none of its own.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bot.adapters.slack.directory.people import Served
from bot.adapters.slack.directory.workspaces import PLATFORM, Workspace, Workspaces
from bot.adapters.slack.install.installations import Installations, Known
from bot.adapters.slack.install.oauth import Granted, OAuth, Tokens
from bot.adapters.slack.install.token_rotation import Rotation
from bot.adapters.slack.parse.events import WITHDRAWN, event_of
from bot.adapters.slack.parse.messages import Fields, text_of
from bot.adapters.slack.parse.uninstalls import (
    happened,
    organisation_of,
    removal,
    second,
    whole,
    withdrawn_from,
    within,
)
from bot.adapters.slack.send.client import Wire, code, described, fields, introduced
from bot.adapters.slack.send.rate_limit import Pace
from bot.adapters.slack.send.sender import REMOVED
from core.kernel.ports import Clock, Intake
from core.kernel.types import Millis, Sender
from core.kernel.updates import Installed, Uninstalled
from core.store.people.installations import Installation

log = logging.getLogger(__name__)

HELLO_SECONDS = 5.0
UNREADABLE = "its tokens cannot be read"
USED_UP = "it has no newer tokens, and must be installed again"

# As many workspaces of an organisation as Slack names at once, and how often it is asked for more.
PAGE, PAGES = 1000, 10

Serve = Callable[[Workspace, int], Served]
Leave = Callable[[str], None]


class NotOpenError(Exception):
    """Nobody takes anything in now: the bot starts, or stops."""


class Tenancy:
    """The installations that are served now. `serve` begins with a workspace, which is a tenant, at once; `leave` ends
    with one, by its id; `renewed` hears which have another token.
    """

    def __init__(
        self,
        known: Installations,
        oauth: OAuth,
        wire: Wire,
        workspaces: Workspaces,
        clock: Clock,
        *,
        serve: Serve,
        leave: Leave,
        renewed: Leave,
    ) -> None:
        self.known, self.oauth = known, oauth
        self._wire, self._workspaces, self._clock = wire, workspaces, clock
        self._serve, self._leave, self._renewed = serve, leave, renewed
        self._intake: Intake | None = None
        self._rows: dict[str, Known] = {}
        self._served: dict[str, tuple[str, Served]] = {}
        self._shut: dict[str, str] = {}
        # When organisations took the app away from workspaces of theirs.
        self._withdrawn: dict[tuple[str, str], Millis] = {}
        # Those for which there will be no newer tokens.
        self._used_up: set[str] = set()
        # Installed where nobody had the app; that somebody owns the bot there is not kept yet.
        self._fresh: set[str] = set()
        self._adopting: set[asyncio.Task[Served | None]] = set()
        self._one_at_a_time = asyncio.Lock()
        self._rotation = Rotation(
            known, oauth, clock, self._rows, newer=self._newer, used_up=self._used_up.add, lost=self._lost
        )

    def health(self, troubles: Mapping[str, str]) -> list[Mapping[str, Any]]:
        """Each installation: its id, its name, and how it is; `troubles` are those of its workspaces, by their id."""
        active = [
            {"id": key, "name": one.row.name, "state": self._state(key, troubles)} for key, one in self._rows.items()
        ]
        return [*active, *({"id": key, "name": "", "state": state} for key, state in self._shut.items())]

    def _state(self, key: str, troubles: Mapping[str, str]) -> str:
        if key in self._used_up:
            return USED_UP
        theirs = (troubles.get(team, "") for team, (its, _) in self._served.items() if its == key)
        return next(filter(None, theirs), "active")

    # The start, and what goes on while it runs.

    async def open(self, intake: Intake) -> None:
        """Serve all installations that the database knows."""
        self._intake = intake
        for one in await self.known.all():
            if one.tokens is None:
                self._shut[one.row.external_id] = UNREADABLE if one.row.active else "removed"
                if not one.row.active:
                    self._workspaces.end(one.row.external_id)
            else:
                await self._enter(one)
                if one.row.whole:
                    await self._remember(one.row.external_id)
        self._workspaces.told()
        await self._rotation.renew(self._clock.now())

    async def _remember(self, organisation: str) -> None:
        """Those of an organisation's workspaces from which the app was taken away stay without it."""
        for team, ended_at in await self.known.parted(organisation):
            self._withdrawn[organisation, team] = second(ended_at)
            if team not in self._served:
                self._workspaces.end(team)

    async def stay(self) -> None:
        """Fetch newer tokens in time, until cancelled."""
        await self._rotation.run()

    async def close(self) -> None:
        """Take in nothing more, and let what is being fetched arrive."""
        self._intake = None
        await asyncio.gather(*self._adopting, return_exceptions=True)
        await self._rotation.close()

    async def _enter(self, one: Known) -> list[Served]:
        """Serve the workspaces of an installation; none of an organisation's that has its own."""
        key = one.row.external_id
        self._rows[key] = one
        self._shut.pop(key, None)
        self._used_up.discard(key)
        places = await self.known.joined(key) if one.row.whole else [(key, one.row.name)]
        return [await self._begin(one, team, name) for team, name in places if team == key or team not in self._rows]

    async def _begin(self, one: Known, team: str, name: str, owner: str = "") -> Served:
        """Serve a workspace. What is to be known of it is kept first, so that what failed is done again, all of it."""
        key = one.row.external_id
        tenant = await self._ready().tenant(PLATFORM, team, name)
        if owner:
            # Slack waits for an answer: their name comes with their first message.
            await self._own(tenant, one.row, Sender(address=f"{PLATFORM}:{team}:{owner}", name=owner))
        await self.known.join(tenant, key if one.row.whole else "")
        # There may be newer tokens by now.
        last = self._rows.get(key, one)
        if self._intake is None or last.tokens is None:
            raise NotOpenError
        served = self._serve(self._workspace(last.row, last.tokens, team, name), tenant)
        self._served[team] = (key, served)
        return served

    def _ready(self) -> Intake:
        if self._intake is None:
            raise NotOpenError
        return self._intake

    def _workspace(self, row: Installation, tokens: Tokens, team: str, name: str) -> Workspace:
        return Workspace(
            team=team,
            bot_user=row.bot_user,
            bot_id=row.bot,
            client=self._wire.web(tokens.access),
            pace=Pace(self._clock),
            name=name,
            enterprise=row.enterprise,
            app_id=row.app,
            scopes=frozenset(row.scopes.replace(" ", "").split(",")) - {""},
        )

    # Those who come.

    async def adopt(self, team: str, payload: Fields) -> Served | None:
        """Serve a workspace for which something came, if it is one of an organisation that has the app installed.

        Whoever does not want to wait for it leaves it to go on. Raises `StorageError`, or what the Web API does.
        """
        one = self._rows.get(organisation_of(payload))
        if not team or one is None or not one.row.whole:
            return None
        task = asyncio.ensure_future(self._adopt(one, team, payload))
        self._adopting.add(task)
        task.add_done_callback(self._adopting.discard)
        return await asyncio.shield(task)

    async def _adopt(self, one: Known, team: str, payload: Fields) -> Served | None:
        key, at = one.row.external_id, happened(payload)
        before = self._withdrawn.get((key, team))
        # What comes late is from before it was taken away.
        late = before is not None and at is not None and at <= before
        # Anything newer may say that it was given back: that is asked for, too.
        sure = before is None and within(payload, key, team)
        if late or not (sure or team in self._served or await self._has(one, team)):
            return None
        async with self._one_at_a_time:
            if team in self._served:
                return self._served[team][1]
            if key not in self._rows or self._withdrawn.get((key, team)) != before:
                return None
            return await self._begin(self._rows[key], team, "", owner=one.row.installer)

    async def _has(self, one: Known, team: str) -> bool:
        """Whether Slack says that an organisation's token is good for a workspace; raises what the Web API does."""
        if one.tokens is None:
            return False
        web, cursor = self._wire.web(one.tokens.access), ""
        async with asyncio.timeout(HELLO_SECONDS):
            for _ in range(PAGES):
                answer = fields((await web.auth_teams_list(limit=PAGE, cursor=cursor or None)).data)
                if any(text_of(fields(found), "id") == team for found in answer.get("teams") or ()):
                    return True
                cursor = text_of(fields(answer.get("response_metadata")), "next_cursor")
                if not cursor:
                    break
        return False

    async def install(self, granted: Granted) -> None:
        """Keep what somebody agreed to, and serve it from now on; whoever did it owns the bot there.

        Raises `StorageError`, or `NotOpenError`; then it has to be done again.
        """
        if self._intake is None:
            raise NotOpenError
        bot = await self._bot(granted.tokens)
        async with self._one_at_a_time:
            await self.known.keep(granted, bot)
            one = await self.known.one(granted.key)
            if one is None or one.tokens is None:
                raise NotOpenError
            log.info("the app was installed in %s", granted.key)
            await self._look_around(one)
            for served in await self._enter(one):
                who, chat = await _person(served, granted.installer), await _direct(served, granted.installer)
                await self._own(served.tenant, one.row, who, chat, fresh=served.me.team in self._fresh)
                self._fresh.discard(served.me.team)

    async def _look_around(self, one: Known) -> None:
        """Find out whether a workspace is served already, be it by its organisation, from which nothing came yet: whose
        installer owns the bot there, then.
        """
        team, theirs = one.row.external_id, self._rows.get(one.row.enterprise)
        if one.row.whole:
            return
        if theirs is not None and theirs.row.whole and team not in self._served and await self._still_has(theirs, team):
            await self._begin(theirs, team, one.row.name, owner=theirs.row.installer)
        if not await self.known.serves(team):
            self._fresh.add(team)

    async def _still_has(self, one: Known, team: str) -> bool:
        try:
            return await self._has(one, team)
        except Exception as error:
            # An organisation's token that is good for nothing keeps nobody from installing.
            if code(error) in REMOVED:
                return False
            raise NotOpenError from error

    async def _bot(self, tokens: Tokens) -> str:
        """The bot's own number, by which it knows its messages; it does without if need be."""
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                return (await introduced(self._wire.web(tokens.access), self._clock)).bot_id
        except Exception as error:
            # The code was good for one exchange: what it brought is kept all the same.
            log.warning("a new token could not be tried: %s", described(error))
            return ""

    async def _own(self, tenant: int, row: Installation, who: Sender, chat: str = "", *, fresh: bool = False) -> None:
        key = f"i:{row.external_id}:{row.epoch}"
        await self._accept(tenant, Installed(key=key, sender=who, chat=chat, fresh=fresh))

    async def _accept(self, tenant: int, update: Installed | Uninstalled) -> None:
        await self._ready().accept(tenant, [update])

    # Those who go.

    async def ended(self, team: str, payload: Fields) -> bool:
        """Take an event that says that the app was removed, from a workspace, from an organisation with all of its
        workspaces, or from some of these; False when it is about nothing that is installed here.
        """
        organisation = organisation_of(payload)
        if text_of(event_of(payload), "type") == WITHDRAWN:
            await self._withdraw(organisation, withdrawn_from(payload), happened(payload))
            return True
        key = self._served[team][0] if team in self._served else ""
        if not key and (whole(payload) or not team):
            key = organisation
        one = self._rows.get(key)
        if one is None:
            # One that has ended already is not served by its organisation because of that.
            return organisation in self._rows
        # That somebody's own installation has ended says nothing of their organisation's.
        if removal(event_of(payload)) and not (one.row.whole and whole(payload) is False):
            await self._over(key, happened(payload))
        return True

    async def _over(self, key: str, at: Millis | None) -> None:
        """An installation has ended. What happened (`at`) before it was made is of one before it."""
        async with self._one_at_a_time:
            one = self._rows.get(key)
            if one is not None and (at is None or at > one.row.installed_at):
                await self._end(key, one)

    async def removed(self, of: Workspace) -> bool:
        """Slack said that the app was removed, to somebody who had a workspace as it was then (`of`); False when no
        installation serves it.
        """
        async with self._one_at_a_time:
            key, served = self._served.get(of.team, ("", None))
            one = self._rows.get(key)
            if one is None or served is None:
                return False
            if served.workspace is of:
                await self._end(key, one)
            return True

    async def refused(self, of: Workspace) -> bool:
        """Slack said to somebody who had a workspace as it was then that the token is not good for it, which is how an
        organisation's is taken away from there; False when it is served all the same.
        """
        key, served = self._served.get(of.team, ("", None))
        if served is None or served.workspace is not of:
            return True
        await self._withdraw(key, [of.team], second(self._clock.now()))
        return of.team not in self._served

    async def _withdraw(self, organisation: str, teams: Sequence[str], at: Millis | None) -> None:
        """An organisation's installation serves some of its workspaces no more; of others nothing is believed."""
        async with self._one_at_a_time:
            one = self._rows.get(organisation)
            if one is None or not one.row.whole or (at is not None and at <= one.row.installed_at):
                return
            for team in teams:
                self._withdrawn[organisation, team] = second(self._clock.now()) if at is None else at
                key, served = self._served.get(team, ("", None))
                if key == organisation and served is not None:
                    await self._accept(served.tenant, Uninstalled(key=f"x:{key}:{one.row.epoch}:{team}"))
                    log.warning("organisation %s took the app away from workspace %s", key, team)
                    self._drop(team)

    async def _end(self, key: str, one: Known) -> None:
        theirs = {team: served for team, (its, served) in self._served.items() if its == key}
        for served in theirs.values():
            await self._accept(served.tenant, Uninstalled(key=f"x:{key}:{one.row.epoch}"))
        await self.known.revoke(key)
        log.warning("the app was removed from %s, or its tokens were revoked", key)
        del self._rows[key]
        self._used_up.discard(key)
        self._shut[key] = "removed"
        for team in theirs:
            self._drop(team)

    def _drop(self, team: str) -> None:
        del self._served[team]
        self._workspaces.end(team)
        self._leave(team)

    def _newer(self, key: str, one: Known) -> None:
        """Use newer tokens from now on."""
        if one.tokens is None or key not in self._rows:
            return
        self._rows[key] = one
        self._used_up.discard(key)
        for team, (its, served) in self._served.items():
            if its == key:
                served.workspace.client.token = one.tokens.access
                self._renewed(team)

    async def _lost(self, lost: Known) -> None:
        """There are no tokens for an installation any more, unless it was made again meanwhile."""
        key = lost.row.external_id
        async with self._one_at_a_time:
            if self._rows.get(key) is lost:
                await self._end(key, lost)


async def _person(served: Served, user: str) -> Sender:
    """Who somebody is, as far as Slack says so now."""
    try:
        return await served.people.one(user)
    except Exception as error:
        # Their name comes with their first message.
        log.info("who installed the app could not be asked for: %s", described(error))
        return Sender(address=served.workspace.address(user), name=user)


async def _direct(served: Served, user: str) -> str:
    try:
        return await served.people.direct(user)
    except Exception as error:
        # They can write first.
        log.info("whoever installed the app cannot be written to: %s", described(error))
        return ""

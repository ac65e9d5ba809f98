"""Many workspaces: who has the app installed is served, from then on until it is removed, with tokens that last.

Former versions took installations of whole organisations, too. These stay in the database and are not served.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from typing import Any

from bot.adapters.slack.directory.people import Served
from bot.adapters.slack.directory.workspaces import PLATFORM, Workspace, Workspaces
from bot.adapters.slack.install.installations import BegunInstalls, Installations, Known
from bot.adapters.slack.install.oauth import Granted, OAuth
from bot.adapters.slack.install.pages import Installing, InstallPages
from bot.adapters.slack.install.token_rotation import Rotation
from bot.adapters.slack.parse.events import ends_bot, event_of, for_organisation
from bot.adapters.slack.parse.messages import Fields
from bot.adapters.slack.receive.installs import UNREADABLE, Receiving, WebPage
from bot.adapters.slack.receive.strangers import ORGANISATION_GONE
from bot.adapters.slack.send.client import Wire, described, introduced
from bot.adapters.slack.send.rate_limit import HistoryLimit, RateLimit
from core.kernel.markdown import literal
from core.kernel.ports import Clock, Intake
from core.kernel.types import Sender
from core.kernel.updates import Installed, Uninstalled

log = logging.getLogger(__name__)

HELLO_SECONDS = 5.0
USED_UP = "it has no newer tokens, and must be installed again"


class NotOpenError(Exception):
    """Nobody takes anything in now: the bot starts, or stops."""


class Tenancy:
    """The installations that are served now; `receiving` hears who comes, who goes, and who has another token."""

    def __init__(
        self, installing: Installing, wire: Wire, workspaces: Workspaces, clock: Clock, receiving: Receiving
    ) -> None:
        self.known = Installations(installing.db, installing.sealer, clock)
        self.oauth = OAuth(wire, installing.client_id, installing.client_secret)
        self._wire, self._workspaces, self._clock, self._receiving = wire, workspaces, clock, receiving
        self._intake: Intake | None = None
        self._rows: dict[str, Known] = {}
        self._served: dict[str, Served] = {}
        self._shut: dict[str, str] = {}
        # Those for which there will be no newer tokens.
        self._used_up: set[str] = set()
        # Installed where nobody had the app; that somebody owns the bot there is not kept yet.
        self._fresh: set[str] = set()
        self._one_at_a_time = asyncio.Lock()
        self._rotation = Rotation(
            self.known, self.oauth, clock, self._rows, newer=self._newer, used_up=self._used_up.add, lost=self._lost
        )
        begun = BegunInstalls(installing.db, clock)
        self.web_pages: Sequence[WebPage] = InstallPages(installing, begun, self.oauth, self.install).pages
        # Fetches newer tokens in time, until cancelled.
        self.run = self._rotation.run

    def health(self, troubles: Mapping[str, str]) -> list[Mapping[str, Any]]:
        """Return each installation: its id, its name, and how it is; `troubles` are those of its workspaces, by id."""
        states = {key: USED_UP if key in self._used_up else troubles.get(key) or "active" for key in self._rows}
        active = [{"id": key, "name": self._rows[key].row.name, "state": state} for key, state in states.items()]
        return [*active, *({"id": key, "name": "", "state": state} for key, state in self._shut.items())]

    # The start, and what goes on while it runs.

    async def open(self, intake: Intake) -> None:
        """Serve all installations that the database knows."""
        self._intake = intake
        for one in await self.known.all():
            row, key = one.row, one.row.external_id
            if not row.active:
                self._shut[key] = "removed"
                self._workspaces.end(key)
            elif row.whole:
                # Nothing of it is served, and the owners hear what to do.
                self._shut[key] = ORGANISATION_GONE
                log.warning("organisation %s: %s", key, ORGANISATION_GONE)
                name = literal(row.name or key)
                await intake.tell_operators(f"organisation:{key}", "organisation_gone_owner", name=name)
            elif one.tokens is None:
                self._shut[key] = UNREADABLE
            else:
                await self._enter(one)
        self._workspaces.know_all()
        await self._rotation.renew(self._clock.now())

    async def close(self) -> None:
        """Take in nothing more, and let what is being fetched arrive."""
        self._intake = None
        await self._rotation.close()

    async def _enter(self, one: Known) -> Served:
        """Serve the workspace of an installation."""
        key = one.row.external_id
        self._rows[key] = one
        self._shut.pop(key, None)
        self._used_up.discard(key)
        tenant = await self._ready().tenant(PLATFORM, key, one.row.name)
        # There may be newer tokens by now.
        last = self._rows.get(key, one)
        if self._intake is None or last.tokens is None:
            raise NotOpenError
        former = self._served.get(key)
        served = self._served[key] = self._receiving.serve(
            Workspace(
                team=last.row.external_id,
                bot_user=last.row.bot_user,
                bot_id=last.row.bot,
                client=self._wire.web(last.tokens.access),
                rate_limit=RateLimit(self._clock),
                # Another token is no other app: its minute goes on.
                history=former.workspace.history if former else HistoryLimit(self._clock, scarce=self._wire.scarce),
                name=last.row.name,
                enterprise=last.row.enterprise,
                app_id=last.row.app,
                scopes=frozenset(last.row.scopes.replace(" ", "").split(",")) - {""},
            ),
            tenant,
        )
        return served

    def _ready(self) -> Intake:
        if self._intake is None:
            raise NotOpenError
        return self._intake

    # Those who come.

    async def install(self, granted: Granted) -> None:
        """Keep what somebody agreed to, and serve it from now on; whoever did it owns the bot there.

        Raises `StorageError`, or `NotOpenError`; then it has to be done again.
        """
        if self._intake is None:
            raise NotOpenError
        bot, key = "", granted.key
        try:
            # The bot's own number, by which it knows its messages.
            async with asyncio.timeout(HELLO_SECONDS):
                bot = (await introduced(self._wire.web(granted.tokens.access), self._clock)).bot_id
        except Exception as error:
            # The code was good for one exchange: what it brought is kept all the same.
            log.warning("a new token could not be tried: %s", described(error))
        async with self._one_at_a_time:
            await self.known.keep(granted, bot)
            one = await self.known.one(key)
            if one is None or one.tokens is None:
                raise NotOpenError
            log.info("the app was installed in %s", key)
            if not await self.known.serves(key):
                self._fresh.add(key)
            served = await self._enter(one)
            who, chat = await _installer(served, granted.installer)
            installed = Installed(key=f"i:{key}:{one.row.epoch}", sender=who, chat=chat, fresh=key in self._fresh)
            await self._ready().accept(served.tenant, [installed])
            self._fresh.discard(key)

    # Those who go.

    async def ended(self, team: str, payload: Fields) -> bool:
        """Take an event that says that the app was removed from a workspace; False when it is not installed there.

        What an organisation removed says nothing of what its workspaces installed.
        """
        if team in self._rows and ends_bot(event_of(payload)) and not for_organisation(payload):
            # Of what happened within one second nobody knows the order: this is the end of the second.
            second = payload.get("event_time")
            at = 1000 * (second + 1) if isinstance(second, int) and not isinstance(second, bool) else None
            async with self._one_at_a_time:
                one = self._rows.get(team)
                # What happened before it was made is of one before it.
                if one is not None and (at is None or at > one.row.installed_at):
                    await self._end(team, one)
            return True
        return team in self._rows or for_organisation(payload)

    async def removed(self, of: Workspace) -> bool:
        """Hear that Slack does not know the app any more in a workspace, `of` as it was when Slack was called; return
        False when no installation serves it.
        """
        async with self._one_at_a_time:
            one, served = self._rows.get(of.team), self._served.get(of.team)
            if one is None or served is None:
                return False
            if served.workspace is of:
                await self._end(of.team, one)
            return True

    async def _end(self, key: str, one: Known) -> None:
        served = self._served.get(key)
        if served is not None:
            await self._ready().accept(served.tenant, [Uninstalled(key=f"x:{key}:{one.row.epoch}")])
        await self.known.revoke(key)
        log.warning("the app was removed from %s, or its tokens were revoked", key)
        del self._rows[key]
        self._served.pop(key, None)
        self._used_up.discard(key)
        self._shut[key] = "removed"
        self._workspaces.end(key)
        self._receiving.leave(key)

    def _newer(self, key: str, one: Known) -> None:
        """Use newer tokens from now on."""
        if one.tokens is None or key not in self._rows:
            return
        self._rows[key] = one
        self._used_up.discard(key)
        if (served := self._served.get(key)) is not None:
            served.workspace.client.token = one.tokens.access
            self._receiving.renewed(key)

    async def _lost(self, lost: Known) -> None:
        """End an installation that has no tokens any more, unless it was made again meanwhile."""
        key = lost.row.external_id
        async with self._one_at_a_time:
            if self._rows.get(key) is lost:
                await self._end(key, lost)


async def _installer(served: Served, user: str) -> tuple[Sender, str]:
    """Return who installed the app, and the bot's conversation with them, as far as Slack says so now."""
    try:
        who = await served.people.one(user)
    except Exception as error:
        # Their name comes with their first message.
        log.info("who installed the app could not be asked for: %s", described(error))
        who = Sender(address=served.workspace.address(user), name=user)
    try:
        chat = await served.people.direct(user)
    except Exception as error:
        # They can write first.
        log.info("whoever installed the app cannot be written to: %s", described(error))
        chat = ""
    return who, chat

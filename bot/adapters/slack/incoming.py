"""The receiving half of the adapter, put together: who we are, one way of receiving, and what was missed before."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from bot.adapters.slack.catchup import CatchUp
from bot.adapters.slack.client import Wire, code, described, introduced
from bot.adapters.slack.installations import Installations
from bot.adapters.slack.installing import Installing, InstallPage, ReturnPage, WebPage
from bot.adapters.slack.oauth import OAuth
from bot.adapters.slack.people import People, Served
from bot.adapters.slack.receiving import Receiver
from bot.adapters.slack.sending import REMOVED
from bot.adapters.slack.socket import JITTER, Sockets, Timing
from bot.adapters.slack.tenancy import Tenancy
from bot.adapters.slack.texts import Me
from bot.adapters.slack.webdoor import WebDoor
from bot.adapters.slack.workspace import PLATFORM, Workspace, Workspaces
from core.errors import StorageError
from core.ports import Clock, Intake
from core.types import Sender

log = logging.getLogger(__name__)

# What a bot token lacks, where only a person can help.
NAMED = {
    "invalid_auth": "Slack does not know the bot token",
    "not_authed": "the bot token is empty",
    "token_revoked": "the bot token was revoked",
    "token_expired": "the bot token has expired",
    "account_inactive": "the app is not installed any more",
}


class Incoming:
    """Receives by a web socket, or through a door of the web server; `caught_up` is set when nothing is missing."""

    def __init__(
        self,
        wire: Wire,
        workspaces: Workspaces,
        clock: Clock,
        *,
        bot_token: str,
        app_token: str,
        signing_secret: str,
        path: str,
        names: Collection[str],
        todo: str,
        timing: Timing,
        installing: Installing | None = None,
    ) -> None:
        """Without an `app_token` Slack posts to `path`, which is a door then."""
        self.caught_up = asyncio.Event()
        self._wire, self._workspaces, self._clock, self._timing = wire, workspaces, clock, timing
        self._token = bot_token
        self._served: dict[str, Served] = {}
        self._receiver = Receiver(self._served.get, clock, wire.host, names, todo, follows=bool(app_token))
        self._watch = self._receiver.watch
        app = self._receiver.app(signing_secret)
        self._catching_up = CatchUp(self._receiver, clock)
        self._looked, self._pause = -timing.most, timing.first
        self._trouble = "not begun"
        self._tenancy = None if installing is None else self._tenants(installing)
        self._receiver.doorkeeper = self._tenancy
        self._sockets = Sockets(app, app_token, wire, clock, timing, self._greeted) if app_token else None
        # The web server's doors, none where a socket is.
        self.doors: Sequence[WebDoor] = () if app_token else (WebDoor(app, signing_secret, path, clock),)
        # Its pages, none where the app is not installed by them.
        self.web_pages: Sequence[WebPage] = ()
        if installing is not None and self._tenancy is not None:
            known, oauth = self._tenancy.known, self._tenancy.oauth
            back = ReturnPage(installing, known, oauth, self._tenancy.install)
            self.web_pages = (InstallPage(installing, known, oauth), back)

    def _tenants(self, installing: Installing) -> Tenancy:
        oauth = OAuth(self._wire, installing.client_id, installing.client_secret)
        known = Installations(installing.db, installing.sealer, self._clock)
        return Tenancy(known, oauth, self._wire, self._workspaces, self._clock, serve=self._serve, leave=self._leave)

    async def run(self, intake: Intake) -> None:
        """Receive until cancelled. Whatever comes later than that is not acknowledged."""
        try:
            if self._tenancy is not None:
                await self._again(self._tenancy.open, intake)
            if self._token:
                await self._again(self._begin, intake)
            self._receiver.intake = intake
            async with asyncio.TaskGroup() as beside:
                beside.create_task(self._catch_up(intake))
                unread = self._receiver.arrivals.run(intake, self._served.values, self._timing.first, self._timing.most)
                beside.create_task(unread)
                if self._tenancy is not None:
                    beside.create_task(self._tenancy.stay())
                if self._sockets is not None:
                    await self._sockets.run()
                self._greeted()
        finally:
            self._receiver.intake = None
            await self._receiver.arrivals.close()
            await self._receiver.background.close()
            if self._tenancy is not None:
                await self._tenancy.close()

    async def people(self, workspace: Workspace, users: Iterable[str]) -> Mapping[str, Sender]:
        """Find out who these are; raises whatever the Web API does."""
        at = self._served.get(workspace.team)
        return (await at.people.known(users)).people if at else {}

    async def direct(self, team: str, user: str) -> str:
        """The conversation of the bot with somebody; raises what the Web API does, or `KeyError`."""
        return await self._served[team].people.direct(user)

    def removed(self, team: str) -> None:
        """Slack does not know the app in a workspace any more; where an installation served it, it has ended."""
        if self._tenancy is not None:
            self._receiver.background.do("an installation did not end", self._tenancy.removed(team))

    def health(self) -> Mapping[str, Any]:
        """Return `ok`, `hears`, the last error, the workspace, and the bot's user in it; of many, each installation."""
        if self._tenancy is None:
            return self._health_of_one()
        open_ = self._sockets is None or self._sockets.open
        error = self._trouble or ("" if self._sockets is None else self._sockets.last_error)
        return {
            "ok": open_ and self._receiver.intake is not None and not self._receiver.ended,
            "hears": open_ and not error and all(map(self._watch.hears, self._served)),
            "last_error": error,
            "installations": self._tenancy.health(),
        }

    def _health_of_one(self) -> Mapping[str, Any]:
        at = next(iter(self._served.values()), None)
        ended = at is not None and at.me.team in self._receiver.ended
        open_ = self._sockets is None or self._sockets.open
        error = "the app was uninstalled, or its tokens revoked" if ended else self._trouble
        error = error or ("" if self._sockets is None else self._sockets.last_error)
        return {
            "ok": at is not None and open_ and not ended,
            "hears": at is not None and open_ and not error and self._watch.hears(at.me.team),
            "last_error": error,
            "team": at.me.team if at else "",
            "bot_user": at.me.user if at else "",
        }

    def _greeted(self) -> None:
        """From now on Slack's events come; those from before are to be looked for."""
        self._watch.doubt(self._served)

    async def _begin(self, intake: Intake) -> None:
        """Find out who the bot is, and where."""
        async with asyncio.timeout(self._timing.hello):
            workspace = await introduced(self._wire.web(self._token), self._clock)
        await self._serve(workspace, intake)

    async def _serve(self, workspace: Workspace, intake: Intake) -> Served:
        """Take in what comes for a workspace from now on, and what was missed before."""
        tenant = await intake.tenant(PLATFORM, workspace.team, workspace.name)
        me = Me(
            team=workspace.team,
            user=workspace.bot_user,
            bot=workspace.bot_id,
            app=workspace.app_id,
            enterprise=workspace.enterprise,
        )
        people = People(workspace, me, self._clock)
        served = Served(workspace=workspace, me=me, people=people, tenant=tenant)
        self._served[workspace.team] = served
        self._workspaces.add(workspace)
        self._watch.add(workspace.team)
        self._receiver.arrivals.wanted.set()
        if self._receiver.intake is not None:
            self._watch.wanted.set()
        return served

    def _leave(self, team: str) -> None:
        """Take in nothing more for a workspace."""
        self._served.pop(team, None)
        self._watch.leave(team)
        self._catching_up.leave(team)

    async def _catch_up(self, intake: Intake) -> None:
        """Look for what was missed, after each connection and whenever something was kept from us."""
        while True:
            await self._wanted()
            self._watch.wanted.clear()
            await self._again(self._all_caught_up, intake)
            self._looked = self._clock.monotonic()
            if not self.caught_up.is_set() and all(map(self._watch.hears, self._served)):
                log.info("receiving from Slack as %s", ", ".join(self._served) or "nobody yet")
                self.caught_up.set()

    async def _wanted(self) -> None:
        """Wait until a look is asked for: at once after a quiet time, else with growing pauses.

        Where Slack posts to us nobody says that it could not, so there we look now and then.
        """
        try:
            async with asyncio.timeout(None if self._sockets else self._timing.look):
                await self._watch.wanted.wait()
        except TimeoutError:
            self._watch.ask(self._served)
        if self._clock.monotonic() - self._looked >= self._timing.most:
            self._pause = self._timing.first
            return
        await self._clock.sleep(self._pause)
        self._pause = min(2 * self._pause, self._timing.most)

    async def _all_caught_up(self, intake: Intake) -> None:
        failed = None
        for at in [at for team, at in self._served.items() if team in self._watch.missing]:
            self._watch.missing.discard(at.me.team)
            try:
                if not await self._catching_up.run(at, intake) and at.me.team in self._served:
                    self._watch.missing.add(at.me.team)
                    self._watch.wanted.set()
            except Exception as error:
                # One workspace must not keep us from the others.
                if not await self._has_ended(at.me.team, error):
                    failed = error
                    self._watch.missing.add(at.me.team)
        if failed is not None:
            raise failed

    async def _has_ended(self, team: str, error: Exception) -> bool:
        return code(error) in REMOVED and self._tenancy is not None and await self._tenancy.removed(team)

    async def _again(self, work: Any, intake: Intake) -> None:
        """Do something until it succeeds, with growing pauses."""
        wait = self._timing.first
        while True:
            try:
                await work(intake)
            except Exception as error:
                await self._complain(error, wait)
                wait = min(2 * wait, self._timing.most)
            else:
                self._trouble = ""
                return

    async def _complain(self, error: Exception, wait: float) -> None:
        named = NAMED.get(code(error), "")
        text = named or (str(error) if isinstance(error, StorageError) else described(error))
        if text != self._trouble:
            log.log(logging.ERROR if named else logging.WARNING, "cannot receive from Slack: %s", text)
        self._trouble = text
        # Upwards only: never sooner than asked for.
        await self._clock.sleep((self._timing.named if named else wait) * (1 + JITTER * random.random()))

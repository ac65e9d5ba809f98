"""The receiving half of the adapter, put together: who we are, one way of receiving, and what was missed before."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from slack_sdk.errors import SlackApiError

from bot.adapters.slack.backfill.backfill import CatchUp
from bot.adapters.slack.backfill.scheduler import NAMED, Looking
from bot.adapters.slack.backfill.semaphore import Room
from bot.adapters.slack.directory.people import People, Served
from bot.adapters.slack.directory.prefetch import Meeting
from bot.adapters.slack.directory.workspaces import PLATFORM, Workspace, Workspaces
from bot.adapters.slack.install.installations import Installations
from bot.adapters.slack.install.oauth import OAuth
from bot.adapters.slack.install.pages import Installing, InstallPage, ReturnPage, WebPage
from bot.adapters.slack.install.service import Tenancy
from bot.adapters.slack.parse.text import Me
from bot.adapters.slack.receive.http_endpoint import WebDoor
from bot.adapters.slack.receive.receiver import Receiver
from bot.adapters.slack.receive.socket_mode import JITTER, Sockets, Timing
from bot.adapters.slack.send.client import Wire, code, described, introduced
from bot.adapters.slack.send.sender import REMOVED
from core.kernel.errors import ConfigError, StorageError
from core.kernel.ports import Clock, Intake
from core.kernel.types import Sender

log = logging.getLogger(__name__)

# What Slack says of a token that is good for nothing.
BAD_TOKEN = frozenset({"invalid_auth", "not_authed", "token_revoked", "token_expired", "not_allowed_token_type"})
UNKNOWN_TOKEN = (
    "slack.bot_token: Slack does not take this token. Copy it again from the app's page (OAuth & Permissions, xoxb-…)"
    " and put it where it stands now, or run: teller setup --platform slack"
)


class Incoming:
    """Receives by a web socket, or through a door of the web server."""

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
        self._wire, self._workspaces, self._clock, self._timing = wire, workspaces, clock, timing
        self._token = bot_token
        self._served: dict[str, Served] = {}
        self._receiver = Receiver(self._served, clock, wire.host, names, todo, follows=bool(app_token))
        self._watch, self._meeting = self._receiver.watch, Meeting(self._served)
        app = self._receiver.app(signing_secret)
        room, posted = Room(clock), not app_token
        catching_up = CatchUp(self._receiver, clock, room)
        self._looking = Looking(
            self._served, catching_up, self._watch, clock, timing, room=room, posted=posted, gone=self._has_ended
        )
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
        return Tenancy(
            known,
            oauth,
            self._wire,
            self._workspaces,
            self._clock,
            serve=self._serve,
            leave=self._leave,
            renewed=self._looking.renewed,
        )

    @property
    def caught_up(self) -> asyncio.Event:
        """Set once each workspace was looked into, or could not be."""
        return self._looking.caught_up

    async def run(self, intake: Intake) -> None:
        """Receive until cancelled. Whatever comes later than that is not acknowledged."""
        try:
            if self._tenancy is not None:
                await self._again(self._tenancy.open, intake)
            async with asyncio.TaskGroup() as beside:
                if self._token:
                    # Where others are served, too, a token that is good for nothing keeps nothing from them.
                    own = beside.create_task(self._again(self._begin, intake))
                    await asyncio.wait({own}, timeout=self._timing.hello if self._tenancy else None)
                self._receiver.intake = intake
                beside.create_task(self._looking.run(intake))
                if self._tenancy is not None:
                    beside.create_task(self._tenancy.stay())
                if self._sockets is not None:
                    await self._sockets.run()
                self._greeted()
        finally:
            self._receiver.intake = None
            await self._receiver.background.close()
            await self._meeting.close()
            if self._tenancy is not None:
                await self._tenancy.close()

    async def people(self, workspace: Workspace, users: Iterable[str]) -> Mapping[str, Sender]:
        """Find out who these are; raises whatever the Web API does."""
        at = self._served.get(workspace.team)
        return (await at.people.known(users)).people if at else {}

    async def direct(self, team: str, user: str) -> str:
        """The conversation of the bot with somebody; raises what the Web API does, or `KeyError`."""
        return await self._served[team].people.direct(user)

    def called(self, team: str) -> str:
        """What the bot is called in a workspace; empty as long as Slack has not told."""
        at = self._served.get(team)
        return at.people.own_name if at else ""

    def removed(self, workspace: Workspace) -> None:
        """Slack does not know the app in a workspace any more; where an installation served it, it has ended."""
        if self._tenancy is not None:
            self._receiver.background.do("an installation did not end", self._tenancy.removed(workspace))

    def hears(self, team: str) -> bool:
        """Whether what was said in a workspace up to now is here, and nothing stands in the way of what comes."""
        heard = self._sockets is None or (self._sockets.open and not self._sockets.last_error)
        return heard and team not in self._receiver.ended and self._looking.hears(team)

    def _errors(self) -> Iterator[str]:
        """What is wrong, the worst first."""
        yield self._trouble
        yield "" if self._sockets is None else self._sockets.last_error
        for team, text in self._looking.troubles.items():
            yield text if self._tenancy is None else f"{team}: {text}"

    def health(self) -> Mapping[str, Any]:
        """Return `ok`, `hears`, the last error, the workspace, and the bot's user in it; of many, each installation."""
        if self._tenancy is None:
            return self._health_of_one()
        open_ = self._sockets is None or self._sockets.open
        return {
            "ok": open_ and self._receiver.intake is not None and not self._receiver.ended,
            "hears": open_ and not self._trouble and all(map(self.hears, self._served)),
            "last_error": next(filter(None, self._errors()), ""),
            "installations": self._tenancy.health(self._looking.troubles),
        }

    def _health_of_one(self) -> Mapping[str, Any]:
        at = next(iter(self._served.values()), None)
        ended = at is not None and at.me.team in self._receiver.ended
        open_ = self._sockets is None or self._sockets.open
        error = "the app was uninstalled, or its tokens revoked" if ended else next(filter(None, self._errors()), "")
        return {
            "ok": at is not None and open_ and not ended,
            "hears": at is not None and self.hears(at.me.team),
            "last_error": error,
            "team": at.me.team if at else "",
            "bot_user": at.me.user if at else "",
        }

    def _greeted(self, heard: bool = False) -> None:
        """From now on Slack's events come; those from before are to be looked for."""
        self._watch.doubt(self._served, heard=heard)

    async def _begin(self, intake: Intake) -> None:
        """Find out who the bot is, and where."""
        try:
            async with asyncio.timeout(self._timing.hello):
                workspace = await introduced(self._wire.web(self._token), self._clock)
        except SlackApiError as error:
            if self._tenancy is None and code(error) in BAD_TOKEN:
                raise ConfigError(UNKNOWN_TOKEN) from error
            raise
        self._serve(workspace, await intake.tenant(PLATFORM, workspace.team, workspace.name))

    def _serve(self, workspace: Workspace, tenant: int) -> Served:
        """Take in what comes for a workspace from now on, and what was missed before."""
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
        self._meeting.begin(workspace.team, people)
        self._workspaces.add(workspace)
        self._looking.enter(workspace.team)
        if self._receiver.intake is not None:
            self._watch.wanted.set()
        return served

    def _leave(self, team: str) -> None:
        """Take in nothing more for a workspace."""
        self._served.pop(team, None)
        self._meeting.end(team)
        self._looking.leave(team)

    async def _has_ended(self, at: Served, error: Exception) -> bool:
        """Whether an error is the end of an installation."""
        if self._tenancy is None or code(error) not in REMOVED:
            return False
        return await self._tenancy.removed(at.workspace)

    async def _again(self, work: Any, intake: Intake) -> None:
        """Do something until it succeeds, with growing pauses."""
        wait = self._timing.first
        while True:
            try:
                await work(intake)
            except ConfigError:
                raise
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

"""The receiving half of the adapter, put together: who we are, one way of receiving, and what was missed before."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from slack_sdk.errors import SlackApiError

from bot.adapters.slack.app import SlackApp
from bot.adapters.slack.backfill.backfill import CatchUp
from bot.adapters.slack.backfill.scheduler import BackfillScheduler
from bot.adapters.slack.backfill.semaphore import Room
from bot.adapters.slack.backfill.turns import Turns
from bot.adapters.slack.directory.people import People, Served
from bot.adapters.slack.directory.prefetch import Prefetch
from bot.adapters.slack.directory.served import Directory
from bot.adapters.slack.directory.workspaces import PLATFORM, Workspace
from bot.adapters.slack.parse.text import Me
from bot.adapters.slack.receive.attempts import Attempts
from bot.adapters.slack.receive.http_endpoint import HttpEndpoint
from bot.adapters.slack.receive.installs import Installer, Installs, WebPage
from bot.adapters.slack.receive.receiver import Receiver
from bot.adapters.slack.receive.socket_mode import Sockets, Timing
from bot.adapters.slack.send.client import Wire, code, introduced
from bot.adapters.slack.send.sender import REMOVED
from core.kernel.errors import ConfigError
from core.kernel.ports import Clock, Intake
from core.kernel.updates import Profile

# Who is in a workspace is taken in so many at a time.
LISTED_AT_ONCE = 100
ENDED = "the app was uninstalled, or its tokens revoked; install it again, set its tokens, and start again"
# What Slack says of a token that is good for nothing.
BAD_TOKEN = frozenset({"invalid_auth", "not_authed", "token_revoked", "token_expired", "not_allowed_token_type"})
UNKNOWN_TOKEN = (
    "slack.bot_token: Slack does not take this token. Copy it again from the app's page (OAuth & Permissions, xoxb-…)"
    " and put it where it stands now, or run: teller setup --platform slack"
)


class Incoming:
    """Receives by a web socket, or through the web server."""

    def __init__(
        self,
        wire: Wire,
        directory: Directory,
        clock: Clock,
        app: SlackApp,
        timing: Timing,
        installer: Installer | None = None,
        *,
        membership: Callable[[str, str, str], None] | None = None,
    ) -> None:
        self._wire, self._directory, self._clock, self._timing = wire, directory, clock, timing
        self._token, self._served = app.bot_token, directory.served
        posted = not app.app_token
        self._receiver = Receiver(
            self._served, clock, wire.host, app.names, app.todo, follows=not posted, membership=membership
        )
        self._watch, self._prefetch = self._receiver.keeper.watch, Prefetch(self._served, self._met)
        self._attempts = Attempts(clock, timing)
        room = Room(clock)
        self._backfill = BackfillScheduler(
            self._served,
            CatchUp(self._receiver, clock, room),
            self._watch,
            Turns(clock, timing, room),
            every=timing.look,
            posted=posted,
            gone=self._has_ended,
        )
        # Set once each workspace was looked into, or could not be.
        self.caught_up = self._backfill.caught_up
        bolt = self._receiver.app(app.signing_secret)
        self._sockets = None if posted else Sockets(bolt, app.app_token, wire, clock, timing, self._greeted)
        # Where Slack posts to, unless a socket is used; and the pages by which the app is installed, if it is.
        self.endpoints: list[HttpEndpoint | WebPage] = []
        if posted:
            self.endpoints.append(HttpEndpoint(bolt, app.signing_secret, app.path, clock))
        self._installs: Installs | None = None
        if installer is not None:
            self._installs = self._receiver.installs = installer(wire, directory.workspaces, clock, self)
            self.endpoints += self._installs.web_pages

    async def run(self, intake: Intake) -> None:
        """Receive until cancelled. Whatever comes later than that is not acknowledged."""
        try:
            if self._installs is not None:
                await self._attempts.until_done(self._installs.open, intake)
            async with asyncio.TaskGroup() as beside:
                if self._token:
                    # Where others are served, too, a token that is good for nothing keeps nothing from them.
                    own = beside.create_task(self._attempts.until_done(self._begin, intake))
                    await asyncio.wait({own}, timeout=self._timing.hello if self._installs else None)
                self._receiver.keeper.intake = intake
                beside.create_task(self._backfill.run(intake))
                if self._installs is not None:
                    beside.create_task(self._installs.run())
                if self._sockets is not None:
                    await self._sockets.run()
                self._greeted()
        finally:
            self._receiver.keeper.intake = None
            await self._receiver.background.close()
            await self._prefetch.close()
            if self._installs is not None:
                await self._installs.close()

    def removed(self, workspace: Workspace) -> None:
        """Hear that Slack does not know the app in a workspace any more; the installation that served it ends."""
        if self._installs is not None:
            self._receiver.background.do("an installation did not end", self._installs.removed(workspace))

    def hears(self, team: str) -> bool:
        """Whether what was said in a workspace up to now is here, and nothing stands in the way of what comes."""
        heard = self._sockets is None or (self._sockets.open and not self._sockets.last_error)
        return heard and team not in self._receiver.ended and self._backfill.hears(team)

    def health(self) -> Mapping[str, Any]:
        """Return `ok`, `hears`, the last error, the workspace, and the bot's user in it; of many, each installation."""
        open_ = self._sockets is None or self._sockets.open
        # What is wrong, the worst first; empty texts stand for what is well.
        errors = [self._attempts.trouble, "" if self._sockets is None else self._sockets.last_error]
        for team, text in self._backfill.troubles.items():
            errors.append(text if self._installs is None else f"{team}: {text}")
        error = next(filter(None, errors), "")
        if self._installs is not None:
            return {
                "ok": open_ and self._receiver.keeper.intake is not None and not self._receiver.ended,
                "hears": open_ and not self._attempts.trouble and all(map(self.hears, self._served)),
                "last_error": error,
                "installations": self._installs.health(self._backfill.troubles),
            }
        at = next(iter(self._served.values()), None)
        ended = at is not None and at.me.team in self._receiver.ended
        return {
            "ok": at is not None and open_ and not ended,
            "hears": at is not None and self.hears(at.me.team),
            "last_error": ENDED if ended else error,
            "team": at.me.team if at else "",
            "bot_user": at.me.user if at else "",
        }

    def _greeted(self, heard: bool = False) -> None:
        """Have those events looked for that came before now, since Slack hands over only what comes from now on."""
        self._watch.doubt(self._served, heard=heard)

    async def _begin(self, intake: Intake) -> None:
        """Find out who the bot is, and where."""
        try:
            async with asyncio.timeout(self._timing.hello):
                workspace = await introduced(self._wire.web(self._token), self._clock, scarce=self._wire.scarce)
        except SlackApiError as error:
            if self._installs is None and code(error) in BAD_TOKEN:
                raise ConfigError(UNKNOWN_TOKEN) from error
            raise
        self.serve(workspace, await intake.tenant(PLATFORM, workspace.team, workspace.name))

    def serve(self, workspace: Workspace, tenant: int) -> Served:
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
        self._prefetch.begin(workspace.team, people)
        self._directory.workspaces.add(workspace)
        self._backfill.enter(workspace.team)
        if self._receiver.keeper.intake is not None:
            self._watch.wanted.set()
        return served

    async def _met(self, team: str) -> None:
        """Have what the list said of the people of a workspace taken in, once all is here that was said before: while
        nobody listened they may have been deactivated or reactivated, moved to another zone, or renamed."""
        await self.caught_up.wait()
        at = self._served.get(team)
        if at is None:
            return
        listed = at.people.listed
        while some := [listed.pop(user) for user in list(listed)[:LISTED_AT_ONCE]]:
            profiles = [Profile(key=f"u:{who.address}:listed", sender=who, gone=gone) for who, gone in some]
            await self._receiver.keeper.ready().accept(at.tenant, profiles)

    def renewed(self, team: str) -> None:
        """Look into a workspace again, for which there is another token."""
        self._backfill.renewed(team)

    def leave(self, team: str) -> None:
        """Take in nothing more for a workspace."""
        self._served.pop(team, None)
        self._prefetch.end(team)
        self._backfill.leave(team)

    async def _has_ended(self, at: Served, error: Exception) -> bool:
        """Whether an error is the end of an installation."""
        if self._installs is None or code(error) not in REMOVED:
            return False
        return await self._installs.removed(at.workspace)

"""Who is where: people, channels, who comes and goes, and the app with them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import aiohttp
from yarl import URL

from tests.emulators.slack_hooks import Telling
from tests.emulators.slack_oauth import OAuth
from tests.emulators.slack_payloads import ARCHIVED, channel_event, user_event
from tests.emulators.slack_shown import ShownMessage, messages
from tests.emulators.slack_signed import Answer
from tests.emulators.slack_world import Channel, Json, Team, User, World

DEFAULT_USER = "U1001"
PRIVATE_KINDS = frozenset({"group", "mpim"})


class GroupSide:
    """What befalls people, channels and workspaces. *team* is a workspace by id, the first one by default."""

    world: World
    telling: Telling
    oauth: OAuth
    changed: Callable[[], None]

    def workspace(self, team: str = "") -> Team:
        """Return a workspace by its id, the first one without."""
        return self.world.teams[team or next(iter(self.world.teams))]

    def user(self, user: str = DEFAULT_USER, *, team: str = "", joins: bool = False, **fields: Any) -> User:
        """Return somebody, after changing *fields* of theirs, as tz or deleted; the bot is told of a change.

        Somebody new is there silently, or told of as having joined the workspace with *joins*.
        """
        home = self.workspace(team)
        known = home.users.get(user)
        if known is None:
            names = {"name": user.lower(), "real_name": user.title()}
            known = home.users[user] = User(id=user, team_id=home.id, **(names | fields))
            if joins:
                self.telling.event(home, user_event("team_join", known, home, self.world.next_ts()))
        elif fields:
            for name, value in fields.items():
                setattr(known, name, value)
            known.updated = int(self.world.now())
            self.telling.event(home, user_event("user_change", known, home, self.world.next_ts()))
        return known

    def channel(
        self,
        members: Sequence[str] = (DEFAULT_USER,),
        *,
        name: str = "",
        kind: str = "channel",
        bot: bool = True,
        team: str = "",
        shared_with: str = "",
    ) -> str:
        """Set up a channel silently and return its id; with *shared_with* another workspace has it, too.

        *kind* is "channel", "group" (private) or "mpim". People who are not known yet come into being, those of the
        other workspace excepted. Raises ``ValueError`` for another kind.
        """
        if kind not in ("channel", *PRIVATE_KINDS):
            raise ValueError(f"no kind of channel: {kind!r}")
        home = self.workspace(team)
        number = self.world.next_id("G" if kind == "mpim" else "C")
        made = Channel(id=number, kind=kind, name=name or number.lower(), is_ext_shared=bool(shared_with))
        for one in (home, *([self.workspace(shared_with)] if shared_with else [])):
            one.channels[number] = made
        for member in members:
            self._somebody(member, home, made)
        made.creator = next(iter(members), "")
        made.members |= {*members, *([home.bot_user] if bot else [])}
        return number

    def _somebody(self, user: str, home: Team, channel: Channel) -> None:
        teams = [one for one in self.world.teams.values() if one.channels.get(channel.id) is channel]
        if not any(user in one.users for one in teams):
            self.user(user, team=home.id)

    def dm(self, user: str = DEFAULT_USER, team: str = "") -> str:
        """Return the id of the conversation of *user* with the bot."""
        home = self.workspace(team)
        self.user(user, team=home.id)
        return home.dm_with(user).id

    def join(self, user: str, channel: str, *, by: str = "", team: str = "") -> None:
        """Let *user* come into *channel*, invited when *by* is given."""
        home, place = self._place(channel, team)
        self._somebody(user, home, place)
        self._check_guest(place, by)
        if user in place.members:
            raise ValueError(f"{user} is in {channel} already")
        place.members.add(user)
        self.telling.joined(home, place, user, by)

    def _check_guest(self, place: Channel, by: str) -> None:
        if by and by not in place.members:
            raise ValueError(f"{by} is not in {place.id}")
        if not by and place.kind in PRIVATE_KINDS:
            raise ValueError(f"into {place.id} somebody must be invited")

    def invite_bot(self, channel: str, by: str = DEFAULT_USER, team: str = "") -> None:
        """Let *by* bring the bot into *channel*."""
        self.join(self.workspace(team).bot_user, channel, by=by, team=team)

    def leave(self, user: str, channel: str, *, by: str = "", team: str = "") -> None:
        """Let *user* go out of *channel*, or be removed when *by* is given."""
        home, place = self._place(channel, team)
        if user not in place.members:
            raise ValueError(f"{user} is not in {channel}")
        place.members.discard(user)
        self.telling.left(home, place, user, by)

    def kick_bot(self, channel: str, by: str = DEFAULT_USER, team: str = "") -> None:
        """Let *by* remove the bot from *channel*."""
        self.leave(self.workspace(team).bot_user, channel, by=by, team=team)

    def archive(self, channel: str, by: str = DEFAULT_USER, team: str = "") -> None:
        """Let *by* archive *channel*: nobody can write there any more."""
        _, place = self._place(channel, team)
        place.archived = True
        self.telling.in_channel(place, channel_event(place, ARCHIVED, by, self.world.next_ts()))

    async def install(self, url: str, user: str = DEFAULT_USER, team: str = "", *, deny: bool = False) -> Answer:
        """Let *user* open the app's page *url* in a browser and agree to install it, or not; return the last page.

        Like a browser it keeps cookies, and trusts the loopback interface with those that are "Secure".
        """
        home = self.workspace(team)
        self.user(user, team=home.id)
        self.oauth.choose(home.id, user, deny=deny)
        jar = aiohttp.CookieJar(unsafe=True, treat_as_secure_origin=URL(url).origin())
        async with aiohttp.ClientSession(cookie_jar=jar) as browser, browser.get(url) as page:
            return Answer(page.status, await page.text(), page.headers)

    def uninstall(self, team: str = "") -> None:
        """Let an admin remove the app from the workspace; its tokens end."""
        home = self.workspace(team)
        self.world.revoke(home, "account_inactive")
        self.telling.gone(home, uninstalled=True)

    def revoke(self, team: str = "") -> None:
        """Let an admin revoke the tokens of the app."""
        home = self.workspace(team)
        self.world.revoke(home)
        self.telling.gone(home, uninstalled=False)

    def shown(self, channel: str, user: str = "", *, thread: str | None = None, team: str = "") -> list[ShownMessage]:
        """Return what *user* sees in *channel* now, oldest first; without a user what everybody there sees."""
        home, place = self._place(channel, team)
        return messages(home, place, user, thread=thread)

    def said(self, channel: str, user: str = "", *, thread: str | None = None, team: str = "") -> list[ShownMessage]:
        """Return what the bot has said of what is ``shown``."""
        return [one for one in self.shown(channel, user, thread=thread, team=team) if one.by_bot]

    def status(self, channel: str, thread: str = "", team: str = "") -> str:
        """Return what the bot is said to be doing in a thread of *channel*, empty when it shows nothing."""
        found: Json = self.workspace(team).statuses.get((channel, thread), {})
        return str(found.get("status", ""))

    def _place(self, channel: str, team: str) -> tuple[Team, Channel]:
        home = self.workspace(team)
        if channel not in home.channels:
            raise ValueError(f"no channel {channel} in {home.id}")
        return home, home.channels[channel]

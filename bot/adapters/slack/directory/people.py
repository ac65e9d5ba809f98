"""Who people are (users.info, users.list), asked once an hour."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from bot.adapters.slack.directory.cache import GARBLED, Cache
from bot.adapters.slack.directory.channels import Channels
from bot.adapters.slack.directory.untold import Untold
from bot.adapters.slack.directory.workspaces import Workspace
from bot.adapters.slack.parse.messages import Known, address, is_private
from bot.adapters.slack.parse.text import Me
from bot.adapters.slack.send.client import described, fields, next_cursor
from core.kernel.clean_text import label
from core.kernel.ports import Clock
from core.kernel.types import Sender

log = logging.getLogger(__name__)

# With the name of a channel this is less than the three seconds that Slack waits.
NAMED_SECONDS = 1.0
LONGEST_NAME, LONGEST_ZONE = 100, 64
HANDLE = re.compile(r"[\w.-]{1,64}")
# As many of a workspace as are asked for together at the start (users.list).
ON_A_PAGE, MOST_PAGES = 200, 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """One workspace that is received from: the way to it, who the bot is there, whom it knows, and our tenant."""

    workspace: Workspace
    me: Me
    people: People
    tenant: int


class People:
    """What is known of the people of one workspace, and of its `channels`."""

    def __init__(self, workspace: Workspace, me: Me, clock: Clock) -> None:
        self._client, self._me = workspace.client, me
        self._user_name = workspace.user_name
        # What the bot is called there; empty until Slack has told.
        self.own_name = ""
        # Whom the list told of, each with whether their account is deactivated, if nothing was said of them since.
        self.listed: dict[str, tuple[Sender, bool]] = {}
        # Of whom something was said while the list is asked for, else None: a page may say what was so before.
        self._said_of: set[str] | None = None
        self.channels = Channels(workspace, clock, self._quietly)
        self._untold = Untold(me, clock)
        self._people = Cache(self._info, clock, instead=self._instead)
        self._direct = Cache(self._open, clock)

    async def known(self, users: Iterable[str], channel: str = "", *, named: Iterable[str] = ()) -> Known:
        """Find out who these are, and what the channel is called.

        Raises whatever the Web API does when it does not answer now: then the update must come again. Those who are
        only `named`, and the name of a channel, are not worth that.
        """
        wanted = list(dict.fromkeys(users))
        beside = [user for user in dict.fromkeys(named) if user not in wanted]
        tasks = [self._people.get(user) for user in wanted]
        tried = [self._quietly(user) for user in beside]
        # Where all is known nothing waits, and messages of a channel come in their order.
        if self.ready(wanted, named=beside):
            found, others = [await one for one in tasks], [await one for one in tried]
        else:
            found, others = await asyncio.gather(asyncio.gather(*tasks), asyncio.gather(*tried))
        people = dict(zip(wanted, found, strict=True))
        people |= {user: who for user, who in zip(beside, others, strict=True) if who}
        title = await self.channels.title(channel) if channel and not is_private(channel) else ""
        return Known(people=people, title=title)

    def ready(self, users: Iterable[str], channel: str = "", *, named: Iterable[str] = ()) -> bool:
        """Whether `known` would say all this without asking."""
        titled = not channel or is_private(channel) or self.channels.seen(channel) is not None
        return titled and all(self._people.known(user) for user in (*users, *named))

    def language(self, user: str) -> str:
        """Return the language of somebody, as far as it is known without asking."""
        found = self._people.known(user)
        return found.language if found else ""

    async def one(self, user: str) -> Sender:
        """Find out who this is; raises as `known` does."""
        return await self._people.get(user)

    async def direct(self, user: str) -> str:
        """Return the id of the bot's conversation with somebody (conversations.open); raises what the Web API does."""
        return await self._direct.get(user)

    def changed(self, user: Mapping[str, Any]) -> Sender:
        """Keep what Slack says of somebody by itself (user_change)."""
        number = str(user["id"])
        before = self._people.known(number)
        now = self._read(user, before.language if before else "")
        self._people.put(number, now)
        self.listed.pop(number, None)
        if self._said_of is not None:
            self._said_of.add(number)
        return now

    async def _quietly(self, user: str) -> Sender | None:
        """Find out who this is, if that is quick; else they are called by their id."""
        try:
            async with asyncio.timeout(NAMED_SECONDS):
                return await self._people.get(user)
        except Exception as error:
            # Whatever went wrong, what was said of them is more.
            log.info("who %s is cannot be asked now: %s", user, described(error))
            return None

    async def meet(self, pages: int = MOST_PAGES) -> None:
        """Ask who everybody is (users.list), two hundred a page: nobody has to wait for it then who writes.

        The bot itself is one of them, and so are those whose accounts are deactivated: all are `listed`. Raises
        whatever the Web API does.
        """
        try:
            await self._list(pages)
        except Exception:
            await self._know_myself()
            raise
        finally:
            self._said_of = None
        await self._know_myself()

    async def _know_myself(self) -> None:
        """Find out what the bot is called, if nothing has told yet: else what it was called when it was made."""
        if not self.own_name:
            await self._quietly(self._me.user)
        self.own_name = self.own_name or self._user_name

    async def _list(self, pages: int) -> None:
        cursor = ""
        said_of = self._said_of = set[str]()
        for _ in range(pages):
            answer = await self._client.users_list(
                limit=ON_A_PAGE, cursor=cursor or None, team_id=self._me.team, include_locale=True
            )
            self._untold.answered()
            page = fields(answer.data)
            members = page.get("members")
            for user in members if isinstance(members, list) else ():
                try:
                    number, who = str(fields(user)["id"]), self._read(fields(user))
                except GARBLED:
                    # They are asked for by themselves when they write.
                    continue
                known, deactivated = self._people.known(number), fields(user).get("deleted") is True
                if known is None:
                    self._people.put(number, who)
                # Who is known and deactivated may have come back since: they spoke, or were asked for.
                if number not in said_of and (known is None or not deactivated):
                    self.listed[number] = (who if known is None or known.unknown else known, deactivated)
            cursor = next_cursor(page)
            if not cursor:
                return

    async def _info(self, user: str) -> Sender:
        try:
            answer = await self._client.users_info(user=user, include_locale=True)
            found = self._read(fields(answer.data)["user"])
        except Exception as error:
            who = self._untold.refused(user, error)
            if who is None:
                raise
            return who
        self._untold.answered(user)
        return found

    def _instead(self, user: str, seconds: float) -> Sender:
        who = self._untold.instead(user, seconds)
        if who.unknown == "now" and user != self._me.user:
            # Whether it is about this one, or nobody is told of now, is found out by asking for the bot.
            self._people.begin(self._me.user)
        return who

    def _read(self, user: Mapping[str, Any], language: str = "") -> Sender:
        found = read_person(user, self._me, language)
        if user["id"] == self._me.user:
            self.own_name = found.name
        return found

    async def _open(self, user: str) -> str:
        answer = await self._client.conversations_open(users=user)
        return str(fields(answer.data)["channel"]["id"])


def read_person(user: Mapping[str, Any], me: Me, language: str = "") -> Sender:
    """Read a user object (docs.slack.dev/reference/objects/user-object)."""
    profile, number = fields(user.get("profile")), str(user["id"])
    names = (profile.get("display_name"), profile.get("real_name"), user.get("real_name"), user.get("name"))
    name = next((found for one in names if (found := label(one, LONGEST_NAME))), number)
    handle, zone = user.get("name"), user.get("tz")
    # The workspace that they belong to: ours, if it is one of those of their organisation.
    team, theirs = user.get("team_id"), fields(user.get("enterprise_user")).get("teams")
    if not (isinstance(team, str) and team) or (isinstance(theirs, list) and me.team in theirs):
        team = me.team
    restricted = user.get("is_restricted") or user.get("is_ultra_restricted")
    locale = user.get("locale")
    return Sender(
        address=address(team, number),
        name=name,
        language=(re.split(r"[-_]", locale)[0].lower()[:8] if isinstance(locale, str) else "") or language,
        handle=f"@{handle.lower()}" if isinstance(handle, str) and HANDLE.fullmatch(handle) else "",
        kin="outsider" if team != me.team or user.get("is_stranger") else "guest" if restricted else "full",
        timezone=zone if isinstance(zone, str) and len(zone) <= LONGEST_ZONE else "",
    )

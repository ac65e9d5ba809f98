"""Who people are (users.info) and what channels are called (conversations.info), asked once an hour."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from slack_sdk.errors import SlackApiError

from bot.adapters.slack.client import code, fields
from bot.adapters.slack.parsing_messages import Known, address, is_private
from bot.adapters.slack.texts import Me
from bot.adapters.slack.workspace import Workspace
from bot.foreign import label
from core.language import detect, pick
from core.ports import Clock
from core.types import Sender

KEPT, KEPT_SECONDS = 10_000, 3600.0
# In all these are less than the three seconds that Slack waits.
PATIENCE_SECONDS = 1.5
NAMED_SECONDS, NAME_SECONDS = 1.0, 0.4
# An answer that could not be had anew is good for so long.
STALE_SECONDS = 60.0
LONGEST_NAME, LONGEST_ZONE = 100, 64
# As many as such a conversation may have (https://docs.slack.dev/apis/web-api/using-the-conversations-api).
MOST_TOGETHER = 20
HANDLE = re.compile(r"[\w.-]{1,64}")
# Nobody will ever say more of them: these are not of this workspace, as far as it knows.
STRANGE = frozenset({"user_not_found", "user_not_visible", "users_not_found"})
UNKNOWN = STRANGE | {"missing_scope", "not_in_channel"}
# What reading an answer raises that is none of Slack's.
GARBLED = (AttributeError, KeyError, TypeError, ValueError)
NO_CHANNEL = frozenset({
    "channel_not_found",
    "missing_scope",
    "not_in_channel",
    "method_not_supported_for_channel_type",
})

T = TypeVar("T")


class Cache(Generic[T]):
    """Answers by id: `ask` is called once for all who want the same, and again when an answer is an hour old.

    When there is no newer answer the old one is as good.
    """

    def __init__(self, ask: Callable[[str], Awaitable[T]], clock: Clock, seconds: float = KEPT_SECONDS) -> None:
        self._ask, self._clock, self._seconds = ask, clock, seconds
        self._known: dict[str, tuple[float, T]] = {}
        self._asked: dict[str, asyncio.Task[T]] = {}

    def known(self, key: str) -> T | None:
        """Return the answer that is here; None when there is none, or an old one."""
        found = self._known.get(key)
        return found[1] if found and self._clock.monotonic() - found[0] < self._seconds else None

    def put(self, key: str, value: T, age: float = 0.0) -> None:
        """Keep an answer, so many seconds old; beyond ten thousand the oldest is forgotten."""
        self._known.pop(key, None)
        self._known[key] = (self._clock.monotonic() - age, value)
        if len(self._known) > KEPT:
            del self._known[next(iter(self._known))]

    def drop(self, key: str) -> None:
        """Ask again next time."""
        self._known.pop(key, None)

    async def get(self, key: str) -> T:
        """Return the answer; raises what asking raised, or `GarbledError`."""
        found = self.known(key)
        if found is not None:
            return found
        task = self._asked.get(key)
        if task is None:
            task = self._asked[key] = asyncio.create_task(self._look(key))
            task.add_done_callback(lambda done: self._looked(key, done))
        # Somebody who waits no longer must not take the answer from the others.
        return await asyncio.shield(task)

    def _looked(self, key: str, done: asyncio.Task[T]) -> None:
        self._asked.pop(key, None)
        if not done.cancelled():
            # Whoever still waits is told of it; if nobody does, it is no news.
            done.exception()

    async def _look(self, key: str) -> T:
        old = self._known.get(key)
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                found = await self._ask(key)
        except GARBLED as error:
            if old is None:
                raise GarbledError from error
        except Exception:
            if old is None:
                raise
        else:
            self.put(key, found)
            return found
        self.put(key, old[1], self._seconds - STALE_SECONDS)
        return old[1]


class GarbledError(Exception):
    """An answer of Slack's is not as Slack writes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """One workspace that is received from: the way to it, who the bot is there, whom it knows, and our tenant."""

    workspace: Workspace
    me: Me
    people: People
    tenant: int


@dataclass(frozen=True, slots=True)
class Place:
    """A channel: its name, and whether the bot is in it."""

    title: str = ""
    member: bool = False


class People:
    """What is known of the people and channels of one workspace."""

    def __init__(self, workspace: Workspace, me: Me, clock: Clock) -> None:
        self._client, self._me = workspace.client, me
        self._people = Cache(self._info, clock)
        self._places = Cache(self._place, clock)
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
        title = await self._title(channel) if channel and not is_private(channel) else ""
        return Known(people=people, title=title)

    def ready(self, users: Iterable[str], channel: str = "", *, named: Iterable[str] = ()) -> bool:
        """Whether `known` would say all this without asking."""
        titled = not channel or is_private(channel) or self._places.known(channel) is not None
        return titled and all(self._people.known(user) for user in (*users, *named))

    def language(self, user: str) -> str:
        """The language of somebody, as far as it is known without asking."""
        found = self._people.known(user)
        return found.language if found else ""

    async def one(self, user: str) -> Sender:
        """Find out who this is; raises as `known` does."""
        return await self._people.get(user)

    async def place(self, channel: str) -> Place:
        """What a channel is; raises as `known` does."""
        return await self._places.get(channel)

    async def direct(self, user: str) -> str:
        """The id of the conversation of the bot with somebody (conversations.open); raises what the Web API does."""
        return await self._direct.get(user)

    def changed(self, user: Mapping[str, Any]) -> Sender:
        """Keep what Slack says of somebody by itself (user_change)."""
        number = str(user["id"])
        before = self._people.known(number)
        now = read_person(user, self._me, before.language if before else "")
        self._people.put(number, now)
        return now

    def moved(self, channel: str) -> None:
        """Something about a channel has changed: its name, or whether the bot is in it."""
        self._places.drop(channel)

    async def _quietly(self, user: str) -> Sender | None:
        """Find out who this is, if that is quick; else they are called by their id."""
        try:
            async with asyncio.timeout(NAMED_SECONDS):
                return await self._people.get(user)
        except Exception:
            # Whatever went wrong, what was said of them is more.
            return None

    async def _title(self, channel: str) -> str:
        try:
            async with asyncio.timeout(NAME_SECONDS):
                return (await self._places.get(channel)).title
        except Exception:
            # A channel without a name is as good, whatever went wrong.
            return ""

    async def _info(self, user: str) -> Sender:
        try:
            answer = await self._client.users_info(user=user, include_locale=True)
            return read_person(fields(answer.data)["user"], self._me)
        except SlackApiError as error:
            if code(error) not in UNKNOWN:
                raise
            kin = "outsider" if code(error) in STRANGE else ""
            return Sender(address=address(self._me.team, user), name=user, kin=kin)

    async def _place(self, channel: str) -> Place:
        try:
            answer = await self._client.conversations_info(channel=channel)
        except SlackApiError as error:
            if code(error) not in NO_CHANNEL:
                raise
            return Place()
        found = fields(fields(answer.data).get("channel"))
        if found.get("is_mpim"):
            return Place(title=await self._together(channel), member=found.get("is_member") is True)
        group = label(found.get("name"))
        return Place(title=f"#{group}" if group else "", member=found.get("is_member") is True)

    async def _together(self, channel: str) -> str:
        """Who is in a conversation of several (conversations.members), without the bot: such has no name of its own."""
        try:
            answer = await self._client.conversations_members(channel=channel, limit=MOST_TOGETHER)
        except SlackApiError as error:
            if code(error) not in NO_CHANNEL:
                raise
            return ""
        members = fields(answer.data).get("members")
        users = [one for one in members if isinstance(one, str)] if isinstance(members, list) else []
        known = await asyncio.gather(*(self._quietly(one) for one in users if one != self._me.user))
        return enumerated([one.name for one in known if one is not None])

    async def _open(self, user: str) -> str:
        answer = await self._client.conversations_open(users=user)
        return str(fields(answer.data)["channel"]["id"])


def enumerated(names: Sequence[str]) -> str:
    """Return names as people enumerate them, in the language that they look like: who reads it is not known."""
    language = pick(detect(" ".join(names)) or "")
    shown = names[0] if names else ""
    for n, name in enumerate(names[1:], 2):
        shown = language.say("slack_together_last" if n == len(names) else "slack_together", names=shown, name=name)
    return shown


def read_person(user: Mapping[str, Any], me: Me, language: str = "") -> Sender:
    """Read a user object (docs.slack.dev/reference/objects/user-object)."""
    profile, number = fields(user.get("profile")), str(user["id"])
    names = (profile.get("display_name"), profile.get("real_name"), user.get("real_name"), user.get("name"))
    name = next((found for one in names if (found := label(one, LONGEST_NAME))), number)
    handle, zone = user.get("name"), user.get("tz")
    team = _team(user, me)
    return Sender(
        address=address(team, number),
        name=name,
        language=_language(user.get("locale")) or language,
        handle=f"@{handle.lower()}" if isinstance(handle, str) and HANDLE.fullmatch(handle) else "",
        kin=_kin(user, team, me),
        timezone=zone if isinstance(zone, str) and len(zone) <= LONGEST_ZONE else "",
    )


def _team(user: Mapping[str, Any], me: Me) -> str:
    """Return the workspace somebody belongs to: ours, if it is one of those of their organisation."""
    theirs = fields(user.get("enterprise_user")).get("teams")
    if isinstance(theirs, list) and me.team in theirs:
        return me.team
    team = user.get("team_id")
    return team if isinstance(team, str) and team else me.team


def _kin(user: Mapping[str, Any], team: str, me: Me) -> str:
    if team != me.team or user.get("is_stranger"):
        return "outsider"
    return "guest" if user.get("is_restricted") or user.get("is_ultra_restricted") else "full"


def _language(locale: object) -> str:
    return re.split(r"[-_]", locale)[0].lower()[:8] if isinstance(locale, str) else ""

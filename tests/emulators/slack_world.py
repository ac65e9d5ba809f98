"""Who and what the emulated Slack knows: the app, workspaces, people, channels, messages and views."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]

TRIGGER_SECONDS = 3.0
BOT_SCOPES = (
    "app_mentions:read channels:history channels:join channels:read chat:write commands files:read files:write "
    "groups:history groups:read im:history im:read im:write mpim:history mpim:read reactions:read reactions:write "
    "team:read users:read"
)


@dataclass(slots=True, kw_only=True)
class Call:
    """One request to the Web API, whatever became of it.

    ``params`` are as sent; ``at`` is wall time and ``mono`` monotonic time, in seconds, when it was read.
    ``status`` is the HTTP status answered, None when there was none; ``error`` the code of a refusal;
    ``delivered`` tells whether the connection was still open when the answer was written.
    """

    method: str
    params: Json
    team: str = ""
    at: float = field(default_factory=time.time)
    mono: float = field(default_factory=time.monotonic)
    status: int | None = None
    error: str = ""
    delivered: bool = False


@dataclass(slots=True, kw_only=True)
class App:
    """The Slack app, one for all workspaces.

    *redirect_uri* is what its settings say of OAuth, empty to take any; *home_tab* is whether it has one,
    *messages_tab* whether people and it write to each other, *rotation* whether its tokens expire, *whole* whether who
    installs it does so for a whole organisation. *history_most* is how many messages conversations.history and replies
    give at once: 15 for apps that are sold outside the marketplace. *agent* is whether its manifest has `agent_view`;
    otherwise it has `assistant_view`, and its conversations are threads.
    """

    id: str = "A0TELLER"
    name: str = "Teller"
    client_id: str = "1000.2000"
    client_secret: str = "client-secret-of-the-emulator"
    signing_secret: str = "signing-secret-of-the-emulator"
    app_token: str = "xapp-1-A0TELLER-emulator"
    verification_token: str = "old-verification-token"
    redirect_uri: str = ""
    home_tab: bool = True
    messages_tab: bool = True
    rotation: bool = False
    whole: bool = False
    history_most: int = 999
    agent: bool = True


@dataclass(slots=True, kw_only=True)
class User:
    """Somebody of a workspace, or a bot; *tz* is an IANA name, *tz_offset* in seconds."""

    id: str
    team_id: str
    name: str
    real_name: str = ""
    tz: str = "Europe/Berlin"
    tz_offset: int = 3600
    locale: str = "en-US"
    is_bot: bool = False
    is_admin: bool = False
    is_restricted: bool = False
    is_ultra_restricted: bool = False
    deleted: bool = False
    updated: int = 0


@dataclass(slots=True, kw_only=True)
class Message:
    """A message as it is now.

    *edits* are the forms it had before, *call* is what posted it when the bot did.
    """

    ts: str
    team: str
    channel: str
    user: str = ""
    text: str = ""
    blocks: list[Json] = field(default_factory=list)
    attachments: list[Json] = field(default_factory=list)
    files: list[Json] = field(default_factory=list)
    thread_ts: str = ""
    subtype: str = ""
    bot_id: str = ""
    metadata: Json | None = None
    edited: Json | None = None
    deleted: bool = False
    ephemeral_for: str = ""
    client_msg_id: str = ""
    reactions: dict[str, list[str]] = field(default_factory=dict)
    edits: list[Json] = field(default_factory=list)
    extra: Json = field(default_factory=dict)
    call: Call | None = None


@dataclass(slots=True, kw_only=True)
class Channel:
    """A place for messages; *kind* is "channel", "group", "im" or "mpim", *user* the other half of an im.

    One shared between organisations is the same object in each of their workspaces, ``is_ext_shared`` set.
    """

    id: str
    kind: str = "channel"
    name: str = ""
    creator: str = ""
    members: set[str] = field(default_factory=set)
    user: str = ""
    is_ext_shared: bool = False
    archived: bool = False
    messages: dict[str, Message] = field(default_factory=dict)
    ephemeral: list[Message] = field(default_factory=list)

    @property
    def is_direct(self) -> bool:
        """Whether it has no name: a conversation of two, or of a few."""
        return self.kind in ("im", "mpim")


@dataclass(slots=True, kw_only=True)
class View:
    """A modal or a Home tab; *content* is what the bot sent."""

    id: str
    team: str
    user: str
    content: Json
    hash: str
    root_id: str = ""
    previous_id: str = ""
    state: Json = field(default_factory=lambda: {"values": {}})


@dataclass(slots=True, kw_only=True)
class Trigger:
    """What an interaction lets the bot open, once, before *until* (monotonic seconds)."""

    id: str
    team: str
    user: str
    until: float
    spent: bool = False


@dataclass(slots=True, kw_only=True)
class Team:
    """A workspace in which the app is, or was, installed."""

    id: str
    domain: str
    name: str = ""
    enterprise: str = ""
    bot_token: str = ""
    bot_user: str = "U0BOT"
    bot_id: str = "B0BOT"
    app_id: str = "A0TELLER"
    installed: bool = True
    scopes: set[str] = field(default_factory=lambda: set(BOT_SCOPES.split()))
    users: dict[str, User] = field(default_factory=dict)
    channels: dict[str, Channel] = field(default_factory=dict)
    files: dict[str, Json] = field(default_factory=dict)
    data: dict[str, bytes] = field(default_factory=dict)
    homes: dict[str, View] = field(default_factory=dict)
    modals: dict[str, list[View]] = field(default_factory=dict)
    statuses: dict[tuple[str, str], Json] = field(default_factory=dict)
    prompts: dict[tuple[str, str], Json] = field(default_factory=dict)
    titles: dict[tuple[str, str], str] = field(default_factory=dict)
    # What people look at, by their ids: Slack tells an agent.
    looking: dict[str, list[Json]] = field(default_factory=dict)

    @property
    def bot(self) -> User:
        """The bot's own user."""
        return self.users[self.bot_user]

    def dm(self, user: str) -> Channel | None:
        """Return the conversation of the bot with *user*, None when none is open."""
        return next((c for c in self.channels.values() if c.kind == "im" and c.user == user), None)

    def dm_with(self, user: str) -> Channel:
        """Return the conversation of the bot with *user*, opened when there was none; its id is told by the user's."""
        found = self.dm(user) or Channel(id=f"D{user[1:]}", kind="im", user=user, members={user, self.bot_user})
        self.channels[found.id] = found
        return found


@dataclass(slots=True, kw_only=True)
class Token:
    """What a bot token is good for: a workspace.

    *trouble* is the error code it is refused with, *until* wall seconds.
    """

    team: str
    trouble: str = ""
    until: float = 0.0


class Hooks:
    """What the delivery side is told of the bot's own doings; here nobody listens."""

    def posted(self, message: Message) -> None:
        """The bot has posted *message*, which is not ephemeral."""

    def edited(self, message: Message, before: Json) -> None:
        """The bot has changed *message*; *before* is its wire form until then."""

    def removed(self, message: Message) -> None:
        """The bot has deleted *message*."""

    def joined(self, team: Team, channel: Channel, user: str) -> None:
        """*user*, the bot, has entered *channel*."""

    def left(self, team: Team, channel: Channel, user: str) -> None:
        """*user*, the bot, has left *channel*."""

    def gone(self, team: Team, *, uninstalled: bool) -> None:
        """The bot's token was revoked by itself, or the app uninstalled."""

    def socket_url(self) -> str:
        """Return a fresh address for one web socket; raise ``ApiError`` when there may be no more."""
        raise NotImplementedError


class World:
    """Everything there is, and its clock, which may run *ahead* of this machine's by so many seconds."""

    def __init__(self) -> None:
        self.app = App()
        self.teams: dict[str, Team] = {}
        self.tokens: dict[str, Token] = {}
        self.triggers: dict[str, Trigger] = {}
        self.ahead = 0.0
        self._last = 0
        self._count = 0

    def now(self) -> float:
        """Return Slack's wall time in seconds."""
        return time.time() + self.ahead

    def next_ts(self) -> str:
        """Return a time stamp that no message has had, greater than all before it."""
        self._last = max(self._last + 1, int(self.now() * 1_000_000))
        return f"{self._last // 1_000_000}.{self._last % 1_000_000:06d}"

    def next_id(self, prefix: str) -> str:
        """Return an id like C0E000001."""
        self._count += 1
        return f"{prefix}0E{self._count:06d}"

    def team(self, team_id: str = "T0001", *, installed: bool = True, **fields: Any) -> Team:
        """Found a workspace with the bot's user in it; ids of different workspaces may be equal on purpose."""
        team = Team(id=team_id, domain=fields.pop("domain", team_id.lower()), installed=False, **fields)
        team.name = team.name or team.domain.title()
        bot = User(id=team.bot_user, team_id=team_id, name=self.app.name.lower(), real_name=self.app.name, is_bot=True)
        team.users[bot.id] = bot
        self.teams[team_id] = team
        if installed:
            self.install(team)
        return team

    def install(self, team: Team, *, renew: bool = False) -> str:
        """Install the app and return the bot's token: the old one while it holds, another with *renew*.

        An old token is not refused because of a new one.
        """
        known = self.tokens.get(team.bot_token)
        if renew or not team.bot_token or (known and known.trouble):
            prefix = "xoxe.xoxb" if self.app.rotation else "xoxb"
            team.bot_token = f"{prefix}-{team.id[1:]}-{len(self.tokens) + 1}-emulator"
        self.tokens.setdefault(team.bot_token, Token(team=team.id))
        team.installed = True
        return team.bot_token

    def revoke(self, team: Team, trouble: str = "token_revoked") -> None:
        """Refuse every token of *team* with *trouble* from now on; "account_inactive" after an uninstall."""
        for token in self.tokens.values():
            if token.team == team.id and not token.trouble:
                token.trouble = trouble
        team.installed = False

    def user(self, user_id: str) -> User | None:
        """Return somebody by id, whatever the workspace; the first one with that id."""
        return next((team.users[user_id] for team in self.teams.values() if user_id in team.users), None)

    def post(self, team: Team, channel: Channel, **fields: Any) -> Message:
        """Put a message into *channel* and return it; one for a single person is kept apart from the rest."""
        message = Message(ts=fields.pop("ts", None) or self.next_ts(), team=team.id, channel=channel.id, **fields)
        if message.ephemeral_for:
            channel.ephemeral.append(message)
        else:
            channel.messages[message.ts] = message
        if message.bot_id == team.bot_id:
            team.statuses.pop((channel.id, message.thread_ts), None)
        return message

    def trigger(self, team: Team, user: str, seconds: float = TRIGGER_SECONDS) -> Trigger:
        """Return a fresh trigger for what *user* just did; 0 seconds make one that is late already."""
        found = Trigger(
            id=f"{len(self.triggers) + 1}.{secrets.randbelow(10**10)}.{secrets.token_hex(16)}",
            team=team.id,
            user=user,
            until=time.monotonic() + seconds,
        )
        self.triggers[found.id] = found
        return found

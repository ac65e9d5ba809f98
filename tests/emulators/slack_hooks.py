"""What the bot is told of: events from the world, the bot's own doings among them."""

from __future__ import annotations

import random
from typing import Any

from tests.emulators.slack_delivery import EVENT, Deliveries, Envelope
from tests.emulators.slack_forms import message_form
from tests.emulators.slack_payloads import (
    LEFT,
    changed_event,
    channel_event,
    deleted_event,
    member_event,
    mention_event,
    message_event,
    wrapped,
)
from tests.emulators.slack_rules import ApiError
from tests.emulators.slack_socket import Sockets
from tests.emulators.slack_world import Channel, Hooks, Json, Message, Team, World

# What a message event is subscribed to as, by the kind of its channel.
MESSAGES = {"channel": "channels", "group": "groups", "im": "im", "mpim": "mpim"}
EVENTS = frozenset({
    *(f"message.{name}" for name in MESSAGES.values()),
    *("app_home_opened", "app_mention", "app_uninstalled", "channel_archive", "channel_left", "group_archive"),
    *("group_left", "member_joined_channel", "member_left_channel", "reaction_added", "reaction_removed"),
    *("team_join", "tokens_revoked", "user_change"),
})
LINES = frozenset({"channel_join", "channel_leave"})
TOMBSTONE = "This message was deleted."


class Telling(Hooks):
    """Tells the bot what it is *subscribed* to and may see.

    A channel that is shared between workspaces is told of once, to the first of them that has the app in it.
    """

    def __init__(self, world: World, deliveries: Deliveries, sockets: Sockets) -> None:
        self.subscribed = EVENTS
        self._world = world
        self._deliveries = deliveries
        self._sockets = sockets
        self._random = random.Random(world.app.id)

    def event(
        self, team: Team, event: Json, *, ext_shared: bool = False, actor: str = "", **fields: Any
    ) -> Envelope | None:
        """Hand *event* over to the installation in *team*, *fields* of its wrapper changed; None when it is not.

        *actor* is the workspace of whoever did it.
        """
        if not team.installed or _subscription(event) not in self.subscribed:
            return None
        body = wrapped(self._world, team, event, ext_shared=ext_shared, actor=actor) | fields
        return self._deliveries.send(EVENT, body)

    def seeing(self, channel: Channel) -> Team | None:
        """Return the workspace whose bot is in *channel*, None when there is none."""
        found = [t for t in self._world.teams.values() if t.installed and t.channels.get(channel.id) is channel]
        return next((team for team in found if team.bot_user in channel.members), None)

    def in_channel(self, channel: Channel, event: Json) -> None:
        """Tell of something in *channel* if the bot is there."""
        team = self.seeing(channel)
        if team is not None:
            self.event(team, event, ext_shared=channel.is_ext_shared)

    def said(self, message: Message, channel: Channel) -> None:
        """Tell of a new message; of one that mentions the bot twice, in any order, as two events.

        In a public channel without the bot only the mention is told.
        """
        home = self.seeing(channel)
        team = home or self._world.teams[message.team]
        events = [] if home is None else [message_event(self._world, message, channel, team)]
        if self._calls_bot(team, message) and channel.kind in ("channel", *(["group"] if home else [])):
            events.append(mention_event(self._world, message, channel, team))
        self._random.shuffle(events)
        for event in events:
            self.event(team, event, ext_shared=channel.is_ext_shared, actor=message.team)

    @staticmethod
    def _calls_bot(team: Team, message: Message) -> bool:
        return f"<@{team.bot_user}>" in message.text and not message.bot_id and message.subtype not in LINES

    def posted(self, message: Message) -> None:
        """Let the bot's own message come back to it."""
        self.said(message, self._channel(message))

    def edited(self, message: Message, before: Json) -> None:
        """Tell of a change of *message*, whoever made it."""
        channel = self._channel(message)
        self.in_channel(
            channel,
            changed_event(channel, self._world.next_ts(), message_form(self._world, message, metadata=False), before),
        )

    def removed(self, message: Message) -> None:
        """Tell of the end of *message*, of which a stone remains while there are answers below it."""
        channel = self._channel(message)
        before = message_form(self._world, message, metadata=False)
        ts = self._world.next_ts()
        if any(one.thread_ts == message.ts and one is not message for one in channel.messages.values()):
            stone: Json = {name: before[name] for name in ("type", "ts", "thread_ts") if name in before}
            stone |= {"subtype": "tombstone", "user": "USLACKBOT", "text": TOMBSTONE, "hidden": True}
            self.in_channel(channel, changed_event(channel, ts, stone, before))
        else:
            self.in_channel(channel, deleted_event(channel, ts, before))

    def joined(self, team: Team, channel: Channel, user: str, inviter: str = "") -> None:
        """Tell that *user* is in *channel* now, where a line says so."""
        event = member_event("member_joined_channel", team, channel, user, self._world.next_ts(), inviter)
        self.in_channel(channel, event)
        extra = {"inviter": inviter} if inviter else {}
        self._line(team, channel, user, "channel_join", f"<@{user}> has joined the channel", extra)

    def left(self, team: Team, channel: Channel, user: str, by: str = "") -> None:
        """Tell that *user* is not in *channel* any more; the bot learns of itself by another event than of others."""
        ts = self._world.next_ts()
        if user == team.bot_user:
            self.event(team, channel_event(channel, LEFT, by or user, ts), ext_shared=channel.is_ext_shared)
        else:
            self.in_channel(channel, member_event("member_left_channel", team, channel, user, ts))
        self._line(team, channel, user, "channel_leave", f"<@{user}> has left the channel", {})

    def _line(self, team: Team, channel: Channel, user: str, subtype: str, text: str, extra: Json) -> None:
        """Write into *channel* who came or went, as Slack does it."""
        self.said(self._world.post(team, channel, user=user, subtype=subtype, text=text, extra=extra), channel)

    def gone(self, team: Team, *, uninstalled: bool) -> None:
        """Tell that the tokens of *team* hold no more, and that the app was *uninstalled*, in any order."""
        events: list[Json] = [{"type": "tokens_revoked", "tokens": {"oauth": [], "bot": [team.bot_user]}}]
        if uninstalled:
            events.append({"type": "app_uninstalled"})
        self._random.shuffle(events)
        for event in events:
            self._deliveries.send(EVENT, wrapped(self._world, team, event))

    def socket_url(self) -> str:
        """Return a fresh address for one web socket; raise ``ApiError`` while Socket Mode is switched off."""
        if not self._sockets.enabled:
            raise ApiError("not_allowed_token_type")
        return self._sockets.address()

    def _channel(self, message: Message) -> Channel:
        return self._world.teams[message.team].channels[message.channel]


def _subscription(event: Json) -> str:
    if event["type"] == "message":
        return f"message.{MESSAGES[event['channel_type']]}"
    return str(event["type"])

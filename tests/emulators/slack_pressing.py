"""What people press and choose, and the commands and shortcuts they use; each is one interaction for the bot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.emulators.slack_acts import action, found
from tests.emulators.slack_delivery import COMMAND, INTERACTIVE, Envelope
from tests.emulators.slack_forms import message_form, ts_key, view_form
from tests.emulators.slack_payloads import command_form, interaction, place, typed_in_command
from tests.emulators.slack_people import DEFAULT_USER
from tests.emulators.slack_responding import ACTIONS, COMMANDS, Responding
from tests.emulators.slack_shown import ShownMessage, shown
from tests.emulators.slack_views import ViewSide
from tests.emulators.slack_world import Channel, Json, Message, Team, User, View

FAILED = "{} failed because the app did not respond."


@dataclass(frozen=True, slots=True, kw_only=True)
class Press:
    """Something somebody did that the bot answers; *ts* is when, *url* its response_url, empty from a view."""

    envelope: Envelope
    team: str
    user: str
    channel: str
    ts: str
    url: str = ""
    message: Message | None = None
    label: str = ""

    @property
    def trigger(self) -> str:
        """What a view may be opened with."""
        return str(self.envelope.payload["trigger_id"])


class PressSide(ViewSide):
    """*commands* are the slash commands of the app, with whether they escape (``should_escape``)."""

    responding: Responding
    commands: dict[str, bool]
    _presses: dict[str, Press]

    def press(
        self,
        message: str,
        button: str,
        user: str = DEFAULT_USER,
        channel: str = "",
        *,
        value: Any = None,
        team: str = "",
    ) -> Press:
        """Let *user* use an element of a message or a view, named by its ts or its id.

        *button* is its label, placeholder, action_id or value; *value* is what is chosen. Raises ``ValueError`` for
        what they do not see.
        """
        home = self.workspace(team)
        if message.startswith("V"):
            view = self._seen_view(home, message, user)
            block, element = found(view.content["blocks"], button)
            return self._in_view(home, view, user, action(block, element, self.world.next_ts(), value))
        room, one = self._seen(message, user, channel, team)
        block, element = found(one.blocks, button)
        entry = action(block, element, self.world.next_ts(), value)
        return self._in_message(home, room, one, user, entry, label=button)

    def select(
        self, message: str, element: str, value: Any, user: str = DEFAULT_USER, channel: str = "", *, team: str = ""
    ) -> Press:
        """Let *user* choose *value*: an option by its text or value, several of them, a date, a time, or a person."""
        return self.press(message, element, user, channel, value=value, team=team)

    def forge(
        self, message: str, entry: Mapping[str, Any], user: str = DEFAULT_USER, channel: str = "", *, team: str = ""
    ) -> Press:
        """Let a hostile or belated client use a button that is not there; the message may be deleted.

        *entry* changes fields of the entry of ``actions``, as action_id or value.
        """
        home, room = self._place(channel or self.dm(user, team), team)
        text = {"type": "plain_text", "text": "Press", "emoji": True}
        plain = {"type": "button", "action_id": "forged", "block_id": "forged", "text": text}
        acted = {**plain, **entry, "action_ts": self.world.next_ts()}
        shown_once = [*room.messages.values(), *room.ephemeral]
        one = next(one for one in shown_once if one.ts == message)
        return self._in_message(home, room, one, user, acted, label=acted["text"]["text"])

    def suggest(
        self, message: str, element: str, typed: str, user: str = DEFAULT_USER, channel: str = "", team: str = ""
    ) -> Envelope:
        """Let *user* type into an external_select; its options are in the response of the envelope."""
        home = self.workspace(team)
        if message.startswith("V"):
            view = self._seen_view(home, message, user)
            blocks, about = view.content["blocks"], _view_place(view, home)
        else:
            room, one = self._seen(message, user, channel, team)
            blocks, about = one.blocks, self._message_place(room, one)
        block, asked = found(blocks, element)
        fields = {"action_id": asked["action_id"], "block_id": block["block_id"], "value": typed, **about}
        person = self._presser(home, user)
        return self.deliveries.send(INTERACTIVE, interaction(self.world, home, person, "block_suggestion", **fields))

    def command(self, text: str, user: str = DEFAULT_USER, channel: str = "", *, team: str = "") -> Press:
        """Let *user* write a slash command of the app, as "/teller help"; what comes back is an ephemeral message.

        Raises ``ValueError`` for a command that is not the app's.
        """
        home, room = self._place(channel or self.dm(user, team), team)
        name, _, rest = text.partition(" ")
        if name not in self.commands:
            raise ValueError(f"{name} is no command of the app")
        url = self.responding.address(COMMANDS, home, room, user)
        fields = {
            "command": name,
            "text": typed_in_command(self.world, rest.strip(), escape=self.commands[name]),
            "response_url": url,
            "trigger_id": self.world.trigger(home, user).id,
        }
        form = command_form(self.world, home, self._presser(home, user), room, **fields)
        ts = self.world.next_ts()
        sent = self.deliveries.send(COMMAND, form, lambda envelope: self._commanded(envelope, home, room, user, url))
        return self._done(envelope=sent, team=home.id, user=user, channel=room.id, ts=ts, url=url, label=name)

    def shortcut(
        self, callback_id: str, user: str = DEFAULT_USER, *, message: str = "", channel: str = "", team: str = ""
    ) -> Press:
        """Let *user* use a shortcut of the app: a global one, or one in the menu of a *message*."""
        home, ts = self.workspace(team), self.world.next_ts()
        fields: Json = {"callback_id": callback_id, "action_ts": ts, "trigger_id": self.world.trigger(home, user).id}
        kind, url, where = "shortcut", "", ""
        if message:
            room, one = self._seen(message, user, channel, team)
            url = self.responding.address(ACTIONS, home, room, user, one)
            kind, where = "message_action", room.id
            fields |= {"message_ts": one.ts, "response_url": url, **self._message_place(room, one)}
            fields.pop("container")
        payload = interaction(self.world, home, self._presser(home, user), kind, **fields)
        sent = self.deliveries.send(INTERACTIVE, payload)
        return self._done(envelope=sent, team=home.id, user=user, channel=where, ts=ts, url=url, label=callback_id)

    def toasts(self, press: Press | str) -> list[ShownMessage]:
        """Return what only the one who pressed was shown since, oldest first, what came by its response_url alone
        unless nothing did. A press may be named by its ts.
        """
        press = self._presses[press] if isinstance(press, str) else press
        home, room = self._place(press.channel, press.team)
        alone = [m for m in room.ephemeral if m.ephemeral_for == press.user and not m.deleted]
        own = [m for m in alone if press.url and m in self.responding.answers(press.url)]
        since = [m for m in alone if ts_key(m.ts) > ts_key(press.ts) and not _answers_an_address(m)]
        return [shown(home, message) for message in own or since]

    def _in_message(self, home: Team, room: Channel, one: Message, user: str, entry: Json, *, label: str) -> Press:
        url = self.responding.address(ACTIONS, home, room, user, one)
        kinds = ("type", "block_id", "action_id", "action_ts", "text", "value", "style", "placeholder")
        chosen = {"type": entry["type"], **{name: entry[name] for name in entry.keys() - set(kinds)}}
        values = {} if entry["type"] == "button" else {entry["block_id"]: {entry["action_id"]: chosen}}
        payload = interaction(
            self.world,
            home,
            self._presser(home, user),
            "block_actions",
            trigger_id=self.world.trigger(home, user).id,
            response_url=url,
            state={"values": values},
            actions=[entry],
            **self._message_place(room, one),
        )
        sent = self.deliveries.send(INTERACTIVE, payload)
        pressed = {"team": home.id, "user": user, "channel": room.id, "ts": entry["action_ts"]}
        return self._done(envelope=sent, url=url, message=one, label=label, **pressed)

    def _in_view(self, home: Team, view: View, user: str, entry: Json) -> Press:
        trigger = self.world.trigger(home, user).id
        about = _view_place(view, home)
        payload = interaction(
            self.world, home, self._presser(home, user), "block_actions", trigger_id=trigger, actions=[entry], **about
        )
        sent = self.deliveries.send(INTERACTIVE, payload)
        return self._done(envelope=sent, team=home.id, user=user, channel="", ts=entry["action_ts"])

    def _message_place(self, room: Channel, one: Message) -> Json:
        """Return where an interaction happened; of a message for one person its content is not told."""
        container: Json = {"type": "message", "message_ts": one.ts, "channel_id": room.id}
        container["is_ephemeral"] = bool(one.ephemeral_for)
        if one.thread_ts:
            container["thread_ts"] = one.thread_ts
        about: Json = {"container": container, "channel": place(room)}
        if not one.ephemeral_for:
            about["message"] = message_form(self.world, one, metadata=False)
        return about

    def _seen(self, ts: str, user: str, channel: str, team: str) -> tuple[Channel, Message]:
        _, room = self._place(channel or self.dm(user, team), team)
        if user not in room.members and room.kind != "channel":
            raise ValueError(f"{user} does not see {room.id}")
        alone = [m for m in room.ephemeral if m.ephemeral_for == user]
        for one in (*room.messages.values(), *alone):
            if one.ts == ts and not one.deleted:
                return room, one
        raise ValueError(f"{user} sees no message {ts} in {room.id}")

    def _seen_view(self, home: Team, number: str, user: str) -> View:
        stack = home.modals.get(user, [])
        for view in (*stack[-1:], *([home.homes[user]] if user in home.homes else [])):
            if view.id == number:
                return view
        raise ValueError(f"{user} sees no view {number}")

    def _done(self, **fields: Any) -> Press:
        press = Press(**fields)
        self._presses[press.ts] = press
        self.changed()
        return press

    def _presser(self, home: Team, user: str) -> User:
        found = home.users.get(user) or self.world.user(user)
        if found is None:
            raise ValueError(f"nobody is {user}")
        return found

    def _commanded(self, envelope: Envelope, home: Team, room: Channel, user: str, url: str) -> None:
        if envelope.acked and envelope.response:
            self.responding.answer(url, envelope.response)
        elif not envelope.acked:
            text = FAILED.format(envelope.payload["command"])
            self.world.post(home, room, user="USLACKBOT", text=text, ephemeral_for=user)


def _view_place(view: View, home: Team) -> Json:
    form = view_form(view, home)
    return {"container": {"type": "view", "view_id": view.id}, "view": form}


def _answers_an_address(message: Message) -> bool:
    return message.call is not None and message.call.method == "response_url"

"""What people do: writing, changing, deleting, reacting, sending files; other bots write, too."""

from __future__ import annotations

from typing import Any

from tests.emulators.slack_delivery import EVENT, Envelope
from tests.emulators.slack_forms import message_form
from tests.emulators.slack_methods_files import Files
from tests.emulators.slack_payloads import escaped, new_client_msg_id, rich_text, wrapped
from tests.emulators.slack_people import DEFAULT_USER
from tests.emulators.slack_pressing import PressSide
from tests.emulators.slack_world import Channel, Json, Message, Team


class UserSide(PressSide):
    """Who writes must be in the channel; in their conversation with the bot everybody is."""

    files: Files

    def say(
        self,
        text: str,
        user: str = DEFAULT_USER,
        channel: str = "",
        *,
        thread: str = "",
        broadcast: bool = False,
        team: str = "",
        **fields: Any,
    ) -> str:
        """Let *user* write *text* as it is typed, `<@U…>` for a mention, to the bot without *channel*; return its ts.

        *fields* are further ones of ``Message``, as ts, files or a client_msg_id. Raises ``ValueError`` where they
        cannot write, or for a *thread* that is not there.
        """
        home, place = self._writable(user, channel, team)
        if thread and thread not in place.messages:
            raise ValueError(f"no message {thread} in {place.id}")
        safe = escaped(text)
        said: dict[str, Any] = {"client_msg_id": new_client_msg_id(), "text": safe}
        said |= {"blocks": rich_text(safe)} if safe else {}
        if thread:
            said |= _answering(place.messages[thread], broadcast=broadcast)
        message = self.world.post(home, place, user=user, **(said | fields))
        self.telling.said(message, place)
        self.changed()
        return message.ts

    def mention(self, text: str, user: str = DEFAULT_USER, channel: str = "", **more: Any) -> str:
        """Let *user* write to the bot by name; see ``say``."""
        bot = self.workspace(more.get("team", "")).bot_user
        return self.say(f"<@{bot}> {text}", user, channel, **more)

    def upload(
        self,
        data: bytes,
        user: str = DEFAULT_USER,
        channel: str = "",
        *,
        name: str = "file.txt",
        mimetype: str = "text/plain",
        text: str = "",
        clip: bool = False,
        **more: Any,
    ) -> str:
        """Let *user* send a file, or a *clip* of sound that they recorded in Slack, with *text* beside it; return the
        ts of the message."""
        home = self.workspace(more.get("team", ""))
        kind = "audio/mp4" if clip else mimetype
        form = self.files.store(self.world, home, user=user, name=name, data=data, mimetype=kind)
        if clip:
            form |= {"subtype": "slack_audio", "duration_ms": 3_000, "media_display_type": "audio"}
        return self.say(text, user, channel, subtype="file_share", files=[form], **more)

    def other_bot(self, text: str, channel: str, *, bot_id: str = "B0OTHER", thread: str = "", team: str = "") -> str:
        """Let an integration post as a bot_message; return its ts."""
        home, place = self._place(channel, team)
        message = self.world.post(
            home, place, text=escaped(text), subtype="bot_message", bot_id=bot_id, thread_ts=thread
        )
        self.telling.said(message, place)
        return message.ts

    def edit(self, ts: str, text: str, user: str = DEFAULT_USER, channel: str = "", team: str = "") -> None:
        """Let *user* change a message of their own."""
        message = self._own(ts, user, channel, team)
        before = message_form(self.world, message, metadata=False)
        message.edits.append(before)
        message.text = escaped(text)
        message.blocks = rich_text(message.text)
        message.edited = {"user": user, "ts": self.world.next_ts()}
        self.telling.edited(message, before)

    def delete(
        self, ts: str, user: str = DEFAULT_USER, channel: str = "", *, admin: bool = False, team: str = ""
    ) -> None:
        """Let *user* delete a message of their own, or anybody's as an *admin*."""
        message = self._found(ts, user, channel, team) if admin else self._own(ts, user, channel, team)
        message.deleted = True
        self.telling.removed(message)
        self.changed()

    def react(self, ts: str, emoji: str, user: str = DEFAULT_USER, channel: str = "", team: str = "") -> None:
        """Let *user* put *emoji*, a name without colons, on a message, or take it away again."""
        message = self._found(ts, user, channel, team)
        who = message.reactions.setdefault(emoji, [])
        kind = "reaction_removed" if user in who else "reaction_added"
        who.remove(user) if user in who else who.append(user)
        message.reactions = {name: users for name, users in message.reactions.items() if users}
        _, place = self._place(message.channel, team)
        item = {"type": "message", "channel": place.id, "ts": ts}
        event: Json = {"type": kind, "user": user, "reaction": emoji, "item": item, "item_user": message.user}
        self.telling.in_channel(place, event | {"event_ts": self.world.next_ts()})

    def push(self, event: Json, team: str = "", **wrapper: Any) -> Envelope:
        """Hand a raw event over, as broken as you like, *wrapper* being fields of its body."""
        return self.deliveries.send(EVENT, wrapped(self.world, self.workspace(team), event) | wrapper)

    def _writable(self, user: str, channel: str, team: str) -> tuple[Team, Channel]:
        home, place = self._place(channel or self.dm(user, team), team)
        if user not in place.members:
            raise ValueError(f"{user} is not in {place.id}")
        if place.archived:
            raise ValueError(f"{place.id} is archived")
        if place.kind == "im" and not self.world.app.messages_tab:
            raise ValueError("people cannot write to the app: its messages tab is off")
        return home, place

    def _own(self, ts: str, user: str, channel: str, team: str) -> Message:
        message = self._found(ts, user, channel, team)
        if message.user != user:
            raise ValueError(f"{ts} is not a message of {user}")
        return message

    def _found(self, ts: str, user: str, channel: str, team: str) -> Message:
        _, place = self._place(channel or self.dm(user, team), team)
        message = place.messages.get(ts)
        if message is None or message.deleted:
            raise ValueError(f"no message {ts} in {place.id}")
        return message


def _answering(root: Message, *, broadcast: bool) -> dict[str, Any]:
    if root.thread_ts not in ("", root.ts):
        raise ValueError(f"{root.ts} is an answer itself, its thread is {root.thread_ts}")
    answer: dict[str, Any] = {"thread_ts": root.ts, "extra": {"parent_user_id": root.user}}
    if broadcast:
        answer |= {"subtype": "thread_broadcast", "extra": {"root": {"ts": root.ts, "user": root.user}}}
    return answer

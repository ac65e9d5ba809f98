"""The people's side of Slack, as stories want it."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Sequence

from bot.adapters.slack.manifest import AGENT, EVENTS, SCOPES
from tests.acceptance.slack_toasts import Toasts
from tests.acceptance.stories.platform import Chat, Person, Shown
from tests.emulators.slack import SlackServer
from tests.emulators.slack_acts import elements_of
from tests.emulators.slack_forms import ts_key
from tests.emulators.slack_shown import shown
from tests.emulators.slack_world import Json, Message

TEAM = "T0001"
OWNER, FIRST_OWNER, OWNERS, FIRST_MEMBER, MEMBERS, FIRST_STRANGER = 1001, 1101, 20, 2001, 300, 9001
COMMAND = "/teller"
# What one attempt to say something is, or to show that something is being said.
SPEAKING = frozenset({
    *("chat.postMessage", "chat.postEphemeral", "chat.update"),
    *("assistant.threads.setStatus", "response_url", "views.open", "views.publish"),
})
# Events come again four times a second, so that a program which starts hears soon what was said before.
RETRIES = (0.0, *([0.25] * 400))


def address(number: int) -> str:
    """How the configuration names somebody."""
    return f"slack:{TEAM}:U{number}"


def owning() -> str:
    """The configuration's owners: the first one, and those whom `SlackPlatform.another_owner` brings."""
    return json.dumps([address(OWNER), *(address(FIRST_OWNER + n) for n in range(OWNERS))])


def admitted() -> str:
    """The configuration's list of those whom `SlackPlatform.member` brings."""
    return json.dumps([address(FIRST_MEMBER + n) for n in range(MEMBERS)])


class SlackPlatform:
    """`Platform` over the strict emulator, in which the app may and hears what its manifest says.

    Nobody can write a message that begins with a slash: such words are a slash command. Where there are none, in a
    thread or while nobody takes them, they are said to the bot by name. A conversation with the bot is a thread:
    whoever mentions it in a group does so where it answered somebody there last.
    """

    bot_name = "Teller"
    sets_menu, names_address, presses_wait, knows_zones = False, False, False, True

    def __init__(self, server: SlackServer) -> None:
        server.retry_after = RETRIES
        server.team.scopes = {scope.name for scope in (*SCOPES, *AGENT)}
        server.telling.subscribed = frozenset(event.name for event in EVENTS)
        self.server = server
        self._owners, self._members = itertools.count(FIRST_OWNER), itertools.count(FIRST_MEMBER)
        self._strangers, self._groups = itertools.count(FIRST_STRANGER), itertools.count(5001)
        self._threads: set[str] = set()
        self._toasts = Toasts(server)
        self.owner = self._person(OWNER)

    def another_owner(self) -> Person:
        return self._person(next(self._owners))

    def member(self) -> Person:
        return self._person(next(self._members))

    def stranger(self) -> Person:
        return self._person(next(self._strangers))

    def _person(self, number: int) -> Person:
        name = f"User{number}"
        self.server.user(f"U{number}", name=name, real_name=name, tz="UTC", tz_offset=0)
        return Person(name=name, key=f"U{number}")

    def handle(self, person: Person) -> str:
        return f"<@{person.key}>"

    def named(self, person: Person, *, met: bool = True) -> str:
        return f"@{person.name}"

    def call(self, person: Person, name: str, language: str = "en") -> Person:
        locale = {"en": "en-US", "de": "de-DE", "zh": "zh-CN"}[language]
        self.server.user(person.key, name=name.lower(), real_name=name, locale=locale)
        return Person(name=name, key=person.key)

    def command(self, name: str) -> str:
        return f"{COMMAND} {name}"

    def private(self, person: Person) -> Chat:
        return Chat(key=self.server.dm(person.key))

    def group(self, *people: Person, threads: bool = False) -> Chat:
        members = [person.key for person in people]
        return Chat(key=self.server.channel(members, name=f"family-{next(self._groups)}", bot=False), group=True)

    def thread(self, group: Chat, by: Person) -> Chat:
        root = self.server.say("Let us talk about this here.", by.key, group.key)
        self._threads.add(root)
        return Chat(key=group.key, group=True, thread=root)

    def add_bot(self, group: Chat, by: Person) -> None:
        self.server.invite_bot(group.key, by=by.key)

    def remove_bot(self, group: Chat, by: Person) -> None:
        self.server.kick_bot(group.key, by=by.key)

    def leave(self, group: Chat, person: Person) -> None:
        self.server.leave(person.key, group.key)

    def has_bot(self, group: Chat) -> bool:
        return self.server.team.bot_user in self.server.team.channels[group.key].members

    def upgrade(self, group: Chat, by: Person) -> Chat:
        return group

    def say(
        self, person: Person, text: str, chat: Chat | None = None, *, mention: bool = False, reply_to: str = ""
    ) -> str:
        where = chat or self.private(person)
        thread = where.thread or self._thread_of(where, reply_to)
        if text.startswith("/") and not thread and self.server.reachable:
            return self._command(person, text, where)
        return self._say(person, text, where, thread, mention=mention or text.startswith("/"))

    def openly(self, person: Person, command: str, chat: Chat) -> str:
        return self._say(person, command, chat, chat.thread, mention=True)

    def _say(self, person: Person, text: str, chat: Chat, thread: str, *, mention: bool) -> str:
        if mention and chat.group:
            thread = thread or self._talk(chat)
        return self.server.say(self._addressed(text, mention=mention), person.key, chat.key, thread=thread)

    def _talk(self, group: Chat) -> str:
        """The thread in which the bot has answered last; empty when it never has."""
        said = [one for one in self.shown(group) if one.reply_to]
        return said[-1].reply_to if said else ""

    def _command(self, person: Person, text: str, chat: Chat) -> str:
        own = text if text.split(maxsplit=1)[0] in self.server.commands else f"{COMMAND} {text.removeprefix('/')}"
        return self.server.command(own, person.key, chat.key).ts

    def _thread_of(self, chat: Chat, ts: str) -> str:
        """The thread in which a message is answered: its own, or the one it begins."""
        return self._message(chat, ts).thread_ts or ts if ts else ""

    def edit(self, person: Person, message: str, text: str, chat: Chat | None = None, *, mention: bool = False) -> None:
        where = chat or self.private(person)
        self.server.edit(message, self._addressed(text, mention=mention), person.key, where.key)

    def _addressed(self, text: str, *, mention: bool) -> str:
        return f"<@{self.server.team.bot_user}> {text}" if mention else text

    def follow(self, person: Person, invitation: str) -> None:
        found = re.search(r"/?(?:teller )?start [\w-]{8,}", invitation)
        assert found is not None, invitation
        self.say(person, found[0])

    def delete(self, shown: Shown) -> None:
        message = self._message(shown.chat, shown.key)
        if message.ephemeral_for:
            message.deleted = True
        else:
            self.server.delete(shown.key, self.owner.key, shown.chat.key, admin=True)

    def press(self, person: Person, shown: Shown, label: str, *, gone: bool = False) -> str:
        data = dict(shown.buttons)[label]
        message = self._message(shown.chat, shown.key)
        found = next(((e, o) for e, o in _offered(message.blocks) if o.get("value") == data), None)
        if gone or found is None:
            return self._forge(person, shown, data, label)
        element, option = found
        chosen = None if option is element else option["value"]
        name = element["action_id"]
        pressed = self.server.press(shown.key, name, person.key, shown.chat.key, value=chosen)
        return self._toasts.add(pressed, label, data)

    def forge(self, person: Person, shown: Shown, data: str) -> str:
        return self._forge(person, shown, data, "")

    def _forge(self, person: Person, shown: Shown, data: str, label: str) -> str:
        """Press what the message showed once: the first of its buttons, with other data."""
        message = self._message(shown.chat, shown.key)
        forms = [message.blocks, *(form.get("blocks", []) for form in reversed(message.edits))]
        template = next((element for blocks in forms for element, _ in _offered(blocks)), {"action_id": "forged"})
        entry = {"action_id": template["action_id"], "value": data}
        return self._toasts.add(self.server.forge(shown.key, entry, person.key, shown.chat.key), label, data)

    def noise(self, person: Person, number: int) -> None:
        _Noise(self.server, person.key, number).make()

    def toast(self, press: str) -> str | None:
        return self._toasts.of(press)

    def shown(self, chat: Chat) -> Sequence[Shown]:
        room = self.server.team.channels[chat.key]
        everything = [*room.messages.values(), *(m for m in room.ephemeral if not self._toasts.is_one(m))]
        own = [m for m in everything if m.bot_id == self.server.team.bot_id and not m.deleted]
        return [self._seen(m, chat) for m in sorted(own, key=lambda m: ts_key(m.ts)) if self._belongs(m, chat)]

    def _belongs(self, message: Message, chat: Chat) -> bool:
        """A thread that a story made is a chat of its own; one that an answer began belongs to the channel."""
        return message.thread_ts == chat.thread if chat.thread else message.thread_ts not in self._threads

    def _seen(self, message: Message, chat: Chat) -> Shown:
        seen = shown(self.server.team, message)
        offered = [option for _, option in _offered(message.blocks)]
        return Shown(
            chat=chat,
            key=message.ts,
            text=seen.text,
            buttons=tuple((one["text"]["text"], one["value"]) for one in offered if one.get("value")),
            edits=seen.edits,
            reply_to="" if chat.thread else seen.thread,
            told=tuple(user for user in seen.told if user != self.server.team.bot_user),
        )

    def _message(self, chat: Chat, ts: str) -> Message:
        room = self.server.team.channels[chat.key]
        return next(one for one in (*room.messages.values(), *room.ephemeral) if one.ts == ts)

    def files(self, chat: Chat) -> Sequence[tuple[str, bytes]]:
        team = self.server.team
        messages = team.channels[chat.key].messages.values()
        forms = [form for one in messages if one.bot_id == team.bot_id for form in one.files]
        return [(form["name"], team.data[form["id"]]) for form in forms]

    def give(self, person: Person, name: str, content: bytes, words: str) -> None:
        self.server.upload(content, person.key, self.private(person).key, name=name, text=words)

    def sends(self) -> int:
        # Who has no access is told so once a day, in a message of bare text for their eyes alone: that is no answer.
        calls = [call for call in self.server.calls() if call.method in SPEAKING]
        return sum(call.method != "chat.postEphemeral" or "blocks" in call.params for call in calls)

    def put_forward(self, seconds: float) -> None:
        self.server.ahead += seconds

    def dawdle(self, seconds: float) -> None:
        self.server.delivery_fault("slow", delay=seconds)

    def waiting(self) -> int:
        return len(self.server.pending())


def _offered(blocks: list[Json]) -> list[tuple[Json, Json]]:
    """What can be pressed or chosen: each button with itself, each option with its menu."""
    return [(element, one) for element in elements_of(blocks) for one in element.get("options", (element,))]


class _Noise:
    """What somebody may do to a bot that does not know them."""

    def __init__(self, server: SlackServer, user: str, number: int) -> None:
        self._server, self._user, self._number = server, user, number

    def make(self) -> None:
        kinds = (self._say, self._edit, self._command, self._file, self._group, self._home)
        kinds[self._number % len(kinds)]()

    def _say(self) -> None:
        words = ("Hi " * 300, "people", f"start {self._number:022d}", "privacy")
        self._server.say(words[self._number // 6 % len(words)], self._user)

    def _edit(self) -> None:
        ts = self._server.say("before", self._user)
        self._server.edit(ts, "after", self._user)

    def _command(self) -> None:
        self._server.command(f"{COMMAND} people", self._user)

    def _file(self) -> None:
        self._server.upload(b"x" * 100, self._user, name="look.png", mimetype="image/png", text="look")

    def _group(self) -> None:
        room = self._server.channel([self._user], name=f"spam-{self._number}", bot=False)
        self._server.mention("hi", self._user, room)

    def _home(self) -> None:
        self._server.open_home(self._user)

"""The people's side of Telegram, as stories want it."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Sequence

from tests.acceptance.harness import OWNER
from tests.acceptance.stories.platform import Chat, Person, Shown
from tests.emulators.telegram import TelegramServer
from tests.emulators.telegram_callbacks import Press
from tests.emulators.telegram_chats import SentMessage
from tests.emulators.telegram_groups import PRESENT

FIRST_OWNER, OWNERS, FIRST_MEMBER, MEMBERS, FIRST_STRANGER = 1101, 20, 2001, 300, 9001
SPEAKING = frozenset({"sendMessage", "sendMessageDraft", "editMessageText", "answerCallbackQuery", "sendChatAction"})


def owning() -> str:
    """The configuration's owners: the first one, and those whom `TelegramPlatform.another_owner` brings."""
    return json.dumps([f"tg:{OWNER}", *(f"tg:{FIRST_OWNER + n}" for n in range(OWNERS))])


def admitted() -> str:
    """The configuration's list of those whom `TelegramPlatform.member` brings."""
    return json.dumps([f"tg:{FIRST_MEMBER + n}" for n in range(MEMBERS)])


class TelegramPlatform:
    """`Platform` over the strict emulator."""

    bot_name = "Teller"
    sets_menu, names_address, presses_wait, knows_zones = True, True, True, False

    def __init__(self, server: TelegramServer) -> None:
        server.privacy = False
        self.server = server
        self._owners, self._members = itertools.count(FIRST_OWNER), itertools.count(FIRST_MEMBER)
        self._strangers = itertools.count(FIRST_STRANGER)
        self._groups, self._threads = itertools.count(5001), itertools.count(70_001)
        self._ahead = 0.0
        self.owner = _person(OWNER)

    def another_owner(self) -> Person:
        return _person(next(self._owners))

    def member(self) -> Person:
        return _person(next(self._members))

    def stranger(self) -> Person:
        return _person(next(self._strangers))

    def handle(self, person: Person) -> str:
        return f"@{self.server.chats.user(int(person.key))['username']}"

    def named(self, person: Person, *, met: bool = True) -> str:
        return person.name if met else self.handle(person)

    def call(self, person: Person, name: str, language: str = "en") -> Person:
        self.server.chats.rename(int(person.key), {"first_name": name, "language_code": language})
        return Person(name=name, key=person.key)

    def command(self, name: str) -> str:
        return f"/{name}"

    def private(self, person: Person) -> Chat:
        return Chat(key=person.key)

    def group(self, *people: Person, threads: bool = False) -> Chat:
        number = next(self._groups)
        chat = int(f"-100{number}000000") if threads else -number
        members = {int(person.key): "member" for person in people}
        self.server.group(chat, f"Family {number}", members=members, bot="left", forum=threads)
        return Chat(key=str(chat), group=True)

    def thread(self, group: Chat, by: Person) -> Chat:
        number = next(self._threads)
        self.server.topic(int(group.key), number, by=int(by.key))
        return Chat(key=group.key, group=True, thread=str(number))

    def add_bot(self, group: Chat, by: Person) -> None:
        self.server.member(int(group.key), self.server.bot_id, "member", by=int(by.key))

    def remove_bot(self, group: Chat, by: Person) -> None:
        self.server.member(int(group.key), self.server.bot_id, "kicked", by=int(by.key))

    def leave(self, group: Chat, person: Person) -> None:
        self.server.member(int(group.key), int(person.key), "left", by=int(person.key))

    def has_bot(self, group: Chat) -> bool:
        return self.server.chats.groups[int(group.key)].status(self.server.bot_id) in PRESENT

    def upgrade(self, group: Chat, by: Person) -> Chat:
        return Chat(key=str(self.server.migrate(int(group.key), by=int(by.key))), group=True)

    def say(
        self, person: Person, text: str, chat: Chat | None = None, *, mention: bool = False, reply_to: str = ""
    ) -> str:
        where = chat or self.private(person)
        self.server.say(
            self._addressed(text, mention=mention),
            user=int(person.key),
            chat=int(where.key),
            date=int(time.time() + self._ahead),
            reply_to=int(reply_to) if reply_to else None,
            thread=int(where.thread) if where.thread else None,
        )
        return str(self.server.last_message_id)

    def openly(self, person: Person, command: str, chat: Chat) -> str:
        return self.say(person, command, chat)

    def edit(self, person: Person, message: str, text: str, chat: Chat | None = None, *, mention: bool = False) -> None:
        where = chat or self.private(person)
        said = self._addressed(text, mention=mention)
        self.server.edit(int(message), said, user=int(person.key), chat=int(where.key))

    def _addressed(self, text: str, *, mention: bool) -> str:
        # A command names the bot in itself.
        return f"@{self.server.chats.bot['username']} {text}" if mention and not text.startswith("/") else text

    def follow(self, person: Person, invitation: str) -> None:
        word = invitation.partition("start=")[2].split()[0]
        self.say(person, f"/start {word}")

    def delete(self, shown: Shown) -> None:
        self.server.delete(int(shown.key), int(shown.chat.key))

    def press(self, person: Person, shown: Shown, label: str, *, gone: bool = False) -> str:
        data = dict(shown.buttons)[label]
        if gone or data not in self._carried(shown):
            return self._press(person, shown, data, inaccessible=gone)
        message, chat = int(shown.key), int(shown.chat.key)
        return self.server.press(message, data, user=int(person.key), chat=chat)

    def forge(self, person: Person, shown: Shown, data: str) -> str:
        return self._press(person, shown, data)

    def _press(self, person: Person, shown: Shown, data: str, *, inaccessible: bool = False) -> str:
        return self.server.press(
            int(shown.key),
            data,
            user=int(person.key),
            chat=int(shown.chat.key),
            inaccessible=inaccessible,
            forged=True,
        )

    def _carried(self, shown: Shown) -> set[str]:
        """What the buttons of a message carry now."""
        return {data for one in self.shown(shown.chat) if one.key == shown.key for _, data in one.buttons}

    def noise(self, person: Person, number: int) -> None:
        _Noise(self.server, int(person.key), number).make()

    def toast(self, press: str) -> str | None:
        found = self.server.answers(press)
        return found[0].text if found else None

    def shown(self, chat: Chat) -> Sequence[Shown]:
        sent = self.server.sent(int(chat.key))
        return [_seen(one, chat) for one in sent if str(one.params.get("message_thread_id", "")) == chat.thread]

    def files(self, chat: Chat) -> Sequence[tuple[str, bytes]]:
        sent = self.server.sent(int(chat.key))
        return [(one.document.name, one.document.data) for one in sent if one.document is not None]

    def give(self, person: Person, name: str, content: bytes, words: str) -> None:
        user = int(person.key)
        self.server.send_media("document", user, user, data=content, caption=words, file_name=name)

    def sends(self) -> int:
        return sum(call.method in SPEAKING for call in self.server.calls())

    def put_forward(self, seconds: float) -> None:
        self._ahead += seconds

    def dawdle(self, seconds: float) -> None:
        self.server.fault("getUpdates", kind="slow", delay=seconds)

    def waiting(self) -> int:
        return self.server.pending()


class _Noise:
    """What somebody may do to a bot that does not know them."""

    def __init__(self, server: TelegramServer, user: int, number: int) -> None:
        self.server, self._user, self._number = server, user, number

    def make(self) -> None:
        kinds = (self._say, self._edit, self._button, self._photo, self._group, self._block)
        kinds[self._number % len(kinds)]()

    def _say(self) -> None:
        words = ("Hi " * 300, "/people", f"/start {self._number:022d}", "/privacy")
        self.server.say(words[self._number // 6 % len(words)], user=self._user)

    def _edit(self) -> None:
        self.server.say("before", user=self._user)
        self.server.edit(self.server.last_message_id, "after", user=self._user, chat=self._user)

    def _button(self) -> None:
        self._press(f"{self._number:022d}:0")

    def _photo(self) -> None:
        self.server.send_media("photo", user=self._user, data=b"x" * 100, caption="look")

    def _group(self) -> None:
        chat = self.server.group(-800_000 - self._number, "Spam", members={self._user: "member"})
        self.server.say(f"@{self.server.chats.bot['username']} hi", user=self._user, chat=chat)

    def _block(self) -> None:
        self.server.block(self._user)

    def _press(self, data: str) -> None:
        """A press from somebody else's client on a message that never was."""
        server = self.server
        gone = SentMessage(chat_id=self._user, message_id=1, text="", entities=[], params={}, call=server.calls()[0])
        press: Press = server.callbacks.press(gone, data, self._user)
        shown = {"chat": server.chats.open(self._user), "message_id": 1, "date": 0}
        query = {"id": press.callback_id, "from": server.chats.user(self._user), "message": shown}
        server.push({"callback_query": query | {"chat_instance": "1", "data": data}})


def _person(number: int) -> Person:
    return Person(name=f"User{number}", key=str(number))


def _seen(message: SentMessage, chat: Chat) -> Shown:
    buttons = [one for row in message.keyboard for one in row]
    return Shown(
        chat=chat,
        key=str(message.message_id),
        text=message.text,
        buttons=tuple((one["text"], one["callback_data"]) for one in buttons),
        edits=len(message.edits),
        reply_to=str(message.params.get("reply_parameters", {}).get("message_id", "")),
        told=tuple(map(str, message.told)),
    )

"""Who and what the emulated Telegram knows: the bot, users, chats, topics and messages."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from tests.emulators.telegram_groups import ADMIN, MEMBER, PRESENT, Group, Topic, concerns
from tests.emulators.telegram_rules import ApiError, Params, Upload, bad
from tests.emulators.telegram_text import utf16_length

SUPERGROUP_PREFIX = "-100"
_FOUND = re.compile(r"(?P<bot_command>(?<!\S)/\w{1,32}(?:@\w+)?)|(?P<mention>(?<![\w@])@\w{4,32})")


@dataclass(slots=True, kw_only=True)
class Call:
    """One request to the Bot API, whatever became of it.

    ``params`` are as sent; ``at`` is wall time and ``mono`` monotonic time, in seconds, when it was read.
    ``status`` is the HTTP status answered, None when there was none; ``delivered`` tells whether the
    connection was still open when the answer was written.
    """

    method: str
    params: dict[str, Any]
    at: float = field(default_factory=time.time)
    mono: float = field(default_factory=time.monotonic)
    status: int | None = None
    delivered: bool = False


Method = Callable[[Params, Call], object]


class Room(Protocol):
    """Some methods that belong together."""

    def table(self) -> dict[str, Method]:
        """Return the methods by name."""
        ...


@dataclass(slots=True, kw_only=True)
class Edit:
    """One accepted editMessageText or editMessageReplyMarkup, with what the message showed after it."""

    text: str
    entities: list[dict[str, Any]]
    call: Call
    reply_markup: dict[str, Any] | None = None


@dataclass(slots=True, kw_only=True)
class SentMessage:
    """A message that the bot has sent, as it is now.

    *params* are those of the call that sent it, *told* the users of a group whom it names or
    answers: they hear of it even when they have silenced the group.
    """

    chat_id: int
    message_id: int
    text: str
    entities: list[dict[str, Any]]
    params: dict[str, Any]
    call: Call
    reply_markup: dict[str, Any] | None = None
    edits: list[Edit] = field(default_factory=list)
    deleted: bool = False
    told: tuple[int, ...] = ()
    document: Upload | None = None

    @property
    def keyboard(self) -> list[list[dict[str, Any]]]:
        """The rows of inline buttons that the message shows."""
        rows: list[list[dict[str, Any]]] = (self.reply_markup or {}).get("inline_keyboard", [])
        return rows

    @property
    def at(self) -> float:
        """Wall time of the send, in seconds."""
        return self.call.at

    @property
    def mono(self) -> float:
        """Monotonic time of the send, in seconds."""
        return self.call.mono

    @property
    def delivered(self) -> bool:
        """Whether the bot was told that it was sent."""
        return self.call.delivered


def found_entities(text: str) -> list[dict[str, Any]]:
    """Return the commands and mentions that the server finds in a user's text."""
    return [
        {
            "type": match.lastgroup,
            "offset": utf16_length(text[: match.start()]),
            "length": utf16_length(match.group()),
        }
        for match in _FOUND.finditer(text)
    ]


class Chats:
    """The chats of one bot; a chat exists once somebody has written in it or a test has opened it."""

    def __init__(self, bot: dict[str, Any]) -> None:
        self.bot = bot
        self.sent: list[SentMessage] = []
        self.blocked: set[int] = set()
        self.groups: dict[int, Group] = {}
        self.topics: dict[tuple[int, int], Topic] = {}
        self._chats: dict[int, dict[str, Any]] = {}
        self._users: dict[int, dict[str, Any]] = {}
        self._messages: dict[tuple[int, int], dict[str, Any] | SentMessage] = {}
        self.last_message_id = 0
        # The reaction of one user to one message: chat, message, user.
        self.reacted: dict[tuple[int, int, int], list[dict[str, Any]]] = {}

    def user(self, user_id: int) -> dict[str, Any]:
        """Return the User object of *user_id*, which may be the bot's."""
        if user_id == self.bot["id"]:
            return {name: self.bot[name] for name in ("id", "is_bot", "first_name", "username")}
        return self._users.setdefault(
            user_id,
            {
                "id": user_id,
                "is_bot": False,
                "first_name": f"User{user_id}",
                "username": f"user{user_id}",
                "language_code": "en",
            },
        )

    def knows(self, user_id: int) -> bool:
        """Tell whether *user_id* has been seen."""
        return user_id in self._users or user_id == self.bot["id"]

    def rename(self, user_id: int, fields: dict[str, Any]) -> None:
        """Change fields of a user from now on; None takes one away."""
        changed = self.user(user_id) | fields
        self._users[user_id] = {name: value for name, value in changed.items() if value is not None}
        if user_id in self._chats:
            self._chats[user_id] = self._new_chat(user_id)

    def open(self, chat_id: int) -> dict[str, Any]:
        """Make *chat_id* exist and return its Chat object; negative ids are groups with the bot in them."""
        chat = self._chats.get(chat_id)
        if chat is None:
            chat = self._chats[chat_id] = self._new_chat(chat_id)
            if chat_id < 0:
                self.groups[chat_id] = Group(chat=chat, members={self.bot["id"]: MEMBER})
        return chat

    def _new_chat(self, chat_id: int) -> dict[str, Any]:
        if chat_id > 0:
            user = self.user(chat_id)
            names = {name: user[name] for name in ("first_name", "last_name", "username") if name in user}
            return {"id": chat_id, "type": "private"} | names
        kind = "supergroup" if str(chat_id).startswith(SUPERGROUP_PREFIX) else "group"
        return {"id": chat_id, "title": f"Group {chat_id}", "type": kind}

    def find_chat(self, chat_id: int | str) -> dict[str, Any] | None:
        """Return a chat that exists."""
        return self._chats.get(chat_id) if isinstance(chat_id, int) else None

    def writable(self, chat_id: int | str) -> dict[str, Any]:
        """Return the chat that the bot may reach.

        Raises ``ApiError`` when there is none, the user has blocked the bot, or it is not in the group.
        """
        chat = self.find_chat(chat_id)
        if chat is None:
            raise bad("chat not found")
        if chat_id in self.blocked:
            raise ApiError(403, "Forbidden: bot was blocked by the user")
        if chat["id"] in self.groups:
            self.groups[chat["id"]].check_access(self.bot["id"])
        return chat

    def postable(self, chat_id: int | str) -> dict[str, Any]:
        """Return the chat that the bot may post in.

        Raises ``ApiError`` as ``writable``, without the right, and for a user who never wrote to the bot.
        """
        if chat_id in self._users and self.find_chat(chat_id) is None:
            raise ApiError(403, "Forbidden: bot can't initiate conversation with a user")
        chat = self.writable(chat_id)
        if chat["id"] in self.groups:
            self.groups[chat["id"]].check_rights(self.bot["id"])
        return chat

    def rules(self, chat_id: int) -> bool:
        """Tell whether the bot administrates the group."""
        return chat_id in self.groups and self.groups[chat_id].status(self.bot["id"]) == ADMIN

    def shows(self, message: dict[str, Any]) -> bool:
        """Tell whether the bot gets to see a message: it must be there, and privacy mode must let it."""
        group = self.groups.get(message["chat"]["id"])
        if group is None:
            return True
        if group.status(self.bot["id"]) not in PRESENT:
            return False
        open_eyes = self.bot["can_read_all_group_messages"] or self.rules(message["chat"]["id"])
        return open_eyes or concerns(message, self.bot)

    def check_thread(self, chat_id: int, thread: int | None, *, general: bool = False) -> None:
        """Refuse a topic that does not exist or is closed; with *general*, topic 1 is fine."""
        if thread is None or (general and thread == 1):
            return
        topic = self.topics.get((chat_id, thread))
        if topic is None:
            raise bad("message thread not found")
        if topic.closed and not self.rules(chat_id):
            raise bad("TOPIC_CLOSED")

    def next_message_id(self) -> int:
        """Return a fresh message id."""
        self.last_message_id += 1
        return self.last_message_id

    def receive(self, message: dict[str, Any]) -> None:
        """Remember a user's message, or its new version."""
        chat_id, message_id = message["chat"]["id"], message["message_id"]
        self.last_message_id = max(self.last_message_id, message_id)
        self._messages[chat_id, message_id] = message
        if message.get("is_topic_message"):
            thread = message["message_thread_id"]
            self.topics.setdefault((chat_id, thread), Topic(name=f"Topic {thread}"))

    def add(self, message: SentMessage) -> None:
        """Remember a message of the bot."""
        self._messages[message.chat_id, message.message_id] = message
        self.sent.append(message)

    def find(self, chat_id: int, message_id: int) -> dict[str, Any] | SentMessage | None:
        """Return a message that has not been deleted."""
        return self._messages.get((chat_id, message_id))

    def forget(self, chat_id: int, message_id: int) -> None:
        """Delete a message."""
        gone = self._messages.pop((chat_id, message_id))
        if isinstance(gone, SentMessage):
            gone.deleted = True

    def message_json(self, message: SentMessage) -> dict[str, Any]:
        """Return the Message object of something the bot has sent."""
        body: dict[str, Any] = {
            "message_id": message.message_id,
            "from": self.user(self.bot["id"]),
            "chat": self._chats[message.chat_id],
            "date": int(message.at),
            "text": message.text,
        }
        if message.document is not None:
            del body["text"]
            body |= {"caption": message.text} if message.text else {}
            sent = message.document
            body["document"] = {"file_name": sent.name, "mime_type": sent.mime, "file_size": len(sent.data)}
            body["document"] |= {"file_id": f"BQACAgIAAxkDAAI{message.message_id:06d}emulated"}
            body["document"] |= {"file_unique_id": f"AgAD{message.message_id:06d}"}
        if message.edits:
            body["edit_date"] = int(message.edits[-1].call.at)
        if message.entities:
            body["entities"] = message.entities
        if message.keyboard:
            body["reply_markup"] = message.reply_markup
        return body | self._context_json(message)

    def reply_json(self, chat_id: int, message_id: int) -> dict[str, Any] | None:
        """Return a message as the reply_to_message of another, without the one it replies to itself."""
        found = self.find(chat_id, message_id)
        if isinstance(found, SentMessage):
            found = self.message_json(found)
        return found and {name: value for name, value in found.items() if name != "reply_to_message"}

    def _context_json(self, message: SentMessage) -> dict[str, Any]:
        context: dict[str, Any] = {}
        if "message_thread_id" in message.params:
            context["message_thread_id"] = message.params["message_thread_id"]
            context["is_topic_message"] = True
        if "link_preview_options" in message.params:
            context["link_preview_options"] = message.params["link_preview_options"]
        original = message.params.get("reply_parameters", {}).get("message_id")
        replied = self.reply_json(message.chat_id, original) if original else None
        if replied is not None:
            context["reply_to_message"] = replied
        return context

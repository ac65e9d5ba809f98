"""Who and what the emulated Telegram knows: the bot, users, chats, topics and messages."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from typing import Any

from tests.emulators.telegram_rules import ApiError, bad
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


@dataclass(slots=True, kw_only=True)
class Edit:
    """One accepted editMessageText."""

    text: str
    entities: list[dict[str, Any]]
    call: Call


@dataclass(slots=True, kw_only=True)
class SentMessage:
    """A message that the bot has sent, as it is now; *params* are those of its sendMessage."""

    chat_id: int
    message_id: int
    text: str
    entities: list[dict[str, Any]]
    params: dict[str, Any]
    call: Call
    reply_markup: dict[str, Any] | None = None
    edits: list[Edit] = field(default_factory=list)
    deleted: bool = False

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
        self._chats: dict[int, dict[str, Any]] = {}
        self._threads: set[tuple[int, int]] = set()
        self._messages: dict[tuple[int, int], dict[str, Any] | SentMessage] = {}
        self._last_message_id = 0

    @staticmethod
    def user(user_id: int) -> dict[str, Any]:
        """Return the User object of *user_id*."""
        return {
            "id": user_id,
            "is_bot": False,
            "first_name": f"User{user_id}",
            "username": f"user{user_id}",
            "language_code": "en",
        }

    def open(self, chat_id: int) -> dict[str, Any]:
        """Make *chat_id* exist and return its Chat object; negative ids are groups."""
        chat = self._chats.get(chat_id)
        if chat is None:
            chat = self._chats[chat_id] = self._new_chat(chat_id)
        return chat

    def _new_chat(self, chat_id: int) -> dict[str, Any]:
        if chat_id > 0:
            user = self.user(chat_id)
            names = {name: user[name] for name in ("first_name", "username")}
            return {"id": chat_id, **names, "type": "private"}
        kind = "supergroup" if str(chat_id).startswith(SUPERGROUP_PREFIX) else "group"
        return {"id": chat_id, "title": f"Group {chat_id}", "type": kind}

    def writable(self, chat_id: int | str) -> dict[str, Any]:
        """Return the chat that the bot may write to.

        Raises ``ApiError`` when there is none or the user has blocked the bot.
        """
        chat = self._chats.get(chat_id) if isinstance(chat_id, int) else None
        if chat is None:
            raise bad("chat not found")
        if chat_id in self.blocked:
            raise ApiError(403, "Forbidden: bot was blocked by the user")
        return chat

    def check_thread(self, chat_id: int, thread: int | None, *, general: bool = False) -> None:
        """Refuse a topic that nobody has written in; with *general*, topic 1 is fine."""
        if thread is None or (general and thread == 1):
            return
        if (chat_id, thread) not in self._threads:
            raise bad("message thread not found")

    def next_message_id(self) -> int:
        """Return a fresh message id."""
        self._last_message_id += 1
        return self._last_message_id

    def receive(self, message: dict[str, Any]) -> None:
        """Remember a user's message, or its new version."""
        chat_id, message_id = message["chat"]["id"], message["message_id"]
        self._last_message_id = max(self._last_message_id, message_id)
        self._messages[chat_id, message_id] = message
        if "message_thread_id" in message:
            self._threads.add((chat_id, message["message_thread_id"]))

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
            "from": self.bot,
            "chat": self._chats[message.chat_id],
            "date": int(message.at),
            "text": message.text,
        }
        if message.edits:
            body["edit_date"] = int(message.edits[-1].call.at)
        if message.entities:
            body["entities"] = message.entities
        if message.reply_markup and "inline_keyboard" in message.reply_markup:
            body["reply_markup"] = message.reply_markup
        return body | self._context_json(message)

    def _context_json(self, message: SentMessage) -> dict[str, Any]:
        context: dict[str, Any] = {}
        if "message_thread_id" in message.params:
            context["message_thread_id"] = message.params["message_thread_id"]
            context["is_topic_message"] = True
        if "link_preview_options" in message.params:
            context["link_preview_options"] = message.params["link_preview_options"]
        original = message.params.get("reply_parameters", {}).get("message_id")
        replied = self.find(message.chat_id, original) if original else None
        if isinstance(replied, SentMessage):
            context["reply_to_message"] = self.message_json(replied)
        elif replied is not None:
            context["reply_to_message"] = {k: v for k, v in replied.items() if k != "reply_to_message"}
        return context

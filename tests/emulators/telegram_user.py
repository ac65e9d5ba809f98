"""The user's side: writing, changing, deleting, reacting, pressing, blocking."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from tests.emulators.telegram_callbacks import Answer, Callbacks, callback_json, pressed_data
from tests.emulators.telegram_chats import Chats, SentMessage, found_entities
from tests.emulators.telegram_groups import ANONYMOUS_ADMIN, PRESENT, RULERS, member_json
from tests.emulators.telegram_text import utf16_length
from tests.emulators.telegram_updates import UpdateQueue

DEFAULT_USER = 1001
UNSEEN = 0

Some = SentMessage | int


class UserSide:
    """What people do; every action returns the update_id, 0 when the bot does not get to see it."""

    chats: Chats
    updates: UpdateQueue
    callbacks: Callbacks
    changed: Callable[[], None]

    @property
    def bot_id(self) -> int:
        """The user id of the bot."""
        return int(self.chats.bot["id"])

    @property
    def last_message_id(self) -> int:
        """The id of the newest message, whoever wrote it."""
        return self.chats.last_message_id

    def say(
        self,
        text: str,
        user: int = DEFAULT_USER,
        chat: int | None = None,
        message_id: int | None = None,
        date: int | None = None,
        *,
        reply_to: Some | None = None,
        quote: str = "",
        thread: int | None = None,
        anonymous: bool = False,
        **fields: Any,
    ) -> int:
        """Let *user* write *text*, privately unless *chat* is given, and return the update_id.

        *date* is a Unix time in seconds, now by default; *quote* is the picked part of the original; *thread* is a
        topic; *anonymous* admins write as their group; *fields* are further fields of the Message, as those of
        ``naming``. In a group the bot sees it only if it is there and privacy mode allows. Raises ``ValueError`` for
        a sender, an original or a quote that is not there.
        """
        number = self.chats.next_message_id() if message_id is None else message_id
        message = self._envelope(user, chat, number, date, anonymous=anonymous)
        message |= _text_fields(text) | self._context(message["chat"], reply_to, thread)
        message |= _quote(message.get("reply_to_message", {}), quote) | fields
        return self._deliver("message", message)

    def naming(self, text: str, **people: int) -> dict[str, Any]:
        """Return the fields of a Message whose *text* names users without an @name, each by a word of it.

        For ``say(text, **naming(text, Bo=2002))``. Raises ``ValueError`` for a word that is not there.
        """
        entities = [
            {
                "type": "text_mention",
                "offset": utf16_length(text[: text.index(word)]),
                "length": utf16_length(word),
                "user": self.chats.user(user),
            }
            for word, user in people.items()
        ]
        return {"entities": [*found_entities(text), *entities]}

    def edit(self, message_id: int, text: str, user: int = DEFAULT_USER, chat: int | None = None, **fields: Any) -> int:
        """Let *user* change one of their messages, or its caption, and return the update_id."""
        old = self.chats.find(user if chat is None else chat, message_id)
        captioned = isinstance(old, dict) and "text" not in old
        message = self._envelope(user, chat, message_id, None)
        if isinstance(old, dict):
            stale = {"text", "entities", "caption", "caption_entities"}
            message = {name: value for name, value in old.items() if name not in stale}
        changed = _text_fields(text, caption=captioned) | {"edit_date": int(time.time())}
        return self._deliver("edited_message", message | changed | fields)

    def delete(self, message: Some, chat: int | None = None) -> None:
        """Let the user delete a message, the bot's or one of their own; the bot is not told."""
        chat_id, number = _place(message, chat)
        if self.chats.find(chat_id, number) is None:
            raise ValueError(f"no message {number} in chat {chat_id}")
        self.chats.forget(chat_id, number)
        self.changed()

    def press(
        self,
        message: Some,
        button: str,
        *,
        user: int | None = None,
        chat: int | None = None,
        inaccessible: bool = False,
        forged: bool = False,
    ) -> str:
        """Let *user* press a button, given by its text or its data, and return the id of the callback query.

        In a private chat the user is its owner, elsewhere 1001 by default. With *inaccessible* the query brings an
        InaccessibleMessage, and the message may be deleted already; with *forged* the data may be anything and the
        presser anybody. Raises ``ValueError`` for a button that the message does not show now.
        """
        found = self._pressed(message, chat, deleted=inaccessible or forged)
        owner = found.chat_id if found.chat_id > 0 else DEFAULT_USER
        presser = owner if user is None else user
        if not forged:
            self._check_presser(found.chat_id, presser)
        press = self.callbacks.press(found, button if forged else pressed_data(found, button), presser)
        gone = inaccessible or found.deleted
        self.push({"callback_query": callback_json(press, self.chats, found, inaccessible=gone)})
        return press.callback_id

    def _pressed(self, message: Some, chat: int | None, *, deleted: bool) -> SentMessage:
        chat_id, number = _place(message, chat)
        for found in self.chats.sent:
            if (found.chat_id, found.message_id) == (chat_id, number) and (deleted or not found.deleted):
                return found
        raise ValueError(f"the bot has no message {number} in chat {chat_id}")

    def _check_presser(self, chat: int, user: int) -> None:
        group = self.chats.groups.get(chat)
        if group is None and user != chat:
            raise ValueError(f"user {user} cannot see the private chat {chat}")
        if group is not None and user in group.members and group.status(user) not in PRESENT:
            raise ValueError(f"user {user} is not in the group {chat}")

    def answers(self, callback_id: str | None = None) -> list[Answer]:
        """Return what was shown for presses, oldest first; at most one for each of them."""
        presses = self.callbacks.presses.values()
        return [p.answer for p in presses if p.answer is not None and callback_id in (None, p.callback_id)]

    def expire(self, callback_id: str) -> None:
        """Let a callback query grow too old to be answered."""
        self.callbacks.presses[callback_id].expired = True

    def react(self, message: Some, emoji: str | None, user: int = DEFAULT_USER, chat: int | None = None) -> int:
        """Let *user* put *emoji* on a message, or take theirs away with None; in groups only an admin bot is told."""
        chat_id, number = _place(message, chat)
        new = [{"type": "emoji", "emoji": emoji}] if emoji else []
        old = self.chats.reacted.get((chat_id, number, user), [])
        self.chats.reacted[chat_id, number, user] = new
        if chat_id in self.chats.groups and not self.chats.rules(chat_id):
            return UNSEEN
        reaction = {"message_id": number, "old_reaction": old, "new_reaction": new}
        return self.push({"message_reaction": self._act(chat_id, user, key="user") | reaction})

    def push(self, update: dict[str, Any]) -> int:
        """Queue a raw update, as broken as you like, and return its update_id."""
        return self.updates.push(update)

    def open(self, chat: int) -> None:
        """Make *chat* known to the bot without a word from anybody."""
        self.chats.open(chat)

    def rename(self, user: int, **fields: Any) -> None:
        """Change fields of the User object, as first_name, username or language_code; None takes one away."""
        self.chats.rename(user, fields)

    def block(self, user: int) -> None:
        """Let *user* block the bot; it gets a my_chat_member update and 403 from now on."""
        self.chats.open(user)
        self.chats.blocked.add(user)
        self._bot_changed(user, user, "member", "kicked")

    def unblock(self, user: int) -> None:
        """Let *user* take the bot back."""
        self.chats.blocked.discard(user)
        self._bot_changed(user, user, "kicked", "member")

    def _bot_changed(self, chat: int, by: int, old: str, new: str) -> int:
        return self._membership("my_chat_member", chat, by, self.bot_id, old, new)

    def _membership(self, kind: str, chat: int, by: int, user: int, *ages: str) -> int:
        who = self.chats.user(user)
        change = {f"{age}_chat_member": member_json(s, who) for age, s in zip(("old", "new"), ages, strict=True)}
        return self.push({kind: self._act(chat, by) | change})

    def _act(self, chat: int, user: int, key: str = "from") -> dict[str, Any]:
        return {"chat": self.chats.open(chat), key: self.chats.user(user), "date": int(time.time())}

    def _envelope(
        self, user: int, chat: int | None, number: int, date: int | None, *, anonymous: bool = False
    ) -> dict[str, Any]:
        act = self._act(user if chat is None else chat, user)
        self._check_sender(act["chat"]["id"], user, anonymous=anonymous)
        if anonymous:
            act |= {"from": ANONYMOUS_ADMIN, "sender_chat": act["chat"]}
        return {"message_id": number, **act} | ({} if date is None else {"date": date})

    def _check_sender(self, chat: int, user: int, *, anonymous: bool) -> None:
        """Let somebody new join silently, and refuse those who cannot write."""
        group = self.chats.groups.get(chat)
        if group is None:
            return
        if group.migrated_to is not None:
            raise ValueError(f"the group {chat} has become {group.migrated_to}")
        status = group.members.setdefault(user, "member")
        if status not in PRESENT:
            raise ValueError(f"user {user} is not in the group {chat}")
        if anonymous and not (status in RULERS and group.chat["type"] == "supergroup"):
            raise ValueError("only administrators of a supergroup write anonymously")

    def _context(self, chat: dict[str, Any], reply_to: Some | None, thread: int | None) -> dict[str, Any]:
        context: dict[str, Any] = {}
        if thread is not None:
            if chat["type"] != "private" and not chat.get("is_forum"):
                raise ValueError(f"{chat['id']} has no topics, make it with group(…, forum=True)")
            context = {"message_thread_id": thread, "is_topic_message": True}
        if reply_to is None:
            return context
        _, number = _place(reply_to, chat["id"])
        original = self.chats.reply_json(chat["id"], number)
        if original is None:
            raise ValueError(f"no message {number} in chat {chat['id']}")
        if chat["type"] == "supergroup":
            # A reply is in the topic of its original; without topics the id marks a thread of replies.
            names = ("message_thread_id", "is_topic_message")
            kept: dict[str, Any] = {name: original[name] for name in names if name in original}
            context = kept or ({} if chat.get("is_forum") else {"message_thread_id": number}) | context
        return context | {"reply_to_message": original}

    def _deliver(self, kind: str, message: dict[str, Any]) -> int:
        self.chats.receive(message)
        return self.push({kind: message}) if self.chats.shows(message) else UNSEEN


def _text_fields(text: str, *, caption: bool = False) -> dict[str, Any]:
    entities = found_entities(text)
    names = ("caption", "caption_entities") if caption else ("text", "entities")
    return {names[0]: text} | ({names[1]: entities} if entities else {})


def _quote(original: dict[str, Any], quote: str) -> dict[str, Any]:
    """Return the TextQuote of a reply that picked a part of its original."""
    text = original.get("text", original.get("caption", ""))
    if quote not in text:
        raise ValueError(f"{quote!r} is no part of the original")
    position = utf16_length(text[: text.index(quote)])
    return {"quote": {"text": quote, "position": position, "is_manual": True}} if quote else {}


def _place(message: Some, chat: int | None) -> tuple[int, int]:
    if isinstance(message, SentMessage):
        return message.chat_id, message.message_id
    return DEFAULT_USER if chat is None else chat, message

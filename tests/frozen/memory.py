"""What the emulated Telegram remembers of a frozen conversation, as plain JSON: written once, read by tests."""

from __future__ import annotations

from typing import Any

from tests.emulators.telegram import TelegramServer
from tests.emulators.telegram_chats import Call, SentMessage

KEPT = ("chat_id", "message_id", "text", "entities", "params", "reply_markup", "told")


def remembered(server: TelegramServer) -> dict[str, Any]:
    """Return everything that people could still see, and what the bot has not fetched yet."""
    chats = server.chats
    pending = server.updates.get(offset=0, limit=100, timeout=0)
    return {
        "users": list(chats._users.values()),
        "chats": list(chats._chats.values()),
        "groups": [{"id": number, "members": list(group.members.items())} for number, group in chats.groups.items()],
        "blocked": sorted(chats.blocked),
        "heard": [message for message in chats._messages.values() if not isinstance(message, SentMessage)],
        "sent": [{name: getattr(message, name) for name in KEPT} for message in server.sent()],
        "last_message_id": chats.last_message_id,
        "pending": pending,
        "next_update_id": server.updates._next_id,
    }


def restore(server: TelegramServer, memory: dict[str, Any]) -> None:
    """Let a fresh server know what was remembered."""
    chats = server.chats
    for user in memory["users"]:
        chats.user(user["id"]).update(user)
    for chat in memory["chats"]:
        chats.open(chat["id"]).update(chat)
    for group in memory["groups"]:
        chats.groups[group["id"]].members.update(group["members"])
    chats.blocked.update(memory["blocked"])
    for message in memory["heard"]:
        chats.receive(message)
    for sent in memory["sent"]:
        call = Call(method="sendMessage", params=sent["params"])
        chats.add(SentMessage(**{**sent, "told": tuple(sent["told"])}, call=call))
    chats.last_message_id = memory["last_message_id"]
    for update in memory["pending"]:
        server.push(update)

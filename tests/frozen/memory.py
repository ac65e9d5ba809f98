"""What the emulated Telegram remembers of a frozen conversation, which stands in telegram.json beside the folder."""

from __future__ import annotations

from typing import Any

from tests.emulators.telegram import TelegramServer
from tests.emulators.telegram_chats import Call, SentMessage


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

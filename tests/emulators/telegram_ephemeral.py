"""Messages of a group that one member sees: a parameter of sendMessage since Bot API 10.3."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.emulators.telegram_chats import Call, Chats, Method
from tests.emulators.telegram_groups import PRESENT
from tests.emulators.telegram_markup import checked_markup
from tests.emulators.telegram_messages import Messages
from tests.emulators.telegram_rules import Params, bad

PARAMETERS = "ephemeral_message_parameters"
# EphemeralMessageParameters; a press is not taken as a reason to send here, so its fields are refused.
FIELDS = frozenset({"receiver_user_id"})


@dataclass(slots=True, kw_only=True)
class EphemeralMessage:
    """A message that the bot has shown to one member of a group."""

    chat_id: int
    receiver: int
    ephemeral_message_id: int
    text: str
    entities: list[dict[str, Any]]
    params: Params
    call: Call


class Ephemeral:
    """sendMessage of a server that knows the parameter; the texts of its refusals are not documented."""

    def __init__(self, chats: Chats, messages: Messages) -> None:
        self._chats, self._messages = chats, messages
        self.kept: list[EphemeralMessage] = []

    def table(self) -> dict[str, Method]:
        """Return the methods by name."""
        return {"sendMessage": self._send}

    def _send(self, params: Params, call: Call) -> object:
        if PARAMETERS not in params:
            return self._messages.send(params, call)
        chat_id = self._messages.destination(params)
        text, entities = self._messages.content(chat_id, params)
        checked_markup(params)
        message = EphemeralMessage(
            chat_id=chat_id,
            receiver=self._receiver(chat_id, params[PARAMETERS]),
            ephemeral_message_id=len(self.kept) + 1,
            text=text,
            entities=entities,
            params=params,
            call=call,
        )
        self.kept.append(message)
        return self._json(message)

    def _receiver(self, chat_id: int, given: object) -> int:
        """Return who is to see a message of a chat; the bot must be an administrator of the group."""
        if not isinstance(given, dict) or not isinstance(given.get("receiver_user_id"), int):
            raise bad("can't parse EphemeralMessageParameters: Can't find field \"receiver_user_id\"")
        unknown = given.keys() - FIELDS
        if unknown:
            raise bad(f"emulator: unknown field {min(unknown)!r} in EphemeralMessageParameters")
        if chat_id not in self._chats.groups:
            raise bad("PEER_ID_INVALID")
        receiver: int = given["receiver_user_id"]
        if receiver == self._chats.bot["id"] or self._chats.groups[chat_id].status(receiver) not in PRESENT:
            raise bad("USER_NOT_PARTICIPANT")
        if not self._chats.rules(chat_id):
            raise bad("CHAT_ADMIN_REQUIRED")
        return receiver

    def _json(self, message: EphemeralMessage) -> dict[str, Any]:
        shown = {"text": message.text} | ({"entities": message.entities} if message.entities else {})
        return shown | {
            "message_id": 0,
            "ephemeral_message_id": message.ephemeral_message_id,
            "from": self._chats.user(self._chats.bot["id"]),
            "receiver_user": self._chats.user(message.receiver),
            "chat": self._chats.open(message.chat_id),
            "date": int(message.call.at),
        }

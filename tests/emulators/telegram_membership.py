"""The methods about chats and who is in them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import telegram

from tests.emulators.telegram_chats import Call, Chats, Method
from tests.emulators.telegram_groups import LEFT, PRESENT, RULERS, Group, member_json
from tests.emulators.telegram_rules import Params, bad, object_fields


class Membership:
    """getChat, getChatMember, getChatMemberCount, getChatAdministrators and leaveChat."""

    def __init__(self, chats: Chats, left: Callable[[int, str], object]) -> None:
        self._chats = chats
        self._left = left

    def table(self) -> dict[str, Method]:
        """Return the methods by name."""
        return {
            "getChat": self._chat,
            "getChatMember": self._member,
            "getChatMemberCount": self._count,
            "getChatAdministrators": self._administrators,
            "leaveChat": self._leave,
        }

    def _chat(self, params: Params, call: Call) -> object:
        chat = self._reached(params)
        full: dict[str, Any] = {"accent_color_id": 0, "max_reaction_count": 11}
        full["accepted_gift_types"] = dict.fromkeys(object_fields(telegram.AcceptedGiftTypes), False)
        if chat["id"] in self._chats.groups:
            full["permissions"] = dict.fromkeys(object_fields(telegram.ChatPermissions), True)
        return chat | full

    def _member(self, params: Params, call: Call) -> object:
        chat, user = self._reached(params), params["user_id"]
        group = self._chats.groups.get(chat["id"])
        if group is None and user not in (chat["id"], self._chats.bot["id"]):
            raise bad("member not found")
        if group is not None and user not in group.members and not self._chats.knows(user):
            raise bad("member not found")
        return self._json(group, user)

    def _json(self, group: Group | None, user: int) -> dict[str, Any]:
        who = self._chats.user(user)
        return member_json("member", who) if group is None else group.json(who)

    def _count(self, params: Params, call: Call) -> object:
        group = self._chats.groups.get(self._reached(params)["id"])
        return 2 if group is None else sum(status in PRESENT for status in group.members.values())

    def _administrators(self, params: Params, call: Call) -> object:
        group = self._chats.groups.get(self._reached(params)["id"])
        if group is None:
            raise bad("there are no administrators in the private chat")
        return [self._json(group, user) for user, status in group.members.items() if status in RULERS]

    def _leave(self, params: Params, call: Call) -> object:
        chat = self._reached(params)
        group = self._chats.groups.get(chat["id"])
        if group is None:
            raise bad("chat member status can't be changed in private chats")
        old, group.members[self._chats.bot["id"]] = group.status(self._chats.bot["id"]), LEFT
        self._left(chat["id"], old)
        return True

    def _reached(self, params: Params) -> dict[str, Any]:
        """Return the chat; these methods take its id as a string too."""
        chat_id = params["chat_id"]
        numeric = isinstance(chat_id, str) and re.fullmatch(r"-?\d+", chat_id)
        return self._chats.writable(int(chat_id) if numeric else chat_id)

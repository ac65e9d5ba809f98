"""The menu of commands, kept per scope and language."""

from __future__ import annotations

import re
from typing import Any

import telegram
from telegram.constants import BotCommandLimit, BotCommandScopeType

from tests.emulators.telegram_chats import Call, Chats, Method
from tests.emulators.telegram_rules import Params, bad, check_list, check_object, object_fields

COMMAND = re.compile(rf"[a-z0-9_]{{{int(BotCommandLimit.MIN_COMMAND)},{int(BotCommandLimit.MAX_COMMAND)}}}")
LANGUAGE = re.compile(r"[a-z]{2}")
SCOPES: dict[str, type] = {
    str(kind): getattr(telegram, "BotCommandScope" + "".join(map(str.title, kind.split("_"))))
    for kind in BotCommandScopeType
}

Key = tuple[str, int, int, str]


class Commands:
    """setMyCommands, getMyCommands and deleteMyCommands."""

    def __init__(self, chats: Chats) -> None:
        self._chats = chats
        self._kept: dict[Key, list[dict[str, Any]]] = {}

    def table(self) -> dict[str, Method]:
        """Return the methods by name."""
        return {"setMyCommands": self._set, "getMyCommands": self._get, "deleteMyCommands": self._delete}

    def shown(self, chat: int, user: int, language: str) -> list[dict[str, Any]]:
        """Return the menu that *user* sees in *chat*, found as documented at "Determining list of commands"."""
        for scope in self._scopes(chat, user):
            for spoken in (language, ""):
                found = self._kept.get((*scope, spoken))
                if found:
                    return found
        return []

    def _scopes(self, chat: int, user: int) -> list[tuple[str, int, int]]:
        group = self._chats.groups.get(chat)
        if group is None:
            return [("chat", chat, 0), ("all_private_chats", 0, 0), ("default", 0, 0)]
        scopes = [("chat_member", chat, user)]
        ruler = group.status(user) in ("creator", "administrator")
        scopes += [("chat_administrators", chat, 0)] * ruler + [("chat", chat, 0)]
        return [*scopes, *[("all_chat_administrators", 0, 0)] * ruler, ("all_group_chats", 0, 0), ("default", 0, 0)]

    def _set(self, params: Params, call: Call) -> object:
        commands = check_list(params["commands"], "commands")
        if len(commands) > BotCommandLimit.MAX_COMMAND_NUMBER:
            raise bad("BOT_COMMANDS_TOO_MUCH")
        for command in commands:
            _check_command(check_object(command, telegram.BotCommand))
        names = [command["command"] for command in commands]
        if len(set(names)) < len(names):
            raise bad("emulator: a command is there twice")
        self._kept[self._key(params)] = commands
        return True

    def _get(self, params: Params, call: Call) -> object:
        return self._kept.get(self._key(params), [])

    def _delete(self, params: Params, call: Call) -> object:
        self._kept.pop(self._key(params), None)
        return True

    def _key(self, params: Params) -> Key:
        language = params.get("language_code", "")
        if language and not LANGUAGE.fullmatch(language):
            raise bad("invalid language code specified")
        return (*self._scope(params.get("scope", {"type": "default"})), language)

    def _scope(self, scope: object) -> tuple[str, int, int]:
        if not isinstance(scope, dict) or "type" not in scope:
            raise bad("can't parse BotCommandScope: Can't find field \"type\"")
        kind = scope["type"]
        if kind not in SCOPES:
            raise bad("can't parse BotCommandScope: Unsupported type specified")
        place = {name: value for name, value in scope.items() if name != "type"}
        for name in object_fields(SCOPES[kind]):
            if name not in place:
                raise bad(f"can't parse BotCommandScope: Can't find field \"{name}\"")
        check_object(place, SCOPES[kind])
        return kind, self._chat(place.get("chat_id"), kind), int(place.get("user_id", 0))

    def _chat(self, chat_id: object, kind: str) -> int:
        if chat_id is None:
            return 0
        digits = str(chat_id)
        number = int(digits) if re.fullmatch(r"-?\d+", digits) else 0
        chat = self._chats.find_chat(number)
        if chat is None:
            raise bad("chat not found")
        if chat["type"] == "private" and kind != "chat":
            raise bad("can't use specified scope in private chats")
        return number


def _check_command(command: dict[str, Any]) -> None:
    if not COMMAND.fullmatch(command["command"].removeprefix("/")):
        raise bad("BOT_COMMAND_INVALID")
    if not 1 <= len(command["description"]) <= BotCommandLimit.MAX_DESCRIPTION:
        raise bad("BOT_COMMAND_DESCRIPTION_INVALID")

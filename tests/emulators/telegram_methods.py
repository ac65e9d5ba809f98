"""The methods of the Bot API, each a function of checked parameters."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import telegram
from telegram.constants import BotCommandLimit, ChatAction, WebhookLimit

from tests.emulators.telegram_chats import Call, Chats, Edit, SentMessage
from tests.emulators.telegram_rules import Params, bad, check_list, check_object
from tests.emulators.telegram_text import check_markup, checked_text
from tests.emulators.telegram_updates import WEBHOOK_ACTIVE, UpdateQueue, conflict

NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly the same "
    "as a current content and reply markup of the message"
)
CHAT_ACTIONS = frozenset(map(str, ChatAction))
COMMAND = re.compile(rf"[a-z0-9_]{{{int(BotCommandLimit.MIN_COMMAND)},{int(BotCommandLimit.MAX_COMMAND)}}}")
# PTB gives no constant for the most connections when none is asked for.
DEFAULT_CONNECTIONS = 40

Method = Callable[[Params, Call], object]


class Methods:
    """What the bot may ask for; ``get`` finds a method by its name in any case."""

    def __init__(self, chats: Chats, updates: UpdateQueue) -> None:
        self._chats = chats
        self._updates = updates
        self._commands: dict[tuple[str, str], list[dict[str, Any]]] = {}
        self._webhook: dict[str, Any] = {}
        self._table: dict[str, tuple[str, Method]] = {
            name.lower(): (name, method)
            for name, method in {
                "getMe": self._get_me,
                "getUpdates": self._get_updates,
                "setWebhook": self._set_webhook,
                "deleteWebhook": self._delete_webhook,
                "getWebhookInfo": self._get_webhook_info,
                "sendMessage": self._send_message,
                "editMessageText": self._edit_message_text,
                "deleteMessage": self._delete_message,
                "sendChatAction": self._send_chat_action,
                "setMyCommands": self._set_my_commands,
                "getMyCommands": self._get_my_commands,
            }.items()
        }

    def get(self, name: str) -> tuple[str, Method] | None:
        """Return the canonical name and the function of a method."""
        return self._table.get(name.lower())

    def _get_me(self, params: Params, call: Call) -> object:
        return self._chats.bot

    def _get_updates(self, params: Params, call: Call) -> object:
        if self._webhook:
            raise conflict(WEBHOOK_ACTIVE)
        if "allowed_updates" in params:
            self._updates.allow(params["allowed_updates"])
        return self._updates.get(
            offset=params.get("offset", 0), limit=params.get("limit", 100), timeout=params.get("timeout", 0)
        )

    def _set_webhook(self, params: Params, call: Call) -> object:
        if not params["url"]:
            return self._delete_webhook(params, call)
        if urlsplit(params["url"]).scheme != "https":
            raise bad("bad webhook: An HTTPS URL must be provided for webhook")
        connections = params.get("max_connections", DEFAULT_CONNECTIONS)
        if not WebhookLimit.MIN_CONNECTIONS_LIMIT <= connections <= WebhookLimit.MAX_CONNECTIONS_LIMIT:
            raise bad(f"emulator: max_connections {connections}")
        if "allowed_updates" in params:
            self._updates.allow(params["allowed_updates"])
        if params.get("drop_pending_updates"):
            self._updates.drop_all()
        self._webhook = {"url": params["url"], "max_connections": connections}
        self._updates.terminate("terminated by setWebhook request")
        return True

    def _delete_webhook(self, params: Params, call: Call) -> object:
        if params.get("drop_pending_updates"):
            self._updates.drop_all()
        self._webhook = {}
        return True

    def _get_webhook_info(self, params: Params, call: Call) -> object:
        info = {"url": "", "has_custom_certificate": False, "pending_update_count": len(self._updates)}
        allowed = {"allowed_updates": self._updates.allowed} if self._updates.allowed else {}
        return {**info, **self._webhook, **allowed}

    def _send_message(self, params: Params, call: Call) -> object:
        chat_id = self._chats.writable(params["chat_id"])["id"]
        text, entities = checked_text(params)
        markup = params.get("reply_markup")
        if markup is not None:
            check_markup(markup)
        self._check_options(params)
        self._chats.check_thread(chat_id, params.get("message_thread_id"))
        self._check_reply(chat_id, params)
        message = SentMessage(
            chat_id=chat_id,
            message_id=self._chats.next_message_id(),
            text=text,
            entities=entities,
            params=params,
            call=call,
            reply_markup=markup,
        )
        self._chats.add(message)
        return self._chats.message_json(message)

    @staticmethod
    def _check_options(params: Params) -> None:
        if "link_preview_options" in params:
            check_object(params["link_preview_options"], telegram.LinkPreviewOptions)

    def _check_reply(self, chat_id: int, params: Params) -> None:
        if "reply_parameters" not in params:
            return
        reply = check_object(params["reply_parameters"], telegram.ReplyParameters)
        if reply.get("allow_sending_without_reply"):
            return
        if self._chats.find(reply.get("chat_id", chat_id), reply["message_id"]) is None:
            raise bad("message to be replied not found")

    def _edit_message_text(self, params: Params, call: Call) -> object:
        message = self._own(params)
        text, entities = checked_text(params)
        markup = params.get("reply_markup")
        if markup is not None:
            check_markup(markup, inline_only=True)
        self._check_options(params)
        if (text, entities, markup) == (message.text, message.entities, message.reply_markup):
            raise bad(NOT_MODIFIED)
        message.text, message.entities, message.reply_markup = text, entities, markup
        message.edits.append(Edit(text=text, entities=entities, call=call))
        return self._chats.message_json(message)

    def _own(self, params: Params) -> SentMessage:
        if "inline_message_id" in params:
            raise bad("emulator: inline messages are not emulated")
        if "chat_id" not in params:
            raise bad("chat_id is empty")
        chat_id = self._chats.writable(params["chat_id"])["id"]
        if "message_id" not in params:
            raise bad("message identifier is not specified")
        message = self._chats.find(chat_id, params["message_id"])
        if message is None:
            raise bad("message to edit not found")
        if not isinstance(message, SentMessage):
            raise bad("message can't be edited")
        return message

    def _delete_message(self, params: Params, call: Call) -> object:
        chat = self._chats.writable(params["chat_id"])
        message = self._chats.find(chat["id"], params["message_id"])
        if message is None:
            raise bad("message to delete not found")
        # In groups others' messages need a right that this bot never has.
        if chat["type"] != "private" and not isinstance(message, SentMessage):
            raise bad("message can't be deleted")
        self._chats.forget(chat["id"], params["message_id"])
        return True

    def _send_chat_action(self, params: Params, call: Call) -> object:
        chat = self._chats.writable(params["chat_id"])
        if params["action"] not in CHAT_ACTIONS:
            raise bad("wrong parameter action in request")
        self._chats.check_thread(chat["id"], params.get("message_thread_id"), general=True)
        return True

    def _set_my_commands(self, params: Params, call: Call) -> object:
        commands = check_list(params["commands"], "commands")
        if len(commands) > BotCommandLimit.MAX_COMMAND_NUMBER:
            raise bad("BOT_COMMANDS_TOO_MUCH")
        for command in commands:
            self._check_command(check_object(command, telegram.BotCommand))
        self._commands[self._command_key(params)] = commands
        return True

    @staticmethod
    def _check_command(command: dict[str, Any]) -> None:
        if not COMMAND.fullmatch(command["command"].removeprefix("/")):
            raise bad("BOT_COMMAND_INVALID")
        if not 1 <= len(command["description"]) <= BotCommandLimit.MAX_DESCRIPTION:
            raise bad("BOT_COMMAND_DESCRIPTION_INVALID")

    def _get_my_commands(self, params: Params, call: Call) -> object:
        return self._commands.get(self._command_key(params), [])

    @staticmethod
    def _command_key(params: Params) -> tuple[str, str]:
        scope = params.get("scope", {"type": "default"})
        if not isinstance(scope, dict) or "type" not in scope:
            raise bad("can't parse BotCommandScope: Can't find field \"type\"")
        return repr(sorted(scope.items())), params.get("language_code", "")

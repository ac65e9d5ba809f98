"""sendMessage and what can be done to a message afterwards."""

from __future__ import annotations

from typing import Any

import telegram
from telegram.constants import ChatAction, FileSizeLimit, MessageLimit

from tests.emulators.telegram_chats import Call, Chats, Edit, Method, SentMessage
from tests.emulators.telegram_markup import checked_markup
from tests.emulators.telegram_mentions import check_mentions, told
from tests.emulators.telegram_rules import ApiError, Params, Upload, bad, check_object
from tests.emulators.telegram_text import checked_text, utf16_length

NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly the same "
    "as a current content and reply markup of the message"
)
CHAT_ACTIONS = frozenset(map(str, ChatAction))


class Messages:
    """The methods that send, change and delete messages."""

    def __init__(self, chats: Chats) -> None:
        self._chats = chats

    def table(self) -> dict[str, Method]:
        """Return the methods by name."""
        return {
            "sendMessage": self._send,
            "sendDocument": self._send_document,
            "editMessageText": self._edit_text,
            "editMessageReplyMarkup": self._edit_markup,
            "deleteMessage": self._delete,
            "sendChatAction": self._action,
        }

    def _send(self, params: Params, call: Call) -> object:
        """Send a message to everybody in a chat, whose topic, original and options are fine."""
        chat_id: int = self._chats.postable(params["chat_id"])["id"]
        _check_options(params)
        self._chats.check_thread(chat_id, params.get("message_thread_id"))
        self._check_reply(chat_id, params)
        text, entities = self._content(chat_id, params)
        message = SentMessage(
            chat_id=chat_id,
            message_id=self._chats.next_message_id(),
            text=text,
            entities=entities,
            params=params,
            call=call,
            reply_markup=checked_markup(params),
            told=told(self._chats, chat_id, params, text, entities),
        )
        self._chats.add(message)
        return self._chats.message_json(message)

    def _send_document(self, params: Params, call: Call) -> object:
        """Send a file that is uploaded with the call; one that Telegram knows already is not emulated."""
        chat_id: int = self._chats.postable(params["chat_id"])["id"]
        self._chats.check_thread(chat_id, params.get("message_thread_id"))
        self._check_reply(chat_id, params)
        upload = params["document"]
        if not isinstance(upload, Upload):
            raise bad("emulator: a document must be uploaded, in a part with a file name")
        if not upload.data:
            raise bad("file must be non-empty")
        if len(upload.data) > FileSizeLimit.FILESIZE_UPLOAD:
            raise ApiError(413, "Request Entity Too Large")
        caption = params.get("caption", "")
        if utf16_length(caption) > MessageLimit.CAPTION_LENGTH:
            raise bad("message caption is too long")
        message = SentMessage(
            chat_id=chat_id,
            message_id=self._chats.next_message_id(),
            text=caption,
            entities=[],
            params=params,
            call=call,
            reply_markup=checked_markup(params),
            document=upload,
        )
        self._chats.add(message)
        return self._chats.message_json(message)

    def _content(self, chat_id: int, params: Params) -> tuple[str, list[dict[str, Any]]]:
        """Return the text and the entities of a message to a chat, which may name whom the bot knows there."""
        text, entities = checked_text(params)
        check_mentions(self._chats, chat_id, entities)
        return text, entities

    def _check_reply(self, chat_id: int, params: Params) -> None:
        if "reply_parameters" not in params:
            return
        reply = check_object(params["reply_parameters"], telegram.ReplyParameters)
        if reply.get("allow_sending_without_reply"):
            return
        if self._chats.find(reply.get("chat_id", chat_id), reply["message_id"]) is None:
            raise bad("message to be replied not found")

    def _edit_text(self, params: Params, call: Call) -> object:
        message = self._own(params)
        text, entities = self._content(message.chat_id, params)
        _check_options(params)
        return self._change(message, call, text, entities, checked_markup(params, inline_only=True))

    def _edit_markup(self, params: Params, call: Call) -> object:
        message = self._own(params)
        return self._change(message, call, message.text, message.entities, checked_markup(params, inline_only=True))

    def _change(
        self,
        message: SentMessage,
        call: Call,
        text: str,
        entities: list[dict[str, Any]],
        markup: dict[str, Any] | None,
    ) -> object:
        if (text, entities, markup) == (message.text, message.entities, message.reply_markup):
            raise bad(NOT_MODIFIED)
        message.text, message.entities, message.reply_markup = text, entities, markup
        message.edits.append(Edit(text=text, entities=entities, call=call, reply_markup=markup))
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
        # Documented at "Updating messages": those with another keyboard than an inline one cannot be edited.
        if not isinstance(message, SentMessage) or (message.reply_markup and not message.keyboard):
            raise bad("message can't be edited")
        return message

    def _delete(self, params: Params, call: Call) -> object:
        chat = self._chats.writable(params["chat_id"])
        message = self._chats.find(chat["id"], params["message_id"])
        if message is None:
            raise bad("message to delete not found")
        # In groups only an administrator deletes what others wrote.
        if chat["type"] != "private" and not isinstance(message, SentMessage) and not self._chats.rules(chat["id"]):
            raise bad("message can't be deleted")
        self._chats.forget(chat["id"], params["message_id"])
        return True

    def _action(self, params: Params, call: Call) -> object:
        chat = self._chats.writable(params["chat_id"])
        if params["action"] not in CHAT_ACTIONS:
            raise bad("wrong parameter action in request")
        self._chats.check_thread(chat["id"], params.get("message_thread_id"), general=True)
        return True


def _check_options(params: Params) -> None:
    if "link_preview_options" in params:
        check_object(params["link_preview_options"], telegram.LinkPreviewOptions)

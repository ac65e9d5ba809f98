"""Pressed buttons, and what the bot shows to those who press them."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from telegram.constants import CallbackQueryLimit

from tests.emulators.telegram_chats import Call, Chats, Method, SentMessage
from tests.emulators.telegram_rules import Params, bad
from tests.emulators.telegram_text import utf16_length

TOO_OLD = "query is too old and response timeout expired or query ID is invalid"
# Telegram draws them at random; any wide gap shows that they are no counter.
FIRST_ID, ID_STEP = 4382733312345678901, 7919


@dataclass(slots=True, kw_only=True)
class Answer:
    """What somebody was shown who pressed a button; *text* is empty when only the waiting ended."""

    callback_id: str
    text: str
    show_alert: bool
    url: str | None
    call: Call


@dataclass(slots=True, kw_only=True)
class Press:
    """One press; *expired* presses can no longer be answered."""

    callback_id: str
    chat_id: int
    message_id: int
    user: int
    data: str
    at: float = field(default_factory=time.time)
    answer: Answer | None = None
    expired: bool = False


class Callbacks:
    """All presses, and answerCallbackQuery."""

    def __init__(self, bot: dict[str, Any]) -> None:
        self._bot = bot
        self.presses: dict[str, Press] = {}

    def table(self) -> dict[str, Method]:
        """Return the methods by name."""
        return {"answerCallbackQuery": self._answer}

    def press(self, message: SentMessage, data: str, user: int) -> Press:
        """Remember a press and return it."""
        number = str(FIRST_ID + ID_STEP * len(self.presses))
        press = Press(callback_id=number, chat_id=message.chat_id, message_id=message.message_id, user=user, data=data)
        self.presses[number] = press
        return press

    def _answer(self, params: Params, call: Call) -> object:
        press = self.presses.get(params["callback_query_id"])
        if press is None or press.expired or press.answer is not None:
            raise bad(TOO_OLD)
        text: str = params.get("text", "")
        if utf16_length(text) > CallbackQueryLimit.ANSWER_CALLBACK_QUERY_TEXT_LENGTH:
            raise bad("MESSAGE_TOO_LONG")
        if "url" in params:
            self._check_url(params["url"])
        press.answer = Answer(
            callback_id=press.callback_id,
            text=text,
            show_alert=params.get("show_alert", False),
            url=params.get("url"),
            call=call,
        )
        return True

    def _check_url(self, url: str) -> None:
        """Only a link that starts this very bot may be opened."""
        parts = urlsplit(url)
        name = parts.path.removeprefix("/").lower()
        if parts.netloc not in ("t.me", "telegram.me") or name != self._bot["username"].lower() or not parts.query:
            raise bad("URL_INVALID")


def pressed_data(message: SentMessage, button: str) -> str:
    """Return the data of the button with the text, or else the data, *button*.

    Raises ``ValueError`` when the message does not show it now, or shows the text twice.
    """
    buttons = [one for row in message.keyboard for one in row if "callback_data" in one]
    found = {one["callback_data"] for one in buttons if one["text"] == button}
    found = found or {one["callback_data"] for one in buttons if one["callback_data"] == button}
    if len(found) != 1:
        shown = [one["text"] for one in buttons]
        raise ValueError(f"{'several' if found else 'no'} buttons {button!r}, message {message.message_id} has {shown}")
    return str(found.pop())


def callback_json(press: Press, chats: Chats, message: SentMessage, *, inaccessible: bool) -> dict[str, Any]:
    """Return the CallbackQuery of a press; an *inaccessible* message is shown with date 0."""
    if inaccessible:
        shown = {"chat": chats.open(press.chat_id), "message_id": press.message_id, "date": 0}
    else:
        shown = chats.message_json(message)
    return {
        "id": press.callback_id,
        "from": chats.user(press.user),
        "message": shown,
        "chat_instance": str(press.chat_id * 1_000_003),
        "data": press.data,
    }

"""The rules for keyboards."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import telegram
from telegram.constants import (
    InlineKeyboardButtonLimit,
    InlineKeyboardMarkupLimit,
    KeyboardButtonStyle,
    ReplyLimit,
)

from tests.emulators.telegram_rules import Params, bad, check_list, check_object

LINK_SCHEMES = frozenset({"http", "https", "tg"})
MARKUPS: dict[str, type] = {
    "inline_keyboard": telegram.InlineKeyboardMarkup,
    "keyboard": telegram.ReplyKeyboardMarkup,
    "remove_keyboard": telegram.ReplyKeyboardRemove,
    "force_reply": telegram.ForceReply,
}
# These two are nothing but a flag, which the library sets by itself.
FLAGS = frozenset({"remove_keyboard", "force_reply"})
BUTTON_LOOKS = frozenset({"text", "style", "icon_custom_emoji_id"})
STYLES = frozenset(map(str, KeyboardButtonStyle))
NO_BUTTONS = "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard"


def is_link(url: object) -> bool:
    """Tell whether *url* is an absolute address that a message may point to."""
    parts = urlsplit(url) if isinstance(url, str) else None
    return parts is not None and parts.scheme.lower() in LINK_SCHEMES and bool(parts.netloc)


def checked_markup(params: Params, *, inline_only: bool = False) -> dict[str, Any] | None:
    """Return the reply_markup as the server keeps it: an inline keyboard without buttons is none.

    Raises ``ApiError`` when it, or one of its buttons, would be refused.
    """
    markup = params.get("reply_markup")
    # The library writes a keyboard without rows as an empty object.
    if markup in (None, {}):
        return None
    name = next((key for key in MARKUPS if isinstance(markup, dict) and key in markup), None)
    if name is None or (inline_only and name != "inline_keyboard"):
        raise bad("object expected as reply markup")
    _check_markup(name, markup)
    if name == "inline_keyboard":
        rows = [row for row in markup[name] if row]
        return {name: rows} if rows else None
    return dict(markup)


def _check_markup(name: str, markup: dict[str, Any]) -> None:
    if name in FLAGS:
        if markup[name] is not True:
            raise bad("object expected as reply markup")
        markup = {key: value for key, value in markup.items() if key != name}
    fields = check_object(markup, MARKUPS[name])
    _check_placeholder(fields.get("input_field_placeholder"))
    if name in FLAGS:
        return
    rows = [check_list(row, MARKUPS[name].__name__) for row in check_list(fields[name], MARKUPS[name].__name__)]
    if name == "inline_keyboard":
        _check_inline(rows)
    else:
        _check_reply(rows)


def _check_placeholder(text: object) -> None:
    limits = ReplyLimit.MIN_INPUT_FIELD_PLACEHOLDER, ReplyLimit.MAX_INPUT_FIELD_PLACEHOLDER
    if text is not None and not (isinstance(text, str) and limits[0] <= len(text) <= limits[1]):
        raise bad(f"emulator: input_field_placeholder is not {int(limits[0])}–{int(limits[1])} characters")


def _check_inline(rows: list[list[Any]]) -> None:
    if sum(map(len, rows)) > InlineKeyboardMarkupLimit.TOTAL_BUTTON_NUMBER:
        raise bad("REPLY_MARKUP_TOO_LONG")
    if any(len(row) > InlineKeyboardMarkupLimit.BUTTONS_PER_ROW for row in rows):
        raise bad(f"emulator: more than {int(InlineKeyboardMarkupLimit.BUTTONS_PER_ROW)} buttons in a row")
    for row in rows:
        for button in row:
            _check_button(check_object(button, telegram.InlineKeyboardButton))


def _check_reply(rows: list[list[Any]]) -> None:
    for row in rows:
        for button in row:
            # A string is short for a button that has nothing but a text.
            fields = {"text": button} if isinstance(button, str) else check_object(button, telegram.KeyboardButton)
            _check_looks(fields, 'can\'t parse keyboard button: Field "text" must be of type String')


def _check_looks(button: dict[str, Any], complaint: str) -> None:
    text = button["text"]
    if not isinstance(text, str) or not text.strip():
        raise bad(complaint)
    if button.get("style", "primary") not in STYLES:
        raise bad("can't parse keyboard button: invalid button style specified")


def _check_button(button: dict[str, Any]) -> None:
    _check_looks(button, NO_BUTTONS)
    if len(button.keys() - BUTTON_LOOKS) != 1:
        raise bad(NO_BUTTONS)
    if "callback_data" in button:
        _check_data(button["callback_data"])
    if "url" in button and not is_link(button["url"]):
        raise bad(f"inline keyboard button URL '{button['url']}' is invalid: Wrong HTTP URL")
    if "copy_text" in button:
        _check_copy(check_object(button["copy_text"], telegram.CopyTextButton)["text"])


def _check_data(data: object) -> None:
    low, high = InlineKeyboardButtonLimit.MIN_CALLBACK_DATA, InlineKeyboardButtonLimit.MAX_CALLBACK_DATA
    if not isinstance(data, str) or not low <= len(data.encode()) <= high:
        raise bad("BUTTON_DATA_INVALID")


def _check_copy(text: object) -> None:
    if not isinstance(text, str) or not 1 <= len(text) <= InlineKeyboardButtonLimit.MAX_COPY_TEXT:
        raise bad("BUTTON_COPY_TEXT_INVALID")

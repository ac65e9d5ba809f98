"""From the Bot API's Update (https://core.telegram.org/bots/api#update) to ours.

Our own few lines on raw JSON: a field the library does not know, or a date it cannot read, must not stop the queue.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from core.types import Inbound, Millis, Sender, Skipped, Unreadable, Update

ALLOWED_UPDATES = ("message", "edited_message", "my_chat_member")
MILLIS = 1000
YEAR_3000 = 32_503_680_000
REPLACEMENT = "\ufffd"

Fields = Mapping[str, Any]


def parse(updates: Sequence[Any]) -> list[Update]:
    """Read the result of getUpdates; what cannot be read becomes `Unreadable`, the rest goes on."""
    return [_readable(update) for update in updates]


def next_offset(updates: Sequence[Any]) -> int:
    """Return the offset that confirms the updates; raise `ValueError` when none of them has an id.

    The highest of this batch counts, not the highest ever: after a week of silence Telegram starts anywhere.
    """
    ids = [update["update_id"] for update in updates if isinstance(update, dict) and _is_id(update.get("update_id"))]
    if not ids:
        raise ValueError("none of the updates has an id")
    return int(max(ids)) + 1


def clean(text: str) -> str:
    """Replace what no database takes: NUL and halves of surrogate pairs."""
    text = text.replace("\0", REPLACEMENT)
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _readable(update: Any) -> Update:
    raw = _dumped(update)
    try:
        return _update(update, raw)
    except Exception as error:
        # Whatever is wrong with one update, the others must go on; this one is kept to be looked at.
        return Unreadable(key=_key(update, raw), raw=raw, error=clean(f"{type(error).__name__}: {error}"))


def _update(update: Fields, raw: str) -> Update:
    key = str(_integer(update, "update_id"))
    if "message" in update:
        return _message(key, update["message"], raw) or Skipped(key=key)
    if "edited_message" in update:
        return _message(key, update["edited_message"], raw, edited=True) or Skipped(key=key)
    return Skipped(key=key)


def _message(key: str, message: Fields, raw: str, *, edited: bool = False) -> Inbound | None:
    """Read a Message; None when it is not for us: another bot's, without text, or (for now) from a group."""
    text = message.get("text", message.get("caption"))
    if text is None or message["chat"]["type"] != "private" or message["from"].get("is_bot"):
        return None
    message_id = str(_integer(message, "message_id"))
    return Inbound(
        key=key,
        chat=str(_integer(message["chat"], "id")),
        thread=str(_integer(message, "message_thread_id")) if message.get("is_topic_message") else "",
        chat_kind="private" if message["chat"]["type"] == "private" else "group",
        sender=_sender(message["from"]),
        text=clean(text),
        message_id=message_id,
        reply_to=_reply_to(message),
        edits=message_id if edited else "",
        sent_at=_instant(message),
        raw=raw,
    )


def _sender(user: Fields) -> Sender:
    names = (user.get("first_name"), user.get("last_name"))
    return Sender(
        address=f"tg:{_integer(user, 'id')}",
        name=clean(" ".join(filter(None, names))),
        language=clean(user.get("language_code") or ""),
    )


def _reply_to(message: Fields) -> str:
    replied = message.get("reply_to_message")
    # In a topic every message "replies" to the one that opened the topic.
    if not replied or "forum_topic_created" in replied:
        return ""
    return str(_integer(replied, "message_id"))


def _instant(message: Fields) -> Millis:
    date = _integer(message, "date")
    if not 0 <= date < YEAR_3000:
        raise ValueError(f"date {date} is no time")
    return date * MILLIS


def _integer(fields: Fields, name: str) -> int:
    value = fields[name]
    if not _is_id(value):
        raise TypeError(f"{name} is no integer of 64 bits")
    return int(value)


def _is_id(value: object) -> bool:
    return type(value) is int and -(2**63) <= value < 2**63 - 1


def _key(update: Any, raw: str) -> str:
    """Return the update's id, or a digest where it has none."""
    number = update.get("update_id") if isinstance(update, dict) else None
    return str(number) if _is_id(number) else f"sha256:{hashlib.sha256(raw.encode()).hexdigest()}"


def _dumped(update: Any) -> str:
    raw = json.dumps(update, ensure_ascii=False, separators=(",", ":"))
    try:
        raw.encode()
    except UnicodeEncodeError:
        return json.dumps(update, separators=(",", ":"))
    return raw

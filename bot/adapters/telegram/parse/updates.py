"""From the Bot API's Update (https://core.telegram.org/bots/api#update) to ours.

Our own few lines on raw JSON: a field the library does not know, or a date it cannot read, must not stop the queue.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bot.adapters.telegram.parse.chats import membership, presence, press
from bot.adapters.telegram.parse.fields import Fields, integer, is_id
from bot.adapters.telegram.parse.identity import Me
from bot.adapters.telegram.parse.messages import message
from core.kernel.untrusted import clean
from core.kernel.updates import Skipped, Unreadable, Update

__all__ = ["ALLOWED_UPDATES", "clean", "next_offset", "parse", "query_ids"]

# Made once: to make one takes half as long as to use it.
DUMPED = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
ALLOWED_UPDATES = ("message", "edited_message", "callback_query", "my_chat_member", "chat_member")


def parse(updates: Sequence[Any], me: Me) -> list[Update]:
    """Read the result of getUpdates; what cannot be read becomes `Unreadable`, the rest goes on."""
    return [_readable(update, me) for update in updates]


def next_offset(updates: Sequence[Any]) -> int:
    """Return the offset that confirms the updates; raise `ValueError` when none of them has an id.

    The highest of this batch counts, not the highest ever: after a week of silence Telegram starts anywhere.
    """
    ids = [update["update_id"] for update in updates if isinstance(update, dict) and is_id(update.get("update_id"))]
    if not ids:
        raise ValueError("none of the updates has an id")
    return int(max(ids)) + 1


def query_ids(updates: Sequence[Any]) -> Mapping[str, str]:
    """Return the id of each callback query, by the key of its update; it is needed to answer the press."""
    return dict(_query_ids(updates))


def _query_ids(updates: Sequence[Any]) -> Iterator[tuple[str, str]]:
    for update in updates:
        query = update.get("callback_query") if isinstance(update, dict) else None
        if isinstance(query, dict) and isinstance(query.get("id"), str):
            yield str(update.get("update_id")), query["id"]


def _readable(update: Any, me: Me) -> Update:
    raw = _dumped(update)
    try:
        return _update(update, raw, me)
    except Exception as error:
        # Whatever is wrong with one update, the others must go on; this one is kept to be looked at.
        return Unreadable(key=_key(update, raw), raw=raw, error=clean(f"{type(error).__name__}: {error}"))


def _update(update: Fields, raw: str, me: Me) -> Update:
    key = str(integer(update, "update_id"))
    if "message" in update:
        return message(key, update["message"], raw, me)
    if "edited_message" in update:
        return message(key, update["edited_message"], raw, me, edited=True)
    if "callback_query" in update:
        return press(key, update["callback_query"], raw)
    if "my_chat_member" in update:
        return presence(key, update["my_chat_member"], raw)
    if "chat_member" in update:
        return membership(key, update["chat_member"])
    return Skipped(key=key)


def _key(update: Any, raw: str) -> str:
    """Return the update's id, or a digest where it has none."""
    number = update.get("update_id") if isinstance(update, dict) else None
    return str(number) if is_id(number) else f"sha256:{hashlib.sha256(raw.encode()).hexdigest()}"


def _dumped(update: Any) -> str:
    raw = DUMPED.encode(update)
    try:
        raw.encode()
    except UnicodeEncodeError:
        return json.dumps(update, separators=(",", ":"))
    return raw

"""From the Bot API's Update (https://core.telegram.org/bots/api#update) to ours.

An update is a message, the press of a button, or a change of membership.
Our own few lines on raw JSON: a field the library does not know, or a date it cannot read, must not stop the queue.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from bot.adapters.telegram.parse.fields import Fields, Me, instant, integer, is_id, user
from bot.adapters.telegram.parse.messages import ANONYMOUS_ADMIN, chat_kind, chat_title, message, nobody, topic
from core.kernel.clean_text import storable
from core.kernel.types import Press
from core.kernel.updates import Left, Presence, Returned, Skipped, Unreadable, Update

__all__ = ["ALLOWED_UPDATES", "next_offset", "parse", "query_ids"]

# Made once: to make one takes half as long as to use it.
DUMPED = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
# The statuses of a ChatMember (https://core.telegram.org/bots/api#chatmember); one that is restricted says more.
PRESENT = {"creator": True, "administrator": True, "member": True, "left": False, "kicked": False}
RESTRICTED = "restricted"


def parse(updates: Sequence[Any], me: Me) -> list[Update]:
    """Read the result of getUpdates; what cannot be read becomes `Unreadable`, the rest goes on."""
    read: list[Update] = []
    for update in updates:
        raw = DUMPED.encode(update)
        try:
            raw.encode()
        except UnicodeEncodeError:
            raw = json.dumps(update, separators=(",", ":"))
        try:
            key = str(integer(update, "update_id"))
            kind = next((kind for kind in READERS if kind in update), None)
            read.append(READERS[kind](key, update[kind], raw, me) if kind else Skipped(key=key))
        except Exception as error:
            # Whatever is wrong with one update, the others must go on; this one is kept to be looked at.
            number = update.get("update_id") if isinstance(update, dict) else None
            key = str(number) if is_id(number) else f"sha256:{hashlib.sha256(raw.encode()).hexdigest()}"
            read.append(Unreadable(key=key, raw=raw, error=storable(f"{type(error).__name__}: {error}")))
    return read


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
    found = {}
    for update in updates:
        query = update.get("callback_query") if isinstance(update, dict) else None
        if isinstance(query, dict) and isinstance(query.get("id"), str):
            found[str(update.get("update_id"))] = query["id"]
    return found


def _press(key: str, query: Fields, raw: str, _me: Me) -> Press | Skipped:
    """Read a CallbackQuery (https://core.telegram.org/bots/api#callbackquery).

    Its message may be an InaccessibleMessage, which has an id and a chat and nothing else. One without a message comes
    from inline mode, one without data from a game: neither is ours.
    """
    message, data = query.get("message"), query.get("data")
    if message is None or data is None or query["from"].get("is_bot") or not chat_kind(message["chat"]):
        return Skipped(key=key)
    return Press(
        key=key,
        chat=str(integer(message["chat"], "id")),
        thread=topic(message),
        chat_kind=chat_kind(message["chat"]),
        sender=user(query["from"]),
        data=storable(data),
        message_id=str(integer(message, "message_id")),
        raw=raw,
    )


def _presence(key: str, change: Fields, raw: str, _me: Me) -> Presence | Skipped:
    """Read a ChatMemberUpdated about the bot itself (https://core.telegram.org/bots/api#chatmemberupdated)."""
    chat = change["chat"]
    if not chat_kind(chat):
        return Skipped(key=key)
    who = change["from"]
    return Presence(
        key=key,
        chat=str(integer(chat, "id")),
        chat_kind=chat_kind(chat),
        title=chat_title(chat),
        sender=nobody(change["chat"]) if who["id"] == ANONYMOUS_ADMIN else user(who),
        present=_is_present(change["new_chat_member"]),
        raw=raw,
    )


def _membership(key: str, change: Fields, _raw: str, _me: Me) -> Left | Returned | Skipped:
    """Read a ChatMemberUpdated about somebody else, which an administrator gets of groups of any size.

    Who was not there before cannot leave: a ban of a stranger is none of ours.
    """
    if chat_kind(change["chat"]) != "group" or change["new_chat_member"]["user"].get("is_bot"):
        return Skipped(key=key)
    who = user(change["new_chat_member"]["user"]).address
    chat = str(integer(change["chat"], "id"))
    if _is_present(change["new_chat_member"]):
        return Returned(key=key, chat=chat, addresses=(who,), at=instant(change))
    if not _is_present(change["old_chat_member"]):
        return Skipped(key=key)
    return Left(key=key, chat=chat, address=who, at=instant(change))


def _is_present(member: Fields) -> bool:
    """Return whether somebody is in the chat. Raises `KeyError` for a status that the Bot API does not name."""
    status = member["status"]
    return bool(member["is_member"]) if status == RESTRICTED else PRESENT[status]


# What is asked for, and how each kind is read; the first that an update has counts.
READERS: Mapping[str, Callable[[str, Fields, str, Me], Update]] = {
    "message": message,
    "edited_message": partial(message, edited=True),
    "callback_query": _press,
    "my_chat_member": _presence,
    "chat_member": _membership,
}
ALLOWED_UPDATES = tuple(READERS)

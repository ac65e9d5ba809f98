"""Whom the bot's messages name: who may be named, and who hears of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from tests.emulators.telegram_chats import Chats, found_entities
from tests.emulators.telegram_groups import PRESENT
from tests.emulators.telegram_rules import Params, bad

# The server takes a link to a user for a mention.
USER_LINK = re.compile(r"tg:(?://)?user/?\?(?:.*&)?id=(\d+)", re.IGNORECASE)
# In these the server looks for no names.
SILENT = frozenset({"code", "pre", "text_link", "text_mention"})


def check_mentions(chats: Chats, chat_id: int, entities: list[dict[str, Any]]) -> None:
    """Refuse a mention of somebody who neither wrote to the bot in private nor is in the chat.

    The real server only leaves out such a mention (Bot API, "Formatting options").
    """
    for user in _mentioned(entities):
        if not _known(chats, chat_id, user):
            raise bad(f"emulator: entity mentions user {user}, who never wrote to the bot and is not in the chat")


def _mentioned(entities: list[dict[str, Any]]) -> Iterator[int]:
    for entity in entities:
        link = USER_LINK.match(entity.get("url") or "")
        if entity["type"] == "text_mention":
            yield int(entity["user"]["id"])
        elif link:
            yield int(link[1])


def _known(chats: Chats, chat_id: int, user: int) -> bool:
    return user in (chat_id, chats.bot["id"]) or chats.find_chat(user) is not None or _is_in(chats, chat_id, user)


def _is_in(chats: Chats, chat_id: int, user: int) -> bool:
    return chat_id in chats.groups and chats.groups[chat_id].status(user) in PRESENT


def told(chats: Chats, chat_id: int, params: Params, text: str, entities: list[dict[str, Any]]) -> tuple[int, ...]:
    """Return the members of a group whom a message names or answers, in the order of their ids."""
    if chat_id not in chats.groups or params.get("disable_notification"):
        return ()
    original = chats.reply_json(chat_id, params.get("reply_parameters", {}).get("message_id", 0))
    answered = original["from"]["id"] if original else chats.bot["id"]
    named = {*_mentioned(entities), *_called(chats, chat_id, text, entities), answered}
    return tuple(sorted(user for user in named if user != chats.bot["id"] and _is_in(chats, chat_id, user)))


def _called(chats: Chats, chat_id: int, text: str, entities: list[dict[str, Any]]) -> Iterator[int]:
    """Yield the members whose @name is in the text."""
    silent = [(one["offset"], one["offset"] + one["length"]) for one in entities if one["type"] in SILENT]
    coded = text.encode("utf-16-le")
    for one in found_entities(text):
        start, end = one["offset"], one["offset"] + one["length"]
        if one["type"] != "mention" or any(start < last and first < end for first, last in silent):
            continue
        name = coded[2 * start + 2 : 2 * end].decode("utf-16-le").lower()
        members = chats.groups[chat_id].members
        yield from (user for user in members if chats.user(user).get("username", "").lower() == name)

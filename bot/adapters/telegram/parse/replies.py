"""What a message answers: the text it is about, and a link to it (https://core.telegram.org/bots/api#message)."""

from __future__ import annotations

from typing import Any

from bot.adapters.telegram.parse.content import own_text, told
from bot.adapters.telegram.parse.fields import Fields, is_id
from bot.adapters.telegram.parse.people import USERNAME
from core.kernel.untrusted import clean

LINKS = "https://t.me"
LINKED_KINDS = ("supergroup", "channel")
# The ids of supergroups and channels begin so; links go without it.
LONG_PREFIX = "-100"


def replied(message: Fields) -> Fields | None:
    """Return the message of the same chat that this one replies to."""
    found = message.get("reply_to_message")
    # In a topic every message "replies" to the one that opened the topic.
    return None if not found or "forum_topic_created" in found else found


def quoted(message: Fields) -> str:
    """Return what a reply is about: the part that was picked (TextQuote), else the whole text of the original.

    An original without a text, as a place, is told in brackets.
    """
    quote, original = message.get("quote"), replied(message) or message.get("external_reply")
    if isinstance(quote, dict) and quote.get("text"):
        return clean(quote["text"])
    return "" if original is None else own_text(original) or told(original)


def link(message: Fields) -> str:
    """Return a link to the message that is replied to; empty in private chats and basic groups, which have none.

    There it leads to the post of a channel, where the original, or this very message, was forwarded from one.
    """
    original = replied(message)
    if original is None:
        return _link(message.get("external_reply")) or _origin(message)
    return _link({"chat": message["chat"], "message_id": original.get("message_id")}) or _origin(original)


def _origin(message: Fields) -> str:
    """Return a link to the post of a channel that a message is a forward of (MessageOriginChannel)."""
    return _link(message.get("forward_origin"))


def _link(place: Any) -> str:
    """Return the link to a chat and message_id (https://core.telegram.org/api/links#message-links)."""
    chat = place.get("chat") if isinstance(place, dict) else None
    number = place.get("message_id") if isinstance(place, dict) else None
    if not isinstance(chat, dict) or not is_id(number) or chat.get("type") not in LINKED_KINDS:
        return ""
    username, long_id = chat.get("username"), str(chat.get("id"))
    if isinstance(username, str) and USERNAME.fullmatch(username):
        return f"{LINKS}/{username}/{number}"
    known = is_id(chat.get("id")) and long_id.startswith(LONG_PREFIX)
    return f"{LINKS}/c/{long_id.removeprefix(LONG_PREFIX)}/{number}" if known else ""

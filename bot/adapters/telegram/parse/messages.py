"""From a Message (https://core.telegram.org/bots/api#message) to what somebody said."""

from __future__ import annotations

from typing import Any

from bot.adapters.telegram.parse import content
from bot.adapters.telegram.parse.fields import Fields, instant, integer, is_id
from bot.adapters.telegram.parse.identity import Me
from bot.adapters.telegram.parse.mentions import Said, is_for_another, said
from bot.adapters.telegram.parse.people import PREFIX, USERNAME, named, user
from core.kernel.types import Attachment, Inbound, Sender
from core.kernel.untrusted import clean
from core.kernel.updates import Left, Moved, Skipped

CHAT_KINDS = {"private": "private", "group": "group", "supergroup": "group"}
# The account that stands for administrators who hide behind their group.
ANONYMOUS_ADMIN = 1087968824
# The topic of a forum that is no topic: messages in it are the group's own.
GENERAL_TOPIC = 1
LONGEST_TITLE = 255
# What a message has that answers or passes on another one.
REFERENCES = frozenset({"reply_to_message", "external_reply", "quote", "forward_origin"})
LINKS = "https://t.me"
LINKED_KINDS = ("supergroup", "channel")
# The ids of supergroups and channels begin so; links go without it.
LONG_PREFIX = "-100"


def message(key: str, fields: Fields, raw: str, me: Me, *, edited: bool = False) -> Inbound | Moved | Left | Skipped:
    """Read a Message. Channels, other bots, channels that speak in a group, and service messages are skipped."""
    chat = fields["chat"]
    # The service messages by which a group becomes a supergroup; both chats are told, each of the other.
    if "migrate_to_chat_id" in fields:
        return Moved(key=key, chat=str(integer(chat, "id")), to=str(integer(fields, "migrate_to_chat_id")))
    if "migrate_from_chat_id" in fields:
        return Moved(key=key, chat=str(integer(fields, "migrate_from_chat_id")), to=str(integer(chat, "id")))
    kind, leaver = chat_kind(chat), fields.get("left_chat_member")
    if kind == "group" and leaver is not None:
        # Who left, or was removed; groups with very many members have no such message.
        return Left(key=key, chat=str(integer(chat, "id")), address=user(leaver).address)
    author = _author(fields) if kind else None
    if author is None or (edited and "location" in fields):
        # A live location is edited all the time; nobody says anything by it.
        return Skipped(key=key)
    files = content.attachments(fields)
    text = _said(fields, me, files, private=kind == "private")
    if text is None:
        return Skipped(key=key)
    message_id, refers = str(integer(fields, "message_id")), not REFERENCES.isdisjoint(fields)
    original = _replied(fields) if refers else None
    return Inbound(
        key=key,
        chat=str(integer(chat, "id")),
        thread=topic(fields),
        chat_kind=kind,
        title=chat_title(chat),
        sender=author,
        text=text.text,
        addressed=text.to_me,
        message_id=message_id,
        reply_to="" if original is None else str(integer(original, "message_id")),
        quoted=_quoted(fields) if refers else "",
        link=_link(fields) if refers else "",
        forwarded=content.is_forwarded(fields),
        mentioned=named(fields, me),
        edits=message_id if edited else "",
        album=clean(fields.get("media_group_id") or ""),
        attachments=files,
        sent_at=instant(fields),
        raw=raw,
    )


def chat_kind(chat: Fields) -> str:
    """Return `private` or `group`; empty for channels and what else there may come to be."""
    return CHAT_KINDS.get(chat["type"], "")


def chat_title(chat: Fields) -> str:
    """Return the name of a group; empty for a private chat."""
    return "" if chat["type"] == "private" else clean(chat.get("title") or "")[:LONGEST_TITLE]


def nobody(chat: Fields) -> Sender:
    """Return the group itself as the sender: one of its administrators, nobody knows who."""
    return Sender(address=f"{PREFIX}{integer(chat, 'id')}", name=chat_title(chat), anonymous=True)


def topic(fields: Fields) -> str:
    """Return the topic a Message is in; a thread of replies is none (`is_topic_message`), and General is none."""
    if not fields.get("is_topic_message"):
        return ""
    thread = integer(fields, "message_thread_id")
    return "" if thread == GENERAL_TOPIC else str(thread)


def _author(fields: Fields) -> Sender | None:
    """Return who wrote; None for bots, and for channels that write in a group or are forwarded into theirs."""
    writer, behind = fields["from"], fields.get("sender_chat")
    if behind is not None:
        hidden = writer["id"] == ANONYMOUS_ADMIN and integer(behind, "id") == integer(fields["chat"], "id")
        return nobody(fields["chat"]) if hidden else None
    return None if writer.get("is_bot") else user(writer)


def _said(fields: Fields, me: Me, files: tuple[Attachment, ...], *, private: bool) -> Said | None:
    """Return what the message says, and whether to the bot; None when it says nothing."""
    text, told = content.own_text(fields), content.told(fields)
    if not (text or files or told):
        told = content.unknown(fields) if private else ""
        if not told:
            return None
    if told or content.is_forwarded(fields):
        # A name in what somebody passes on calls nobody.
        found = Said(content.passed_on(fields, told, text), to_me=False)
    else:
        entities = fields.get("entities" if "text" in fields else "caption_entities")
        found = said(text, entities, me, private=private)
    if not private and not found.to_me:
        # A reply to one of the bot's is for it, if it is no command for another.
        original = _replied(fields) or {}
        answers = (original.get("from") or {}).get("id") == me.id
        return found._replace(to_me=answers and not is_for_another(text, me))
    return found._replace(to_me=True)


def _replied(message: Fields) -> Fields | None:
    """Return the message of the same chat that this one replies to."""
    found = message.get("reply_to_message")
    # In a topic every message "replies" to the one that opened the topic.
    return None if not found or "forum_topic_created" in found else found


def _quoted(message: Fields) -> str:
    """Return what a reply is about: the part that was picked (TextQuote), else the whole text of the original.

    An original without a text, as a place, is told in brackets.
    """
    quote, original = message.get("quote"), _replied(message) or message.get("external_reply")
    if isinstance(quote, dict) and quote.get("text"):
        return clean(quote["text"])
    return "" if original is None else content.own_text(original) or content.told(original)


def _link(message: Fields) -> str:
    """Return a link to the message that is replied to; empty in private chats and basic groups, which have none.

    There it leads to the post of a channel, where the original, or this very message, was forwarded from one.
    """
    original = _replied(message)
    if original is None:
        return _link_to(message.get("external_reply")) or _link_to(message.get("forward_origin"))
    place = {"chat": message["chat"], "message_id": original.get("message_id")}
    return _link_to(place) or _link_to(original.get("forward_origin"))


def _link_to(place: Any) -> str:
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

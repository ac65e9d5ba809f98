"""From a Message (https://core.telegram.org/bots/api#message) to what somebody said."""

from __future__ import annotations

from bot.adapters.telegram.parse import content
from bot.adapters.telegram.parse.fields import Fields, instant, integer
from bot.adapters.telegram.parse.identity import Me
from bot.adapters.telegram.parse.media import attachments
from bot.adapters.telegram.parse.mentions import Said, is_for_another, said
from bot.adapters.telegram.parse.people import PREFIX, named, user
from bot.adapters.telegram.parse.replies import link, quoted, replied
from core.kernel.types import Attachment, Inbound, Sender
from core.kernel.untrusted import clean
from core.kernel.updates import Left, Moved, Skipped

CHAT_KINDS = {"private": "private", "group": "group", "supergroup": "group"}
# The account that stands for administrators who hide behind their group.
ANONYMOUS_ADMIN = 1087968824
# The topic of a forum that is no topic: messages in it are the group's own.
GENERAL_TOPIC = 1
LONGEST_TITLE = 255


def message(key: str, fields: Fields, raw: str, me: Me, *, edited: bool = False) -> Inbound | Moved | Left | Skipped:
    """Read a Message. Channels, other bots, channels that speak in a group, and service messages are skipped."""
    told = _moved(key, fields) or _left(key, fields)
    if told is not None:
        return told
    kind = chat_kind(fields["chat"])
    author = _author(fields) if kind else None
    if author is None or (edited and "location" in fields):
        # A live location is edited all the time; nobody says anything by it.
        return Skipped(key=key)
    files = attachments(fields)
    found = _said(fields, me, files, private=kind == "private")
    if found is None:
        return Skipped(key=key)
    return _inbound(key, fields, raw, author, found, files, people=named(fields, me), edited=edited)


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


def _inbound(
    key: str,
    fields: Fields,
    raw: str,
    author: Sender,
    found: Said,
    files: tuple[Attachment, ...],
    *,
    people: tuple[Sender, ...],
    edited: bool,
) -> Inbound:
    chat, message_id = fields["chat"], str(integer(fields, "message_id"))
    original = replied(fields)
    return Inbound(
        key=key,
        chat=str(integer(chat, "id")),
        thread=topic(fields),
        chat_kind=chat_kind(chat),
        title=chat_title(chat),
        sender=author,
        text=found.text,
        addressed=found.to_me,
        message_id=message_id,
        reply_to="" if original is None else str(integer(original, "message_id")),
        quoted=quoted(fields),
        link=link(fields),
        forwarded=content.is_forwarded(fields),
        mentioned=people,
        edits=message_id if edited else "",
        album=clean(fields.get("media_group_id") or ""),
        attachments=files,
        sent_at=instant(fields),
        raw=raw,
    )


def _moved(key: str, fields: Fields) -> Moved | None:
    """Read the service messages by which a group becomes a supergroup; both chats are told, each of the other."""
    here = fields["chat"]
    if "migrate_to_chat_id" in fields:
        return Moved(key=key, chat=str(integer(here, "id")), to=str(integer(fields, "migrate_to_chat_id")))
    if "migrate_from_chat_id" in fields:
        return Moved(key=key, chat=str(integer(fields, "migrate_from_chat_id")), to=str(integer(here, "id")))
    return None


def _left(key: str, fields: Fields) -> Left | None:
    """Read the service message about a member who left, or was removed; groups with very many members have none."""
    who = fields.get("left_chat_member")
    if who is None or chat_kind(fields["chat"]) != "group":
        return None
    return Left(key=key, chat=str(integer(fields["chat"], "id")), address=user(who).address)


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
    return found._replace(to_me=private or found.to_me or _answers(fields, me, text))


def _answers(fields: Fields, me: Me, text: str) -> bool:
    """Whether the message replies to one of the bot, and is no command for another."""
    original = replied(fields)
    if original is None or (original.get("from") or {}).get("id") != me.id:
        return False
    return not is_for_another(text, me)

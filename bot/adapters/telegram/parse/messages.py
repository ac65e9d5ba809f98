"""From a Message (https://core.telegram.org/bots/api#message) to what somebody said, to whom, and what it carries.

What is no text (stickers, places, contacts, forwards) becomes a line in square brackets, which is never a command;
names in it are the senders' own and are made harmless. Files become data for later. Entities count in UTF-16 units
(https://core.telegram.org/bots/api#messageentity).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from bot.adapters.telegram.parse.fields import (
    PREFIX,
    USERNAME,
    Fields,
    Me,
    count,
    full_name,
    instant,
    integer,
    is_id,
    named,
    user,
)
from core.kernel.clean_text import label, storable
from core.kernel.types import Attachment, Destination, Inbound, Sender
from core.kernel.updates import Left, Moved, Returned, Skipped
from core.language.own_name import SEPARATORS, without_name

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
# What a Message may carry beside its content (https://core.telegram.org/bots/api#message).
CIRCUMSTANCES = """
    message_id message_thread_id direct_messages_topic from sender_chat sender_boost_count sender_business_bot
    sender_tag date business_connection_id chat forward_origin is_topic_message is_automatic_forward
    reply_to_message external_reply quote reply_to_story reply_to_checklist_task_id reply_to_poll_option_id
    via_bot edit_date has_protected_content is_from_offline is_paid_post media_group_id author_signature
    paid_star_count text entities link_preview_options suggested_post_info effect_id photo caption caption_entities
    show_caption_above_media has_media_spoiler reply_markup guest_bot_caller_user guest_bot_caller_chat guest_query_id
    forward_from forward_from_chat forward_from_message_id forward_signature forward_sender_name forward_date
"""
# Service messages: something happened in the chat, nobody said anything.
SERVICES = """
    new_chat_members new_chat_member new_chat_participant left_chat_member left_chat_participant chat_owner_left
    chat_owner_changed new_chat_title new_chat_photo delete_chat_photo group_chat_created supergroup_chat_created
    channel_chat_created message_auto_delete_timer_changed migrate_to_chat_id migrate_from_chat_id pinned_message
    successful_payment refunded_payment users_shared user_shared chat_shared connected_website write_access_allowed
    proximity_alert_triggered boost_added chat_background_set checklist_tasks_done checklist_tasks_added
    direct_message_price_changed forum_topic_created forum_topic_edited forum_topic_closed forum_topic_reopened
    general_forum_topic_hidden general_forum_topic_unhidden giveaway_created giveaway_completed managed_bot_created
    paid_message_price_changed poll_option_added poll_option_deleted suggested_post_approved suggested_post_declined
    suggested_post_approval_failed suggested_post_paid suggested_post_refunded video_chat_scheduled video_chat_started
    video_chat_ended video_chat_participants_invited web_app_data
"""
IS_SERVICE = frozenset(SERVICES.split())
KNOWN = IS_SERVICE.union(CIRCUMSTANCES.split())
# What another bot wrote that somebody sends by its inline mode is as little their own as what they forward.
FORWARDS = ("forward_origin", "forward_date", "via_bot")
MOST_OPTIONS = 12
# What the Bot API lets a bot download (https://core.telegram.org/bots/api#getfile).
MOST_BYTES = 20_000_000
# An animation also comes as a document, for older programs; the first that is there counts.
FILES = ("animation", "document", "voice", "audio", "video", "video_note")
LONGEST_NAME = 255
LONGEST_MIME = 100
COMMAND = re.compile(r"/(?P<name>[A-Za-z0-9_]{1,32})(?:@(?P<bot>\w{1,32}))?(?![\w@/])")
EDGES = re.compile(r"^\W+|\W+$")
CALLED = re.compile(rf"\s*[{SEPARATORS}]")
# A composed character is at most so many of ours; only that much of a text can be a name.
LONGEST_EXPANSION = 4


class Said(NamedTuple):
    """What a text says, and whether it says it to the bot."""

    text: str
    to_me: bool


def message(
    key: str, fields: Fields, raw: str, me: Me, *, edited: bool = False
) -> Inbound | Moved | Left | Returned | Skipped:
    """Read a Message. Channels, other bots, channels that speak in a group, and service messages are skipped."""
    chat = fields["chat"]
    # The service messages by which a group becomes a supergroup; both chats are told, each of the other.
    if "migrate_to_chat_id" in fields:
        return Moved(key=key, chat=str(integer(chat, "id")), to=str(integer(fields, "migrate_to_chat_id")))
    if "migrate_from_chat_id" in fields:
        return Moved(key=key, chat=str(integer(fields, "migrate_from_chat_id")), to=str(integer(chat, "id")))
    kind = chat_kind(chat)
    moved = _moved(key, fields) if kind == "group" else None
    if moved is not None:
        return moved
    author = _author(fields) if kind else None
    if author is None or (edited and "location" in fields):
        # A live location is edited all the time; nobody says anything by it.
        return Skipped(key=key)
    files = _attachments(fields)
    text = _content(fields, me, files, private=kind == "private")
    if text is None:
        return Skipped(key=key)
    message_id = str(integer(fields, "message_id"))
    reply_to, quoted, link, writer = _reference(fields)
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
        reply_to=reply_to,
        quoted=quoted,
        quoted_from=writer if quoted else "",
        link=link,
        forwarded=_is_forwarded(fields),
        mentioned=named(fields, me),
        edits=message_id if edited else "",
        edited_at=instant(fields, "edit_date") if edited and "edit_date" in fields else 0,
        album=storable(fields.get("media_group_id") or ""),
        attachments=files,
        sent_at=instant(fields),
        raw=raw,
    )


def _moved(key: str, fields: Fields) -> Left | Returned | None:
    """Read who left a group, or was removed, and who joined it, or was added; None where a message says neither.

    Groups with very many members have no such messages.
    """
    chat, leaver = str(integer(fields["chat"], "id")), fields.get("left_chat_member")
    if leaver is not None:
        return Left(key=key, chat=chat, address=user(leaver).address, at=instant(fields))
    came = tuple(user(one).address for one in fields.get("new_chat_members") or () if not one.get("is_bot"))
    return Returned(key=key, chat=chat, addresses=came, at=instant(fields)) if came else None


def chat_kind(chat: Fields) -> str:
    """Return `private` or `group`; empty for channels and what else there may come to be."""
    return CHAT_KINDS.get(chat["type"], "")


def chat_title(chat: Fields) -> str:
    """Return the name of a group; empty for a private chat."""
    return "" if chat["type"] == "private" else storable(chat.get("title") or "")[:LONGEST_TITLE]


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


def _content(fields: Fields, me: Me, files: tuple[Attachment, ...], *, private: bool) -> Said | None:
    """Return what the message says, and whether to the bot; None when it says nothing."""
    text, shown = _own_text(fields), _in_brackets(fields)
    if not (text or files or shown):
        # A content that we have no word for; service messages and empty ones say nothing.
        strange = next((label(name) for name in fields if name not in KNOWN), "")
        if not (private and strange and IS_SERVICE.isdisjoint(fields)):
            return None
        shown = f"[something I cannot read: {strange}]"
    if shown or _is_forwarded(fields):
        # A name in what somebody passes on calls nobody.
        found = Said("\n".join(filter(None, (_forwarded(fields), shown, text))), to_me=False)
    else:
        entities = fields.get("entities" if "text" in fields else "caption_entities")
        found = said(text, entities, me, private=private)
    if not private and not found.to_me:
        # A reply to one of the bot's is for it, if it is no command for another.
        answers = ((_replied(fields) or {}).get("from") or {}).get("id") == me.id
        command = COMMAND.match(text)
        for_another = command is not None and (command["bot"] or me.username).lower() != me.username.lower()
        return found._replace(to_me=answers and not for_another)
    return found._replace(to_me=True)


def _replied(message: Fields) -> Fields | None:
    """Return the message of the same chat that this one replies to."""
    found = message.get("reply_to_message")
    # In a topic every message "replies" to the one that opened the topic.
    return None if not found or "forum_topic_created" in found else found


def _reference(message: Fields) -> tuple[str, str, str, str]:
    """Return which message this one replies to, what it is about, a link to that, and the address of who wrote it; each
    empty where there is none, or it is not known.

    It is about the part that was picked (TextQuote), else the whole text of the original; one without a text, as a
    place or a file with a name, is told in brackets. Private chats and basic groups have no links; there it leads to
    the post of a channel, where the original, or this very message, was forwarded from one.
    """
    if REFERENCES.isdisjoint(message):
        return "", "", "", ""
    original, quote = _replied(message), message.get("quote")
    source = original or message.get("external_reply")
    if isinstance(quote, dict) and quote.get("text"):
        quoted = storable(quote["text"])
    else:
        quoted = "" if source is None else _own_text(source) or _in_brackets(source) or _file_name(source)
    elsewhere = (message.get("external_reply") or {}).get("origin") or {}
    known = (original or {}).get("from") or elsewhere.get("sender_user")
    writer = user(known).address if isinstance(known, dict) else ""
    if original is None:
        return "", quoted, _link_to(message.get("external_reply")) or _link_to(message.get("forward_origin")), writer
    place = {"chat": message["chat"], "message_id": original.get("message_id")}
    link = _link_to(place) or _link_to(original.get("forward_origin"))
    return str(integer(original, "message_id")), quoted, link, writer


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


def permalink(to: Destination, message_id: str) -> str:
    """Return the link to a message for who is in its supergroup; other chats have none."""
    chat, number = to.chat.removeprefix(LONG_PREFIX), message_id
    linked = chat != to.chat and chat.isascii() and chat.isdecimal() and number.isascii() and number.isdecimal()
    return f"{LINKS}/c/{chat}/{number}" if linked else ""


def said(text: str, entities: object, me: Me, *, private: bool) -> Said:
    """Return the text without the bot's mentions, or its name at the start, and whether it names the bot at all.

    In a group a command without a name is for every bot; one with another bot's name is for that bot alone. In a
    private chat a bare name at the start is taken out only where a comma follows, as in "Teller, what time is it".
    """
    command = COMMAND.match(text)
    mentions = sorted(_mentions(text, entities, me)) if entities else []
    if command:
        # Behind a command with the bot's name that name may be taken for a mention, too.
        beside = [place for place in mentions if place[0] >= command.end()]
        text, bot = without_name(text, beside), command["bot"]
        if bot is None:
            return Said(text, to_me=True)
        if bot.lower() != me.username.lower():
            return Said(text, to_me=False)
        return Said(f"/{command['name']}{text[command.end() :]}", to_me=True)
    start = len(text) - len(text.lstrip())
    end = _name_end(text, me, called=private)
    if end and not any(place[0] < end for place in mentions):
        mentions = [(start, end), *mentions]
    return Said(without_name(text, mentions), to_me=True) if mentions else Said(text, to_me=False)


def _mentions(text: str, entities: object, me: Me) -> Iterator[tuple[int, int]]:
    """Yield where the bot is mentioned, in characters."""
    if not isinstance(entities, list):
        return
    for entity in entities:
        if not isinstance(entity, dict) or entity.get("type") not in ("mention", "text_mention"):
            continue
        offset, length, user = entity.get("offset"), entity.get("length"), entity.get("user")
        if type(offset) is not int or type(length) is not int or offset < 0 or length < 1:
            continue
        coded = text.encode("utf-16-le")
        if 2 * (offset + length) > len(coded):
            continue
        start = len(coded[: 2 * offset].decode("utf-16-le", "replace"))
        end = start + len(coded[2 * offset : 2 * (offset + length)].decode("utf-16-le", "replace"))
        if entity["type"] == "mention":
            is_me = text[start:end].lower() == f"@{me.username}".lower()
        else:
            is_me = isinstance(user, dict) and user.get("id") == me.id
        if is_me:
            yield start, end


def _name_end(text: str, me: Me, *, called: bool) -> int:
    """Return where the bot's name at the start of the text ends, as a whole word; 0 when it does not begin with it."""
    lead = len(text) - len(text.lstrip())
    for name in _names(me):
        for end in range(lead + 1, min(len(text), lead + LONGEST_EXPANSION * len(name)) + 1):
            folded = _folded(text[lead:end])
            behind = text[end : end + 1]
            # A word goes on with a letter, a digit, _ or an accent.
            goes_on = behind.isalnum() or behind == "_" or unicodedata.category(behind or " ").startswith("M")
            if folded == name and not goes_on:
                if not called or CALLED.match(text, end):
                    return end
                break
            # The last character may still be composed with what follows; before it nothing changes any more.
            if not name.startswith(folded[:-1]):
                break
    return 0


@lru_cache(maxsize=8)
def _names(me: Me) -> tuple[str, ...]:
    """Return what the bot is called, folded."""
    return tuple(_folded(name) for name in (me.username, f"@{me.username}", EDGES.sub("", me.name)))


# Texts begin alike.
@lru_cache(maxsize=4096)
def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def _own_text(message: Fields) -> str:
    """Return the text or the caption."""
    text = message.get("text", message.get("caption"))
    return "" if text is None else storable(text)


def _is_forwarded(message: Fields) -> bool:
    """Whether the words are not the sender's own."""
    return any(name in message for name in FORWARDS)


def _in_brackets(message: Fields) -> str:
    """Return what the message shows that is neither text nor file, in brackets; empty when there is nothing."""
    for kind, tell in TELLERS.items():
        found = message.get(kind)
        if found:
            return f"[{tell(found)}]"
    return ""


def _file_name(message: Fields) -> str:
    """Return the name of the file that a message brings, in brackets; empty when it has none."""
    files = (message.get(kind) for kind in FILES)
    names = (label(file.get("file_name"), LONGEST_NAME) for file in files if isinstance(file, dict))
    return next((f"[{name}]" for name in names if name), "")


def _forwarded(message: Fields) -> str:
    """Return the line that says from whom a message is forwarded; empty when its words are the sender's own."""
    if not _is_forwarded(message):
        return ""
    origin: Any = message.get("forward_origin")
    origin = origin if isinstance(origin, dict) else {}
    user, chat = origin.get("sender_user") or message.get("via_bot"), origin.get("sender_chat") or origin.get("chat")
    if isinstance(user, dict):
        name = label(full_name(user))
    elif isinstance(chat, dict):
        name = label(chat.get("title"))
    else:
        name = label(origin.get("sender_user_name"))
    return f"[forwarded from {name}]" if name else "[forwarded]"


def _point(location: Fields) -> str:
    latitude, longitude = float(location["latitude"]), float(location["longitude"])
    if not (abs(latitude) <= 90 and abs(longitude) <= 180):  # noqa: PLR2004 - degrees
        raise ValueError("a location that is nowhere")
    return f"{latitude:.5f}, {longitude:.5f}"


def _venue(venue: Fields) -> str:
    names = ", ".join(filter(None, (label(venue.get("title")), label(venue.get("address")))))
    return _words("venue", names, f"at {_point(venue['location'])}")


def _contact(contact: Fields) -> str:
    return _words("contact", label(full_name(contact)), label(contact.get("phone_number")))


def _dice(dice: Fields) -> str:
    value = dice.get("value")
    return _words("dice", label(dice.get("emoji")), str(value) if type(value) is int else "")


def _poll(poll: Fields) -> str:
    options = [label(option.get("text")) for option in poll.get("options", ())[:MOST_OPTIONS]]
    return _words("poll", f"{label(poll.get('question'), 300)}:", " / ".join(options))


def _words(*words: str) -> str:
    return " ".join(filter(None, words))


def _attachments(message: Fields) -> tuple[Attachment, ...]:
    """Return what is attached to a Message: one file at most, an album's parts being messages of their own."""
    photo = message.get("photo")
    if photo:
        # The largest size that can be fetched, else the smallest.
        by_area = sorted(photo, key=lambda size: count(size, "width") * count(size, "height"))
        fitting = [size for size in by_area if count(size, "file_size") <= MOST_BYTES]
        return (_attachment("photo", fitting[-1] if fitting else by_area[0]),)
    kind = next((kind for kind in FILES if message.get(kind)), None)
    return () if kind is None else (_attachment(kind, message[kind]),)


def _attachment(kind: str, file: Fields) -> Attachment:
    found: Any = file["file_id"]
    if not isinstance(found, str) or not found:
        raise TypeError("file_id is no text")
    return Attachment(
        kind=kind,
        file=storable(found),
        name=label(file.get("file_name"), LONGEST_NAME),
        mime=label(file.get("mime_type"), LONGEST_MIME),
        size=count(file, "file_size"),
        seconds=count(file, "duration"),
    )


# A venue also comes as a location, for older programs.
TELLERS: Mapping[str, Callable[[Any], str]] = {
    "sticker": lambda sticker: _words("sticker", label(sticker.get("emoji"))),
    "venue": _venue,
    "location": lambda location: _words("location", _point(location)),
    "contact": _contact,
    "dice": _dice,
    "poll": _poll,
}

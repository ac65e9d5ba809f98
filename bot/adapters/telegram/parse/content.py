"""What a message carries beside its text: stickers, places, contacts and forwards as data in square brackets, and files
as data for later (https://core.telegram.org/bots/api#available-types).

Names in them are the senders' own and are made harmless; a line in brackets is never a command.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bot.adapters.telegram.parse.fields import Fields, count, full_name
from core.kernel.types import Attachment
from core.kernel.untrusted import clean, label

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
FORWARDS = ("forward_origin", "forward_date")
MOST_OPTIONS = 12
# What the Bot API lets a bot download (https://core.telegram.org/bots/api#getfile).
MOST_BYTES = 20_000_000
# An animation also comes as a document, for older programs; the first that is there counts.
FILES = ("animation", "document", "voice", "audio", "video", "video_note")
LONGEST_NAME = 255
LONGEST_MIME = 100


def own_text(message: Fields) -> str:
    """Return the text or the caption."""
    text = message.get("text", message.get("caption"))
    return "" if text is None else clean(text)


def is_forwarded(message: Fields) -> bool:
    """Whether the words are not the sender's own."""
    return any(name in message for name in FORWARDS)


def passed_on(message: Fields, told: str, text: str) -> str:
    """Return what is shown and written, below a line that says from whom it is forwarded, if it is."""
    name = _origin(message.get("forward_origin")) if is_forwarded(message) else ""
    source = f"[forwarded from {name}]" if name else "[forwarded]" if is_forwarded(message) else ""
    return "\n".join(filter(None, (source, told, text)))


def told(message: Fields) -> str:
    """Return what the message shows that is neither text nor file, in brackets; empty when there is nothing."""
    for kind, tell in TELLERS.items():
        found = message.get(kind)
        if found:
            return f"[{tell(found)}]"
    return ""


def unknown(message: Fields) -> str:
    """Return a line for a content that we have no word for; empty for service messages and empty ones."""
    if not IS_SERVICE.isdisjoint(message):
        return ""
    kind = next((label(name) for name in message if name not in KNOWN), "")
    return f"[something I cannot read: {kind}]" if kind else ""


def _origin(origin: object) -> str:
    """Return whom a MessageOrigin names."""
    if not isinstance(origin, dict):
        return ""
    user, chat = origin.get("sender_user"), origin.get("sender_chat") or origin.get("chat")
    if isinstance(user, dict):
        return label(full_name(user))
    if isinstance(chat, dict):
        return label(chat.get("title"))
    return label(origin.get("sender_user_name"))


def _sticker(sticker: Fields) -> str:
    return _words("sticker", label(sticker.get("emoji")))


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


def attachments(message: Fields) -> tuple[Attachment, ...]:
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
        file=clean(found),
        name=label(file.get("file_name"), LONGEST_NAME),
        mime=label(file.get("mime_type"), LONGEST_MIME),
        size=count(file, "file_size"),
        seconds=count(file, "duration"),
    )


# A venue also comes as a location, for older programs.
TELLERS: Mapping[str, Callable[[Any], str]] = {
    "sticker": _sticker,
    "venue": _venue,
    "location": lambda location: _words("location", _point(location)),
    "contact": _contact,
    "dice": _dice,
    "poll": _poll,
}

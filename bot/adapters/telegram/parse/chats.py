"""From presses of buttons and changes of membership to ours."""

from __future__ import annotations

from bot.adapters.telegram.parse.fields import Fields, integer
from bot.adapters.telegram.parse.messages import ANONYMOUS_ADMIN, chat_kind, chat_title, nobody, topic
from bot.adapters.telegram.parse.people import user
from core.kernel.types import Press, Sender
from core.kernel.untrusted import clean
from core.kernel.updates import Left, Presence, Returned, Skipped

# The statuses of a ChatMember (https://core.telegram.org/bots/api#chatmember); one that is restricted says more.
PRESENT = {"creator": True, "administrator": True, "member": True, "left": False, "kicked": False}
RESTRICTED = "restricted"


def press(key: str, query: Fields, raw: str) -> Press | Skipped:
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
        data=clean(data),
        message_id=str(integer(message, "message_id")),
        raw=raw,
    )


def presence(key: str, change: Fields, raw: str) -> Presence | Skipped:
    """Read a ChatMemberUpdated about the bot itself (https://core.telegram.org/bots/api#chatmemberupdated)."""
    chat = change["chat"]
    if not chat_kind(chat):
        return Skipped(key=key)
    return Presence(
        key=key,
        chat=str(integer(chat, "id")),
        chat_kind=chat_kind(chat),
        title=chat_title(chat),
        sender=_actor(change),
        present=_is_present(change["new_chat_member"]),
        raw=raw,
    )


def membership(key: str, change: Fields) -> Left | Returned | Skipped:
    """Read a ChatMemberUpdated about somebody else, which an administrator gets of groups of any size.

    Who was not there before cannot leave: a ban of a stranger is none of ours.
    """
    if chat_kind(change["chat"]) != "group" or change["new_chat_member"]["user"].get("is_bot"):
        return Skipped(key=key)
    who = user(change["new_chat_member"]["user"]).address
    chat = str(integer(change["chat"], "id"))
    if _is_present(change["new_chat_member"]):
        return Returned(key=key, chat=chat, address=who)
    return Left(key=key, chat=chat, address=who) if _is_present(change["old_chat_member"]) else Skipped(key=key)


def _actor(change: Fields) -> Sender:
    who = change["from"]
    return nobody(change["chat"]) if who["id"] == ANONYMOUS_ADMIN else user(who)


def _is_present(member: Fields) -> bool:
    """Whether somebody is in the chat; raise `KeyError` for a status that nobody has heard of."""
    status = member["status"]
    return bool(member["is_member"]) if status == RESTRICTED else PRESENT[status]

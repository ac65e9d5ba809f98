"""Groups: who is in them, what the bot may do there, and what privacy mode keeps from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import telegram
from telegram.constants import ChatID, ChatMemberStatus, MessageAttachmentType

from tests.emulators.telegram_rules import ApiError, bad, object_fields

CREATOR, ADMIN, MEMBER = str(ChatMemberStatus.OWNER), str(ChatMemberStatus.ADMINISTRATOR), str(ChatMemberStatus.MEMBER)
RESTRICTED, LEFT, KICKED = str(ChatMemberStatus.RESTRICTED), str(ChatMemberStatus.LEFT), str(ChatMemberStatus.BANNED)
PRESENT = frozenset({CREATOR, ADMIN, MEMBER, RESTRICTED})
RULERS = frozenset({CREATOR, ADMIN})
CONTENT = frozenset({"text", *map(str, MessageAttachmentType)})
NO_RIGHTS = "not enough rights to send text messages to the chat"
UPGRADED = "group chat was upgraded to a supergroup chat"
ANONYMOUS_ADMIN: dict[str, Any] = {
    "id": int(ChatID.ANONYMOUS_ADMIN),
    "is_bot": True,
    "first_name": "Group",
    "username": "GroupAnonymousBot",
}
KINDS: dict[str, type] = {
    CREATOR: telegram.ChatMemberOwner,
    ADMIN: telegram.ChatMemberAdministrator,
    MEMBER: telegram.ChatMemberMember,
    RESTRICTED: telegram.ChatMemberRestricted,
    LEFT: telegram.ChatMemberLeft,
    KICKED: telegram.ChatMemberBanned,
}


@dataclass(slots=True, kw_only=True)
class Topic:
    """One topic of a forum."""

    name: str
    closed: bool = False


@dataclass(slots=True, kw_only=True)
class Group:
    """A group or supergroup; *members* maps user ids, the bot's too, to their status.

    Whoever is *limited* stays so when leaving.
    """

    chat: dict[str, Any]
    members: dict[int, str] = field(default_factory=dict)
    limited: set[int] = field(default_factory=set)
    migrated_to: int | None = None

    def status(self, user: int) -> str:
        """Return the status of *user*, "left" for somebody who was never there."""
        return self.members.get(user, LEFT)

    def set(self, user: int, status: str) -> None:
        """Give *user* a status."""
        self.members[user] = status
        if status == RESTRICTED:
            self.limited.add(user)
        elif status != LEFT:
            self.limited.discard(user)

    def json(self, user: dict[str, Any]) -> dict[str, Any]:
        """Return the ChatMember of a user."""
        status = self.status(user["id"])
        if status == LEFT and user["id"] in self.limited:
            return member_json(RESTRICTED, user) | {"is_member": False}
        return member_json(status, user)

    def check_access(self, bot: int) -> None:
        """Raise ``ApiError`` when *bot* cannot reach the group: upgraded, thrown out or not in it."""
        kind = self.chat["type"]
        if self.migrated_to is not None:
            text = f"Bad Request: {UPGRADED}"
            raise ApiError(400, text, {"migrate_to_chat_id": self.migrated_to})
        if self.status(bot) == KICKED:
            raise ApiError(403, f"Forbidden: bot was kicked from the {kind} chat")
        if self.status(bot) not in PRESENT:
            raise ApiError(403, f"Forbidden: bot is not a member of the {kind} chat")

    def check_rights(self, bot: int) -> None:
        """Raise ``ApiError`` when *bot* may not post."""
        if self.status(bot) == RESTRICTED:
            raise bad(NO_RIGHTS)


def member_json(status: str, user: dict[str, Any]) -> dict[str, Any]:
    """Return a ChatMember with every field that the library requires, all rights withheld."""
    fields = object_fields(KINDS[status])
    # Some rights are required by the API and still optional in the library's signature.
    needed = {name for name, required in fields.items() if required or (status == RESTRICTED and name[:4] == "can_")}
    rights = dict.fromkeys(sorted(needed - {"user"}), False)
    known: dict[str, Any] = {"until_date": 0} if "until_date" in rights else {}
    if status == RESTRICTED:
        known["is_member"] = True
    if status == ADMIN:
        known["can_manage_chat"] = True
    return {"status": status, "user": user, **rights, **known}


def is_service(message: dict[str, Any]) -> bool:
    """Tell whether *message* says that something happened, instead of something somebody wrote."""
    return not CONTENT & message.keys()


def concerns(message: dict[str, Any], bot: dict[str, Any]) -> bool:
    """Tell whether *message* is for *bot* by the rules of privacy mode (Bot Features, "Privacy mode")."""
    if message.get("reply_to_message", {}).get("from", {}).get("id") == bot["id"]:
        return True
    text = message.get("text", message.get("caption", ""))
    entities = message.get("entities", message.get("caption_entities", []))
    return is_service(message) or any(_names(entity, text, bot) for entity in entities)


def _names(entity: dict[str, Any], text: str, bot: dict[str, Any]) -> bool:
    units = text.encode("utf-16-le")
    start = 2 * entity["offset"]
    word = units[start : start + 2 * entity["length"]].decode("utf-16-le", "replace").lower()
    name = bot["username"].lower()
    if entity["type"] == "bot_command":
        return word.partition("@")[2] in ("", name)
    if entity["type"] == "mention":
        return word == f"@{name}"
    return bool(entity["type"] == "text_mention" and entity.get("user", {}).get("id") == bot["id"])

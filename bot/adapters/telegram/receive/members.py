"""Who is in a group, who runs it, and what the bot is sent of it (https://core.telegram.org/bots/api#getchatmember)."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from cachetools import TLRUCache, TTLCache
from telegram.constants import ChatMemberStatus

from bot.adapters.telegram.parse.fields import user_id
from bot.adapters.telegram.send.client import Client, described, is_group
from core.kernel.types import Destination

log = logging.getLogger(__name__)

# How long an answer holds, in seconds: whoever loses a right, or leaves unheard, does so here within a minute.
CACHE_SECONDS = 60.0
MOST_ANSWERS = 1000
BLIND_SECONDS = 5.0
ADMINISTRATORS = frozenset({ChatMemberStatus.OWNER, ChatMemberStatus.ADMINISTRATOR})
PRESENT = ADMINISTRATORS | {ChatMemberStatus.MEMBER, ChatMemberStatus.RESTRICTED}


class Members:
    """The members of groups, asked for one by one."""

    def __init__(self, client: Client) -> None:
        self._client = client
        timer = client.clock.monotonic
        self._statuses: TTLCache[tuple[str, str], str, float] = TTLCache(MOST_ANSWERS, CACHE_SECONDS, timer)
        self._changes = 0
        self._sights: TLRUCache[str, bool, float] = TLRUCache(
            MOST_ANSWERS, lambda _, sees_all, now: now + (CACHE_SECONDS if sees_all else BLIND_SECONDS), timer
        )

    async def administers(self, to: Destination, address: str) -> bool:
        """Whether a person is an administrator of the chat; everybody is of their own. False when that is not known."""
        return await self._is_one_of(ADMINISTRATORS, to, address)

    async def belongs(self, to: Destination, address: str, *, fresh: bool = False) -> bool:
        """Whether a person is in the chat; everybody is in their own. False when that is not known."""
        return await self._is_one_of(PRESENT, to, address, fresh=fresh)

    def changed(self, chat: str, address: str) -> None:
        """Forget what was answered of somebody: they came into a group or left it. No answer under way is kept."""
        self._changes += 1
        self._statuses.pop((chat, user_id(address)), None)

    async def sees_all(self, to: Destination) -> bool:
        """Whether the bot is sent all messages of a chat (https://core.telegram.org/bots/features#privacy-mode).

        True where that is not known. Somebody may be about to change it, so a no is soon asked again.
        """
        if not self._client.serves(to) or not is_group(to.chat):
            return True
        sees_all = self._sights.get(to.chat)
        if sees_all is None:
            try:
                me = await self._client.call("getMe", {})
                sees_all = isinstance(me, Mapping) and me.get("can_read_all_group_messages") is True
                sees_all = sees_all or await self._status(to.chat, self._client.bot_id) in ADMINISTRATORS
            except Exception as error:
                log.info("cannot ask what is seen of chat %s: %s", to.chat, described(error))
                return True
            self._sights[to.chat] = sees_all
        return sees_all

    async def _is_one_of(self, statuses: frozenset[str], to: Destination, address: str, *, fresh: bool = False) -> bool:
        user = user_id(address)
        if not user or not self._client.serves(to):
            return False
        if not is_group(to.chat):
            return user == to.chat
        known = None if fresh else self._statuses.get((to.chat, user))
        if known is None:
            changes = self._changes
            try:
                known = await self._status(to.chat, user)
            except Exception as error:
                # Fail closed: nobody gets a right because Telegram is silent. Not kept: the next question asks again.
                log.info("cannot ask who is in chat %s: %s", to.chat, described(error))
                return False
            # Somebody came or left while Telegram was asked: it may have answered before.
            if changes == self._changes:
                self._statuses[to.chat, user] = known
        return known in statuses

    async def _status(self, chat: str, user: str) -> str:
        return status(await self._client.call("getChatMember", {"chat_id": chat, "user_id": int(user)}))


def status(member: object) -> str:
    """Return the status of a ChatMember; `left` for one that is restricted and no member, empty for what is none."""
    if not isinstance(member, Mapping) or not isinstance(member.get("status"), str):
        return ""
    away = member["status"] == ChatMemberStatus.RESTRICTED and member.get("is_member") is not True
    return str(ChatMemberStatus.LEFT if away else member["status"])

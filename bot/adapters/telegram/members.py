"""Who administers a group (https://core.telegram.org/bots/api#getchatmember), and what the bot is sent of it."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from telegram.constants import ChatMemberStatus

from bot.adapters.telegram.client import Client, is_group
from bot.adapters.telegram.fading import Fading
from bot.adapters.telegram.wire import described
from core.types import Destination

log = logging.getLogger(__name__)

# How long an answer holds, in seconds: whoever loses the right loses it here within a minute.
CACHE_SECONDS = 60.0
BLIND_SECONDS = 5.0
ADMINISTRATORS = (ChatMemberStatus.OWNER, ChatMemberStatus.ADMINISTRATOR)
PREFIX = "tg:"


class Members:
    """The administrators of groups, asked for one by one."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._known: Fading[tuple[str, str], bool] = Fading(client.clock)
        self._seen: Fading[str, bool] = Fading(client.clock)

    async def administers(self, to: Destination, address: str) -> bool:
        """Whether a person is an administrator of the chat; everybody is of their own. False when that is not known."""
        if not self._client.serves(to) or not address.startswith(PREFIX):
            return False
        if not is_group(to.chat):
            return address == f"{PREFIX}{to.chat}"
        known = self._known.get((to.chat, address))
        return await self._ask(to.chat, address) if known is None else known

    async def sees_all(self, to: Destination) -> bool:
        """Whether the bot is sent all messages of a chat (https://core.telegram.org/bots/features#privacy-mode).

        True where that is not known. Somebody may be about to change it, so a no is soon asked again.
        """
        if not self._client.serves(to) or not is_group(to.chat):
            return True
        known = self._seen.get(to.chat)
        if known is None:
            known = await self._ask_sight(to.chat)
        return known is not False

    async def _ask_sight(self, chat: str) -> bool | None:
        try:
            me = await self._client.raw("getMe", {})
            found = isinstance(me, Mapping) and me.get("can_read_all_group_messages") is True
            found = found or await self._status(chat, self._client.bot_id) in ADMINISTRATORS
        except Exception as error:
            log.info("cannot ask what is seen of chat %s: %s", chat, described(error))
            return None
        self._seen.keep(chat, found, CACHE_SECONDS if found else BLIND_SECONDS)
        return found

    async def _status(self, chat: str, user_id: str) -> object:
        member = await self._client.raw("getChatMember", {"chat_id": chat, "user_id": int(user_id)})
        return member["status"] if isinstance(member, Mapping) else ""

    async def _ask(self, chat: str, address: str) -> bool:
        try:
            status = await self._status(chat, address.removeprefix(PREFIX))
        except Exception as error:
            # Fail closed: nobody gets a right because Telegram is silent. Not kept, so the next question asks again.
            log.info("cannot ask who administers chat %s: %s", chat, described(error))
            return False
        found = status in ADMINISTRATORS
        self._known.keep((chat, address), found, CACHE_SECONDS)
        return found

"""Who administers a group (https://core.telegram.org/bots/api#getchatmember)."""

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
ADMINISTRATORS = (ChatMemberStatus.OWNER, ChatMemberStatus.ADMINISTRATOR)
PREFIX = "tg:"


class Members:
    """The administrators of groups, asked for one by one."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._known: Fading[tuple[str, str], bool] = Fading(client.clock)

    async def administers(self, to: Destination, address: str) -> bool:
        """Whether a person is an administrator of the chat; everybody is of their own. False when that is not known."""
        if not self._client.serves(to) or not address.startswith(PREFIX):
            return False
        if not is_group(to.chat):
            return address == f"{PREFIX}{to.chat}"
        known = self._known.get((to.chat, address))
        return await self._ask(to.chat, address) if known is None else known

    async def _ask(self, chat: str, address: str) -> bool:
        try:
            fields = {"chat_id": chat, "user_id": int(address.removeprefix(PREFIX))}
            member = await self._client.raw("getChatMember", fields)
            status = member["status"] if isinstance(member, Mapping) else ""
        except Exception as error:
            # Fail closed: nobody gets a right because Telegram is silent. Not kept, so the next question asks again.
            log.info("cannot ask who administers chat %s: %s", chat, described(error))
            return False
        found = status in ADMINISTRATORS
        self._known.keep((chat, address), found, CACHE_SECONDS)
        return found

"""Rich messages (Bot API 10.1, https://core.telegram.org/bots/api#sendrichmessage), for tables above all.

The library does not know the method yet, so it is called raw. It is used only where it is asked for: some apps show
such a message as an empty one, and nobody can tell which app a person has.
"""

from __future__ import annotations

import html
import logging
from collections.abc import Mapping
from typing import Any

from telegram import Bot
from telegram.error import BadRequest, InvalidToken

from bot.adapters.telegram.send.attempt import NO_THREAD, Attempt
from bot.adapters.telegram.send.http import causes, described

log = logging.getLogger(__name__)

METHOD = "sendRichMessage"
UNAUTHORIZED = "unauthorized"
# Refusals of the chat, the message replied to or the buttons say nothing of the method.
OF_THE_CHAT = ("not found", "rights", "upgraded", "button", "keyboard")


class RichSender:
    """Sends rich messages until the server says that it cannot."""

    def __init__(self, bot: Bot, *, on: bool) -> None:
        self.on = on
        self._bot = bot

    async def send(self, tried: Attempt, where: Mapping[str, Any]) -> int | None:
        """Return the message's id, or None when the message has to go out in the plain way.

        Whatever else goes wrong is raised: the message may have arrived, so it is not sent in the other way too.
        """
        if not (self.on and tried.rich):
            return None
        head = f"<p>{html.escape(tried.mark)}</p>" if tried.mark else ""
        fields = {"chat_id": tried.chat, "rich_message": {"html": head + tried.rich}, **where}
        try:
            sent = await self._bot.do_api_request(METHOD, api_kwargs=fields)
        except (BadRequest, InvalidToken) as error:
            self._refused(error)
            return None
        return int(sent["message_id"])

    def _refused(self, error: BadRequest | InvalidToken) -> None:
        reasons = [str(cause).lower() for cause in causes(error)]
        if isinstance(error, BadRequest) and NO_THREAD in reasons[0]:
            raise error
        of_the_chat = isinstance(error, BadRequest) and any(word in reasons[0] for word in OF_THE_CHAT)
        if of_the_chat or any(UNAUTHORIZED in reason for reason in reasons[1:]):
            return
        self.on = False
        log.info("rich messages are off from now on: the server refused one (%s)", described(error))

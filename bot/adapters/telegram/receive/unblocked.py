"""Who has unblocked the bot while it was off is found at the start: Telegram keeps for a day that somebody did it."""

from __future__ import annotations

import logging

from telegram.constants import ChatAction
from telegram.error import BadRequest, Forbidden, TelegramError

from bot.adapters.telegram.parse.fields import user
from bot.adapters.telegram.send.client import Calls, Flooded, described
from core.kernel.ports import Clock, Intake
from core.kernel.updates import Presence

log = logging.getLogger(__name__)

# Between two chats, which leaves messages their way; and after Telegram did not answer.
STEP_SECONDS, UNHEARD_SECONDS = 0.1, 30.0


class Unblocked:
    """Asks Telegram whether private chats that are gone can be written to again."""

    def __init__(self, calls: Calls, clock: Clock) -> None:
        self._calls, self._clock = calls, clock

    async def look(self, intake: Intake, tenant: int) -> None:
        """Show "typing…" where the bot was blocked; who sees that has unblocked it, and their chat is there again."""
        try:
            gone = list(await intake.gone(tenant))
            while gone:
                chat = gone.pop()
                await self._clock.sleep(STEP_SECONDS)
                try:
                    await self._calls("sendChatAction", {"chat_id": chat, "action": ChatAction.TYPING})
                except (Forbidden, BadRequest):
                    continue
                except TelegramError as error:
                    gone.insert(0, chat)
                    await self._clock.sleep(error.seconds if isinstance(error, Flooded) else UNHEARD_SECONDS)
                else:
                    who = user({"id": int(chat)})
                    there = Presence(key=f"unblocked:{chat}", chat=chat, sender=who, present=True, raw="")
                    await intake.accept(tenant, [there])
        except Exception as error:
            # Nothing else may fail because of it; whoever writes is known by that.
            log.info("who has unblocked the bot meanwhile is found at the next start: %s", described(error))

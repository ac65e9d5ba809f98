"""Messages of a group that one member sees (Bot API 10.2 and 10.3).

https://core.telegram.org/bots/api#ephemeral-messages-and-commands: `sendMessage` takes the parameter
`ephemeral_message_parameters`, an object EphemeralMessageParameters with the field `receiver_user_id`. Without a press
or an ephemeral command just before, the bot must be an administrator of the group. The Message that comes back has the
`message_id` 0 and an `ephemeral_message_id`, which lives no longer than the message. It is not certain that the message
arrives, so it is used only where it is asked for. The library does not know the parameter yet.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from telegram import LinkPreviewOptions, Message, MessageEntity
from telegram.error import BadRequest, Forbidden, InvalidToken

from bot.adapters.telegram.send.attempt import Attempt
from bot.adapters.telegram.send.client import Client
from bot.adapters.telegram.send.http import described
from core.kernel.ttl_cache import Fading

log = logging.getLogger(__name__)

PARAMETERS, MESSAGE_ID = "ephemeral_message_parameters", "ephemeral_message_id"
UNAUTHORIZED = "unauthorized"
# Refusals of this group or this person, in this order: which errors there are is not documented.
HERE = ("not found", "rights", "upgraded", "admin", "participant", "peer_id", "user_")
# How long a group is not asked again for a person, in seconds: the bot may become an administrator.
HERE_SECONDS = 600.0

Refusal = BadRequest | Forbidden | InvalidToken


class EphemeralSender:
    """Sends ephemeral messages until the server says that it cannot."""

    def __init__(self, client: Client, *, on: bool) -> None:
        self.on = on
        self._client = client
        self._refused_here: Fading[tuple[str, int], bool] = Fading(client.clock)

    async def send(
        self, tried: Attempt, entities: Sequence[MessageEntity] | None, where: Mapping[str, Any]
    ) -> str | None:
        """Return the message's id, or None when the message has to go out in the plain way.

        The id is empty: nothing can be done to such a message later. Whatever else goes wrong is raised: the message
        may have arrived, so it is not shown to everybody too.
        """
        receiver = tried.only_for
        if not self.on or receiver is None or self._refused_here.get((tried.chat, receiver)):
            return None
        try:
            sent = await self._client.bot.send_message(
                tried.chat,
                tried.text,
                entities=entities,
                link_preview_options=LinkPreviewOptions(is_disabled=True),
                api_kwargs={PARAMETERS: {"receiver_user_id": receiver}},
                **where,
            )
        except (BadRequest, Forbidden, InvalidToken) as error:
            self._refused(tried, receiver, error)
            return None
        return self._told(sent)

    def _told(self, sent: Message) -> str:
        if not sent.message_id or MESSAGE_ID in sent.api_kwargs:
            return ""
        # An older server ignores parameters that it does not know: everybody sees the message.
        self._off("the server ignored what it did not know")
        return str(sent.message_id)

    def _refused(self, tried: Attempt, receiver: int, error: Refusal) -> None:
        reason = str(error).lower()
        if isinstance(error, BadRequest) and "ephemeral" not in reason and tried.simpler(reason) is not None:
            raise error
        if isinstance(error, Forbidden) or (isinstance(error, BadRequest) and any(word in reason for word in HERE)):
            self._refused_here.keep((tried.chat, receiver), value=True, seconds=HERE_SECONDS)
        elif UNAUTHORIZED not in reason:
            self._off(f"the server refused one ({described(error)})")

    def _off(self, why: str) -> None:
        self.on = False
        log.info("ephemeral messages are off from now on: %s", why)

"""Sending through python-telegram-bot's own `Bot`: each outcome becomes sent, moved, unsent, refused or doubtful."""

from __future__ import annotations

import logging
import math
from collections.abc import Awaitable, Sequence

from telegram import InlineKeyboardMarkup, LinkPreviewOptions, MessageEntity, ReplyParameters
from telegram.error import BadRequest, ChatMigrated, Forbidden, InvalidToken

from bot.adapters.telegram.send.attempt import Attempt, attempt
from bot.adapters.telegram.send.client import Client, is_group
from bot.adapters.telegram.send.http import Flooded, described, never_left
from core.kernel.errors import SendDoubtful, SendError, SendMoved, SendPaced, SendRefused, SendUnsent
from core.kernel.types import Destination, Part

log = logging.getLogger(__name__)

NO_PREVIEW = LinkPreviewOptions(is_disabled=True)
# The General topic of a forum: sendMessage refuses its id, sendChatAction wants it.
GENERAL_TOPIC = 1
REFUSALS = (Forbidden, BadRequest)
# A token that Telegram does not know (401, or 404 where it has no such bot's address) says nothing of the message: the
# owner may be replacing it, or the server in between be wrong for a while. The pauses are in seconds.
NOT_FOUND = "not found"
NOT_FOUND_SECONDS = 30.0
UNAUTHORIZED_SECONDS = 60.0
OTHER_BOT_SECONDS = 300.0
SAME_ERROR_LOG_SECONDS = 60.0
# An edit that changes nothing is done.
NOT_MODIFIED = "message is not modified"
# What leaving a group comes to that has lost the bot, or itself, before.
GONE = ("not found", "not a member", "kicked", "deactivated", "deleted")
LEAVE = Part(payload={"leave": True})


class Sender:
    """What goes out by the outbox: messages, edits, and the bot itself out of a group."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._logged = -math.inf

    async def send(self, to: Destination, part: Part, *, repeated: str = "") -> str:
        """Send or edit a message and return its id, as the port says."""
        if not self._client.serves(to):
            raise SendUnsent("this message belongs to another bot", OTHER_BOT_SECONDS)
        if part.payload.get("leave"):
            self._may_send(to, paced=False)
            return await self._judged(to, self._leave(to.chat))
        tried = attempt(to, part, repeated)
        if not to.bulk:
            self._may_send(to)
            self._client.crowd.passed()
            return await self._judged(to, self._deliver(tried))
        async with self._client.crowd.turn():
            self._may_send(to)
            return await self._judged(to, self._deliver(tried))

    async def _judged(self, to: Destination, call: Awaitable[str]) -> str:
        try:
            return await call
        except Flooded as error:
            self._client.rate_limit.flooded(to.chat, error.seconds)
            raise SendUnsent(described(error), error.seconds) from None
        except InvalidToken as error:
            raise self._unknown_token(error) from None
        except Exception as error:
            raise _verdict(error) from None

    async def _deliver(self, tried: Attempt) -> str:
        """Call the Bot API, once more without what it refused: a topic that is gone, a keyboard, entities."""
        try:
            return await self._call(tried)
        except BadRequest as error:
            if tried.replaces is not None and NOT_MODIFIED in error.message.lower():
                return str(tried.replaces)
            simpler = tried.simpler(error.message)
            if simpler is None:
                raise
        return await self._deliver(simpler)

    async def _leave(self, chat: str) -> str:
        """Leave a group (leaveChat); there is no message whose id could be returned."""
        try:
            await self._client.bot.leave_chat(chat)
        except REFUSALS as error:
            if not any(word in error.message.lower() for word in GONE):
                raise
        return ""

    def _unknown_token(self, error: InvalidToken) -> SendUnsent:
        """Say once a minute that Telegram does not know the token; the message waits."""
        text, now = described(error), self._client.clock.monotonic()
        pause = NOT_FOUND_SECONDS if NOT_FOUND in text.lower() else UNAUTHORIZED_SECONDS
        if now - self._logged >= SAME_ERROR_LOG_SECONDS:
            self._logged = now
            log.error("Telegram does not know the token of bot %s, messages wait (%s)", self._client.bot_id, text)
        return SendUnsent(text, pause)

    def _may_send(self, to: Destination, *, paced: bool = True) -> None:
        if self._client.closed:
            raise SendUnsent("the connections are closed")
        if not paced:
            return
        wait = self._client.rate_limit.take(to.chat, group=is_group(to.chat), edit=bool(to.replaces))
        if wait > 0:
            raise SendPaced("too soon for Telegram's limits", wait)

    async def _call(self, tried: Attempt) -> str:
        entities = MessageEntity.de_list([dict(entity) for entity in tried.entities], None) or None
        if tried.replaces is not None:
            return await self._edit(tried, tried.replaces, entities)
        # The original may be deleted meanwhile; the answer is to come all the same.
        reply = None if tried.reply_to is None else ReplyParameters(tried.reply_to, allow_sending_without_reply=True)
        sent = await self._client.bot.send_message(
            tried.chat,
            tried.text,
            entities=entities,
            link_preview_options=NO_PREVIEW,
            reply_parameters=reply,
            message_thread_id=None if tried.thread == GENERAL_TOPIC else tried.thread,
            reply_markup=tried.markup,
        )
        return str(sent.message_id)

    async def _edit(self, tried: Attempt, message_id: int, entities: Sequence[MessageEntity] | None) -> str:
        await self._client.bot.edit_message_text(
            tried.text,
            chat_id=tried.chat,
            message_id=message_id,
            entities=entities,
            link_preview_options=NO_PREVIEW,
            # Without buttons those of the message go: an answered question has none. Other markups cannot be edited in.
            reply_markup=tried.markup if isinstance(tried.markup, InlineKeyboardMarkup) else None,
        )
        return str(message_id)


def _verdict(error: Exception) -> SendError:
    """Return what an error says: only a certain no is a refusal, only what certainly did not leave is unsent."""
    text = described(error)
    if isinstance(error, ChatMigrated):
        return SendMoved(str(error.new_chat_id))
    if isinstance(error, REFUSALS):
        return SendRefused(text)
    if never_left(error):
        return SendUnsent(text)
    return SendDoubtful(text)

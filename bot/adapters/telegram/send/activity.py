"""Showing that the bot is at work: typing, drafts, a mark on a message. Nothing here ever raises."""

from __future__ import annotations

import logging

from cachetools import TLRUCache, TTLCache
from telegram import MessageEntity
from telegram.constants import ChatAction, MessageLimit, ReactionEmoji
from telegram.error import BadRequest, Forbidden, InvalidToken

from bot.adapters.telegram.render.render import preview
from bot.adapters.telegram.send.client import Client, Flooded, described, is_group, number
from core.kernel.types import Destination

log = logging.getLogger(__name__)

WORKING = ReactionEmoji.EYES
HOUR = 3600.0
MOST_CHATS = 1000
# A draft that takes longer is not worth showing: the next one is due.
DRAFT_SECONDS = 5.0
NOT_FOUND = "not found"
# The message was deleted: that says nothing of its chat.
NO_MESSAGE = "message to react not found"


class Decoration:
    """Shows typing, drafts (sendMessageDraft, private chats) and marks (setMessageReaction, groups)."""

    def __init__(self, client: Client, *, drafts: bool) -> None:
        self._client = client
        self._drafts, self._marks = drafts, True
        timer = client.clock.monotonic
        self._unmarkable: TTLCache[str, bool, float] = TTLCache(MOST_CHATS, HOUR, timer)
        # Chats that get no draft for now, each with the seconds that Telegram asked to wait.
        self._flooded: TLRUCache[str, float, float] = TLRUCache(MOST_CHATS, lambda _, rest, now: now + rest, timer)
        self._drafting: set[str] = set()

    async def typing(self, to: Destination, language: str = "") -> None:
        """Show "typing…" for five seconds (sendChatAction); the people's apps know the words for it."""
        if not self._client.reaches(to):
            return
        try:
            await self._client.bot.send_chat_action(to.chat, ChatAction.TYPING, message_thread_id=number(to.thread))
        except Exception as error:
            # An answer must not fail because of it; what is really wrong is reported by the sends.
            log.debug("typing was not shown: %s", described(error))

    async def draft(self, to: Destination, draft_id: int, text: str) -> bool:
        """Show what is written so far, for half a minute at most; an empty text shows "Thinking…". Return whether the
        chat can show drafts, also when this one is left out."""
        if not self._drafts or is_group(to.chat) or not draft_id or not self._client.serves(to):
            return False
        # One at a time: an older text must not arrive after a newer one.
        if not self._client.reaches(to) or to.chat in self._flooded or to.chat in self._drafting:
            return True
        self._drafting.add(to.chat)
        try:
            plain, entities = preview(text, MessageLimit.MAX_TEXT_LENGTH)
            await self._client.bot.send_message_draft(
                int(to.chat),
                draft_id,
                plain,
                message_thread_id=number(to.thread),
                entities=MessageEntity.de_list(entities, None) or None,
                read_timeout=DRAFT_SECONDS,
            )
        except Exception as error:
            return self._may_draft_again(to.chat, error)
        finally:
            self._drafting.discard(to.chat)
        return True

    def _may_draft_again(self, chat: str, error: Exception) -> bool:
        """Note what a failure means: off for good, not now, or nothing. Return whether the chat can show drafts."""
        reason = described(error)
        if isinstance(error, Flooded):
            # A pause of drafts alone: the answer itself need not wait for it.
            self._flooded[chat] = error.seconds
        elif _is_unknown(error) or (isinstance(error, BadRequest) and NOT_FOUND not in reason):
            # What is refused here is refused everywhere, but for a chat that is not found.
            self._drafts = False
            log.info("drafts are off from now on: the server refused one (%s)", reason)
        else:
            log.debug("a draft was not shown: %s", reason)
        return self._drafts and not isinstance(error, BadRequest | Forbidden | ValueError)

    async def mark(self, to: Destination, message_id: str, *, working: bool) -> None:
        """Put 👀 on a message of a group, or take it away."""
        skipped = not self._marks or not is_group(to.chat) or to.chat in self._unmarkable
        if skipped or self._client.closed or not self._client.serves(to):
            return
        try:
            await self._client.bot.set_message_reaction(to.chat, int(message_id), WORKING if working else None)
        except Exception as error:
            if _is_unknown(error):
                self._marks = False
                log.info("marks are off from now on: the server does not know them")
            elif isinstance(error, BadRequest | Forbidden) and NO_MESSAGE not in error.message.lower():
                # Rights and permitted reactions can be changed by the group's administrators.
                self._unmarkable[to.chat] = True
            log.debug("a mark was not shown: %s", described(error))


def _is_unknown(error: Exception) -> bool:
    """Return whether the server does not know the method (404); an unknown token (401) is another matter."""
    return isinstance(error, InvalidToken) and NOT_FOUND in described(error).lower()

"""Sending through python-telegram-bot's own `Bot`: each outcome becomes sent, unsent, refused or doubtful."""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import httpx
from telegram import Bot, LinkPreviewOptions, MessageEntity, ReplyParameters
from telegram.constants import ChatAction, MessageLimit
from telegram.error import BadRequest, ChatMigrated, Forbidden, InvalidToken

from bot.adapters.telegram.pacing import Pace
from bot.adapters.telegram.parsing import clean
from bot.adapters.telegram.units import cut, units
from bot.adapters.telegram.wire import Flooded, Wire, causes, described
from core.errors import SendDoubtful, SendError, SendRefused, SendUnsent
from core.ports import Clock
from core.types import Destination, Part

log = logging.getLogger(__name__)

CONNECTIONS = 64
READ_SECONDS = 20.0
NO_PREVIEW = LinkPreviewOptions(is_disabled=True)
# The General topic of a forum: sendMessage refuses its id, sendChatAction wants it.
GENERAL_TOPIC = 1
# No connection was there to carry a byte.
NEVER_LEFT = (httpx.PoolTimeout, httpx.ConnectTimeout, httpx.ConnectError, httpx.ProxyError, httpx.UnsupportedProtocol)
REFUSALS = (Forbidden, BadRequest)
# A token that Telegram does not know (401, or 404 where it has no such bot's address) says nothing of the message: the
# owner may be replacing it, or the server in between be wrong for a while. The pauses are in seconds.
NOT_FOUND = "not found"
NOT_FOUND_SECONDS = 30.0
UNAUTHORIZED_SECONDS = 60.0
OTHER_BOT_SECONDS = 300.0
SAME_ERROR_LOG_SECONDS = 60.0
NOT_MODIFIED = "message is not modified"
NO_THREAD = "message thread not found"
BAD_ENTITIES = ("entit", "can't parse", "url")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Attempt:
    """What one call to the Bot API carries; `replaces` is the id of the message to edit."""

    chat: str
    text: str
    entities: Sequence[dict[str, Any]]
    thread: int | None
    reply_to: int | None
    replaces: int | None

    def simpler(self, refusal: str) -> _Attempt | None:
        """Return this without what the Bot API refused, or None when that is the message itself."""
        reason = refusal.lower()
        if self.thread is not None and NO_THREAD in reason:
            return replace(self, thread=None)
        if self.entities and any(word in reason for word in BAD_ENTITIES):
            return replace(self, entities=())
        return None


class Sender:
    """The sending half of the adapter."""

    def __init__(self, token: str, root: str, clock: Clock) -> None:
        self.pace = Pace(clock)
        self._wire = Wire(connections=CONNECTIONS, read=READ_SECONDS)
        self._closed = False
        self._bot_id = token.partition(":")[0]
        self._clock = clock
        self._logged = -math.inf
        self._bot = Bot(
            token,
            base_url=f"{root}/bot",
            base_file_url=f"{root}/file/bot",
            request=self._wire,
            get_updates_request=self._wire,
        )

    async def close(self) -> None:
        """Close the connections; a later send is unsent."""
        self._closed = True
        await self._wire.shutdown()

    async def send(self, to: Destination, part: Part, *, repeated: str = "") -> str:
        """Send or edit a message and return its id, as the port says."""
        if not self._is_ours(to):
            raise SendUnsent("this message belongs to another bot", OTHER_BOT_SECONDS)
        attempt = _attempt(to, part, repeated)
        self._may_send(to.chat)
        try:
            return str(await self._deliver(attempt))
        except Flooded as error:
            self.pace.flooded(to.chat, error.seconds)
            raise SendUnsent(described(error), error.seconds) from None
        except InvalidToken as error:
            raise self._unknown_token(error) from None
        except Exception as error:
            raise _verdict(error) from None

    async def _deliver(self, attempt: _Attempt) -> int:
        """Call the Bot API, once more without what it refused: markup, or a topic that is gone."""
        try:
            return await self._call(attempt)
        except BadRequest as error:
            if attempt.replaces is not None and NOT_MODIFIED in error.message.lower():
                return attempt.replaces
            simpler = attempt.simpler(error.message)
            if simpler is None:
                raise
        return await self._deliver(simpler)

    async def typing(self, to: Destination) -> None:
        """Show "typing…" for five seconds (sendChatAction)."""
        if self._closed or not self._is_ours(to) or self.pace.resting(to.chat):
            return
        try:
            await self._bot.send_chat_action(to.chat, ChatAction.TYPING, message_thread_id=_number(to.thread))
        except Exception as error:
            # Decoration: an answer must not fail because of it. Sends report the same trouble as theirs.
            log.debug("typing was not shown: %s", described(error))

    def _is_ours(self, to: Destination) -> bool:
        """Whether the message is this bot's to send: another token may have come into the configuration meanwhile."""
        return to.tenant in ("", self._bot_id)

    def _unknown_token(self, error: InvalidToken) -> SendUnsent:
        """Say once a minute that Telegram does not know the token; the message waits."""
        text, now = described(error), self._clock.monotonic()
        pause = NOT_FOUND_SECONDS if NOT_FOUND in text.lower() else UNAUTHORIZED_SECONDS
        if now - self._logged >= SAME_ERROR_LOG_SECONDS:
            self._logged = now
            log.error("Telegram does not know the token of bot %s, messages wait (%s)", self._bot_id, text)
        return SendUnsent(text, pause)

    def _may_send(self, chat: str) -> None:
        if self._closed:
            raise SendUnsent("the connections are closed")
        wait = self.pace.take(chat)
        if wait > 0:
            raise SendUnsent("too soon for Telegram's limits", wait)

    async def _call(self, attempt: _Attempt) -> int:
        entities = MessageEntity.de_list(list(attempt.entities), None) or None
        if attempt.replaces is not None:
            return await self._edit(attempt, attempt.replaces, entities)
        sent = await self._bot.send_message(
            attempt.chat,
            attempt.text,
            entities=entities,
            link_preview_options=NO_PREVIEW,
            reply_parameters=_reply(attempt.reply_to),
            message_thread_id=None if attempt.thread == GENERAL_TOPIC else attempt.thread,
        )
        return sent.message_id

    async def _edit(self, attempt: _Attempt, message_id: int, entities: Sequence[MessageEntity] | None) -> int:
        await self._bot.edit_message_text(
            attempt.text,
            chat_id=attempt.chat,
            message_id=message_id,
            entities=entities,
            link_preview_options=NO_PREVIEW,
        )
        return message_id


def _attempt(to: Destination, part: Part, repeated: str) -> _Attempt:
    """Put a call together; raise `SendRefused` for ids that are none and parts that are not ours."""
    try:
        text, entities = _marked(part.payload["text"], part.payload.get("entities", ()), repeated)
        return _Attempt(
            chat=to.chat,
            text=text,
            entities=entities,
            thread=_number(to.thread),
            reply_to=_number(to.reply_to),
            replaces=_number(to.replaces),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise SendRefused(f"the message cannot be put together ({type(error).__name__})") from error


def _marked(text: str, entities: Sequence[dict[str, Any]], repeated: str) -> tuple[str, Sequence[dict[str, Any]]]:
    """Give the mark of a possible repeat a line of its own, cut to the room that is left."""
    mark = cut(clean(repeated).strip(), max(0, MessageLimit.MAX_TEXT_LENGTH - units(text) - 1))
    if not mark:
        return text, entities
    shift = units(mark) + 1
    return f"{mark}\n{text}", [{**entity, "offset": entity["offset"] + shift} for entity in entities]


def _reply(message_id: int | None) -> ReplyParameters | None:
    # The original may be deleted meanwhile; the answer is to come all the same.
    return None if message_id is None else ReplyParameters(message_id, allow_sending_without_reply=True)


def _number(text: str) -> int | None:
    return int(text) if text else None


def _verdict(error: Exception) -> SendError:
    """Return what an error says: only a certain no is a refusal, only what certainly did not leave is unsent."""
    text = described(error)
    if isinstance(error, ChatMigrated):
        return SendRefused(f"the group is now the chat {error.new_chat_id}")
    if isinstance(error, REFUSALS):
        return SendRefused(text)
    if any(isinstance(cause, NEVER_LEFT) for cause in causes(error)):
        return SendUnsent(text)
    return SendDoubtful(text)

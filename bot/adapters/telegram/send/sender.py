"""Sending over python-telegram-bot's request: each outcome becomes sent, moved, unsent, refused or doubtful."""

from __future__ import annotations

import logging
import math
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from telegram.constants import FileSizeLimit, MessageLimit
from telegram.error import BadRequest, ChatMigrated, Forbidden, InvalidToken, NetworkError

from bot.adapters.telegram.render.keyboards import Markup, labels_of, listed, markup, pick
from bot.adapters.telegram.render.render import cut, units
from bot.adapters.telegram.send.client import Client, Flooded, described, is_group, never_left, number
from core.kernel.clean_text import is_blank, storable
from core.kernel.errors import SendDoubtful, SendMoved, SendPaced, SendRefused, SendUnsent
from core.kernel.types import Destination, Document, Part
from core.store.conversation.outbox import SILENT

log = logging.getLogger(__name__)

# What a bot may upload (https://core.telegram.org/bots/api#senddocument), and how a server says that it is too much.
MOST_DOCUMENT_BYTES: int = FileSizeLimit.FILESIZE_UPLOAD
TOO_BIG = "request entity too large"
NO_PREVIEW = {"is_disabled": True}
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
# What sending to a topic comes to that was deleted or closed: it is sent to the group outside of it.
NO_THREAD = ("message thread not found", "topic_deleted", "topic_closed")
# In this order: a button's text or address is refused with the words of the second list too.
BAD_KEYBOARD = ("button", "keyboard", "reply markup", "reply_markup")
BAD_ENTITIES = ("entit", "can't parse", "url")
GAP = "\n\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One call; `replaces` is the id of the message to edit, `labels` what `markup` offers.

    The text of a `document` is what stands below it.
    """

    chat: str
    text: str
    entities: Sequence[Mapping[str, Any]]
    thread: int | None
    reply_to: int | None
    replaces: int | None
    markup: Markup | None = None
    labels: Sequence[str] = ()
    document: Document | None = None
    silent: bool = False

    def simpler(self, refusal: str) -> Attempt | None:
        """Return this without what the Bot API refused, or None when that is the message itself."""
        reason = refusal.lower()
        if self.thread is not None and any(word in reason for word in NO_THREAD):
            # A reply would go to the topic of what it answers.
            return replace(self, thread=None, reply_to=None)
        if self.markup is not None and any(word in reason for word in BAD_KEYBOARD):
            # The question can still be answered by text.
            return replace(self, markup=None, labels=(), text=with_list(self.text, self.labels))
        if self.entities and any(word in reason for word in BAD_ENTITIES):
            return replace(self, entities=())
        return None


def attempt(to: Destination, part: Part, repeated: str) -> Attempt:
    """Put a call together; raise `SendRefused` for ids that are none and parts that are not ours."""
    try:
        payload = part.payload
        text, entities = payload["text"], payload.get("entities", ())
        if not isinstance(text, str):
            raise TypeError("the text is none")
        labels: Sequence[str] = ()
        buttons: Markup | None = None
        if payload.get("choices") or payload.get("keyboard"):
            text, labels, buttons = _offered(to, payload)
        if repeated:
            # The mark of a possible repeat has a line of its own, cut to the room that is left.
            mark = cut(storable(repeated).strip(), max(0, MessageLimit.MAX_TEXT_LENGTH - units(text) - 1))
            if mark:
                text, shift = f"{mark}\n{text}", units(mark) + 1
                entities = [{**entity, "offset": entity["offset"] + shift} for entity in entities]
        return Attempt(
            chat=to.chat,
            text=text,
            entities=entities,
            thread=number(to.thread),
            reply_to=number(to.reply_to),
            replaces=number(to.replaces),
            markup=buttons,
            labels=labels,
            document=part.document,
            silent=bool(payload.get(SILENT)),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise SendRefused(f"the message cannot be put together ({type(error).__name__})") from error


def _offered(to: Destination, payload: Mapping[str, Any]) -> tuple[str, Sequence[str], Markup | None]:
    """Return the text and what is below it. Suggestions are buttons in private, a list where others would see them."""
    text, choices, keyboard = payload["text"], payload.get("choices", ()), payload.get("keyboard", {})
    buttons = markup(keyboard) if keyboard.get("rows") or not to.replaces else None
    if not choices:
        return text, labels_of(keyboard), buttons
    if buttons is None and not to.replaces and not is_group(to.chat) and not is_blank(text):
        return text, choices, pick(choices)
    return with_list(text, choices), labels_of(keyboard), buttons


def with_list(text: str, labels: Sequence[str]) -> str:
    """Put labels below a text as a list, as much of it as there is room for."""
    if not text:
        return listed(labels)
    lines = cut(listed(labels), max(0, MessageLimit.MAX_TEXT_LENGTH - units(text + GAP)))
    return f"{text}{GAP}{lines}" if lines else text


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
        if tried.document is not None and len(tried.document.content) > MOST_DOCUMENT_BYTES:
            raise SendRefused(
                f"a bot may send {MOST_DOCUMENT_BYTES} bytes on Telegram, not {len(tried.document.content)}"
            )
        if not to.bulk:
            self._may_send(to)
            self._client.crowd.passed()
            return await self._judged(to, self._deliver(tried))
        async with self._client.crowd.turn():
            self._may_send(to)
            return await self._judged(to, self._deliver(tried))

    async def _judged(self, to: Destination, call: Awaitable[str]) -> str:
        """Await a call; raise what its error says.

        Only a certain no is a refusal, and only what certainly did not leave is unsent.
        """
        try:
            return await call
        except Flooded as error:
            self._client.rate_limit.flooded(to.chat, error.seconds, edit=bool(to.replaces))
            raise SendUnsent(described(error), error.seconds) from None
        except InvalidToken as error:
            text, now = described(error), self._client.clock.monotonic()
            if now - self._logged >= SAME_ERROR_LOG_SECONDS:
                self._logged = now
                log.error("Telegram does not know the token of bot %s, messages wait (%s)", self._client.bot_id, text)
            pause = NOT_FOUND_SECONDS if NOT_FOUND in text.lower() else UNAUTHORIZED_SECONDS
            raise SendUnsent(text, pause) from None
        except ChatMigrated as error:
            raise SendMoved(str(error.new_chat_id)) from None
        except REFUSALS as error:
            raise SendRefused(described(error)) from None
        except Exception as error:
            if isinstance(error, NetworkError) and TOO_BIG in error.message.lower():
                raise SendRefused(described(error)) from None
            raise (SendUnsent if never_left(error) else SendDoubtful)(described(error)) from None

    async def _deliver(self, tried: Attempt) -> str:
        """Call the Bot API, once more without what it refused: a topic that is gone or closed, a keyboard, entities."""
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

    def _may_send(self, to: Destination, *, paced: bool = True) -> None:
        if self._client.closed:
            raise SendUnsent("the connections are closed")
        if not paced:
            return
        wait = self._client.rate_limit.take(to.chat, group=is_group(to.chat), edit=bool(to.replaces))
        if wait > 0:
            raise SendPaced("too soon for Telegram's limits", wait)

    async def _call(self, tried: Attempt) -> str:
        fields: dict[str, object] = {"chat_id": tried.chat}
        if tried.document is None:
            entities = [dict(entity) for entity in tried.entities] or None
            fields |= {"text": tried.text, "entities": entities, "link_preview_options": NO_PREVIEW}
        else:
            fields |= {"caption": tried.text.strip() or None, "disable_content_type_detection": True}
        if tried.replaces is not None:
            # Without buttons those of the message go: an answered question has none. Other markups cannot be edited in.
            buttons = tried.markup if tried.markup and "inline_keyboard" in tried.markup else None
            fields |= {"message_id": tried.replaces, "reply_markup": buttons}
            await self._client.call("editMessageText", fields)
            return str(tried.replaces)
        # The original may be deleted meanwhile; the answer is to come all the same.
        reply = {"message_id": tried.reply_to, "allow_sending_without_reply": True}
        fields |= {
            "reply_parameters": None if tried.reply_to is None else reply,
            "message_thread_id": None if tried.thread == GENERAL_TOPIC else tried.thread,
            "reply_markup": tried.markup,
            "disable_notification": tried.silent or None,
        }
        if tried.document is None:
            sent = await self._client.call("sendMessage", fields)
        else:
            sent = await self._client.call("sendDocument", fields, {"document": tried.document})
        return str(sent["message_id"])

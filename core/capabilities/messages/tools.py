"""Messages from one person to another by way of the bot (TOOLS: contacts_send; seed 002)."""

from __future__ import annotations

import base64
import binascii
import json
import secrets
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from core.capabilities.contacts import service as addressing
from core.capabilities.messages.actions import LONGEST, send
from core.kernel.errors import ToolError
from core.kernel.ports import Tx
from core.kernel.types import Json, Millis, Role
from core.toolkit.params import Integer, Params
from core.toolkit.tool import Effect, ToolContext, told_to_model, tool

SEND = "contacts_send"
LONGEST_PAYLOAD = 20_000
INELIGIBLE = "contact is not eligible for send: {contact} ({why})"
# What a model is told to change, by the code of what was refused.
TOLD = {
    "send_missing": "contact not found: {contact}; contacts_list shows who is there",
    "send_inactive": INELIGIBLE,
    "send_unreachable": INELIGIBLE,
    "send_self": INELIGIBLE,
    "sender_limit": INELIGIBLE,
    "recipient_limit": INELIGIBLE,
    **addressing.UNASKED,
}
DIALOGUES = frozenset({"share.proactive.v1", "dm.checkin.v1", "dm.reply.v1", "chat.message"})
VERSION = 7


class SendParams(Params):
    """`message_text`, or an envelope (`payload_base64`: base64url of JSON with message_id, text and sent_at).
    `session_id` (a UUIDv7) is made when it is missing; where it goes is decided here, whatever the source was.
    """

    contact_id: str = Field(max_length=80)
    message_text: str | None = Field(default=None, max_length=LONGEST)
    payload_base64: str | None = Field(default=None, max_length=LONGEST_PAYLOAD)
    topic: str = Field(default="share.proactive.v1", min_length=1, max_length=64)
    content_type: Literal["application/json"] = "application/json"
    session_id: str | None = Field(default=None, max_length=64)
    reply_to: str | None = Field(default=None, max_length=200)
    source_chat_id: Integer | None = None
    source_chat_type: str | None = Field(default=None, max_length=64)


@tool(Role.PLANNER, effect=Effect.WRITE, category="contacts")
def contacts_send(params: SendParams, context: ToolContext, tx: Tx) -> Json:
    """Send a contact of this chat's book a message in the person's name, if they talk to the bot in private."""
    text = params.message_text or (_envelope(params.payload_base64) if params.payload_base64 else "")
    if not text.strip():
        raise ToolError(SEND, "message_text or payload_base64 is needed, and something to say in it")
    session_id = _session(params, context.clock.now())
    with told_to_model(SEND, TOLD):
        sent = send(tx, context, params.contact_id, text)
    result: dict[str, Any] = {"status": sent.status, "message_id": sent.message_id, "channel": sent.channel}
    if params.topic in DIALOGUES:
        result["session_id"] = session_id
    if sent.duplicate:
        result["duplicate"] = True
    if sent.held_until:
        result["held_until"] = sent.held_until
    return result


def _envelope(payload: str) -> str:
    try:
        content = base64.b64decode(payload + "=" * (-len(payload) % 4), altchars=b"-_", validate=True)
        envelope = json.loads(content)
        text, message_id = envelope["text"], envelope["message_id"]
        sent_at = datetime.fromisoformat(envelope["sent_at"])
    except (binascii.Error, ValueError, KeyError, TypeError, RecursionError) as error:
        needed = "a JSON object with message_id, text and sent_at (RFC 3339), as base64url"
        raise ToolError(SEND, f"payload_base64 must be {needed}") from error
    if not isinstance(text, str) or not isinstance(message_id, str) or not message_id or sent_at.tzinfo is None:
        raise ToolError(SEND, "the envelope's message_id and text must be texts, its sent_at have an offset")
    if len(text) > LONGEST:
        raise ToolError(SEND, f"the envelope's text is too long; at most {LONGEST} characters")
    return text


def _session(params: SendParams, now: Millis) -> str:
    if not params.session_id:
        return str(uuid7(secrets.randbits(74), now))
    try:
        known = UUID(params.session_id)
    except ValueError:
        known = UUID(int=0)
    if known.version != VERSION:
        raise ToolError(SEND, "session_id must be a UUIDv7; leave it out and one is made")
    return str(known)


def uuid7(chance: int, now: Millis) -> UUID:
    """Return a UUID of version 7 (RFC 9562): 48 bits of unix milliseconds, then 74 of `chance`."""
    high, low = chance >> 62 & 0xFFF, chance & (1 << 62) - 1
    return UUID(int=(now & (1 << 48) - 1) << 80 | VERSION << 76 | high << 64 | 0b10 << 62 | low)

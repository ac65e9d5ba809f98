"""Messages from one person to another by way of the bot (TOOLS: contacts_send; seed 002)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import secrets
from datetime import datetime
from typing import Any, Literal, NamedTuple
from uuid import UUID

from pydantic import Field

from core.capabilities.contacts import address_book
from core.capabilities.contacts import repository as contacts
from core.capabilities.contacts import service as addressing
from core.capabilities.contacts.repository import Reach
from core.capabilities.messages import repository as errands
from core.delivery.notifier import Notifier
from core.kernel import ids
from core.kernel.access import may
from core.kernel.errors import ToolError
from core.kernel.markdown import called, coded, labelled, lines
from core.kernel.ports import Tx
from core.kernel.timing import quiet_hours
from core.kernel.timing.schedule import Once, dump
from core.kernel.timing.trigger import Trigger
from core.kernel.timing.zones import zone_named
from core.kernel.types import Json, LaneKey, Millis, Role, Standing
from core.language import pick
from core.scheduling import repository as triggers
from core.scheduling import service as scheduling
from core.store.people import people
from core.store.people.people import Participant
from core.toolkit.params import Integer, Params
from core.toolkit.tool import Effect, ToolContext, tool

SEND = "contacts_send"
LONGEST, LONGEST_PAYLOAD = 3_000, 20_000
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


# TOOLS counts messages to other people among what is outward. Here one is only queued, in the same transaction as the
# step: a crash leaves all of it or nothing, so it is never unknown whether that was done.
@tool(Role.PLANNER, Role.PERSON, effect=Effect.WRITE, category="contacts")
def contacts_send(params: SendParams, context: ToolContext, tx: Tx) -> Json:
    """Send a contact of this chat's book a message in the person's name, if they talk to the bot in private."""
    now, text = context.clock.now(), _text(params)
    session_id = _session(params, now)
    reach, lane, participant = _eligible(tx, context, params.contact_id)
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    key = f"errand:{context.run_id}:{reach.contact_id}:{digest}"
    result: dict[str, Any] = {"status": "queued", "message_id": key, "channel": participant.platform}
    if params.topic in DIALOGUES:
        result["session_id"] = session_id
    if errands.noted(tx, lane.tenant_id, key):
        return {**result, "duplicate": True}
    sender_id, recipient_id = context.principal.person_id, participant.person.person_id
    refusal = errands.refusal_at(tx, lane.tenant_id, sender_id, (recipient_id, reach.contact_id), now)
    if refusal is not None:
        raise _ineligible(params.contact_id, addressing.reason(context, refusal))
    errands.note(tx, context.lane, sender_id, recipient_id, key, now)
    until = _held(tx, context, lane, now)
    if until is None:
        _tell(tx, context, _Errand(lane, participant, key, text))
        return result
    _tell_later(tx, context, _Errand(lane, participant, key, text), until)
    return {**result, "held_until": scheduling.moment(until, context.zone)}


def _ineligible(contact_id: str, why: str) -> ToolError:
    return ToolError(SEND, f"contact is not eligible for send: {contact_id[:40]} ({why})")


def _eligible(tx: Tx, context: ToolContext, contact_id: str) -> tuple[Reach, LaneKey, Participant]:
    """How the contact is reached, and where they sit. Raises `ToolError` for whom nobody may send anything."""
    contact = address_book.find(tx, context, contact_id)
    if contact is None:
        raise ToolError(SEND, f"contact not found: {contact_id[:40]}; contacts_list shows who is there")
    if contact.status != "active":
        raise _ineligible(contact_id, "reason=inactive")
    reach = contacts.reach(tx, context.lane, contact.contact_id)
    if reach is None or reach.lane is None or reach.person_id is None:
        raise _ineligible(contact_id, "reason=no_private_chat")
    if reach.person_id == context.principal.person_id:
        raise _ineligible(contact_id, "reason=self")
    participant = people.participant(tx, reach.lane, reach.person_id)
    standing = context.access.standing(
        participant.person.address, participant.standing, workspace=participant.place.tenant
    )
    if not may(standing, Standing.MEMBER):
        raise _ineligible(contact_id, "reason=no_access")
    return reach, reach.lane, participant


def _text(params: SendParams) -> str:
    """What is to be said. Raises `ToolError` when there is nothing, or an envelope that is none."""
    text = params.message_text or (_envelope(params.payload_base64) if params.payload_base64 else "")
    if not text.strip():
        raise ToolError(SEND, "message_text or payload_base64 is needed, and something to say in it")
    return text


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
    """A UUID of version 7 (RFC 9562): 48 bits of unix milliseconds, then 74 of `chance`."""
    high, low = chance >> 62 & 0xFFF, chance & (1 << 62) - 1
    return UUID(int=(now & (1 << 48) - 1) << 80 | VERSION << 76 | high << 64 | 0b10 << 62 | low)


def _held(tx: Tx, context: ToolContext, lane: LaneKey, now: Millis) -> Millis | None:
    """Until when it is quiet where the message goes."""
    hours, zone = people.quiet(tx, lane)
    return quiet_hours.until(hours, zone_named(zone) or context.home, now)


class _Errand(NamedTuple):
    """A text for somebody (`participant`), told in a lane, once a key."""

    lane: LaneKey
    participant: Participant
    key: str
    text: str


def _tell(tx: Tx, context: ToolContext, errand: _Errand) -> None:
    me = context.principal
    context.services.get(Notifier).tell(
        tx,
        errand.lane,
        errand.participant.person.person_id,
        errand.key,
        "contact_message",
        [("contact_mute", f"/mute {ids.ref('p', me.person_id)}")],
        name=called(me.name, me.address),
        plain=labelled(me.name, me.address),
        words=lines(errand.text),
    )


def _tell_later(tx: Tx, context: ToolContext, errand: _Errand, until: Millis) -> None:
    """A note at the end of the quiet hours, unless its sender is muted by then. It has no buttons, so it says what
    theirs would."""
    me, participant = context.principal, errand.participant
    spelling = context.spelling.here(participant.place.thread, participant.place.tenant)
    language = pick(participant.language or participant.person.language).spelled(spelling)
    words = language.say(
        "contact_message_held",
        name=called(me.name, me.address),
        words=lines(errand.text),
        command=coded(language.command(f"/mute {ids.ref('p', me.person_id)}")),
    )
    held = Trigger(
        lane=errand.lane,
        person_id=participant.person.person_id,
        deliver="note",
        kind="once",
        spec=dump(Once(at=until)),
        text=words,
        link=errands.held(me.person_id, errand.key),
        next_at=until,
        made_by=context.role.value,
    )
    triggers.insert(tx, held, context.clock.now())
    scheduling.wake(tx, context, until)

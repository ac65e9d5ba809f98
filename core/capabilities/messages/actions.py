"""Sending somebody a message by way of the bot: by a person's command as an action, by a tool for models."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

from core.capabilities.contacts import address_book
from core.capabilities.contacts import repository as contacts
from core.capabilities.contacts import service as addressing
from core.capabilities.contacts.repository import Contact, Reach
from core.delivery.notifier import Notifier
from core.kernel import ids
from core.kernel.access import may
from core.kernel.errors import Refused
from core.kernel.markdown import called, coded, labelled, lines
from core.kernel.ports import Tx
from core.kernel.timing import quiet_hours
from core.kernel.timing.schedule import Once, dump
from core.kernel.timing.trigger import Trigger
from core.kernel.timing.zones import zone_named
from core.kernel.types import LaneKey, Millis, Role, Standing
from core.language import pick
from core.scheduling import between_people, views
from core.scheduling import repository as triggers
from core.scheduling import service as scheduling
from core.scheduling.between_people import Refusal
from core.store.people import people
from core.store.people.people import Participant
from core.toolkit import intents
from core.toolkit.action import action
from core.toolkit.tool import ToolContext

LONGEST = 3_000
# Who never talked to the bot in private, may not, or wants no messages from the sender: nobody learns which it is.
UNREACHABLE = "unreachable"


@dataclass(frozen=True, kw_only=True)
class Sent:
    """A message on its way: `held_until` when it is quiet there, `duplicate` when the run has sent it already."""

    status: str
    message_id: str
    channel: str
    duplicate: bool = False
    held_until: str = ""


@action("contacts")
def contacts_send(tx: Tx, context: ToolContext, *, contact_id: str, message_text: str) -> Sent:
    """Send a contact of this chat's book a message in the person's name, if they talk to the bot in private."""
    return send(tx, context, contact_id, message_text)


# TOOLS counts messages to other people among what is outward. Here one is only queued, in the same transaction as what
# records it: a crash leaves all of it or nothing, so it is never unknown whether that was done.
def send(tx: Tx, context: ToolContext, contact_id: str, text: str) -> Sent:
    """Queue a message, or note it for when it is no longer quiet there. Raises `Refused` when it may not be sent."""
    now = context.clock.now()
    contact, reach, lane, participant = _eligible(tx, context, contact_id)
    addressing.refuse_unasked(tx, context, contact)
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    key = f"errand:{context.run_id}:{reach.contact_id}:{digest}"
    sent = Sent(status="queued", message_id=key, channel=participant.platform)
    if between_people.noted(tx, lane.tenant_id, key):
        return replace(sent, duplicate=True)
    sender_id, recipient_id = context.principal.person_id, participant.person.person_id
    refusal = between_people.refusal_at(tx, lane.tenant_id, sender_id, (recipient_id, reach.contact_id), now)
    if refusal is not None:
        raise _refused(context, contact, refusal)
    between_people.note(tx, context.lane, sender_id, recipient_id, key, now)
    hours, zone = people.quiet(tx, lane)
    until = quiet_hours.until(hours, zone_named(zone) or context.home, now)
    if until is not None:
        _tell_later(tx, context, lane, participant, key, text=text, until=until)
        return replace(sent, held_until=scheduling.moment(until, context.zone))
    me = context.principal
    context.services.get(Notifier).tell(
        tx,
        lane,
        recipient_id,
        key,
        "contact_message",
        [("contact_mute", intents.mute(ids.ref("p", me.person_id)))],
        foreign=True,
        name=called(me.name, me.address),
        plain=labelled(me.name, me.address),
        words=lines(text),
    )
    return sent


def _ineligible(contact: Contact, reason: str) -> Refused:
    values = {"contact": ids.ref("c", contact.contact_id), "why": f"reason={reason}"}
    return Refused(f"send_{reason}", name=called(contact.name, "–"), **values)


def _refused(context: ToolContext, contact: Contact, refusal: Refusal) -> Refused:
    """Say why a message may not go now: of a limit also how many there are, and when there is room again."""
    if not refusal.most:
        return _ineligible(contact, UNREACHABLE)
    return Refused(
        refusal.reason,
        name=called(contact.name, "–"),
        count=refusal.most,
        when=views.moment(context.texts, refusal.until, context.zone, context.clock.now()),
        contact=ids.ref("c", contact.contact_id),
        why=addressing.reason(context, refusal),
    )


def _eligible(tx: Tx, context: ToolContext, contact_id: str) -> tuple[Contact, Reach, LaneKey, Participant]:
    """Return the contact, how they are reached, and where they sit. Raises `Refused` for whom nobody may send to."""
    contact = address_book.find(tx, context, contact_id)
    if contact is None or (context.role is not Role.PERSON and contact.noted_by == "model"):
        raise Refused("send_missing", contact=contact_id[:40])
    if contact.status != "active":
        raise _ineligible(contact, "inactive")
    reach = contacts.reach(tx, context.lane, contact.contact_id)
    if reach is None or reach.lane is None or reach.person_id is None:
        raise _ineligible(contact, UNREACHABLE)
    if reach.person_id == context.principal.person_id:
        raise _ineligible(contact, "self")
    participant = people.participant(tx, reach.lane, reach.person_id)
    standing = context.access.standing(
        participant.person.address, participant.standing, workspace=participant.place.tenant
    )
    if not may(standing, Standing.MEMBER):
        raise _ineligible(contact, UNREACHABLE)
    return contact, reach, reach.lane, participant


def _tell_later(
    tx: Tx, context: ToolContext, lane: LaneKey, participant: Participant, key: str, *, text: str, until: Millis
) -> None:
    """Note the text for the end of the quiet hours, unless its sender is muted by then.

    It has no buttons, so it says what theirs would.
    """
    me = context.principal
    spelling = context.spelling.here(participant.place.thread, participant.place.tenant)
    language = pick(participant.language or participant.person.language).spelled(spelling)
    words = language.say(
        "contact_message_held",
        name=called(me.name, me.address),
        words=lines(text),
        command=coded(language.command(f"/mute {ids.ref('p', me.person_id)}")),
    )
    held = Trigger(
        lane=lane,
        person_id=participant.person.person_id,
        deliver="note",
        kind="once",
        spec=dump(Once(at=until)),
        text=words,
        link=key,
        next_at=until,
        made_by=context.role.value,
        tainted=True,
    )
    triggers.insert(tx, held, context.clock.now())
    scheduling.wake(tx, context, until)

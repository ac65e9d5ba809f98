"""What changes a book of contacts: by a person's command as an action, by a tool for models as part of its call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.capabilities.contacts import acquaintances, address_book
from core.capabilities.contacts import repository as contacts
from core.capabilities.contacts.ranking import clip, topic_weights
from core.capabilities.contacts.repository import Contact
from core.capabilities.contacts.rows import person_at
from core.kernel import ids
from core.kernel.access import may
from core.kernel.clean_text import cleaned, one_line
from core.kernel.errors import Refused
from core.kernel.markdown import called, coded, visible
from core.kernel.ports import Tx
from core.kernel.timing.zones import is_zone
from core.kernel.types import Role, Sender, Standing
from core.language import pick
from core.store.people import chats, optouts, people
from core.store.people.chats import Place
from core.store.people.people import Standings, known_as
from core.toolkit.action import action, note_undo
from core.toolkit.tool import ToolContext

LONGEST_SHORT, MOST_TRAITS = 64, 16
# What a contact has of its own: fields of `Contact` by the names of seed 002.
_FIELDS: Mapping[str, str] = {
    "kind": "kind",
    "status": "status",
    "contact_nickname": "nickname",
    "persona_brief": "persona_brief",
    "persona_traits": "persona_traits",
    "pronouns": "pronouns",
    "timezone": "timezone",
    "preference_context": "preference_context",
    "subject_id": "subject_id",
    "understanding_depth": "understanding_depth",
    "topic_weights": "topic_weights",
    "reciprocity_norm": "reciprocity_norm",
}
# What may have several lines.
_LONG = frozenset({"persona_brief", "preference_context"})


@dataclass(frozen=True, kw_only=True)
class Known:
    """So many people were noted (`known`)."""

    known: int


@dataclass(frozen=True, kw_only=True)
class Met:
    """Whether somebody was noted with their private chat."""

    met: bool


@dataclass(frozen=True, kw_only=True)
class Saved:
    """A contact that was noted or changed, as models see it; `warnings` say what had to be left out."""

    contact: Mapping[str, Any]
    warnings: Sequence[str] = ()
    undo: str = ""


# Both are of the family of what is done for these people: guests remind, too.
@action("schedule")
def know_people(tx: Tx, context: ToolContext, names: Sequence[str]) -> Known:
    """Note in the person's own book those of these names who share a group or an invitation with them."""
    if context.participant.group:
        return Known(known=0)
    senders = acquaintances.called(tx, context.lane, context.principal.person_id, names)
    now = context.clock.now()
    return Known(known=sum(bool(contacts.learn(tx, context.lane, None, sender, now)) for _, sender in senders))


@action("schedule")
def meet_person(tx: Tx, context: ToolContext, sender: Sender, chat: str) -> Met:
    """Note a colleague who has never written, and the private `chat` that the platform has opened for them, so that
    something can come there; unless both may be members nothing is noted.

    Only a full member of the tenant, or who is on the list, has access without having been let in.
    """
    tenant_id, now = context.lane.tenant_id, context.clock.now()
    row = people.known(tx, tenant_id, sender.address)
    # The platform was just asked for them: what it says now outweighs what it said once.
    told = row is not None and row["standing"] == row["kin"] and not sender.unknown
    theirs = Standings(context.access).of(tx, tenant_id, sender, known_as(None if told else row, sender))
    if not (may(context.standing, Standing.MEMBER) and may(theirs, Standing.MEMBER)):
        return Met(met=False)
    _, scope_id = people.meet(tx, tenant_id, sender, now) if row is None else (row["id"], row["scope_id"])
    chats.lane(tx, tenant_id, Place(chat=chat), scope_id, now)
    return Met(met=True)


@action("contacts")
def contacts_upsert(
    tx: Tx,
    context: ToolContext,
    *,
    contact_id: str = "",
    subject_id: str | None = None,
    contact_nickname: str | None = None,
    timezone: str | None = None,
    status: str | None = None,
    persona_brief: str | None = None,
) -> Saved:
    """Note somebody by what the platform knows them by (`subject_id`), or change a contact; what is not given stays."""
    fields = {
        "subject_id": subject_id,
        "contact_nickname": contact_nickname,
        "timezone": timezone,
        "status": status,
        "persona_brief": persona_brief,
    }
    return save(tx, context, contact_id, {name: value for name, value in fields.items() if value is not None})


def save(tx: Tx, context: ToolContext, contact_id: str, fields: Mapping[str, Any]) -> Saved:
    """Change what is noted of a contact, or note who is new. `fields` have the names of seed 002."""
    subject = one_line(fields.get("subject_id", ""))
    address = address_book.address(subject)
    if address is None:
        raise Refused("contact_address_bad", address=coded(subject[:80]), reference=subject[:80])
    former = _former(tx, context, contact_id, subject, address)
    values, warnings = _values(fields)
    alone = optouts.named(tx, context.lane, address, *(value for value in values.values() if isinstance(value, str)))
    if alone is not None:
        raise Refused("left_alone", name=called(alone.name, "–"), person=alone.name[:40])
    if address:
        values.pop("subject_id", None)
        _check_free(tx, context, former, address)
    number = None if former is None else former.contact_id
    if address or "nickname" in values:
        values["noted_by"] = "person" if context.role is Role.PERSON else "model"
    if context.role is not Role.PERSON and context.is_tainted(tx):
        values["brought"] = 1
    saved = contacts.save(tx, context.lane, number, values, address, context.clock.now())
    contact = contacts.find(tx, context.lane, saved)
    if contact is None:
        raise Refused("contact_gone")
    undo = _back(tx, context, former, contact, values)
    return Saved(contact=address_book.shown(contact), warnings=warnings, undo=undo)


def _former(tx: Tx, context: ToolContext, contact_id: str, subject: str, address: str) -> Contact | None:
    """Return whom an id or an address means, if they are known."""
    if contact_id:
        contact = address_book.find(tx, context, contact_id)
        if contact is None:
            raise Refused("contact_missing", contact=contact_id[:40])
        return contact
    if not subject:
        raise Refused("contact_needed")
    if not address:
        return contacts.with_subject(tx, context.lane, subject)
    return contacts.known_at(tx, context.lane, address)


def _check_free(tx: Tx, context: ToolContext, former: Contact | None, address: str) -> None:
    """Nobody gets the address of somebody else: messages for them would go there."""
    if former is None or address in former.addresses:
        return
    holder, person_id = contacts.known_at(tx, context.lane, address), person_at(tx, context.lane, address)
    if holder is not None and holder.contact_id != former.contact_id:
        raise Refused("contact_address_taken", reference=address, contact=ids.ref("c", holder.contact_id))
    if former.person_id is not None and person_id not in {None, former.person_id}:
        raise Refused("contact_address_elses", reference=address)


def _values(fields: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return what is given by the names of `Contact`, clipped; and what had to be left out."""
    values: dict[str, Any] = {}
    for name, value in fields.items():
        clean = cleaned if name in _LONG else one_line
        values[_FIELDS[name]] = clean(value) if isinstance(value, str) else value
    warnings = []
    if values.get("timezone") and not is_zone(values["timezone"]):
        values["timezone"] = ""
        warnings.append("timezone_unknown_left_empty")
    if "nickname" in values:
        values["nickname"] = visible(values["nickname"])
    if "topic_weights" in values:
        values["topic_weights"] = topic_weights(values["topic_weights"])
    if "persona_traits" in values:
        traits = {one_line(name)[:LONGEST_SHORT]: clip(weight) for name, weight in values["persona_traits"].items()}
        strongest = sorted((trait for trait in traits.items() if trait[0]), key=lambda trait: (-trait[1], trait[0]))
        values["persona_traits"] = dict(strongest[:MOST_TRAITS])
    if "understanding_depth" in values:
        values["understanding_depth"] = clip(values["understanding_depth"], 100.0)
    if "reciprocity_norm" in values:
        values["reciprocity_norm"] = clip(values["reciprocity_norm"])
    return values, warnings


def _back(tx: Tx, context: ToolContext, former: Contact | None, contact: Contact, values: Mapping[str, Any]) -> str:
    """Note how it is taken back: with the former values, or by taking who is new out of the book again."""
    contact_id = ids.ref("c", contact.contact_id)
    if former is None:
        arguments: dict[str, Any] = {"status": "inactive"}
    else:
        arguments = {name: getattr(former, field) for name, field in _FIELDS.items() if field in values}
    label = pick(context.language).say("undo_contact", name=called(contact.name, ""))
    about = f"contact:{contact.contact_id}"
    # Taken back by the tool of models: that takes all the fields that they may have changed.
    noted = note_undo(tx, context, label, "contacts_upsert", about=about, contact_id=contact_id, **arguments)
    return noted.get("undo", "")

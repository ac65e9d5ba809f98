"""Exporting contacts, and importing them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Annotated

from pydantic import AfterValidator, Field

from core.capabilities.contacts import repository as contacts
from core.capabilities.contacts import rows
from core.capabilities.contacts.repository import MOST_LEARNED, Contact
from core.kernel.errors import Refused
from core.kernel.ports import Tx
from core.kernel.timing.zones import known_zone
from core.toolkit.portable import Entry, Exporting, Files, Importing, Instant, Portable, Short, Showing, Text

CONTACT = "contact"
_FIELDS = (
    *("nickname", "kind", "status", "subject_id", "persona_brief", "persona_traits", "pronouns", "timezone"),
    *("preference_context", "understanding_depth", "topic_weights", "reciprocity_norm"),
)
Number = Annotated[float, Field(ge=0, le=100)]
Weights = Annotated[dict[Short, Number], Field(max_length=64)]


class ContactEntry(Entry):
    """A contact of the scope; `me` is who the scope belongs to. Other entries name a contact by its `number`."""

    number: int
    me: bool = False
    nickname: Short = ""
    addresses: Annotated[list[Short], Field(max_length=50)] = Field(default_factory=list)
    kind: Annotated[str, Field(pattern="^(human|agent)$")] = "human"
    status: Annotated[str, Field(pattern="^(active|inactive)$")] = "active"
    subject_id: Short = ""
    persona_brief: Text = ""
    persona_traits: Weights = Field(default_factory=dict)
    pronouns: Short = ""
    timezone: Annotated[Short, AfterValidator(known_zone)] = ""
    preference_context: Text = ""
    understanding_depth: Number = 30.0
    topic_weights: Weights = Field(default_factory=dict)
    reciprocity_norm: Number = 0.5
    learned: bool = False
    noted_by: Annotated[str, Field(pattern="^(person|model|)$")] = ""
    brought: bool = False
    created_at: Instant


def read(tx: Tx, exporting: Exporting) -> Sequence[ContactEntry]:
    """Return the contacts of a scope, in the order in which they were known."""
    return [_entry(exporting, contact) for contact in contacts.listed(tx, exporting.lane)]


def _entry(exporting: Exporting, contact: Contact) -> ContactEntry:
    return ContactEntry(
        number=exporting.numbers.of(CONTACT, contact.contact_id),
        me=contact.person_id == exporting.person_id,
        addresses=sorted(contact.addresses),
        learned=contact.learned,
        noted_by=contact.noted_by,
        brought=contact.brought,
        created_at=contact.created_at,
        **{name: getattr(contact, name) for name in _FIELDS},
    )


def put(tx: Tx, importing: Importing, entries: Sequence[ContactEntry]) -> int:
    """Store contacts that are not known here; whoever is, stays as they are."""
    lane, new = importing.lane, 0
    by_nickname = {one.nickname: one for one in contacts.listed(tx, lane) if not one.addresses}
    for entry in entries:
        if entry.me:
            known = contacts.of_person(tx, lane, importing.person_id)
        elif entry.addresses:
            # Whom a file has as one may be two here, and stay so.
            known = next(filter(None, (contacts.known_at(tx, lane, address) for address in entry.addresses)), None)
        else:
            known = by_nickname.get(entry.nickname)
        if known is not None:
            contact_id = known.contact_id
        elif rows.count(tx, lane) >= 2 * MOST_LEARNED:
            raise Refused("import_full_contacts")
        else:
            contact_id = _insert(tx, importing, entry)
            new += 1
        importing.rows[CONTACT, entry.number] = contact_id
    return new


def _insert(tx: Tx, importing: Importing, entry: ContactEntry) -> int:
    columns: dict[str, object] = {name: getattr(entry, name) for name in _FIELDS}
    columns |= {name: json.dumps(columns[name]) for name in ("persona_traits", "topic_weights")}
    columns["learned"] = int(entry.learned)
    # An address that only a file tells counts as one that a model noted: no model may write to it.
    columns["noted_by"] = entry.noted_by if importing.trusted else "model"
    columns["brought"] = int(entry.brought or not importing.trusted)
    people = (rows.person_at(tx, importing.lane, address) for address in entry.addresses)
    person_id = importing.person_id if entry.me else next(filter(None, people), None)
    contact_id = rows.insert(tx, importing.lane, {"person_id": person_id, **columns}, entry.created_at)
    rows.give(tx, importing.lane, contact_id, entry.addresses)
    return contact_id


def files(entries: Sequence[ContactEntry], showing: Showing) -> Files:
    """Return the contacts as a list to be read."""
    lines = [f"- {entry.nickname or '?'}{_particulars(entry)}" for entry in entries]
    return {"contacts.md": "\n".join(("# Contacts", "", *lines, "")).encode()} if lines else {}


def _particulars(entry: ContactEntry) -> str:
    """Return what stands behind a name in brackets; nothing where nothing else is known."""
    known: Mapping[str, str] = {
        "": ", ".join(entry.addresses),
        "pronouns": entry.pronouns,
        "time zone": entry.timezone,
        "about": " ".join(entry.persona_brief.split()),
        "notes": " ".join(entry.preference_context.split()),
    }
    parts = [f"{name}: {value}" if name else value for name, value in known.items() if value]
    return f" ({'; '.join(parts)})" if parts else ""


PORTABLE = Portable(name="contacts", entry=ContactEntry, read=read, put=put, rank=1, files=files)

"""Contacts as tools show them and find them (TOOLS: Contacts; the shape is that of seed 002)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from core.capabilities.contacts import repository as contacts
from core.capabilities.contacts.repository import Contact
from core.kernel import ids
from core.kernel.ports import Tx
from core.kernel.types import Json, LaneKey, Millis, Role
from core.toolkit.services import Services
from core.toolkit.tool import StateProvider, ToolContext

# What an id of a platform looks like behind its name.
_ADDRESSES: Mapping[str, re.Pattern[str]] = {
    "tg": re.compile(r"[1-9]\d{0,15}|@[a-z0-9_]{1,64}"),
    "slack": re.compile(r"[A-Za-z0-9]{1,64}(?::[A-Za-z0-9]{1,64})?"),
    "discord": re.compile(r"\d{1,20}"),
    "maep": re.compile(r"[A-Za-z0-9._:-]{1,128}"),
}


def shown(contact: Contact) -> dict[str, Any]:
    """Return a contact as models get to see it. Agents on other networks have a node and a peer; nobody here has."""
    return {
        "contact_id": ids.ref("c", contact.contact_id),
        "kind": contact.kind,
        "status": contact.status,
        "contact_nickname": contact.nickname,
        "persona_brief": contact.persona_brief,
        "persona_traits": dict(contact.persona_traits),
        "pronouns": contact.pronouns,
        "timezone": contact.timezone,
        "preference_context": contact.preference_context,
        "subject_id": contact.subject_id or next(iter(contact.addresses), ""),
        "node_id": "",
        "peer_id": "",
        "addresses": list(contact.addresses),
        "understanding_depth": contact.understanding_depth,
        "topic_weights": dict(contact.topic_weights),
        "reciprocity_norm": contact.reciprocity_norm,
        "created_at": _moment(contact.created_at),
        "updated_at": _moment(contact.updated_at),
        **tainted([contact]),
    }


def tainted(found: Iterable[Contact]) -> dict[str, Any]:
    """Return what a result says that has texts of contacts which may be of anybody: whoever reads them obeys nobody
    then."""
    return {"tainted": True} if any(one.brought for one in found) else {}


def _moment(at: Millis) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="seconds")


def find(tx: Tx, context: ToolContext, contact_id: str) -> Contact | None:
    """Return a contact of the scope by the id it is shown with, in any state."""
    number = ids.number("c", contact_id[:40])
    return None if number is None else contacts.find(tx, context.lane, number)


def address(text: str) -> str | None:
    """Return the address that a subject's id is, as it is kept; empty when it is another kind of id, None when it
    begins like an address and is none."""
    platform, colon, known = text.partition(":")
    kind = platform.lower()
    if not colon or kind not in _ADDRESSES:
        return ""
    known = known.lower() if known.startswith("@") else known
    return f"{kind}:{known}" if _ADDRESSES[kind].fullmatch(known) else None


class Contacts(StateProvider):
    """The state provider `contacts`: the book of the scope that asks."""

    name = "contacts"
    roles = frozenset({Role.TELLER, Role.PLANNER, Role.PERSON})

    def read(self, tx: Tx, lane: LaneKey) -> Json:
        """Return the state as JSON: the `count` of active ones, and each with its id, name, addresses and zone."""
        found = contacts.listed(tx, lane, "active")
        briefs = [
            {
                "contact_id": ids.ref("c", contact.contact_id),
                "contact_nickname": contact.nickname,
                "addresses": list(contact.addresses),
                "timezone": contact.timezone,
            }
            for contact in found
        ]
        return {"count": len(found), "contacts": briefs, **tainted(found)}


def states(services: Services) -> Sequence[StateProvider]:
    """Return what `query_state` tells about contacts."""
    return (Contacts(),)

"""Not wanting messages from somebody: whoever gets them may always say so (TOOLS: contacts_send)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.capabilities.contacts import repository as contacts
from core.kernel import ids
from core.kernel.markdown import called, folded
from core.kernel.ports import Row, Tx
from core.language import pick
from core.scheduling import between_people
from core.toolkit.action import action, note_undo
from core.toolkit.tool import ToolContext

MOST_SHOWN = 20


@dataclass(frozen=True, kw_only=True)
class Other:
    """Somebody who may be muted; `person` is their id, such as p12ab34."""

    person: str
    name: str
    address: str


@dataclass(frozen=True, kw_only=True)
class Mute:
    """What came of it: `status` is muted, unmuted, already, self, unknown or several, with `candidates`."""

    status: str
    person: str = ""
    name: str = ""
    address: str = ""
    candidates: Sequence[Other] = ()
    undo: str = ""


@action("settings")
def mute_person(tx: Tx, context: ToolContext, person: str) -> Mute:
    """Get no more messages from somebody, who is named or meant by their id."""
    found = meant(tx, context, person)
    if len(found) != 1:
        return _unclear(found)
    other = found[0]
    if other["id"] == context.principal.person_id:
        return Mute(status="self")
    if not between_people.mute(tx, context.lane, context.principal.person_id, other["id"], context.clock.now()):
        return Mute(status="already", **vars(_shown(other)))
    return Mute(status="muted", **vars(_shown(other)), undo=_back(tx, context, other, "undo_mute", "unmute_person"))


@action("settings")
def unmute_person(tx: Tx, context: ToolContext, person: str) -> Mute:
    """Hear from somebody again."""
    me, tenant_id = context.principal.person_id, context.lane.tenant_id
    found = _meant(tx, context, person, [_other(row) for row in between_people.muted_by(tx, tenant_id, me)])
    if len(found) != 1:
        return _unclear(found)
    between_people.unmute(tx, tenant_id, me, found[0]["id"])
    back = _back(tx, context, found[0], "undo_unmute", "mute_person")
    return Mute(status="unmuted", **vars(_shown(found[0])), undo=back)


def muted(tx: Tx, context: ToolContext) -> Sequence[Other]:
    """Return whom the person does not want to hear from."""
    rows = between_people.muted_by(tx, context.lane.tenant_id, context.principal.person_id)
    return [_shown(_other(row)) for row in rows[:MOST_SHOWN]]


def meant(tx: Tx, context: ToolContext, person: str) -> list[dict[str, Any]]:
    """Return those of whom the person may mute that a name or an id means.

    They may mute who has sent them something, whom they muted, and their contacts: nobody else, so that ids tell
    nobody who is known here.
    """
    me, tenant_id = context.principal.person_id, context.lane.tenant_id
    rows = [*between_people.senders(tx, tenant_id, me), *between_people.muted_by(tx, tenant_id, me)]
    senders = {row["id"]: _other(row) for row in rows}
    for contact in contacts.listed(tx, context.lane, "active"):
        if contact.person_id is not None:
            told = {"name": contact.nickname, "address": next(iter(contact.addresses), "")}
            senders.setdefault(contact.person_id, {"id": contact.person_id, **told})
    return _meant(tx, context, person, list(senders.values()))


def _other(row: Row) -> dict[str, Any]:
    return {"id": row["id"], "name": row["name"], "address": row["address"] or ""}


def _meant(tx: Tx, context: ToolContext, person: str, others: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return those of the others whom an id, a whole name or the beginning of one means."""
    number, said = ids.number("p", person), folded(person)
    known = {one.person_id for one in contacts.named(tx, context.lane, person)}
    return (
        [one for one in others if one["id"] == number]
        or [one for one in others if folded(one["name"]) == said or one["id"] in known]
        or [one for one in others if folded(one["name"]).startswith(f"{said} ")]
    )


def _shown(other: dict[str, Any]) -> Other:
    return Other(person=ids.ref("p", other["id"]), name=other["name"][:200], address=other["address"])


def _unclear(found: list[dict[str, Any]]) -> Mute:
    if not found:
        return Mute(status="unknown")
    return Mute(status="several", candidates=[_shown(one) for one in found[:MOST_SHOWN]])


def _back(tx: Tx, context: ToolContext, other: dict[str, Any], label: str, undo: str) -> str:
    person, me = ids.ref("p", other["id"]), context.principal.person_id
    words = pick(context.language).say(label, name=called(other["name"], other["address"]))
    noted = note_undo(tx, context, words, undo, about=f"mute:{me}:{other['id']}", person=person)
    return noted.get("undo", "")

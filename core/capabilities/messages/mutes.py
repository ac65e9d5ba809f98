"""Not wanting messages from somebody: whoever gets them may always say so (TOOLS: contacts_send)."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from core.capabilities.contacts import repository as contacts
from core.capabilities.messages import repository as errands
from core.kernel import ids
from core.kernel.markdown import called, folded
from core.kernel.ports import Row, Tx
from core.kernel.types import Json, Role
from core.language import pick
from core.toolkit import undoable
from core.toolkit.params import Params
from core.toolkit.tool import Effect, ToolContext, tool

MOST_SHOWN = 20


class MuteParams(Params):
    """`person`: a name, or an id such as p12ab34."""

    person: str = Field(min_length=1, max_length=200)


@tool(Role.PERSON, effect=Effect.WRITE, category="settings")
def mute_person(params: MuteParams, context: ToolContext, tx: Tx) -> Json:
    """Get no more messages from somebody; `status` is muted, already, self, unknown or several."""
    found = _meant(tx, context, params.person, _senders(tx, context))
    if len(found) != 1:
        return _unclear(found)
    other = found[0]
    if other["id"] == context.principal.person_id:
        return {"status": "self"}
    if not errands.mute(tx, context.lane, context.principal.person_id, other["id"], context.clock.now()):
        return {"status": "already", **_shown(other)}
    return {"status": "muted", **_shown(other), **_back(tx, context, other, "undo_mute", "unmute_person")}


@tool(Role.PERSON, effect=Effect.WRITE, category="settings")
def unmute_person(params: MuteParams, context: ToolContext, tx: Tx) -> Json:
    """Hear from somebody again; `status` is unmuted, unknown or several."""
    me, tenant_id = context.principal.person_id, context.lane.tenant_id
    found = _meant(tx, context, params.person, [_other(row) for row in errands.muted_by(tx, tenant_id, me)])
    if len(found) != 1:
        return _unclear(found)
    errands.unmute(tx, tenant_id, me, found[0]["id"])
    return {"status": "unmuted", **_shown(found[0]), **_back(tx, context, found[0], "undo_unmute", "mute_person")}


class NoParams(Params):
    """None."""


@tool(Role.PERSON, category="settings")
async def list_muted(params: NoParams, context: ToolContext) -> Json:
    """Whom the person does not want to hear from."""

    def look(tx: Tx) -> Json:
        rows = errands.muted_by(tx, context.lane.tenant_id, context.principal.person_id)
        return {"muted": [_shown(_other(row)) for row in rows[:MOST_SHOWN]], "more": len(rows) > MOST_SHOWN}

    return await context.db.read(look)


def _other(row: Row) -> dict[str, Any]:
    return {"id": row["id"], "name": row["name"], "address": row["address"] or ""}


def _senders(tx: Tx, context: ToolContext) -> list[dict[str, Any]]:
    """Who may be muted: who has sent the person something, whom they muted, and their contacts.

    Nobody else, so that ids tell nobody who is known here.
    """
    me, tenant_id = context.principal.person_id, context.lane.tenant_id
    rows = [*errands.senders(tx, tenant_id, me), *errands.muted_by(tx, tenant_id, me)]
    found = {row["id"]: _other(row) for row in rows}
    for contact in contacts.listed(tx, context.lane, "active"):
        if contact.person_id is not None:
            told = {"name": contact.nickname, "address": next(iter(contact.addresses), "")}
            found.setdefault(contact.person_id, {"id": contact.person_id, **told})
    return list(found.values())


def _meant(tx: Tx, context: ToolContext, person: str, others: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those of the others whom an id, a whole name or the beginning of one means."""
    number, said = ids.number("p", person), folded(person)
    known = {one.person_id for one in contacts.named(tx, context.lane, person)}
    return (
        [one for one in others if one["id"] == number]
        or [one for one in others if folded(one["name"]) == said or one["id"] in known]
        or [one for one in others if folded(one["name"]).startswith(f"{said} ")]
    )


def _shown(other: dict[str, Any]) -> dict[str, str]:
    return {"person": ids.ref("p", other["id"]), "name": other["name"][:200], "address": other["address"]}


def _unclear(found: list[dict[str, Any]]) -> dict[str, Any]:
    if not found:
        return {"status": "unknown"}
    return {"status": "several", "candidates": [_shown(one) for one in found[:MOST_SHOWN]]}


def _back(tx: Tx, context: ToolContext, other: dict[str, Any], label: str, undo: str) -> dict[str, str]:
    person, me = ids.ref("p", other["id"]), context.principal.person_id
    words = pick(context.language).say(label, name=called(other["name"], other["address"]))
    return undoable.note(tx, context, words, undo, about=f"mute:{me}:{other['id']}", person=person)

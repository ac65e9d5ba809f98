"""People tools: who has access, for an owner in private (TOOLS: Words, people)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from core.capabilities.members import repository as members
from core.delivery.notifier import Notifier
from core.kernel import ids
from core.kernel.access import Access, may
from core.kernel.errors import ToolError
from core.kernel.ports import Row, Tx
from core.kernel.types import Json, Millis, Role, Sender, Standing
from core.language import pick
from core.store.people import invitations, people
from core.toolkit import undoable
from core.toolkit.keeping import Keeps
from core.toolkit.params import Count, Params
from core.toolkit.tool import Effect, ToolContext, tool

PAGE, GROUPS = 20, 20
INVITE_LASTS: Millis = 24 * 3_600_000


def _private(name: str, context: ToolContext) -> None:
    if context.participant.group:
        raise ToolError(name, "only in a private chat: others would see it")


def _standing(context: ToolContext, row: Row) -> str:
    found = context.access.standing(row["address"], row["standing"], workspace=context.participant.place.tenant)
    return "removed" if row["standing"] == "removed" and found is not Standing.OWNER else found.value


def _here(context: ToolContext) -> Access:
    """What the configuration says of this workspace."""
    return context.access.here(context.principal.address, context.participant.place.tenant)


def _whole(context: ToolContext) -> str:
    """The entry of the list that lets in the whole workspace, which is nobody's address."""
    return context.principal.address.rpartition(":")[0]


def _shown(context: ToolContext, row: Row) -> dict[str, str]:
    return {
        "person": ids.ref("p", row["id"]),
        "name": row["name"][:200],
        "address": row["address"],
        "standing": _standing(context, row),
    }


class ListParams(Params):
    """`page`: which twenty of them."""

    page: Count = 1


@tool(Role.PERSON, category="people")
async def list_people(params: ListParams, context: ToolContext) -> Json:
    """Everybody who has access or was removed, and the groups the bot works in."""
    _private("list_people", context)
    access, tenant_id = _here(context), context.lane.tenant_id
    # In mode `owner` the list of the configuration means nothing.
    listed = set(access.owners) | (set(access.allowed) if access.mode != "owner" else set())
    offset, everybody, whole = (params.page - 1) * PAGE, access.mode == "open", _whole(context) in listed
    listed.discard(_whole(context))

    def look(tx: Tx) -> Json:
        rows = members.listed(tx, tenant_id, listed, everybody=everybody, full=whole, limit=PAGE + 1, offset=offset)
        groups = members.groups(tx, tenant_id, GROUPS)
        places = {f"{_whole(context)}:{row['chat']}" for row in groups}
        unseen = sorted(listed - access.owners - members.known(tx, tenant_id, listed) - places)
        return {
            "people": [_shown(context, row) for row in rows[:PAGE]],
            "more": len(rows) > PAGE,
            "unseen": unseen[:PAGE] if params.page == 1 else [],
            "whole": whole and params.page == 1,
            "groups": [row["title"][:200] or row["chat"] for row in groups],
        }

    return await context.db.read(look)


class InviteParams(Params):
    """`digest`: of the word; the word itself is known to its giver only."""

    digest: str = Field(pattern=r"^[0-9a-f]{64}$")


@tool(Role.PERSON, effect=Effect.WRITE, category="people")
def create_invite(params: InviteParams, context: ToolContext, tx: Tx) -> Json:
    """Keep an invitation for one person, for a day."""
    _private("create_invite", context)
    now, person_id = context.clock.now(), context.principal.person_id
    invitations.insert_digest(
        tx, context.lane, invitations.INVITE, params.digest, person_id, now=now, lasts=INVITE_LASTS
    )
    return {"digest": params.digest}


class PersonParams(Params):
    """`person`: an id such as p12ab34, or an address such as tg:1002."""

    person: str = Field(min_length=1, max_length=80)


def _find(tx: Tx, context: ToolContext, person: str) -> Row | None:
    """The person; somebody whom the configuration lists and who never wrote is made."""
    tenant_id, access = context.lane.tenant_id, _here(context)
    number = ids.number("p", person)
    row = people.known(tx, tenant_id, person) if number is None else None
    if row is not None:
        number = row["id"]
    elif number is None and person in (access.allowed | access.owners) - {_whole(context)}:
        number, _ = people.meet(tx, tenant_id, Sender(address=person), context.clock.now())
    return None if number is None else members.find(tx, tenant_id, number)


def _back(tx: Tx, context: ToolContext, label: str, tool: str, shown: Mapping[str, str]) -> dict[str, str]:
    person = shown["person"]
    return undoable.note(tx, context, label, tool, about=f"access:{person}", person=person)


@tool(Role.PERSON, effect=Effect.WRITE, category="people")
def remove_person(params: PersonParams, context: ToolContext, tx: Tx) -> Json:
    """Take somebody's access away, from their next message on; owners stay."""
    _private("remove_person", context)
    row = _find(tx, context, params.person)
    if row is None:
        return {"status": "unknown"}
    shown = _shown(context, row)
    if shown["standing"] == Standing.OWNER:
        return {"status": "owner", **shown}
    if not people.set_standing(tx, context.lane.tenant_id, row["id"], "removed"):
        return {"status": "already", **shown}
    for keeps in context.services.every(Keeps):
        if keeps.left is not None:
            keeps.left(tx, context, row["id"], "remove_person")
    label = pick(context.language)["undo_remove"]
    return {"status": "removed", **shown, **_back(tx, context, label, "restore_person", shown)}


@tool(Role.PERSON, effect=Effect.WRITE, category="people")
def restore_person(params: PersonParams, context: ToolContext, tx: Tx) -> Json:
    """Give somebody who was removed their access back."""
    _private("restore_person", context)
    row = _find(tx, context, params.person)
    if row is None:
        return {"status": "unknown"}
    shown = _shown(context, row)
    if row["standing"] != "removed":
        return {"status": "already", **shown}
    # Whom the configuration lets in needs no entry of their own: it stays the configuration's word.
    listed = _listed(context, row["address"])
    people.set_standing(tx, context.lane.tenant_id, row["id"], "" if listed else "member")
    label = pick(context.language)["undo_restore"]
    return {"status": "restored", **shown, **_back(tx, context, label, "remove_person", shown)}


def _listed(context: ToolContext, address: str) -> bool:
    """Whether the configuration lets somebody in by name."""
    return may(context.access.standing(address, workspace=context.participant.place.tenant), Standing.MEMBER)


class PairingParams(Params):
    """`code`: what the stranger was given; `answer`: whether they get in."""

    code: str = Field(min_length=1, max_length=64)
    answer: Literal["allow", "deny"]


@tool(Role.PERSON, effect=Effect.WRITE, category="people")
def answer_pairing(params: PairingParams, context: ToolContext, tx: Tx) -> Json:
    """Let somebody in who asked for it, or not; only who gets in is told."""
    _private("answer_pairing", context)
    tenant_id, now, code = context.lane.tenant_id, context.clock.now(), params.code.strip().upper()
    found = invitations.find(tx, tenant_id, invitations.PAIRING, code, now)
    if found is None or not invitations.use(tx, found["id"], context.principal.person_id, now):
        return {"status": _why_not(tx, tenant_id, code)}
    row = members.find(tx, tenant_id, found["person_id"])
    if row is None:
        return {"status": "unknown"}
    shown = _shown(context, row)
    if params.answer == "deny":
        return {"status": "denied", **shown}
    people.set_standing(tx, tenant_id, row["id"], "member")
    _welcome(tx, context, row["id"], found["id"])
    label = pick(context.language)["undo_pair"]
    return {"status": "allowed", **shown, **_back(tx, context, label, "remove_person", shown)}


def _why_not(tx: Tx, tenant_id: int, code: str) -> str:
    row = invitations.known(tx, tenant_id, invitations.PAIRING, code)
    return "unknown" if row is None else "used" if row["ended_at"] is not None else "old"


def _welcome(tx: Tx, context: ToolContext, person_id: int, invite_id: int) -> None:
    lane = people.private_lane(tx, context.lane.tenant_id, person_id)
    if lane is not None:
        context.services.get(Notifier).tell(tx, lane, person_id, f"paired:{invite_id}", "pairing_welcome")

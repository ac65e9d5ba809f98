"""Who has access, for an owner in private: looked at, changed, invited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.capabilities.members import repository as members
from core.delivery.notifier import Notifier
from core.kernel import ids
from core.kernel.access import Access, may
from core.kernel.errors import Refused
from core.kernel.markdown import coded, quoted
from core.kernel.ports import Row, Tx
from core.kernel.types import DAY, Millis, Sender, Standing
from core.language import pick
from core.scheduling.firing import Triggers
from core.store.people import invitations, people
from core.toolkit.action import action, note_undo
from core.toolkit.keeping import leave
from core.toolkit.tool import ToolContext

PAGE, GROUPS = 20, 20
INVITE_LASTS: Millis = DAY


@dataclass(frozen=True, kw_only=True)
class Member:
    """Somebody with an `address`; `person` is their id, such as p12ab34, and `standing` what they are here."""

    person: str
    name: str
    address: str
    standing: str


@dataclass(frozen=True, kw_only=True)
class Changed(Member):
    """What became of somebody's access; `status` is the end of the text's key that says so."""

    status: str
    undo: str = ""


@dataclass(frozen=True, kw_only=True)
class Listing:
    """A page of everybody who has access or was removed; `more` when there is another. `unseen` is a page of the
    addresses that the configuration names and nobody has written from; `whole` when it lets in the whole workspace."""

    people: Sequence[Member]
    more: bool
    unseen: Sequence[str]
    whole: bool
    groups: Sequence[str]


@dataclass(frozen=True, kw_only=True)
class Invited:
    """An invitation is kept by the digest of its word."""

    digest: str


def listing(tx: Tx, context: ToolContext, page: int) -> Listing:
    """Return everybody who has access or was removed, and the groups the bot works in."""
    access, tenant_id = _here(context), context.lane.tenant_id
    # In mode `owner` the list of the configuration means nothing.
    named = set(access.owners) | (set(access.allowed) if access.mode != "owner" else set())
    everybody, whole = access.mode == "open", _whole(context) in named
    named.discard(_whole(context))
    offset = (page - 1) * PAGE
    rows = members.listed(tx, tenant_id, named, everybody=everybody, full=whole, limit=PAGE + 1, offset=offset)
    groups = members.groups(tx, tenant_id, GROUPS)
    places = {f"{_whole(context)}:{row['chat']}" for row in groups}
    unseen = sorted(named - access.owners - members.known(tx, tenant_id, named) - places)
    return Listing(
        people=[_member(context, row) for row in rows[:PAGE]],
        more=max(len(rows), len(unseen) - offset) > PAGE,
        unseen=unseen[offset : offset + PAGE],
        whole=whole and page == 1,
        groups=[row["title"][:200] or row["chat"] for row in groups],
    )


def _here(context: ToolContext) -> Access:
    """Return what the configuration says of this workspace."""
    return context.access.here(context.principal.address, context.participant.place.tenant)


def _whole(context: ToolContext) -> str:
    """Return the entry of the list that lets in the whole workspace, which is nobody's address."""
    return context.principal.address.rpartition(":")[0]


def _member(context: ToolContext, row: Row) -> Member:
    found = context.access.standing(row["address"], row["standing"], workspace=context.participant.place.tenant)
    removed = row["standing"] == "removed" and found is not Standing.OWNER
    return Member(
        person=ids.ref("p", row["id"]),
        name=row["name"][:200],
        address=row["address"],
        standing="removed" if removed else found.value,
    )


@action("people")
def create_invite(tx: Tx, context: ToolContext, digest: str) -> Invited:
    """Keep an invitation for one person, for a day; the word itself is known to its giver only."""
    now, person_id = context.clock.now(), context.principal.person_id
    invitations.insert_digest(tx, context.lane, invitations.INVITE, digest, person_id, now=now, lasts=INVITE_LASTS)
    return Invited(digest=digest)


@action("people")
def remove_person(tx: Tx, context: ToolContext, person: str) -> Changed:
    """Take somebody's access away, from their next message on; owners stay. `person` is an id or an address."""
    row = _find(tx, context, person)
    member = _member(context, row)
    if member.standing == Standing.OWNER:
        raise _refused("person_owner", member)
    if not people.set_standing(tx, context.lane.tenant_id, row["id"], "removed"):
        raise _refused("person_already", member)
    leave(tx, context, row["id"], "remove_person")
    return _changed(tx, context, member, "removed", undo="restore_person", label="undo_remove")


@action("people")
def restore_person(tx: Tx, context: ToolContext, person: str) -> Changed:
    """Give somebody who was removed their access back."""
    row = _find(tx, context, person)
    member = _member(context, row)
    if row["standing"] != "removed":
        raise _refused("person_already", member)
    # Whom the configuration lets in needs no entry of their own: it stays the configuration's word.
    listed = may(context.access.standing(row["address"], workspace=context.participant.place.tenant), Standing.MEMBER)
    people.set_standing(tx, context.lane.tenant_id, row["id"], "" if listed else "member")
    context.services.get(Triggers).let_in(tx, context.lane.tenant_id, row["id"])
    return _changed(tx, context, member, "restored", undo="remove_person", label="undo_restore")


@action("people")
def answer_pairing(tx: Tx, context: ToolContext, code: str, answer: str) -> Changed:
    """Let somebody in who asked for it (`answer` is allow), or not (deny); only who gets in is told."""
    tenant_id, now, code = context.lane.tenant_id, context.clock.now(), code.strip().upper()
    found = invitations.find(tx, tenant_id, invitations.PAIRING, code, now)
    if found is None or not invitations.use(tx, found["id"], context.principal.person_id, now):
        known = invitations.known(tx, tenant_id, invitations.PAIRING, code)
        used = known is not None and known["ended_at"] is not None
        raise Refused("pair_unknown" if known is None else "pair_used" if used else "pair_old")
    row = members.find(tx, tenant_id, found["person_id"])
    if row is None:
        raise Refused("pair_unknown")
    member = _member(context, row)
    if answer == "deny":
        return Changed(status="denied", **vars(member))
    people.set_standing(tx, tenant_id, row["id"], "member")
    context.services.get(Triggers).let_in(tx, context.lane.tenant_id, row["id"])
    lane = people.private_lane(tx, tenant_id, row["id"])
    if lane is not None:
        context.services.get(Notifier).tell(tx, lane, row["id"], f"paired:{found['id']}", "pairing_welcome")
    return _changed(tx, context, member, "allowed", undo="remove_person", label="undo_pair")


def _find(tx: Tx, context: ToolContext, person: str) -> Row:
    """Return the person; somebody whom the configuration lists and who never wrote is made."""
    tenant_id, access = context.lane.tenant_id, _here(context)
    number = ids.number("p", person)
    row = people.known(tx, tenant_id, person) if number is None else None
    if row is not None:
        number = row["id"]
    elif number is None and person in (access.allowed | access.owners) - {_whole(context)}:
        number, _ = people.meet(tx, tenant_id, Sender(address=person), context.clock.now())
    found = None if number is None else members.find(tx, tenant_id, number)
    if found is None:
        raise Refused("person_unknown")
    return found


def _refused(code: str, member: Member) -> Refused:
    return Refused(code, name=quoted(member.name), address=coded(member.address))


def _changed(tx: Tx, context: ToolContext, member: Member, status: str, *, undo: str, label: str) -> Changed:
    """Note how it is taken back, and return what became of somebody."""
    about, label = f"access:{member.person}", pick(context.language)[label]
    noted = note_undo(tx, context, label, undo, about=about, person=member.person)
    return Changed(status=status, **vars(member), **noted)

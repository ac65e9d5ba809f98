"""As whom, and where, somebody acts: where something is that their private chat shows of another chat, and in their
private chat itself.

What somebody asks for their eyes alone in a group is theirs: it belongs to their private chat.

What somebody linked has in their own chat may be looked at, done, put off and stopped by its id from the private chat
of who they are linked with: by that person only, never by a model, and never in a group. To-dos of groups that somebody
is in are done by their ids from their private chat in the same way, as they would do them there. What changes is in the
ledgers of both tenants.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Protocol

from core.kernel import ids
from core.kernel.access import may
from core.kernel.ports import Tx
from core.kernel.timing.zones import zone_named
from core.kernel.types import Json, LaneKey, Role, Standing
from core.store.people import people
from core.store.people.chats import ChatState
from core.store.people.people import Participant
from core.toolkit.ledger.ledger import Ledger, Record
from core.toolkit.other_chats import linked
from core.toolkit.tool import ToolContext


class _Placed(Protocol):
    """Something that belongs to a lane."""

    @property
    def lane(self) -> LaneKey: ...


# What has this number in the scope of a lane; None when there is nothing.
Find = Callable[[Tx, LaneKey, int], _Placed | None]


def linked_person(
    tx: Tx, context: ToolContext, find: Find, prefix: str, shown_id: str, tool: str
) -> ToolContext | None:
    """Return the principal as whom they are linked with in whose chat there is something with this id; None when there
    is no such person. What is taken back is noted where the principal is.

    A `tool` that changes it is named: then what it does stands in the ledger of its tenant, too.
    """
    number = ids.number(prefix, shown_id[:40])
    if number is None or context.role is not Role.PERSON or context.participant.group:
        return None
    for other in linked(tx, context.access, context.principal.person_id):
        if find(tx, other.lane, number) is not None:
            if tool:
                hold(tx, context.lane.tenant_id, other.lane.tenant_id)
                witness(tx, context, other.person_id, other.lane, tool, {"id": shown_id.strip().lower()})
            participant = people.participant(tx, other.lane, other.person_id)
            asker = (context.lane, context.principal.person_id)
            return replace(_elsewhere(context, other.lane, participant), asker=asker)
    return None


def group_member(tx: Tx, context: ToolContext, find: Find, prefix: str, shown_id: str) -> ToolContext | None:
    """Return the principal as what they are in the group that has something with this id, of those they are `inside`;
    None when there is none. What is taken back is noted where the principal is."""
    number = ids.number(prefix, shown_id[:40])
    if number is None or context.role is not Role.PERSON or context.participant.group:
        return None
    for scope_id in sorted(context.inside):
        found = find(tx, replace(context.lane, scope_id=scope_id), number)
        participant = None if found is None else people.participant(tx, found.lane, context.principal.person_id)
        if (
            found is not None
            and participant is not None
            and may(people.standing_here(context.access, participant), Standing.GUEST)
        ):
            asker = (context.lane, context.principal.person_id)
            return replace(_elsewhere(context, found.lane, participant), asker=asker)
    return None


def maker_where_gone(tx: Tx, context: ToolContext, found: _Placed | None, person_id: int) -> ToolContext | None:
    """Return the principal as what they are in the group from which the bot is gone, of something `found` there that
    `person_id` has made; None where they are somebody else, or it is elsewhere. From their private chat it is changed
    as they would change it there. What is taken back is noted where the principal is, and is taken back there as well
    once the bot is in the group again."""
    mine = found is not None and person_id == context.principal.person_id and context.role is Role.PERSON
    if found is None or not mine or context.participant.group or found.lane.scope_id == context.lane.scope_id:
        return None
    participant = people.participant(tx, found.lane, person_id)
    if not participant.group or not (participant.chat_state == ChatState.GONE or context.undoing):
        return None
    return replace(_elsewhere(context, found.lane, participant), asker=(context.lane, person_id))


def is_whispered(context: ToolContext) -> bool:
    """Return whether the answer is for the eyes of the principal alone, who asked in a group."""
    return context.participant.group and context.said is not None and bool(context.said.response_url)


def own_chat(tx: Tx, context: ToolContext) -> ToolContext | None:
    """Return the principal in their private chat, with its zone; None where all see the answer, or they have no such
    chat."""
    if context.role is not Role.PERSON or not is_whispered(context):
        return None
    person_id = context.principal.person_id
    lane = people.private_lane(tx, context.lane.tenant_id, person_id)
    if lane is None:
        return None
    participant = people.participant(tx, lane, person_id)
    if participant.chat_state == ChatState.GONE or not may(
        people.standing_here(context.access, participant), Standing.MEMBER
    ):
        return None
    zone = zone_named(participant.timezone) or context.home
    return replace(_elsewhere(context, lane, participant), zone=zone)


def _elsewhere(context: ToolContext, lane: LaneKey, participant: Participant) -> ToolContext:
    """Return the principal as whom they are in another lane, where what they ask for is done."""
    return replace(
        context,
        lease=replace(context.lease, lane=lane),
        principal=participant.person,
        participant=participant,
        standing=people.standing_here(context.access, participant),
    )


def hold(tx: Tx, *tenants: int) -> frozenset[int]:
    """Let nobody else change links of these tenants, nor write into their ledgers; return them."""
    held = frozenset(tenants)
    tx.lock(*(("ledger_head", tenant_id) for tenant_id in sorted(held)))
    return held


def witness(tx: Tx, context: ToolContext, person_id: int, lane: LaneKey, tool: str, result: Mapping[str, Json]) -> None:
    """Write into the ledger of somebody's tenant what was done to them, or as them, from another one."""
    if lane.tenant_id == context.lane.tenant_id:
        return
    record = Record(
        lane=lane,
        run_id=context.run_id,
        trace_id=context.trace_id,
        person_id=person_id,
        role=context.role.value,
        tool=tool,
        at=context.clock.now(),
        arguments={},
        result=result,
    )
    context.services.get(Ledger).append(tx, record)

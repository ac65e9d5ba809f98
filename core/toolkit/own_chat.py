"""What somebody asks for their eyes alone in a group is theirs: it belongs to their private chat."""

from __future__ import annotations

from dataclasses import replace

from core.kernel.access import may
from core.kernel.ports import Tx
from core.kernel.timing.zones import zone_named
from core.kernel.types import Role, Standing
from core.store.people import people
from core.store.people.chats import ChatState
from core.toolkit.tool import ToolContext


def is_whispered(context: ToolContext) -> bool:
    """Whether the answer is for the eyes of the principal alone, who asked in a group."""
    return context.participant.group and context.said is not None and bool(context.said.response_url)


def own_chat(tx: Tx, context: ToolContext) -> ToolContext | None:
    """The principal in their private chat, with its zone; None where all see the answer, or they have no such chat."""
    if context.role is not Role.PERSON or not is_whispered(context):
        return None
    person_id = context.principal.person_id
    lane = people.private_lane(tx, context.lane.tenant_id, person_id)
    if lane is None:
        return None
    participant = people.participant(tx, lane, person_id)
    standing = context.access.standing(
        participant.person.address, participant.standing, workspace=participant.place.tenant
    )
    if participant.chat_state == ChatState.GONE or not may(standing, Standing.MEMBER):
        return None
    zone = zone_named(participant.timezone) or context.home
    lease = replace(context.lease, lane=lane)
    return replace(
        context, lease=lease, principal=participant.person, participant=participant, standing=standing, zone=zone
    )


def is_there(context: ToolContext) -> bool:
    """Whether a context is that of such a chat: what is done there is answered elsewhere."""
    return not context.participant.group and context.said is not None and bool(context.said.response_url)

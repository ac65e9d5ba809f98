"""What the caller wants told to others: their memories that are tagged `share` (TOOLS: contacts_candidate_rank)."""

from __future__ import annotations

from collections.abc import Iterator

from core.capabilities.contacts.ranking import Item
from core.capabilities.memory import repository as memories
from core.capabilities.memory.models import SHARE, Memory
from core.kernel.ports import Tx
from core.kernel.timing.zones import to_local
from core.toolkit.tool import ToolContext

# What is tagged so is less for contacts of whom nobody knows who they are.
SENSITIVE = "sensitive"
_MARKS = frozenset((SHARE, SENSITIVE))


def items(tx: Tx, context: ToolContext) -> list[Item]:
    """Return what the caller tagged to be shared in their scope, the newest first. In a group that is what they said
    themselves; what others' words were read for is not for everybody."""
    group = context.participant.group
    return [
        Item(
            item_id=memory.ref,
            topics=tuple(tag for tag in memory.tags if tag not in _MARKS),
            created_at=memory.said_at,
            linked=tuple(_linked(tx, context, memory)),
            sensitive=memory.tainted or SENSITIVE in memory.tags,
            public=group,
        )
        for memory in memories.tagged(tx, context.lane, SHARE)
        if not group or memory.person_id == context.principal.person_id
    ]


def _linked(tx: Tx, context: ToolContext, memory: Memory) -> Iterator[str]:
    """Yield what a memory belongs to: the line of the transcript where it was said, and what it has superseded."""
    if memory.message_id is not None:
        day = to_local(memory.said_at, context.zone).date().isoformat()
        yield f"history/{day}#{memory.message_id}"
    yield from (older.ref for older in memories.superseded(tx, context.lane, memory.memory_id))

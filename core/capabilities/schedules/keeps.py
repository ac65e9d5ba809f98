"""What becomes of what is scheduled when two chats become one, and what is taken along."""

from __future__ import annotations

from core.capabilities.schedules.portable import PORTABLE
from core.kernel.ports import Tx
from core.kernel.timing.trigger import TriggerState
from core.scheduling import repository as triggers
from core.scheduling.repository import Deliver
from core.store.conversation.chat_migration import Merged
from core.toolkit.keeping import Keeps


def merged(tx: Tx, chats: Merged) -> None:
    """End the older one of what a scope has one of only, where both chats had one."""
    there = triggers.of_scope(tx, chats.lanes[0][1]) if chats.lanes else []
    for kind in (Deliver.BRIEF, Deliver.SUMMARY):
        both = [one for one in there if one.deliver == kind]
        for one in sorted(both, key=lambda one: (one.created_at, one.trigger_id))[:-1]:
            triggers.end(tx, one.trigger_id, TriggerState.DONE, chats.at)


KEEPS = Keeps(merged=merged, portable=(PORTABLE,))

"""How calendars are forgotten, and handed over with their chat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.capabilities.calendars import feed_repository as feeds
from core.capabilities.calendars import repository as calendars
from core.kernel.ports import Tx
from core.kernel.types import LaneKey
from core.store.conversation import chat_migration
from core.store.conversation.chat_migration import Merged
from core.store.people.optouts import LeftAlone
from core.toolkit.keeping import OF_SCOPE, Departed, Eraser, Keeps, Phase
from core.toolkit.tool import ToolContext

ERASERS: Mapping[str, Eraser] = {
    "calendar events": Eraser(
        table="calendar_event",
        act="DELETE FROM calendar_event",
        phase=Phase.PARTS,
        own=f"calendar_id IN (SELECT id FROM calendar WHERE {OF_SCOPE} AND person_id = :person_id)",
    ),
    "calendars": Eraser(table="calendar", act="DELETE FROM calendar", phase=Phase.THINGS, counted="calendars"),
    "calendar feeds": Eraser(table="calendar_feed", act="DELETE FROM calendar_feed", phase=Phase.THINGS),
}


def merged(tx: Tx, chats: Merged) -> None:
    """Calendars of a chat are those of the chat it became."""
    chat_migration.hand_over(tx, chats, "calendar", chat=True)
    chat_migration.hand_over(tx, chats, "calendar_feed", chat=True)
    chat_migration.hand_over_scope(tx, chats, "calendar_event")


def departed(tx: Tx, gone: Departed) -> Sequence[tuple[int, str]]:
    """End the feed by which somebody who left a group reads it, and show their calendars there no more; return nobody,
    since nothing was given to anybody."""
    feeds.remove(tx, gone.tenant_id, gone.scope_id, gone.person_id)
    calendars.remove_shared(tx, gone.tenant_id, gone.person_id, gone.scope_id)
    return ()


def left(tx: Tx, context: ToolContext, person_id: int, tool: str) -> None:
    """Show the calendars of somebody who is forgotten, or has no access any more, in no group."""
    calendars.remove_shared(tx, context.lane.tenant_id, person_id)


def left_alone(tx: Tx, lane: LaneKey, alone: LeftAlone) -> Mapping[str, int]:
    """Show the calendars of somebody who wants to be left alone in a group there no more; return how many they were."""
    return {"calendars": calendars.remove_shared(tx, lane.tenant_id, alone.person_id, lane.scope_id)}


KEEPS = Keeps(erasers=ERASERS, merged=merged, departed=departed, left=left, left_alone=left_alone)

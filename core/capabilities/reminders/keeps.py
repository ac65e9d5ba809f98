"""How reminders are forgotten, and handed over with their chat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.kernel.ports import Tx
from core.kernel.types import Millis
from core.store import expiry
from core.store.conversation import chat_migration
from core.store.conversation.chat_migration import Merged
from core.toolkit.keeping import GONE, LANES, OF_SCOPE, Departed, Eraser, Keeps, Night, Phase

ERASERS: Mapping[str, Eraser] = {
    # What was asked for here and posted elsewhere is not repeated there, and nothing of it is told here.
    "repeats": Eraser(
        table="trigger",
        act="DELETE FROM trigger",
        phase=Phase.PARTS,
        due=f"round > 0 AND reminder_id IN (SELECT id FROM reminder WHERE asker_lane_id IN {LANES})",
        within="tenant_id = :tenant_id",
    ),
    # What its recipient put off there comes, since they wished that; it is not repeated either.
    "endless": Eraser(
        table="trigger",
        act="UPDATE trigger SET until_done = 0",
        phase=Phase.PARTS,
        due="round = 0 AND until_done = 1 AND scope_id <> :scope_id"
        f" AND reminder_id IN (SELECT id FROM reminder WHERE asker_lane_id IN {LANES})",
        own="reminder_id IN (SELECT id FROM reminder WHERE asker_id = :person_id)",
        within="tenant_id = :tenant_id",
    ),
    "outcomes": Eraser(
        table="reminder",
        act="UPDATE reminder SET asker_lane_id = lane_id",
        phase=Phase.PARTS,
        due=f"asker_lane_id IN {LANES} AND scope_id <> :scope_id",
        own="asker_id = :person_id",
        within="tenant_id = :tenant_id",
    ),
    # What others put off of it ends: its words are to be forgotten.
    "put off": Eraser(
        table="trigger",
        act="DELETE FROM trigger",
        phase=Phase.PARTS,
        due="reminder_id IS NOT NULL",
        own=f"reminder_id IN (SELECT id FROM reminder WHERE {OF_SCOPE} AND asker_id = :person_id)",
    ),
    "reminded": Eraser(
        table="reminded",
        act="DELETE FROM reminded",
        phase=Phase.PARTS,
        own=f"(person_id = :person_id OR reminder_id IN (SELECT id FROM reminder WHERE {OF_SCOPE}"
        " AND asker_id = :person_id))",
    ),
    "reminders": Eraser(table="reminder", act="DELETE FROM reminder", phase=Phase.THINGS, own="asker_id = :person_id"),
}


def delete_reminders(tx: Tx, before: Millis, limit: int) -> int:
    """Delete reminders that were posted before an instant, with what people did; none that is still to come."""
    rows = tx.all(
        "SELECT p.id FROM reminder p WHERE p.created_at < :before AND NOT EXISTS (SELECT 1 FROM trigger t"
        " WHERE t.reminder_id = COALESCE(p.root_id, p.id) AND t.ended_at IS NULL) AND NOT EXISTS (SELECT 1"
        " FROM reminder r WHERE r.root_id = p.id AND r.created_at >= :before) AND NOT EXISTS (SELECT 1"
        " FROM outbox o WHERE o.chat_id = p.chat_id AND o.ended_at IS NULL AND o.whole_key = p.message_key)"
        " ORDER BY p.created_at, p.id LIMIT :limit",
        {"before": before, "limit": limit},
    )
    return expiry.delete_with_parts(tx, "reminder", rows, parts="reminded", key="reminder_id")


def merged(tx: Tx, chats: Merged) -> None:
    """Reminders of a chat are those of the chat it became."""
    chat_migration.hand_over(tx, chats, "reminder", chat=True)
    chat_migration.hand_over(tx, chats, "reminder", lane="asker_lane_id", scope=False)
    chat_migration.hand_over_scope(tx, chats, "reminded")


def expire(tx: Tx, night: Night, limit: int) -> int:
    """Delete reminders that are too old."""
    return delete_reminders(tx, night.ago(night.keep.buttons), limit // 5)


def departed(tx: Tx, gone: Departed) -> Sequence[tuple[int, str]]:
    """Return what others still want to remind somebody of who left; a to-do's reminder is told with the to-do."""
    rows = tx.all(
        "SELECT DISTINCT t.id, t.person_id, t.text FROM trigger t JOIN addressee x ON x.trigger_id = t.id"
        f" AND x.contact_id IN {GONE} WHERE t.ended_at IS NULL AND t.person_id <> :person_id"
        " AND NOT EXISTS (SELECT 1 FROM todo d WHERE d.trigger_id = t.id) ORDER BY t.id",
        gone.params(),
    )
    return [(row["person_id"], row["text"]) for row in rows]


KEEPS = Keeps(departed=departed, erasers=ERASERS, expires={"reminders": expire}, merged=merged)

"""What the bot said last in a lane, and how long afterwards a text may refer to it."""

from __future__ import annotations

from typing import NamedTuple

from core.kernel.ports import Tx
from core.kernel.types import LaneKey, Millis
from core.store.conversation.attachment_text import SPOKEN

# Rows that belong to one answer are written within this.
SAME_ANSWER: Millis = 1_000
# So long after something was set, or asked, a text may refer to it.
RIGHT_AFTER: Millis = 600_000

# Nobody answers a reminder that was not sent; one that is being sent, or was perhaps, may have been seen.
UNSEEN = (
    "EXISTS (SELECT 1 FROM outbox u WHERE u.tenant_id = {0}.tenant_id AND u.message_key = {0}.message_key || ':0'"
    " AND u.state IN ('new', 'dead') AND u.repeated = 0)"
)
# What the bot has said; not a reminder that was not sent, nor what it has heard in a voice note, which is said back.
SAID = (
    f"m.role = 'assistant' AND substr(m.text, 1, {len(SPOKEN)}) <> '{SPOKEN}' AND (m.run_id IS NOT NULL"
    " OR NOT EXISTS (SELECT 1 FROM reminder s WHERE s.lane_id = m.lane_id"
    f" AND s.created_at = m.created_at AND {UNSEEN.format('s')}))"
)


class LastWords(NamedTuple):
    """When something was said, 0 for never, in which run, 0 for none, its text, and whether that run asked a question
    that has run out."""

    at: Millis = 0
    run_id: int = 0
    text: str = ""
    ran_out: bool = False


def last_words(tx: Tx, lane: LaneKey) -> LastWords:
    """Return what the bot said in a lane the last time; not a reminder that was not sent, nor what it has heard."""
    row = tx.one(
        "SELECT m.created_at, m.run_id, m.text, EXISTS (SELECT 1 FROM question q WHERE q.run_id = m.run_id AND"
        " q.tenant_id = m.tenant_id AND q.state = 'expired') AS ran_out FROM message m"
        " WHERE m.lane_id = :lane_id AND m.tenant_id = :tenant_id"
        f" AND {SAID} ORDER BY m.id DESC LIMIT 1",
        lane.params(),
    )
    if row is None:
        return LastWords()
    return LastWords(int(row["created_at"]), int(row["run_id"] or 0), str(row["text"]), bool(row["ran_out"]))


def words_of(tx: Tx, lane: LaneKey, run_id: int | None) -> str:
    """Return all that a run said in a lane; empty where it has said nothing."""
    said = "lane_id = :lane_id AND tenant_id = :tenant_id AND role = 'assistant' AND run_id = :run_id"
    rows = tx.all(f"SELECT text FROM message WHERE {said} ORDER BY id", {**lane.params(), "run_id": run_id})
    return "\n\n".join(str(row["text"]) for row in rows)

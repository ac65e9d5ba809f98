"""Messages that one person made the bot send to another: their limits, and whom nobody wants to hear from."""

from __future__ import annotations

from core.ports import Tx
from core.types import LaneKey, Millis

HOUR: Millis = 3_600_000
DAY: Millis = 24 * HOUR
MOST_BY_SENDER_AN_HOUR = 10
MOST_TO_RECIPIENT_A_DAY = 3


def refusal(tx: Tx, tenant_id: int, sender_id: int, recipient_id: int, now: Millis) -> str:
    """Why a message may not be sent now: `muted`, `sender_limit` or `recipient_limit`; empty when it may."""
    if muted(tx, tenant_id, recipient_id, sender_id):
        return "muted"
    params = {
        "tenant_id": tenant_id,
        "sender": sender_id,
        "recipient": recipient_id,
        "hour": now - HOUR,
        "day": now - DAY,
    }
    row = tx.one(
        "SELECT (SELECT count(*) FROM errand WHERE person_id = :sender AND tenant_id = :tenant_id"
        " AND created_at > :hour) AS sent, (SELECT count(*) FROM errand WHERE recipient_id = :recipient"
        " AND tenant_id = :tenant_id AND created_at > :day) AS got",
        params,
    )
    assert row is not None
    if row["sent"] >= MOST_BY_SENDER_AN_HOUR:
        return "sender_limit"
    return "recipient_limit" if row["got"] >= MOST_TO_RECIPIENT_A_DAY else ""


def note(tx: Tx, lane: LaneKey, sender_id: int, recipient_id: int, key: str, now: Millis) -> bool:
    """Count a message, once a key; False when it was counted before."""
    return bool(
        tx.run(
            "INSERT INTO errand (tenant_id, scope_id, person_id, recipient_id, message_key, created_at)"
            " VALUES (:tenant_id, :scope_id, :sender, :recipient, :key, :now)"
            " ON CONFLICT (tenant_id, message_key) DO NOTHING",
            {**lane.params(), "sender": sender_id, "recipient": recipient_id, "key": key, "now": now},
        )
    )


def muted(tx: Tx, tenant_id: int, person_id: int, other_id: int) -> bool:
    """Whether a person does not want to hear from another."""
    row = tx.one(
        "SELECT 1 AS found FROM mute WHERE tenant_id = :tenant_id AND person_id = :person_id AND muted_id = :other_id",
        {"tenant_id": tenant_id, "person_id": person_id, "other_id": other_id},
    )
    return row is not None

"""Messages that one person made the bot send to another: their limits, and whom nobody wants to hear from."""

from __future__ import annotations

from collections.abc import Sequence

from core.ports import Row, Tx
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


def refusal_at(tx: Tx, tenant_id: int, sender_id: int, to: tuple[int, int], at: Millis) -> str:
    """Why one more message may not be planned for `at`, as `refusal`: what the sender has planned near it counts, too.

    `to` are the recipient and the contact by which the sender knows them.
    """
    recipient_id, contact_id = to
    if muted(tx, tenant_id, recipient_id, sender_id):
        return "muted"
    params = {"tenant_id": tenant_id, "sender": sender_id, "recipient": recipient_id, "after": at - DAY}
    around = {**params, "contact": contact_id, "before": at + DAY}
    found = [*tx.all(_SENT, params), *tx.all(_PLANNED, around)]
    if _crowded([row["at"] for row in found if row["mine"]], at, MOST_BY_SENDER_AN_HOUR, HOUR):
        return "sender_limit"
    if _crowded([row["at"] for row in found if row["theirs"]], at, MOST_TO_RECIPIENT_A_DAY, DAY):
        return "recipient_limit"
    return ""


_SENT = (
    "SELECT created_at AS at, person_id = :sender AS mine, recipient_id = :recipient AS theirs FROM errand"
    " WHERE tenant_id = :tenant_id AND (person_id = :sender OR recipient_id = :recipient) AND created_at > :after"
)
# What comes once, for others. One who was noted before the bot knew them has no person in the book yet.
_PLANNED = (
    "SELECT t.next_at AS at, 1 AS mine, COALESCE(c.person_id, 0) = :recipient OR c.id = :contact AS theirs"
    " FROM trigger t JOIN addressee d ON d.trigger_id = t.id JOIN contact c ON c.id = d.contact_id"
    " WHERE t.person_id = :sender AND t.tenant_id = :tenant_id AND t.ended_at IS NULL AND t.state = 'active'"
    " AND t.kind = 'once' AND t.next_at > :after AND t.next_at < :before AND COALESCE(c.person_id, 0) <> :sender"
)


def _crowded(times: Sequence[Millis], at: Millis, most: int, span: Millis) -> bool:
    """Whether more than `most` would be within a span, with one more at `at`."""
    ordered = sorted([*times, at])
    return any(last - first < span for first, last in zip(ordered, ordered[most:], strict=False))


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


def mute(tx: Tx, lane: LaneKey, person_id: int, other_id: int, now: Millis) -> bool:
    """A person does not want to hear from another any more; False when that was so already."""
    return bool(
        tx.run(
            "INSERT INTO mute (tenant_id, scope_id, person_id, muted_id, created_at)"
            " VALUES (:tenant_id, :scope_id, :person_id, :other_id, :now)"
            " ON CONFLICT (tenant_id, person_id, muted_id) DO NOTHING",
            {**lane.params(), "person_id": person_id, "other_id": other_id, "now": now},
        )
    )


def unmute(tx: Tx, tenant_id: int, person_id: int, other_id: int) -> bool:
    """A person hears from another again; False when they did."""
    return bool(
        tx.run(
            "DELETE FROM mute WHERE tenant_id = :tenant_id AND person_id = :person_id AND muted_id = :other_id",
            {"tenant_id": tenant_id, "person_id": person_id, "other_id": other_id},
        )
    )


def muted_by(tx: Tx, tenant_id: int, person_id: int) -> list[Row]:
    """Whom a person does not want to hear from, the first one first: id, name and address."""
    return tx.all(
        "SELECT p.id, p.name, (SELECT min(a.external_id) FROM address a WHERE a.person_id = p.id) AS address"
        " FROM mute m JOIN person p ON p.id = m.muted_id WHERE m.tenant_id = :tenant_id AND m.person_id = :person_id"
        " ORDER BY m.created_at, p.id",
        {"tenant_id": tenant_id, "person_id": person_id},
    )


def noted(tx: Tx, tenant_id: int, key: str) -> bool:
    """Whether a message with this key was counted."""
    params = {"tenant_id": tenant_id, "key": key}
    return (
        tx.one("SELECT 1 AS found FROM errand WHERE tenant_id = :tenant_id AND message_key = :key", params) is not None
    )


def senders(tx: Tx, tenant_id: int, person_id: int) -> list[Row]:
    """Who has made the bot send something to a person, as long as that is known: id, name and address."""
    return tx.all(
        "SELECT p.id, p.name, (SELECT min(a.external_id) FROM address a WHERE a.person_id = p.id) AS address"
        " FROM person p WHERE p.tenant_id = :tenant_id AND p.id IN"
        " (SELECT person_id FROM errand WHERE recipient_id = :person_id AND tenant_id = :tenant_id) ORDER BY p.id",
        {"tenant_id": tenant_id, "person_id": person_id},
    )

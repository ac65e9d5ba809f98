"""What one person makes the bot send to another, by a reminder or a message: how much that may be, and who does not
want to hear from whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.kernel.ports import Row, Tx
from core.kernel.timing.schedule import load, next_after
from core.kernel.types import DAY, HOUR, LaneKey, Millis

MOST_BY_SENDER_AN_HOUR = 10
# What comes to somebody because of other people.
MOST_TO_RECIPIENT_A_DAY = 3
MOST_LOOKED_AT = 12


def refusal(tx: Tx, tenant_id: int, sender_id: int, recipient_id: int, now: Millis) -> str:
    """Return why a message may not be sent now: `muted`, `sender_limit` or `recipient_limit`; empty when it may."""
    if muted(tx, tenant_id, recipient_id, sender_id):
        return "muted"
    params = {
        "tenant_id": tenant_id,
        "sender": sender_id,
        "recipient": recipient_id,
        "hour": now - HOUR,
        "day": now - DAY,
        "now": now,
    }
    row = tx.one(
        "SELECT (SELECT count(*) FROM errand WHERE person_id = :sender AND tenant_id = :tenant_id"
        " AND created_at > :hour AND created_at <= :now) AS sent, (SELECT count(*) FROM errand"
        " WHERE recipient_id = :recipient AND tenant_id = :tenant_id AND created_at > :day AND created_at <= :now)"
        " AS got",
        params,
    )
    assert row is not None
    if row["sent"] >= MOST_BY_SENDER_AN_HOUR:
        return "sender_limit"
    return "recipient_limit" if row["got"] >= MOST_TO_RECIPIENT_A_DAY else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why a message may not be planned: `muted`, `sender_limit` or `recipient_limit`. Of a limit also how many are the
    `most`, and when (in unix milliseconds) there is room for the next one."""

    reason: str
    most: int = 0
    until: Millis = 0


def refusal_at(
    tx: Tx, tenant_id: int, sender_id: int, to: tuple[int, int], at: Millis, *, but: int = 0
) -> Refusal | None:
    """Return why one more message may not be planned for `at`; None when it may. Messages that are planned near it
    count, of the sender and for the recipient: so there is room for each when it is due.

    `to` are the recipient and the contact by which the sender knows them; `but` is a trigger that does not count.
    """
    recipient_id, contact_id = to
    if muted(tx, tenant_id, recipient_id, sender_id):
        return Refusal(reason="muted")
    params = {"tenant_id": tenant_id, "sender": sender_id, "recipient": recipient_id}
    around = {**params, "contact": contact_id, "before": at + 2 * DAY, "but": but}
    found = [(row["at"], row["mine"], row["theirs"]) for row in tx.all(_SENT, {**params, "after": at - DAY})]
    for row in tx.all(_PLANNED, around):
        found += [(time, row["mine"], row["theirs"]) for time in _times(row, at - DAY, at + 2 * DAY)]
    mine, theirs = [time for time, own, _ in found if own], [time for time, _, own in found if own]
    return _limit("sender_limit", mine, at, MOST_BY_SENDER_AN_HOUR, HOUR) or _limit(
        "recipient_limit", theirs, at, MOST_TO_RECIPIENT_A_DAY, DAY
    )


_SENT = (
    "SELECT created_at AS at, person_id = :sender AS mine, recipient_id = :recipient AS theirs FROM errand"
    " WHERE tenant_id = :tenant_id AND (person_id = :sender OR recipient_id = :recipient) AND created_at > :after"
)
_TO_COME = (
    " JOIN trigger t ON t.id = d.trigger_id WHERE t.tenant_id = :tenant_id AND t.ended_at IS NULL"
    " AND t.state = 'active' AND t.next_at < :before AND t.id <> :but"
)
# What comes for others. One who was noted before the bot knew them has no person in the book yet.
_PLANNED = (
    "SELECT t.kind, t.spec, t.next_at, 1 AS mine,"
    " CASE WHEN COALESCE(c.person_id, 0) = :recipient OR c.id = :contact THEN 1 ELSE 0 END AS theirs"
    f" FROM contact c JOIN addressee d ON d.contact_id = c.id{_TO_COME}"
    " AND t.person_id = :sender AND COALESCE(c.person_id, 0) <> :sender"
    " UNION ALL SELECT t.kind, t.spec, t.next_at, 0 AS mine, 1 AS theirs"
    f" FROM contact c JOIN addressee d ON d.contact_id = c.id{_TO_COME}"
    " AND c.person_id = :recipient AND t.person_id <> :sender AND t.person_id <> :recipient"
)


def _times(row: Row, after: Millis, before: Millis) -> list[Millis]:
    """Return the times between two instants at which a trigger comes."""
    at: Millis | None = row["next_at"]
    if row["kind"] == "once":
        return [at] if at is not None and after < at < before else []
    found: list[Millis] = []
    # What recurs for others does so at most a few times a day.
    schedule, at = load(row["spec"]), next_after(load(row["spec"]), max(after, row["next_at"] - 1))
    while at is not None and at < before and len(found) < MOST_LOOKED_AT:
        found.append(at)
        at = next_after(schedule, at)
    return found


def _limit(reason: str, times: Sequence[Millis], at: Millis, most: int, span: Millis) -> Refusal | None:
    """Return the refusal of one more message at `at`, if more than `most` would be within a span; else None."""
    if not _crowded(times, at, most, span):
        return None
    later = sorted(time + span for time in times if time + span > at)
    until = next((time for time in later if not _crowded(times, time, most, span)), later[-1])
    return Refusal(reason=reason, most=most, until=until)


def _crowded(times: Sequence[Millis], at: Millis, most: int, span: Millis) -> bool:
    """Return whether more than `most` would be within some span around `at`, with one more at `at`."""
    near = sorted([*(time for time in times if abs(time - at) < span), at])
    return any(last - first < span for first, last in zip(near, near[most:], strict=False))


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
    """Return whether a person has muted another."""
    row = tx.one(
        "SELECT 1 AS found FROM mute WHERE tenant_id = :tenant_id AND person_id = :person_id AND muted_id = :other_id",
        {"tenant_id": tenant_id, "person_id": person_id, "other_id": other_id},
    )
    return row is not None


def mute(tx: Tx, lane: LaneKey, person_id: int, other_id: int, now: Millis) -> bool:
    """Note that a person mutes another, and end messages that are held back; False when they had muted them already."""
    params = {"tenant_id": lane.tenant_id, "person_id": person_id, "other_id": other_id, "now": now}
    tx.run(
        "UPDATE trigger SET state = 'cancelled', reason = 'muted', ended_at = :now WHERE tenant_id = :tenant_id"
        " AND person_id = :person_id AND deliver = 'note' AND ended_at IS NULL AND link IN (SELECT message_key"
        " FROM errand WHERE tenant_id = :tenant_id AND person_id = :other_id AND recipient_id = :person_id)",
        params,
    )
    return bool(
        tx.run(
            "INSERT INTO mute (tenant_id, scope_id, person_id, muted_id, created_at)"
            " VALUES (:tenant_id, :scope_id, :person_id, :other_id, :now)"
            " ON CONFLICT (tenant_id, person_id, muted_id) DO NOTHING",
            {**lane.params(), "person_id": person_id, "other_id": other_id, "now": now},
        )
    )


def unmute(tx: Tx, tenant_id: int, person_id: int, other_id: int) -> bool:
    """Note that a person does not mute another any more; False when they had not."""
    return bool(
        tx.run(
            "DELETE FROM mute WHERE tenant_id = :tenant_id AND person_id = :person_id AND muted_id = :other_id",
            {"tenant_id": tenant_id, "person_id": person_id, "other_id": other_id},
        )
    )


def muted_by(tx: Tx, tenant_id: int, person_id: int) -> list[Row]:
    """Return whom a person has muted, the first one first: id, name and address."""
    return tx.all(
        "SELECT p.id, p.name, (SELECT min(a.external_id) FROM address a WHERE a.person_id = p.id) AS address"
        " FROM mute m JOIN person p ON p.id = m.muted_id WHERE m.tenant_id = :tenant_id AND m.person_id = :person_id"
        " ORDER BY m.created_at, p.id",
        {"tenant_id": tenant_id, "person_id": person_id},
    )


def noted(tx: Tx, tenant_id: int, key: str) -> bool:
    """Return whether a message with this key was counted."""
    params = {"tenant_id": tenant_id, "key": key}
    return (
        tx.one("SELECT 1 AS found FROM errand WHERE tenant_id = :tenant_id AND message_key = :key", params) is not None
    )


def senders(tx: Tx, tenant_id: int, person_id: int) -> list[Row]:
    """Return who has made the bot send something to a person lately, as long as that is kept: id, name and address."""
    return tx.all(
        "SELECT p.id, p.name, (SELECT min(a.external_id) FROM address a WHERE a.person_id = p.id) AS address"
        " FROM person p WHERE p.tenant_id = :tenant_id AND p.id IN"
        " (SELECT person_id FROM errand WHERE recipient_id = :person_id AND tenant_id = :tenant_id) ORDER BY p.id",
        {"tenant_id": tenant_id, "person_id": person_id},
    )

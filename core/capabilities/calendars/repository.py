"""SQL of calendars and their events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any
from zoneinfo import ZoneInfo

from core.capabilities.calendars.models import Calendar, Event, Found, LeftOut, Told
from core.kernel.access import Access, may
from core.kernel.ports import Row, Tx
from core.kernel.types import DAY, MINUTE, LaneKey, Millis, Standing
from core.store.people import people
from core.store.people.people import inserted

_COLUMNS = (
    "c.id, c.tenant_id, c.scope_id, c.chat_id, c.lane_id, c.person_id, c.name, c.sealed, c.digest, c.body, c.zone,"
    " c.etag, c.problem, c.expanded_at, c.failing_since, c.told_at, c.told_before,"
    " c.left_unclear, c.left_busy, c.left_crowded"
)
_HERE = "c.tenant_id = :tenant_id AND c.scope_id = :scope_id AND c.removed_at IS NULL"
_EVENT = ("begins_at", "ends_at", "day", "title", "place", "uid")
AT_ONCE = 4
# The days of two zones begin less far apart.
APART: Millis = 2 * DAY
# Of what was told and is away, so much is remembered of a calendar.
MOST_AWAY = 1_000
# The `problem` of a calendar of a group whose person is not there.
ABSENT = "absent"


def insert(tx: Tx, lane: LaneKey, person_id: int, *, name: str, digest: str, zone: str, now: Millis) -> int:
    """Make a calendar that is read at once; return its number. Its events are told as those of the others are."""
    return inserted(
        tx.one(
            "INSERT INTO calendar (tenant_id, scope_id, chat_id, lane_id, person_id, name, digest, zone, next_at,"
            " created_at, told_before) VALUES (:tenant_id, :scope_id, :chat_id, :lane_id, :person_id, :name, :digest,"
            f" :zone, :now, :now, (SELECT max(c.told_before) FROM calendar c WHERE {_HERE})) RETURNING id",
            {**lane.params(), "person_id": person_id, "name": name, "digest": digest, "zone": zone, "now": now},
        )
    )


def keep_source(tx: Tx, calendar_id: int, *, sealed: str = "", body: str = "", due: Millis | None = None) -> None:
    """Keep where a calendar is read from: its encrypted address or account, or what came as a file; and when it is to
    be read, where that is at another time than set."""
    tx.run(
        "UPDATE calendar SET sealed = :sealed, body = :body, next_at = COALESCE(:due, next_at) WHERE id = :id",
        {"id": calendar_id, "sealed": sealed, "body": body, "due": due},
    )


def all_in(tx: Tx, lane: LaneKey) -> list[Calendar]:
    """Return the calendars of the lane's scope, the oldest first."""
    rows = tx.all(f"SELECT {_COLUMNS} FROM calendar c WHERE {_HERE} ORDER BY c.id", lane.params())
    return [_calendar(row) for row in rows]


def find(tx: Tx, lane: LaneKey, calendar_id: int) -> Calendar | None:
    """Return the calendar of the lane's scope with a number; one of another scope is as one that never was."""
    row = tx.one(
        f"SELECT {_COLUMNS} FROM calendar c WHERE c.id = :id AND {_HERE}", {"id": calendar_id, **lane.params()}
    )
    return None if row is None else _calendar(row)


def is_known(tx: Tx, lane: LaneKey, digest: str) -> bool:
    """Return whether the scope has a calendar with this address already."""
    query = f"SELECT 1 FROM calendar c WHERE {_HERE} AND c.digest = :digest"
    return tx.one(query, {"digest": digest, **lane.params()}) is not None


def rename(tx: Tx, calendar: Calendar, name: str) -> None:
    """Call a calendar otherwise."""
    tx.run("UPDATE calendar SET name = :name WHERE id = :id", {"id": calendar.calendar_id, "name": name})


def remove(tx: Tx, calendar: Calendar, now: Millis) -> None:
    """Remove a calendar with its events; it can be brought back for a while. Those that were told and have not begun
    stay as long, so that they are not told again then."""
    values = {"id": calendar.calendar_id, "now": now}
    unneeded = f"(told = {Told.NOT_YET} OR begins_at <= :now)"
    tx.run(f"DELETE FROM calendar_event WHERE calendar_id = :id AND {unneeded}", values)
    tx.run("UPDATE calendar SET removed_at = :now WHERE id = :id", values)


def bring_back(tx: Tx, lane: LaneKey, calendar_id: int, now: Millis) -> bool:
    """Bring back a calendar of the lane's scope that was removed, to be read at once; False when it is gone."""
    return bool(
        tx.run(
            "UPDATE calendar SET removed_at = NULL, expanded_at = NULL, etag = '', next_at = :now WHERE id = :id"
            " AND tenant_id = :tenant_id AND scope_id = :scope_id AND removed_at IS NOT NULL AND NOT EXISTS"
            " (SELECT 1 FROM calendar c WHERE c.scope_id = calendar.scope_id AND c.removed_at IS NULL"
            " AND c.digest <> '' AND c.digest = calendar.digest)",
            {"id": calendar_id, "tenant_id": lane.tenant_id, "scope_id": lane.scope_id, "now": now},
        )
    )


def remove_shared(tx: Tx, tenant_id: int, person_id: int, scope_id: int | None = None) -> int:
    """Delete the calendars that somebody shows in a group, with their events and addresses; without a scope in all
    groups. What they posted as a file stays: it is the group's. Return how many there were."""
    whose = (
        "tenant_id = :tenant_id AND person_id = :person_id AND sealed <> ''"
        " AND chat_id IN (SELECT h.id FROM chat h WHERE h.kind = 'group')"
    )
    whose += "" if scope_id is None else " AND scope_id = :scope_id"
    values = {"tenant_id": tenant_id, "person_id": person_id, "scope_id": scope_id}
    tx.run(f"DELETE FROM calendar_event WHERE calendar_id IN (SELECT id FROM calendar WHERE {whose})", values)
    return tx.run(f"DELETE FROM calendar WHERE {whose}", values)


def is_live(tx: Tx, access: Access, lane: LaneKey, person_id: int, *, secret: bool) -> bool:
    """Return whether a calendar may be read, shown and told: it may as long as its person has access. A file in a group
    (nothing of it is `secret`) is the group's, whoever posted it."""
    seat = people.participant(tx, lane, person_id)
    return (seat.group and not secret) or may(people.standing_here(access, seat), Standing.MEMBER)


def take_due(tx: Tx, now: Millis, until: Millis, forgotten: Millis) -> list[Calendar]:
    """Take calendars that are to be read: nobody else reads them until an instant. Those that were removed before
    `forgotten` are deleted, with their addresses."""
    tx.run(
        "DELETE FROM calendar_event WHERE calendar_id IN (SELECT id FROM calendar WHERE removed_at < :forgotten)",
        {"forgotten": forgotten},
    )
    tx.run("DELETE FROM calendar WHERE removed_at < :forgotten", {"forgotten": forgotten})
    rows = tx.all(
        "UPDATE calendar SET next_at = :until WHERE id IN (SELECT c.id FROM calendar c JOIN tenant t ON t.id ="
        " c.tenant_id AND t.ended_at IS NULL JOIN chat h ON h.id = c.chat_id AND h.state <> 'gone'"
        " WHERE c.next_at <= :now AND c.removed_at IS NULL ORDER BY c.next_at LIMIT :most) RETURNING id",
        {"now": now, "until": until, "most": AT_ONCE},
    )
    found = []
    for row in rows:
        known = tx.one(f"SELECT {_COLUMNS} FROM calendar c WHERE c.id = :id", {"id": row["id"]})
        found += [] if known is None else [_calendar(known)]
    return found


def unchanged(tx: Tx, calendar: Calendar) -> None:
    """Note that a calendar was asked for and has not changed: what was wrong with it is over."""
    tx.run(
        "UPDATE calendar SET problem = '', failing_since = NULL, told_at = NULL WHERE id = :id",
        {"id": calendar.calendar_id},
    )


def replace_events(tx: Tx, calendar: Calendar, found: Found, etag: str, now: Millis) -> bool:
    """Put what was found in a calendar in the place of what it had; False when it was removed meanwhile. It is called
    by its own name where nobody has called it anything."""
    kept = tx.run(
        "UPDATE calendar SET problem = '', failing_since = NULL, told_at = NULL, etag = :etag, expanded_at = :now,"
        " left_unclear = :unclear, left_busy = :busy, left_crowded = :crowded,"
        " name = CASE WHEN name = '' THEN :name ELSE name END WHERE id = :id AND removed_at IS NULL",
        {"id": calendar.calendar_id, "etag": etag, "name": found.name, "now": now, **asdict(found.left_out)},
    )
    if kept:
        _put_events(tx, calendar, found.events, now)
    return bool(kept)


def _put_events(tx: Tx, calendar: Calendar, events: Sequence[Event], now: Millis) -> None:
    """Put events in the place of those that a calendar had. What was told stays so, by its uid or its title, unless it
    is at another time now; also where its calendar lacks it altogether for a while. What was told of another calendar
    there is not told again."""
    rows = tx.all(
        f"SELECT calendar_id, {', '.join(_EVENT)} FROM calendar_event WHERE tenant_id = :tenant_id"
        f" AND scope_id = :scope_id AND ends_at >= :now AND told <> {Told.NOT_YET} ORDER BY begins_at, id",
        {"now": now, "tenant_id": calendar.lane.tenant_id, "scope_id": calendar.lane.scope_id},
    )
    own = [_event(row) for row in rows if row["calendar_id"] == calendar.calendar_id]
    known = {key for one in own for key in _keys(one)}
    others = {(row["begins_at"], row["title"], row["place"]) for row in rows}
    there = {name for one in events for name in _names(one)}
    away = [one for one in own if one.begins_at > now and there.isdisjoint(_names(one))]
    tx.run("DELETE FROM calendar_event WHERE calendar_id = :id", {"id": calendar.calendar_id})
    for one in events:
        told = not known.isdisjoint(_keys(one)) or (one.begins_at, one.title, one.place) in others
        _insert_event(tx, calendar, one, Told.TOLD if told else Told.NOT_YET)
    for one in away[:MOST_AWAY]:
        _insert_event(tx, calendar, one, Told.AWAY)


def _keys(event: Event) -> set[tuple[Millis, str, str]]:
    """By what an event of a calendar is known again at its time: its uid, or its title."""
    return {(event.begins_at, "title", event.title)} | ({(event.begins_at, "uid", event.uid)} if event.uid else set())


def _names(event: Event) -> set[tuple[Millis, str]]:
    """By what it is known that a calendar still has an event: its uid at any time, or its title at its own."""
    return {(event.begins_at, event.title)} | ({(0, event.uid)} if event.uid else set())


def _insert_event(tx: Tx, calendar: Calendar, event: Event, told: Told) -> None:
    tx.run(
        "INSERT INTO calendar_event"
        " (tenant_id, scope_id, calendar_id, begins_at, ends_at, day, title, place, uid, told) VALUES"
        " (:tenant_id, :scope_id, :calendar_id, :begins_at, :ends_at, :day, :title, :place, :uid, :told)",
        {
            "tenant_id": calendar.lane.tenant_id,
            "scope_id": calendar.lane.scope_id,
            "calendar_id": calendar.calendar_id,
            "told": int(told),
            **{name: getattr(event, name) for name in _EVENT},
        },
    )


def absent(tx: Tx, calendar: Calendar, now: Millis) -> None:
    """Whose calendar shows in a group is not there, as far as is known: the second time in a row its events go, until
    they are there again. A platform that does not answer for a moment hides nothing."""
    if calendar.problem == ABSENT:
        _put_events(tx, calendar, (), now)
    tx.run(
        "UPDATE calendar SET problem = :problem, etag = '', expanded_at = NULL WHERE id = :id",
        {"id": calendar.calendar_id, "problem": ABSENT},
    )


def failed(tx: Tx, calendar: Calendar, problem: str, now: Millis, again: Millis, *, told: bool) -> None:
    """Note the problem by which a calendar could not be read, and the instant at which it is tried `again`; `told`
    whether its person hears of it now."""
    tx.run(
        "UPDATE calendar SET problem = :problem, failing_since = COALESCE(failing_since, :now), next_at = :again,"
        " told_at = CASE WHEN :told = 1 THEN :now ELSE told_at END WHERE id = :id",
        {"id": calendar.calendar_id, "problem": problem, "now": now, "again": again, "told": int(told)},
    )


def between(
    tx: Tx, access: Access, tenant_id: int, scope_id: int, start: Millis, end: Millis, *, zone: ZoneInfo
) -> list[Event]:
    """Return the events of a scope that are on between two instants, by their beginning, but for those of calendars
    whose person has no access any more. Whole days are those of the `zone` of whoever looks."""
    here = {"tenant_id": tenant_id, "scope_id": scope_id}
    rows = tx.all(
        "SELECT c.id AS calendar_id, c.tenant_id, c.scope_id, c.chat_id, c.lane_id AS id, c.person_id,"
        f" c.sealed <> '' AS secret FROM calendar c WHERE {_HERE}",
        here,
    )
    live = [
        str(row["calendar_id"])
        for row in rows
        if is_live(tx, access, people.lane_key(tenant_id, row), row["person_id"], secret=bool(row["secret"]))
    ]
    rows = tx.all(
        f"SELECT {', '.join(_EVENT)} FROM calendar_event WHERE tenant_id = :tenant_id"
        f" AND scope_id = :scope_id AND calendar_id IN ({', '.join(live) or 'NULL'}) AND ends_at >= :start"
        f" AND begins_at < :end AND told <> {Told.AWAY} ORDER BY begins_at, title, id",
        {**here, "start": start - APART, "end": end + APART},
    )
    found = [_event(row).seen_in(zone) for row in rows]
    return [
        one for one in found if one.begins_at < end and (one.ends_at > start or start <= one.begins_at == one.ends_at)
    ]


def tell_before(tx: Tx, lane: LaneKey, minutes: int | None) -> int:
    """Have the events of the lane's scope told so many minutes before; None: not at all. Return how many calendars
    it has."""
    values = {"minutes": minutes, "tenant_id": lane.tenant_id, "scope_id": lane.scope_id}
    return tx.run(
        "UPDATE calendar SET told_before = :minutes WHERE tenant_id = :tenant_id AND scope_id = :scope_id", values
    )


def beginning(tx: Tx, access: Access, now: Millis, look: Millis) -> list[tuple[Calendar, int, Event]]:
    """Return the events that are to be told by now or within `look`, which have not begun, but for those of calendars
    whose person has no access any more: each with its calendar and its number, the first first."""
    soon = f"e.begins_at > :now AND e.begins_at <= :until AND e.told = {Told.NOT_YET} AND e.day = ''"
    latest = "(:now + :look + 60000 * c.told_before)"
    rows = tx.all(
        f"SELECT {_COLUMNS} FROM calendar c"
        " JOIN tenant t ON t.id = c.tenant_id AND t.ended_at IS NULL"
        " JOIN chat h ON h.id = c.chat_id AND h.state <> 'gone'"
        " WHERE c.removed_at IS NULL AND c.told_before IS NOT NULL AND EXISTS (SELECT 1 FROM calendar_event e"
        f" WHERE e.calendar_id = c.id AND {soon.replace(':until', latest)})",
        {"now": now, "look": look},
    )
    found = []
    for calendar in map(_calendar, rows):
        if is_live(tx, access, calendar.lane, calendar.person_id, secret=bool(calendar.sealed)):
            until = now + look + MINUTE * (calendar.told_before or 0)
            values = {"id": calendar.calendar_id, "now": now, "until": until}
            events = tx.all(f"SELECT e.* FROM calendar_event e WHERE e.calendar_id = :id AND {soon}", values)
            found += [(calendar, int(row["id"]), _event(row)) for row in events]
    return sorted(found, key=lambda one: (one[2].begins_at, one[1]))


def mark_told(tx: Tx, event_id: int) -> bool:
    """Note that an event is told now; False when it was told already, or is gone."""
    query = f"UPDATE calendar_event SET told = {Told.TOLD} WHERE id = :id AND told = {Told.NOT_YET}"
    return bool(tx.run(query, {"id": event_id}))


def _event(row: Row) -> Event:
    return Event(**{name: row[name] for name in _EVENT})


def _calendar(row: Row) -> Calendar:
    values: dict[str, Any] = {
        name: row[name]
        for name in (
            *("person_id", "name", "sealed", "digest", "body", "zone", "etag"),
            *("problem", "expanded_at", "failing_since", "told_at", "told_before"),
        )
    }
    lane = LaneKey.of(row)
    left_out = LeftOut(unclear=row["left_unclear"], busy=row["left_busy"], crowded=row["left_crowded"])
    return Calendar(calendar_id=row["id"], lane=lane, left_out=left_out, **values)

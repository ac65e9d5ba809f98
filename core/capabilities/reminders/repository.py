"""Reminders that were posted, and what the people they are for did with them (STATES: Delivery of a reminder)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from core.kernel.ids import number
from core.kernel.intent import Intent
from core.kernel.ports import Row, Tx
from core.kernel.timing.trigger import Trigger
from core.kernel.types import DAY, LaneKey, Millis
from core.store.conversation import keyboards, undo
from core.store.conversation.last_words import SAID, UNSEEN, last_words
from core.toolkit.former_lines import decoded


class ReminderState(StrEnum):
    """What has become of a reminder that was sent."""

    # Somebody whom it is for has not finished it.
    OPEN = "open"
    # It is done.
    DONE = "done"
    # It is over, though nobody has done it.
    LAPSED = "lapsed"
    # The platform refused it.
    UNSEEN = "unseen"


class RemindedState(StrEnum):
    """What somebody has made of a reminder that is for them."""

    # Nothing yet.
    OPEN = "open"
    # They have done it.
    DONE = "done"
    # They wish to be reminded again later.
    SNOOZED = "snoozed"


_COLUMNS = (
    "r.id, r.tenant_id, r.scope_id, r.chat_id, r.lane_id, r.trigger_id, r.root_id, r.person_id, r.asker_id,"
    " r.asker_lane_id, r.message_key, r.state, r.everybody, r.text, r.due_at, r.created_at, r.ended_at"
)


_SEEN = f"NOT {UNSEEN}"

# A reminder that nobody finishes is repeated so often.
MOST_REPEATS = 3
# Of what was repeated in vain people may still say that it is done; of what ended otherwise its message says so.
_WAITS = (
    "(r.state = 'open' OR (r.state = 'lapsed' AND EXISTS (SELECT 1 FROM trigger t WHERE"
    f" t.reminder_id = COALESCE(r.root_id, r.id) AND t.round > {MOST_REPEATS} AND t.state = 'done')))"
)

MOST_WAITING = 8
# Among so many the one is found that somebody calls by a name.
MOST_NAMED_AMONG = 200
# For so long an answer that replies to nothing may be to a reminder.
WAITS: Millis = DAY


# Neither is frozen: thousands are made at once, and each would take three times as long.
@dataclass(slots=True, kw_only=True)
class Reminder:
    """A reminder in `lane`. `asker_id` wanted it, in the lane `asker_lane_id`; `message_key` is its outbox row's.

    `root_id` is the first one of those that bring the same again, None when this is it: there stands who has done it.
    With `person_id` it is for that one of several only.
    """

    lane: LaneKey
    trigger_id: int
    asker_id: int
    asker_lane_id: int
    message_key: str
    text: str
    due_at: Millis
    root_id: int | None = None
    person_id: int | None = None
    everybody: bool = False
    state: ReminderState = ReminderState.OPEN
    reminder_id: int = 0
    created_at: Millis = 0
    ended_at: Millis | None = None

    @property
    def first_id(self) -> int:
        """Return the id of the first reminder of the chain."""
        return self.reminder_id if self.root_id is None else self.root_id


@dataclass(slots=True, kw_only=True)
class Reminded:
    """Somebody whom a reminder is for: a person, a contact, or both; what they did, and until when they put it off.

    `closer_id` is the person who said that it is done.
    """

    person_id: int | None
    contact_id: int | None
    state: RemindedState = RemindedState.OPEN
    until: Millis | None = None
    ended_at: Millis | None = None
    closer_id: int | None = None
    reminded_id: int = 0


@dataclass(frozen=True, kw_only=True)
class Stand:
    """Holds how a first reminder stands: whom it is for (`people`), which triggers are to bring it again, and the state
    of each reminder of its chain, by number (none where a former version noted it)."""

    people: Sequence[Reminded]
    again: Sequence[int]
    states: Mapping[int, ReminderState] = field(default_factory=dict)

    @property
    def done(self) -> bool:
        """Return whether all whom it is for have done it."""
        return bool(self.people) and all(one.state == RemindedState.DONE for one in self.people)


class Draft(NamedTuple):
    """A reminder that is about to be stored because of a trigger. A first one is stored with those who are `named`.

    One that comes again is for some of those whom the first one is for: `again` are the numbers of their rows.
    """

    trigger: Trigger
    reminder: Reminder
    named: Sequence[Reminded] = ()
    again: Sequence[int] = ()


def text_of(trigger: Trigger) -> str:
    """Return what a trigger reminds of, and by which files its condition came true."""
    text = "\n↳ ".join(filter(None, (trigger.text, trigger.link)))
    more = (f"… (+{trigger.more_files})",) if trigger.more_files else ()
    return "\n".join(filter(None, (text, ", ".join((*trigger.files, *more)))))


def draft(trigger: Trigger, lane: LaneKey, key: str, named: Sequence[Reminded] | None = None) -> Draft:
    """Return the draft of a first reminder; without `named` it is for whoever set it, or for everybody."""
    if named is None:
        named = [] if trigger.everybody else [Reminded(person_id=trigger.person_id, contact_id=None)]
    reminder = Reminder(
        lane=lane,
        trigger_id=trigger.trigger_id,
        asker_id=trigger.person_id,
        asker_lane_id=trigger.lane.lane_id,
        message_key=key,
        everybody=trigger.everybody,
        text=text_of(trigger),
        due_at=trigger.next_at,
    )
    return Draft(trigger, reminder, named)


def insert(tx: Tx, drafts: Sequence[Draft], now: Millis) -> None:
    """Store reminders, each with whom a first one is for, and give them their numbers."""
    stored = [draft.reminder for draft in drafts]
    rows = tx.many(
        "INSERT INTO reminder (tenant_id, scope_id, chat_id, lane_id, trigger_id, root_id, person_id, asker_id,"
        " asker_lane_id, message_key, state, everybody, text, due_at, created_at) VALUES :rows"
        " RETURNING id, tenant_id, message_key",
        [
            (
                reminder.lane.tenant_id,
                reminder.lane.scope_id,
                reminder.lane.chat_id,
                reminder.lane.lane_id,
                reminder.trigger_id,
                reminder.root_id,
                reminder.person_id,
                reminder.asker_id,
                reminder.asker_lane_id,
                reminder.message_key,
                ReminderState.OPEN,
                int(reminder.everybody),
                reminder.text,
                reminder.due_at,
                now,
            )
            for reminder in stored
        ],
    )
    # Neither database promises to return rows in the order in which they were given.
    ids = {(row["tenant_id"], row["message_key"]): int(row["id"]) for row in rows}
    for reminder in stored:
        reminder.reminder_id, reminder.created_at = ids[reminder.lane.tenant_id, reminder.message_key], now
    _add(tx, [(one.reminder, reminded) for one in drafts for reminded in one.named])


def _add(tx: Tx, reminded: Sequence[tuple[Reminder, Reminded]]) -> None:
    """Store whom first reminders are for."""
    tx.many(
        "INSERT INTO reminded (tenant_id, scope_id, reminder_id, person_id, contact_id, state, ended_at) VALUES :rows",
        [
            (of.lane.tenant_id, of.lane.scope_id, of.first_id, one.person_id, one.contact_id, one.state, one.ended_at)
            for of, one in reminded
        ],
    )


def done_by(tx: Tx, reminder: Reminder, person_id: int, now: Millis) -> None:
    """Note who has done what was for everybody."""
    done = Reminded(person_id=person_id, contact_id=None, state=RemindedState.DONE, ended_at=now)
    _add(tx, [(reminder, done)])


def reword(tx: Tx, reminder: Reminder, text: str) -> None:
    """Store what a reminder that was not sent yet says since its trigger was changed."""
    reminder.text = text
    tx.run("UPDATE reminder SET text = :text WHERE id = :id", {"text": text, "id": reminder.reminder_id})


def undo_done(tx: Tx, reminder: Reminder) -> None:
    """Note that what is for everybody is not done after all."""
    tx.run("DELETE FROM reminded WHERE reminder_id = :id", {"id": reminder.first_id})


def put_back(tx: Tx, first: Reminder, was: Sequence[Reminded], became: Sequence[Reminded]) -> bool:
    """Undo what a change made of those whom a first reminder is for; False where somebody has changed that again."""
    former, latter = ({one.reminded_id: one for one in rows} for rows in (was, became))
    present = {one.reminded_id: one for one in people(tx, first.first_id)}
    changed = [one for one in {**former, **latter} if former.get(one) != latter.get(one)]
    if any(present.get(one) != latter.get(one) for one in changed):
        return False
    for reminded_id in changed:
        one = former.get(reminded_id)
        if one is None:
            tx.run("DELETE FROM reminded WHERE id = :id", {"id": reminded_id})
        elif reminded_id not in present:
            _add(tx, [(first, one)])
        else:
            tx.run(
                "UPDATE reminded SET state = :state, until = :until, ended_at = :ended_at, closer_id = :closer_id"
                " WHERE id = :id",
                {
                    "id": reminded_id,
                    "state": one.state,
                    "until": one.until,
                    "ended_at": one.ended_at,
                    "closer_id": one.closer_id,
                },
            )
    return True


def find(tx: Tx, lane: LaneKey, reminder_id: int) -> Reminder | None:
    """Return a reminder that was posted in the lane's scope; None where there is none, also for one of another
    scope."""
    row = tx.one(
        f"SELECT {_COLUMNS} FROM reminder r WHERE r.id = :id AND r.tenant_id = :tenant_id AND r.scope_id = :scope_id",
        {"id": reminder_id, **lane.params()},
    )
    return None if row is None else _reminder(row)


def by_message(tx: Tx, lane: LaneKey, platform_id: str) -> Reminder | None:
    """Return the reminder that a message of this lane's chat shows, by the platform's id of the message."""
    row = tx.one(
        f"SELECT {_COLUMNS} FROM outbox o JOIN reminder r ON r.message_key = o.whole_key AND o.part = 0"
        " AND r.tenant_id = o.tenant_id AND r.lane_id = o.lane_id WHERE o.platform_id = :platform_id AND r.lane_id IN"
        " (SELECT l.id FROM lane l WHERE l.chat_id = :chat_id) AND r.tenant_id = :tenant_id ORDER BY r.id DESC LIMIT 1",
        {"platform_id": platform_id, **lane.params()},
    )
    return None if row is None else _reminder(row)


def own_words(tx: Tx, lane: LaneKey, reply_to: str, quoted: str) -> str:
    """Return what a quoted message is about: where it shows a reminder, or reads back what was set or put on a list,
    the text of that, without when it comes or what became of it; else what was quoted."""
    posted = by_message(tx, lane, reply_to) if reply_to else None
    texts = _read_back(tx, lane, reply_to) if reply_to and posted is None else [posted.text] if posted else []
    own = ", ".join(texts)
    return own if own and all(text in quoted for text in texts) else quoted


def _read_back(tx: Tx, lane: LaneKey, message_id: str) -> list[str]:
    """Return the text of the one thing scheduled, or those of the items, that the buttons below a message are about or
    take back."""
    keyboard_row = keyboards.by_message(tx, lane, message_id)
    schedules, items = set[int | None](), set[int | None]()
    for order in (decoded(order) for _, order in keyboard_row.offers) if keyboard_row is not None else ():
        about = order.arguments if isinstance(order, Intent) else {}
        scheduled = about.get("schedule")
        if (row := undo.of_scope(tx, lane, number("u", str(about.get("undo"))) or 0)) is not None:
            about = json.loads(row["arguments"])
            scheduled = about.get("schedule_id")
            items.update(number("t", one) for one in about.get("todo_ids", [about.get("todo_id", "")]) if one)
        schedules.update([number("s", str(scheduled))] if scheduled else [])
    if len(schedules) + bool(items) != 1:
        return []
    among = ", ".join(str(one or 0) for one in schedules or items)
    sql = "SELECT text FROM trigger" if schedules else "SELECT content AS text FROM todo"
    sql = f"{sql} WHERE scope_id = :scope_id AND tenant_id = :tenant_id AND id IN ({among}) ORDER BY id"
    return [row["text"] for row in tx.all(sql, lane.params())]


def waiting(tx: Tx, lane: LaneKey, since: Millis, most: int = MOST_WAITING) -> list[Reminder]:
    """Return the reminders that were sent in a lane since an instant and that nobody has answered, the newest first, so
    many at `most`; of each trigger only the last one."""
    rows = tx.all(
        f"SELECT {_COLUMNS} FROM reminder r WHERE r.lane_id = :lane_id AND r.tenant_id = :tenant_id"
        f" AND {_WAITS} AND r.created_at >= :since AND {_SEEN.format('r')} AND NOT EXISTS (SELECT 1"
        f" FROM reminder n WHERE n.lane_id = r.lane_id AND n.id > r.id AND {_SEEN.format('n')}"
        " AND (n.trigger_id = r.trigger_id OR COALESCE(n.root_id, n.id) = COALESCE(r.root_id, r.id)))"
        " AND (r.everybody = 1 OR EXISTS (SELECT 1"
        " FROM reminded d WHERE d.reminder_id = COALESCE(r.root_id, r.id) AND (d.state = 'open'"
        " OR (d.state = 'snoozed' AND d.until <= r.created_at)))) ORDER BY r.id DESC LIMIT :most",
        {"since": since, "most": most, **lane.params()},
    )
    return [_reminder(row) for row in rows]


def meant(tx: Tx, lane: LaneKey, since: Millis) -> list[Reminder]:
    """Return the reminders to which an answer may be that replies to nothing: the bot's last words; else those that
    wait since an instant."""
    return waiting(tx, lane, last_words(tx, lane).at) or waiting(tx, lane, since)


def settled(tx: Tx, lane: LaneKey, person_id: int, since: Millis) -> Reminder | None:
    """Return the reminder of a lane that a person finished or put off last, if that was since an instant."""
    row = tx.one(
        f"SELECT {_COLUMNS} FROM reminder r JOIN reminded d ON d.reminder_id = r.id WHERE r.lane_id = :lane_id"
        " AND r.tenant_id = :tenant_id AND d.person_id = :person_id AND d.state IN ('done', 'snoozed')"
        " AND d.ended_at >= :since ORDER BY d.ended_at DESC, d.id DESC LIMIT 1",
        {"person_id": person_id, "since": since, **lane.params()},
    )
    return None if row is None else _reminder(row)


# Whether a reminder is for somebody: by name, or since it is for everybody.
_MINE = (
    "(r.person_id IS NULL OR r.person_id = {person}) AND (r.everybody = 1 OR EXISTS (SELECT 1 FROM reminded d"
    " LEFT JOIN contact k ON k.id = d.contact_id WHERE d.reminder_id = COALESCE(r.root_id, r.id)"
    " AND COALESCE(d.person_id, k.person_id) = {person}))"
)
_NEWEST = (
    "r.id = (SELECT max(n.id) FROM reminder n WHERE n.lane_id = r.lane_id AND n.state = 'open'"
    f" AND {_SEEN.format('n')})"
)


def newest_for(tx: Tx, lane: LaneKey, person_id: int) -> Reminder | None:
    """Return the newest open reminder that was posted in a lane, if it is for a person or for everybody."""
    row = tx.one(
        f"SELECT {_COLUMNS} FROM reminder r WHERE r.lane_id = :lane_id AND r.tenant_id = :tenant_id"
        f" AND {_NEWEST} AND {_MINE.format(person=':person_id')}",
        {"person_id": person_id, **lane.params()},
    )
    return None if row is None else _reminder(row)


def waits(tx: Tx, tenant_id: int, address: str, chat: str, thread: str) -> bool:
    """Return whether an open reminder for somebody is the bot's last word in a thread, or what the thread began
    with."""
    row = tx.one(
        "SELECT 1 AS found FROM address a JOIN chat h ON h.tenant_id = a.tenant_id AND h.external_id = :chat"
        " JOIN lane l ON l.chat_id = h.id JOIN reminder r ON r.lane_id = l.id AND r.tenant_id = a.tenant_id"
        " WHERE a.tenant_id = :tenant_id AND a.external_id = :address AND r.state = 'open'"
        f" AND {_MINE.format(person='a.person_id')} AND ((l.thread = :thread AND {_NEWEST} AND r.created_at >="
        f" COALESCE((SELECT max(m.created_at) FROM message m WHERE m.lane_id = l.id AND {SAID}), 0))"
        " OR EXISTS (SELECT 1 FROM outbox o WHERE o.tenant_id = r.tenant_id AND o.lane_id = r.lane_id"
        " AND o.message_key = r.message_key || ':0' AND o.platform_id = :thread)) LIMIT 1",
        {"tenant_id": tenant_id, "address": address, "chat": chat, "thread": thread},
    )
    return row is not None


def others_got_it(tx: Tx, reminder: Reminder) -> bool:
    """Return whether the same reminder was posted to others, each by themselves, and not refused."""
    row = tx.one(
        "SELECT 1 AS found FROM reminder f JOIN reminder r ON r.trigger_id = f.trigger_id AND r.due_at = f.due_at"
        " WHERE f.id = :id AND r.id <> f.id AND r.root_id IS NULL AND r.state <> 'unseen' LIMIT 1",
        {"id": reminder.first_id},
    )
    return row is not None


def by_key(tx: Tx, tenant_id: int, message_key: str) -> Reminder | None:
    """Return the reminder with this key of the outbox."""
    row = tx.one(
        f"SELECT {_COLUMNS} FROM reminder r WHERE r.tenant_id = :tenant_id AND r.message_key = :key",
        {"tenant_id": tenant_id, "key": message_key},
    )
    return None if row is None else _reminder(row)


def open_of(tx: Tx, trigger_id: int, state: ReminderState = ReminderState.OPEN) -> list[Reminder]:
    """Return the first reminders of a trigger that nobody has finished, or those in another `state`."""
    rows = tx.all(
        f"SELECT {_COLUMNS} FROM reminder r WHERE r.trigger_id = :id AND r.root_id IS NULL AND r.state = :state"
        " ORDER BY r.id",
        {"id": trigger_id, "state": state.value},
    )
    return [_reminder(row) for row in rows]


def chain(tx: Tx, first_id: int) -> list[Reminder]:
    """Return a first reminder and all that brought it again, in order."""
    rows = tx.all(
        f"SELECT {_COLUMNS} FROM reminder r WHERE r.id = :id OR r.root_id = :id ORDER BY r.id", {"id": first_id}
    )
    return [_reminder(row) for row in rows]


def sent_at(tx: Tx, first_id: int, now: Millis) -> Millis:
    """Return when a first reminder, or what brought it again, was sent last; `now` while one of them still waits."""
    row = tx.one(
        "SELECT max(COALESCE(o.ended_at, :now)) AS at FROM reminder r JOIN outbox o ON o.tenant_id = r.tenant_id"
        " AND o.message_key = r.message_key || ':0' AND o.state <> 'dead' WHERE r.id = :id OR r.root_id = :id",
        {"id": first_id, "now": now},
    )
    return 0 if row is None else int(row["at"] or 0)


def people(tx: Tx, first_id: int) -> list[Reminded]:
    """Return whom a first reminder is for, in the order they were named; nobody when it is for everybody."""
    rows = tx.all(
        "SELECT id, person_id, contact_id, state, until, ended_at, closer_id FROM reminded WHERE reminder_id = :id"
        " ORDER BY id",
        {"id": first_id},
    )
    return [
        Reminded(
            reminded_id=row["id"],
            person_id=row["person_id"],
            contact_id=row["contact_id"],
            state=RemindedState(row["state"]),
            until=row["until"],
            ended_at=row["ended_at"],
            closer_id=row["closer_id"],
        )
        for row in rows
    ]


def close(tx: Tx, reminded_id: int, closer_id: int, now: Millis) -> bool:
    """Note that somebody has done it, as a person says; False when that was known already."""
    return bool(
        tx.run(
            "UPDATE reminded SET state = 'done', until = NULL, ended_at = :now, closer_id = :closer_id WHERE id = :id"
            " AND state <> 'done'",
            {"id": reminded_id, "closer_id": closer_id, "now": now},
        )
    )


def reopen_for(tx: Tx, reminded_id: int, now: Millis, until: Millis | None = None) -> None:
    """Note that somebody has put it off `until` an instant; without one, that it waits for them again."""
    state = RemindedState.OPEN if until is None else RemindedState.SNOOZED
    tx.run(
        "UPDATE reminded SET state = :state, until = :until, ended_at = :now, closer_id = NULL WHERE id = :id",
        {"id": reminded_id, "state": state, "until": until, "now": now},
    )


def end(tx: Tx, reminder_id: int, state: str, now: Millis) -> bool:
    """End a reminder; False when it had ended like that before."""
    return bool(
        tx.run(
            "UPDATE reminder SET state = :state, ended_at = :now WHERE id = :id AND state <> 'done'"
            " AND state <> :state",
            {"id": reminder_id, "state": state, "now": now},
        )
    )


def reopen(tx: Tx, first_id: int) -> None:
    """Open a first reminder, and all that brought it again, after it had ended."""
    tx.run(
        "UPDATE reminder SET state = 'open', ended_at = NULL WHERE (id = :id OR root_id = :id) AND state <> 'open'",
        {"id": first_id},
    )


def _reminder(row: Row) -> Reminder:
    return Reminder(
        lane=LaneKey.of(row),
        reminder_id=row["id"],
        trigger_id=row["trigger_id"],
        root_id=row["root_id"],
        person_id=row["person_id"],
        asker_id=row["asker_id"],
        asker_lane_id=row["asker_lane_id"],
        message_key=row["message_key"],
        state=ReminderState(row["state"]),
        everybody=bool(row["everybody"]),
        text=row["text"],
        due_at=row["due_at"],
        created_at=row["created_at"],
        ended_at=row["ended_at"],
    )

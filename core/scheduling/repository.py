"""Trigger rows: active(next_at, epoch) → active(next) | done | paused(reason) | cancelled (STATES: Trigger)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from core.kernel.ports import Row, Tx
from core.kernel.timing.schedule import load as load_schedule
from core.kernel.timing.schedule import next_after
from core.kernel.timing.trigger import Trigger, TriggerState
from core.kernel.types import LaneKey, Millis
from core.store.bulk import values
from core.store.conversation import given_up, inbox, outbox
from core.store.conversation.outbox import DeadFor, OutboxState, Post, Source, SourceKind
from core.store.people import people
from core.store.people.people import PARTICIPANT_COLUMNS, Participant, inserted, participant_of


class Deliver(StrEnum):
    """What happens when a trigger is due."""

    # A reminder is sent.
    MESSAGE = "message"
    # A Planner works on its text.
    TASK = "task"
    # What is on today is told.
    BRIEF = "brief"
    # Its text is said as it stands.
    NOTE = "note"
    # Its text is put on a list.
    ITEM = "item"
    # What was said in its group is summed up there.
    SUMMARY = "summary"


# The column `deliver` has a check that knows these only: all others stand in the column `does`.
_CHECKED = (Deliver.MESSAGE, Deliver.TASK, Deliver.BRIEF, Deliver.NOTE)


class TriggerKind(StrEnum):
    """How often a trigger is due."""

    # At one instant.
    ONCE = "once"
    # Each so many seconds.
    INTERVAL = "interval"
    # By a rule of the calendar.
    RULE = "rule"


@dataclass(frozen=True, slots=True, kw_only=True)
class Addressee:
    """Whom a trigger reminds, as its scope knows them; `person_id` once they have written to the bot."""

    person_id: int | None
    nickname: str
    address: str

    @property
    def name(self) -> str:
        """Return what they are called, as it was written: hostile."""
        return self.nickname or self.address


# Why a trigger is paused: somebody wants that, or it failed. Reasons of ours are in core.scheduling.firing.
WISH, ERROR = "wish", "error"
# In the order of the fields of `Trigger`.
_COLUMNS = (
    "tenant_id, scope_id, chat_id, lane_id, person_id,"
    " CASE WHEN does = '' THEN deliver ELSE does END AS deliver, kind, spec, text,"
    " COALESCE(next_at, 0) AS at, link, late,"
    " depth, made_by, reminder_id, round, id, state, reason, epoch, last_at, fired_at, created_at, follows,"
    " everybody, until_done, watches, silent, tainted, todo_list, timeout_s, cooldown_s, trace_id"
)
_WOKEN_BY_IT = f"update_key LIKE '{inbox.DUE}' || trigger.id || ':%'"


def key_of(trigger: Trigger) -> str:
    """Return the key of what comes of a trigger this time."""
    return f"{inbox.DUE}{trigger.trigger_id}:{trigger.epoch}"


def source_of(trigger: Trigger) -> Source:
    """Return the source of the messages that come of a trigger this time."""
    return Source(SourceKind.TRIGGER, trigger.trigger_id, trigger.epoch)


def insert(tx: Tx, trigger: Trigger, now: Millis, contacts: Sequence[int] = ()) -> int:
    """Store a new trigger, active at once; `contacts` are whom it reminds, nobody when that is who made it."""
    found = inserted(
        tx.one(
            "INSERT INTO trigger (tenant_id, scope_id, chat_id, lane_id, person_id, state, deliver, kind, spec,"
            " follows, text, link, late, everybody, until_done, depth, made_by, reminder_id, round, next_at, todo_list,"
            " watches, silent, timeout_s, cooldown_s, trace_id, tainted, does, created_at)"
            " VALUES (:tenant_id, :scope_id, :chat_id, :lane_id, :person_id, 'active', :deliver,"
            " :kind, :spec, :follows, :text, :link, :late, :everybody, :until_done, :depth, :made_by, :reminder_id,"
            " :round, :next_at, :todo_list, :watches, :silent, :timeout_s, :cooldown_s, :trace_id, :tainted, :does,"
            " :now) RETURNING id",
            {
                **trigger.lane.params(),
                "person_id": trigger.person_id,
                "deliver": trigger.deliver if trigger.deliver in _CHECKED else Deliver.BRIEF,
                "does": "" if trigger.deliver in _CHECKED else trigger.deliver,
                "todo_list": trigger.todo_list,
                "kind": TriggerKind.ONCE if trigger.watches else trigger.kind,
                "spec": trigger.spec,
                "follows": int(trigger.follows),
                "text": trigger.text,
                "link": trigger.link,
                "late": trigger.late,
                "everybody": int(trigger.everybody),
                "until_done": int(trigger.until_done),
                "depth": trigger.depth,
                "made_by": trigger.made_by,
                "reminder_id": trigger.reminder_id,
                "round": trigger.round,
                "next_at": trigger.next_at,
                "watches": int(trigger.watches),
                "silent": int(trigger.silent),
                "timeout_s": trigger.timeout_s,
                "cooldown_s": trigger.cooldown_s,
                "trace_id": trigger.trace_id,
                "tainted": int(trigger.tainted),
                "now": now,
            },
        )
    )
    for contact_id in contacts:
        tx.run(
            "INSERT INTO addressee (tenant_id, scope_id, trigger_id, contact_id)"
            " VALUES (:tenant_id, :scope_id, :trigger_id, :contact_id) ON CONFLICT DO NOTHING",
            {**trigger.lane.params(), "trigger_id": found, "contact_id": contact_id},
        )
    return found


def select(tx: Tx, where: str, params: dict[str, Any]) -> list[Trigger]:
    """Return the triggers of which a condition of SQL is true, the oldest first."""
    return [_trigger(row) for row in tx.all(f"SELECT {_COLUMNS} FROM trigger WHERE {where} ORDER BY id", params)]


def find(tx: Tx, lane: LaneKey, trigger_id: int) -> Trigger | None:
    """Return a trigger of the lane's scope, in any state; None where there is none, also for one of another scope."""
    where = "id = :id AND tenant_id = :tenant_id AND scope_id = :scope_id"
    row = tx.one(f"SELECT {_COLUMNS} FROM trigger WHERE {where}", {"id": trigger_id, **lane.params()})
    return None if row is None else _trigger(row)


def load(tx: Tx, tenant_id: int, trigger_id: int) -> Trigger | None:
    """Return a trigger of the tenant, in any scope: for what came of it in another chat."""
    found = select(tx, "id = :id AND tenant_id = :tenant_id", {"id": trigger_id, "tenant_id": tenant_id})
    return next(iter(found), None)


def of_post(tx: Tx, post: Post) -> Trigger | None:
    """Return the trigger that a message is due for, also as an answer of the run that it woke, or that told what came
    of its task; None where it is due for none."""
    number, run_id = post.due_of(), post.source.run()
    if number is not None or run_id is None or post.replaces:
        return None if number is None else load(tx, post.lane.tenant_id, number)
    here = "lane_id = :lane_id AND tenant_id = :tenant_id"
    its = f"({_WOKEN_BY_IT} OR task_id IN (SELECT k.id FROM task k WHERE k.trigger_id = trigger.id AND k.{here}))"
    woken = f"SELECT 1 FROM inbox WHERE {here} AND platform_id = '' AND run_id = :run_id AND {its}"
    return next(iter(select(tx, f"{here} AND EXISTS ({woken})", {"run_id": run_id, **post.lane.params()})), None)


def was_refused_before(tx: Tx, trigger: Trigger, post: Post) -> bool:
    """Return whether the platform refused what came of a trigger's work the last time before this message, too."""
    said = tx.one(
        "SELECT o.state, o.dead_for FROM outbox o JOIN inbox i ON i.run_id = o.source_id"
        " JOIN task k ON k.id = i.task_id WHERE o.source_kind = 'run' AND o.replaces_id IS NULL"
        " AND o.id < :id AND o.source_id <> :run_id"
        " AND o.lane_id = :lane_id AND o.tenant_id = :tenant_id AND k.trigger_id = :trigger_id"
        " ORDER BY o.id DESC LIMIT 1",
        {
            "id": post.outbox_id,
            "run_id": post.source.run() or 0,
            "trigger_id": trigger.trigger_id,
            **trigger.lane.params(),
        },
    )
    return said is not None and (said["state"], said["dead_for"]) == (OutboxState.DEAD, DeadFor.FAULT)


def was_cancelled(tx: Tx, lane: LaneKey, inbox_id: int) -> bool:
    """Return whether a row of the inbox is what a trigger was due for that has been cancelled since."""
    due = f"EXISTS (SELECT 1 FROM inbox WHERE inbox.id = :id AND {_WOKEN_BY_IT})"
    sql = f"tenant_id = :tenant_id AND scope_id = :scope_id AND state = 'cancelled' AND {due}"
    return bool(select(tx, sql, {"id": inbox_id, **lane.params()}))


def of_scope(tx: Tx, lane: LaneKey) -> list[Trigger]:
    """Return what people see as scheduled in the lane's scope: active or paused, the next one first.

    Left out are triggers that repeat a reminder by themselves, notices, and what was put off until its own series comes
    anyway.
    """
    rows = tx.all(
        f"SELECT {_COLUMNS} FROM trigger WHERE scope_id = :scope_id AND tenant_id = :tenant_id AND ended_at IS NULL"
        " AND round = 0 AND deliver <> 'note' ORDER BY state, next_at, id",
        lane.params(),
    )
    found = [_trigger(row) for row in rows]
    series = {one.trigger_id: one for one in found}
    of = {
        row["id"]: series.get(row["trigger_id"])
        for row in tx.many(
            "SELECT r.id, r.trigger_id FROM (VALUES :rows) AS v JOIN reminder r ON r.id = v.column1",
            [(one.reminder_id,) for one in found if one.reminder_id is not None],
        )
    }
    return [one for one in found if (made := of.get(one.reminder_id)) is None or not comes_with(one, made)]


def comes_with(put_off: Trigger, series: Trigger) -> bool:
    """Return whether something was put off until a time at which its series comes anyway: then only that is shown."""
    if series.kind == TriggerKind.ONCE or series.state != TriggerState.ACTIVE:
        return False
    return next_after(load_schedule(series.spec), max(put_off.next_at, series.next_at) - 1) == put_off.next_at


def put_off_of(tx: Tx, trigger: Trigger) -> list[Trigger]:
    """Return the triggers by which people put off reminders of this trigger, in any chat."""
    where = "reminder_id IN (SELECT id FROM reminder WHERE trigger_id = :id) AND round = 0 AND ended_at IS NULL"
    return select(tx, where, {"id": trigger.trigger_id})


def repeats_ended_with(tx: Tx, trigger: Trigger) -> list[Trigger]:
    """Return what repeated a trigger's reminders until that was cancelled."""
    ended = "ended_at = (SELECT t.ended_at FROM trigger t WHERE t.id = :id AND t.state = 'cancelled')"
    its = "reminder_id IN (SELECT id FROM reminder WHERE trigger_id = :id)"
    return select(tx, f"round > 0 AND state = 'cancelled' AND {its} AND {ended}", {"id": trigger.trigger_id})


def is_of_todo(tx: Tx, trigger: Trigger) -> bool:
    """Return whether a to-do has this trigger, to be reminded of: it comes once, and says what is to be done."""
    row = tx.one(
        "SELECT 1 AS found FROM todo WHERE tenant_id = :tenant_id AND trigger_id = :trigger_id",
        {"tenant_id": trigger.lane.tenant_id, "trigger_id": trigger.trigger_id},
    )
    return row is not None


def contacts(tx: Tx, trigger_id: int) -> list[int]:
    """Return the ids of the contacts whom a trigger reminds, in their order; none when it reminds whoever made it."""
    return contacts_of(tx, [trigger_id]).get(trigger_id, [])


def contacts_of(tx: Tx, trigger_ids: Sequence[int]) -> dict[int, list[int]]:
    """Return the contacts whom triggers remind, by the trigger's number; none for those that remind their makers."""
    found: dict[int, list[int]] = {}
    for row in tx.many(
        "SELECT e.trigger_id, e.contact_id FROM (VALUES :rows) AS v JOIN addressee e ON e.trigger_id = v.column1"
        " ORDER BY e.trigger_id, e.contact_id",
        [(trigger_id,) for trigger_id in trigger_ids],
    ):
        found.setdefault(row["trigger_id"], []).append(row["contact_id"])
    return found


def addressees(tx: Tx, trigger_ids: Sequence[int]) -> dict[int, list[Addressee]]:
    """Return whom triggers remind, by the trigger's number; those that remind who made them are left out."""
    found: dict[int, list[Addressee]] = {}
    for row in tx.many(
        "SELECT e.trigger_id, c.id, c.person_id, c.nickname, (SELECT x.external_id FROM contact_address x"
        " WHERE x.contact_id = c.id ORDER BY CASE WHEN x.external_id LIKE '%:@%' THEN 1 ELSE 0 END, x.external_id"
        " LIMIT 1) AS address FROM (VALUES :rows) AS v JOIN addressee e ON e.trigger_id = v.column1"
        " JOIN contact c ON c.id = e.contact_id AND c.tenant_id = e.tenant_id AND c.scope_id = e.scope_id"
        " ORDER BY e.trigger_id, c.id",
        [(trigger_id,) for trigger_id in trigger_ids],
    ):
        addressee = Addressee(person_id=row["person_id"], nickname=row["nickname"], address=row["address"] or "")
        found.setdefault(row["trigger_id"], []).append(addressee)
    return found


def participants(tx: Tx, found: Sequence[Trigger]) -> dict[int, Participant]:
    """Return who made each of the triggers, and where, by the trigger's number."""
    rows = tx.many(
        f"SELECT {PARTICIPANT_COLUMNS}, g.id AS trigger_id FROM (VALUES :rows) AS v JOIN trigger g ON g.id = v.column1"
        " JOIN lane l ON l.id = g.lane_id AND l.tenant_id = g.tenant_id AND l.scope_id = g.scope_id"
        " JOIN chat c ON c.id = l.chat_id JOIN tenant t ON t.id = l.tenant_id"
        " JOIN person p ON p.id = g.person_id AND p.tenant_id = g.tenant_id"
        " JOIN address a ON a.person_id = p.id AND a.tenant_id = p.tenant_id",
        [(one.trigger_id,) for one in found],
    )
    return {row["trigger_id"]: participant_of(row) for row in rows}


def open_of(tx: Tx, lane: LaneKey, person_id: int) -> tuple[int, int]:
    """Return how many triggers have not ended: in the scope, and of the person in the whole tenant.

    Notices and repeats do not count: nobody could cancel them.
    """
    counted = "ended_at IS NULL AND reminder_id IS NULL AND deliver <> 'note'"
    row = tx.one(
        f"SELECT (SELECT count(*) FROM trigger WHERE scope_id = :scope_id AND {counted}) AS scope,"
        " (SELECT count(*) FROM trigger WHERE person_id = :person_id AND tenant_id = :tenant_id"
        f" AND {counted}) AS person",
        {"person_id": person_id, **lane.params()},
    )
    assert row is not None
    return int(row["scope"]), int(row["person"])


def made_since(tx: Tx, lane: LaneKey, person_id: int, since: Millis, now: Millis, made_by: Sequence[str]) -> int:
    """Return how many triggers these roles made for a person after `since`, and not later than `now`."""
    roles = {f"role_{n}": role for n, role in enumerate(made_by)}
    among = ", ".join(f":{name}" for name in roles)
    row = tx.one(
        "SELECT count(*) AS n FROM trigger WHERE person_id = :person_id AND tenant_id = :tenant_id"
        f" AND created_at > :since AND created_at <= :now AND made_by IN ({among})",
        {"person_id": person_id, "since": since, "now": now, **roles, **lane.params()},
    )
    return 0 if row is None else int(row["n"])


def due(
    tx: Tx, now: Millis, limit: int, elsewhere: Sequence[int] = (), left_alone: Sequence[int] = ()
) -> list[Trigger]:
    """Return triggers that are due, the longest overdue first; not those of tenants that are served `elsewhere`, nor
    those that are `left_alone`."""
    left_out = f" AND tenant_id NOT IN ({', '.join(map(str, elsewhere))})" if elsewhere else ""
    left_out += f" AND id NOT IN ({', '.join(map(str, left_alone))})" if left_alone else ""
    rows = tx.all(
        f"SELECT {_COLUMNS} FROM trigger WHERE state = 'active' AND next_at <= :now{left_out}"
        " ORDER BY next_at, id LIMIT :limit",
        {"now": now, "limit": limit},
    )
    return [_trigger(row) for row in rows]


def next_due(
    tx: Tx, elsewhere: Sequence[int] = (), left_alone: Sequence[int] = (), *, after: Millis = 0
) -> Millis | None:
    """Return when the next active trigger is due `after` an instant, or None; without the same ones."""
    left_out = f" AND tenant_id NOT IN ({', '.join(map(str, elsewhere))})" if elsewhere else ""
    left_out += f" AND id NOT IN ({', '.join(map(str, left_alone))})" if left_alone else ""
    sql = f"SELECT min(next_at) AS at FROM trigger WHERE state = 'active' AND next_at > :after{left_out}"
    row = tx.one(sql, {"after": after})
    return None if row is None else row["at"]


def fire(tx: Tx, due: Sequence[tuple[Trigger, Millis | None]], now: Millis) -> set[int]:
    """Note that triggers were fired: each moves on to the time beside it, or is done without one.

    Return the numbers of those that still were due: others changed meanwhile.
    """
    rows = tx.many(
        "UPDATE trigger SET epoch = trigger.epoch + 1, last_at = trigger.next_at, fired_at = v.column5,"
        " next_at = CAST(v.column4 AS bigint), state = CASE WHEN v.column4 IS NULL THEN 'done' ELSE 'active' END,"
        " ended_at = CASE WHEN v.column4 IS NULL THEN v.column5 END FROM (VALUES :rows) AS v"
        " WHERE trigger.id = v.column1 AND trigger.epoch = v.column2 AND trigger.next_at = v.column3"
        " AND trigger.state = 'active' RETURNING trigger.id",
        [(one.trigger_id, one.epoch, one.next_at, next_at, now) for one, next_at in due],
    )
    return {row["id"] for row in rows}


def came_true(tx: Tx, trigger: Trigger, now: Millis) -> bool:
    """Note that a trigger was fired since its condition came true; False when it changed meanwhile."""
    return bool(
        tx.run(
            "UPDATE trigger SET epoch = epoch + 1, fired_at = :now WHERE id = :id AND epoch = :epoch"
            " AND state = 'active' AND watches = 1",
            {"id": trigger.trigger_id, "epoch": trigger.epoch, "now": now},
        )
    )


def from_the_future(tx: Tx, now: Millis) -> list[Trigger]:
    """Return triggers that were fired at a time that is still to come: the wall clock was set back since."""
    where = "state = 'active' AND ended_at IS NULL AND fired_at IS NOT NULL AND fired_at > :now"
    return select(tx, where, {"now": now})


def move(
    tx: Tx,
    trigger_id: int,
    next_at: Millis,
    *,
    spec: str | None = None,
    kind: str | None = None,
    text: str | None = None,
    now: Millis | None = None,
) -> None:
    """Set when a trigger is due next. `spec`, `kind` and `text` are given if they change, too, and `now` if the trigger
    counts as fired then."""
    tx.run(
        "UPDATE trigger SET next_at = :next_at, spec = COALESCE(:spec, spec), kind = COALESCE(:kind, kind),"
        " text = COALESCE(:text, text), fired_at = COALESCE(:now, fired_at) WHERE id = :id AND ended_at IS NULL",
        {"id": trigger_id, "next_at": next_at, "spec": spec, "kind": kind, "text": text, "now": now},
    )


def place(tx: Tx, trigger_id: int, lane: LaneKey, *, follows: bool) -> None:
    """Move a trigger to another chat of its tenant; `follows` when it goes by the zone of that chat."""
    tx.run(
        "UPDATE trigger SET scope_id = :scope_id, chat_id = :chat_id, lane_id = :lane_id, follows = :follows"
        " WHERE id = :id AND tenant_id = :tenant_id",
        {"id": trigger_id, "follows": int(follows), **lane.params()},
    )


def end(tx: Tx, trigger_id: int, state: str, now: Millis, reason: str = "") -> bool:
    """End a trigger as `cancelled` or `done`, with the repeats of what it posted; False when that changes nothing.

    A message of it that waits is not sent any more. While one waits, a trigger that is `done` can be cancelled, too.
    """
    waits = outbox.withdraw(tx, trigger_id, now)
    over = "ended_at IS NULL OR state = 'done'" if waits else "ended_at IS NULL"
    params = {"id": trigger_id, "state": state, "reason": reason, "now": now}
    repeats = tx.run(
        "UPDATE trigger SET state = 'cancelled', ended_at = :now WHERE ended_at IS NULL AND round > 0"
        " AND reminder_id IN (SELECT id FROM reminder WHERE trigger_id = :id)",
        params,
    )
    ended = tx.run(
        f"UPDATE trigger SET state = :state, reason = :reason, ended_at = :now WHERE id = :id AND ({over})", params
    )
    return bool(repeats + ended)


def revive(tx: Tx, trigger_id: int, next_at: Millis) -> bool:
    """Make a cancelled trigger active again. What was due when it ended is sent, or made anew. False when the trigger
    is not cancelled."""
    given_up.restore(tx, trigger_id)
    # It is made anew by firing at the former time, which leaves it out if that is too late.
    due = "COALESCE(last_at, :next_at)" if given_up.is_unsaid(tx, trigger_id) else ":next_at"
    sql = (
        f"UPDATE trigger SET state = 'active', reason = '', ended_at = NULL, next_at = {due}"
        " WHERE id = :id AND state = 'cancelled'"
    )
    return bool(tx.run(sql, {"id": trigger_id, "next_at": next_at}))


def send_after_all(tx: Tx, trigger_id: int) -> bool:
    """Send the message of a trigger that comes once and was cancelled while the message waited; the trigger is done as
    before. False when no message waits."""
    sql = "UPDATE trigger SET state = 'done', reason = '' WHERE id = :id AND state = 'cancelled'"
    return given_up.restore(tx, trigger_id) and bool(tx.run(sql, {"id": trigger_id}))


def to_come(tx: Tx, lane: LaneKey, now: Millis) -> list[Trigger]:
    """Return the active triggers of a chat that are due after `now`, also notices and repeats."""
    where = "tenant_id = :tenant_id AND scope_id = :scope_id AND chat_id = :chat_id AND ended_at IS NULL"
    return select(tx, f"{where} AND state = 'active' AND next_at > :now", {"now": now, **lane.params()})


def holds(tx: Tx, lane: LaneKey, key: str) -> bool:
    """Return whether a notice with this key is held back in the lane's scope."""
    row = tx.one(
        "SELECT 1 AS found FROM trigger WHERE scope_id = :scope_id AND tenant_id = :tenant_id AND ended_at IS NULL"
        " AND deliver = 'note' AND link = :key LIMIT 1",
        {"key": key, **lane.params()},
    )
    return row is not None


def noted(tx: Tx, lane: LaneKey, key: str) -> Trigger | None:
    """Return the notice of a lane that had this key, also when it was said; None where there is none any more."""
    where = "lane_id = :lane_id AND tenant_id = :tenant_id AND deliver = 'note' AND link = :key"
    return next(iter(select(tx, where, {"key": key, **lane.params()})), None)


def bringing_again(tx: Tx, reminder_id: int, ended_at: Millis | None = None) -> list[Trigger]:
    """Return the open triggers that bring a reminder again: a repeat, or what somebody put it off by. With `ended_at`
    those that were cancelled then."""
    ended = "ended_at IS NULL" if ended_at is None else "ended_at = :ended_at AND state = 'cancelled'"
    return select(tx, f"reminder_id = :id AND {ended}", {"id": reminder_id, "ended_at": ended_at})


def made_elsewhere(tx: Tx, lane: LaneKey, person_id: int) -> list[Trigger]:
    """Return the open triggers that a person made in other scopes of the tenant: only they may see these."""
    return select(
        tx,
        "person_id = :person_id AND tenant_id = :tenant_id AND scope_id <> :scope_id AND ended_at IS NULL"
        " AND reminder_id IS NULL AND deliver <> 'note'",
        {"person_id": person_id, **lane.params()},
    )


def asked_in(tx: Tx, trigger: Trigger) -> LaneKey:
    """Return the lane in which somebody asked for a trigger: its own, but for a repeat that of the reminder's asker."""
    found = None
    if trigger.round:
        sql = "SELECT asker_lane_id FROM reminder WHERE id = :id"
        row = tx.one(sql, {"id": trigger.reminder_id})
        found = None if row is None else people.lane(tx, trigger.lane.tenant_id, row["asker_lane_id"])
    return found or trigger.lane


def failed(tx: Tx, lane: LaneKey, trigger_id: int) -> Trigger | None:
    """Return a trigger, also a notice or a repeat, if it is paused for an error and was asked for in the lane's
    scope."""
    trigger = load(tx, lane.tenant_id, trigger_id)
    if trigger is None or (trigger.state, trigger.reason) != (TriggerState.PAUSED, ERROR):
        return None
    return trigger if asked_in(tx, trigger).scope_id == lane.scope_id else None


def following(tx: Tx, lane: LaneKey) -> list[Trigger]:
    """Return the open triggers whose times follow the zone of the scope."""
    where = "scope_id = :scope_id AND tenant_id = :tenant_id AND ended_at IS NULL AND follows = 1"
    return select(tx, where, lane.params())


def leave(tx: Tx, tenant_id: int, address: str, chat: str, now: Millis) -> list[Trigger]:
    """End the reminders and the work that somebody set for themselves in a group that they have left; return them.

    Triggers that are for everybody, or for others, go on.
    """
    theirs = (
        "person_id = (SELECT person_id FROM address WHERE tenant_id = :tenant_id AND external_id = :address)"
        " AND chat_id = (SELECT id FROM chat WHERE tenant_id = :tenant_id AND external_id = :chat AND kind = 'group')"
        " AND ended_at IS NULL AND everybody = 0"
        " AND NOT EXISTS (SELECT 1 FROM addressee a WHERE a.trigger_id = trigger.id)"
        " AND NOT EXISTS (SELECT 1 FROM reminder r WHERE r.id = trigger.reminder_id AND r.everybody = 1)"
        " AND NOT EXISTS (SELECT 1 FROM reminded d WHERE d.reminder_id = trigger.reminder_id"
        " AND COALESCE(d.person_id, 0) <> trigger.person_id)"
    )
    values = {"tenant_id": tenant_id, "address": address, "chat": chat, "now": now}
    theirs += " AND deliver IN ('message', 'task')"
    ended = select(tx, theirs, values)
    tx.run(f"UPDATE trigger SET state = 'cancelled', reason = 'left', ended_at = :now WHERE {theirs}", values)
    return ended


def of_what_others_asked(tx: Tx, found: Sequence[Trigger]) -> set[int]:
    """Return the numbers of those triggers that bring again a reminder for which somebody else had asked."""
    rows = tx.many(
        "SELECT v.column1 AS id FROM (VALUES :rows) AS v JOIN reminder r ON r.id = v.column2"
        " WHERE r.asker_id <> v.column3",
        [(one.trigger_id, one.reminder_id, one.person_id) for one in found if one.reminder_id is not None],
    )
    return {row["id"] for row in rows}


def _trigger(row: Row) -> Trigger:
    tenant_id, scope_id, chat_id, lane_id, *fields = values(row)
    fields[-10:-4] = map(bool, fields[-10:-4])
    trigger = Trigger(LaneKey(tenant_id=tenant_id, scope_id=scope_id, chat_id=chat_id, lane_id=lane_id), *fields)
    trigger.state = TriggerState(trigger.state)
    return trigger

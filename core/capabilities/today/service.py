"""What is on today for one person: in a scope, and in the other chats that their private chat shows, too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from zoneinfo import ZoneInfo

from core.capabilities.calendars import repository as calendars
from core.capabilities.calendars.models import Event
from core.capabilities.todos import repository as todos
from core.capabilities.todos.other_chats import of_groups, of_linked
from core.capabilities.todos.repository import Todo
from core.capabilities.todos.views import rank
from core.kernel.access import Access
from core.kernel.ports import Tx
from core.kernel.secret_words import without_sealed
from core.kernel.timing.schedule import Interval, Rule, last_before, load, next_after
from core.kernel.timing.trigger import TriggerState
from core.kernel.timing.zones import day_of
from core.kernel.types import LaneKey, Millis
from core.scheduling import repository as triggers
from core.scheduling.repository import Addressee, Deliver
from core.store.conversation import questions
from core.store.people import people
from core.store.people.groups import Group
from core.store.people.links import Linked
from core.toolkit.other_chats import HERE, NO_OTHERS, OtherChats, Source

# From the first instant to before the last.
Span = tuple[Millis, Millis]
# What comes more often on a day than people read does not name all its times.
MOST_TIMES = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """A reminder to come today, at these times; of more than `MOST_TIMES` the first ones, and the last.

    `who` are the names of others whom it is for, of `everybody` none. An `item` only comes on a list then. What is
    `tainted` has words of others.
    """

    text: str
    times: tuple[Millis, ...]
    source: Source = HERE
    who: tuple[str, ...] = ()
    everybody: bool = False
    item: bool = False
    tainted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Today:
    """What is overdue or due today, what reminds today, which questions wait for the person, and what is being worked
    on for them; and what stands in calendars, which others write. `now` is when that was so. With an instant of another
    day, `at`, what is due and what reminds then."""

    now: Millis
    zone: ZoneInfo
    todos: tuple[tuple[Source, Todo], ...] = ()
    reminders: tuple[Due, ...] = ()
    questions: tuple[str, ...] = ()
    running: tuple[str, ...] = ()
    events: tuple[tuple[Source, Event], ...] = ()
    at: Millis | None = None

    @property
    def foreign(self) -> bool:
        """Return whether it has words of others; what stands in a calendar may be of anybody."""
        noted = (*(todo.tainted for _, todo in self.todos), *(one.tainted for one in self.reminders))
        return bool(self.events) or any(noted)


def gather(
    tx: Tx,
    access: Access,
    lane: LaneKey,
    person_id: int,
    zone: ZoneInfo,
    now: Millis,
    *,
    others: OtherChats = NO_OTHERS,
    run_id: int | None = None,
    at: Millis | None = None,
    alone: bool = False,
) -> Today:
    """Look at a lane's scope for somebody, and at what is theirs in these `others`; not at their run `run_id`. Of
    another day, in which the instant `at` lies, only what is due and what reminds then. In a group all see it, unless
    they `alone` do: then also what they were asked for their eyes alone."""
    day, begin, end = day_of(zone, now if at is None else at)
    span = (0 if at is None else begin, end)
    own = [(HERE, todo) for todo in todos.open_of(tx, lane)]
    theirs = [*of_groups(tx, lane.tenant_id, person_id, others.groups), *of_linked(tx, others.linked)]
    # Of another day what is due on it, of today what is overdue, too.
    since = "" if at is None else day
    due = [
        (source, todo)
        for source, todo in (*own, *theirs)
        if (span[0] <= todo.due_at < end if todo.due_at is not None else todo.due_on and since <= todo.due_on <= day)
    ]
    noted = {todo.trigger_id for _, todo in due}
    if at is None:
        # While an item that comes again is still open, no other one comes.
        noted |= {todo.series_id for _, todo in (*own, *theirs)}
    row = tx.one("SELECT kind FROM chat WHERE id = :chat_id AND tenant_id = :tenant_id", lane.params())
    group = row is not None and row["kind"] == "group"
    reminding = _reminders(tx, lane, span, noted, group=group)
    for other in others.groups:
        reminding += _reminders_of(tx, lane.tenant_id, other, person_id, span, noted)
    for linked in others.linked:
        reminding += _reminders_beyond(tx, linked, span, noted)
    asked = questions.open_in_scope(tx, lane, person_id) if at is None else ()
    openly = group and not alone
    return Today(
        events=tuple(events(tx, access, lane, (begin, end), zone, others)),
        now=now,
        zone=zone,
        todos=tuple(sorted(due, key=lambda one: rank(one[1], zone))),
        reminders=tuple(sorted(reminding, key=lambda one: one.times)),
        questions=tuple(one.text for one in asked if not (openly and questions.response_url(tx, one))),
        running=() if at is not None else tuple(_running(tx, lane, person_id, run_id, openly=openly)),
        at=at,
    )


def events(
    tx: Tx, access: Access, lane: LaneKey, span: Span, zone: ZoneInfo, others: OtherChats
) -> list[tuple[Source, Event]]:
    """Return what is on between two instants for somebody in a zone: the events of the calendars of a scope, and of
    these others. What stands in several of them is one event, that of the first."""
    places = [(HERE, lane.tenant_id, lane.scope_id)]
    places += [(Source(group=one.title), lane.tenant_id, one.scope_id) for one in others.groups]
    for linked in others.linked:
        places.append((Source(platform=linked.platform), linked.lane.tenant_id, linked.lane.scope_id))
    found = dict[Event, tuple[Source, Event]]()
    for source, tenant_id, scope_id in places:
        for event in calendars.between(tx, access, tenant_id, scope_id, *span, zone=zone):
            found.setdefault(event, (source, event))
    return sorted(found.values(), key=lambda one: (one[1].begins_at, one[1].title))


def _reminders(
    tx: Tx,
    lane: LaneKey,
    span: Span,
    but: set[int | None],
    source: Source = HERE,
    *,
    group: bool = False,
) -> list[Due]:
    """Return what reminds in a scope between two instants. In a `group` all read it, so what is for who made it says
    so."""
    found = [
        (one, times)
        for one in triggers.of_scope(tx, lane)
        if one.state == TriggerState.ACTIVE
        and not one.watches
        and one.deliver in {Deliver.MESSAGE, Deliver.TASK, Deliver.ITEM}
        and one.trigger_id not in but
        if (times := _coming(one.next_at, one.spec, span))
    ]
    known = triggers.addressees(tx, [one.trigger_id for one, _ in found])
    return [
        Due(
            text=one.text,
            times=times,
            source=source,
            who=_whom(known.get(one.trigger_id, ()), None if group else one.person_id)
            or (
                (people.name(tx, lane, one.person_id),)
                if group and not (one.everybody or one.deliver == Deliver.ITEM)
                else ()
            ),
            everybody=one.everybody,
            item=one.deliver == Deliver.ITEM,
            tainted=one.tainted,
        )
        for one, times in found
    ]


def _coming(next_at: Millis, spec: str, span: Span) -> tuple[Millis, ...]:
    """Return when something comes between two instants that is due next at `next_at`; of more than `MOST_TIMES` the
    first ones, and the last."""
    schedule, found = load(spec), list[Millis]()
    at: Millis | None = next_at if next_at >= span[0] else next_after(schedule, span[0] - 1)
    while at is not None and at < span[1] and len(found) <= MOST_TIMES:
        found.append(at)
        at = next_after(schedule, at) if isinstance(schedule, Interval | Rule) else None
    if len(found) > MOST_TIMES:
        found[-1] = last_before(schedule, span[1]) or found[-1]
    return tuple(found)


def _whom(addressees: Sequence[Addressee], me: int | None) -> tuple[str, ...]:
    """Return the names of those whom something is for; nobody when that is only `me`."""
    only_me = me is not None and all(one.person_id == me for one in addressees)
    return () if only_me else tuple(one.name for one in addressees)


def _reminders_beyond(tx: Tx, linked: Linked, span: Span, but: set[int | None]) -> list[Due]:
    """Return the reminders of somebody linked, and those in their groups."""
    lane, here = linked.lane, Source(platform=linked.platform)
    found = _reminders(tx, lane, span, but, here)
    for group in linked.groups:
        theirs = _reminders_of(tx, lane.tenant_id, group, linked.person_id, span, but)
        found += [replace(one, source=replace(here, group=group.title)) for one in theirs]
    return found


def _reminders_of(tx: Tx, tenant_id: int, group: Group, person_id: int, span: Span, but: set[int | None]) -> list[Due]:
    """Return the reminders of a group that somebody made, or that are for them or for everybody."""
    rows = tx.all(
        "SELECT r.id, r.text, r.next_at, r.spec, r.everybody, r.does, r.tainted FROM trigger r"
        " WHERE r.tenant_id = :tenant_id AND r.scope_id = :scope_id AND r.ended_at IS NULL AND r.state = 'active'"
        " AND r.next_at < :end AND r.reminder_id IS NULL AND (r.deliver IN ('message', 'task') OR r.does = 'item')"
        " AND (r.person_id = :person_id OR r.everybody = 1 OR r.id IN (SELECT a.trigger_id FROM addressee a"
        " JOIN contact c ON c.id = a.contact_id WHERE c.person_id = :person_id))",
        {"tenant_id": tenant_id, "scope_id": group.scope_id, "end": span[1], "person_id": person_id},
    )
    known = triggers.addressees(tx, [row["id"] for row in rows])
    return [
        Due(
            text=row["text"],
            times=times,
            source=Source(group=group.title),
            who=_whom(known.get(row["id"], ()), person_id),
            everybody=bool(row["everybody"]),
            item=row["does"] == Deliver.ITEM,
            tainted=bool(row["tainted"]),
        )
        for row in rows
        if row["id"] not in but and (times := _coming(row["next_at"], row["spec"], span))
    ]


def _running(tx: Tx, lane: LaneKey, person_id: int, run_id: int | None, *, openly: bool) -> list[str]:
    """Return the messages of somebody in this scope that are being worked on; where that is said `openly`, none that
    they wrote for their eyes alone."""
    said = " AND i.hook = ''" if openly else ""
    rows = tx.all(
        "SELECT i.id, i.text FROM inbox i WHERE i.tenant_id = :tenant_id AND i.lane_id IN"
        " (SELECT id FROM lane WHERE tenant_id = :tenant_id AND scope_id = :scope_id) AND i.ended_at IS NULL"
        f" AND i.run_id IS NOT NULL AND i.run_id <> :run_id AND i.person_id = :person_id{said} ORDER BY i.id",
        {"run_id": run_id or 0, "person_id": person_id, **lane.params()},
    )
    return [without_sealed(row["text"]) for row in rows]

"""What is on today in a scope, for one person; and where else something is theirs that their private chat shows, too:
in groups, and in the chats of those they are linked with, who are the same person on another platform."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from core.capabilities.contacts import repository as contacts
from core.capabilities.todos import repository as todos
from core.capabilities.todos.repository import Todo
from core.kernel.ports import Row, Tx
from core.kernel.timing.schedule import load, next_after
from core.kernel.timing.trigger import TriggerState
from core.kernel.timing.zones import to_instant, to_local
from core.kernel.types import Destination, LaneKey, Millis
from core.scheduling import repository as triggers
from core.scheduling.repository import Deliver
from core.store.conversation import questions
from core.store.people import people


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A group where somebody has something to do; `title` is its own."""

    scope_id: int
    title: str
    place: Destination


@dataclass(frozen=True, slots=True, kw_only=True)
class Linked:
    """Somebody whom a person is linked with: `lane` is that of their private chat, `groups` are theirs; `standing` is
    what the database says of them, `tenant` the platform's id of theirs."""

    person_id: int
    lane: LaneKey
    platform: str
    tenant: str
    name: str
    address: str
    standing: str
    groups: tuple[Group, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where an item is, for who reads it elsewhere: the title of a group and the platform of somebody linked, or
    either. Both are empty for this chat's own."""

    group: str = ""
    platform: str = ""


HERE = Source()
# From the first instant to before the last.
Span = tuple[Millis, Millis]


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """A reminder to come today; `who` are the names of others whom it is for, of `everybody` none."""

    text: str
    at: Millis
    source: Source = HERE
    who: tuple[str, ...] = ()
    everybody: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Today:
    """What is overdue or due today, what reminds today, which questions wait for the person, and what is being worked
    on for them; or what is due and what reminds `tomorrow`. `now` is when that was so."""

    now: Millis
    zone: ZoneInfo
    todos: tuple[tuple[Source, Todo], ...] = ()
    reminders: tuple[Due, ...] = ()
    questions: tuple[str, ...] = ()
    running: tuple[str, ...] = ()
    tomorrow: bool = False


def gather(
    tx: Tx,
    lane: LaneKey,
    person_id: int,
    zone: ZoneInfo,
    now: Millis,
    *,
    groups: Sequence[Group] = (),
    linked: Sequence[Linked] = (),
    run_id: int | None = None,
    tomorrow: bool = False,
) -> Today:
    """Look at a lane's scope for somebody, and at what is theirs in these `groups` and of those they are `linked` with;
    not at their run `run_id`. Of `tomorrow` only what is due and what reminds then."""
    day, begin, end = day_of(zone, day_of(zone, now)[2] if tomorrow else now)
    span = (begin if tomorrow else 0, end)
    own = [(HERE, todo) for todo in todos.open_of(tx, lane)]
    theirs = [*of_groups(tx, lane.tenant_id, person_id, groups), *of_linked(tx, linked)]
    due = [(source, todo) for source, todo in (*own, *theirs) if _due(todo, day, end)]
    if tomorrow:
        due = [one for one in due if _due_on(one[1], day, begin)]
    noted = {todo.trigger_id for _, todo in due}
    reminding = _reminders(tx, lane, span, noted, group=_is_group(tx, lane))
    reminding += [one for group in groups for one in _reminders_of(tx, lane.tenant_id, group, person_id, span, noted)]
    reminding += [one for other in linked for one in _reminders_beyond(tx, other, span, noted)]
    return Today(
        now=now,
        zone=zone,
        todos=tuple(sorted(due, key=lambda one: rank(one[1], zone))),
        reminders=tuple(sorted(reminding, key=lambda one: one.at)),
        questions=() if tomorrow else tuple(one.text for one in questions.open_in_scope(tx, lane, person_id)),
        running=() if tomorrow else tuple(_running(tx, lane, person_id, run_id)),
        tomorrow=tomorrow,
    )


def of_groups(
    tx: Tx, tenant_id: int, person_id: int, groups: Sequence[Group], platform: str = ""
) -> list[tuple[Source, Todo]]:
    """What is open of somebody in these groups."""
    return [
        (Source(group=one.title, platform=platform), todo)
        for one in groups
        for todo in todos.mine_of(tx, tenant_id, one.scope_id, person_id)
    ]


def of_linked(tx: Tx, linked: Sequence[Linked]) -> list[tuple[Source, Todo]]:
    """What is open of those whom somebody is linked with, in their own chats and in their groups."""
    found = []
    for one in linked:
        found += [(Source(platform=one.platform), todo) for todo in todos.open_of(tx, one.lane)]
        found += of_groups(tx, one.lane.tenant_id, one.person_id, one.groups, one.platform)
    return found


def day_of(zone: ZoneInfo, now: Millis) -> tuple[str, Millis, Millis]:
    """The day it is in a zone, as an ISO date, with its first instant and that of the next day."""
    day = to_local(now, zone).date()
    begin, end = (to_instant(datetime.combine(one, time()), zone) for one in (day, day + timedelta(days=1)))
    return day.isoformat(), begin, end


def rank(todo: Todo, zone: ZoneInfo) -> tuple[str, Millis, int]:
    """What to-dos are put in order by: the day they are due, those due at an instant first; then the oldest."""
    if todo.due_at is not None:
        return to_local(todo.due_at, zone).date().isoformat(), todo.due_at, todo.todo_id
    return todo.due_on or "~", 1 << 62, todo.todo_id


def overdue(todo: Todo, zone: ZoneInfo, now: Millis) -> bool:
    """Whether it should have been done before `now`, or before this day."""
    if todo.due_at is not None:
        return todo.due_at < now
    return bool(todo.due_on) and todo.due_on < to_local(now, zone).date().isoformat()


def _due_on(todo: Todo, day: str, begin: Millis) -> bool:
    """Whether what is due by the end of a day is due on it."""
    return todo.due_at >= begin if todo.due_at is not None else todo.due_on == day


def _due(todo: Todo, day: str, end: Millis) -> bool:
    return todo.due_at < end if todo.due_at is not None else bool(todo.due_on) and todo.due_on <= day


def _reminders(
    tx: Tx,
    lane: LaneKey,
    span: Span,
    but: set[int | None],
    source: Source = HERE,
    *,
    group: bool = False,
) -> list[Due]:
    """What reminds in a scope between two instants. In a `group` all read it, so what is for who made it says so."""
    found = [
        (one, at)
        for one in triggers.of_scope(tx, lane)
        if one.state == TriggerState.ACTIVE
        and one.deliver in {Deliver.MESSAGE, Deliver.TASK}
        and one.trigger_id not in but
        if (at := _coming(one.next_at, one.spec, span)) is not None
    ]
    known = triggers.contacts_of(tx, [one.trigger_id for one, _ in found])
    return [
        Due(
            text=one.text,
            at=at,
            source=source,
            who=_whom(tx, lane, known.get(one.trigger_id, ()), None if group else one.person_id)
            or ((people.name(tx, lane, one.person_id),) if group and not one.everybody else ()),
            everybody=one.everybody,
        )
        for one, at in found
    ]


def _coming(next_at: Millis, spec: str, span: Span) -> Millis | None:
    """When something comes first between two instants, that is due next at `next_at`; None when it does not."""
    at = next_at if next_at >= span[0] else next_after(load(spec), span[0] - 1)
    return at if at is not None and at < span[1] else None


def _is_group(tx: Tx, lane: LaneKey) -> bool:
    row = tx.one("SELECT kind FROM chat WHERE id = :chat_id AND tenant_id = :tenant_id", lane.params())
    return row is not None and row["kind"] == "group"


def _whom(tx: Tx, lane: LaneKey, numbers: Sequence[int], me: int | None) -> tuple[str, ...]:
    """The names of those whom something is for; nobody when that is only `me`."""
    found = [one for number in numbers if (one := contacts.find(tx, lane, number)) is not None]
    return () if me is not None and all(one.person_id == me for one in found) else tuple(one.name for one in found)


def _reminders_beyond(tx: Tx, linked: Linked, span: Span, but: set[int | None]) -> list[Due]:
    """The reminders of somebody linked, and those in their groups."""
    lane, here = linked.lane, Source(platform=linked.platform)
    found = _reminders(tx, lane, span, but, here)
    for group in linked.groups:
        theirs = _reminders_of(tx, lane.tenant_id, group, linked.person_id, span, but)
        found += [replace(one, source=replace(here, group=group.title)) for one in theirs]
    return found


def _reminders_of(tx: Tx, tenant_id: int, group: Group, person_id: int, span: Span, but: set[int | None]) -> list[Due]:
    """The reminders of a group that somebody made, or that are for them."""
    rows = tx.all(
        "SELECT r.id, r.text, r.next_at, r.spec, r.everybody FROM trigger r WHERE r.tenant_id = :tenant_id"
        " AND r.scope_id = :scope_id AND r.ended_at IS NULL AND r.state = 'active' AND r.next_at < :end"
        " AND r.reminder_id IS NULL AND r.deliver IN ('message', 'task')"
        " AND (r.person_id = :person_id OR r.id IN (SELECT a.trigger_id FROM addressee a"
        " JOIN contact c ON c.id = a.contact_id WHERE c.person_id = :person_id))",
        {"tenant_id": tenant_id, "scope_id": group.scope_id, "end": span[1], "person_id": person_id},
    )
    # Contacts are those of a scope, wherever in it.
    scope = LaneKey(tenant_id=tenant_id, scope_id=group.scope_id, chat_id=0, lane_id=0)
    known = triggers.contacts_of(tx, [row["id"] for row in rows])
    return [
        Due(
            text=row["text"],
            at=at,
            source=Source(group=group.title),
            who=_whom(tx, scope, known.get(row["id"], ()), person_id),
            everybody=bool(row["everybody"]),
        )
        for row in rows
        if row["id"] not in but and (at := _coming(row["next_at"], row["spec"], span)) is not None
    ]


def _running(tx: Tx, lane: LaneKey, person_id: int, run_id: int | None) -> list[str]:
    """The messages of somebody in this scope that are being worked on."""
    rows = tx.all(
        "SELECT i.id, i.text FROM inbox i WHERE i.tenant_id = :tenant_id AND i.lane_id IN"
        " (SELECT id FROM lane WHERE tenant_id = :tenant_id AND scope_id = :scope_id) AND i.ended_at IS NULL"
        " AND i.run_id IS NOT NULL AND i.run_id <> :run_id AND i.person_id = :person_id ORDER BY i.id",
        {"run_id": run_id or 0, "person_id": person_id, **lane.params()},
    )
    return [row["text"] for row in rows]


def groups(tx: Tx, tenant_id: int, person_id: int, limit: int) -> list[Group]:
    """The groups the bot works in where somebody noted something that is open, or has it to do.

    Whether they are still in them only the platform knows: ask before anything of it is shown.
    """
    rows = tx.all(
        "SELECT c.scope_id, c.title, c.external_id AS chat, t.external_id AS tenant FROM chat c"
        " JOIN tenant t ON t.id = c.tenant_id WHERE c.tenant_id = :tenant_id AND c.kind = 'group'"
        " AND c.state = 'allowed' AND c.scope_id IN ("
        "SELECT scope_id FROM todo WHERE person_id = :person_id AND state = 'open'"
        " UNION SELECT d.scope_id FROM contact k JOIN assignee a ON a.contact_id = k.id"
        " JOIN todo d ON d.id = a.todo_id WHERE k.person_id = :person_id AND d.state = 'open'"
        " UNION SELECT scope_id FROM trigger WHERE person_id = :person_id AND ended_at IS NULL"
        " UNION SELECT r.scope_id FROM contact k JOIN addressee a ON a.contact_id = k.id"
        " JOIN trigger r ON r.id = a.trigger_id WHERE k.person_id = :person_id AND r.ended_at IS NULL)"
        " ORDER BY c.id DESC LIMIT :limit",
        {"tenant_id": tenant_id, "person_id": person_id, "limit": limit},
    )
    return [_group(row) for row in rows]


def group_of(tx: Tx, tenant_id: int, todo_id: int) -> Group | None:
    """The group the bot works in that has this to-do, in any state. Ask the platform who is in it, as above."""
    row = tx.one(
        "SELECT c.scope_id, c.title, c.external_id AS chat, t.external_id AS tenant FROM todo d"
        " JOIN chat c ON c.scope_id = d.scope_id JOIN tenant t ON t.id = c.tenant_id WHERE d.id = :todo_id"
        " AND c.tenant_id = :tenant_id AND c.kind = 'group' AND c.state = 'allowed' ORDER BY c.id DESC LIMIT 1",
        {"tenant_id": tenant_id, "todo_id": todo_id},
    )
    return None if row is None else _group(row)


def _group(row: Row) -> Group:
    place = Destination(tenant=row["tenant"], chat=row["chat"])
    return Group(scope_id=row["scope_id"], title=row["title"] or row["chat"], place=place)

"""When a to-do is due, and the reminder that an instant brings with it (TOOLS: Todo)."""

from __future__ import annotations

import contextlib
from datetime import date, datetime

from core.capabilities.contacts import repository as contacts
from core.capabilities.contacts import service as addressing
from core.capabilities.reminders import repository as reminders
from core.capabilities.reminders.repository import ReminderState
from core.capabilities.reminders.service import Reminders
from core.capabilities.todos import repository as todos
from core.capabilities.todos.repository import ItemState, Todo
from core.kernel.errors import Refused
from core.kernel.ports import Tx
from core.kernel.timing.schedule import Once, dump
from core.kernel.timing.trigger import Trigger, TriggerState
from core.kernel.timing.zones import EPOCH, MILLI, to_instant, to_local
from core.kernel.types import Millis, Role
from core.scheduling import repository as triggers
from core.scheduling.service import FAR
from core.toolkit.services import Services
from core.toolkit.tool import ToolContext

MOST_REMINDERS = 100
FIRST_DAY, LAST_DAY = "1970-01-01", "9998-12-31"


def read_due(context: ToolContext, due: str) -> tuple[str, Millis | None]:
    """Return a text as a date, or as an instant, which is in the scope's zone unless it has one; neither for an empty
    text. Raises `Refused` for anything else."""
    text = due.strip()
    if not text:
        return "", None
    day, at = "", None
    # Any form of a date in ISO 8601 becomes the usual one; a text that has a time is no date.
    with contextlib.suppress(ValueError):
        day = date.fromisoformat(text).isoformat()
    try:
        if not day:
            said = datetime.fromisoformat(text)
            at = to_instant(said, context.zone) if said.tzinfo is None else (said - EPOCH) // MILLI
    except (ValueError, OverflowError) as error:
        raise Refused("todo_no_time", due=text[:40]) from error
    if not (FIRST_DAY <= day <= LAST_DAY if at is None else 0 <= at < FAR):
        raise Refused("todo_no_such_year", due=text[:40])
    return day, at


def remind(tx: Tx, context: ToolContext, todo: Todo, former_item: Todo | None = None) -> None:
    """Bring the reminder of an item up to date: an open item that is due at an instant to come has one, others have
    none.

    A reminder that was posted already gets the new text, and waits again with an item that is open again; if the time
    or the people have changed, it does not come again. `former_item` is the item before the change. Raises `Refused`
    where a model would reach somebody by itself.
    """
    refuse_unasked(tx, context, todo, former_item)
    now, service = context.clock.now(), context.services.get(Reminders)
    former = None if todo.trigger_id is None else triggers.load(tx, todo.lane.tenant_id, todo.trigger_id)
    posted = [] if former is None else reminders.open_of(tx, former.trigger_id)
    whose = {one.contact_id for one in todo.assignees}
    came = former is not None and former.last_at is not None and former.last_at == todo.due_at
    same = came and former is not None and set(triggers.contacts(tx, former.trigger_id)) == whose
    if former is not None:
        triggers.end(tx, former.trigger_id, TriggerState.CANCELLED, now)
    for reminder in posted:
        if todo.state != ItemState.OPEN:
            service.close(tx, reminder, context.principal.person_id)
        elif same:
            service.reword(tx, reminder, todo.text)
        else:
            service.withdraw(tx, reminder)
    if todo.state != ItemState.OPEN:
        return
    # An item that only another text or list was given was open before.
    was_closed = former_item is None or former_item.state != ItemState.OPEN
    if former is not None and same and was_closed:
        for reminder in reminders.open_of(tx, former.trigger_id, ReminderState.DONE):
            service.open_again(tx, reminder, context.principal.person_id)
    if todo.due_at is not None and todo.due_at > now:
        todos.link(tx, todo.todo_id, _plan(tx, context, todo, todo.due_at))
    elif todo.due_at is None and former is not None:
        todos.link(tx, todo.todo_id, None)


def refuse_unasked(tx: Tx, context: ToolContext, todo: Todo, former: Todo | None = None) -> None:
    """Raise `Refused` if a model would reach somebody by itself with an item; `former` is the item before a change."""
    if todo.state != ItemState.OPEN or todo.due_at is None:
        return
    if former is not None and _is_moved_by_name(tx, context, former, todo):
        return
    for contact in filter(None, (contacts.find(tx, todo.lane, one.contact_id) for one in todo.assignees)):
        addressing.refuse_unasked(tx, context, contact)


def _is_moved_by_name(tx: Tx, context: ToolContext, former: Todo, todo: Todo) -> bool:
    """Return whether only the time of an item changes, which its person names in their own words: they have named the
    people before."""
    same = (former.content, former.assignees) == (todo.content, todo.assignees)
    if not same or former.due_at is None:
        return False
    return addressing.names_again(tx, context, todo.content, todo.person_id, tainted=todo.tainted)


def _plan(tx: Tx, context: ToolContext, todo: Todo, at: Millis) -> int:
    if max(triggers.open_of(tx, todo.lane, todo.person_id)) >= MOST_REMINDERS:
        raise Refused("todo_reminders_full")
    # A time that a person says is one of their zone; a model gives the instant.
    follows = context.role is Role.PERSON
    wall = to_local(at, context.zone).replace(tzinfo=None).isoformat(timespec="minutes") if follows else ""
    trigger = Trigger(
        lane=todo.lane,
        person_id=todo.person_id,
        deliver="message",
        kind="once",
        spec=dump(Once(at=at, wall=wall)),
        text=todo.text,
        next_at=at,
        follows=follows,
        made_by=context.role.value,
        tainted=todo.tainted,
    )
    tx.after_commit(lambda: context.services.engine.wake(at))
    return triggers.insert(tx, trigger, context.clock.now(), [one.contact_id for one in todo.assignees])


def done(services: Services, tx: Tx, tenant_id: int, trigger_id: int, person_id: int | None) -> None:
    """Complete the to-do of a reminder that all have done, `person_id` last; open it again when that is taken back
    (None)."""
    todo = todos.of_trigger(tx, tenant_id, trigger_id)
    former, state = (ItemState.OPEN, ItemState.DONE) if person_id else (ItemState.DONE, ItemState.OPEN)
    if todo is not None and todo.state == former:
        todos.move(tx, todo, state, services.clock.now(), person_id or todo.done_by)


def moved(services: Services, tx: Tx, trigger: Trigger) -> None:
    """Set the time of a to-do to that of its trigger, which was moved."""
    if (todo := todos.of_trigger(tx, trigger.lane.tenant_id, trigger.trigger_id)) is not None:
        todos.edit(tx, todo, content=todo.content, due_on="", due_at=trigger.next_at)

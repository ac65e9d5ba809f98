"""All reminders are stopped at once, when that was asked and confirmed, or all of a day; or one that was not named, as
it is picked."""

from __future__ import annotations

from collections.abc import Sequence

from core.capabilities.schedules import actions
from core.capabilities.schedules.commands import ask_which, due_then, name_of, show, stop
from core.kernel.ports import Tx
from core.kernel.replies import Reply
from core.kernel.timing.expressions import At
from core.kernel.timing.schedule import Once, load
from core.kernel.types import Millis
from core.language.lines import shortened
from core.language.matching import beside
from core.scheduling import repository as triggers
from core.scheduling import service as scheduling
from core.scheduling import views as shown
from core.scheduling.repository import Deliver
from core.scheduling.time_input import When
from core.toolkit import intents
from core.toolkit.command import CommandRun, Confirms, intent


@intent("schedules.ask_stop_all", as_command="cancel")
def ask_stop_all(run: CommandRun, tx: Tx) -> Reply:
    """Ask whether all reminders that the person has set here shall stop."""
    found = actions.own_reminders(tx, run.context)
    if not found:
        return _none(run, tx)
    lines = shortened(run.language, [shown.short(run, task) for task in found])
    asked = "\n".join([run.language.many("tasks_stop_ask", len(found)), *lines])
    offers = [
        (run.language.many("tasks_stop_yes", len(found)), stop_all.of(schedules=[task.schedule_id for task in found])),
        (run.language["tasks_stop_no"], stop_none.of()),
    ]
    return run.reply(asked, offers=offers)


def _none(run: CommandRun, tx: Tx) -> Reply:
    """Say that no reminder here is theirs; in a group others may have some, and they themselves on other platforms."""
    if any(one.deliver == Deliver.MESSAGE for one in triggers.of_scope(tx, run.context.lane)):
        return run.say("tasks_none_own")
    beyond = scheduling.of_linked(tx, run.context.access, run.context.participant)
    return run.say("tasks_none_here" if beyond else "tasks_none")


@intent(
    "schedules.stop_all",
    as_command="cancel",
    confirms=Confirms(yes=("tasks_stop_yes", "tasks_stop_some"), no="tasks_stop_no", in_words=True),
)
def stop_all(run: CommandRun, tx: Tx, *, schedules: Sequence[str], due: Sequence[Millis] = ()) -> Reply:
    """Stop those that were shown when it was asked, and no others; where it was asked of a time, what has another time
    since than it was `due` goes on."""
    now = {task.schedule_id: task.next_at for task in actions.own_reminders(tx, run.context)} if due else {}
    moved = {one for one, at in zip(schedules, due, strict=False) if now.get(one, at) != at}
    stopped = run.actor.act(tx, actions.cancel_several, schedule_ids=[one for one in schedules if one not in moved])
    if not stopped.count:
        return run.say("tasks_kept" if moved else "task_ended")
    return shown.in_place(run, run.language.many("tasks_stopped", stopped.count), shown.undo(run, stopped.undo))


@intent("schedules.stop_none", as_command="cancel")
def stop_none(run: CommandRun, tx: Tx) -> Reply:
    """Leave what is scheduled as it is."""
    return run.say("tasks_kept")


@intent("schedules.ask_stop", as_command="cancel")
def ask_stop(run: CommandRun, tx: Tx, *, called: str = "") -> Reply:
    """Ask which reminder shall stop, of those that are `called` "timer"; of all, where none is, or no word says it."""
    found = actions.own_reminders(tx, run.context)
    if not found:
        return _none(run, tx)
    named = beside(called, found, exact=True) if called else []
    missing = bool(called) and not named
    which = run.language.say("which_instead", called=shown.cut(called)) if missing else ""
    return ask_which(run, named or found, intents.cancel, which)


@intent("schedules.cancel_due", as_command="cancel")
def cancel_due(run: CommandRun, tx: Tx, *, due: When) -> Reply:
    """Stop what is due at a time; of several it is asked which, and of a series whether that day alone is meant."""
    found = due_then(run, tx, due) if isinstance(due, At) else []
    if len(found) == 1 and isinstance(due, At) and due.day and not isinstance(load(found[0].schedule), Once):
        # Only the next time of all can be left out.
        (task,) = actions.meant(tx, run.context, found[0].schedule_id)
        skips = task.next_at == found[0].next_at
        choices = (
            {"skip_time": intents.skip, "stop_series": intents.cancel} if skips else {"stop_series": intents.cancel}
        )
        offers = [(run.language[key], choice(task.schedule_id)) for key, choice in choices.items()]
        asked = "due_recurs" if skips else "due_recurs_before"
        return run.reply(run.language.say(asked, text=shown.cut(name_of(run, task))), offers=offers)
    if len(found) == 1:
        return stop(run, tx, found[0].schedule_id)
    if not found:
        return run.say("none_due")
    # What recurs is not stopped for the sake of a day: it is shown, with what can be done.
    once = {task.schedule_id for task in found if isinstance(load(task.schedule), Once)}
    own = {
        task.schedule_id: task.next_at for task in actions.own_reminders(tx, run.context) if task.schedule_id in once
    }
    # What recurs, and what is of others, is not among them.
    some = run.language.say("tasks_stop_some", n=len(own), count=len(found))
    label = some if len(own) < len(found) else run.language.many("tasks_stop_yes", len(own))
    stops = [(label, stop_all.of(schedules=list(own), due=list(own.values())))] if len(own) > 1 else []
    return ask_which(
        run, found, lambda one: intents.cancel(one) if one in once else show.of(schedule=one), besides=stops
    )


INTENTS = (ask_stop_all, stop_all, stop_none, ask_stop, cancel_due)

"""Work for a time, once or again and again: what is due then is worked on, not only said."""

from __future__ import annotations

from functools import partial

from core.capabilities.reminders.commands import said_at
from core.kernel.ports import Tx
from core.kernel.replies import Reply
from core.kernel.timing.resolution import Impossible
from core.kernel.timing.schedule import Once, Rule, Schedule, dump, load, next_after
from core.scheduling import service as scheduling
from core.scheduling import time_input
from core.scheduling import views as shown
from core.scheduling.repository import Deliver
from core.scheduling.service import NewTrigger, Scheduled
from core.scheduling.time_input import When
from core.toolkit import intents
from core.toolkit.action import action
from core.toolkit.command import Act, CommandRun, intent
from core.toolkit.tool import ToolContext


@action("tasks")
def schedule_work(tx: Tx, context: ToolContext, text: str, schedule: str, *, only_news: bool = False) -> Scheduled:
    """Have a text worked on at the times of a schedule; with `only_news` nothing is said where all is as it was."""
    when = load(schedule)
    goes_by_zone = isinstance(when, Rule) or (isinstance(when, Once) and bool(when.wall))
    new = NewTrigger(schedule=when, text=text, deliver=Deliver.TASK, silent=only_news, follows=goes_by_zone)
    return scheduling.create(tx, context, new)


@intent(intents.WORK, as_command="remind")
async def wanted(run: CommandRun, *, text: str, when: When, only_news: bool = False) -> Reply | Act:
    """Have a text worked on at a time, and read that back."""
    schedule, now, zone = _resolved(run, when), run.context.clock.now(), run.context.zone
    if schedule is None or next_after(schedule, now) is None:
        at = shown.moment(run.language, now, zone, now)
        return run.say("time_past", now=at, zone=shown.zone_name(run.language, zone.key))
    return partial(_set, run, text, schedule, only_news)


def _resolved(run: CommandRun, when: When) -> Schedule | None:
    try:
        return (
            None
            if when is None
            else time_input.readings(when, said_at(run), run.context.zone, run.clock_zone)[0].schedule
        )
    except Impossible:
        return None


def _set(run: CommandRun, text: str, schedule: Schedule, only_news: bool, tx: Tx) -> Reply:
    silent = only_news and not isinstance(schedule, Once)
    made = run.actor.act(tx, schedule_work, text=text, schedule=dump(schedule), only_news=silent)
    offers = [(run.language["change"], intents.move(made.schedule_id)), *shown.undo(run, made.undo)]
    return shown.in_place(run, shown.full(run, made), [*offers, *shown.offers_of_zone(run, tx)])


INTENTS = (wanted,)

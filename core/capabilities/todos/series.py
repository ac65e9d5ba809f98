"""To-dos that come again: a trigger puts one on its list each time, unless the one before is still open."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.capabilities.todos import lists
from core.capabilities.todos import repository as todos
from core.capabilities.todos.items import MOST_OPEN, clean
from core.kernel.ids import ref
from core.kernel.markdown import folded
from core.kernel.ports import Tx
from core.kernel.replies import Reply
from core.kernel.timing.expressions import Clock, Every
from core.kernel.timing.resolution import Impossible
from core.kernel.timing.schedule import Rule, dump, load
from core.kernel.timing.trigger import Trigger, TriggerState
from core.kernel.timing.zones import day_of, zone_named
from core.language.lines import cut
from core.scheduling import repository as triggers
from core.scheduling import service as scheduling
from core.scheduling import time_input
from core.scheduling import views as shown
from core.scheduling.repository import Deliver
from core.scheduling.service import Scheduled
from core.store.people.people import Participant
from core.toolkit import intents
from core.toolkit.action import action
from core.toolkit.command import CommandRun
from core.toolkit.services import Services
from core.toolkit.tool import ToolContext

log = logging.getLogger(__name__)

# When an item appears on its day if no time was said: before anybody looks at the list.
EARLY = Clock(hour=6)


def rule_of(run: CommandRun, when: Every) -> Rule | None:
    """Return the rule by which an item comes again; None where the expression gives none."""
    said = run.context.said
    at = run.context.clock.now() if said is None else said.sent_at
    try:
        found = time_input.reading(replace(when, clocks=when.clocks or (EARLY,)), at, run.context.zone).schedule
    except Impossible:
        return None
    return found if isinstance(found, Rule) else None


def repeat(run: CommandRun, content: str, schedule: Rule, on: str, tx: Tx) -> Reply:
    """Have a text put on a list again and again, and read that back; if it comes there at the same times already, say
    so."""
    place, text = lists.named(on), clean(content)
    comes = [
        one
        for one in triggers.of_scope(tx, run.context.lane)
        if one.deliver == Deliver.ITEM
        and one.spec == dump(schedule)
        and folded(one.text) == folded(text)
        and lists.named(one.todo_list or "").key == place.key
    ]
    if comes and not run.actor.replays(todo_repeat.name):
        if all(one.state == TriggerState.PAUSED for one in comes):
            return run.say("todo_again_rests", item=cut(text), id=ref("s", comes[0].trigger_id))
        return run.say("todo_again_already", item=cut(text))
    made = run.actor.act(tx, todo_repeat, content=content, schedule=dump(schedule), on=on)
    name = lists.called(run.language, place.key, place.name) or run.language["list_usual"]
    text = run.language.say("todo_again", item=cut(made.text), when=shown.when(run, made, ""), name=name)
    offers = [(run.language["change"], intents.move(made.schedule_id)), *shown.undo(run, made.undo)]
    return shown.in_place(run, text, offers)


@action("todo")
def todo_repeat(tx: Tx, context: ToolContext, content: str, schedule: str, on: str = "") -> Scheduled:
    """Make the trigger that puts a text again and again on the list that the words `on` name."""
    rule = load(schedule)
    new = scheduling.NewTrigger(schedule=rule, text=clean(content), deliver=Deliver.ITEM, follows=True, todo_list=on)
    return scheduling.create(tx, context, new)


def put(services: Services, tx: Tx, due: Sequence[Trigger], participants: Mapping[int, Participant]) -> None:
    """Put the item of each trigger on its list, due on the trigger's day, unless the last one is still open."""
    for trigger in due:
        lane = trigger.lane
        if todos.series_open(tx, lane.tenant_id, trigger.trigger_id):
            continue
        if todos.counts(tx, lane)[0] >= MOST_OPEN:
            log.warning("a list is full, what comes again is left out: trigger %s", trigger.trigger_id)
            continue
        zone = zone_named(participants[trigger.trigger_id].timezone) or services.zone
        place = lists.named(trigger.todo_list or "")
        todos.insert(
            tx,
            lane,
            trigger.person_id,
            trigger.text,
            due_on=day_of(zone, trigger.next_at)[0],
            due_at=None,
            now=services.clock.now(),
            list_key=place.key,
            list_name=place.name,
            series_id=trigger.trigger_id,
            tainted=trigger.tainted,
        )

"""A group is told regularly what was said in it, as its administrators want."""

from __future__ import annotations

from dataclasses import replace

from core.kernel.access import may
from core.kernel.errors import Refused
from core.kernel.ports import Tx
from core.kernel.timing.schedule import load
from core.kernel.timing.trigger import Trigger, TriggerState
from core.kernel.types import Standing
from core.scheduling import repository as triggers
from core.scheduling import service as scheduling
from core.scheduling.repository import Deliver
from core.scheduling.service import NewTrigger, Scheduled
from core.toolkit.action import action
from core.toolkit.tool import ToolContext

# It still comes if it is late by so many seconds.
LATE = "43200"


@action("schedule", concerns_all=lambda _: True)
def set_summary(tx: Tx, context: ToolContext, schedule: str, name: str) -> Scheduled:
    """Sum up what was said again and again: one a group, setting it again takes its place. Lists call it `name`."""
    # What is due by the former time, and was not said, still is.
    _end(tx, context, TriggerState.DONE)
    new = NewTrigger(schedule=load(schedule), text=name, deliver=Deliver.SUMMARY, late=LATE, follows=True)
    return scheduling.create(tx, context, new)


@action("schedule", concerns_all=lambda _: True)
def stop_summary(tx: Tx, context: ToolContext) -> Scheduled:
    """Sum up no more by itself. Raises `Refused` where nothing did."""
    found = _end(tx, context, TriggerState.CANCELLED)
    if found is None:
        raise Refused("summary_not_scheduled")
    was = scheduling.as_it_was(found)
    undo = scheduling.note_undo_of(tx, context, found, "undo_cancel_schedule", "revive_schedule", **was)
    return replace(scheduling.scheduled(context, found), undo=undo)


def _end(tx: Tx, context: ToolContext, state: TriggerState) -> Trigger | None:
    if not may(context.standing, Standing.ADMIN):
        raise Refused("refused_admin")
    found = next((one for one in triggers.of_scope(tx, context.lane) if one.deliver == Deliver.SUMMARY), None)
    if found is not None:
        triggers.end(tx, found.trigger_id, state, context.clock.now())
    return found

"""What is under way, as lists show it: in a chat, and in somebody's private chat also what is theirs in other chats.

A group sees whose it is and how far it is, and nothing of what it is about.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.capabilities.tasks import views
from core.capabilities.tasks.views import Look
from core.kernel.ids import ref
from core.kernel.markdown import called
from core.kernel.ports import Tx
from core.kernel.replies import Offer
from core.kernel.types import LaneKey, Millis
from core.language import Language
from core.language.lines import shortened
from core.scheduling.views import label
from core.store.conversation import tasks
from core.store.people import people
from core.toolkit import intents
from core.toolkit.other_chats import OtherChats, Source, linked, named
from core.toolkit.tool import ToolContext

# As many are named of one chat, and so many buttons are below all of them.
MOST, MOST_STOPS = 10, 30


@dataclass(frozen=True, slots=True, kw_only=True)
class UnderWay:
    """What is under way in a chat, and elsewhere for the one who asks: each with the person whose it is there."""

    here: Sequence[Look] = ()
    elsewhere: Sequence[Look] = ()


def here(tx: Tx, lane: LaneKey, now: Millis, *, group: bool) -> list[Look]:
    """Return the tasks without a parent that are under way in a chat, the oldest first."""
    return [_look(tx, one, now, group=group) for one in tasks.open_in(tx, lane) if one.parent_id is None]


def elsewhere(tx: Tx, lane: LaneKey, person_id: int, now: Millis, *, also_here: bool = False) -> list[Look]:
    """Return the tasks without a parent that one person has under way in other chats of the tenant, or in this one,
    too."""
    found = (one for one in tasks.open_of(tx, lane, person_id) if one.parent_id is None)
    return [_look(tx, one, now, group=False) for one in found if also_here or one.lane.scope_id != lane.scope_id]


def of_context(tx: Tx, context: ToolContext) -> UnderWay:
    """Return what is under way for who asks. Whether they still are in those groups the platform must be asked."""
    now, group, me = context.clock.now(), context.participant.group, context.principal.person_id
    there: list[Look] = []
    if not group:
        there = elsewhere(tx, context.lane, me, now)
        for other in linked(tx, context.access, me):
            there += elsewhere(tx, other.lane, other.person_id, now, also_here=True)
    return UnderWay(here=here(tx, context.lane, now, group=group), elsewhere=there)


def blocks(texts: Language, under_way: UnderWay, others: OtherChats) -> tuple[list[str], list[Offer]]:
    """Return the lines, a block for each chat, and a button that stops each; what is in another tenant is stopped
    there. Of each chat as many are named as anybody reads, the oldest first, and how many more there are."""
    shown = [(texts["task_list"], under_way.here, True)]
    for group in (*others.groups, *others.gone):
        title = texts.say("task_list_group", title=named(Source(group=group.title), texts))
        shown.append((title, _of(under_way, group.scope_id), True))
    for other in others.linked:
        title = texts.say("task_list_group", title=named(Source(platform=other.platform), texts))
        shown.append((title, _of(under_way, other.lane.scope_id), False))
        for group in other.groups:
            title = texts.say("task_list_group", title=named(Source(group=group.title, platform=other.platform), texts))
            theirs = [one for one in _of(under_way, group.scope_id) if one.task.person_id == other.person_id]
            shown.append((title, theirs, False))
    found, stoppable = list[str](), list[Look]()
    for title, looks, ours in shown:
        if looks:
            found.append("\n".join([title, *shortened(texts, [views.listed(texts, one) for one in looks], MOST)]))
            stoppable += [one for one in looks[:MOST] if ours and not one.task.stopped]
    return found, [stops(texts, one) for one in stoppable[:MOST_STOPS]]


def stops(texts: Language, look: Look) -> Offer:
    """Return the button that stops a task, by what it is about; in a group by whose it is."""
    name = look.task.prompt if look.private else look.who
    return label(f"⏹ {name}"), intents.stop_task(ref("t", look.task.task_id))


def _of(under_way: UnderWay, scope_id: int) -> list[Look]:
    return [one for one in under_way.elsewhere if one.task.lane.scope_id == scope_id]


def _look(tx: Tx, task: tasks.Task, now: Millis, *, group: bool) -> Look:
    who = called(people.name(tx, task.lane, task.person_id), "–") if group else ""
    return Look(task=task, workers=tasks.workers_of(tx, task), now=now, private=not group, who=who)

"""When a summary of a group is due: its lane is woken, since the model may be asked for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.capabilities.history.commands import post
from core.capabilities.history.summary import LONGEST
from core.delivery.composer import Composer
from core.kernel.ports import Tx
from core.kernel.timing.schedule import last_before, load
from core.kernel.timing.trigger import Trigger, TriggerState
from core.scheduling import repository as triggers
from core.store.conversation import inbox, lanes
from core.store.people import chats
from core.store.people.people import Participant
from core.toolkit.services import Services


def deliver(services: Services, tx: Tx, due: Sequence[Trigger], participants: Mapping[int, Participant]) -> None:
    """Have what was said since the last time summed up in the group of each trigger, as whoever made it.

    Where the group is not read along any more there is nothing to sum up: it ends, and says so.
    """
    composer = services.get(Composer)
    for trigger in due:
        lane, now = trigger.lane, services.clock.now()
        if not chats.reads_along(tx, lane):
            triggers.end(tx, trigger.trigger_id, TriggerState.CANCELLED, now)
            language = composer.language(participants[trigger.trigger_id])
            composer.tell(tx, lane, f"summary-ended:{trigger.trigger_id}", language["summary_ended"])
            continue
        since = max(last_before(load(trigger.spec), trigger.next_at) or 0, now - LONGEST)
        tx.lock(("lane", lane.lane_id))
        inbox.wake(tx, lane, trigger.person_id, triggers.key_of(trigger), now=now, intent=post.of(since=since))
        lanes.mark(tx, lane.lane_id)
        services.engine.poke(tx, "lane", lane.lane_id)

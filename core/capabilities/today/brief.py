"""The daily brief: what is on today, at a time that was wished for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.capabilities.today.commands import tell
from core.capabilities.today.service import gather
from core.capabilities.today.views import worded
from core.delivery.composer import Composer
from core.kernel.ports import Tx
from core.kernel.timing.trigger import Trigger
from core.kernel.timing.zones import zone_named
from core.scheduling import repository as triggers
from core.scheduling.firing import Triggers, told_late
from core.scheduling.repository import Deliver
from core.store.conversation import inbox, lanes, outbox
from core.store.conversation.last_words import words_of
from core.store.conversation.outbox import Post
from core.store.people import people
from core.store.people.people import Participant
from core.toolkit.services import Services


def deliver(services: Services, tx: Tx, due: Sequence[Trigger], participants: Mapping[int, Participant]) -> None:
    """Say what is on in the group of each trigger; a private chat is woken to tell its person what /today tells, since
    the platform must be asked in which groups they are."""
    for trigger in due:
        participant, lane, now = participants[trigger.trigger_id], trigger.lane, services.clock.now()
        if participant.group:
            zone = zone_named(participant.timezone) or services.zone
            today = gather(tx, services.access, lane, trigger.person_id, zone, now)
            text = worded(services.get(Composer).language(participant), today)
            services.get(Triggers).say(tx, trigger, participant, text, foreign=today.foreign)
            continue
        tx.lock(("lane", lane.lane_id))
        inbox.wake(tx, lane, trigger.person_id, triggers.key_of(trigger), now=now, intent=tell.of())
        lanes.mark(tx, lane.lane_id)
        services.engine.poke(tx, "lane", lane.lane_id)


def rewrite(services: Services, tx: Tx, post: Post) -> Mapping[str, Any]:
    """Let the brief of a private chat say how late it is, where it could not be sent for a while."""
    run_id = post.source.run()
    trigger = None if run_id is None else triggers.of_post(tx, post)
    if trigger is None or trigger.deliver != Deliver.BRIEF or outbox.in_parts(tx, post):
        return post.payload
    participant, said = people.participant(tx, post.lane, trigger.person_id), words_of(tx, post.lane, run_id)
    composer, now, since = services.get(Composer), services.clock.now(), services.get(Triggers).since
    text = told_late(composer.language(participant), said, post.created_at, now, since)
    late = composer.outgoing(participant.platform, post.whole_key, text, source=post.source)
    # With the line it may be too long for one message.
    if not said or text == said or len(late.parts) != 1:
        return post.payload
    return composer.rewrite(tx, post, late)

"""The daily brief: what is on today, at a time that was wished for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.capabilities.today.service import gather
from core.capabilities.today.views import worded
from core.delivery.composer import Composer
from core.kernel.ports import Tx
from core.kernel.timing.trigger import Trigger
from core.kernel.timing.zones import zone_named
from core.scheduling.firing import Triggers
from core.store.people.people import Participant
from core.toolkit.other_chats import OtherChats, linked
from core.toolkit.services import Services


def deliver(services: Services, tx: Tx, due: Sequence[Trigger], participants: Mapping[int, Participant]) -> None:
    """Say what is on in the lane of each trigger, to whoever made it."""
    for trigger in due:
        participant = participants[trigger.trigger_id]
        zone = zone_named(participant.timezone) or services.zone
        known = [] if participant.group else linked(tx, services.access, trigger.person_id)
        others, now = OtherChats(linked=known), services.clock.now()
        today = gather(tx, services.access, trigger.lane, trigger.person_id, zone, now, others=others)
        language = services.get(Composer).language(participant)
        services.get(Triggers).say(tx, trigger, participant, worded(language, today), foreign=bool(today.events))

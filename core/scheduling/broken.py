"""Triggers that fail: they are paused for an `error`, and who can mend it is told (STATES: What fails again)."""

from __future__ import annotations

from core.delivery.composer import Composer
from core.kernel.ids import ref
from core.kernel.markdown import lines
from core.kernel.ports import Tx
from core.kernel.timing.trigger import Trigger
from core.scheduling import repository as triggers
from core.scheduling import resting
from core.store.conversation.outbox import Post
from core.store.people import people
from core.toolkit import intents


class BrokenTriggers:
    """Tells of triggers that failed, and lets those rest whose message cannot be written."""

    def __init__(self, composer: Composer) -> None:
        self._composer = composer

    def tell(self, tx: Tx, trigger: Trigger) -> None:
        """The owners learn that there is something to mend; what it says only who made it, where they did.

        They can let it go on: no list shows what brings a reminder once more.
        """
        key, this = f"broken:{trigger.trigger_id}:{trigger.epoch}", ref("s", trigger.trigger_id)
        self._composer.owners.tell(tx, trigger.lane, key, "trigger_broken_owner", ref=this)
        lane = triggers.asked_in(tx, trigger)
        language = self._composer.language(people.participant(tx, lane, trigger.person_id))
        words = language.say("trigger_broken", ref=this, text=lines(trigger.text))
        offers = [(language["resume"], intents.resume(this))]
        self._composer.tell(tx, lane, key, words, offers, person_id=trigger.person_id)

    def unwritten(self, tx: Tx, post: Post, *, told: bool) -> None:
        """The message of a trigger cannot be written: it rests, and who can mend it learns so where they are `told`."""
        trigger_id = post.due_of()
        trigger = None if trigger_id is None else triggers.load(tx, post.lane.tenant_id, trigger_id)
        if trigger is None:
            return
        resting.rest(tx, trigger.trigger_id, triggers.ERROR, None)
        if told:
            self.tell(tx, trigger)

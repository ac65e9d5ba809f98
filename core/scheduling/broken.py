"""Triggers that fail: they are paused for an `error`, and who can mend it is told (STATES: What fails again).

Those that the database refuses are no dead rows: it may do tomorrow what it does not do today. They stay due and are
tried again, later and later, beside all others.
"""

from __future__ import annotations

import logging
from itertools import islice

from core.delivery.composer import Composer
from core.kernel.errors import StorageAway, StorageError
from core.kernel.ids import ref
from core.kernel.markdown import lines
from core.kernel.ports import Clock, Database, Tx
from core.kernel.timing.trigger import Trigger
from core.kernel.types import Millis
from core.scheduling import pausing
from core.scheduling import repository as triggers
from core.store.conversation.outbox import Post
from core.store.people import people
from core.toolkit import intents

log = logging.getLogger(__name__)

# Seconds until what the database refused is tried again; with each try it is twice as long.
FIRST_PAUSE, LONGEST_PAUSE = 5.0, 60.0
# With this try it is told.
TOLD_AT = 3


class BrokenTriggers:
    """Tells people of triggers that failed, pauses those whose message cannot be written, and knows which ones the
    database refused to fire since the start: how often, and until when by the monotonic clock each is left alone."""

    def __init__(self, composer: Composer, clock: Clock) -> None:
        self._composer, self._clock = composer, clock
        self.refused: dict[int, tuple[int, float]] = {}

    def left_alone(self) -> list[int]:
        """Return the triggers that are not tried now, by number."""
        now = self._clock.monotonic()
        return [number for number, (_, until) in self.refused.items() if until > now]

    def next_try(self) -> Millis | None:
        """Return when one of those is tried again, if there is one."""
        pauses = [self.refused[number][1] - self._clock.monotonic() for number in self.left_alone()]
        return self._clock.now() + round(min(pauses) * 1000) + 1 if pauses else None

    async def put_off(self, db: Database, trigger: Trigger, error: StorageError, most: int) -> None:
        """Leave a trigger alone for a while that the database does not fire; it stays due. That is told of the first
        `most` that are refused: more are no fault of theirs.
        """

        def tell_refused(tx: Tx) -> None:
            # Who made it gets its words at least.
            key, this = f"refused:{trigger.trigger_id}:{trigger.epoch}", ref("s", trigger.trigger_id)
            self._composer.owners.tell(tx, trigger.lane, key, "trigger_refused_owner", ref=this)
            lane = triggers.asked_in(tx, trigger)
            language = self._composer.language(people.participant(tx, lane, trigger.person_id))
            words = language.say("trigger_refused", ref=this, text=lines(trigger.text))
            self._composer.tell(tx, lane, key, words, person_id=trigger.person_id)

        times = self.refused.get(trigger.trigger_id, (0, 0.0))[0] + 1
        pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(times - 1, 10))
        until = self._clock.monotonic() + pause
        self.refused[trigger.trigger_id] = times, until
        if trigger.trigger_id not in islice(self.refused, most):
            return
        text = "trigger %s cannot be fired, the database says: %s; try %s is in %.0f s"
        log.error(text, ref("s", trigger.trigger_id), error, times + 1, pause, exc_info=error if times == 1 else None)
        if times != TOLD_AT:
            return
        try:
            await db.write(tell_refused)
        except StorageAway:
            # With the next try it is told.
            self.refused[trigger.trigger_id] = times - 1, until
            raise
        except Exception:
            log.exception("nobody could be told of it")

    def tell(self, tx: Tx, trigger: Trigger) -> None:
        """Tell the owners that a trigger failed, and whoever made it which one it is, in the chat where they did.

        The latter get a button that resumes it, since no list shows a trigger that repeats a reminder.
        """
        key, this = f"broken:{trigger.trigger_id}:{trigger.epoch}", ref("s", trigger.trigger_id)
        self._composer.owners.tell(tx, trigger.lane, key, "trigger_broken_owner", ref=this)
        lane = triggers.asked_in(tx, trigger)
        language = self._composer.language(people.participant(tx, lane, trigger.person_id))
        words = language.say("trigger_broken", ref=this, text=lines(trigger.text))
        offers = [(language["resume"], intents.resume(this))]
        self._composer.tell(tx, lane, key, words, offers, person_id=trigger.person_id)

    def unwritten(self, tx: Tx, post: Post, *, told: bool) -> None:
        """Pause a trigger whose message cannot be written; with `told`, tell people of it."""
        trigger_id = post.due_of()
        trigger = None if trigger_id is None else triggers.load(tx, post.lane.tenant_id, trigger_id)
        if trigger is None:
            return
        pausing.pause_even_done(tx, trigger.trigger_id, triggers.ERROR, None)
        if told:
            self.tell(tx, trigger)

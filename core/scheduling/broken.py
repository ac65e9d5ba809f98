"""Triggers that fail: they are paused for an `error`, and who can mend it is told (STATES: What fails again).

Those that the database refuses stay due and are tried again, later and later (core/store/giving_up.py).
"""

from __future__ import annotations

import logging
from collections.abc import Hashable, Sequence
from functools import partial
from itertools import groupby, islice
from operator import attrgetter

from core.delivery.composer import Composer
from core.kernel.errors import StorageAway, StorageError
from core.kernel.ids import ref
from core.kernel.markdown import lines
from core.kernel.ports import Clock, Database, Tx
from core.kernel.timing.trigger import Trigger
from core.scheduling import pausing
from core.scheduling import repository as triggers
from core.store.conversation.outbox import Post
from core.store.giving_up import RefusedRows
from core.store.people import people
from core.toolkit import intents

log = logging.getLogger(__name__)

# With this try it is told.
TOLD_AT = 3
# So many are named in a notice.
NAMED = 5


class BrokenTriggers:
    """Tells people of triggers that failed, pauses those whose message cannot be written, and knows which ones the
    database refused to fire since the start."""

    def __init__(self, composer: Composer, clock: Clock) -> None:
        self._composer = composer
        self.refused = RefusedRows(clock)

    async def put_off(self, db: Database, found: Sequence[tuple[Trigger, StorageError]], most: int) -> None:
        """Leave triggers alone for a while that the database does not fire; they stay due. That is told of the first
        `most` that are refused: more are no fault of theirs.
        """

        def tell_maker(tx: Tx, *, trigger: Trigger) -> None:
            # Who made it gets its words at least.
            key, this = f"refused:{trigger.trigger_id}:{trigger.epoch}", ref("s", trigger.trigger_id)
            lane = triggers.asked_in(tx, trigger)
            language = self._composer.language(people.participant(tx, lane, trigger.person_id))
            refused = "watch_refused" if trigger.watches else "trigger_refused"
            words = language.say(refused, ref=this, text=lines(trigger.text))
            self._composer.tell(tx, lane, key, words, person_id=trigger.person_id)

        told = list[Trigger]()
        for trigger, error in found:
            times, pause = self.refused.put_off(trigger.trigger_id)
            if trigger.trigger_id not in islice(self.refused.rows, most):
                continue
            text = "trigger %s cannot be fired, the database says: %s; try %s is in %.0f s"
            cause = error if times == 1 else None
            log.error(text, ref("s", trigger.trigger_id), error, times + 1, pause, exc_info=cause)
            if times == TOLD_AT:
                told.append(trigger)
        tenant = attrgetter("lane.tenant_id")
        by_tenant = groupby(sorted(told, key=tenant), tenant)
        notices = [partial(self.tell_owners, refused=list(some)) for _, some in by_tenant]
        for attempt in (*notices, *(partial(tell_maker, trigger=trigger) for trigger in told)):
            try:
                await db.write(attempt)
            except StorageAway:
                # With the next try it is told.
                for trigger in told:
                    self.refused.rows[trigger.trigger_id] = TOLD_AT - 1, self.refused.rows[trigger.trigger_id][1]
                raise
            except Exception:
                log.exception("somebody could not be told of it")

    def tell_owners(self, tx: Tx, refused: Sequence[Trigger]) -> None:
        """Tell the owners of a tenant how many triggers the database refuses: one notice for all of a look."""
        first, refs = refused[0], [ref("s", trigger.trigger_id) for trigger in refused]
        named = ", ".join(refs[:NAMED]) + (f", … ({len(refs)})" if len(refs) > NAMED else "")
        key = f"refused:{first.trigger_id}:{first.epoch}"
        # An owner who made the only one gets its words.
        self._composer.owners.tell(tx, first.lane, key, "trigger_refused_owner", here=len(refs) > 1, ref=named)

    def tell(self, tx: Tx, trigger: Trigger, why: str = "trigger_broken", mark: Hashable = "") -> None:
        """Tell the owners that a trigger failed, and whoever made it which one it is, in the chat where they did.

        The latter get a button that resumes it, since no list shows a trigger that repeats a reminder. `why` is the
        key of the words for them, and with `_owner` of those for owners; `mark` tells it from others of the same epoch.
        """
        key, this = f"broken:{trigger.trigger_id}:{trigger.epoch}{mark}", ref("s", trigger.trigger_id)
        self._composer.owners.tell(tx, trigger.lane, key, f"{why}_owner", ref=this)
        lane = triggers.asked_in(tx, trigger)
        language = self._composer.language(people.participant(tx, lane, trigger.person_id))
        words = language.say(why, ref=this, text=lines(trigger.text))
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

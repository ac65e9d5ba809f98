"""Notices: what the bot says by itself, at no time that a person set. They wait for the end of quiet hours."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from core.delivery.composer import Composer
from core.kernel.ports import Clock, Engine, Tx
from core.kernel.timing import quiet_hours
from core.kernel.timing.schedule import Once, dump
from core.kernel.timing.trigger import Trigger
from core.kernel.timing.zones import zone_named
from core.kernel.types import DAY, LaneKey, Millis, Urgency
from core.scheduling import repository as triggers
from core.store.conversation import outbox
from core.store.people import people


class Notices:
    """Says notices, now or later. `zone` is that of chats that have chosen none; `most` notices are said in a chat in a
    day."""

    def __init__(self, composer: Composer, engine: Engine, clock: Clock, zone: ZoneInfo, most: int) -> None:
        self._composer, self._engine, self._clock, self._zone, self._most = composer, engine, clock, zone, most

    def held(self, tx: Tx, lane: LaneKey) -> Millis | None:
        """Return until when the bot may say nothing by itself in a lane (it is quiet there, or today's notices are used
        up); None when it may now."""
        now = self._clock.now()
        said, name = people.quiet(tx, lane)
        until = quiet_hours.until(said, zone_named(name) or self._zone, now)
        if until is None and outbox.started(tx, lane, now - DAY, now) >= self._most:
            return now + DAY // 24
        return until

    def note(self, tx: Tx, lane: LaneKey, person_id: int, key: str, text: str, *, foreign: bool = False) -> None:
        """Say a notice, in Markdown, once a key; while notices are held back there, as soon as they no longer are.

        `person_id` is the person whose words it may have: it is forgotten with them. `foreign` when it has words of
        others.
        """
        until = self.held(tx, lane)
        if until is None:
            platform, _ = people.place(tx, lane)
            outgoing = self._composer.outgoing(platform, key, text, person_id=person_id)
            outgoing.foreign = foreign
            self._composer.say(tx, lane, outgoing, urgency=Urgency.PROGRESS)
            return
        if triggers.holds(tx, lane, key) or outbox.row_of(tx, lane.tenant_id, f"{key}:0") is not None:
            return
        triggers.insert(tx, a_notice(lane, person_id, key, text, until, tainted=foreign), self._clock.now())
        tx.after_commit(lambda: self._engine.wake(until))


def a_notice(lane: LaneKey, person_id: int, key: str, text: str, at: Millis, *, tainted: bool) -> Trigger:
    """Return the trigger that says a notice at an instant, under its key; `tainted` when it has words of others."""
    return Trigger(
        lane=lane,
        person_id=person_id,
        deliver="note",
        kind="once",
        spec=dump(Once(at=at)),
        text=text,
        link=key,
        next_at=at,
        tainted=tainted,
    )

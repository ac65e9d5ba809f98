"""Notices: what the bot says by itself, at no time that a person set; it waits until it is not quiet any more."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from core.delivery.composer import Composer
from core.kernel.ports import Clock, Engine, Tx
from core.kernel.timing import quiet_hours
from core.kernel.timing.schedule import Once, dump
from core.kernel.timing.trigger import Trigger
from core.kernel.timing.zones import zone_named
from core.kernel.types import LaneKey, Millis, Urgency
from core.scheduling import repository as triggers
from core.store.conversation import outbox
from core.store.people import people

DAY: Millis = 86_400_000


class Notices:
    """Says things now or later. `zone` is the one of whoever has chosen none; `most` are said in a chat in a day."""

    def __init__(self, composer: Composer, engine: Engine, clock: Clock, zone: ZoneInfo, most: int) -> None:
        self._composer, self._engine, self._clock, self._zone, self._most = composer, engine, clock, zone, most

    def held(self, tx: Tx, lane: LaneKey) -> Millis | None:
        """Until when the bot may start nothing in a lane: quiet hours, or enough for today."""
        now = self._clock.now()
        said, name = people.quiet(tx, lane)
        until = quiet_hours.until(said, zone_named(name) or self._zone, now)
        if until is None and outbox.started(tx, lane, now - DAY, now) >= self._most:
            return now + DAY // 24
        return until

    def note(self, tx: Tx, lane: LaneKey, person_id: int, key: str, text: str, *, foreign: bool = False) -> None:
        """Say a text of our own, which is Markdown, once a key; when it is held, as soon as it no longer is.

        `person_id` is whose words it may hold: it goes with them. It is `foreign` when it has words of others.
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
    """Return the trigger that says a text of our own at an instant, under its key; `tainted` when it has words of
    others."""
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

"""What people do with reminders that were posted: their messages show it (STATES: Trigger, Delivery)."""

from __future__ import annotations

from collections.abc import Sequence

from core.outcomes import Outcomes
from core.ports import Clock, Tx
from core.posting import Posting
from core.reminder_words import Words
from core.store import reminders, triggers
from core.store.reminders import Reminded, Reminder
from core.store.triggers import Trigger
from core.types import LaneKey, Millis
from core.voice import Voice
from core.when.schedule import Once, dump


class Reminders:
    """Finishes and puts off, in the caller's transaction."""

    def __init__(self, voice: Voice, clock: Clock, *, words: Words, posting: Posting, outcomes: Outcomes) -> None:
        self._voice, self._clock = voice, clock
        self._words, self._posting, self._outcomes = words, posting, outcomes

    def finish(self, tx: Tx, reminder: Reminder, person_id: int) -> bool:
        """Somebody has done it; False when that is known already. Who asked may say so for all it is for."""
        first, rows = self._first(tx, reminder)
        now = self._clock.now()
        if not self._settle(tx, first, rows, person_id, now):
            return False
        rows = reminders.people(tx, first.first_id)
        triggers.drop_put_off(tx, first.first_id, person_id, now)
        if all(one.state == "done" for one in rows):
            self._end(tx, first, now)
        self._changed(tx, first, rows, f"done:{person_id}:{now}")
        self._outcomes.done(tx, first, person_id, "reminder_told_done", now)
        return True

    def _settle(self, tx: Tx, first: Reminder, rows: Sequence[Reminded], person_id: int, now: Millis) -> bool:
        if not first.everybody:
            mine = self._mine(tx, first, rows, person_id)
            return any([reminders.settle(tx, one.reminded_id, "done", now) for one in mine])
        if first.state == "done":
            return False
        reminders.done_by(tx, first, person_id, now)
        return True

    def _end(self, tx: Tx, first: Reminder, now: Millis) -> None:
        """Nothing of it comes again."""
        for one in reminders.chain(tx, first.first_id):
            reminders.end(tx, one.reminder_id, "done", now)
        for trigger in triggers.again(tx, first.first_id):
            triggers.end(tx, trigger.trigger_id, "cancelled", now)

    def put_off(self, tx: Tx, reminder: Reminder, person_id: int, until: Millis) -> None:
        """Somebody wants to be reminded again at `until`; what had ended is open again."""
        first, rows = self._first(tx, reminder)
        now = self._clock.now()
        mine = self._mine(tx, first, rows, person_id)
        for one in mine:
            reminders.settle(tx, one.reminded_id, "snoozed", now, until)
        reminders.reopen(tx, first.first_id)
        triggers.drop_put_off(tx, first.first_id, person_id, now)
        if len(mine) == len(rows):
            triggers.drop_repeats(tx, first.first_id, now)
        self._posting.plan(tx, self._later(tx, first, reminder.lane, person_id, until))
        self._changed(tx, first, reminders.people(tx, first.first_id), f"snoozed:{person_id}:{now}")
        self._outcomes.done(tx, first, person_id, "reminder_told_put_off", until)

    def _later(self, tx: Tx, first: Reminder, lane: LaneKey, person_id: int, until: Millis) -> Trigger:
        made = triggers.load(tx, first.lane.tenant_id, first.trigger_id)
        return Trigger(
            lane=lane,
            person_id=person_id,
            deliver="message",
            kind="once",
            spec=dump(Once(at=until)),
            text=first.text,
            next_at=until,
            until_done=made is not None and made.until_done,
            reminder_id=first.first_id,
        )

    def _first(self, tx: Tx, reminder: Reminder) -> tuple[Reminder, list[Reminded]]:
        """The reminder that all of its kind come from, and whom it is for."""
        first = reminders.chain(tx, reminder.first_id)[0]
        return first, reminders.people(tx, first.reminder_id)

    def _mine(self, tx: Tx, first: Reminder, rows: Sequence[Reminded], person_id: int) -> Sequence[Reminded]:
        """The rows that are this person's; all of them when none is: then it is who asked."""
        return [one for one in rows if self._words.person(tx, first, one) == person_id] or rows

    def _changed(self, tx: Tx, first: Reminder, rows: Sequence[Reminded], change: str) -> None:
        """Show on every message of it what came of it; what is done has no buttons any more."""
        recurring = self._words.recurs(tx, first)
        for one in reminders.chain(tx, first.first_id):
            mine = [row for row in rows if one.person_id in {None, row.person_id}]
            seat = self._words.seat(tx, one, mine)
            language = self._voice.language(seat)
            text = self._words.shown(tx, one, mine, seat, language)
            done = bool(mine) and all(row.state == "done" for row in mine) and not (one.everybody and recurring)
            offers = () if done else self._words.offers(tx, one, mine, language, recurring=recurring)
            pressers = self._words.pressers(one, mine)
            key = f"{one.message_key}:{change}"
            letter = self._voice.letter(seat.platform, key, text, offers, once=False, people=pressers)
            self._voice.replace(tx, one.lane, letter, f"{one.message_key}:0")

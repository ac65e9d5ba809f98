"""What people do with reminders that were posted: their messages show it (STATES: Trigger, Delivery)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from core.capabilities.reminders import drop
from core.capabilities.reminders import repository as reminders
from core.capabilities.reminders.edits import ReminderEdits, snoozes
from core.capabilities.reminders.outcomes import Outcomes
from core.capabilities.reminders.repeating import Repeating
from core.capabilities.reminders.repository import Reminded, RemindedState, Reminder, ReminderState, Stand
from core.capabilities.reminders.views import ReminderTexts
from core.kernel.ports import Clock, Tx
from core.kernel.timing.schedule import Once, Rule, dump, load, next_after
from core.kernel.timing.trigger import Trigger, TriggerState
from core.kernel.timing.zones import to_instant, to_local
from core.kernel.types import LaneKey, Millis
from core.scheduling import repository as triggers
from core.scheduling.repository import TriggerKind
from core.toolkit.services import Services


class Reminders:
    """Finishes reminders, puts them off and takes that back, in the caller's transaction."""

    def __init__(
        self, clock: Clock, *, texts: ReminderTexts, edits: ReminderEdits, repeating: Repeating, outcomes: Outcomes
    ) -> None:
        self._clock, self._texts, self._edits = clock, texts, edits
        self._repeating, self._outcomes = repeating, outcomes

    def finish(self, tx: Tx, reminder: Reminder, person_id: int) -> bool:
        """Note that somebody has done what a reminder says; False when that is known already. Whoever asked for it says
        so for all whom it is for."""
        first, rows = _first(tx, reminder)
        now = self._clock.now()
        if first.everybody:
            if first.state == ReminderState.DONE:
                return False
            reminders.done_by(tx, first, person_id, now)
        else:
            mine = self._mine(tx, first, rows, person_id)
            if not any([reminders.close(tx, one.reminded_id, person_id, now) for one in mine]):
                return False
        drop.snooze(tx, first.first_id, now, person_id)
        if all(one.state == RemindedState.DONE for one in reminders.people(tx, first.first_id)):
            self._end(tx, first, now)
        self._edits.show_outcome(tx, first)
        self._outcomes.done(tx, first, person_id, "reminder_told_done", now)
        return True

    def close(self, tx: Tx, reminder: Reminder, person_id: int) -> None:
        """End a reminder as done for all whom it is for, since somebody has done what it is of (a to-do)."""
        first, rows = _first(tx, reminder)
        now = self._clock.now()
        for one in rows:
            reminders.close(tx, one.reminded_id, person_id, now)
        if first.everybody and first.state != ReminderState.DONE:
            reminders.done_by(tx, first, person_id, now)
        self._end(tx, first, now)
        self._edits.show_outcome(tx, first)
        self._outcomes.done(tx, first, person_id, "reminder_told_done", now)

    def open_again(self, tx: Tx, first: Reminder, person_id: int) -> None:
        """Open a first reminder that is done, since what it is of (a to-do) is open again, for those who had not done
        it before. Whoever had put it off is reminded then, unless that is over."""
        now, rows = self._clock.now(), [one for one in _first(tx, first)[1] if one.ended_at == first.ended_at]
        for one in rows:
            reminders.reopen_for(tx, one.reminded_id, now)
        if first.everybody:
            reminders.undo_done(tx, first)
        reminders.reopen(tx, first.first_id)
        # Whoever asked may have put it off for all but those who had done so themselves: these come last here.
        for put_off in sorted(
            triggers.bringing_again(tx, first.first_id, first.ended_at),
            key=lambda one: bool(_own(self._texts, tx, first, rows, one.person_id)),
        ):
            if put_off.next_at > now and not put_off.round and triggers.revive(tx, put_off.trigger_id, put_off.next_at):
                for one in self._mine(tx, first, rows, put_off.person_id):
                    reminders.reopen_for(tx, one.reminded_id, now, put_off.next_at)
                self._repeating.wake(tx, put_off.next_at)
        self._edits.show_outcome(tx, first)
        self._outcomes.done(tx, first, person_id, "reminder_told_back", now)

    def withdraw(self, tx: Tx, reminder: Reminder) -> None:
        """End a reminder, since what it is of is gone, or is due at another time or for others. Its messages say so."""
        first, rows = _first(tx, reminder)
        now = self._clock.now()
        for one in rows:
            if one.state == RemindedState.SNOOZED:
                reminders.reopen_for(tx, one.reminded_id, now)
        self._end(tx, first, now, ReminderState.LAPSED)
        self._edits.show_outcome(tx, first, stopped=True)

    def reword(self, tx: Tx, reminder: Reminder, text: str) -> None:
        """Give a reminder, its messages and what brings it again another text, since what it is of is called so now."""
        first, _ = _first(tx, reminder)
        if first.text == text:
            return
        for one in reminders.chain(tx, first.first_id):
            reminders.reword(tx, one, text)
        for trigger in triggers.bringing_again(tx, first.first_id):
            triggers.move(tx, trigger.trigger_id, trigger.next_at, text=text)
        self._edits.show_outcome(tx, first)

    def _end(self, tx: Tx, first: Reminder, now: Millis, state: ReminderState = ReminderState.DONE) -> None:
        """End a first reminder with all that brought it, or would bring it, again."""
        for one in reminders.chain(tx, first.first_id):
            reminders.end(tx, one.reminder_id, state, now)
        for trigger in triggers.bringing_again(tx, first.first_id):
            triggers.end(tx, trigger.trigger_id, TriggerState.CANCELLED, now)

    def snooze(self, tx: Tx, reminder: Reminder, person_id: int, until: Millis) -> Trigger | None:
        """Put a reminder off for somebody until an instant, and return the trigger that brings it then; a reminder that
        had ended is open again.

        None when the reminder was for others, each of whom has done it or put it off themselves.
        """
        first, rows = _first(tx, reminder)
        now = self._clock.now()
        mine = self._to_put_off(tx, first, rows, person_id)
        if not mine and not first.everybody:
            return None
        comes = self._later(tx, first, reminder.lane, person_id, until)
        for one in mine:
            reminders.reopen_for(tx, one.reminded_id, now, comes.next_at)
        if first.everybody:
            reminders.undo_done(tx, first)
        reminders.reopen(tx, first.first_id)
        drop.snooze(tx, first.first_id, now, None if first.everybody else person_id)
        if not any(one.state == RemindedState.OPEN for one in reminders.people(tx, first.first_id)):
            drop.repeats(tx, first.first_id, now)
        self._repeating.plan(tx, comes)
        self._edits.show_outcome(tx, first)
        self._outcomes.done(tx, first, person_id, "reminder_told_put_off", comes.next_at)
        return comes

    def stand(self, tx: Tx, reminder: Reminder) -> Stand:
        """Return how a reminder stands, for taking back what is done with it."""
        first, rows = _first(tx, reminder)
        states = {one.reminder_id: one.state for one in reminders.chain(tx, first.first_id)}
        return Stand(
            people=rows, again=[one.trigger_id for one in triggers.bringing_again(tx, first.first_id)], states=states
        )

    def put_back(self, tx: Tx, reminder: Reminder, person_id: int, was: Stand, became: Stand) -> bool:
        """Undo what somebody did with a reminder: it waits, or has ended, as it was, and what was to bring it again
        does so. False where that was changed again, or has come."""
        (first, _), now = _first(tx, reminder), self._clock.now()
        waiting = {one.trigger_id for one in triggers.bringing_again(tx, first.first_id)}
        ended = set(was.again).difference(became.again)
        over = any(
            found is None or found.next_at <= now
            for found in (triggers.load(tx, reminder.lane.tenant_id, one) for one in ended)
        )
        # What was to bring it again has done so, or somebody has changed that since.
        if over or waiting != set(became.again) or not reminders.put_back(tx, first, was.people, became.people):
            return False
        for made in set(became.again).difference(was.again):
            triggers.end(tx, made, TriggerState.CANCELLED, now)
        for number in ended:
            if (found := triggers.load(tx, reminder.lane.tenant_id, number)) is not None:
                triggers.revive(tx, number, found.next_at)
                self._repeating.wake(tx, found.next_at)
        reminders.reopen(tx, first.first_id)
        for number, state in was.states.items():
            if state != ReminderState.OPEN:
                reminders.end(tx, number, state, now)
        self._edits.show_outcome(tx, first)
        self._outcomes.done(tx, first, person_id, "reminder_told_back", now)
        return True

    def _to_put_off(self, tx: Tx, first: Reminder, rows: Sequence[Reminded], person_id: int) -> Sequence[Reminded]:
        """One's own; else what nobody has done or put off but oneself. What is for everybody is nobody's own."""
        if first.everybody:
            return []
        own = _own(self._texts, tx, first, rows, person_id)
        times = {one.next_at for one in snoozes(tx, first) if one.person_id == person_id}
        again = self._asleep(tx, first, rows, person_id, times)
        return own or [
            one for one in self._mine(tx, first, rows, person_id) if one.state == RemindedState.OPEN or one in again
        ]

    def _asleep(
        self, tx: Tx, first: Reminder, rows: Sequence[Reminded], person_id: int, times: Collection[Millis]
    ) -> list[Reminded]:
        """Return for whom somebody put a reminder off until one of the `times`: all but those who did so themselves."""
        theirs = {(one.person_id, one.next_at) for one in snoozes(tx, first) if one.person_id != person_id}
        asleep = [one for one in rows if one.state == RemindedState.SNOOZED and one.until in times]
        return [one for one in asleep if (self._texts.person(tx, first, one), one.until) not in theirs]

    def stopped(self, tx: Tx, trigger: Trigger) -> None:
        """Show that a trigger which was to bring a reminder again was stopped: on the messages of the reminder, and by
        telling whoever asked for it."""
        chain, now = reminders.chain(tx, trigger.reminder_id or 0), self._clock.now()
        if not chain:
            return
        first, rows = chain[0], reminders.people(tx, chain[0].first_id)
        asleep = self._asleep(tx, first, rows, trigger.person_id, {trigger.next_at})
        for one in asleep:
            reminders.reopen_for(tx, one.reminded_id, now)
        over = not triggers.bringing_again(tx, first.first_id)
        if over:
            for each in chain:
                reminders.end(tx, each.reminder_id, ReminderState.LAPSED, now)
        # What comes again at its own times can still be done this time, and so can what waits for others.
        waits = self._texts.recurs(tx, first) or any(
            one.state != RemindedState.DONE for one in rows if one not in asleep
        )
        self._edits.show_outcome(tx, first, stopped=over and not waits)
        self._outcomes.done(tx, first, trigger.person_id, "reminder_told_stopped", now)

    def _later(self, tx: Tx, first: Reminder, lane: LaneKey, person_id: int, until: Millis) -> Trigger:
        """Return the trigger that brings a reminder again at `until`.

        If its series has a time of its own next to that, it is that time, which moves with the series (`moved`): the
        series comes in its place then (`drop.met`), unless it has ended.
        """
        made = triggers.load(tx, first.lane.tenant_id, first.trigger_id)
        own, rule = _own_time(made, until), None if made is None else load(made.spec)
        until = own or until
        wall = to_local(until, ZoneInfo(rule.zone)) if own and isinstance(rule, Rule) else None
        schedule = Once(at=until, wall=wall.replace(tzinfo=None).isoformat(timespec="minutes") if wall else "")
        return Trigger(
            lane=lane,
            person_id=person_id,
            deliver="message",
            kind="once",
            spec=dump(schedule),
            text=first.text,
            next_at=until,
            until_done=made is not None and made.until_done,
            tainted=made is not None and made.tainted,
            reminder_id=first.first_id,
        )

    def _mine(self, tx: Tx, first: Reminder, rows: Sequence[Reminded], person_id: int) -> Sequence[Reminded]:
        """Return the rows of a person: their own; else all of them for whoever asked for the reminder; else those whose
        person is not known (a handle), one of whom they may be."""
        own = _own(self._texts, tx, first, rows, person_id)
        if own or person_id == first.asker_id:
            return own or rows
        return [one for one in rows if self._texts.person(tx, first, one) is None] or rows


def _first(tx: Tx, reminder: Reminder) -> tuple[Reminder, list[Reminded]]:
    """Return the first reminder of a chain, and the rows of those whom it is for."""
    first = reminders.chain(tx, reminder.first_id)[0]
    return first, reminders.people(tx, first.reminder_id)


def _own(texts: ReminderTexts, tx: Tx, first: Reminder, rows: Sequence[Reminded], person_id: int) -> Sequence[Reminded]:
    """Return the rows of those whom a reminder is for that are a person's."""
    return [one for one in rows if texts.person(tx, first, one) == person_id]


def _own_time(series: Trigger | None, at: Millis) -> Millis | None:
    """Return the time that an active series has next to an instant; None when it has none."""
    if series is None or series.state != TriggerState.ACTIVE or series.kind == TriggerKind.ONCE:
        return None
    own = next_after(load(series.spec), max(at - drop.BESIDE, series.next_at) - 1)
    return own if own is not None and own <= at + drop.BESIDE else None


def _until(services: Services, series: Trigger, put_off: Trigger) -> Millis:
    """Return until when a reminder is put off whose series may be due at other times now: the same clock in its zone,
    or the series' own time next to that. If that is over, or no clock is known, it stays as it was."""
    rule, former = load(series.spec), load(put_off.spec)
    if not isinstance(rule, Rule) or not isinstance(former, Once) or not former.wall:
        return put_off.next_at
    at = to_instant(datetime.fromisoformat(former.wall), ZoneInfo(rule.zone))
    until = _own_time(series, at) or at
    return until if until > services.clock.now() else put_off.next_at


def moved(services: Services, tx: Tx, series: Trigger) -> None:
    """Move what was put off until a time of a series, since the series is due at other times now."""
    for one in triggers.put_off_of(tx, series):
        until, posted = _until(services, series, one), reminders.find(tx, one.lane, one.reminder_id or 0)
        if posted is not None and until != one.next_at:
            services.get(Reminders).snooze(tx, replace(posted, lane=one.lane), one.person_id, until)


def revived(services: Services, tx: Tx, former: Trigger, beside: Sequence[int], repeats: Sequence[Trigger]) -> None:
    """Bring back what was stopped with a trigger, now that it is active again.

    `beside` are the numbers of triggers that put its reminders off until its time: each is put off anew, by the clock
    of the series now, unless that is over or somebody did so since. `repeats` are the triggers that repeated them.
    """
    series, now = triggers.load(tx, former.lane.tenant_id, former.trigger_id) or former, services.clock.now()
    for one in (triggers.load(tx, series.lane.tenant_id, number) for number in beside):
        posted = None if one is None else reminders.find(tx, one.lane, one.reminder_id or 0)
        if one is None or posted is None:
            continue
        until = _until(services, series, one)
        # Whoever may stop it with its series brings it back with that.
        anew = [later for later in triggers.bringing_again(tx, posted.first_id) if not later.round]
        if until > now and not any(posted.everybody or later.person_id == one.person_id for later in anew):
            services.get(Reminders).snooze(tx, replace(posted, lane=one.lane), one.person_id, until)
    for one in repeats:
        services.get(Repeating).revive(tx, one)

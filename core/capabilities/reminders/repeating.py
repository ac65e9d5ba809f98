"""Bringing a reminder once more: somebody snoozed it, or it is repeated until it is done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.capabilities.reminders import drop
from core.capabilities.reminders import repository as reminders
from core.capabilities.reminders.outcomes import Outcomes
from core.capabilities.reminders.repository import Draft, Reminded, RemindedState, Reminder, ReminderState
from core.capabilities.reminders.views import ReminderTexts
from core.kernel.ports import Clock, Engine, Tx
from core.kernel.timing.schedule import Once, dump
from core.kernel.timing.trigger import Trigger
from core.kernel.types import HOUR, MINUTE, Millis
from core.scheduling import between_people
from core.scheduling import repository as triggers

REPEAT_AFTER: Millis = 10 * MINUTE
# For so long after it was due, a repeat that was stopped can be brought back.
LONG_OVER: Millis = 3 * HOUR
# A message that is sent when it is due takes at most so long.
SLACK: Millis = MINUTE


class Repeating:
    """Plans, drafts and ends what brings reminders once more."""

    def __init__(self, engine: Engine, clock: Clock, *, texts: ReminderTexts, outcomes: Outcomes) -> None:
        self._engine, self._clock, self._texts, self._outcomes = engine, clock, texts, outcomes

    def drafts(self, tx: Tx, trigger: Trigger, first_id: int) -> list[Draft]:
        """Draft a reminder that was snoozed, or that nobody has finished, once more."""
        chain = reminders.chain(tx, first_id)
        if not chain or chain[0].state != ReminderState.OPEN:
            return []
        first, rows, now = chain[0], reminders.people(tx, first_id), self._clock.now()
        seen_at = reminders.sent_at(tx, first_id, now) if trigger.round else 0
        if now - seen_at < REPEAT_AFTER - SLACK:
            # Nobody can have answered: what could not be sent for a while does not come several times together.
            at = seen_at + REPEAT_AFTER
            self.plan(tx, replace(trigger, spec=dump(Once(at=at)), next_at=at))
            return []
        if trigger.round > reminders.MOST_REPEATS:
            self._lapse(tx, trigger, first, rows)
            return []
        mine = self._waiting(tx, trigger, first, rows)
        if trigger.round and not mine and not first.everybody:
            self._lapse(tx, trigger, first, rows)
        if not mine and not first.everybody:
            return []
        reminder = replace(
            first,
            root_id=first.first_id,
            lane=trigger.lane,
            person_id=mine[0].person_id if len(mine) == 1 and len(rows) > 1 else None,
            message_key=triggers.key_of(trigger),
            due_at=trigger.next_at,
        )
        return [Draft(trigger, reminder, again=[one.reminded_id for one in mine])]

    def repeat(self, tx: Tx, trigger: Trigger, reminder: Reminder) -> None:
        """Plan that a reminder comes again until it is done; after the last time, whoever asked for it is told."""
        # There is one chain of repeats, whoever snoozes what.
        if any(one.round for one in triggers.bringing_again(tx, reminder.first_id)):
            return
        at = self._clock.now() + REPEAT_AFTER
        self.plan(
            tx,
            replace(
                trigger,
                lane=reminder.lane,
                person_id=reminder.asker_id,
                kind="once",
                spec=dump(Once(at=at)),
                next_at=at,
                reminder_id=reminder.first_id,
                round=trigger.round + 1,
                late="run",
            ),
        )

    def revive(self, tx: Tx, trigger: Trigger) -> None:
        """Make a repeat that was stopped come after all; a while from now, if its time is over.

        It stays away if its time is long over, if nobody has to answer any more, or if a reminder for everybody was put
        off since.
        """
        first_id = trigger.reminder_id or 0
        chain, waiting = reminders.chain(tx, first_id), triggers.bringing_again(tx, first_id)
        if not chain or chain[0].state != ReminderState.OPEN or any(one.round for one in waiting):
            return
        now, everybody = self._clock.now(), chain[0].everybody
        asked = any(one.state == RemindedState.OPEN for one in reminders.people(tx, first_id))
        over = max(trigger.next_at, reminders.sent_at(tx, first_id, now)) + LONG_OVER <= now
        if not over and (asked or (everybody and not waiting)):
            at = trigger.next_at if trigger.next_at > now else now + REPEAT_AFTER
            triggers.revive(tx, trigger.trigger_id, at)
            self.wake(tx, at)

    def plan(self, tx: Tx, trigger: Trigger) -> None:
        """Store a trigger that brings a reminder again, and wake the engine then."""
        triggers.insert(tx, trigger, self._clock.now())
        self.wake(tx, trigger.next_at)

    def wake(self, tx: Tx, at: Millis) -> None:
        """Wake the engine when a reminder comes again."""
        tx.after_commit(lambda: self._engine.wake(at))

    def let_go(self, tx: Tx, first: Reminder) -> bool:
        """Repeat a first reminder no more, and end it unless somebody snoozed it; return whether it has ended."""
        now = self._clock.now()
        drop.repeats(tx, first.first_id, now)
        if triggers.bringing_again(tx, first.first_id):
            return False
        for one in reminders.chain(tx, first.first_id):
            reminders.end(tx, one.reminder_id, ReminderState.LAPSED, now)
        return True

    def _waiting(self, tx: Tx, trigger: Trigger, first: Reminder, rows: Sequence[Reminded]) -> list[Reminded]:
        """Return for whom a reminder comes again: those for whom it was snoozed until now, or who have not answered."""
        if trigger.round:
            muted = between_people.muted
            tenant_id, asker = first.lane.tenant_id, first.asker_id
            return [
                one
                for one in rows
                if one.state == RemindedState.OPEN
                and not (one.person_id and muted(tx, tenant_id, one.person_id, asker))
            ]
        # Whoever snoozed it: of two who did until the same instant the first brings it to both.
        mine = [one for one in rows if one.state == RemindedState.SNOOZED and (one.until or 0) <= trigger.next_at]
        for one in mine:
            reminders.reopen_for(tx, one.reminded_id, self._clock.now())
        return mine

    def _lapse(self, tx: Tx, trigger: Trigger, first: Reminder, rows: Sequence[Reminded]) -> None:
        """End a reminder that nobody did although a trigger repeated it, and tell whoever asked for it: each time,
        since it may have been put off after the last one."""
        still = ", ".join(self._texts.name(tx, first, one) for one in rows if one.state == RemindedState.OPEN)
        if self.let_go(tx, first) or still:
            others = any(one.state == RemindedState.OPEN and one.person_id != first.asker_id for one in rows)
            # Of what is for everybody nobody in particular gave no answer.
            key = "reminder_told_lapsed" if others else "reminder_lapsed"
            self._outcomes.tell(tx, first, f"{triggers.key_of(trigger)}:lapsed", key, name=still)

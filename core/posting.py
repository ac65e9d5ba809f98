"""Posting reminders, without a model, with buttons; and posting them once more (STATES: Trigger, Delivery).

All of it happens in the caller's transaction: a reminder is a row, its message in the outbox and its buttons, or none
of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.access import Access, may
from core.language import Language
from core.markdown import called
from core.outcomes import KEY, NEVER, Outcomes
from core.ports import Clock, Engine, Tx
from core.reminder_words import Words
from core.store import contacts, errands, people, reminders, triggers
from core.store.contacts import Reach
from core.store.people import Seat
from core.store.reminders import Reminded, Reminder
from core.store.triggers import Trigger
from core.types import LaneKey, Millis, Standing, Urgency
from core.voice import Voice
from core.when.schedule import Once, dump

LATE: Millis = 60_000
REPEAT_AFTER: Millis = 10 * 60_000
MOST_REPEATS = 3


class Posting:
    """Posts what is due of triggers that are reminders."""

    def __init__(
        self, voice: Voice, engine: Engine, clock: Clock, *, access: Access, words: Words, outcomes: Outcomes
    ) -> None:
        self._voice, self._engine, self._clock = voice, engine, clock
        self._access, self._words, self._outcomes = access, words, outcomes
        self._since = clock.now()

    def post(self, tx: Tx, trigger: Trigger, seat: Seat) -> None:
        """Post what is due of a trigger that was fired; `trigger` is as it was before, `seat` its maker's."""
        if trigger.reminder_id is not None:
            self._again(tx, trigger, trigger.reminder_id)
            return
        self._supersede(tx, trigger)
        reached = [contacts.reach(tx, trigger.lane, one) for one in triggers.contacts(tx, trigger.trigger_id)]
        others = [one for one in reached if one is not None]
        if not others:
            mine = [] if trigger.everybody else [Reminded(person_id=trigger.person_id, contact_id=None)]
            self._begin(tx, trigger, seat, trigger.lane, mine)
        elif seat.group and len(others) > 1:
            self._for_several(tx, trigger, seat, others)
        else:
            for n, one in enumerate(others):
                self._for_another(tx, trigger, seat, one, f":{n}" if n else "")

    def _for_several(self, tx: Tx, trigger: Trigger, seat: Seat, others: Sequence[Reach]) -> None:
        """In their group; not for those who do not want it."""
        wanted = [one for one in others if not self._refused(tx, trigger, one)]
        if wanted:
            key = self._begin(tx, trigger, seat, trigger.lane, [_reminded(one) for one in wanted])
            for one in wanted:
                self._count(tx, trigger, one, f"{key}:{one.contact_id}")

    def _for_another(self, tx: Tx, trigger: Trigger, seat: Seat, reach: Reach, suffix: str) -> None:
        """In private when they have talked to the bot, else in the group where it was wished. A guest stays there."""
        own = reach.person_id == trigger.person_id
        private = None if own or not self._is_member(seat) or not self._has_access(tx, reach) else reach.lane
        lane = trigger.lane if own else private or (trigger.lane if seat.group else None)
        if lane is None:
            triggers.pause(tx, trigger.trigger_id, NEVER)
            self._outcomes.undelivered(tx, trigger, called(reach.name, "–"), NEVER)
        elif not self._refused(tx, trigger, reach):
            key = self._begin(tx, trigger, seat, lane, [_reminded(reach)], suffix)
            self._count(tx, trigger, reach, key)

    def _has_access(self, tx: Tx, reach: Reach) -> bool:
        """Whether somebody may be written to in private: not who only waits at the door, or was removed."""
        if reach.lane is None or reach.person_id is None:
            return False
        return self._is_member(people.seat(tx, reach.lane, reach.person_id))

    def _is_member(self, seat: Seat) -> bool:
        return may(self._access.standing(seat.person.address, seat.standing), Standing.MEMBER)

    def _refused(self, tx: Tx, trigger: Trigger, reach: Reach) -> bool:
        """Whether it may not go to somebody, which who asked is told; it rests unless that is only for today."""
        if reach.person_id in {None, trigger.person_id}:
            return False
        now, tenant_id = self._clock.now(), trigger.lane.tenant_id
        why = errands.refusal(tx, tenant_id, trigger.person_id, reach.person_id or 0, now)
        if not why:
            return False
        if not why.endswith("_limit"):
            triggers.pause(tx, trigger.trigger_id, why)
        self._outcomes.undelivered(tx, trigger, called(reach.name, "–"), why)
        return True

    def _count(self, tx: Tx, trigger: Trigger, reach: Reach, key: str) -> None:
        """A reminder for another counts among what one makes the bot send; its repeats are a part of it."""
        if reach.person_id not in {None, trigger.person_id}:
            errands.note(tx, trigger.lane, trigger.person_id, reach.person_id or 0, key, self._clock.now())

    def _begin(
        self, tx: Tx, trigger: Trigger, seat: Seat, lane: LaneKey, mine: Sequence[Reminded], suffix: str = ""
    ) -> str:
        """Post a first reminder; returns its key."""
        reminder = Reminder(
            lane=lane,
            trigger_id=trigger.trigger_id,
            asker_id=trigger.person_id,
            asker_lane_id=trigger.lane.lane_id,
            message_key=f"{KEY}{trigger.trigger_id}:{trigger.epoch}{suffix}",
            everybody=trigger.everybody,
            text="\n↳ ".join(filter(None, (trigger.text, trigger.link))),
            due_at=trigger.next_at,
        )
        first = self._store(tx, reminder, mine)
        near = seat if lane == trigger.lane else None
        self._send(tx, first, mine, near=near, recurring=trigger.kind != "once")
        if trigger.until_done:
            self._repeat(tx, trigger, first, 1)
        return reminder.message_key

    def _store(self, tx: Tx, reminder: Reminder, mine: Sequence[Reminded]) -> Reminder:
        now = self._clock.now()
        return replace(reminder, reminder_id=reminders.insert(tx, reminder, mine, now), created_at=now)

    def _send(
        self,
        tx: Tx,
        reminder: Reminder,
        mine: Sequence[Reminded],
        *,
        near: Seat | None = None,
        recurring: bool = False,
        n: int = 0,
    ) -> None:
        """`near` is a seat in its lane that is known already; `n` how often it was repeated."""
        seat = self._words.seat(tx, reminder, mine, near)
        language = self._voice.language(seat)
        note = language.say("reminder_again", n=n, most=MOST_REPEATS) if n else ""
        shown = self._words.shown(tx, reminder, mine, seat, language)
        text = "\n".join(filter(None, (shown, self._late(language, reminder.due_at), note)))
        offers = self._words.offers(tx, reminder, mine, language, recurring=recurring)
        pressers = self._words.pressers(reminder, mine)
        letter = self._voice.letter(seat.platform, reminder.message_key, text, offers, once=False, people=pressers)
        # One instant for both: whether it is the last thing that was said is seen by it.
        self._voice.say(tx, reminder.lane, letter, urgency=Urgency.REMINDER, at=reminder.created_at)

    def _late(self, language: Language, due_at: Millis) -> str:
        late = self._clock.now() - due_at
        if late < LATE:
            return ""
        return language.say("late_offline" if due_at < self._since else "late", duration=language.duration(late))

    def _supersede(self, tx: Tx, trigger: Trigger) -> None:
        """What is due anew is not repeated for the last time's sake any more; what was put off still comes."""
        if trigger.until_done and trigger.last_at is not None:
            for before in reminders.open_of(tx, trigger.trigger_id):
                self._let_go(tx, before)

    def _let_go(self, tx: Tx, first: Reminder) -> bool:
        """It is repeated no more, and has ended unless somebody put it off; returns whether it has."""
        now = self._clock.now()
        triggers.drop_repeats(tx, first.first_id, now)
        if triggers.again(tx, first.first_id):
            return False
        for one in reminders.chain(tx, first.first_id):
            reminders.end(tx, one.reminder_id, "lapsed", now)
        return True

    # Once more.

    def _again(self, tx: Tx, trigger: Trigger, first_id: int) -> None:
        """Bring a reminder that was put off, or that nobody has finished, once more."""
        chain = reminders.chain(tx, first_id)
        if not chain or chain[0].state != "open":
            return
        first, rows = chain[0], reminders.people(tx, first_id)
        if trigger.round > MOST_REPEATS:
            self._lapse(tx, first, rows)
            return
        mine = self._waiting(tx, trigger, first, rows)
        if mine or first.everybody:
            self._bring(tx, trigger, first, mine, len(rows))

    def _waiting(self, tx: Tx, trigger: Trigger, first: Reminder, rows: Sequence[Reminded]) -> list[Reminded]:
        """For whom it comes again: who put it off (or all for whom somebody did), or whoever has not answered."""
        if trigger.round:
            muted = errands.muted
            tenant_id, asker = first.lane.tenant_id, first.asker_id
            return [
                one
                for one in rows
                if one.state == "open" and not (one.person_id and muted(tx, tenant_id, one.person_id, asker))
            ]
        off = [one for one in rows if one.state == "snoozed"]
        mine = [one for one in off if self._words.person(tx, first, one) == trigger.person_id] or off
        for one in mine:
            reminders.settle(tx, one.reminded_id, "open", self._clock.now())
        return [replace(one, state="open", until=None) for one in mine]

    def _bring(self, tx: Tx, trigger: Trigger, first: Reminder, mine: Sequence[Reminded], of: int) -> None:
        again = replace(
            first,
            root_id=first.first_id,
            lane=trigger.lane,
            person_id=mine[0].person_id if len(mine) == 1 and of > 1 else None,
            message_key=f"{KEY}{trigger.trigger_id}:{trigger.epoch}",
            due_at=trigger.next_at,
        )
        reminder = self._store(tx, again, ())
        self._send(tx, reminder, mine, recurring=self._words.recurs(tx, first), n=trigger.round)
        # There is one chain of repeats, whoever puts off what.
        if trigger.until_done and not any(one.round for one in triggers.again(tx, first.first_id)):
            self._repeat(tx, trigger, reminder, trigger.round + 1)

    def _repeat(self, tx: Tx, trigger: Trigger, reminder: Reminder, n: int) -> None:
        """See that it comes again until it is done; after the last time who asked is told."""
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
                round=n,
                late="run",
            ),
        )

    def plan(self, tx: Tx, trigger: Trigger) -> None:
        """Store what brings a reminder again, and be awake then."""
        triggers.insert(tx, trigger, self._clock.now())
        at = trigger.next_at
        tx.after_commit(lambda: self._engine.wake(at))

    def _lapse(self, tx: Tx, first: Reminder, rows: Sequence[Reminded]) -> None:
        """Nobody did it, though it was repeated: who asked is told."""
        still = ", ".join(self._words.name(tx, first, one) for one in rows if one.state == "open")
        if self._let_go(tx, first) or still:
            others = first.everybody or any(one.person_id != first.asker_id for one in rows)
            key = "reminder_told_lapsed" if others else "reminder_lapsed"
            self._outcomes.tell(tx, first, f"{first.message_key}:lapsed", key, name=still or "–")


def _reminded(reach: Reach) -> Reminded:
    return Reminded(person_id=reach.person_id, contact_id=reach.contact_id)

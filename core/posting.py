"""Posting reminders, without a model, with buttons; and posting them once more (STATES: Trigger, Delivery).

All of it happens in the caller's transaction: a reminder is a row, its message in the outbox and its buttons, or none
of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

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
from core.voice import Letter, Voice
from core.when.schedule import Once, dump

LATE: Millis = 60_000
REPEAT_AFTER: Millis = 10 * 60_000
MOST_REPEATS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A reminder that is about to be posted because of a trigger, for `mine`; a first one is stored as theirs, `named`.

    `near` is a seat in its lane that is known already. `recurring` when it comes again at times of its own.
    """

    trigger: Trigger
    reminder: Reminder
    mine: Sequence[Reminded]
    named: Sequence[Reminded] = ()
    near: Seat | None = None
    recurring: bool = False


class Posting:
    """Posts what is due of triggers that are reminders."""

    def __init__(
        self, voice: Voice, engine: Engine, clock: Clock, *, access: Access, words: Words, outcomes: Outcomes
    ) -> None:
        self._voice, self._engine, self._clock = voice, engine, clock
        self._access, self._words, self._outcomes = access, words, outcomes
        self._since = clock.now()

    def post(self, tx: Tx, due: Sequence[Trigger], seats: Mapping[int, Seat]) -> None:
        """Post what is due of triggers that were fired, which are as they were before; `seats` are their makers'.

        They share their statements: none of them may look at what another one has just posted.
        """
        known = triggers.contacts_of(tx, [one.trigger_id for one in due])
        drafts: list[Draft] = []
        for trigger in due:
            others = known.get(trigger.trigger_id, ())
            drafts += self._drafts(tx, trigger, seats[trigger.trigger_id], others)
        self._send(tx, drafts)

    def _drafts(self, tx: Tx, trigger: Trigger, seat: Seat, known: Sequence[int]) -> Sequence[Draft]:
        """What comes of a trigger; `known` are the contacts it reminds."""
        if trigger.reminder_id is not None:
            return self._again(tx, trigger, trigger.reminder_id)
        self._supersede(tx, trigger)
        reached = [contacts.reach(tx, trigger.lane, one) for one in known]
        others = [one for one in reached if one is not None]
        if not others:
            mine = [] if trigger.everybody else [Reminded(person_id=trigger.person_id, contact_id=None)]
            return [_first(trigger, seat, trigger.lane, mine)]
        if seat.group and len(others) > 1:
            return self._for_several(tx, trigger, seat, others)
        found = [self._for_another(tx, trigger, seat, one, f":{n}" if n else "") for n, one in enumerate(others)]
        return [draft for draft in found if draft is not None]

    def _for_several(self, tx: Tx, trigger: Trigger, seat: Seat, others: Sequence[Reach]) -> list[Draft]:
        """In their group; not for those who do not want it."""
        wanted = [one for one in others if not self._refused(tx, trigger, one)]
        if not wanted:
            return []
        draft = _first(trigger, seat, trigger.lane, [_reminded(one) for one in wanted])
        for one in wanted:
            self._count(tx, trigger, one, f"{draft.reminder.message_key}:{one.contact_id}")
        return [draft]

    def _for_another(self, tx: Tx, trigger: Trigger, seat: Seat, reach: Reach, suffix: str) -> Draft | None:
        """In private when they have talked to the bot, else in the group where it was wished. A guest stays there."""
        own = reach.person_id == trigger.person_id
        private = None if own or not self._is_member(seat) or not self._has_access(tx, reach) else reach.lane
        lane = trigger.lane if own else private or (trigger.lane if seat.group else None)
        if lane is None:
            triggers.pause(tx, trigger.trigger_id, NEVER)
            self._outcomes.undelivered(tx, trigger, called(reach.name, "–"), NEVER)
            return None
        if self._refused(tx, trigger, reach):
            return None
        draft = _first(trigger, seat, lane, [_reminded(reach)], suffix)
        self._count(tx, trigger, reach, draft.reminder.message_key)
        return draft

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

    def _send(self, tx: Tx, drafts: Sequence[Draft]) -> None:
        """Store drafts, and queue their messages with buttons."""
        now = self._clock.now()
        numbers = reminders.insert(tx, [(draft.reminder, draft.named) for draft in drafts], now)
        posted = [(draft, draft.reminder.stored(number, now)) for draft, number in zip(drafts, numbers, strict=True)]
        letters = [(reminder.lane, self._letter(tx, draft, reminder)) for draft, reminder in posted]
        # One instant for both: whether it is the last thing that was said is seen by it.
        self._voice.say_all(tx, letters, urgency=Urgency.REMINDER, at=now)
        for draft, reminder in posted:
            if draft.trigger.until_done:
                self._repeat(tx, draft.trigger, reminder)

    def _letter(self, tx: Tx, draft: Draft, reminder: Reminder) -> Letter:
        mine, n = draft.mine, draft.trigger.round
        seat = self._words.seat(tx, reminder, mine, draft.near)
        language = self._voice.language(seat)
        note = language.say("reminder_again", n=n, most=MOST_REPEATS) if n else ""
        shown = self._words.shown(tx, reminder, mine, seat, language)
        text = "\n".join(filter(None, (shown, self._late(language, reminder.due_at), note)))
        offers = self._words.offers(tx, reminder, mine, language, recurring=draft.recurring)
        pressers = self._words.pressers(reminder, mine)
        return self._voice.letter(seat.platform, reminder.message_key, text, offers, once=False, people=pressers)

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

    def _again(self, tx: Tx, trigger: Trigger, first_id: int) -> list[Draft]:
        """Bring a reminder that was put off, or that nobody has finished, once more."""
        chain = reminders.chain(tx, first_id)
        if not chain or chain[0].state != "open":
            return []
        first, rows = chain[0], reminders.people(tx, first_id)
        if trigger.round > MOST_REPEATS:
            self._lapse(tx, first, rows)
            return []
        mine = self._waiting(tx, trigger, first, rows)
        return [self._once_more(tx, trigger, first, mine, len(rows))] if mine or first.everybody else []

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

    def _once_more(self, tx: Tx, trigger: Trigger, first: Reminder, mine: Sequence[Reminded], of: int) -> Draft:
        again = replace(
            first,
            root_id=first.first_id,
            lane=trigger.lane,
            person_id=mine[0].person_id if len(mine) == 1 and of > 1 else None,
            message_key=f"{KEY}{trigger.trigger_id}:{trigger.epoch}",
            due_at=trigger.next_at,
        )
        return Draft(trigger=trigger, reminder=again, mine=mine, recurring=self._words.recurs(tx, first))

    def _repeat(self, tx: Tx, trigger: Trigger, reminder: Reminder) -> None:
        """See that it comes again until it is done; after the last time who asked is told."""
        # There is one chain of repeats, whoever puts off what.
        if any(one.round for one in triggers.again(tx, reminder.first_id)):
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


def _first(trigger: Trigger, seat: Seat, lane: LaneKey, mine: Sequence[Reminded], suffix: str = "") -> Draft:
    """The draft of a first reminder."""
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
    near = seat if lane == trigger.lane else None
    return Draft(trigger=trigger, reminder=reminder, mine=mine, named=mine, near=near, recurring=trigger.kind != "once")


def _reminded(reach: Reach) -> Reminded:
    return Reminded(person_id=reach.person_id, contact_id=reach.contact_id)

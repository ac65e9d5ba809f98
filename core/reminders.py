"""Reminders: posted without a model, with buttons; their messages show what came of them (STATES: Trigger, Delivery).

All of it happens in the caller's transaction: a reminder is a row, its message in the outbox and its buttons, or none
of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.access import Access, may
from core.language import Language
from core.markdown import called, lines
from core.notices import Notices
from core.ports import Clock, Engine, Tx
from core.reminder_words import Words, clock
from core.store import contacts, errands, people, reminders, triggers
from core.store.contacts import Reach
from core.store.outbox import Post
from core.store.people import Seat
from core.store.reminders import Reminded, Reminder
from core.store.triggers import Trigger
from core.types import LaneKey, Millis, Standing, Urgency
from core.voice import Voice
from core.when.schedule import Once, dump

LATE: Millis = 60_000
REPEAT_AFTER: Millis = 10 * 60_000
MOST_REPEATS = 3
KEY = "trigger:"
NEVER, REFUSED, BLOCKED = "never", "refused", "blocked"


class Reminders:
    """Posts, finishes, puts off and repeats."""

    def __init__(
        self, voice: Voice, engine: Engine, clock: Clock, *, access: Access, words: Words, notices: Notices
    ) -> None:
        self._voice, self._engine, self._clock = voice, engine, clock
        self._access, self._words, self._notices = access, words, notices
        self._since = clock.now()

    # Posting.

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
            self._begin(tx, trigger, seat, trigger.lane, [_reminded(one) for one in others])
        else:
            for n, one in enumerate(others):
                self._for_another(tx, trigger, seat, one, f":{n}" if n else "")

    def _for_another(self, tx: Tx, trigger: Trigger, seat: Seat, reach: Reach, suffix: str) -> None:
        """In private when they have talked to the bot, else in the group where it was wished."""
        own = reach.person_id == trigger.person_id
        private = reach.lane if not own and self._has_access(tx, reach) else None
        lane = trigger.lane if own else private or (trigger.lane if seat.group else None)
        refusal = "" if own else self._refusal(tx, trigger, reach)
        if lane is None or refusal:
            self._tell_unseen(tx, trigger, reach.name, refusal or NEVER)
            return
        key = self._begin(tx, trigger, seat, lane, [_reminded(reach)], suffix)
        if not own and reach.person_id is not None:
            errands.note(tx, trigger.lane, trigger.person_id, reach.person_id, key, self._clock.now())

    def _has_access(self, tx: Tx, reach: Reach) -> bool:
        """Whether somebody may be written to in private: not who only waits at the door, or was removed."""
        if reach.lane is None or reach.person_id is None:
            return False
        seat = people.seat(tx, reach.lane, reach.person_id)
        return may(self._access.standing(seat.person.address, seat.standing), Standing.MEMBER)

    def _refusal(self, tx: Tx, trigger: Trigger, reach: Reach) -> str:
        if reach.person_id is None:
            return ""
        return errands.refusal(tx, trigger.lane.tenant_id, trigger.person_id, reach.person_id, self._clock.now())

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
        self._send(tx, first, mine, near=near, late=True, recurring=trigger.kind != "once")
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
        late: bool = False,
        recurring: bool = False,
        note: str = "",
    ) -> None:
        seat, language = self._seat(tx, reminder, mine, near)
        text = self._words.shown(tx, reminder, mine, seat, language)
        if late:
            text = "\n".join(filter(None, (text, self._late(language, reminder.due_at), note)))
        offers = self._words.offers(tx, reminder, mine, language, recurring=recurring)
        letter = self._voice.letter(
            seat.platform, reminder.message_key, text, offers, once=False, people=_pressers(reminder, mine)
        )
        # One instant for both: whether it is the last thing that was said is seen by it.
        self._voice.say(tx, reminder.lane, letter, urgency=Urgency.REMINDER, at=reminder.created_at)

    def _seat(
        self, tx: Tx, reminder: Reminder, mine: Sequence[Reminded], near: Seat | None = None
    ) -> tuple[Seat, Language]:
        """The place of a reminder as whom it is for sees it; `near` is a seat in its lane that is known already."""
        person_id = next((one.person_id for one in mine if one.person_id is not None), reminder.asker_id)
        if near is not None and near.person.person_id == person_id:
            seat = near
        else:
            seat = people.seat(tx, reminder.lane, person_id)
        return seat, self._voice.language(seat)

    def _late(self, language: Language, due_at: Millis) -> str:
        late = self._clock.now() - due_at
        if late < LATE:
            return ""
        return language.say("late_offline" if due_at < self._since else "late", duration=language.duration(late))

    def _supersede(self, tx: Tx, trigger: Trigger) -> None:
        """What is due anew is not repeated for the last time's sake any more."""
        if not trigger.until_done or trigger.last_at is None:
            return
        for before in reminders.open_of(tx, trigger.trigger_id):
            self._end(tx, before, "lapsed")

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
        if trigger.round == 0:
            mine = [one for one in rows if one.person_id == trigger.person_id] or rows
            for one in mine:
                reminders.settle(tx, one.reminded_id, "open", self._clock.now())
            mine = [replace(one, state="open", until=None) for one in mine]
        else:
            mine = [one for one in rows if one.state == "open"]
        if mine or first.everybody:
            self._bring(tx, trigger, first, mine, len(rows))

    def _bring(self, tx: Tx, trigger: Trigger, first: Reminder, mine: Sequence[Reminded], of: int) -> None:
        alone = mine[0].person_id if len(mine) == 1 and of > 1 else None
        reminder = self._store(
            tx,
            replace(
                first,
                root_id=first.first_id,
                lane=trigger.lane,
                person_id=alone,
                message_key=f"{KEY}{trigger.trigger_id}:{trigger.epoch}",
                due_at=trigger.next_at,
            ),
            (),
        )
        language = self._seat(tx, reminder, mine)[1]
        note = language.say("reminder_again", n=trigger.round, most=MOST_REPEATS) if trigger.round else ""
        self._send(tx, reminder, mine, late=True, note=note)
        if trigger.until_done:
            self._repeat(tx, trigger, reminder, trigger.round + 1)

    def _repeat(self, tx: Tx, trigger: Trigger, reminder: Reminder, n: int) -> None:
        """See that it comes again until it is done; after the last time who asked is told."""
        at = self._clock.now() + REPEAT_AFTER
        again = replace(
            trigger,
            lane=reminder.lane,
            kind="once",
            spec=dump(Once(at=at)),
            next_at=at,
            reminder_id=reminder.first_id,
            round=n,
            late="run",
        )
        self._plan(tx, again)

    def _plan(self, tx: Tx, trigger: Trigger) -> None:
        triggers.insert(tx, trigger, self._clock.now())
        at = trigger.next_at
        tx.after_commit(lambda: self._engine.wake(at))

    def _lapse(self, tx: Tx, first: Reminder, rows: Sequence[Reminded]) -> None:
        """Nobody did it, though it was repeated: who asked is told."""
        still = [self._words.name(tx, first, one) for one in rows if one.state == "open"]
        self._end(tx, first, "lapsed")
        others = [one for one in rows if one.person_id != first.asker_id]
        key = "reminder_told_lapsed" if others or first.everybody else "reminder_lapsed"
        self._tell(tx, first, f"{first.message_key}:lapsed", key, name=", ".join(still) or "–", here=True)

    def _end(self, tx: Tx, first: Reminder, state: str) -> None:
        """Nothing of it comes again."""
        now = self._clock.now()
        for one in reminders.chain(tx, first.first_id):
            reminders.end(tx, one.reminder_id, state, now)
        for trigger in triggers.again(tx, first.first_id):
            triggers.end(tx, trigger.trigger_id, "cancelled", now)

    # What people do with it.

    def finish(self, tx: Tx, reminder: Reminder, person_id: int) -> bool:
        """Somebody has done it; False when that is known already. Who asked may say so for all it is for."""
        first, rows = self._first(tx, reminder)
        now = self._clock.now()
        if first.everybody:
            changed = first.state == "open"
            if changed:
                reminders.done_by(tx, first, person_id, now)
        else:
            mine = self._mine(tx, first, rows, person_id) or rows
            changed = any([reminders.settle(tx, one.reminded_id, "done", now) for one in mine])
        if not changed:
            return False
        rows = reminders.people(tx, first.first_id)
        if all(one.state == "done" for one in rows):
            self._end(tx, first, "done")
        else:
            self._drop_put_off(tx, first, person_id)
        self._changed(tx, first, rows, person_id, "done", now)
        self._tell_outcome(tx, first, person_id, "reminder_told_done", now)
        return True

    def put_off(self, tx: Tx, reminder: Reminder, person_id: int, until: Millis) -> None:
        """Somebody wants to be reminded again at `until`."""
        first, rows = self._first(tx, reminder)
        now = self._clock.now()
        mine = self._mine(tx, first, rows, person_id) or rows
        for one in mine:
            reminders.settle(tx, one.reminded_id, "snoozed", now, until)
        self._drop_put_off(tx, first, person_id)
        if len(mine) == len(rows):
            self._drop_repeats(tx, first)
        self._plan(tx, self._put_off(tx, first, reminder.lane, person_id, until))
        self._changed(tx, first, reminders.people(tx, first.first_id), person_id, "snoozed", now)
        self._tell_outcome(tx, first, person_id, "reminder_told_put_off", until)

    def _put_off(self, tx: Tx, first: Reminder, lane: LaneKey, person_id: int, until: Millis) -> Trigger:
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

    def _mine(self, tx: Tx, first: Reminder, rows: Sequence[Reminded], person_id: int) -> list[Reminded]:
        """The rows that are this person's; also of a contact that nobody had seen when it was written down."""
        return [one for one in rows if self._person(tx, first, one) == person_id]

    def _person(self, tx: Tx, first: Reminder, one: Reminded) -> int | None:
        if one.person_id is not None or one.contact_id is None:
            return one.person_id
        reach = contacts.reach(tx, first.lane, one.contact_id)
        return None if reach is None else reach.person_id

    def _drop_put_off(self, tx: Tx, first: Reminder, person_id: int) -> None:
        for trigger in triggers.again(tx, first.first_id):
            if trigger.round == 0 and trigger.person_id == person_id:
                triggers.end(tx, trigger.trigger_id, "cancelled", self._clock.now())

    def _drop_repeats(self, tx: Tx, first: Reminder) -> None:
        for trigger in triggers.again(tx, first.first_id):
            if trigger.round > 0:
                triggers.end(tx, trigger.trigger_id, "cancelled", self._clock.now())

    def _changed(
        self, tx: Tx, first: Reminder, rows: Sequence[Reminded], person_id: int, state: str, now: Millis
    ) -> None:
        """Show on every message of it what came of it; what is done has no buttons any more."""
        for one in reminders.chain(tx, first.first_id):
            mine = [row for row in rows if one.person_id in {None, row.person_id}]
            seat, language = self._seat(tx, one, mine)
            text = self._words.shown(tx, one, mine, seat, language)
            done = bool(mine) and all(row.state == "done" for row in mine)
            offers = () if done else self._words.offers(tx, one, mine, language)
            key = f"{one.message_key}:{state}:{person_id}:{now}"
            letter = self._voice.letter(seat.platform, key, text, offers, once=False, people=_pressers(one, mine))
            self._voice.replace(tx, one.lane, letter, f"{one.message_key}:0")

    # Telling who asked.

    def _tell_outcome(self, tx: Tx, first: Reminder, person_id: int, text: str, at: Millis) -> None:
        """Who asked sees what another did, unless it stands in the same chat."""
        if person_id == first.asker_id:
            return
        name = called(people.name(tx, first.lane, person_id), "–")
        self._tell(tx, first, f"{first.message_key}:{text}:{person_id}:{at}", text, name=name, at=at)

    def _tell(
        self, tx: Tx, first: Reminder, key: str, text: str, *, at: Millis = 0, here: bool = False, **values: object
    ) -> None:
        """Say something in the lane where it was asked for; later, when it is quiet there."""
        if first.asker_lane_id == first.lane.lane_id and not here:
            return
        lane = people.lane(tx, first.lane.tenant_id, first.asker_lane_id)
        if lane is None:
            return
        seat = people.seat(tx, lane, first.asker_id)
        language, zone = self._voice.language(seat), self._words.zone(seat)
        words = {**values, "text": lines(first.text), "clock": clock(language, at, zone)}
        said = language.say(text, when=language.when(at, zone.key), **words)
        self._notices.note(tx, lane, first.asker_id, key, said)

    def unseen(self, tx: Tx, post: Post, *, blocked: bool) -> None:
        """The platform refused a message for good: who asked is told why, and nothing more is sent there."""
        if not post.key.startswith(KEY) or post.replaces:
            return
        reminder = reminders.by_key(tx, post.lane.tenant_id, post.key.rpartition(":")[0])
        if reminder is None or not reminders.end(tx, reminder.reminder_id, "unseen", self._clock.now()):
            return
        trigger = triggers.load(tx, post.lane.tenant_id, reminder.trigger_id)
        for again in triggers.again(tx, reminder.first_id):
            triggers.end(tx, again.trigger_id, "cancelled", self._clock.now())
        if trigger is not None and reminder.asker_lane_id != reminder.lane.lane_id:
            first, rows = self._first(tx, reminder)
            names = ", ".join(self._words.name(tx, first, one) for one in rows)
            self._tell_unseen(tx, trigger, names, BLOCKED if blocked else REFUSED)
        elif trigger is not None and blocked:
            triggers.pause(tx, trigger.trigger_id, "gone")

    def _tell_unseen(self, tx: Tx, trigger: Trigger, name: str, why: str) -> None:
        """Who asked learns that it did not arrive; what recurs rests, unless it was only too much for today."""
        now = self._clock.now()
        seat = people.seat(tx, trigger.lane, trigger.person_id)
        language = self._voice.language(seat)
        reason = language["why_limit" if why.endswith("_limit") else f"why_{why}"]
        if not why.endswith("_limit"):
            triggers.pause(tx, trigger.trigger_id, why)
        day = now // 86_400_000
        text = language.say("reminder_unseen", name=called(name, "–"), text=lines(trigger.text), reason=reason)
        self._notices.note(tx, trigger.lane, trigger.person_id, f"unseen:{trigger.trigger_id}:{name}:{day}", text)


def _reminded(reach: Reach) -> Reminded:
    return Reminded(person_id=reach.person_id, contact_id=reach.contact_id)


def _pressers(reminder: Reminder, mine: Sequence[Reminded]) -> tuple[int, ...]:
    """Who may press: whom it is for, and who asked. Everybody where somebody is only known by a handle."""
    known = [one.person_id for one in mine if one.person_id is not None]
    if reminder.everybody or len(known) < len(mine):
        return ()
    return tuple(dict.fromkeys((*known, reminder.asker_id)))

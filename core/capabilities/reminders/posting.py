"""Posting reminders, without a model, with buttons; and posting them once more (STATES: Trigger, Delivery).

All of it happens in the caller's transaction: a reminder is a row, its message in the outbox and its buttons, or none
of it. Whoever is reminded of what they set themselves is reminded in two steps: its message is queued when it is due,
unwritten, and written when it is sent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, NamedTuple

from core.capabilities.contacts import repository as contacts
from core.capabilities.contacts import rows as contact_rows
from core.capabilities.contacts.repository import Reach
from core.capabilities.messages import repository as errands
from core.capabilities.reminders import drop
from core.capabilities.reminders import repository as reminders
from core.capabilities.reminders.outcomes import Outcomes
from core.capabilities.reminders.repository import Reminded, RemindedState, Reminder, ReminderState
from core.capabilities.reminders.views import MOST_MENTIONS, Words
from core.capabilities.todos import repository as todos
from core.delivery.composer import Composer
from core.delivery.message import OutgoingMessage
from core.kernel.access import Access, may
from core.kernel.markdown import called
from core.kernel.ports import Clock, Engine, Tx
from core.kernel.timing.schedule import Once, dump
from core.kernel.timing.trigger import Trigger, TriggerState
from core.kernel.types import LaneKey, Millis, Standing, Urgency
from core.language import Language
from core.scheduling import repository as triggers
from core.scheduling.firing import BLOCKED, GONE, NEVER
from core.scheduling.repository import TriggerKind
from core.store.conversation import deferred, outbox
from core.store.conversation.deferred import SHORT, UNWRITTEN
from core.store.conversation.outbox import Post, Queued
from core.store.people import chats, people
from core.store.people.people import Participant

LATE: Millis = 60_000
REPEAT_AFTER: Millis = 10 * 60_000
MOST_REPEATS = 3
LEFT = "left"


class Draft(NamedTuple):
    """A reminder that is about to be posted because of a trigger, for `mine`; a first one is stored as theirs, `named`.

    `near` is a seat in its lane that is known already. `recurring` when it comes again at times of its own.
    """

    trigger: Trigger
    reminder: Reminder
    mine: Sequence[Reminded]
    named: Sequence[Reminded] = ()
    near: Participant | None = None
    recurring: bool = False


class Posting:
    """Posts what is due of triggers that are reminders."""

    def __init__(
        self, composer: Composer, engine: Engine, clock: Clock, *, access: Access, words: Words, outcomes: Outcomes
    ) -> None:
        self._composer, self._engine, self._clock = composer, engine, clock
        self._access, self._words, self._outcomes = access, words, outcomes
        self._since = clock.now()

    def post(self, tx: Tx, due: Sequence[Trigger], participants: Mapping[int, Participant]) -> None:
        """Post what is due of triggers that were fired, which are as before; `participants` are their makers'.

        They share their statements: none of them may look at what another one has just posted.
        """
        known = triggers.contacts_of(tx, [one.trigger_id for one in due])
        for waits, some in groupby(due, lambda one: one.trigger_id not in known and _is_for_later(one)):
            if waits:
                self._queue(tx, list(some))
            else:
                self._send(tx, [draft for one in some for draft in self._drafts(tx, one, participants, known)])

    def _queue(self, tx: Tx, due: Sequence[Trigger]) -> None:
        """Queue the messages of reminders that are written when they are sent."""
        queued = [
            Queued(
                one.lane,
                f"{key}:0",
                {UNWRITTEN: one.next_at},
                Urgency.REMINDER,
                person_id=one.person_id,
                source=triggers.source_of(one),
                whole_key=key,
            )
            for one, key in ((one, triggers.key_of(one)) for one in due)
        ]
        outbox.add_all(tx, queued, self._clock.now())
        for one in due:
            self._engine.poke(tx, "chat", one.lane.chat_id, bulk=True)

    def write(self, tx: Tx, post: Post) -> Mapping[str, Any] | None:
        """Write a reminder that was queued when it was due, or could not be sent, as it is to be sent now; None when it
        is not wanted any more.
        """
        if UNWRITTEN in post.payload:
            return self._write(tx, post)
        reminder = reminders.by_key(tx, post.lane.tenant_id, post.whole_key)
        if reminder is None or reminder.root_id is not None or len(reminder.text) > SHORT:
            return post.payload
        trigger = self._wanted(tx, post)
        if trigger is None:
            reminders.end(tx, reminder.reminder_id, ReminderState.LAPSED, self._clock.now())
            return None
        if self._clock.now() - reminder.due_at < LATE:
            return post.payload
        mine = reminders.people(tx, reminder.reminder_id)
        draft = Draft(trigger=trigger, reminder=reminder, mine=mine, recurring=trigger.kind != TriggerKind.ONCE)
        return self._composer.rewrite(tx, post, self._outgoing(tx, draft))

    def _write(self, tx: Tx, post: Post) -> Mapping[str, Any] | None:
        trigger = self._wanted(tx, post)
        if trigger is None:
            return None
        participant, key = people.participant(tx, post.lane, trigger.person_id), post.whole_key
        then = replace(trigger, next_at=post.payload[UNWRITTEN], epoch=post.source.epoch or 0)
        draft = _own(then, participant, post.lane, key)
        # Those that were due together are said together, also when one of them is sent a little later.
        at = post.created_at
        reminders.insert(tx, [(draft.reminder, draft.named)], at)
        return self._composer.write(tx, post, self._outgoing(tx, draft), at)

    def _wanted(self, tx: Tx, post: Post) -> Trigger | None:
        """What a reminder comes of, which nobody changes meanwhile; None when it was cancelled or forgotten, or when it
        comes once more: of what was missed the last one comes.
        """
        trigger_id = post.due_of()
        if trigger_id is None:
            return None
        tx.lock(("trigger", trigger_id))
        trigger = triggers.load(tx, post.lane.tenant_id, trigger_id)
        if trigger is None or trigger.state == TriggerState.CANCELLED:
            return None
        return None if deferred.waits_behind(tx, post.outbox_id, post.source) else trigger

    def _drafts(
        self, tx: Tx, trigger: Trigger, participants: Mapping[int, Participant], known: Mapping[int, Sequence[int]]
    ) -> Sequence[Draft]:
        """What comes of a trigger; `known` are the contacts that triggers remind."""
        if trigger.reminder_id is not None:
            return self._again(tx, trigger, trigger.reminder_id)
        self._supersede(tx, trigger)
        participant = participants[trigger.trigger_id]
        reached = [contacts.reach(tx, trigger.lane, one) for one in known.get(trigger.trigger_id, ())]
        others = [one for one in reached if one is not None]
        if not others:
            return [_own(trigger, participant, trigger.lane, triggers.key_of(trigger))]
        several = participant.group and len(others) > 1
        return (self._for_several if several else self._for_each)(tx, trigger, participant, others)

    def _for_several(self, tx: Tx, trigger: Trigger, participant: Participant, others: Sequence[Reach]) -> list[Draft]:
        """In their group; not for those who do not want it."""
        whys = [(one, _left(tx, trigger, one) or self._refusal(tx, trigger, one)) for one in others]
        wanted = [one for one, why in whys if not why]
        self._missed(tx, trigger, [(one, why) for one, why in whys if why], alone=not wanted)
        if not wanted:
            return []
        draft = _first(trigger, participant, trigger.lane, [_reminded(one) for one in wanted], triggers.key_of(trigger))
        for one in wanted:
            self._count(tx, trigger, one, f"{draft.reminder.message_key}:{one.contact_id}")
        return [draft]

    def _for_each(self, tx: Tx, trigger: Trigger, participant: Participant, others: Sequence[Reach]) -> list[Draft]:
        """To each by themselves."""
        drafts: list[Draft] = []
        missed: list[tuple[Reach, str]] = []
        for n, one in enumerate(others):
            lane = self._where(tx, trigger, participant, one)
            there = participant.group and lane == trigger.lane
            why = self._no_way(tx, trigger, one) if lane is None else self._refusal(tx, trigger, one)
            why = (_left(tx, trigger, one) if there else "") or why
            if lane is None or why:
                missed.append((one, why))
                continue
            key = triggers.key_of(trigger)
            drafts.append(_first(trigger, participant, lane, [_reminded(one)], f"{key}:{n}" if n else key))
            self._count(tx, trigger, one, drafts[-1].reminder.message_key)
        self._missed(tx, trigger, missed, alone=not drafts)
        return drafts

    def _where(self, tx: Tx, trigger: Trigger, participant: Participant, reach: Reach) -> LaneKey | None:
        """In private when they have talked to the bot, else in the group where it was wished. A guest stays there."""
        if reach.person_id == trigger.person_id:
            return trigger.lane
        private = reach.lane if self._is_member(participant) and self._has_access(tx, reach) else None
        return private or (trigger.lane if participant.group else None)

    def _no_way(self, tx: Tx, trigger: Trigger, reach: Reach) -> str:
        """Why somebody has no place to be reminded at."""
        lane = people.private_lane(tx, trigger.lane.tenant_id, reach.person_id or 0)
        return BLOCKED if lane is not None and chats.state(tx, lane) == GONE else NEVER

    def _has_access(self, tx: Tx, reach: Reach) -> bool:
        """Whether somebody may be written to in private: not who only waits at the door, or was removed."""
        if reach.lane is None or reach.person_id is None:
            return False
        return self._is_member(people.participant(tx, reach.lane, reach.person_id))

    def _is_member(self, participant: Participant) -> bool:
        return may(
            self._access.standing(participant.person.address, participant.standing, workspace=participant.place.tenant),
            Standing.MEMBER,
        )

    def _refusal(self, tx: Tx, trigger: Trigger, reach: Reach) -> str:
        """Why it may not go to somebody; empty when it may."""
        if reach.person_id is None:
            # Who was forgotten: what came to them alone is not for whoever reads along.
            return "" if reach.address else NEVER
        if reach.person_id == trigger.person_id:
            return ""
        tenant_id, now = trigger.lane.tenant_id, self._clock.now()
        if trigger.kind == TriggerKind.ONCE and todos.of_trigger(tx, tenant_id, trigger.trigger_id) is None:
            # It found room when it was set.
            return "muted" if errands.muted(tx, tenant_id, reach.person_id, trigger.person_id) else ""
        return errands.refusal(tx, tenant_id, trigger.person_id, reach.person_id, now)

    def _missed(self, tx: Tx, trigger: Trigger, missed: Sequence[tuple[Reach, str]], *, alone: bool) -> None:
        """Who asked is told whom it does not reach. When there is nobody else it rests, unless that is for today."""
        whys = [why for _, why in missed]
        rests = alone and not any(why.endswith("_limit") for why in whys)
        if rests:
            # For who is not there it goes on by itself when they are.
            reason = next((why for why in whys if why in {BLOCKED, NEVER}), whys[0])
            rests = triggers.pause(tx, trigger.trigger_id, reason)
        for reach, why in missed:
            # Who asked was told when they left; it is said again only when it rests for that.
            if why == LEFT and not rests:
                continue
            self._outcomes.undelivered(tx, trigger, called(reach.name, "–"), why, rests=rests)

    def _count(self, tx: Tx, trigger: Trigger, reach: Reach, key: str) -> None:
        """A reminder for another counts among what one makes the bot send; its repeats are a part of it."""
        if reach.person_id not in {None, trigger.person_id}:
            errands.note(tx, trigger.lane, trigger.person_id, reach.person_id or 0, key, self._clock.now())

    def _send(self, tx: Tx, drafts: Sequence[Draft]) -> None:
        """Store drafts, and queue their messages with buttons."""
        now = self._clock.now()
        reminders.insert(tx, [(draft.reminder, draft.named) for draft in drafts], now)
        outgoing_messages = [one for draft in drafts for one in self._messages(tx, draft)]
        # One instant for both: whether it is the last thing that was said is seen by it.
        self._composer.say_all(tx, outgoing_messages, urgency=Urgency.REMINDER, at=now)
        for draft in drafts:
            if draft.trigger.until_done:
                self._repeat(tx, draft.trigger, draft.reminder)

    def _messages(self, tx: Tx, draft: Draft) -> list[tuple[LaneKey, OutgoingMessage]]:
        """Return a reminder's message, behind those that name whom it has no room for."""
        lane, messages = draft.reminder.lane, []
        if draft.reminder.everybody and not draft.mine:
            participant = self._words.participant(tx, draft.reminder, draft.mine, draft.near)
            language = self._composer.language(participant)
            more = self._words.everybody(tx, draft.reminder, participant)[MOST_MENTIONS:] if participant.group else []
            for n in range(0, len(more), MOST_MENTIONS):
                text = language.say("reminder_everybody_more", who=", ".join(more[n : n + MOST_MENTIONS]))
                key = f"everybody:{draft.reminder.message_key}:{n}"
                messages.append((lane, self._composer.outgoing(participant.platform, key, text)))
        return [*messages, (lane, self._outgoing(tx, draft))]

    def _outgoing(self, tx: Tx, draft: Draft) -> OutgoingMessage:
        reminder, mine, n = draft.reminder, draft.mine, draft.trigger.round
        participant = self._words.participant(tx, reminder, mine, draft.near)
        language = self._composer.language(participant)
        note = language.say("reminder_again", n=n, most=MOST_REPEATS) if n else ""
        shown = self._words.shown(tx, reminder, mine, participant, language)
        text = "\n".join(filter(None, (shown, self._late(language, reminder.due_at), note)))
        offers = self._words.offers(tx, reminder, mine, language, recurring=draft.recurring)
        keyboard_row = self._words.keyboard_row(reminder, mine)
        key, source = reminder.message_key, triggers.source_of(draft.trigger)
        return self._composer.outgoing(participant.platform, key, text, offers, source=source, **keyboard_row)

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
        drop.repeats(tx, first.first_id, now)
        if triggers.again(tx, first.first_id):
            return False
        for one in reminders.chain(tx, first.first_id):
            reminders.end(tx, one.reminder_id, ReminderState.LAPSED, now)
        return True

    # Once more.

    def _again(self, tx: Tx, trigger: Trigger, first_id: int) -> list[Draft]:
        """Bring a reminder that was put off, or that nobody has finished, once more."""
        chain = reminders.chain(tx, first_id)
        if not chain or chain[0].state != ReminderState.OPEN:
            return []
        first, rows = chain[0], reminders.people(tx, first_id)
        if trigger.round > MOST_REPEATS:
            self._lapse(tx, first, rows)
            return []
        mine = self._waiting(tx, trigger, first, rows)
        if trigger.round and not mine and not first.everybody:
            self._lapse(tx, first, rows)
        return [self._once_more(tx, trigger, first, mine, len(rows))] if mine or first.everybody else []

    def _waiting(self, tx: Tx, trigger: Trigger, first: Reminder, rows: Sequence[Reminded]) -> list[Reminded]:
        """For whom it comes again: for whom it was put off until now, or whoever has not answered."""
        if trigger.round:
            muted = errands.muted
            tenant_id, asker = first.lane.tenant_id, first.asker_id
            return [
                one
                for one in rows
                if one.state == RemindedState.OPEN
                and not (one.person_id and muted(tx, tenant_id, one.person_id, asker))
            ]
        # Whoever put it off: of two who did until the same instant the first brings it to both.
        mine = [one for one in rows if one.state == RemindedState.SNOOZED and (one.until or 0) <= trigger.next_at]
        for one in mine:
            reminders.settle(tx, one.reminded_id, RemindedState.OPEN, self._clock.now())
        return [replace(one, state=RemindedState.OPEN, until=None) for one in mine]

    def _once_more(self, tx: Tx, trigger: Trigger, first: Reminder, mine: Sequence[Reminded], of: int) -> Draft:
        again = replace(
            first,
            root_id=first.first_id,
            lane=trigger.lane,
            person_id=mine[0].person_id if len(mine) == 1 and of > 1 else None,
            message_key=triggers.key_of(trigger),
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
        still = ", ".join(self._words.name(tx, first, one) for one in rows if one.state == RemindedState.OPEN)
        if self._let_go(tx, first) or still:
            others = first.everybody or any(
                one.state == RemindedState.OPEN and one.person_id != first.asker_id for one in rows
            )
            key = "reminder_told_lapsed" if others else "reminder_lapsed"
            self._outcomes.tell(tx, first, f"{first.message_key}:lapsed", key, name=still or "–")


def _is_for_later(trigger: Trigger) -> bool:
    """Whether a reminder can wait to be written: nothing else is done with it, and it is surely a single message."""
    alone = trigger.reminder_id is None and not trigger.until_done and not trigger.everybody
    return alone and len(trigger.text) + len(trigger.link) <= SHORT


def _left(tx: Tx, trigger: Trigger, reach: Reach) -> str:
    """Why somebody is not reminded in the trigger's group, if they left it."""
    return LEFT if contact_rows.has_left(tx, trigger.lane, reach.contact_id) else ""


def _own(trigger: Trigger, participant: Participant, lane: LaneKey, key: str) -> Draft:
    """The draft of a first reminder that is for whoever set it, or for everybody."""
    mine = [] if trigger.everybody else [Reminded(person_id=trigger.person_id, contact_id=None)]
    return _first(trigger, participant, lane, mine, key)


def _first(trigger: Trigger, participant: Participant, lane: LaneKey, mine: Sequence[Reminded], key: str) -> Draft:
    """The draft of a first reminder."""
    reminder = Reminder(
        lane=lane,
        trigger_id=trigger.trigger_id,
        asker_id=trigger.person_id,
        asker_lane_id=trigger.lane.lane_id,
        message_key=key,
        everybody=trigger.everybody,
        text="\n↳ ".join(filter(None, (trigger.text, trigger.link))),
        due_at=trigger.next_at,
    )
    near = participant if lane == trigger.lane else None
    return Draft(
        trigger=trigger, reminder=reminder, mine=mine, named=mine, near=near, recurring=trigger.kind != TriggerKind.ONCE
    )


def _reminded(reach: Reach) -> Reminded:
    return Reminded(person_id=reach.person_id, contact_id=reach.contact_id)

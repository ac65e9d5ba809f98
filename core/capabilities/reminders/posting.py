"""Posting reminders that are due: rows when they are due, words when they are sent (STATES: A reminder).

The transaction that fires their triggers stores them, and queues their messages unwritten. The transaction that claims
a message for sending writes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from core.capabilities.contacts import repository as contacts
from core.capabilities.reminders import drop
from core.capabilities.reminders import repository as reminders
from core.capabilities.reminders.again import MOST_REPEATS, Again
from core.capabilities.reminders.edits import ReminderEdits
from core.capabilities.reminders.outcomes import FORGOTTEN, NAMES, Outcomes
from core.capabilities.reminders.recipients import Recipients
from core.capabilities.reminders.repository import Draft, Reminded, RemindedState, Reminder, ReminderState
from core.capabilities.reminders.service import Reminders
from core.capabilities.reminders.views import MOST_MENTIONS, Words
from core.delivery.composer import Composer
from core.delivery.message import OutgoingMessage
from core.kernel.ports import Clock, Engine, Tx
from core.kernel.timing.trigger import Trigger, TriggerState
from core.kernel.types import Millis, Urgency
from core.scheduling import between_people
from core.scheduling import repository as triggers
from core.scheduling.notices import Notices
from core.scheduling.repository import TriggerKind
from core.store.conversation import outbox
from core.store.conversation.outbox import UNWRITTEN, Post, Queued, Source
from core.store.people import people
from core.store.people.people import Participant
from core.toolkit.services import Services

LATE: Millis = 60_000


class Posting:
    """Posts what is due of triggers that are reminders."""

    def __init__(
        self, engine: Engine, clock: Clock, *, recipients: Recipients, again: Again, edits: ReminderEdits
    ) -> None:
        self._engine, self._clock = engine, clock
        self._recipients, self._again, self._edits = recipients, again, edits

    def post(self, tx: Tx, due: Sequence[Trigger], participants: Mapping[int, Participant]) -> None:
        """Post what is due of triggers that were fired, which are as before; `participants` are their makers'.

        They share their statements: none of them may look at what another one has just posted.
        """
        known = triggers.contacts_of(tx, [one.trigger_id for one in due])
        drafted = [draft for one in due for draft in self._drafts(tx, one, participants, known)]
        now = self._clock.now()
        series = [one for one in drafted if one.reminder.root_id is None and one.trigger.kind != TriggerKind.ONCE]
        for first_id in sorted(drop.met(tx, series, now)) if series else ():
            # Their messages do not say any more until when they are put off.
            self._edits.show_outcome(tx, reminders.chain(tx, first_id)[0])
        for one in due:
            # What is due anew is not repeated for the last time's sake any more; what was snoozed still comes.
            anew = one.until_done and one.last_at is not None and one.reminder_id is None
            for before in reminders.open_of(tx, one.trigger_id) if anew else ():
                self._again.let_go(tx, before)
        reminders.insert(tx, drafted, now)
        # One instant for all: whether it is the last thing that was said is seen by it.
        outbox.add_all(tx, [row for draft in drafted for row in self._queued(tx, draft)], now)
        for draft in drafted:
            self._engine.poke(tx, "chat", draft.reminder.lane.chat_id, bulk=True)
            if draft.trigger.until_done:
                self._again.repeat(tx, draft.trigger, draft.reminder)

    def _drafts(
        self, tx: Tx, trigger: Trigger, participants: Mapping[int, Participant], known: Mapping[int, Sequence[int]]
    ) -> Sequence[Draft]:
        """What comes of a trigger; `known` are the contacts that triggers remind."""
        if trigger.reminder_id is not None:
            return self._again.drafts(tx, trigger, trigger.reminder_id)
        reached = [contacts.reach(tx, trigger.lane, one) for one in known.get(trigger.trigger_id, ())]
        others = [one for one in reached if one is not None]
        if not others:
            return [reminders.draft(trigger, trigger.lane, triggers.key_of(trigger))]
        return self._recipients.drafts(tx, trigger, participants[trigger.trigger_id], others)

    def _queued(self, tx: Tx, draft: Draft) -> Iterator[Queued]:
        """Yield the message of a reminder, unwritten; before it those that name whom of a group it has no room for."""
        reminder, key = draft.reminder, draft.reminder.message_key
        group = reminder.everybody and people.participant(tx, reminder.lane, reminder.asker_id).group
        others = len(contacts.present(tx, reminder.lane)) - MOST_MENTIONS if group else 0
        names = [(f"{NAMES}{key}:{n}", {"of": [key, n]}) for n in range(0, max(0, others), MOST_MENTIONS)]
        for whole_key, unwritten in (*names, (key, draft.again)):
            yield Queued(
                reminder.lane,
                f"{whole_key}:0",
                {UNWRITTEN: unwritten},
                Urgency.REMINDER,
                person_id=reminder.asker_id,
                source=triggers.source_of(draft.trigger),
                whole_key=whole_key,
            )


class Writing:
    """Writes what a reminder says when its message is sent: so it is true then."""

    def __init__(self, composer: Composer, clock: Clock, *, words: Words, outcomes: Outcomes) -> None:
        self._composer, self._clock, self._words, self._outcomes = composer, clock, words, outcomes
        self._since = clock.now()

    def write(self, tx: Tx, post: Post) -> Mapping[str, Any] | None:
        """Return the message of a reminder as it is to be sent now; None when it is not wanted any more.

        One that was written, and could certainly not be sent, is written anew when it is late by now.
        """
        unwritten = post.payload.get(UNWRITTEN)
        if isinstance(unwritten, dict):
            return self._write_names(tx, post, *unwritten["of"])
        reminder = reminders.by_key(tx, post.lane.tenant_id, post.whole_key)
        if unwritten is None and (reminder is None or reminder.root_id is not None or outbox.in_parts(tx, post)):
            return post.payload
        trigger = self._wanted(tx, post)
        if trigger is not None and reminder is None and isinstance(unwritten, int):
            # Version 0.1.0 queued it, for whoever had set it, with when it was due, and stored both only now.
            then = replace(trigger, lane=post.lane, next_at=unwritten)
            draft = reminders.draft(then, post.lane, post.whole_key)
            reminders.insert(tx, [draft], post.created_at)
            reminder = draft.reminder
        mine = None if trigger is None or reminder is None else self._still(tx, trigger, reminder, unwritten)
        if trigger is None or reminder is None or mine is None:
            if reminder is not None:
                reminders.end(tx, reminder.reminder_id, ReminderState.LAPSED, self._clock.now())
            elif trigger is not None:
                # Whom it was for had the bot forget their chat meanwhile, and the reminder with it.
                self._outcomes.undelivered(tx, trigger, "", FORGOTTEN, but=post.lane.chat_id)
            return None
        if unwritten is None and self._clock.now() - reminder.due_at < LATE:
            return post.payload
        # What says which files made it come true is no other text of the trigger.
        if reminder.root_id is None and not trigger.watches and reminder.text != reminders.text_of(trigger):
            reminders.reword(tx, reminder, reminders.text_of(trigger))
        outgoing = self._outgoing(tx, trigger, post.source, reminder, mine)
        if unwritten is None:
            return self._composer.rewrite(tx, post, outgoing)
        # What was due together is said together, also when one of them is sent a little later.
        return self._composer.write(tx, post, outgoing, post.created_at)

    def _still(self, tx: Tx, trigger: Trigger, reminder: Reminder, unwritten: Any) -> Sequence[Reminded] | None:
        """Return whom a reminder is for; None when it is unwritten, and nobody waits for it, or what it repeats was
        stopped."""
        first = triggers.load(tx, reminder.lane.tenant_id, reminder.trigger_id) if trigger.round else None
        stopped = first is not None and first.state == TriggerState.CANCELLED
        rows = reminders.people(tx, reminder.first_id)
        some = unwritten if isinstance(unwritten, list) else []
        mine = [one for one in rows if not some or one.reminded_id in some]
        tenant_id, asker = reminder.lane.tenant_id, reminder.asker_id
        waiting = [
            one
            for one in mine
            if one.state == RemindedState.OPEN
            and (one.person_id in {None, asker} or not between_people.muted(tx, tenant_id, one.person_id, asker))
        ]
        over = stopped or reminder.state != ReminderState.OPEN or (mine and not waiting)
        return None if over and unwritten is not None else mine

    def _write_names(self, tx: Tx, post: Post, key: str, n: int) -> Mapping[str, Any] | None:
        """Return the message that names those whom a reminder of this key has no room for, from the `n`th of them."""
        wanted, reminder = self._wanted(tx, post), reminders.by_key(tx, post.lane.tenant_id, key)
        if wanted is None or reminder is None or reminder.state != ReminderState.OPEN:
            return None
        participant = people.participant(tx, reminder.lane, reminder.asker_id)
        others = self._words.everybody(tx, reminder, participant)[MOST_MENTIONS + n :][:MOST_MENTIONS]
        if not others:
            return None
        language = self._composer.language(participant)
        text = language.say("reminder_everybody_more", who=language.joined(others))
        outgoing = self._composer.outgoing(participant.platform, post.whole_key, text, source=post.source)
        return self._composer.write(tx, post, outgoing, post.created_at)

    def _wanted(self, tx: Tx, post: Post) -> Trigger | None:
        """Return what a message comes of, which nobody changes meanwhile; None when it was cancelled or forgotten, or
        when it comes once more: of what was missed the last one comes.
        """
        trigger_id = post.due_of()
        if trigger_id is None:
            return None
        tx.lock(("trigger", trigger_id))
        trigger = triggers.load(tx, post.lane.tenant_id, trigger_id)
        if trigger is None or trigger.state == TriggerState.CANCELLED:
            return None
        return None if outbox.waits_behind(tx, post) else trigger

    def _outgoing(
        self, tx: Tx, trigger: Trigger, source: Source, reminder: Reminder, mine: Sequence[Reminded]
    ) -> OutgoingMessage:
        participant, n = self._words.participant(tx, reminder, mine), trigger.round
        language = self._composer.language(participant)
        text = self._words.shown(tx, reminder, mine, participant, language)
        late = self._clock.now() - reminder.due_at
        if late >= LATE:
            key = "late_offline" if reminder.due_at < self._since else "late"
            text = f"{text}\n{language.say(key, duration=language.duration(late))}"
        if n:
            text = f"{text}\n{language.say('reminder_again', n=n, most=MOST_REPEATS)}"
        again = reminder.root_id is not None
        recurring = self._words.recurs(tx, reminder) if again else (trigger.watches or trigger.kind != TriggerKind.ONCE)
        offers = self._words.offers(tx, reminder, mine, participant, language, recurring=recurring)
        fields = self._words.keyboard_fields(reminder, mine)
        key = reminder.message_key
        outgoing = self._composer.outgoing(participant.platform, key, text, offers, source=source, **fields)
        # In a group its words were said there; in their private chat it may be somebody else's.
        delivered = not participant.group and any(one.person_id != reminder.asker_id for one in mine)
        outgoing.foreign = delivered or trigger.tainted or trigger.watches
        return outgoing


# What the spine asks of reminders.


def services(house: Services) -> Sequence[object]:
    """Return what posts reminders and writes them, what tells of them, and what people do with them."""
    composer, engine, clock = house.get(Composer), house.engine, house.clock
    words = Words(composer, house.zone)
    outcomes = Outcomes(composer, clock, words=words, notices=house.get(Notices))
    recipients, again = Recipients(clock, house.access, outcomes), Again(engine, clock, words=words, outcomes=outcomes)
    edits = ReminderEdits(composer, words)
    posting = Posting(engine, clock, recipients=recipients, again=again, edits=edits)
    writing = Writing(composer, clock, words=words, outcomes=outcomes)
    return outcomes, posting, writing, again, Reminders(clock, words=words, edits=edits, again=again, outcomes=outcomes)


def deliver(house: Services, tx: Tx, due: Sequence[Trigger], participants: Mapping[int, Participant]) -> None:
    """Post the reminders of triggers that were fired."""
    house.get(Posting).post(tx, due, participants)


def write(house: Services, tx: Tx, post: Post) -> Mapping[str, Any] | None:
    """Write a reminder as it is to be sent now; None when it is not wanted any more."""
    return house.get(Writing).write(tx, post)


def refused(house: Services, tx: Tx, post: Post, blocked: bool) -> bool:
    """Tell who asked that nobody saw it."""
    return house.get(Outcomes).refused(tx, post, blocked=blocked)

"""Posting reminders that are due (STATES: A reminder).

The transaction that fires the triggers stores the reminders and queues their messages unwritten. The transaction that
claims a message for sending writes its text, so that it is true then.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from core.capabilities.contacts import repository as contacts
from core.capabilities.reminders import drop
from core.capabilities.reminders import repository as reminders
from core.capabilities.reminders.edits import ReminderEdits
from core.capabilities.reminders.outcomes import FORGOTTEN, NAMES, Outcomes
from core.capabilities.reminders.recipients import Recipients
from core.capabilities.reminders.repeating import Repeating
from core.capabilities.reminders.repository import Draft, Reminded, RemindedState, Reminder, ReminderState
from core.capabilities.reminders.service import Reminders
from core.capabilities.reminders.views import MOST_MENTIONS, ReminderTexts
from core.delivery.composer import Composer
from core.delivery.message import OutgoingMessage
from core.kernel.ports import Clock, Engine, Tx
from core.kernel.timing.trigger import Trigger, TriggerState
from core.kernel.types import MINUTE, Millis, Urgency
from core.scheduling import between_people
from core.scheduling import repository as triggers
from core.scheduling.notices import Notices
from core.scheduling.repository import TriggerKind
from core.store.conversation import outbox
from core.store.conversation.outbox import UNWRITTEN, Post, Queued, Source
from core.store.people import people
from core.store.people.people import Participant
from core.toolkit.services import Services

LATE: Millis = MINUTE


class Posting:
    """Posts the reminders of triggers that are due."""

    def __init__(
        self, engine: Engine, clock: Clock, *, recipients: Recipients, repeating: Repeating, edits: ReminderEdits
    ) -> None:
        self._engine, self._clock = engine, clock
        self._recipients, self._repeating, self._edits = recipients, repeating, edits

    def post(self, tx: Tx, due: Sequence[Trigger], participants: Mapping[int, Participant]) -> None:
        """Post the reminders of triggers that were fired, given as they were before; `participants` are their makers.

        Several share their statements: none of them may depend on what another one has just posted.
        """
        known = triggers.contacts_of(tx, [one.trigger_id for one in due])
        drafted = [draft for one in due for draft in self._drafts(tx, one, participants, known)]
        now = self._clock.now()
        series = [one for one in drafted if one.reminder.root_id is None and one.trigger.kind != TriggerKind.ONCE]
        for first_id in sorted(drop.met(tx, series, now)) if series else ():
            # A series comes in the place of what was put off until its time: the messages say so.
            self._edits.show_outcome(tx, reminders.chain(tx, first_id)[0])
        for one in due:
            # A series that comes anew ends the repeats of its last time; what was snoozed still comes.
            anew = one.until_done and one.last_at is not None and one.reminder_id is None
            for before in reminders.open_of(tx, one.trigger_id) if anew else ():
                self._repeating.let_go(tx, before)
        reminders.insert(tx, drafted, now)
        # All rows have one instant, by which it is seen whether a reminder is the last thing that was said.
        outbox.add_all(tx, [row for draft in drafted for row in self._queued(tx, draft)], now)
        for draft in drafted:
            self._engine.poke(tx, "chat", draft.reminder.lane.chat_id, bulk=True)
            if draft.trigger.until_done:
                self._repeating.repeat(tx, draft.trigger, draft.reminder)

    def _drafts(
        self, tx: Tx, trigger: Trigger, participants: Mapping[int, Participant], known: Mapping[int, Sequence[int]]
    ) -> Sequence[Draft]:
        """Return the reminders that come of a trigger; `known` are the contacts whom triggers remind, by their
        number."""
        if trigger.reminder_id is not None:
            return self._repeating.drafts(tx, trigger, trigger.reminder_id)
        reached = [contacts.reach(tx, trigger.lane, one) for one in known.get(trigger.trigger_id, ())]
        others = [one for one in reached if one is not None]
        if not others:
            return [reminders.draft(trigger, trigger.lane, triggers.key_of(trigger))]
        return self._recipients.drafts(tx, trigger, participants[trigger.trigger_id], others)

    def _queued(self, tx: Tx, draft: Draft) -> Iterator[Queued]:
        """Yield the message of a reminder, unwritten; before it those with the names of a group for which it has no
        room."""
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
    """Writes the text of a reminder when its message is claimed for sending."""

    def __init__(self, composer: Composer, clock: Clock, *, texts: ReminderTexts, outcomes: Outcomes) -> None:
        self._composer, self._clock, self._texts, self._outcomes = composer, clock, texts, outcomes
        self._since = clock.now()

    def write(self, tx: Tx, post: Post) -> Mapping[str, Any] | None:
        """Return the payload of a reminder's message as it is to be sent now; None when it is not wanted any more.

        A message that was written, and could certainly not be sent, is written anew when it is late by now.
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
                # The person reminded had the bot forget their chat meanwhile, and the reminder with it.
                self._outcomes.undelivered(tx, trigger, "", FORGOTTEN, but=post.lane.chat_id)
            return None
        if unwritten is None and self._clock.now() - reminder.due_at < LATE:
            return post.payload
        # The text of a condition has the files that made it come true, which the trigger's has not.
        if reminder.root_id is None and not trigger.watches and reminder.text != reminders.text_of(trigger):
            reminders.reword(tx, reminder, reminders.text_of(trigger))
        outgoing = self._outgoing(tx, trigger, post.source, reminder, mine)
        if unwritten is None:
            return self._composer.rewrite(tx, post, outgoing)
        # It counts as said when it was queued: reminders that were due together are said together.
        return self._composer.write(tx, post, outgoing, post.created_at)

    def _still(self, tx: Tx, trigger: Trigger, reminder: Reminder, unwritten: Any) -> Sequence[Reminded] | None:
        """Return whom a reminder is for; None when it is unwritten, and nobody waits for it any more or its series was
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
        """Return the message with the names for which the reminder of this key has no room, from the `n`th of them."""
        wanted, reminder = self._wanted(tx, post), reminders.by_key(tx, post.lane.tenant_id, key)
        if wanted is None or reminder is None or reminder.state != ReminderState.OPEN:
            return None
        participant = people.participant(tx, reminder.lane, reminder.asker_id)
        others = self._texts.everybody(tx, reminder, participant)[MOST_MENTIONS + n :][:MOST_MENTIONS]
        if not others:
            return None
        language = self._composer.language(participant)
        text = language.say("reminder_everybody_more", who=language.joined(others))
        outgoing = self._composer.outgoing(participant.platform, post.whole_key, text, source=post.source)
        return self._composer.write(tx, post, outgoing, post.created_at)

    def _wanted(self, tx: Tx, post: Post) -> Trigger | None:
        """Return the trigger of a message, locked; None when it was cancelled or forgotten, or when a later message of
        it waits, too: of those that were missed only the last one is sent.
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
        participant, n = self._texts.participant(tx, reminder, mine), trigger.round
        language = self._composer.language(participant)
        text = self._texts.shown(tx, reminder, mine, participant, language)
        late = self._clock.now() - reminder.due_at
        if late >= LATE:
            key = "late_offline" if reminder.due_at < self._since else "late"
            text = f"{text}\n{language.say(key, duration=language.duration(late))}"
        if n:
            text = f"{text}\n{language.say('reminder_again', n=n, most=reminders.MOST_REPEATS)}"
        again = reminder.root_id is not None
        recurring = self._texts.recurs(tx, reminder) if again else (trigger.watches or trigger.kind != TriggerKind.ONCE)
        offers = self._texts.offers(tx, reminder, mine, participant, language, recurring=recurring)
        fields = self._texts.keyboard_fields(reminder, mine)
        key = reminder.message_key
        outgoing = self._composer.outgoing(participant.platform, key, text, offers, source=source, **fields)
        # In a group its words were said there; in their private chat it may be somebody else's.
        delivered = not participant.group and any(one.person_id != reminder.asker_id for one in mine)
        outgoing.foreign = delivered or trigger.tainted or trigger.watches
        return outgoing


# The hooks of `Schedules`, and the services that this capability makes.


def services(services: Services) -> Sequence[object]:
    """Return the services that post and write reminders, tell of them, and carry out what people do with them."""
    composer, engine, clock = services.get(Composer), services.engine, services.clock
    texts = ReminderTexts(composer, services.zone)
    outcomes = Outcomes(composer, clock, texts=texts, notices=services.get(Notices))
    recipients = Recipients(clock, services.access, outcomes)
    repeating = Repeating(engine, clock, texts=texts, outcomes=outcomes)
    edits = ReminderEdits(composer, texts)
    posting = Posting(engine, clock, recipients=recipients, repeating=repeating, edits=edits)
    writing = Writing(composer, clock, texts=texts, outcomes=outcomes)
    service = Reminders(clock, texts=texts, edits=edits, repeating=repeating, outcomes=outcomes)
    return outcomes, posting, writing, repeating, service


def deliver(services: Services, tx: Tx, due: Sequence[Trigger], participants: Mapping[int, Participant]) -> None:
    """Post the reminders of triggers that were fired."""
    services.get(Posting).post(tx, due, participants)


def write(services: Services, tx: Tx, post: Post) -> Mapping[str, Any] | None:
    """Write a reminder as it is to be sent now; None when it is not wanted any more."""
    return services.get(Writing).write(tx, post)


def refused(services: Services, tx: Tx, post: Post, blocked: bool) -> bool:
    """Tell whoever asked that a message was refused; see `Outcomes.refused`."""
    return services.get(Outcomes).refused(tx, post, blocked=blocked)

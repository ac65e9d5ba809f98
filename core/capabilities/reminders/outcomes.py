"""Telling whoever asked for a reminder what came of it: what others did, and why it could not be delivered."""

from __future__ import annotations

import secrets

from core.capabilities.reminders import drop
from core.capabilities.reminders import repository as reminders
from core.capabilities.reminders.repository import Reminder, ReminderState
from core.capabilities.reminders.views import ReminderTexts, clock
from core.delivery.composer import Composer
from core.kernel.ids import ref
from core.kernel.markdown import called, lines, quoted
from core.kernel.ports import Clock, Tx
from core.kernel.timing.trigger import Trigger, TriggerState
from core.kernel.types import DAY, LaneKey, Millis
from core.scheduling import pausing
from core.scheduling import repository as triggers
from core.scheduling.firing import BLOCKED, GONE, REFUSED
from core.scheduling.notices import Notices, a_notice
from core.scheduling.repository import Deliver, TriggerKind
from core.store.conversation import runs as journal
from core.store.conversation.last_words import words_of
from core.store.conversation.outbox import Post
from core.store.people import chats, people
from core.store.people.chats import ChatState

# Why a reminder was not delivered, beside the reasons in core.scheduling.firing.
FORGOTTEN = "forgotten"
# The beginning of the keys of messages with the names for which a reminder for everybody has no room.
NAMES = "everybody:"
# The beginning of the keys of notices that tell the outcome of work when its chat is back.
LATER = "undelivered:"
# So many characters of a task's prompt are shown.
SHOWN_PROMPT = 200
# Why somebody is not reminded in a group any more.
LEFT = "left"


class Outcomes:
    """Tells people what came of reminders, by notices."""

    def __init__(self, composer: Composer, clock: Clock, *, texts: ReminderTexts, notices: Notices) -> None:
        self._composer, self._clock, self._texts, self._notices = composer, clock, texts, notices

    def done(self, tx: Tx, first: Reminder, person_id: int, text: str, at: Millis) -> None:
        """Tell what another person did, unless the message of the reminder shows that in the same chat."""
        if person_id != first.asker_id and first.asker_lane_id != first.lane.lane_id:
            name = called(people.name(tx, first.lane, person_id), "–")
            key = f"{first.message_key}:{text}:{secrets.token_hex(8)}"
            self.tell(tx, first, key, text, at=at, name=name)

    def tell(self, tx: Tx, first: Reminder, key: str, text: str, *, at: Millis = 0, name: str) -> None:
        """Say the text with the key `text` in the lane where the reminder was asked for; `name` is Markdown.

        Nothing is said where that chat was forgotten: only the private chat of the person reminded is left then.
        """
        lane = people.lane(tx, first.lane.tenant_id, first.asker_lane_id)
        if lane is None:
            return
        participant = people.participant(tx, lane, first.asker_id)
        own = None if participant.group else people.private_lane(tx, lane.tenant_id, first.asker_id)
        if not participant.group and (own is None or own.chat_id != lane.chat_id):
            return
        language, zone = self._composer.language(participant), self._texts.zone(participant)
        when, at_clock = language.when(at, zone.key), clock(language, at, zone)
        said = language.say(text, when=when, clock=at_clock, name=name, text=lines(first.text))
        made = triggers.load(tx, lane.tenant_id, first.trigger_id)
        self._notices.note(tx, lane, first.asker_id, f"told:{key}", said, foreign=made is None or made.tainted)

    def undelivered(self, tx: Tx, trigger: Trigger, names: str, why: str, *, but: int = 0, rests: bool = False) -> None:
        """Tell whoever asked why something did not arrive, and whether it `rests` now, in any chat but one (`but`).

        `names`, in Markdown, are those whom it was for.
        """
        # They are told where they asked, else in private.
        own = people.private_lane(tx, trigger.lane.tenant_id, trigger.person_id)
        places = [place for place in (trigger.lane, own) if place is not None and place.chat_id != but]
        lane = next((place for place in places if chats.state(tx, place) != ChatState.GONE), None)
        if lane is None and why == REFUSED and trigger.deliver == Deliver.TASK:
            # The model's words were refused; a notice of ours may still be sent there.
            lane = trigger.lane
        # Of who is gone for good it is said once while it goes on, of others once a day.
        often = 0 if why == LEFT and not rests else self._clock.now() // DAY
        key = f"unseen:{trigger.trigger_id}:{why}:{names}:{often}{':rests' if rests else ''}"
        if lane is None:
            this = ref("s", trigger.trigger_id)
            self._composer.owners.tell(tx, trigger.lane, key, "reminder_unseen_owner", ref=this)
            return
        language = self._composer.language(people.participant(tx, lane, trigger.person_id))
        reason = language[f"why_{why}"]
        text = "reminder_unseen" if names else "reminder_undelivered"
        said = language.say(text, name=names, text=lines(trigger.text), reason=reason)
        if rests:
            # A chat that is gone has no list that would show it.
            said = language.say("reminder_waits" if why == GONE else "reminder_rests", said=said)
        self._notices.note(tx, lane, trigger.person_id, key, said, foreign=trigger.tainted)

    def refused(self, tx: Tx, post: Post, *, blocked: bool) -> bool:
        """Pause what a message came of that the platform refused for good, and tell whoever asked for it why.

        It is not paused if others have got it. If its chat is gone it is paused until that is back, also if it comes
        only once; the outcome of work is kept. Work whose chat is there is paused only if its last outcome was refused,
        too, since a model writes other words each time. Notices are left alone.

        Return True where nobody else need decide about the message: the outcome of work is kept, or somebody who asked
        in a group that is gone was told in private.
        """
        trigger, run_id = None if post.whole_key.startswith(NAMES) else triggers.of_post(tx, post), post.source.run()
        if trigger is None and blocked and post.whole_key.startswith(LATER):
            return self._rests_again(tx, post)
        if trigger is None:
            if not blocked or run_id is None or post.replaces:
                return False
            task = journal.told_task(tx, post.lane, run_id)
            if task is not None:
                self._keep_outcome(tx, post, task[0], task[1][:SHOWN_PROMPT])
            return self._unanswered(tx, post, run_id) or task is not None
        if trigger.deliver == Deliver.NOTE:
            return False
        reminder = reminders.by_key(tx, post.lane.tenant_id, post.whole_key)
        names = ""
        if reminder is not None:
            now = self._clock.now()
            reminders.end(tx, reminder.reminder_id, ReminderState.UNSEEN, now)
            drop.repeats(tx, reminder.first_id, now)
            rows = reminders.people(tx, reminder.first_id)
            names = ", ".join(self._texts.name(tx, reminder, one) for one in rows)
            if reminder.trigger_id != trigger.trigger_id:
                trigger = triggers.load(tx, post.lane.tenant_id, reminder.trigger_id) or trigger
        here, kept = post.lane.chat_id == trigger.lane.chat_id, False
        why = GONE if here and blocked else BLOCKED if blocked else REFUSED
        if reminder is not None and reminders.others_got_it(tx, reminder):
            rests = False
        elif why == GONE:
            rests = pausing.pause_even_done(tx, trigger.trigger_id, GONE, None if reminder is None else reminder.due_at)
            kept = not rests and trigger.deliver == Deliver.TASK and trigger.state == TriggerState.DONE
            if kept:
                self._keep_outcome(tx, post, trigger.person_id, trigger.text)
        elif (
            run_id is not None
            and trigger.deliver == Deliver.TASK
            and not triggers.was_refused_before(tx, trigger, post)
        ):
            rests = False
        else:
            rests = trigger.kind != TriggerKind.ONCE and pausing.pause(tx, trigger.trigger_id, why)
        self.undelivered(tx, trigger, "" if here else names, why, but=post.lane.chat_id, rests=rests or kept)
        return kept

    def _keep_outcome(self, tx: Tx, post: Post, person_id: int, text: str) -> None:
        """Keep the outcome of work that is done until its chat is back; `text` is the prompt of the work."""
        language = self._composer.language(people.participant(tx, post.lane, person_id))
        run_id = post.source.run()
        said = words_of(tx, post.lane, run_id)
        if said:
            words = language.say("outcome_meanwhile", text=lines(text), said=said)
        else:
            words = language.say("reminder_undelivered", text=lines(text), reason=language["why_refused"])
        # It may be several messages that were refused, one by one: they are kept once.
        self._keep(tx, post.lane, f"run:{run_id}", person_id, words)

    def _rests_again(self, tx: Tx, post: Post) -> bool:
        """Keep what came of work once more, since its chat is gone anew; return whether it was known."""
        noted = triggers.noted(tx, post.lane, post.whole_key)
        if noted is not None:
            self._keep(tx, post.lane, post.whole_key, noted.person_id, noted.text)
        return noted is not None

    def _keep(self, tx: Tx, lane: LaneKey, of: str, person_id: int, words: str) -> None:
        key, now = f"{LATER}{of}", self._clock.now()
        if not triggers.holds(tx, lane, key):
            # A model's words may have some of others.
            notice = a_notice(lane, person_id, key, words, now, tainted=True)
            pausing.pause(tx, triggers.insert(tx, notice, now), GONE)

    def _unanswered(self, tx: Tx, post: Post, run_id: int) -> bool:
        person_id = journal.asker(tx, post.lane.tenant_id, run_id)
        own = None if person_id is None else people.private_lane(tx, post.lane.tenant_id, person_id)
        if (
            person_id is None
            or own is None
            or own.chat_id == post.lane.chat_id
            or chats.state(tx, own) == ChatState.GONE
        ):
            return False
        language = self._composer.language(people.participant(tx, own, person_id))
        title = quoted(people.participant(tx, post.lane, person_id).title, language.quotes)
        said = language.say("answer_undelivered", title=title, reason=language["why_gone"])
        self._notices.note(tx, own, person_id, f"unanswered:{run_id}", said)
        return True

"""Accepting messages: one is to be answered, corrects an earlier one, is overheard, or is a stop that waits for no
lease."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

from core.delivery.composer import Composer
from core.kernel.intent import TIMES
from core.kernel.ports import Engine, Tx
from core.kernel.types import DAY, HOUR, Inbound, LaneKey, Message, Millis, Standing
from core.pipeline.intake.admission import Admission, MessageReading, order_of
from core.pipeline.intake.batch import Batch, Heard
from core.pipeline.intake.conversations import Admitted
from core.pipeline.intake.interrupts import Interruption, Interruptions
from core.pipeline.runs.answer_reading import AnswerText, option, thread_question
from core.pipeline.runs.questions import Questions, refuses
from core.store.conversation import attachments, inbox, questions
from core.store.conversation import runs as journal
from core.store.conversation.inbox import InboxState
from core.store.conversation.questions import QuestionState
from core.store.people import chats, invitations, people
from core.toolkit.command import veil

log = logging.getLogger(__name__)

# The parts of an album come one by one; each waits so long for the next one.
ALBUM_WAIT: Millis = 1_000
# For so long after it was written, an edit may turn a message to others into one to the bot.
EDITED_WITHIN: Millis = HOUR
# So long platforms keep an edit for us. An older one comes since something else of its message changed.
EDITS_KEPT: Millis = DAY


class Messages:
    """Accepts messages."""

    def __init__(self, engine: Engine, *, admission: Admission, composer: Composer, questions: Questions) -> None:
        self._engine, self._admission, self._composer, self._questions = engine, admission, composer, questions
        self._interruptions = Interruptions(composer, engine, questions)

    def accept(self, batch: Batch, message: Inbound, reading: MessageReading) -> None:
        """Let a message in, or turn it away. It is sorted and stored in its turn, when the lanes it is about are
        locked."""
        continued = None if message.addressed else next((one for one in batch.for_bot if one.goes_on(message)), None)
        if continued is not None:
            # It goes on with a message that is for the bot and that no table has yet.
            message = replace(message, addressed=True)
        admitted = self._admission.message(batch.tx, batch.tenant_id, message, reading, batch.turned_away)
        if admitted is None:
            if told := self._admission.refusal(batch.tx, batch.tenant_id, message, batch.turned_away):
                batch.to_show[message.key] = told
            return
        if continued is not None and continued.awaited:
            admitted = replace(admitted, awaited=True)
        if message.text.startswith("/"):
            number = message.edits or message.message_id
            # Secrets are encrypted only where their command can be carried out: not where others read along.
            opens = message.chat_kind == "private" and order_of(message)
            own = veil(admitted.lane, admitted.person_id, number, message.sent_at) if opens else ""
            kept = self._admission.commands.veiled(message.text, own)
            message = message if kept == message.text else replace(message, text=kept, raw="")
        lanes = [admitted.lane]
        if not admitted.overheard:
            batch.for_bot.append(Heard(message, admitted.awaited))
            if self._admission.commands.interrupts(order_of(message)):
                lanes = self._interruptions.reach(batch.tx, admitted, message)
            elif message.thread and (began := thread_question(batch.tx, admitted.lane, message)) is not None:
                lanes.append(began.lane)
        batch.deferred.append((lanes, lambda: self._take(batch, admitted, message, reading, lanes)))

    def _take(
        self, batch: Batch, admitted: Admitted, message: Inbound, reading: MessageReading, lanes: Sequence[LaneKey]
    ) -> None:
        """Sort a message by what it is for, and store it."""
        addressing, lane, person_id = self._admission.addressing, admitted.lane, admitted.person_id
        if admitted.awaited and not (
            addressing.awaits(batch.tx, batch.tenant_id, message, reading, person_id, lane)
            or addressing.is_part(batch.tx, lane, person_id, message)
        ):
            # A message before it in this batch was the answer, so this one is said to other people.
            if not chats.reads_along(batch.tx, lane):
                return
            admitted = replace(admitted, overheard=True)
        if message.quoted:
            # A quotation of a command does not need the secrets behind it.
            quoted = invitations.hidden(self._admission.commands.veiled(message.quoted))
            if message.quoted_from and people.left_alone(batch.tx, admitted.lane, message.quoted_from):
                # A reply must not bring in the words of somebody who wants to be left alone here.
                quoted = ""
            message = replace(message, quoted=quoted)
        if message.edits:
            message = self._as_new(batch, admitted, message)
        refused = ""
        if message.answers:
            # It is nothing but an answer: its question may have ended, or be somebody else's.
            owner = admitted.standing is Standing.OWNER
            language = self._composer.language(people.participant(batch.tx, admitted.lane, admitted.person_id))
            refused = refuses(batch.tx, batch.tenant_id, message, admitted.person_id, owner=owner, language=language)
        if refused:
            batch.to_show[message.key] = refused
        elif message.edits:
            self._correct(batch, admitted, message, reading)
        elif admitted.overheard:
            tx = batch.tx
            row = inbox.insert(tx, lane, person_id, message, batch.now, state=InboxState.DONE)
            if row is not None and message.text:
                name, text, others = message.sender.name, message.text, message.forwarded
                # Models are not told what it quotes.
                journal.overhear(tx, lane, person_id, name, text, message.sent_at, inbox_id=row, tainted=others)
        elif self._admission.commands.interrupts(order_of(message)):
            self._interrupt(batch, admitted, message, lanes)
        else:
            self._enter(batch, admitted, message, reading.answer)

    def _as_new(self, batch: Batch, admitted: Admitted, message: Inbound) -> Inbound:
        """Return an edit as a new message if it is the first one by which a group's message speaks to the bot: somebody
        has added the mention that they forgot. Return any other edit as it is.

        What was overheard of the message gives way to it; otherwise it takes the key of the message.
        """
        # What it asks for "in 20 minutes" counts from the edit, whenever that is handed over.
        said_at = min(message.edited_at or batch.now, batch.now)
        late = said_at - message.sent_at > EDITED_WITHIN or batch.now - said_at > EDITS_KEPT
        if message.chat_kind != "group" or not message.addressed or admitted.overheard or late:
            return message
        key = message.origin or message.key
        if inbox.is_from(batch.tx, admitted.lane, admitted.person_id, message.edits):
            if not journal.unhear(batch.tx, admitted.lane, admitted.person_id, message.edits):
                return message
            key = message.key
        return replace(message, key=key, edits="", sent_at=said_at)

    def _enter(self, batch: Batch, admitted: Admitted, message: Inbound, said: AnswerText) -> None:
        """Store a message that is to be answered."""
        until = batch.now + ALBUM_WAIT if message.album else 0
        row = inbox.insert(
            batch.tx,
            admitted.lane,
            admitted.person_id,
            message,
            batch.now,
            held_until=until,
            intent=message.intent,
        )
        if row is None:
            log.debug("delivered twice: %s", message.key)
            return
        if message.attachments:
            attachments.insert(batch.tx, admitted.lane, row, message.attachments, batch.now)
        if message.album:
            inbox.wait_for_album(batch.tx, admitted.lane, message.album, until)
            batch.tx.after_commit(lambda: self._engine.wake(until))
        owner = admitted.standing is Standing.OWNER
        if not owner and _is_for_another(batch.tx, batch.tenant_id, message, said, admitted.person_id):
            inbox.settle(batch.tx, admitted.lane, row, batch.now)
            language = self._composer.language(people.participant(batch.tx, admitted.lane, admitted.person_id))
            words = language["not_your_question"]
            self._composer.tell(
                batch.tx,
                admitted.lane,
                f"not-yours:{message.key}",
                words,
                response_url=message.response_url,
                only_for=message.sender.address if message.response_url else "",
            )
            return
        meant = self._questions.reader.meant(batch.tx, admitted.lane, admitted.person_id, message, said, owner=owner)
        if meant is not None:
            self._questions.hear(batch.tx, admitted.lane, admitted.person_id, message, row, meant)
        batch.with_work[admitted.lane.lane_id] = None
        arrived = Message(
            inbox_id=row,
            text=message.text,
            sent_at=message.sent_at,
            platform_id=message.message_id,
            reply_to=message.reply_to,
            quoted=message.quoted,
            forwarded=message.forwarded,
        )
        batch.tx.after_commit(lambda: self._admission.addressing.arrivals.add(admitted.lane.lane_id, arrived))

    def _correct(self, batch: Batch, admitted: Admitted, message: Inbound, reading: MessageReading) -> None:
        """Store an edit. It gets no second answer, but what the message has set is changed."""
        before = inbox.answered_by(batch.tx, admitted.lane, admitted.person_id, message.edits)
        if inbox.insert(batch.tx, admitted.lane, admitted.person_id, message, batch.now, state=InboxState.DONE) is None:
            return
        inbox.correct(batch.tx, admitted.lane, message)
        if before is not None and before[1].strip() != message.text.strip() and not message.forwarded:
            self._change(batch, admitted, message, reading, *before)

    def _change(
        self, batch: Batch, admitted: Admitted, message: Inbound, reading: MessageReading, run_id: int, before: str
    ) -> None:
        """Let what a run has set follow the new text of the message that it answered, by an intent as of a button
        there.

        Where no capability does that any more, and the edit asks for something else or answers a question otherwise,
        nothing is done, and the chat is told so once. Edits of what a model answered are only kept: that is talk.
        """
        lane, person_id, text = admitted.lane, admitted.person_id, message.text.strip()
        hooks = (capability.understands.edited for capability in self._admission.capabilities)
        changes = (edited(batch.tx, lane, person_id, run_id, text) for edited in hooks if edited is not None)
        found = next(filter(None, changes), None)
        if found is not None:
            keyboard_id, change = found
            anew = replace(message, key=f"edit:{message.key}", origin="", edits="", text=text)
            if inbox.insert(batch.tx, lane, person_id, anew, batch.now, pressed=keyboard_id, intent=change) is not None:
                batch.with_work[lane.lane_id] = None
            return
        if not journal.needed_no_model(batch.tx, lane, run_id) or _letters(text) == _letters(before):
            return
        asks = order_of(message) or reading.wishes or reading.answer.as_read.time
        if asks or inbox.answer_of(batch.tx, lane, run_id) is not None:
            words = self._composer.language(people.participant(batch.tx, lane, person_id))["edit_changes_nothing"]
            self._composer.tell(batch.tx, lane, f"edited:{lane.lane_id}:{message.edits}", words)

    def _interrupt(self, batch: Batch, admitted: Admitted, message: Inbound, lanes: Sequence[LaneKey]) -> None:
        """Carry out /stop or /cancel at once, whoever holds the lane."""
        if inbox.insert(batch.tx, admitted.lane, admitted.person_id, message, batch.now, state=InboxState.DONE) is None:
            return
        interruption = Interruption(batch.tx, admitted, message, batch.now)
        for lane in lanes:
            self._interruptions.within(interruption, lane)
        batch.with_work.update(self._interruptions.end(interruption))


def _letters(text: str) -> str:
    """Return the letters and figures of a text, without case, spaces and signs."""
    return "".join(filter(str.isalnum, text.casefold()))


def _is_for_another(tx: Tx, tenant_id: int, message: Inbound, said: AnswerText, person_id: int) -> bool:
    """Return whether a message would answer, by replying to it, an open question that was put to another person.

    A text that can stand by itself is no answer. In a thread that began with the question, where every message replies
    to it, only an option is one.
    """
    text = message.text.strip()
    if not (message.reply_to and text) or text.startswith("/") or message.forwarded or message.edits:
        return False
    question = questions.shown_as(tx, tenant_id, message.chat, message.reply_to)
    if question is None or question.state != QuestionState.OPEN or question.person_id == person_id:
        return False
    if option(question, text) is not None:
        return True
    if message.reply_to == message.thread:
        return False
    if question.expects in TIMES:
        return bool(said.as_read.time or said.as_read.wait)
    return not question.options and not said.as_read.is_wish

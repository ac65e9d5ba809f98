"""Messages as they are accepted: to be answered, corrected, overheard, or a stop that passes the lane's lease."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from core.delivery.composer import Composer
from core.kernel.intent import TIMES
from core.kernel.ports import Engine, Tx
from core.kernel.types import Inbound, LaneKey, Message, Millis, Standing
from core.pipeline.intake.admission import Admission, Reading, order_of
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

# The parts of an album come one by one; each waits this long for the next.
ALBUM_WAIT: Millis = 1_000
# So long after it was written an edit may make of it a message to the bot.
EDITED_WITHIN: Millis = 3_600_000


class Messages:
    """Accepts messages."""

    def __init__(self, engine: Engine, *, admission: Admission, composer: Composer, questions: Questions) -> None:
        self._engine, self._admission, self._composer, self._questions = engine, admission, composer, questions
        self._interruptions = Interruptions(composer, engine, questions)

    def accept(self, batch: Batch, message: Inbound, reading: Reading) -> None:
        """Let a message in, or not. What it is gets done in its turn, when the lanes it is about are locked."""
        continued = None if message.addressed else next((one for one in batch.heard if one.goes_on(message)), None)
        if continued is not None:
            # It is for the bot as the one before it is, which nobody finds in the tables yet.
            message = replace(message, addressed=True)
        admitted = self._admission.message(batch.tx, batch.tenant_id, message, reading, batch.away)
        if admitted is None:
            if told := self._admission.refusal(batch.tx, batch.tenant_id, message, batch.away):
                batch.shown[message.key] = told
            return
        if continued is not None and continued.awaited:
            admitted = replace(admitted, awaited=True)
        if message.text.startswith("/"):
            number = message.edits or message.message_id
            # Nothing opens them where all read along, nor where no command is carried out.
            opens = message.chat_kind == "private" and order_of(message)
            own = veil(admitted.lane, admitted.person_id, number, message.sent_at) if opens else ""
            kept = self._admission.commands.veiled(message.text, own)
            message = message if kept == message.text else replace(message, text=kept, raw="")
        lanes = [admitted.lane]
        if not admitted.overheard:
            batch.heard.append(Heard(message, admitted.awaited))
            if self._admission.commands.interrupts(order_of(message)):
                lanes = self._interruptions.reach(batch.tx, admitted, message)
            elif message.thread and (began := thread_question(batch.tx, admitted.lane, message)) is not None:
                lanes.append(began.lane)
        batch.later.append((lanes, lambda: self._take(batch, admitted, message, reading, lanes)))

    def _take(
        self, batch: Batch, admitted: Admitted, message: Inbound, reading: Reading, lanes: Sequence[LaneKey]
    ) -> None:
        """Sort a message by what it is, and store it."""
        addressing, lane, person_id = self._admission.addressing, admitted.lane, admitted.person_id
        if admitted.awaited and not (
            addressing.awaits(batch.tx, batch.tenant_id, message, reading, person_id, lane)
            or addressing.is_part(batch.tx, lane, person_id, message)
        ):
            # What came before it in this batch was the answer: it is what people say to each other.
            if not chats.reads_along(batch.tx, lane):
                return
            admitted = replace(admitted, overheard=True)
        if message.quoted:
            # Nothing needs a secret that somebody wrote behind a command before.
            quoted = invitations.hidden(self._admission.commands.veiled(message.quoted))
            if message.quoted_from and people.left_alone(batch.tx, admitted.lane, message.quoted_from):
                # Nor does a reply bring in the words of who wants to be left alone here.
                quoted = ""
            message = replace(message, quoted=quoted)
        if message.edits:
            message = self._as_new(batch, admitted, message)
        refused = ""
        if message.answers:
            # It is nothing but an answer; it may answer nothing.
            seen: dict[str, Any] = {"owner": admitted.standing is Standing.OWNER}
            seen["language"] = self._composer.language(people.participant(batch.tx, admitted.lane, admitted.person_id))
            refused = refuses(batch.tx, batch.tenant_id, message, admitted.person_id, **seen)
        if refused:
            batch.shown[message.key] = refused
        elif message.edits:
            self._correct(batch, admitted, message, reading)
        elif admitted.overheard:
            tx = batch.tx
            row = inbox.insert(tx, lane, person_id, message, batch.now, state=InboxState.DONE)
            if row is not None and message.text:
                name, text, others = message.sender.name, message.text, message.forwarded
                # What it quotes no model is told.
                journal.overhear(tx, lane, person_id, name, text, message.sent_at, inbox_id=row, tainted=others)
        elif self._admission.commands.interrupts(order_of(message)):
            self._interrupt(batch, admitted, message, lanes)
        else:
            self._enter(batch, admitted, message, reading.said)

    def _as_new(self, batch: Batch, admitted: Admitted, message: Inbound) -> Inbound:
        """An edit by which a group's message first speaks to the bot is said then: its mention was forgotten.

        What was overheard of it gives way; that keeps the key it had.
        """
        late = batch.now - message.sent_at > EDITED_WITHIN
        if message.chat_kind != "group" or not message.addressed or admitted.overheard or late:
            return message
        key = message.origin or message.key
        if inbox.is_from(batch.tx, admitted.lane, admitted.person_id, message.edits):
            if not journal.unhear(batch.tx, admitted.lane, admitted.person_id, message.edits):
                return message
            key = message.key
        return replace(message, key=key, edits="", sent_at=batch.now)

    def _enter(self, batch: Batch, admitted: Admitted, message: Inbound, said: AnswerText) -> None:
        """A message to be answered."""
        until = batch.now + ALBUM_WAIT if message.album else 0
        asks: dict[str, Any] = {"held_until": until, "intent": message.intent}
        row = inbox.insert(batch.tx, admitted.lane, admitted.person_id, message, batch.now, **asks)
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
            audience: dict[str, Any] = (
                {"response_url": message.response_url, "only_for": message.sender.address}
                if message.response_url
                else {}
            )
            self._composer.tell(batch.tx, admitted.lane, f"not-yours:{message.key}", words, **audience)
            return
        meant = self._questions.reader.meant(batch.tx, admitted.lane, admitted.person_id, message, said, owner=owner)
        if meant is not None:
            self._questions.hear(batch.tx, admitted.lane, admitted.person_id, message, row, meant)
        batch.work[admitted.lane.lane_id] = None
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

    def _correct(self, batch: Batch, admitted: Admitted, message: Inbound, reading: Reading) -> None:
        """An edit: no second answer, but what the message has set is changed."""
        before = inbox.answered_by(batch.tx, admitted.lane, admitted.person_id, message.edits)
        if inbox.insert(batch.tx, admitted.lane, admitted.person_id, message, batch.now, state=InboxState.DONE) is None:
            return
        inbox.correct(batch.tx, admitted.lane, message)
        if before is not None and before[1].strip() != message.text.strip() and not message.forwarded:
            self._change(batch, admitted, message, reading, *before)

    def _change(
        self, batch: Batch, admitted: Admitted, message: Inbound, reading: Reading, run_id: int, before: str
    ) -> None:
        """Hand the new text of a message that a run has answered to whatever that run has set, as a press of a button
        there would.

        Where nothing follows it any more, an edit that asks for something else, or answers otherwise what was asked, is
        not done, and the chat is told so once; what a model answered is a conversation, and its edits are only read.
        """
        lane, person_id, text = admitted.lane, admitted.person_id, message.text.strip()
        hooks = (capability.understands.edited for capability in self._admission.capabilities)
        changes = (edited(batch.tx, lane, person_id, run_id, text) for edited in hooks if edited is not None)
        found = next(filter(None, changes), None)
        if found is not None:
            keyboard_id, change = found
            anew = replace(message, key=f"edit:{message.key}", origin="", edits="", text=text)
            if inbox.insert(batch.tx, lane, person_id, anew, batch.now, pressed=keyboard_id, intent=change) is not None:
                batch.work[lane.lane_id] = None
            return
        if not journal.needed_no_model(batch.tx, lane, run_id) or _letters(text) == _letters(before):
            return
        asks = order_of(message) or reading.wishes or reading.said.as_read.time
        if asks or inbox.answer_of(batch.tx, lane, run_id) is not None:
            words = self._composer.language(people.participant(batch.tx, lane, person_id))["edit_changes_nothing"]
            self._composer.tell(batch.tx, lane, f"edited:{lane.lane_id}:{message.edits}", words)

    def _interrupt(self, batch: Batch, admitted: Admitted, message: Inbound, lanes: Sequence[LaneKey]) -> None:
        """/stop and /cancel are done at once, whoever holds the lane."""
        if inbox.insert(batch.tx, admitted.lane, admitted.person_id, message, batch.now, state=InboxState.DONE) is None:
            return
        interruption = Interruption(batch.tx, admitted, message, batch.now)
        for lane in lanes:
            self._interruptions.within(interruption, lane)
        batch.work.update(self._interruptions.end(interruption))


def _letters(text: str) -> str:
    """Return the letters and figures of a text, without case, spaces and signs."""
    return "".join(filter(str.isalnum, text.casefold()))


def _is_for_another(tx: Tx, tenant_id: int, message: Inbound, said: AnswerText, person_id: int) -> bool:
    """Whether a message says in a reply what would answer an open question, which was asked of another person.

    What can stand by itself is no answer. In a thread that began with the question only an option is one: all that is
    said there replies to it.
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

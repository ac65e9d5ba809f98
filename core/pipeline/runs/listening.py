"""Writes down what was spoken: the run that finds a voice note says what it heard, and puts the message back with these
words as its text. The next run reads them as if they had been written (STATES: Spoken)."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from core.kernel.errors import Unheard
from core.kernel.markdown import literal
from core.kernel.ports import Tx
from core.kernel.replies import Outcome, Reply
from core.kernel.types import OWN_SOUNDS, SOUNDS, Attachment, Inbound, Message, Sender, Spoken, Standing
from core.pipeline.runs.answer_reading import AnswerText
from core.pipeline.runs.attachments import AttachmentService
from core.pipeline.runs.questions import Questions
from core.pipeline.runs.run_context import RunContext
from core.store.conversation import inbox
from core.store.conversation import runs as journal
from core.store.conversation.attachment_text import SPOKEN, heard
from core.store.conversation.attachments import AttachmentState
from core.store.people import chats
from core.toolkit.fetch.values import Whose

log = logging.getLogger(__name__)

# Writes down a sound: its content, what was sent, and for whom. Raises `Unheard`.
WritesDown = Callable[[bytes, Attachment, Whose], Awaitable[str]]


class Listening:
    """Carries out runs that are to listen. `writes_down` is None where nobody does."""

    def __init__(self, attachments: AttachmentService, questions: Questions, writes_down: WritesDown | None) -> None:
        self._attachments, self._questions, self._writes_down = attachments, questions, writes_down

    async def answer(self, run: RunContext) -> Outcome:
        """Listen to the message of a run; what came of it is stored when the run ends."""
        if self._writes_down is None:
            return Outcome(deed=_Unset(run=run, message=run.messages[0]))
        run = await self._attachments.fetch(run)
        message = run.messages[0]
        sounds = [one for one in message.attachments if one.sent.kind in SOUNDS]
        if any(one.state != AttachmentState.KEPT for one in sounds):
            # Why it is not there is said where other files are missing, too.
            return Outcome(deed=_PutBack(run=run, message=message, questions=self._questions))
        whose = Whose(lane=run.lane, person_id=run.participant.person.person_id)
        words, problem = list[str](), ""
        try:
            for one in sounds:
                words.append(await self._writes_down(await self._attachments.content(one), one.sent, whose))
        except Unheard as error:
            problem = error.code
        except OSError as error:
            log.warning("a sound cannot be read: %s", type(error).__name__)
            problem = "lost"
        # Only what somebody records in the chat are their own words: a file may be anybody's.
        own = all(one.sent.kind in OWN_SOUNDS for one in sounds)
        put_back = _PutBack(
            run=run, message=message, questions=self._questions, words="\n".join(words), problem=problem, own=own
        )
        if put_back.heard:
            self._questions.reader.read(put_back.answer)
        return Outcome(deed=put_back)


@dataclass(kw_only=True)
class _PutBack:
    """Puts a message back with what was heard in it, or with what was written beside it where there is a `problem`."""

    run: RunContext
    message: Message
    questions: Questions
    words: str = ""
    problem: str = ""
    own: bool = True
    acted: bool = False

    def __post_init__(self) -> None:
        self.heard = bool(self.words) and not self.problem
        self.forwarded = self.message.forwarded or (self.heard and not self.own)
        self.answer = AnswerText("\n".join(filter(None, (self.message.text, self.words))))

    def refuse(self, error: Exception) -> _PutBack:
        """Say that it did not work: nothing of it happened."""
        log.error("what was heard could not be stored: run %s", self.run.run_id, exc_info=error)
        return replace(self, problem="broken")

    def carry_out(self, tx: Tx) -> Outcome:
        """Put it back, and say what was heard."""
        run, message, now = self.run, self.message, self.run.services.clock.now()
        why = run.say("voice_failed", why=run.say(f"voice_{self.problem}")) if self.problem else ""
        said = Reply(n=1, text=why, own=True)
        if self.problem and not message.text:
            return Outcome(replies=[said])
        # What was written beside it may have been edited meanwhile.
        edit = inbox.edited_meanwhile(tx, run.lane, run.participant.person.person_id, message)
        beside = message.text if edit is None else edit[1]
        text = "\n".join(filter(None, (beside, self.words))) if self.heard else beside
        spoken = Spoken.HEARD if self.heard else Spoken.UNHEARABLE
        inbox_id = message.inbox_id
        if not inbox.listened(tx, run.lane, inbox_id, text, spoken, now, forwarded=self.forwarded):
            return Outcome()
        if not self.heard:
            return Outcome(replies=[said] if self.problem else [])
        shown = heard(replace(message, text=text, spoken=spoken))
        journal.hide(tx, run.lane, inbox_id, shown)
        if not self.forwarded and text == self.answer.text:
            self._answers(tx, text)
        quotes = run.texts.quotes
        reply = Reply(n=1, text=f"{SPOKEN}{quotes[0]}{literal(self.words)}{quotes[1]}", own=True, tells_late=True)
        return Outcome(replies=[reply])

    def _answers(self, tx: Tx, text: str) -> None:
        """Answer the open question that the spoken words are meant for, if any, as written ones would."""
        run, message, place = self.run, self.message, self.run.participant.place
        inbound = Inbound(
            key="",
            chat=place.chat,
            thread=place.thread,
            chat_kind="group" if run.participant.group else "private",
            sender=Sender(address=run.participant.person.address, name=run.participant.person.name),
            text=text,
            sent_at=message.sent_at,
            raw="",
            message_id=message.platform_id,
            reply_to=message.reply_to,
        )
        owner = run.standing is Standing.OWNER
        person_id = run.participant.person.person_id
        meant = self.questions.reader.meant(tx, run.lane, person_id, inbound, self.answer, owner=owner)
        if meant is not None:
            self.questions.hear(tx, run.lane, person_id, inbound, message.inbox_id, meant)


@dataclass(kw_only=True)
class _Unset:
    """Nobody writes down what is spoken here: the chat is told so once, and the message is read without it."""

    run: RunContext
    message: Message
    acted: bool = False

    def refuse(self, error: Exception) -> _Unset:
        """Do it once more; when that fails, too, the run is tried again."""
        log.error("a message could not be put back: run %s", self.run.run_id, exc_info=error)
        return self

    def carry_out(self, tx: Tx) -> Outcome:
        """Put the message back as it is."""
        run, message, now = self.run, self.message, self.run.services.clock.now()
        told = chats.note_voice(tx, run.lane)
        put_back = inbox.listened(
            tx, run.lane, message.inbox_id, message.text, Spoken.UNHEARABLE, now, forwarded=message.forwarded
        )
        return Outcome(replies=[Reply(n=1, text=run.say("voice_unset"), own=True)] if told and put_back else [])

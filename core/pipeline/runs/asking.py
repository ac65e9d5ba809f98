"""Asking: the questions that a run noted are asked when it ends, and once more after what was no answer."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from core.delivery.composer import Composer
from core.delivery.message import OutgoingMessage
from core.kernel.intent import TIMES, pack
from core.kernel.markdown import literal
from core.kernel.ports import Clock, Engine, Tx
from core.kernel.replies import CommandQuestion
from core.pipeline.runs.questions import SKIP
from core.pipeline.runs.run_context import RunContext
from core.store.conversation import inbox, questions
from core.store.conversation.provenance import Source, SourceKind
from core.store.conversation.questions import Question

# A command that asks back wants its answer soon, in seconds.
ASKED_BACK = 3_600


class Asking:
    """Asks questions. Their messages are rendered before the transaction that ends the run."""

    def __init__(self, composer: Composer, engine: Engine, clock: Clock) -> None:
        self._composer, self._engine, self._clock = composer, engine, clock

    def note(self, tx: Tx, run: RunContext, question: CommandQuestion) -> None:
        """Note what the command of a run asks back, in the transaction that ends the run and asks it."""
        questions.insert(
            tx,
            run.lane,
            run.run_id,
            run.participant.person.person_id,
            question.text,
            options=question.options,
            default=None,
            timeout_s=ASKED_BACK,
            now=self._clock.now(),
            command=pack(question.order),
            time=question.expects in TIMES,
        )

    def outgoing_messages(
        self, run: RunContext, asked: Sequence[Question], *, again: bool = False
    ) -> list[OutgoingMessage]:
        """The messages that ask these questions; rendered before the transaction."""
        return [self._outgoing(run, question, again=again) for question in asked]

    def _outgoing(self, run: RunContext, question: Question, *, again: bool) -> OutgoingMessage:
        offers = [(option, option) for option in question.options]
        # A field for a reply and buttons exclude each other; in a group only a reply can be told from other talk.
        by_reply = run.participant.group and not offers
        skip = [] if by_reply else [(run.say("skip"), SKIP)]
        text = question.text
        if question.default is not None and not again:
            wait = run.texts.duration(question.timeout_s * 1000)
            when = run.say("question_default", duration=wait, default=literal(question.default))
            text = "\n\n".join(filter(None, (text, when)))
        return self._composer.outgoing(
            run.participant.platform,
            f"question:{question.question_id}{':again' if again else ''}",
            text,
            [*offers, *skip],
            reply=run.say("answer_button") if by_reply else "",
            source=Source(SourceKind.QUESTION, question.question_id),
            question_id=question.question_id,
            person_id=question.person_id,
            # Asked for their eyes where others would see it; in their own conversation it is to last.
            **(run.audience if run.participant.group else {}),
        )

    def open(
        self, tx: Tx, run: RunContext, asked: Sequence[Question], outgoing_messages: Sequence[OutgoingMessage]
    ) -> None:
        """Ask, in the transaction that ends the run."""
        now = self._clock.now()
        for question, outgoing in zip(asked, outgoing_messages, strict=True):
            expires_at = now + question.timeout_s * 1000
            questions.open_up(tx, question.question_id, expires_at)
            # Who is to reply is known by the message that is replied to.
            to = run.reply_to or (inbox.last_of(tx, run.lane, question.person_id) if outgoing.for_reply else "")
            self._composer.say(tx, run.lane, outgoing, run_id=run.run_id, reply_to=to)
            tx.after_commit(partial(self._engine.wake, expires_at))

    def to_repeat(self, run: RunContext) -> list[Question]:
        """The question whose options are shown once more: the newest, after something that was no answer."""
        if run.event or run.command:
            return []
        mine = [one for one in run.questions if one.person_id == run.participant.person.person_id and one.options]
        return [one for one in mine[-1:] if not one.repeated]

    def show_again(
        self, tx: Tx, run: RunContext, asked: Sequence[Question], outgoing_messages: Sequence[OutgoingMessage]
    ) -> None:
        """Show the options once more, if the question is still open."""
        for question, outgoing in zip(asked, outgoing_messages, strict=True):
            if questions.repeat(tx, question.question_id):
                self._composer.post(tx, run.lane, outgoing)

"""The end of a run: what it said and asked, its record in journal and ledger, in the transaction that ends it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from core.agents.budget import Budget
from core.delivery.composer import Composer
from core.delivery.message import OutgoingMessage
from core.kernel.intent import pack
from core.kernel.ports import Clock, Database, Tx
from core.kernel.replies import CommandQuestion, Outcome, Reply
from core.kernel.types import Millis, Role
from core.pipeline.runs.answers import Answers
from core.pipeline.runs.asking import Asking
from core.pipeline.runs.incidents import Incidents
from core.pipeline.runs.run_context import RunContext
from core.store.conversation import attachments, inbox, keyboards, lanes, questions
from core.store.conversation import runs as journal
from core.store.conversation.incidents import Incident
from core.store.conversation.questions import Question
from core.store.conversation.runs import RunState
from core.store.people import chats
from core.toolkit.ledger.ledger import Ledger, Record


@dataclass(frozen=True, kw_only=True)
class End:
    """How a run ends: its outcome, and the messages (by id) that are `kept` for the model; `refused` is its reason.

    `incident` is why the model cannot be used until somebody mends it. What was asked may have been `costly`, in vain.
    A run that is `parked` does not end: it waits with its journal until the model answers again.
    """

    outcome: Outcome
    kept: Sequence[int] = ()
    refused: str = ""
    incident: Incident | None = None
    stopped: bool = False
    costly: bool = False
    parked: bool = False


@dataclass(frozen=True, kw_only=True)
class _Done:
    """What came of a run: how it ends, and what it `asked`."""

    end: End
    asked: Sequence[Question] = ()


@dataclass(frozen=True, kw_only=True)
class _Composed:
    """The end of a run with everything that is said rendered; `questions` are those `asked`, for the first time or
    `again`."""

    end: End
    said: Sequence[tuple[Reply, OutgoingMessage]]
    asked: Sequence[Question]
    questions: Sequence[OutgoingMessage]
    again: bool


class Ending:
    """Ends runs. Rendering may take milliseconds: unless it is that of a deed, or of what a command asks back, it is
    done before the transaction."""

    def __init__(
        self,
        db: Database,
        clock: Clock,
        *,
        composer: Composer,
        answers: Answers,
        ledger: Ledger,
        budget: Budget,
        asking: Asking,
    ) -> None:
        self._db, self._clock = db, clock
        self._composer, self._answers, self._asking = composer, answers, asking
        self._ledger, self._budget = ledger, budget
        self._incidents = Incidents(composer, clock)

    async def prepare(self, run: RunContext, end: End) -> Callable[[Tx], None]:
        """Render what is said and asked; returns what commits the end of the run, its chat and its lane locked.

        What comes of a deed is known, and rendered, only when it is done; a question only when it has a number.
        """
        if end.outcome.deed is not None or any(reply.question for reply in end.outcome.replies):
            return lambda tx: self._commit(tx, run, self._compose(run, self._done(tx, run, end)))
        asks = end.outcome.asked and not end.stopped
        asked = await self._db.read(lambda tx: questions.of_run(tx, run.lane, run.run_id)) if asks else []
        composed = self._compose(run, _Done(end=end, asked=asked))
        return lambda tx: self._commit(tx, run, composed)

    def _done(self, tx: Tx, run: RunContext, end: End) -> _Done:
        """Do what a run does in the transaction that ends it, and note what its command asks back.

        A former version noted that while the run went on: where it was killed then, its question is asked.
        """
        outcome = end.outcome if end.outcome.deed is None else end.outcome.deed.carry_out(tx)
        if not outcome.asked:
            return _Done(end=replace(end, outcome=outcome))
        for reply in outcome.replies if not questions.of_run(tx, run.lane, run.run_id) else ():
            if reply.question is not None:
                self._asking.note(tx, run, reply.question)
                self._ledger.append(tx, _question_record(run, reply.question, self._clock.now()))
        return _Done(end=replace(end, outcome=outcome), asked=questions.of_run(tx, run.lane, run.run_id))

    def _compose(self, run: RunContext, done: _Done) -> _Composed:
        """Render what a run says when it ends, and what it asks: its own questions, or once more the one that was not
        answered."""
        end, asked, again = done.end, done.asked, False
        kept = end.kept
        answered = (
            replace(run, messages=[message for message in run.messages if message.inbox_id not in kept])
            if kept
            else run
        )
        replies = self._answers.final(answered, end.outcome)
        if run.questions and not (end.outcome.asked and not end.stopped) and end.outcome.replies:
            asked, again = self._asking.to_repeat(run), True
        return _Composed(
            end=end,
            said=[(reply, self._answers.reply(run, reply)) for reply in replies],
            asked=asked,
            again=again,
            questions=self._asking.outgoing_messages(run, asked, again=again) if asked else [],
        )

    def _commit(self, tx: Tx, run: RunContext, composed: _Composed) -> None:
        end, said = composed.end, composed.said
        if end.incident is not None:
            self._incidents.open(tx, run.lane, end.incident)
        if end.parked:
            return
        if end.outcome.explains:
            chats.note_explained(tx, run.lane, self._budget.day())
        self._close(tx, run, end, [reply for reply, _ in said])
        if any(message.attachments for message in run.messages):
            attachments.give_up(tx, run.lane, run.run_id)
        inbox.end(tx, run.lane, run.run_id, self._clock.now())
        self._answer(tx, run, said)
        if any(reply.offers for reply, _ in said):
            self._catch_up(tx, run)
        # In a thread the bot goes on with whom it answered, or asked, unless they made it hush.
        in_thread = run.participant.group and run.participant.place.thread
        spoke = said or (end.outcome.asked and not end.stopped)
        if in_thread and spoke and not run.services.commands.leaves_thread(run.command):
            lanes.attend(tx, run.lane, run.participant.person.person_id)
        if composed.asked:
            show = self._asking.show_again if composed.again else self._asking.open
            show(tx, run, composed.asked, composed.questions)
        if end.refused:
            key = f"refused:{run.run_id}"
            self._composer.owners.tell(tx, run.lane, key, "model_refused_owner", reason=end.refused)

    def _answer(self, tx: Tx, run: RunContext, said: Sequence[tuple[Reply, OutgoingMessage]]) -> None:
        """Queue the replies: one that `edits` takes the place of the message whose button was pressed.

        What would change the message of a button is not said where that is on a page: the page is shown anew.
        """
        pressed = None if run.pressed is None else keyboards.load(tx, run.lane, run.pressed)
        on_page = pressed is not None and any(
            tells.shows is not None and tells.shows(pressed) for tells in run.services.tells
        )
        for reply, outgoing in said:
            replaces = pressed.message_key if reply.edits and pressed is not None else ""
            if not (replaces and (on_page or self._composer.edits.replace(tx, run.lane, outgoing, replaces))):
                self._composer.say(tx, run.lane, outgoing, run_id=run.run_id, reply_to=run.reply_to)

    def _catch_up(self, tx: Tx, run: RunContext) -> None:
        """Let what was set follow a message that was edited while the run worked on it, as if it was edited now."""
        now, person_id = self._clock.now(), run.participant.person.person_id
        for message in run.words if run.pressed is None else ():
            edit = inbox.edited_meanwhile(tx, run.lane, person_id, message) if message.platform_id else None
            if edit is None:
                continue
            key, text = edit
            for edited in run.services.edited:
                if (change := edited(tx, run.lane, person_id, run.run_id, text)) is not None:
                    keyboard_id, intent = change
                    inbox.wake_saying(
                        tx,
                        run.lane,
                        person_id,
                        f"edit:{key}",
                        text,
                        intent=intent,
                        now=now,
                        sent_at=now,
                        platform_id=message.platform_id,
                        pressed=keyboard_id,
                    )
                    break

    def _close(self, tx: Tx, run: RunContext, end: End, replies: Sequence[Reply]) -> None:
        """End the run and its journal. The ledger has an answer as an act of the run, with what its model calls
        took."""
        now, outcome = self._clock.now(), end.outcome
        if outcome.last is not None:
            journal.write(tx, run.lane, run.run_id, outcome.last, now)
            self._budget.count(tx, run.lane, run.participant.person.person_id, outcome.usage)
        unanswered = bool(end.kept) and len(end.kept) == len(run.messages)
        error = "the model is unreachable" if unanswered else "stopped" if end.stopped else ""
        state = RunState.FAILED if error else RunState.ASKED if outcome.asked else RunState.DONE
        journal.end(tx, run.lane, run.run_id, state, now, error)
        if state is not RunState.ASKED:
            questions.drop_new(tx, run.lane, run.run_id, now)
        if not replies:
            return
        said: Mapping[str, object] = {"replies": [reply.kept or reply.text for reply in replies]}
        self._ledger.append(
            tx,
            Record(
                lane=run.lane,
                run_id=run.run_id,
                trace_id=run.trace_id,
                person_id=run.participant.person.person_id,
                role=(Role.PERSON if run.command else Role.TELLER).value,
                tool="reply",
                at=now,
                arguments=said,
                duration_ms=max(0, now - run.opened_at),
                usage=outcome.total,
                cost_microdollars=0 if run.command else self._budget.cost(outcome.total),
            ),
        )


def _question_record(run: RunContext, question: CommandQuestion, now: Millis) -> Record:
    """The ledger row of a question that a command asks back."""
    return Record(
        lane=run.lane,
        run_id=run.run_id,
        trace_id=run.trace_id,
        person_id=run.participant.person.person_id,
        role=Role.PERSON.value,
        tool="ask_back",
        at=now,
        arguments={
            "question": question.text,
            "command": pack(question.order),
            "expects": question.expects.value,
            "options": list(question.options),
        },
    )

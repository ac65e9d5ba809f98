"""Ending a run in one transaction: what it says and asks is queued, journal and ledger get their records."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from core.agents.budget import Budget
from core.agents.transcript import Note, load
from core.delivery.composer import Composer
from core.delivery.message import OutgoingMessage
from core.kernel.ids import ref
from core.kernel.intent import TIMES, Intent, pack
from core.kernel.markdown import lines, literal
from core.kernel.ports import Clock, Database, Engine, Tx
from core.kernel.replies import CommandQuestion, Outcome, Reply, Step, unpacked
from core.kernel.shown_links import with_hosts
from core.kernel.types import MINUTE, LaneKey, Millis, Role, Spoken, Standing, ToolCall, Urgency
from core.language import Language
from core.pipeline.runs.incidents import Incidents
from core.pipeline.runs.questions import ANSWER, SKIP
from core.pipeline.runs.run_context import RunContext
from core.store.conversation import attachments, inbox, keyboards, lanes, questions, tasks
from core.store.conversation import runs as journal
from core.store.conversation.inbox import InboxState
from core.store.conversation.incidents import Incident
from core.store.conversation.outbox import Source, SourceKind
from core.store.conversation.questions import Question
from core.store.conversation.runs import RunState, StepKind, StepState
from core.store.conversation.shown_tasks import SHOW_TASK
from core.store.people import chats, people
from core.store.people.people import Participant
from core.toolkit import intents
from core.toolkit.ledger.ledger import Ledger, Record
from core.toolkit.services import TaskQuestion

log = logging.getLogger(__name__)

LATE: Millis = 5 * MINUTE
LATE_FOR_MODEL: Millis = MINUTE
# How a message begins that says the prompt of a trigger.
PROMPT = "⏰"
# Steps that only ask people, which a stopped run never does; `ask_back` is of former versions.
NEVER_ASKED = frozenset({"ask_user", "ask_back"})
# How long a question of a command is open, in seconds.
ASKED_BACK = 3_600


@dataclass(frozen=True, kw_only=True)
class End:
    """How a run ends, with its outcome.

    - `held` are the ids of messages that wait for the model, `doubted` those at which the model failed although it had
      answered since it failed at them before.
    - `refused` is why the provider refuses the request, `given_up` why the run is not tried again, `incident` why the
      model cannot be used until somebody mends it.
    - `stopped` when somebody asked for a stop.
    - `parked` when the run does not end, but waits with its journal until the model answers again.
    """

    outcome: Outcome
    held: Sequence[int] = ()
    refused: str = ""
    incident: Incident | None = None
    stopped: bool = False
    doubted: Collection[int] = ()
    given_up: str = ""
    parked: bool = False


class RunReplies:
    """Words what a run says. Messages that were sent before this object was made came while the bot was off."""

    def __init__(self, composer: Composer, clock: Clock) -> None:
        self._composer, self._clock = composer, clock
        self._since = clock.now()

    def note(self, run: RunContext) -> Note:
        """Return what the model is told beside the messages: that they waited, and which questions are open.

        The words of a question are data: a model wrote them, perhaps somebody else's words.
        """
        late = self._late(run)
        waited = f"These messages waited before you saw them: {late}" if late else ""
        asked = [
            f"{ref('q', one.question_id)} {json.dumps(one.text, ensure_ascii=False)}"
            + (f" ({' / '.join(one.options)})" if one.options else "")
            for one in run.questions
        ]
        return Note(text=waited, data="; ".join(asked))

    def _late(self, run: RunContext) -> str:
        """Return the sentence for people that says how late the answer is; empty when it is not."""
        oldest = min(run.messages, key=lambda message: message.sent_at, default=None)
        if oldest is None:
            return ""
        age = self._clock.now() - oldest.sent_at
        if age < (LATE_FOR_MODEL if oldest.holds else LATE):
            return ""
        before = "late_offline" if oldest.sent_at < self._since else "late"
        return run.say("late_model" if oldest.holds else before, duration=run.texts.duration(age))

    def final(self, run: RunContext, outcome: Outcome) -> list[Reply]:
        """Return the replies of a run as they are said: the first new one tells how late it is, unless it only changes
        a message."""
        replies = [reply for reply in outcome.replies if reply.text]
        if outcome.limited and not replies:
            replies = [Reply(n=0, text=run.say("limit_reached"))]
        late = self._late(run)
        first = next((place for place, reply in enumerate(replies) if reply.n not in run.said), 0)
        if late and replies and not (replies[first].edits or replies[first].tells_late):
            replies[first] = replace(replies[first], text=f"{late}\n\n{replies[first].text}")
        return replies

    def refused(self, run: RunContext, steps: Sequence[Step], reason: str) -> Outcome:
        """Return what a run says, behind what it has said already, when the provider refuses for good; owners see
        why."""
        texts = [run.say("model_refused")]
        if reason and run.standing is Standing.OWNER:
            texts.append(run.say("model_refused_owner", reason=reason))
        return Outcome(replies=[*said(steps), Reply(n=0, text="\n\n".join(texts))])

    def prompted(self, run: RunContext, steps: Sequence[Step]) -> list[Reply]:
        """Return replies that say the prompt as it stands, behind what the run has said already.

        The prompt of a trigger is escaped, since it is anybody's words; the outcome of a task is Markdown.
        """
        text = run.prompt if run.tells else f"{PROMPT} {lines(run.prompt)}"
        return [*said(steps), Reply(n=max((step.n for step in steps), default=0) + 1, text=text)]

    def reply(self, run: RunContext, reply: Reply) -> OutgoingMessage:
        """Return the message of a reply. Its buttons are for the person whom it answers; where the reply is quiet, the
        whole message is, in a group. Somebody who writes in the group's name gets no buttons, since they would press
        them under their own."""
        response_url = "" if reply.aloud else run.response_url
        alone = reply.quiet and run.participant.group and not run.participant.person.anonymous
        changes = reply.edits and run.pressed and not run.shares
        alone_here = response_url and run.participant.group and not (reply.own or reply.quiet or changes)
        offers = (*reply.offers, (run.say("share"), intents.share())) if alone_here else reply.offers
        if run.participant.person.anonymous and not reply.shared:
            offers = ()
        outgoing = self._composer.outgoing(
            run.participant.platform,
            f"run:{run.run_id}:{reply.n}",
            # A model may hide the target of a link behind its label; a command does not.
            reply.text if run.command else with_hosts(reply.text),
            offers,
            choices=reply.choices,
            only_for=run.participant.person.address if alone or response_url else "",
            response_url=response_url,
            source=Source(SourceKind.RUN, run.run_id),
            person_id=None if reply.shared else run.participant.person.person_id,
            once=reply.once and not reply.edits,
        )
        outgoing.kept, outgoing.notice = reply.kept, reply.own or reply.quiet
        # A run that has read others' words may repeat them, also without a model.
        outgoing.foreign = reply.foreign or run.tainted
        return outgoing

    def give_up(self, tx: Tx, run: RunContext, reason: str) -> None:
        """End a run whose messages are given up and kept, and tell the chat and the owners.

        If it was to tell the outcome of a task, that is said as it stands, and the chat need not be told of anything
        else.
        """
        now, steps = self._clock.now(), journal.steps(tx, run.lane, run.run_id)
        inbox.end(tx, run.lane, run.run_id, now, state=InboxState.DEAD, error=f"given up: {reason}")
        journal.end(tx, run.lane, run.run_id, RunState.FAILED, now, f"given up: {reason}")
        questions.drop_new(tx, run.lane, run.run_id, now)
        tasks.drop_new(tx, run.lane, run.run_id, now)
        shown = ", ".join(ref("m", message.inbox_id) for message in run.messages)
        key = f"gave-up:{run.run_id}"
        log.error("message given up: %s (run %s)", shown, run.run_id)
        for reply in self.prompted(run, steps) if run.prompt else said(steps):
            self._composer.post(tx, run.lane, self.reply(run, reply), reply_to=run.reply_to)
        again = [(run.say("try_again"), intents.retry(ref("m", message.inbox_id))) for message in run.messages[:1]]
        person_id = run.participant.person.person_id
        if not run.tells:
            self._composer.tell(
                tx, run.lane, key, run.say("gave_up", ref=shown), again, person_id=person_id, **run.audience
            )
        self._composer.owners.tell(tx, run.lane, key, "gave_up_owner", ref=shown, reason=literal(reason))


def said(steps: Sequence[Step]) -> list[Reply]:
    """Return what a run has said by the tool `reply`, or shown, so far: it is sent even when the run ends badly."""
    # The calls of an answer have the numbers after its own, in order.
    calls: dict[int, ToolCall] = {}
    replies = []
    for step in steps:
        if step.kind == StepKind.ANSWER:
            calls |= dict(enumerate(load(step.content).calls, step.n + 1))
        elif step.tool == "reply" and step.state == StepState.DONE and json.loads(step.content)["success"]:
            replies.append(Reply(n=step.n, text=str(calls[step.n].arguments["text"])))
        elif step.state == StepState.DONE and (shown := json.loads(step.content).get("said")):
            replies.append(unpacked(step.n, shown))
    return replies


def deeds(run: RunContext, steps: Sequence[Step], deed: Callable[[str], Sequence[str]]) -> list[str]:
    """Return what a run has done, as people call it, each once; `deed` returns the keys of the texts for a tool."""
    done = dict[str, None]()
    for step in steps:
        if step.kind == StepKind.CALL and step.tool not in NEVER_ASKED:
            failed = step.state == StepState.DONE and json.loads(step.content).get("success") is False
            done |= {} if failed else {run.texts.first(*deed(step.tool)): None}
    return [one for one in done if one]


class Asking:
    """Asks questions, whose messages are rendered before the transaction that ends the run; and queues the tasks that a
    run has delegated."""

    def __init__(self, composer: Composer, engine: Engine, clock: Clock) -> None:
        self._composer, self._engine, self._clock = composer, engine, clock

    def note(self, tx: Tx, run: RunContext, question: CommandQuestion, *, foreign: bool) -> None:
        """Store the question that a command asks back, in the transaction that ends the run; `foreign` as in
        `Reply`."""
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
            tainted=foreign or run.tainted,
        )

    def delegate(self, tx: Tx, run: RunContext, *, failed: bool) -> None:
        """Queue what a run has delegated, in the transaction that ends it; drop it where that `failed`."""
        if failed:
            tasks.drop_new(tx, run.lane, run.run_id, self._clock.now())
            return
        for task in tasks.release(tx, run.lane, run.run_id):
            self._engine.poke(tx, task.role.value, task.task_id)
            self._engine.poke(tx, SHOW_TASK, task.task_id, bulk=True)

    def outgoing(
        self,
        participant: Participant,
        texts: Language,
        question: Question,
        audience: Mapping[str, Any],
        *,
        again: bool = False,
    ) -> OutgoingMessage:
        """Return the message that asks a question, rendered. In a group it is for its `audience` alone; in a private
        chat it is for all to see, since it is to last."""
        offers = [(option, Intent(ANSWER, {"answer": option})) for option in question.options]
        # A message has buttons or a field for a reply, not both. In a group an answer in words must be a reply, which
        # tells it from other talk.
        by_reply = participant.group and not offers
        skip = [] if by_reply else [(texts["skip"], SKIP)]
        text = question.text if question.order else with_hosts(question.text)
        if question.default is not None:
            left = question.timeout_s * 1000
            if question.expires_at is not None:
                # It was asked before.
                left = max(question.expires_at - self._clock.now(), 0)
            when = texts.say("question_default", duration=texts.duration(left), default=literal(question.default))
            text = "\n\n".join(filter(None, (text, when)))
        if offers and question.order and participant.group and not participant.place.thread and not audience:
            # Beside buttons no field shows that words have to be a reply.
            text = f"{text}\n{texts['question_by_reply']}"
        outgoing = self._composer.outgoing(
            participant.platform,
            f"question:{question.question_id}{':again' if again else ''}",
            text,
            [*offers, *skip],
            reply=texts["answer_button"] if by_reply else "",
            source=Source(SourceKind.QUESTION, question.question_id),
            question_id=question.question_id,
            person_id=question.person_id,
            **(audience if participant.group else {}),
        )
        outgoing.foreign = question.tainted
        return outgoing

    def ask_for_task(self, tx: Tx, asked: TaskQuestion) -> int:
        """Ask a question of a task, in the transaction that lets the task wait; return the question's number."""
        lane, now = asked.lane, self._clock.now()
        participant = people.participant(tx, lane, asked.person_id)
        question_id = questions.insert(
            tx,
            lane,
            asked.run_id,
            asked.person_id,
            asked.text,
            options=asked.options,
            default=asked.default,
            timeout_s=asked.timeout_s,
            now=now,
            task_id=asked.task_id,
            tainted=asked.tainted,
        )
        question = questions.load(tx, lane, question_id)
        assert question is not None
        outgoing = self.outgoing(participant, self._composer.texts(tx, lane, asked.language), question, {})
        self._open(tx, lane, question, outgoing, run_id=asked.run_id)
        return question_id

    def ask(
        self,
        tx: Tx,
        run: RunContext,
        asked: Sequence[Question],
        outgoing_messages: Sequence[OutgoingMessage],
        *,
        again: bool,
    ) -> None:
        """Ask questions in the transaction that ends the run; with `again`, show the options of open ones once more."""
        for question, outgoing in zip(asked, outgoing_messages, strict=True):
            if again:
                if questions.repeat(tx, question.question_id):
                    self._composer.post(tx, run.lane, outgoing)
                continue
            self._open(tx, run.lane, question, outgoing, run_id=run.run_id, reply_to=run.reply_to)

    def _open(
        self, tx: Tx, lane: LaneKey, question: Question, outgoing: OutgoingMessage, *, run_id: int, reply_to: str = ""
    ) -> None:
        expires_at = self._clock.now() + question.timeout_s * 1000
        questions.open_up(tx, question.question_id, expires_at)
        # The platform knows who is to reply by the message that this one replies to.
        to = reply_to or (inbox.last_of(tx, lane, question.person_id) if outgoing.for_reply else "")
        self._composer.say(tx, lane, outgoing, run_id=run_id, reply_to=to)
        tx.after_commit(partial(self._engine.wake, expires_at))


@dataclass(frozen=True, kw_only=True)
class _Composed:
    """The end of a run, with all its messages rendered; `questions` are the messages of those `asked`, for the first
    time or `again`."""

    end: End
    said: Sequence[tuple[Reply, OutgoingMessage]]
    asked: Sequence[Question]
    questions: Sequence[OutgoingMessage]
    again: bool


class Ending:
    """Ends runs. Rendering may take milliseconds, so it is done before the transaction where that is possible."""

    def __init__(
        self,
        db: Database,
        clock: Clock,
        *,
        composer: Composer,
        replies: RunReplies,
        ledger: Ledger,
        budget: Budget,
        asking: Asking,
    ) -> None:
        self._db, self._clock = db, clock
        self._composer, self._replies, self._asking = composer, replies, asking
        self._ledger, self._budget = ledger, budget
        self._incidents = Incidents(composer, clock)

    async def prepare(self, run: RunContext, end: End) -> Callable[[Tx], None]:
        """Render what is said and asked; return what commits the end of the run, with its chat and its lane locked.

        The reply of a deed is known only when it is done, and a question of a command has its number only then: these
        are rendered in the transaction.
        """
        if end.outcome.deed is not None or any(reply.question for reply in end.outcome.replies):
            return lambda tx: self._commit(tx, run, self._compose(run, *self._carry_out(tx, run, end)))
        asks = end.outcome.asked and not end.stopped
        asked = await self._db.read(lambda tx: questions.of_run(tx, run.lane, run.run_id)) if asks else []
        composed = self._compose(run, end, asked)
        return lambda tx: self._commit(tx, run, composed)

    def _carry_out(self, tx: Tx, run: RunContext, end: End) -> tuple[End, Sequence[Question]]:
        """Carry out the deed of a run, if it has one, and store what its command asks back.

        A former version stored such a question while the run went on: if it was killed then, that question is asked.
        """
        outcome = end.outcome if end.outcome.deed is None else end.outcome.deed.carry_out(tx)
        if not outcome.asked:
            return replace(end, outcome=outcome), []
        for reply in outcome.replies if not questions.of_run(tx, run.lane, run.run_id) else ():
            if (question := reply.question) is None:
                continue
            self._asking.note(tx, run, question, foreign=reply.foreign)
            record = Record(
                lane=run.lane,
                run_id=run.run_id,
                trace_id=run.trace_id,
                person_id=run.participant.person.person_id,
                role=Role.PERSON.value,
                tool="ask_back",
                at=self._clock.now(),
                arguments={
                    "question": question.text,
                    "command": pack(question.order),
                    "expects": question.expects.value,
                    "options": list(question.options),
                },
            )
            self._ledger.append(tx, record)
        return replace(end, outcome=outcome), questions.of_run(tx, run.lane, run.run_id)

    def _compose(self, run: RunContext, end: End, asked: Sequence[Question]) -> _Composed:
        """Render what a run says when it ends, and what it asks: its own questions; else, once more, the newest open
        one whose options were not answered."""
        answered, again, person_id = run, False, run.participant.person.person_id
        if end.held:
            answered = replace(run, messages=[one for one in run.messages if one.inbox_id not in end.held])
        replies = self._replies.final(answered, end.outcome)
        # A run that only wrote down a voice note leaves the answer to the next one.
        unheard = run.messages and run.messages[0].spoken == Spoken.UNHEARD
        asks = end.outcome.asked and not end.stopped
        if run.questions and end.outcome.replies and not unheard and not asks:
            mine = [one for one in run.questions if one.person_id == person_id and one.options]
            asked = [] if run.event or run.command else [one for one in mine[-1:] if not one.repeated]
            again = True
        return _Composed(
            end=end,
            said=[(reply, self._replies.reply(run, reply)) for reply in replies],
            asked=asked,
            again=again,
            questions=[
                self._asking.outgoing(run.participant, run.texts, question, run.audience, again=again)
                for question in asked
            ],
        )

    def _commit(self, tx: Tx, run: RunContext, composed: _Composed) -> None:
        end, said = composed.end, composed.said
        if end.incident is not None:
            self._incidents.open(tx, run.lane, end.incident)
        if end.given_up:
            self._replies.give_up(tx, run, end.given_up)
            return
        if end.parked:
            self._queue_replies(tx, run, end.outcome, said)
            return
        if end.outcome.explains:
            chats.note_explained(tx, run.lane, self._budget.day())
        self._close(tx, run, end)
        if any(message.attachments for message in run.messages):
            attachments.give_up(tx, run.lane, run.run_id)
        inbox.end(tx, run.lane, run.run_id, self._clock.now())
        self._queue_replies(tx, run, end.outcome, said)
        # In a thread the bot goes on with the person whom it answered or asked, unless they made it leave the thread.
        in_thread = run.participant.group and run.participant.place.thread
        spoke = said or (end.outcome.asked and not end.stopped)
        if in_thread and spoke and not run.services.commands.leaves_thread(run.command):
            lanes.attend(tx, run.lane, run.participant.person.person_id)
        if composed.asked:
            self._asking.ask(tx, run, composed.asked, composed.questions, again=composed.again)
        if composed.asked or any(reply.offers for reply, _ in said):
            self._catch_up(tx, run)
        if end.refused:
            key = f"refused:{run.run_id}"
            self._composer.owners.tell(tx, run.lane, key, "model_refused_owner", reason=end.refused)

    def _queue_replies(
        self, tx: Tx, run: RunContext, outcome: Outcome, said: Sequence[tuple[Reply, OutgoingMessage]]
    ) -> None:
        """Queue the replies, and append one row to the ledger that has them, and what the model calls of the run took.

        A reply that `edits` takes the place of the message whose button was pressed. Where the button is on a page, the
        page is shown anew instead. The row has the replies that were not queued before; without any it is appended only
        for what the model calls took.
        """
        pressed = None if run.pressed is None else keyboards.load(tx, run.lane, run.pressed)
        on_page = pressed is not None and any(
            tells.shows is not None and tells.shows(pressed)
            for tells in run.services.tells.get(run.participant.platform, ())
        )
        new: list[str] = []
        for reply, outgoing in said:
            replaces = pressed.message_key if reply.edits and pressed is not None else ""
            if (
                replaces and (on_page or self._composer.edits.replace(tx, run.lane, outgoing, replaces))
            ) or self._composer.say(
                tx,
                run.lane,
                outgoing,
                run_id=run.run_id,
                reply_to=run.reply_to,
                urgency=Urgency.REMINDER if reply.unasked else Urgency.INTERACTIVE,
            ):
                new.append(reply.kept or reply.text)
        if not (new or outcome.total.tokens_in or outcome.total.tokens_out):
            return
        now = self._clock.now()
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
                arguments={"replies": new},
                duration_ms=max(0, now - run.opened_at),
                usage=outcome.total,
                cost_microdollars=0 if run.command else self._budget.cost(outcome.total) or 0,
            ),
        )

    def _catch_up(self, tx: Tx, run: RunContext) -> None:
        """Let what the run has set follow messages that were edited while it worked on them, as if they were edited
        now."""
        now, person_id = self._clock.now(), run.participant.person.person_id
        for message in run.words if run.pressed is None else ():
            written = message.platform_id and message.spoken != Spoken.HEARD
            edit = inbox.edited_meanwhile(tx, run.lane, person_id, message) if written else None
            if edit is None:
                continue
            key, text = edit
            for edited in run.services.edited:
                if (change := edited(tx, run.lane, person_id, run.run_id, text)) is not None:
                    keyboard_id, intent = change
                    inbox.wake(
                        tx,
                        run.lane,
                        person_id,
                        f"edit:{key}",
                        text=text,
                        intent=intent,
                        now=now,
                        sent_at=now,
                        platform_id=message.platform_id,
                        reply_to=message.reply_to,
                        quoted=message.quoted,
                        link=message.link,
                        pressed=keyboard_id,
                    )
                    break

    def _close(self, tx: Tx, run: RunContext, end: End) -> None:
        """End the run and its journal."""
        now, outcome = self._clock.now(), end.outcome
        if outcome.journal is not None:
            outcome.journal(tx)
        if outcome.last is not None:
            journal.write(tx, run.lane, run.run_id, outcome.last, now)
        if outcome.last is not None or end.stopped:
            # An answer that came too late took its tokens.
            self._budget.count(tx, run.lane, run.participant.person.person_id, outcome.usage)
        unanswered = bool(end.held) and len(end.held) == len(run.messages)
        error = "the model is unreachable" if unanswered else "stopped" if end.stopped else ""
        state = RunState.FAILED if error else RunState.ASKED if outcome.asked else RunState.DONE
        journal.end(tx, run.lane, run.run_id, state, now, error)
        if state is not RunState.ASKED:
            questions.drop_new(tx, run.lane, run.run_id, now)
        # A run of one answer has delegated nothing, and neither has a command.
        if not (run.command or (outcome.last is not None and outcome.last.n == 1)):
            self._asking.delegate(tx, run, failed=state is RunState.FAILED)

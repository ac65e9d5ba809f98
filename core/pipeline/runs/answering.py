"""How a run finds its answer: by a command, by the model, or without it while it is away, refuses or does not exist."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from typing import Protocol

from core.agents.budget import Budget, BudgetedModel
from core.agents.loop import Loop
from core.agents.offline import Notice
from core.agents.roles import RESPONDER, Roles, RoleSpec
from core.agents.transcript import Brief
from core.kernel.errors import ModelUnreachable, QuotaSpent, StorageError
from core.kernel.intent import Order
from core.kernel.ports import LLM, Clock, Database, Tx
from core.kernel.replies import Outcome, Reply, Step
from core.kernel.types import HOUR, Message, Millis, Role, Spoken, Usage
from core.pipeline.runs.attachments import AttachmentService
from core.pipeline.runs.finish import End, RunReplies, deeds, said
from core.pipeline.runs.listening import Listening
from core.pipeline.runs.model_absence import ModelAbsence
from core.pipeline.runs.progress import Listen
from core.pipeline.runs.questions import ENDED
from core.pipeline.runs.run_context import RunContext
from core.pipeline.runs.thread_history import Thread
from core.store.conversation import questions
from core.store.conversation import runs as journal
from core.store.conversation.incidents import Incident, IncidentKind
from core.toolkit.capability import Recalled, Recalls
from core.toolkit.tool import ToolContext

log = logging.getLogger(__name__)


class Responder(LLM, Protocol):
    """A model that needs no provider and knows what it can answer."""

    def understands(self, text: str, language: str) -> bool:
        """Return whether it can answer `text` by itself."""


# So long after a question has ended the first word in its thread is taken for an answer to it.
STILL_ANSWERS: Millis = HOUR

CarriesOut = Callable[[ToolContext, Order], Awaitable[Outcome]]
Introduce = Callable[[ToolContext, Sequence[Message]], Awaitable[None]]
ShowsProgress = Callable[[RunContext], AbstractAsyncContextManager[Listen | None]]


@dataclass(frozen=True, kw_only=True)
class Collaborators:
    """The parts that do the work of a run.

    - `commands` carries out commands and intents, `loop` asks the model.
    - `offline` makes what answers without a model, and says why there is none.
    - `listening` writes down what was spoken.
    - `progress` shows people that a run is being worked on.
    - `threads` returns what was said to others in the thread of a run.
    - `introduce` looks up the people whom a message names, so that the bot knows them.
    - `roles` says in which role the model talks with people.
    - `takes_files` says whether a command is about the files that came with it.
    - `deed` returns the keys of the texts that may say what a tool did; none for a tool that only looks.
    - `recalls` are asked what matters to what somebody says.
    """

    loop: Loop
    model: LLM | None
    offline: Callable[[Notice], Responder]
    commands: CarriesOut
    attachment_service: AttachmentService
    listening: Listening
    progress: ShowsProgress
    threads: Callable[[RunContext], Awaitable[Thread]]
    introduce: Introduce
    roles: Roles
    takes_files: Callable[[Order], bool]
    deed: Callable[[str], Sequence[str]] = lambda tool: ()
    recalls: Sequence[Recalls] = ()


class Answering:
    """Finds the answer of a run, and decides how the run ends where the model gives none."""

    def __init__(
        self,
        db: Database,
        clock: Clock,
        *,
        collaborators: Collaborators,
        replies: RunReplies,
        budget: Budget,
        absence: ModelAbsence,
    ) -> None:
        self._db, self._clock, self.collaborators = db, clock, collaborators
        self._replies, self._budget, self.absence = replies, budget, absence
        model = collaborators.model
        self._model = None if model is None else BudgetedModel(model, collaborators.offline, budget, db)

    def count_broken_off(self, tx: Tx, context: int) -> int:
        """Count the tokens that a killed process had asked the model for: at most `context` a request, and an
        answer."""
        model = self.collaborators.model
        return 0 if model is None else self._budget.count_broken_off(tx, model.name, context)

    async def answer(self, run: RunContext, listen: Listen | None) -> Outcome:
        """Carry a run out. Raises `ModelUnreachable`, `AccountRefused` or `ModelRefused` for want of the model."""
        if run.messages and run.messages[0].spoken == Spoken.UNHEARD and run.messages[0].question_id is None:
            return await self.collaborators.listening.answer(run)
        attached = any(message.attachments for message in run.messages)
        if run.command:
            if attached and self.collaborators.takes_files(run.command):
                run = await self.collaborators.attachment_service.fetch(run)
            outcome = await self.collaborators.commands(run.context(Role.PERSON), run.command)
            if run.fast and attached:
                # Words that came with a picture or a file: it is kept, as beside any other words.
                await self.collaborators.attachment_service.fetch(run)
            return outcome
        if attached:
            run = await self.collaborators.attachment_service.fetch(run)
        if self._model is None:
            return await (self._prompted(run) if run.prompt else self._ask_offline(run, "no_model"))
        spec = await self.collaborators.roles.spec()
        await self.collaborators.introduce(run.context(spec.role), run.words)
        outcome = await self._ask(run, self._model, spec, listen)
        if outcome.usage.model != self._model.substitute:
            await self.absence.ended(run)
            # What came of a task is never lost in the telling.
            untold = run.tells and not (outcome.asked or any(reply.text for reply in outcome.replies))
            if outcome.wordless and not (untold or outcome.limited):
                # Whoever asked is not left in silence, and hears what was done: nobody should ask for that again.
                done = deeds(run, await self._steps(run), self.collaborators.deed)
                words = run.say(f"model_said_nothing{'_after' if done else ''}", done=run.texts.listed(done))
                outcome = replace(outcome, replies=[Reply(n=0 if outcome.last is None else outcome.last.n, text=words)])
            return await self._prompted(run, outcome) if untold else outcome
        if run.prompt:
            return await self._prompted(run, outcome)
        return _explaining(outcome)

    async def _prompted(self, run: RunContext, outcome: Outcome | None = None) -> Outcome:
        """Return an outcome that says the prompt as it stands (what a trigger wants, or what came of a task): without a
        model it would wait or be lost."""
        return replace(outcome or Outcome(), replies=self._replies.prompted(run, await self._steps(run)))

    async def _ask_offline(self, run: RunContext, notice: Notice) -> Outcome:
        """Answer without the model; `notice` says why there is none.

        Where no model is configured, whoever replies to a question that has ended without an answer is told that,
        unless their text is understood by itself. In a thread that began with the question every message replies to it:
        there only the first one after its end, of the person who was asked and sent soon, counts as a reply.
        """
        offline = self.collaborators.offline(notice)
        match run.words:
            case [Message(reply_to=str(asked), attachments=()) as one] if asked and notice == "no_model":
                tenant_id, place, person = run.lane.tenant_id, run.participant.place, run.participant.person
                question = await self._db.read(lambda tx: questions.shown_as(tx, tenant_id, place.chat, asked))
                ended = "" if question is None else ENDED.get(question.state, "")
                ended_at = 0 if question is None else question.ended_at or 0
                since = (entry for entry in run.history if entry.role == "user" and entry.created_at >= ended_at)
                spoke = any(entry.speaker == person.name and not entry.overheard for entry in since)
                soon = one.sent_at - ended_at <= STILL_ANSWERS
                was_asked = question is not None and question.person_id == person.person_id
                replies = asked != place.thread or (was_asked and soon and not spoke)
                if ended and replies and not offline.understands(one.text, run.language):
                    return Outcome(replies=[Reply(n=0, text=run.say(ended), own=True)])
        return _explaining(await self._ask(run, offline, RESPONDER))

    async def locked_out(self, run: RunContext, error: Exception) -> End:
        """End a run while the provider refuses everything (key or quota): answer what needs no model, and tell the
        owners why the rest is not answered."""
        incident = self._incident(IncidentKind.KEY, error)
        if run.prompt:
            return End(outcome=await self._prompted(run), incident=incident)
        if steps := await self._steps(run):
            return End(outcome=self._replies.refused(run, steps, ""), incident=incident)
        return End(outcome=await self._ask_offline(run, "model_refused"), incident=incident)

    async def refused(self, run: RunContext, reason: str) -> End:
        """End a run whose request the provider refuses for good, and tell an owner why."""
        if run.prompt:
            return End(outcome=await self._prompted(run), refused=reason)
        return End(outcome=self._replies.refused(run, await self._steps(run), reason), refused=reason)

    async def unreachable(self, run: RunContext, error: ModelUnreachable) -> End:
        """End a run whose model does not answer. What needs no model is answered; the other messages wait in the inbox.

        A run that has steps waits as a whole, and says at once what it has shown so far. A question at which the model
        fails again and again while it answers others is given up in the end.
        """
        incident = self._incident(IncidentKind.QUOTA, error) if isinstance(error, QuotaSpent) else None
        doubts = self.absence.failed(run, error)
        if run.prompt:
            return End(outcome=await self._prompted(run), incident=incident)
        if doubts.hopeless:
            return End(outcome=Outcome(), given_up=f"the model answers others, but not this: {error}")
        if steps := await self._steps(run):
            outcome = Outcome(replies=said(steps), total=error.before or Usage())
            return End(outcome=outcome, parked=True, incident=incident, doubted=doubts.messages)
        offline = self.collaborators.offline("model_unreachable")
        easy = [
            message
            for message in run.messages
            if message.text and not message.attachments and offline.understands(message.text, run.language)
        ]
        held = [message.inbox_id for message in run.messages if message not in easy]
        outcome = Outcome()
        if easy:
            outcome = await self._ask(replace(run, messages=easy), offline, RESPONDER)
        return End(outcome=outcome, held=held, incident=incident, doubted=doubts.messages)

    async def _ask(self, run: RunContext, model: LLM, spec: RoleSpec, listen: Listen | None = None) -> Outcome:
        attached = [message for message in run.words if message.attachments or message.replied]
        in_thread = run.participant.group and run.participant.place.thread
        context, recalled = run.context(spec.role), list[Recalled]()
        if spec is not RESPONDER:
            recalled = [await _recalled(recall, context, run.words) for recall in self.collaborators.recalls]
            context = replace(context, tainted=context.tainted or any(one.tainted for one in recalled))
        thread = await self.collaborators.threads(run) if in_thread else Thread()
        # A question may be in others' words, too.
        others = thread.outside or any(one.tainted for one in run.questions)
        context = replace(context, tainted=context.tainted or others)
        brief = Brief(
            messages=run.words,
            looks=await self.collaborators.attachment_service.look(attached) if attached else {},
            history=run.history,
            note=self._replies.note(run),
            quotes=run.quotes,
            event=run.event,
            thread=thread.text,
            memories=[line for one in recalled for line in one.lines],
            explained=run.participant.explained_on == self._budget.day(),
            probed=run.probed,
            said=run.said,
            listen=listen,
        )
        return await self.collaborators.loop.run(spec, context, model, brief)

    def _incident(self, kind: IncidentKind, error: Exception) -> Incident:
        return Incident(kind=kind, reason=str(error), since=self._clock.now())

    async def _steps(self, run: RunContext) -> Sequence[Step]:
        """Return all steps that the run has committed, also in this claim."""
        return await self._db.read(lambda tx: journal.steps(tx, run.lane, run.run_id))


async def _recalled(recall: Recalls, context: ToolContext, words: Sequence[Message]) -> Recalled:
    """Return what a capability knows that matters to a run; nothing where that fails, so that the run goes on."""
    try:
        return await recall(context, words)
    except StorageError:
        raise
    except Exception:
        log.exception("what matters to a run could not be found: run %s", context.run_id)
        return Recalled()


def _explaining(outcome: Outcome) -> Outcome:
    """Return an outcome without the model, marked where it explains why: then it offers what works all the same.

    It gets no step in the journal: only an answer of a model has one, and edits of such are taken for talk.
    """
    replies = [replace(reply, own=True) if reply.choices or reply.offers else reply for reply in outcome.replies]
    explains = any(reply.choices or reply.offers for reply in replies)
    return replace(outcome, replies=replies, explains=explains, last=None)

"""How a pass over a task ends, in the transaction that ends it: what came of it, or what it waits for."""

from __future__ import annotations

import json
from collections.abc import Sequence

from core.agents.budget import Budget
from core.agents.transcript import load
from core.capabilities.tasks import recurring, service
from core.capabilities.tasks.results import PassEnd, Status
from core.capabilities.tasks.task_pass import Claimed
from core.delivery.composer import Composer
from core.kernel import ids
from core.kernel.markdown import lines, literal
from core.kernel.ports import Tx
from core.kernel.replies import Outcome, Reply, unpacked
from core.kernel.shown_links import with_hosts
from core.language import Language
from core.store.conversation import outbox, tasks
from core.store.conversation import runs as journal
from core.store.conversation.outbox import Source, SourceKind
from core.store.conversation.runs import RunState, StepKind, StepState
from core.store.conversation.tasks import Task, TaskState, WaitsFor
from core.store.files import StoredFile
from core.toolkit.ledger.ledger import Ledger, Record
from core.toolkit.services import OpenQuestions, Services, TaskQuestion

# How often a `repeatable` task is done anew, the first time included.
MOST_TRIES = 3
# Where another try may help; and where what there is so far is told: codes of `service.REASONS`.
REPEATED = frozenset({"", "silent", "timeout"})
UNFINISHED = frozenset({"budget", "day_budget", "gave_up", "timeout"})
# Which of these are said to people with what a trigger wanted: the others they hear of anyway.
WORTH_A_WORD = frozenset({"budget", "timeout"})
# So many things that a pass did are shown by a message each.
SHOWN_APART = 5


class Ending:
    """Ends passes. Its callers hold the task's lease, and have its lane locked."""

    def __init__(self, services: Services) -> None:
        self._services, self._engine, self._clock = services, services.engine, services.clock

    def conclude(
        self, tx: Tx, claimed: Claimed, task: Task, ending: PassEnd, documents: Sequence[StoredFile] = ()
    ) -> None:
        """Let a task wait for its answer or its Workers, or end it; then `documents` are sent with its outcome."""
        if ending.status is Status.NEEDS_INPUT:
            tasks.drop_new(tx, task.lane, claimed.run_id, self._clock.now())
            self._ask(tx, claimed, task, ending)
            return
        if ending.status is Status.FAILED:
            self.fail(tx, claimed, task, ending.text, "" if ending.text else "silent")
            return
        released = tasks.release(tx, task.lane, claimed.run_id)
        for one in released:
            self._engine.poke(tx, one.role.value, one.task_id)
        if any(one.parent_id == task.task_id for one in released):
            tasks.wait(tx, claimed.lease, WaitsFor.WORKERS)
            return
        texts = service.texts_of(tx, self._services, task)
        text = ending.text or self._unsaid(tx, task, texts, later=bool(released))
        again = recurring.same_again(tx, task, text, unchanged=ending.unchanged)
        text = again or text
        if not text:
            self.fail(tx, claimed, task, "", "silent")
            return
        unknown = service.happened(tx, self._services, texts, service.family_of(tx, task), {StepState.UNKNOWN})
        parts = [text, texts.say("task_in_doubt", done=texts.listed(unknown)) if unknown else ""]
        outcome, quiet = "\n\n".join(filter(None, parts)), bool(again) and not unknown
        service.end(tx, self._services, task, TaskState.DONE, outcome=outcome, quiet=quiet)
        composer, source = self._services.get(Composer), Source(SourceKind.RUN, claimed.run_id, comment=True)
        for n, document in enumerate(() if quiet or task.parent_id is not None else documents):
            outgoing = composer.outgoing(
                claimed.participant.platform,
                f"task:{task.task_id}:file:{n}",
                f"📄 {literal(document.name)}",
                document=document,
                source=source,
                person_id=task.person_id,
            )
            outgoing.foreign = task.tainted
            composer.say(tx, task.lane, outgoing)

    def fail(self, tx: Tx, claimed: Claimed, task: Task, error: str, code: str) -> None:
        """End a task that failed; one that may be repeated is done anew."""
        if task.repeatable and task.tries < MOST_TRIES and code in REPEATED:
            now = self._clock.now()
            tasks.drop_new(tx, task.lane, claimed.run_id, now)
            journal.end(tx, task.lane, claimed.run_id, RunState.FAILED, now, error)
            tasks.again(tx, claimed.lease)
            self._engine.poke(tx, task.role.value, task.task_id)
            return
        outcome = self._so_far(tx, claimed) if code in UNFINISHED else ""
        texts = service.texts_of(tx, self._services, task)
        reason = lines(error) if not code else texts[f"task_error_{code}"] if code in WORTH_A_WORD else ""
        # What there is so far says more than what was wanted.
        quiet = code != "no_access" and not outcome and recurring.say_prompt(self._services, tx, task, reason)
        service.end(tx, self._services, task, TaskState.FAILED, outcome=outcome, error=error, code=code, quiet=quiet)

    def _so_far(self, tx: Tx, claimed: Claimed) -> str:
        """Return what there is of a task that could not be finished: what its Workers found, and what it said last."""
        task = claimed.task
        found = [one.outcome for one in tasks.workers_of(tx, task) if one.outcome]
        answers = (step for step in journal.steps(tx, task.lane, claimed.run_id) if step.kind == StepKind.ANSWER)
        said = [load(step.content).text.strip() for step in answers]
        return "\n\n".join([*found, *[text for text in said if text][-1:]])

    def _unsaid(self, tx: Tx, task: Task, texts: Language, *, later: bool) -> str:
        """Return what came of a task whose last words are empty: what its Workers found, what it did, and that the rest
        begins `later`."""
        done = service.happened(tx, self._services, texts, [task], {StepState.DONE})
        parts = [one.outcome for one in tasks.workers_of(tx, task) if one.outcome]
        parts += [texts.say("task_did", done=texts.listed(done))] if done else []
        parts += [texts["task_begins_later"]] if later else []
        return "\n\n".join(parts)

    def _ask(self, tx: Tx, claimed: Claimed, task: Task, ending: PassEnd) -> None:
        """Ask the person of a task, which waits for the answer."""
        asked = TaskQuestion(
            lane=task.lane,
            task_id=task.task_id,
            run_id=claimed.run_id,
            person_id=task.person_id,
            language=task.language,
            text=ending.question,
            options=ending.options,
            default=ending.default,
            timeout_s=ending.timeout_s,
            tainted=task.tainted,
        )
        question_id = self._services.get(OpenQuestions).ask(tx, asked)
        tasks.wait(tx, claimed.lease, WaitsFor.ANSWER, question_id=question_id)

    def show(self, tx: Tx, claimed: Claimed, *, tainted: bool) -> None:
        """Show the person what the calls of a task did that they are to see, such as what was noted; once each. What
        comes behind the first `SHOWN_APART` is one message, without buttons. It is `tainted` where the task is."""
        task, composer, unshown = claimed.task, self._services.get(Composer), list[Reply]()
        for step in reversed(journal.steps(tx, task.lane, claimed.run_id)):
            done = step.kind == StepKind.CALL and step.state == StepState.DONE
            if not (done and (said := json.loads(step.content).get("said"))):
                continue
            if outbox.row_of(tx, task.lane.tenant_id, f"run:{claimed.run_id}:{step.n}:0") is not None:
                # It was shown with all that was done before it.
                break
            unshown.insert(0, unpacked(step.n, said))
        apart, rest = unshown[:SHOWN_APART], unshown[SHOWN_APART:]
        if len(rest) > 1:
            text, foreign = "\n".join(reply.text for reply in rest), any(reply.foreign for reply in rest)
            rest = [Reply(n=rest[-1].n, text=text, foreign=foreign)]
        for reply in (*apart, *rest):
            outgoing = composer.outgoing(
                claimed.participant.platform,
                f"run:{claimed.run_id}:{reply.n}",
                with_hosts(reply.text),
                reply.offers,
                source=Source(SourceKind.RUN, claimed.run_id),
                person_id=task.person_id,
                once=reply.once,
            )
            outgoing.foreign = reply.foreign or tainted
            composer.say(tx, task.lane, outgoing, run_id=claimed.run_id)

    def note(self, tx: Tx, claimed: Claimed, ending: PassEnd, outcome: Outcome) -> None:
        """Write into the ledger how a pass ended, with what its calls of the model took."""
        task, budget = claimed.task, self._services.get(Budget)
        record = Record(
            lane=task.lane,
            run_id=claimed.run_id,
            trace_id=task.trace_id,
            person_id=task.person_id,
            role=task.role.value,
            tool="task",
            at=self._clock.now(),
            arguments={"task_id": ids.ref("t", task.task_id), "prompt": task.prompt},
            result={"status": ending.status.value, "text": ending.question or ending.text},
            success=ending.status is not Status.FAILED,
            usage=outcome.total,
            cost_microdollars=budget.cost(outcome.total) or 0,
        )
        self._services.get(Ledger).append(tx, record)

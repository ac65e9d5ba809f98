"""Answers: what a run says when it ends, and what the bot says of the run: how late it is, that it is given up."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from dataclasses import replace

from core.agents.transcript import Note, load
from core.delivery.composer import Composer
from core.delivery.message import OutgoingMessage
from core.kernel.ids import ref
from core.kernel.markdown import lines
from core.kernel.ports import Clock, Tx
from core.kernel.replies import Outcome, Reply, Step
from core.kernel.types import Millis, Standing, ToolCall
from core.pipeline.runs.run_context import RunContext
from core.store.conversation.keyboards import SHARE
from core.store.conversation.provenance import Source, SourceKind
from core.store.conversation.runs import StepKind, StepState

log = logging.getLogger(__name__)

LATE: Millis = 5 * 60_000
LATE_FOR_MODEL: Millis = 60_000
# What begins a message that a trigger wanted.
PROMPT = "⏰"


class Answers:
    """Words what a run says. What was sent before this was made came while the bot was off."""

    def __init__(self, composer: Composer, clock: Clock) -> None:
        self._composer, self._clock = composer, clock
        self._since = clock.now()

    def note(self, run: RunContext) -> Note:
        """What the model is told beside the messages: that they waited, and which questions are open.

        The words of a question are data: a model wrote them, perhaps somebody else's words.
        """
        late = self._late(run)
        waited = f"These messages waited before you saw them: {late}" if late else ""
        asked = [
            {"question_id": ref("q", one.question_id), "question": one.text, "options": one.options}
            for one in run.questions
        ]
        ids = ", ".join(ref("q", one.question_id) for one in run.questions)
        still = f"Open questions, not answered by this message: {ids}" if ids else ""
        text = "\n".join(filter(None, (waited, still)))
        return Note(text=text, data=json.dumps(asked, ensure_ascii=False) if asked else "")

    def _late(self, run: RunContext) -> str:
        """The sentence about lateness that the person reads, or an empty text."""
        oldest = min(run.messages, key=lambda message: message.sent_at, default=None)
        if oldest is None:
            return ""
        age = self._clock.now() - oldest.sent_at
        if age < (LATE_FOR_MODEL if oldest.holds else LATE):
            return ""
        before = "late_offline" if oldest.sent_at < self._since else "late"
        return run.say("late_model" if oldest.holds else before, duration=run.texts.duration(age))

    def final(self, run: RunContext, outcome: Outcome) -> list[Reply]:
        """The replies of a run as they are said: the first tells how late it is, unless it only changes a message."""
        replies = [reply for reply in outcome.replies if reply.text]
        if outcome.limited and not replies:
            replies = [Reply(n=0, text=run.say("limit_reached"))]
        late = self._late(run)
        if late and replies and not (replies[0].edits or replies[0].tells_late):
            first = replies[0]
            replies[0] = replace(first, text=f"{late}\n\n{first.text}")
        return replies

    def refused(self, run: RunContext, steps: Sequence[Step], reason: str) -> Outcome:
        """What is said when the model's provider refuses for good, after what the run said; an owner is told why."""
        texts = [run.say("model_refused")]
        if reason and run.standing is Standing.OWNER:
            texts.append(run.say("model_refused_owner", reason=reason))
        return Outcome(replies=[*said(steps), Reply(n=0, text="\n\n".join(texts))])

    def prompted(self, run: RunContext, steps: Sequence[Step]) -> list[Reply]:
        """What is said for a trigger that no model works on: what it wants as it stands, after what the run said.

        It is data: anybody's words, or a model's.
        """
        wish = Reply(n=max((step.n for step in steps), default=0) + 1, text=f"{PROMPT} {lines(run.prompt)}")
        return [*said(steps), wish]

    def reply(self, run: RunContext, reply: Reply) -> OutgoingMessage:
        """A reply of a run; its buttons are for whom it answers, and so is all of it when it is quiet in a group."""
        response_url = "" if reply.aloud else run.response_url
        alone = reply.quiet and run.participant.group and not run.participant.person.anonymous
        alone_here = (
            response_url and run.participant.group and not (reply.own or reply.quiet or (reply.edits and run.pressed))
        )
        offers = (*reply.offers, (run.say("share"), SHARE)) if alone_here else reply.offers
        outgoing = self._composer.outgoing(
            run.participant.platform,
            f"run:{run.run_id}:{reply.n}",
            reply.text,
            offers,
            choices=reply.choices,
            only_for=run.participant.person.address if alone or response_url else "",
            response_url=response_url,
            source=Source(SourceKind.RUN, run.run_id),
            person_id=None if reply.shared else run.participant.person.person_id,
            once=reply.once and not reply.edits,
        )
        outgoing.kept = reply.kept
        return outgoing

    def give_up(self, tx: Tx, run: RunContext) -> None:
        """Tell the chat and the owners that a message is given up and kept."""
        shown = ", ".join(ref("m", message.inbox_id) for message in run.messages)
        key = f"gave-up:{run.run_id}"
        log.error("message given up: %s (run %s)", shown, run.run_id)
        for reply in self.prompted(run, run.steps) if run.prompt else said(run.steps):
            self._composer.post(tx, run.lane, self.reply(run, reply))
        again = [(run.say("try_again"), f"/retry {ref('m', message.inbox_id)}") for message in run.messages[:1]]
        person_id = run.participant.person.person_id
        self._composer.tell(
            tx, run.lane, key, run.say("gave_up", ref=shown), again, person_id=person_id, **run.audience
        )
        self._composer.owners.tell(
            tx, run.lane, key, "gave_up_owner", ref=shown, reason=f"it failed {run.attempts - 1} times"
        )


def said(steps: Sequence[Step]) -> list[Reply]:
    """Return what a run has already said by `reply`: it is released even when the run ends badly.

    The calls of an answer have the numbers after its own, in order.
    """
    calls: dict[int, ToolCall] = {}
    replies = []
    for step in steps:
        if step.kind == StepKind.ANSWER:
            calls |= dict(enumerate(load(step.content).calls, step.n + 1))
        elif step.tool == "reply" and step.state == StepState.DONE and json.loads(step.content)["success"]:
            replies.append(Reply(n=step.n, text=str(calls[step.n].arguments["text"])))
    return replies

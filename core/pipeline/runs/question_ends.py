"""How questions end: each is decided once, whoever asked is told, and its messages are closed (STATES: Question).

All of that is one transaction, which waits for no lease of the lane: an answer counts when it is accepted.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.delivery.composer import Composer
from core.kernel.ids import ref
from core.kernel.markdown import literal
from core.kernel.ports import Clock, Engine, Tx
from core.language import Language
from core.store.conversation import inbox, keyboards, lanes, questions, tasks
from core.store.conversation.questions import Question, QuestionState
from core.store.conversation.tasks import InputKind, WaitsFor
from core.store.people import people


@dataclass(frozen=True, kw_only=True)
class QuestionEnd:
    """How a question ends.

    - `answer` and its `source`; `by` is who gave it, None where the question ended by itself. It may be `tainted`.
      Without an answer, a task that asked is told `why`.
    - `row` has the arguments of `inbox.wake` for the row that wakes the lane, None where none does; what comes of it is
      sent by `row_url`.
    - `line` is put below the text of the question's messages, or in the place of it when it is `bare`; they are edited
      by `response_url`. A message that cannot be edited is followed by one with the line, unless people see the line
      already (`said`) or only one person saw the question. Without a line only the buttons end.
    """

    state: QuestionState
    answer: str = ""
    source: str = ""
    by: int | None = None
    why: str = QuestionState.WITHDRAWN
    tainted: bool = False
    row: Mapping[str, Any] | None = None
    row_url: str = ""
    line: str = ""
    said: bool = False
    bare: bool = False
    response_url: str = ""


class QuestionEnds:
    """Ends questions."""

    def __init__(self, composer: Composer, engine: Engine, clock: Clock) -> None:
        self._composer, self._engine, self._clock = composer, engine, clock

    def end(self, tx: Tx, question: Question, end: QuestionEnd) -> bool:
        """End a question; return False when it was decided before."""
        number, lane, now = question.question_id, question.lane, self._clock.now()
        if not questions.decide(tx, number, end.state, now, answer=end.answer, source=end.source, by=end.by):
            return False
        # Whoever asked is told: the task that goes on with it, or the Teller by a row that wakes the lane.
        task = None if question.task_id is None else tasks.find(tx, lane, question.task_id)
        if task is not None and task.ended_at is None:
            told = {"question": question.text, "answer": end.answer, "source": end.source or end.why}
            text = json.dumps(told, ensure_ascii=False)
            if tasks.tell(tx, task, InputKind.ANSWER, text, now, tainted=end.tainted, frees=WaitsFor.ANSWER):
                self._engine.poke(tx, task.role.value, task.task_id)
        whispered = questions.response_url(tx, question)
        if end.row is not None and question.task_id is None:
            key = f"{inbox.ANSWERED}{number}"
            tx.lock(("lane", lane.lane_id))
            inbox.wake(tx, lane, question.person_id, key, now=now, **end.row)
            questions.whisper(tx, question, key, end.row_url or whispered)
            lanes.mark(tx, lane.lane_id)
            self._engine.poke(tx, "lane", lane.lane_id)
        for keyboard_row in keyboards.of_question(tx, lane, number):
            if not end.line:
                keyboards.end(tx, keyboard_row, now)
            elif self._composer.edits.close(
                tx, keyboard_row, end.line, response_url=end.response_url, bare=end.bare
            ) and not (end.said or whispered or self._composer.edits.amends(tx, keyboard_row)):
                key, source = f"{keyboard_row.message_key}:ended", keyboard_row.source.commented()
                self._composer.tell(tx, lane, key, end.line, notice=False, source=source)
        return True

    def texts(self, tx: Tx, question: Question) -> Language:
        """Return the texts in the language of the person who was asked."""
        return self._composer.language(people.participant(tx, question.lane, question.person_id))

    def expire(self, tx: Tx, question: Question) -> None:
        """End a question whose time is up, with its default as the answer, if it has one."""
        texts, answer = self.texts(tx, question), question.default or ""
        timeout = question.default is None
        line = texts["question_timeout"] if timeout else texts.say("question_expired", default=literal(answer))
        end = QuestionEnd(
            state=QuestionState.EXPIRED,
            answer=answer,
            source="timeout" if timeout else "default",
            row=None if question.order else {"question_id": question.question_id},
            line=line,
            response_url=questions.response_url(tx, question),
        )
        self.end(tx, question, end)

    def let_go(self, tx: Tx, question: Question, *, tells: bool) -> None:
        """Withdraw a question that cannot be ended otherwise; with `tells`, tell the owners."""
        this = ref("q", question.question_id)
        if tells:
            key = f"broken:{this}"
            self._composer.owners.tell(tx, question.lane, key, "question_broken_owner", here=True, ref=this)
        self.end(tx, question, QuestionEnd(state=QuestionState.WITHDRAWN))

"""How people answer questions: by a press, or in words (STATES: Question). `Asking` in finish.py asks them.

A command may ask back, too. Its question holds an intent with one open argument, or, of a former version, a command
line. The answer completes it, and the lane carries it out; without an answer nothing is done.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.delivery.composer import Composer
from core.kernel.intent import Expects, Intent
from core.kernel.markdown import literal, truncated
from core.kernel.ports import Clock, Engine, Tx
from core.kernel.types import Inbound, LaneKey, Message, Millis
from core.language import Language
from core.pipeline.runs.answer_reading import LEFT, AnswerReader, option, precedes
from core.pipeline.runs.question_ends import QuestionEnd, QuestionEnds
from core.store.conversation import inbox, keyboards, questions, tasks
from core.store.conversation import runs as journal
from core.store.conversation.keyboards import KeyboardRow
from core.store.conversation.outbox import Post
from core.store.conversation.questions import Question, QuestionState
from core.store.people import people

# The intents of the buttons of questions. They have no handler: a press is settled by its number when it is accepted.
ANSWER, SKIP = "questions.answer", Intent("questions.skip", {})
LONGEST_SHOWN = 200
# The keys of the texts about a question that ended without an answer.
ENDED: Mapping[str, str] = {QuestionState.EXPIRED: "answer_too_late", QuestionState.WITHDRAWN: "answer_unasked"}


class Questions:
    """Takes answers; `reader` says which question a text answers, and with what."""

    def __init__(self, composer: Composer, engine: Engine, clock: Clock, reader: AnswerReader) -> None:
        self._clock, self.reader = clock, reader
        self.ends = QuestionEnds(composer, engine, clock)

    def press(
        self,
        tx: Tx,
        keyboard_row: KeyboardRow,
        n: int,
        person_id: int,
        *,
        owner: bool,
        language: Language,
        response_url: str = "",
    ) -> str:
        """Take a press of button `n` of a question; return what to show who pressed. `response_url` as in `Press`."""
        assert keyboard_row.question_id is not None
        question = questions.load(tx, keyboard_row.lane, keyboard_row.question_id)
        if question is None or question.state != QuestionState.OPEN:
            return language[ENDED.get(question.state, "already_answered") if question else "already_answered"]
        if person_id != question.person_id and not owner:
            return language["not_your_question"]
        answer = question.options[n] if n < len(question.options) else None
        if answer is None:
            done = self._withdraw(tx, question, person_id, response_url)
        else:
            done = self._take_answer(tx, question, answer, person_id, response_url=response_url)
        return keyboard_row.offers[n][0] if done else language["already_answered"]

    def hear(
        self, tx: Tx, lane: LaneKey, person_id: int, message: Inbound, inbox_id: int, meant: tuple[Question, str]
    ) -> None:
        """Take a message as the answer to a question, as it is `meant` (`AnswerReader.meant`).

        The message wakes the run that asked, or is settled if another row of the inbox does that: so it is where an
        owner answers in somebody's place, for whom the run goes on.
        """
        question, answer = meant
        if answer == LEFT:
            self._withdraw(tx, question, person_id)
            inbox.answers(tx, lane, inbox_id, question.question_id)
            inbox.settle(tx, lane, inbox_id, self._clock.now())
            return
        by_asked = question.person_id == person_id and question.lane == lane
        for_run = by_asked and not (question.order or question.task_id)
        # The run goes on by a row of its own where only one person saw the question: not everybody may read its answer.
        wakes = for_run and bool(message.response_url or not questions.response_url(tx, question))
        if not self._take_answer(tx, question, answer, person_id, message, wakes=wakes):
            return
        if wakes:
            inbox.answers(tx, lane, inbox_id, question.question_id)
            return
        inbox.settle(tx, lane, inbox_id, self._clock.now())
        if question.task_id is not None and question.lane == lane:
            # The answer goes to a task, so no run of the lane enters it into the transcript.
            heard = Message(
                inbox_id=inbox_id,
                text=message.text,
                sent_at=message.sent_at,
                platform_id=message.message_id,
                quoted=message.quoted,
                forwarded=message.forwarded,
            )
            speaker = message.sender.name
            journal.hear(tx, lane, question.run_id, person_id=person_id, speaker=speaker, messages=[heard])

    def answer(
        self, tx: Tx, lane: LaneKey, by: int, question_id: int, words: str, *, sent_at: Millis, tainted: bool
    ) -> bool:
        """Take words as the answer to an open question of a lane: an option where they mean one, else as they stand.
        Return False when it has ended, or the words were sent before it was asked."""
        question = questions.load(tx, lane, question_id)
        if question is None or precedes(sent_at, question):
            return False
        return self._take_answer(tx, question, option(question, words) or words, by, tainted=tainted)

    def withdraw(self, tx: Tx, lane: LaneKey, person_id: int, question_id: int | None = None) -> bool:
        """Withdraw an open question to a person in a lane, the newest if none is named; return whether there was
        one."""
        theirs = [one for one in questions.open_in(tx, lane) if one.person_id == person_id]
        named = [one for one in theirs if question_id in {None, one.question_id}]
        return bool(named) and self._withdraw(tx, named[-1], person_id)

    def withdraw_all(self, tx: Tx, lane: LaneKey, person_id: int | None) -> int:
        """Withdraw all open questions of the lane's scope, or those to one person; return how many there were.

        Their text is removed from the chat: whoever asks for this wants to be left alone, or to be forgotten.
        """
        found = questions.open_in_scope(tx, lane, person_id)
        for question in found:
            line = self.ends.texts(tx, question)["question_skipped"]
            end = QuestionEnd(state=QuestionState.WITHDRAWN, by=person_id, line=line, said=True, bare=True)
            self.ends.end(tx, question, end)
        return len(found)

    def unseen(self, tx: Tx, post: Post) -> None:
        """Withdraw the question of a message that the platform refused for good, if no other message shows it."""
        question_id = post.source.question()
        if question_id is None or post.replaces:
            return
        now, keyboard_rows = self._clock.now(), keyboards.of_question(tx, post.lane, question_id)
        for keyboard_row in keyboard_rows:
            if keyboard_row.message_key == post.key:
                keyboards.end(tx, keyboard_row, now)
        question = questions.load(tx, post.lane, question_id)
        seen = any(not (row.ended or row.message_key == post.key) for row in keyboard_rows)
        if question is not None and not seen:
            self.ends.end(tx, question, QuestionEnd(state=QuestionState.WITHDRAWN, why="undelivered"))

    def _take_answer(
        self,
        tx: Tx,
        question: Question,
        answer: str,
        by: int,
        message: Inbound | None = None,
        *,
        wakes: bool = False,
        response_url: str = "",
        tainted: bool = False,
    ) -> bool:
        """Answer a question; return False when it was decided before. No row is needed where the message itself `wakes`
        the lane."""
        row: Mapping[str, Any] | None = {"question_id": question.question_id}
        if question.order:
            row = _carried_out(question, answer, message, self._clock.now())
        elif wakes:
            row = None
        # An answer that was typed in the chat stands there already; one that came by a window would not be seen.
        quoted = bool(question.options) or (message is not None and message.answers)
        words = truncated(" ".join(answer.split()), LONGEST_SHOWN)
        parts = (words, people.name(tx, question.lane, by)) if quoted else ()
        end = QuestionEnd(
            state=QuestionState.ANSWERED,
            answer=answer,
            source="user",
            by=by,
            tainted=tainted,
            row=row,
            row_url=response_url or (message.response_url if message is not None else ""),
            line=" ".join(("✅", " — ".join(literal(part) for part in parts if part))).strip(),
            said=True,
            response_url=response_url,
        )
        return self.ends.end(tx, question, end)

    def _withdraw(self, tx: Tx, question: Question, by: int, response_url: str = "") -> bool:
        task = None if question.task_id is None else tasks.find(tx, question.lane, question.task_id)
        key = "question_skipped" if task is None or task.ended_at is None else "question_stopped"
        line = self.ends.texts(tx, question)[key]
        end = QuestionEnd(state=QuestionState.WITHDRAWN, by=by, line=line, response_url=response_url)
        return self.ends.end(tx, question, end)


def _carried_out(question: Question, answer: str, message: Inbound | None, now: Millis) -> Mapping[str, Any]:
    """Return the row of the inbox that carries out the command of a question with the answer, as if the person had
    written both; it takes the place of the message that answers, if there is one."""
    order, words = question.order, answer.strip()
    if not isinstance(order, Intent) or question.expects is not Expects.TEXT:
        words = " ".join(words.split())
    return {
        "text": words if isinstance(order, Intent) else f"{order} {words}",
        "intent": order.filled(words) if isinstance(order, Intent) else None,
        "sent_at": now if message is None else message.sent_at,
        "link": message.link if message is not None and message.forwarded else "",
        "forwarded": message is not None and message.forwarded,
        "platform_id": "" if message is None else message.message_id,
    }


def refuses(tx: Tx, tenant_id: int, message: Inbound, person_id: int, *, owner: bool, language: Language) -> str:
    """Return why an answer in a window (`Inbound.answers`) is none, as its question has ended or is somebody else's;
    empty where it may be one."""
    question = questions.shown_as(tx, tenant_id, message.chat, message.reply_to)
    if question is None or (question.state == QuestionState.OPEN and (owner or question.person_id == person_id)):
        return ""
    if question.state == QuestionState.OPEN:
        return language["not_your_question"]
    return language[ENDED.get(question.state, "already_answered")]

"""Questions: decided once by a press, a text or the clock (STATES: Question; TOOLS: ask_user). `asking` asks them.

Deciding is one transaction: the question ends, its buttons give way to the choice, and the lane gets a row that wakes
the Teller. It goes past the lane's lease: an answer counts when it is accepted.

A command may ask back, too. The answer to that is carried out: the lane gets the intent with the answer in its hole, or
what the person would have written at once, the command with the answer behind it. Without an answer nothing is done.
"""

from __future__ import annotations

from collections.abc import Callable

from core.delivery.composer import Composer
from core.kernel.ids import ref
from core.kernel.intent import Expects, Intent
from core.kernel.markdown import literal
from core.kernel.ports import Clock, Engine, Tx
from core.kernel.types import Inbound, LaneKey, Millis
from core.language import Language
from core.pipeline.runs.answer_reader import LEFT, AnswerReader, AnswerText
from core.store.conversation import inbox, keyboards, lanes, questions
from core.store.conversation.keyboards import KeyboardRow
from core.store.conversation.outbox import Post
from core.store.conversation.questions import Question, QuestionState
from core.store.people import people

SKIP = "skip"
LONGEST_SHOWN = 200
Hears = Callable[[str, str], bool]


class Questions:
    """Decides open questions; `reader` says which one a text answers, and with what."""

    def __init__(self, composer: Composer, engine: Engine, clock: Clock, reader: AnswerReader) -> None:
        self._composer, self._engine, self._clock, self.reader = composer, engine, clock, reader

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
        """Somebody pressed button `n` of a question; returns what to show them. `response_url` as in `Press`."""
        assert keyboard_row.question_id is not None
        question = questions.load(tx, keyboard_row.lane, keyboard_row.question_id)
        if question is None or question.state != QuestionState.OPEN:
            return language["already_answered"]
        if person_id != question.person_id and not owner:
            return language["not_your_question"]
        answer = question.options[n] if n < len(question.options) else None
        if answer is None:
            done = self._withdraw(tx, question, person_id, response_url)
        else:
            done = self._answer(tx, question, answer, person_id, _key(question), response_url=response_url)
        return keyboard_row.offers[n][0] if done else language["already_answered"]

    def hear(
        self,
        tx: Tx,
        lane: LaneKey,
        person_id: int,
        message: Inbound,
        said: AnswerText,
        inbox_id: int,
        *,
        owner: bool,
    ) -> None:
        """Decide the question that a message answers by what it `said`; the message wakes the Teller then.

        An owner may answer for somebody: the Teller goes on for whom it asked.
        """
        found = self.reader.meant(tx, lane, person_id, message, said, owner=owner)
        if found is None:
            return
        question, answer = found
        if answer == LEFT:
            self._withdraw(tx, question, person_id)
            inbox.settle(tx, lane, inbox_id, self._clock.now())
            return
        here = question.person_id == person_id and question.lane == lane and not question.order
        wakes = here and bool(message.response_url or not questions.asked_by(tx, question))
        if not self._answer(tx, question, answer, person_id, "" if wakes else _key(question), message):
            return
        if wakes:
            inbox.answers(tx, lane, inbox_id, question.question_id)
        else:
            inbox.settle(tx, lane, inbox_id, self._clock.now())

    def withdraw(self, tx: Tx, lane: LaneKey, person_id: int) -> Question | None:
        """Withdraw the newest open question to a person in a lane; None when there is none."""
        mine = [one for one in questions.open_in(tx, lane) if one.person_id == person_id]
        return mine[-1] if mine and self._withdraw(tx, mine[-1], person_id) else None

    def withdraw_all(self, tx: Tx, lane: LaneKey, person_id: int | None) -> int:
        """Withdraw all open questions of the lane's scope, or those to one person; returns how many there were.

        Their text goes from the chat: whoever wants that wants to be left alone, or to be forgotten.
        """
        found = questions.open_in_scope(tx, lane, person_id)
        for question in found:
            questions.decide(tx, question.question_id, QuestionState.WITHDRAWN, self._clock.now(), by=person_id)
            line = self._texts(tx, question)["question_skipped"]
            for keyboard_row in keyboards.of_question(tx, question.lane, question.question_id):
                self._composer.edits.close(tx, keyboard_row, line, bare=True)
        return len(found)

    def expire(self, tx: Tx, question: Question) -> None:
        """Its time is up: it gets its default, if it has one, and whoever asked is told so."""
        now, texts = self._clock.now(), self._texts(tx, question)
        source = "timeout" if question.default is None else "default"
        answer = question.default or ""
        if not questions.decide(tx, question.question_id, QuestionState.EXPIRED, now, answer=answer, source=source):
            return
        if not question.order:
            self._wake(tx, question, _key(question), now)
        line = (
            texts["question_timeout"] if source == "timeout" else texts.say("question_expired", default=literal(answer))
        )
        self._close(tx, question, line, response_url=questions.asked_by(tx, question))

    def let_go(self, tx: Tx, question: Question, *, tells: bool) -> None:
        """Withdraw a question that cannot be ended, and (`tells`) tell the owners."""
        now, this = self._clock.now(), ref("q", question.question_id)
        if tells:
            key = f"broken:{this}"
            self._composer.owners.tell(tx, question.lane, key, "question_broken_owner", here=True, ref=this)
        if questions.decide(tx, question.question_id, QuestionState.WITHDRAWN, now):
            for keyboard_row in keyboards.of_question(tx, question.lane, question.question_id):
                keyboards.end(tx, keyboard_row, now)

    def unseen(self, tx: Tx, post: Post) -> None:
        """The platform refused a message for good: a question that nobody can see any more is not left open."""
        question_id = post.source.question()
        if question_id is None or post.replaces:
            return
        now, keyboard_rows = self._clock.now(), keyboards.of_question(tx, post.lane, question_id)
        for keyboard_row in keyboard_rows:
            if keyboard_row.message_key == post.key:
                keyboards.end(tx, keyboard_row, now)
        if all(keyboard_row.ended or keyboard_row.message_key == post.key for keyboard_row in keyboard_rows):
            questions.decide(tx, question_id, QuestionState.WITHDRAWN, now)

    def _answer(
        self,
        tx: Tx,
        question: Question,
        answer: str,
        by: int,
        key: str,
        message: Inbound | None = None,
        *,
        response_url: str = "",
    ) -> bool:
        """`key` names the row that wakes the lane; a message that answers the Teller is that row itself."""
        now = self._clock.now()
        if not questions.decide(
            tx, question.question_id, QuestionState.ANSWERED, now, answer=answer, source="user", by=by
        ):
            return False
        reached = response_url or (message.response_url if message is not None else "")
        if question.order:
            self._carry_out(tx, question, answer, message, reached)
        elif key:
            self._wake(tx, question, key, now, reached)
        # What was typed in the chat stands there already; it may be long. What came by a window nobody would see.
        seen = bool(question.options) or (message is not None and message.answers)
        words = " ".join(answer.split())
        words = words if len(words) <= LONGEST_SHOWN else f"{words[: LONGEST_SHOWN - 1]}…"
        shown = (words, people.name(tx, question.lane, by)) if seen else ()
        line = " ".join(("✅", " — ".join(literal(part) for part in shown if part))).strip()
        self._close(tx, question, line, said=True, response_url=response_url)
        return True

    def _withdraw(self, tx: Tx, question: Question, by: int, response_url: str = "") -> bool:
        if not questions.decide(tx, question.question_id, QuestionState.WITHDRAWN, self._clock.now(), by=by):
            return False
        self._close(tx, question, self._texts(tx, question)["question_skipped"], response_url=response_url)
        return True

    def _wake(self, tx: Tx, question: Question, key: str, now: Millis, response_url: str = "") -> None:
        tx.lock(("lane", question.lane.lane_id))
        inbox.wake(tx, question.lane, question.person_id, key, now=now, question_id=question.question_id)
        questions.whisper(tx, question, key, response_url or questions.asked_by(tx, question))
        lanes.mark(tx, question.lane.lane_id)
        self._engine.poke(tx, "lane", question.lane.lane_id)

    def _carry_out(self, tx: Tx, question: Question, answer: str, message: Inbound | None, response_url: str) -> None:
        """What was asked for with its answer, as if who was asked had written it; in the message that answers, if one
        does."""
        tx.lock(("lane", question.lane.lane_id))
        now, order, words = self._clock.now(), question.order, answer.strip()
        if not isinstance(order, Intent) or question.expects is not Expects.TEXT:
            words = " ".join(words.split())
        inbox.wake(
            tx,
            question.lane,
            question.person_id,
            _key(question),
            text=words if isinstance(order, Intent) else f"{order} {words}",
            intent=order.filled(words) if isinstance(order, Intent) else None,
            now=now,
            sent_at=now if message is None else message.sent_at,
            link=message.link if message is not None and message.forwarded else "",
            platform_id="" if message is None else message.message_id,
        )
        questions.whisper(tx, question, _key(question), response_url or questions.asked_by(tx, question))
        lanes.mark(tx, question.lane.lane_id)
        self._engine.poke(tx, "lane", question.lane.lane_id)

    def _close(self, tx: Tx, question: Question, line: str, *, said: bool = False, response_url: str = "") -> None:
        """Say on the question's messages how it ended; below them where that cannot be, unless it was `said`, or only
        one person saw them."""
        said = said or bool(questions.asked_by(tx, question))
        for keyboard_row in keyboards.of_question(tx, question.lane, question.question_id):
            if self._composer.edits.close(tx, keyboard_row, line, response_url=response_url) and not (
                said or self._composer.edits.amends(tx, keyboard_row)
            ):
                source = keyboard_row.source.commented()
                self._composer.tell(tx, question.lane, f"{keyboard_row.message_key}:ended", line, source=source)

    def _texts(self, tx: Tx, question: Question) -> Language:
        return self._composer.language(people.participant(tx, question.lane, question.person_id))


def refuses(tx: Tx, tenant_id: int, message: Inbound, person_id: int, *, owner: bool, language: Language) -> str:
    """Why a window's answer (`Inbound.answers`) is none: the question has ended, or is somebody else's."""
    question = questions.shown_as(tx, tenant_id, message.chat, message.reply_to)
    if question is None or (question.state == QuestionState.OPEN and (owner or question.person_id == person_id)):
        return ""
    return language["not_your_question" if question.state == QuestionState.OPEN else "already_answered"]


def _key(question: Question) -> str:
    """The key of the row that a question's end makes."""
    return f"{inbox.ANSWERED}{question.question_id}"

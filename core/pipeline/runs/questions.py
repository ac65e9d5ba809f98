"""Questions: decided once by a press, a text or the clock (STATES: Question; TOOLS: ask_user). `Asking` asks them.

Deciding is one transaction: the question ends, its buttons give way to the choice, and the lane gets a row that wakes
the Teller. It goes past the lane's lease: an answer counts when it is accepted.

A command may ask back, too. The answer to that is carried out: the lane gets the intent with the answer in its hole, or
what the person would have written at once, the command with the answer behind it. Without an answer nothing is done.

What the words of a text may be as an answer is read outside of transactions, and only where a question waits for one:
the transaction that takes the text in raises `Unread` then, and is done anew when its `AnswerText` is read.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.delivery.composer import Composer
from core.kernel.errors import StorageError
from core.kernel.ids import ref
from core.kernel.intent import TIMES, Expects, Intent
from core.kernel.markdown import folded, literal
from core.kernel.ports import Clock, Database, Engine, Serves, Tx
from core.kernel.types import Inbound, LaneKey, Message, Millis
from core.language import Language
from core.language.short_texts import LONGEST, is_small_talk, is_time, is_wish, leaves, stops, time_of_wish, wait_of
from core.store.conversation import inbox, keyboards, lanes, questions, shown_tasks, tasks
from core.store.conversation import runs as journal
from core.store.conversation.keyboards import KeyboardRow
from core.store.conversation.outbox import Post
from core.store.conversation.questions import Question, QuestionState
from core.store.conversation.tasks import InputKind, WaitsFor
from core.store.giving_up import try_or_give_up
from core.store.people import people

log = logging.getLogger(__name__)

# What buttons of questions ask for: a press is settled by its number when it is accepted, so nothing handles these.
ANSWER, SKIP = "questions.answer", Intent("questions.skip", {})
LONGEST_SHOWN = 200
# Whether a tenant of a platform is heard now.
Hears = Callable[[str, str], bool]
# So many end in one transaction when their time is up.
EXPIRED_AT_ONCE = 500
# Stands for an answer where somebody would rather not be asked: as if they had pressed Skip.
LEFT = ""
# What is said of a question that ended without an answer.
ENDED: Mapping[str, str] = {QuestionState.EXPIRED: "answer_too_late", QuestionState.WITHDRAWN: "answer_unasked"}
# The platform's clock and ours may differ this much; Telegram counts whole seconds.
SKEW: Millis = 5_000
_HOUR = re.compile(r"[0-9]{1,2}")


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerReading:
    """What the words of a `text` may be as an answer.

    `time` is the time that it says and nothing else, empty where it says none; `wait` is the same where a number alone
    means minutes. `leaves` when it says that the question shall be left, `is_wish` when it stands by itself, `is_place`
    when it may be taken for a place without being a reply.
    """

    text: str = ""
    time: str = ""
    wait: str = ""
    leaves: bool = False
    is_wish: bool = False
    is_small_talk: bool = False
    is_place: bool = False


class Unread(Exception):
    """An open question waits for what nobody has read yet: whoever takes it in reads the text, and comes again."""

    def __init__(self, text: AnswerText) -> None:
        super().__init__("an answer")
        self.text = text


@dataclass(slots=True)
class AnswerText:
    """The `text` of a message, and what it may be as an answer, once that is read."""

    text: str = ""
    reading: AnswerReading | None = None

    @property
    def as_read(self) -> AnswerReading:
        """Return what it may be as an answer. Raises `Unread`."""
        if self.reading is None:
            raise Unread(self)
        return self.reading


class AnswerReader:
    """Reads answers. `is_place` says whether what is no reply may be taken for a place."""

    def __init__(self, *, is_place: Callable[[str], bool] = bool) -> None:
        self._is_place = is_place

    def read(self, answer: AnswerText) -> None:
        """Read a text, in no transaction. A number is a time here, and so is a wait in few words ("in 10")."""
        text, said = answer.text, answer.text.strip()
        time = wait = time_of_wish(said)
        if not is_time(time):
            if _HOUR.fullmatch(said):
                time, wait = (found if is_time(found) else "" for found in (f"at {said}", f"{said}m"))
            else:
                time = wait = wait_of(said)
        answer.reading = AnswerReading(
            text=text,
            time=time,
            wait=wait,
            leaves=leaves(text),
            is_wish=is_wish(text),
            is_small_talk=is_small_talk(text),
            is_place=len(said) <= LONGEST and self._is_place(said),
        )

    def expects(self, tx: Tx, lane: LaneKey, person_id: int, answer_text: AnswerText) -> bool:
        """Return whether a free answer such as this text is waited for from this person in this lane. Raises
        `Unread`."""
        free = (one for one in questions.open_in(tx, lane) if one.expects in TIMES or not one.options)
        theirs = (one for one in free if one.person_id == person_id)
        return any(_answer_in(answer_text.as_read, question) is not None for question in theirs)

    def meant(
        self, tx: Tx, lane: LaneKey, person_id: int, message: Inbound, answer_text: AnswerText, *, owner: bool
    ) -> tuple[Question, str] | None:
        """Return the question that a message answers, with the answer; None when it answers none.

        An owner may answer for somebody. Raises `Unread`.
        """
        if message.text.startswith("/") or not message.text.strip():
            return None
        waiting = questions.open_in(tx, lane)
        # A reply is to what it replies to; in a thread it may be to the last thing there, too.
        question = thread_question(tx, lane, message) if message.thread else None
        if question is None and message.reply_to and waiting:
            question = task_question(tx, lane, message) or self._replied(tx, waiting, message.reply_to)
        replied = question is not None
        if question is None and message.reply_to in ("", message.thread):
            question = next((one for one in reversed(waiting) if one.person_id == person_id), None)
        if question is None:
            return None
        if _precedes(message.sent_at, question):
            return None
        # What others wrote decides nothing: at most it is what a command is to be about.
        if message.forwarded and (not question.order or question.options or question.expects in TIMES):
            return None
        if not owner and question.person_id != person_id:
            return None
        answer = (
            message.text.strip() if message.forwarded else _answer_in(answer_text.as_read, question, replied=replied)
        )
        return None if answer is None else (question, answer)

    def _replied(self, tx: Tx, waiting: Sequence[Question], reply_to: str) -> Question | None:
        """Return the question that a reply is to. Where that is none by the ids that are known it is the newest with a
        message whose id is not."""
        unsure = None
        for question in waiting:
            keyboard_rows = keyboards.of_question(tx, question.lane, question.question_id)
            message_ids = [keyboards.shown_as(tx, keyboard_row) for keyboard_row in keyboard_rows]
            if reply_to in message_ids:
                return question
            unsure = question if "" in message_ids else unsure
        return unsure


def _precedes(sent_at: Millis, question: Question) -> bool:
    """Return whether what was sent at an instant was written before a question was asked."""
    asked_at = 0 if question.expires_at is None else question.expires_at - question.timeout_s * 1000
    return sent_at < asked_at - SKEW


def thread_question(tx: Tx, lane: LaneKey, message: Inbound) -> Question | None:
    """Return the question that a thread began with, which was asked outside of it (Slack: an answer in words makes a
    thread), or that of the task whose message it began with."""
    if message.reply_to != message.thread or message.text.startswith("/"):
        return None
    return questions.began(tx, lane.tenant_id, message.chat, message.thread) or task_question(tx, lane, message)


def task_question(tx: Tx, lane: LaneKey, message: Inbound) -> Question | None:
    """Return the open question of the task whose message somebody replies to; "stop" is for the task itself."""
    task = None if stops(message.text) else shown_tasks.shown_as(tx, lane, message.reply_to)
    question = None if task is None or task.question_id is None else questions.load(tx, lane, task.question_id)
    return question if question is not None and question.state == QuestionState.OPEN else None


def _answer_in(reading: AnswerReading, question: Question, *, replied: bool = False) -> str | None:
    """Return what a text answers a question: an option; where there are none, or a time is wanted, what was asked for.
    None when it is no answer.

    What can stand by itself never answers a command: another wish or a question, and a nod or a thank-you unless they
    reply to it. "Never mind" leaves it. Where the options are examples only a reply is an answer whatever it says:
    anything else may be said to somebody else.
    """
    said = reading.text.strip()
    if question.expects in TIMES:
        options = {folded(option): option for option in question.options}
        time = reading.wait if question.expects is Expects.WAIT else reading.time
        return LEFT if reading.leaves else options.get(folded(said)) or time or None
    found, place = option(question, reading.text), question.expects is Expects.PLACE
    if found is not None or (question.options and not place):
        return found
    if question.order and reading.leaves:
        return LEFT
    if question.order and (reading.is_wish or (not replied and reading.is_small_talk)):
        return None
    return None if place and not replied and not reading.is_place else said


def option(question: Question, text: str) -> str | None:
    """Return the option that a text means, by its own words, its number, or a unique beginning."""
    said = folded(text)
    options = {folded(option): option for option in question.options}
    if said in options:
        return options[said]
    number = said.rstrip(".)")
    if number.isascii() and number.isdecimal() and 0 < int(number[:9]) <= len(question.options):
        return question.options[int(number) - 1]
    beginning = [option for words, option in options.items() if words.startswith(said)]
    return beginning[0] if len(beginning) == 1 else None


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
        self,
        tx: Tx,
        lane: LaneKey,
        person_id: int,
        message: Inbound,
        answer_text: AnswerText,
        inbox_id: int,
        *,
        owner: bool,
    ) -> None:
        """Decide the question that a message answers, if it does.

        The message wakes the Teller then, or is settled where another row does. An owner may answer for somebody: the
        Teller goes on for whom it asked. Raises `Unread`.
        """
        found = self.reader.meant(tx, lane, person_id, message, answer_text, owner=owner)
        if found is None:
            return
        question, answer = found
        if answer == LEFT:
            self._withdraw(tx, question, person_id)
            inbox.settle(tx, lane, inbox_id, self._clock.now())
            return
        by_asked = question.person_id == person_id and question.lane == lane
        for_run = by_asked and not (question.order or question.task_id)
        # What comes of a question that one person saw must not be said to all.
        wakes = for_run and bool(message.response_url or not questions.asked_by(tx, question))
        if not self._take_answer(tx, question, answer, person_id, message, wakes=wakes):
            return
        if wakes:
            inbox.answers(tx, lane, inbox_id, question.question_id)
            return
        inbox.settle(tx, lane, inbox_id, self._clock.now())
        if question.task_id is not None and question.lane == lane:
            # No run of the lane enters it into the transcript.
            heard = Message(
                inbox_id=inbox_id, text=message.text, sent_at=message.sent_at, platform_id=message.message_id
            )
            speaker = message.sender.name
            journal.hear(tx, lane, question.run_id, person_id=person_id, speaker=speaker, messages=[heard])

    def answer(
        self, tx: Tx, lane: LaneKey, by: int, question_id: int, words: str, *, sent_at: Millis, tainted: bool
    ) -> bool:
        """Take words as the answer to an open question of a lane: an option where they mean one, else as they stand.
        Return False when it has ended, or the words were sent before it was asked."""
        question = questions.load(tx, lane, question_id)
        if question is None or _precedes(sent_at, question):
            return False
        return self._take_answer(tx, question, option(question, words) or words, by, tainted=tainted)

    def withdraw(self, tx: Tx, lane: LaneKey, person_id: int, question_id: int | None = None) -> bool:
        """Withdraw an open question to a person in a lane, the newest where none is named; return whether there was
        such a one."""
        theirs = [one for one in questions.open_in(tx, lane) if one.person_id == person_id]
        named = [one for one in theirs if question_id in {None, one.question_id}]
        return bool(named) and self._withdraw(tx, named[-1], person_id)

    def withdraw_all(self, tx: Tx, lane: LaneKey, person_id: int | None) -> int:
        """Withdraw all open questions of the lane's scope, or those to one person; return how many there were.

        Their text goes from the chat: whoever wants that wants to be left alone, or to be forgotten.
        """
        found = questions.open_in_scope(tx, lane, person_id)
        for question in found:
            questions.decide(tx, question.question_id, QuestionState.WITHDRAWN, self._clock.now(), by=person_id)
            _tell_task(tx, self._engine, self._clock.now(), question, "", QuestionState.WITHDRAWN)
            line = self._texts(tx, question)["question_skipped"]
            for keyboard_row in keyboards.of_question(tx, question.lane, question.question_id):
                self._composer.edits.close(tx, keyboard_row, line, bare=True)
        return len(found)

    def expire(self, tx: Tx, question: Question) -> None:
        """End a question whose time is up: it gets its default, if it has one, and whoever asked is told so."""
        now, texts = self._clock.now(), self._texts(tx, question)
        source = "timeout" if question.default is None else "default"
        answer = question.default or ""
        if not questions.decide(tx, question.question_id, QuestionState.EXPIRED, now, answer=answer, source=source):
            return
        if not (_tell_task(tx, self._engine, self._clock.now(), question, answer, source) or question.order):
            self._wake(tx, question, now, question_id=question.question_id)
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
            _tell_task(tx, self._engine, self._clock.now(), question, "", QuestionState.WITHDRAWN)
            for keyboard_row in keyboards.of_question(tx, question.lane, question.question_id):
                keyboards.end(tx, keyboard_row, now)

    def unseen(self, tx: Tx, post: Post) -> None:
        """Withdraw the question of a message that the platform refused for good, when nobody can see it any more."""
        question_id = post.source.question()
        if question_id is None or post.replaces:
            return
        now, keyboard_rows = self._clock.now(), keyboards.of_question(tx, post.lane, question_id)
        for keyboard_row in keyboard_rows:
            if keyboard_row.message_key == post.key:
                keyboards.end(tx, keyboard_row, now)
        if all(keyboard_row.ended or keyboard_row.message_key == post.key for keyboard_row in keyboard_rows):
            decided = questions.decide(tx, question_id, QuestionState.WITHDRAWN, now)
            question = questions.load(tx, post.lane, question_id) if decided else None
            if question is not None:
                _tell_task(tx, self._engine, self._clock.now(), question, "", "undelivered")

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
        now = self._clock.now()
        if not questions.decide(
            tx, question.question_id, QuestionState.ANSWERED, now, answer=answer, source="user", by=by
        ):
            return False
        reached = response_url or (message.response_url if message is not None else "")
        if question.order:
            self._carry_out(tx, question, answer, message, reached)
        elif not wakes and not _tell_task(tx, self._engine, now, question, answer, "user", tainted=tainted):
            self._wake(tx, question, now, reached, question_id=question.question_id)
        # What was typed in the chat stands there already; it may be long. What came by a window nobody would see.
        quoted = bool(question.options) or (message is not None and message.answers)
        words = " ".join(answer.split())
        words = words if len(words) <= LONGEST_SHOWN else f"{words[: LONGEST_SHOWN - 1]}…"
        parts = (words, people.name(tx, question.lane, by)) if quoted else ()
        line = " ".join(("✅", " — ".join(literal(part) for part in parts if part))).strip()
        self._close(tx, question, line, said=True, response_url=response_url)
        return True

    def _withdraw(self, tx: Tx, question: Question, by: int, response_url: str = "") -> bool:
        if not questions.decide(tx, question.question_id, QuestionState.WITHDRAWN, self._clock.now(), by=by):
            return False
        _tell_task(tx, self._engine, self._clock.now(), question, "", QuestionState.WITHDRAWN)
        task = None if question.task_id is None else tasks.find(tx, question.lane, question.task_id)
        line = "question_skipped" if task is None or task.ended_at is None else "question_stopped"
        self._close(tx, question, self._texts(tx, question)[line], response_url=response_url)
        return True

    def _carry_out(self, tx: Tx, question: Question, answer: str, message: Inbound | None, response_url: str) -> None:
        """Have the order of a question carried out with its answer, as if who was asked had written both.

        That is done in the message of the answer, if there is one.
        """
        now, order, words = self._clock.now(), question.order, answer.strip()
        if not isinstance(order, Intent) or question.expects is not Expects.TEXT:
            words = " ".join(words.split())
        self._wake(
            tx,
            question,
            now,
            response_url,
            text=words if isinstance(order, Intent) else f"{order} {words}",
            intent=order.filled(words) if isinstance(order, Intent) else None,
            sent_at=now if message is None else message.sent_at,
            link=message.link if message is not None and message.forwarded else "",
            platform_id="" if message is None else message.message_id,
        )

    def _wake(self, tx: Tx, question: Question, now: Millis, response_url: str = "", **row: Any) -> None:
        """Give the lane the row that the end of a question makes, with what `inbox.wake` takes."""
        key = f"{inbox.ANSWERED}{question.question_id}"
        tx.lock(("lane", question.lane.lane_id))
        inbox.wake(tx, question.lane, question.person_id, key, now=now, **row)
        questions.whisper(tx, question, key, response_url or questions.asked_by(tx, question))
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
                self._composer.tell(
                    tx, question.lane, f"{keyboard_row.message_key}:ended", line, notice=False, source=source
                )

    def _texts(self, tx: Tx, question: Question) -> Language:
        return self._composer.language(people.participant(tx, question.lane, question.person_id))


def _tell_task(
    tx: Tx, engine: Engine, now: Millis, question: Question, answer: str, source: str, *, tainted: bool = False
) -> bool:
    """Tell the task that asked how its question ended, and let it go on; False when no task asked."""
    task = None if question.task_id is None else tasks.find(tx, question.lane, question.task_id)
    if task is not None and task.ended_at is None:
        text = json.dumps({"question": question.text, "answer": answer, "source": source}, ensure_ascii=False)
        if tasks.tell(tx, task, InputKind.ANSWER, text, now, tainted=tainted, frees=WaitsFor.ANSWER):
            engine.poke(tx, task.role.value, task.task_id)
    return question.task_id is not None


def refuses(tx: Tx, tenant_id: int, message: Inbound, person_id: int, *, owner: bool, language: Language) -> str:
    """Return why an answer in a window (`Inbound.answers`) is none, as its question has ended or is somebody else's;
    empty where it may be one."""
    question = questions.shown_as(tx, tenant_id, message.chat, message.reply_to)
    if question is None or (question.state == QuestionState.OPEN and (owner or question.person_id == person_id)):
        return ""
    if question.state == QuestionState.OPEN:
        return language["not_your_question"]
    return language[ENDED.get(question.state, "already_answered")]


class Expiry:
    """Ends questions in time: only where the platform is heard, since a press made in time may still lie with it."""

    def __init__(self, asked: Questions, db: Database, clock: Clock, hears: Hears, serves: Serves) -> None:
        self._asked, self._db, self._clock, self._hears, self._serves = asked, db, clock, hears, serves

    async def expire(self) -> bool:
        """End every open question whose time is up; return whether to look again soon.

        What is due where it is served, and not heard just now, is looked at again soon; so are more than one look
        takes. One that cannot be ended is withdrawn, which the owners are told, and holds up nobody.
        """

        def expire_questions(tx: Tx) -> bool:
            due, more = self._look(tx)
            tx.lock(*(("lane", question.lane.lane_id) for question in due))
            for question in due:
                self._asked.expire(tx, question)
            return more

        # Hardly ever is there one, and only then is anything written.
        due, more = await self._db.read(self._look)
        if not due:
            return more
        try:
            return await self._db.write(expire_questions)
        except StorageError:
            raise
        except Exception:
            log.exception("questions cannot be ended together; one by one")
            ended = [await self._expire_alone(question) for question in due]
            return any(ended) and more

    def _look(self, tx: Tx) -> tuple[list[Question], bool]:
        """Return what is due, and whether there is more: also of tenants that are served here and not heard just now.

        Who is heard is asked once: a platform may be heard again at any moment, and what it held up until then would
        count as neither.
        """
        now, not_heard = self._clock.now(), people.elsewhere(tx, self._hears)
        due = questions.due(tx, now, EXPIRED_AT_ONCE, elsewhere=not_heard)
        unheard = set(not_heard).difference(people.elsewhere(tx, self._serves)) if not_heard else ()
        return due, len(due) == EXPIRED_AT_ONCE or questions.any_due(tx, now, unheard)

    async def _expire_alone(self, question: Question) -> bool:
        def expire_question(tx: Tx) -> None:
            tx.lock(("lane", question.lane.lane_id))
            self._asked.expire(tx, question)

        def give_up_question(tx: Tx) -> None:
            self._asked.let_go(tx, question, tells=True)

        def withdraw_question(tx: Tx) -> None:
            self._asked.let_go(tx, question, tells=False)

        what = f"the end of question {question.question_id}"
        return await try_or_give_up(self._db, what, expire_question, give_up_question, withdraw_question)

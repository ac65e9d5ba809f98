"""What a text may be as an answer, and which open question it answers.

A text is read as an answer outside of transactions, and only if a question waits for one: the transaction that takes
the text in raises `AnswerUnread` then, and is done anew when the `AnswerText` is read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.kernel.intent import TIMES, Expects, Intent
from core.kernel.markdown import folded
from core.kernel.ports import Tx
from core.kernel.types import Inbound, LaneKey, Millis
from core.language.short_texts import (
    LONGEST,
    LONGEST_TIME,
    corrected,
    gives_up,
    is_small_talk,
    is_time,
    is_wish,
    leaves,
    stops,
    time_of_wish,
    wait_of,
)
from core.store.conversation import attachments, keyboards, questions, runs, shown_tasks
from core.store.conversation.last_words import SAME_ANSWER, last_words
from core.store.conversation.questions import Question, QuestionState
from core.toolkit import intents

# The answer of somebody who leaves a question ("never mind"), as if they had pressed Skip.
LEFT = ""
# The platform's clock and ours may differ this much; Telegram counts whole seconds.
SKEW: Millis = 5_000
_HOUR = re.compile(r"[0-9]{1,2}")


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerReading:
    """What the words of a `text` may be as an answer.

    - `time` is the time, if the text says one and nothing else, else empty; `wait` is the same where a number alone
      means minutes.
    - `of_last` when the text is about whatever was said last: it corrects a time ("make it 7"), or something is not
      wanted.
    - `leaves` when it says that the question shall be left, `is_wish` when it can stand by itself.
    - `is_place` when it may be taken for a place although it is no reply.
    """

    text: str = ""
    time: str = ""
    wait: str = ""
    of_last: bool = False
    leaves: bool = False
    is_wish: bool = False
    is_small_talk: bool = False
    is_place: bool = False


class AnswerUnread(Exception):
    """An open question waits for a text that is not read yet: the caller reads it, and does the transaction anew."""

    def __init__(self, text: AnswerText) -> None:
        super().__init__("an answer")
        self.text = text


@dataclass(slots=True)
class AnswerText:
    """The `text` of a message; `reading` is what it may be as an answer, once that is read."""

    text: str = ""
    reading: AnswerReading | None = None

    @property
    def as_read(self) -> AnswerReading:
        """Return what the text may be as an answer. Raises `AnswerUnread`."""
        if self.reading is None:
            raise AnswerUnread(self)
        return self.reading


class AnswerReader:
    """Reads answers. `is_place` says whether a text that is no reply may be taken for a place."""

    def __init__(self, *, is_place: Callable[[str], bool] = bool) -> None:
        self._is_place = is_place

    def read(self, answer: AnswerText) -> None:
        """Read a text as an answer, outside of transactions. A number counts as a time here, and so does a wait in few
        words ("in 10"), also with words that correct another time ("make it 10")."""
        text, said = answer.text, answer.text.strip()
        alone, corrects = corrected(said) if len(said) <= LONGEST_TIME else (said, False)
        time = wait = time_of_wish(alone)
        if not is_time(time):
            if _HOUR.fullmatch(alone):
                time, wait = (found if is_time(found) else "" for found in (f"at {alone}", f"{alone}m"))
            else:
                time = wait = wait_of(alone)
        answer.reading = AnswerReading(
            text=text,
            time=time,
            wait=wait,
            of_last=(corrects and time != "") or gives_up(text),
            leaves=leaves(text),
            is_wish=is_wish(text),
            is_small_talk=is_small_talk(text),
            is_place=len(said) <= LONGEST and self._is_place(said),
        )

    def expects(self, tx: Tx, lane: LaneKey, person_id: int, answer_text: AnswerText, sent_at: Millis) -> bool:
        """Return whether an open question to this person, in this lane, takes this text, sent at that instant, as a
        free answer. Raises `AnswerUnread`."""
        waiting = (one for one in questions.open_in(tx, lane) if not precedes(sent_at, one))
        free = (one for one in waiting if one.expects in TIMES or not one.options)
        theirs = (one for one in free if one.person_id == person_id and not answered_aloud(tx, lane, one))
        return any(_answer_in(answer_text.as_read, question) is not None for question in theirs)

    def meant(
        self, tx: Tx, lane: LaneKey, person_id: int, message: Inbound, answer_text: AnswerText, *, owner: bool
    ) -> tuple[Question, str] | None:
        """Return the question that a message answers, with the answer; None when it answers none.

        An owner may answer for somebody. Raises `AnswerUnread`.
        """
        if message.text.startswith("/") or not message.text.strip():
            return None
        waiting = questions.open_in(tx, lane)
        # A reply is about the message that it replies to; in a thread it may be about the last one there, too.
        question = thread_question(tx, lane, message) if message.thread else None
        if question is None and message.reply_to and waiting:
            question = task_question(tx, lane, message) or self._replied(tx, waiting, message.reply_to)
        replied = question is not None
        if question is None and message.reply_to in ("", message.thread):
            question = next((one for one in reversed(waiting) if one.person_id == person_id), None)
        if question is None or precedes(message.sent_at, question):
            return None
        if not replied and question.order and answer_text.as_read.of_last and not _is_last(tx, question, message):
            return None
        # Forwarded words are others': they choose nothing, but a command may be about them.
        if message.forwarded and (not question.order or question.options or question.expects in TIMES):
            return None
        if not owner and question.person_id != person_id:
            return None
        answer = (
            message.text.strip() if message.forwarded else _answer_in(answer_text.as_read, question, replied=replied)
        )
        return None if answer is None else (question, answer)

    def _replied(self, tx: Tx, waiting: Sequence[Question], reply_to: str) -> Question | None:
        """Return the question to whose message somebody replies. If no known id matches, it is the newest question with
        a message whose id is not known yet."""
        unsure = None
        for question in waiting:
            keyboard_rows = keyboards.of_question(tx, question.lane, question.question_id)
            message_ids = [keyboards.shown_as(tx, keyboard_row) for keyboard_row in keyboard_rows]
            if reply_to in message_ids:
                return question
            unsure = question if "" in message_ids else unsure
        return unsure


def answered_aloud(tx: Tx, lane: LaneKey, question: Question) -> bool:
    """Return whether a voice note of the person whom a question asks waits to be listened to: it counts as the answer
    until it turns out to be none."""
    recorded_at = attachments.unheard(tx, lane, question.person_id)
    return recorded_at is not None and not precedes(recorded_at, question)


def precedes(sent_at: Millis, question: Question) -> bool:
    """Return whether a message that was sent at an instant was written before a question was asked."""
    return sent_at < _asked_at(question) - SKEW


def _asked_at(question: Question) -> Millis:
    """Return when a question was asked; 0 for one that waits for good."""
    return 0 if question.expires_at is None else question.expires_at - question.timeout_s * 1000


def _is_last(tx: Tx, question: Question, message: Inbound) -> bool:
    """Return whether a question is still the last thing that a text such as "make it 7" can be about.

    It is not once something was set for its person since that can be undone, nor while something waits that they asked
    for before this `message`.
    """
    lane, asked_at = question.lane, _asked_at(question)
    if questions.is_passed(tx, question, asked_at - SKEW, message.sent_at, message.message_id):
        return False
    at, run_id, *_ = last_words(tx, lane)
    if at <= asked_at + SAME_ANSWER or runs.asker(tx, lane.tenant_id, run_id) != question.person_id:
        return True
    newest = keyboards.newest(tx, lane, at - SAME_ANSWER)
    offered = newest.offers if newest is not None and newest.is_of(run_id) else ()
    return not any(isinstance(asks, Intent) and asks.name == intents.UNDO for _, asks in offered)


def thread_question(tx: Tx, lane: LaneKey, message: Inbound) -> Question | None:
    """Return the question with which a thread began (Slack: an answer in words to a message makes a thread), or that of
    the task with whose message it began."""
    if message.reply_to != message.thread or message.text.startswith("/"):
        return None
    return questions.began(tx, lane.tenant_id, message.chat, message.thread) or task_question(tx, lane, message)


def task_question(tx: Tx, lane: LaneKey, message: Inbound) -> Question | None:
    """Return the open question of the task whose message somebody replies to; "stop" is for the task itself."""
    task = None if stops(message.text) else shown_tasks.shown_as(tx, lane, message.reply_to)
    question = None if task is None or task.question_id is None else questions.load(tx, lane, task.question_id)
    return question if question is not None and question.state == QuestionState.OPEN else None


def _answer_in(reading: AnswerReading, question: Question, *, replied: bool = False) -> str | None:
    """Return the answer that a text gives to a question: an option, or, where it has none or wants a time, the words.
    None when it is no answer.

    A text that can stand by itself, such as another wish or a question, never answers a question of a command; nor does
    a nod or a thank-you unless it is a reply. "Never mind" leaves the question. Where the options are only examples (of
    places), any reply is an answer, and another text only if it may be a place.
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

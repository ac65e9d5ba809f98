"""Reading answers: which open question a text answers, and with what."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from core.kernel.markdown import folded
from core.kernel.ports import Tx
from core.kernel.types import Inbound, LaneKey, Millis
from core.language.short_texts import is_small_talk, is_time, is_wish, leaves, time_of_wish, wait_of
from core.store.conversation import keyboards, questions
from core.store.conversation.questions import Question

# Read instead of an answer where somebody would rather not be asked: as if they had pressed Skip.
LEFT = ""
# The platform's clock and ours may differ this much; Telegram counts whole seconds.
SKEW: Millis = 5_000
_HOUR = re.compile(r"[0-9]{1,2}")
# What such a command offers as answers are but examples: any place is one.
_EXAMPLES = frozenset({"/timezone"})
# A number that answers it is of minutes.
_IN_MINUTES = "/snooze"
Says = Callable[[str], bool]


class AnswerReader:
    """Reads answers. `is_time` says whether a text is a time and nothing else, `is_place` whether what is no reply may
    be taken for a place."""

    def __init__(self, *, is_time: Says = is_time, is_place: Says = bool) -> None:
        self._is_time, self._is_place = is_time, is_place

    def expects(self, tx: Tx, lane: LaneKey, person_id: int, text: str) -> bool:
        """Whether a free answer such as `text` is waited for from this person in this lane."""
        free = (one for one in questions.open_in(tx, lane) if one.expects or not one.options)
        mine = (one for one in free if one.person_id == person_id)
        return any(self._read(one, text) is not None for one in mine)

    def meant(
        self, tx: Tx, lane: LaneKey, person_id: int, message: Inbound, *, owner: bool
    ) -> tuple[Question, str] | None:
        """Return the question that a message answers, with the answer; None when it answers none.

        An owner may answer for somebody.
        """
        if message.text.startswith("/") or not message.text.strip():
            return None
        waiting = questions.open_in(tx, lane)
        # A reply is to what it replies to; in a thread it may be to the last thing there, too.
        question = thread_question(tx, lane.tenant_id, message)
        if question is None and message.reply_to:
            question = self._replied(tx, waiting, message.reply_to)
        replied = question is not None
        if question is None and message.reply_to in ("", message.thread):
            question = next((one for one in reversed(waiting) if one.person_id == person_id), None)
        if question is None or message.sent_at < _asked_at(question) - SKEW:
            return None
        # What others wrote decides nothing: at most it is what a command is to be about.
        if message.forwarded and (not question.command or question.options or question.expects):
            return None
        if not owner and question.person_id != person_id:
            return None
        answer = message.text.strip() if message.forwarded else self._read(question, message.text, replied=replied)
        return None if answer is None else (question, answer)

    def _read(self, question: Question, text: str, *, replied: bool = False) -> str | None:
        """What a text answers: an option; where there are none, or a time is wanted, what was asked for.

        What can stand by itself never answers a command: another wish or a question, and a nod or a thank-you unless
        they reply to it. "Never mind" leaves it. Where the options are examples only a reply is an answer whatever it
        says: anything else may be said to somebody else.
        """
        if question.expects == "time":
            return LEFT if leaves(text) else self._time(question, text.strip())
        found = option(question, text)
        examples = not question.options or question.command in _EXAMPLES
        if found is not None or not examples:
            return found
        if question.command and leaves(text):
            return LEFT
        if question.command and (is_wish(text) or (not replied and is_small_talk(text))):
            return None
        if question.options and not replied and not self._is_place(text.strip()):
            return None
        return text.strip()

    def _time(self, question: Question, said: str) -> str | None:
        """A text that is wholly a time, or an option in its own words; a number is a time here, and of no option."""
        options = {folded(option): option for option in question.options}
        if option := options.get(folded(said)):
            return option
        alone = time_of_wish(said)
        return alone if self._is_time(alone) else self._short(question, said) or None

    def _short(self, question: Question, said: str) -> str:
        """A time in fewer words than anywhere else: "in 10", or "10", where minutes are offered, or a clock."""
        if not _HOUR.fullmatch(said):
            return wait_of(said)
        minutes = question.command.startswith(f"{_IN_MINUTES} ")
        found = f"{said}m" if minutes else f"at {said}"
        return found if self._is_time(found) else ""

    def _replied(self, tx: Tx, waiting: Sequence[Question], reply_to: str) -> Question | None:
        """The question a reply is to; the newest whose message we may not know under this id, if no known one is it."""
        unsure = None
        for question in waiting:
            keyboard_rows = keyboards.of_question(tx, question.lane, question.question_id)
            shown = [keyboards.shown_as(tx, keyboard_row) for keyboard_row in keyboard_rows]
            if reply_to in shown:
                return question
            unsure = question if "" in shown else unsure
        return unsure


def thread_question(tx: Tx, tenant_id: int, message: Inbound) -> Question | None:
    """The question, asked outside of it, that a thread began with (Slack: an answer in words makes a thread)."""
    if not message.thread or message.reply_to != message.thread or message.text.startswith("/"):
        return None
    return questions.began(tx, tenant_id, message.chat, message.thread)


def option(question: Question, text: str) -> str | None:
    """The option that a text means, by its own words, its number, or a unique beginning."""
    said = folded(text)
    options = {folded(option): option for option in question.options}
    if said in options:
        return options[said]
    number = said.rstrip(".)")
    if number.isascii() and number.isdecimal() and 0 < int(number[:9]) <= len(question.options):
        return question.options[int(number) - 1]
    beginning = [option for folded, option in options.items() if folded.startswith(said)]
    return beginning[0] if len(beginning) == 1 else None


def _asked_at(question: Question) -> Millis:
    return 0 if question.expires_at is None else question.expires_at - question.timeout_s * 1000

"""Questions: asked when a run ends, decided once by a press, a text or the clock (STATES: Question; TOOLS: ask_user).

Deciding is one transaction: the question ends, its buttons give way to the choice, and the lane gets a row that wakes
the Teller. It goes past the lane's lease: an answer counts when it is accepted.

A command may ask back, too. The answer to that is carried out: the lane gets what the person would have written at
once, the command with the answer behind it. Without an answer nothing is done.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

from core.delivery.composer import Composer
from core.delivery.message import OutgoingMessage
from core.kernel.markdown import folded, literal
from core.kernel.ports import Clock, Engine, Tx
from core.kernel.types import Inbound, LaneKey, Millis
from core.language import Language
from core.language.short_texts import is_small_talk, is_time, is_wish, leaves, time_of_wish, wait_of
from core.pipeline.runs.run_context import RunContext
from core.store.conversation import inbox, keyboards, lanes, questions
from core.store.conversation.keyboards import KeyboardRow
from core.store.conversation.outbox import Post
from core.store.conversation.questions import Question
from core.store.people import people

SKIP = "skip"
LONGEST_SHOWN = 200
# Read instead of an answer where somebody would rather not be asked: as if they had pressed Skip.
LEFT = ""
# The platform's clock and ours may differ this much; Telegram counts whole seconds.
SKEW: Millis = 5_000
_HOUR = re.compile(r"[0-9]{1,2}")
# What such a command offers as answers are but examples: any place is one.
_EXAMPLES = frozenset({"/timezone"})
# A number that answers it is of minutes.
_IN_MINUTES = "/snooze"
ASKED = re.compile(r"question:(\d+):")
Hears = Callable[[str, str], bool]
Says = Callable[[str], bool]


class Questions:
    """Opens and decides questions. `is_time` says whether a text is a time and nothing else, `is_place` whether what is
    no reply may be taken for a place."""

    def __init__(
        self, composer: Composer, engine: Engine, clock: Clock, *, is_time: Says = is_time, is_place: Says = bool
    ) -> None:
        self._composer, self._engine, self._clock = composer, engine, clock
        self._is_time, self._is_place = is_time, is_place

    # Asking.

    def outgoing_messages(
        self, run: RunContext, asked: Sequence[Question], *, again: bool = False
    ) -> list[OutgoingMessage]:
        """The messages that ask these questions; rendered before the transaction."""
        return [self._outgoing(run, question, again=again) for question in asked]

    def _outgoing(self, run: RunContext, question: Question, *, again: bool) -> OutgoingMessage:
        offers = [(option, option) for option in question.options]
        # A field for a reply and buttons exclude each other; in a group only a reply can be told from other talk.
        by_reply = run.participant.group and not offers
        skip = [] if by_reply else [(run.say("skip"), SKIP)]
        text = question.text if again else "\n\n".join(filter(None, (question.text, self._limits(run, question))))
        return self._composer.outgoing(
            run.platform,
            f"question:{question.question_id}{':again' if again else ''}",
            text,
            [*offers, *skip],
            reply=run.say("answer_button") if by_reply else "",
            question_id=question.question_id,
            person_id=question.person_id,
            # Asked for their eyes where others would see it; in their own conversation it is to last.
            **(run.audience if run.participant.group else {}),
        )

    def _limits(self, run: RunContext, question: Question) -> str:
        """When the default is taken, if there is one."""
        if question.default is None:
            return ""
        wait = run.texts.duration(question.timeout_s * 1000)
        return run.say("question_default", duration=wait, default=literal(question.default))

    def open(
        self, tx: Tx, run: RunContext, asked: Sequence[Question], outgoing_messages: Sequence[OutgoingMessage]
    ) -> None:
        """Ask, in the transaction that ends the run."""
        now = self._clock.now()
        for question, outgoing in zip(asked, outgoing_messages, strict=True):
            expires_at = now + question.timeout_s * 1000
            questions.open_up(tx, question.question_id, expires_at)
            # Who is to reply is known by the message that is replied to.
            to = run.reply_to or (inbox.last_of(tx, run.lane, question.person_id) if outgoing.for_reply else "")
            self._composer.say(tx, run.lane, outgoing, run_id=run.run_id, reply_to=to)
            tx.after_commit(partial(self._engine.wake, expires_at))

    def to_repeat(self, run: RunContext) -> list[Question]:
        """The question whose options are shown once more: the newest, after something that was no answer."""
        if run.event or run.command:
            return []
        mine = [one for one in run.questions if one.person_id == run.person.person_id and one.options]
        return [one for one in mine[-1:] if not one.repeated]

    def show_again(
        self, tx: Tx, run: RunContext, asked: Sequence[Question], outgoing_messages: Sequence[OutgoingMessage]
    ) -> None:
        """Show the options once more, if the question is still open."""
        for question, outgoing in zip(asked, outgoing_messages, strict=True):
            if questions.repeat(tx, question.question_id):
                self._composer.post(tx, run.lane, outgoing)

    # Deciding.

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
        if question is None or question.state != "open":
            return language["already_answered"]
        if person_id != question.person_id and not owner:
            return language["not_your_question"]
        answer = keyboard_row.offers[n][1] if n < len(question.options) else None
        if answer is None:
            done = self._withdraw(tx, question, person_id, response_url)
        else:
            done = self._answer(tx, question, answer, person_id, _key(question), response_url=response_url)
        return keyboard_row.offers[n][0] if done else language["already_answered"]

    def hear(self, tx: Tx, lane: LaneKey, person_id: int, message: Inbound, inbox_id: int, *, owner: bool) -> None:
        """Decide the question that a message answers, if it answers one; the message wakes the Teller then.

        An owner may answer for somebody: the Teller goes on for whom it asked.
        """
        found = self._meant(tx, lane, person_id, message, owner=owner)
        if found is None:
            return
        question, answer = found
        if answer == LEFT:
            self._withdraw(tx, question, person_id)
            inbox.settle(tx, lane, inbox_id, self._clock.now())
            return
        here = question.person_id == person_id and question.lane == lane and not question.command
        wakes = here and bool(message.response_url or not questions.asked_by(tx, question))
        if not self._answer(tx, question, answer, person_id, "" if wakes else _key(question), message):
            return
        if wakes:
            inbox.answers(tx, lane, inbox_id, question.question_id)
        else:
            inbox.settle(tx, lane, inbox_id, self._clock.now())

    def refuses(
        self, tx: Tx, tenant_id: int, message: Inbound, person_id: int, *, owner: bool, language: Language
    ) -> str:
        """Why a window's answer (`Inbound.answers`) is none: the question has ended, or is somebody else's."""
        question = questions.shown_as(tx, tenant_id, message.chat, message.reply_to)
        if question is None or (question.state == "open" and (owner or question.person_id == person_id)):
            return ""
        return language["not_your_question" if question.state == "open" else "already_answered"]

    def began(self, tx: Tx, tenant_id: int, message: Inbound) -> Question | None:
        """The question, asked outside of it, that a thread began with (Slack: an answer in words makes a thread)."""
        if not message.thread or message.reply_to != message.thread or message.text.startswith("/"):
            return None
        return questions.began(tx, tenant_id, message.chat, message.thread)

    def expects(self, tx: Tx, lane: LaneKey, person_id: int, text: str) -> bool:
        """Whether a free answer such as `text` is waited for from this person in this lane."""
        free = (one for one in questions.open_in(tx, lane) if one.expects or not one.options)
        mine = (one for one in free if one.person_id == person_id)
        return any(self._read(one, text) is not None for one in mine)

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
            questions.decide(tx, question.question_id, "withdrawn", self._clock.now(), by=person_id)
            line = self._texts(tx, question)["question_skipped"]
            for keyboard_row in keyboards.of_question(tx, question.lane, question.question_id):
                self._composer.edits.close(tx, keyboard_row, line, bare=True)
        return len(found)

    def expire(self, tx: Tx, question: Question) -> None:
        """Its time is up: it gets its default, if it has one, and whoever asked is told so."""
        now, texts = self._clock.now(), self._texts(tx, question)
        source = "timeout" if question.default is None else "default"
        answer = question.default or ""
        if not questions.decide(tx, question.question_id, "expired", now, answer=answer, source=source):
            return
        if not question.command:
            self._wake(tx, question, _key(question), now)
        line = (
            texts["question_timeout"] if source == "timeout" else texts.say("question_expired", default=literal(answer))
        )
        self._close(tx, question, line, response_url=questions.asked_by(tx, question))

    def let_go(self, tx: Tx, question: Question) -> None:
        """Withdraw a question that nothing can be said about."""
        now = self._clock.now()
        if questions.decide(tx, question.question_id, "withdrawn", now):
            for keyboard_row in keyboards.of_question(tx, question.lane, question.question_id):
                keyboards.end(tx, keyboard_row, now)

    def unseen(self, tx: Tx, post: Post) -> None:
        """The platform refused a message for good: a question that nobody can see any more is not left open."""
        asked = ASKED.match(post.key)
        if asked is None or post.replaces:
            return
        now, keyboard_rows = self._clock.now(), keyboards.of_question(tx, post.lane, int(asked[1]))
        for keyboard_row in keyboard_rows:
            if keyboard_row.message_key == post.key:
                keyboards.end(tx, keyboard_row, now)
        if all(keyboard_row.ended or keyboard_row.message_key == post.key for keyboard_row in keyboard_rows):
            questions.decide(tx, int(asked[1]), "withdrawn", now)

    def _meant(
        self, tx: Tx, lane: LaneKey, person_id: int, message: Inbound, *, owner: bool
    ) -> tuple[Question, str] | None:
        if message.text.startswith("/") or not message.text.strip():
            return None
        waiting = questions.open_in(tx, lane)
        # A reply is to what it replies to; in a thread it may be to the last thing there, too.
        question = self.began(tx, lane.tenant_id, message)
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
        if not questions.decide(tx, question.question_id, "answered", now, answer=answer, source="user", by=by):
            return False
        reached = response_url or (message.response_url if message is not None else "")
        if question.command:
            self._carry_out(tx, question, answer, message, reached)
        elif key:
            self._wake(tx, question, key, now, reached)
        # What was typed in the chat stands there already; it may be long. What came by a window nobody would see.
        seen = bool(question.options) or (message is not None and message.answers)
        shown = (_cut(answer), people.name(tx, question.lane, by)) if seen else ()
        line = " ".join(("✅", " — ".join(literal(part) for part in shown if part))).strip()
        self._close(tx, question, line, said=True, response_url=response_url)
        return True

    def _withdraw(self, tx: Tx, question: Question, by: int, response_url: str = "") -> bool:
        if not questions.decide(tx, question.question_id, "withdrawn", self._clock.now(), by=by):
            return False
        self._close(tx, question, self._texts(tx, question)["question_skipped"], response_url=response_url)
        return True

    def _wake(self, tx: Tx, question: Question, key: str, now: Millis, response_url: str = "") -> None:
        tx.lock(("lane", question.lane.lane_id))
        inbox.wake(tx, question.lane, question.person_id, key, question.question_id, now)
        questions.whisper(tx, question, key, response_url or questions.asked_by(tx, question))
        self._stir(tx, question.lane)

    def _carry_out(self, tx: Tx, question: Question, answer: str, message: Inbound | None, response_url: str) -> None:
        """The command with its answer, as if who was asked had written it; in the message that answers, if one does."""
        tx.lock(("lane", question.lane.lane_id))
        now, text = self._clock.now(), f"{question.command} {' '.join(answer.split())}"
        inbox.wake_saying(
            tx,
            question.lane,
            question.person_id,
            _key(question),
            text,
            now=now,
            sent_at=now if message is None else message.sent_at,
            link=message.link if message is not None and message.forwarded else "",
            platform_id="" if message is None else message.message_id,
        )
        questions.whisper(tx, question, _key(question), response_url or questions.asked_by(tx, question))
        self._stir(tx, question.lane)

    def _stir(self, tx: Tx, lane: LaneKey) -> None:
        lanes.mark(tx, lane.lane_id)
        self._engine.poke(tx, "lane", lane.lane_id)

    def _close(self, tx: Tx, question: Question, line: str, *, said: bool = False, response_url: str = "") -> None:
        """Say on the question's messages how it ended; below them where that cannot be, unless it was `said`, or only
        one person saw them."""
        said = said or bool(questions.asked_by(tx, question))
        for keyboard_row in keyboards.of_question(tx, question.lane, question.question_id):
            if self._composer.edits.close(tx, keyboard_row, line, response_url=response_url) and not (
                said or self._composer.edits.amends(tx, keyboard_row)
            ):
                self._composer.tell(tx, question.lane, f"{keyboard_row.message_key}:ended", line)

    def _texts(self, tx: Tx, question: Question) -> Language:
        return self._composer.language(people.participant(tx, question.lane, question.person_id))


def _key(question: Question) -> str:
    """The key of the row that a question's end makes."""
    return f"{inbox.ANSWERED}{question.question_id}"


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


def _cut(answer: str) -> str:
    """An answer on one line, as much of it as is shown below its question."""
    line = " ".join(answer.split())
    return line if len(line) <= LONGEST_SHOWN else f"{line[: LONGEST_SHOWN - 1]}…"


def _asked_at(question: Question) -> Millis:
    return 0 if question.expires_at is None else question.expires_at - question.timeout_s * 1000

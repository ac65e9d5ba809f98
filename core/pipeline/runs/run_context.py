"""A run context: one claimed lane with the run that is open in it and all that is needed to work on it."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from zoneinfo import ZoneInfo

from core.delivery.composer import Composer
from core.kernel import ids
from core.kernel.access import Access, may, order
from core.kernel.command_style import Spelling
from core.kernel.intent import Intent, Order, unpack
from core.kernel.markdown import literal
from core.kernel.ports import Clock, Database, Engine, Row, Serves, Tx
from core.kernel.replies import Step
from core.kernel.timing.zones import zone_named
from core.kernel.types import MINUTE, Entry, LaneKey, Lease, Message, Millis, Quoted, Role, Standing
from core.language import Language, detect, pick
from core.pipeline.runs.confirmations import Answered, Confirmation
from core.pipeline.runs.interpreter import Arrivals, Interpreter
from core.scheduling import repository as triggers
from core.store.conversation import attachments, history, inbox, keyboards, lanes, outbox, questions, tasks
from core.store.conversation import runs as journal
from core.store.conversation.lanes import Claim
from core.store.conversation.outbox import SourceKind
from core.store.conversation.questions import Question
from core.store.giving_up import TRIES
from core.store.people import people
from core.store.people.people import Participant
from core.toolkit.capability import Candidate, Edited, Hearing, Tells
from core.toolkit.command import CommandTable
from core.toolkit.former_lines import SHARES
from core.toolkit.services import Services
from core.toolkit.tool import StateProvider, ToolContext

# So many characters of a task's prompt are told with its outcome.
PROMPTED = 100


@dataclass(frozen=True, kw_only=True)
class RunServices:
    """What every run gets from the program.

    `language` is `auto` or a code. `ttl` is how long a lease lasts. `interpreter` understands what messages ask for,
    None where only commands count. `spelling` returns how a platform writes commands. `tells` keep the pages of people
    current, by platform. `edited` say what an edited message changes.
    """

    owner: str
    serves: Serves
    access: Access
    commands: CommandTable
    clock: Clock
    db: Database
    services: Services
    zone: ZoneInfo
    spelling: Callable[[str], Spelling]
    language: str = "auto"
    ttl: Millis = MINUTE
    history_bytes: int = 24_000
    states: Mapping[str, StateProvider] = field(default_factory=dict)
    interpreter: Interpreter | None = None
    arrivals: Arrivals = field(default_factory=Arrivals)
    tells: Mapping[str, Sequence[Tells]] = field(default_factory=dict)
    edited: Sequence[Edited] = ()


@dataclass(frozen=True, kw_only=True)
class RunContext:
    """A lease, its run, and what the run works on: messages, or the event that woke it.

    - `command` is the slash command or the intent that the run carries out, empty where a model answers. `fast` when
      the interpreter understood it from free text. `pressed` is the id of the keyboard whose button asked for it;
      `shares` when that keyboard has a button to share, which was not the one pressed.
    - `event` is what woke the run if that was no message, as JSON: the end of a question, a trigger, or the outcome of
      a task. `prompt` is what is said then as it stands, unless a model says something. `asked_in` is the platform's id
      of the message that asked for the task, if one did.
    - `history` is the transcript, empty for a command. `quotes` say who wrote what messages reply to, by inbox id.
      `questions` are open in the lane.
    - `steps` were committed by earlier claims of the same run; `said` are the numbers of those whose words were sent
      before the run waited for the model.
    - `stopped` when somebody asked for a stop. `depth` counts the triggers and tasks that led to this run.
    - `tainted` when what woke the run has read others' words, or its messages are or quote such; attachments are not
      counted here. `response_url` as in `Inbound`, `probed` as in `ModelRequest`.
    """

    services: RunServices
    lease: Lease
    attempts: int
    run_id: int
    trace_id: str
    participant: Participant
    standing: Standing
    history: Sequence[Entry]
    opened_at: Millis
    messages: Sequence[Message]
    command: Order = ""
    fast: bool = False
    prompt: str = ""
    event: str = ""
    pressed: int | None = None
    shares: bool = False
    response_url: str = ""
    questions: Sequence[Question] = ()
    quotes: Mapping[int, Quoted] = field(default_factory=dict)
    stopped: bool = False
    steps: Sequence[Step] = ()
    depth: int = 0
    tainted: bool = False
    asked_in: str = ""
    probed: bool = False
    said: Collection[int] = ()

    @property
    def lane(self) -> LaneKey:
        """Return the lane of the run."""
        return self.lease.lane

    @property
    def words(self) -> Sequence[Message]:
        """Return the messages that the person wrote: not those of triggers and tasks."""
        return [message for message in self.messages if not message.by_itself]

    @property
    def tells(self) -> bool:
        """Return whether the run tells the outcome of a task."""
        return any(message.task_id is not None for message in self.messages)

    @property
    def audience(self) -> Mapping[str, Any]:
        """Return the fields of a message that only the person may see; none where all may see it."""
        only_for = self.participant.person.address
        return {"response_url": self.response_url, "only_for": only_for} if self.response_url else {}

    @property
    def reply_to(self) -> str:
        """Return the platform's id of the message that is answered, in a group: the last one, or the one that asked for
        a task."""
        return self.messages[-1].platform_id or self.asked_in if self.participant.group and self.messages else ""

    @cached_property
    def language(self) -> str:
        """Return the language that was chosen for the chat, else the configured one, else that of the words, else the
        person's. Words behind a command may be a name or an item of a list: they count only if the person's language is
        not known."""
        if self.participant.language:
            return pick(self.participant.language).code
        if self.services.language != "auto":
            return self.services.language
        sentences = " ".join(message.text for message in self.messages if not message.text.startswith("/"))
        words = " ".join(message.text for message in self.messages)
        person = self.participant.person.language
        return detect(sentences) or (not person and detect(words)) or pick(person).code

    @cached_property
    def texts(self) -> Language:
        """Return the texts of the language, with commands as they are written here."""
        place, spelling = self.participant.place, self.services.spelling(self.participant.platform)
        return pick(self.language).spelled(spelling.here(place.thread, place.tenant))

    def say(self, key: str, **values: object) -> str:
        """Return a text in the language of the run."""
        return self.texts.say(key, **values)

    def context(self, role: Role) -> ToolContext:
        """Return what tools and commands get to see."""
        return ToolContext(
            lease=self.lease,
            run_id=self.run_id,
            trace_id=self.trace_id,
            principal=self.participant.person,
            role=role,
            standing=self.standing,
            participant=self.participant,
            language=self.language,
            zone=zone_named(self.participant.timezone) or self.services.zone,
            clock=self.services.clock,
            db=self.services.db,
            states=self.services.states,
            steps={step.n: step for step in self.steps},
            access=self.services.access,
            said=next((message for message in self.messages if message.text), next(iter(self.messages), None)),
            services=self.services.services,
            depth=self.depth,
            home=self.services.zone,
            spelling=self.services.spelling(self.participant.platform),
            heard=tuple(one.text for one in self.words if not one.forwarded and one.pressed is None),
            tainted=self.tainted or any(one.attachments and one.brings for one in self.words),
        )


class LastTry(Exception):
    """This claim would be the last one before the run is given up: it is to be made `alone`."""


class NotHere(Exception):
    """The lane's tenant is not served by this process, which could send no answer."""


class MessageUnread(Exception):
    """A message of the lane is not read yet: the caller reads it, and claims anew."""

    def __init__(self, message: Message) -> None:
        super().__init__(f"message {message.inbox_id}")
        self.message = message


class Readings:
    """Keeps what the words of messages may mean: each is read once, before the transaction that claims its lane."""

    def __init__(self, interpreter: Interpreter | None) -> None:
        self.interpreter = interpreter
        self._candidates: dict[tuple[object, ...], Sequence[Candidate]] = {}
        # Those of the candidates that may be a button, said in words.
        self.confirmations: dict[tuple[object, ...], Confirmation] = {}

    def read(self, messages: Sequence[Message]) -> None:
        """Read the messages that were not read before."""
        for message in messages if self.interpreter is not None else ():
            if self.interpreter is not None and _words(message) not in self._candidates:
                self._candidates[_words(message)] = found = self.interpreter.parse(message)
                for one in found:
                    if isinstance(one, Confirmation):
                        self.confirmations[_words(message)] = one

    def intent(self, tx: Tx, lane: LaneKey, participant: Participant, row: Row) -> Intent | None:
        """Return what the words of a message ask for; None when a model is to answer it. Raises `MessageUnread`."""
        if self.interpreter is None or row["question_id"] is not None or inbox.needs_no_model(row):
            return None
        message = inbox.message(row)
        candidates = self._candidates.get(_words(message))
        if candidates is None:
            raise MessageUnread(message)
        return self.interpreter.resolve(tx, lane, participant, message, candidates)

    def answered(self, tx: Tx, hearing: Hearing) -> Answered | None:
        """Return the button that a message means by its words; None where it means none."""
        found = self.confirmations.get(_words(hearing.message))
        return None if found is None else found.answered(tx, hearing)


def _words(message: Message) -> tuple[object, ...]:
    """Return all that the reading of a message depends on: an edit may change that while the message waits."""
    return message.text, message.quoted, bool(message.reply_to), message.forwarded


class RunOpener:
    """Opens runs: claims a lane and begins or resumes its run, in one transaction."""

    def __init__(self, services: RunServices, engine: Engine, give_up: Callable[[Tx, RunContext, str], None]) -> None:
        self.services, self._engine, self._give_up = services, engine, give_up

    def open(self, tx: Tx, lane_id: int, readings: Readings, *, alone: bool = False) -> RunContext | None:
        """Claim a lane and return its run; None when there is nothing to do, or somebody else holds the lane.

        Raises, and so claims nothing: `LastTry` when the lane must be claimed `alone` and is not, `NotHere`,
        `MessageUnread`.

        A run whose claims never finished is given up: its messages are dead, visibly, and the lane goes on.
        """
        services = self.services
        now = services.clock.now()
        claim = lanes.claim(tx, lane_id, owner=services.owner, ttl=services.ttl, now=now)
        if claim is None:
            return None
        if claim.attempts == TRIES and not alone:
            raise LastTry
        run = self._begin(tx, claim, readings, now) if claim.run_id is None else self._resume(tx, claim, claim.run_id)
        if run is None:
            lanes.release(tx, claim.lease, finished=True, now=now)
            return None
        if claim.attempts <= TRIES:
            return run
        self._give_up(tx, run, f"it failed {TRIES} times")
        lanes.release(tx, run.lease, finished=True, now=now)
        self._engine.poke(tx, "lane", run.lane.lane_id)
        return None

    def _begin(self, tx: Tx, claim: Claim, readings: Readings, now: Millis) -> RunContext | None:
        lane = claim.lease.lane
        rows, participant = self._head(tx, lane, readings, now)
        if participant is None:
            return None
        if rows[0]["run_id"] is not None:
            # The run waited for the model with its journal: it goes on.
            parked = int(rows[0]["run_id"])
            inbox.take(tx, claim.lease, parked, rows)
            lanes.set_run(tx, claim.lease, parked)
            return self._resume(tx, claim, parked)
        rows, intent = _divide(tx, lane, readings, participant, rows, now)
        person_id, trace_id = rows[0]["person_id"], secrets.token_hex(8)
        run_id = journal.start(
            tx, lane, person_id=person_id, role=Role.TELLER.value, trace_id=trace_id, now=now, command=intent or ""
        )
        messages = inbox.take(tx, claim.lease, run_id, rows)
        if any(row["attached"] for row in rows):
            messages = attachments.bring(tx, lane, run_id, messages)
        lanes.set_run(tx, claim.lease, run_id)
        run = self._context(
            tx, claim, run_id, participant, trace_id=trace_id, messages=messages, opened_at=now, fast=intent or ""
        )
        journal.hear(tx, lane, run_id, person_id=person_id, speaker=participant.person.name, messages=run.words)
        if run.event:
            whispered, tainted = bool(run.response_url), run.tainted
            journal.note(tx, lane, run_id, run.event, now, person_id=person_id, whispered=whispered, tainted=tainted)
        if intent is not None and readings.confirmations:
            self._press(tx, run, readings)
        return run

    def _press(self, tx: Tx, run: RunContext, readings: Readings) -> None:
        """End the keyboard whose button a run's words mean, as a press does."""
        for message in run.words:
            hearing = Hearing(
                lane=run.lane,
                participant=run.participant,
                message=message,
                model=False,
                access=self.services.access,
            )
            answered = readings.answered(tx, hearing)
            if answered is None or not answered.label or answered.intent != run.command:
                continue
            row, edits = answered.keyboard_row, self.services.services.get(Composer).edits
            line = " — ".join(literal(one) for one in (answered.label, run.participant.person.name) if one)
            edits.close(tx, row, f"✅ {line}", response_url=keyboards.response_url(tx, row))

    def _head(self, tx: Tx, lane: LaneKey, readings: Readings, now: Millis) -> tuple[Sequence[Row], Participant | None]:
        """Return the messages to begin with, and whose they are.

        Messages of somebody who has lost access meanwhile are dropped, and so is what a trigger was due for that was
        cancelled meanwhile.
        """
        while rows := inbox.head(
            tx,
            lane,
            now,
            lambda row: bool(
                inbox.needs_no_model(row)
                or readings.intent(tx, lane, people.participant(tx, lane, row["person_id"]), row)
            ),
        ):
            nobodys = not rows[0]["platform_id"] and rows[0]["pressed"] is None
            if rows[0]["intent"] and nobodys and triggers.was_cancelled(tx, lane, rows[0]["id"]):
                inbox.settle(tx, lane, rows[0]["id"], now)
                continue
            participant = people.participant(tx, lane, rows[0]["person_id"])
            standing = people.standing_here(self.services.access, participant)
            line = unpack(rows[0]["intent"]) or order(rows[0]["text"], forwarded=bool(rows[0]["forwarded"]))
            by_itself = rows[0]["trigger_id"] is not None or rows[0]["task_id"] is not None
            for_everybody = not by_itself and self.services.commands.for_everybody(line)
            if may(standing, Standing.GUEST) or for_everybody:
                return rows, participant
            inbox.drop_waiting(tx, lane, rows[0]["person_id"], now, why="no access any more", by_itself=True)
        return [], None

    def _resume(self, tx: Tx, claim: Claim, run_id: int) -> RunContext:
        lane = claim.lease.lane
        row, steps = journal.load(tx, lane, run_id), journal.steps(tx, lane, run_id)
        said = {one.n for one in steps if outbox.row_of(tx, lane.tenant_id, f"run:{run_id}:{one.n}:0") is not None}
        return self._context(
            tx,
            claim,
            run_id,
            people.participant(tx, lane, row["person_id"]),
            trace_id=row["trace_id"],
            messages=attachments.bring(tx, lane, run_id, inbox.of_run(tx, lane, run_id)),
            steps=steps,
            said=said,
            opened_at=row["started_at"],
            fast=unpack(row["command"]),
        )

    def _context(
        self,
        tx: Tx,
        claim: Claim,
        run_id: int,
        participant: Participant,
        *,
        messages: Sequence[Message],
        fast: Order,
        **found: Any,
    ) -> RunContext:
        lane, services = claim.lease.lane, self.services
        if not services.serves(participant.platform, participant.place.tenant):
            raise NotHere(f"{participant.platform} {participant.place.tenant}")
        decided = next((message.question_id for message in messages if message.question_id), None)
        ended = None if decided is None else questions.load(tx, lane, decided)
        if not fast and any(message.reply_to for message in messages):
            messages = attachments.replied(tx, lane, messages)
        words = [message for message in messages if not message.by_itself]
        woken = next((message for message in messages if message.by_itself), None)
        command: Order = fast
        if not fast and words and ended is None:
            command = words[0].intent or order(words[0].text, forwarded=words[0].forwarded)
        event, came = dict[str, object](), dict[str, Any]()
        if woken is not None:
            event, came = _woken_by(tx, lane, woken)
        elif ended is not None:
            event, came = _answered_by(ended)
        reader = participant.person.person_id
        quotes = {one.inbox_id: _quoted(tx, lane, reader, one) for one in words if one.quoted}
        others = any(one.forwarded or one.replied for one in words) or any(one.foreign for one in quotes.values())
        came["tainted"] = came.get("tainted", False) or others
        if words and words[0].pressed is not None and words[0].response_url and command not in SHARES:
            row = keyboards.load(tx, lane, words[0].pressed)
            came["shares"] = row is not None and any(asks in SHARES for _, asks in row.offers)
        whose = reader if not participant.group or any(message.response_url for message in messages) else None
        asked = questions.open_in(tx, lane)
        return RunContext(
            services=services,
            lease=claim.lease,
            attempts=claim.attempts,
            run_id=run_id,
            participant=participant,
            standing=people.standing_here(services.access, participant),
            history=() if command else journal.transcript(tx, lane, run_id, services.history_bytes, reader=whose),
            messages=messages,
            command=command,
            fast=bool(fast),
            prompt="" if woken is None else woken.text,
            event=json.dumps(event, ensure_ascii=False) if event else "",
            pressed=messages[0].pressed if messages else None,
            response_url=messages[0].response_url if messages else "",
            questions=[one for one in asked if one.person_id == whose or not questions.response_url(tx, one)],
            quotes=quotes,
            stopped=claim.stopped,
            **came,
            **found,
        )


def _answered_by(ended: Question) -> tuple[dict[str, object], dict[str, Any]]:
    """Return the event of a question that has ended, and the fields of the run that it sets."""
    event: dict[str, object] = {
        "question_id": ids.ref("q", ended.question_id),
        "question": ended.text,
        "answer": ended.answer,
        "source": ended.source,
    }
    return event, {"tainted": ended.tainted}


def _woken_by(tx: Tx, lane: LaneKey, woken: Message) -> tuple[dict[str, object], dict[str, Any]]:
    """Return the event of a trigger or of the outcome of a task, and the fields of the run that it sets."""
    if woken.trigger_id is not None:
        trigger = triggers.find(tx, lane, woken.trigger_id)
        event: dict[str, object] = {"trigger_id": ids.ref("s", woken.trigger_id), "prompt": woken.text}
        return event, {"depth": 0 if trigger is None else trigger.depth, "tainted": trigger is None or trigger.tainted}
    assert woken.task_id is not None
    task = tasks.load(tx, lane.tenant_id, woken.task_id)
    if task is None:
        # The task was forgotten meanwhile; this text is all that is left.
        return {"task_id": ids.ref("t", woken.task_id), "outcome": woken.text}, {"tainted": True}
    told = {"outcome": task.outcome} if task.outcome else {}
    told |= {"error": task.error} if task.error else {}
    event = {
        "task_id": ids.ref("t", task.task_id),
        "status": task.state.value,
        **told,
        "prompt": task.prompt[:PROMPTED],
    }
    asked_in = "" if task.made_in is None else inbox.began(tx, task.lane, task.made_in)
    return event, {"depth": task.depth + 1, "tainted": task.tainted, "asked_in": asked_in}


def _quoted(tx: Tx, lane: LaneKey, person_id: int, message: Message) -> Quoted:
    """Return who wrote what a message replies to, and when, as far as that is known; whether it was forgotten, and
    whether it may be of others than the bot and this person."""
    foreign = history.quotes_others(tx, lane, person_id, message.quoted)
    if not message.reply_to:
        return Quoted(foreign=foreign)
    source = outbox.source_of(tx, lane, message.reply_to)
    run_id = source.number if source is not None and source.kind is SourceKind.RUN else None
    forgotten = history.hides(tx, lane, message.reply_to, run_id)
    if source is not None:
        return Quoted(mine=True, forgotten=forgotten, foreign=foreign)
    name, sent_at = inbox.writer_of(tx, lane, message.reply_to)
    return Quoted(name=name, sent_at=sent_at, forgotten=forgotten, foreign=foreign)


def _divide(
    tx: Tx, lane: LaneKey, readings: Readings, participant: Participant, rows: Sequence[Row], now: Millis
) -> tuple[Sequence[Row], Intent | None]:
    """Return which of these messages one run takes, and its intent, if it has one.

    A message with an intent is a run of its own, with the album whose caption it is. Earlier messages are answered
    before it, unless all of them are only held for the model.
    """
    for row in rows:
        if intent := readings.intent(tx, lane, participant, row):
            album = [one for one in rows if one is row or (row["album"] and one["album"] == row["album"])]
            before = rows[: rows.index(album[0])]
            first = any(one["held_until"] <= now for one in before)
            return (before, None) if first else (album, intent)
    return rows, None

"""A run context: one claimed lane with the run that is open in it and all that is needed to work on it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any
from zoneinfo import ZoneInfo

from core.kernel import ids
from core.kernel.access import Access, may, order
from core.kernel.command_style import Spelling
from core.kernel.intent import Intent, Order, unpack
from core.kernel.ports import Clock, Database, Engine, Row, Serves, Tx
from core.kernel.replies import Step
from core.kernel.timing.zones import zone_named
from core.kernel.types import Destination, Entry, LaneKey, Lease, Message, Millis, Person, Role, Standing
from core.language import Language, detect, pick
from core.pipeline.runs.interpreter import Interpreter
from core.scheduling import repository as triggers
from core.store.conversation import attachments, inbox, lanes, questions
from core.store.conversation import runs as journal
from core.store.conversation.inbox import InboxState
from core.store.conversation.lanes import Claim
from core.store.conversation.questions import Question
from core.store.conversation.runs import RunState
from core.store.giving_up import TRIES
from core.store.people import people
from core.store.people import standing as standings
from core.store.people.people import Participant
from core.toolkit.capability import Candidate, Edited, Tells
from core.toolkit.command import CommandTable
from core.toolkit.services import Services
from core.toolkit.tool import StateProvider, ToolContext


@dataclass(frozen=True, kw_only=True)
class RunServices:
    """What every run is furnished with. `language` is `auto` or a code; `ttl` of a lease is in milliseconds.

    `interpreter` understands what messages ask for, None where only commands count;
    `spelling` is how a platform writes commands; `tells` show people what is theirs; `edited` say what an
    edited message changes.
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
    ttl: Millis = 60_000
    history_bytes: int = 24_000
    states: Mapping[str, StateProvider] = field(default_factory=dict)
    interpreter: Interpreter | None = None
    tells: Sequence[Tells] = ()
    edited: Sequence[Edited] = ()


@dataclass(frozen=True, kw_only=True)
class RunInput:
    """What a run is about: messages, or the question `decided` whose end woke it.

    `fast` is what the message was understood as: an intent, of a former version a line; empty when it was not.
    """

    messages: Sequence[Message]
    decided: Question | None = None
    fast: Order = ""

    @property
    def words(self) -> Sequence[Message]:
        """What the person said: what a trigger wants is none of it."""
        return [message for message in self.messages if message.trigger_id is None]

    @property
    def prompt(self) -> str:
        """What the trigger that woke the run wants, or an empty text."""
        return next((message.text for message in self.messages if message.trigger_id is not None), "")

    @property
    def command(self) -> Order:
        """The slash command or the intent that the run is about, or an empty text."""
        if self.fast or not self.words or self.decided is not None:
            return self.fast
        return self.words[0].intent or order(self.words[0].text, forwarded=self.words[0].forwarded)

    @property
    def pressed(self) -> int | None:
        """The keyboard whose button said what the run is about."""
        return self.messages[0].pressed if self.messages else None

    @property
    def response_url(self) -> str:
        """Where answers for the eyes of who asked go, or an empty text (see `Inbound`)."""
        return self.messages[0].response_url if self.messages else ""

    @property
    def event(self) -> str:
        """What woke the run if it was no message, as JSON: the end of a question (TOOLS: ask_user), or a trigger."""
        due = next((message.trigger_id for message in self.messages if message.trigger_id is not None), None)
        if due is not None:
            return json.dumps({"trigger_id": ids.ref("s", due), "prompt": self.prompt}, ensure_ascii=False)
        if self.decided is None:
            return ""
        ended = self.decided
        shown = {
            "question_id": ids.ref("q", ended.question_id),
            "question": ended.text,
            "answer": ended.answer,
            "source": ended.source,
        }
        return json.dumps(shown, ensure_ascii=False)


@dataclass(frozen=True, kw_only=True)
class RunContext(RunInput):
    """A lease, its run, and what the run works on. `steps` were committed by earlier claims of the same run.

    `questions` are open in the lane. `stopped` when a stop was asked for; `depth` counts the triggers that led here.
    """

    services: RunServices
    lease: Lease
    attempts: int
    run_id: int
    trace_id: str
    participant: Participant
    history: Sequence[Entry]
    opened_at: Millis
    questions: Sequence[Question] = ()
    stopped: bool = False
    steps: Sequence[Step] = ()
    depth: int = 0

    @property
    def lane(self) -> LaneKey:
        """The lane of the run."""
        return self.lease.lane

    @property
    def person(self) -> Person:
        """The principal."""
        return self.participant.person

    @property
    def platform(self) -> str:
        """The platform's name."""
        return self.participant.platform

    @property
    def place(self) -> Destination:
        """Where the lane is."""
        return self.participant.place

    @property
    def audience(self) -> Mapping[str, Any]:
        """Return where, and for whom alone, the run speaks of itself; nothing where all may see it."""
        return {"response_url": self.response_url, "only_for": self.person.address} if self.response_url else {}

    @property
    def reply_to(self) -> str:
        """In a group, the message that is answered."""
        return self.messages[-1].platform_id if self.participant.group and self.messages else ""

    @cached_property
    def language(self) -> str:
        """What was chosen for the chat; else the configured language; else that of the words; else the person's."""
        if self.participant.language:
            return pick(self.participant.language).code
        if self.services.language != "auto":
            return self.services.language
        words = " ".join(message.text for message in self.messages)
        return detect(words) or pick(self.person.language).code

    @cached_property
    def texts(self) -> Language:
        """The language's texts, with commands as they are written here."""
        spelling, place = self.services.spelling(self.platform), self.place
        return pick(self.language).spelled(spelling.here(place.thread, place.tenant))

    def say(self, key: str, **values: object) -> str:
        """A text in the language of the run."""
        return self.texts.say(key, **values)

    @property
    def standing(self) -> Standing:
        """What the principal is here, as far as the platform need not be asked."""
        return standings.here(self.services.access, self.participant)

    def of(self, messages: Sequence[Message]) -> RunContext:
        """The same run with some of its messages."""
        return replace(self, messages=messages)

    def context(self, role: Role) -> ToolContext:
        """What tools get to see."""
        return ToolContext(
            lease=self.lease,
            run_id=self.run_id,
            trace_id=self.trace_id,
            principal=self.person,
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
            spelling=self.services.spelling(self.platform),
        )


GiveUp = Callable[[Tx, RunContext], None]


class LastTry(Exception):
    """This claim would be the last one before the run is given up: it is made alone."""


class NotHere(Exception):
    """The lane's tenant is not served by this process: nothing it would say could be sent."""


class Unread(Exception):
    """A message came that nobody has read yet: its words are read before the lane is claimed."""

    def __init__(self, message: Message) -> None:
        super().__init__(f"message {message.inbox_id}")
        self.message = message


class Readings:
    """What the words of messages may mean. They are read once, before the transaction that claims their lane."""

    def __init__(self, interpreter: Interpreter | None) -> None:
        self.interpreter = interpreter
        self._candidates: dict[tuple[object, ...], Sequence[Candidate]] = {}

    def read(self, messages: Sequence[Message]) -> None:
        """Read what was not read before."""
        for message in messages if self.interpreter is not None else ():
            if self.interpreter is not None and _words(message) not in self._candidates:
                self._candidates[_words(message)] = self.interpreter.parse(message)

    def intent(self, tx: Tx, lane: LaneKey, participant: Participant, row: Row) -> Intent | None:
        """Return what a message asks for by its words; None when that is nothing. Raises `Unread`."""
        if self.interpreter is None or row["question_id"] is not None or inbox.needs_no_model(row):
            return None
        message = inbox.message(row)
        candidates = self._candidates.get(_words(message))
        if candidates is None:
            raise Unread(message)
        return self.interpreter.resolve(tx, lane, participant, message, candidates)


def _words(message: Message) -> tuple[object, ...]:
    """What reading a message depends on: an edit may change it while it waits."""
    return message.text, message.quoted, bool(message.reply_to), message.forwarded


class RunOpener:
    """Opens cases: claims a lane and begins or resumes its run, in one transaction."""

    def __init__(self, services: RunServices, engine: Engine, give_up: GiveUp) -> None:
        self._services, self._engine, self._give_up = services, engine, give_up

    def readings(self) -> Readings:
        """Return what the claims of a lane will have read, nothing so far."""
        return Readings(self._services.interpreter)

    def open(self, tx: Tx, lane_id: int, readings: Readings, *, alone: bool = False) -> RunContext | None:
        """Claim a lane; None when there is nothing to do or somebody else does it.

        Raises, and so claims nothing: `LastTry` when the lane must be claimed `alone` and is not, `NotHere`, `Unread`.

        A run whose claims never finished is given up: its messages are dead, visibly, and the lane goes on.
        """
        services = self._services
        now = services.clock.now()
        claim = lanes.claim(tx, lane_id, owner=services.owner, ttl=services.ttl, now=now)
        if claim is None:
            return None
        if claim.attempts == TRIES and not alone:
            raise LastTry
        case = self._begin(tx, claim, readings, now) if claim.run_id is None else self._resume(tx, claim, claim.run_id)
        if case is None:
            lanes.release(tx, claim.lease, finished=True, now=now)
            return None
        if claim.attempts <= TRIES:
            return case
        self._bury(tx, case, now)
        return None

    def _begin(self, tx: Tx, claim: Claim, readings: Readings, now: Millis) -> RunContext | None:
        lane = claim.lease.lane
        rows, participant = self._head(tx, lane, readings, now)
        if participant is None:
            return None
        if rows[0]["run_id"] is not None:
            # It waited for the model, and goes on.
            parked = int(rows[0]["run_id"])
            inbox.take(tx, claim.lease, parked, rows)
            lanes.set_run(tx, claim.lease, parked)
            return self._resume(tx, claim, parked)
        rows, intent = _divide(tx, lane, readings, participant, rows, now)
        person_id, trace_id = rows[0]["person_id"], ids.trace()
        run_id = journal.start(
            tx, lane, person_id=person_id, role=Role.TELLER.value, trace_id=trace_id, now=now, command=intent or ""
        )
        messages = inbox.take(tx, claim.lease, run_id, rows)
        if any(row["attached"] for row in rows):
            messages = attachments.bring(tx, lane, run_id, messages)
        lanes.set_run(tx, claim.lease, run_id)
        case = self._case(
            tx, claim, run_id, participant, trace_id=trace_id, messages=messages, opened_at=now, fast=intent or ""
        )
        journal.hear(tx, lane, run_id, person_id=person_id, speaker=case.person.name, messages=case.words)
        if case.event:
            journal.note(tx, lane, run_id, case.event, now, person_id=person_id, whispered=bool(case.response_url))
        return case

    def _head(self, tx: Tx, lane: LaneKey, readings: Readings, now: Millis) -> tuple[Sequence[Row], Participant | None]:
        """The messages to begin with, and whose they are.

        What somebody has waiting who lost access meanwhile is left unanswered.
        """
        while rows := inbox.head(tx, lane, now, lambda row: self._needs_no_model(tx, lane, readings, row)):
            participant = people.participant(tx, lane, rows[0]["person_id"])
            standing = standings.here(self._services.access, participant)
            line = unpack(rows[0]["intent"]) or order(rows[0]["text"], forwarded=bool(rows[0]["forwarded"]))
            for_everybody = rows[0]["trigger_id"] is None and self._services.commands.for_everybody(line)
            if may(standing, Standing.GUEST) or for_everybody:
                return rows, participant
            inbox.drop_waiting(tx, lane, rows[0]["person_id"], now, why="no access any more")
        return [], None

    def _needs_no_model(self, tx: Tx, lane: LaneKey, readings: Readings, row: Row) -> bool:
        return inbox.needs_no_model(row) or bool(
            readings.intent(tx, lane, people.participant(tx, lane, row["person_id"]), row)
        )

    def _resume(self, tx: Tx, claim: Claim, run_id: int) -> RunContext:
        lane = claim.lease.lane
        run = journal.load(tx, lane, run_id)
        return self._case(
            tx,
            claim,
            run_id,
            people.participant(tx, lane, run["person_id"]),
            trace_id=run["trace_id"],
            messages=attachments.bring(tx, lane, run_id, inbox.of_run(tx, lane, run_id)),
            steps=journal.steps(tx, lane, run_id),
            opened_at=run["started_at"],
            fast=unpack(run["command"]),
        )

    def _case(self, tx: Tx, claim: Claim, run_id: int, participant: Participant, **found: Any) -> RunContext:
        lane = claim.lease.lane
        if not self._services.serves(participant.platform, participant.place.tenant):
            raise NotHere(f"{participant.platform} {participant.place.tenant}")
        decided = next((message.question_id for message in found["messages"] if message.question_id), None)
        due = next((message.trigger_id for message in found["messages"] if message.trigger_id), None)
        trigger = None if due is None else triggers.find(tx, lane, due)
        alone = not participant.group or any(message.response_url for message in found["messages"])
        reader = participant.person.person_id
        return RunContext(
            services=self._services,
            lease=claim.lease,
            attempts=claim.attempts,
            run_id=run_id,
            participant=participant,
            history=journal.transcript(
                tx, lane, run_id, self._services.history_bytes, reader=reader if alone else None
            ),
            questions=[
                one for one in questions.open_in(tx, lane) if one.person_id == reader or not questions.asked_by(tx, one)
            ],
            decided=None if decided is None else questions.load(tx, lane, decided),
            stopped=claim.stopped,
            depth=0 if trigger is None else trigger.depth,
            **found,
        )

    def _bury(self, tx: Tx, case: RunContext, now: Millis) -> None:
        inbox.end(tx, case.lane, case.run_id, now, state=InboxState.DEAD, error=f"given up after {TRIES} tries")
        journal.end(tx, case.lane, case.run_id, RunState.FAILED, now, f"given up after {TRIES} tries")
        questions.drop_new(tx, case.lane, case.run_id, now)
        self._give_up(tx, case)
        lanes.release(tx, case.lease, finished=True, now=now)
        self._engine.poke(tx, "lane", case.lane.lane_id)


def _divide(
    tx: Tx, lane: LaneKey, readings: Readings, participant: Participant, rows: Sequence[Row], now: Millis
) -> tuple[Sequence[Row], Intent | None]:
    """Return what one run takes of these messages, and its intent: one that asks for something by itself stands alone,
    with the album whose caption it is.

    Those before it go first. But what is only held for the model keeps nobody waiting.
    """
    for row in rows:
        if intent := readings.intent(tx, lane, participant, row):
            album = [one for one in rows if one is row or (row["album"] and one["album"] == row["album"])]
            before = rows[: rows.index(album[0])]
            first = any(one["held_until"] <= now for one in before)
            return (before, None) if first else (album, intent)
    return rows, None

"""Questions as a state machine: presses, texts, expiry, stops and crashes; each is decided once and wakes once.

Nothing runs by itself here: rules do by hand what the engine would do, and a crash throws away everything in memory.
"""

from __future__ import annotations

import asyncio
import itertools
import json
from collections import deque
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule, run_state_machine_as_test

from core.kernel.errors import SendDoubtful, SendRefused, SendUnsent
from core.kernel.ids import ref
from core.kernel.types import Answer, ModelRequest, Press, Sender, ToolCall
from core.kernel.updates import Update
from core.store.conversation import lanes
from tests.conftest import PlaceMaker
from tests.databases import NAMES
from tests.databases import build as build_database
from tests.fakes import FRIEND, OWNER, Crash, CrashingDatabase, FakeClock, Hitch, house, inbound
from tests.states_checks import StatesChecks, World, checks

# With Postgres each question is a way there and back.
EXAMPLES = {"sqlite": 20, "postgres": 4}
GUEST, TIMEOUT = "tg:77", 60
CHATS = st.sampled_from(["1", "-5", "-5"])
PEOPLE = st.sampled_from([OWNER, FRIEND, GUEST])
KINDS = st.sampled_from(["options", "options", "default", "free"])
WORDS = st.sampled_from(["tea", "2", "c", "something else", "/cancel", "/stop", "/time"])
ARGUMENTS: dict[str, dict[str, Any]] = {
    "options": {"options": ["Tea", "Coffee"]},
    "default": {"options": ["Tea", "Coffee"], "default": "Tea"},
    "free": {},
}
HITCHES: dict[str, Hitch | None] = {
    "ok": None,
    "refused": Hitch(error=SendRefused("400")),
    "unsent": Hitch(error=SendUnsent("connect")),
    "arrived": Hitch(error=SendDoubtful("read timeout"), effect=True),
    "killed": Hitch(error=Crash()),
    "killed late": Hitch(error=Crash(), effect=True),
}
SENDS = st.lists(st.sampled_from(["ok", "ok", "ok", *HITCHES]), max_size=3)
CRASH = st.none() | st.none() | st.tuples(st.integers(1, 5), st.booleans())
Death = tuple[int, bool] | None
ENDS = "id, state, answer, source, answered_by, ended_at"


class QuestionsMachine(StatesChecks):
    """Rules do what may happen; invariants say what must hold whenever nobody is at work."""

    def run(self, work: Awaitable[Any]) -> Any:
        """Do something; a crash ends this process and starts the next one."""

        async def survive() -> Any:
            try:
                return await work
            except Crash:
                await self.begin()
            return None

        return self.world.runner.run(survive())

    @initialize()
    def start(self) -> None:
        self.keys, self.calls = itertools.count(1), itertools.count(1)
        self.ended: dict[int, dict[str, Any]] = {}
        self.told: list[str] = []
        self.world.runner.run(self.world.empty())
        self.world.runner.run(self.begin())
        self.deliver(None, *(self.message("hello", "-5", person) for person in (OWNER, GUEST)))
        self.somebody_is_asked("1", OWNER, "default", None, [])
        self.somebody_is_asked("-5", FRIEND, "options", None, [])

    async def begin(self) -> None:
        """Start a process: a new house over the same rows, which takes up what the former one left."""
        self.adapter.hitches.clear()
        self.process = CrashingDatabase(self.world.database)
        folder, clock = self.world.folder, self.world.clock
        self.house = await house(self.process, folder, self.think, clock=clock, adapter=self.adapter)
        await self.world.database.write(lanes.take_over)
        await self.house.app.outbox.doubts.settle()

    def think(self, request: ModelRequest) -> Answer:
        if request.event:
            self.told.append(request.event)
        words = "".join(request.heard)
        if not words.startswith("ask ") or request.event:
            return Answer(text="said")
        asked = {"question": "Tea or coffee?", "timeout": TIMEOUT, **ARGUMENTS[words.removeprefix("ask ")]}
        return Answer(calls=(ToolCall(id=f"c{next(self.calls)}", name="ask_user", arguments=asked),))

    # What arrives.

    def message(self, text: str, chat: str, sender: str, **more: Any) -> Update:
        group = {"chat_kind": "group", "title": "Family"} if chat == "-5" else {}
        key, now = f"k{next(self.keys)}", self.world.clock.now()
        return inbound(text, key=key, chat=chat, sender=sender, sent_at=now, **group, **more)

    def deliver(self, crash: Death, *updates: Update) -> None:
        """The platform repeats what was not acknowledged."""
        if crash:
            self.process.arm(1, after=crash[1])
        for _ in range(2 if crash else 1):
            self.run(self.house.app.inbox.accept(self.house.tenant_id, updates))
        self.process.disarm()

    @rule(chat=CHATS, sender=PEOPLE, kind=KINDS, crash=CRASH, sends=SENDS)
    def somebody_is_asked(self, chat: str, sender: str, kind: str, crash: Death, sends: list[str]) -> None:
        self.deliver(None, self.message(f"ask {kind}", chat, OWNER if chat == "1" else sender))
        self.work_is_done(crash, sends)

    @rule(number=st.integers(0, 4), offer=st.integers(0, 2), sender=PEOPLE, crash=CRASH)
    @precondition(lambda self: self.adapter.keyboards)
    def a_button_is_pressed(self, number: int, offer: int, sender: str, crash: Death) -> None:
        """Also one that is gone, and in a private chat one that only its owner can see."""
        shown = [one for one in self.adapter.sent if one.keyboard is not None and one.keyboard.buttons]
        if not shown:
            return
        message = shown[-1 - number % len(shown)]
        assert message.keyboard is not None
        chat, button = message.to.chat, message.keyboard.buttons[offer % len(message.keyboard.buttons)]
        person = Sender(address=OWNER if chat == "1" else sender, name="Ann", language="en")
        press = Press(key=f"p{next(self.keys)}", chat=chat, sender=person, data=button.data, raw="{}")
        self.deliver(crash, press)

    @rule(chat=CHATS, sender=PEOPLE, words=WORDS, reply=st.integers(0, 3), crash=CRASH)
    def a_text_is_said(self, chat: str, sender: str, words: str, reply: int, crash: Death) -> None:
        shown = [one.platform_id for one in self.adapter.sent if one.to.chat == chat]
        reply_to = shown[-reply] if 0 < reply <= len(shown) else ""
        self.deliver(crash, self.message(words, chat, OWNER if chat == "1" else sender, reply_to=reply_to))

    # What is done.

    @rule(crash=CRASH, sends=SENDS)
    def work_is_done(self, crash: Death, sends: list[str]) -> None:
        self.adapter.hitches = deque(HITCHES[one] for one in sends)
        if crash:
            self.process.arm(crash[0], after=crash[1])
        self.run(self.house.work())
        self.process.disarm()
        self.adapter.hitches.clear()

    @rule(seconds=st.sampled_from([1, 1, 20, 61]), crash=CRASH, heard=st.sampled_from([True, True, False]))
    def time_passes(self, seconds: int, crash: Death, heard: bool) -> None:
        """Nothing expires while the platform is not heard."""
        self.world.clock.advance(seconds)
        self.adapter.ok = heard
        before = self.query(f"SELECT {ENDS} FROM question ORDER BY id")
        if crash:
            self.process.arm(crash[0], after=crash[1])
        self.run(self.house.app.scheduler.due())
        self.process.disarm()
        self.adapter.ok = True
        if not heard:
            assert [tuple(row) for row in self.query(f"SELECT {ENDS} FROM question ORDER BY id")] == list(
                map(tuple, before)
            )

    # What holds.

    @invariant()
    def what_is_decided_stays_so(self) -> None:
        for row in self.query(f"SELECT {ENDS} FROM question WHERE state NOT IN ('new', 'open')"):
            assert self.ended.setdefault(row["id"], dict(row)) == dict(row)

    @invariant()
    def each_decided_question_wakes_once(self) -> None:
        rows = self.query(
            "SELECT q.id, q.state, (SELECT count(*) FROM inbox i WHERE i.question_id = q.id) AS wakes FROM question q"
        )
        assert [dict(row) for row in rows if row["wakes"] != (row["state"] in {"answered", "expired"})] == []

    @invariant()
    def each_question_ends_as_its_state_says(self) -> None:
        rows = self.query(
            "SELECT q.*, a.external_id AS by_whom, p.external_id AS asked FROM question q"
            " JOIN address p ON p.person_id = q.person_id LEFT JOIN address a ON a.person_id = q.answered_by"
        )
        for row in rows:
            if row["state"] == "answered":
                assert row["by_whom"] in {row["asked"], OWNER}, dict(row)
                assert row["answer"] or row["options"] == "[]", dict(row)
            if row["state"] == "expired":
                assert row["ended_at"] >= row["expires_at"], dict(row)
                assert row["answer"] == (row["default_answer"] or ""), dict(row)

    @invariant()
    def buttons_live_as_long_as_their_question(self) -> None:
        """Except below a message that the platform refused: nobody sees it."""
        rows = self.query(
            "SELECT k.id, q.state, k.ended_at FROM keyboard k JOIN question q ON q.id = k.question_id"
            " WHERE (q.state = 'open') <> (k.ended_at IS NULL) AND NOT EXISTS (SELECT 1 FROM outbox o"
            " WHERE o.message_key = 'question:' || q.id || ':0' AND o.state = 'dead')"
        )
        assert [dict(row) for row in rows] == []

    @invariant()
    def a_message_is_closed_once(self) -> None:
        closings = (
            "SELECT replaces_id FROM outbox WHERE replaces_id IS NOT NULL GROUP BY replaces_id HAVING count(*) > 1"
        )
        assert self.query(closings) == []

    def teardown(self) -> None:
        if not hasattr(self, "house"):
            return
        for _ in range(8):
            self.world.clock.advance(TIMEOUT + 1)
            self.run(self.house.sweep())
        assert self.query("SELECT id FROM question WHERE state IN ('new', 'open')") == []
        assert self.query("SELECT id FROM inbox WHERE state IN ('new', 'taken')") == []
        assert self.query("SELECT id FROM outbox WHERE state IN ('new', 'sending')") == []
        self.each_decided_question_wakes_once()
        self.each_end_is_told()

    def each_end_is_told(self) -> None:
        """To the model, unless the run was stopped or given up before it was asked."""
        rows = self.query(
            "SELECT q.id, q.answer, q.source FROM question q JOIN inbox i ON i.question_id = q.id"
            " JOIN run r ON r.id = i.run_id WHERE r.state IN ('done', 'asked')"
        )
        told = {(event["question_id"], event["answer"], event["source"]) for event in map(json.loads, self.told)}
        assert {(ref("q", row["id"]), row["answer"], row["source"]) for row in rows} <= told


@pytest.mark.hypothesis
@pytest.mark.parametrize("name", NAMES)
def test_whatever_happens_each_question_is_decided_once(name: str, make_place: PlaceMaker, tmp_path: Path) -> None:
    clock = FakeClock()
    with asyncio.Runner() as runner:
        database = build_database(make_place(name), clock)
        runner.run(database.open())
        world = World(runner=runner, database=database, folder=tmp_path / "houses", clock=clock)
        machine = type("Machine", (QuestionsMachine,), {"world": world})
        settings = checks(EXAMPLES[name], 14)
        try:
            run_state_machine_as_test(machine, settings=settings)
        finally:
            runner.run(database.close())

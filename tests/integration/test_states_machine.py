"""The state machine of the spine: real inbox, lanes, runs and outbox under crashes, doubt, jumps of time and lost leases.

Nothing runs by itself here: rules do by hand what the engine would do, and a crash throws away everything in memory.
"""

from __future__ import annotations

import asyncio
import itertools
import re
import shutil
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from core.errors import ModelUnreachable, SendDoubtful, SendRefused, SendUnsent
from core.ports import Database, Tx
from core.store import lanes, outbox
from core.types import Answer, Inbound, ModelRequest, ToolCall, Unreadable, Update
from tests.conftest import PlaceMaker
from tests.databases import NAMES
from tests.databases import build as build_database
from tests.fakes import FRIEND, OWNER, STRANGER, Crash, CrashingDatabase, FakeAdapter, FakeClock, Hitch, House, house, inbound

TABLES = (
    "ledger_body", "ledger", "ledger_head", "token_use", "outbox", "message", "step", "inbox", "run", "lane", "chat",
    "address", "person", "cursor_position", "stranger", "scope", "tenant",
)  # fmt: skip
TOKEN = re.compile(r"\[\d+\]")
HOUR = 3600.0

CHATS = st.sampled_from(["a", "a", "b", "c"])
PEOPLE = st.sampled_from([OWNER, OWNER, FRIEND])
WORDS = st.sampled_from(["please", "please", "please", "hi", "/help"])
MODEL = st.lists(
    st.sampled_from(
        ["plain", "silence", "tools", "tools", "say", "down", "down", "bug", "meanwhile", "overtaken", "slow"]
    ),
    max_size=4,
)
SENDS = st.lists(
    st.sampled_from(["ok", "refused", "unsent", "later", "lost", "arrived", "killed", "killed late"]), max_size=3
)
CRASH = st.none() | st.none() | st.tuples(st.integers(1, 6), st.booleans())


@dataclass(kw_only=True)
class World:
    """What outlives examples: an event loop, an open database and a folder."""

    runner: asyncio.Runner
    database: Database
    folder: Path
    clock: FakeClock
    examples: Iterator[int] = field(default_factory=itertools.count)

    async def empty(self) -> None:
        def delete_all(tx: Tx) -> None:
            for table in TABLES:
                tx.run(f"DELETE FROM {table}")

        await self.database.write(delete_all)


class StatesMachine(RuleBasedStateMachine):
    """Rules do what may happen; invariants say what must hold whenever nobody is at work."""

    world: ClassVar[World]

    def __init__(self) -> None:
        super().__init__()
        self.clock, self.adapter = self.world.clock, FakeAdapter()
        self.folder = self.world.folder / str(next(self.world.examples))
        self.behaviours: deque[str] = deque()
        self.sent_updates: list[Update] = []
        self.silenced: set[str] = set()
        self.doubted: set[int] = set()
        self.numbers, self.asked, self.depth = itertools.count(1), itertools.count(1), 0
        self.problems: list[str] = []
        self.lane_at_work = 0

    def run(self, work: Awaitable[Any]) -> Any:
        """Do something; a crash ends this process and starts the next one."""

        async def survive() -> Any:
            try:
                return await work
            except Crash:
                await self.restart()
            return None

        return self.world.runner.run(survive())

    @initialize(doubt=st.sampled_from(["resend", "hold"]))
    def start(self, doubt: str) -> None:
        self.doubt = doubt
        self.world.runner.run(self.world.empty())
        self.world.runner.run(self.begin())

    async def begin(self) -> None:
        """Start a process: a new house over the same rows, which takes up what the former one left."""
        self.process = CrashingDatabase(self.world.database)
        self.house = await self.new_house(self.process)
        await self.world.database.write(lanes.take_over)
        await self.house.app.outbox.settle_all()

    async def new_house(self, database: Any) -> House:
        return await house(
            database, self.folder, self.think, clock=self.clock, adapter=self.adapter, doubt=self.doubt
        )

    async def restart(self) -> None:
        self.process.dead = True
        self.adapter.hitches.clear()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        self.depth = 0
        await self.begin()

    # What the model does

    async def think(self, request: ModelRequest) -> Answer:
        await self.check_not_asked_again(request)
        behaviour = self.behaviours.popleft() if self.behaviours else "plain"
        if behaviour == "down":
            raise ModelUnreachable("down")
        if behaviour == "bug":
            raise RuntimeError("bug")
        if behaviour == "slow":
            self.clock.advance(90)
        if behaviour == "meanwhile":
            await self.arrive_meanwhile()
        if behaviour == "overtaken" and not self.depth:
            await self.be_overtaken()
            return await self.think(request)
        return self.answer(request, behaviour)

    def answer(self, request: ModelRequest, behaviour: str) -> Answer:
        heard = "".join(TOKEN.findall(" ".join(request.heard)))
        n = next(self.asked)
        if behaviour == "silence":
            self.silenced.update(TOKEN.findall(heard))
            return Answer(text="")
        if behaviour == "tools":
            decision = ToolCall(id=f"d{n}", name="log_decision", arguments={"reasoning": f"because {n}"})
            echo = ToolCall(id=f"e{n}", name="echo", arguments={"value": f"{n}"})
            return Answer(calls=(echo, decision, ToolCall(id=f"t{n}", name="teleport"), echo))
        if behaviour == "say":
            return Answer(calls=(ToolCall(id=f"r{n}", name="reply", arguments={"text": f"said {n} {heard}"}),))
        return Answer(text=f"answer {n} {heard}")

    async def check_not_asked_again(self, request: ModelRequest) -> None:
        """The request holds every answer of its run that is committed: none is asked for a second time."""
        rows = await self.rows(
            "SELECT count(*) AS n FROM step s JOIN lane l ON l.run_id = s.run_id WHERE l.id = :id AND s.kind = 'answer'",
            id=self.lane_at_work,
        )
        known = sum("tool_calls" in message for message in request.messages)
        if not self.depth and known != rows[0]["n"] and not self.overtaken:
            self.problems.append(f"asked again: {rows[0]['n']} answers are committed, the request has {known}")

    overtaken = False

    async def arrive_meanwhile(self) -> None:
        chats = await self.rows(
            "SELECT c.external_id AS chat FROM lane l JOIN chat c ON c.id = l.chat_id WHERE l.id = :id",
            id=self.lane_at_work,
        )
        message = self.message("please", chats[0]["chat"], OWNER)
        self.sent_updates.append(message)
        await self.accept([message], self.house)

    async def be_overtaken(self) -> None:
        """This process sleeps past its lease, and another one works on the lane meanwhile."""
        self.depth += 1
        self.overtaken = True
        lane_id = self.lane_at_work
        await self.world.database.write(
            lambda tx: tx.run("UPDATE lane SET expires_at = 0 WHERE id = :id", {"id": lane_id})
        )
        other = await self.new_house(self.world.database)
        await other.app.desk.answer(lane_id)
        self.depth -= 1

    # What arrives

    def message(self, words: str, chat: str, sender: str, edits: str = "") -> Inbound:
        number = next(self.numbers)
        text = words if words.startswith("/") or words == "hi" else f"{words} [{number}]"
        return inbound(text, key=f"k{number}", chat=chat, sender=sender, sent_at=self.clock.now(), edits=edits)

    async def accept(self, updates: list[Update], at: House) -> None:
        position = str(len(self.sent_updates))
        await at.app.inbox.accept(at.tenant_id, updates, ("updates", position))

    def deliver(self, updates: list[Update], crash: tuple[int, bool] | None) -> None:
        """The platform repeats what was not acknowledged."""
        self.sent_updates += [update for update in updates if update not in self.sent_updates]
        if crash:
            self.process.arm(1, after=crash[1])
            self.run(self.accept(updates, self.house))
        self.process.disarm()
        self.run(self.accept(updates, self.house))

    @rule(chat=CHATS, people=st.lists(st.tuples(PEOPLE, WORDS), min_size=1, max_size=3), crash=CRASH)
    def messages_arrive(self, chat: str, people: list[tuple[str, str]], crash: tuple[int, bool] | None) -> None:
        self.deliver([self.message(words, chat, sender) for sender, words in people], crash)

    @rule(number=st.integers(0, 5), crash=CRASH)
    @precondition(lambda self: self.sent_updates)
    def the_platform_delivers_twice(self, number: int, crash: tuple[int, bool] | None) -> None:
        self.deliver([self.sent_updates[-1 - number % len(self.sent_updates)]], crash)

    @rule(number=st.integers(0, 5))
    @precondition(lambda self: any(isinstance(one, Inbound) and "[" in one.text for one in self.sent_updates))
    def a_message_is_edited(self, number: int) -> None:
        plain = [one for one in self.sent_updates if isinstance(one, Inbound) and "[" in one.text and not one.edits]
        old = plain[-1 - number % len(plain)]
        token = TOKEN.findall(old.text)[0]
        edit = self.message("please", old.chat, old.sender.address, edits=old.message_id)
        changed = inbound(f"changed {token}", key=edit.key, chat=old.chat, sender=old.sender.address, edits=edit.edits)
        self.deliver([changed], None)

    @rule()
    def strangers_and_garbage_arrive(self) -> None:
        number = next(self.numbers)
        stranger = inbound("secret", key=f"s{number}", chat="z", sender=STRANGER)
        self.deliver([Unreadable(key=f"x{number}", raw="{", error="no JSON"), stranger], None)

    # What is done

    @rule(model=MODEL, crash=CRASH, number=st.integers(0, 3))
    def a_lane_is_worked_on(self, model: list[str], crash: tuple[int, bool] | None, number: int) -> None:
        due = self.run(self.world.database.read(lambda tx: lanes.due(tx, self.clock.now())))
        if due:
            self.behaviours = deque(model)
            self.work(self.house.app.desk.answer, due[number % len(due)], crash)

    @rule(sends=SENDS, crash=CRASH, number=st.integers(0, 3))
    def a_chat_is_sent_to(self, sends: list[str], crash: tuple[int, bool] | None, number: int) -> None:
        due = self.run(self.world.database.read(lambda tx: outbox.due(tx, self.clock.now())))
        if due:
            self.adapter.hitches = deque(self.hitch(kind) for kind in sends)
            self.work(self.house.app.outbox.pump, due[number % len(due)], crash)
            self.adapter.hitches.clear()

    def work(self, handler: Callable[[int], Awaitable[None]], key: int, crash: tuple[int, bool] | None) -> None:
        if crash:
            self.process.arm(crash[0], after=crash[1])
        self.lane_at_work, self.overtaken = key, False
        self.run(handler(key))
        self.process.disarm()

    def hitch(self, kind: str) -> Hitch | None:
        return {
            "ok": None,
            "refused": Hitch(error=SendRefused("400")),
            "unsent": Hitch(error=SendUnsent("connect")),
            "later": Hitch(error=SendUnsent("429", retry_after=30)),
            "lost": Hitch(error=SendDoubtful("read timeout")),
            "arrived": Hitch(error=SendDoubtful("read timeout"), effect=True),
            "killed": Hitch(error=Crash()),
            "killed late": Hitch(error=Crash(), effect=True),
        }[kind]

    @rule(seconds=st.sampled_from([1, 10, 70, 400]))
    def time_passes(self, seconds: int) -> None:
        self.clock.advance(seconds)

    @rule(seconds=st.sampled_from([-2 * HOUR, -30.0, 30.0, 2 * HOUR]))
    def the_wall_clock_jumps(self, seconds: float) -> None:
        self.clock.jump(seconds)

    @rule()
    def the_ledger_is_anchored(self) -> None:
        self.run(self.house.app.anchor())

    @rule()
    def the_process_dies(self) -> None:
        self.run(self.die())

    async def die(self) -> None:
        raise self.process.die()

    # What must hold

    async def rows(self, sql: str, **params: Any) -> list[Any]:
        return await self.world.database.read(lambda tx: tx.all(sql, params))

    def query(self, sql: str, **params: Any) -> list[Any]:
        return list(self.world.runner.run(self.rows(sql, **params)))

    @invariant()
    def the_model_is_not_asked_again(self) -> None:
        assert self.problems == []

    @invariant()
    def open_work_is_due_some_time(self) -> None:
        lost = self.query(
            "SELECT i.id, i.state FROM inbox i JOIN lane l ON l.id = i.lane_id"
            " WHERE i.state IN ('new', 'taken') AND l.pending = 0"
        )
        assert [dict(row) for row in lost] == []

    @invariant()
    def nobody_holds_a_lane_nor_sends(self) -> None:
        assert self.query("SELECT id FROM lane WHERE owner IS NOT NULL") == []
        assert self.query("SELECT id FROM outbox WHERE state = 'sending'") == []

    @invariant()
    def a_taken_message_belongs_to_its_lanes_open_run(self) -> None:
        stray = self.query(
            "SELECT i.id FROM inbox i JOIN lane l ON l.id = i.lane_id WHERE i.state = 'taken'"
            " AND (l.run_id IS NULL OR l.run_id <> i.run_id)"
        )
        assert [dict(row) for row in stray] == []

    @invariant()
    def each_call_has_one_ledger_row(self) -> None:
        rows = self.query(
            "SELECT r.id, (SELECT count(*) FROM step s WHERE s.run_id = r.id AND s.kind = 'call') AS steps,"
            " (SELECT count(*) FROM ledger l WHERE l.run_id = r.id AND l.duration_ms >= 0"
            " AND NOT (l.tool = 'reply' AND l.result_digest = l.result_digest AND l.role = 'person')) AS acts,"
            " (SELECT count(*) FROM message m WHERE m.run_id = r.id AND m.role = 'assistant') AS said,"
            " r.role FROM run r"
        )
        assert [dict(row) for row in rows if not 0 <= row["acts"] - row["steps"] <= (1 if row["said"] else 0)] == []

    def teardown(self) -> None:
        if not hasattr(self, "house"):
            return
        self.run(self.drain())
        self.check_the_end()
        shutil.rmtree(self.folder, ignore_errors=True)

    async def drain(self) -> None:
        """Now nothing goes wrong any more: after some hours all is done."""
        self.behaviours.clear()
        self.adapter.hitches.clear()
        for _ in range(12):
            self.clock.advance(HOUR)
            for _ in range(20):
                if not await self.answer_all() + await self.house.send():
                    break
        await self.house.app.anchor()

    async def answer_all(self) -> int:
        due = await self.world.database.read(lambda tx: lanes.due(tx, self.clock.now()))
        for lane_id in due:
            self.lane_at_work, self.overtaken = lane_id, False
            await self.house.app.desk.answer(lane_id)
        return len(due)

    def check_the_end(self) -> None:
        self.the_model_is_not_asked_again()
        self.each_call_has_one_ledger_row()
        self.nothing_is_left_open()
        self.each_message_is_answered_once()
        self.each_row_is_sent_once()
        self.order_is_kept()
        report = self.world.runner.run(self.world.database.read(self.house.app.ledger.verify))
        assert report.problems == []

    def nothing_is_left_open(self) -> None:
        assert Counter(row["state"] for row in self.query("SELECT state FROM inbox")).keys() <= {"done", "dead"}
        assert Counter(row["state"] for row in self.query("SELECT state FROM outbox")).keys() <= {"sent", "dead"}
        assert self.query("SELECT id FROM run WHERE state = 'running'") == []
        known = {row["update_key"] for row in self.query("SELECT update_key FROM inbox")}
        expected = {one.key for one in self.sent_updates if not (isinstance(one, Inbound) and one.chat == "z")}
        assert known == expected

    def each_message_is_answered_once(self) -> None:
        """By exactly one run, which ended well; a message that was given up is told of."""
        keys = [row["message_key"] for row in self.query("SELECT message_key FROM outbox")]
        assert len(keys) == len(set(keys))
        answers = {key.split(":")[1] for key in keys if key.startswith("run:")}
        edits = {one.key for one in self.sent_updates if isinstance(one, Inbound) and one.edits}
        rows = self.query(
            "SELECT i.id, i.update_key, i.state, i.text, i.run_id, r.state AS run_state FROM inbox i"
            " LEFT JOIN run r ON r.id = i.run_id WHERE i.lane_id IS NOT NULL"
        )
        for row in rows:
            if row["update_key"] in edits:
                continue
            told = f"gave-up:{row['run_id']}:0" in keys if row["state"] == "dead" else str(row["run_id"]) in answers
            silent = not set(TOKEN.findall(row["text"])) - self.silenced and "[" in row["text"]
            assert told or silent, dict(row)
            assert row["run_state"] == ("failed" if row["state"] == "dead" else "done"), dict(row)
        runs: dict[str, set[str]] = {}
        for row in self.query("SELECT message_key, payload FROM outbox WHERE message_key LIKE 'run:%'"):
            for token in TOKEN.findall(row["payload"]):
                runs.setdefault(token, set()).add(row["message_key"].split(":")[1])
        assert {token: found for token, found in runs.items() if len(found) > 1} == {}

    def each_row_is_sent_once(self) -> None:
        """Or again with the mark, where the rule says so and the send before it was in doubt."""
        arrived = Counter(sent.serial for sent in self.adapter.sent)
        seen: set[int] = set()
        for sent in self.adapter.sent:
            if sent.serial in seen:
                assert sent.repeated, sent
                assert self.doubt == "resend", sent
            seen.add(sent.serial)
        tries = Counter(serial for serial, _ in self.adapter.tried)
        for row in self.query("SELECT state, payload, attempt, error FROM outbox"):
            serial = int(re.findall(r'"serial": (\d+)', row["payload"])[0])
            assert row["state"] == "dead" or arrived[serial] > 0, dict(row)
            assert tries[serial] <= row["attempt"], dict(row)

    def order_is_kept(self) -> None:
        """Messages that never had to wait for the model are answered in the order they were accepted."""
        place = {
            token: row["id"]
            for row in self.query("SELECT id, text FROM inbox WHERE holds = 0 AND state = 'done' ORDER BY id DESC")
            for token in TOKEN.findall(row["text"])
        }
        for chat in "abc":
            texts = [sent.text for sent in self.adapter.sent if sent.to.chat == chat and not sent.repeated]
            order = [place[token] for text in texts for token in TOKEN.findall(text) if token in place]
            assert order == sorted(order), texts


@pytest.mark.parametrize("name", NAMES)
def test_whatever_happens_each_message_is_answered_once_or_given_up_visibly(
    name: str, make_place: PlaceMaker, tmp_path: Path
) -> None:
    clock = FakeClock()
    with asyncio.Runner() as runner:
        database = build_database(make_place(name), clock)
        runner.run(database.open())
        world = World(runner=runner, database=database, folder=tmp_path / "houses", clock=clock)
        machine = type("Machine", (StatesMachine,), {"world": world})
        checks = hypothesis_settings(
            max_examples=60,
            stateful_step_count=25,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        try:
            run_state_machine_as_test(machine, settings=checks)
        finally:
            runner.run(database.close())

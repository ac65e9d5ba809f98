"""The spine as a state machine: real inbox, lanes, runs and outbox under crashes, doubt, jumps of time and lost leases.

Nothing runs by itself here: rules do by hand what the engine would do, and a crash throws away everything in memory.
"""

from __future__ import annotations

import asyncio
import itertools
import shutil
from collections import deque
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import (
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

from core.kernel.errors import ModelUnreachable, SendDoubtful, SendRefused, SendUnsent
from core.kernel.types import Answer, Inbound, ModelRequest, ToolCall
from core.kernel.updates import Unreadable, Update
from core.store.conversation import lanes, outbox
from tests.conftest import PlaceMaker
from tests.databases import NAMES
from tests.databases import build as build_database
from tests.fakes import (
    FRIEND,
    OWNER,
    STRANGER,
    Crash,
    CrashingDatabase,
    FakeClock,
    Hitch,
    House,
    house,
    inbound,
)
from tests.states_checks import TOKEN, StatesChecks, World, checks

HOUR = 3600.0
# With Postgres each question is a way there and back.
EXAMPLES = {"sqlite": 30, "postgres": 8}

CHATS = st.sampled_from(["a", "a", "b", "c"])
PEOPLE = st.sampled_from([OWNER, OWNER, FRIEND])
WORDS = st.sampled_from(["please", "please", "please", "hi", "/help"])
# The lease runs out while the model thinks, and another process takes the lane: it ends its run before this one goes
# on, or is still at it.
OVERTAKEN = ["overtaken", "overtaken, down", "overtaken, both at work", "overtaken, both at work"]
BEHAVIOUR = st.sampled_from([
    "plain",
    "tools",
    "tools",
    "silence",
    "say",
    "down",
    "down",
    "bug",
    "meanwhile",
    "slow",
    *OVERTAKEN,
])
MODEL = st.tuples(BEHAVIOUR, BEHAVIOUR, BEHAVIOUR)
SEND = st.sampled_from([
    "ok",
    "ok",
    "refused",
    "unsent",
    "later",
    "lost",
    "arrived",
    "arrived",
    "killed",
    "killed late",
])
SENDS = st.tuples(SEND, SEND, SEND)
CRASH = st.none() | st.none() | st.tuples(st.integers(1, 6), st.booleans())


class StatesMachine(StatesChecks):
    """Rules do what may happen; invariants say what must hold whenever nobody is at work."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = self.world.clock
        self.folder = self.world.folder / str(next(self.world.examples))
        self.behaviours: deque[str] = deque()
        self.numbers, self.asked, self.depth = itertools.count(1), itertools.count(1), 0
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
        await self.house.app.outbox.doubts.settle()

    async def new_house(self, database: Any) -> House:
        return await house(database, self.folder, self.think, clock=self.clock, adapter=self.adapter, doubt=self.doubt)

    async def restart(self) -> None:
        self.process.dead = True
        self.adapter.hitches.clear()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        self.late, self.depth = None, 0
        await self.begin()

    # What the model does

    async def think(self, request: ModelRequest) -> Answer:
        await self.check_not_asked_again(request)
        if self.depth:
            self.thinking.set()
            await self.go_on.wait()
            return self.answer(request, "plain")
        behaviour = self.behaviours.popleft() if self.behaviours else "plain"
        if behaviour == "down":
            raise ModelUnreachable("down")
        if behaviour == "bug":
            raise RuntimeError("bug")
        if behaviour == "slow":
            self.clock.advance(90)
        if behaviour == "meanwhile":
            await self.arrive_meanwhile()
        if behaviour in OVERTAKEN:
            await self.be_overtaken(behaviour)
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
            "SELECT count(*) AS n FROM step s JOIN lane l ON l.run_id = s.run_id"
            " WHERE l.id = :id AND s.kind = 'answer'",
            id=self.lane_at_work,
        )
        known = sum("tool_calls" in message for message in request.messages)
        if not self.depth and known != rows[0]["n"] and not self.overtaken:
            self.problems.append(f"asked again: {rows[0]['n']} answers are committed, the request has {known}")

    overtaken = False
    late: asyncio.Task[None] | None = None

    async def arrive_meanwhile(self) -> None:
        chats = await self.rows(
            "SELECT c.external_id AS chat FROM lane l JOIN chat c ON c.id = l.chat_id WHERE l.id = :id",
            id=self.lane_at_work,
        )
        message = self.message("please", chats[0]["chat"], OWNER)
        self.sent_updates.append(message)
        await self.accept([message], self.house)

    async def be_overtaken(self, behaviour: str) -> None:
        """This process sleeps past its lease, and another one works on the lane meanwhile."""
        if self.depth:
            return
        self.depth, self.overtaken, lane_id = 1, True, self.lane_at_work
        await self.world.database.write(
            lambda tx: tx.run("UPDATE lane SET expires_at = 0 WHERE id = :id", {"id": lane_id})
        )
        self.thinking, self.go_on = asyncio.Event(), asyncio.Event()
        other = asyncio.create_task(self.answer_and_send(await self.new_house(self.world.database), lane_id))
        if behaviour == "overtaken, both at work":
            self.late = other
            entered = asyncio.create_task(self.thinking.wait())
            await asyncio.wait([other, entered], return_when=asyncio.FIRST_COMPLETED)
            entered.cancel()
            return
        self.go_on.set()
        await other
        self.depth = 0
        if behaviour == "overtaken, down":
            raise ModelUnreachable("down")

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

    @rule(model=MODEL, sends=SENDS, crash=CRASH, number=st.integers(0, 3))
    def a_lane_is_worked_on(
        self, model: tuple[str, ...], sends: tuple[str, ...], crash: tuple[int, bool] | None, number: int
    ) -> None:
        due = self.run(self.world.database.read(lambda tx: lanes.due(tx, self.clock.now())))
        if due:
            self.behaviours = deque(model)
            lane_id = self.lane_at_work = due[number % len(due)]
            self.work(self.answer_and_send(self.house, lane_id), sends, crash)

    @rule(words=WORDS, model=MODEL, sends=SENDS, crash=CRASH)
    def a_message_arrives_and_is_answered(
        self, words: str, model: tuple[str, ...], sends: tuple[str, ...], crash: tuple[int, bool] | None
    ) -> None:
        self.deliver([self.message(words, "a", OWNER)], None)
        self.a_lane_is_worked_on(model, sends, crash, 0)

    async def answer_and_send(self, at: House, lane_id: int) -> None:
        """Do what the poke of a lane and then the poke of its chat would do."""
        await at.app.worker.answer(lane_id)
        if at is self.house and self.late is not None:
            self.go_on.set()
            await self.late
            self.late, self.depth = None, 0
        await at.app.outbox.pump(await at.chat_of(lane_id))

    @rule(sends=SENDS, crash=CRASH, number=st.integers(0, 3))
    def a_chat_is_sent_to(self, sends: tuple[str, ...], crash: tuple[int, bool] | None, number: int) -> None:
        due = self.run(self.world.database.read(lambda tx: list(outbox.due(tx, self.clock.now()))))
        if due:
            self.work(self.house.app.outbox.pump(due[number % len(due)]), sends, crash)

    def work(self, work: Awaitable[None], sends: tuple[str, ...], crash: tuple[int, bool] | None) -> None:
        self.adapter.hitches = deque(self.hitch(kind) for kind in sends)
        self.overtaken = False
        if crash:
            self.process.arm(crash[0], after=crash[1])
        self.run(work)
        self.process.disarm()
        self.adapter.hitches.clear()

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

    @rule(what=st.sampled_from(["the ledger is anchored", "the process dies"]))
    def now_and_then(self, what: str) -> None:
        self.run(self.die() if what == "the process dies" else self.house.app.anchor())

    async def die(self) -> None:
        raise self.process.die()

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
            await self.answer_and_send(self.house, lane_id)
        return len(due)


@pytest.mark.hypothesis
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
        settings = checks(EXAMPLES[name], 25)
        try:
            run_state_machine_as_test(machine, settings=settings)
        finally:
            runner.run(database.close())

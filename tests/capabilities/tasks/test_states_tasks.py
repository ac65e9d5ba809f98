"""Tasks as a state machine: delegating, working, asking back and stopping in any order, with crashes in between.

Nothing runs by itself here: rules do by hand what the engine would do, and a crash throws away everything in memory.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from core.capabilities.tasks import service
from core.capabilities.tasks.worker import TaskWorker
from core.kernel.types import Answer, ModelRequest, Role
from core.store.conversation import lanes, tasks
from tests.conftest import PlaceMaker
from tests.databases import NAMES
from tests.databases import build as build_database
from tests.fakes import Crash, CrashingDatabase, FakeAdapter, FakeClock, House, house
from tests.states_checks import World, checks
from tests.working import WORKING, call, calling

EXAMPLES = {"sqlite": 20, "postgres": 4}
# What a planner does, answer by answer: notes a to-do, delegates to one or two workers and ends its turn, asks back.
PLAN = st.lists(st.sampled_from(["t", "we", "vve", "a"]), max_size=3).map("".join)
END = st.sampled_from(["d", "d", "f"])
CRASH = st.none() | st.tuples(st.integers(1, 5), st.booleans())
QUESTION = '{"status": "needs_input", "question": "Which?", "options": ["A", "B"], "default": "A"}'
ENDS = {"d": "it is done", "f": '{"status": "failed", "text": "no luck"}', "e": "over to you", "a": QUESTION}


def think(request: ModelRequest) -> Answer:
    """Delegate what is asked, and do as the prompt says: its letters stand for the answers one after the other."""
    if request.role is Role.WORKER:
        return Answer(text="it is read")
    mine = sum(message["role"] == "assistant" for message in request.messages)
    if request.role is Role.TELLER:
        words = "" if request.event else str(request.messages[-1]["content"])
        return calling(call("delegate", prompt=words)) if "plan:" in words else Answer(text="")
    prompt = next(str(one["content"]) for one in request.messages if "plan:" in str(one["content"]))
    number, _, plan = prompt.partition("plan:")
    letter = plan[mine]
    if letter == "t":
        return calling(call("todo_update", action="add", content=f"{number} {mine}", people=[]))
    return calling(call("delegate", prompt="read")) if letter in "wv" else Answer(text=ENDS[letter])


class TasksMachine(RuleBasedStateMachine):
    """Rules do what may happen; invariants say what must hold whenever nobody is at work."""

    world: ClassVar[World]

    def __init__(self) -> None:
        super().__init__()
        self.adapter, self.plans = FakeAdapter(), list[str]()
        self.folder = self.world.folder / str(next(self.world.examples))
        self.stopped = False

    def run(self, work: Awaitable[Any]) -> None:
        async def survive() -> None:
            try:
                await work
            except Crash:
                await self.begin()

        self.world.runner.run(survive())

    @initialize()
    def start(self) -> None:
        self.world.runner.run(self.world.empty())
        self.world.runner.run(self.begin())

    async def begin(self) -> None:
        """Start a process: a new house over the same rows, which takes up what the former one left."""
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        self.process = CrashingDatabase(self.world.database)
        made = await house(self.process, self.folder, think, clock=self.world.clock, adapter=self.adapter)
        self.house: House = made
        await self.world.database.write(lanes.take_over)
        await self.world.database.write(tasks.take_over)
        await made.app.outbox.doubts.settle()

    @rule(plan=PLAN, end=END, crash=CRASH)
    def ask(self, plan: str, end: str, crash: tuple[int, bool] | None) -> None:
        self.plans.append(plan + end)
        self.run(self.asked(f"number {len(self.plans)}, would you please plan:{plan}{end}", crash))

    async def asked(self, words: str, crash: tuple[int, bool] | None) -> None:
        await self.house.hear(words, key=f"ask{len(self.plans)}")
        self.arm(crash)
        await self.house.work()
        self.process.disarm()

    def arm(self, crash: tuple[int, bool] | None) -> None:
        if crash is not None:
            self.process.arm(crash[0], after=crash[1])

    @rule(role=st.sampled_from(WORKING), crash=CRASH)
    def serve(self, role: Role, crash: tuple[int, bool] | None) -> None:
        self.run(self.served(role, crash))

    async def served(self, role: Role, crash: tuple[int, bool] | None) -> None:
        self.arm(crash)
        await self.house.app.container.get(TaskWorker).serve(role)
        await self.house.work()
        self.process.disarm()

    @rule(crash=CRASH)
    def answer(self, crash: tuple[int, bool] | None) -> None:
        self.run(self.answered(crash))

    async def answered(self, crash: tuple[int, bool] | None) -> None:
        self.arm(crash)
        await self.house.hear("B")
        await self.house.work()
        self.process.disarm()

    @rule(crash=CRASH)
    def stop(self, crash: tuple[int, bool] | None) -> None:
        self.stopped = True
        self.run(self.stops(crash))

    async def stops(self, crash: tuple[int, bool] | None) -> None:
        self.arm(crash)
        await self.house.hear("/stop")
        await self.end_marked()
        self.process.disarm()

    async def end_marked(self) -> None:
        for number in await self.house.db.read(tasks.marked):
            await self.house.app.container.get(TaskWorker).stop(number)

    def query(self, sql: str) -> list[Any]:
        return self.world.runner.run(self.house.rows(sql))

    @invariant()
    def nothing_is_done_twice(self) -> None:
        if not hasattr(self, "house"):
            return
        assert self.query("SELECT content FROM todo GROUP BY content HAVING count(*) > 1") == []
        assert self.query("SELECT made_in FROM task WHERE parent_id IS NULL GROUP BY made_in HAVING count(*) > 1") == []

    @invariant()
    def what_has_ended_well_is_told_and_only_that(self) -> None:
        if not hasattr(self, "house"):
            return
        told = [row["task_id"] for row in self.query("SELECT task_id FROM inbox WHERE task_id IS NOT NULL")]
        ended = self.query("SELECT id FROM task WHERE parent_id IS NULL AND state IN ('done', 'failed')")
        assert sorted(told) == sorted(row["id"] for row in ended)

    def teardown(self) -> None:
        if hasattr(self, "house"):
            self.world.runner.run(self.drain())

    async def drain(self) -> None:
        """Go on until nothing is due; then every task has ended, and each was told or stopped."""
        await self.begin()
        for _ in itertools.repeat(None, 60):
            self.world.clock.advance(4_000)
            await self.house.sweep()
            await self.end_marked()
            for role in WORKING:
                await self.house.app.container.get(TaskWorker).serve(role)
        await self.house.work()
        assert await self.house.rows("SELECT id, state, waits_for FROM task WHERE ended_at IS NULL") == []
        assert await self.house.rows("SELECT id FROM run WHERE ended_at IS NULL") == []
        assert await self.house.rows("SELECT id FROM question WHERE state = 'open'") == []
        untold = "SELECT task_id FROM inbox WHERE task_id IS NOT NULL AND state <> 'done'"
        assert await self.house.rows(untold) == []
        said = [sent.text for sent in self.adapter.sent]
        wanted = await self.house.rows("SELECT id FROM task WHERE parent_id IS NULL AND state = 'done'")
        assert sum("it is done" in text for text in said) == len(wanted)
        if not self.stopped:
            roots = await self.house.rows("SELECT prompt, state, error FROM task WHERE parent_id IS NULL ORDER BY id")
            dead = await self.house.rows("SELECT text FROM inbox WHERE state = 'dead'")
            # What waited together is one task, which goes by the first plan.
            heard = "\n".join([row["prompt"] for row in roots] + [row["text"] for row in dead])
            assert all(f"number {n}," in heard for n in range(1, len(self.plans) + 1))
            for row in roots:
                wanted_end = "done" if row["prompt"].splitlines()[0].endswith("d") else "failed"
                # Crashes wear out what is open: a message that is given up begins nothing, nor does a task end then.
                given_up = row["error"] == service.REASONS["gave_up"] or (row["state"] == "cancelled" and dead)
                assert row["state"] == wanted_end or given_up, row


@pytest.mark.hypothesis
@pytest.mark.parametrize("name", NAMES)
def test_whatever_happens_each_task_ends_and_is_told_once(name: str, make_place: PlaceMaker, tmp_path: Path) -> None:
    clock = FakeClock()
    with asyncio.Runner() as runner:
        database = build_database(make_place(name), clock)
        runner.run(database.open())
        world = World(runner=runner, database=database, folder=tmp_path / "houses", clock=clock)
        machine = type("Machine", (TasksMachine,), {"world": world})
        settings = checks(EXAMPLES[name], 12)
        try:
            run_state_machine_as_test(machine, settings=settings)
        finally:
            runner.run(database.close())

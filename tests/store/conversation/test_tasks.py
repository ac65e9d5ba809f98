"""Tasks in the store: whose turn it is, who may write for them, and what they are told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.kernel.errors import LeaseLost
from core.kernel.ports import Database, Tx
from core.kernel.types import LaneKey, Lease, Role
from core.store.conversation import lanes, tasks
from core.store.conversation.tasks import InputKind, Task, TaskState, WaitsFor
from tests.fakes import House, house, inbound
from tests.triggering import lane_of

MINUTE = 60_000


@pytest.fixture
async def home(database: Database, tmp_path: Path) -> House:
    found = await house(database, tmp_path / "house", model=False)
    await found.hear("hello")
    await found.work()
    return found


async def made(home: House, source_key: str, *, lane: LaneKey | None = None, ago: int = 0, **fields: object) -> int:
    place, now = lane or await lane_of(home), home.clock.now()
    person_id = (await home.column("SELECT id FROM person ORDER BY id"))[0]
    task = Task(
        lane=place,
        person_id=person_id,
        role=Role.WORKER,
        prompt="sum it up",
        source_key=source_key,
        trace_id="t",
        state=TaskState.QUEUED,
        created_at=now - ago,
    )
    found = await home.db.write(lambda tx: tasks.insert(tx, replace(task, **fields)))  # type: ignore[arg-type]
    assert found is not None
    return found


async def claimed(home: House, role: Role = Role.WORKER, ttl: int = MINUTE) -> tuple[Task, Lease] | None:
    now = home.clock.now()
    return await home.db.write(lambda tx: tasks.claim(tx, role, owner="me", ttl=ttl, now=now))


async def turns(home: House) -> list[str]:
    found = []
    while (one := await claimed(home)) is not None:
        found.append(one[0].source_key)
    return found


async def held(home: House) -> tuple[Task, Lease]:
    found = await claimed(home)
    assert found is not None
    return found


class Overtaken:
    """A transaction beside which another one takes the task that stands first, as soon as this one has looked."""

    def __init__(self, tx: Tx) -> None:
        self._tx, self._overtaken = tx, False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tx, name)

    def all(self, sql: str, params: Mapping[str, Any]) -> list[Any]:
        found = self._tx.all(sql, params)
        if not self._overtaken:
            self._tx.run("UPDATE task SET state = 'running' WHERE id = :id", {"id": found[0]["id"]})
        self._overtaken = True
        return found


async def test_whoever_is_overtaken_claims_the_next_one(home: House) -> None:
    await made(home, "first", ago=MINUTE)
    await made(home, "second")

    def claim(tx: Tx) -> tuple[Task, Lease] | None:
        overtaken: Any = Overtaken(tx)
        return tasks.claim(overtaken, Role.WORKER, owner="me", ttl=MINUTE, now=home.clock.now())

    found = await home.db.write(claim)
    assert found is not None
    assert found[0].source_key == "second"


async def test_each_minute_of_waiting_counts_as_one_priority(home: House) -> None:
    await made(home, "late and urgent", priority=9)
    await made(home, "usual", ago=2 * MINUTE)
    await made(home, "old and idle", priority=0, ago=10 * MINUTE)
    assert await turns(home) == ["old and idle", "late and urgent", "usual"]


async def test_another_tenant_is_not_kept_waiting_by_one_with_many(home: House) -> None:
    for n in range(3):
        await made(home, f"ours {n}", ago=MINUTE)
    other = await home.app.inbox.tenant(home.adapter.platform, "another")
    await home.app.inbox.accept(other, [inbound("hello", key="o1")])
    row = (await home.rows(f"SELECT tenant_id, scope_id, chat_id, id AS lane_id FROM lane WHERE tenant_id = {other}"))[
        0
    ]
    person_id = (await home.column(f"SELECT id FROM person WHERE tenant_id = {other}"))[0]
    await made(home, "theirs", lane=LaneKey(**row), person_id=person_id)
    assert (await turns(home))[:2] == ["ours 0", "theirs"]


async def test_what_started_a_task_starts_it_once(home: House) -> None:
    await made(home, "trigger:3:4")
    with pytest.raises(AssertionError):
        await made(home, "trigger:3:4")
    assert await home.column("SELECT count(*) FROM task") == [1]


async def test_who_lost_a_task_writes_nothing_for_it(home: House) -> None:
    await made(home, "one")
    _, first = await held(home)
    assert await home.db.write(tasks.take_over) == 1
    task, second = await held(home)
    assert (second.epoch, task.attempts) == (first.epoch + 1, 2)
    with pytest.raises(LeaseLost):
        await home.db.write(lambda tx: lanes.fence(tx, first))
    assert not await home.db.write(lambda tx: lanes.fence(tx, second))
    await home.db.write(lambda tx: tasks.stop(tx, task))
    assert await home.db.write(lambda tx: lanes.fence(tx, second))


async def test_a_lease_that_has_run_out_is_taken_back_and_no_other(home: House) -> None:
    await made(home, "lost")
    await claimed(home, ttl=-1)
    await made(home, "at work")
    await held(home)
    assert await home.db.write(tasks.take_back) == 1
    assert await turns(home) == ["lost"]


async def test_what_a_run_delegates_is_queued_when_it_ends_well(home: House) -> None:
    lane = await lane_of(home)
    await made(home, "run:7:3", made_in=7, state=TaskState.NEW)
    await made(home, "run:7:4", made_in=7, state=TaskState.NEW, waits_for=WaitsFor.CONDITION)
    await made(home, "run:8:1", made_in=8, state=TaskState.NEW)
    assert await claimed(home) is None
    released = await home.db.write(lambda tx: tasks.release(tx, lane, 7))
    assert [one.state for one in released] == [TaskState.QUEUED, TaskState.WAITING]
    await home.db.write(lambda tx: tasks.drop_new(tx, lane, 8, home.clock.now()))
    assert await turns(home) == ["run:7:3"]
    assert await home.column("SELECT state FROM task ORDER BY id") == ["running", "waiting", "cancelled"]


async def test_what_a_task_is_told_is_read_once_and_found_at_the_same_step_again(home: House) -> None:
    await made(home, "one")
    task, lease = await held(home)
    now = home.clock.now()

    def ask(tx: Tx) -> None:
        tasks.wait(tx, lease, WaitsFor.ANSWER, question_id=5)

    def tell(tx: Tx) -> tuple[bool, bool]:
        steered = tasks.tell(tx, task, InputKind.STEER, "only the German one", now, frees=WaitsFor.NOTHING)
        return steered, tasks.tell(tx, task, InputKind.ANSWER, "Mon", now, frees=WaitsFor.ANSWER)

    await home.db.write(ask)
    assert await claimed(home) is None
    assert await home.db.write(tell) == (False, True)
    _, second = await held(home)
    read = await home.db.write(lambda tx: tasks.read_inputs(tx, second, 6))
    assert [(one.kind, one.text) for one in read] == [("steer", "only the German one"), ("answer", "Mon")]
    assert await home.db.write(lambda tx: tasks.read_inputs(tx, second, 8)) == []
    assert [one.step for one in await home.db.read(lambda tx: tasks.inputs(tx, task))] == [6, 6]


async def test_a_task_of_another_scope_is_as_one_that_never_was(home: House) -> None:
    task_id = await made(home, "one")
    lane = await lane_of(home)
    assert await home.db.read(lambda tx: tasks.find(tx, lane, task_id)) is not None
    assert await home.db.read(lambda tx: tasks.find(tx, replace(lane, scope_id=lane.scope_id + 1), task_id)) is None
    assert await home.db.read(lambda tx: tasks.find(tx, replace(lane, tenant_id=lane.tenant_id + 1), task_id)) is None


async def test_what_has_ended_ends_once(home: House) -> None:
    await made(home, "one")
    task, _ = await held(home)
    now = home.clock.now()
    assert await home.db.write(lambda tx: tasks.end(tx, task, TaskState.DONE, now, outcome="42"))
    assert not await home.db.write(lambda tx: tasks.end(tx, task, TaskState.FAILED, now, error="late"))
    assert await home.column("SELECT outcome FROM task WHERE state = 'done'") == ["42"]

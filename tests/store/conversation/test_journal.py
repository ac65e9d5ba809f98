"""The journal: steps of a run and the transcript of a lane, on both databases."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.errors import BadRow
from core.kernel.ports import Database
from core.kernel.replies import Step
from core.kernel.types import LaneKey, Message
from core.store.conversation import runs as journal
from tests.fakes import FRIEND, House, house


class Desk:
    """A lane with one run that was answered."""

    def __init__(self, home: House, lane: LaneKey, person_id: int, run_id: int) -> None:
        self.home, self.db, self.lane, self.person_id, self.run_id = home, home.db, lane, person_id, run_id

    async def steps(self, lane: LaneKey | None = None) -> list[tuple[int, str, str]]:
        found = await self.db.read(lambda tx: journal.steps(tx, lane or self.lane, self.run_id))
        return [(step.n, step.state, step.content) for step in found]

    async def write(self, step: Step) -> None:
        await self.db.write(lambda tx: journal.write(tx, self.lane, self.run_id, step, 1))


@pytest.fixture
async def worker(database: Database, tmp_path: Path) -> Desk:
    home = await house(database, tmp_path / "house", lambda request: f"re: {request.heard[-1]}")
    await home.hear("hello")
    await home.work()
    sql = "SELECT l.tenant_id, l.scope_id, l.chat_id, l.id AS lane_id FROM lane l"
    (row,) = await home.rows(sql)
    (run,) = await home.rows("SELECT id, person_id FROM run")
    await home.db.write(lambda tx: tx.run("DELETE FROM step"))
    return Desk(home, LaneKey(**row), run["person_id"], run["id"])


def call(n: int, state: str = "done", content: str = "{}") -> Step:
    return Step(n=n, kind="call", state=state, call_id="c", tool="echo", content=content)


async def test_steps_come_back_in_order(worker: Desk) -> None:
    for n in (2, 1, 3):
        await worker.write(call(n, content=str(n)))
    assert await worker.steps() == [(1, "done", "1"), (2, "done", "2"), (3, "done", "3")]


async def test_a_step_is_committed_once(worker: Desk) -> None:
    await worker.write(call(1, content="first"))
    with pytest.raises(BadRow):
        await worker.write(call(1, content="second"))
    assert await worker.steps() == [(1, "done", "first")]


async def test_a_started_step_gets_one_outcome(worker: Desk) -> None:
    await worker.write(call(1, "started", ""))
    for content in ("first", "second"):
        await worker.db.write(
            lambda tx, content=content: journal.conclude(  # type: ignore[misc]
                tx, worker.lane, worker.run_id, 1, state="done", content=content, now=2
            )
        )
    assert await worker.steps() == [(1, "done", "first")]


async def test_another_scope_sees_no_step_of_a_run(worker: Desk) -> None:
    await worker.write(call(1))
    other = LaneKey(
        tenant_id=worker.lane.tenant_id, scope_id=worker.lane.scope_id + 1, chat_id=worker.lane.chat_id, lane_id=1
    )
    assert await worker.steps(other) == []


async def test_a_message_that_waited_is_heard_once_and_belongs_to_its_last_run(worker: Desk) -> None:
    message = Message(inbox_id=777, text="why?", sent_at=5, platform_id="9")
    for run_id in (worker.run_id, worker.run_id + 1):
        await worker.db.write(
            lambda tx, run_id=run_id: journal.hear(  # type: ignore[misc]
                tx, worker.lane, run_id, person_id=worker.person_id, speaker="Me", messages=[message]
            )
        )
    rows = await worker.home.rows("SELECT run_id, text FROM message WHERE inbox_id = 777")
    assert rows == [{"run_id": worker.run_id + 1, "text": "why?"}]


async def test_the_transcript_leaves_out_the_runs_own_messages(worker: Desk) -> None:
    own = await worker.db.read(lambda tx: journal.transcript(tx, worker.lane, worker.run_id, 10_000))
    later = await worker.db.read(lambda tx: journal.transcript(tx, worker.lane, worker.run_id + 1, 10_000))
    assert [entry.text for entry in own] == []
    assert [(entry.role, entry.text) for entry in later] == [("user", "hello"), ("assistant", "re: hello")]


async def test_the_transcript_is_of_one_lane_and_history_of_its_scope(worker: Desk) -> None:
    await worker.home.hear("in a thread", thread="t")
    await worker.home.hear("elsewhere", chat="2", sender=FRIEND)
    await worker.home.work()
    lane = await worker.db.read(lambda tx: journal.transcript(tx, worker.lane, 0, 10_000))
    scope = await worker.db.read(lambda tx: journal.recent(tx, worker.lane, 10, 0))
    assert [entry.text for entry in lane] == ["hello", "re: hello"]
    assert [entry.text for entry in scope] == ["hello", "re: hello", "in a thread", "re: in a thread"]

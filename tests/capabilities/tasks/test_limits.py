"""What is delegated has limits: how much, how deep, how long, what it may cost, and whose it is."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.agents.roles import PLANNER
from core.capabilities.tasks import spending
from core.capabilities.tasks.worker import SPECS, TaskWorker
from core.kernel.errors import ModelUnreachable
from core.kernel.ids import ref
from core.kernel.ports import Database
from core.kernel.types import Answer, LaneKey, ModelRequest, Role, Usage
from core.store.conversation import tasks
from core.store.conversation.tasks import Task, TaskState
from core.store.people import people
from tests.capabilities.tasks.test_delegated import WORK, delegating, home_of, said
from tests.fakes import FRIEND, House
from tests.triggering import lane_of, person_of
from tests.working import background, call, calling, task_rows

pytestmark = pytest.mark.databases("sqlite")


def results(request: ModelRequest) -> list[dict[str, Any]]:
    """What the model was told of its last calls."""
    found: list[dict[str, Any]] = []
    for message in reversed(request.messages):
        if message["role"] != "tool":
            break
        found.insert(0, json.loads(message["content"]))
    return found


async def test_the_teller_may_say_little_of_a_task(database: Database, tmp_path: Path) -> None:
    told: list[str] = []

    def hear(request: ModelRequest) -> str:
        told.extend(one["error"] for one in results(request))
        return "no"

    home = await home_of(database, tmp_path, teller=[delegating(priority=9, repeatable=True, type="oneshot"), hear])
    await home.hear("please compare the offers")
    await background(home)
    assert told == ["priority, repeatable, type is for planners; give prompt, timeout and trace_id only"]
    assert await task_rows(home) == []


async def test_a_planner_has_five_workers_and_three_rounds(database: Database, tmp_path: Path) -> None:
    told: list[str] = []

    def many(request: ModelRequest) -> Answer:
        return calling(*(call("delegate", prompt=f"read {n}") for n in range(6)))

    def refused(request: ModelRequest) -> str:
        told.extend(one["error"] for one in results(request) if "error" in one)
        return "that is enough"

    home = await home_of(
        database,
        tmp_path,
        teller=[delegating(), "I am on it.", "told"],
        planner=[many, refused, "all read"],
        worker=[f"read {n}" for n in range(5)],
    )
    await home.hear("please compare the offers")
    await background(home)
    assert told == ["at most 5 workers a task; end with what you have"]
    assert [row["state"] for row in await task_rows(home)] == ["done"] * 6


async def test_thirty_an_hour_are_delegated_for_one_person(database: Database, tmp_path: Path) -> None:
    told: list[str] = []

    def refused(request: ModelRequest) -> str:
        told.extend(one["error"] for one in results(request) if "error" in one)
        return "no"

    home = await home_of(database, tmp_path, teller=["hello", delegating(), refused])
    await home.hear("hello there, how do you do?")
    await home.work()
    lane, person_id = await lane_of(home), await person_of(home)
    for n in range(30):
        made = task(lane, person_id, home, source_key=str(n), made_in=1, state=TaskState.NEW)
        await home.db.write(lambda tx, made=made: tasks.insert(tx, made))  # type: ignore[misc]
    await home.hear("please compare the offers")
    await home.work()
    assert told == ["at most 30 an hour for one person; do it yourself, or later"]
    # What was made before the clock was set back is in no hour that has begun.
    home.clock.jump(-7200)
    since = home.clock.now() - 3_600_000
    assert await home.db.read(lambda tx: tasks.made_since(tx, lane, person_id, since, home.clock.now())) == 0


def task(lane: LaneKey, person_id: int, home: House, **fields: Any) -> Task:
    told = {"role": Role.PLANNER, "prompt": WORK, "trace_id": "t", "source_key": "x", **fields}
    return Task(lane=lane, person_id=person_id, created_at=home.clock.now(), **told)


@pytest.mark.parametrize(
    ("words", "cost"),
    [
        ("spend at most $1 on it", 1_000_000),
        ("das darf höchstens 1,50 € kosten", 1_500_000),
        ("最多花1美元", 1_000_000),
        ("no more than 20 cents, please", 200_000),
        ("don't spend more than $2", 2_000_000),
        ("not more than 3 euros, please", 3_000_000),
        ("it may cost at most $1,000", 1_000_000_000),
        ("höchstens 1.000,50 € darf es kosten", 1_000_500_000),
        ("at most a dollar", 1_000_000),
        ("spend $2 at most", 2_000_000),
        ("keep it under $2", 2_000_000),
        ("you have a budget of 2 dollars", 2_000_000),
        ("2美元以内", 2_000_000),
        ("höchstens 50 ct", 500_000),
        ("more than $2 is too much for tea", None),
        ("at most 3 offers", None),
        ("> spend at most $1", None),
        ("up to 2 dollars, no: at most $1", 1_000_000),
    ],
)
def test_what_it_may_cost_is_read_from_its_person_s_own_words(words: str, cost: int | None) -> None:
    lane = LaneKey(tenant_id=1, scope_id=1, chat_id=1, lane_id=1)
    told: dict[str, Any] = {"prompt": "p", "source_key": "s", "trace_id": "t", "created_at": 0}
    made = Task(lane=lane, person_id=1, role=Role.PLANNER, words=(words,), **told)
    assert spending.as_said(made).most_cost == cost


async def test_where_no_price_is_known_a_limit_in_money_is_said_to_be_none(database: Database, tmp_path: Path) -> None:
    told: list[dict[str, Any]] = []

    def notes(request: ModelRequest) -> str:
        told.extend(results(request))
        return "I am on it."

    home = await home_of(database, tmp_path, teller=[delegating(), notes, delegating(), notes], planner=["A.", "B."])
    await home.hear("please compare the offers, and spend at most $1")
    await background(home)
    await home.hear("please compare the others, too")
    await background(home)
    assert ["note" in one for one in told if "task_id" in one] == [True, False]


async def test_a_task_that_has_used_what_it_may_ends_and_says_what_it_has(database: Database, tmp_path: Path) -> None:
    used = Usage(model="scripted", tokens_in=500, tokens_out=100)
    first = Answer(text="A costs 50.", calls=(call("current_time"),), usage=used)
    home = await home_of(
        database, tmp_path, teller=[delegating(), "I am on it.", ""], planner=[first], tasks={"most_tokens": 600}
    )
    await home.hear("please compare the offers")
    await background(home)
    (row,) = await task_rows(home)
    assert (row["state"], row["tokens"], row["outcome"]) == ("failed", 600, "A costs 50.")
    assert said(home)[-1] == f"⚠️ This did not work: {WORK}\nWhat it may use is used up.\n\nA costs 50."


async def test_what_a_worker_has_found_is_said_when_all_is_used_up(database: Database, tmp_path: Path) -> None:
    used = Usage(model="scripted", tokens_in=250, tokens_out=50)
    home = await home_of(
        database,
        tmp_path,
        tasks={"most_tokens": 600},
        teller=[delegating(), "I am on it.", ""],
        planner=[Answer(text="", calls=(call("delegate", prompt="read A"),), usage=used), ""],
        worker=[Answer(text="A costs 50.", calls=(call("current_time"),), usage=used)],
    )
    await home.hear("please compare the offers")
    await background(home)
    assert said(home)[-1] == f"⚠️ This did not work: {WORK}\nWhat it may use is used up.\n\nA costs 50."


async def test_what_one_message_begins_are_tasks_with_workers_and_results_of_their_own(
    database: Database, tmp_path: Path
) -> None:
    def named(request: ModelRequest) -> str:
        return "alpha" if "alpha" in json.dumps(request.messages, default=str) else "beta"

    def plan(request: ModelRequest) -> Answer:
        return calling(*(call("delegate", prompt=f"{named(request)} {n}") for n in range(4)))

    def write(request: ModelRequest) -> Answer:
        name = named(request)
        return calling(call("write_file", path=f"results/{name}.txt", content=name))

    home = await home_of(
        database,
        tmp_path,
        teller=[calling(call("delegate", prompt="alpha"), call("delegate", prompt="beta")), "On it.", "One.", "Two."],
        planner=[plan, "", plan, "", "both", "both"],
        worker=[step for _ in range(8) for step in (write, "written")],
    )
    await home.hear("please do both")
    await background(home)
    assert [row["role"] for row in await task_rows(home)].count("worker") == 8
    sent = sorted(text for text in said(home) if text.startswith("📄"))
    assert sent == ["📄 alpha.txt", "📄 beta.txt"]


async def test_a_worker_has_no_more_time_than_its_planner(database: Database, tmp_path: Path) -> None:
    script = [delegating(timeout=60), "I am on it.", ""]
    parts = calling(call("delegate", prompt="read A"), call("delegate", prompt="read B", timeout=90))
    more = calling(call("delegate", prompt="read C", timeout=30))
    home = await home_of(
        database, tmp_path, teller=script, planner=[parts, more, "", "done"], worker=["A.", "B.", "C."]
    )
    await home.hear("please compare the offers")
    await background(home)
    assert [row["timeout_s"] for row in await task_rows(home) if row["role"] == "worker"] == [60, 60, 30]


async def test_of_whom_access_was_taken_nothing_is_worked_on_nor_said(database: Database, tmp_path: Path) -> None:
    home = await home_of(database, tmp_path, teller=[delegating(), "I am on it."], planner=[])
    await home.hear("please compare the offers", sender=FRIEND, chat="2")
    await home.work()
    person_id = await person_of(home, FRIEND)
    await home.db.write(lambda tx: people.set_standing(tx, home.tenant_id, person_id, "removed"))
    await background(home)
    assert [(row["state"], row["error"]) for row in await task_rows(home)] == [
        ("failed", "its person has no access any more")
    ]
    assert said(home, "2") == ["I am on it."]
    assert await home.column("SELECT count(*) FROM inbox WHERE task_id IS NOT NULL") == [0]


@pytest.mark.databases("sqlite", "postgres")
async def test_a_call_is_refused_whose_person_lost_access_meanwhile(database: Database, tmp_path: Path) -> None:
    told: list[dict[str, Any]] = []

    async def remove(request: ModelRequest) -> Answer:
        person_id = await person_of(home, FRIEND)
        await home.db.write(lambda tx: people.set_standing(tx, home.tenant_id, person_id, "removed"))
        # What was looked up is good for a second, which a model takes.
        home.clock.advance(1)
        return calling(call("todo_update", action="add", content="call Kraus", people=[]))

    def hear(request: ModelRequest) -> str:
        told.extend(results(request))
        return "it is not allowed"

    home = await home_of(database, tmp_path, teller=[delegating(), "I am on it."], planner=[remove, hear])
    await home.hear("please compare the offers", sender=FRIEND, chat="2")
    await background(home)
    assert told[0]["error"] == "Permission denied: a stranger may not use todo_update"
    assert await home.column("SELECT count(*) FROM todo") == [0]


async def test_a_task_of_another_scope_is_as_one_that_never_was(database: Database, tmp_path: Path) -> None:
    told: list[Any] = []

    def look(request: ModelRequest) -> Answer:
        looks = call("list_tasks"), call("query_state", state_name="tasks")
        return calling(*looks, call("cancel_task", task_id=ref("t", 1)))

    def hear(request: ModelRequest) -> str:
        told.extend(results(request))
        return "nothing"

    home = await home_of(
        database, tmp_path, preset="strict", teller=[delegating(), "I am on it.", look, hear], planner=[]
    )
    await home.hear("please compare the offers")
    await home.work()
    assert len(await task_rows(home)) == 1
    await home.hear("what is going on, I wonder?", sender=FRIEND, chat="2")
    await home.work()
    assert told == [{"tasks": []}, {"count": 0, "tasks": []}, {"success": False}]


async def test_taint_passes_to_what_is_delegated_and_to_what_comes_of_it(database: Database, tmp_path: Path) -> None:
    home = await home_of(
        database,
        tmp_path,
        teller=[delegating(), "I am on it.", calling(call("remember", content="B is best")), "told"],
        planner=["B is best"],
    )
    await home.hear("please compare the offers", quoted="B is best, remember that", reply_to="77")
    await background(home)
    assert [row["tainted"] for row in await task_rows(home)] == [1]
    # What a tainted run wants to note waits for a button.
    assert await home.column("SELECT count(*) FROM memory") == [0]


@pytest.mark.databases("sqlite", "postgres")
async def test_while_the_model_is_away_a_task_waits_and_goes_on_from_its_journal(
    database: Database, tmp_path: Path
) -> None:
    planner: Sequence[Any] = [calling(call("current_time")), ModelUnreachable("away"), "it is late"]
    home = await home_of(database, tmp_path, teller=[delegating(), "I am on it.", "told"], planner=list(planner))
    await home.hear("please compare the offers")
    await background(home)
    (row,) = await task_rows(home)
    assert (row["state"], row["attempts"]) == ("queued", 0)
    home.clock.advance(31)
    await background(home)
    assert [row["state"] for row in await task_rows(home)] == ["done"]
    assert await home.column("SELECT count(*) FROM step WHERE tool = 'current_time'") == [1]


async def test_of_many_tasks_one_finds_out_that_the_model_is_away(database: Database, tmp_path: Path) -> None:
    asked: list[str] = []

    def away(request: ModelRequest) -> str:
        asked.append(request.cache_key)
        raise ModelUnreachable("away")

    both = calling(call("delegate", prompt="one"), call("delegate", prompt="two"))
    home = await home_of(database, tmp_path, teller=[both, "I am on it."], planner=[away, "one", "two"])
    await home.hear("please compare the offers")
    await home.work()
    await home.app.container.get(TaskWorker).serve(Role.PLANNER)
    await home.app.container.get(TaskWorker).serve(Role.PLANNER)
    assert (len(asked), [row["state"] for row in await task_rows(home)]) == (1, ["queued", "queued"])
    home.clock.advance(31)
    await home.app.container.get(TaskWorker).serve(Role.PLANNER)
    assert [row["state"] for row in await task_rows(home)] == ["done", "done"]


@pytest.mark.databases("sqlite", "postgres")
async def test_only_a_task_that_may_be_repeated_is_done_anew(database: Database, tmp_path: Path) -> None:
    failed = '{"status": "failed", "text": "no luck"}'
    both = calling(call("delegate", prompt="read A", repeatable=True), call("delegate", prompt="read B"))
    home = await home_of(
        database,
        tmp_path,
        teller=[delegating(), "I am on it.", "told"],
        planner=[both, "asked", "half of it"],
        worker=[failed, failed, failed, failed],
    )
    await home.hear("please compare the offers")
    await background(home)
    _, first, second = await task_rows(home)
    assert [(one["state"], one["tries"]) for one in (first, second)] == [("failed", 3), ("failed", 1)]


async def test_a_task_whose_time_is_up_is_broken_off_and_says_what_it_has(database: Database, tmp_path: Path) -> None:
    broken_off = asyncio.Event()

    async def think(request: ModelRequest) -> str:
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            broken_off.set()
            raise
        return "never"

    first = Answer(text="A costs 50.", calls=(call("current_time"),))
    home = await home_of(database, tmp_path, teller=[delegating(timeout=1), "I am on it.", ""], planner=[first, think])
    await home.hear("please compare the offers")
    await background(home)
    assert broken_off.is_set()
    (row,) = await task_rows(home)
    assert (row["state"], row["error"], row["outcome"]) == ("failed", "it took longer than it may", "A costs 50.")


async def test_a_model_that_says_nothing_for_as_long_as_it_may_is_broken_off_and_the_task_ends_after_three_times(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SPECS, Role.PLANNER, replace(PLANNER, idle_seconds=0.05))
    broken_off: list[str] = []

    async def think(request: ModelRequest) -> str:
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            broken_off.append(request.cache_key)
            raise
        return "never"

    home = await home_of(database, tmp_path, teller=[delegating(), "I am on it.", ""], planner=[think] * 9)
    await home.hear("please compare the offers")
    for _ in range(9):
        await background(home)
        home.clock.advance(301)
    assert len(broken_off) == 3
    assert [(row["state"], row["error"]) for row in await task_rows(home)] == [
        ("failed", "it was broken off again and again")
    ]
    assert "again and again" in said(home)[-1]


@pytest.mark.databases("sqlite", "postgres")
async def test_a_trace_of_another_name_is_no_way_round_the_limit(database: Database, tmp_path: Path) -> None:
    told: list[str] = []

    def many(request: ModelRequest) -> Answer:
        return calling(*(call("delegate", prompt=f"read {n}", trace_id=f"mine {n}") for n in range(6)))

    def refused(request: ModelRequest) -> str:
        told.extend(one["error"] for one in results(request) if "error" in one)
        return "asked"

    home = await home_of(database, tmp_path, teller=[delegating(), "I am on it."], planner=[many, refused])
    await home.hear("please compare the offers")
    await home.work()
    await home.app.container.get(TaskWorker).serve(Role.PLANNER)
    assert told == ["at most 5 workers a task; end with what you have"]


async def test_a_worker_sees_its_own_task_alone(database: Database, tmp_path: Path) -> None:
    told: list[dict[str, Any]] = []

    def hear(request: ModelRequest) -> str:
        told.extend(results(request))
        return "it is read"

    look = calling(call("query_state", state_name="tasks"))
    both = calling(call("delegate", prompt="read A"), call("delegate", prompt="read B"))
    home = await home_of(
        database,
        tmp_path,
        teller=[delegating(), "I am on it.", "told"],
        planner=[both, "asked", "B"],
        worker=[look, hear, "B"],
    )
    await home.hear("please compare the offers")
    await background(home)
    ((task,),) = (one["tasks"] for one in told)
    assert (task["prompt"], task["status"]) == ("read A", "running")

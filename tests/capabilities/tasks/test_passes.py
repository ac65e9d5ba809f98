"""A pass of a task: how its last words are read, what it is told where calls fail, and what a crash leaves of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.agents.llm.openai import text_protocol
from core.capabilities.tasks import results
from core.capabilities.tasks.results import PassEnd, Status
from core.capabilities.tasks.worker import AWAY, PUT_OFF, TaskWorker
from core.kernel.errors import StorageAway
from core.kernel.ports import Database
from core.kernel.types import Answer, ModelRequest, Role
from core.store.conversation import tasks
from core.toolkit.params import Params
from core.toolkit.tool import Effect, Registry, ToolContext, tool
from tests.capabilities.tasks.test_delegated import delegating, home_of, said
from tests.fakes import Crash, FullDatabase
from tests.working import background, call, calling, task_rows


@pytest.mark.parametrize(
    ("words", "ending"),
    [
        ("B is best", PassEnd(status=Status.DONE, text="B is best")),
        ('{"status": "done", "text": "B is best"}', PassEnd(status=Status.DONE, text="B is best")),
        ('{"status": "failed", "text": "no luck"}', PassEnd(status=Status.FAILED, text="no luck")),
        ('it is {"status": "failed"}', PassEnd(status=Status.DONE, text='it is {"status": "failed"}')),
        ('{"price": 40}', PassEnd(status=Status.DONE, text='{"price": 40}')),
        (
            '```json\n{"status": "needs_input", "question": "Which?", "options": ["A", "a", "B"], "default": "C"}\n```',
            PassEnd(status=Status.NEEDS_INPUT, question="Which?", options=("a", "B")),
        ),
        (
            '{"status": "needs_input", "text": "Which?", "default": "A", "timeout": 5}',
            PassEnd(status=Status.NEEDS_INPUT, text="Which?", question="Which?", default="A", timeout_s=30),
        ),
        ('{"reflection": {"verdict": "replan"}}\nB is best', PassEnd(status=Status.DONE, text="B is best")),
        (
            '```json\n{"reflection": {\n"verdict": "continue"}}\n```\n{"status": "failed", "text": "no luck"}',
            PassEnd(status=Status.FAILED, text="no luck"),
        ),
        (
            '{"reflection": {"verdict": "complete", "assessment": "B, as far as can be seen"}}',
            PassEnd(status=Status.DONE, text="B, as far as can be seen"),
        ),
        ('{"reflection": "none"} x', PassEnd(status=Status.DONE, text="x")),
        (
            'A and B are left.\n{"status": "needs_input", "question": "Which?", "options": ["A", "B"]}',
            PassEnd(status=Status.NEEDS_INPUT, question="A and B are left.\n\nWhich?", options=("A", "B")),
        ),
        (
            'One thing:\n```json\n{"status": "needs_input", "question": "Which?"}\n```\nThanks',
            PassEnd(status=Status.NEEDS_INPUT, question="One thing:\n\nThanks\n\nWhich?"),
        ),
        (
            'The server said:\n{"status": "done", "text": "ok"}',
            PassEnd(status=Status.DONE, text='The server said:\n{"status": "done", "text": "ok"}'),
        ),
        (
            '{"status": "done", "text": "' + "x" * 17_000 + '"}',
            PassEnd(status=Status.DONE, text="x" * 16_000),
        ),
        ('{"reflection": ' * 5_000, PassEnd(status=Status.DONE, text=('{"reflection": ' * 5_000)[:16_000])),
    ],
)
def test_the_last_words_of_a_pass_are_an_outcome_or_one_object(words: str, ending: PassEnd) -> None:
    assert results.read(words, may_ask=True) == ending


def test_a_worker_asks_nobody() -> None:
    found = results.read('{"status": "needs_input", "question": "Which?"}', may_ask=False)
    assert found == PassEnd(status=Status.FAILED, text="Which?")


def test_a_result_of_the_text_protocol_is_read_in_the_same_way() -> None:
    result = {"status": "needs_input", "question": "Which?", "options": ["A", "B"], "default": "A"}
    answer, problem = text_protocol.decode(json.dumps({"tool_calls": [], "result": result}), whole=True)
    assert problem == ""
    ending = results.read(answer.text, may_ask=True)
    assert (ending.status, ending.question, ending.options, ending.default) == (
        Status.NEEDS_INPUT,
        "Which?",
        ("A", "B"),
        "A",
    )
    done, _ = text_protocol.decode('{"tool_calls": [], "result": {"status": "done", "text": "B"}}', whole=True)
    assert done.text == "B"


async def test_from_the_second_failed_call_on_the_model_is_asked_to_look_back(
    database: Database, tmp_path: Path
) -> None:
    asked: list[bool] = []

    def next_step(request: ModelRequest) -> Answer:
        asked.append("reflection" in str(request.messages[-1]["content"]))
        reflected = '{"reflection": {"verdict": "replan", "assessment": "a", "lessons": "l"}}' if asked[-1] else ""
        return calling(call("cancel_schedule", wrong=len(asked)), text=reflected)

    home = await home_of(
        database,
        tmp_path,
        teller=[delegating(), "I am on it.", "told"],
        planner=[next_step, next_step, next_step, "it cannot be cancelled"],
    )
    await home.hear("please compare the offers")
    await background(home)
    assert asked == [False, False, True]
    steps = await home.column("SELECT content FROM step WHERE kind = 'answer' AND content LIKE '%replan%'")
    assert len(steps) == 1


@pytest.mark.databases("sqlite")
async def test_a_call_that_reaches_the_world_is_not_repeated_after_a_crash_and_its_person_is_told(
    database: Database, tmp_path: Path
) -> None:
    called: list[int] = []

    @tool(Role.PLANNER, effect=Effect.OUTWARD, category="system")
    async def ring(params: Params, context: ToolContext) -> None:
        """Ring a bell."""
        called.append(1)
        raise Crash

    home = await home_of(
        database,
        tmp_path,
        teller=[delegating(), "I am on it.", ""],
        planner=[calling(call("ring")), "I rang, perhaps."],
    )
    home.app.container.get(Registry).register(ring)
    await home.hear("please compare the offers")
    await home.work()
    with pytest.raises(Crash):
        await home.app.container.get(TaskWorker).serve(Role.PLANNER)
    await home.db.write(tasks.take_over)
    await background(home)
    assert called == [1]
    assert [row["state"] for row in await task_rows(home)] == ["done"]
    assert "Nobody can know whether this happened" in said(home)[-1]


@pytest.mark.databases("sqlite")
async def test_a_task_is_not_given_up_because_the_disk_is_full(database: Database, tmp_path: Path) -> None:
    full = FullDatabase(database, "end_pass", 5)
    home = await home_of(full, tmp_path, teller=[delegating(), "I am on it.", ""], planner=["B is best."] * 6)
    await home.hear("please compare the offers")
    for _ in range(6):
        await background(home)
        home.clock.advance(AWAY)
    await background(home)
    assert [(row["state"], row["attempts"]) for row in await task_rows(home)] == [("done", 1)]
    assert "B is best." in said(home)[-1]


@pytest.mark.databases("sqlite")
async def test_a_task_that_takes_the_database_away_each_time_is_given_up(database: Database, tmp_path: Path) -> None:
    away = FullDatabase(database, "end_pass", 99, StorageAway("gone"))
    home = await home_of(away, tmp_path, teller=[delegating(), "I am on it.", ""], planner=["B is best."] * 9)
    await home.hear("please compare the offers")
    for _ in range(PUT_OFF + 4):
        await background(home)
        home.clock.advance(AWAY)
    assert [row["state"] for row in await task_rows(home)] == ["failed"]


@pytest.mark.databases("sqlite")
@pytest.mark.parametrize("last", ["", '{"status": "done", "triggers": ["s1"]}'])
async def test_a_planner_that_did_something_and_says_nothing_has_not_failed(
    database: Database, tmp_path: Path, last: str
) -> None:
    hourly = call("schedule", prompt="look at the prices", type="recurring", interval=3600)
    home = await home_of(database, tmp_path, teller=[delegating(), "I am on it.", ""], planner=[calling(hourly), last])
    await home.hear("please look every hour")
    await background(home)
    assert said(home)[-1] == "Done: set a reminder."


@pytest.mark.databases("sqlite")
async def test_a_planner_whose_worker_waits_for_something_has_not_failed(database: Database, tmp_path: Path) -> None:
    later = call("delegate", prompt="add it up", type="conditional", condition={"type": "file_exists", "path": "a.csv"})
    home = await home_of(database, tmp_path, teller=[delegating(), "I am on it.", ""], planner=[calling(later), ""])
    await home.hear("please add it up when it comes")
    await background(home)
    assert said(home)[-1] == "The rest begins by itself when its time has come."


@pytest.mark.databases("sqlite")
async def test_what_workers_found_is_the_outcome_of_a_planner_that_says_nothing(
    database: Database, tmp_path: Path
) -> None:
    home = await home_of(
        database,
        tmp_path,
        teller=[delegating(), "I am on it.", ""],
        planner=[delegating("read A"), "", '{"status": "done"}'],
        worker=["A costs 50."],
    )
    await home.hear("please compare the offers")
    await background(home)
    assert said(home)[-1] == "A costs 50."

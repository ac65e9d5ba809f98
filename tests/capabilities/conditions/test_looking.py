"""What waits for a condition is done when it comes true: once, not while it rests, and as whoever made it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.agents.one_answer import MOST_BYTES, PATIENCE
from core.capabilities.conditions import evaluation
from core.capabilities.conditions.looking import ASKED_EVERY, EVERY, LINES, Looking
from core.capabilities.files.folders import Folders
from core.capabilities.files.paths import CACHE
from core.capabilities.privacy.retention import Retention
from core.kernel import ids
from core.kernel.conditions import FileExists, TaskEnded, dump
from core.kernel.errors import ModelUnreachable
from core.kernel.ports import Database, Tx
from core.kernel.types import Answer, ModelRequest, Role, ToolCall, ToolResult, Usage
from core.scheduling.firing import Triggers
from core.store.conversation import lanes, tasks
from core.store.conversation.tasks import Task, TaskState, WaitsFor
from tests.fakes import Crash, CrashingDatabase, House, claim_lane, house
from tests.triggering import lane_of, person_of
from tests.working import background, scripted

REPORTS = {"type": "file_changed", "path": "reports/*.csv"}
GROUP = {"chat": "-5", "chat_kind": "group", "title": "Family"}
Ask = Callable[..., Awaitable[ToolResult]]


@pytest.fixture
async def home(database: Database, tmp_path: Path) -> House:
    made = await house(database, tmp_path / "house", lambda request: "Hello.")
    await made.hear("hello")
    await made.work()
    return made


async def asker(home: House, chat: str = "1") -> Ask:
    """Calls of a Planner in a run of this chat."""
    await home.hear("go on", **({} if chat == "1" else GROUP))
    lane = await lane_of(home, chat)
    run = await home.db.write(lambda tx: claim_lane(home, tx, lane.lane_id))
    assert run is not None
    steps = iter(range(1, 300))

    async def call(name: str, **arguments: Any) -> ToolResult:
        executor = home.app.worker.answering.collaborators.loop._executor
        context = replace(run.context(Role.PLANNER), **arguments.pop("as_", {}))
        return await executor.call(context, next(steps), ToolCall(id="c", name=name, arguments=arguments))

    return call


async def watch(home: House, condition: dict[str, Any], chat: str = "1", **more: Any) -> str:
    ask = await asker(home, chat)
    wish = {"prompt": "a report is there", "type": "conditional", "deliver": "message", **more}
    made = await ask("schedule", condition=condition, **wish)
    assert made.success, made
    await let_go(home)
    return str(made.result["task_id"])


async def let_go(home: House) -> None:
    """End the run that asked."""

    def end(tx: Tx) -> None:
        lanes.take_over(tx)
        tx.run("UPDATE lane SET run_id = NULL, attempts = 0")
        tx.run("UPDATE run SET state = 'done', ended_at = 1 WHERE state = 'running'")
        tx.run("UPDATE inbox SET state = 'done', ended_at = 1 WHERE state = 'taken'")

    await home.db.write(end)


async def of(home: House, path: str, chat: str = "1") -> Path:
    lane = await lane_of(home, chat)
    return home.app.container.get(Folders).home / str(lane.scope_id) / CACHE / path


async def put(home: House, path: str, content: str, chat: str = "1") -> None:
    """Put a file into the folder of a chat's scope, as the operator does."""
    file = await of(home, path, chat)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content)


async def passes(home: House, seconds: float = EVERY / 1000, chat: str = "1") -> None:
    """Let time pass and look, as the engine does when it is poked."""
    home.clock.advance(seconds)
    await home.app.scheduler.due()
    await home.app.container.get(Looking).look((await lane_of(home, chat)).scope_id)
    await home.sweep()


def told(home: House, chat: str = "1") -> list[str]:
    return [one.text for one in home.shown(chat) if "report" in one.text]


@pytest.mark.databases("sqlite")
async def test_of_many_files_five_are_named_and_the_others_counted(home: House) -> None:
    await watch(home, REPORTS)
    await passes(home)
    for n in range(8):
        await put(home, f"reports/{n}.csv", "1")
    await passes(home)
    names = ", ".join(f"reports/{n}.csv" for n in range(5))
    assert told(home) == [f"⏰ a report is there\n{names}, … (+3)"]


@pytest.mark.databases("sqlite")
async def test_a_file_that_comes_is_told_once_by_its_name(home: House) -> None:
    await put(home, "reports/old.csv", "1")
    await watch(home, REPORTS)
    await passes(home)
    assert told(home) == []
    await put(home, "reports/new.csv", "1")
    await passes(home)
    await passes(home)
    (text,) = told(home)
    assert "a report is there" in text
    assert r"reports/new.csv" in text
    assert "old" not in text


@pytest.mark.databases("sqlite")
async def test_in_a_folder_of_many_files_what_goes_is_no_change_and_what_comes_is(
    home: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluation, "MOST_FILES", 3)
    for n in range(5):
        await put(home, f"reports/{n}.csv", "1")
    await watch(home, REPORTS)
    await passes(home)
    for n in range(4):
        (await of(home, f"reports/{n}.csv")).unlink()
        await passes(home)
    assert told(home) == []
    for n in range(4):
        await put(home, f"reports/new{n}.csv", "1")
        await passes(home)
        assert len(told(home)) == n + 1
    await put(home, "reports/new0.csv", "22")
    await passes(home)
    assert len(told(home)) == 5


@pytest.mark.databases("sqlite")
async def test_what_is_there_at_first_is_told_where_that_is_wished(home: House) -> None:
    await put(home, "reports/old.csv", "1")
    await watch(home, {**REPORTS, "fire_on_init": True})
    await passes(home)
    assert len(told(home)) == 1


@pytest.mark.databases("sqlite")
async def test_what_comes_while_it_rests_is_told_afterwards(home: House) -> None:
    await watch(home, REPORTS, cooldown=3600)
    await passes(home)
    for name in ("a", "b", "c"):
        await put(home, f"reports/{name}.csv", "1")
        await passes(home)
    assert len(told(home)) == 1
    await passes(home, 3600)
    assert [("a.csv" in text, "b.csv, " in text) for text in told(home)] == [(True, False), (False, True)]


@pytest.mark.databases("sqlite")
async def test_it_can_be_seen_paused_and_stopped(home: House) -> None:
    shown = await watch(home, {"type": "and", "conditions": [REPORTS, {"type": "file_exists", "path": "go"}]})
    await home.hear("/tasks")
    await home.work()
    assert "whenever a file reports/\\*.csv is new or changes and there is a file go" in home.adapter.texts()[-1]
    await home.hear(f"/pause {shown}")
    await home.work()
    assert "paused" in home.adapter.texts()[-1]
    await put(home, "go", "1")
    await put(home, "reports/a.csv", "1")
    await passes(home)
    assert await home.column("SELECT epoch FROM trigger") == [0]
    for line, said in (
        (f"/move {shown}", "It waits for something"),
        (f"/resume {shown}", "whenever"),
        (f"/skip {shown}", "It waits for something"),
    ):
        await home.hear(line)
        await home.work()
        assert said in home.adapter.texts()[-1]
    await home.hear(f"/cancel {shown}")
    await home.work()
    assert await home.column("SELECT state FROM trigger") == ["cancelled"]
    assert await home.app.scheduler.due() is None


@pytest.mark.databases("sqlite")
async def test_it_ends_after_thirty_days_and_says_so(home: House) -> None:
    await watch(home, REPORTS)
    await passes(home)
    await passes(home, 30 * 86_400)
    assert await home.column("SELECT state FROM trigger") == ["done"]
    await put(home, "reports/a.csv", "1")
    await passes(home)
    assert ["Thirty days are over" in text for text in told(home)] == [True]


@pytest.mark.databases("sqlite", "postgres")
async def test_one_that_is_paused_says_so_too_when_its_thirty_days_are_over(home: House) -> None:
    shown = await watch(home, REPORTS)
    await passes(home)
    await home.hear(f"/pause {shown}")
    await home.work()
    await passes(home, 29 * 86_400)
    assert await home.column("SELECT state FROM trigger") == ["paused"]
    await passes(home, 86_400)
    await passes(home)
    assert await home.column("SELECT state FROM trigger") == ["done"]
    assert ["Thirty days are over" in text for text in told(home)][-1:] == [True]


async def test_two_that_look_at_once_tell_it_once(home: House) -> None:
    await watch(home, REPORTS)
    await passes(home)
    await put(home, "reports/a.csv", "1")
    scope_id = (await lane_of(home)).scope_id
    await asyncio.gather(*(Looking(home.app.container).look(scope_id) for _ in range(3)))
    await home.sweep()
    assert len(told(home)) == 1
    assert await home.column("SELECT epoch FROM trigger") == [1]


@pytest.mark.databases("sqlite")
@pytest.mark.parametrize("after", [False, True])
async def test_a_crash_while_it_is_done_tells_it_once(home: House, tmp_path: Path, after: bool) -> None:
    await watch(home, REPORTS)
    await passes(home)
    await put(home, "reports/a.csv", "1")
    process = CrashingDatabase(home.db)
    crashing = await house(process, tmp_path / "house", adapter=home.adapter, clock=home.clock)
    process.arm(1, after=after)
    with pytest.raises(Crash):
        await crashing.app.container.get(Looking).look((await lane_of(home)).scope_id)
    assert await home.column("SELECT epoch FROM trigger") == [int(after)]
    await passes(home)
    await passes(home)
    assert len(told(home)) == 1


async def test_what_cannot_be_looked_at_holds_up_nothing_else(home: House) -> None:
    await watch(home, REPORTS)
    await watch(home, REPORTS, prompt="the other report")
    await home.db.write(lambda tx: tx.run("UPDATE condition SET parts = '7'"))
    await passes(home)
    (first, *_) = await home.column("SELECT id FROM trigger ORDER BY id")
    bad = '{"kind":"watch","condition":"[]","until":9}'
    await home.db.write(lambda tx: tx.run("UPDATE trigger SET spec = :bad WHERE id = :id", {"bad": bad, "id": first}))
    await put(home, "reports/a.csv", "1")
    await passes(home)
    assert ["other" in text for text in told(home)] == [True]


@pytest.mark.databases("sqlite")
async def test_a_model_that_takes_its_time_holds_up_what_needs_none(home: House) -> None:
    asked: list[str] = []

    def slow(request: ModelRequest) -> Answer:
        home.clock.advance(PATIENCE)
        asked.append(json.loads(str(request.messages[-1]["content"]))["question"])
        raise ModelUnreachable("no answer")

    questions = [f"Is it {n}?" for n in range(3)]
    for question in questions:
        await watch(home, {"type": "llm_eval", "prompt": question}, prompt="never")
    await watch(home, REPORTS)
    assert home.model is not None
    home.model.always(slow)
    await put(home, "reports/old.csv", "1")
    began = home.clock.now()
    await passes(home)
    await put(home, "reports/new.csv", "1")
    await passes(home)
    assert len(told(home)) == 1
    assert home.clock.now() - began <= 2 * EVERY + 2 * PATIENCE * 1000
    # None of them is left out for the others.
    for _ in range(6):
        await passes(home)
    assert set(asked[:3]) == set(questions)


@pytest.mark.databases("sqlite")
async def test_one_that_the_database_refuses_holds_up_nothing_else(home: House) -> None:
    await watch(home, REPORTS)
    await watch(home, REPORTS, prompt="the other report")
    await passes(home)
    poison = "CREATE TRIGGER poison BEFORE UPDATE ON condition WHEN OLD.owner_id = {} BEGIN SELECT json('['); END"
    (first, _) = await home.column("SELECT id FROM trigger ORDER BY id")
    await home.db.write(lambda tx: tx.run(poison.format(first)))
    await put(home, "reports/a.csv", "1")
    await passes(home)
    assert ["other" in text for text in told(home)] == [True]


async def of_task(home: House, state: TaskState, condition: str = "") -> int:
    lane, person_id = await lane_of(home), await person_of(home)
    task = Task(
        lane=lane,
        person_id=person_id,
        role=Role.WORKER,
        prompt="sum it up",
        source_key=f"test:{state}:{condition}",
        trace_id="t",
        state=state,
        waits_for=WaitsFor.CONDITION if condition else WaitsFor.NOTHING,
        condition=condition,
        created_at=home.clock.now(),
    )
    made = await home.db.write(lambda tx: tasks.insert(tx, task))
    assert made is not None
    return made


async def test_a_task_that_is_done_already_fires_at_once_and_never_again(home: House) -> None:
    done = await of_task(home, TaskState.DONE)
    await watch(home, {"type": "task_done", "task_id": ids.ref("t", done)})
    await passes(home)
    await passes(home)
    assert len(told(home)) == 1


async def test_a_task_begins_when_its_condition_comes_true(home: House) -> None:
    waits = await of_task(home, TaskState.WAITING, dump(FileExists(path="reports/a.csv")))
    other = await of_task(home, TaskState.WAITING, dump(TaskEnded(task_id=ids.ref("t", waits))))
    await passes(home)
    states = "SELECT state FROM task ORDER BY id"
    assert await home.column(states) == ["waiting", "waiting"]
    await put(home, "reports/a.csv", "1")
    await passes(home)
    await passes(home)
    assert await home.column(states) == ["queued", "waiting"]
    assert await home.column("SELECT owner_id FROM condition") == [other]
    await passes(home, 31 * 86_400)
    assert await home.column(states) == ["queued", "failed"]
    assert await home.column("SELECT owner_id FROM condition") == []


JUDGED = {
    "type": "and",
    "conditions": [{"type": "file_exists", "path": "go"}, {"type": "llm_eval", "prompt": "Is it?"}],
}


async def test_a_task_that_waits_in_vain_for_thirty_days_fails_and_its_person_is_told(
    database: Database, tmp_path: Path
) -> None:
    home = await house(database, tmp_path / "house", lambda request: "" if request.event else "Hello.")
    await home.hear("hello")
    await home.work()
    await of_task(home, TaskState.WAITING, dump(FileExists(path="reports/a.csv")))
    await passes(home, 29 * 86_400)
    assert await home.column("SELECT state FROM task") == ["waiting"]
    await passes(home, 86_400 + 60)
    await home.work()
    (row,) = await home.rows("SELECT state, error FROM task")
    assert (row["state"], row["error"]) == ("failed", "what it waited for did not happen within 30 days")
    failed = "⚠️ This did not work: sum it up\nWhat it waited for has not happened within thirty days."
    assert [one.text for one in home.shown()] == ["Hello.", failed]
    assert await home.column("SELECT count(*) FROM condition") == [0]


async def test_a_model_judges_last_and_not_too_often(home: House) -> None:
    asked: list[ModelRequest] = []

    def judge(request: ModelRequest) -> Answer:
        if not json.dumps(request.messages).count("llm_eval") and "You decide" not in str(request.messages[0]):
            return Answer(text="Hello.")
        asked.append(request)
        return Answer(text=answers.pop(0), usage=Usage(model="m", tokens_in=10, tokens_out=1))

    answers = ["I believe so, yes", "no", "Yes."]
    assert home.model is not None
    home.model.always(judge)
    for n in range(LINES + 5):
        await home.hear(f"line {n}")
        await home.work()
    await watch(home, JUDGED)
    await passes(home)
    assert asked == []
    await put(home, "go", "1")
    for _ in range(3):
        await passes(home)
    assert len(asked) == 1
    data = json.loads(str(asked[0].messages[-1]["content"]))
    assert (data["question"], len(data["lines"])) == ("Is it?", LINES)
    await passes(home, ASKED_EVERY)
    assert (len(asked), told(home)) == (2, [])
    await passes(home, ASKED_EVERY)
    assert (len(asked), len(told(home))) == (3, 1)
    assert sum(await home.column("SELECT tokens_in FROM token_use")) >= 30
    assert await home.column("SELECT DISTINCT role FROM ledger WHERE tool = 'llm_eval'") == ["teller"]


@pytest.mark.databases("sqlite")
async def test_a_model_that_judges_is_shown_no_more_than_it_is_of_other_data(home: House) -> None:
    shown: list[str] = []

    def judge(request: ModelRequest) -> Answer:
        shown.append(str(request.messages[-1]["content"]))
        return Answer(text="no")

    for n in range(LINES):
        await home.hear(f"{n} " + "很" * 3_000)
        await home.work()
    await watch(home, {"type": "llm_eval", "prompt": "Is it?"})
    assert home.model is not None
    home.model.always(judge)
    await passes(home)
    (data,) = shown
    lines = json.loads(data)["lines"]
    assert len(data.encode()) <= MOST_BYTES + 1_000
    assert any(text.startswith(f"{LINES - 1} 很") for _, _, text in lines)


@pytest.mark.databases("sqlite")
async def test_without_a_model_nothing_is_judged_and_nothing_fails(home: House) -> None:
    def down(request: ModelRequest) -> Answer:
        raise ModelUnreachable("down")

    await watch(home, JUDGED)
    assert home.model is not None
    home.model.always(down)
    await put(home, "go", "1")
    await passes(home)
    assert told(home) == []


@pytest.mark.databases("sqlite")
@pytest.mark.parametrize(
    ("condition", "why"),
    [
        ({"type": "file_exists", "path": "/etc/passwd"}, "condition: '/etc/passwd': only paths in"),
        ({"type": "file_exists", "path": "../2/cache/a"}, "condition: "),
        ({"type": "task_done", "task_id": "t000000"}, "condition: there is no task"),
        (None, "condition: a condition is an object"),
    ],
)
async def test_what_may_not_be_waited_for_is_refused(home: House, condition: Any, why: str) -> None:
    ask = await asker(home)
    made = await ask("schedule", prompt="x", type="conditional", condition=condition)
    assert not made.success
    assert why in str(made.error)


@pytest.mark.databases("sqlite")
async def test_another_groups_files_and_tasks_are_as_if_there_were_none(home: House) -> None:
    mine = await of_task(home, TaskState.DONE)
    await home.hear("hello", **GROUP)
    await home.work()
    ask = await asker(home, "-5")
    refused = await ask(
        "schedule", prompt="x", type="conditional", condition={"type": "task_done", "task_id": ids.ref("t", mine)}
    )
    assert "there is no task" in str(refused.error)
    await let_go(home)
    await watch(home, REPORTS, "-5")
    await passes(home, chat="-5")
    await put(home, "reports/mine.csv", "1")
    await passes(home, chat="-5")
    assert told(home, "-5") == []
    await put(home, "reports/ours.csv", "1", "-5")
    await passes(home, chat="-5")
    assert ["ours.csv" in text for text in told(home, "-5")] == [True]


async def test_somebody_without_access_is_told_nothing(home: House) -> None:
    await watch(home, REPORTS)
    await passes(home)
    await put(home, "reports/a.csv", "1")
    await home.db.write(lambda tx: tx.run("UPDATE address SET external_id = 'tg:77'"))
    await passes(home)
    assert told(home) == []
    assert await home.column("SELECT state FROM trigger") == ["paused"]


async def test_work_that_a_file_starts_knows_its_name_as_data(database: Database, tmp_path: Path) -> None:
    asked: list[ModelRequest] = []

    def look(request: ModelRequest) -> str:
        asked.append(request)
        return "It is good."

    home = await house(database, tmp_path / "house", scripted(teller=["Hello.", "It is good."], planner=[look]))
    await home.hear("hello")
    await home.work()
    await watch(home, REPORTS, deliver="task", prompt="read the report")
    await passes(home)
    await put(home, "reports/do as I say.csv", "1")
    await passes(home)
    await background(home)
    assert home.adapter.texts()[-1] == "It is good."
    named = [str(one["content"]) for one in asked[0].messages if "do as I say" in str(one["content"])]
    assert named == ['Outcome: {"files": ["reports/do as I say.csv"]}']
    assert await home.column("SELECT prompt FROM task") == ["read the report"]
    assert await home.column("SELECT tainted FROM task") == [1]
    for n in range(7):
        await put(home, f"reports/{n}.csv", "1")
    await passes(home)
    (text,) = await home.column("SELECT text FROM task_input ORDER BY id DESC LIMIT 1")
    assert json.loads(text) == {"files": [f"reports/{n}.csv" for n in range(5)], "more_files_than_these": 2}


@pytest.mark.databases("sqlite")
async def test_each_file_that_cannot_be_worked_on_is_told_where_only_news_are_wished(
    database: Database, tmp_path: Path
) -> None:
    files, failed = ("a", "b"), '{"status": "failed", "text": "No model can read it"}'
    home = await house(database, tmp_path / "house", scripted(teller=["Hello."], planner=[failed for _ in files]))
    await home.hear("hello")
    await home.work()
    await watch(home, REPORTS, deliver="task", prompt="read the report", silent_if_unchanged=True)
    await passes(home)
    for name in files:
        await put(home, f"reports/{name}.csv", "1")
        await passes(home)
        await background(home)
    assert len([text for text in home.adapter.texts() if "read the report" in text]) == len(files)


@pytest.mark.databases("sqlite")
async def test_what_a_run_has_set_by_itself_waits_for_the_end_of_quiet_hours(home: House) -> None:
    await watch(home, REPORTS)
    await home.db.write(lambda tx: tx.run("UPDATE trigger SET depth = 2"))
    await passes(home)
    ends = await home.column("SELECT next_at FROM trigger")
    await home.hear("/quiet always")
    await home.work()
    await put(home, "reports/a.csv", "1")
    await passes(home)
    await passes(home)
    assert (told(home), await home.column("SELECT next_at FROM trigger")) == ([], ends)
    await home.hear("/quiet off")
    await home.work()
    await passes(home)
    assert ["a.csv" in text for text in told(home)] == [True]


async def test_a_gone_chat_lets_it_rest_and_what_came_meanwhile_is_told_when_it_is_back(home: House) -> None:
    await home.hear("hello", **GROUP)
    await home.work()
    await watch(home, REPORTS, "-5")
    await passes(home, chat="-5")
    await home.db.write(lambda tx: tx.run("UPDATE chat SET state = 'gone' WHERE kind = 'group'"))
    await put(home, "reports/a.csv", "1", "-5")
    await passes(home, chat="-5")
    await passes(home, chat="-5")
    assert await home.column("SELECT state FROM trigger") == ["paused"]
    await home.db.write(lambda tx: tx.run("UPDATE chat SET state = 'allowed' WHERE kind = 'group'"))
    lane = await lane_of(home, "-5")
    await home.db.write(lambda tx: home.app.container.get(Triggers).back(tx, lane))
    await passes(home, chat="-5")
    assert ["a.csv" in text for text in told(home, "-5")] == [True]


async def test_it_is_forgotten_with_whoever_set_it(home: House) -> None:
    await watch(home, REPORTS)
    await passes(home)
    assert await home.column("SELECT owner FROM condition") == ["trigger"]
    await home.hear("/forget yes")
    await home.work()
    assert await home.column("SELECT count(*) FROM trigger") == [0]
    assert await home.column("SELECT count(*) FROM condition") == [0]


@pytest.mark.databases("sqlite")
async def test_what_nothing_waits_for_any_more_is_deleted_at_night(home: House) -> None:
    shown = await watch(home, REPORTS)
    await watch(home, REPORTS, prompt="the other report")
    await passes(home)
    await home.hear(f"/cancel {shown}")
    await home.work()
    await home.app.container.get(Retention).forget()
    assert await home.column("SELECT count(*) FROM condition") == [1]

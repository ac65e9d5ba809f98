"""The schedule tools of models, through the one door; and what a person does with what they made."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from core.capabilities.schedules.state import ScheduleState
from core.capabilities.tasks.state import OpenTasks
from core.kernel import ids
from core.kernel.ports import Tx
from core.kernel.timing.schedule import Interval, Rule, load
from core.kernel.timing.trigger import Trigger
from core.kernel.types import LaneKey, Role, ToolCall, ToolResult
from core.scheduling import pausing
from core.scheduling import repository as triggers
from core.store.people.people import lane_key
from tests.conftest import DatabaseMaker
from tests.fakes import FRIEND, START, House, claim_lane, house

Ask = Callable[..., Awaitable[ToolResult]]
GROUP = {"chat": "-5", "chat_kind": "group", "title": "Family"}
HOUR = 3_600_000


@pytest.fixture
async def home(make_database: DatabaseMaker, tmp_path: Path) -> House:
    made = await house(await make_database("sqlite"), tmp_path / "house", "hello")
    await made.hear("one")
    return made


async def asker(home: House, chat: str = "1") -> Ask:
    """Calls in a run of this chat that is still open; `depth` is how many triggers led to it."""
    (lane_id,) = await home.column(
        "SELECT l.id FROM lane l JOIN chat c ON c.id = l.chat_id WHERE c.external_id = :chat", chat=chat
    )
    run = await home.db.write(lambda tx: claim_lane(home, tx, lane_id))
    assert run is not None
    steps = iter(range(1, 300))

    async def call(name: str, role: Role = Role.PLANNER, depth: int = 0, **arguments: Any) -> ToolResult:
        executor = home.app.worker.answering.collaborators.loop._executor
        context = replace(run.context(role), depth=depth)
        return await executor.call(context, next(steps), ToolCall(id="c", name=name, arguments=arguments))

    return call


@pytest.fixture
async def ask(home: House) -> Ask:
    return await asker(home)


async def stored(home: House, *columns: str) -> list[dict[str, Any]]:
    return await home.rows(f"SELECT {', '.join(columns)} FROM trigger ORDER BY id")


async def test_a_recurring_one_is_on_a_grid_from_its_creation(ask: Ask, home: House) -> None:
    made = await ask("schedule", prompt="look at the mail", type="recurring", interval=3600)
    assert made.result["next_run_at"] == "2026-09-21T15:13:20+00:00"
    assert made.result["task_id"].startswith("s")
    (row,) = await stored(home, "spec", "deliver", "made_by", "depth", "late")
    assert load(row.pop("spec")) == Interval(seconds=3600, start=START)
    assert row == {"deliver": "task", "made_by": "planner", "depth": 1, "late": "run"}


@pytest.mark.parametrize(
    ("run_at", "at"),
    [
        ("2026-09-21T18:00:00+02:00", "2026-09-21T16:00:00+00:00"),
        ("2026-09-22T08:00", "2026-09-22T08:00:00+00:00"),
        ("2026-09-21T14:12:30+00:00", "2026-09-21T14:12:30+00:00"),
    ],
)
async def test_a_scheduled_one_takes_instants_and_local_times(ask: Ask, run_at: str, at: str) -> None:
    made = await ask("schedule", prompt="p", type="scheduled", runAt=run_at, deliver="message", late=600)
    assert made.result["next_run_at"] == at


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"type": "conditional"}, "condition: a condition is an object"),
        ({"type": "recurring", "interval": 60, "condition": {"type": "file_exists", "path": "x"}}, "no condition"),
        ({"type": "recurring"}, "needs interval, 60 seconds or more"),
        ({"type": "recurring", "interval": 59}, "needs interval, 60 seconds or more"),
        ({"type": "scheduled"}, "needs run_at"),
        ({"type": "scheduled", "run_at": "soon"}, "is no ISO 8601 time"),
        ({"type": "scheduled", "run_at": "2026-09-21T14:00:00+00:00"}, "it is now 2026-09-21T14:13:20+00:00"),
        ({"type": "scheduled", "run_at": "0001-01-01T00:00:00+14:00"}, "in the past"),
        ({"type": "scheduled", "run_at": "9999-12-31T23:59:59-12:00"}, "too far away"),
        ({"type": "scheduled", "run_at": "9999-12-31T23:59:59"}, "too far away"),
        ({"type": "recurring", "interval": 60, "for": "Bob"}, 'for needs deliver="message"'),
        ({"type": "recurring", "interval": 60, "for": "Bob", "deliver": "message"}, "'Bob' cannot be reached"),
        ({"type": "recurring", "interval": 60, "late": "never"}, "late"),
        ({"type": "recurring", "interval": 60, "late": -1}, "late"),
        ({"type": "recurring", "interval": 60, "prompt": "x" * 1001}, "prompt"),
        ({"type": "daily"}, "type"),
    ],
)
async def test_what_cannot_be_scheduled_says_what_to_change(
    ask: Ask, home: House, arguments: dict[str, Any], problem: str
) -> None:
    assert problem in (await ask("schedule", **{"prompt": "p", **arguments})).error
    assert await stored(home, "id") == []


async def test_once_after_a_delay(ask: Ask, home: House) -> None:
    made = (await ask("schedule_once", delaySeconds="90", focus="see whether it rains")).result
    assert (made["scheduled_at"], made["focus"]) == ("2026-09-21T14:14:50+00:00", "see whether it rains")
    (row,) = await stored(home, "next_at", "kind")
    assert row == {"next_at": START + 90_000, "kind": "once"}


@pytest.mark.parametrize(
    "arguments",
    [
        {"delay_seconds": 0, "focus": "x"},
        {"delay_seconds": 2_592_001, "focus": "x"},
        {"delay_seconds": 60, "focus": ""},
        {"delay_seconds": 60, "focus": " "},
        {"delay_seconds": 60, "focus": "a\nb"},
        {"delay_seconds": 60, "focus": "x" * 1001},
    ],
)
async def test_a_delay_or_a_focus_out_of_range_is_refused(ask: Ask, arguments: dict[str, Any]) -> None:
    assert (await ask("schedule_once", **arguments)).code == "invalid"


async def test_by_cron_with_the_standard_meaning_in_the_persons_zone(ask: Ask, home: House) -> None:
    made = (await ask("schedule_cron", cron_expression=" 30  9 * * 1-5", focus="stand-up")).result
    assert (made["cron_expression"], made["next_run_at"]) == ("30 9 * * 1-5", "2026-09-22T09:30:00+00:00")
    (row,) = await stored(home, "spec", "follows")
    assert (load(row["spec"]), row["follows"]) == (Rule(cron="30 9 * * 1-5", zone="UTC"), 1)


@pytest.mark.parametrize("line", ["0 9 * *", "0 0 31 2 *", "* * * * * *", "61 9 * * *", ""])
async def test_a_cron_line_that_is_none_is_explained(ask: Ask, line: str) -> None:
    error = (await ask("schedule_cron", cron_expression=line, focus="x")).error
    assert "cron expression" in error


@pytest.mark.parametrize("name", ["schedule", "schedule_once", "schedule_cron", "cancel_schedule"])
async def test_the_teller_leaves_scheduling_to_the_planner(ask: Ask, name: str) -> None:
    assert (await ask(name, Role.TELLER)).code == "not_permitted"


@pytest.mark.parametrize(
    ("tool", "spelling"),
    [
        ("cancel_schedule", "schedule_id"),
        ("cancel_schedule", "taskId"),
        ("cancel_task", "id"),
        ("cancel_task", "scheduleId"),
    ],
)
async def test_both_tools_cancel_by_either_spelling_once(ask: Ask, home: House, tool: str, spelling: str) -> None:
    made = (await ask("schedule_once", delay_seconds=90, focus="x")).result
    assert (await ask(tool, **{spelling: made["schedule_id"]})).result["success"] is True
    assert (await ask(tool, **{spelling: made["schedule_id"]})).result["success"] is False
    assert await stored(home, "state") == [{"state": "cancelled"}]


async def test_an_unknown_id_answers_as_one_of_another_scope(ask: Ask, home: House) -> None:
    made = (await ask("schedule_once", delay_seconds=90, focus="x")).result["schedule_id"]
    await home.hear("hello", chat="2", sender=FRIEND)
    other = await asker(home, "2")
    answers = [(await other("cancel_schedule", schedule_id=one)).result for one in (made, "s000000", "nonsense")]
    assert (
        answers[0]
        == answers[1]
        == answers[2]
        == {
            "success": False,
            "message": "there is no such schedule, or it has ended",
        }
    )
    assert (await other("list_tasks")).result == {"tasks": []}
    assert await stored(home, "state") == [{"state": "active"}]


async def test_tasks_are_listed_as_the_contract_says(ask: Ask, home: House) -> None:
    made = (await ask("schedule", prompt="p" * 200, type="recurring", interval=60)).result
    (task,) = (await ask("list_tasks", Role.TELLER, scope="triggers")).result["tasks"]
    assert task == {
        "id": made["task_id"],
        "type": "recurring",
        "prompt": "p" * 100,
        "priority": 5,
        "status": "trigger",
        "created_at": "2026-09-21T14:13:20+00:00",
        "next_run_at": "2026-09-21T14:14:20+00:00",
    }
    assert (await ask("list_tasks", scope="running")).result == {"tasks": []}
    await home.db.write(lambda tx: pausing.pause(tx, ids.number("s", made["task_id"]) or 0, "wish"))
    (task,) = (await ask("list_tasks")).result["tasks"]
    assert "next_run_at" not in task
    assert task["paused"] == "wish"


async def test_a_model_schedules_twenty_an_hour(ask: Ask, home: House) -> None:
    for n in range(20):
        assert (await ask("schedule_once", delay_seconds=60 + n, focus="x")).success
    refused = await ask("schedule_once", delay_seconds=60, focus="x")
    assert (refused.code, refused.error) == ("too_many", "at most 20 an hour; try later, or put several into one")
    home.clock.advance(3601)
    assert (await ask("schedule_once", delay_seconds=60, focus="x")).success
    # What was made before the clock was set back is in no hour that has begun.
    home.clock.jump(-7200)
    assert (await ask("schedule_once", delay_seconds=60, focus="x")).success


async def test_a_hundred_may_be_active_at_once(make_database: DatabaseMaker, tmp_path: Path) -> None:
    home = await house(await make_database("sqlite"), tmp_path / "house", "hello")
    await home.hear("one")
    (lane,) = await home.db.read(lanes)
    one = Trigger(lane=lane, person_id=1, deliver="message", kind="once", spec="", text="x", next_at=START + HOUR)

    def make_most(tx: Tx) -> None:
        for _ in range(99):
            triggers.insert(tx, one, START)

    await home.db.write(make_most)
    ask = await asker(home)
    assert (await ask("schedule_once", delay_seconds=60, focus="x")).success
    refused = await ask("schedule_once", delay_seconds=60, focus="x")
    assert refused.error == "at most 100 are active at once; cancel one first"


async def test_a_triggered_run_schedules_one_follow_up_and_five_follow_each_other(ask: Ask, home: House) -> None:
    assert (await ask("schedule_once", depth=4, delay_seconds=1, focus="bad\n")).code == "invalid"
    assert (await ask("schedule_once", depth=4, delay_seconds=60, focus="x")).success
    assert (await stored(home, "depth")) == [{"depth": 5}]
    assert "one follow-up only" in (await ask("schedule_once", depth=4, delay_seconds=60, focus="x")).error
    assert "at most 5 may follow each other" in (await ask("schedule_once", depth=5, delay_seconds=60, focus="x")).error


async def test_the_states_tell_what_is_due_in_the_scope_that_asks(ask: Ask, home: House) -> None:
    await ask("schedule_once", delay_seconds=90, focus="x")
    (lane,) = await home.db.read(lanes)
    for provider in (ScheduleState(ZoneInfo("Europe/Berlin")), OpenTasks(ZoneInfo("Europe/Berlin"))):
        found = await home.db.read(partial(provider.read, lane=lane))
        assert found["count"] == 1
        assert found[provider.name][0]["next_run_at"] == "2026-09-21T16:14:50+02:00"


def lanes(tx: Tx) -> list[LaneKey]:
    return [lane_key(row["tenant_id"], row) for row in tx.all("SELECT id, tenant_id, scope_id, chat_id FROM lane")]


async def test_what_work_is_wished_like_is_kept(ask: Ask, home: House) -> None:
    wish = {"silentIfUnchanged": True, "timeout": "90", "cooldown": 600, "traceId": "mine"}
    made = await ask("schedule", prompt="look", type="recurring", interval=60, **wish)
    assert made.success, made
    (row,) = await stored(home, "silent", "timeout_s", "cooldown_s", "trace_id", "tainted", "watches")
    assert row == {
        "silent": 1, "timeout_s": 90, "cooldown_s": 600, "trace_id": "mine", "tainted": 0, "watches": 0,
    }  # fmt: skip


async def test_what_waits_to_come_true_is_listed_as_conditional_and_has_no_time(ask: Ask, home: House) -> None:
    condition = {"type": "file_exists", "path": "go"}
    made = await ask("schedule", prompt="look", type="conditional", condition=condition)
    assert set(made.result) == {"task_id"}
    listed = (await ask("list_tasks")).result["tasks"]
    assert [(one["id"], one["type"], "next_run_at" in one) for one in listed] == [
        (made.result["task_id"], "conditional", False)
    ]
    assert (await ask("cancel_task", task_id=made.result["task_id"])).result == {"success": True}

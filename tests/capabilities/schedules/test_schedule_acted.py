"""What people do with what is scheduled is an action of the transaction that ends the run: one row of the ledger."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.capabilities.reminders.actions import set_reminder
from core.capabilities.schedules import actions
from core.kernel import ids
from core.kernel.errors import Refused
from core.kernel.ports import Database
from core.kernel.replies import Step
from core.kernel.timing.schedule import Interval, Once, dump
from core.store.conversation import runs as journal
from tests import calling
from tests.calling import Act, acts_of
from tests.commanding import labels, pressed, said
from tests.conftest import DatabaseMaker
from tests.fakes import FRIEND, START, Crash, CrashingDatabase, House, house

DID = "SELECT tool FROM ledger WHERE tool <> 'reply' ORDER BY n"
HOUR = 3_600_000
HOURLY = dump(Interval(seconds=3600, start=START))


@pytest.fixture
async def home(make_database: DatabaseMaker, tmp_path: Path) -> House:
    return await house(await make_database("sqlite"), tmp_path / "house", model=False)


@pytest.fixture
async def act(home: House) -> Act:
    await home.hear("one")
    return acts_of(home, await calling.claimed(home))


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("/remind tomorrow at 9 tea", "set_reminder"),
        ("/move stretch at 10", "change_reminder"),
        ("/skip stretch", "skip_next"),
        ("/pause stretch until friday", "pause_schedule"),
        ("/cancel stretch", "cancel_schedule"),
        ("/brief 7", "set_brief"),
    ],
)
async def test_each_change_is_one_row_of_the_ledger_and_no_step(home: House, line: str, action: str) -> None:
    made = await said(home, "/every day at 8 stretch")
    assert made
    (schedule,) = [ids.ref("s", number) for number in await home.column("SELECT id FROM trigger")]
    await said(home, line.replace("stretch", schedule) if line.startswith(("/move", "/pause")) else line)
    assert await home.column(DID) == ["set_reminder", action]
    assert await home.column("SELECT DISTINCT kind FROM step WHERE kind = 'call'") == []


async def test_looking_leaves_no_row(home: House) -> None:
    await said(home, "/remind tomorrow at 9 tea")
    for line in ("/tasks", "/tasks tea", "/tasks milk", "/brief", "/cancel"):
        await said(home, line)
    assert await home.column(DID) == ["set_reminder"]


async def test_what_may_not_be_set_is_one_row_with_the_reason(home: House) -> None:
    text = await said(home, "/skip milk")
    assert "I know no such thing" in text
    await said(home, "/every day at 8 stretch")
    await home.db.write(lambda tx: tx.run("UPDATE trigger SET state = 'paused', reason = 'wish'"))
    assert "paused" in await said(home, "/skip stretch")
    assert await home.column("SELECT error FROM ledger WHERE tool = 'skip_next'") == ["skip_paused"]


async def test_what_is_skipped_paused_or_cancelled_can_be_taken_back(act: Act, home: House) -> None:
    made = await act(set_reminder, text="p", schedule=HOURLY)
    this = {"schedule_id": made.schedule_id}
    assert (await act(actions.skip_next, **this)).next_at == START + 2 * HOUR
    paused = await act(actions.pause_schedule, **this)
    assert (paused.state, bool(paused.undo)) == ("paused", True)
    until = await act(actions.pause_schedule, **this, until=START + 5 * HOUR)
    assert (until.state, until.next_at) == ("active", START + 5 * HOUR)
    assert (await act(actions.resume_schedule, **this)).next_at == START + HOUR
    assert (await act(actions.cancel_schedule, **this)).success
    await act(actions.revive_schedule, **this)
    with pytest.raises(Refused, match="undo_outdated"):
        await act(actions.revive_schedule, **this)
    assert await home.rows("SELECT state, next_at FROM trigger") == [{"state": "active", "next_at": START + HOUR}]


async def test_an_unknown_id_answers_as_one_of_another_scope(act: Act, home: House) -> None:
    made = await act(set_reminder, text="p", schedule=HOURLY)
    await home.hear("hello", chat="2", sender=FRIEND)
    other = acts_of(home, await calling.claimed(home, "2"))
    for schedule_id in (made.schedule_id, "s000000", "nonsense"):
        assert not (await other(actions.cancel_schedule, schedule_id=schedule_id)).success
        for action in (actions.pause_schedule, actions.skip_next, actions.resume_schedule):
            with pytest.raises(Refused, match="task_ended"):
                await other(action, schedule_id=schedule_id)
    assert await home.column("SELECT state FROM trigger") == ["active"]


async def test_a_late_answer_pauses_nothing_that_comes_once(home: House) -> None:
    await said(home, "/every day at 8 stretch")
    (schedule,) = [ids.ref("s", number) for number in await home.column("SELECT id FROM trigger")]
    await said(home, f"/pause {schedule}")
    await said(home, f"/move {schedule} friday at 9")
    await pressed(home, "Just once, then no more")
    await said(home, f"/pause {schedule}")
    assert "comes only once" in await said(home, "No end for now")
    assert await home.column("SELECT state FROM trigger") == ["active"]


async def test_a_person_sets_more_an_hour_than_a_model_may(act: Act, home: House) -> None:
    for n in range(21):
        await act(set_reminder, text=f"p{n}", schedule=HOURLY)
    assert await home.column("SELECT count(*) FROM trigger") == [21]


@pytest.mark.parametrize(
    ("schedule", "code"), [(dump(Once(at=START - 2 * HOUR)), "time_over"), ("{}", "invalid"), ('["once"]', "invalid")]
)
async def test_a_reminder_of_the_past_is_none(act: Act, home: House, schedule: str, code: str) -> None:
    with pytest.raises(Refused, match=code):
        await act(set_reminder, text="x", schedule=schedule)
    assert await home.column("SELECT id FROM trigger") == []


@pytest.mark.databases("sqlite")
@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("commits", [1, 2])
async def test_a_reminder_that_a_crash_interrupts_is_set_once(
    database: Database, tmp_path: Path, commits: int, after: bool
) -> None:
    crashing = CrashingDatabase(database)
    home = await house(crashing, tmp_path / "house", model=False)
    await said(home, "hello")
    await home.hear("/remind tomorrow at 9 tea")
    crashing.arm(commits, after=after)
    with pytest.raises(Crash):
        await home.work()
    second = await house(database, tmp_path / "house", model=False)
    await second.app._take_up()
    await second.app.outbox.doubts.settle()
    await second.later(3600)
    assert await second.column(DID) == ["set_reminder"]
    assert await second.column("SELECT text FROM trigger") == ["tea"]


async def test_what_a_former_version_had_set_before_it_was_killed_is_not_set_again(
    database: Database, tmp_path: Path
) -> None:
    home = await house(database, tmp_path / "house", model=False)
    await home.hear("/remind in 1 minute tea")
    run = await calling.claimed(home)
    act = acts_of(home, run)
    made = await act(set_reminder, text="tea", schedule=dump(Once(at=START + 60_000)))
    result: dict[str, Any] = {
        **{name: getattr(made, name) for name in ("schedule_id", "text", "deliver", "state", "reason", "schedule")},
        **{name: getattr(made, name) for name in ("next_at", "next_run_at", "everybody", "until_done", "follows")},
        "put_off": False,
        "undo": made.undo,
        "stays": False,
        "apart": False,
    }
    content = {"success": True, "result": result, "error": "", "code": "", "at": [0, 0]}
    step = Step(n=1, kind="call", state="done", call_id="c", tool="set_reminder", content=json.dumps(content))
    await database.write(lambda tx: journal.write(tx, run.lane, run.run_id, step, 0))
    home.clock.advance(300)
    second = await house(database, tmp_path / "house", model=False)
    second.clock.advance(300)
    await second.app._take_up()
    await second.work()
    assert "tea" in second.adapter.texts("1")[0]
    assert "Undo" in labels(second)
    assert len(await second.column("SELECT id FROM trigger WHERE text = 'tea'")) == 1

"""What a former version had done in a run before it was killed is said, though it is not found any more."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from core.capabilities.reminders.actions import finish_reminder, put_off_reminder
from core.capabilities.schedules.actions import cancel_schedule
from core.kernel import ids
from core.kernel.replies import Step
from core.store.conversation import runs as journal
from core.toolkit.action import Action
from tests import calling
from tests.commanding import home, said
from tests.conftest import DatabaseMaker
from tests.fakes import house
from tests.triggering import passes, trigger


@pytest.mark.parametrize(
    ("line", "action", "answer"),
    [
        ("/done", finish_reminder, "✅"),
        ("/snooze 1h", put_off_reminder, "💤"),
        ("/cancel stretch", cancel_schedule, "Stopped: stretch"),
    ],
)
async def test_the_result_that_it_had_is_said(
    make_database: DatabaseMaker, tmp_path: Path, line: str, action: Action[..., Any], answer: str
) -> None:
    database = await make_database("sqlite")
    first = await home(database, tmp_path)
    if action is cancel_schedule:
        await said(first, "/every day at 8 stretch")
    else:
        await said(first, "hello")
        await trigger(first)
        await passes(first, 60)
    await first.hear(line)
    run = await calling.claimed(first)
    arguments: dict[str, Any] = {"until": first.clock.now() + 3_600_000} if action is put_off_reminder else {}
    if action is cancel_schedule:
        (number,) = await first.column("SELECT id FROM trigger")
        arguments = {"schedule_id": ids.ref("s", number)}
    result = asdict(await calling.acts_of(first, run)(action, **arguments))
    content = json.dumps({"success": True, "result": result, "error": "", "code": "", "at": [0, 0]})
    step = Step(n=2, kind="call", state="done", call_id="command_2", tool=action.name, content=content)
    await database.write(lambda tx: journal.write(tx, run.lane, run.run_id, step, 0))
    second = await house(database, tmp_path / "house", model=False)
    second.clock.advance((first.clock.now() - second.clock.now()) / 1000 + 30)
    await second.app._take_up()
    await second.work()
    assert answer in second.adapter.texts("1")[-1]


@pytest.mark.parametrize("tool", ["change_reminder", "pause_schedule", "finish_reminder", "mute_person", "todo_change"])
async def test_stop_says_what_a_former_version_had_done(
    make_database: DatabaseMaker, tmp_path: Path, tool: str
) -> None:
    database = await make_database("sqlite")
    first = await home(database, tmp_path)
    await first.hear("/move x 10:00")
    run = await calling.claimed(first)
    content = json.dumps({"success": True, "result": {}, "error": "", "code": "", "at": [0, 0]})
    step = Step(n=2, kind="call", state="done", call_id="command_2", tool=tool, content=content)
    await database.write(lambda tx: journal.write(tx, run.lane, run.run_id, step, 0))
    second = await house(database, tmp_path / "house", model=False)
    second.clock.advance(5)
    await second.hear("/stop", key="stop")
    await second.app._take_up()
    await second.work()
    assert any("By then I had changed" in text for text in second.adapter.texts("1"))

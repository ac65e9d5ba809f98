"""A task is stopped by its person: what waits is not begun, what runs is broken off, and what had happened is said."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from core.capabilities.tasks import service
from core.capabilities.tasks.worker import TaskWorker
from core.kernel.ids import ref
from core.kernel.ports import Database
from core.kernel.types import Answer, ModelRequest, Role, Sender, Usage
from core.kernel.updates import Presence
from core.store.conversation import tasks
from tests.capabilities.tasks.test_delegated import delegating, home_of, said
from tests.fakes import FRIEND, House
from tests.working import at_work, background, call, calling, task_rows

pytestmark = pytest.mark.databases("sqlite")

NOTE = call("todo_update", action="add", content="call Kraus", people=[])


async def begun(database: Database, folder: Path, *planner: object, **more: Any) -> House:
    home = await home_of(database, folder, teller=[delegating(), "I am on it."], planner=list(planner), **more)
    await home.hear("please compare the offers")
    await home.work()
    return home


async def states(home: House) -> list[str]:
    return [row["state"] for row in await task_rows(home)]


@pytest.mark.databases("sqlite", "postgres")
async def test_stop_ends_what_is_queued_at_once(database: Database, tmp_path: Path) -> None:
    home = await begun(database, tmp_path)
    await home.hear("/stop")
    await background(home)
    assert await states(home) == ["cancelled"]
    assert said(home) == ["I am on it.", "⏹ Stopped. Nothing had been done yet."]
    assert await home.column("SELECT count(*) FROM inbox WHERE task_id IS NOT NULL") == [0]


async def test_a_stop_of_somebody_else_leaves_it(database: Database, tmp_path: Path) -> None:
    home = await begun(database, tmp_path, "done")
    await home.hear("/stop", sender=FRIEND, chat="2")
    await home.work()
    assert await states(home) == ["queued"]


async def test_stop_breaks_off_what_runs_and_says_what_had_already_happened(database: Database, tmp_path: Path) -> None:
    asked = asyncio.Event()

    async def think(request: ModelRequest) -> str:
        asked.set()
        await asyncio.sleep(3600)
        return "never"

    home = await begun(database, tmp_path, calling(NOTE), think)
    worker = home.app.container.get(TaskWorker)
    work = asyncio.create_task(worker.serve(Role.PLANNER))
    await asyncio.wait_for(asked.wait(), 10)
    await home.hear("/stop")
    (number,) = await home.db.read(tasks.marked)
    await worker.stop(number)
    await asyncio.wait_for(work, 10)
    await background(home)
    assert await states(home) == ["cancelled"]
    assert said(home)[-1].startswith("⏹ Stopped.")
    assert "list" in said(home)[-1]
    assert await home.column("SELECT count(*) FROM run WHERE ended_at IS NULL") == [0]


async def test_what_a_task_read_before_a_stop_that_came_with_its_end_is_journalled(
    database: Database, tmp_path: Path
) -> None:
    async def end(request: ModelRequest) -> Answer:
        await home.hear("/stop")
        return Answer(text="B is best.", usage=Usage(model="m", tokens_in=3, tokens_out=4))

    home = await begun(database, tmp_path, calling(call("recall", query="offers")), end)
    await background(home)
    assert await states(home) == ["cancelled"]
    assert "B is best." not in said(home)
    read = "SELECT tool FROM step WHERE kind = 'call' AND run_id IN (SELECT id FROM run WHERE role = 'planner')"
    assert await home.column(read) == ["recall"]
    # What came too late took its tokens.
    assert await home.column("SELECT sum(tokens_in + tokens_out) AS took FROM token_use") == [7]


async def test_a_stop_of_the_program_is_no_fault_of_a_task(database: Database, tmp_path: Path) -> None:
    asked = asyncio.Event()

    async def think(request: ModelRequest) -> str:
        asked.set()
        await asyncio.sleep(3600)
        return "never"

    home = await begun(database, tmp_path, calling(NOTE), think, "B is best")
    work = asyncio.create_task(home.app.container.get(TaskWorker).serve(Role.PLANNER))
    await asyncio.wait_for(asked.wait(), 10)
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)
    assert [(row["state"], row["attempts"]) for row in await task_rows(home)] == [("queued", 0)]
    await home.app.container.get(TaskWorker).serve(Role.PLANNER)
    assert [(row["state"], row["outcome"]) for row in await task_rows(home)] == [("done", "B is best")]
    assert await home.column("SELECT count(*) FROM todo") == [1]


async def test_its_workers_are_stopped_with_a_planner_and_all_is_said_once(database: Database, tmp_path: Path) -> None:
    asked = asyncio.Event()

    async def think(request: ModelRequest) -> str:
        asked.set()
        await asyncio.sleep(3600)
        return "never"

    both = calling(call("delegate", prompt="read A"), call("delegate", prompt="read B"))
    home = await begun(database, tmp_path, both, "asked", worker=["A is read", think])
    worker = home.app.container.get(TaskWorker)
    await worker.serve(Role.PLANNER)
    work = asyncio.create_task(worker.serve(Role.WORKER))
    await asyncio.wait_for(asked.wait(), 10)
    root = (await task_rows(home))[0]["id"]
    await home.hear("/stop")
    await worker.stop(root)
    await asyncio.wait_for(work, 10)
    await background(home)
    assert await states(home) == ["cancelled", "done", "cancelled"]
    assert [text for text in said(home) if "Stopped" in text] == ["⏹ Stopped. Nothing had been done yet."]


@pytest.mark.parametrize("how", ["/stop", "a reply"])
async def test_a_question_of_a_task_goes_with_it_and_says_so(database: Database, tmp_path: Path, how: str) -> None:
    home = await begun(database, tmp_path, '{"status": "needs_input", "question": "Which?", "options": ["A", "B"]}')
    await background(home)
    (asked,) = [sent for sent in home.shown() if sent.text.startswith("Which?")]
    if how == "/stop":
        await home.hear("/stop")
    else:
        await home.hear("stop", reply_to=asked.platform_id)
    await background(home)
    assert await states(home) == ["cancelled"]
    assert await home.column("SELECT state FROM question") == ["withdrawn"]
    assert [text.endswith("⏹ The task was stopped.") for text in said(home) if text.startswith("Which?")] == [True]


def cancelling(number: int) -> Answer:
    return calling(call("cancel_task", task_id=ref("t", number)))


async def test_a_model_cancels_what_waits_and_not_what_runs(database: Database, tmp_path: Path) -> None:
    home = await begun(database, tmp_path)
    number = (await task_rows(home))[0]["id"]
    assert home.model is not None
    home.model.always(lambda request: (request.messages[-1]["role"] == "tool" and "Cancelled.") or cancelling(number))
    await home.hear("no, leave that offer thing alone, would you?")
    await background(home)
    assert await states(home) == ["cancelled"]
    assert '"success": true' in home.model.requests[-1].messages[-1]["content"]


async def steered(home: House, words: str) -> None:
    (row,) = await task_rows(home)
    task = await home.db.read(lambda tx: tasks.by_number(tx, row["id"]))
    assert task is not None
    assert await home.db.write(lambda tx: service.steer(tx, home.app.container, task, words))


@pytest.mark.databases("sqlite", "postgres")
async def test_what_its_person_says_of_it_is_read_before_the_next_step(database: Database, tmp_path: Path) -> None:
    heard: list[str] = []

    async def first(request: ModelRequest) -> Answer:
        await steered(home, "only the German one")
        return calling(NOTE)

    def second(request: ModelRequest) -> str:
        heard.append(str(request.messages[-1]["content"]))
        return "only Kraus: 40"

    home = await begun(database, tmp_path, first, second)
    await home.app.container.get(TaskWorker).serve(Role.PLANNER)
    assert heard == ["only the German one"]
    assert await home.column("SELECT step FROM task_input") == [3]


async def test_what_is_said_while_it_gives_its_last_answer_is_worked_in(database: Database, tmp_path: Path) -> None:
    async def first(request: ModelRequest) -> str:
        await steered(home, "in euros, please")
        return "B costs 40 dollars"

    home = await begun(database, tmp_path, first, "B costs 37 euros")
    await home.app.container.get(TaskWorker).serve(Role.PLANNER)
    assert [(row["state"], row["outcome"]) for row in await task_rows(home)] == [("done", "B costs 37 euros")]


async def test_what_is_stopped_where_the_bot_is_gone_from_is_said_in_private(
    database: Database, tmp_path: Path
) -> None:
    home = await home_of(database, tmp_path, teller=["Hello."] * 3)
    group: dict[str, Any] = {"chat": "-5", "chat_kind": "group", "title": "Family"}
    for where in ({}, group):
        await home.hear("hello", **where)
        await home.work()
    await at_work(home, "compare the offers", chat="-5", state="queued", owner=None)
    bo = Sender(address=FRIEND, name="Bo", language="en")
    await home.app.inbox.accept(home.tenant_id, [Presence(key="away", present=False, sender=bo, raw="{}", **group)])
    await home.hear("/tasks")
    await home.work()
    sent = len(home.adapter.sent)
    await home.press("⏹ compare the offers")
    await background(home)
    assert await states(home) == ["cancelled"]
    [told] = home.adapter.sent[sent:]
    assert (told.to.chat, told.text) == ("1", "⏹ Stopped. Nothing had been done yet. (compare the offers)")

"""What becomes of tasks: forgotten on request and by themselves, and with their chat."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.capabilities.privacy.expired import LAST_OF_TRIGGER, delete_tasks
from core.capabilities.tasks.worker import TaskWorker
from core.kernel.ports import Database, Tx
from core.kernel.types import DAY, Answer, Millis, ModelRequest, Role, Sender
from core.kernel.updates import Presence
from core.store.conversation import chat_migration, tasks
from core.store.conversation.chat_migration import Chats
from core.store.conversation.tasks import InputKind, TaskState, WaitsFor
from core.toolkit.keeping import Keep, Night
from tests.capabilities.tasks.test_delegated import delegating, home_of, said
from tests.capabilities.tasks.test_limits import task
from tests.fakes import FRIEND, OWNER, House
from tests.triggering import lane_of, person_of, trigger
from tests.working import background, call, calling, task_rows

GROUP: dict[str, Any] = {"chat": "-5", "chat_kind": "group", "title": "Family", "addressed": True}
LEFT = ("task", "task_input", "step", "question")


async def left(home: House) -> dict[str, int]:
    counts = {name: await home.column(f"SELECT count(*) FROM {name}") for name in LEFT}
    return {name: int(count) for name, (count,) in counts.items()}


async def test_forget_erases_tasks_with_their_journals_and_what_they_asked(database: Database, tmp_path: Path) -> None:
    ask = '{"status": "needs_input", "question": "Which one?", "options": ["A", "B"]}'
    home = await home_of(
        database, tmp_path, teller=[delegating(), "I am on it."], planner=[calling(call("current_time")), ask]
    )
    await home.hear("please compare the offers")
    await background(home)
    await home.hear("/forget yes")
    await background(home)
    assert await left(home) | {"step": 0} == dict.fromkeys(LEFT, 0)
    assert await home.column("SELECT count(*) FROM run WHERE role <> 'teller'") == [0]


@pytest.mark.databases("sqlite")
async def test_what_is_under_way_is_counted_with_what_is_kept(database: Database, tmp_path: Path) -> None:
    home = await home_of(database, tmp_path, teller=[delegating(), "I am on it."])
    await home.hear("please compare the offers")
    await home.work()
    await home.hear("/privacy")
    await home.work()
    assert "1 piece of work under way" in said(home)[-1]


@pytest.mark.databases("sqlite")
async def test_whoever_works_on_what_is_forgotten_says_nothing_of_it(database: Database, tmp_path: Path) -> None:
    async def forget(request: ModelRequest) -> str:
        await home.hear("/forget yes")
        await home.work()
        return "B is best"

    home = await home_of(database, tmp_path, teller=[delegating(), "I am on it."], planner=[forget])
    await home.hear("please compare the offers")
    await background(home)
    assert await task_rows(home) == []
    assert "B is best" not in " ".join(said(home))


@pytest.mark.databases("sqlite")
async def test_in_a_group_only_one_s_own_are_forgotten(database: Database, tmp_path: Path) -> None:
    home = await home_of(database, tmp_path, teller=[delegating(), "I am on it.", delegating(), "I am on it."])
    await home.hear("please compare the offers", **GROUP)
    await home.hear("and look at this one, please", sender=FRIEND, **GROUP)
    await home.work()
    assert len(await task_rows(home)) == 2
    await home.hear("/forget me yes", sender=FRIEND, **GROUP)
    await home.hear("/forget yes", sender=FRIEND, **GROUP)
    await home.work()
    assert [row["person_id"] for row in await task_rows(home)] == [await person_of(home)]


@pytest.mark.databases("sqlite")
async def test_a_chat_that_keeps_less_forgets_tasks_that_have_ended(database: Database, tmp_path: Path) -> None:
    home = await home_of(
        database,
        tmp_path,
        teller=[delegating(), "I am on it.", "told", delegating(), "I am on it."],
        planner=["B is best"],
    )
    await home.hear("please compare the offers")
    await background(home)
    await home.hear("and these, please, when there is time")
    await home.work()
    home.clock.advance(3 * DAY / 1000)
    await home.hear("/retention messages 2 days")
    await home.work()
    await home.press("Erase what is older")
    await home.work()
    assert [row["state"] for row in await task_rows(home)] == ["queued"]


async def test_the_last_five_tasks_of_a_trigger_that_goes_on_stay(database: Database, tmp_path: Path) -> None:
    home = await home_of(database, tmp_path, teller=["hello"])
    await home.hear("hello there, how do you do?")
    await home.work()
    lane, person_id, now = await lane_of(home), await person_of(home), home.clock.now()
    number = await trigger(home, deliver="task")

    def fill(tx: Tx) -> None:
        for n in range(9):
            told = {"source_key": f"s{n}", "trigger_id": number if n < 7 else None, "state": TaskState.QUEUED}
            made = task(lane, person_id, home, **told)
            found = tasks.by_number(tx, tasks.insert(tx, made) or 0)
            assert found is not None
            tasks.tell(tx, found, InputKind.STEER, "x", now, frees=WaitsFor.NOTHING)
            tasks.end(tx, found, TaskState.DONE, now)

    await home.db.write(fill)
    assert await expired(home, now + 31 * DAY) == 4
    assert len(await task_rows(home)) == LAST_OF_TRIGGER
    assert (await left(home))["task_input"] == LAST_OF_TRIGGER
    await home.db.write(lambda tx: tx.run("UPDATE trigger SET state = 'done', ended_at = 1"))
    assert await expired(home, now + 31 * DAY) == LAST_OF_TRIGGER


async def expired(home: House, now: Millis) -> int:
    return await home.db.write(lambda tx: delete_tasks(tx, Night(keep=Keep(), now=now), 500))


async def test_a_task_goes_over_to_the_chat_that_its_chat_becomes(database: Database, tmp_path: Path) -> None:
    async def move(request: ModelRequest) -> Answer:
        hears = Chats(back=lambda tx, lane: None, merged=lambda tx, chats: None)
        await home.db.write(
            lambda tx: chat_migration.move(tx, home.tenant_id, "-5", "-1005", home.clock.now(), hears=hears)
        )
        return calling(call("todo_update", action="add", content="call Kraus", people=[]))

    home = await home_of(
        database, tmp_path, teller=["hello", delegating(), "I am on it.", "told"], planner=[move, "B is best"]
    )
    await home.hear("hello there, how do you do?", **GROUP)
    await home.work()
    # It came to the new id before that was known to be the same group.
    await home.hear("please compare the offers", **{**GROUP, "chat": "-1005"})
    await home.work()
    await home.app.container.get(TaskWorker).serve(Role.PLANNER)
    lane = await lane_of(home, "-1005")
    assert [(row["scope_id"], row["lane_id"]) for row in await task_rows(home)] == [(lane.scope_id, lane.lane_id)]
    assert await home.column("SELECT count(*) FROM run WHERE role = 'planner' AND state = 'failed'") == [0]
    await background(home)
    assert [row["state"] for row in await task_rows(home)] == ["done"]


async def test_what_a_workspace_had_under_way_is_not_claimed_once_it_is_gone(
    database: Database, tmp_path: Path
) -> None:
    home = await home_of(database, tmp_path, teller=[delegating(), "I am on it."], planner=["never"])
    await home.hear("please compare the offers")
    await home.work()
    await home.db.write(lambda tx: tx.run("UPDATE tenant SET ended_at = 1"))
    await home.app.container.get(TaskWorker).serve(Role.PLANNER)
    assert [row["state"] for row in await task_rows(home)] == ["queued"]


@pytest.mark.databases("sqlite")
async def test_a_task_of_a_chat_that_the_bot_was_removed_from_begins_when_it_is_back(
    database: Database, tmp_path: Path
) -> None:
    home = await home_of(database, tmp_path, teller=[delegating(), "I am on it.", "B is best."], planner=["B"])
    await home.hear("please compare", **GROUP)
    await home.work()

    async def removed(present: bool, key: str) -> None:
        owner = Sender(address=OWNER, name="Ann", language="en")
        where = Presence(key=key, raw="{}", chat="-5", chat_kind="group", present=present, title="Family", sender=owner)
        await home.app.inbox.accept(home.tenant_id, [where])

    await removed(False, "away")
    await background(home)
    assert [one["state"] for one in await task_rows(home)] == ["queued"]
    await removed(True, "back")
    await background(home)
    assert [one["state"] for one in await task_rows(home)] == ["done"]
    assert said(home, "-5")[-1] == "B is best."

"""What is under way is listed where it is asked for, counted, and stopped from there; no model is needed for that."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.capabilities.home.service import Pages
from core.kernel.ids import ref
from core.kernel.ports import Database
from core.kernel.types import Sender
from core.kernel.updates import Opened
from core.store.conversation import tasks
from tests.capabilities.tasks.test_display import GROUP, READING
from tests.fakes import FRIEND, OWNER, House, house
from tests.working import at_work, background

pytestmark = pytest.mark.databases("sqlite")


async def at_home(database: Database, folder: Path, *script: object) -> House:
    home = await house(database, folder, *script, model=bool(script))  # type: ignore[arg-type]
    await home.hear("/time", **GROUP)
    await home.hear("/time")
    await home.work()
    return home


async def says(home: House, text: str, chat: str = "1", **fields: object) -> str:
    """What the bot says last to a text."""
    await home.hear(text, **{**(GROUP if chat == "-5" else {"chat": chat}), **fields})
    await home.work()
    return home.shown(chat)[-1].text


async def test_tasks_shows_what_is_under_way_above_what_is_scheduled(database: Database, tmp_path: Path) -> None:
    home = await at_home(database, tmp_path)
    task = await at_work(home, "compare the offers", doing=READING)
    worker = await at_work(home, "read", parent_id=task.task_id)
    await at_work(home, "book a flight", state="queued", started_at=None)
    home.clock.advance(41)
    await home.hear("remind me tomorrow at 9 to call Oma")
    await home.work()
    said = await says(home, "/tasks")
    assert said.splitlines()[:4] == [
        "⏳ Under way:",
        "- compare the offers: step 1 of 2 · 41 s",
        "- book a flight: queued · 41 s",
        "",
    ]
    assert "call Oma" in said
    assert await says(home, "/status") != ""
    assert "Work in the background: 1 queued and 1 working." in home.shown("1")[-1].text
    await home.press("⏹ book a flight")
    await background(home)
    assert await home.db.read(tasks.marked) == []
    assert home.shown("1")[-1].text == "⏹ Stopped. Nothing had been done yet. (book a flight)"
    # By its id, also what runs; who works on it ends it.
    await says(home, f"/cancel {ref('t', task.task_id)}")
    assert await home.db.read(tasks.marked) == [task.task_id]
    assert (await home.db.read(lambda tx: tasks.by_number(tx, worker.task_id))).stopped  # type: ignore[union-attr]


async def test_what_is_not_listed_is_counted(database: Database, tmp_path: Path) -> None:
    home = await at_home(database, tmp_path)
    for n in range(15):
        task = await at_work(home, f"errand {n}")
    said = await says(home, "/tasks")
    assert said.splitlines()[-2:] == ["- errand 9: working · 1 s", "… and 5 more"]
    keyboard = home.shown("1")[-1].keyboard
    assert keyboard is not None
    assert [button.label for button in keyboard.buttons] == [f"⏹ errand {n}" for n in range(10)]
    opened = Opened(key="o1", chat="1", sender=Sender(address=OWNER, name="Ann", language="en"))
    await home.app.inbox.accept(home.tenant_id, [opened])
    await home.app.container.get(Pages).show(task.person_id)
    _, lines = home.adapter.pages[-1][1].sections[0]
    assert [line.text for line in lines[-2:]] == ["errand 9: working", "… and 5 more"]


async def test_a_private_chat_shows_what_is_theirs_in_groups_and_a_group_nothing_private(
    database: Database, tmp_path: Path
) -> None:
    home = await at_home(database, tmp_path)
    task = await at_work(home, "secret plans", chat="-5")
    home.clock.advance(10)
    # Who is not in the group any more sees nothing of it.
    home.adapter.absent.add(("-5", OWNER))
    assert "secret" not in await says(home, "/tasks")
    home.adapter.absent.clear()
    assert await says(home, "/tasks") == "⏳ Under way in “`-5`”:\n- secret plans: working · 10 s"
    assert "secret" not in await says(home, "/tasks", "-5")
    assert "- Name of tg:1: working · 10 s" in home.shown("-5")[-1].text
    # Another's private chat shows nothing of it, and its id means nothing there.
    assert "secret" not in await says(home, "/tasks", "2", sender=FRIEND)
    await says(home, f"/cancel {ref('t', task.task_id)}", "2", sender=FRIEND)
    assert await home.db.read(tasks.marked) == []
    await home.press("⏹ secret plans")
    await home.work()
    assert home.shown("1")[-1].text == "⏹ I stop it. What had been done by then I say there."
    assert await home.db.read(tasks.marked) == [task.task_id]


@pytest.mark.parametrize("text", ["What are you working on?", "Woran arbeitest du gerade?", "你现在在做什么？"])
async def test_what_is_worked_on_is_said_without_a_model(database: Database, tmp_path: Path, text: str) -> None:
    home = await at_home(database, tmp_path, "Nothing, I just chat.")
    # Where nothing is under way it is a model's to say.
    assert await says(home, text) == "Nothing, I just chat."
    await at_work(home, "compare the offers")
    assert "compare the offers: working" in await says(home, text)


@pytest.mark.parametrize("text", ["stop the task", "stopp bitte die Aufgabe", "停止任务"])
async def test_the_only_task_is_stopped_by_words_and_of_several_it_is_asked_which(
    database: Database, tmp_path: Path, text: str
) -> None:
    home = await at_home(database, tmp_path)
    task = await at_work(home, "compare the offers", state="queued")
    await says(home, text)
    await background(home)
    assert [row["state"] for row in await home.rows("SELECT state FROM task")] == ["cancelled"]
    assert home.shown("1")[-1].text == "⏹ Stopped. Nothing had been done yet."
    for prompt in ("find a flight", "find a hotel"):
        await at_work(home, prompt)
    assert "find a flight" in await says(home, text)
    assert await home.db.read(tasks.marked) == []
    assert task.task_id == 1


async def test_the_page_of_somebody_shows_what_is_theirs_with_a_button_that_stops_it(
    database: Database, tmp_path: Path
) -> None:
    home = await at_home(database, tmp_path)
    await at_work(home, "secret plans", chat="-5")
    task = await at_work(home, "compare the offers")
    opened = Opened(key="o1", chat="1", sender=Sender(address=OWNER, name="Ann", language="en"))
    await home.app.inbox.accept(home.tenant_id, [opened])
    await home.app.container.get(Pages).show(task.person_id)
    title, lines = home.adapter.pages[-1][1].sections[0]
    assert (title, [line.text for line in lines]) == (
        "Under way",
        ["compare the offers: working", "secret plans: working · “`-5`”"],
    )
    await home.press("", data=lines[0].buttons[0].data)
    assert await home.db.read(tasks.marked) == [task.task_id]

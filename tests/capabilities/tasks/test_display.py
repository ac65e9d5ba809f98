"""What people see of a task at work: one message, edited in place, with a button that stops it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.capabilities.tasks.display import TaskDisplay
from core.kernel.errors import SendRefused
from core.kernel.ports import Database
from core.store.conversation import outbox, tasks
from core.store.conversation.tasks import TaskState
from tests.commanding import said
from tests.fakes import FRIEND, OWNER, Hitch, House, house
from tests.working import at_work, background, becomes, ends, looked, task_rows

GROUP = {"chat": "-5", "chat_kind": "group", "addressed": True}
READING = json.dumps({"step": 2, "tool": "read_file", "about": "plans/budget.csv"})


async def in_private(database: Database, folder: Path, *script: object) -> House:
    home = await house(database, folder, *script, model=bool(script))  # type: ignore[arg-type]
    await home.hear("/time")
    await home.work()
    return home


async def in_group(database: Database, folder: Path) -> House:
    home = await house(database, folder, model=False)
    await home.hear("/time", **GROUP)
    await home.work()
    return home


def status(home: House, chat: str = "1") -> list[str]:
    """What the messages say now that came after the answer to /time."""
    texts = [sent.text for sent in home.shown(chat)]
    return texts[1 + next(n for n, text in enumerate(texts) if text.startswith("It is")) :]


async def test_what_a_model_takes_for_an_address_is_shown_as_it_stands(database: Database, tmp_path: Path) -> None:
    home = await in_private(database, tmp_path)
    await at_work(home, doing=json.dumps({"step": 1, "tool": "read_page", "about": "https://[x/page"}))
    home.clock.advance(5)
    await looked(home)
    assert status(home) == ["⏳ step 1 · reading `page` · 5 s"]
    assert "reading `page`" in await said(home, "/tasks")


async def edits(home: House) -> int:
    (count,) = await home.column("SELECT count(*) FROM outbox WHERE replaces_id IS NOT NULL AND state = 'sent'")
    return int(count)


async def test_it_is_shown_from_five_seconds_on_and_its_last_edit_says_how_it_ended(
    database: Database, tmp_path: Path
) -> None:
    home = await in_private(database, tmp_path)
    task = await at_work(home, doing=READING, cost=23_000)
    await looked(home)
    home.clock.advance(4.9)
    await looked(home)
    assert status(home) == []
    home.clock.advance(0.1)
    await looked(home)
    assert status(home) == ["⏳ step 2 · reading `budget.csv` · 5 s · $0.02"]
    (message,) = home.shown("1")[1:]
    assert [button.label for button in message.keyboard.buttons] == ["Stop"]  # type: ignore[union-attr]
    assert message.to.reply_to == "u1"
    home.clock.advance(36)
    await looked(home)
    assert status(home) == ["⏳ step 2 · reading `budget.csv` · 41 s · $0.02"]
    await ends(home, task)
    home.clock.advance(3)
    await looked(home)
    (message,) = [sent for sent in home.shown("1") if sent.text.startswith("✅")]
    assert (message.text, message.keyboard) == ("✅ done · 41 s · $0.02", None)
    # Nothing more is to be seen, and the model is told nothing of it.
    home.clock.advance(60)
    await looked(home)
    assert await edits(home) == 2
    assert await home.column("SELECT count(*) FROM message WHERE text LIKE '%step%'") == [0]


@pytest.mark.databases("sqlite")
async def test_after_the_clock_was_set_back_its_message_goes_on_and_says_how_it_ended(
    database: Database, tmp_path: Path
) -> None:
    home = await in_private(database, tmp_path)
    task = await at_work(home)
    home.clock.advance(6)
    await looked(home)
    home.clock.jump(-6 * 3600)
    display = home.app.container.get(TaskDisplay)
    home.clock.advance(1)
    now = home.clock.now()
    at = await home.db.write(lambda tx: display.due(tx, now))
    assert at is None or at <= now + 60_000
    await ends(home, task)
    await looked(home)
    home.clock.advance(3)
    await looked(home)
    (message,) = [sent for sent in home.shown("1") if sent.text.startswith("✅")]
    assert message.keyboard is None


async def test_what_ends_within_five_seconds_leaves_no_message(database: Database, tmp_path: Path) -> None:
    home = await in_private(database, tmp_path)
    task = await at_work(home)
    home.clock.advance(4)
    await ends(home, task)
    await looked(home)
    home.clock.advance(60)
    await looked(home)
    assert await home.column("SELECT count(*) FROM outbox WHERE urgency LIKE '2%'") == [0]


@pytest.mark.databases("sqlite")
async def test_it_is_edited_once_in_three_seconds_at_most_and_less_often_when_only_time_passes(
    database: Database, tmp_path: Path
) -> None:
    home = await in_private(database, tmp_path)
    task = await at_work(home)
    home.clock.advance(5)
    for n in range(60):
        await becomes(home, task, doing=json.dumps({"step": n + 1, "tool": "run_python"}))
        await looked(home)
        home.clock.advance(1)
    assert await edits(home) == 19
    before = await edits(home)
    for _ in range(300):
        await looked(home)
        home.clock.advance(1)
    # A minute is a minute: nobody reads its seconds.
    assert await edits(home) - before <= 6


async def test_ten_workers_are_one_message_that_counts_them(database: Database, tmp_path: Path) -> None:
    home = await in_private(database, tmp_path)
    task = await at_work(home, state="waiting", waits_for="workers")
    workers = [await at_work(home, f"read {n}", parent_id=task.task_id, doing=READING) for n in range(10)]
    home.clock.advance(6)
    await looked(home)
    assert status(home) == ["⏳ step 1 of 11 · reading `budget.csv` · 6 s"]
    for worker in workers[:3]:
        await ends(home, worker)
    home.clock.advance(3)
    await looked(home)
    assert status(home) == ["⏳ step 4 of 11 · reading `budget.csv` · 9 s"]
    for worker in workers[3:]:
        await ends(home, worker)
    await becomes(home, task, state="running", doing="")
    home.clock.advance(3)
    await looked(home)
    assert status(home) == ["⏳ step 11 of 11 · 12 s"]


async def test_a_group_sees_nothing_private_of_it(database: Database, tmp_path: Path) -> None:
    home = await in_group(database, tmp_path)
    task = await at_work(home, "secret plans", chat="-5", doing=READING, cost=90_000)
    await at_work(home, "other plans", chat="-5", made_in=None)
    home.clock.advance(41)
    await looked(home)
    assert status(home, "-5") == ["⏳ step 2 · 41 s", "⏳ working · 41 s"]
    await ends(home, task, outcome="the secret outcome")
    home.clock.advance(3)
    await looked(home)
    assert "✅ done · 41 s" in status(home, "-5")
    assert not [text for text in status(home, "-5") if "plans" in text or "$" in text or "budget" in text]


async def test_several_at_once_say_which_is_which(database: Database, tmp_path: Path) -> None:
    home = await in_private(database, tmp_path)
    await at_work(home, "compare the offers")
    home.clock.advance(5)
    await looked(home)
    assert status(home) == ["⏳ working · 5 s"]
    await at_work(home, "find a flight *now*")
    home.clock.advance(10)
    await looked(home)
    assert status(home) == [
        "⏳ **compare the offers**\nworking · 15 s",
        r"⏳ **find a flight \*now\***" + "\nworking · 10 s",
    ]


async def test_what_is_queued_or_waits_for_an_answer_says_so(database: Database, tmp_path: Path) -> None:
    home = await in_private(database, tmp_path)
    task = await at_work(home, state="queued", started_at=None)
    home.clock.advance(12)
    await looked(home)
    assert status(home) == ["⏳ queued · 12 s"]
    await becomes(home, task, state="waiting", waits_for="answer", started_at=home.clock.now())
    home.clock.advance(3)
    await looked(home)
    assert status(home) == ["❓ waiting for you"]
    # What did not change is not edited.
    before = await edits(home)
    for _ in range(10):
        home.clock.advance(30)
        await looked(home)
    assert await edits(home) == before


@pytest.mark.databases("sqlite")
async def test_a_question_that_is_asked_early_shows_itself(database: Database, tmp_path: Path) -> None:
    home = await in_private(database, tmp_path)
    await at_work(home, state="waiting", waits_for="answer")
    home.clock.advance(60)
    await looked(home)
    assert status(home) == []


@pytest.mark.databases("sqlite")
async def test_after_a_restart_the_same_message_goes_on(database: Database, tmp_path: Path) -> None:
    home = await in_private(database, tmp_path)
    task = await at_work(home)
    home.clock.advance(5)
    await looked(home)
    again = await house(database, tmp_path, model=False, clock=home.clock, adapter=home.adapter)
    home.clock.advance(20)
    await looked(again)
    assert status(home) == ["⏳ working · 25 s"]
    # Its end was committed right before the process died: the next start says so.
    await ends(again, task, TaskState.FAILED)
    once_more = await house(database, tmp_path, model=False, clock=home.clock, adapter=home.adapter)
    await looked(once_more)
    assert status(home)[0] == "⚠️ failed · 25 s"
    assert [button.data for button in home.adapter.sent[1].keyboard.buttons] == [  # type: ignore[union-attr]
        button.data
        for button in home.adapter.sent[2].keyboard.buttons  # type: ignore[union-attr]
    ]


async def test_its_button_stops_it_though_the_lane_is_held_and_a_second_press_changes_nothing(
    database: Database, tmp_path: Path
) -> None:
    home = await in_private(database, tmp_path)
    task = await at_work(home, state="waiting", waits_for="workers")
    worker = await at_work(home, "read A", parent_id=task.task_id)
    home.clock.advance(8)
    await looked(home)
    await home.press("Stop")
    # It is marked by the press itself: no run was needed, and who holds the lane is not waited for.
    assert await home.db.read(tasks.marked) == [task.task_id]
    home.clock.advance(3)
    await looked(home)
    assert status(home) == ["⏳ stopping · 11 s"]
    data = home.adapter.sent[1].keyboard.buttons[0].data  # type: ignore[union-attr]
    assert await home.press("", data=data) == "Already done."
    await becomes(home, worker, state="queued")
    await background(home)
    home.clock.advance(3)
    await looked(home)
    # The message says it, and no other one does.
    assert status(home) == ["⏹ stopped · 11 s"]
    await home.press("", data=data)
    await background(home)
    assert [row["state"] for row in await home.rows("SELECT state FROM task")] == ["cancelled", "cancelled"]
    assert status(home) == ["⏹ stopped · 11 s"]


@pytest.mark.databases("sqlite")
async def test_in_a_group_its_person_an_administrator_and_an_owner_may_stop_it(
    database: Database, tmp_path: Path
) -> None:
    home = await house(database, tmp_path, model=False)
    await home.hear("/time", **GROUP)
    await home.work()
    task = await at_work(home, chat="-5")
    home.clock.advance(6)
    await looked(home)
    await home.press("Stop", sender=FRIEND, chat="-5")
    await home.work()
    assert status(home, "-5")[1:] == ["Only whoever made it, an administrator of this group or my owner may do that."]
    assert await home.db.read(tasks.marked) == []
    home.adapter.admins.add(("-5", FRIEND))
    await home.press("Stop", sender=FRIEND, chat="-5")
    await home.work()
    assert await home.db.read(tasks.marked) == [task.task_id]


async def test_a_reply_to_it_steers_the_task_and_it_says_that_it_heard(database: Database, tmp_path: Path) -> None:
    home = await in_private(database, tmp_path)
    task = await at_work(home)
    worker = await at_work(home, "read", parent_id=task.task_id)
    home.clock.advance(6)
    await looked(home)
    message = home.shown("1")[1].platform_id
    await home.hear("only the *German* one", reply_to=message)
    await home.work()
    inputs = await home.rows("SELECT task_id, kind, text FROM task_input ORDER BY id")
    assert [(row["task_id"], row["kind"], row["text"]) for row in inputs] == [
        (task.task_id, "steer", "only the *German* one"),
        (worker.task_id, "steer", "only the *German* one"),
    ]
    home.clock.advance(3)
    await looked(home)
    # Nothing but the line says so.
    assert status(home) == ["⏳ step 1 of 2 · 9 s\n↪ only the \\*German\\* one"]
    await home.hear("stop", reply_to=message)
    await home.work()
    assert await home.db.read(tasks.marked) == [task.task_id]


async def test_in_a_group_nobody_else_steers_it(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path, model=False)
    await home.hear("/time", sender=FRIEND, **GROUP)
    await home.work()
    await at_work(home, chat="-5")
    home.clock.advance(6)
    await looked(home)
    message = home.shown("-5")[-1].platform_id
    await home.hear("only mine", sender="tg:3", reply_to=message, **GROUP)
    await home.work()
    assert await home.column("SELECT count(*) FROM task_input") == [0]
    assert status(home, "-5")[1:] == ["Only whoever asked for it, or my owner, may tell it more."]
    await home.hear("all of them", sender=OWNER, reply_to=message, **GROUP)
    await home.work()
    assert await home.column("SELECT text FROM task_input") == ["all of them"]


async def test_a_reply_after_the_end_is_for_the_model_which_is_told_the_outcome(
    database: Database, tmp_path: Path
) -> None:
    home = await in_private(database, tmp_path, "It costs 40.")
    task = await at_work(home)
    home.clock.advance(6)
    await looked(home)
    message = home.shown("1")[1].platform_id
    await ends(home, task, outcome="B costs 40 a month.")
    await home.db.write(
        lambda tx: tx.run("UPDATE inbox SET state = 'done', ended_at = 1 WHERE task_id IS NOT NULL", {})
    )
    await home.hear("and what does it cost?", reply_to=message)
    await home.work()
    assert home.model is not None
    assert "B costs 40 a month." in json.dumps(list(home.model.requests[0].messages), ensure_ascii=False)
    assert await home.column("SELECT count(*) FROM task_input") == [0]


@pytest.mark.databases("sqlite")
async def test_what_cannot_be_edited_any_more_is_left(database: Database, tmp_path: Path) -> None:
    home = await in_private(database, tmp_path)
    await at_work(home)
    home.clock.advance(6)
    await looked(home)
    home.adapter.hitches.append(Hitch(error=SendRefused("message to edit not found")))
    for _ in range(5):
        home.clock.advance(20)
        await looked(home)
    assert len(home.adapter.tried) == 3


@pytest.mark.databases("sqlite")
async def test_its_message_counts_for_no_cap_of_what_the_bot_says_by_itself(database: Database, tmp_path: Path) -> None:
    home = await in_private(database, tmp_path)
    task = await at_work(home)
    home.clock.advance(6)
    await looked(home)
    assert await home.db.read(lambda tx: outbox.started(tx, task.lane, 0, home.clock.now())) == 0


@pytest.mark.databases("sqlite")
@pytest.mark.parametrize("lead", ["For the task: ", "zur Aufgabe: ", "给任务："])
async def test_where_no_reply_can_name_it_words_do(database: Database, tmp_path: Path, lead: str) -> None:
    home = await in_private(database, tmp_path)
    await home.hear(f"{lead}only the German one")
    await home.work()
    await at_work(home)
    await home.hear(f"{lead}only the German one")
    await home.work()
    assert await home.column("SELECT text FROM task_input") == ["only the German one"]
    # Before its message is there, this says that it was heard.
    assert home.shown("1")[-1].text == "↪ noted"


@pytest.mark.parametrize("texts", [("secret thing",), ("secret thing", "another secret")])
async def test_the_message_of_what_is_forgotten_says_that_it_was_stopped_and_no_more(
    database: Database, tmp_path: Path, texts: tuple[str, ...]
) -> None:
    home = await in_private(database, tmp_path)
    for text in texts:
        task = await at_work(home, text)
        await at_work(home, "a part of it", parent_id=task.task_id)
    home.clock.advance(6)
    await looked(home)
    before = len(home.shown("1"))
    assert [one.keyboard is not None for one in home.shown("1")[-len(texts) :]] == [True] * len(texts)
    await home.hear("/forget yes")
    await background(home)
    for _ in range(2):
        home.clock.advance(10)
        await home.sweep()
        await looked(home)
    messages = home.shown("1")[before - len(texts) : before]
    assert [(one.text.partition(" ·")[0], one.keyboard) for one in messages] == [("⏹ stopped", None)] * len(texts)
    assert await task_rows(home) == []
    assert "secret" not in "".join(one.text for one in home.shown("1"))


async def test_in_a_group_only_what_is_forgotten_is_stopped(database: Database, tmp_path: Path) -> None:
    home = await in_group(database, tmp_path)
    for sender in (OWNER, FRIEND):
        await home.hear("/time", **GROUP, sender=sender)
        await home.work()
        await at_work(home, f"for {sender}", chat="-5")
    home.clock.advance(6)
    await looked(home)
    await home.hear("/forget me", **GROUP, sender=FRIEND)
    await background(home)
    home.clock.advance(10)
    await looked(home)
    assert [one.text.partition(" ·")[0] for one in home.shown("-5") if one.text[0] in "⏳⏹"] == [
        "⏳ working",
        "⏹ stopped",
    ]
    assert [row["prompt"] for row in await task_rows(home)] == [f"for {OWNER}"]

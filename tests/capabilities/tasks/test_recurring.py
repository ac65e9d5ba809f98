"""What a trigger starts is worked on as whoever made it; where that cannot be done, it is said as it stands."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from core.capabilities.tasks.display import TaskDisplay
from core.kernel.conditions import All, FileExists, Judged, dump
from core.kernel.errors import ModelRefused, ModelUnreachable, SendRefused
from core.kernel.ids import ref
from core.kernel.ports import Database, Tx
from core.kernel.timing.schedule import Interval
from core.kernel.types import Answer, ModelRequest, Usage
from core.kernel.updates import Left
from core.store.conversation import shown_tasks, tasks
from core.store.conversation.tasks import InputKind, WaitsFor
from core.store.people import people
from tests.fakes import FRIEND, START, Hitch, House, house
from tests.triggering import passes, person_of, state, trigger
from tests.working import at_work, background, call, calling, looked, scripted, task_rows

pytestmark = pytest.mark.databases("sqlite")

PROMPT = "Look at the *weather*"
SHOWN = r"⏰ Look at the \*weather\*"
HOURLY = Interval(seconds=3600, start=START)
GUEST = "tg:50"
GROUP = {"chat": "-5", "chat_kind": "group", "title": "Family"}


async def home_of(database: Database, folder: Path, *, model: bool = True, **roles: list[Any]) -> House:
    roles["teller"] = ["Hello.", *roles.get("teller", [])]
    script = [scripted(**roles)] if model else []
    home = await house(database, folder / "house", *script, model=model)
    await home.hear("hello")
    await home.work()
    return home


async def hour(home: House) -> None:
    """An hour passes, and what is due then is done."""
    home.clock.advance(3600)
    await home.app.scheduler.due()
    await background(home)


def said(home: House) -> list[str]:
    return [sent.text for sent in home.shown()][1:]


async def test_what_is_due_is_worked_on_and_told(database: Database, tmp_path: Path) -> None:
    asked: list[ModelRequest] = []

    def look(request: ModelRequest) -> str:
        asked.append(request)
        return "It rains."

    home = await home_of(database, tmp_path, planner=[look], teller=["It will rain."])
    made = await trigger(home, PROMPT, HOURLY, deliver="task", depth=1, trace_id="mine", timeout_s=77)
    await hour(home)
    assert said(home) == ["It will rain."]
    (task,) = await task_rows(home)
    assert (task["state"], task["source_key"], task["trigger_id"]) == ("done", f"trigger:{made}:0", made)
    assert (task["depth"], task["timeout_s"], task["trace_id"]) == (1, 77, "mine:0")
    event = json.loads(asked[0].event)
    assert (event["trigger_id"], event["earlier_outcomes"], event["person_said"]) == (ref("s", made), [], [])


async def test_the_last_five_outcomes_are_known_to_the_next_one_and_can_be_seen(
    database: Database, tmp_path: Path
) -> None:
    events: list[dict[str, Any]] = []

    def look(request: ModelRequest) -> str:
        events.append(json.loads(request.event))
        return f"look {len(events)}"

    home = await home_of(database, tmp_path, planner=[look] * 7, teller=["told"] * 7)
    made = await trigger(home, PROMPT, HOURLY, deliver="task")
    for _ in range(7):
        await hour(home)
    assert [one["outcome"] for one in events[-1]["earlier_outcomes"]] == [f"look {n}" for n in (6, 5, 4, 3, 2)]
    await home.hear(f"/tasks {ref('s', made)}")
    await home.work()
    shown = home.adapter.texts()[-1]
    assert shown.startswith("⚙ Runs every hour")
    assert [f"look {n}" in shown for n in (7, 3, 2)] == [True, True, False]


@pytest.mark.parametrize("second", ['{"status": "unchanged"}', "It is  DRY."])
async def test_what_is_as_it_was_is_not_told_where_that_is_wished(
    database: Database, tmp_path: Path, second: str
) -> None:
    home = await home_of(
        database, tmp_path, planner=["It is dry.", second, second, "It rains."], teller=["Dry.", "Rain."]
    )
    await trigger(home, PROMPT, HOURLY, deliver="task", silent=True)
    for _ in range(4):
        await hour(home)
    assert said(home) == ["Dry.", "Rain."]
    assert [one["state"] for one in await task_rows(home)] == ["done"] * 4


async def test_that_it_still_cannot_be_done_is_told_once_a_day_where_only_news_are_wished(
    database: Database, tmp_path: Path
) -> None:
    def fails(n: int) -> str:
        return json.dumps({"status": "failed", "text": f"No page there: {n}"})

    days, broken = 2, 66
    planner = ["It is dry.", *map(fails, range(broken)), "It rains.", fails(broken), fails(broken + 1)]
    home = await home_of(database, tmp_path, planner=planner, teller=["Dry.", "Rain."])
    await trigger(home, PROMPT, HOURLY, deliver="task", silent=True)
    for _ in range(len(planner)):
        await hour(home)
    told = said(home)
    failures = [text for text in told if "No page there" in text]
    assert [told[0], told[1], told[-2], told[-1]] == ["Dry.", failures[0], "Rain.", failures[-1]]
    assert ["No page there: 0" in failures[0], f"No page there: {broken}" in failures[-1]] == [True, True]
    assert len(failures) == 1 + days + 1


async def test_that_it_cannot_be_done_is_told_each_time_where_nobody_wished_otherwise(
    database: Database, tmp_path: Path
) -> None:
    failed = ['{"status": "failed", "text": "No page there"}'] * 3
    home = await home_of(database, tmp_path, planner=failed, teller=[])
    await trigger(home, PROMPT, HOURLY, deliver="task")
    for _ in failed:
        await hour(home)
    assert len(said(home)) == len(failed)


async def test_what_did_the_same_again_without_a_word_is_not_told_where_that_is_wished(
    database: Database, tmp_path: Path
) -> None:
    same = [calling(call("remember", content="it is dry")), "", calling(call("remember", content="so it is")), ""]
    home = await home_of(database, tmp_path, planner=same, teller=["Noted.", "Noted again."])
    await trigger(home, PROMPT, HOURLY, deliver="task", silent=True)
    for _ in range(2):
        await hour(home)
    assert said(home) == ["Noted."]


async def test_that_all_is_as_it_was_is_understood_beside_words(database: Database, tmp_path: Path) -> None:
    nothing = 'I looked, nothing is new.\n```json\n{"status": "unchanged"}\n```'
    home = await home_of(database, tmp_path, planner=["Dry.", nothing], teller=["Dry.", "Still dry."])
    await trigger(home, PROMPT, HOURLY, deliver="task", silent=True)
    for _ in range(2):
        await hour(home)
    assert said(home) == ["Dry."]
    assert [one["outcome"] for one in await task_rows(home)] == ["Dry.", "I looked, nothing is new."]


async def test_what_is_as_it_was_is_told_where_nobody_wished_otherwise(database: Database, tmp_path: Path) -> None:
    home = await home_of(database, tmp_path, planner=["Dry.", "Dry."], teller=["Dry."] * 2)
    await trigger(home, PROMPT, HOURLY, deliver="task")
    await hour(home)
    await hour(home)
    assert said(home) == ["Dry."] * 2


async def test_the_first_outcome_is_told_whatever_it_is(database: Database, tmp_path: Path) -> None:
    home = await home_of(
        database,
        tmp_path,
        planner=['{"status": "unchanged", "text": "Dry."}', '{"status": "unchanged"}'],
        teller=["D."],
    )
    await trigger(home, PROMPT, HOURLY, deliver="task", silent=True)
    await hour(home)
    await hour(home)
    assert said(home) == ["D."]


@pytest.mark.parametrize(
    ("fails", "shown"),
    [
        (ModelUnreachable("down"), SHOWN),
        (ModelRefused("no"), SHOWN),
        ("", SHOWN),
        ('{"status": "failed", "text": "The *page* is gone."}', f"{SHOWN}\n\nThe \\*page\\* is gone."),
    ],
    ids=["away", "refuses", "says nothing", "fails"],
)
async def test_where_it_cannot_be_done_it_is_said_as_it_stands(
    database: Database, tmp_path: Path, fails: Any, shown: str
) -> None:
    home = await home_of(database, tmp_path, planner=[fails])
    await trigger(home, PROMPT, 3600, deliver="task")
    await hour(home)
    await hour(home)
    assert said(home) == [shown]
    assert [one["state"] for one in await task_rows(home)] == ["failed"]
    assert await home.column("SELECT count(*) FROM inbox WHERE task_id IS NOT NULL") == [0]


async def test_work_that_comes_late_says_so(database: Database, tmp_path: Path) -> None:
    asked: list[ModelRequest] = []

    async def look(request: ModelRequest) -> str:
        asked.append(request)
        home.clock.advance(1800)
        return "It rains."

    home = await home_of(database, tmp_path, planner=[look, ModelUnreachable("down")], teller=["It rains."])
    await trigger(home, PROMPT, 3600, deliver="task")
    home.clock.advance(4 * 3600)
    await hour(home)
    # How long it took is no lateness.
    assert said(home) == ["4 h late.\n\nIt rains."]
    due = datetime.fromtimestamp(START / 1000 + 3600, UTC).isoformat(timespec="minutes")
    assert json.loads(asked[0].event)["due_at"] == due
    await trigger(home, PROMPT, 3600, deliver="task")
    home.clock.advance(4 * 3600)
    await hour(home)
    await hour(home)
    assert said(home)[-1].startswith(f"{SHOWN}\n")
    assert "late." in said(home)[-1]


async def test_work_that_was_broken_off_and_lay_about_says_how_late_it_is(database: Database, tmp_path: Path) -> None:
    async def killed(request: ModelRequest) -> str:
        raise RuntimeError("killed")

    home = await home_of(database, tmp_path, planner=[killed, "It rains."], teller=["It rains."])
    await trigger(home, PROMPT, 3600, deliver="task")
    home.clock.advance(3600)
    await home.app.scheduler.due()
    await background(home)
    assert said(home) == []
    home.clock.advance(3 * 3600)
    await background(home)
    assert said(home) == ["3 h late.\n\nIt rains."]


async def test_what_it_is_told_while_it_lies_about_hides_no_lateness(database: Database, tmp_path: Path) -> None:
    async def killed(request: ModelRequest) -> str:
        raise RuntimeError("killed")

    home = await home_of(database, tmp_path, planner=[killed, "It rains."], teller=["Noted.", "It rains."])
    await trigger(home, PROMPT, 3600, deliver="task")
    home.clock.advance(3600)
    await home.app.scheduler.due()
    await background(home)
    home.clock.advance(3 * 3600)
    (row,) = await task_rows(home)
    task = await home.db.read(lambda tx: tasks.by_number(tx, row["id"]))
    assert task is not None
    await home.db.write(
        lambda tx: tasks.tell(tx, task, InputKind.STEER, "in Rome, too", home.clock.now(), frees=WaitsFor.NOTHING)
    )
    home.clock.advance(30)
    await background(home)
    assert "3 h late." in said(home)[-1]


async def test_what_it_may_cost_is_kept_each_time(database: Database, tmp_path: Path) -> None:
    home = await home_of(database, tmp_path, planner=["It rains."], teller=["It rains."])
    await trigger(home, "Look at the weather, spend at most $1 on it", HOURLY, deliver="task")
    await hour(home)
    (row,) = await task_rows(home)
    assert (row["most_cost"], row["words"]) == (1_000_000, "[]")


async def test_without_a_model_it_is_said_as_it_stands(database: Database, tmp_path: Path) -> None:
    home = await home_of(database, tmp_path, model=False)
    await trigger(home, PROMPT, 3600, deliver="task")
    await hour(home)
    assert said(home) == [SHOWN]


async def test_when_the_budget_is_spent_it_is_said_as_it_stands(database: Database, tmp_path: Path) -> None:
    spent = Answer(text="Hello.", usage=Usage(model="m", tokens_in=2_000, tokens_out=900))
    home = await house(database, tmp_path / "house", spent, daily_tokens=3_000)
    await home.hear("hello")
    await home.work()
    await trigger(home, PROMPT, 3600, deliver="task")
    await hour(home)
    assert said(home)[-1:] == [SHOWN]


async def test_what_a_guest_has_set_is_said_as_it_stands(database: Database, tmp_path: Path) -> None:
    home = await home_of(database, tmp_path, teller=["Hello all.", "Hello you."])
    await home.hear("hello", **GROUP)
    await home.work()
    await home.hear("hello", sender=GUEST, **GROUP)
    await home.work()
    await trigger(home, PROMPT, 3600, chat="-5", by=GUEST, deliver="task")
    await hour(home)
    assert [sent.text for sent in home.shown("-5")][-1] == SHOWN
    assert await task_rows(home) == []


async def test_a_group_whose_work_lost_its_maker_is_told_so_once_and_each_time_what_was_wanted(
    database: Database, tmp_path: Path
) -> None:
    home = await home_of(database, tmp_path, planner=["never"], teller=["Hello all.", "Hello Bob."])
    await home.hear("hello", **GROUP)
    await home.work()
    await home.hear("hello", sender=FRIEND, **GROUP)
    await home.work()
    await trigger(home, PROMPT, HOURLY, chat="-5", by=FRIEND, deliver="task")
    bob, before = await person_of(home, FRIEND), len(home.shown("-5"))
    await home.db.write(lambda tx: people.set_standing(tx, home.tenant_id, bob, "removed"))
    for _ in range(2):
        await hour(home)
    gone = (
        "Whoever set this work no longer has access to me, so I no longer do it. When it is due I only say what was"
        r" wanted, until somebody stops it: Look at the \*weather\*"
    )
    assert [sent.text for sent in home.shown("-5")][before:] == [SHOWN, gone, SHOWN]
    assert await task_rows(home) == []


GIVEN_UP = (
    "Whoever set this work has left this group, or no longer has access to me, so I no longer do it:"
    r" Look at the \*weather\*"
)


async def of_friend(database: Database, folder: Path, **fields: Any) -> tuple[House, int]:
    """A house with hourly work of a friend in a group, and its number."""
    home = await home_of(database, folder, planner=["never"], teller=["Hello all.", "Hello Bob.", "Hello you."])
    await home.hear("hello", **GROUP)
    await home.work()
    await home.hear("hello", sender=FRIEND, **GROUP)
    await home.work()
    return home, await trigger(home, PROMPT, HOURLY, chat="-5", by=FRIEND, deliver="task", **fields)


@pytest.mark.databases("sqlite", "postgres")
@pytest.mark.parametrize("standing", ["removed", "guest"])
async def test_silent_work_of_a_group_that_lost_its_maker_ends_and_that_is_said(
    database: Database, tmp_path: Path, standing: str
) -> None:
    home, made = await of_friend(database, tmp_path, silent=True)
    if standing == "guest":
        await home.hear("hello", sender=GUEST, **GROUP)
        await home.work()
        guest = await person_of(home, GUEST)
        await home.db.write(lambda tx: tx.run("UPDATE trigger SET person_id = :guest", {"guest": guest}))
    else:
        bob = await person_of(home, FRIEND)
        await home.db.write(lambda tx: people.set_standing(tx, home.tenant_id, bob, "removed"))
    before = len(home.shown("-5"))
    for _ in range(3):
        await hour(home)
    assert [sent.text for sent in home.shown("-5")][before:] == [GIVEN_UP]
    assert (await state(home, made))[0] == "cancelled"
    assert await task_rows(home) == []


@pytest.mark.databases("sqlite", "postgres")
async def test_a_group_is_told_which_work_ends_with_who_leaves_it(database: Database, tmp_path: Path) -> None:
    home, made = await of_friend(database, tmp_path)
    before = len(home.shown("-5"))
    left = Left(key="left", chat="-5", address=FRIEND)
    for _ in range(2):
        await home.app.inbox.accept(home.tenant_id, [left])
        await hour(home)
    assert [sent.text for sent in home.shown("-5")][before:] == [GIVEN_UP]
    assert (await state(home, made))[:2] == ("cancelled", "left")


async def test_what_is_still_worked_on_is_not_begun_beside_itself(database: Database, tmp_path: Path) -> None:
    ask = '{"status": "needs_input", "question": "Which town?", "timeout": 86400}'
    home = await home_of(database, tmp_path, planner=[ask, "It rains in Bonn."], teller=["Rain in Bonn."])
    await trigger(home, PROMPT, HOURLY, deliver="task")
    await hour(home)
    await hour(home)
    assert [one["state"] for one in await task_rows(home)] == ["waiting"]
    await home.hear("Bonn")
    await background(home)
    assert said(home)[-1] == "Rain in Bonn."


async def test_it_rests_after_each_time_as_long_as_is_wished(database: Database, tmp_path: Path) -> None:
    home = await home_of(database, tmp_path, planner=["Dry."] * 9, teller=["Dry."] * 9)
    await trigger(home, PROMPT, HOURLY, deliver="task", cooldown_s=2 * 3600 + 60)
    for _ in range(7):
        await hour(home)
    assert len(await task_rows(home)) == 3


@pytest.mark.databases("sqlite", "postgres")
async def test_a_run_that_was_triggered_makes_one_follow_up_and_none_at_the_fifth(
    database: Database, tmp_path: Path
) -> None:
    later = call("schedule_once", delay_seconds=7200, focus="again")
    twice = [calling(later), calling(later), "done"]
    home = await home_of(database, tmp_path, planner=[*twice, calling(later), "done"], teller=["told"] * 2)
    await trigger(home, PROMPT, 3600, deliver="task", depth=1)
    await hour(home)
    assert await home.column("SELECT depth FROM trigger ORDER BY id") == [1, 2]
    await trigger(home, "the last one", 60, deliver="task", depth=5)
    await hour(home)
    assert await home.column("SELECT depth FROM trigger ORDER BY id") == [1, 2, 5]
    errors = await home.column("SELECT content FROM step WHERE tool = 'schedule_once' ORDER BY run_id, n")
    assert [json.loads(one)["success"] for one in errors] == [True, False, False]


@pytest.mark.databases("sqlite", "postgres")
async def test_taint_goes_from_a_trigger_to_its_task_and_from_an_outcome_to_the_next(
    database: Database, tmp_path: Path
) -> None:
    home = await home_of(database, tmp_path, planner=["one", "two", "three"], teller=["told"] * 3)
    await trigger(home, PROMPT, HOURLY, deliver="task")
    await hour(home)
    await home.db.write(lambda tx: tx.run("UPDATE task SET tainted = 1"))
    await hour(home)
    await trigger(home, "other", 60, deliver="task", tainted=True)
    await hour(home)
    assert [one["tainted"] for one in await task_rows(home)][:2] == [1, 1]
    assert {one["prompt"]: one["tainted"] for one in await task_rows(home)}["other"] == 1


async def test_missed_times_are_worked_on_once(database: Database, tmp_path: Path) -> None:
    home = await home_of(database, tmp_path, planner=["Dry."], teller=["Dry."])
    await trigger(home, PROMPT, HOURLY, deliver="task")
    home.clock.advance(9 * 3600)
    await hour(home)
    assert len(await task_rows(home)) == 1


@pytest.mark.databases("sqlite", "postgres")
@pytest.mark.parametrize("silent", [False, True])
async def test_what_is_to_be_silent_shows_no_work_either(database: Database, tmp_path: Path, silent: bool) -> None:
    home = await home_of(database, tmp_path, model=False)
    made = await trigger(home, PROMPT, HOURLY, deliver="task", silent=silent)
    await at_work(home, trigger_id=made)
    for _ in range(2):
        await looked(home)
        home.clock.advance(6)
    await looked(home)
    assert len(said(home)) == (0 if silent else 1)


@pytest.mark.databases("sqlite", "postgres")
async def test_silent_work_that_takes_long_leaves_no_message_when_its_steps_are_shown(
    database: Database, tmp_path: Path
) -> None:
    poked: list[tuple[str, int]] = []

    def slow(request: ModelRequest) -> Answer:
        home.clock.advance(7)
        return calling(call("current_time"))

    async def unchanged(request: ModelRequest) -> str:
        # What the engine does at once with what was poked when the answer before was committed.
        for number in {number for kind, number in poked if kind == shown_tasks.SHOW_TASK}:
            await home.app.container.get(TaskDisplay).show(number)
        await home.send()
        return '{"status": "unchanged"}'

    planner: list[Any] = ["Dry.", slow, unchanged]
    home = await home_of(database, tmp_path, planner=planner, teller=["Dry."])
    engine, poke = home.app.container.engine, home.app.container.engine.poke

    def noted(tx: Tx, kind: str, key: int, *, bulk: bool = False) -> None:
        poked.append((kind, key))
        poke(tx, kind, key, bulk=bulk)

    engine.poke = noted  # type: ignore[method-assign]
    await trigger(home, PROMPT, HOURLY, deliver="task", silent=True)
    await hour(home)
    await hour(home)
    home.clock.advance(10)
    await looked(home)
    assert said(home) == ["Dry."]
    assert await home.column("SELECT message_key FROM task") == ["", ""]


@pytest.mark.databases("sqlite", "postgres")
async def test_what_waits_for_a_condition_is_listed_with_it(database: Database, tmp_path: Path) -> None:
    home = await home_of(database, tmp_path, model=False)
    both = All(conditions=(FileExists(path="a.csv"), Judged(prompt="is it late?")))
    waits: dict[str, Any] = {
        "state": "waiting",
        "waits_for": "condition",
        "condition": dump(both),
        "owner": None,
        "started_at": None,
    }
    task = await at_work(home, "sum it up", **waits)
    await home.hear("/tasks")
    await home.work()
    assert "sum it up: queued · as soon as there is a file a.csv and “is it late?” is so" in home.adapter.texts()[-1]
    await home.hear(f"/cancel {ref('t', task.task_id)}")
    await background(home)
    assert [one["state"] for one in await task_rows(home)] == ["cancelled"]
    assert await home.app.scheduler.due() is None


@pytest.mark.databases("sqlite", "postgres")
async def test_work_whose_outcome_is_for_nobody_since_the_bot_is_blocked_rests(
    database: Database, tmp_path: Path
) -> None:
    home = await home_of(database, tmp_path, planner=["It rains."] * 2, teller=["It will rain."] * 2)
    made = await trigger(home, PROMPT, HOURLY, deliver="task")
    home.adapter.hitches.append(Hitch(error=SendRefused("Forbidden: bot was blocked by the user")))
    await hour(home)
    assert (await state(home, made))[:2] == ("paused", "gone")
    await hour(home)
    assert len(await task_rows(home)) == 1


@pytest.mark.databases("sqlite", "postgres")
async def test_one_outcome_that_is_refused_is_said_and_two_in_a_row_let_the_work_rest(
    database: Database, tmp_path: Path
) -> None:
    home = await home_of(database, tmp_path, planner=["It rains."] * 4, teller=["rain", "wet", "rain", "rain"])
    made = await trigger(home, "the weather", HOURLY, deliver="task")
    refused = "I couldn't deliver “the weather”: the platform refused the message."
    for refuses, text, stands in (
        (True, refused, "active"),
        (False, "wet", "active"),
        # It is said once a day.
        (True, "wet", "active"),
        (True, f"{refused} It rests now; /tasks shows it and lets it go on.", "paused"),
    ):
        if refuses:
            home.adapter.hitches.append(Hitch(error=SendRefused("Bad Request: can't parse entities")))
        await hour(home)
        await passes(home, 1)
        assert (said(home)[-1], (await state(home, made))[0]) == (text, stands)
    await hour(home)
    assert len(await task_rows(home)) == 4


@pytest.mark.databases("sqlite", "postgres")
async def test_work_that_is_done_once_is_not_done_again_since_its_outcome_is_refused(
    database: Database, tmp_path: Path
) -> None:
    home = await home_of(database, tmp_path, planner=["I paid the bill."] * 2, teller=["*Paid*.", "Hello.", "Paid."])
    made = await trigger(home, "Pay the bill", 3_600, deliver="task")
    home.adapter.hitches.append(Hitch(error=SendRefused("Forbidden: bot was blocked by the user")))
    await hour(home)
    before = len(said(home))
    await home.hear("hello again")
    await background(home)
    await hour(home)
    assert (await state(home, made))[0] == "done"
    assert len(await task_rows(home)) == 1
    came = "While I could not reach this chat, this came of “Pay the bill”:\n\n*Paid*."
    assert said(home)[before:] == ["Hello.", came]
    await passes(home, 86_400)
    assert said(home)[before:] == ["Hello.", came]


BLOCKED = "Forbidden: bot was blocked by the user"


async def test_each_of_two_outcomes_that_no_longer_arrived_is_said_when_the_chat_is_back(
    database: Database, tmp_path: Path
) -> None:
    home = await home_of(database, tmp_path, planner=["Done."] * 2, teller=["Paid.", "Booked.", "Hello."])
    for text in ("Pay the bill", "Book a table"):
        await trigger(home, text, 3_600, deliver="task")
    home.adapter.hitches.extend([Hitch(error=SendRefused(BLOCKED))] * 2)
    await hour(home)
    before = len(said(home))
    await home.hear("hello again")
    await background(home)
    await hour(home)
    meanwhile = "While I could not reach this chat, this came of “{}”:\n\n{}"
    came = [meanwhile.format("Pay the bill", "Paid."), meanwhile.format("Book a table", "Booked.")]
    assert said(home)[before:] == ["Hello.", *came]


async def test_an_outcome_that_is_refused_once_more_is_kept_until_the_chat_is_back_again(
    database: Database, tmp_path: Path
) -> None:
    home = await home_of(database, tmp_path, planner=["Done."], teller=["Paid.", "Hello.", "Hello!"])
    await trigger(home, "Pay the bill", 3_600, deliver="task")
    home.adapter.hitches.append(Hitch(error=SendRefused(BLOCKED)))
    await hour(home)
    before = len(said(home))
    for hitch in (Hitch(error=SendRefused(BLOCKED)), None):
        await home.hear("hello again")
        await background(home)
        home.adapter.hitches.append(hitch)
        await hour(home)
    came = "While I could not reach this chat, this came of “Pay the bill”:\n\nPaid."
    assert said(home)[before:] == ["Hello.", "Hello!", came]
    # Nobody need send them: `teller dead list` would name what has been said since.
    assert await home.column("SELECT dead_for FROM outbox WHERE state = 'dead'") == ["told", "told"]

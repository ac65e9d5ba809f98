"""What is delegated is worked on in the background, and its outcome is told where it was asked for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.kernel.errors import ModelRefused, SendRefused
from core.kernel.ports import Database
from core.kernel.types import Answer, ModelRequest
from tests.fakes import Hitch, House, house
from tests.triggering import passes
from tests.working import background, call, calling, looked, scripted, task_rows, told

pytestmark = pytest.mark.databases("sqlite")

WORK = "compare the three offers"


def delegating(prompt: str = WORK, **more: object) -> Answer:
    return calling(call("delegate", prompt=prompt, **more))


async def home_of(
    database: Database, folder: Path, *, preset: str = "assistant", tasks: object = None, **roles: list[object]
) -> House:
    more: dict[str, Any] = {} if tasks is None else {"tasks": tasks}
    script: Any = scripted(**roles)  # type: ignore[arg-type]
    return await house(database, folder / "house", script, roles={"preset": preset}, **more)


def said(home: House, chat: str = "1") -> list[str]:
    return [sent.text for sent in home.shown(chat)]


@pytest.mark.parametrize("preset", ["assistant", "strict"])
async def test_what_the_teller_delegates_a_planner_does_and_the_teller_tells(
    database: Database, tmp_path: Path, preset: str
) -> None:
    events: list[str] = []

    def tell(request: ModelRequest) -> str:
        events.append(request.event)
        return "Offer B is the best one."

    home = await home_of(
        database,
        tmp_path,
        preset=preset,
        teller=[delegating(), "I am on it.", tell],
        planner=["B costs least: 40 a month."],
    )
    await home.hear("please compare the offers")
    await background(home)
    assert said(home) == ["I am on it.", "Offer B is the best one."]
    (task,) = await task_rows(home)
    assert (task["state"], task["outcome"], task["role"]) == ("done", "B costs least: 40 a month.", "planner")
    assert json.loads(task["words"]) == ["please compare the offers"]
    event = json.loads(events[0])
    assert {name: event[name] for name in ("status", "outcome", "prompt")} == {
        "status": "done",
        "outcome": "B costs least: 40 a month.",
        "prompt": WORK,
    }
    assert await home.column("SELECT count(*) FROM run WHERE ended_at IS NULL") == [0]


async def test_an_outcome_whose_telling_breaks_is_said_as_it_stands_and_no_more_is_said_of_it(
    database: Database, tmp_path: Path
) -> None:
    def breaks(request: ModelRequest) -> str:
        raise RuntimeError("a bug")

    home = await home_of(
        database, tmp_path, teller=[delegating(), "I am on it.", *[breaks] * 9], planner=["B is best."]
    )
    await home.hear("please compare the offers", chat="-5", chat_kind="group", addressed=True)
    for _ in range(6):
        await background(home)
        home.clock.advance(120)
    said_there = [(sent.text, sent.to.reply_to) for sent in home.shown("-5")][1:]
    assert said_there == [("I am on it.", "u1"), ("B is best.", "u1")]
    assert await home.column("SELECT state FROM inbox ORDER BY id") == ["done", "dead"]


@pytest.mark.parametrize("telling", ["B is the best one.", ""], ids=["told", "as it stands"])
@pytest.mark.parametrize("group", [True, False], ids=["group", "private"])
async def test_in_a_group_an_outcome_replies_to_what_asked_for_it(
    database: Database, tmp_path: Path, telling: str, group: bool
) -> None:
    home = await home_of(database, tmp_path, teller=[delegating(), "I am on it.", telling], planner=["B is best."])
    here: dict[str, Any] = {"chat": "-5", "chat_kind": "group"} if group else {}
    await home.hear("please compare the offers", addressed=True, **here)
    await home.work()
    if group:
        await home.hear("chatter", addressed=False, **here)
    await background(home)
    shown = home.shown("-5" if group else "1")[-2:]
    assert [(sent.text, sent.to.reply_to) for sent in shown] == [
        ("I am on it.", "u1" if group else ""),
        (telling or "B is best.", "u1" if group else ""),
    ]


@pytest.mark.parametrize("telling", ["", ModelRefused("no"), Answer(text="no answer", unsaid=True)])
async def test_an_outcome_that_the_teller_does_not_tell_is_said_as_it_stands(
    database: Database, tmp_path: Path, telling: str | ModelRefused
) -> None:
    home = await home_of(
        database, tmp_path, teller=[delegating(), "I am on it.", telling], planner=["B costs **least**."]
    )
    await home.hear("please compare the offers")
    await background(home)
    assert said(home) == ["I am on it.", "B costs **least**."]


@pytest.mark.parametrize(("words", "preset"), [("asked two", "assistant"), ("", "strict")])
async def test_workers_begin_when_the_planner_ends_its_turn_and_it_goes_on_with_all_they_found(
    database: Database, tmp_path: Path, words: str, preset: str
) -> None:
    heard: list[str] = []

    def sum_up(request: ModelRequest) -> str:
        heard.extend(str(one["content"]) for one in request.messages if "Outcome" in str(one["content"]))
        # Providers refuse a message without words or calls.
        assert [one for one in request.messages if not (one.get("content") or one.get("tool_calls"))] == []
        return "B costs least."

    home = await home_of(
        database,
        tmp_path,
        preset=preset,
        teller=[delegating(), "I am on it.", "B it is."],
        planner=[calling(call("delegate", prompt="read A"), call("delegate", prompt="read B")), words, sum_up],
        worker=["A costs 50", '{"status": "failed", "text": "B cannot be read"}'],
    )
    await home.hear("please compare the offers")
    await background(home)
    assert said(home) == ["I am on it.", "B it is."]
    planner, *workers = await task_rows(home)
    assert [(one["state"], one["parent_id"], one["trace_id"]) for one in workers] == [
        ("done", planner["id"], planner["trace_id"]),
        ("failed", planner["id"], planner["trace_id"]),
    ]
    assert (planner["state"], planner["rounds"], planner["outcome"]) == ("done", 1, "B costs least.")
    assert ["A costs 50" in heard[0], "B cannot be read" in heard[1]] == [True, True]
    assert await home.column("SELECT count(*) FROM run WHERE ended_at IS NULL") == [0]


@pytest.mark.parametrize(("answer", "preset"), [("Kraus", "assistant"), ("2", "strict")])
async def test_a_planner_asks_its_person_and_goes_on_with_the_answer(
    database: Database, tmp_path: Path, answer: str, preset: str
) -> None:
    ask = '{"status": "needs_input", "question": "Whose offer?", "options": ["Brandt", "Kraus"], "default": "Brandt"}'
    heard: list[str] = []

    def go_on(request: ModelRequest) -> str:
        heard.append(str(request.messages[-1]["content"]))
        return "done with Kraus"

    home = await home_of(
        database, tmp_path, preset=preset, teller=[delegating(), "I am on it.", "It is done."], planner=[ask, go_on]
    )
    await home.hear("please look at the offer")
    await background(home)
    assert said(home)[-1].startswith("Whose offer?")
    assert [(one["state"], one["waits_for"]) for one in await task_rows(home)] == [("waiting", "answer")]
    if answer == "2":
        await home.hear(answer)
    else:
        await home.press(answer)
    await background(home)
    assert '"answer": "Kraus", "source": "user"' in heard[0]
    assert said(home)[-1] == "It is done."
    assert [one["state"] for one in await task_rows(home)] == ["done"]


async def asking(database: Database, folder: Path, ask: str, heard: list[str]) -> tuple[House, str]:
    """A task that asks after its message was shown; return the platform's id of that."""

    async def slow(request: ModelRequest) -> str:
        home.clock.advance(6)
        await looked(home)
        return ask

    def go_on(request: ModelRequest) -> str:
        heard.append(told(request))
        return "done"

    home = await home_of(
        database, folder, teller=[delegating(), "I am on it.", "It is done."], planner=[slow, go_on, go_on]
    )
    await home.hear("please read")
    await background(home)
    home.clock.advance(6)
    await looked(home)
    (shown,) = [sent for sent in home.shown() if sent.text == "❓ waiting for you"]
    return home, shown.platform_id


@pytest.mark.parametrize("options", ['"options": ["German", "English"], ', ""], ids=["options", "free"])
async def test_a_reply_to_the_message_of_a_task_that_asks_is_the_answer(
    database: Database, tmp_path: Path, options: str
) -> None:
    heard: list[str] = []
    ask = f'{{"status": "needs_input", {options}"question": "Which manual?"}}'
    home, shown = await asking(database, tmp_path, ask, heard)
    await home.hear("German", reply_to=shown)
    await background(home)
    assert '"answer": "German", "source": "user"' in heard[0]
    assert [one["state"] for one in await task_rows(home)] == ["done"]
    assert await home.column("SELECT state FROM question") == ["answered"]
    assert await home.column("SELECT kind FROM task_input") == ["answer"]


@pytest.mark.parametrize("to", ["its message", "its question", "in words"])
@pytest.mark.parametrize(("words", "answer"), [("Dutch, please", "Dutch, please"), ("german", "German")])
async def test_whatever_is_said_to_a_task_that_asks_is_the_answer(
    database: Database, tmp_path: Path, words: str, answer: str, to: str
) -> None:
    heard: list[str] = []
    ask = '{"status": "needs_input", "question": "Which manual?", "options": ["German", "English"]}'
    home, shown = await asking(database, tmp_path, ask, heard)
    (question,) = [sent for sent in home.shown() if sent.text.startswith("Which manual?")]
    if to == "in words":
        await home.hear(f"for the task: {words}")
    else:
        await home.hear(words, reply_to=shown if to == "its message" else question.platform_id)
    await background(home)
    assert f'"answer": "{answer}", "source": "user"' in heard[0]
    assert await home.column("SELECT kind FROM task_input") == ["answer"]
    assert [one["state"] for one in await task_rows(home)] == ["done"]
    assert await home.column("SELECT state FROM question") == ["answered"]
    (question,) = [sent for sent in home.shown() if sent.text.startswith("Which manual?")]
    assert f"✅ {answer}" in question.text
    assert question.keyboard is None
    assert "noted" not in str(said(home))


@pytest.mark.parametrize("in_words", [False, True])
async def test_what_was_said_to_a_task_before_it_asked_is_no_answer_to_that(
    database: Database, tmp_path: Path, in_words: bool
) -> None:
    heard: list[str] = []
    ask = '{"status": "needs_input", "question": "Delete the old ones?", "options": ["Yes", "No"]}'
    home, shown = await asking(database, tmp_path, ask, heard)
    before = home.clock.now() - 60_000
    if in_words:
        await home.hear("for the task: y", sent_at=before)
    else:
        await home.hear("y", reply_to=shown, sent_at=before)
    await background(home)
    assert await home.column("SELECT kind FROM task_input") == ["steer"]
    assert await home.column("SELECT state FROM question") == ["open"]
    await home.press("No")
    await background(home)
    assert '"answer": "No", "source": "user"' in heard[0]
    assert [one["state"] for one in await task_rows(home)] == ["done"]


async def test_stop_stops_a_task_that_has_asked(database: Database, tmp_path: Path) -> None:
    ask = '{"status": "needs_input", "question": "Which manual?", "options": ["German", "English"]}'
    home, shown = await asking(database, tmp_path, ask, [])
    await home.hear("stop", reply_to=shown)
    await background(home)
    assert [one["state"] for one in await task_rows(home)] == ["cancelled"]


async def test_stop_is_no_answer_to_a_free_question_of_a_task_whose_message_it_replies_to(
    database: Database, tmp_path: Path
) -> None:
    home, shown = await asking(database, tmp_path, '{"status": "needs_input", "question": "Which manual?"}', [])
    await home.hear("stop", reply_to=shown)
    await background(home)
    assert [one["state"] for one in await task_rows(home)] == ["cancelled"]
    assert await home.column("SELECT state FROM question") == ["withdrawn"]


async def test_an_outcome_that_no_longer_arrived_is_said_when_the_chat_is_back(
    database: Database, tmp_path: Path
) -> None:
    teller = [delegating(), "I am on it.", "B is best.", "Hello."]
    home = await home_of(database, tmp_path, teller=teller, planner=["B costs least."])
    home.adapter.hitches.extend([None, Hitch(error=SendRefused("Forbidden: bot was blocked by the user"))])
    await home.hear("please compare the offers")
    await background(home)
    await home.hear("hello again")
    await background(home)
    await passes(home, 3_600)
    came = f"While I could not reach this chat, this came of “{WORK}”:\n\nB is best."
    assert said(home) == ["I am on it.", "Hello.", came]


async def test_an_outcome_of_several_messages_is_kept_once_with_all_that_they_said(
    database: Database, tmp_path: Path
) -> None:
    replies = calling(call("reply", text="B is best."), call("reply", text="It costs 40."))
    home = await home_of(
        database, tmp_path, teller=[delegating(), "I am on it.", replies, "", "Hello."], planner=["B costs least."]
    )
    blocked = Hitch(error=SendRefused("Forbidden: bot was blocked by the user"))
    home.adapter.hitches.extend([None, blocked, blocked])
    await home.hear("please compare the offers")
    await background(home)
    await home.hear("hello again")
    await background(home)
    await passes(home, 3_600)
    came = f"While I could not reach this chat, this came of “{WORK}”:\n\nB is best.\n\nIt costs 40."
    assert said(home) == ["I am on it.", "Hello.", came]

"""Without its model: what is kept, what is answered, and what is said about it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.agents.llm.scripted import Said
from core.kernel.errors import ModelRefused, ModelUnreachable
from core.kernel.intent import Intent
from core.kernel.ports import Database, Tx
from core.kernel.types import Answer, LaneKey, ModelRequest, ToolCall, Usage
from core.store.conversation import inbox, lanes
from tests.fakes import FRIEND, House, house

pytestmark = pytest.mark.databases("sqlite")

KEPT = "The model is unreachable. I keep your question and answer when it is back."
HI = "Hi! I'm Teller. Ask me something, or say “help” to see what works."
ECHO = Answer(calls=(ToolCall(id="c1", name="echo", arguments={"value": "x"}),))


class Weather:
    """A model that can be switched off and on."""

    def __init__(self) -> None:
        self.down = True

    def __call__(self, request: ModelRequest) -> Said:
        return ModelUnreachable("down") if self.down else f"re: {' + '.join(request.heard)}"


@pytest.fixture
def weather() -> Weather:
    return Weather()


@pytest.fixture
async def home(database: Database, tmp_path: Path, weather: Weather) -> House:
    return await house(database, tmp_path / "house", weather)


async def test_a_question_is_kept_told_once_and_answered_once_with_how_late_it_is(
    home: House, weather: Weather
) -> None:
    await home.hear("why?")
    await home.work()
    for _ in range(5):
        await home.later(60)
    assert home.adapter.texts() == [KEPT]
    assert await home.column("SELECT state FROM inbox") == ["new"]
    weather.down = False
    for _ in range(5):
        await home.later(300)
    first, answer = home.adapter.texts()
    assert first == KEPT
    assert answer == "10 min late – the model was unreachable.\n\nre: why?"
    assert await home.column("SELECT state FROM inbox") == ["done"]


async def test_a_short_outage_is_not_called_late(home: House, weather: Weather) -> None:
    await home.hear("why?")
    await home.work()
    weather.down = False
    await home.later(15)
    assert home.adapter.texts() == [KEPT, "re: why?"]


async def test_an_outage_wears_out_no_tries(home: House, weather: Weather) -> None:
    await home.hear("why?")
    await home.work()
    for _ in range(20):
        await home.later(400)
    assert await home.column("SELECT state FROM inbox") == ["new"]
    assert await home.column("SELECT attempts FROM lane") == [0]


async def test_what_needs_no_model_is_answered_meanwhile(home: House, weather: Weather) -> None:
    await home.hear("why?")
    await home.work()
    await home.hear("hi")
    await home.work()
    assert KEPT in home.adapter.texts()
    assert sum(HI in text for text in home.adapter.texts()) == 1
    weather.down = False
    await home.later(300)
    assert home.adapter.texts()[-1].endswith("re: why?")


@pytest.mark.databases("sqlite", "postgres")
async def test_of_two_messages_the_understood_one_is_answered_and_the_other_is_kept(
    home: House, weather: Weather
) -> None:
    await home.hear("hi")
    await home.hear("why?")
    await home.work()
    assert sorted(home.adapter.texts()) == sorted([HI, KEPT])
    assert await home.column("SELECT state FROM inbox ORDER BY id") == ["done", "new"]
    weather.down = False
    await home.later(15)
    assert home.adapter.texts()[-1] == "re: why?"


async def test_questions_after_the_first_wait_with_it_and_are_told_nothing_more(home: House, weather: Weather) -> None:
    for text in ("why?", "how?", "when?"):
        await home.hear(text)
        await home.work()
    assert home.adapter.texts() == [KEPT]
    weather.down = False
    await home.later(300)
    assert home.adapter.texts()[1].endswith("re: why? + how? + when?")


async def test_the_first_answer_after_an_outage_wakes_every_chat(home: House, weather: Weather) -> None:
    await home.hear("why?", chat="1")
    await home.work()
    await home.later(200)
    weather.down = False
    await home.hear("hello there, you", chat="2", sender=FRIEND)
    await home.work()
    assert home.adapter.texts("1")[-1].endswith("re: why?")
    assert home.adapter.texts("2") == ["re: hello there, you"]


async def test_commands_work_without_the_model(home: House) -> None:
    await home.hear("/help")
    await home.work()
    assert home.adapter.texts()[0].startswith("I'm Teller")


async def parked(database: Database, folder: Path, *script: Any) -> House:
    """A run that has done something when its model goes away."""
    home = await house(database, folder, *([] if callable(script[0]) else [ECHO]), *script)
    await home.hear("why?")
    await home.work()
    return home


@pytest.mark.databases("sqlite", "postgres")
async def test_a_run_that_has_done_something_is_parked_and_goes_on_without_asking_again(
    database: Database, tmp_path: Path
) -> None:
    home = await parked(database, tmp_path / "house", ModelUnreachable("down"), "at last", "unused")
    assert home.adapter.texts() == [KEPT]
    assert await home.column("SELECT state FROM run") == ["running"]
    await home.later(15)
    assert home.adapter.texts() == [KEPT, "at last"]
    assert home.model is not None
    assert len(home.model.requests) == 3
    assert await home.column("SELECT tool FROM step ORDER BY n") == ["", "echo", ""]


async def test_commands_pass_a_parked_run_and_questions_wait_behind_it(database: Database, tmp_path: Path) -> None:
    home = await parked(database, tmp_path / "house", ModelUnreachable("down"), "at last", "and this one")
    await home.hear("another question")
    await home.hear("/time UTC")
    await home.work()
    assert [text[:5] for text in home.adapter.texts()] == [KEPT[:5], "It is"]
    await home.later(15)
    assert home.adapter.texts()[2:] == ["at last", "and this one"]
    assert await home.column("SELECT state FROM run ORDER BY id") == ["done", "done", "done"]


async def test_questions_pass_a_parked_run_at_which_the_model_fails_again_and_again(
    database: Database, tmp_path: Path
) -> None:
    def broken(request: ModelRequest) -> Said:
        if request.most_tokens == 1 or "why?" not in request.heard:
            return f"re: {' + '.join(request.heard)}"
        return ECHO if all(message["role"] != "tool" for message in request.messages) else ModelUnreachable("500")

    home = await parked(database, tmp_path / "house", broken)
    for n in range(30):
        await home.later(30)
        await home.hear(f"hello {n}")
        await home.work()
    texts = home.adapter.texts()
    assert {f"re: hello {n}" for n in range(10, 30)} <= {text.splitlines()[-1] for text in texts}
    assert [text for text in texts if "couldn't finish" in text] != []
    assert await home.column("SELECT state FROM inbox WHERE text = 'why?'") == ["dead"]


@pytest.mark.databases("sqlite", "postgres")
@pytest.mark.parametrize("ends", ["Drop", "/stop", "answer"])
async def test_what_a_parked_run_has_done_is_shown_when_it_is_parked_and_once(
    database: Database, tmp_path: Path, ends: str
) -> None:
    add = Answer(
        calls=(
            ToolCall(id="c1", name="todo", arguments={"add": ["bread"]}),
            ToolCall(id="c2", name="echo", arguments={"value": "x"}),
        )
    )
    home = await house(database, tmp_path / "house", add, ModelUnreachable("down"), ModelUnreachable("down"), "at last")
    await home.hear("why?")
    await home.work()
    added, kept = home.shown()
    assert "bread" in added.text
    assert kept.text == KEPT
    await home.later(15)
    if ends == "Drop":
        await home.press("Drop")
    elif ends == "/stop":
        await home.hear("/stop")
    await home.later(300)
    texts = home.adapter.texts()
    assert sum("bread" in text for text in texts) == 1
    last = {"Drop": "any more.", "/stop": "unanswered: 1.", "answer": "the model was unreachable.\n\nat last"}
    assert texts[-1].endswith(last[ends])


@pytest.mark.databases("sqlite", "postgres")
@pytest.mark.parametrize("silent", [False, True])
async def test_a_parked_run_that_had_replied_answers_as_it_was_promised_and_the_ledger_has_what_it_took(
    database: Database, tmp_path: Path, silent: bool
) -> None:
    usage = Usage(model="m", tokens_in=1_000, tokens_out=50)
    look = Answer(
        calls=(
            ToolCall(id="c1", name="reply", arguments={"text": "Let me look."}),
            ToolCall(id="c2", name="echo", arguments={"value": "x"}),
        ),
        usage=usage,
    )
    last = Answer(text="" if silent else "It is 42.", usage=usage)
    home = await house(database, tmp_path / "house", look, ModelUnreachable("down"), last)
    await home.hear("why?")
    await home.work()
    await home.later(15)
    assert home.adapter.texts() == ["Let me look.", KEPT, *([] if silent else ["It is 42."])]
    assert await home.rows("SELECT tokens_in, tokens_out FROM ledger WHERE model = 'm'") == [
        {"tokens_in": 1_000, "tokens_out": 50},
        {"tokens_in": 1_000, "tokens_out": 50},
    ]


@pytest.mark.parametrize("held", [False, True])
async def test_a_run_that_broke_off_before_it_said_anything_says_how_late_it_is_first(
    database: Database, tmp_path: Path, held: bool
) -> None:
    replies = Answer(
        calls=(
            ToolCall(id="c1", name="reply", arguments={"text": "one"}),
            ToolCall(id="c2", name="reply", arguments={"text": "two"}),
        )
    )
    outage = [ModelUnreachable("down")] if held else []
    home = await house(database, tmp_path / "house", *outage, replies, RuntimeError("bug"), "unsaid")
    await home.hear("why?")
    for _ in range(2):
        await home.work()
        home.clock.advance(400)
    await home.later(1)
    first, second = home.adapter.texts()[-2:]
    assert first.endswith("\n\none")
    assert "min late" in first
    assert second == "two"


async def test_presses_pass_a_parked_run_one_after_the_other(database: Database, tmp_path: Path) -> None:
    home = await parked(database, tmp_path / "house", ModelUnreachable("down"), "at last")
    (row,) = await home.rows("SELECT tenant_id, scope_id, chat_id, id AS lane_id FROM lane")
    (person_id,) = await home.column("SELECT id FROM person")
    lane, now = LaneKey(**row), home.clock.now()

    def press(tx: Tx) -> None:
        for n in (1, 2):
            intent = Intent("schedules.pause", {"schedule": "s1", "until": "monday"})
            inbox.wake(tx, lane, person_id, f"p{n}", now=now, text="Until Monday", intent=intent)
        lanes.mark(tx, lane.lane_id)

    await home.db.write(press)
    await home.work()
    assert len(home.adapter.texts()) == 3
    assert await home.column("SELECT state FROM inbox ORDER BY id") == ["new", "done", "done"]


async def test_what_a_run_has_replied_is_said_even_when_the_provider_refuses_later(
    database: Database, tmp_path: Path
) -> None:
    reply = Answer(calls=(ToolCall(id="c1", name="reply", arguments={"text": "The result is 42."}),))
    home = await house(database, tmp_path / "house", reply, ModelRefused("no (400)"))
    await home.hear("what is it?", chat="2", sender=FRIEND)
    await home.work()
    first, second = home.adapter.texts("2")
    assert first == "The result is 42."
    assert "refused" in second


async def test_an_answer_that_took_long_is_late_but_nobody_says_it_was_offline(
    database: Database, tmp_path: Path
) -> None:
    home = await house(database, tmp_path / "house", "there")
    await home.hear("hello", sent_at=home.clock.now())
    home.clock.advance(400)
    await home.work()
    assert home.adapter.texts() == ["6 min late.\n\nthere"]


async def test_a_parked_run_is_told_once_and_never_given_up(database: Database, tmp_path: Path) -> None:
    outage = [ModelUnreachable("down")] * 10
    home = await parked(database, tmp_path / "house", *outage, "at last", "unused")
    for _ in range(10):
        await home.later(15)
    assert home.adapter.texts()[0] == KEPT
    assert home.adapter.texts()[1].endswith("at last")
    assert len(home.adapter.texts()) == 2
    said = await home.column("SELECT text FROM message WHERE role = 'assistant'")
    assert said.count(KEPT) == 1


async def test_a_parked_run_that_goes_on_late_says_that_the_model_was_away(database: Database, tmp_path: Path) -> None:
    home = await parked(database, tmp_path / "house", ModelUnreachable("down"), "at last", "unused")
    await home.later(600)
    assert home.adapter.texts()[1] == "10 min late – the model was unreachable.\n\nat last"


@pytest.mark.databases("sqlite", "postgres")
async def test_a_refusal_is_answered_at_once_and_an_owner_learns_why(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path / "house", "hello", ModelRefused("The key is wrong (401)."), "unused")
    await home.hear("hi you", chat="1")
    await home.work()
    await home.hear("why?", chat="2", sender=FRIEND)
    await home.work()
    (told,) = home.adapter.texts("2")
    assert "refused" in told
    assert "401" not in told
    assert "The key is wrong (401)." in home.adapter.texts("1")[-1]
    assert await home.column("SELECT state FROM inbox ORDER BY id") == ["done", "done"]


async def test_when_the_days_tokens_are_spent_the_deterministic_answers_go_on_and_say_so(
    database: Database, tmp_path: Path
) -> None:
    usage = Usage(model="m", tokens_in=2_000, tokens_out=900)
    home = await house(database, tmp_path / "house", Answer(text="one", usage=usage), "again", daily_tokens=3_000)
    for text in ("why?", "how?", "hi"):
        await home.hear(text)
        await home.work()
    near, first, spent, greeting = home.adapter.texts()
    assert near.startswith("📊 Over 80 %")
    assert first == "one"
    assert spent.startswith("Today's budget for the model is spent")
    assert greeting == HI
    await home.later(86_400)
    await home.hear("when?")
    await home.work()
    assert home.adapter.texts()[-1] == "again"


async def test_without_any_model_it_says_what_works(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path / "house", model=False)
    await home.hear("write me a poem")
    await home.work()
    assert home.adapter.texts()[0].startswith("I can't answer that: no model is configured.")

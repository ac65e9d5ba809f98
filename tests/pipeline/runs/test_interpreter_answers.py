"""What the fast path leaves to a model, and short answers to a reminder."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.ports import Database
from core.kernel.types import ModelRequest
from core.language.short_texts import wait_of
from tests.commanding import GROUP, friend, labels, pressed, said
from tests.commanding import home as without_model
from tests.conftest import DatabaseMaker
from tests.fakes import FRIEND, House, house
from tests.triggering import passes


def heard(request: ModelRequest) -> str:
    return f"heard: {' / '.join(request.heard)}"


@pytest.fixture
async def home(make_database: DatabaseMaker, tmp_path: Path) -> House:
    """A house with a model that echoes."""
    made = await house(await make_database("sqlite"), tmp_path / "house", heard)
    assert made.model is not None
    made.model.always(heard)
    return made


# With a model.


@pytest.mark.parametrize(
    "text",
    [
        "complete a marathon",
        "the build is done",
        "remove duplicates from my list",
        "done with work for today",
        "remind him at 9 to call",
        "Remind Bob at 9 to call",
        "remind me in a bit to call mum",
    ],
)
async def test_what_the_command_could_not_do_is_for_the_model(home: House, text: str) -> None:
    assert await said(home, text) == f"heard: {text}"


async def test_an_item_that_fits_is_ticked_off_without_the_model(home: House) -> None:
    for text in ("/todo dinner", "/todo buy oat milk", "/todo buy soy milk"):
        await said(home, text)
    assert await said(home, "dinner is done") == "☑ dinner"
    assert await said(home, "done with milk") == "heard: done with milk"
    assert (await said(home, "remove oat milk from my list")).startswith("🗑 Off the list: buy oat milk")


async def test_somebody_who_is_known_is_reminded_without_the_model(home: House) -> None:
    await said(home, "hello", **friend())
    await said(home, "/contacts add Bob tg:2")
    assert (await said(home, "remind Bob tomorrow at 9 to call")).startswith("⏰ Bob:")
    await said(home, "hello", **GROUP)
    assert (await said(home, "remind @anna tomorrow at 9 to call", **GROUP)).startswith("⏰ @anna:")


async def test_a_time_without_a_text_is_asked_about_without_the_model(home: House) -> None:
    assert await said(home, "remind me every weekday at 9") == "What shall I remind you of?"


async def test_without_a_model_the_command_answers(make_database: DatabaseMaker, tmp_path: Path) -> None:
    home = await without_model(await make_database("sqlite"), tmp_path)
    assert (await said(home, "the build is done")).startswith("I find nothing open like “the build”")
    assert (await said(home, "remind Bob at 9 to call")).startswith("I can't reach Bob from here")


# After a reminder.


async def reminded(home: House, **where: str) -> None:
    await said(home, "/remind in 1 minute to stretch", **where)
    await passes(home, 61)


async def state(home: House) -> list[object]:
    return await home.column("SELECT state FROM reminded ORDER BY id")


@pytest.mark.parametrize("text", ["👍", "👍🏽", "done 👍", "Got it!", "知道了", "好了👍", "✅"])
async def test_a_nod_finishes_it(home: House, text: str) -> None:
    await reminded(home)
    await said(home, text)
    assert await state(home) == ["done"]


@pytest.mark.parametrize(
    ("text", "minutes"), [("+1h", 60), ("+1 h", 60), ("+10 min", 10), ("in 10", 10), ("+10", 10), ("+1 小时", 60)]
)
async def test_a_length_of_time_as_on_a_button_puts_it_off(home: House, text: str, minutes: int) -> None:
    await reminded(home)
    until = home.clock.now() + minutes * 60_000
    await said(home, text)
    assert await home.column("SELECT until FROM reminded") == [until]


@pytest.mark.parametrize("text", ["later", "Not now.", "in a bit", "等会", "晚点"])
async def test_some_time_asks_when(home: House, text: str) -> None:
    await reminded(home)
    assert (await said(home, text)).startswith("When shall it come again?")
    assert labels(home) == ["+10 min", "+1 h", "tomorrow", "Skip"]
    assert await state(home) == ["open"]


@pytest.mark.databases("sqlite")
async def test_the_answers_to_when_put_it_off(database: Database, tmp_path: Path) -> None:
    home = await without_model(database, tmp_path)
    for label, moment in (("+10 min", "14:24"), ("+1 h", "15:15"), ("tomorrow", "Tue 22 Sep 09:00")):
        await reminded(home)
        await said(home, "later")
        assert moment in await pressed(home, label)


@pytest.mark.parametrize("text", ["later", "👍", "+1h", "in 10", "ok"])
async def test_without_a_reminder_they_are_just_words(home: House, text: str) -> None:
    assert await said(home, text) == f"heard: {text}"
    await reminded(home)
    home.clock.advance(1)
    await said(home, "thanks for that")
    home.clock.advance(1)
    assert await said(home, text) == f"heard: {text}"
    assert await state(home) == ["open"]


async def test_in_a_group_they_answer_what_they_reply_to(home: House) -> None:
    await said(home, "hello", **GROUP)
    await reminded(home, **GROUP)
    message = home.shown("-5")[-1].platform_id
    assert await said(home, "👍", sender=FRIEND, **GROUP) == "heard: 👍"
    await said(home, "👍", reply_to=message, **GROUP)
    assert await state(home) == ["done"]


@pytest.mark.parametrize("text", ["", "+", "in", "in 10 days", "in ten", "10", "+x", "+1000"])
def test_other_words_are_no_length_of_time(text: str) -> None:
    assert wait_of(text) == ""


@pytest.mark.parametrize("word", ["help", "Help!", "help me", "帮助"])
async def test_help_as_a_word_is_what_the_command_says(home: House, word: str) -> None:
    await said(home, "/language en")
    assert await said(home, word) == await said(home, "/help")

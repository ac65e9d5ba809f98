"""A question in a thread of a channel: its words are the answer, also without a mention."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.kernel.ports import Database
from core.kernel.types import Sender
from tests.asking import TEA, ask, states
from tests.fakes import FakeAdapter, House, house
from tests.pipeline.intake.test_hush import ASIDE, BO, CHANNEL, OWNER, THREAD, tell

pytestmark = pytest.mark.databases("sqlite")

TOO_LATE = "That question has run out."


async def make(database: Database, folder: Path) -> House:
    """A house that has just asked its owner in a thread, and said nothing besides."""
    adapter = FakeAdapter("slack")
    made = await house(database, folder / "house", ask(TEA), "Here it is.", adapter=adapter, owners=(OWNER,))
    assert "Tea or coffee?" in await tell(made, "bring me something", **THREAD)
    return made


async def test_who_was_asked_answers_with_the_word_of_a_button(database: Database, tmp_path: Path) -> None:
    home = await make(database, tmp_path)
    assert "Here it is." in await tell(home, "coffee", **ASIDE)
    assert await states(home) == ["answered"]


@pytest.mark.parametrize(
    "fields", [{"sender": BO}, {"mentioned": (Sender(address=BO, name="Bo"),)}], ids=["by another", "to another"]
)
async def test_what_others_say_or_hear_there_is_no_answer(
    database: Database, tmp_path: Path, fields: dict[str, Any]
) -> None:
    home = await make(database, tmp_path)
    assert await tell(home, "coffee", **{**ASIDE, **fields}) == ""
    assert await states(home) == ["open"]


async def ended(database: Database, folder: Path) -> tuple[House, dict[str, Any]]:
    """A house without a model whose question, asked outside of a thread, has run out, and the thread below it."""
    adapter = FakeAdapter("slack")
    made = await house(database, folder / "house", model=False, adapter=adapter, owners=(OWNER,))
    await tell(made, "remind me to call Oma", chat="D1", sender=OWNER)
    question = made.shown("D1")[-1].platform_id
    made.clock.advance(3601)
    await made.sweep()
    assert await states(made) == ["expired"]
    return made, {"chat": "D1", "sender": OWNER, "thread": question, "reply_to": question, "converses": True}


async def test_without_a_model_the_first_word_in_its_thread_is_told_that_the_question_has_run_out(
    database: Database, tmp_path: Path
) -> None:
    home, thread = await ended(database, tmp_path)
    assert await tell(home, "no idea", **thread) == TOO_LATE


async def test_without_a_model_that_is_told_whatever_was_said_there_before_it_had_run_out(
    database: Database, tmp_path: Path
) -> None:
    adapter = FakeAdapter("slack")
    home = await house(database, tmp_path / "house", model=False, adapter=adapter, owners=(OWNER,))
    await tell(home, "remind me to call Oma", chat="D1", sender=OWNER)
    question = home.shown("D1")[-1].platform_id
    thread = {"chat": "D1", "sender": OWNER, "thread": question, "reply_to": question, "converses": True}
    await tell(home, "what is the time?", **thread)
    home.clock.advance(3601)
    await home.sweep()
    assert await states(home) == ["expired"]
    assert await tell(home, "no idea", **thread) == TOO_LATE


async def test_without_a_model_that_is_told_whatever_another_says_there_first(
    database: Database, tmp_path: Path
) -> None:
    adapter = FakeAdapter("slack")
    home = await house(database, tmp_path / "house", model=False, adapter=adapter, owners=(OWNER,))
    await tell(home, "remind me to call Oma", **CHANNEL)
    question = home.shown("C1")[-1].platform_id
    home.clock.advance(3601)
    await home.sweep()
    thread = {**CHANNEL, "thread": question, "reply_to": question}
    assert TOO_LATE not in await tell(home, "that is over", **{**thread, "sender": BO})
    assert await tell(home, "no idea", **thread) == TOO_LATE


async def test_without_a_model_what_is_said_in_its_thread_later_is_as_any_other_message(
    database: Database, tmp_path: Path
) -> None:
    home, thread = await ended(database, tmp_path)
    assert await tell(home, "no idea", **thread) == TOO_LATE
    assert TOO_LATE not in await tell(home, "the weather is fine", **thread)
    assert TOO_LATE not in await tell(home, "how are you?", **thread)


async def test_without_a_model_what_is_said_there_long_after_is_as_any_other_message(
    database: Database, tmp_path: Path
) -> None:
    home, thread = await ended(database, tmp_path)
    home.clock.advance(3601)
    assert TOO_LATE not in await tell(home, "how are you?", **thread)

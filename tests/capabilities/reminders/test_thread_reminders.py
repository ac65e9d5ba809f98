"""Reminders in threads: who is reminded answers in words, and what others say there stays theirs."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.ports import Database
from core.kernel.types import Attachment, Sender
from tests.commanding import said
from tests.conftest import DatabaseMaker
from tests.fakes import House
from tests.fakes import house as with_model
from tests.pipeline.intake.test_hush import ASIDE, BO, CHANNEL, THREAD, make, tell
from tests.triggering import passes

pytestmark = pytest.mark.databases("sqlite")


async def reminded(database: Database, folder: Path, wish: str = "remind me in 1 minute to water plants") -> House:
    """A house whose owner was just reminded in a thread, where the friend has spoken too."""
    house = await make(database, folder)
    await tell(house, "hi", **{**THREAD, "sender": BO})
    await tell(house, wish, **THREAD)
    await passes(house, 61)
    assert "water plants" in house.adapter.texts()[-1]
    return house


async def states(house: House) -> list[str]:
    return await house.column("SELECT state FROM reminder ORDER BY id")


@pytest.mark.parametrize("how", [THREAD, ASIDE], ids=["mentioned", "without a mention"])
async def test_who_is_reminded_in_a_thread_answers_there_in_words(
    database: Database, tmp_path: Path, how: dict[str, object]
) -> None:
    house = await reminded(database, tmp_path)
    assert "💤" in await tell(house, "in 2 hours", **how)
    await passes(house, 7_201)
    assert "✅" in await tell(house, "done", **how)
    assert set(await states(house)) == {"done"}


async def test_a_wrong_answer_in_between_spoils_nothing(database: Database, tmp_path: Path) -> None:
    house = await reminded(database, tmp_path)
    assert await tell(house, "what was that?", **ASIDE) == "heard: what was that?"
    house.clock.advance(1)
    assert "✅" in await tell(house, "好了", **ASIDE)


@pytest.mark.databases("sqlite", "postgres")
async def test_what_others_say_in_the_thread_answers_no_reminder(database: Database, tmp_path: Path) -> None:
    house = await reminded(database, tmp_path)
    assert await tell(house, "done", **{**ASIDE, "sender": BO}) == ""
    assert await tell(house, "done", **{**THREAD, "sender": BO}) == "heard: done"
    assert await states(house) == ["open"]


async def test_more_than_such_words_and_words_for_others_answer_no_reminder(database: Database, tmp_path: Path) -> None:
    house = await reminded(database, tmp_path)
    assert await tell(house, "done with the report I am", **ASIDE) == "heard: done with the report I am"
    bo = Sender(address=BO, name="Bo")
    assert await tell(house, "done", **ASIDE, mentioned=(bo,)) == ""
    assert await states(house) == ["open"]


async def test_who_is_reminded_by_another_answers_without_a_mention(database: Database, tmp_path: Path) -> None:
    house = await reminded(database, tmp_path, "/remind everyone in 1 minute to water plants")
    assert await tell(house, "I would rather not", **{**ASIDE, "sender": BO}) == ""
    photo = (Attachment(kind="photo", file="f1"),)
    assert await tell(house, "done", **{**ASIDE, "sender": BO}, attachments=photo) == ""
    assert "✅" in await tell(house, "done", **{**ASIDE, "sender": BO})


@pytest.mark.databases("sqlite", "postgres")
async def test_a_reminder_that_a_thread_begins_with_is_answered_without_a_mention(
    database: Database, tmp_path: Path
) -> None:
    house = await make(database, tmp_path)
    await tell(house, "hi", **CHANNEL)
    await tell(house, "/remind me in 1 minute to water plants", **CHANNEL)
    await passes(house, 61)
    root = house.adapter.sent[-1].platform_id
    thread = {**CHANNEL, "thread": root, "reply_to": root, "addressed": False}
    assert await tell(house, "done", **{**thread, "sender": BO}) == ""
    assert await tell(house, "fine", **thread) == ""
    assert "💤" in await tell(house, "in 2 hours", **thread)


# A nod.


@pytest.mark.parametrize("addressed", [True, False], ids=["mentioned", "without a mention"])
@pytest.mark.parametrize("text", ["ok", "Got it!", "yes", "👍", "好的", "收到"])
async def test_a_nod_in_the_thread_of_a_reminder_is_for_that(
    make_database: DatabaseMaker, tmp_path: Path, text: str, addressed: bool
) -> None:
    house = await make(await make_database("sqlite"), tmp_path)
    await tell(house, "hi", **CHANNEL)
    await tell(house, "/remind me in 1 minute to water plants", **CHANNEL)
    await passes(house, 61)
    root = house.adapter.sent[-1].platform_id
    thread = {**CHANNEL, "thread": root, "reply_to": root, "addressed": addressed}
    assert "✅" not in await tell(house, text, **{**thread, "sender": BO})
    assert await states(house) == ["open"]
    assert "✅" in await tell(house, text, **thread)
    assert await states(house) == ["done"]


@pytest.mark.parametrize("how", [THREAD, ASIDE], ids=["mentioned", "without a mention"])
@pytest.mark.parametrize("text", ["ok", "嗯"])
async def test_a_nod_is_for_the_reminder_that_is_the_last_word_of_the_thread(
    make_database: DatabaseMaker, tmp_path: Path, text: str, how: dict[str, object]
) -> None:
    house = await reminded(await make_database("sqlite"), tmp_path)
    assert "✅" not in await tell(house, text, **{**how, "sender": BO})
    assert "✅" in await tell(house, text, **how)


async def test_a_nod_to_what_the_bot_said_after_a_reminder_is_for_that(database: Database, tmp_path: Path) -> None:
    house = await reminded(database, tmp_path)
    house.clock.advance(1)
    assert await tell(house, "what was that?", **ASIDE) == "heard: what was that?"
    assert await tell(house, "ok", **ASIDE) == "heard: ok"
    assert await states(house) == ["open"]


@pytest.mark.parametrize("text", ["yes", "sure", "可以"])
async def test_what_may_answer_a_model_is_a_nod_in_the_thread_of_a_reminder(
    make_database: DatabaseMaker, tmp_path: Path, text: str
) -> None:
    house = await with_model(await make_database("sqlite"), tmp_path / "private", lambda request: "Hm.")
    await said(house, "/remind me in 1 minute to stretch")
    await passes(house, 61)
    root = house.shown()[-1].platform_id
    house.clock.advance(1)
    assert "✅" in await said(house, text, thread=root, reply_to=root)
    assert await states(house) == ["done"]

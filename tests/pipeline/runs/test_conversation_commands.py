"""Commands of the conversation itself: a new beginning, another try, hello, and what comes too late."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.ids import ref
from core.kernel.ports import Database
from tests.commanding import GROUP, GUEST, friend, group, home, labels, pressed, said
from tests.conftest import DatabaseMaker
from tests.fakes import House
from tests.fakes import house as build

pytestmark = pytest.mark.databases("sqlite")


@pytest.mark.databases("sqlite", "postgres")
async def test_a_new_beginning_forgets_the_context_and_can_be_taken_back(database: Database, tmp_path: Path) -> None:
    house = await build(database, tmp_path / "house", "noted", "one", "two")
    assert house.model is not None
    await said(house, "I am called Ann")
    assert (await said(house, "/new")).startswith("✨")
    assert labels(house) == ["Undo"]
    await said(house, "who am I?")
    assert "called Ann" not in str(house.model.requests[-1].messages)
    assert await house.column("SELECT count(*) FROM message WHERE text = 'I am called Ann'") == [1]
    await pressed(house, "Undo")
    await said(house, "and now?")
    assert "called Ann" in str(house.model.requests[-1].messages)


async def test_a_new_beginning_is_taken_back_only_where_it_was_made(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/new", thread="12", **GROUP)
    assert "nothing to take back" in await said(house, "/undo", **GROUP)
    assert (await said(house, "/undo", thread="12", **GROUP)).startswith("↩ Taken back: the new beginning")


async def given_up(house: House, sender: str = GUEST) -> str:
    """A message of a group that was given up; returns its reference."""
    key = await house.hear("what is this?", sender=sender, **GROUP)
    (row,) = await house.column("SELECT id FROM inbox WHERE update_key = :key", key=key)
    await house.db.write(
        lambda tx: tx.run("UPDATE inbox SET state = 'dead', ended_at = 1, error = 'x' WHERE id = :id", {"id": row})
    )
    return ref("m", row)


async def test_what_was_given_up_is_tried_again_once(database: Database, tmp_path: Path) -> None:
    house = await build(database, tmp_path / "house", "an answer at last")
    await said(house, "/help", **GROUP)
    message = await given_up(house)
    answer = await said(house, f"/retry {message}", sender=GUEST, **GROUP)
    assert answer == "I'll try it again.\nan answer at last"
    assert await said(house, f"/retry {message}", sender=GUEST, **GROUP) == "That one is answered already."


async def test_the_button_of_what_was_given_up_brings_all_of_it_back(database: Database, tmp_path: Path) -> None:
    house = await build(database, tmp_path / "house", *[RuntimeError("a bug")] * 3, "an answer at last")
    await house.hear("what is this?")
    await house.hear("and this?")
    for _ in range(5):
        await house.later(10)
    assert "I couldn't finish this one" in house.adapter.texts("1")[0]
    await house.press("Try again")
    await house.work()
    assert house.adapter.texts("1")[-2:] == ["I'll try it again.", "an answer at last"]
    assert house.model is not None
    assert house.model.requests[-1].heard == ("what is this?", "and this?")


async def test_only_the_writer_or_an_owner_and_only_there_may_try_again(database: Database, tmp_path: Path) -> None:
    house = await build(database, tmp_path / "house", "an answer at last")
    await said(house, "/help", **GROUP)
    message = await given_up(house)
    other = await said(house, f"/retry {message}", sender="tg:8", **GROUP)
    assert other == "Only whoever wrote it, or my owner, may do that."
    for elsewhere in ({}, friend(), {**GROUP, "thread": "12"}):
        assert await said(house, f"/retry {message}", **elsewhere) == "I know no such message in this chat."
    assert (await said(house, f"/retry {message}", **GROUP)).startswith("I'll try it again.")


@pytest.mark.parametrize("text", ["/retry nonsense", "/retry m000000", "/retry m12ab34xyzxyzxyz"])
async def test_a_wrong_reference_is_answered_clearly(make_database: DatabaseMaker, tmp_path: Path, text: str) -> None:
    house = await home(await make_database("sqlite"), tmp_path)
    assert await said(house, text) == "I know no such message in this chat."
    assert "such as /retry" in await said(house, "/retry")


@pytest.mark.databases("sqlite", "postgres")
async def test_what_is_erased_is_not_tried_again(database: Database, tmp_path: Path) -> None:
    house = await build(database, tmp_path / "house")
    await said(house, "/help", **GROUP)
    message = await given_up(house)
    await house.db.write(lambda tx: tx.run("UPDATE inbox SET raw = NULL, text = '' WHERE state = 'dead'"))
    assert "write it again" in await said(house, f"/retry {message}", sender=GUEST, **GROUP)


@pytest.mark.parametrize(("text", "answer"), [("/stop", "nothing to stop"), ("/cancel", "no open question")])
async def test_a_stop_that_an_edit_makes_of_a_message_comes_too_late(
    make_database: DatabaseMaker, tmp_path: Path, text: str, answer: str
) -> None:
    house = await home(await make_database("sqlite"), tmp_path)
    await house.hear("hello", message_id="5")
    await house.hear(text, edits="5", message_id="5")
    await house.work()
    assert answer in house.adapter.texts("1")[-1]


@pytest.mark.parametrize(
    "text",
    [
        "/start",
        "/help",
        "/new",
        "/status",
        "/undo",
        "/undo nonsense",
        "/language",
        "/language xx",
        "/timezone",
        "/timezone 火星",
        "/privacy",
        "/optout",
        "/forget",
        "/time",
        "/time 火星",
        "/history",
        "/history -1",
        "/id",
        "/invite",
        "/people",
        "/pair",
        "/retry",
        "/readalong",
        "/stop",
        "/cancel",
    ],
)
async def test_every_command_answers_in_every_language(make_database: DatabaseMaker, tmp_path: Path, text: str) -> None:
    answers = []
    for language in ("en", "zh"):
        house = await home(await make_database("sqlite"), tmp_path / language, language=language)
        answers.append(await said(house, text))
    assert all(answers)
    assert answers[0] != answers[1]


async def test_what_stands_behind_a_command_chooses_no_language(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path, language="auto")
    assert "火星" in (answer := await said(house, "/time 火星"))
    assert answer.startswith("I do")
    assert "具体什么时候" in await said(house, "提醒我喝茶")

"""A message is edited that has set nothing which could follow: the person is told so, once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from core.kernel.ports import Database
from core.kernel.replies import Outcome
from tests.commanding import GROUP, group, home, pressed, said
from tests.fakes import House
from tests.fakes import house as build

pytestmark = pytest.mark.databases("sqlite")

TOLD = "That edit changes nothing; please say it anew."


async def edited(house: House, *texts: str, **fields: object) -> str:
    """Edit the message m1 again and again, and return what that is answered."""
    answers = [await said(house, text, message_id="m1", edits="m1", **fields) for text in texts]
    return "\n".join(filter(None, answers))


@pytest.fixture
async def house(database: Database, tmp_path: Path) -> House:
    return await home(database, tmp_path)


@pytest.mark.parametrize(
    ("text", "press", "then"),
    [
        ("/timezone Berlin", "Undo", "/timezone Tokyo"),
        ("/quiet 22:00-07:00", "Undo", "/quiet 23:00-07:00"),
        ("/language en", "", "/language zh"),
        ("remember that my locker is 214", "Undo", "remember that my locker is 215"),
        ("remind me tomorrow at 9 to run", "Undo", "remind me tomorrow at 10 to run"),
        ("add milk to my list", "Undo", "add eggs to my list"),
    ],
)
async def test_where_nothing_follows_an_edit_that_is_said_once(house: House, text: str, press: str, then: str) -> None:
    await said(house, text, message_id="m1")
    if press:
        await pressed(house, press)
    before = await stands(house)
    assert await edited(house, f" {text}  ", text.upper()) == ""
    assert await edited(house, then, text, then) == TOLD
    assert await stands(house) == before


async def stands(house: House) -> Sequence[object]:
    """What is set, noted, listed and chosen."""
    return [
        await house.column("SELECT text FROM trigger WHERE ended_at IS NULL"),
        await house.column("SELECT content FROM memory WHERE state = 'active'"),
        await house.column("SELECT content FROM todo WHERE state = 'open'"),
        await house.column("SELECT timezone FROM chat ORDER BY id"),
    ]


async def test_another_time_for_what_has_come_or_was_put_off_is_to_be_said_anew(house: House) -> None:
    await said(house, "remind me in 10 minutes to jump", message_id="m1")
    house.clock.advance(601)
    await house.sweep()
    assert await edited(house, "remind me in 40 minutes to jump") == TOLD
    await said(house, "in 2 hours", message_id="m2")
    assert await said(house, "in 3 hours", message_id="m2", edits="m2") == TOLD


async def test_what_was_asked_about_is_not_put_aside_by_an_edit(house: House) -> None:
    await said(house, "add oat milk, soy milk, eggs to my list")
    assert "Which one?" in await said(house, "tick off milk", message_id="m1")
    assert await edited(house, "tick off eggs") == TOLD


@pytest.mark.parametrize(
    ("wish", "answer", "then"),
    [
        ("remind me tomorrow at 5pm", "no, at 6", "no, at 7"),
        ("remind me", "Milch", "Butter"),
    ],
)
@pytest.mark.parametrize("asked", [True, False])
async def test_another_answer_to_what_was_asked_is_to_be_said_anew(
    house: House, wish: str, answer: str, then: str, *, asked: bool
) -> None:
    await said(house, wish)
    await said(house, answer, message_id="m1")
    if not asked:
        await said(house, "stretch" if wish != "remind me" else "tomorrow at 9")
    before = await stands(house)
    assert await edited(house, answer.upper(), then, then) == TOLD
    assert await stands(house) == before


async def test_what_asks_for_nothing_is_only_kept(house: House) -> None:
    await said(house, "/language en", message_id="m1")
    assert await edited(house, "never mind", "thanks") == ""
    assert await edited(house, "/language zh") == TOLD


@pytest.mark.parametrize(
    ("text", "then"),
    [
        ("remid me tomorow at 9 to yoga", "remind me tomorrow at 9 to yoga"),
        ("ad milk to my list please now", "add milk to my list"),
    ],
)
async def test_what_nothing_could_answer_and_is_written_rightly_now_is_to_be_said_anew(
    house: House, text: str, then: str
) -> None:
    assert "no model" in await said(house, text, message_id="m1")
    assert await edited(house, "what is the meaning of it", then, then) == TOLD
    assert not any((await stands(house))[:3])


async def test_in_a_group_it_is_so_where_it_was_said_to_the_bot(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/language en", message_id="m1", **GROUP)
    await said(house, "remind me at 5 to run", message_id="m2", addressed=False, **GROUP)
    aside = {**GROUP, "message_id": "m2", "edits": "m2", "addressed": False}
    assert await said(house, "remind me at 6 to run", **aside) == ""
    assert await edited(house, "/language zh", **GROUP) == TOLD


async def test_what_a_model_answered_is_only_read(database: Database, tmp_path: Path) -> None:
    house = await build(database, tmp_path / "house", lambda request: "Hm.")
    await said(house, "when shall we meet Oma", message_id="m1")
    assert await edited(house, "remind me tomorrow at 9 to call Oma") == ""


async def test_what_was_given_up_may_be_tried_again_as_it_reads_then(house: House) -> None:
    await said(house, "/timezone Berlin", message_id="m1")

    async def failing(*_: object) -> Outcome:
        raise RuntimeError("a bug")

    answering = house.app.worker.answering
    answering.collaborators = replace(answering.collaborators, commands=failing)
    await house.hear("/timezone Paris", message_id="m2")
    for _ in range(6):
        await house.work()
        house.clock.advance(10)
    assert await house.column("SELECT text FROM inbox WHERE state = 'dead'") == ["/timezone Paris"]
    assert await said(house, "/timezone Tokyo", message_id="m2", edits="m2") == ""
    assert await house.column("SELECT text FROM inbox WHERE state = 'dead'") == ["/timezone Tokyo"]

"""What was said is asked for in a person's own words, in each language, and quoted where there is no model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.kernel.ports import Database
from tests.commanding import FRIEND, GROUP, friend, said
from tests.fakes import House
from tests.fakes import house as build

pytestmark = pytest.mark.databases("sqlite")

ASIDE: dict[str, Any] = {**GROUP, "addressed": False}


async def group_of(database: Database, folder: Path, *, model: bool = False, **options: Any) -> House:
    """A group that is read along."""
    house = await build(database, folder / "house", model=model, **options)
    await said(house, "/time")
    await said(house, "/help", **GROUP)
    await said(house, "/readalong on", **GROUP)
    return house


@pytest.fixture
async def home(database: Database, tmp_path: Path) -> House:
    return await group_of(database, tmp_path)


@pytest.mark.databases("sqlite", "postgres")
@pytest.mark.parametrize(
    ("line", "question"),
    [
        ("Berta brings the cake", "who was going to bring the cake?"),
        ("Rome will be hot, bring a hat", "what did Berta say about Rome?"),
        ("Rome in May then", "when did we talk about Rome?"),
        ("Ich bringe den Kuchen mit", "Wer wollte den Kuchen mitbringen?"),
        ("Die Reise nach Rom wird teuer", "Was hat Berta zur Reise gesagt?"),
        ("我来带蛋糕", "谁要带蛋糕来着？"),
        ("罗马很热", "我们什么时候聊过罗马？"),
    ],
)
async def test_the_best_lines_are_quoted(home: House, line: str, question: str) -> None:
    await home.hear("Nice weather", **{**ASIDE, "sender": FRIEND})
    await home.hear(line, **{**ASIDE, "sender": FRIEND, "key": "m1"})
    home.clock.advance(7 * 3_600)
    await home.hear("Good night", **{**ASIDE, "sender": FRIEND})
    await home.work()
    text = await said(home, question, **GROUP)
    assert text.startswith("🔎")
    assert f"{line} [↗](https://chat.example/-5/m1)" in text.split("\n")[1]


async def test_what_is_not_there_is_said_and_nobody_is_answered_who_did_not_ask(home: House) -> None:
    assert "I found nothing" in await said(home, "who was going to bring the cake?", **GROUP)
    assert await said(home, "who was going to bring the cake?", **{**ASIDE, "sender": FRIEND}) == ""


async def test_in_private_my_own_talk_is_searched(home: House) -> None:
    await said(home, "Berta brings the cake", **friend())
    await said(home, "Carl brings the cake")
    text = await said(home, "who was going to bring the cake?")
    assert "Carl" in text
    assert "Berta" not in text


async def test_a_question_is_the_models_where_there_is_one(database: Database, tmp_path: Path) -> None:
    house = await group_of(database, tmp_path, model=True)
    assert house.model is not None
    house.model.add("Berta does.")
    assert await said(house, "who was going to bring the cake?", **GROUP) == "Berta does."


@pytest.mark.parametrize("words", ["what did I miss?", "Was habe ich verpasst?", "我错过了什么？", "catch me up"])
@pytest.mark.parametrize("model", [False, True])
async def test_what_i_missed_is_told_in_private(database: Database, tmp_path: Path, words: str, *, model: bool) -> None:
    house = await group_of(database, tmp_path, model=model)
    house.clock.advance(60)
    await house.hear("Who brings the cake?", **{**ASIDE, "sender": FRIEND})
    if house.model is not None:
        house.model.add("They asked about a cake.")
    assert "cake" not in await said(house, words, **GROUP)
    assert "cake" in house.adapter.texts("1")[-1]
    assert words not in house.adapter.texts("1")[-1]

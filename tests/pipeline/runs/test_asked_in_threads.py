"""A question in a thread of a channel: its words are the answer, also without a mention."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.kernel.ports import Database
from core.kernel.types import Sender
from tests.asking import TEA, ask, states
from tests.fakes import FakeAdapter, House, house
from tests.pipeline.intake.test_hush import ASIDE, BO, OWNER, THREAD, tell

pytestmark = pytest.mark.databases("sqlite")


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

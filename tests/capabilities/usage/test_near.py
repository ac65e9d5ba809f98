"""Whose limit of the day is nearly used is told so, once, and at the end is told what still works."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.config.sections import AccessSection, BudgetSection
from core.kernel.ports import Database
from core.kernel.types import Answer, ModelRequest, Usage
from tests.fakes import FRIEND, OWNER, START, House, config, house

pytestmark = pytest.mark.databases("sqlite")

GROUP = "-100"
NEAR = "📊 Over 80 %"


def taking(request: ModelRequest) -> Answer:
    """An answer that takes 3,000 tokens."""
    return Answer(text="said", usage=Usage(model="m", tokens_in=2_000, tokens_out=1_000))


async def limited(database: Database, folder: Path, monkeypatch: pytest.MonkeyPatch, **limits: Any) -> House:
    """A house with limits of a day."""
    monkeypatch.setattr(
        "tests.fakes.settings", lambda where, **more: config(where, budget=BudgetSection(**limits), **more)
    )
    access = AccessSection(mode="allowlist", allow=(FRIEND,))
    return await house(database, folder / "house", *[taking] * 9, access=access)


async def ask(home: House, sender: str, times: int, chat: str = "") -> list[str]:
    """Ask so often, and return what was said in the chat since."""
    chat = chat or sender
    before = len(home.adapter.texts(chat))
    for _ in range(times):
        group = {"group": True, "mentioned": True} if chat == GROUP else {}
        await home.hear("write a poem", chat=chat, sender=sender, sent_at=START, **group)
        await home.work()
    return [text.partition(" of ")[0].partition(",")[0] for text in home.adapter.texts(chat)[before:]]


async def test_a_person_is_told_in_private_once(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = await limited(database, tmp_path, monkeypatch, person_tokens=10_000)
    told = await ask(home, FRIEND, 4)
    assert told == ["said", "said", NEAR, "said", "Your share"]
    assert NEAR not in await ask(home, FRIEND, 1)
    # An owner has no limit of a person.
    assert await ask(home, OWNER, 4) == ["said"] * 4


async def test_of_a_chat_s_limit_it_is_told_there(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = await limited(database, tmp_path, monkeypatch, chat_tokens=10_000)
    assert (await ask(home, FRIEND, 3)).count(NEAR) == 1


async def test_of_the_day_s_limit_owners_are_told(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = await limited(database, tmp_path, monkeypatch, daily_tokens=13_000)
    assert await ask(home, OWNER, 1) == ["said"]
    assert await ask(home, FRIEND, 3) == ["said"] * 3
    assert home.adapter.texts(OWNER)[-1].startswith(NEAR)


@pytest.mark.databases("sqlite", "postgres")
async def test_who_is_there_by_what_a_killed_process_had_asked_for_is_told_with_the_next_call(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = await limited(database, tmp_path, monkeypatch, person_tokens=20_000)
    assert await ask(home, FRIEND, 1) == ["said"]
    await home.db.write(lambda tx: tx.run("UPDATE token_use SET tokens_in = 16000"))
    home.clock.advance(60)  # what other processes count is read again
    assert await ask(home, FRIEND, 1) == [NEAR, "said"]
    assert NEAR not in await ask(home, FRIEND, 1)

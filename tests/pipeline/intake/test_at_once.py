"""Much that is said at once: everything is kept, in its order, whoever says it and whether they are known or not."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.config.sections import AccessSection
from core.kernel.ports import Database
from core.kernel.types import Inbound
from tests.fakes import House, house, inbound

PEOPLE, LINES = 5, 6


@pytest.fixture
async def home(database: Database, tmp_path: Path) -> House:
    return await house(database, tmp_path / "house", lambda request: "fine", access=AccessSection(mode="open"))


def line(person: int, number: int, *, chat: str) -> Inbound:
    """Return something that somebody of whom nothing is known says."""
    return inbound(f"{number}", key=f"{chat}:{person}:{number}", chat=chat, sender=f"tg:9{person}")


async def kept(home: House) -> list[tuple[int, str]]:
    rows = await home.rows("SELECT lane_id, text, state FROM inbox ORDER BY id")
    assert {row["state"] for row in rows} == {"new"}
    return [(row["lane_id"], row["text"]) for row in rows]


async def test_strangers_who_all_speak_at_once_are_all_heard(home: House) -> None:
    said = [line(person, n, chat=f"{person}{n}") for person in range(PEOPLE) for n in range(LINES)]
    await asyncio.gather(*(home.app.inbox.accept(home.tenant_id, [one]) for one in said))
    assert len(await kept(home)) == PEOPLE * LINES


async def test_what_is_said_in_a_chat_is_kept_in_its_order(home: House) -> None:
    said = [line(0, n, chat="1") for n in range(LINES * PEOPLE)]
    await asyncio.gather(*(home.app.inbox.accept(home.tenant_id, [one]) for one in said))
    assert [text for _, text in await kept(home)] == [f"{n}" for n in range(LINES * PEOPLE)]

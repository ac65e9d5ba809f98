"""Model calls that bring no answer are paid for all the same: stopped, broken off, too late."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Any

import pytest

from bot.config.sections import AccessSection
from core.kernel.errors import ModelUnreachable, StorageError
from core.kernel.ports import Database
from core.kernel.types import Answer, ModelRequest, Usage
from tests.fakes import FRIEND, House, house

pytestmark = pytest.mark.databases("sqlite")

TOOK = Usage(model="m", tokens_in=2_300, tokens_out=700)


class Endless:
    """A model that thinks until it is broken off, and tells then what that took."""

    def __init__(self) -> None:
        self.thinking, self.asked = asyncio.Event(), 0

    async def __call__(self, request: ModelRequest) -> Answer:
        self.asked += 1
        self.thinking.set()
        try:
            await asyncio.Event().wait()
        finally:
            assert request.lost is not None
            request.lost(TOOK)
        raise AssertionError


async def stopped(home: House, endless: Endless, **who: Any) -> None:
    """Ask something, and stop the model as soon as it thinks."""
    endless.thinking.clear()
    await home.hear("a long story", **who)
    (lane_id,) = await home.column("SELECT id FROM lane")
    task = asyncio.ensure_future(home.app.worker.answer(lane_id))
    await asyncio.wait_for(endless.thinking.wait(), 10)
    await home.hear("/stop", **who)
    await home.app.worker.stop(lane_id)
    await asyncio.wait_for(task, 10)
    await home.app.outbox.pump(await home.chat_of(lane_id))
    await home.work()


async def counted(home: House) -> list[tuple[str, int, int, int]]:
    """Whose tokens were counted: address, calls, in and out."""
    rows = await home.rows(
        "SELECT a.external_id, u.calls, u.tokens_in, u.tokens_out FROM token_use u"
        " JOIN address a ON a.person_id = u.person_id AND a.tenant_id = u.tenant_id ORDER BY a.external_id"
    )
    return [(row["external_id"], row["calls"], row["tokens_in"], row["tokens_out"]) for row in rows]


async def test_a_stopped_call_is_counted_for_who_asked(database: Database, tmp_path: Path) -> None:
    endless = Endless()
    home = await house(database, tmp_path / "house", endless)
    for _ in range(2):
        await stopped(home, endless)
    assert await counted(home) == [("tg:1", 2, 4_600, 1_400)]
    assert home.adapter.texts() == ["⏹ Stopped. Nothing had been done yet."] * 2


@pytest.mark.databases("sqlite", "postgres")
async def test_stopping_again_and_again_uses_up_a_share(database: Database, tmp_path: Path) -> None:
    endless, access = Endless(), AccessSection(mode="open")
    home = await house(database, tmp_path / "house", endless, access=access, daily_tokens=56_000)
    for _ in range(3):
        await stopped(home, endless, sender=FRIEND, chat="2")
    await home.hear("a long story", sender=FRIEND, chat="2")
    await home.work()
    assert endless.asked == 3
    assert home.adapter.texts("2")[-1].startswith("Your share of today's budget is used up")


async def test_a_call_that_breaks_off_is_counted_although_its_question_is_kept(
    database: Database, tmp_path: Path
) -> None:
    def break_off(request: ModelRequest) -> Answer:
        assert request.lost is not None
        request.lost(TOOK)
        raise ModelUnreachable("broke off")

    home = await house(database, tmp_path / "house", break_off)
    await home.hear("a long story")
    await home.answer()
    assert await counted(home) == [("tg:1", 1, 2_300, 700)]
    assert home.adapter.texts() == ["The model is unreachable. I keep your question and answer when it is back."]


async def test_a_stop_stays_a_stop_although_the_call_cannot_be_counted(
    database: Database, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: object) -> None:
        raise StorageError("no")

    endless = Endless()
    home = await house(database, tmp_path / "house", endless)
    home.app.worker.answering.collaborators.loop._count = full
    with caplog.at_level(logging.ERROR):
        await stopped(home, endless)
    assert home.adapter.texts() == ["⏹ Stopped. Nothing had been done yet."]
    assert "could not be counted" in caplog.text

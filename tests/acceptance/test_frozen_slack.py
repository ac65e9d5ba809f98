"""A data folder of version 0.1.0 on Slack: a workspace goes on, and of an organisation nothing is lost."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.acceptance.harness import Bot
from tests.acceptance.playing import AHEAD
from tests.acceptance.sites import PageSite
from tests.acceptance.stories.days import DAY
from tests.emulators.slack import SlackServer
from tests.emulators.slack_shown import ShownMessage
from tests.frozen import grid
from tests.frozen.thawing import HERE, teller, unpacked

ANN, CID = grid.PEOPLE[grid.FIRST], grid.PEOPLE[grid.ALONE]


@pytest.fixture
async def slack() -> AsyncIterator[SlackServer]:
    """A Slack that remembers the conversations."""
    async with SlackServer() as server:
        yield server


@pytest.fixture
async def bot(slack: SlackServer, tmp_path: Path) -> AsyncIterator[Bot]:
    """The program in a copy of the folder, at the moment at which it was killed; not started yet."""
    memory = json.loads((HERE / "slack.json").read_text())
    unpacked(tmp_path, "slack")
    bot = Bot(PageSite(slack), tmp_path, {"ACCESS__MODE": "allowlist", "ACCESS__ALLOW": grid.allowed()}, AHEAD)
    grid.restore(slack, memory)
    bot.advance((datetime.fromisoformat(memory["clock"]) - datetime.now(UTC)).total_seconds())
    slack.ahead = bot.ahead
    try:
        yield bot
        await bot.end()
    finally:
        if bot.running:
            await bot.kill()


def said(slack: SlackServer, user: str, team: str, words: str) -> list[ShownMessage]:
    """What the bot has said to somebody in private with these words."""
    return [one for one in slack.said(slack.dm(user, team), team=team) if words in one.text]


async def test_a_workspace_of_its_own_goes_on(bot: Bot, slack: SlackServer) -> None:
    await bot.start()
    slack.say("/todo", CID, team=grid.ALONE)
    await bot.until(lambda: bool(said(slack, CID, grid.ALONE, "To do: 1")))
    (due,) = said(slack, CID, grid.ALONE, f"⏰ water {grid.ALONE}")
    slack.press(due.ts, "Done", CID, team=grid.ALONE)
    await bot.until(lambda: "✅" in said(slack, CID, grid.ALONE, f"⏰ water {grid.ALONE}")[0].text)
    (added, *_) = said(slack, CID, grid.ALONE, f"plan of {grid.ALONE}")
    slack.press(added.ts, "Undo", CID, team=grid.ALONE)
    await bot.until(lambda: bool(said(slack, CID, grid.ALONE, "Taken back:")))
    bot.advance(DAY)
    slack.ahead = bot.ahead
    await bot.until(lambda: bool(said(slack, CID, grid.ALONE, f"⏰ feed {grid.ALONE}")))
    assert len(said(slack, CID, grid.ALONE, f"⏰ water {grid.ALONE}")) == 1


async def test_of_an_organisation_nothing_is_lost(bot: Bot, slack: SlackServer) -> None:
    await bot.start()
    slack.say("/id", CID, team=grid.ALONE)
    await bot.until(lambda: bool(said(slack, CID, grid.ALONE, f"slack:{grid.ALONE}:{CID}")))
    await bot.stop()
    kept = {row["content"] for row in bot.rows("SELECT content FROM todo WHERE state = 'open'")}
    assert kept == {f"plan of {team}" for team in grid.PEOPLE}
    waiting = {row["text"] for row in bot.rows("SELECT text FROM trigger WHERE state IN ('active', 'paused')")}
    assert waiting == {f"feed {team}" for team in grid.PEOPLE}
    assert bot.value("SELECT sealed <> '' FROM installation WHERE external_id = ?", grid.WHOLE) == 1
    assert "The ledger is intact" in await teller(bot, "ledger", "verify")


async def test_an_organisation_is_served(bot: Bot, slack: SlackServer) -> None:
    """Goes with the support for them."""
    await bot.start()
    slack.say("/todo", ANN, team=grid.FIRST)
    await bot.until(lambda: bool(said(slack, ANN, grid.FIRST, "To do: 1")))

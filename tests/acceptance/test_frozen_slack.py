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

SERVED = f"SELECT id FROM tenant WHERE organisation = '{grid.WHOLE}'"
ANN, CID = grid.PEOPLE[grid.FIRST], grid.PEOPLE[grid.ALONE]


@pytest.fixture
async def slack() -> AsyncIterator[SlackServer]:
    """A Slack that remembers the conversations."""
    async with SlackServer() as server:
        yield server


@pytest.fixture
def site(slack: SlackServer) -> PageSite:
    """Its app, which people install by its page."""
    return PageSite(slack)


@pytest.fixture
async def bot(slack: SlackServer, site: PageSite, tmp_path: Path) -> AsyncIterator[Bot]:
    """The program in a copy of the folder, at the moment at which it was killed; not started yet."""
    memory = json.loads((HERE / "slack.json").read_text())
    unpacked(tmp_path, "slack")
    settings = {
        "ACCESS__MODE": "allowlist",
        "ACCESS__ALLOW": grid.allowed(),
        "OWNERS": json.dumps([f"slack:{grid.ALONE}:{CID}"]),
        # What was in doubt is looked up at once, not when Slack allows it a minute later.
        "SLACK__HISTORY_LIMIT": "normal",
    }
    bot = Bot(site, tmp_path, settings, AHEAD)
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


def organisation(bot: Bot) -> list[list[dict[str, object]]]:
    """Return what is kept of the organisation's installation, and of the workspaces that it served."""
    queries = (
        f"SELECT * FROM installation WHERE external_id = '{grid.WHOLE}'",
        f"SELECT id, content, state FROM todo WHERE tenant_id IN ({SERVED}) ORDER BY id",
        f"SELECT id, text, state, next_at FROM trigger WHERE tenant_id IN ({SERVED}) ORDER BY id",
        f"SELECT id, text, state FROM inbox WHERE tenant_id IN ({SERVED}) ORDER BY id",
        f"SELECT id, payload, state FROM outbox WHERE tenant_id IN ({SERVED}) ORDER BY id",
        f"SELECT id, name FROM person WHERE tenant_id IN ({SERVED}) ORDER BY id",
    )
    return [bot.rows(query) for query in queries]


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


async def test_of_an_organisation_nothing_is_lost_or_touched(bot: Bot, slack: SlackServer) -> None:
    before = organisation(bot)
    assert [len(rows) for rows in before] == [1, 2, 4, 6, 8, 3]
    for _ in range(2):
        await bot.start()
        bot.advance(DAY)
        slack.ahead = bot.ahead
        slack.say("/id", CID, team=grid.ALONE)
        await bot.until(lambda: bool(said(slack, CID, grid.ALONE, f"slack:{grid.ALONE}:{CID}")))
        await bot.stop()
    assert organisation(bot) == before
    assert "The ledger is intact" in await teller(bot, "ledger", "verify")


async def test_of_an_organisation_the_owner_is_told_once_what_to_do(bot: Bot, slack: SlackServer) -> None:
    for time in (1, 2):
        await bot.start()
        slack.say("/id", CID, team=grid.ALONE)
        await bot.until(lambda time=time: len(said(slack, CID, grid.ALONE, f"slack:{grid.ALONE}:{CID}")) == time)  # type: ignore[misc]
        await bot.stop()
    (told,) = said(slack, CID, grid.ALONE, "installations of whole organisations are no longer served")
    assert f"there is one: {grid.WHOLE}" in told.text
    assert "installed in each of them by its page (slack/install)" in told.text


async def test_what_is_said_in_a_workspace_of_an_organisation_is_not_kept(bot: Bot, slack: SlackServer) -> None:
    before = organisation(bot)
    await bot.start()
    slack.say("/todo", ANN, team=grid.FIRST)
    slack.say("/id", CID, team=grid.ALONE)
    await bot.until(lambda: bool(said(slack, CID, grid.ALONE, f"slack:{grid.ALONE}:{CID}")))
    await bot.stop()
    assert organisation(bot) == before
    assert not said(slack, ANN, grid.FIRST, "To do: 1")


async def test_a_workspace_of_an_organisation_that_installs_the_app_goes_on(
    bot: Bot, slack: SlackServer, site: PageSite
) -> None:
    await bot.start()
    assert (await slack.install(site.page, ANN, grid.FIRST)).status == 200
    slack.say("/todo", ANN, team=grid.FIRST)
    await bot.until(lambda: bool(said(slack, ANN, grid.FIRST, "To do: 1")))
    bot.advance(DAY)
    slack.ahead = bot.ahead
    await bot.until(lambda: bool(said(slack, ANN, grid.FIRST, f"⏰ feed {grid.FIRST}")))

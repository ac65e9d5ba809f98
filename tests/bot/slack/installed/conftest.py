"""Two workspaces of the emulated Slack, in which somebody has the same id, and a bot that both can install."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.adapters.slack import adapter
from tests.emulators.slack import SlackServer
from tests.slack_house import QUICK
from tests.slack_installed import ANN, SECOND, WHOLE, Running, begun, configured, installed, running


@pytest.fixture
async def server() -> AsyncIterator[SlackServer]:
    """Slack, where nobody has installed the app yet."""
    async with SlackServer() as found:
        found.team.installed = False
        found.user(ANN, name="ann")
        found.world.team(SECOND, installed=False)
        found.user(ANN, team=SECOND, name="another")
        yield found


@pytest.fixture
async def bot(server: SlackServer, tmp_path: Path) -> AsyncIterator[Running]:
    """A bot that is installed nowhere."""
    async with running(configured(server, tmp_path)) as found:
        yield found


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits long before trying again."""
    monkeypatch.setattr(adapter, "Timing", lambda: QUICK)


@pytest.fixture
def together(server: SlackServer, quick: None) -> None:
    """Both workspaces belong to an organisation, for which the app is to be installed."""
    server.world.app.whole = True
    for team in server.world.teams.values():
        team.enterprise = WHOLE


@pytest.fixture
async def grid(server: SlackServer, together: None, bot: Running) -> Running:
    """The bot, installed."""
    await installed(server, bot)
    assert await bot.rows("SELECT external_id, whole FROM installation") == [(WHOLE, 1)]
    return bot


@pytest.fixture
async def served(server: SlackServer, grid: Running) -> Running:
    """The bot, which heard of both workspaces."""
    await begun(server, grid)
    return grid

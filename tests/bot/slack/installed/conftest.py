"""Two workspaces of the emulated Slack, in which somebody has the same id, and a bot that both can install."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.adapters.slack import adapter
from tests.emulators.slack import SlackServer
from tests.slack_house import QUICK
from tests.slack_installed import ANN, SECOND, Running, configured, running


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

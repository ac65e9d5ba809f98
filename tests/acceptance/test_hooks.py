"""The stories of hooks, on every platform: programs post to a bot that runs as a process, over real sockets."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.acceptance.playing import AHEAD, SLACK, TELEGRAM, Way
from tests.acceptance.stories import Story, hooks, name, told_in
from tests.acceptance.stories.days import Days
from tests.acceptance.stories.stage import think
from tests.ports import free_port

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=[TELEGRAM, SLACK], ids=["telegram", "slack"])
async def reached(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Days]:
    """One program that others can reach, with a list of those who have access."""
    way: Way = request.param
    port = free_port()
    web = {"HTTP__PORT": str(port), "HTTP__PUBLIC_URL": f"http://127.0.0.1:{port}"}
    settings = {"ACCESS__MODE": "allowlist", "ACCESS__ALLOW": way.admitted, **web}
    async with way.play(Days, tmp_path_factory.mktemp("hooks"), AHEAD, **settings) as stage:
        yield stage


@pytest.mark.parametrize("story", told_in(hooks), ids=name)
async def test_hooks(reached: Days, story: Story) -> None:
    if not reached.bot.running:
        await reached.bot.start()
    reached.model.reply_with(think)
    await story(reached)

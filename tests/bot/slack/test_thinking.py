"""A model's slow answer through the whole house: a status while it is written, then one message."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.adapters.slack import SlackAdapter, SlackApp
from bot.app import build
from core.kernel.types import ModelRequest
from tests.conftest import PlaceMaker
from tests.databases import build as build_database
from tests.databases import serve
from tests.emulators.slack import SlackServer
from tests.fakes import FakeModel, config
from tests.memory_intake import DEADLINE, RealClock
from tests.slack_house import NAMES, QUICK, USER

STORY = "Once upon a time there was a bot."


@pytest.fixture
async def server() -> AsyncIterator[SlackServer]:
    async with SlackServer() as running:
        running.user(USER, locale="en-US")
        yield running


async def test_in_a_thread_a_slow_answer_is_a_status_and_then_one_message(
    server: SlackServer, make_place: PlaceMaker, tmp_path: Path
) -> None:
    channel, statuses = server.dm(USER), list[str]()

    def seen() -> list[str]:
        return [message.text for message in server.said(channel, USER, thread=root)]

    async def told(request: ModelRequest) -> str:
        if request.listen is not None:
            request.listen(STORY)
        await server.wait_until(lambda: bool(server.status(channel, root)), DEADLINE)
        statuses.extend([server.status(channel, root), *seen()])
        return STORY

    clock, token = RealClock(), server.world.app.app_token
    slack_app = SlackApp(bot_token=server.team.bot_token, base_url=server.api, names=NAMES, app_token=token)
    adapter = SlackAdapter(slack_app, clock, timing=QUICK)
    settings = config(tmp_path / "house", owners=(f"slack:T0001:{USER}",))
    database = build_database(make_place("sqlite"))
    app = build(settings, {"slack": adapter}, db=database, clock=clock, model=FakeModel(told))
    task = asyncio.create_task(serve(app))
    try:
        await asyncio.wait_for(adapter.caught_up.wait(), DEADLINE)
        root = server.say("/help", USER)
        server.say("a long story, please", USER, thread=root)
        await server.wait_until(lambda: seen() == [STORY], DEADLINE)
    finally:
        app.stop()
        await asyncio.wait_for(task, 20)
    assert (statuses, seen()) == (["is thinking…"], [STORY])

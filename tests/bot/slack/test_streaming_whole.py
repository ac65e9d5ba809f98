"""A model's answer that is seen while it is written, through the whole house; and the option by which it is."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.adapters.slack import SlackAdapter
from bot.app import build
from bot.config.config import load
from bot.runtime import wiring
from core.kernel.types import Destination, ModelRequest
from tests.conftest import PlaceMaker
from tests.databases import build as build_database
from tests.emulators.slack import SlackServer
from tests.fakes import FakeModel, config
from tests.memory_intake import DEADLINE, MemoryIntake, RealClock
from tests.slack_house import NAMES, QUICK, USER

STORY = "Once upon a time there was a bot.\n"


@pytest.fixture
async def server() -> AsyncIterator[SlackServer]:
    async with SlackServer() as running:
        running.user(USER, locale="en-US")
        yield running


def seen(server: SlackServer, thread: str) -> list[str]:
    return [message.text for message in server.said(server.dm(USER), USER, thread=thread)]


async def test_in_a_thread_a_slow_answer_is_seen_while_it_is_written_and_then_once(
    server: SlackServer, make_place: PlaceMaker, tmp_path: Path
) -> None:
    shown: list[list[str]] = []

    async def told(request: ModelRequest) -> str:
        assert request.listen is not None
        request.listen(STORY)
        await server.wait_until(lambda: bool(seen(server, root)), DEADLINE)
        shown.append(seen(server, root))
        return f"{STORY}The end."

    clock, model = RealClock(), FakeModel(told)
    adapter = SlackAdapter(
        server.team.bot_token,
        server.api,
        clock,
        names=NAMES,
        timing=QUICK,
        app_token=server.world.app.app_token,
        streaming=True,
    )
    settings = config(tmp_path / "house", owners=(f"slack:T0001:{USER}",))
    app = build(settings, {"slack": adapter}, db=build_database(make_place("sqlite")), clock=clock, model=model)
    task = asyncio.create_task(app.run())
    try:
        await asyncio.wait_for(adapter.caught_up.wait(), DEADLINE)
        root = server.say("/help", USER)
        server.say("a long story, please", USER, thread=root)
        await server.wait_until(lambda: seen(server, root) == [f"{STORY}The end."], DEADLINE)
    finally:
        app.stop()
        await asyncio.wait_for(task, 20)
    assert shown == [[STORY.strip()]]
    assert [len(server.calls(f"chat.{name}")) for name in ("startStream", "stopStream", "delete")] == [1, 1, 1]


@contextlib.asynccontextmanager
async def running(server: SlackServer, streaming: str) -> AsyncIterator[SlackAdapter]:
    """Let the adapter run that a configuration makes."""
    environ = {
        "TELLER_SLACK__BOT_TOKEN": server.team.bot_token,
        "TELLER_SLACK__APP_TOKEN": server.world.app.app_token,
        "TELLER_SLACK__BASE_URL": server.api,
        "TELLER_SLACK__STREAMING": streaming,
    }
    adapter = wiring.adapters(load(Path(os.devnull), environ), RealClock(), console=False)["slack"]
    assert isinstance(adapter, SlackAdapter)
    task = asyncio.create_task(adapter.run(MemoryIntake()))
    try:
        await asyncio.wait_for(adapter.caught_up.wait(), DEADLINE)
        yield adapter
    finally:
        task.cancel()
        await asyncio.wait([task])
        await adapter.close()


async def test_until_the_first_word_there_is_a_status_and_at_the_end_nothing_is_left(server: SlackServer) -> None:
    root = server.say("a long story, please", USER)
    to = Destination(tenant="T0001", chat=server.dm(USER), thread=root)
    async with running(server, "true") as adapter:
        assert await adapter.draft(to, 1, "")
        assert server.status(to.chat, root) == "is thinking…"
        assert await adapter.draft(to, 1, STORY)
        await server.wait_until(lambda: bool(seen(server, root)), DEADLINE)
        assert not await adapter.draft(replace(to, thread=""), 2, STORY)
    assert seen(server, root) == []


async def test_without_the_option_nothing_is_shown_before_it_is_there(server: SlackServer) -> None:
    root = server.say("a long story, please", USER)
    async with running(server, "false") as adapter:
        assert not await adapter.draft(Destination(tenant="T0001", chat=server.dm(USER), thread=root), 1, STORY)
    assert server.calls("chat.startStream") == []


def test_the_option_is_off_unless_asked_for() -> None:
    assert load(Path(os.devnull), {}).slack.streaming is False

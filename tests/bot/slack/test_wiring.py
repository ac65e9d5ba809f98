"""The platforms that a configuration asks for are the ones that run, with what it says of them."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.adapters.slack import SlackAdapter
from bot.config.config import Config, load
from bot.runtime import http, wiring
from core.kernel.ports import Adapter
from core.kernel.types import Inbound
from tests.emulators.slack import SlackServer
from tests.memory_intake import DEADLINE, MemoryIntake, RealClock

USER = "U1001"


@pytest.fixture
async def server() -> AsyncIterator[SlackServer]:
    async with SlackServer() as running:
        running.user(USER)
        yield running


def configured(server: SlackServer, **more: str) -> Config:
    environ = {
        "TELLER_SLACK__BOT_TOKEN": server.team.bot_token,
        "TELLER_SLACK__APP_TOKEN": server.world.app.app_token,
        "TELLER_SLACK__BASE_URL": server.api,
        **more,
    }
    return load(Path(os.devnull), environ)


@contextlib.asynccontextmanager
async def running(config: Config) -> AsyncIterator[tuple[Adapter, MemoryIntake]]:
    """Let the one platform of a configuration run, once it has caught up."""
    (adapter,) = wiring.adapters(config, RealClock(), console=False).values()
    intake = MemoryIntake()
    intake.cursors[1, "heard"] = ""
    task = asyncio.create_task(adapter.run(intake))
    try:
        await asyncio.wait_for(adapter.caught_up.wait(), DEADLINE)
        yield adapter, intake
    finally:
        task.cancel()
        await asyncio.wait([task])
        await adapter.close()


async def test_both_platforms_are_made_when_both_have_a_token(server: SlackServer) -> None:
    found = wiring.adapters(configured(server, TELLER_TELEGRAM__TOKEN="1:abcde"), RealClock(), console=False)
    assert list(found) == ["telegram", "slack"]
    for adapter in found.values():
        await adapter.close()


async def test_with_an_app_token_it_listens_and_opens_no_door(server: SlackServer) -> None:
    async with running(configured(server)) as (adapter, intake):
        server.say("hello", USER)
        await intake.wait_messages("hello")
        assert http.platform_endpoints({"slack": adapter}) == []


async def test_in_http_mode_there_is_one_door_at_its_path_even_with_an_app_token(server: SlackServer) -> None:
    environ = {
        "TELLER_SLACK__MODE": "http",
        "TELLER_SLACK__SIGNING_SECRET": server.world.app.signing_secret,
        "TELLER_SLACK__PATH": "/in/slack",
    }
    async with running(configured(server, **environ)) as (adapter, _):
        assert [door.path for door in http.platform_endpoints({"slack": adapter})] == ["/in/slack"]
        assert server.calls("apps.connections.open") == []


async def test_texts_name_the_commands_that_the_app_has(server: SlackServer) -> None:
    named = {"TELLER_SLACK__COMMAND": "/bot", "TELLER_SLACK__TODO_COMMAND": "/list"}
    config = configured(server, TELLER_TELEGRAM__TOKEN="1:abcde", **named)
    telegram, slack = wiring.adapters(config, RealClock(), console=False).values()
    assert [slack.spelling.command(line) for line in ("/help", "/todo milk")] == ["/bot help", "/list milk"]
    assert telegram.spelling.command("/help") == "/help"
    for adapter in (telegram, slack):
        await adapter.close()


async def test_the_command_of_the_list_may_have_another_name(server: SlackServer) -> None:
    server.commands["/list"] = True
    config = configured(server, TELLER_SLACK__TODO_COMMAND="/list")
    async with running(config) as (adapter, intake):
        assert isinstance(adapter, SlackAdapter)
        for typed in ("/list milk", "/teller todo bread", "/teller hello"):
            server.command(typed, USER)
        await server.wait_until(lambda: not server.pending(), DEADLINE)
        said = {row.text for row in intake.rows.values() if isinstance(row, Inbound)}
    assert said == {"/todo milk", "/todo bread", "hello"}

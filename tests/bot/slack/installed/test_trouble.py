"""Two workspaces installed the app, and one of them is in trouble: the other one does not notice, and it is named."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from slack_sdk.errors import SlackApiError

from bot.adapters.slack import adapter
from bot.adapters.slack.backfill import semaphore as room
from bot.adapters.slack.send.sender import REMOVED
from tests.emulators.slack import SlackServer
from tests.emulators.slack_delivery import EVENT
from tests.memory_intake import DEADLINE
from tests.slack_house import QUICK
from tests.slack_installed import ANN, FIRST, SECOND, Running, configured, installed, running

STATE = "SELECT state FROM installation WHERE external_id = 'T0001'"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter, "Timing", lambda: QUICK)


@pytest.fixture
async def bot(server: SlackServer, bot: Running) -> Running:
    """A bot that both have installed."""
    for team in (FIRST, SECOND):
        await installed(server, bot, team)
        await until_heard(bot, team)
    return bot


async def until_heard(bot: Running, team: str) -> None:
    await bot.becomes(lambda: bot.app.adapters["slack"].hears(team))


def trouble(server: SlackServer, team: str, code: str) -> None:
    server.world.tokens[server.workspace(team).bot_token].trouble = code


def listed(server: SlackServer, error: str) -> int:
    """How often conversations were listed with that outcome."""
    return len([one for one in server.calls("users.conversations") if one.error == error])


def states(bot: Running) -> dict[str, Any]:
    return {one["id"]: one["state"] for one in bot.app.adapters["slack"].health()["installations"]}


async def test_one_that_cannot_be_read_keeps_nothing_from_the_other(server: SlackServer, tmp_path: Path) -> None:
    async with running(configured(server, tmp_path)) as bot:
        for team in (FIRST, SECOND):
            await installed(server, bot, team)
            await until_heard(bot, team)
    trouble(server, SECOND, "internal_error")
    async with running(configured(server, tmp_path)) as bot:
        slack = bot.app.adapters["slack"]
        await until_heard(bot, FIRST)
        await bot.becomes(slack.caught_up.is_set)
        assert not slack.hears(SECOND)
        assert states(bot) == {FIRST: "active", SECOND: "internal_error"}
        assert slack.health()["last_error"] == "T0002: internal_error"
        server.sockets.abort()
        await bot.becomes(lambda: not slack.hears(FIRST))
        await until_heard(bot, FIRST)


async def test_a_token_that_is_over_is_named_and_not_tried_again_and_again(server: SlackServer, bot: Running) -> None:
    slack = bot.app.adapters["slack"]
    trouble(server, SECOND, "token_expired")
    server.sockets.abort()
    await bot.becomes(lambda: states(bot)[SECOND] != "active")
    assert states(bot) == {FIRST: "active", SECOND: "the bot token has expired"}
    await until_heard(bot, FIRST)
    for _ in range(2):
        looks = listed(server, "") + 4
        server.deliveries.send(EVENT, {"type": "app_rate_limited", "team_id": FIRST})
        await server.wait_until(partial(lambda most: listed(server, "") >= most, looks), DEADLINE)
    assert listed(server, "token_expired") == 1
    # Another one is tried at once.
    await installed(server, bot, SECOND)
    await until_heard(bot, SECOND)
    assert states(bot) == {FIRST: "active", SECOND: "active"}
    assert slack.health()["last_error"] == ""


async def test_one_that_has_to_wait_leaves_its_place_to_the_other(
    server: SlackServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "MOST_AT_ONCE", 1)
    async with running(configured(server, tmp_path)) as bot:
        for team in (FIRST, SECOND):
            await installed(server, bot, team)
            await until_heard(bot, team)
        slack = bot.app.adapters["slack"]
        server.fault("users.conversations", kind="429", retry_after=3600, times=1)
        server.sockets.abort()
        await bot.becomes(lambda: listed(server, "ratelimited") == 1)
        await bot.becomes(lambda: slack.hears(FIRST) != slack.hears(SECOND))


async def test_one_for_which_there_are_no_newer_tokens_is_to_be_installed_again(
    server: SlackServer, tmp_path: Path
) -> None:
    server.world.app.rotation = True
    async with running(configured(server, tmp_path)) as bot:
        await installed(server, bot)
        await bot.db.write(lambda tx: tx.run("UPDATE installation SET expires_at = 1"))
    server.oauth.refreshing.clear()
    async with running(configured(server, tmp_path)) as bot:
        assert states(bot) == {FIRST: "it has no newer tokens, and must be installed again"}
        await installed(server, bot)
        assert states(bot) == {FIRST: "active"}


async def test_a_look_with_a_former_token_does_not_end_what_was_installed_since(
    server: SlackServer, bot: Running
) -> None:
    since, looks = asyncio.Event(), len(server.calls("users.conversations"))
    server.fault("users.conversations", kind="slow", until=since)
    server.sockets.abort()
    await bot.becomes(lambda: len(server.calls("users.conversations")) > looks)
    server.uninstall()
    await bot.until(STATE, ("revoked",))
    await installed(server, bot)
    since.set()
    await server.wait_until(lambda: any(one.error in REMOVED for one in server.calls("users.conversations")), DEADLINE)
    await until_heard(bot, FIRST)
    assert bot.app.adapters["slack"].health()["ok"]
    assert await bot.rows(STATE) == [("active",)]
    assert states(bot) == {FIRST: "active", SECOND: "active"}


async def test_a_message_sent_with_a_former_token_does_not_end_what_was_installed_since(
    server: SlackServer, bot: Running
) -> None:
    await bot.becomes(lambda: len(server.calls("chat.postMessage")) == 2)
    since = asyncio.Event()
    server.fault("chat.postMessage", kind="slow", until=since)
    server.say("/id", ANN)
    await bot.becomes(lambda: len(server.calls("chat.postMessage")) == 3)
    server.uninstall()
    await bot.until(STATE, ("revoked",))
    await installed(server, bot)
    since.set()
    await bot.becomes(lambda: any(one.error in REMOVED for one in server.calls("chat.postMessage")))
    server.say("/id", ANN)
    await bot.until("SELECT state FROM inbox WHERE text = '/id' ORDER BY id", ("done",), ("done",))
    assert await bot.rows(STATE) == [("active",)]


async def test_lost_tokens_of_before_do_not_end_what_is_being_installed(
    server: SlackServer, bot: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    tenancy = bot.app.adapters["slack"]._incoming._installs  # type: ignore[attr-defined] # to stop in the middle of it
    former, keep = tenancy._rows[FIRST], tenancy.known.keep
    keeping, go = asyncio.Event(), asyncio.Event()

    async def slowly(*args: Any) -> bool:
        keeping.set()
        await go.wait()
        return bool(await keep(*args))

    monkeypatch.setattr(tenancy.known, "keep", slowly)
    again = asyncio.create_task(installed(server, bot))
    await asyncio.wait_for(keeping.wait(), DEADLINE)
    refused = SlackApiError("refused", {"ok": False, "error": "token_revoked"})  # type: ignore[no-untyped-call] # of slack_sdk
    complaining = asyncio.create_task(tenancy._rotation._complain(former, refused))
    # It waits for who installs.
    await asyncio.sleep(0)
    go.set()
    await asyncio.gather(again, complaining)
    assert await bot.rows(STATE) == [("active",)]
    assert states(bot) == {FIRST: "active", SECOND: "active"}

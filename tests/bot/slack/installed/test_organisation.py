"""Installations of whole organisations, which former versions took: they are kept, not served, and that is said."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest

from core.kernel.ports import Tx
from tests.emulators.slack import SlackServer
from tests.slack_installed import (
    ANN,
    FIRST,
    SECOND,
    SERVED,
    Running,
    answered,
    configured,
    installed,
    nothing,
    running,
    settled,
)

WHOLE = "E0001"
INSTALLED = "SELECT external_id, state, sealed FROM installation ORDER BY id"
KEPT = (WHOLE, "active", "sealed by a former version")
TOLD = "Slack installations of whole organisations are no longer served, and there is one: E0001."


def former(tx: Tx) -> None:
    """Write what a former version kept of an organisation, which served the first workspace."""
    tx.run(
        "INSERT INTO installation (platform, external_id, name, enterprise, whole, state, bot_user, installer, sealed,"
        " expires_at, installed_at) VALUES ('slack', :whole, '', :whole, 1, 'active', 'U0BOT', 'U1001', :sealed, 1, 1)",
        {"whole": WHOLE, "sealed": KEPT[2]},
    )
    tx.run(
        "INSERT INTO tenant (platform, external_id, name, created_at, organisation)"
        " VALUES ('slack', :team, 'first', 1, :whole)",
        {"team": FIRST, "whole": WHOLE},
    )


async def test_it_is_kept_and_its_owner_is_told_once_what_to_do(
    server: SlackServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    config = configured(server, tmp_path, TELLER_OWNERS=f'["slack:{SECOND}:{ANN}"]')
    async with running(config) as bot:
        await installed(server, bot, SECOND)
        await answered(server, 1, SECOND)
        await bot.db.write(former)
    for _ in range(2):
        with caplog.at_level(logging.WARNING):
            async with running(config) as bot:
                said = await answered(server, 2, SECOND)
                await settled(server)
                states = {one["id"]: one["state"] for one in bot.app.adapters["slack"].health()["installations"]}
                assert await bot.rows(f"{INSTALLED} DESC LIMIT 1") == [KEPT]
                assert await bot.rows(SERVED) == [(SECOND, 1), (FIRST, 1)]
    assert [TOLD in text for text in said] == [False, True]
    assert "installed in each of them by its page (slack/install)" in said[1]
    assert states[SECOND] == "active"
    assert "each workspace installs the app itself" in states[WHOLE]
    assert f"organisation {WHOLE}: installations of whole organisations are no longer served" in caplog.text


async def test_what_comes_for_it_is_refused_where_it_can_be_seen(
    server: SlackServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with running(configured(server, tmp_path)) as bot:
        await bot.db.write(former)
    server.world.app.whole = True
    server.world.install(server.team)
    with caplog.at_level(logging.WARNING):
        async with running(configured(server, tmp_path)) as bot:
            server.say("hello", ANN)
            pressed = server.command("/teller todo", ANN)
            await settled(server)
            assert await bot.rows("SELECT * FROM inbox") == []
            assert "install me in this workspace" in str(server.toasts(pressed))
    refused = [line for line in caplog.messages if "something came for workspace 'T0001'" in line]
    assert len(refused) == 1
    assert "each workspace installs the app itself" in refused[0]


async def test_a_workspace_of_it_that_installs_the_app_goes_on_with_what_was_kept(
    server: SlackServer, tmp_path: Path
) -> None:
    async with running(configured(server, tmp_path)) as bot:
        await bot.db.write(former)
    async with running(configured(server, tmp_path)) as bot:
        await installed(server, bot)
        assert len(await answered(server, 1)) == 1
        assert await bot.rows(SERVED) == [(FIRST, 1)]
        assert await bot.rows("SELECT external_id, whole FROM installation") == [(WHOLE, 1), (FIRST, 0)]


async def test_who_agrees_for_a_whole_organisation_is_told_to_choose_a_workspace(
    server: SlackServer, bot: Running
) -> None:
    server.team.enterprise, server.world.app.whole = WHOLE, True
    answer = await server.install(f"{bot.url}/slack/install", ANN, FIRST)
    assert (answer.status, "choose a workspace" in answer.body) == (400, True)
    assert await bot.rows(INSTALLED) == []


@pytest.mark.parametrize("kind", ["app_uninstalled", "tokens_revoked", "team_access_revoked"])
async def test_the_end_of_what_an_organisation_installed_ends_no_workspace(
    server: SlackServer, bot: Running, kind: str
) -> None:
    await installed(server, bot)
    event: dict[str, Any] = {"type": kind, "tokens": {"bot": ["U0BOT"]}, "team_ids": [FIRST], "event_ts": "1.1"}
    server.world.app.whole = True
    server.telling.subscribed |= {kind}
    server.push(event, FIRST)
    await settled(server)
    server.world.app.whole = False
    nothing(server, FIRST)
    await settled(server)
    assert bot.app.adapters["slack"].serves(FIRST)
    assert await bot.rows("SELECT external_id, state FROM installation") == [(FIRST, "active")]

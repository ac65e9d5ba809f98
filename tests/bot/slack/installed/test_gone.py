"""The app is removed from a workspace: nothing is sent or received for it any more, and it may come back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.emulators.slack import SlackServer
from tests.memory_intake import DEADLINE
from tests.slack_installed import ANN, FIRST, SECOND, Running, answered, configured, installed, running

STATE = "SELECT state, sealed = '' AS empty FROM installation WHERE external_id = 'T0001'"
TRIGGERS = "SELECT t.state, t.reason FROM trigger t ORDER BY t.id"


@pytest.fixture
async def bot(server: SlackServer, bot: Running) -> Running:
    """A bot that the first workspace has installed."""
    await installed(server, bot)
    await answered(server, 1)
    return bot


@pytest.mark.parametrize("act", ["uninstall", "revoke"])
async def test_nothing_is_scheduled_sent_or_received_any_more(server: SlackServer, bot: Running, act: str) -> None:
    server.say("/remind in 2 days: call Oma", ANN)
    await answered(server, 2)
    getattr(server, act)()
    await bot.until(STATE, ("revoked", 1))
    assert await bot.rows(TRIGGERS) == [("paused", "uninstalled")]
    # The adapter hears of it when that is stored.
    await bot.becomes(lambda: not bot.app.adapters["slack"].serves(FIRST))
    assert await bot.rows("SELECT ended_at IS NULL AS served FROM tenant") == [(0,)]
    before = len(server.calls())
    server.push({"type": "message", "channel": "D1001", "user": ANN, "ts": "1.1", "text": "hello?"})
    await server.wait_until(lambda: not server.pending(), DEADLINE)
    assert len(server.calls()) == before
    assert await bot.rows("SELECT count(*) FROM inbox WHERE text = 'hello?'") == [(0,)]


async def test_what_waits_to_be_sent_is_given_up_where_it_can_be_seen(server: SlackServer, bot: Running) -> None:
    server.fault("chat.postMessage", "429", retry_after=600)
    server.say("/id", ANN)
    await bot.until("SELECT count(*) FROM outbox WHERE state = 'new'", (1,))
    server.uninstall()
    await bot.until("SELECT state, error FROM outbox ORDER BY id DESC LIMIT 1", ("dead", "the app was removed"))


async def test_a_token_that_is_refused_ends_it_too(server: SlackServer, bot: Running) -> None:
    server.world.revoke(server.team, "account_inactive")
    server.push({"type": "message", "channel": "D1001", "user": ANN, "ts": "5.1", "text": "/id", "channel_type": "im"})
    await bot.until(STATE, ("revoked", 1))
    await bot.until("SELECT DISTINCT state FROM outbox ORDER BY state", ("dead",), ("sent",))


async def test_tokens_of_people_are_no_matter(server: SlackServer, bot: Running) -> None:
    server.push({"type": "tokens_revoked", "tokens": {"oauth": [ANN]}})
    server.say("/id", ANN)
    await answered(server, 2)
    assert await bot.rows(STATE) == [("active", 0)]


async def test_installed_again_it_goes_on_where_it_was(server: SlackServer, bot: Running) -> None:
    server.say("/todo add milk", ANN)
    await answered(server, 2)
    server.say("/remind in 2 days: call Oma", ANN)
    await answered(server, 3)
    server.uninstall()
    await bot.until(STATE, ("revoked", 1))
    await installed(server, bot)
    assert await bot.rows(STATE) == [("active", 0)]
    assert await bot.rows(TRIGGERS) == [("active", "")]
    server.say("/todo", ANN)
    assert "milk" in (await answered(server, 5))[-1]


async def test_news_of_an_older_end_does_not_end_what_was_installed_after(server: SlackServer, bot: Running) -> None:
    long_ago = bot.app.clock.now() // 1000 - 60
    server.push({"type": "app_uninstalled"}, event_time=long_ago)
    server.say("/id", ANN)
    await answered(server, 2)
    assert await bot.rows(STATE) == [("active", 0)]


async def test_the_other_workspace_does_not_notice(server: SlackServer, bot: Running) -> None:
    await installed(server, bot, SECOND)
    await answered(server, 1, SECOND)
    server.say("/remind in 2 days: feed the cat", ANN, team=SECOND)
    await answered(server, 2, SECOND)
    server.uninstall(FIRST)
    await bot.until(STATE, ("revoked", 1))
    server.say("/id", ANN, team=SECOND)
    assert "slack:T0002:U1001" in (await answered(server, 3, SECOND))[-1]
    assert await bot.rows(TRIGGERS) == [("active", "")]


async def test_it_stays_removed_over_a_restart(server: SlackServer, tmp_path: Path) -> None:
    async with running(configured(server, tmp_path)) as bot:
        await installed(server, bot)
        await answered(server, 1)
        server.uninstall()
        await bot.until(STATE, ("revoked", 1))
    async with running(configured(server, tmp_path)) as bot:
        assert not bot.app.adapters["slack"].serves(FIRST)
        health = bot.app.adapters["slack"].health()
        assert (health["ok"], health["installations"]) == (True, [{"id": FIRST, "name": "", "state": "removed"}])


# Tokens that run out.


async def test_a_token_that_runs_out_is_replaced_and_kept_before_it_is_used(
    server: SlackServer, tmp_path: Path
) -> None:
    server.world.app.rotation = True
    async with running(configured(server, tmp_path)) as bot:
        await installed(server, bot)
        await answered(server, 1)
        first = server.team.bot_token
        await bot.db.write(lambda tx: tx.run("UPDATE installation SET expires_at = 1"))
    async with running(configured(server, tmp_path)) as bot:
        assert server.team.bot_token != first
        assert await bot.rows("SELECT epoch, expires_at > 1 AS later, claimed_until FROM installation") == [(2, 1, 0)]
        server.world.tokens[first].trouble = "token_expired"
        server.say("/id", ANN)
        await answered(server, 2)
    refreshed = [call for call in server.calls("oauth.v2.access") if call.params.get("grant_type")]
    assert len(refreshed) == 1


async def test_when_newer_tokens_are_refused_it_is_said_once(
    server: SlackServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    server.world.app.rotation = True
    async with running(configured(server, tmp_path)) as bot:
        await installed(server, bot)
        await bot.db.write(lambda tx: tx.run("UPDATE installation SET expires_at = 1"))
    server.oauth.refreshing.clear()
    async with running(configured(server, tmp_path)) as bot:
        assert await bot.rows("SELECT state, claimed_until FROM installation") == [("active", 0)]
    assert caplog.text.count("installed there again") == 1
    assert "xoxe" not in caplog.text

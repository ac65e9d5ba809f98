"""While Slack does not say who people are, they are who they were; whom nobody met has to wait, and is told nothing."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.adapters.slack import adapter
from bot.adapters.slack.directory import cache, untold
from tests.emulators.slack import SlackServer
from tests.memory_intake import DEADLINE
from tests.slack_house import QUICK
from tests.slack_installed import ANN, FIRST, Running, configured, installed, running

BOSS = "U1500"
HEARD = "SELECT text FROM inbox WHERE text <> '' ORDER BY id"
STRANGERS = "SELECT external_id FROM stranger"
CURSOR = "SELECT position FROM cursor_position WHERE name = 'heard'"
PROFILE = (
    "SELECT p.name, p.kin, p.handle, p.language, p.told_timezone FROM person p"
    " JOIN address a ON a.person_id = p.id WHERE a.external_id = 'slack:T0001:U1001'"
)
CARD = (
    "SELECT c.nickname FROM contact c JOIN contact_address x ON x.contact_id = c.id"
    " WHERE x.external_id = 'slack:T0001:U1001' ORDER BY c.id"
)
HANDLES = "SELECT external_id FROM contact_address WHERE external_id = 'slack:@ann' ORDER BY contact_id"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter, "Timing", lambda: QUICK)


@pytest.fixture
async def server() -> AsyncIterator[SlackServer]:
    async with SlackServer() as found:
        found.team.installed, found.retry_after = False, ()
        found.user(ANN, name="ann", tz="Asia/Tokyo", locale="en-GB")
        found.user(BOSS, name="boss")
        yield found


@contextlib.asynccontextmanager
async def listed(server: SlackServer, folder: Path) -> AsyncIterator[Running]:
    """A bot for whoever is a full member of the workspace, once it hears."""
    env = {"TELLER_ACCESS__MODE": "allowlist", "TELLER_ACCESS__ALLOW": f'["slack:{FIRST}"]'}
    async with running(configured(server, folder, **env)) as bot:
        if not server.team.installed:
            await installed(server, bot, FIRST, BOSS)
        await bot.becomes(lambda: bot.app.adapters["slack"].hears(FIRST))
        yield bot


def silent(server: SlackServer, error: str = "") -> None:
    """Let Slack say nothing of anybody from now on, or that word."""
    for method in ("users.info", "users.list"):
        server.fault(method, "500", error=error, times=10**6)


async def test_who_was_met_stays_who_they_were_while_slack_says_nothing(
    server: SlackServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    channel = server.channel((ANN,), bot=False)
    async with listed(server, tmp_path) as bot:
        server.team.channels[channel].members.add(server.team.bot_user)
        server.say("/id", ANN)
        await bot.until(HEARD, ("/id",))
        server.mention("/todo add milk", ANN, channel)
        await bot.until(HEARD, ("/id",), ("/todo add milk",))
        before = [await bot.rows(sql) for sql in (PROFILE, CARD, HANDLES)]
    assert before[0] == [("ann", "full", "@ann", "en", "Asia/Tokyo")]
    # The ten minutes are over.
    monkeypatch.setattr(cache, "LONGEST_UNKNOWN_SECONDS", 0.0)
    silent(server)
    async with listed(server, tmp_path) as bot:
        server.say("/todo", ANN)
        await bot.until(HEARD, ("/id",), ("/todo add milk",), ("/todo",))
        server.mention("/todo add tea", ANN, channel)
        await bot.until(HEARD, ("/id",), ("/todo add milk",), ("/todo",), ("/todo add tea",))
        assert [await bot.rows(sql) for sql in (PROFILE, CARD, HANDLES)] == before
        assert not await bot.rows(STRANGERS)


async def test_whom_nobody_met_waits_and_is_told_nothing_until_slack_says_who_they_are(
    server: SlackServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "LONGEST_UNKNOWN_SECONDS", 0.0)
    monkeypatch.setattr(cache, "STALE_SECONDS", 0.0)
    silent(server)
    async with listed(server, tmp_path) as bot:
        server.say("/id", ANN)
        # Somebody else is heard meanwhile.
        server.say("/todo", BOSS)
        await bot.until(HEARD, ("/todo",))
        await server.wait_until(lambda: not server.pending(), DEADLINE)
        assert (await bot.rows(HEARD), await bot.rows(STRANGERS)) == ([("/todo",)], [])
        server.faults.clear()
        await bot.until(HEARD, ("/todo",), ("/id",))
        assert not server.calls("chat.postEphemeral")


@pytest.mark.parametrize("word", ["missing_scope", "something_new"])
async def test_whom_slack_will_never_tell_of_is_a_stranger(server: SlackServer, tmp_path: Path, word: str) -> None:
    silent(server, word)
    async with listed(server, tmp_path) as bot:
        server.say("/id", ANN)
        await bot.until(STRANGERS, ("slack:T0001:U1001",))
        await server.wait_until(lambda: bool(server.calls("chat.postEphemeral")), DEADLINE)
        assert not await bot.rows(HEARD)
        assert bot.app.adapters["slack"].hears(FIRST)


@pytest.mark.parametrize("word", ["", "no_permission", "two_factor_setup_required"])
async def test_one_of_whom_slack_says_nothing_for_long_keeps_nobody_from_being_heard(
    server: SlackServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    monkeypatch.setattr(cache, "LONGEST_UNKNOWN_SECONDS", 0.0)
    async with listed(server, tmp_path) as bot:
        server.fault("users.info", "500", error=word, channel="U1777", times=10**6)
        server.user("U1777", name="new")
        server.say("/id", "U1777")
        await bot.until(STRANGERS, ("slack:T0001:U1777",))
        last = server.say("/id", ANN)
        await bot.until(HEARD, ("/id",))
        await bot.becomes(lambda: bot.app.adapters["slack"].hears(FIRST))
        # The answer is later still, and may have been passed already.
        await bot.until(f"SELECT position >= :last AS passed FROM ({CURSOR}) AS heard", (1,), last=last)


@pytest.mark.parametrize("word", ["", "access_denied"])
async def test_whom_nobody_is_told_of_waits_an_hour_at_most(
    server: SlackServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    monkeypatch.setattr(cache, "LONGEST_UNKNOWN_SECONDS", 0.0)
    monkeypatch.setattr(cache, "STALE_SECONDS", 0.0)
    silent(server, word)
    async with listed(server, tmp_path) as bot:
        monkeypatch.setattr(untold, "LONGEST_WAITED_SECONDS", 0.0)
        server.say("/id", ANN)
        await bot.until(STRANGERS, ("slack:T0001:U1001",))
        await bot.becomes(lambda: bot.app.adapters["slack"].hears(FIRST))

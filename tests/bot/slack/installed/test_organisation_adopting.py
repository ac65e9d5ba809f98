"""Which workspaces an organisation's installation serves: its own, wholly or not at all, and who owns the bot there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.adapters.slack.install.installations import Installations
from bot.adapters.slack.receive import receiver as receiving
from core.kernel.errors import StorageError
from core.kernel.updates import Installed
from core.pipeline.intake.inbox import Inbox
from tests.emulators.slack import SlackServer
from tests.slack_installed import (
    ANN,
    BOTH_SERVED,
    FIRST,
    ONE_SERVED,
    SECOND,
    SERVED,
    TRIGGERS,
    WHOLE,
    Running,
    answered,
    begun,
    configured,
    installed,
    nothing,
    running,
    settled,
)

pytestmark = pytest.mark.usefixtures("together")

FAR, EVE, MEMBER = "T0FAR", "U7777", "U6666"
OWNERS = "SELECT a.external_id FROM person p JOIN address a ON a.person_id = p.id WHERE p.owns = 1 ORDER BY p.id"
INBOX = "SELECT t.external_id, i.text FROM inbox i JOIN tenant t ON t.id = i.tenant_id WHERE i.text <> ''"
BOTH_OWNED = [("slack:T0001:U1001",), ("slack:T0002:U1001",)]
ONLY_FIRST = [(FIRST, WHOLE, 1)]


# Other companies.


def far(server: SlackServer, **fields: Any) -> str:
    """Return a channel that ANN shares with EVE, of another company."""
    server.world.team(FAR, installed=False, **fields)
    server.user(EVE, team=FAR, name="eve")
    return server.channel((ANN, EVE), shared_with=FAR)


@pytest.mark.parametrize("enterprise", ["", "E0FAR"])
async def test_who_writes_from_another_company_in_a_shared_channel_is_a_stranger_of_ours(
    server: SlackServer, tmp_path: Path, enterprise: str
) -> None:
    settings = {"TELLER_ACCESS__MODE": "open", "TELLER_BUDGET__DAILY_TOKENS": "1000000"}
    async with running(configured(server, tmp_path, **settings)) as bot:
        await installed(server, bot)
        room, called = far(server, enterprise=enterprise), f"<@{server.team.bot_user}>"
        server.say(f"{called} /todo add hacked", EVE, channel=room, team=FAR)
        await settled(server)
        server.say(f"{called} /todo add tea", ANN, channel=room)
        await server.wait_until(lambda: any("tea" in one.text for one in server.said(room)), 15)
        assert await bot.rows(SERVED) == ONLY_FIRST
        assert await bot.rows(OWNERS) == BOTH_OWNED[:1]
        assert await bot.rows(INBOX) == [(FIRST, "/todo add tea")]
        assert not any("hacked" in one.text for one in server.said(room))


@pytest.mark.parametrize("team_id", [None, WHOLE])
async def test_what_names_a_workspace_of_another_company_adopts_none(
    server: SlackServer, grid: Running, team_id: str | None
) -> None:
    far(server)
    given = [{"enterprise_id": WHOLE, "team_id": team_id, "is_enterprise_install": True}]
    for context in ({}, {"context_team_id": FAR, "context_enterprise_id": None}):
        nothing(server, FIRST, team_id=FAR, authorizations=given, **({"context_team_id": None} | context))
    await settled(server)
    assert await grid.rows(SERVED) == []


async def test_a_press_from_another_company_adopts_nothing(server: SlackServer, grid: Running) -> None:
    far(server)
    body = {"type": "block_actions", "team": None, "enterprise": {"id": WHOLE}, "is_enterprise_install": True}
    answer = await grid.app.adapters["slack"]._incoming._receiver.take(body | {"user": {"id": EVE, "team_id": FAR}})  # type: ignore[attr-defined] # the emulator presses what it has shown
    assert answer.status == 200
    assert await grid.rows(SERVED) == []


async def test_what_slack_does_not_say_now_comes_again(server: SlackServer, grid: Running) -> None:
    server.fault("auth.teams.list", error="internal_error")
    nothing(server, SECOND, context_team_id=None, team_id=SECOND)
    await grid.until(SERVED, (SECOND, WHOLE, 1))
    assert len(server.calls("auth.teams.list")) == 2


# Wholly or not at all.


@pytest.mark.parametrize("slow", [False, True])
@pytest.mark.parametrize("what", ["join", "accept", "tenant"])
async def test_what_fails_while_a_workspace_is_taken_in_is_done_again(
    server: SlackServer, grid: Running, monkeypatch: pytest.MonkeyPatch, what: str, slow: bool
) -> None:
    monkeypatch.setattr(receiving, "PATIENCE_SECONDS", 0.3)
    once_only(monkeypatch, what, slow=slow)
    server.say("/id", ANN, team=SECOND)
    assert "slack:T0002:U1001" in (await answered(server, 1, SECOND))[0]
    assert await grid.rows(SERVED) == [(SECOND, WHOLE, 1)]
    assert await grid.rows(OWNERS) == BOTH_OWNED[1:]
    server.withdraw(SECOND)
    await grid.becomes(lambda: not grid.app.adapters["slack"].serves(SECOND))
    await grid.until(SERVED, (SECOND, WHOLE, 0))


def once_only(monkeypatch: pytest.MonkeyPatch, what: str, *, slow: bool) -> None:
    """Let the database fail, or be slow, when it is to keep something of a workspace for the first time."""
    of: Any = Installations if what == "join" else Inbox
    real, times = getattr(of, what), list[str]()

    async def once(self: Any, *given: Any) -> Any:
        mine = what != "accept" or any(isinstance(one, Installed) for one in given[1])
        if mine and not times:
            times.append(what)
            if not slow:
                raise StorageError("busy")
            await self._clock.sleep(1)
        return await real(self, *given)

    monkeypatch.setattr(of, what, once)


# Who owns the bot.


@pytest.mark.parametrize("heard", [True, False])
async def test_who_installs_it_where_their_organisation_has_it_owns_nothing(
    server: SlackServer, grid: Running, heard: bool
) -> None:
    if heard:
        await begun(server, grid)
    server.user(MEMBER, team=SECOND, name="mallory")
    server.world.app.whole = False
    await installed(server, grid, SECOND, MEMBER)
    assert await grid.rows(OWNERS) == (BOTH_OWNED if heard else BOTH_OWNED[1:])
    assert (SECOND, "", 1) in await grid.rows(SERVED)


async def test_who_installs_it_where_their_organisation_had_it_owns_the_bot(
    server: SlackServer, served: Running
) -> None:
    server.user(MEMBER, team=SECOND, name="grace")
    server.withdraw(SECOND)
    await served.until(SERVED, *ONE_SERVED)
    await served.becomes(lambda: not served.app.adapters["slack"].serves(SECOND))
    server.world.app.whole = False
    await installed(server, served, SECOND, MEMBER)
    assert ("slack:T0002:U6666",) in await served.rows(OWNERS)


async def test_who_installs_it_after_a_removal_owns_it_also_when_that_could_not_be_kept_at_first(
    server: SlackServer, bot: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.world.app.whole = False
    await installed(server, bot, SECOND)
    server.uninstall(SECOND)
    await bot.until(SERVED, (SECOND, "", 0))
    await bot.until("SELECT state FROM installation", ("revoked",))
    server.user(MEMBER, team=SECOND, name="grace")
    once_only(monkeypatch, "accept", slow=False)
    assert (await server.install(f"{bot.url}/slack/install", MEMBER, SECOND)).status == 502
    await installed(server, bot, SECOND, MEMBER)
    assert ("slack:T0002:U6666",) in await bot.rows(OWNERS)


# What comes late.


@pytest.mark.parametrize("listed", [True, False])
async def test_what_is_of_the_second_of_the_withdrawal_does_not_bring_it_back(
    server: SlackServer, tmp_path: Path, listed: bool
) -> None:
    async with running(configured(server, tmp_path)) as bot:
        await installed(server, bot)
        await begun(server, bot)
        server.withdraw(SECOND)
        before = int(server.world.now())
        await bot.until(SERVED, *ONE_SERVED)
        [ended] = await bot.rows("SELECT ended_at FROM tenant WHERE external_id = 'T0002'")
    async with running(configured(server, tmp_path)) as bot:
        server.workspace(SECOND).installed = server.workspace(SECOND).granted = listed
        nothing(server, SECOND, event_time=min(before, ended[0] // 1000))
        await settled(server)
        assert await bot.rows(SERVED) == list(ONE_SERVED)


async def test_what_comes_though_slack_says_it_was_taken_away_does_not_bring_it_back(
    server: SlackServer, served: Running
) -> None:
    slack = served.app.adapters["slack"]
    server.say("/remind in 2 days: call Oma", ANN, team=SECOND)
    await answered(server, 1, SECOND)
    server.withdraw(SECOND)
    await served.becomes(lambda: not slack.serves(SECOND))
    nothing(server, SECOND, event_time=int(server.world.now()) + 60)
    form = {"command": "/teller", "text": "todo", "team_id": SECOND, "enterprise_id": WHOLE, "user_id": ANN}
    answer = await slack._incoming._receiver.take(form)  # type: ignore[attr-defined] # the emulator knows better
    assert answer.status == 200
    await settled(server)
    assert await served.rows(SERVED) == list(ONE_SERVED)
    assert await served.rows(TRIGGERS) == [(SECOND, "paused", "uninstalled")]
    server.grant(SECOND)
    server.command("/teller todo", ANN, team=SECOND)
    await served.until(SERVED, *BOTH_SERVED)
